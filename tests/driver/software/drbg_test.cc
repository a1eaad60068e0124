// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// stdrng in software: HMAC generators against SP 800-90A written out here, and what is the same and what differs for
// all.
#include <openssl/evp.h>

#include <set>

#include "api/rng.h"
#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using api::RngHandle;
using tests::Bytes;
using tests::joined;
using tests::Machine;

// SP 800-90A 10.1.2, one HMAC per line.
class HmacDrbg {
 public:
  HmacDrbg(const char* digest, size_t len, const Bytes& seed) : digest_(digest), key_(len, 0), value_(len, 1) {
    update(seed);
  }
  void update(const Bytes& data) {
    key_ = hmac(joined(joined(value_, {0}), data));
    value_ = hmac(value_);
    if (data.empty()) return;
    key_ = hmac(joined(joined(value_, {1}), data));
    value_ = hmac(value_);
  }
  Bytes generate(size_t len, const Bytes& additional) {
    if (!additional.empty()) update(additional);
    Bytes out;
    while (out.size() < len) {
      value_ = hmac(value_);
      out = joined(out, value_);
    }
    out.resize(len);
    update(additional);
    return out;
  }

 private:
  Bytes hmac(const Bytes& data) const {
    Bytes out(64);
    size_t len = 0;
    EVP_Q_mac(nullptr, "HMAC", nullptr, digest_, nullptr, key_.data(), key_.size(), data.data(), data.size(),
              out.data(), out.size(), &len);
    out.resize(len);
    return out;
  }
  const char* digest_;
  Bytes key_;
  Bytes value_;
};

RngHandle rng(Machine& machine, const std::string& name) {
  return machine.take(name, crypto_alloc_rng(machine.registry, name));
}

Bytes draw(api::CryptoRng& tfm, size_t len, const Bytes& additional = {}) {
  Bytes out(len);
  EXPECT_EQ(crypto_rng_generate(tfm, additional, out), 0);
  return out;
}

struct HmacCase {
  const char* suffix;
  const char* digest;
  size_t len;
};
const HmacCase kHmacCases[] = {{"hmac_sha1", "SHA1", 20},
                               {"hmac_sha256", "SHA256", 32},
                               {"hmac_sha384", "SHA384", 48},
                               {"hmac_sha512", "SHA512", 64}};

// The entropy source counts what it hands out, so that both sides see the same.
TEST(Drbg, HmacAgainstTheStandard) {
  for (const HmacCase& c : kHmacCases) {
    for (bool resist : {false, true}) {
      Machine machine;
      std::vector<Bytes> drawn;
      machine.registry.set_entropy_source([&drawn](std::span<uint8_t> out) {
        drawn.push_back(tests::random_bytes(out.size(), drawn.size() + 77));
        std::copy(drawn.back().begin(), drawn.back().end(), out.begin());
      });
      RngHandle tfm = rng(machine, std::string(resist ? "drbg_pr_" : "drbg_nopr_") + c.suffix);
      const Bytes personalisation = {1, 2, 3};
      ASSERT_EQ(crypto_rng_reset(*tfm, personalisation.data(), personalisation.size()), 0);
      ASSERT_EQ(drawn.size(), 2u);  // entropy, nonce
      HmacDrbg reference(c.digest, c.len, joined(joined(drawn[0], drawn[1]), personalisation));
      for (const Bytes& additional : {Bytes{}, Bytes{9, 9}, Bytes(100, 4), Bytes{}}) {
        const Bytes out = draw(*tfm, 150, additional);
        if (!resist) {
          ASSERT_EQ(tests::hex(out), tests::hex(reference.generate(150, additional))) << c.suffix;
          continue;
        }
        // With prediction resistance: reseed with fresh entropy and the additional input, then generate without it.
        reference.update(joined(drawn[drawn.size() - 2], additional));
        ASSERT_EQ(tests::hex(out), tests::hex(reference.generate(150, {}))) << c.suffix;
      }
    }
  }
}

TEST(Drbg, AllAreDeterministicAndDiffer) {
  std::set<Bytes> seen;
  size_t count = 0;
  std::vector<std::string> names;
  {
    Machine machine;
    machine.registry.for_each([&names](const api::CryptoAlg& alg) {
      if (alg.cra_name == "stdrng") names.push_back(alg.cra_driver_name);
    });
  }
  ASSERT_EQ(names.size(), 22u);
  for (const std::string& name : names) {
    std::vector<Bytes> outputs;
    for (uint64_t entropy_seed : {1, 1, 2}) {
      Machine machine(api::Registry::Options{.entropy_seed = entropy_seed});
      RngHandle tfm = rng(machine, name);
      ASSERT_EQ(crypto_rng_reset(*tfm, nullptr, 0), 0) << name;
      Bytes out = draw(*tfm, 64);
      const Bytes more = draw(*tfm, 64);
      EXPECT_NE(out, more) << name;
      outputs.push_back(joined(out, more));
    }
    EXPECT_EQ(outputs[0], outputs[1]) << name;
    EXPECT_NE(outputs[0], outputs[2]) << name;
    seen.insert(outputs[0]);
    ++count;
  }
  // With and without prediction resistance the first output differs, because of the reseeding.
  EXPECT_EQ(seen.size(), count);
}

TEST(Drbg, Rules) {
  Machine machine;
  RngHandle tfm = rng(machine, "stdrng");
  EXPECT_EQ(tfm->driver_name(), "drbg_nopr_hmac_sha512");
  EXPECT_EQ(api::crypto_rng_seedsize(*tfm), 0u);
  Bytes out(16);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, out), -EINVAL) << "not seeded";
  ASSERT_EQ(crypto_rng_reset(*tfm, nullptr, 48), 0);  // draws a personalisation string of its own
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, {}), 0);
  Bytes large((1 << 16) * 2 + 5);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, large), 0);
  EXPECT_NE(Bytes(large.end() - 5, large.end()), Bytes(5));
  // Seeding again starts a new sequence.
  const Bytes first = draw(*tfm, 32);
  ASSERT_EQ(crypto_rng_reset(*tfm, nullptr, 0), 0);
  EXPECT_NE(draw(*tfm, 32), first);
}

}  // namespace
}  // namespace caamlab::driver::software
