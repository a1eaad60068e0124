// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A DECO with memory around it, on a part of any byte order and pointer size. Buffers carry guard bytes on both sides;
// they, and accesses of the DECO that the bus had to refuse, are looked at when the rig goes away.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "desc/builder.h"
#include "desc/sec4_sg.h"
#include "hw_model/deco/deco.h"
#include "hw_model/memory.h"
#include "tests/api/hex.h"

namespace caamlab::desc {
// Status words and targets as test messages show them.
void PrintTo(JrStatus status, std::ostream* out);
void PrintTo(const Target& target, std::ostream* out);
}  // namespace caamlab::desc

namespace caamlab::tests {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<uint32_t>;
using desc::Builder;
using desc::JrStatus;
using hw_model::BusAddr;
using hw_model::Ccb;
using hw_model::ShareState;

inline constexpr desc::Target kBig64{.ptr_bytes = 8, .endian = desc::Endian::kBig};
inline constexpr desc::Target kBig32{.ptr_bytes = 4, .endian = desc::Endian::kBig};
inline constexpr desc::Target kLittle64{.ptr_bytes = 8, .endian = desc::Endian::kLittle};
inline constexpr desc::Target kLittle32{.ptr_bytes = 4, .endian = desc::Endian::kLittle};
inline constexpr desc::Target kImx64{.ptr_bytes = 8, .endian = desc::Endian::kLittle, .imx = true};
inline constexpr desc::Target kImx32{.ptr_bytes = 4, .endian = desc::Endian::kLittle, .imx = true};
inline constexpr std::array kTargets{kBig64, kBig32, kLittle64, kLittle32, kImx64, kImx32};

// "big64", "imx32", ...
std::string target_name(const desc::Target& target);

// A part with every CHA there is (LS1046A's, and ChaCha20-Poly1305), of the given order and era.
hw_model::Platform make_part(const desc::Target& target, int era = 10,
                             desc::SgFormat sg_format = desc::SgFormat::kSec4);

// Deterministic bytes; different seeds give different bytes.
Bytes filler(size_t len, uint32_t seed);

constexpr JrStatus ok() { return {}; }
constexpr JrStatus deco(desc::DecoError error, unsigned index) { return JrStatus::deco(error, index); }
constexpr JrStatus ccb(desc::ChaId cha, desc::CcbError error, unsigned index) {
  return JrStatus::ccb(cha, error, index);
}

// Noise that repeats: the same rig sees the same bytes.
class TestRandom final : public hw_model::PadRandom {
 public:
  void random_bytes(std::span<uint8_t> out) override;

 private:
  uint64_t state_ = 1;
};

// Bytes of memory that the device may reach, and where.
struct Buffer {
  uint8_t* data = nullptr;
  size_t len = 0;
  BusAddr addr = 0;
  hw_model::DmaDirection dir = hw_model::DmaDirection::kBidirectional;

  std::span<uint8_t> span() const { return {data, len}; }
  Bytes bytes() const { return {data, data + len}; }
  std::string hex() const { return tests::hex(span()); }
};

// Memory with guards. Everything is mapped for as long as it lives, or until unmap().
class Memory {
 public:
  explicit Memory(const desc::Target& target, desc::SgFormat format = desc::SgFormat::kSec4);
  ~Memory();

