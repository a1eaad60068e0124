// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_safety.h. Ciphers and aeads run through the driver, which takes the share mode as an option. It never
// shares the hash descriptors that are wrong when shared, so there the mode is written over the one descriptor in
// question.
#include "tests/conformance/share_safety.h"

#include "api/keys.h"
#include "desc/constructors/aead.h"
#include "driver/caam/caamhash_ctx.h"
#include "tests/conformance/deco_bench.h"
#include "tests/driver/caam/queued.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

// Fewer than requests: some jobs run side by side, others find a DECO that has just run a job of their flow.
constexpr unsigned kDecos = 4;

bool has(const AlgRow& row, const char* part) { return row.name.find(part) != std::string::npos; }

// More tanks than requests: each job sees the one before it end.
tools::LabOptions lab_options(const ShareColumn& column) {
  tools::LabOptions o;
  o.driver.share = column.mode;
  o.hardware.scheduler = {.serial_policy = column.policy, .tanks = 64};
  return o;
}

std::string kind_of(const AlgRow& row) {
  if (has(row, "cipher_null")) return "HMAC alone";
  for (const char* name :
       {"cmac", "xcbc", "rfc7539esp", "rfc7539", "rfc4106", "rfc4543", "gcm", "rfc3686", "xts", "chacha20", "ctr"})
    if (has(row, name)) return name;
  for (const char* mode : {"cbc", "ecb"})
    if (has(row, mode)) return std::string(mode) + (has(row, "des") ? ", DES and 3DES" : ", AES");
  return row.keyed ? "hmac" : "hash";
}

std::string constructor_of(const AlgRow& row, Crypt crypt) {
  const std::string way = crypt == Crypt::kEncrypt ? "encap" : "decap";
  if (row.type == "skcipher") return (has(row, "xts") ? "xts_skcipher_" : "skcipher_") + way;
  if (has(row, "7539")) return "chachapoly, " + way;
  for (const char* name : {"rfc4106", "rfc4543", "gcm"})
    if (has(row, name)) return std::string(name) + "_" + way;
  if (has(row, "cipher_null")) return "aead_null_" + way;
  return row.geniv && crypt == Crypt::kEncrypt ? "aead_givencap" : "aead_" + way + (row.geniv ? ", geniv" : "");
}

class Measurement {
 public:
  Measurement(LabFixture& lab, size_t column, unsigned requests, ShareTable& table)
      : lab_(lab), column_(column), requests_(requests), table_(table) {}

  void run_all() {
    for (const AlgRow& row : caam_rows()) {
      if (!lab_.has(row.driver)) continue;
      if (row.type == "aead") both_ways(row, &Measurement::aead_wrong);
      if (row.type == "skcipher") both_ways(row, &Measurement::skcipher_wrong);
      if (row.type == "ahash") hash(row);
    }
    table_.followers += lab_->caam().scheduler().stats().jobs_with_shared_keys;
  }

