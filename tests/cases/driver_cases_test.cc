// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Requests that went wrong for somebody, through the driver and the model: what the caller gets, and what the device
// was shown. Cases that are rules of the driver anyway are in tests/driver/caam.
#include <algorithm>

#include "api/rng.h"
#include "desc/builder.h"
#include "desc/regs.h"
#include "driver/caam/caamrng.h"
#include "driver/caam/error.h"
#include "driver/caam/jr.h"
#include "driver/caam/sg_sw_sec4.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

// What is mapped, and the words of the descriptor, when a job begins.
struct Watch final : hw_model::TraceSink {
  explicit Watch(LabFixture& lab) : lab(lab) { lab->caam().set_trace(this); }
  ~Watch() override { lab->caam().set_trace(nullptr); }
  void job_begins(const hw_model::Deco& deco) override {
    mapped.emplace_back();
    for (const auto& mapping : lab->dma().leaks()) mapped.back().push_back(mapping);
    words.emplace_back(deco.buffer().begin(), deco.buffer().begin() + deco.total_words());
  }
  void before_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void after_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void job_ends(const hw_model::Deco&, desc::JrStatus status) override { ends.push_back(status); }
  size_t jobs() const { return words.size(); }

  LabFixture& lab;
  std::vector<std::vector<hw_model::DmaSpace::Mapping>> mapped;
  std::vector<std::vector<uint32_t>> words;
  std::vector<desc::JrStatus> ends;
};

// HMAC keys over a block are hashed in a buffer of whole cache lines that nothing else lies in.
TEST(DriverCases, LongHmacKeys) {
  for (const char* platform : {"ls1046a", "lx2160a", "p4080"})
    for (const auto& [len, room] : {std::pair{65u, 128u}, {100u, 128u}, {131u, 192u}, {128u, 128u}, {129u, 192u}}) {
      LabFixture lab(platform);
      const Bytes key = random_bytes(len, len), message = random_bytes(77, 1);
      auto tfm = lab.ahash("hmac-sha256-caam");
      {
        Watch watch(lab);
        ASSERT_EQ(crypto_ahash_setkey(*tfm, key), 0);
        ASSERT_GE(watch.jobs(), 1u);
        const auto& mapped = watch.mapped.front();
        EXPECT_EQ(std::ranges::count_if(mapped,
                                        [room = room](const auto& m) {
                                          return m.len == room && m.addr % 64 == 0 && !m.coherent &&
                                                 m.dir == hw_model::DmaDirection::kBidirectional;
                                        }),
                  1)
            << platform << ' ' << len;
      }
      auto software = software_ahash(lab, caam_row("hmac-sha256-caam"), key);
      EXPECT_EQ(hex(run_ahash(*tfm, message, HashCalls::kDigest, plain_layout()).out),
                hex(run_ahash(*software, message, HashCalls::kDigest, plain_layout()).out))
          << platform << ' ' << len;
    }
}

TEST(DriverCases, KnownDigest) {
  for (const char* platform : {"ls1046a", "lx2160a", "imx6ul"}) {
    LabFixture lab(platform);
    auto tfm = lab.ahash("sha256-caam");
    EXPECT_EQ(hex(run_ahash(*tfm, Bytes(256, 0xde), HashCalls::kDigest, plain_layout()).out),
              "8b11bcdc65d5f1af0fa1edfa7b5db089dba40d4e8d29b455295d58ab2b314e76")
        << platform;
  }
}

// A list longer than what is to be hashed, beginning somewhere inside its first segment.
TEST(DriverCases, HashOfAPartOfAList) {
  LabFixture lab("ls1046a");
  const Bytes key = random_bytes(20, 1);
  auto tfm = lab.ahash("hmac-sha1-caam");
  ASSERT_EQ(crypto_ahash_setkey(*tfm, key), 0);
  auto software = software_ahash(lab, caam_row("hmac-sha1-caam"), key);
  Bytes memory = random_bytes(400, 2);
  for (const size_t offset : {0, 28, 99})
    for (const size_t len : {1, 72, 73, 271, 300}) {
      std::vector<size_t> pieces = {100 - offset, 200, 100};
      const auto rest = std::span(memory).subspan(offset);
      const api::SgTable list = api::SgTable::split_at(rest, pieces);
      Bytes digest(20);
      api::CryptoWait wait;
      auto req = ahash_request_alloc(*tfm);
      ahash_request_set_callback(*req, 0, api::crypto_req_done, &wait);
      ahash_request_set_crypt(*req, list, digest.data(), static_cast<uint32_t>(len));
      ASSERT_EQ(crypto_wait_req(crypto_ahash_digest(*req), wait, *tfm), 0);
      const Bytes part(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(len));
      EXPECT_EQ(hex(digest), hex(run_ahash(*software, part, HashCalls::kDigest, plain_layout()).out)) << offset << len;
    }
}

