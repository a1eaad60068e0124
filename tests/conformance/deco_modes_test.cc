// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Modes of the AESA and DESA that no algorithm of the driver uses (CFB, OFB, CCM), as descriptors through ring and DECO
// against all CAVP vectors; both directions, on big and little endian parts.
#include "tests/conformance/ring_job.h"
#include "tests/hw_model/cha/vectors.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using desc::ClassSel;
using desc::FifoLoadType;
namespace aai = desc::aai;

class DecoModes : public testing::TestWithParam<const char*> {
 protected:
  static tools::LabOptions options() {
    tools::LabOptions o;
    o.generic_drivers = o.cpu_drivers = false;
    return o;
  }
  LabFixture lab_{GetParam(), options()};

  static void append_key(desc::Builder& d, const Bytes& key) {
    d.append_key_as_imm(key, static_cast<unsigned>(key.size()), {.cls = ClassSel::kClass1});
  }
  static void append_context(desc::Builder& d, const Bytes& context, uint8_t offset) {
    d.append_load_as_imm(context, {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .offset = offset});
  }
  static void append_input(RingJob& job, FifoLoadType type, uint8_t action, const Bytes& bytes) {
    job.builder().append_fifo_load(job.input(bytes), {.cls = ClassSel::kClass1,
                                                      .type = desc::fifo_load_type(type, action),
                                                      .len = static_cast<uint16_t>(bytes.size())});
  }
  static void append_text_out(RingJob& job, Bytes& room) {
    job.builder().append_fifo_store(job.output(room),
                                    {.type = desc::FifoStoreType::kMsg, .len = static_cast<uint16_t>(room.size())});
  }
};

struct StreamMode {
  desc::Alg alg;
  uint16_t aai;
  uint8_t iv_at;  // in the context
  const char* folder;
  std::vector<const char*> kinds, sizes;
};
const std::vector<const char*> kAesKinds = {"GFSbox", "KeySbox", "MMT", "VarKey", "VarTxt"},
                               kAesSizes = {"128", "192", "256"},
                               kDesKinds = {"invperm", "permop", "subtab", "varkey", "vartext", "MMT1", "MMT2", "MMT3"};
const StreamMode kStreamModes[] = {
    {desc::Alg::kAes, aai::kCfb, 0, "ciphers/AES/CFB/CFB128", kAesKinds, kAesSizes},
    {desc::Alg::kAes, aai::kOfb, 0, "ciphers/AES/OFB/OFB", kAesKinds, kAesSizes},
    {desc::Alg::k3Des, aai::kCfb, 0, "ciphers/3DES/CFB/TCFB64", kDesKinds, {""}},
    {desc::Alg::k3Des, aai::kOfb, 0, "ciphers/3DES/OFB/TOFB", kDesKinds, {""}},
};

Bytes key_of(const Vector& v) {
  if (v.has("key")) return v.hex("key");
  Bytes key;
  for (const char* name : {"key1", "key2", "key3"}) {
    const Bytes part = v.hex(v.has("keys") ? "keys" : name);
    key.insert(key.end(), part.begin(), part.end());
  }
  return key;
}

TEST_P(DecoModes, FeedbackModes) {
  for (const StreamMode& mode : kStreamModes) {
    size_t run = 0;
    for (const char* kind : mode.kinds)
      for (const char* size : mode.sizes)
        for (const Vector& v : read_vectors(std::string(mode.folder) + kind + size + ".rsp", "count"))
          for (const bool encrypt : {true, false}) {
            const Bytes& in = v.hex(encrypt ? "plaintext" : "ciphertext");
            Bytes out(in.size());
            RingJob job(lab_);
            desc::Builder& d = job.builder();
            append_key(d, key_of(v));
            append_context(d, v.hex("iv"), mode.iv_at);
            d.append_operation(
                desc::AlgOperation{.alg = mode.alg, .aai = mode.aai, .as = AlgState::kInitFinal, .enc = encrypt});
            append_text_out(job, out);
            append_input(job, FifoLoadType::kMsg, desc::kFifoLoadLast1, in);
            ASSERT_EQ(job.run().word, 0u) << v.where;
            ASSERT_EQ(to_hex(out), v.text(encrypt ? "ciphertext" : "plaintext")) << v.where;
            ++run;
          }
    EXPECT_GT(run, 500u) << mode.folder;
  }
}

struct CcmVector {
  std::string where;
  Bytes key, nonce, aad, plain, cipher, tag;
  bool fails;
};

