// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Algorithms an OPERATION can select: ALG, AAI and AS values, the CHA that serves each (hardware.md 1.2, 2.13).
#pragma once

#include <array>
#include <cstdint>

#include "desc/codec.h"

namespace caamlab::desc {

// ALG, bits 23:16 of OPERATION.
enum class Alg : uint8_t {
  kAes = 0x10,
  kDes = 0x20,
  k3Des = 0x21,
  kArc4 = 0x30,
  kMd5 = 0x40,
  kSha1 = 0x41,
  kSha224 = 0x42,
  kSha256 = 0x43,
  kSha384 = 0x44,
  kSha512 = 0x45,
  kSha512_224 = 0x46,
  kSha512_256 = 0x47,
  kRng = 0x50,
  kSnowF8 = 0x60,
  kKasumi = 0x70,
  kCrc = 0x90,
  kSnowF9 = 0xA0,
  kZucE = 0xB0,
  kZucA = 0xC0,
  kChaCha20 = 0xD0,
  kPoly1305 = 0xE0,
};

// CHA ids as they stand in error words (PKHA is reached by its own OPERATION type).
enum class ChaId : uint8_t {
  kNone = 0,
  kAes = 1,
  kDes = 2,
  kAfha = 3,
  kMdha = 4,
  kRng = 5,
  kSnowF8 = 6,
  kKfha = 7,
  kPkha = 8,
  kCrca = 9,
  kSnowF9 = 0xA,
  kZuce = 0xB,
  kZuca = 0xC,
  kCcha = 0xD,
  kPtha = 0xE,
};

// The top nibble of ALG is the id of its CHA.
constexpr ChaId cha_of(Alg alg) { return static_cast<ChaId>(static_cast<uint8_t>(alg) >> 4); }

inline constexpr std::array kAlgNames{
    ValueName{0x10, "aes"},    ValueName{0x20, "des"},        ValueName{0x21, "3des"},
    ValueName{0x30, "arc4"},   ValueName{0x40, "md5"},        ValueName{0x41, "sha1"},
    ValueName{0x42, "sha224"}, ValueName{0x43, "sha256"},     ValueName{0x44, "sha384"},
    ValueName{0x45, "sha512"}, ValueName{0x46, "sha512-224"}, ValueName{0x47, "sha512-256"},
    ValueName{0x50, "rng"},    ValueName{0x60, "snow-f8"},    ValueName{0x70, "kasumi"},
    ValueName{0x90, "crc"},    ValueName{0xA0, "snow-f9"},    ValueName{0xB0, "zuce"},
    ValueName{0xC0, "zuca"},   ValueName{0xD0, "chacha20"},   ValueName{0xE0, "poly1305"}};

// AAI, bits 13:4 of OPERATION, as a number.
namespace aai {
inline constexpr uint16_t kCtrMod128 = 0x00, kCbc = 0x10, kEcb = 0x20, kCfb = 0x30, kOfb = 0x40, kXts = 0x50,
                          kCmac = 0x60, kXcbcMac = 0x70, kCcm = 0x80, kGcm = 0x90, kCbcXcbcMac = 0xA0,
                          kCtrXcbcMac = 0xB0, kCbcCmac = 0xC0, kCtrCmacLte = 0xD0, kCtrCmac = 0xE0, kDk = 0x100,
                          kC2k = 0x200;
inline constexpr uint16_t kDesCheckOdd = 0x80;
inline constexpr uint16_t kHash = 0x00, kHmac = 0x01, kSmac = 0x02, kHmacPrecomp = 0x04;
inline constexpr uint16_t kRngHandle = 0x03, kRngNzb = 0x10, kRngObp = 0x20, kRngPs = 0x40, kRngAi = 0x80,
                          kRngSk = 0x100;
inline constexpr uint16_t kCrc802 = 0x01, kCrc3385 = 0x02, kCrcCust = 0x04, kCrcDis = 0x10, kCrcDos = 0x20,
                          kCrcDoc = 0x40, kCrcIvz = 0x80;
inline constexpr uint16_t kF8 = 0xC0, kF9 = 0xC8;
inline constexpr uint16_t kChaChaKeystream = 0x001, kAead = 0x002, kChaChaBc8 = 0x008;
}  // namespace aai

inline constexpr std::array kAesModeNames{
    ValueName{0x00, "ctr"},      ValueName{0x10, "cbc"},          ValueName{0x20, "ecb"},
    ValueName{0x30, "cfb"},      ValueName{0x40, "ofb"},          ValueName{0x50, "xts"},
    ValueName{0x60, "cmac"},     ValueName{0x70, "xcbc-mac"},     ValueName{0x80, "ccm"},
    ValueName{0x90, "gcm"},      ValueName{0xA0, "cbc+xcbc-mac"}, ValueName{0xB0, "ctr+xcbc-mac"},
    ValueName{0xC0, "cbc+cmac"}, ValueName{0xD0, "ctr+cmac-lte"}, ValueName{0xE0, "ctr+cmac"}};

// AS, bits 3:2.
enum class AlgState : uint8_t { kUpdate = 0, kInit = 1, kFinal = 2, kInitFinal = 3 };
inline constexpr std::array kAlgStateNames{ValueName{0, "update"}, ValueName{1, "init"}, ValueName{2, "final"},
                                           ValueName{3, "initfinal"}};
// The same bits for RNG.
enum class RngState : uint8_t { kGenerate = 0, kInstantiate = 1, kReseed = 2, kUninstantiate = 3 };

}  // namespace caamlab::desc
