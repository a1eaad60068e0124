// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// An RSA key as the device wants it: its numbers in memory mapped for as long as the key lives, the form of the private
// part by what the key has (kernel caampkc.c: struct caam_rsa_key, caam_rsa_set_priv_key_form, 6.1).
#pragma once

#include <span>
#include <vector>

#include "api/rsa_helper.h"
#include "desc/pdb.h"
#include "driver/caam/jr.h"

namespace caamlab::driver::caam {

inline constexpr unsigned kRsaMaxModulus = 512;  // bytes: 4096 bits

// One number, big-endian, shown to the device.
class RsaNumber {
 public:
  RsaNumber() = default;
  ~RsaNumber() { reset(); }
  RsaNumber(const RsaNumber&) = delete;
  RsaNumber& operator=(const RsaNumber&) = delete;

  // Padded with zeros in front to `len` bytes. -ENOMEM.
  int set(hw_model::DmaMemory& dma, std::span<const uint8_t> value, size_t len);
  void reset();  // wiped and unmapped
  bool empty() const { return bytes_.empty(); }
  uint16_t size() const { return static_cast<uint16_t>(bytes_.size()); }
  BusAddr addr() const { return addr_; }

 private:
  hw_model::DmaMemory* dma_ = nullptr;
  std::vector<uint8_t> bytes_;
  BusAddr addr_ = 0;
};

struct CaamRsaKey {
  RsaNumber n, e, d, p, q, dp, dq, qinv;
  desc::RsaPrivForm form = desc::RsaPrivForm::kForm1;

  // Replaces the key; after an error there is none. -EINVAL for a modulus above 4096 bits or primes that are longer
  // than it, -ENOMEM.
  int set(hw_model::DmaMemory& dma, const api::RsaKey& key);
  void reset();
};

}  // namespace caamlab::driver::caam
