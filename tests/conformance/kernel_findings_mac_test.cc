// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/kernel-findings.md, 1 to 3: CMAC and XCBC-MAC jobs as caamhash.c makes them, queued back to back. Witness: the
// software of the same name.
#include "desc/constructors/hash.h"
#include "desc/constructors/sk_hash.h"
#include "tests/conformance/deco_bench.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using desc::ShareMode;

struct MacRow {
  const char* name;
  const char* software;
  uint16_t aai;
  unsigned keylen, ctx_len;
};
constexpr MacRow kMacs[] = {{"cmac, 128-bit key", "cmac(aes)", desc::aai::kCmac, 16, 32},
                            {"cmac, 192-bit key", "cmac(aes)", desc::aai::kCmac, 24, 32},
                            {"cmac, 256-bit key", "cmac(aes)", desc::aai::kCmac, 32, 32},
                            {"xcbc", "xcbc(aes)", desc::aai::kXcbcMac, 16, 48}};

// One transform: a key, its memory, its descriptors.
struct MacBench : DecoBench {
  MacBench(const MacRow& row, const desc::Target& target)
      : DecoBench(2, hw_model::SerialPolicy::kSelf, target), row(row) {}

  Buffer descriptor(AlgState state, ShareMode share) {
    const bool last = state == AlgState::kFinal || state == AlgState::kInitFinal;
    desc::AlgInfo info{.op = {.cls = desc::ClassSel::kClass1, .alg = desc::Alg::kAes, .aai = row.aai}};
    info.keylen = static_cast<uint16_t>(row.keylen);
    info.key = key;
    info.key_dma = key_memory.addr;
    Builder b = builder();
    cnstr_shdsc_sk_hash(
        b, info, {.state = state, .digestsize = last ? 16 : row.ctx_len, .ctx_len = row.ctx_len, .share = share});
    return place(b);
  }
  struct Job {
    BusAddr job;
    Buffer out;
  };
  Job job(const Buffer& sd, Bytes saved, const Bytes& text, size_t out_len) {
    saved.insert(saved.end(), text.begin(), text.end());
    const Buffer in = mem.input(saved), out = mem.output(out_len);
    Builder b = builder();
    init_ahash_job(b, {.shared = shared(sd), .in = at(in), .out = at(out)});
    return {place(b).addr, out};
  }
  // The same state for every text, one after the other (fresh) or all queued at once.
  std::vector<Bytes> run_all(const Buffer& sd, const std::vector<Bytes>& saved, const std::vector<Bytes>& texts,
                             size_t out_len, bool queued) {
    std::vector<Job> jobs;
    std::vector<BusAddr> addrs;
    for (size_t i = 0; i < texts.size(); ++i) {
      jobs.push_back(job(sd, saved.empty() ? Bytes{} : saved[i], texts[i], out_len));
      addrs.push_back(jobs.back().job);
    }
    std::vector<JrStatus> statuses;
    if (queued) {
      statuses = run(addrs);
    } else {
      for (const BusAddr addr : addrs) statuses.push_back(run({addr}).front());
    }
    for (const JrStatus s : statuses) EXPECT_EQ(s, ok()) << row.name;
    std::vector<Bytes> out;
    for (const Job& j : jobs) out.push_back(j.out.bytes());
    return out;
  }

  const MacRow& row;
  const Bytes key = filler(row.keylen, 1);
  const Buffer key_memory = mem.both(key);  // xcbc: where K1 goes
};

