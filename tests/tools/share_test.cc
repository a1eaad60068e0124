// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Share safety of the kernel's shared descriptors: what the words say and what a run shows are compared with each other
// and with hardware.md 5.6, and jobs that run alone with software. One row per form that a constructor has.
#include <gtest/gtest.h>

#include <sstream>

#include "tools/build_params.h"
#include "tools/share_jobs.h"
#include "tools/share_static.h"

namespace caamlab::tools {
namespace {

constexpr const char* kKey = "000102030405060708090a0b0c0d0e0f";
constexpr const char* kKey2 = "f0e1d2c3b4a5968778695a4b3c2d1e0f";

struct Case {
  const char* constructor;
  const char* options;  // K, L: keys of 16 bytes
  const char* unsafe;   // ways, as kShareWayNames has them
};
constexpr const char* kAllFollowers = "wait serial always same-deco cross-deco";
const Case kCases[] = {
    {"gcm_encap", "--key K", ""},
    {"gcm_decap", "--key K --icvsize 12", ""},
    {"rfc4106_encap", "--key K", ""},
    {"rfc4106_decap", "--key KL", ""},
    {"rfc4543_encap", "--key-dma 0x70000000 --keylen 16", ""},
    {"rfc4543_decap", "--key K", ""},
    {"chachapoly", "--key KL", ""},
    {"chachapoly", "--key KL --decrypt", ""},
    {"chachapoly", "--key KL --salt 01020304", "cross-deco"},
    {"chachapoly", "--key KL --salt 01020304 --decrypt", "cross-deco"},
    {"skcipher_encap", "--key K", ""},
    {"skcipher_decap", "--key K", ""},
    {"skcipher_encap", "--cipher cbc(des3_ede) --key K0011223344556677", ""},
    {"skcipher_decap", "--cipher ecb(aes) --key KL", ""},
    {"skcipher_encap", "--cipher ctr(aes) --key K", ""},
    {"skcipher_encap", "--cipher rfc3686(ctr(aes)) --key K --salt 01020304", "cross-deco"},
    {"skcipher_decap", "--cipher rfc3686(ctr(aes)) --key K --salt 01020304", "cross-deco"},
    {"xts_skcipher_encap", "--key KL", "cross-deco"},
    {"xts_skcipher_decap", "--key KL", "cross-deco"},
    {"aead_encap", "--key K --auth-key 00112233", ""},
    {"aead_decap", "--key K --auth-key 00112233", ""},
    {"aead_decap", "--key K --auth-key 00112233 --geniv", ""},
    {"aead_givencap", "--key K --auth sha1 --auth-key 00112233", ""},
    {"aead_givencap", "--cipher rfc3686(ctr(aes)) --key K --salt 01020304 --auth-key 00112233", "cross-deco"},
    {"aead_encap", "--key K --auth sha512 --auth-key-dma 0x70000000 --auth-keylen 20", "never always"},
    {"aead_encap", "--key K --era 5 --auth-key-dma 0x70000000", ""},
    {"aead_null_encap", "--auth md5 --auth-key 001122", ""},
    {"aead_null_decap", "--auth-key-dma 0x70000000 --auth-keylen 20", "never always"},
    {"ahash", "--auth sha1", ""},
    {"ahash", "--auth sha224 --state init", ""},
    {"ahash", "--auth sha512 --state update", ""},
    {"ahash", "--auth md5 --state final", ""},
    {"ahash", "--auth sha256 --auth-key 001122 --state update", ""},
    {"ahash", "--auth sha384 --auth-key 001122 --state final", ""},
    {"sk_hash", "--key K", ""},
    {"sk_hash", "--key K --state init", ""},
    {"sk_hash", "--key K --state update", kAllFollowers},
    {"sk_hash", "--key K --state final", kAllFollowers},
    {"sk_hash", "--auth xcbc(aes) --key K --key-dma 0x1000", ""},
    {"sk_hash", "--auth xcbc(aes) --key K --key-dma 0x1000 --state init", kAllFollowers},
    {"sk_hash", "--auth xcbc(aes) --key-dma 0x1000 --keylen 16 --state update", kAllFollowers},
    {"sk_hash", "--auth xcbc(aes) --key-dma 0x1000 --keylen 16 --state final", kAllFollowers},
};

OptionValues options_of(const char* text) {
  OptionValues out;
  std::istringstream words(text);
  std::string word, option;
  while (words >> word) {
    if (word.starts_with("--")) {
      option = word;
      out[option] = {};
      continue;
    }
    for (const auto& [letter, key] : {std::pair{'K', kKey}, std::pair{'L', kKey2}})
      if (const size_t at = word.find(letter); at != std::string::npos) word.replace(at, 1, key);
    out[option] = {word};
  }
  return out;
}

MadeFlow flow_of(const Case& c, const desc::Target& target) {
  const ConstructorRow& row = *find_constructor(std::string("cnstr_shdsc_") + c.constructor);
  auto made = make_flow(row, params_from_options(row, options_of(c.options), target));
  if (!made) throw std::runtime_error(std::string(c.constructor) + " " + c.options + ": " + made.error().message);
  return std::move(*made);
}

// Words, not letters: "serial" is not part of "cross-deco".
bool listed(std::string_view list, std::string_view word) {
  std::istringstream words{std::string(list)};
  for (std::string w; words >> w;)
    if (w == word) return true;
  return false;
}

void check(const Case& c, const desc::Target& target) {
  const std::string at = std::string(c.constructor) + " " + c.options;
  const MadeFlow made = flow_of(c, target);
  for (const auto& [job, what] : wrong_alone(made.flow)) ADD_FAILURE() << at << ": job " << job << " " << what;
  const auto words = analyze_sharing(made.flow.shared, target);
  ASSERT_TRUE(words.has_value()) << at;
  for (size_t i = 0; i < kShareWayNames.size(); ++i) {
    const bool safe = !listed(c.unsafe, kShareWayNames[i]);
    EXPECT_EQ(words->verdicts[i].safe, safe) << at << ", by its words: " << kShareWayNames[i];
    const ShareRun run = run_flow(made.flow, static_cast<ShareWay>(i));
    EXPECT_EQ(!run.wrong.has_value(), safe) << at << ", run: " << kShareWayNames[i];
  }
}

TEST(Share, WordsAndRunsAgree) {
  for (const Case& c : kCases) check(c, {});
}

TEST(Share, InEveryByteOrder) {
  for (const desc::Target target : {desc::Target{.ptr_bytes = 8, .endian = desc::Endian::kBig},
                                    desc::Target{.ptr_bytes = 4, .endian = desc::Endian::kBig},
                                    desc::Target{.ptr_bytes = 4, .endian = desc::Endian::kLittle}})
    for (size_t i = 0; i < std::size(kCases); i += 3) check(kCases[i], target);
}

// The change from serial to never: one bit field, the same results, a key for each job, no order.
TEST(Share, NeverCostsKeysAndOrder) {
  const MadeFlow made = flow_of({"gcm_encap", "--key K", ""}, {});
  const ShareRun never = run_flow(made.flow, ShareWay::kNever), serial = run_flow(made.flow, ShareWay::kSerial);
  EXPECT_EQ(never.keys_loaded, never.jobs);
  EXPECT_EQ(never.shared_keys, 0u);
  EXPECT_GT(never.out_of_order, 0u);
  EXPECT_EQ(serial.keys_loaded, serial.queues);  // the first of each queue
  EXPECT_EQ(serial.shared_keys, serial.jobs - serial.queues);
  EXPECT_EQ(serial.out_of_order, 0u);
}

TEST(Share, WrongEvenAlone) {
  MadeFlow made = flow_of({"gcm_encap", "--key K", ""}, {});
  made.flow.shared[2 + 1] ^= 1;  // another key
  EXPECT_EQ(wrong_alone(made.flow).size(), made.flow.jobs.size());
}

// -- descriptors that the kernel does not have ----------------------------------------------------------------------

StaticShare read(std::vector<uint32_t> words) {
  words[0] |= static_cast<uint32_t>(words.size());
  auto s = analyze_sharing(words, {});
  if (!s) throw std::runtime_error(s.error().message);
  return std::move(*s);
}

TEST(ShareStatic, ContextNeedsSavectx) {
  // JUMP over LOAD of 8 context bytes.
  const std::vector<uint32_t> words{0xb8800200, 0xa1004004, 0x12a00008, 1, 2, 0x5a200008};
  EXPECT_FALSE(read(words).verdict(ShareWay::kSameDeco).safe);
  auto kept = words;
  kept[0] |= 0x1000;
  EXPECT_TRUE(read(kept).verdict(ShareWay::kSameDeco).safe);
  EXPECT_FALSE(read(kept).verdict(ShareWay::kCrossDeco).safe);
  EXPECT_EQ(read(kept).skipped.at(0).on, Reliance::kContext);
}

TEST(ShareStatic, SelfAloneDoesNotSkipOnAnotherDeco) {
  // As above, but the jump asks for SELF and SHRD.
  const std::vector<uint32_t> words{0xb8801200, 0xa1006004, 0x12a00008, 1, 2, 0x5a200008};
  EXPECT_EQ(read(words).skipped.size(), 1u);
  EXPECT_TRUE(read(words).verdict(ShareWay::kSameDeco).safe);
  EXPECT_TRUE(read(words).verdict(ShareWay::kCrossDeco).safe);
  // Without SAVECTX the same DECO has cleared it.
  auto lost = words;
  lost[0] = 0xb8800200;
  EXPECT_FALSE(read(lost).verdict(ShareWay::kSerial).safe);
  EXPECT_TRUE(read(lost).verdict(ShareWay::kCrossDeco).safe);
}

TEST(ShareStatic, ClearedSignalsSkipNothing) {
  // CLRW with bit 25, then a jump over a KEY.
  EXPECT_TRUE(read({0xb8800200, 0x10880004, 0x02000000, 0xa1004003, 0x02800004, 0x01020304}).skipped.empty());
}

TEST(ShareStatic, DecryptionFormNeedsDk) {
  const std::vector<uint32_t> words{0xb8800200, 0xa1004006, 0x02800010, 1, 2, 3, 4, 0x82100104};
  EXPECT_FALSE(read(words).verdict(ShareWay::kSerial).safe);
  EXPECT_TRUE(read(words).verdict(ShareWay::kNever).safe);
}

TEST(ShareStatic, EarlyFollowersRunAtTheSameTime) {
  // DECO control: OK to share, in a descriptor with a PDB and a protocol.
  const std::vector<uint32_t> words{0xb8820100, 0x00000000, 0x16860300, 0x86110000};
  EXPECT_TRUE(read(words).says_ok_to_share);
  EXPECT_FALSE(read(words).verdict(ShareWay::kWait).safe);
  EXPECT_TRUE(read(words).verdict(ShareWay::kSerial).safe);
}

TEST(ShareStatic, RefusesWhatIsNoSharedDescriptor) {
  const std::vector<uint32_t> job{0xb0800002, 0xa0000001}, cut{0xb8800205, 0xa1004006};
  EXPECT_FALSE(analyze_sharing(job, {}).has_value());
  EXPECT_FALSE(analyze_sharing(cut, {}).has_value());
  EXPECT_FALSE(analyze_sharing({}, {}).has_value());
}

}  // namespace
}  // namespace caamlab::tools
