// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See names.h. Values: hardware.md 2.11, 2.13 to 2.15.
#include "desc/text/names.h"

#include <fmt/format.h>

#include <charconv>

namespace caamlab::desc {
namespace {

constexpr std::array kAesBits{ValueName{aai::kDk, "dk", "the key register is in decryption form"},
                              ValueName{aai::kC2k, "c2k", "key of class 2 (CCM, GCM)"}};
constexpr std::array kDesModes{ValueName{aai::kCbc, "cbc"}, ValueName{aai::kEcb, "ecb"}, ValueName{aai::kCfb, "cfb"},
                               ValueName{aai::kOfb, "ofb"}};
constexpr std::array kDesBits{ValueName{aai::kDesCheckOdd, "check-odd", "parity of the key bytes"}};
constexpr std::array kMdhaModes{ValueName{aai::kHash, "hash"}, ValueName{aai::kHmac, "hmac", "raw key"},
                                ValueName{aai::kSmac, "smac", "MD5 and SHA-1 only"},
                                ValueName{aai::kHmacPrecomp, "hmac-precomp", "split key"}};
constexpr std::array kRngModes{ValueName{0, "sh0", "state handle 0"}, ValueName{1, "sh1", "state handle 1"},
                               ValueName{2, "sh2"}, ValueName{3, "sh3"}};
constexpr std::array kRngBits{ValueName{aai::kRngNzb, "nzb", "no zero bytes"},
                              ValueName{aai::kRngObp, "obp", "odd byte parity"},
                              ValueName{aai::kRngPs, "ps", "personalization string in class 1 context"},
                              ValueName{aai::kRngAi, "ai", "additional input in class 1 context"},
                              ValueName{aai::kRngSk, "sk", "secure keys: JDKEK, TDKEK, TDSK"}};
constexpr std::array kCrcModes{ValueName{aai::kCrc802, "802"}, ValueName{aai::kCrc3385, "3385"},
                               ValueName{aai::kCrcCust, "custom", "polynomial from class 2 key"}};
constexpr std::array kCrcBits{
    ValueName{aai::kCrcDis, "dis", "do not swap input"}, ValueName{aai::kCrcDos, "dos", "swap output"},
    ValueName{aai::kCrcDoc, "doc", "complement"}, ValueName{aai::kCrcIvz, "ivz", "initial value zero"}};
constexpr std::array kF8Modes{ValueName{aai::kF8, "f8"}};
constexpr std::array kF9Modes{ValueName{aai::kF9, "f9"}};
constexpr std::array kKasumiModes{ValueName{aai::kF8, "f8"}, ValueName{aai::kF9, "f9"}, ValueName{0x10, "gsm"},
                                  ValueName{0x20, "edge"}};
constexpr std::array kChaChaModes{ValueName{0, "plain"}, ValueName{aai::kChaChaKeystream, "keystream"},
                                  ValueName{aai::kAead, "aead"}};
constexpr std::array kChaChaBits{ValueName{aai::kChaChaBc8, "bc8", "64-bit counter"}};
constexpr std::array kPolyModes{ValueName{0, "plain"}, ValueName{aai::kAead, "aead"}};

constexpr std::array kUniProtocols{ValueName{protid::kIkev1Prf, "ikev1-prf"},
                                   ValueName{protid::kIkev2Prf, "ikev2-prf"},
                                   ValueName{0x06, "prf"},
                                   ValueName{0x08, "ssl30-prf"},
                                   ValueName{0x09, "tls10-prf"},
                                   ValueName{0x0A, "tls11-prf"},
                                   ValueName{0x0B, "tls12-prf"},
                                   ValueName{0x0C, "dtls-prf"},
                                   ValueName{0x11, "secretkey"},
                                   ValueName{protid::kPublicKeyPair, "publickeypair"},
                                   ValueName{protid::kDsaSign, "dsa-sign"},
                                   ValueName{protid::kDsaVerify, "dsa-verify"},
                                   ValueName{protid::kDiffieHellman, "dh"},
                                   ValueName{protid::kRsaEncrypt, "rsa-encrypt"},
                                   ValueName{protid::kRsaDecrypt, "rsa-decrypt"},
                                   ValueName{protid::kRsaFinish, "rsa-finish"},
                                   ValueName{protid::kDkpFirst, "dkp-md5"},
                                   ValueName{protid::kDkpFirst + 1, "dkp-sha1"},
                                   ValueName{protid::kDkpFirst + 2, "dkp-sha224"},
                                   ValueName{protid::kDkpFirst + 3, "dkp-sha256"},
                                   ValueName{protid::kDkpFirst + 4, "dkp-sha384"},
                                   ValueName{protid::kDkpLast, "dkp-sha512"},
                                   ValueName{protid::kDkpRifFirst, "dkp-rif-md5"},
                                   ValueName{protid::kDkpRifFirst + 1, "dkp-rif-sha1"},
                                   ValueName{0x62, "dkp-rif-sha224"},
                                   ValueName{0x63, "dkp-rif-sha256"},
                                   ValueName{0x64, "dkp-rif-sha384"},
                                   ValueName{protid::kDkpRifLast, "dkp-rif-sha512"}};
constexpr std::array kPacketProtocols{ValueName{protid::kIpsec, "ipsec"},
                                      ValueName{protid::kSrtp, "srtp"},
                                      ValueName{protid::kMacsec, "macsec"},
                                      ValueName{protid::kWifi, "wifi"},
                                      ValueName{protid::kWimax, "wimax"},
                                      ValueName{protid::kSsl30, "ssl30"},
                                      ValueName{protid::kTls10, "tls10"},
                                      ValueName{protid::kTls11, "tls11"},
                                      ValueName{protid::kTls12, "tls12"},
                                      ValueName{protid::kDtls, "dtls"},
                                      ValueName{protid::kBlob, "blob"},
                                      ValueName{protid::kIpsecNew, "ipsec-new"},
                                      ValueName{protid::kPublicKeyPair, "mp-key"},
                                      ValueName{protid::kDsaSign, "mp-sign"},
                                      ValueName{protid::k3gDcrc, "3g-dcrc"},
                                      ValueName{protid::k3gRlcPdu, "3g-rlc-pdu"},
                                      ValueName{protid::k3gRlcSdu, "3g-rlc-sdu"},
                                      ValueName{protid::kLtePdcpUser, "pdcp-user"},
                                      ValueName{protid::kLtePdcpControl, "pdcp-ctrl"},
                                      ValueName{protid::kLtePdcpControlMixed, "pdcp-ctrl-mixed"},
                                      ValueName{protid::kPdcpUserRn, "pdcp-user-rn"}};

constexpr std::array kDkpEndNames{ValueName{0, "imm"}, ValueName{1, "seq"}, ValueName{2, "ptr"}, ValueName{3, "sgf"}};
constexpr std::array kBlobFormats{ValueName{0, "normal"}, ValueName{2, "verify"}, ValueName{3, "test"}};
constexpr std::array kBlobKeyRegs{ValueName{0, "memory"}, ValueName{1, "key1"},  ValueName{3, "key2"},
                                  ValueName{5, "sbox"},   ValueName{7, "split"}, ValueName{9, "pkha-e"}};
constexpr std::array kBlobBits{ValueName{1u << 9, "tkek"}, ValueName{1u << 8, "ekt"}, ValueName{1u << 3, "secmem"},
                               ValueName{1u << 2, "black"}};

constexpr std::array kPkClearBits{ValueName{1u << 19, "a"}, ValueName{1u << 18, "b"}, ValueName{1u << 17, "e"},
                                  ValueName{1u << 16, "n"}};
constexpr std::array kPkArithmeticBits{ValueName{1u << 19, "mont-in"},    ValueName{1u << 18, "mont-out"},
                                       ValueName{1u << 17, "f2m"},        ValueName{1u << 16, "r2"},
                                       ValueName{1u << 11, "projective"}, ValueName{1u << 10, "teq"},
                                       ValueName{1u << 8, "out-a"}};
constexpr std::array kPkCopyRegs{ValueName{0, "a"}, ValueName{1, "b"}, ValueName{2, "e"}, ValueName{3, "n"}};

void join(std::string& text, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += '+';
  text += part;
}

std::string name_or_number(ValueNames names, uint32_t value) {
  const auto name = value_name(names, value);
  return name.empty() ? fmt::format("{:#x}", value) : std::string(name);
}

std::optional<uint32_t> value_of(ValueNames names, std::string_view text) {
  for (const ValueName& v : names)
    if (v.name == text) return v.value;
  uint32_t value = 0;
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}
// The text up to `separator`, taken off with it.
std::string_view take_until(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + separator.size());
  return part;
}
std::optional<uint32_t> bits_of(ValueNames names, std::string_view text) {
  uint32_t bits = 0;
  while (!text.empty()) {
    const auto bit = value_of(names, take_until(text, "+"));
    if (!bit) return std::nullopt;
    bits |= *bit;
  }
  return bits;
}

}  // namespace

