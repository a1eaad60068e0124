// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sk_hash.h.
#include "desc/constructors/sk_hash.h"

namespace caamlab::desc {

using enum MathReg;

void cnstr_shdsc_sk_hash(Builder& d, const AlgInfo& adata, const SkHashParams& p) {
  constexpr ClassSel kCls1 = ClassSel::kClass1;
  const bool xcbc = adata.op.aai == aai::kXcbcMac;
  const bool first = p.state == AlgState::kInit || p.state == AlgState::kInitFinal;

  d.init_sh_desc({.savectx = true, .share = p.share});
  const auto key_jump = append_jump_if_shared(d);
  if (xcbc && !first)
    d.append_key(adata.key_dma, adata.keylen, {.cls = kCls1, .enc = true});
  else
    d.append_key_as_imm(adata.key.first(adata.keylen), adata.keylen, {.cls = kCls1});
  if (!first) d.append_seq_load(p.ctx_len, {.cls = kCls1, .dst = kRegContext});
  d.set_jump_tgt_here(key_jump);

  append_class_operation(d, adata, p.state, /*enc=*/true);
  append_math_copy(d, kVarSeqInLen, kSeqInLen);
  d.append_seq_fifo_load(0,
                         {.cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast1)});
  // XCBC: partial MAC, K2, K3; CMAC: partial MAC, L.
  d.append_seq_store(p.digestsize, {.cls = kCls1, .src = kRegContext});
  if (xcbc && p.state == AlgState::kInit)
    d.append_fifo_store(adata.key_dma, {.cls = kCls1, .type = FifoStoreType::kKeyEcbJdkek, .len = adata.keylen});
}

}  // namespace caamlab::desc
