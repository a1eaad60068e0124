// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One DECO with the units of a device and bare memory: jobs are words, as another project's source has them.
#pragma once

#include <gtest/gtest.h>

#include "hw_model/deco/deco.h"
#include "hw_model/sparse_memory.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {

class DecoTest : public testing::Test {
 protected:
  // Pointers of one word, so that descriptors read as their sources print them.
  explicit DecoTest(const char* platform = "lx2160a", unsigned ptr_bytes = 4)
      : platform_(*hw_model::find_platform(platform)), memory_(hw_model::SparseMemory::WritePolicy::kAnywhere) {
    platform_.target.ptr_bytes = static_cast<uint8_t>(ptr_bytes);
    platform_.rdsta_at_reset = 0;
    units_.emplace(platform_, entropy_);
    deco_.emplace(0, memory_, platform_, platform_.target, padding_);
    deco_->units.attach(*units_);
  }

  void give(uint64_t addr, const Bytes& bytes) {
    EXPECT_TRUE(memory_.give(addr, bytes)) << "memory is given only once";
  }
  Bytes peek(uint64_t addr, size_t len) { return memory_.peek(addr, len); }
  std::string peek_hex(uint64_t addr, size_t len) { return to_hex(peek(addr, len)); }

  desc::JrStatus run(const std::vector<uint32_t>& words) {
    hw_model::JobFetch job;
    std::copy(words.begin(), words.end(), job.words.begin());
    job.len = static_cast<unsigned>(words.size());
    job.addr = kJobAddr;
    Bytes raw(words.size() * 4);
    for (size_t i = 0; i < words.size(); ++i) desc::store32(raw.data() + 4 * i, words[i], platform_.target.endian);
    const auto at = memory_.window(kJobAddr, raw.size(), hw_model::DmaDirection::kFromDevice);
    std::copy(raw.begin(), raw.end(), at.begin());
    hw_model::check_job(platform_.target, platform_.era, job);
    deco_->begin(job, hw_model::ShareState::kFresh);
    return deco_->run();
  }
  // A job header in front of `commands`; `pdb`: words between the two.
  desc::JrStatus run_job(std::vector<uint32_t> commands, const std::vector<uint32_t>& pdb = {}) {
    const uint32_t start = static_cast<uint32_t>(1 + pdb.size());
    const uint32_t len = start + static_cast<uint32_t>(commands.size());
    std::vector<uint32_t> words = {0xB0800000 | (pdb.empty() ? 0 : start << 16) | len};
    words.insert(words.end(), pdb.begin(), pdb.end());
    words.insert(words.end(), commands.begin(), commands.end());
    return run(words);
  }
  uint32_t buffer_word(unsigned i) { return deco_->buffer()[i]; }

  static constexpr uint64_t kJobAddr = 0x1000;
  struct Entropy : hw_model::EntropySource {
    uint32_t calls = 0;
    bool entropy(std::span<uint8_t> out) override {
      const Bytes bytes = filler(out.size(), ++calls);
      std::copy(bytes.begin(), bytes.end(), out.begin());
      return true;
    }
  };
  struct Padding : hw_model::PadRandom {
    uint32_t calls = 1000;
    void random_bytes(std::span<uint8_t> out) override {
      const Bytes bytes = filler(out.size(), ++calls);
      std::copy(bytes.begin(), bytes.end(), out.begin());
    }
  };
  hw_model::Platform platform_;
  hw_model::SparseMemory memory_;
  Entropy entropy_;
  Padding padding_;
  std::optional<hw_model::DeviceUnits> units_;
  std::optional<hw_model::Deco> deco_;
};

}  // namespace caamlab::tests
