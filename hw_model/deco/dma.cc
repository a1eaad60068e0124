// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See dma.h.
#include "hw_model/deco/dma.h"

#include <cstring>

namespace caamlab::hw_model {
namespace {
// A chain of extension entries that yields no data for this long is a loop.
constexpr int kMaxChain = 1024;
}  // namespace

// The burst goes to the bus as a whole, whatever its entries say. They are looked at one by one when they are needed.
DecoError Dma::fetch_burst(SgCursor& c) {
  for (size_t have = 0, len = burst_ * desc::kSgEntryBytes; have < len;) {
    const auto run = memory_.window(c.entry + have, len - have, DmaDirection::kToDevice);
    if (run.empty()) {
      fault_address_ = c.entry + have;
      return DecoError::kDma;
    }
    have += run.size();
  }
  c.fetched = static_cast<uint8_t>(burst_);
  return DecoError::kNone;
}

DecoError Dma::next_entry(SgCursor& c) {
  if (!c.table) {
    c.left = ~uint32_t{0};
    return DecoError::kNone;
  }
  for (int hops = 0; hops < kMaxChain; ++hops) {
    if (c.final) return DecoError::kSgLength;
    if (c.fetched == 0)
      if (const DecoError e = fetch_burst(c); e != DecoError::kNone) return e;
    uint8_t raw[desc::kSgEntryBytes];
    size_t have = 0;
    while (have < sizeof(raw)) {
      const auto run = memory_.window(c.entry + have, sizeof(raw) - have, DmaDirection::kToDevice);
      if (run.empty()) {
        fault_address_ = c.entry + have;
        return DecoError::kDma;
      }
      std::memcpy(raw + have, run.data(), run.size());
      have += run.size();
    }
    if (entries_left_-- == 0) {
      entries_left_ = 0;
      return DecoError::kWatchdog;
    }
    const desc::SgEntry entry = desc::load_sg_entry(raw, format_, target_);
    if (entry.ext) {
      c.entry = entry.addr;
      c.fetched = 0;
      continue;
    }
    if (entry.len == 0 || entry.addr == 0) return DecoError::kSgNullEntry;
    c.entry += desc::kSgEntryBytes;
    --c.fetched;
    c.data = entry.addr + entry.offset;
    c.left = entry.len;
    c.final = entry.final;
    return DecoError::kNone;
  }
  return DecoError::kSgLength;
}

DecoError Dma::skip(SgCursor& c, uint32_t len) {
  while (len != 0) {
    if (c.left == 0)
      if (const DecoError e = next_entry(c); e != DecoError::kNone) return e;
    const uint32_t n = len < c.left ? len : c.left;
    c.data += n;
    if (c.table) c.left -= n;
    len -= n;
  }
  return DecoError::kNone;
}

DecoError Dma::read(SgCursor& c, std::span<uint8_t> out) {
  uint8_t* to = out.data();
  return walk(c, static_cast<uint32_t>(out.size()), DmaDirection::kToDevice, [&](std::span<uint8_t> run) {
    std::memcpy(to, run.data(), run.size());
    to += run.size();
  });
}

DecoError Dma::write(SgCursor& c, desc::ByteSpan data) {
  const uint8_t* from = data.data();
  return walk(c, static_cast<uint32_t>(data.size()), DmaDirection::kFromDevice, [&](std::span<uint8_t> run) {
    std::memmove(run.data(), from, run.size());  // METADATA may copy in place
    from += run.size();
  });
}

DecoError Dma::read(BusAddr addr, bool sgf, std::span<uint8_t> out) {
  SgCursor c;
  const DecoError e = open(c, addr, sgf);
  return e != DecoError::kNone ? e : read(c, out);
}

DecoError Dma::write(BusAddr addr, bool sgf, desc::ByteSpan data) {
  SgCursor c;
  const DecoError e = open(c, addr, sgf);
  return e != DecoError::kNone ? e : write(c, data);
}

DecoError Dma::read_words(BusAddr addr, std::span<uint32_t> out) {
  if (out.empty()) return DecoError::kNone;
  const auto run = memory_.window(addr, out.size_bytes(), DmaDirection::kToDevice);
  if (run.size() == out.size_bytes()) [[likely]] {
    words_from(run, out);
    return DecoError::kNone;
  }
  if (run.empty()) {
    fault_address_ = addr;
    return DecoError::kDma;
  }
  uint8_t* raw = reinterpret_cast<uint8_t*>(out.data());
  const DecoError e = read(addr, false, {raw, out.size_bytes()});
  if (e == DecoError::kNone) words_from({raw, out.size_bytes()}, out);
  return e;
}

// From memory to numbers; the two may be the same place.
void Dma::words_from(desc::ByteSpan raw, std::span<uint32_t> out) const {
  if (raw.data() != reinterpret_cast<uint8_t*>(out.data())) std::memcpy(out.data(), raw.data(), out.size_bytes());
  if (target_.endian == desc::Endian::kBig)
    for (uint32_t& word : out) word = desc::bswap32(word);
}

unsigned Dma::read_words_upto(BusAddr addr, std::span<uint32_t> out) {
  const auto run = memory_.window(addr, out.size_bytes(), DmaDirection::kToDevice);
  if (run.empty()) return 0;
  const unsigned words = static_cast<unsigned>(run.size() / 4);
  // A word may lie across two runs.
  if (words == 0) return read_words(addr, out.first(1)) == DecoError::kNone ? 1 : 0;
  words_from(run.first(size_t{words} * 4), out.first(words));
  return words;
}

DecoError Dma::write_words(BusAddr addr, std::span<const uint32_t> words) {
  for (const uint32_t word : words) {
    uint8_t raw[4];
    desc::store32(raw, word, target_.endian);
    if (const DecoError e = write(addr, false, raw); e != DecoError::kNone) return e;
    addr += sizeof(raw);
  }
  return DecoError::kNone;
}

}  // namespace caamlab::hw_model