// Texts that go through a buffer of 1024 bytes, round by round.
TEST(DriverCases, RoundsThroughABuffer) {
  LabFixture lab("lx2160a");
  for (const char* driver : {"cbc-aes-caam", "ctr-aes-caam", "cbc-3des-caam"}) {
    const AlgRow& row = caam_row(driver);
    auto tfm = lab.skcipher(driver);
    ASSERT_EQ(crypto_skcipher_setkey(*tfm, key_for(row)), 0);
    const Bytes iv = random_bytes(row.ivsize, 1), text = random_bytes(1232, 2);
    for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt}) {
      Bytes rounds, next = iv;
      for (size_t at = 0; at < text.size(); at += 1024) {
        const Bytes part(text.begin() + static_cast<ptrdiff_t>(at),
                         text.begin() + static_cast<ptrdiff_t>(std::min<size_t>(at + 1024, text.size())));
        const Outcome outcome = run_skcipher(*tfm, crypt, next, part, plain_layout());
        ASSERT_EQ(outcome.err, 0);
        rounds.insert(rounds.end(), outcome.out.begin(), outcome.out.end());
        next = outcome.iv;
      }
      EXPECT_TRUE(rounds == run_skcipher(*tfm, crypt, iv, text, plain_layout()).out) << driver;
    }
  }
}

// Out of place, nothing before the tag: the output sequence is empty, and there is no table for it.
TEST(DriverCases, OpeningAnEmptyMessage) {
  for (const char* platform : {"ls1046a", "lx2160a"})
    for (const char* driver : {"gcm-aes-caam", "authenc-hmac-sha1-cbc-aes-caam"}) {
      LabFixture lab(platform);
      const AlgRow& row = caam_row(driver);
      auto tfm = lab.aead(driver);
      ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(row)), 0);
      AeadInput input = aead_input(row, 0, 0, 1);
      const Outcome sealed = run_aead(*tfm, Crypt::kEncrypt, input, plain_layout());
      ASSERT_EQ(sealed.err, 0);
      input.text = sealed.out;
      Watch watch(lab);
      const Outcome opened = run_aead(*tfm, Crypt::kDecrypt, input, plain_layout());
      EXPECT_EQ(opened.err, 0) << platform << ' ' << driver;
      EXPECT_TRUE(opened.out.empty());
      EXPECT_EQ(watch.jobs(), 1u);
      input.text.back() ^= 1;
      EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, plain_layout()).err, -EBADMSG);
      ASSERT_EQ(watch.jobs(), 2u);
      for (const auto& words : watch.words) {
        // SEQ OUT PTR with an extended length: nothing, and no table.
        EXPECT_EQ(std::ranges::count(words, 0xf8400000u), 1) << platform << ' ' << driver;
        EXPECT_EQ(std::ranges::count(words, 0xf9400000u), 0);
      }
    }
}

// Tables are read four entries at a time, so they have room for a multiple of four, also behind the IV's entry.
TEST(DriverCases, TablesArePaddedToBursts) {
  for (const char* platform : {"ls1046a", "lx2160a"}) {
    LabFixture lab(platform);
    auto hash = lab.ahash("sha256-caam");
    auto cipher = lab.skcipher("cbc-aes-caam");
    ASSERT_EQ(crypto_skcipher_setkey(*cipher, random_bytes(16, 1)), 0);
    for (size_t segments = 2; segments <= 9; ++segments) {
      const Layout layout{.name = "16-byte pieces", .src_pieces = {16}, .dst_pieces = {16}};
      const Bytes text = random_bytes(16 * segments, segments);
      const auto room = [](size_t entries) { return (entries + 3) / 4 * 4 * desc::kSgEntryBytes; };
      const auto mapped = [](const Watch& watch, size_t len) {
        return std::ranges::count_if(watch.mapped.front(), [len](const auto& m) {
          return m.len == len && m.dir == hw_model::DmaDirection::kToDevice && !m.coherent;
        });
      };
      {
        Watch watch(lab);
        ASSERT_EQ(run_ahash(*hash, text, HashCalls::kDigest, layout).err, 0);
        EXPECT_EQ(mapped(watch, room(segments)), 1) << platform << ' ' << segments;
      }
      Watch watch(lab);
      ASSERT_EQ(run_skcipher(*cipher, Crypt::kEncrypt, Bytes(16), text, layout).err, 0);
      // {IV, source}, then {destination, IV}, whose end is padded.
      EXPECT_EQ(mapped(watch, (segments + 1) * desc::kSgEntryBytes + room(segments + 1)), 1)
          << platform << ' ' << segments;
    }
    EXPECT_EQ(lab->dma().fault_count(), 0u);
  }
}

