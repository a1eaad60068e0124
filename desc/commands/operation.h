// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// OPERATION: algorithms, PKHA and protocols (hardware.md 2.13 to 2.15). One CTYPE, three commands by TYPE 26:24.
#pragma once

#include "desc/algs.h"
#include "desc/commands/common.h"

namespace caamlab::desc {

struct AlgOperation {
  // TYPE 26:24 is 2 (class 1) or 4 (class 2); the variant's decoder tells them apart from the other two commands.
  static constexpr uint32_t kMask = 0xF9000000, kMatch = 0x80000000;
  static constexpr std::string_view kMnemonic = "OPERATION", kAbout = "Start an algorithm on a CHA.";
  static constexpr bool kHasSeq = false;
  ClassSel cls = ClassSel::kClass1;  // TYPE / 2
  Alg alg = Alg::kAes;
  uint16_t aai = 0;
  AlgState as = AlgState::kUpdate;
  bool icv = false;  // RNG: prediction resistance
  bool enc = false;  // RNG: test mode

  constexpr RngState rng_state() const { return static_cast<RngState>(as); }
  constexpr uint32_t mode_word() const;
  constexpr Operands operands() const { return {}; }
};
inline constexpr std::array kOpClassNames{ValueName{1, "class1"}, ValueName{2, "class2"}};
constexpr auto fields_of(const AlgOperation*) {
  return std::tuple{choice("class", 26, 25, &AlgOperation::cls, kOpClassNames),
                    choice("alg", 23, 16, &AlgOperation::alg, kAlgNames),
                    number("aai", 13, 4, &AlgOperation::aai, "additional algorithm information"),
                    choice("as", 3, 2, &AlgOperation::as, kAlgStateNames),
                    flag("icv", 1, &AlgOperation::icv, "check the ICV (RNG: prediction resistance)"),
                    flag("enc", 0, &AlgOperation::enc, "encrypt (RNG: test mode)")};
}
// The class mode register takes the lower 24 bits.
constexpr uint32_t AlgOperation::mode_word() const { return encode(*this) & 0xFFFFFF; }

enum class PkFunction : uint8_t {
  kClear = 0x01,
  kModAdd = 0x02,
  kModSubAB = 0x03,
  kModSubBA = 0x04,
  kModMult = 0x05,
  kModExp = 0x06,
  kModReduce = 0x07,
  kModInv = 0x08,
  kEccAdd = 0x09,
  kEccDouble = 0x0A,
  kEccMult = 0x0B,
  kModR2 = 0x0C,
  kCrtConst = 0x0D,
  kGcd = 0x0E,
  kPrimeTest = 0x0F,
  kCopyNsize = 0x10,
  kCopySsize = 0x11,
  kModSmallExp = 0x16,
  kEccCheckPoint = 0x1C,
};
inline constexpr std::array kPkFunctionNames{
    ValueName{0x01, "clear"},      ValueName{0x02, "mod_add"},    ValueName{0x03, "mod_sub_ab"},
    ValueName{0x04, "mod_sub_ba"}, ValueName{0x05, "mod_mult"},   ValueName{0x06, "mod_exp"},
    ValueName{0x07, "mod_reduce"}, ValueName{0x08, "mod_inv"},    ValueName{0x09, "ecc_add"},
    ValueName{0x0A, "ecc_double"}, ValueName{0x0B, "ecc_mult"},   ValueName{0x0C, "mod_r2"},
    ValueName{0x0D, "crt_const"},  ValueName{0x0E, "gcd"},        ValueName{0x0F, "prime_test"},
    ValueName{0x10, "copy_nsize"}, ValueName{0x11, "copy_ssize"}, ValueName{0x16, "mod_small_exp"},
    ValueName{0x1C, "ecc_check"}};

struct PkOperation {
  static constexpr uint32_t kMask = 0xFF800000, kMatch = 0x81800000;
  static constexpr std::string_view kMnemonic = "PKHA OP", kAbout = "Public-key arithmetic.";
  static constexpr bool kHasSeq = false;
  uint32_t options = 0;  // bits 19:6; meaning by function
  PkFunction fn = PkFunction::kClear;

