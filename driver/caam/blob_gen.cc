// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See blob_gen.h.
#include "driver/caam/blob_gen.h"

#include <algorithm>

#include "desc/constructors/blob.h"
#include "driver/caam/edesc.h"

namespace caamlab::driver::caam {

std::unique_ptr<CaamBlob> CaamBlob::make(CtrlPriv& ctrl) {
  if (!ctrl.blob_present) return nullptr;
  Jr* jr = caam_jr_alloc(ctrl);
  return jr == nullptr ? nullptr : std::unique_ptr<CaamBlob>(new CaamBlob(*jr));
}

CaamBlob::~CaamBlob() { caam_jr_free(jr_); }

int CaamBlob::run(const CaamBlobInfo& info, bool encap) {
  Edesc edesc;
  edesc.init(jr_);
  const auto in_len = static_cast<uint32_t>(info.input.size());
  std::vector<uint8_t>& output = *info.output;
  hw_model::DmaMemory& dma = jr_.dma();
  const BusAddr in = dma.map_single(const_cast<uint8_t*>(info.input.data()), in_len, DmaDirection::kToDevice);
  if (hw_model::dma_mapping_error(in)) return -ENOMEM;
  const BusAddr out = dma.map_single(output.data(), output.size(), DmaDirection::kFromDevice);
  int err = hw_model::dma_mapping_error(out) ? -ENOMEM : 0;
  if (err == 0) {
    desc::Builder builder(jr_.ctrl().target);
    caam_process_blob(builder, {.encap = encap, .key_mod = info.key_mod, .in = in, .input_len = in_len, .out = out});
    uint32_t status = 0;
    err = edesc_store_desc(edesc, builder) ? 0 : -EINVAL;
    if (err == 0) err = caam_jr_run(jr_, {edesc.hw_desc, edesc.hw_desc_bytes}, &status);
    if (err == 0 && status != 0) err = caam_jr_strstatus(jr_.ctrl(), status);
    dma.unmap_single(out, output.size(), DmaDirection::kFromDevice);
  }
  dma.unmap_single(in, in_len, DmaDirection::kToDevice);
  return err;
}

int CaamBlob::process(const CaamBlobInfo& info, bool encap) {
  const size_t least = encap ? 1 : desc::kBlobOverhead + 1, most = kBlobMaxLength - (encap ? desc::kBlobOverhead : 0);
  if (info.output == nullptr || info.input.size() < least || info.input.size() > most ||
      info.key_mod.size() > kBlobKeyModLength)
    return -EINVAL;
  info.output->assign(encap ? info.input.size() + desc::kBlobOverhead : info.input.size() - desc::kBlobOverhead, 0);
  const int err = run(info, encap);
  if (err != 0) std::ranges::fill(*info.output, uint8_t{0});
  return err;
}

}  // namespace caamlab::driver::caam