// The flush of a ring: however often its halt field is read before it says "done", the wait ends, and it ends with an
// error when "done" never comes.
TEST(DriverCases, FlushWaitsForTheHalt) {
  struct HaltingRegisters final : hw_model::RegisterBus {
    explicit HaltingRegisters(hw_model::RegisterBus& bus) : bus(bus) {}
    uint32_t read32(uint32_t offset) override {
      const uint32_t value = bus.read32(offset);
      if (offset % 0x1000 != desc::reg::kJrint || ongoing == 0) return value;
      --ongoing;
      ++reads;
      const uint32_t mask = big ? desc::bswap32(desc::reg::jrint::kHaltMask) : desc::reg::jrint::kHaltMask;
      const uint32_t halting =
          big ? desc::bswap32(desc::reg::jrint::kHaltInProgress) : desc::reg::jrint::kHaltInProgress;
      return (value & ~mask) | halting;
    }
    void write32(uint32_t offset, uint32_t value) override { bus.write32(offset, value); }
    hw_model::RegisterBus& bus;
    bool big = true;
    uint64_t ongoing = 0, reads = 0;
  };
  hw_model::DmaSpace memory;
  hw_model::Caam caam(*hw_model::find_platform("ls1046a"), memory);
  HaltingRegisters registers(caam.registers());
  driver::caam::CaamDevice device = tools::caam_device(caam, memory);
  device.regs = &registers;
  api::Registry registry;
  auto driver = caam_probe(device, registry);
  ASSERT_TRUE(driver.has_value());
  driver::caam::Jr& jr = *(*driver)->rings.front();
  for (const uint64_t ongoing : {0, 1, 2, 50}) {
    registers.ongoing = ongoing;
    registers.reads = 0;
    EXPECT_EQ(caam_jr_shutdown(jr), 0) << ongoing;
    EXPECT_EQ(registers.reads, ongoing);
    EXPECT_EQ(caam_jr_restart(jr), 0);
  }
  registers.ongoing = ~uint64_t{0};
  EXPECT_EQ(caam_jr_shutdown(jr), -EIO);
  registers.ongoing = 0;
}

// A descriptor of 13 words, submitted twice from the same memory: both times the device sees the words as they were
// built. Swapped once more, as a driver did that swapped before each submission, the first word is no header, though
// one could read a length of 48 out of it.
TEST(DriverCases, SubmittedTwice) {
  for (const char* platform : {"ls1046a", "lx2160a"}) {
    LabFixture lab(platform);
    driver::caam::Jr& jr = *lab->driver()->rings.front();
    desc::Builder builder(lab->driver()->target);
    builder.init_job_desc({});
    while (builder.len() < 13) builder.append_wait({.jsl = true, .cond = desc::kCondCalm});
    const auto built = builder.finish();
    ASSERT_TRUE(built.has_value());
    ASSERT_EQ(built->words()[0], 0xb080000du);
    alignas(64) uint8_t raw[13 * 4];
    built->store(raw, lab->driver()->target.endian);
    Watch watch(lab);
    uint32_t status = 1;
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(caam_jr_run(jr, raw, &status), 0);
      EXPECT_EQ(status, 0u);
      ASSERT_EQ(watch.jobs(), static_cast<size_t>(i + 1));
      EXPECT_TRUE(std::ranges::equal(watch.words[static_cast<size_t>(i)], built->words())) << platform << i;
    }
    for (size_t i = 0; i < sizeof(raw); i += 4) std::reverse(raw + i, raw + i + 4);
    EXPECT_EQ(desc::load_be32(raw), lab->driver()->target.endian == desc::Endian::kBig ? 0x0d0080b0u : 0xb080000du);
    EXPECT_EQ(desc::bswap32(0xb080000d) & 0x7f, 48u);
    ASSERT_EQ(caam_jr_run(jr, raw, &status), 0);
    EXPECT_EQ(status, 0x40000013u) << platform << ": not a header";
  }
}

// A failed RNG is an error, and what the caller has stays as it was.
TEST(DriverCases, FailingRngGivesNoData) {
  for (const char* platform : {"ls1046a", "lx2160a"}) {
    LabFixture lab(platform);
    const auto& ctrl = lab->driver()->ctrl;
    ctrl.clrsetbits_32(desc::reg::kRtmctl, 0, desc::reg::rtmctl::kPrgm);  // no entropy from here on
    Bytes out(40, 0xaa);
    Watch watch(lab);
    EXPECT_LT(lab->driver()->hwrng->read(out), 0) << platform;
    EXPECT_EQ(out, Bytes(40, 0xaa));
    ASSERT_EQ(watch.ends.size(), 1u);
    EXPECT_EQ(watch.ends[0].source(), desc::StatusSource::kCcb);
    EXPECT_EQ(watch.ends[0].word & 0xFF, 0x5Bu) << "RNG, hardware";
    ctrl.clrsetbits_32(desc::reg::kRtmctl, desc::reg::rtmctl::kPrgm, 0);
  }
}