  Buffer input(const Bytes& bytes) { return add(bytes, hw_model::DmaDirection::kToDevice); }
  Buffer output(size_t len) { return add(Bytes(len, kUnwritten), hw_model::DmaDirection::kFromDevice); }
  Buffer both(const Bytes& bytes) { return add(bytes, hw_model::DmaDirection::kBidirectional); }
  Buffer words(std::span<const uint32_t> words);  // in the part's byte order
  Words read_words(const Buffer& buffer) const;   // back to numbers
  // A scatter/gather table; the last entry given gets the final mark unless it has one or `open`.
  Buffer table(std::vector<desc::SgEntry> entries, bool open = false);
  static desc::SgEntry entry(const Buffer& b) { return {.addr = b.addr, .len = static_cast<uint32_t>(b.len)}; }
  static desc::SgEntry entry(const Buffer& b, size_t at, size_t len) {
    return {.addr = b.addr + at, .len = static_cast<uint32_t>(len)};
  }
  // `bytes` cut into pieces of these sizes, in turn, in buffers of their own.
  std::vector<Buffer> pieces(const Bytes& bytes, std::initializer_list<size_t> sizes, hw_model::DmaDirection dir);
  Buffer table_of(const std::vector<Buffer>& pieces);
  void unmap(const Buffer& buffer);
  // Takes back every buffer made since a mark, guards looked at: for tests that run very many jobs.
  size_t mark() const { return storage_.size(); }
  void release_since(size_t mark);
  // The bus refused something: expected now, and forgotten.
  size_t take_faults();
  // True, and nothing said, as long as no guard byte has changed.
  bool guards_intact() const;

  static constexpr uint8_t kUnwritten = 0xEE;
  const desc::Target target;
  const desc::SgFormat format;
  hw_model::DmaSpace space;

 private:
  static constexpr size_t kGuard = 64;
  static constexpr uint8_t kGuardByte = 0xC5;
  struct Stored {
    Bytes bytes;  // with guards
    Buffer buffer;
    bool mapped;
  };
  Buffer add(const Bytes& bytes, hw_model::DmaDirection dir);
  static bool intact(const Stored& stored);
  std::deque<Stored> storage_;
};

// One DECO. Descriptors are placed in memory and fetched as a holding tank does it.
class Rig {
 public:
  struct Options {
    int era = 10;
    desc::SgFormat sg_format = desc::SgFormat::kSec4;
    hw_model::DecoOptions deco = {};
  };
  explicit Rig(const desc::Target& target = kLittle64) : Rig(target, Options{}) {}
  Rig(const desc::Target& target, const Options& options);

  // Builders with their header in place.
  Builder job(desc::JobHeader header = {});
  Builder shared(desc::SharedHeader header = {});
  Builder job_with(BusAddr sd, unsigned sd_len, desc::JobHeader header = {});

  // The words of a finished builder; a builder with an error fails the test.
  static Words finish(Builder& b);
  // Writes a job descriptor to job_memory and runs it. The same place each time, so that many can run.
  JrStatus run(Builder& b) { return run(finish(b)); }
  JrStatus run(const Words& job);
  JrStatus run_at(BusAddr job, ShareState share = ShareState::kFresh, const hw_model::Deco* from = nullptr);
  // A job that has a shared descriptor: REO as the kernel does it, unless `header` says otherwise.
  JrStatus run_shared(Builder& sd, const std::vector<uint32_t>& job_commands, desc::JobHeader header = {.reo = true},
                      ShareState share = ShareState::kFresh);

  hw_model::ClassRegs& c1() { return deco.ccb.regs(Ccb::kClass1); }
  hw_model::ClassRegs& c2() { return deco.ccb.regs(Ccb::kClass2); }
  uint64_t math(unsigned n) const { return deco.r.math[n]; }

  const desc::Target target;
  Memory mem;
  TestRandom random;
  hw_model::Platform platform;
  hw_model::Deco deco;
  hw_model::SourceId source = hw_model::SourceId::kJr0;
  const Buffer job_memory = mem.both(Bytes(desc::kMaxDescWords * 4));
};

// The command words of a builder without its header: what run_shared() takes.
Words commands_of(Builder& b);

// For tests that run on every byte order and pointer size.
class OnEveryPart : public testing::TestWithParam<desc::Target> {
 protected:
  Rig rig{GetParam()};
  bool big() const { return GetParam().endian == desc::Endian::kBig; }
};
#define ON_EVERY_PART(Suite)                                          \
  INSTANTIATE_TEST_SUITE_P(Parts, Suite, testing::ValuesIn(kTargets), \
                           [](const testing::TestParamInfo<desc::Target>& info) { return target_name(info.param); })

}  // namespace caamlab::tests
