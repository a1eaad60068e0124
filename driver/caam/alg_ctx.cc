// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See alg_ctx.h.
#include "driver/caam/alg_ctx.h"

#include <cstddef>
#include <memory>

namespace caamlab::driver::caam {

int caam_init_common(void* mem, CtrlPriv& ctrl, const CaamAlgEntry& entry) {
  auto* ctx = new (mem) CaamCtx;
  ctx->jr = caam_jr_alloc(ctrl);
  if (ctx->jr == nullptr) {
    ctrl.log(LogLevel::kError, "Job Ring Device allocation for transform failed");
    std::destroy_at(ctx);
    return -ENODEV;
  }
  // With the derived key protocol the device writes the shared descriptor, or the key, back.
  const bool uses_dkp = entry.has_class2 && !entry.nodkp && ctrl.era >= 6;
  ctx->dir = uses_dkp ? DmaDirection::kBidirectional : DmaDirection::kToDevice;
  ctx->shared_dma = ctx->jr->dma().map_single(&ctx->shared, sizeof(ctx->shared), ctx->dir);
  if (hw_model::dma_mapping_error(ctx->shared_dma)) {
    ctrl.log(LogLevel::kError, "unable to map key, shared descriptors");
    caam_jr_free(*ctx->jr);
    std::destroy_at(ctx);
    return -ENOMEM;
  }
  ctx->sh_desc_enc = {ctx->shared.sh_desc_enc, ctx->shared_dma + offsetof(CaamCtx::Shared, sh_desc_enc)};
  ctx->sh_desc_dec = {ctx->shared.sh_desc_dec, ctx->shared_dma + offsetof(CaamCtx::Shared, sh_desc_dec)};
  ctx->entry = &entry;
  ctx->cdata.op = entry.class1;
  ctx->cdata.op.cls = desc::ClassSel::kClass1;
  ctx->adata.op = entry.class2;
  ctx->adata.op.cls = desc::ClassSel::kClass2;
  ctx->share = ctrl.options.share;
  return 0;
}

void caam_exit_common(CaamCtx& ctx) {
  ctx.jr->dma().unmap_single(ctx.shared_dma, sizeof(ctx.shared), ctx.dir);
  caam_jr_free(*ctx.jr);
  std::destroy_at(&ctx);
}

}  // namespace caamlab::driver::caam