TEST(DriverCases, StatusToErrno) {
  LabFixture lab("ls1046a");
  const auto& ctrl = *lab->driver();
  EXPECT_EQ(caam_jr_strstatus(ctrl, 0x2000081a), -EBADMSG);
  for (const uint32_t status : {0x40000013u, 0x20000212u, 0x2000025bu, 0x20003c5bu, 0x20000b0fu, 0x40001713u}) {
    const int err = caam_jr_strstatus(ctrl, status);
    EXPECT_TRUE(err == -EINVAL || err == -EIO) << std::hex << status;
  }
}

// Segments that begin far into a buffer: the entry's address is moved, its offset field is not used.
TEST(DriverCases, FarOffsetsGoIntoTheAddress) {
  for (const char* platform : {"lx2160a", "ls1046a"}) {
    LabFixture lab(platform);
    const auto& jr = *lab->driver()->rings[0];
    uint8_t raw[desc::kSgEntryBytes];
    for (const uint32_t offset : {0u, 1u, 4095u, 4096u, 5000u, 70000u}) {
      driver::caam::dma_to_sec4_sg_one(jr, raw, 0x80000000u + offset, 64, true);
      const desc::SgEntry entry = desc::load_sg_entry(raw, lab->driver()->sg_format, lab->driver()->target);
      EXPECT_EQ(entry, (desc::SgEntry{.addr = 0x80000000u + offset, .len = 64, .final = true})) << platform;
    }
  }
}

// The IV of a sector number of 128 bits, with and without a device that takes it.
TEST(DriverCases, XtsWithALongTweak) {
  const AlgRow& row = caam_row("xts-aes-caam");
  const Bytes key = random_bytes(64, 1), iv = from_hex("00112233445566778899aabbccddeeff");
  for (const auto& [platform, jobs] : {std::pair{"ls1046a", 0u}, {"lx2160a", 1u}})
    for (const size_t len : {40, 369, 2801, 16}) {
      LabFixture lab(platform);
      auto tfm = lab.skcipher(row.driver);
      ASSERT_EQ(crypto_skcipher_setkey(*tfm, key), 0);
      auto software = software_skcipher(lab, row, key);
      const Bytes text = random_bytes(len, len);
      Watch watch(lab);
      for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt})
        EXPECT_EQ(hex(run_skcipher(*tfm, crypt, iv, text, plain_layout()).out),
                  hex(run_skcipher(*software, crypt, iv, text, plain_layout()).out))
            << platform << ' ' << len;
      EXPECT_EQ(watch.jobs(), 2 * jobs);
    }
}

// A request is enqueued again after it was refused, and runs once, with the words it had.
TEST(DriverCases, RefusedRequestIsTriedAgain) {
  tools::LabOptions options;
  options.driver.ring_depth_log2 = 2;
  LabFixture lab("ls1046a", options);
  auto tfm = lab.skcipher("cbc-aes-caam");
  ASSERT_EQ(crypto_skcipher_setkey(*tfm, random_bytes(16, 1)), 0);
  struct One {
    Bytes data = random_bytes(32, 3), iv = Bytes(16);
    api::SgTable list = api::SgTable::of(std::span(data));
    api::SkcipherRequestHandle req{};
    int calls = 0, err = 1;
  };
  std::vector<std::unique_ptr<One>> all;
  for (int i = 0; i < 4; ++i) {
    One& one = *all.emplace_back(std::make_unique<One>());
    one.req = skcipher_request_alloc(*tfm);
    const auto done = [](void* data, int err) {
      ++static_cast<One*>(data)->calls;
      static_cast<One*>(data)->err = err;
    };
    skcipher_request_set_callback(*one.req, 0, done, &one);
    skcipher_request_set_crypt(*one.req, one.list, one.list, 32, one.iv.data());
    EXPECT_EQ(crypto_skcipher_encrypt(*one.req), i < 3 ? -EINPROGRESS : -ENOSPC);
  }
  EXPECT_EQ(all[3]->data, random_bytes(32, 3));
  lab->caam().run(1);
  EXPECT_EQ(crypto_skcipher_encrypt(*all[3]->req), -EINPROGRESS);
  lab->run();
  for (const auto& one : all) {
    EXPECT_EQ(one->calls, 1);
    EXPECT_EQ(one->err, 0);
    EXPECT_EQ(hex(one->data), hex(all[0]->data));
  }
}

}  // namespace
}  // namespace caamlab::tests
