// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MDHA: published digests and HMACs in pieces and split over operations, the context in between, what HMAC leaves in
// the key register, SMAC, ICV check and errors.
#include "hw_model/cha/mdha.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::Alg;
using desc::AlgState;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;
using hw_model::Mdha;
namespace aai = desc::aai;

struct Hash {
  Alg alg;
  const char* name;
  std::vector<std::string> files;
  const char* hmac_file;
};
std::vector<std::string> sha_files(const std::string& folder, const std::string& name) {
  return {"hashes/" + folder + "/" + name + "ShortMsg.rsp", "hashes/" + folder + "/" + name + "LongMsg.rsp"};
}
const std::vector<Hash>& hashes() {
  static const std::vector<Hash> kHashes = {
      {Alg::kMd5, "MD5", {"hashes/MD5/rfc-1321.txt"}, "HMAC/rfc-2202-md5.txt"},
      {Alg::kSha1, "SHA1", sha_files("SHA1", "SHA1"), "HMAC/rfc-2202-sha1.txt"},
      {Alg::kSha224, "SHA224", sha_files("SHA2", "SHA224"), "HMAC/rfc-4231-sha224.txt"},
      {Alg::kSha256, "SHA256", sha_files("SHA2", "SHA256"), "HMAC/rfc-4231-sha256.txt"},
      {Alg::kSha384, "SHA384", sha_files("SHA2", "SHA384"), "HMAC/rfc-4231-sha384.txt"},
      {Alg::kSha512, "SHA512", sha_files("SHA2", "SHA512"), "HMAC/rfc-4231-sha512.txt"},
      {Alg::kSha512_224, "SHA512-224", sha_files("SHA2", "SHA512_224"), nullptr},
      {Alg::kSha512_256, "SHA512-256", sha_files("SHA2", "SHA512_256"), nullptr}};
  return kHashes;
}

desc::AlgOperation md(Alg alg, uint16_t mode, AlgState as, bool icv = false) {
  return {.cls = desc::ClassSel::kClass2, .alg = alg, .aai = mode, .as = as, .icv = icv};
}

std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

class MdhaTest : public testing::TestWithParam<Hash> {
 protected:
  Mdha cha_;
  Bytes none_;

  const hw_model::HashInfo& info() { return hw_model::hash_info(GetParam().alg); }

  Bytes digest(const Bytes& data, const Layout& layout = {}) {
    ClassRegs regs = make_regs(md(GetParam().alg, aai::kHash, AlgState::kInitFinal), {});
    EXPECT_EQ(run(cha_, regs, message(data), layout, none_), CcbError::kNone);
    return Bytes(regs.context(), regs.context() + info().digest_bytes);
  }
  // A key longer than a block counts by its digest; software sees to that.
  Bytes block_key(const Bytes& key) { return key.size() <= info().block_bytes ? key : digest(key); }

  Bytes hmac(const Bytes& key, const Bytes& data) {
    ClassRegs regs = make_regs(md(GetParam().alg, aai::kHmac, AlgState::kInitFinal), key);
    EXPECT_EQ(run(cha_, regs, message(data), none_), CcbError::kNone);
    return Bytes(regs.context(), regs.context() + info().digest_bytes);
  }

  // INIT, UPDATE and FINALIZE at block boundaries; only the context's state and length survive.
  Bytes in_operations(uint16_t init_mode, uint16_t update_mode, uint16_t final_mode, const Bytes& key,
                      const Bytes& data, size_t blocks) {
    const size_t step = blocks * info().block_bytes, saved = info().state_bytes + 8;
    ClassRegs regs = make_regs(md(GetParam().alg, init_mode, AlgState::kInit), key);
    size_t at = std::min(step, data.size() / info().block_bytes * info().block_bytes);
    EXPECT_EQ(run(cha_, regs, message(slice(data, 0, at)), none_), CcbError::kNone);
    const Bytes left_key(regs.key.bytes.begin(), regs.key.bytes.begin() + regs.key.size);
    for (bool over = false; !over;) {
      over = data.size() - at <= step;
      const Bytes context(regs.context(), regs.context() + saved);
      EXPECT_EQ(desc::load_be64(regs.context() + info().state_bytes),
                at + (init_mode == aai::kHash ? 0 : info().block_bytes));
      digest(filler(77, 5));  // another job in between
      regs = make_regs(md(GetParam().alg, over ? final_mode : update_mode, over ? AlgState::kFinal : AlgState::kUpdate),
                       !over                      ? Bytes{}
                       : final_mode == aai::kHmac ? key
                                                  : left_key);
      std::copy(context.begin(), context.end(), regs.context());
      const size_t n = over ? data.size() - at : step;
      EXPECT_EQ(run(cha_, regs, message(slice(data, at, n)), none_), CcbError::kNone);
      at += n;
    }
    return Bytes(regs.context(), regs.context() + info().digest_bytes);
  }
};

