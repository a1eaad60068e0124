// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Direct DECO access (hardware.md 8.4): software takes a DECO from the job queue controller, writes a descriptor into
// its buffer by register writes and starts it. The interface is what the registers ask of the DECOs; DecoPage is the
// register page of one DECO. Used by the kernel, U-Boot and barebox to instantiate the RNG.
#pragma once

#include <cstdint>

#include "hw_model/reg_bank.h"

namespace caamlab::hw_model {

// Implemented by whoever owns the DECOs. `deco` is below Platform::decos.
class DirectDecoAccess {
 public:
  struct Status {
    bool valid = false;       // DDR.VALID: a descriptor is loaded and has not ended
    bool host_error = false;  // the last one ended with an error
    uint8_t index = 0;        // DDR: word at which the DECO stands
    uint32_t op_status = 0;   // DOPSTA: status word of hardware.md 6.1
    uint32_t out_bytes = 0;   // DOPSTA LS: bytes written to the output sequence
  };
  virtual ~DirectDecoAccess() = default;

  // DECORR.RQDn set: take the DECO from JQC as soon as it is idle. granted() (DENn) then turns true.
  virtual void request(unsigned deco) = 0;
  virtual void release(unsigned deco) = 0;
  virtual bool granted(unsigned deco) const = 0;
  // DAR: the DECO runs nothing.
  virtual bool idle(unsigned deco) const = 0;
  // DRR: stop whatever runs; its job ends with DECO error 0x20.
  virtual void reset(unsigned deco) = 0;

  // Only while granted. Descriptor buffer, logical words, index 0..63.
  virtual void write_word(unsigned deco, unsigned index, uint32_t word) = 0;
  virtual uint32_t read_word(unsigned deco, unsigned index) const = 0;
  // JQCR written with WHL: run the buffer. `jqcr_ms` is the whole word; without FOUR only its first words count as
  // loaded, which makes no difference for a descriptor in the buffer.
  virtual void start(unsigned deco, uint32_t jqcr_ms) = 0;
  virtual Status status(unsigned deco) const = 0;

  // Every other register of the page, by its offset in desc/regs.h (kC1mr .. kUvsil; arrays: first offset + 4 * word,
  // 64-bit registers: more significant half at the lower offset). Unknown offsets read 0 and ignore writes.
  virtual uint32_t read_reg(unsigned deco, uint32_t offset) const = 0;
  virtual void write_reg(unsigned deco, uint32_t offset, uint32_t value) = 0;
};

// The registers are there only while software holds the DECO; otherwise the page reads 0 and ignores writes.
class DecoPage {
 public:
  // era: from 10 on the state field is in DER, before in DDR. access: may be null (nothing is ever granted).
  DecoPage(unsigned deco, int era, DirectDecoAccess* access);
  RegBank& bank() { return bank_; }
  void attach(DirectDecoAccess* access) { access_ = access; }

 private:
  bool open() const { return access_ && access_->granted(deco_); }
  uint32_t read_plain(uint32_t offset) const;
  void write_plain(uint32_t offset, uint32_t value);
  uint32_t read_buffer(uint32_t offset) const;
  void write_buffer(uint32_t offset, uint32_t value);
  uint32_t read_jqcr(uint32_t offset) const;
  void write_jqcr(uint32_t offset, uint32_t value);
  uint32_t read_status(uint32_t offset) const;

  const unsigned deco_;
  const bool state_in_der_;
  DirectDecoAccess* access_;
  RegBank bank_;
};

}  // namespace caamlab::hw_model
