// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See desa.h.
#include "hw_model/cha/desa.h"

#include <bit>

namespace caamlab::hw_model {
namespace {

DesMode mode_of(uint16_t aai) {
  switch (aai & 0x70) {
    case desc::aai::kCbc:
      return DesMode::kCbc;
    case desc::aai::kCfb:
      return DesMode::kCfb;
    case desc::aai::kOfb:
      return DesMode::kOfb;
    default:
      return DesMode::kEcb;
  }
}

}  // namespace

CcbError Desa::begin(ClassRegs& regs) {
  const ByteSpan key = regs.key.key();
  const bool good_size = regs.op.alg == desc::Alg::kDes ? key.size() == 8 : key.size() == 16 || key.size() == 24;
  if (!good_size) return CcbError::kKeySize;
  if ((regs.op.aai & desc::aai::kDesCheckOdd) != 0)
    for (const uint8_t b : key)
      if (std::popcount(b) % 2 == 0) return CcbError::kDesParity;
  des_.set_key(key);
  const DesMode mode = mode_of(regs.op.aai);
  whole_blocks_ = mode == DesMode::kEcb || mode == DesMode::kCbc;
  cutter_.reset();
  des_.start(mode, regs.op.enc, regs.context());
  return CcbError::kNone;
}

CcbError Desa::feed(ClassRegs&, DataType type, ByteSpan in, Output& out) {
  if (type != DataType::kMsg) return CcbError::kSequence;
  if (whole_blocks_) {
    cutter_.feed(in, out, [this](uint8_t* to, const uint8_t* from, size_t len) { des_.crypt(to, from, len); });
    return CcbError::kNone;
  }
  while (!in.empty()) {
    const std::span<uint8_t> to = out.window(in.size());
    const size_t n = std::min(to.size(), in.size());
    des_.crypt(to.data(), in.data(), n);
    out.commit(n);
    in = in.subspan(n);
  }
  return CcbError::kNone;
}

CcbError Desa::last(ClassRegs& regs, DataType, Output&) {
  if (whole_blocks_ && cutter_.held() != 0) return CcbError::kDataSize;
  std::memcpy(regs.context(), des_.iv(), 8);
  return CcbError::kNone;
}

}  // namespace caamlab::hw_model
