// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The GCM family in software: NIST's vectors, RFC 4106 and 4543 against their definition, every layout, every errno.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using api::AeadHandle;
using tests::AeadInput;
using tests::Bytes;
using tests::Crypt;
using tests::expect_both_ways;
using tests::joined;
using tests::Layout;
using tests::Machine;
using tests::Outcome;
using tests::random_bytes;

AeadHandle keyed(Machine& machine, const char* name, const Bytes& key, unsigned int tag = 16) {
  AeadHandle tfm = machine.aead(name);
  EXPECT_EQ(crypto_aead_setkey(*tfm, key), 0);
  EXPECT_EQ(crypto_aead_setauthsize(*tfm, tag), 0);
  return tfm;
}

TEST(Gcm, NistEncrypt) {
  Machine machine;
  size_t run = 0;
  for (const char* bits : {"128", "192", "256"}) {
    for (const auto& v : tests::read_vectors(std::string("ciphers/AES/GCM/gcmEncryptExtIV") + bits + ".rsp")) {
      if (v.bytes("IV").size() != 12) continue;  // the API has 12-byte IVs only
      const char* name = run % 2 == 0 ? "gcm-aes-ce" : "gcm_base(ctr(aes-generic),ghash-generic)";
      const Bytes tag = v.bytes("TAG");
      AeadHandle tfm = keyed(machine, name, v.bytes("KEY"), tag.size());
      const AeadInput input{v.bytes("IV"), v.bytes("AAD"), v.bytes("PT")};
      const Outcome out = run_aead(*tfm, Crypt::kEncrypt, input, tests::layouts()[run % tests::layouts().size()]);
      ASSERT_EQ(out.err, 0) << v.where();
      ASSERT_EQ(tests::hex(out.out), tests::hex(joined(v.bytes("CT"), tag))) << v.where();
      ++run;
    }
  }
  EXPECT_EQ(run, 7875u);
}

TEST(Gcm, NistDecrypt) {
  Machine machine;
  size_t good = 0;
  size_t bad = 0;
  for (const char* bits : {"128", "192", "256"}) {
    for (const auto& v : tests::read_vectors(std::string("ciphers/AES/GCM/gcmDecrypt") + bits + ".rsp")) {
      if (v.bytes("IV").size() != 12) continue;
      const Bytes tag = v.bytes("TAG");
      AeadHandle tfm = keyed(machine, "gcm-aes-ce", v.bytes("KEY"), tag.size());
      const AeadInput input{v.bytes("IV"), v.bytes("AAD"), joined(v.bytes("CT"), tag)};
      const Layout& layout = tests::layouts()[(good + bad) % tests::layouts().size()];
      const Outcome out = run_aead(*tfm, Crypt::kDecrypt, input, layout);
      if (v.has("FAIL")) {
        ASSERT_EQ(out.err, -EBADMSG) << v.where();
        ++bad;
      } else {
        ASSERT_EQ(out.err, 0) << v.where();
        ASSERT_EQ(out.out, v.bytes("PT")) << v.where();
        ++good;
      }
    }
  }
  EXPECT_EQ(good + bad, 7875u);
  EXPECT_GT(bad, 1000u);
}

// The definitions: what RFC 4106 and RFC 4543 feed to plain GCM.
AeadInput esp_as_gcm(bool gmac, const Bytes& salt, const AeadInput& esp) {
  AeadInput gcm;
  gcm.iv = joined(salt, esp.iv);
  gcm.aad = esp.aad;
  if (gmac) {
    gcm.aad = joined(gcm.aad, esp.text);
  } else {
    gcm.aad = Bytes(esp.aad.begin(), esp.aad.end() - 8);
    gcm.text = esp.text;
  }
  return gcm;
}

struct FormCase {
  const char* name;
  size_t salt_len;
  size_t iv_len;
  std::vector<size_t> assoclens;
  std::vector<unsigned int> tags;
};

const FormCase kForms[] = {
    {"gcm-aes-ce", 0, 12, {0, 1, 8, 13, 16, 20, 64}, {4, 8, 12, 13, 14, 15, 16}},
    {"gcm_base(ctr(aes-generic),ghash-generic)", 0, 12, {0, 7, 20}, {16}},
    {"rfc4106-gcm-aes-ce", 4, 8, {16, 20}, {8, 12, 16}},
    {"rfc4106(gcm_base(ctr(aes-generic),ghash-generic))", 4, 8, {16, 20}, {16}},
    {"rfc4543(gcm_base(ctr(aes-generic),ghash-generic))", 4, 8, {16, 20}, {16}},
};