std::vector<CcmVector> ccm_vectors() {
  std::vector<CcmVector> out;
  for (const char* kind : {"DVPT", "VADT", "VNT", "VPT", "VTT"})
    for (const char* bits : {"128", "192", "256"})
      for (const Vector& v : read_vectors(std::string("ciphers/AES/CCM/") + kind + bits + ".rsp", "count")) {
        CcmVector c{v.where, v.hex("key"), v.hex("nonce"), v.hex("adata"), {}, v.hex("ct"), {}, false};
        c.fails = v.has("result") && !v.text("result").starts_with("Pass");
        c.aad.resize(v.number("alen"));  // nothing is written as one byte
        const auto text = static_cast<ptrdiff_t>(v.number("plen"));
        if (!c.fails) c.plain = v.hex("payload");
        c.plain.resize(static_cast<size_t>(text));
        c.tag.assign(c.cipher.begin() + text, c.cipher.end());
        c.cipher.resize(static_cast<size_t>(text));
        out.push_back(std::move(c));
      }
  return out;
}

// The first block of the MAC and the first counter block (SP 800-38C, A.2.1 and A.3), as the AESA wants them.
Bytes ccm_context(const CcmVector& v) {
  const size_t len_bytes = 15 - v.nonce.size();
  Bytes context(32);
  context[0] = static_cast<uint8_t>((v.aad.empty() ? 0 : 0x40) | (v.tag.size() - 2) / 2 << 3 | (len_bytes - 1));
  context[16] = static_cast<uint8_t>(len_bytes - 1);
  for (const size_t at : {1, 17}) std::copy(v.nonce.begin(), v.nonce.end(), context.begin() + static_cast<long>(at));
  for (size_t i = 0; i < std::min<size_t>(len_bytes, 4); ++i)
    context[15 - i] = static_cast<uint8_t>(v.plain.size() >> 8 * i);
  return context;
}

// AAD of less than 0xff00 bytes with its length in front (A.2.2).
Bytes ccm_aad(const CcmVector& v) {
  Bytes out{static_cast<uint8_t>(v.aad.size() >> 8), static_cast<uint8_t>(v.aad.size())};
  out.insert(out.end(), v.aad.begin(), v.aad.end());
  return out;
}

TEST_P(DecoModes, Ccm) {
  size_t good = 0, bad = 0;
  for (const CcmVector& v : ccm_vectors())
    for (const bool encrypt : {true, false}) {
      if (v.fails && encrypt) continue;
      // What the class gets after key and context, the last of it marked.
      struct Input {
        FifoLoadType type;
        Bytes bytes;
      };
      std::vector<Input> inputs;
      if (!v.aad.empty()) inputs.push_back({FifoLoadType::kAad, ccm_aad(v)});
      if (!v.plain.empty()) inputs.push_back({FifoLoadType::kMsg, encrypt ? v.plain : v.cipher});
      if (!encrypt) inputs.push_back({FifoLoadType::kIcv, v.tag});
      Bytes out(v.plain.size()), tag(v.tag.size());
      RingJob job(lab_);
      desc::Builder& d = job.builder();
      append_key(d, v.key);
      append_context(d, ccm_context(v), 0);
      d.append_operation(
          desc::AlgOperation{.aai = aai::kCcm, .as = AlgState::kInitFinal, .icv = !encrypt, .enc = encrypt});
      if (!out.empty()) append_text_out(job, out);
      for (size_t i = 0; i < inputs.size(); ++i)
        append_input(job, inputs[i].type, i + 1 == inputs.size() ? desc::kFifoLoadLast1 : desc::kFifoLoadFlush1,
                     inputs[i].bytes);
      if (inputs.empty())
        d.append_fifo_load_as_imm(
            {}, {.cls = ClassSel::kClass1, .type = desc::fifo_load_type(FifoLoadType::kMsg, desc::kFifoLoadLast1)});
      if (encrypt)
        d.append_store(job.output(tag), {.cls = ClassSel::kClass1,
                                         .src = desc::kRegContext,
                                         .offset = 32,
                                         .len = static_cast<uint8_t>(tag.size())});
      const desc::JrStatus status = job.run();
      if (v.fails) {
        ASSERT_EQ(status.cha(), desc::ChaId::kAes) << v.where;
        ASSERT_EQ(status.ccb_error(), desc::CcbError::kIcvCheck) << v.where;
        ++bad;
        continue;
      }
      ASSERT_EQ(status.word, 0u) << v.where;
      ASSERT_EQ(to_hex(out), to_hex(encrypt ? v.cipher : v.plain)) << v.where;
      if (encrypt) {
        ASSERT_EQ(to_hex(tag), to_hex(v.tag)) << v.where;
      }
      ++good;
    }
  EXPECT_GT(good, 3000u);
  EXPECT_GT(bad, 100u);
}

INSTANTIATE_TEST_SUITE_P(Parts, DecoModes, testing::Values("ls1046a", "lx2160a"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace caamlab::tests
