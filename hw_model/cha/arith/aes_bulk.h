// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-ECB and AES-CTR of whole blocks by the Intel multi-buffer library (libipsec_mb, x86-64), which takes several
// blocks an instruction. For long pieces: short ones cost less in libcrypto.
#pragma once

#include <cstdint>
#include <memory>

#include "desc/bits.h"

namespace caamlab::hw_model {

class AesBulk {
 public:
  static constexpr size_t kWorthwhile = 1024;  // bytes; below this the library's jobs cost more than they save

  AesBulk();
  ~AesBulk();
  AesBulk(const AesBulk&) = delete;
  AesBulk& operator=(const AesBulk&) = delete;

  // False where the library or the CPU's instructions are not there; then nothing else may be called. The library is
  // set up at the first call.
  bool available();
  // 16, 24 or 32 bytes. What is set already costs a comparison.
  void set_key(desc::ByteSpan key);
  // `len`: a multiple of 16. in and out may be the same.
  void ecb(uint8_t* out, const uint8_t* in, size_t len, bool encrypt);
  // The low 32 bits of the counter must not wrap within `len`.
  void ctr(uint8_t* out, const uint8_t* in, size_t len, const uint8_t counter[16]);

 private:
  struct State;
  std::unique_ptr<State> state_;
  bool tried_ = false;
};

}  // namespace caamlab::hw_model
