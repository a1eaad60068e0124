// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// KEY and SEQ KEY (hardware.md 2.3).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum class KeyDest : uint8_t { kClassReg = 0, kPkhaE = 1, kAfhaSbox = 2, kMdhaSplit = 3 };
inline constexpr std::array kKeyDestNames{
    ValueName{0, "key", "class key register"}, ValueName{1, "pkha-e", "PKHA E memory, class 1"},
    ValueName{2, "afha-sbox", "ARC4 S-box, class 1"}, ValueName{3, "mdha-split", "MDHA split key, class 2"}};

struct Key {
  static constexpr uint32_t kMask = 0xF0000000, kMatch = 0x00000000;
  static constexpr std::string_view kMnemonic = "KEY", kAbout = "Load a key into a class key register or PKHA E.";
  static constexpr bool kHasSeq = true;
  bool seq = false;
  ClassSel cls = ClassSel::kNone;
  bool sgf_vlf = false;
  bool imm_aidf = false;
  bool enc = false;
  bool nwb = false;
  bool ekt = false;
  KeyDest dest = KeyDest::kClassReg;
  bool tk = false;
  bool pts = false;
  uint16_t len = 0;  // bytes after decryption

  // Bytes that lie in memory or in the descriptor: a black key is longer than the key.
  constexpr uint32_t source_len() const {
    if (!enc) return len;
    return ekt ? (len + 7u) / 8 * 8 + 12 : (len + 15u) / 16 * 16;
  }
  constexpr Operands operands() const {
    if (seq) return {};
    if (!imm_aidf) return {.pointers = 1};
    return {.imm_words = static_cast<uint16_t>(words_for_bytes(source_len()))};
  }
};
constexpr auto fields_of(const Key*) {
  return std::tuple{
      flag("seq", 27, &Key::seq, "the key comes from the input sequence"),
      choice("class", 26, 25, &Key::cls, kClassNames),
      flag("sgf_vlf", 24, &Key::sgf_vlf, "KEY: pointer to an S/G table; SEQ KEY: length is VSIL (era 6+)"),
      flag("imm_aidf", 23, &Key::imm_aidf, "KEY: key follows; SEQ KEY: key is in the IFIFO (era 6+)"),
      flag("enc", 22, &Key::enc, "black key"),
      flag("nwb", 21, &Key::nwb, "no write back: FIFO STORE of this key is refused"),
      flag("ekt", 20, &Key::ekt, "black key format: 0 AES-ECB, 1 AES-CCM"),
      choice("kdest", 17, 16, &Key::dest, kKeyDestNames),
      flag("tk", 15, &Key::tk, "decrypt under TDKEK instead of JDKEK"),
      flag("pts", 14, &Key::pts, "plaintext store allowed (era 7+)"),
      number("len", 9, 0, &Key::len, "bytes after decryption")};
}

}  // namespace caamlab::desc
