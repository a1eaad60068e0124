// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See algorithms.h.
#include "desc/check/algorithms.h"

#include <fmt/format.h>

namespace caamlab::desc {
namespace {

// Modes of an algorithm in a class: (aai & mask) == value.
struct ModeRow {
  Alg first, last;
  uint8_t classes;  // bit 0: class 1, bit 1: class 2
  uint16_t mask, value;
};
constexpr uint16_t kAll = 0x3FF, kDk = kAll & ~aai::kDk, kC2k = kAll & ~aai::kC2k;
constexpr uint8_t k1 = 1, k2 = 2;

constexpr ModeRow kModes[] = {
    {Alg::kAes, Alg::kAes, k1, kAll & ~0xF, aai::kCtrMod128},
    {Alg::kAes, Alg::kAes, k1, kDk, aai::kCbc},
    {Alg::kAes, Alg::kAes, k1, kDk, aai::kEcb},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kCfb},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kOfb},
    {Alg::kAes, Alg::kAes, k1, kDk, aai::kXts},
    {Alg::kAes, Alg::kAes, k1, kC2k, aai::kCcm},
    {Alg::kAes, Alg::kAes, k1, kC2k, aai::kGcm},
    {Alg::kAes, Alg::kAes, k1 | k2, kAll, aai::kCmac},
    {Alg::kAes, Alg::kAes, k1 | k2, kAll, aai::kXcbcMac},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kCbcXcbcMac},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kCtrXcbcMac},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kCbcCmac},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kCtrCmacLte},
    {Alg::kAes, Alg::kAes, k1, kAll, aai::kCtrCmac},
    {Alg::kDes, Alg::k3Des, k1, kAll & ~aai::kDesCheckOdd, aai::kCbc},
    {Alg::kDes, Alg::k3Des, k1, kAll & ~aai::kDesCheckOdd, aai::kEcb},
    {Alg::kDes, Alg::k3Des, k1, kAll & ~aai::kDesCheckOdd, aai::kCfb},
    {Alg::kDes, Alg::k3Des, k1, kAll & ~aai::kDesCheckOdd, aai::kOfb},
    {Alg::kMd5, Alg::kSha512_256, k2, kAll, aai::kHash},
    {Alg::kMd5, Alg::kSha512_256, k2, kAll, aai::kHmac},
    {Alg::kMd5, Alg::kSha512_256, k2, kAll, aai::kHmacPrecomp},
    {Alg::kMd5, Alg::kSha1, k2, kAll, aai::kSmac},
    {Alg::kArc4, Alg::kArc4, k1, 0, 0},
    {Alg::kRng, Alg::kRng, k1, 0, 0},
    {Alg::kSnowF8, Alg::kSnowF8, k1, kAll, aai::kF8},
    {Alg::kSnowF9, Alg::kSnowF9, k2, kAll, aai::kF9},
    {Alg::kKasumi, Alg::kKasumi, k1, 0, 0},
    {Alg::kCrc, Alg::kCrc, k2, 0, 0},
    {Alg::kZucE, Alg::kZucE, k1, kAll, aai::kF8},
    {Alg::kZucA, Alg::kZucA, k2, kAll, aai::kF9},
    {Alg::kChaCha20, Alg::kChaCha20, k1, 0, 0},
    {Alg::kPoly1305, Alg::kPoly1305, k2, kAll, aai::kAead},
};

uint16_t aes_mode(const AlgOperation& op) { return op.aai & 0xF0; }
bool is_mdha(Alg alg) { return alg >= Alg::kMd5 && alg <= Alg::kSha512_256; }

uint32_t block_bytes(Alg alg) { return alg >= Alg::kSha384 ? 128 : 64; }

}  // namespace

std::optional<std::string> algorithm_fault(const AlgOperation& op) {
  const auto name = value_name(kAlgNames, static_cast<uint32_t>(op.alg));
  if (name.empty()) return fmt::format("there is no algorithm {:#04x}", static_cast<unsigned>(op.alg));
  const unsigned cls = op.cls == ClassSel::kClass1 ? 1 : 2;
  bool in_class = false;
  for (const ModeRow& row : kModes) {
    if (op.alg < row.first || op.alg > row.last || (row.classes & cls) == 0) continue;
    in_class = true;
    if ((op.aai & row.mask) == row.value) return std::nullopt;
  }
  if (!in_class) return fmt::format("{} does not run in class {}", name, cls);
  return fmt::format("{} has no mode {:#05x} in class {}", name, op.aai, cls);
}

KeyNeed key_need(const AlgOperation& op) {
  if (is_mdha(op.alg)) return op.aai == aai::kHash ? KeyNeed::kNone : KeyNeed::kClass2;
  switch (op.alg) {
    case Alg::kRng:
    case Alg::kPoly1305:
      return KeyNeed::kNone;
    case Alg::kCrc:
      return (op.aai & aai::kCrcCust) != 0 ? KeyNeed::kClass2 : KeyNeed::kNone;
    case Alg::kAes:
      if ((op.aai & aai::kC2k) != 0) return KeyNeed::kClass2;
      [[fallthrough]];
    default:
      return op.cls == ClassSel::kClass1 ? KeyNeed::kClass1 : KeyNeed::kClass2;
  }
}

bool key_length_suits(const AlgOperation& op, uint32_t len, bool split) {
  if (is_mdha(op.alg)) {
    if (op.aai == aai::kHmacPrecomp) return split || len == split_key_len(op.alg);
    return op.aai != aai::kHmac || len <= block_bytes(op.alg);
  }
  switch (op.alg) {
    case Alg::kAes:
      if (aes_mode(op) == aai::kXts) return len == 32 || len == 64;
      // Modes with a MAC may have a second key behind the first.
      if (aes_mode(op) >= aai::kCbcXcbcMac && aes_mode(op) <= aai::kCtrCmac) return len >= 16;
      return len == 16 || len == 24 || len == 32;
    case Alg::kDes:
      return len == 8;
    case Alg::k3Des:
      return len == 16 || len == 24;
    case Alg::kChaCha20:
      return len == 32;
    default:
      return true;
  }
}

bool reads_context(const AlgOperation& op) {
  const bool goes_on = op.as == AlgState::kUpdate || op.as == AlgState::kFinal;
  switch (op.alg) {
    case Alg::kAes: {
      const uint16_t mode = aes_mode(op);
      if (mode == aai::kEcb) return false;
      // GCM with FINAL on a cleared context is a whole message (hardware.md 2.13).
      if (mode == aai::kGcm) return op.as == AlgState::kUpdate;
      if (mode == aai::kCmac || mode == aai::kXcbcMac) return goes_on;
      return true;
    }
    case Alg::kDes:
    case Alg::k3Des:
      return (op.aai & ~aai::kDesCheckOdd) != aai::kEcb;
    case Alg::kChaCha20:
    case Alg::kSnowF8:
    case Alg::kZucE:
      return true;
    default:
      return is_mdha(op.alg) && goes_on;
  }
}

bool output_like_input(const AlgOperation& op) {
  if (op.cls != ClassSel::kClass1) return false;
  if (op.alg == Alg::kAes) return aes_mode(op) != aai::kCmac && aes_mode(op) != aai::kXcbcMac;
  return op.alg == Alg::kDes || op.alg == Alg::k3Des || op.alg == Alg::kChaCha20 || op.alg == Alg::kSnowF8 ||
         op.alg == Alg::kZucE;
}

}  // namespace caamlab::desc
