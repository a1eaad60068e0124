// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// NIST's GCM vectors (CAVP gcmEncryptExtIV*, gcmDecrypt*) through api, driver, job ring and DECO: those with a 12-byte
// IV as requests to gcm-aes-caam in serial and in never mode; all of them, with any IV length, as a job descriptor of
// their own. RFC 4106 and RFC 4543, for which the package has no vectors, are in random_requests_test.
#include <algorithm>

#include "tests/conformance/gcm_reference.h"
#include "tests/conformance/job_record.h"
#include "tests/conformance/ring_job.h"
#include "tests/driver/software/vectors.h"

namespace caamlab::tests {
namespace {

using desc::ShareMode;

constexpr size_t kVectorsPerFile = 7875;         // any IV length
constexpr size_t kShortIvVectorsPerFile = 2625;  // 12-byte IVs

struct GcmVector {
  std::string where;
  Bytes key, iv, aad, text, cipher, tag;  // text: empty when `fails`
  bool fails;
};

std::vector<GcmVector> vectors_of(const std::string& file) {
  std::vector<GcmVector> out;
  for (const VectorBlock& v : read_vectors("ciphers/AES/GCM/" + file)) {
    const bool fails = v.has("FAIL");
    out.push_back({v.where(), v.bytes("KEY"), v.bytes("IV"), v.bytes("AAD"), fails ? Bytes{} : v.bytes("PT"),
                   v.bytes("CT"), v.bytes("TAG"), fails});
  }
  return out;
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Setting {
  const char* platform;
  ShareMode share;
  const char* key_bits;
};

class GcmCavp : public testing::TestWithParam<Setting> {
 protected:
  GcmCavp() { lab_->caam().set_trace(&record_); }
  std::string file(const char* stem) const { return std::string(stem) + GetParam().key_bits + ".rsp"; }
  const Layout& next_layout() { return layouts()[turn_++ % layouts().size()]; }

  // A transform with the key and tag size of `v`.
  api::AeadHandle keyed(const GcmVector& v) {
    api::AeadHandle tfm = lab_.aead("gcm-aes-caam");
    EXPECT_EQ(crypto_aead_setkey(*tfm, v.key), 0) << v.where;
    EXPECT_EQ(crypto_aead_setauthsize(*tfm, static_cast<unsigned>(v.tag.size())), 0) << v.where;
    return tfm;
  }
  void expect_refused_for_the_tag_only(const GcmVector& v, api::CryptoAead& tfm, const Layout& layout);

  static tools::LabOptions options() {
    tools::LabOptions o;
    o.driver.share = GetParam().share;
    o.generic_drivers = o.cpu_drivers = false;
    return o;
  }
  JobRecord record_;
  LabFixture lab_{GetParam().platform, options()};
  size_t turn_ = 0;
};

TEST_P(GcmCavp, Encrypt) {
  size_t run = 0;
  for (const GcmVector& v : vectors_of(file("gcmEncryptExtIV"))) {
    if (v.iv.size() != 12) continue;
    auto tfm = keyed(v);
    const Layout& layout = next_layout();
    record_.clear();
    const Outcome got = run_aead(*tfm, Crypt::kEncrypt, {v.iv, v.aad, v.text}, layout);
    ASSERT_EQ(got.err, 0) << v.where << ", " << layout.name;
    ASSERT_EQ(hex(got.out), hex(joined(v.cipher, v.tag))) << v.where << ", " << layout.name;
    ASSERT_TRUE(got.guards_intact) << v.where << ", " << layout.name;
    ASSERT_EQ(record_.jobs().size(), 1u) << v.where;
    ASSERT_EQ(record_.last().status.word, 0u) << v.where;
    ++run;
  }
  EXPECT_EQ(run, kShortIvVectorsPerFile);
}

// A FAIL vector, then the same with the tag that would have been right: the job must take the same way through the
// same commands, and the only difference is the status.
void GcmCavp::expect_refused_for_the_tag_only(const GcmVector& v, api::CryptoAead& tfm, const Layout& layout) {
  const JobRecord::Job refused = record_.last();
  ASSERT_EQ(refused.status.source(), desc::StatusSource::kCcb) << v.where;
  ASSERT_EQ(refused.status.cha(), desc::ChaId::kAes) << v.where;
  ASSERT_EQ(refused.status.ccb_error(), desc::CcbError::kIcvCheck) << v.where;
  ASSERT_EQ(refused.status.index(), refused.path.back()) << v.where << ": not at the last command, the ICV's";

  GcmReference reference(GcmForm::kGcm, v.key);
  const Bytes text = reference.decrypt_only(v.iv, v.aad, v.cipher);
  const Bytes sealed = reference.seal(v.iv, v.aad, text, v.tag.size());
  ASSERT_NE(sealed, joined(v.cipher, v.tag)) << v.where;
  record_.clear();
  const Outcome got = run_aead(tfm, Crypt::kDecrypt, {v.iv, v.aad, sealed}, layout);
  ASSERT_EQ(got.err, 0) << v.where << ", right tag, " << layout.name;
  ASSERT_EQ(hex(got.out), hex(text)) << v.where << ", right tag, " << layout.name;
  ASSERT_EQ(record_.last().path, refused.path) << v.where;
}

TEST_P(GcmCavp, Decrypt) {
  size_t good = 0, bad = 0;
  for (const GcmVector& v : vectors_of(file("gcmDecrypt"))) {
    if (v.iv.size() != 12) continue;
    auto tfm = keyed(v);
    const Layout& layout = next_layout();
    record_.clear();
    const Outcome got = run_aead(*tfm, Crypt::kDecrypt, {v.iv, v.aad, joined(v.cipher, v.tag)}, layout);
    ASSERT_EQ(record_.jobs().size(), 1u) << v.where;
    ASSERT_EQ(got.err, v.fails ? -EBADMSG : 0) << v.where << ", " << layout.name;
    ASSERT_TRUE(got.guards_intact) << v.where << ", " << layout.name;
    if (v.fails) {
      expect_refused_for_the_tag_only(v, *tfm, layout);
      if (HasFatalFailure()) return;
      ++bad;
    } else {
      ASSERT_EQ(hex(got.out), hex(v.text)) << v.where << ", " << layout.name;
      ++good;
    }
  }
  EXPECT_EQ(good + bad, kShortIvVectorsPerFile);
  EXPECT_GT(bad, 400u);
}

// Every vector as one job descriptor without a shared one: KEY, OPERATION, IV, AAD, text, and the tag stored or
// checked.
struct GcmJob {
  // Status of the job; `out` and `tag` hold what it stored.
  desc::JrStatus run(LabFixture& lab, const GcmVector& v, bool encrypt) {
    RingJob job(lab);
    desc::Builder& d = job.builder();
    d.append_key_as_imm(v.key, static_cast<unsigned>(v.key.size()), {.cls = desc::ClassSel::kClass1});
    d.append_operation(
        desc::AlgOperation{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .icv = !encrypt, .enc = encrypt});
    const Bytes& text = encrypt ? v.text : v.cipher;
    const Bytes* const in[] = {&v.iv, &v.aad, &text, encrypt ? nullptr : &v.tag};
    constexpr desc::FifoLoadType kTypes[] = {desc::FifoLoadType::kIv, desc::FifoLoadType::kAad,
                                             desc::FifoLoadType::kMsg, desc::FifoLoadType::kIcv};
    size_t last = 0;
    for (size_t i = 0; i < 4; ++i)
      if (in[i] != nullptr && !in[i]->empty()) last = i;
    out.assign(text.size(), 0);
    tag.assign(v.tag.size(), 0);
    if (!out.empty())
      d.append_fifo_store(job.output(out),
                          {.type = desc::FifoStoreType::kMsg, .len = static_cast<uint16_t>(out.size())});
    for (size_t i = 0; i <= last; ++i) {
      if (in[i]->empty()) continue;
      const uint8_t action = i == last ? desc::kFifoLoadLast1 : desc::kFifoLoadFlush1;
      d.append_fifo_load(job.input(*in[i]), {.cls = desc::ClassSel::kClass1,
                                             .type = desc::fifo_load_type(kTypes[i], action),
                                             .len = static_cast<uint16_t>(in[i]->size())});
    }
    if (encrypt)
      d.append_store(
          job.output(tag),
          {.cls = desc::ClassSel::kClass1, .src = desc::kRegContext, .len = static_cast<uint8_t>(tag.size())});
    return job.run();
  }
  Bytes out, tag;
};

TEST_P(GcmCavp, EveryIvLengthAsAJob) {
  GcmJob job;
  size_t encrypted = 0, decrypted = 0;
  for (const GcmVector& v : vectors_of(file("gcmEncryptExtIV"))) {
    ASSERT_EQ(job.run(lab_, v, true).word, 0u) << v.where;
    ASSERT_EQ(hex(job.out), hex(v.cipher)) << v.where;
    ASSERT_EQ(hex(job.tag), hex(v.tag)) << v.where;
    ++encrypted;
  }
  for (const GcmVector& v : vectors_of(file("gcmDecrypt"))) {
    const desc::JrStatus status = job.run(lab_, v, false);
    if (v.fails) {
      ASSERT_EQ(status.word & 0xF00000FF, desc::JrStatus::ccb(desc::ChaId::kAes, desc::CcbError::kIcvCheck, 0).word)
          << v.where;
    } else {
      ASSERT_EQ(status.word, 0u) << v.where;
      ASSERT_EQ(hex(job.out), hex(v.text)) << v.where;
    }
    ++decrypted;
  }
  EXPECT_EQ(encrypted, kVectorsPerFile);
  EXPECT_EQ(decrypted, kVectorsPerFile);
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const char* bits : {"128", "192", "256"})
    for (const ShareMode share : {ShareMode::kSerial, ShareMode::kNever})
      for (const char* platform : {"ls1046a", "lx2160a"}) all.push_back({platform, share, bits});
  return all;
}

INSTANTIATE_TEST_SUITE_P(, GcmCavp, testing::ValuesIn(settings()), [](const auto& info) {
  return std::string(info.param.platform) + (info.param.share == ShareMode::kNever ? "_never_" : "_serial_") +
         info.param.key_bits;
});

}  // namespace
}  // namespace caamlab::tests