  // Bits of `options` counted in the command word.
  constexpr bool bit(unsigned n) const { return (options >> (n - 6) & 1) != 0; }
  constexpr uint8_t bits_at(unsigned hi, unsigned lo) const {
    return static_cast<uint8_t>(get_bits(options, hi - 6, lo - 6));
  }
  constexpr Operands operands() const { return {}; }
};
constexpr auto fields_of(const PkOperation*) {
  return std::tuple{number("options", 19, 6, &PkOperation::options,
                           "arithmetic: 19 Montgomery in, 18 out, 17 F2m, 16 R2 given, 11 projective, 10 time "
                           "equalized, 9:8 output; clear: 19 A, 18 B, 17 E, 16 N; copy: 19:17 source, 12:10 "
                           "destination, 9:8 and 7:6 their quadrants"),
                    choice("fn", 5, 0, &PkOperation::fn, kPkFunctionNames)};
}

enum class ProtocolType : uint8_t { kUnidirectional = 0, kDecap = 6, kEncap = 7 };
inline constexpr std::array kProtocolTypeNames{ValueName{0, "unidir"}, ValueName{6, "decap"}, ValueName{7, "encap"}};

// PROTID of the unidirectional protocols (type 0).
namespace protid {
inline constexpr uint8_t kIkev1Prf = 0x01, kIkev2Prf = 0x02, kPublicKeyPair = 0x14, kDsaSign = 0x15, kDsaVerify = 0x16,
                         kDiffieHellman = 0x17, kRsaEncrypt = 0x18, kRsaDecrypt = 0x19, kRsaFinish = 0x1A,
                         kDkpFirst = 0x20, kDkpLast = 0x25, kDkpRifFirst = 0x60, kDkpRifLast = 0x65;
// Types 6 and 7.
inline constexpr uint8_t kIpsec = 0x01, kSrtp = 0x02, kMacsec = 0x03, kWifi = 0x04, kWimax = 0x05, kSsl30 = 0x08,
                         kTls10 = 0x09, kTls11 = 0x0A, kTls12 = 0x0B, kDtls = 0x0C, kBlob = 0x0D, kIpsecNew = 0x11,
                         k3gDcrc = 0x31, k3gRlcPdu = 0x32, k3gRlcSdu = 0x33, kLtePdcpUser = 0x42,
                         kLtePdcpControl = 0x43, kLtePdcpControlMixed = 0x44, kPdcpUserRn = 0x45;
}  // namespace protid

// Split-key length of an MDHA algorithm: inner and outer running state, bytes (hardware.md 2.3, 4.6).
constexpr uint16_t split_key_len(Alg alg) {
  switch (alg) {
    case Alg::kMd5:
      return 32;
    case Alg::kSha1:
      return 40;
    case Alg::kSha224:
    case Alg::kSha256:
      return 64;
    default:
      return 128;
  }
}

enum class DkpEnd : uint8_t { kImm = 0, kSeq = 1, kPtr = 2, kSgf = 3 };

struct ProtocolOperation {
  // TYPE 0, 6 or 7.
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0x80000000;
  static constexpr std::string_view kMnemonic = "PROTOCOL", kAbout = "Run a built-in protocol.";
  static constexpr bool kHasSeq = false;
  ProtocolType type = ProtocolType::kUnidirectional;
  uint8_t id = 0;
  uint16_t info = 0;

  // DKP for an MDHA algorithm; key_len: bytes of the HMAC key.
  static constexpr ProtocolOperation dkp(Alg alg, DkpEnd src, DkpEnd dst, unsigned key_len);
  constexpr bool is_dkp() const {
    return type == ProtocolType::kUnidirectional && ((id >= protid::kDkpFirst && id <= protid::kDkpLast) ||
                                                     (id >= protid::kDkpRifFirst && id <= protid::kDkpRifLast));
  }
  constexpr Alg dkp_alg() const { return static_cast<Alg>(0x40 | (id & 0x07)); }
  constexpr DkpEnd dkp_src() const { return static_cast<DkpEnd>(get_bits(info, 15, 14)); }
  constexpr DkpEnd dkp_dst() const { return static_cast<DkpEnd>(get_bits(info, 13, 12)); }
  constexpr uint16_t dkp_key_len() const { return static_cast<uint16_t>(get_bits(info, 11, 0)); }
  // DKP: the key or its pointer, in a space that takes the split key if that is the larger.
  constexpr unsigned dkp_words(unsigned ptr_words) const {
    const unsigned src = dkp_src() == DkpEnd::kImm   ? words_for_bytes(dkp_key_len())
                         : dkp_src() == DkpEnd::kSeq ? 0
                                                     : ptr_words;
    const unsigned dst = dkp_dst() == DkpEnd::kImm ? words_for_bytes(split_key_len(dkp_alg())) : 0;
    return src > dst ? src : dst;
  }
  constexpr Operands operands() const {
    // The pointer of DKP shares its space with the result; callers that walk a descriptor use dkp_words().
    return is_dkp() ? Operands{.imm_words = static_cast<uint16_t>(dkp_words(0))} : Operands{};
  }
};
constexpr ProtocolOperation ProtocolOperation::dkp(Alg alg, DkpEnd src, DkpEnd dst, unsigned key_len) {
  return {.id = static_cast<uint8_t>(protid::kDkpFirst | (static_cast<unsigned>(alg) & 0x0F)),
          .info = static_cast<uint16_t>(put_bits(static_cast<uint32_t>(src), 15, 14) |
                                        put_bits(static_cast<uint32_t>(dst), 13, 12) | put_bits(key_len, 11, 0))};
}
constexpr auto fields_of(const ProtocolOperation*) {
  return std::tuple{choice("type", 26, 24, &ProtocolOperation::type, kProtocolTypeNames),
                    number("protid", 23, 16, &ProtocolOperation::id),
                    number("protinfo", 15, 0, &ProtocolOperation::info)};
}

}  // namespace caamlab::desc
