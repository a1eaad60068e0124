// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// How a DECO reaches memory (hardware.md 2.8, 7): plain pointers, scatter/gather tables, sequences. Data is never
// copied here; a walk yields the runs of addressable memory that make up a piece of data.
#pragma once

#include "desc/jr_status.h"
#include "desc/sec4_sg.h"
#include "hw_model/bus.h"

namespace caamlab::hw_model {

using desc::DecoError;

inline constexpr unsigned kSgBurstEntries = 4;  // hardware.md 7.1

// A place in a buffer or a table, and how far a walk has come.
struct SgCursor {
  BusAddr data = 0;   // next byte; without a table the pointer itself
  uint32_t left = 0;  // bytes of the current entry
  BusAddr entry = 0;  // next table entry
  bool table = false;
  bool final = false;   // the current entry is the last
  uint8_t fetched = 0;  // entries from `entry` on that the last burst brought

  static SgCursor at(BusAddr addr, bool sgf) {
    return sgf ? SgCursor{.entry = addr, .table = true} : SgCursor{.data = addr, .left = ~uint32_t{0}};
  }
};

class Dma {
 public:
  // `target` is read at every use: its pointer size follows MCFGR[PS].
  // Tables are read `burst` entries at a time.
  Dma(BusMemory& memory, desc::SgFormat format, const desc::Target& target, unsigned burst = kSgBurstEntries)
      : memory_(memory), format_(format), target_(target), burst_(burst) {}

  const desc::Target& target() const { return target_; }
  void begin_job() { entries_left_ = kMaxEntries; }

  // A cursor at a pointer. The first entries of a table are fetched at once, however little is going to be wanted: kDma
  // when they cannot be.
  DecoError open(SgCursor& c, BusAddr addr, bool sgf) {
    c = SgCursor::at(addr, sgf);
    return sgf ? fetch_burst(c) : DecoError::kNone;
  }
  // Calls emit(span) for each run of the next `len` bytes and moves the cursor behind them.
  // Errors: kSgLength (table ended), kSgNullEntry (an entry without data), kDma (the bus refused), kWatchdog (more
  // entries than any job has: a table that goes round in circles).
  template <class Emit>
  DecoError walk(SgCursor& c, uint32_t len, DmaDirection dir, Emit&& emit) {
    while (len != 0) {
      if (__builtin_expect(c.left == 0, 0))
        if (const DecoError e = next_entry(c); e != DecoError::kNone) return e;
      const uint32_t want = len < c.left ? len : c.left;
      const std::span<uint8_t> run = memory_.window(c.data, want, dir);
      if (run.empty()) {
        fault_address_ = c.data;
        return DecoError::kDma;
      }
      const uint32_t n = static_cast<uint32_t>(run.size());
      emit(run);
      c.data += n;
      if (c.table) c.left -= n;
      len -= n;
    }
    return DecoError::kNone;
  }
  // Moves the cursor without touching the data (SEQ skip on the output side).
  DecoError skip(SgCursor& c, uint32_t len);

  // Contiguous copies for what is small: descriptors, contexts, keys.
  DecoError read(BusAddr addr, bool sgf, std::span<uint8_t> out);
  DecoError write(BusAddr addr, bool sgf, desc::ByteSpan data);
  DecoError read(SgCursor& c, std::span<uint8_t> out);
  DecoError write(SgCursor& c, desc::ByteSpan data);

  // Descriptor words: from memory order to logical numbers and back.
  DecoError read_words(BusAddr addr, std::span<uint32_t> out);
  // The words that one run of memory at `addr` holds, at most out.size(); 0 when there is not even one.
  unsigned read_words_upto(BusAddr addr, std::span<uint32_t> out);
  DecoError write_words(BusAddr addr, std::span<const uint32_t> words);

  BusAddr fault_address() const { return fault_address_; }

 private:
  DecoError next_entry(SgCursor& c);
  DecoError fetch_burst(SgCursor& c);
  void words_from(desc::ByteSpan raw, std::span<uint32_t> out) const;

  static constexpr uint32_t kMaxEntries = 1u << 20;  // of tables, in one job

  BusMemory& memory_;
  desc::SgFormat format_;
  const desc::Target& target_;
  const unsigned burst_;
  BusAddr fault_address_ = 0;
  uint32_t entries_left_ = kMaxEntries;
};

// The input or the output sequence of a job.
struct Sequence {
  SgCursor start;  // as SEQ PTR set it, for RTO
  SgCursor at;
  bool defined = false;
  uint64_t moved = 0;  // bytes since SEQ PTR
};

}  // namespace caamlab::hw_model
