// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The 32-bit status word of a job (hardware.md 6.1 to 6.3): source, descriptor index, and a code by source.
// The kernel's texts for it are in driver/caam/error.cc; these are plain names.
#pragma once

#include <cstdint>
#include <string_view>

#include "desc/algs.h"
#include "desc/bits.h"

namespace caamlab::desc {

enum class StatusSource : uint8_t { kNone = 0, kCcb = 2, kJumpUser = 3, kDeco = 4, kQi = 5, kJr = 6, kJumpCond = 7 };

enum class DecoError : uint8_t {
  kNone = 0,
  kSgLength = 0x01,
  kSgNullEntry = 0x02,
  kJqControl = 0x03,
  kInvalidCommand = 0x04,
  kKey = 0x06,
  kLoad = 0x07,
  kStore = 0x08,
  kOperation = 0x09,
  kFifoLoad = 0x0A,
  kFifoStore = 0x0B,
  kMove = 0x0C,
  kJump = 0x0D,
  kMath = 0x0E,
  kSignature = 0x0F,
  kSequence = 0x10,
  kSkipType = 0x11,
  kSharedHeader = 0x12,
  kJobHeader = 0x13,
  kBurster = 0x14,
  kContextLength = 0x15,
  kDma = 0x16,
  kJrReset = 0x1A,
  kFailMode = 0x1B,
  kWatchdog = 0x1C,
  kShareKeysLocked = 0x1D,
  kShareError = 0x1E,
  kShareLiodn = 0x1F,
  kDecoReset = 0x20,
  kNonceExhausted = 0x21,
  kMetadataSize = 0x22,
  kReadInputFrame = 0x23,
  kKekNotLoaded = 0x24,
  kDoNotRun = 0x80,
  kProtocolUndefined = 0x81,
  kPdb = 0x82,
  kReplayLate = 0x83,
  kReplay = 0x84,
  kSequenceOverflow = 0x85,
  kSignatureInvalid = 0x86,
  kDsaSign = 0x87,
  kProtocolFormat = 0x88,
  kProtocolSize = 0x89,
  kBlobMode = 0xC1,
  kBlobSecMem = 0xC2,
  kBlobBlackSize = 0xC4,
  kBlobKeyDest = 0xC5,
  kBlobTrusted = 0xC8,
  kTtlZero = 0xF0,
  kHfnThreshold = 0xF1,
};

enum class CcbError : uint8_t {
  kNone = 0,
  kMode = 1,
  kDataSize = 2,
  kKeySize = 3,
  kPkhaASize = 4,
  kPkhaBSize = 5,
  kSequence = 6,
  kDivideByZero = 7,
  kEvenModulus = 8,
  kDesParity = 9,
  kIcvCheck = 0xA,
  kHardware = 0xB,
  kCcmAad = 0xC,
  kClass1NotReset = 0xD,
  kChaCombination = 0xE,
  kInvalidCha = 0xF,
};

struct JrStatus {
  uint32_t word = 0;

  static constexpr JrStatus deco(DecoError error, unsigned index, bool jumped = false) {
    return {0x40000000u | (jumped ? 1u << 27 : 0) | (index & 0xFF) << 8 | static_cast<uint8_t>(error)};
  }
  static constexpr JrStatus ccb(ChaId cha, CcbError error, unsigned index, bool jumped = false) {
    return {0x20000000u | (jumped ? 1u << 27 : 0) | (index & 0xFF) << 8 | static_cast<uint32_t>(cha) << 4 |
            static_cast<uint8_t>(error)};
  }
  // JUMP halt-user; a status byte of 0 is success.
  static constexpr JrStatus jump_user(uint8_t code, unsigned index) {
    return {code == 0 ? 0 : 0x30000000u | (index & 0xFF) << 8 | code};
  }
  static constexpr JrStatus jump_cond(uint8_t conditions, unsigned index) {
    return {0x70000000u | (index & 0xFF) << 8 | conditions};
  }

  constexpr bool ok() const { return word == 0; }
  constexpr StatusSource source() const { return static_cast<StatusSource>(word >> 28); }
  constexpr bool jumped() const { return (word >> 27 & 1) != 0; }
  constexpr unsigned index() const { return word >> 8 & 0xFF; }
  constexpr ChaId cha() const { return static_cast<ChaId>(word >> 4 & 0xF); }
  constexpr CcbError ccb_error() const { return static_cast<CcbError>(word & 0xF); }
  constexpr DecoError deco_error() const { return static_cast<DecoError>(word & 0xFF); }
  constexpr bool is_icv_failure() const { return source() == StatusSource::kCcb && ccb_error() == CcbError::kIcvCheck; }
  friend constexpr bool operator==(JrStatus, JrStatus) = default;
};

}  // namespace caamlab::desc
