// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_xts.h.
#include "hw_model/cha/aesa_xts.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

CcbError AesaXts::begin(ClassRegs& regs) {
  if (regs.key.size != 32 && regs.key.size != 64) return CcbError::kKeySize;
  const size_t half = regs.key.size / 2;
  uint8_t key1[32];
  take_aes_key(regs, half, forms_, key1);
  xts_.set_keys({key1, half}, {regs.key.bytes.data() + half, half},
                regs.op.enc ? Direction::kEncrypt : Direction::kDecrypt);
  const uint8_t* ctx = regs.context();
  sector_bytes_ = desc::load_be64(ctx + kSectorSizeAt);
  if (sector_bytes_ < 16) return CcbError::kDataSize;
  std::memcpy(tweak_, ctx + kIndexAt, 8);
  if (wide_tweak_)
    std::memcpy(tweak_ + 8, ctx + kUpperIndexAt, 8);
  else
    std::memset(tweak_ + 8, 0, 8);
  left_ = sector_bytes_;
  held_bytes_ = 0;
  xts_.start(tweak_);
  return CcbError::kNone;
}

void AesaXts::next_sector() {
  for (uint8_t& b : tweak_)
    if (++b != 0) break;
  xts_.start(tweak_);
  left_ = sector_bytes_;
}

void AesaXts::hold(ByteSpan& in, size_t n) {
  std::memcpy(held_ + held_bytes_, in.data(), n);
  held_bytes_ += n;
  in = in.subspan(n);
}

// `len` bytes of whole blocks, what is held first; in place the output stays behind the input that way.
void AesaXts::crypt_blocks(ByteSpan& in, size_t len, Output& out) {
  while (held_bytes_ != 0 && len != 0) {
    if (held_bytes_ < 16) hold(in, 16 - held_bytes_);
    uint8_t block[16];
    xts_.crypt(block, held_, 16);
    held_bytes_ -= 16;
    std::memmove(held_, held_ + 16, held_bytes_);
    out.put(block);
    len -= 16;
  }
  while (len != 0) {
    const std::span<uint8_t> to = out.window(len);
    size_t n = std::min(to.size(), len) / 16 * 16;
    if (n != 0) {
      xts_.crypt(to.data(), in.data(), n);
      out.commit(n);
    } else {
      n = 16;
      uint8_t block[16];
      xts_.crypt(block, in.data(), 16);
      out.put(block);
    }
    in = in.subspan(n);
    len -= n;
  }
}

// The held end of a sector: a whole block, or one and a partial one.
void AesaXts::crypt_end(size_t len, Output& out) {
  uint8_t end[32];
  if (len == 16)
    xts_.crypt(end, held_, len);
  else
    xts_.steal(end, held_, len);
  held_bytes_ = 0;
  out.put({end, len});
}

CcbError AesaXts::feed(ClassRegs&, DataType type, ByteSpan in, Output& out) {
  if (type != DataType::kMsg) return CcbError::kSequence;
  while (!in.empty()) {
    if (left_ == 0) next_sector();
    const uint64_t available = held_bytes_ + in.size();
    if (available < left_) {
      const size_t len = available < 32 ? 0 : static_cast<size_t>(available - 16) / 16 * 16;
      crypt_blocks(in, len, out);
      left_ -= len;
      hold(in, in.size());
      return CcbError::kNone;
    }
    const size_t end = left_ % 16 == 0 ? 0 : 16 + left_ % 16;
    crypt_blocks(in, left_ - end, out);
    if (end != 0) {
      hold(in, end - held_bytes_);
      crypt_end(end, out);
    }
    left_ = 0;
  }
  return CcbError::kNone;
}

CcbError AesaXts::last(ClassRegs& regs, DataType, Output& out) {
  if (held_bytes_ != 0) {
    if (held_bytes_ < 16) return CcbError::kDataSize;
    crypt_end(held_bytes_, out);
  }
  std::memcpy(regs.context() + kIndexAt, tweak_, 8);
  if (wide_tweak_) std::memcpy(regs.context() + kUpperIndexAt, tweak_ + 8, 8);
  return CcbError::kNone;
}

}  // namespace caamlab::hw_model
