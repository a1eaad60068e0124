// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// GHASH with its running state in the open (SP 800-38D), for operations that continue from a saved context; libcrypto
// offers GCM only as a whole message. Four-bit tables; not for bulk data of whole messages.
#pragma once

#include <cstdint>
#include <cstring>

#include "desc/bits.h"

namespace caamlab::hw_model {

class Ghash {
 public:
  // h: the hash subkey E(K, 0), 16 bytes.
  void set_key(const uint8_t h[16]);
  // state = (state xor block) * h, for each 16-byte block of `data`; a last partial block is padded with zeros.
  void update(uint8_t state[16], desc::ByteSpan data) const;

 private:
  void multiply(uint8_t state[16]) const;
  struct Element {
    uint64_t hi, lo;
  };
  Element table_[16] = {};
};

}  // namespace caamlab::hw_model