std::vector<Bytes> texts_of(size_t len, uint32_t seed) {
  return {filler(len, seed), filler(len, seed + 1), filler(len, seed + 2)};
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes mac_of(LabFixture& lab, const std::string& driver, const Bytes& key, const Bytes& message,
             HashCalls calls = HashCalls::kDigest) {
  auto tfm = lab.ahash(driver);
  EXPECT_EQ(crypto_ahash_setkey(*tfm, key), 0);
  return run_ahash(*tfm, message, calls, Layout{.name = "pieces", .src_pieces = {40, 16}}).out;
}
Bytes software_mac(LabFixture& lab, const MacRow& row, const Bytes& key, const Bytes& message) {
  auto tfm = lab.get(row.software, crypto_alloc_ahash(lab->registry(), row.software, 0, api::CRYPTO_ALG_ASYNC));
  EXPECT_EQ(crypto_ahash_setkey(*tfm, key), 0);
  return run_ahash(*tfm, message, HashCalls::kDigest, plain_layout()).out;
}

class MacFindings : public testing::TestWithParam<desc::Target> {
 protected:
  LabFixture lab_{"lx2160a"};
};

// 1: update and final as serial followers. 4 keys x 2 states x 6 parts are the 48 descriptors.
TEST_P(MacFindings, UpdateAndFinalAsFollowers) {
  const auto heads = texts_of(32, 10), tails = texts_of(32, 20);
  for (const MacRow& row : kMacs)
    for (const AlgState state : {AlgState::kUpdate, AlgState::kFinal}) {
      MacBench bench(row, GetParam());
      const bool last = state == AlgState::kFinal;
      const size_t out_len = last ? 16 : row.ctx_len;
      const auto saved =
          bench.run_all(bench.descriptor(AlgState::kInit, ShareMode::kNever), {}, heads, row.ctx_len, false);
      const Buffer serial = bench.descriptor(state, ShareMode::kSerial),
                   never = bench.descriptor(state, ShareMode::kNever);
      const auto alone = bench.run_all(serial, saved, tails, out_len, false);
      const auto queued = bench.run_all(serial, saved, tails, out_len, true);
      EXPECT_EQ(hex(queued[0]), hex(alone[0])) << row.name;
      for (const size_t i : {1, 2}) EXPECT_NE(hex(queued[i]), hex(alone[i])) << row.name << ", follower " << i;
      // Right: the same descriptor, never shared.
      EXPECT_EQ(bench.run_all(never, saved, tails, out_len, true), alone) << row.name;
      for (size_t i = 0; last && i < alone.size(); ++i)
        EXPECT_EQ(hex(alone[i]), hex(software_mac(lab_, row, bench.key, joined(heads[i], tails[i])))) << row.name;
    }
}

// 2: the first update of xcbc as a follower: the key register holds K1 by then, and the transform's K1 is spoiled.
TEST_P(MacFindings, XcbcInitAsFollower) {
  const MacRow& row = kMacs[3];
  MacBench bench(row, GetParam());
  const auto heads = texts_of(32, 30);
  const auto alone = bench.run_all(bench.descriptor(AlgState::kInit, ShareMode::kNever), {}, heads, row.ctx_len, true);
  const Bytes k1 = bench.key_memory.bytes();
  const auto queued =
      bench.run_all(bench.descriptor(AlgState::kInit, ShareMode::kSerial), {}, heads, row.ctx_len, true);
  EXPECT_EQ(hex(queued[0]), hex(alone[0]));
  EXPECT_NE(hex(queued[1]), hex(alone[1]));
  EXPECT_NE(bench.key_memory.bytes(), k1);
  // A hash that was in progress before, and right until now.
  const Buffer fin = bench.descriptor(AlgState::kFinal, ShareMode::kNever);
  const Bytes tail = filler(16, 40);
  const Bytes want = software_mac(lab_, row, bench.key, joined(heads[0], tail));
  EXPECT_NE(hex(bench.run_all(fin, {alone[0]}, {tail}, 16, false)[0]), hex(want));
  std::ranges::copy(k1, bench.key_memory.data);
  EXPECT_EQ(hex(bench.run_all(fin, {alone[0]}, {tail}, 16, false)[0]), hex(want));
}

// 3: a state imported into a transform that has had no first update: the memory of K1 holds the raw key.
TEST_P(MacFindings, XcbcStateImportedIntoAFreshTransform) {
  const MacRow& row = kMacs[3];
  const Bytes head = filler(32, 50), tail = filler(16, 51);
  MacBench first(row, GetParam()), second(row, GetParam());
  const Bytes state = first.run_all(first.descriptor(AlgState::kInit, ShareMode::kNever), {}, {head}, 48, false)[0];
  const Bytes want = software_mac(lab_, row, first.key, joined(head, tail));
  EXPECT_EQ(hex(first.run_all(first.descriptor(AlgState::kFinal, ShareMode::kNever), {state}, {tail}, 16, false)[0]),
            hex(want));
  const Buffer fin = second.descriptor(AlgState::kFinal, ShareMode::kNever);
  EXPECT_NE(hex(second.run_all(fin, {state}, {tail}, 16, false)[0]), hex(want));
  // Right: K1 made at setkey, by a first update over anything.
  second.run_all(second.descriptor(AlgState::kInit, ShareMode::kNever), {}, {Bytes(16)}, 48, false);
  EXPECT_EQ(hex(second.run_all(fin, {state}, {tail}, 16, false)[0]), hex(want));
}
ON_EVERY_PART(MacFindings);

// The driver, with many hashes of one transform on their way, is right (tests/driver/caam/queue_test.cc); and so with
// each by itself, in pieces.
TEST(MacFindingsDriver, IsRight) {
  LabFixture lab("lx2160a");
  for (const MacRow& row : kMacs) {
    const Bytes key = filler(row.keylen, 1), message = filler(100, 60);
    const char* driver = row.aai == desc::aai::kCmac ? "cmac-aes-caam" : "xcbc-aes-caam";
    for (const HashCalls calls : {HashCalls::kUpdateFinal, HashCalls::kExportImport})
      EXPECT_EQ(hex(mac_of(lab, driver, key, message, calls)), hex(software_mac(lab, row, key, message))) << row.name;
  }
}

}  // namespace
}  // namespace caamlab::tests