std::string bits_text(ValueNames names, uint32_t value) {
  std::string text;
  for (const ValueName& bit : names) {
    if ((value & bit.value) == 0) continue;
    join(text, bit.name);
    value &= ~bit.value;
  }
  if (value != 0) join(text, fmt::format("{:#x}", value));
  return text;
}

AaiNames aai_names(Alg alg) {
  switch (alg) {
    case Alg::kAes:
      return {kAesModeNames, kAesBits, 0xFF};
    case Alg::kDes:
    case Alg::k3Des:
      return {kDesModes, kDesBits, 0x7F};
    case Alg::kMd5:
    case Alg::kSha1:
    case Alg::kSha224:
    case Alg::kSha256:
    case Alg::kSha384:
    case Alg::kSha512:
    case Alg::kSha512_224:
    case Alg::kSha512_256:
      return {kMdhaModes, {}, 0x3FF};
    case Alg::kRng:
      return {kRngModes, kRngBits, 0x03};
    case Alg::kCrc:
      return {kCrcModes, kCrcBits, 0x0F};
    case Alg::kSnowF8:
    case Alg::kZucE:
      return {kF8Modes, {}, 0x3FF};
    case Alg::kSnowF9:
    case Alg::kZucA:
      return {kF9Modes, {}, 0x3FF};
    case Alg::kKasumi:
      return {kKasumiModes, {}, 0x3FF};
    case Alg::kChaCha20:
      return {kChaChaModes, kChaChaBits, 0x03};
    case Alg::kPoly1305:
      return {kPolyModes, {}, 0x3FF};
    case Alg::kArc4:
      break;
  }
  return {{}, {}, 0x3FF};
}

