// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// FIFO STORE and SEQ FIFO STORE (hardware.md 2.7).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum class FifoStoreType : uint8_t {
  kPkhaA0 = 0x00,
  kPkhaA1,
  kPkhaA2,
  kPkhaA3,
  kPkhaB0,
  kPkhaB1,
  kPkhaB2,
  kPkhaB3,
  kPkhaN = 0x08,
  kPkhaA = 0x0C,
  kPkhaB = 0x0D,
  kSboxCcmJdkek = 0x10,
  kSboxCcmTdkek,
  kPkhaECcmJdkek,
  kPkhaECcmTdkek,
  kKeyCcmJdkek,
  kKeyCcmTdkek,
  kSplitCcmJdkek,
  kSplitCcmTdkek,
  kSboxEcbJdkek = 0x20,
  kSboxEcbTdkek,
  kPkhaEEcbJdkek,
  kPkhaEEcbTdkek,
  kKeyEcbJdkek,
  kKeyEcbTdkek,
  kSplitEcbJdkek,
  kSplitEcbTdkek,
  kMsgJdkek = 0x28,
  kMsgTdkek = 0x29,
  kMsg = 0x30,
  kMsgChecksum = 0x31,
  kRng = 0x34,
  kRngOfifo = 0x35,
  kMetadata = 0x3E,
  kSkip = 0x3F,
};

inline constexpr std::array kFifoStoreTypeNames{ValueName{0x00, "pkha-a0"},
                                                ValueName{0x01, "pkha-a1"},
                                                ValueName{0x02, "pkha-a2"},
                                                ValueName{0x03, "pkha-a3"},
                                                ValueName{0x04, "pkha-b0"},
                                                ValueName{0x05, "pkha-b1"},
                                                ValueName{0x06, "pkha-b2"},
                                                ValueName{0x07, "pkha-b3"},
                                                ValueName{0x08, "pkha-n"},
                                                ValueName{0x0C, "pkha-a"},
                                                ValueName{0x0D, "pkha-b"},
                                                ValueName{0x10, "sbox-ccm-jdkek"},
                                                ValueName{0x11, "sbox-ccm-tdkek"},
                                                ValueName{0x12, "pkha-e-ccm-jdkek"},
                                                ValueName{0x13, "pkha-e-ccm-tdkek"},
                                                ValueName{0x14, "key-ccm-jdkek"},
                                                ValueName{0x15, "key-ccm-tdkek"},
                                                ValueName{0x16, "split-ccm-jdkek"},
                                                ValueName{0x17, "split-ccm-tdkek"},
                                                ValueName{0x20, "sbox-ecb-jdkek"},
                                                ValueName{0x21, "sbox-ecb-tdkek"},
                                                ValueName{0x22, "pkha-e-ecb-jdkek"},
                                                ValueName{0x23, "pkha-e-ecb-tdkek"},
                                                ValueName{0x24, "key-ecb-jdkek"},
                                                ValueName{0x25, "key-ecb-tdkek"},
                                                ValueName{0x26, "split-ecb-jdkek"},
                                                ValueName{0x27, "split-ecb-tdkek"},
                                                ValueName{0x28, "msg-jdkek"},
                                                ValueName{0x29, "msg-tdkek"},
                                                ValueName{0x30, "msg"},
                                                ValueName{0x31, "msg-checksum", "era 8+"},
                                                ValueName{0x34, "rng"},
                                                ValueName{0x35, "rng-ofifo", "random data to OFIFO"},
                                                ValueName{0x3E, "metadata", "SEQ only"},
                                                ValueName{0x3F, "skip"}};

struct FifoStore {
  static constexpr uint32_t kMask = 0xF0000000, kMatch = 0x60000000;
  static constexpr std::string_view kMnemonic = "FIFO STORE", kAbout = "Store output data, keys or PKHA memory.";
  static constexpr bool kHasSeq = true;
  bool seq = false;
  ClassSel cls = ClassSel::kNone;  // of METADATA an auxiliary selector
  bool sgf_vlf = false;
  bool cont = false;
  bool ext = false;
  FifoStoreType type = FifoStoreType::kPkhaA0;
  uint16_t len = 0;

  constexpr bool has_data() const { return type != FifoStoreType::kRngOfifo && type != FifoStoreType::kSkip; }
  constexpr Operands operands() const {
    const uint8_t ext_words = ext ? 1 : 0;
    if (seq || !has_data()) return {.ext_words = ext_words};
    return {.pointers = 1, .ext_words = ext_words};
  }
};
constexpr auto fields_of(const FifoStore*) {
  return std::tuple{flag("seq", 27, &FifoStore::seq, "data goes to the output sequence"),
                    choice("class", 26, 25, &FifoStore::cls, kClassNames, "key to store; METADATA: auxiliary selector"),
                    flag("sgf_vlf", 24, &FifoStore::sgf_vlf, "S/G table; SEQ: length is VSOL"),
                    flag("cont", 23, &FifoStore::cont, "more of the same OFIFO dword follows"),
                    flag("ext", 22, &FifoStore::ext, "32-bit length word follows"),
                    choice("type", 21, 16, &FifoStore::type, kFifoStoreTypeNames),
                    number("len", 15, 0, &FifoStore::len, "bytes")};
}

}  // namespace caamlab::desc
