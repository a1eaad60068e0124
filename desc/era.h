// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which SEC Era brought what, as far as a command word shows it (hardware.md 1.4, after caamflib's and flib's
// assemblers). Used for warnings; the DECO itself does not look at it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace caamlab::desc {

inline constexpr int kMinEra = 1, kMaxEra = 10;

// Command words with (word & mask) == match exist from `era` on.
struct EraRow {
  uint32_t mask, match;
  int era;
  std::string_view what;
};

inline constexpr std::array kEraTable{
    EraRow{0xF0200000, 0x00200000, 2, "KEY nwb"},
    EraRow{0xF0500000, 0x00500000, 2, "KEY ekt"},
    EraRow{0xF0408000, 0x00408000, 2, "KEY tk"},
    EraRow{0xF0004000, 0x00004000, 7, "KEY pts"},
    EraRow{0xF9000000, 0x09000000, 6, "SEQ KEY vlf"},
    EraRow{0xF8800000, 0x08800000, 6, "SEQ KEY aidf"},
    EraRow{0xFE7F0000, 0x16400000, 2, "LOAD descbuf"},
    EraRow{0xFE7F0000, 0x56410000, 2, "STORE jobdesc"},
    EraRow{0xFE7F0000, 0x56420000, 2, "STORE shrdesc"},
    EraRow{0xFE7F0000, 0x56450000, 3, "STORE jobdesc_we"},
    EraRow{0xFE7F0000, 0x56460000, 3, "STORE shrdesc_we"},
    EraRow{0xF67F0000, 0x56100000, 7, "STORE gather"},
    EraRow{0xF67F0000, 0x56200000, 7, "STORE scatter"},
    EraRow{0xFE7E0000, 0x10760000, 3, "LOAD of a nibble shift register"},
    EraRow{0xFE7F0000, 0x10780000, 3, "LOAD aux_fifo"},
    EraRow{0xFE7C0000, 0x10700000, 4, "LOAD nfifo_szl, nfifo_szm, nfifo_l, nfifo_m"},
    EraRow{0xF03F0000, 0x60310000, 8, "FIFO STORE with checksum"},
    EraRow{0xF03F0000, 0x603E0000, 5, "FIFO STORE metadata"},
    EraRow{0xF8000000, 0x38000000, 7, "MOVEB"},
    EraRow{0xF8000000, 0x30000000, 7, "MOVEDW"},
    EraRow{0xF80000C0, 0x70000040, 7, "MOVE_LEN size"},
    EraRow{0xF80000C0, 0x70000080, 7, "MOVE_LEN size"},
    EraRow{0xF80000C0, 0x700000C0, 7, "MOVE_LEN size"},
    EraRow{0xF80F0000, 0x780F0000, 4, "MOVE to the auxiliary FIFO"},
    EraRow{0xF80F0000, 0xA8070000, 3, "MATH on DPOVRD"},
    EraRow{0xF800F000, 0xA8007000, 3, "MATH on DPOVRD"},
    EraRow{0xF8000F00, 0xA8000700, 3, "MATH to DPOVRD"},
    EraRow{0xF80F0000, 0xA80F0000, 3, "MATH one as src0"},
    EraRow{0xF8000000, 0xE8000000, 6, "MATHI"},
    EraRow{0xF8000001, 0xE8000001, 7, "MATHI swap"},
    EraRow{0xFA000000, 0xB2000000, 2, "JOB HDR rsls"},
    EraRow{0xF8002000, 0xB8002000, 2, "SHR HDR cif"},
    EraRow{0xFA000000, 0xBA000000, 4, "SHR HDR rif"},
    EraRow{0xF8100000, 0xF0100000, 2, "SEQ IN PTR rjd"},
    EraRow{0xF8080000, 0xF0080000, 5, "SEQ IN PTR sop"},
    EraRow{0xF8200000, 0xF8200000, 2, "SEQ OUT PTR rto"},
    EraRow{0xF8100000, 0xF8100000, 5, "SEQ OUT PTR rst"},
    EraRow{0xF8080000, 0xF8080000, 5, "SEQ OUT PTR ews"},
    EraRow{0xFFF80000, 0x80200000, 6, "derived key protocol"},
    EraRow{0xFFF80000, 0x80600000, 6, "derived key protocol"},
    EraRow{0xFEFF0000, 0x86110000, 8, "IPsec new mode"},
    EraRow{0xF9FF0000, 0x80B00000, 5, "ZUC encryption"},
    EraRow{0xF9FF0000, 0x80C00000, 5, "ZUC authentication"},
    EraRow{0xFFFF0000, 0x82D00000, 10, "ChaCha20"},
    EraRow{0xFFFF0000, 0x84E00000, 10, "Poly1305"},
};

// Calls fn(const EraRow&) for each feature of `word` that `era` does not have.
template <class Fn>
constexpr void for_each_newer_feature(uint32_t word, int era, Fn&& fn) {
  for (const EraRow& row : kEraTable)
    if ((word & row.mask) == row.match && era < row.era) fn(row);
}

}  // namespace caamlab::desc
