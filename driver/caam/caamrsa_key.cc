// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See caamrsa_key.h.
#include "driver/caam/caamrsa_key.h"

#include <string.h>

#include <algorithm>
#include <cerrno>

namespace caamlab::driver::caam {

int RsaNumber::set(hw_model::DmaMemory& dma, std::span<const uint8_t> value, size_t len) {
  reset();
  bytes_.assign(len, 0);
  std::ranges::copy(value, bytes_.end() - static_cast<ptrdiff_t>(value.size()));
  addr_ = dma.map_single(bytes_.data(), len, DmaDirection::kToDevice);
  dma_ = &dma;
  if (!hw_model::dma_mapping_error(addr_)) return 0;
  bytes_.clear();
  return -ENOMEM;
}

void RsaNumber::reset() {
  if (bytes_.empty()) return;
  dma_->unmap_single(addr_, bytes_.size(), DmaDirection::kToDevice);
  explicit_bzero(bytes_.data(), bytes_.size());
  bytes_.clear();
}

void CaamRsaKey::reset() {
  for (RsaNumber* number : {&n, &e, &d, &p, &q, &dp, &dq, &qinv}) number->reset();
  form = desc::RsaPrivForm::kForm1;
}

int CaamRsaKey::set(hw_model::DmaMemory& dma, const api::RsaKey& key) {
  reset();
  if (key.n.size() > kRsaMaxModulus) return -EINVAL;
  struct Part {
    RsaNumber& number;
    std::span<const uint8_t> value;
    size_t len;
  };
  // The CRT members are as long as the prime they belong to; qinv is a number modulo p. (The kernel makes room of q's
  // length for it and shows the device p's.)
  const bool form2 = !key.p.empty() && !key.q.empty();
  const bool form3 = form2 && !key.dp.empty() && !key.dq.empty() && !key.qinv.empty() &&
                     key.dp.size() <= key.p.size() && key.dq.size() <= key.q.size() && key.qinv.size() <= key.p.size();
  const Part parts[] = {{n, key.n, key.n.size()},
                        {e, key.e, key.e.size()},
                        {d, key.d, key.d.size()},
                        {p, form2 ? key.p : std::span<const uint8_t>(), key.p.size()},
                        {q, form2 ? key.q : std::span<const uint8_t>(), key.q.size()},
                        {dp, form3 ? key.dp : std::span<const uint8_t>(), key.p.size()},
                        {dq, form3 ? key.dq : std::span<const uint8_t>(), key.q.size()},
                        {qinv, form3 ? key.qinv : std::span<const uint8_t>(), key.p.size()}};
  for (const Part& part : parts) {
    const int err = part.value.empty() ? 0 : part.number.set(dma, part.value, part.len);
    if (err == 0) continue;
    reset();
    return err;
  }
  form = form3 ? desc::RsaPrivForm::kForm3 : form2 ? desc::RsaPrivForm::kForm2 : desc::RsaPrivForm::kForm1;
  return 0;
}

}  // namespace caamlab::driver::caam
