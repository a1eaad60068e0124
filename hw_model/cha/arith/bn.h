// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// libcrypto's big numbers with owners, and bytes in both orders.
#pragma once

#include <openssl/bn.h>

#include <memory>
#include <span>

#include "desc/bits.h"

namespace caamlab::hw_model {

class Bn {
 public:
  Bn() : bn_(BN_new()) {}
  explicit Bn(uint64_t value) : Bn() { BN_set_word(get(), value); }
  Bn(const Bn& other) : bn_(BN_dup(other.get())) {}
  Bn(Bn&&) = default;
  Bn& operator=(const Bn& other) {
    BN_copy(get(), other.get());
    return *this;
  }
  Bn& operator=(Bn&&) = default;

  static Bn from_be(desc::ByteSpan bytes) {
    Bn out;
    BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), out.get());
    return out;
  }
  static Bn from_le(desc::ByteSpan bytes) {
    Bn out;
    BN_lebin2bn(bytes.data(), static_cast<int>(bytes.size()), out.get());
    return out;
  }
  // Fills `out` from the left with zeros; false if the number is longer.
  bool to_be(std::span<uint8_t> out) const {
    return BN_bn2binpad(get(), out.data(), static_cast<int>(out.size())) >= 0;
  }
  bool to_le(std::span<uint8_t> out) const {
    return BN_bn2lebinpad(get(), out.data(), static_cast<int>(out.size())) >= 0;
  }

  BIGNUM* get() { return bn_.get(); }
  const BIGNUM* get() const { return bn_.get(); }
  bool is_zero() const { return BN_is_zero(get()); }
  bool is_one() const { return BN_is_one(get()); }
  bool is_odd() const { return BN_is_odd(get()); }
  int bits() const { return BN_num_bits(get()); }
  bool bit(int n) const { return BN_is_bit_set(get(), n) != 0; }
  friend bool operator==(const Bn& a, const Bn& b) { return BN_cmp(a.get(), b.get()) == 0; }
  friend bool operator<(const Bn& a, const Bn& b) { return BN_cmp(a.get(), b.get()) < 0; }

 private:
  struct Free {
    void operator()(BIGNUM* bn) const { BN_free(bn); }
  };
  std::unique_ptr<BIGNUM, Free> bn_;
};

// Scratch space of the functions below; one a user.
class BnScratch {
 public:
  BnScratch() : ctx_(BN_CTX_new()) {}
  BN_CTX* get() { return ctx_.get(); }

 private:
  struct Free {
    void operator()(BN_CTX* ctx) const { BN_CTX_free(ctx); }
  };
  std::unique_ptr<BN_CTX, Free> ctx_;
};

}  // namespace caamlab::hw_model