std::string aai_text(Alg alg, uint16_t aai) {
  const AaiNames names = aai_names(alg);
  const uint32_t mode = aai & names.mode_mask;
  const uint32_t bits = aai & ~names.mode_mask;
  std::string text;
  if (alg == Alg::kAes && mode >= 1 && mode <= 0x0F)
    text = fmt::format("ctr{}", mode * 8);  // only so many bits count
  else if (names.modes.empty() && mode == 0)
    text = "none";
  else
    text = name_or_number(names.modes, mode);
  join(text, bits_text(names.bits, bits));
  return text;
}

std::string fifo_load_type_text(uint8_t type) {
  const FifoLoad command{.type = type};
  std::string text = name_or_number(kFifoLoadTypeNames, static_cast<uint32_t>(command.data_type()));
  static constexpr std::array kActions{ValueName{kFifoLoadLast2, "last2"}, ValueName{kFifoLoadLast1, "last1"},
                                       ValueName{kFifoLoadFlush1, "flush1"}};
  join(text, bits_text(kActions, command.actions()));
  return text;
}

std::string condition_text(bool jsl, uint8_t conditions) {
  return jsl ? bits_text(kCondJslNames, conditions) : bits_text(kCondMathNames, conditions);
}

ValueNames protocol_names(ProtocolType type) {
  if (type == ProtocolType::kUnidirectional) return kUniProtocols;
  return kPacketProtocols;
}

std::string protocol_text(ProtocolType type, uint8_t id) { return name_or_number(protocol_names(type), id); }

