// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See ccha.h.
#include "hw_model/cha/ccha.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {
namespace {

namespace aai = desc::aai;
constexpr uint64_t kBlockBytes = 64;
using desc::Endian;

}  // namespace

CcbError Ccha::start(const ClassRegs& regs) {
  const uint16_t mode = regs.op.aai;
  const bool known = (mode & ~(aai::kChaChaKeystream | aai::kAead | aai::kChaChaBc8)) == 0;
  // The AEAD is that of RFC 8439: 32-bit counter, data encrypted.
  const bool plain_aead = (mode & aai::kAead) == 0 || mode == aai::kAead;
  return known && plain_aead ? CcbError::kNone : CcbError::kMode;
}

CcbError Ccha::begin(ClassRegs& regs) {
  if (regs.key.size != kKeyBytes) return CcbError::kKeySize;
  chacha_.set_key(EVP_chacha20(), regs.key.key(), Direction::kEncrypt);
  wide_counter_ = (regs.op.aai & aai::kChaChaBc8) != 0;
  std::copy_n(regs.context(), block_.size(), block_.begin());
  if ((regs.op.aai & aai::kAead) != 0 && is_init(regs.op.as)) desc::store32(block_.data(), 1, Endian::kLittle);
  restart();
  return CcbError::kNone;
}

void Ccha::restart() {
  chacha_.set_iv(block_.data());
  bytes_ = 0;
}

// libcrypto carries the counter into the nonce, as a wide counter does; a narrow one wraps in place.
void Ccha::crypt(uint8_t* out, const uint8_t* in, size_t len) {
  while (!wide_counter_) {
    const uint64_t blocks = (uint64_t{1} << 32) - desc::load32(block_.data(), Endian::kLittle);
    const uint64_t left = blocks * kBlockBytes - bytes_;
    if (len <= left) break;
    chacha_.update(out, in, left);
    out += left;
    in += left;
    len -= left;
    std::fill_n(block_.begin(), 4, uint8_t{0});
    restart();
  }
  chacha_.update(out, in, len);
  bytes_ += len;
}

CcbError Ccha::feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) {
  if (type != DataType::kMsg) return CcbError::kSequence;
  const bool keystream_only = (regs.op.aai & aai::kChaChaKeystream) != 0;
  while (!in.empty()) {
    const std::span<uint8_t> to = out.window(in.size());
    const size_t n = std::min(to.size(), in.size());
    if (keystream_only) std::memset(to.data(), 0, n);
    crypt(to.data(), keystream_only ? to.data() : in.data(), n);
    out.commit(n);
    in = in.subspan(n);
  }
  return CcbError::kNone;
}

CcbError Ccha::last(ClassRegs& regs, DataType, Output&) {
  // Only the end of a message may be no block.
  if (!is_final(regs.op.as) && bytes_ % kBlockBytes != 0) return CcbError::kDataSize;
  const uint64_t blocks = (bytes_ + kBlockBytes - 1) / kBlockBytes;
  uint8_t* ctx = regs.context();
  std::copy(block_.begin(), block_.end(), ctx);
  const uint32_t low = desc::load32(ctx, Endian::kLittle);
  const uint64_t sum = low + blocks;
  desc::store32(ctx, static_cast<uint32_t>(sum), Endian::kLittle);
  if (wide_counter_) {
    const uint32_t high = desc::load32(ctx + 4, Endian::kLittle) + static_cast<uint32_t>(sum >> 32);
    desc::store32(ctx + 4, high, Endian::kLittle);
  }
  std::copy_n(ctx, block_.size(), block_.begin());
  bytes_ = 0;
  return CcbError::kNone;
}

}  // namespace caamlab::hw_model
