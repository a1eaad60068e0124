// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Scatter/gather table entries, 16 bytes, in the two formats a SEC reads (hardware.md 7): its own, and the QBMan one
// that parts with DPAA2 use for job rings too. Layout only; walking a table is the model's, filling one the driver's.
#pragma once

#include "desc/bits.h"

namespace caamlab::desc {

// CTPR_MS[13]: DPAA2 parts read QBMan entries.
enum class SgFormat : uint8_t { kSec4, kDpaa2 };

inline constexpr unsigned kSgEntryBytes = 16;
// The SEC fetches four entries at a time; tables are allocated in such groups (kernel: pad_sg_nents).
inline constexpr unsigned kSgFetchEntries = 4;
constexpr unsigned pad_sg_entries(unsigned entries) {
  return (entries + kSgFetchEntries - 1) / kSgFetchEntries * kSgFetchEntries;
}

struct SgEntry {
  uint64_t addr = 0;       // of the data, or with `ext` of a further table
  uint32_t len = 0;        // bytes; 30 bits in the SEC format, 17 in a QBMan entry with short lengths
  uint16_t offset = 0;     // data begins at addr + offset; 13 bits, QBMan 12
  uint16_t bpid = 0;       // buffer pool; 8 bits, QBMan 14
  bool ext = false;        // E: addr points to a table
  bool final = false;      // F: last entry
  bool short_len = false;  // QBMan only: only 16:0 of the length count
  friend constexpr bool operator==(const SgEntry&, const SgEntry&) = default;
};

inline constexpr unsigned kSgExtBit = 31, kSgFinalBit = 30;  // of the length word (kernel: SEC4_SG_LEN_EXT, _FIN)

// The third and fourth word of a SEC entry.
constexpr uint32_t sg_length_word(const SgEntry& e) {
  return put_bits(e.ext, kSgExtBit, kSgExtBit) | put_bits(e.final, kSgFinalBit, kSgFinalBit) | put_bits(e.len, 29, 0);
}
constexpr uint32_t sg_offset_word(const SgEntry& e) { return put_bits(e.bpid, 23, 16) | put_bits(e.offset, 12, 0); }
constexpr void set_sg_length_word(SgEntry& e, uint32_t word) {
  e.ext = get_bits(word, kSgExtBit, kSgExtBit) != 0;
  e.final = get_bits(word, kSgFinalBit, kSgFinalBit) != 0;
  e.len = get_bits(word, 29, 0);
}
constexpr void set_sg_offset_word(SgEntry& e, uint32_t word) {
  e.bpid = static_cast<uint16_t>(get_bits(word, 23, 16));
  e.offset = static_cast<uint16_t>(get_bits(word, 12, 0));
}

namespace detail {
// Addresses of entries have two words whatever the pointer size; their order is that of two-word pointers.
inline Target two_word_target(const Target& t) { return {.ptr_bytes = 8, .endian = t.endian, .imx = t.imx}; }

inline void store_sec4_sg(uint8_t* out, const SgEntry& e, const Target& t) {
  uint32_t addr[2];
  pointer_to_words(addr, e.addr, two_word_target(t));
  store32(out, addr[0], t.endian);
  store32(out + 4, addr[1], t.endian);
  store32(out + 8, sg_length_word(e), t.endian);
  store32(out + 12, sg_offset_word(e), t.endian);
}
inline SgEntry load_sec4_sg(const uint8_t* in, const Target& t) {
  const uint32_t addr[2] = {load32(in, t.endian), load32(in + 4, t.endian)};
  SgEntry e{.addr = pointer_from_words(addr, two_word_target(t))};
  set_sg_length_word(e, load32(in + 8, t.endian));
  set_sg_offset_word(e, load32(in + 12, t.endian));
  return e;
}

// QBMan: always little endian. Last word: 31 final, 30 short, 29:28 format (0 single, 2 extension), 27:16 offset,
// 13:0 bpid.
inline constexpr uint32_t kQmFormatSingle = 0, kQmFormatExtension = 2;
inline void store_dpaa2_sg(uint8_t* out, const SgEntry& e) {
  store32(out, static_cast<uint32_t>(e.addr), Endian::kLittle);
  store32(out + 4, static_cast<uint32_t>(e.addr >> 32), Endian::kLittle);
  store32(out + 8, e.len, Endian::kLittle);
  store32(out + 12,
          put_bits(e.final, 31, 31) | put_bits(e.short_len, 30, 30) |
              put_bits(e.ext ? kQmFormatExtension : kQmFormatSingle, 29, 28) | put_bits(e.offset, 27, 16) |
              put_bits(e.bpid, 13, 0),
          Endian::kLittle);
}
inline SgEntry load_dpaa2_sg(const uint8_t* in) {
  const uint32_t low = load32(in, Endian::kLittle), high = load32(in + 4, Endian::kLittle);
  const uint32_t ctrl = load32(in + 12, Endian::kLittle);
  SgEntry e{.addr = uint64_t{high} << 32 | low};
  e.short_len = get_bits(ctrl, 30, 30) != 0;
  e.len = load32(in + 8, Endian::kLittle) & (e.short_len ? bit_mask(16, 0) : bit_mask(31, 0));
  e.offset = static_cast<uint16_t>(get_bits(ctrl, 27, 16));
  e.bpid = static_cast<uint16_t>(get_bits(ctrl, 13, 0));
  e.ext = get_bits(ctrl, 29, 28) == kQmFormatExtension;
  e.final = get_bits(ctrl, 31, 31) != 0;
  return e;
}
}  // namespace detail

// 16 bytes at `out` / `in`. Values too wide for their field are cut.
inline void store_sg_entry(uint8_t* out, const SgEntry& e, SgFormat format, const Target& t) {
  if (format == SgFormat::kSec4)
    detail::store_sec4_sg(out, e, t);
  else
    detail::store_dpaa2_sg(out, e);
}
inline SgEntry load_sg_entry(const uint8_t* in, SgFormat format, const Target& t) {
  return format == SgFormat::kSec4 ? detail::load_sec4_sg(in, t) : detail::load_dpaa2_sg(in);
}

}  // namespace caamlab::desc