 private:
  void note(const std::string& name, bool wrong) {
    ShareRow& row = table_.rows[name];
    if (column_ == 0) ++row.algorithms;
    row.wrong[column_] += wrong;
  }
  void both_ways(const AlgRow& row, bool (Measurement::*wrong)(const AlgRow&, Crypt)) {
    for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt})
      note("`" + constructor_of(row, crypt) + "`, " + kind_of(row), (this->*wrong)(row, crypt));
  }

  // An IV that the device makes is in front of the text; its sealed text is opened by software.
  bool aead_wrong(const AlgRow& row, Crypt crypt) {
    const Bytes key = key_for(row);
    auto software = software_aead(lab_, row, key), caam = lab_.aead(row.driver);
    EXPECT_EQ(crypto_aead_setkey(*caam, key), 0) << row.driver;
    std::vector<AeadInput> plain, sealed;
    for (unsigned i = 0; i < requests_; ++i) {
      plain.push_back(aead_input(row, 16 * (i % 4 + 1) + i % 3, 8 + i % 9, 1000 + i));
      sealed.push_back(plain.back());
      sealed.back().text = run_aead(*software, Crypt::kEncrypt, plain.back(), plain_layout()).out;
    }
    const bool encrypt = crypt == Crypt::kEncrypt;
    const QueuedResults got = run_queued(lab_, *caam, crypt, encrypt ? plain : sealed);
    const auto skip = [&](const Bytes& b) { return std::span(b).subspan(row.geniv ? row.ivsize : 0); };
    for (unsigned i = 0; i < requests_; ++i) {
      if (got[i].err != 0) return true;
      if (encrypt && row.geniv) {
        AeadInput in = plain[i];
        in.text = got[i].out;
        const Outcome opened = run_aead(*software, Crypt::kDecrypt, in, plain_layout());
        if (opened.err != 0 || !std::ranges::equal(skip(opened.out), skip(plain[i].text))) return true;
      } else if (encrypt) {
        if (got[i].out != sealed[i].text) return true;
      } else if (!std::ranges::equal(skip(got[i].out), skip(plain[i].text))) {
        return true;
      }
    }
    return false;
  }

  bool skcipher_wrong(const AlgRow& row, Crypt crypt) {
    const Bytes key = key_for(row);
    auto software = software_skcipher(lab_, row, key);
    auto caam = lab_.skcipher(row.driver);
    EXPECT_EQ(crypto_skcipher_setkey(*caam, key), 0) << row.driver;
    std::vector<CipherInput> inputs;
    for (unsigned i = 0; i < requests_; ++i) {
      inputs.push_back({random_bytes(row.ivsize, 2000 + i), random_bytes(16 * (i % 5 + 1), 3000 + i)});
      if (has(row, "xts")) std::fill(inputs[i].iv.begin() + 8, inputs[i].iv.end(), uint8_t{0});  // eras up to 8
    }
    const QueuedResults got = run_queued(lab_, *caam, crypt, inputs);
    for (unsigned i = 0; i < requests_; ++i) {
      const Outcome want = run_skcipher(*software, crypt, inputs[i].iv, inputs[i].text, plain_layout());
      if (got[i].err != 0 || got[i].out != want.out) return true;
    }
    return false;
  }

  void hash(const AlgRow& row) {
    const bool mac = has(row, "(aes)");
    const std::string name = mac ? "`sk_hash`, " : "`ahash`, ";
    using Ctx = driver::caam::CaamHashCtx;
    struct One {
      const char* name;
      driver::caam::ShDesc Ctx::*desc;
      std::vector<size_t> ends;
    };
    for (const One& one :
         {One{" update_first", &Ctx::update_first, {130, 300}}, One{" update", &Ctx::update, {130, 290, 400}},
          One{" final", &Ctx::fin, {130, 300}}, One{" digest", &Ctx::digest, {100}}})
      note(name + kind_of(row) + one.name, hash_wrong(row, one.desc, one.ends));
  }

  bool hash_wrong(const AlgRow& row, driver::caam::ShDesc driver::caam::CaamHashCtx::*which,
                  const std::vector<size_t>& ends) {
    const Bytes key = key_for(row);
    auto software = software_ahash(lab_, row, key), caam = lab_.ahash(row.driver);
    if (row.keyed) {
      EXPECT_EQ(crypto_ahash_setkey(*caam, key), 0) << row.driver;
    }
    force_share(driver::caam::hash_ctx(*caam), which);
    std::vector<Bytes> messages;
    for (unsigned i = 0; i < requests_; ++i) messages.push_back(random_bytes(ends.back(), 4000 + i));
    const QueuedResults got = run_queued(lab_, *caam, messages, ends);
    for (unsigned i = 0; i < requests_; ++i) {
      const Outcome want = run_ahash(*software, messages[i], HashCalls::kDigest, plain_layout());
      if (got[i].err != 0 || got[i].out != want.out) return true;
    }
    return false;
  }

  // The mode of one of the four descriptors, as it lies in memory; the other three are never shared.
  void force_share(driver::caam::CaamHashCtx& ctx, driver::caam::ShDesc driver::caam::CaamHashCtx::*which) {
    using Ctx = driver::caam::CaamHashCtx;
    for (const auto desc : {&Ctx::update_first, &Ctx::update, &Ctx::fin, &Ctx::digest}) {
      uint8_t* word = (ctx.*desc).mem;
      const desc::Endian endian = ctx.ctrl().target.endian;
      auto header = desc::decode_as<desc::SharedHeader>(desc::load32(word, endian));
      header.share = desc == which ? kShareColumns[column_].mode : desc::ShareMode::kNever;
      desc::store32(word, desc::encode(header), endian);
    }
  }

  LabFixture& lab_;
  const size_t column_;
  const unsigned requests_;
  ShareTable& table_;
};