TEST_P(MdhaTest, PublishedDigests) {
  size_t n = 0;
  for (const std::string& file : GetParam().files)
    for (const Vector& v : read_vectors(file, "len")) {
      Bytes data = v.hex("msg");
      data.resize(v.number("len") / 8);
      const Layout& layout = layouts()[n++ % layouts().size()];
      EXPECT_EQ(to_hex(digest(data, layout)), v.text("md")) << v.where << " " << layout.name;
    }
  EXPECT_GT(n, 5u);
}

TEST_P(MdhaTest, PublishedHmacs) {
  if (GetParam().hmac_file == nullptr) return;  // none are published; HmacEqualsLibcrypto covers these
  for (const Vector& v : read_vectors(GetParam().hmac_file, "len")) {
    Bytes data = v.hex("msg");
    data.resize(v.number("len") / 8);
    const Bytes key = block_key(v.hex("key"));
    const std::string& expected = v.text("md");
    const size_t n = expected.size() / 2;  // some are truncated
    EXPECT_EQ(to_hex(slice(hmac(key, data), 0, n)), expected) << v.where;
    const Bytes parts = in_operations(aai::kHmac, aai::kHash, aai::kHmacPrecomp, key, data, 1);
    EXPECT_EQ(to_hex(slice(parts, 0, n)), expected) << v.where;
  }
}

// EVP knows these too; it shares no code with the open states but the compression functions.
TEST_P(MdhaTest, HmacEqualsLibcrypto) {
  const std::string name = GetParam().name;
  const EVP_MD* evp = EVP_get_digestbyname(name.c_str());
  ASSERT_NE(evp, nullptr) << name;
  for (size_t key_len : {size_t{0}, size_t{1}, size_t{20}, size_t{info().block_bytes}})
    for (const size_t len : {0, 1, 64, 128, 300}) {
      Bytes key = filler(key_len, 1), data = filler(len, 2);
      key.reserve(1);  // a null pointer would mean no key
      data.reserve(1);
      size_t n = 64;
      Bytes expected(n);
      ASSERT_NE(EVP_Q_mac(nullptr, "HMAC", nullptr, name.c_str(), nullptr, key.data(), key_len, data.data(), len,
                          expected.data(), n, &n),
                nullptr);
      expected.resize(n);
      EXPECT_EQ(to_hex(hmac(key, data)), to_hex(expected)) << key_len << " " << len;
    }
}

TEST_P(MdhaTest, SplitOperationsEqualTheWhole) {
  const Bytes key = filler(20, 1);
  for (const size_t len : {0, 1, 64, 128, 129, 500, 512})
    for (const size_t blocks : {1, 2, 3}) {
      const Bytes data = filler(len, 2);
      EXPECT_EQ(to_hex(in_operations(aai::kHash, aai::kHash, aai::kHash, {}, data, blocks)), to_hex(digest(data)));
      EXPECT_EQ(to_hex(in_operations(aai::kHmac, aai::kHash, aai::kHmacPrecomp, key, data, blocks)),
                to_hex(hmac(key, data)));
      EXPECT_EQ(to_hex(in_operations(aai::kHmac, aai::kHmac, aai::kHmac, key, data, blocks)), to_hex(hmac(key, data)))
          << "FINALIZE with a raw key";
    }
}

TEST_P(MdhaTest, SplitKeyReplacesTheRawKey) {
  const Bytes key = filler(20, 1), data = filler(70, 2);
  Bytes split(hw_model::kMaxSplitKey);
  split.resize(hw_model::make_split_key(GetParam().alg, key, split.data()));
  EXPECT_EQ(split.size(), desc::split_key_len(GetParam().alg));
  for (const AlgState as : {AlgState::kInit, AlgState::kInitFinal}) {
    // The recipe of split-key generation: HMAC INIT over nothing.
    ClassRegs regs = make_regs(md(GetParam().alg, aai::kHmac, as), key);
    ASSERT_EQ(run(cha_, regs, message({}), none_), CcbError::kNone);
    EXPECT_EQ(to_hex(regs.key.bytes.data(), regs.key.size), to_hex(split));
    EXPECT_TRUE(regs.key.split);
    ClassRegs follower = make_regs(md(GetParam().alg, aai::kHmacPrecomp, AlgState::kInitFinal), {});
    follower.key = regs.key;
    ASSERT_EQ(run(cha_, follower, message(data), none_), CcbError::kNone);
    EXPECT_EQ(context_hex(follower, 0, info().digest_bytes), to_hex(hmac(key, data)));
  }
}

