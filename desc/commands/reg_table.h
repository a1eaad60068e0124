// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Destinations of LOAD and sources of STORE (hardware.md 2.4, 2.5): one row per class and code, read by the encoder's
// users, the disassembler, the documentation and the model.
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum RegAccess : uint8_t {
  kRegLoad = 1,       // LOAD may write it
  kRegStore = 2,      // STORE may read it
  kRegImmOnly = 4,    // LOAD only with immediate data
  kRegWords = 8,      // OFFSET and LENGTH count words
  kRegNoPtr = 16,     // STORE has no pointer: the place is where the descriptor came from
  kRegByteData = 32,  // byte strings, not numbers (hardware.md 0.3 rule 2)
};

// Codes that code names. The class they belong to is in the table.
enum RegCode : uint8_t {
  kRegMode = 0x00,
  kRegKeySize = 0x01,
  kRegDataSize = 0x02,
  kRegIcvSize = 0x03,
  kRegDecoCtrl2 = 0x05,
  kRegControl = 0x06,
  kRegIrqCtrlOrDpovrd = 0x07,
  kRegClrwOrMath0 = 0x08,
  kRegMath0 = 0x08,
  kRegMath1 = 0x09,
  kRegMath2 = 0x0A,
  kRegMath3 = 0x0B,
  kRegDpovrd = 0x07,
  kRegClrw = 0x08,
  kRegCcbStatus = 0x09,
  kRegChaSelect = 0x0A,
  kRegAadSize = 0x0B,
  kRegIvSize = 0x0C,
  kRegAltDataSize = 0x0F,
  kRegPkhaASize = 0x10,
  kRegPkhaBSize = 0x11,
  kRegPkhaNSize = 0x12,
  kRegPkhaESize = 0x13,
  kRegContext = 0x20,
  kRegMath0Dword = 0x30,
  kRegMath0Byte = 0x38,
  kRegKey = 0x40,
  kRegDescBuf = 0x40,
  kRegJobDesc = 0x41,
  kRegSharedDesc = 0x42,
  kRegJobDescWe = 0x45,
  kRegSharedDescWe = 0x46,
  kRegNfifoSzl = 0x70,
  kRegNfifoSzm = 0x71,
  kRegNfifoL = 0x72,
  kRegNfifoM = 0x73,
  kRegSizeSzl = 0x74,
  kRegSizeSzm = 0x75,
  kRegIfifoNibble = 0x76,
  kRegOfifoNibble = 0x77,
  kRegAltSource = 0x78,
  kRegNfifo = 0x7A,
  kRegIfifo = 0x7C,
  kRegOfifo = 0x7E,
};

struct RegRow {
  uint8_t classes;  // bit n: valid for CLASS n
  uint8_t code;
  std::string_view name;
  uint8_t access;
  uint16_t limit;  // offset + length may not exceed this (units of the row); 0: exact sizes below
  uint8_t sizes;   // bit 0: 4@0, bit 1: 4@4, bit 2: 8@0, bit 3: 1..8@0, bit 4: a MATH register number in LENGTH
  std::string_view about;
};

inline constexpr uint8_t kSize4At0 = 1, kSize4At4 = 2, kSize8At0 = 4, kSizeUpTo8 = 8, kSizeMathNumber = 16;
inline constexpr uint8_t kAnyWordSize = kSize4At0 | kSize4At4 | kSize8At0;

