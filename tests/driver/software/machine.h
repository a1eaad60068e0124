// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// For tests of the software drivers: a registry with all of them.
#pragma once

#include <gtest/gtest.h>

#include "driver/software/software.h"
#include "tests/api/runner.h"
#include "tests/driver/software/vectors.h"

namespace caamlab::tests {

struct Machine {
  explicit Machine(api::Registry::Options options = {}) : registry(options) {}
  api::Registry registry;
  tl::expected<driver::software::Algorithms, int> generic = driver::software::register_generic(registry);
  tl::expected<driver::software::Algorithms, int> ce = driver::software::register_cpu_instructions(registry);

  api::AeadHandle aead(const std::string& name) { return take(name, crypto_alloc_aead(registry, name)); }
  api::SkcipherHandle skcipher(const std::string& name) { return take(name, crypto_alloc_skcipher(registry, name)); }
  api::AhashHandle ahash(const std::string& name) { return take(name, crypto_alloc_ahash(registry, name)); }

  template <class Handle>
  static Handle take(const std::string& name, tl::expected<Handle, int> tfm) {
    if (tfm) return std::move(*tfm);
    throw std::runtime_error(name + ": " + api::errno_text(tfm.error()));  // ends the test that asked
  }
};

inline Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Encrypts, compares, decrypts what came out, and sees that a changed tag is noticed, in every layout.
inline void expect_both_ways(api::CryptoAead& tfm, const AeadInput& plain, const Bytes& sealed,
                             const std::string& what) {
  for (const Layout& layout : layouts()) {
    const Outcome enc = run_aead(tfm, Crypt::kEncrypt, plain, layout);
    ASSERT_EQ(enc.err, 0) << what << ", " << layout.name;
    ASSERT_EQ(hex(enc.out), hex(sealed)) << what << ", " << layout.name;
    ASSERT_TRUE(enc.guards_intact) << what << ", " << layout.name;
    ASSERT_EQ(enc.iv, plain.iv) << what;
    AeadInput input = plain;
    input.text = sealed;
    const Outcome dec = run_aead(tfm, Crypt::kDecrypt, input, layout);
    ASSERT_EQ(dec.err, 0) << what << ", " << layout.name;
    ASSERT_EQ(hex(dec.out), hex(plain.text)) << what << ", " << layout.name;
    ASSERT_TRUE(dec.guards_intact) << what << ", " << layout.name;
    input.text.back() ^= 1;
    ASSERT_EQ(run_aead(tfm, Crypt::kDecrypt, input, layout).err, -EBADMSG) << what << ", " << layout.name;
  }
}

}  // namespace caamlab::tests
