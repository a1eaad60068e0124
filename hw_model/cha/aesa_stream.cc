// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_stream.h.
#include "hw_model/cha/aesa_stream.h"

#include <algorithm>
#include <cstring>

#include "hw_model/cha/arith/aes_block.h"

namespace caamlab::hw_model {
namespace {

constexpr uint64_t kNever = ~uint64_t{0};

// Bytes until the low `n` bytes of the counter wrap.
uint64_t bytes_to_wrap(const uint8_t counter[16], unsigned n) {
  uint64_t low = desc::load_be64(counter + 8);
  uint64_t blocks;
  if (n < 8) {
    low &= (uint64_t{1} << 8 * n) - 1;
    blocks = (uint64_t{1} << 8 * n) - low;
  } else {
    // Only if the bytes above the low eight are about to wrap too.
    const bool near = std::all_of(counter + 16 - n, counter + 8, [](uint8_t b) { return b == 0xFF; });
    if (!near || low == 0) return kNever;
    blocks = -low;
  }
  return blocks < kNever / 16 ? blocks * 16 : kNever;
}

}  // namespace

CcbError AesaStream::begin(ClassRegs& regs) {
  switch (regs.op.aai & 0xF0) {
    case desc::aai::kCfb:
      return begin(regs, AesMode::kCfb, 0);
    case desc::aai::kOfb:
      return begin(regs, AesMode::kOfb, 0);
    default:
      return begin(regs, AesMode::kCtr, (regs.op.aai & 0xF) == 0 ? 16 : regs.op.aai & 0xF);
  }
}

CcbError AesaStream::begin(ClassRegs& regs, AesMode mode, unsigned counter_bytes) {
  if (!is_aes_key_size(regs.key.size)) return CcbError::kKeySize;
  mode_ = mode;
  counter_bytes_ = counter_bytes;
  // Only CFB has two directions.
  const bool encrypt = mode != AesMode::kCfb || regs.op.enc;
  current_ = &ciphers_[mode == AesMode::kCtr ? 0 : mode == AesMode::kOfb ? 1 : encrypt ? 2 : 3];
  current_->set_key(aes_cipher(mode, regs.key.size), regs.key.key(),
                    encrypt ? Direction::kEncrypt : Direction::kDecrypt);
  if (mode != AesMode::kCtr) {
    current_->set_iv(regs.context());
    return CcbError::kNone;
  }
  key_bytes_ = regs.key.size;
  std::copy_n(regs.key.key().data(), key_bytes_, key_);
  std::memcpy(counter_, regs.context() + kCounterAt, 16);
  restart_counter(bytes_to_wrap(counter_, counter_bytes_));
  return CcbError::kNone;
}

void AesaStream::restart_counter(uint64_t left_to_wrap) {
  in_step_ = false;
  bytes_ = 0;
  bytes_to_wrap_ = left_to_wrap;
}

// Whole blocks of a long piece that begins with one; 0: none. The other library counts 32 bits only.
size_t AesaStream::count_in_bulk(uint8_t* out, const uint8_t* in, size_t len) {
  if (len < AesBulk::kWorthwhile || bytes_ % 16 != 0) return 0;
  uint8_t at[16];
  std::memcpy(at, counter_, 16);
  add_to_counter(at, bytes_ / 16, counter_bytes_);
  const auto n = static_cast<size_t>(std::min<uint64_t>(len, bytes_to_wrap(at, 4)) / 16 * 16);
  if (n < AesBulk::kWorthwhile || !bulk_.available()) return 0;
  bulk_.set_key({key_, key_bytes_});
  bulk_.ctr(out, in, n, at);
  in_step_ = false;
  return n;
}

// Within what is left until the counter wraps.
void AesaStream::count(uint8_t* out, const uint8_t* in, size_t len) {
  while (len != 0) {
    size_t n = count_in_bulk(out, in, len);
    if (n == 0) {
      if (!in_step_) {
        uint8_t at[16];
        std::memcpy(at, counter_, 16);
        add_to_counter(at, bytes_ / 16, counter_bytes_);
        current_->set_iv(at);
        in_step_ = true;
      }
      n = len;
      current_->update(out, in, n);
    }
    bytes_ += n;
    out += n;
    in += n;
    len -= n;
  }
}

void AesaStream::crypt(uint8_t* out, const uint8_t* in, size_t len) {
  if (mode_ != AesMode::kCtr) return current_->update(out, in, len);
  while (counter_bytes_ < 16 && len > bytes_to_wrap_ - bytes_) {
    const size_t n = static_cast<size_t>(bytes_to_wrap_ - bytes_);
    count(out, in, n);
    out += n;
    in += n;
    len -= n;
    std::memset(counter_ + 16 - counter_bytes_, 0, counter_bytes_);
    restart_counter(bytes_to_wrap(counter_, counter_bytes_));
  }
  count(out, in, len);
}

CcbError AesaStream::feed(ClassRegs&, DataType type, ByteSpan in, Output& out) {
  if (type != DataType::kMsg) return CcbError::kSequence;
  while (!in.empty()) {
    const std::span<uint8_t> to = out.window(in.size());
    const size_t n = std::min(to.size(), in.size());
    crypt(to.data(), in.data(), n);
    out.commit(n);
    in = in.subspan(n);
  }
  return CcbError::kNone;
}

CcbError AesaStream::last(ClassRegs& regs, DataType, Output&) {
  if (mode_ != AesMode::kCtr) {
    current_->chaining_value(regs.context(), 16);
    return CcbError::kNone;
  }
  add_to_counter(counter_, (bytes_ + 15) / 16, counter_bytes_);
  bytes_ = 0;
  std::memcpy(regs.context() + kCounterAt, counter_, 16);
  return CcbError::kNone;
}

}  // namespace caamlab::hw_model