// What the kernel does from era 6 on with a split key that has no room in the descriptor: DKP puts it into the memory
// the HMAC key came from. The driver makes a split key at setkey instead, so this one runs without it.
bool dkp_to_memory_wrong(LabFixture& lab, const ShareColumn& column, unsigned requests) {
  AlgRow row = caam_row("authenc-hmac-sha512-ecb-cipher_null-caam");
  const Bytes hmac_key = random_bytes(40, 1);
  auto software = software_aead(lab, row, api::crypto_authenc_make_key(hmac_key, {}));
  DecoBench bench(kDecos, column.policy);
  Bytes room = hmac_key;
  room.resize(desc::split_key_len(desc::Alg::kSha512));
  const Buffer memory = bench.mem.both(room);
  desc::AlgInfo adata{
      .op = {.cls = desc::ClassSel::kClass2, .alg = desc::Alg::kSha512, .aai = desc::aai::kHmacPrecomp}};
  adata.keylen = static_cast<uint16_t>(hmac_key.size());
  adata.keylen_pad = desc::split_key_len(desc::Alg::kSha512);
  adata.key_inline = false;
  adata.key_dma = memory.addr;
  Builder b = bench.builder();
  cnstr_shdsc_aead_null_encap(b, adata, {.icvsize = 64, .era = 10, .share = column.mode});
  const Buffer sd = bench.place(b);
  std::vector<BusAddr> jobs;
  std::vector<Buffer> outs;
  std::vector<Bytes> wants;
  for (unsigned i = 0; i < requests; ++i) {
    const AeadInput in{.iv = {}, .aad = random_bytes(8, 10 + i), .text = random_bytes(48 + i, 20 + i)};
    Bytes data = in.aad, want = in.aad;
    data.insert(data.end(), in.text.begin(), in.text.end());
    const Bytes sealed = run_aead(*software, Crypt::kEncrypt, in, plain_layout()).out;
    want.insert(want.end(), sealed.begin(), sealed.end());
    wants.push_back(want);
    outs.push_back(bench.mem.output(want.size()));
    Builder job = bench.builder();
    init_authenc_job(job, {.aead = {.sh_desc = sd.addr,
                                    .sh_len = unsigned(sd.len / 4),
                                    .in = bench.at(bench.mem.input(data)),
                                    .out = bench.at(outs.back()),
                                    .assoclen = 8}});
    jobs.push_back(bench.place(job).addr);
  }
  const auto statuses = bench.run(jobs);
  for (unsigned i = 0; i < requests; ++i)
    if (statuses[i] != ok() || outs[i].bytes() != wants[i]) return true;
  return false;
}

}  // namespace

ShareTable measure_share_safety(const std::string& platform, unsigned requests, size_t columns) {
  ShareTable table;
  hw_model::Platform part = *hw_model::find_platform(platform);
  part.decos = std::min(part.decos, kDecos);
  for (size_t column = 0; column < columns; ++column) {
    LabFixture lab(part, lab_options(kShareColumns[column]));
    Measurement(lab, column, requests, table).run_all();
    ShareRow& dkp = table.rows[std::string(kDkpToMemory)];
    dkp.algorithms = 1;
    dkp.wrong[column] = dkp_to_memory_wrong(lab, kShareColumns[column], requests);
  }
  return table;
}

}  // namespace caamlab::tests
