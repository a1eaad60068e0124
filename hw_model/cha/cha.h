// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The interface of a crypto hardware accelerator. A CHA sees the registers of its class, data by type with FLUSH and
// LAST marks, and a place for output; it never sees a descriptor word, a ring or a bus address (hardware.md 3, 4).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "desc/commands/operation.h"
#include "desc/jr_status.h"
#include "desc/nfifo.h"

namespace caamlab::hw_model {

using desc::ByteSpan;
using desc::CcbError;
using DataType = desc::NfifoData;

inline constexpr unsigned kClass1KeyBytes = 64;  // 32, and the second half of an XTS key (hardware.md 4.2)
inline constexpr unsigned kClass2KeyBytes = 128;
inline constexpr unsigned kClass1ContextBytes = 64;
inline constexpr unsigned kClass2ContextBytes = 72;

// A class key register and what the hardware remembers about its contents.
struct KeyRegister {
  std::array<uint8_t, 128> bytes{};
  uint32_t size = 0;             // bytes
  bool no_write_back = false;    // KEY NWB: FIFO STORE is refused
  bool plaintext_store = false;  // KEY PTS
  bool split = false;            // an MDHA split key
  bool decrypt_form = false;     // AES: the decryption form of the key (hardware.md 2.13, DK)

  ByteSpan key() const { return ByteSpan(bytes.data(), size); }
};

// The registers of one class.
struct ClassRegs {
  desc::AlgOperation op;  // the mode register; valid while mode_written
  bool mode_written = false;
  KeyRegister key;
  std::array<uint8_t, kClass2ContextBytes> ctx{};
  uint64_t data_size = 0;  // message bytes announced
  uint32_t icv_size = 0;   // 0: the algorithm's full length
  uint32_t aad_size = 0, iv_size = 0;

  uint8_t* context() { return ctx.data(); }
  const uint8_t* context() const { return ctx.data(); }
};

// Where a class 1 CHA puts its output: straight into the memory of a waiting FIFO STORE, else into the OFIFO.
class Output {
 public:
  virtual ~Output() = default;
  // A contiguous place for 1 to `want` bytes. want > 0.
  virtual std::span<uint8_t> window(size_t want) = 0;
  // The first `n` bytes of the last window are output now.
  virtual void commit(size_t n) = 0;
  // Any bytes, copied through windows.
  void put(ByteSpan data);
};

constexpr bool is_init(desc::AlgState as) { return as == desc::AlgState::kInit || as == desc::AlgState::kInitFinal; }
constexpr bool is_final(desc::AlgState as) { return as == desc::AlgState::kFinal || as == desc::AlgState::kInitFinal; }

// Life of one operation: start() when the OPERATION executes; begin() when its first data or LAST arrives, which is
// also when key and context are taken (hardware.md 2.13); feed() any number of times; flush() at FLUSH marks; last() at
// LAST. The first error ends the operation. With ICV checking the message's LAST is followed by ICV data with its own.
class Cha {
 public:
  virtual ~Cha() = default;
  virtual desc::ChaId id() const = 0;

  // Mode check (CcbError::kMode); nothing else is looked at.
  virtual CcbError start(const ClassRegs& regs) = 0;
  virtual CcbError begin(ClassRegs& regs) = 0;
  // `in` is not empty, of any size, and need not outlive the call; consecutive calls of one type continue each other.
  // `in` and the output window may be the same memory.
  virtual CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) = 0;
  virtual CcbError flush(ClassRegs& regs, DataType type, Output& out) = 0;
  // LAST on data of `type`: the result goes to the context (and, of block modes, the rest of the output to `out`).
  virtual CcbError last(ClassRegs& regs, DataType type, Output& out) = 0;
};

}  // namespace caamlab::hw_model