TEST_P(MdhaTest, EveryLayoutGivesTheSame) {
  for (const size_t len : {0, 63, 64, 65, 127, 128, 1000})
    for (const Layout& layout : layouts()) EXPECT_EQ(digest(filler(len, 1), layout), digest(filler(len, 1)));
}

TEST_P(MdhaTest, IcvCheck) {
  const Bytes key = filler(20, 1), data = filler(70, 2), mac = hmac(key, data);
  for (uint32_t size : {0u, 4u, 12u, static_cast<uint32_t>(mac.size())})
    for (const bool damaged : {false, true})
      for (const Mark mark : {Mark::kLast, Mark::kFlush}) {
        Bytes icv = slice(mac, 0, size == 0 ? mac.size() : size);
        if (damaged) icv.back() ^= 0x40;
        ClassRegs regs = make_regs(md(GetParam().alg, aai::kHmac, AlgState::kInitFinal, true), key);
        regs.icv_size = size;
        EXPECT_EQ(run(cha_, regs, {{DataType::kMsg, data, mark}, {DataType::kIcv, icv, Mark::kLast}}, none_),
                  damaged ? CcbError::kIcvCheck : CcbError::kNone);
      }
}

TEST_P(MdhaTest, Errors) {
  for (const AlgState as : {AlgState::kInit, AlgState::kUpdate})
    for (const size_t len : {size_t{1}, size_t{info().block_bytes + 1}}) {
      ClassRegs regs = make_regs(md(GetParam().alg, aai::kHash, as), {});
      EXPECT_EQ(run(cha_, regs, message(filler(len, 1)), none_), CcbError::kDataSize);
    }
  ClassRegs regs = make_regs(md(GetParam().alg, aai::kHash, AlgState::kInitFinal), {});
  EXPECT_EQ(run(cha_, regs, {{DataType::kAad, filler(3, 1), Mark::kLast}}, none_), CcbError::kSequence);
  if (info().block_bytes < 128) {
    regs = make_regs(md(GetParam().alg, aai::kHmac, AlgState::kInitFinal), filler(info().block_bytes + 1, 1));
    EXPECT_EQ(run(cha_, regs, message({}), none_), CcbError::kKeySize);
  }
  const uint32_t split = 2 * info().state_bytes;
  for (const uint32_t size : {0u, 16u, split - 1, split, 128u}) {
    regs = make_regs(md(GetParam().alg, aai::kHmacPrecomp, AlgState::kInitFinal), filler(size, 1));
    EXPECT_EQ(run(cha_, regs, message({}), none_), size == split ? CcbError::kNone : CcbError::kKeySize) << size;
  }
}

std::string hash_name(const testing::TestParamInfo<Hash>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Hashes, MdhaTest, testing::ValuesIn(hashes()), hash_name);

// RFC 6101, 5.2.3.1: hash(key | pad2 | hash(key | pad1 | data)).
TEST(MdhaSmac, IsTheSsl3Mac) {
  Mdha cha;
  Bytes none;
  for (const auto& [alg, evp, pad] : {std::tuple{Alg::kMd5, EVP_md5(), 48}, std::tuple{Alg::kSha1, EVP_sha1(), 40}})
    for (const size_t len : {0, 5, 200}) {
      const size_t digest_len = hw_model::hash_info(alg).digest_bytes;
      const Bytes key = filler(digest_len, 1), data = filler(len, 2);
      Bytes expected = data;
      for (const uint8_t fill : {0x36, 0x5C}) {
        Bytes in = key;
        in.insert(in.end(), static_cast<size_t>(pad), fill);
        in.insert(in.end(), expected.begin(), expected.end());
        expected.resize(64);
        unsigned n = 0;
        EVP_Digest(in.data(), in.size(), expected.data(), &n, evp, nullptr);
        expected.resize(n);
      }
      ClassRegs regs = make_regs(md(alg, aai::kSmac, AlgState::kInitFinal), key);
      ASSERT_EQ(run(cha, regs, message(data), none), CcbError::kNone);
      EXPECT_EQ(context_hex(regs, 0, digest_len), to_hex(expected)) << len;
    }
  ClassRegs regs = make_regs(md(Alg::kMd5, aai::kSmac, AlgState::kInit), filler(16, 1));
  EXPECT_EQ(run(cha, regs, message({}), none), CcbError::kMode);
}

}  // namespace
}  // namespace caamlab::tests