// The sealed text by the definition, from the generic gcm(aes) in one plain piece.
Bytes sealed_by_definition(Machine& machine, const FormCase& form, const Bytes& key, unsigned int tag,
                           const AeadInput& input) {
  if (form.salt_len == 0) {
    AeadHandle gcm = keyed(machine, "gcm_base(ctr(aes-generic),ghash-generic)", key, tag);
    return run_aead(*gcm, Crypt::kEncrypt, input, tests::plain_layout()).out;
  }
  const Bytes aes_key(key.begin(), key.end() - 4);
  const Bytes salt(key.end() - 4, key.end());
  AeadHandle gcm = keyed(machine, "gcm_base(ctr(aes-generic),ghash-generic)", aes_key, tag);
  const bool gmac = std::string(form.name).starts_with("rfc4543");
  const Bytes out = run_aead(*gcm, Crypt::kEncrypt, esp_as_gcm(gmac, salt, input), tests::plain_layout()).out;
  return gmac ? joined(input.text, out) : out;
}

TEST(Gcm, EveryLayoutAndLength) {
  Machine machine;
  uint64_t seed = 1;
  for (const FormCase& form : kForms) {
    for (size_t aes_keylen : {16, 24, 32}) {
      for (unsigned int tag : form.tags) {
        const Bytes key = random_bytes(aes_keylen + form.salt_len, seed++);
        AeadHandle tfm = keyed(machine, form.name, key, tag);
        for (size_t assoclen : form.assoclens) {
          for (size_t text_len : {0, 1, 15, 16, 17, 100, 513}) {
            AeadInput input{random_bytes(form.iv_len, seed++), random_bytes(assoclen, seed++),
                            random_bytes(text_len, seed++)};
            if (form.iv_len == 8) std::ranges::copy(input.iv, input.aad.end() - 8);
            const Bytes sealed = sealed_by_definition(machine, form, key, tag, input);
            expect_both_ways(*tfm, input, sealed, std::string(form.name) + " text " + std::to_string(text_len));
          }
        }
      }
    }
  }
}

// RFC 4543 copies associated data and text; a wrong byte in either is noticed.
TEST(Gcm, Rfc4543CopiesAndAuthenticatesEverything) {
  Machine machine;
  AeadHandle tfm = keyed(machine, "rfc4543(gcm_base(ctr(aes-generic),ghash-generic))", random_bytes(20, 1));
  AeadInput input{random_bytes(8, 2), random_bytes(16, 3), random_bytes(50, 4)};
  const Outcome enc = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout());
  EXPECT_EQ(enc.aad_out, input.aad);
  input.text = enc.out;
  for (size_t i = 0; i < input.aad.size() + input.text.size(); ++i) {
    uint8_t& byte = i < input.aad.size() ? input.aad[i] : input.text[i - input.aad.size()];
    byte ^= 0x80;
    EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, tests::plain_layout()).err, -EBADMSG) << i;
    byte ^= 0x80;
  }
  EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, tests::plain_layout()).err, 0);
}

// In RFC 4106 the copy of the IV in the AAD is not authenticated; everything else is.
TEST(Gcm, Rfc4106LeavesOutTheIvCopyOnly) {
  Machine machine;
  AeadHandle tfm = keyed(machine, "rfc4106-gcm-aes-ce", random_bytes(20, 1));
  AeadInput input{random_bytes(8, 2), random_bytes(20, 3), random_bytes(30, 4)};
  input.text = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).out;
  for (size_t i = 0; i < 20; ++i) {
    input.aad[i] ^= 1;
    EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, tests::plain_layout()).err, i < 12 ? -EBADMSG : 0) << i;
    input.aad[i] ^= 1;
  }
}

struct SizeCase {
  const char* name;
  std::vector<size_t> keys;
  std::vector<unsigned int> tags;
  std::vector<size_t> assoclens;  // of 0..32
};

