// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Any words on any part: a DECO with a little memory of every kind around it, which runs whatever it is given and looks
// at what must hold whatever that was. For the fuzzer and for random descriptors.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>

#include "hw_model/cha/device_units.h"
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {

class RandomLab {
 public:
  // Parts differ in byte order, pointer size, era, CHAs and table format; `number` may be anything.
  static constexpr unsigned kParts = 24;
  explicit RandomLab(unsigned number);

  struct Input {
    Words job;                              // at most 64 words; the header is made right unless `keep_header`
    Words shared;                           // empty: none
    bool keep_header = false;               // run the words as they are
    bool reverse = true;                    // REO
    ShareState share = ShareState::kFresh;  // kSelf finds what the run before left
    uint32_t fill = 0;                      // of the memory
    bool followed = false;                  // a follower comes next: leave the DECO as the job left it
  };
  // Runs it. Returns what is wrong, or nothing.
  std::optional<std::string> run(const Input& input);
  // Noise and RNG as in the beginning: what runs from here on depends on nothing that ran before.
  void restart();
  JrStatus status() const { return status_; }

  // Where there is memory: to be pointed at by descriptors. [0], [4] and [8] begin memory that the device may read,
  // write, and both.
  const desc::Target& target() const { return platform_.target; }
  const std::vector<BusAddr>& addresses() const { return addresses_; }
  unsigned commands() const { return deco_->stats().commands; }

  static constexpr uint64_t kMaxCommands = 300;

 private:
  class NoEntropyShortage final : public hw_model::EntropySource {
   public:
    bool entropy(std::span<uint8_t> out) override {
      random_.random_bytes(out);
      return true;
    }

   private:
    TestRandom random_;
  };
  // Memory at an address that does not depend on the host's: the map keeps the low bits of the CPU address.
  struct Region {
    std::unique_ptr<uint8_t[]> block;
    uint8_t* data = nullptr;
    size_t len = 0;
    hw_model::DmaDirection dir{};
    BusAddr addr = 0;
    Bytes before;
  };
  void add_region(size_t len, hw_model::DmaDirection dir);
  void fill_memory(uint32_t seed);
  void write_tables();
  void place(const Region& region, size_t at, const Words& words);
  std::optional<std::string> check();
  std::optional<std::string> check_still_works();

  hw_model::Platform platform_;
  hw_model::DmaSpace space_;
  NoEntropyShortage entropy_;
  std::unique_ptr<hw_model::DeviceUnits> units_;
  TestRandom random_;
  std::unique_ptr<hw_model::Deco> deco_;
  std::vector<Region> regions_;
  std::vector<BusAddr> addresses_;
  JrStatus status_;
};

// Commands with sensible operands more often than not.
class RandomDescriptors {
 public:
  RandomDescriptors(uint64_t seed, const RandomLab& lab) : random_(seed), lab_(lab) {}
  Words commands(unsigned max_words);
  // One to three bits flipped, words exchanged, dropped or replaced.
  Words mutate(Words words);
  uint64_t next() { return random_(); }

 private:
  void append(Words& words);
  template <class C>
  void append_command(Words& words);
  uint32_t number();
  void append_pointer(Words& words);

  std::mt19937_64 random_;
  const RandomLab& lab_;
};

}  // namespace caamlab::tests
