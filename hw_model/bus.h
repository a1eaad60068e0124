// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// All that software may see of the silicon: 32-bit registers, DMA memory, an interrupt line.
// A driver written against this file runs over real registers by another implementation of it; the model's side
// (what a bus master does with memory) is BusMemory. Sources: Linux DMA API, drivers/crypto/caam/regs.h (6.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace caamlab::hw_model {

using BusAddr = uint64_t;  // dma_addr_t: an address as the device puts it on the bus

enum class DmaDirection : uint8_t { kToDevice = 1, kFromDevice = 2, kBidirectional = 3 };

// What map_single returns when it cannot map (dma_mapping_error() is true of it).
inline constexpr BusAddr kDmaMappingError = ~BusAddr{0};
inline constexpr bool dma_mapping_error(BusAddr addr) { return addr == kDmaMappingError; }

// RegisterBus is the MMIO window of a device. `offset`: bytes from its base, a multiple of 4.
// Values are what a little-endian CPU's ioread32 returns: on a big-endian part every word arrives byte-swapped, and
// the driver finds that out from CSTA (hardware.md 8).
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual uint32_t read32(uint32_t offset) = 0;
  virtual void write32(uint32_t offset, uint32_t value) = 0;
};

// DmaMemory is the driver's side of memory. The CPU address stays valid as long as the caller keeps it; the device may
// touch exactly [addr, addr + len) in the given direction, and only between map and unmap. What the CPU writes between
// is seen by the device after a sync, what the device writes is seen by the CPU after unmap.
class DmaMemory {
 public:
  struct Coherent {
    uint8_t* cpu = nullptr;
    BusAddr addr = kDmaMappingError;
    size_t len = 0;
  };
  virtual ~DmaMemory() = default;
  // Never allocates on the hot path once as many mappings have been live at once as the caller needs.
  virtual BusAddr map_single(void* cpu, size_t len, DmaDirection dir) = 0;
  virtual void unmap_single(BusAddr addr, size_t len, DmaDirection dir) = 0;
  // After the CPU has written [addr, addr + len) of a mapping: shows it to the device. For memory that both sides see
  // at once there is nothing to do; one that lies behind a bounce buffer or a cache copies these bytes and no others.
  virtual void sync_single_for_device(BusAddr, size_t, DmaDirection) {}
  // Zeroed memory that both sides may use at any time. cpu is null when it cannot be had.
  virtual Coherent alloc_coherent(size_t len) = 0;
  virtual void free_coherent(const Coherent& mem) = 0;
};

// IrqLine carries one interrupt, level triggered as the GIC sees it. The handler runs while the line is high, never
// from inside a register write; it must make the device drop the line (kernel: caam_jr_interrupt).
class IrqLine {
 public:
  using Handler = std::function<void()>;
  virtual ~IrqLine() = default;
  virtual void request_irq(Handler handler) = 0;
  virtual void free_irq() = 0;
};

// BusMemory is the device's side of memory.
class BusMemory {
 public:
  virtual ~BusMemory() = default;
  // The longest directly addressable run that starts at `addr`, at most `len` bytes; empty when the device may not
  // touch `addr` in direction `dir` (kToDevice: read, kFromDevice: write). Callers loop until they have `len` bytes;
  // an empty window is a bus error (DECO error 0x16). The span stays valid until the mapping goes away.
  virtual std::span<uint8_t> window(BusAddr addr, size_t len, DmaDirection dir) = 0;
};

}  // namespace caamlab::hw_model
