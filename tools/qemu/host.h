// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the device needs of the program around it, so that everything but attach.cc can be tested without QEMU.
#pragma once

#include <cstdint>

namespace caamlab::tools::qemu {

class Host {
 public:
  virtual ~Host() = default;
  // Guest memory at `addr`, directly addressable. May shorten *len (bytes); null when nothing is there. `write` says in
  // which direction it may be used.
  virtual void* map(uint64_t addr, uint64_t* len, bool write) = 0;
  // Ends a mapping, with the values map() gave and got.
  virtual void unmap(void* memory, uint64_t len, bool write) = 0;
  virtual void set_irq(unsigned ring, bool high) = 0;
  // Asks for GuestDevice::run() to be called soon, from outside register accesses.
  virtual void run_soon() = 0;
};

}  // namespace caamlab::tools::qemu