inline constexpr std::array kRegTable{
    RegRow{0b0110, 0x00, "mode", kRegLoad | kRegStore, 0, kSize4At0, "mode register; OPERATION writes it"},
    RegRow{0b0110, 0x01, "key_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "key size"},
    RegRow{0b0110, 0x02, "data_size", kRegLoad | kRegStore | kRegImmOnly, 0, kAnyWordSize, "data size; LOAD adds"},
    RegRow{0b0110, 0x03, "icv_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "ICV size"},
    RegRow{0b1000, 0x00, "jq_ctrl", kRegStore, 8, kAnyWordSize, "job queue control"},
    RegRow{0b1000, 0x01, "desc_addr", kRegStore, 8, kAnyWordSize, "descriptor address"},
    RegRow{0b1000, 0x02, "deco_status", kRegStore, 8, kAnyWordSize, "DECO operation status"},
    RegRow{0b1000, 0x03, "checksum", kRegLoad | kRegStore, 8, kAnyWordSize, "DECO checksum register"},
    RegRow{0b1000, 0x04, "did", kRegLoad | kRegStore | kRegImmOnly, 0, kAnyWordSize, "PID / DID status"},
    RegRow{0b1000, 0x05, "deco_ctrl2", kRegLoad | kRegImmOnly, 0, kSize4At0, "DECO control 2"},
    RegRow{0b0001, 0x06, "cha_ctrl", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "CHA control"},
    RegRow{0b1000, 0x06, "deco_ctrl", kRegLoad | kRegImmOnly, 0, 0, "DECO control: OFFSET and LENGTH are the operands"},
    RegRow{0b0001, 0x07, "irq_ctrl", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "CHA interrupt control"},
    RegRow{0b1000, 0x07, "dpovrd", kRegLoad | kRegStore, 0, kSize4At0, "protocol override"},
    RegRow{0b0001, 0x08, "clrw", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "clear written registers"},
    RegRow{0b1000, 0x08, "math0", kRegLoad | kRegStore, 32, 0, "MATH0, running on to MATH3"},
    RegRow{0b0001, 0x09, "ccb_status", kRegStore, 8, kAnyWordSize, "CCB status"},
    RegRow{0b1000, 0x09, "math1", kRegLoad | kRegStore, 24, 0, "MATH1, running on to MATH3"},
    RegRow{0b0001, 0x0A, "cha_select", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "CHA instance select"},
    RegRow{0b1000, 0x0A, "math2", kRegLoad | kRegStore, 16, 0, "MATH2, running on to MATH3"},
    RegRow{0b0110, 0x0B, "aad_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "AAD size modulo 16"},
    RegRow{0b1000, 0x0B, "math3", kRegLoad | kRegStore, 8, 0, "MATH3"},
    RegRow{0b0110, 0x0C, "iv_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "IV size modulo 16"},
    RegRow{0b0110, 0x0F, "alt_data_size", kRegLoad | kRegStore | kRegImmOnly, 0, kAnyWordSize, "alternate data size"},
    RegRow{0b0010, 0x10, "pkha_a_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "PKHA A size"},
    RegRow{0b0010, 0x11, "pkha_b_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "PKHA B size"},
    RegRow{0b0010, 0x12, "pkha_n_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "PKHA N size"},
    RegRow{0b0010, 0x13, "pkha_e_size", kRegLoad | kRegStore | kRegImmOnly, 0, kSize4At0, "PKHA E size"},
    RegRow{0b1000, 0x10, "gather", kRegStore, 64, 0, "gather table (era 7+)"},
    RegRow{0b0010, 0x20, "context", kRegLoad | kRegStore | kRegByteData, 64, 0, "class 1 context"},
    RegRow{0b0100, 0x20, "context", kRegLoad | kRegStore | kRegByteData, 72, 0, "class 2 context"},
    RegRow{0b1000, 0x20, "scatter", kRegStore, 64, 0, "scatter table (era 7+)"},
    RegRow{0b1000, 0x30, "math0_dw", kRegLoad | kRegStore, 32, 0, "MATH0, dword view"},
    RegRow{0b1000, 0x31, "math1_dw", kRegLoad | kRegStore, 24, 0, "MATH1, dword view"},
    RegRow{0b1000, 0x32, "math2_dw", kRegLoad | kRegStore, 16, 0, "MATH2, dword view"},
    RegRow{0b1000, 0x33, "math3_dw", kRegLoad | kRegStore, 8, 0, "MATH3, dword view"},
    RegRow{0b1000, 0x38, "math0_b", kRegLoad | kRegStore | kRegByteData, 32, 0, "MATH0, byte view"},
    RegRow{0b1000, 0x39, "math1_b", kRegLoad | kRegStore | kRegByteData, 24, 0, "MATH1, byte view"},
    RegRow{0b1000, 0x3A, "math2_b", kRegLoad | kRegStore | kRegByteData, 16, 0, "MATH2, byte view"},
    RegRow{0b1000, 0x3B, "math3_b", kRegLoad | kRegStore | kRegByteData, 8, 0, "MATH3, byte view"},
    RegRow{0b0010, 0x40, "key", kRegLoad | kRegByteData, 32, 0, "class 1 key"},
    RegRow{0b0100, 0x40, "key", kRegLoad | kRegByteData, 128, 0, "class 2 key"},
    RegRow{0b1000, 0x40, "descbuf", kRegLoad | kRegStore | kRegWords, 64, 0, "descriptor buffer"},
    RegRow{0b1000, 0x41, "jobdesc", kRegStore | kRegWords | kRegNoPtr, 64, 0, "job descriptor, written back"},
    RegRow{0b1000, 0x42, "shrdesc", kRegStore | kRegWords | kRegNoPtr, 64, 0, "shared descriptor, written back"},
    RegRow{0b1000, 0x45, "jobdesc_we", kRegStore | kRegWords | kRegNoPtr, 64, 0, "job descriptor, write efficient"},
    RegRow{0b1000, 0x46, "shrdesc_we", kRegStore | kRegWords | kRegNoPtr, 64, 0, "shared descriptor, write efficient"},
    RegRow{0b0001, 0x70, "nfifo_szl", kRegLoad | kRegImmOnly, 0, kSize4At0 | kSize8At0, "NFIFO entry, adds its length"},
    RegRow{0b0001, 0x71, "nfifo_szm", kRegLoad | kRegImmOnly, 0, kSizeMathNumber,
           "NFIFO entry, length from MATH, adds it"},
    RegRow{0b0001, 0x72, "nfifo_l", kRegLoad | kRegImmOnly, 0, kSize4At0 | kSize8At0, "NFIFO entry"},
    RegRow{0b0001, 0x73, "nfifo_m", kRegLoad | kRegImmOnly, 0, kSizeMathNumber, "NFIFO entry, length from MATH"},
    RegRow{0b0001, 0x74, "size_szl", kRegLoad | kRegImmOnly, 0, kSize4At0 | kSize8At0, "size only, literal"},
    RegRow{0b0001, 0x75, "size_szm", kRegLoad | kRegImmOnly, 0, kSizeMathNumber, "size only, from MATH"},
    RegRow{0b0001, 0x76, "ififo_nsr", kRegLoad | kRegImmOnly, 0, kSizeUpTo8, "IFIFO nibble shift register"},
    RegRow{0b0001, 0x77, "ofifo_nsr", kRegLoad | kRegImmOnly, 0, kSizeUpTo8, "OFIFO nibble shift register"},
    RegRow{0b0001, 0x78, "aux_fifo", kRegLoad | kRegImmOnly | kRegByteData, 0, kSizeUpTo8, "auxiliary data FIFO"},
    RegRow{0b0001, 0x7A, "nfifo", kRegLoad | kRegImmOnly, 0, kSize4At0 | kSize8At0, "NFIFO entry"},
    RegRow{0b0001, 0x7C, "ififo", kRegLoad | kRegImmOnly | kRegByteData, 0, kSizeUpTo8, "input data FIFO"},
    RegRow{0b0001, 0x7E, "ofifo", kRegLoad | kRegImmOnly | kRegByteData, 0, kSizeUpTo8, "output data FIFO"},
};

// Row of (CLASS, code), null if there is none.
constexpr const RegRow* find_reg(ClassSel cls, uint8_t code) {
  for (const RegRow& row : kRegTable)
    if (row.code == code && (row.classes >> static_cast<unsigned>(cls) & 1) != 0) return &row;
  return nullptr;
}

}  // namespace caamlab::desc
