// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Some 200,000 random descriptors and mutated descriptors of the kernel, with and without a shared one, on parts of
// every kind: never a crash or a hang, always a status word, no byte touched that is not mapped, and the DECO goes on
// working. The seeds are fixed; the fuzzer (tests/fuzz) goes further.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/hw_model/deco/random_lab.h"

namespace caamlab::tests {
namespace {

// Shared descriptors as the kernel's constructors make them.
std::vector<Words> golden_descriptors() {
  std::vector<Words> out;
  for (const char* name : {"gcm", "aead", "skcipher", "hash", "misc", "pkc"}) {
    std::ifstream in(std::string("tests/golden/") + name + ".json");
    const auto json = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) {
      ADD_FAILURE() << name << ".json cannot be read";
      continue;
    }
    const auto& entries = json.at("entries");
    for (size_t i = 0; i < entries.size(); i += 5) {
      Words words;
      for (const auto& w : entries[i].at("words"))
        words.push_back(static_cast<uint32_t>(std::stoul(w.get<std::string>(), nullptr, 16)));
      out.push_back(std::move(words));
    }
  }
  return out;
}

// Writes a failing input down in a form that can be pasted into a test.
std::string print(const RandomLab::Input& input) {
  std::string out = "shared:";
  char text[16];
  for (const uint32_t w : input.shared) std::snprintf(text, sizeof(text), " %08x", w), out += text;
  out += "\njob:";
  for (const uint32_t w : input.job) std::snprintf(text, sizeof(text), " %08x", w), out += text;
  return out;
}

struct Counts {
  size_t runs = 0, ok = 0, halted = 0, deco = 0, ccb = 0;
  void add(JrStatus s) {
    ++runs;
    ok += s.ok();
    halted += s.source() == desc::StatusSource::kJumpUser || s.source() == desc::StatusSource::kJumpCond;
    deco += s.source() == desc::StatusSource::kDeco;
    ccb += s.source() == desc::StatusSource::kCcb;
  }
};

void run(RandomLab& lab, unsigned part, const RandomLab::Input& input, Counts& counts) {
  if (const auto wrong = lab.run(input)) FAIL() << *wrong << "\npart " << part << "\n" << print(input);
  counts.add(lab.status());
}

class RandomDescriptorsTest : public testing::Test {
 protected:
  static constexpr unsigned kSeed = 20240607;
};

TEST_F(RandomDescriptorsTest, Commands) {
  Counts counts;
  for (unsigned part = 0; part < RandomLab::kParts; ++part) {
    RandomLab lab(part);
    RandomDescriptors random(kSeed + part, lab);
    for (int i = 0; i < 4000; ++i) {
      RandomLab::Input input;
      input.fill = static_cast<uint32_t>(random.next() % 100);
      input.job = random.commands(random.next() % 4 == 0 ? 60 : 20);
      if (random.next() % 3 == 0) {
        input.shared = {0};
        const Words commands = random.commands(30);
        input.shared.insert(input.shared.end(), commands.begin(), commands.end());
        input.reverse = random.next() % 2 == 0;
      }
      run(lab, part, input, counts);
      if (HasFatalFailure()) return;
    }
  }
  // Not all of it stops at the first command.
  EXPECT_GT(counts.ok, counts.runs / 100);
  EXPECT_GT(counts.ccb, counts.runs / 1000);
  EXPECT_GT(counts.deco, counts.runs / 4);
}

TEST_F(RandomDescriptorsTest, Words) {
  Counts counts;
  for (unsigned part = 0; part < RandomLab::kParts; ++part) {
    RandomLab lab(part);
    RandomDescriptors random(kSeed + 100 + part, lab);
    for (int i = 0; i < 2000; ++i) {
      RandomLab::Input input;
      input.keep_header = random.next() % 4 == 0;
      input.fill = static_cast<uint32_t>(random.next());
      Words words(1 + random.next() % 63);
      for (uint32_t& w : words) w = static_cast<uint32_t>(random.next());
      input.job = words;
      if (random.next() % 2 == 0) {
        for (uint32_t& w : words) w = static_cast<uint32_t>(random.next());
        input.shared = words;
      }
      run(lab, part, input, counts);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(counts.deco, counts.runs / 2);
}

// The kernel's descriptors as they are, then with something wrong in them; the job in front is the driver's or noise;
// every second run is a follower of the one before.
TEST_F(RandomDescriptorsTest, MutatedKernelDescriptors) {
  const std::vector<tests::Words> golden = golden_descriptors();
  ASSERT_GT(golden.size(), 300u);
  Counts counts;
  for (unsigned part = 0; part < RandomLab::kParts; ++part) {
    RandomLab lab(part);
    RandomDescriptors random(kSeed + 200 + part, lab);
    for (int i = 0; i < 2500; ++i) {
      const tests::Words& base = golden[random.next() % golden.size()];
      RandomLab::Input input;
      input.fill = static_cast<uint32_t>(random.next() % 50);
      input.shared = i % 8 == 0 ? base : random.mutate(base);
      input.keep_header = false;
      Builder job(lab.target());
      job.init_job_desc({});
      const auto& addresses = lab.addresses();
      const uint32_t len = static_cast<uint32_t>(random.next() % 20 * 16);
      job.append_seq_in_ptr(addresses[random.next() % 2 * 8], len);
      job.append_seq_out_ptr(addresses[4 + random.next() % 2 * 4], len + static_cast<uint32_t>(random.next() % 40));
      if (random.next() % 2 == 0)
        job.append_math_add_imm_u32(desc::MathReg::kReg3, desc::MathReg::kZero, desc::MathReg::kImm,
                                    static_cast<uint32_t>(random.next() % 40));
      if (random.next() % 2 == 0)
        job.append_fifo_load_as_imm(filler(12, 5), {.cls = desc::ClassSel::kClass1, .type = 0x21});
      input.job = commands_of(job);
      if (random.next() % 4 == 0) input.job = random.mutate(input.job);
      input.followed = true;
      run(lab, part, input, counts);
      if (HasFatalFailure()) return;
      input.followed = false;
      input.share = ShareState::kSelf;
      run(lab, part, input, counts);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(counts.ok, counts.runs / 50);
  EXPECT_GT(counts.ccb, counts.runs / 50);
}

}  // namespace
}  // namespace caamlab::tests
