// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aead_slot.h.
#include "tests/conformance/aead_slot.h"

#include <algorithm>

namespace caamlab::tests {

void AeadSlot::Memory::resize(size_t new_len, size_t offset) {
  const size_t need = new_len + offset + 3 * kGuardLen;
  if (bytes.size() < need) bytes.resize(need);
  const size_t skew = reinterpret_cast<uintptr_t>(bytes.data()) % kGuardLen;
  start = 2 * kGuardLen - skew + offset;
  len = new_len;
  std::fill(bytes.begin() + static_cast<ptrdiff_t>(start - kGuardLen),
            bytes.begin() + static_cast<ptrdiff_t>(start + len + kGuardLen), kFill);
}

bool AeadSlot::Memory::guards_intact() const {
  if (bytes.empty()) return true;
  const auto untouched = [](uint8_t b) { return b == kFill; };
  const auto first = bytes.begin() + static_cast<ptrdiff_t>(start);
  return std::all_of(first - kGuardLen, first, untouched) &&
         std::all_of(first + static_cast<ptrdiff_t>(len), first + static_cast<ptrdiff_t>(len + kGuardLen), untouched);
}

int AeadSlot::submit(api::CryptoAead& tfm, Crypt crypt, const AeadInput& input, const Layout& layout) {
  const size_t tag = crypto_aead_authsize(tfm);
  const size_t in_len = input.aad.size() + input.text.size();
  aad_len_ = input.aad.size();
  out_len_ = crypt == Crypt::kEncrypt ? in_len + tag : in_len - tag;
  same_memory_ = layout.in_place || layout.in_place_two;
  src_.resize(same_memory_ ? std::max(in_len, out_len_) : in_len, layout.offset);
  dst_.resize(same_memory_ ? 0 : out_len_, layout.offset);
  std::ranges::copy(input.text, std::ranges::copy(input.aad, src_.span().begin()).out);
  iv_ = input.iv;
  src_list_ = api::SgTable::split_at(src_.span(), layout.src_pieces);
  const api::Scatterlist src = src_list_;
  dst_list_ = api::SgTable::split_at((same_memory_ ? src_ : dst_).span().first(out_len_), layout.dst_pieces);
  const api::Scatterlist dst = layout.in_place ? src : dst_list_.list();

  completions_ = 0;
  req_ = aead_request_alloc(tfm);
  const api::CryptoCompletion done = [](void* data, int err) {
    auto& slot = *static_cast<AeadSlot*>(data);
    if (err == -EINPROGRESS) return;  // left the backlog
    ++slot.completions_;
    slot.err_ = err;
  };
  aead_request_set_callback(*req_, input.flags, done, this);
  aead_request_set_ad(*req_, static_cast<uint32_t>(aad_len_));
  aead_request_set_crypt(*req_, src, dst, static_cast<uint32_t>(input.text.size()), iv_.data());
  return crypt == Crypt::kEncrypt ? crypto_aead_encrypt(*req_) : crypto_aead_decrypt(*req_);
}

std::string AeadSlot::damage(const AeadInput& input, bool copies_aad) const {
  if (!src_.guards_intact()) return "bytes around src";
  if (!dst_.guards_intact()) return "bytes around dst";
  if (iv_ != input.iv) return "the IV";
  const auto aad = dst_bytes().first(aad_len_);
  if (same_memory_ || copies_aad) return std::ranges::equal(aad, input.aad) ? "" : "the AAD in dst";
  if (!std::ranges::all_of(aad, [](uint8_t b) { return b == kFill; })) return "the room for the AAD in dst";
  const auto src = src_.span();
  const bool same =
      std::ranges::equal(src.first(aad_len_), input.aad) && std::ranges::equal(src.subspan(aad_len_), input.text);
  return same ? "" : "src";
}

}  // namespace caamlab::tests
