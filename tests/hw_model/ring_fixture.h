// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A job ring with its two rings in DMA memory, driven by logical register values.
#pragma once

#include <cstring>
#include <vector>

#include "desc/bits.h"
#include "desc/regs.h"
#include "hw_model/job_ring.h"
#include "hw_model/memory.h"

namespace caamlab::hw_model {

inline constexpr desc::Target kBig64{.ptr_bytes = 8, .endian = desc::Endian::kBig};
inline constexpr desc::Target kBig32{.ptr_bytes = 4, .endian = desc::Endian::kBig};
inline constexpr desc::Target kLittle64{.ptr_bytes = 8, .endian = desc::Endian::kLittle};
inline constexpr desc::Target kLittle32{.ptr_bytes = 4, .endian = desc::Endian::kLittle};
inline constexpr desc::Target kImx64{.ptr_bytes = 8, .endian = desc::Endian::kLittle, .imx = true};
inline constexpr desc::Target kImx32{.ptr_bytes = 4, .endian = desc::Endian::kLittle, .imx = true};

struct RingRig {
  explicit RingRig(const desc::Target& t, uint32_t entries = 8)
      : target(t),
        space({.addr_bits = t.ptr_bytes == 8 ? 64u : 32u}),
        ring({.index = 1,
              .target = &target,
              .bus = &space,
              .irq = &irq,
              .doorbell = [this] { ++doorbells; },
              .on_fault = [this](BusAddr addr, bool, size_t) { faults.push_back(addr); }}),
        in(space.alloc_coherent(entries * t.ptr_bytes)),
        out(space.alloc_coherent(entries * (t.ptr_bytes + 8u))) {
    configure(entries);
  }

  uint32_t read(uint32_t offset) { return ring.bank().read(offset); }
  void write(uint32_t offset, uint32_t value) { ring.bank().write(offset, value); }
  void write_base(uint32_t offset, BusAddr addr) {
    const unsigned low = target.ptr_low_word_first() ? 0 : 4;
    write(offset + 4 - low, static_cast<uint32_t>(addr >> 32));
    write(offset + low, static_cast<uint32_t>(addr));
  }
  void configure(uint32_t entries) {
    write_base(desc::reg::kIrba, in.addr);
    write_base(desc::reg::kOrba, out.addr);
    write(desc::reg::kIrs, entries);
    write(desc::reg::kOrs, entries);
    size = entries;
    tail = 0;
  }

  // Puts addresses into the input ring and tells the ring about all of them at once.
  void add(const std::vector<BusAddr>& descs) {
    for (const BusAddr desc : descs) {
      uint32_t words[2];
      desc::pointer_to_words(words, desc, target);
      uint8_t* entry = in.cpu + tail * target.ptr_bytes;
      for (unsigned i = 0; i < target.ptr_words(); ++i) desc::store32(entry + 4 * i, words[i], target.endian);
      tail = (tail + 1) % size;
    }
    write(desc::reg::kIrja, static_cast<uint32_t>(descs.size()));
  }
  // Runs every job that can run, with the given status; returns their addresses.
  std::vector<BusAddr> run_all(uint32_t status = 0) {
    std::vector<BusAddr> ran;
    while (ring.has_job()) {
      ran.push_back(ring.take());
      ring.complete(ran.back(), status, 0);
    }
    return ran;
  }

  struct Result {
    BusAddr desc;
    uint32_t status;
    friend bool operator==(const Result&, const Result&) = default;
  };
  Result result(uint32_t index, uint32_t extra_bytes = 0) const {
    const uint8_t* entry = out.cpu + index * (target.ptr_bytes + 4 + extra_bytes);
    uint32_t words[2] = {desc::load32(entry, target.endian), 0};
    if (target.ptr_bytes == 8) words[1] = desc::load32(entry + 4, target.endian);
    return {desc::pointer_from_words(words, target), desc::load32(entry + target.ptr_bytes, target.endian)};
  }
  uint32_t halt() { return (read(desc::reg::kJrint) & desc::reg::jrint::kHaltMask) >> 2; }
  RingError error() {
    const uint32_t value = read(desc::reg::kJrint);
    if (!(value & desc::reg::jrint::kJre)) return RingError::kNone;
    return static_cast<RingError>((value & desc::reg::jrint::kErrTypeMask) >> desc::reg::jrint::kErrTypeShift);
  }

  desc::Target target;
  DmaSpace space;
  LevelIrq irq;
  int doorbells = 0;
  std::vector<BusAddr> faults;
  JobRing ring;
  DmaMemory::Coherent in, out;
  uint32_t size = 0, tail = 0;
};

}  // namespace caamlab::hw_model
