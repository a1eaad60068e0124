// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Bit ranges of a word and the byte orders of a platform (hardware.md 0.3). The only place where words are shifted.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace caamlab::desc {

static_assert(std::endian::native == std::endian::little, "byte-order helpers assume a little-endian host");

enum class Endian : uint8_t { kBig, kLittle };

using ByteSpan = std::span<const uint8_t>;

// Always inline: GCC leaves them as calls in large functions, of which constructors of descriptors are some.
[[gnu::always_inline]] constexpr uint32_t bit_mask(unsigned hi, unsigned lo) {
  return (hi - lo == 31 ? 0xFFFFFFFFu : ((1u << (hi - lo + 1)) - 1)) << lo;
}
[[gnu::always_inline]] constexpr uint32_t get_bits(uint32_t word, unsigned hi, unsigned lo) {
  return (word & bit_mask(hi, lo)) >> lo;
}
[[gnu::always_inline]] constexpr uint32_t put_bits(uint32_t value, unsigned hi, unsigned lo) {
  return (value << lo) & bit_mask(hi, lo);
}

constexpr uint32_t bswap32(uint32_t v) { return __builtin_bswap32(v); }
constexpr uint64_t bswap64(uint64_t v) { return __builtin_bswap64(v); }

// A 32-bit number as it lies in memory in byte order `e`.
inline uint32_t load32(const uint8_t* p, Endian e) {
  uint32_t v;
  std::memcpy(&v, p, sizeof(v));
  return e == Endian::kLittle ? v : bswap32(v);
}
inline void store32(uint8_t* p, uint32_t v, Endian e) {
  if (e == Endian::kBig) v = bswap32(v);
  std::memcpy(p, &v, sizeof(v));
}
inline uint64_t load_be64(const uint8_t* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof(v));
  return bswap64(v);
}
inline void store_be64(uint8_t* p, uint64_t v) {
  v = bswap64(v);
  std::memcpy(p, &v, sizeof(v));
}
inline uint32_t load_be32(const uint8_t* p) { return load32(p, Endian::kBig); }
inline void store_be32(uint8_t* p, uint32_t v) { store32(p, v, Endian::kBig); }

constexpr uint32_t words_for_bytes(uint32_t len_bytes) { return (len_bytes + 3) / 4; }

// What a descriptor is built for and how it lies in memory. A property of the platform, never global.
struct Target {
  uint8_t ptr_bytes = 8;            // 4 or 8: MCFGR[PS], the kernel's caam_ptr_sz
  Endian endian = Endian::kLittle;  // caam_little_end
  bool imx = false;                 // caam_imx: little endian, but the high word of a pointer comes first
  constexpr unsigned ptr_words() const { return ptr_bytes / 4; }
  constexpr bool ptr_low_word_first() const { return endian == Endian::kLittle && !imx; }
  friend constexpr bool operator==(const Target&, const Target&) = default;
};

// A pointer as one or two logical words, and back.
inline void pointer_to_words(uint32_t* out, uint64_t addr, const Target& t) {
  if (t.ptr_words() == 1) {
    out[0] = static_cast<uint32_t>(addr);
    return;
  }
  const unsigned low = t.ptr_low_word_first() ? 0 : 1;
  out[low] = static_cast<uint32_t>(addr);
  out[1 - low] = static_cast<uint32_t>(addr >> 32);
}
inline uint64_t pointer_from_words(const uint32_t* in, const Target& t) {
  if (t.ptr_words() == 1) return in[0];
  const unsigned low = t.ptr_low_word_first() ? 0 : 1;
  return uint64_t{in[1 - low]} << 32 | in[low];
}

// Byte strings inside a descriptor lie in memory as they are; as logical words they depend on the byte order.
// The last word is padded with zeros.
inline void bytes_to_words(uint32_t* out, ByteSpan in, Endian e) {
  if (e == Endian::kLittle) {
    if (in.size() % 4 != 0) out[in.size() / 4] = 0;
    if (!in.empty()) std::memcpy(out, in.data(), in.size());
    return;
  }
  for (size_t i = 0; i < in.size(); i += 4) {
    uint8_t raw[4] = {};
    std::memcpy(raw, in.data() + i, in.size() - i < 4 ? in.size() - i : 4);
    out[i / 4] = load32(raw, e);
  }
}
inline void words_to_bytes(uint8_t* out, size_t len, const uint32_t* in, Endian e) {
  if (e == Endian::kLittle) {
    if (len != 0) std::memcpy(out, in, len);
    return;
  }
  for (size_t i = 0; i < len; i += 4) {
    uint8_t raw[4];
    store32(raw, in[i / 4], e);
    std::memcpy(out + i, raw, len - i < 4 ? len - i : 4);
  }
}

}  // namespace caamlab::desc