std::string protocol_info_text(const ProtocolOperation& op) {
  if (op.is_dkp())
    return fmt::format("{}->{},keylen={}", value_name(kDkpEndNames, static_cast<uint32_t>(op.dkp_src())),
                       value_name(kDkpEndNames, static_cast<uint32_t>(op.dkp_dst())), op.dkp_key_len());
  if (op.type != ProtocolType::kUnidirectional && op.id == protid::kBlob) {
    std::string text = name_or_number(kBlobFormats, get_bits(op.info, 1, 0));
    join(text, name_or_number(kBlobKeyRegs, get_bits(op.info, 7, 4)));
    join(text, bits_text(kBlobBits, op.info & ~(bit_mask(1, 0) | bit_mask(7, 4))));
    return text;
  }
  if (op.type == ProtocolType::kUnidirectional && op.id == protid::kRsaDecrypt && op.info <= 2)
    return fmt::format("form{}", op.info + 1);
  return fmt::format("{:#x}", op.info);
}

std::string pk_options_text(const PkOperation& op) {
  const uint32_t bits = put_bits(op.options, 19, 6);
  switch (op.fn) {
    case PkFunction::kClear:
      return bits_text(kPkClearBits, bits);
    case PkFunction::kCopyNsize:
    case PkFunction::kCopySsize:
      return fmt::format("{}.{}->{}.{}", name_or_number(kPkCopyRegs, op.bits_at(19, 17)), op.bits_at(9, 8),
                         name_or_number(kPkCopyRegs, op.bits_at(12, 10)), op.bits_at(7, 6));
    default:
      return bits_text(kPkArithmeticBits, bits);
  }
}

std::optional<uint32_t> protocol_info_of(const ProtocolOperation& op, std::string_view text) {
  if (op.is_dkp()) {
    if (const auto number = value_of({}, text)) return number;
    const auto src = value_of(kDkpEndNames, take_until(text, "->"));
    const auto dst = value_of(kDkpEndNames, take_until(text, ","));
    take_until(text, "keylen=");
    const auto len = value_of({}, text);
    if (!src || !dst || !len || *src > 3 || *dst > 3 || *len > 0xFFF) return std::nullopt;
    return put_bits(*src, 15, 14) | put_bits(*dst, 13, 12) | *len;
  }
  if (op.type != ProtocolType::kUnidirectional && op.id == protid::kBlob) {
    if (text.find('+') == std::string_view::npos) return value_of({}, text);
    const auto format = value_of(kBlobFormats, take_until(text, "+"));
    const auto reg = value_of(kBlobKeyRegs, take_until(text, "+"));
    const auto bits = bits_of(kBlobBits, text);
    if (!format || !reg || !bits || *format > 3 || *reg > 0xF) return std::nullopt;
    return *format | put_bits(*reg, 7, 4) | *bits;
  }
  if (text.starts_with("form")) {
    const auto form = value_of({}, text.substr(4));
    return form && *form >= 1 && *form <= 3 ? std::optional(*form - 1) : std::nullopt;
  }
  return value_of({}, text);
}

std::optional<uint32_t> pk_options_of(PkFunction fn, std::string_view text) {
  // The names stand for bits of the command word.
  const auto to_options = [](std::optional<uint32_t> bits) -> std::optional<uint32_t> {
    if (!bits || (*bits & ~bit_mask(19, 6)) != 0) return std::nullopt;
    return *bits >> 6;
  };
  if (fn == PkFunction::kClear) return to_options(bits_of(kPkClearBits, text));
  if (fn != PkFunction::kCopyNsize && fn != PkFunction::kCopySsize) return to_options(bits_of(kPkArithmeticBits, text));
  const auto src = value_of(kPkCopyRegs, take_until(text, "."));
  const auto src_quadrant = value_of({}, take_until(text, "->"));
  const auto dst = value_of(kPkCopyRegs, take_until(text, "."));
  const auto dst_quadrant = value_of({}, text);
  if (!src || !src_quadrant || !dst || !dst_quadrant) return std::nullopt;
  if (*src > 7 || *dst > 7 || *src_quadrant > 3 || *dst_quadrant > 3) return std::nullopt;
  return to_options(put_bits(*src, 19, 17) | put_bits(*dst, 12, 10) | put_bits(*src_quadrant, 9, 8) |
                    put_bits(*dst_quadrant, 7, 6));
}

}  // namespace caamlab::desc