TEST(Gcm, KeyTagAndAssoclenRules) {
  Machine machine;
  std::vector<size_t> any(33);
  for (size_t i = 0; i < any.size(); ++i) any[i] = i;
  const SizeCase cases[] = {
      {"gcm(aes)", {16, 24, 32}, {4, 8, 12, 13, 14, 15, 16}, any},
      {"rfc4106(gcm(aes))", {20, 28, 36}, {8, 12, 16}, {16, 20}},
      {"rfc4543(gcm(aes))", {20, 28, 36}, {16}, {16, 20}},
  };
  const auto has = [](const auto& list, size_t value) { return std::ranges::find(list, value) != list.end(); };
  for (const SizeCase& c : cases) {
    AeadHandle tfm = machine.aead(c.name);
    EXPECT_EQ(crypto_aead_authsize(*tfm), 16u);
    for (size_t len = 0; len <= 40; ++len) {
      EXPECT_EQ(crypto_aead_setkey(*tfm, random_bytes(len, len)), has(c.keys, len) ? 0 : -EINVAL) << c.name << len;
    }
    for (unsigned int tag = 0; tag <= 20; ++tag) {
      EXPECT_EQ(crypto_aead_setauthsize(*tfm, tag), has(c.tags, tag) ? 0 : -EINVAL) << c.name << tag;
    }
    ASSERT_EQ(crypto_aead_setkey(*tfm, random_bytes(c.keys[0], 1)), 0);
    for (size_t assoclen = 0; assoclen <= 32; ++assoclen) {
      AeadInput input{random_bytes(12, 1), random_bytes(assoclen, 2), random_bytes(33, 3)};
      const int expected = has(c.assoclens, assoclen) ? 0 : -EINVAL;
      const Outcome enc = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout());
      EXPECT_EQ(enc.err, expected) << c.name << " assoclen " << assoclen;
      if (expected == 0) input.text = enc.out;
      EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, tests::plain_layout()).err, expected) << c.name << assoclen;
    }
  }
}

TEST(Gcm, ShortListsAreRefused) {
  Machine machine;
  AeadHandle tfm = keyed(machine, "gcm(aes)", random_bytes(16, 1));
  Bytes in(60);
  Bytes out(60);
  Bytes iv(12);
  auto req = aead_request_alloc(*tfm);
  aead_request_set_ad(*req, 10);
  for (size_t src_len : {39, 40}) {
    for (size_t dst_len : {55, 56}) {
      const api::SgTable src = api::SgTable::split_every(std::span(in).first(src_len), 7);
      const api::SgTable dst = api::SgTable::split_every(std::span(out).first(dst_len), 5);
      aead_request_set_crypt(*req, src, dst, 30, iv.data());
      EXPECT_EQ(crypto_aead_encrypt(*req), src_len == 40 && dst_len == 56 ? 0 : -EINVAL) << src_len << " " << dst_len;
    }
  }
}

TEST(Gcm, NamesAndPriorities) {
  Machine machine;
  ASSERT_TRUE(machine.generic && machine.ce);
  EXPECT_EQ(machine.aead("gcm(aes)")->driver_name(), "gcm-aes-ce");
  EXPECT_EQ(machine.aead("rfc4106(gcm(aes))")->driver_name(), "rfc4106-gcm-aes-ce");
  EXPECT_EQ(machine.aead("rfc4543(gcm(aes))")->driver_name(), "rfc4543(gcm_base(ctr(aes-generic),ghash-generic))");
  const api::LookupReport report = machine.registry.explain(api::crypto_aead_type, "gcm(aes)", 0, 0);
  ASSERT_EQ(report.candidates.size(), 2u);
  EXPECT_EQ(report.candidates[0].priority, 300);
  EXPECT_EQ(report.candidates[1].priority, 100);
  EXPECT_EQ(report.candidates[0].module, "ghash_ce");
  EXPECT_EQ(report.candidates[1].flags & api::CRYPTO_ALG_INSTANCE, api::CRYPTO_ALG_INSTANCE);
}

TEST(Gcm, RegistrationIsUndoneAndClashesAreReported) {
  api::Registry registry;
  {
    auto first = register_cpu_instructions(registry);
    ASSERT_TRUE(first);
    auto second = register_cpu_instructions(registry);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error(), -EEXIST);
    EXPECT_TRUE(crypto_alloc_aead(registry, "gcm(aes)"));
  }
  EXPECT_EQ(crypto_alloc_aead(registry, "gcm(aes)").error(), -ENOENT);
}

}  // namespace
}  // namespace caamlab::driver::software
