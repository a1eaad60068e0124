// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See fixture.h.
#include "tests/hw_model/deco/fixture.h"

#include <algorithm>
#include <cstdio>

namespace caamlab::desc {

void PrintTo(JrStatus status, std::ostream* out) {
  char text[16];
  std::snprintf(text, sizeof(text), "%08x", status.word);
  *out << text;
}
void PrintTo(const Target& target, std::ostream* out) { *out << tests::target_name(target); }

}  // namespace caamlab::desc

namespace caamlab::tests {

using hw_model::DmaDirection;

std::string target_name(const desc::Target& t) {
  const std::string order = t.imx ? "imx" : t.endian == desc::Endian::kBig ? "big" : "little";
  return order + std::to_string(t.ptr_bytes * 8);
}

hw_model::Platform make_part(const desc::Target& target, int era, desc::SgFormat sg_format) {
  static const hw_model::Platform kBase = [] {  // parsing a data file takes longer than most jobs
    hw_model::Platform base = *hw_model::find_platform("ls1046a");
    base.chas = hw_model::find_platform("lx2160a")->chas;
    base.version_registers = true;  // its AESA says by them that it has GCM
    return base;
  }();
  hw_model::Platform p = kBase;
  p.name = target_name(target);
  p.era = era;
  p.target = target;
  p.sg_format = sg_format;
  return p;
}

Bytes filler(size_t len, uint32_t seed) {
  Bytes out(len);
  uint32_t x = seed * 2654435761u + 12345;
  for (uint8_t& byte : out) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    byte = static_cast<uint8_t>(x >> 11);
  }
  return out;
}

void TestRandom::random_bytes(std::span<uint8_t> out) {
  for (uint8_t& byte : out) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<uint8_t>(state_ >> 56);
  }
}

Memory::Memory(const desc::Target& t, desc::SgFormat f)
    : target(t), format(f), space({.addr_bits = t.ptr_bytes == 8 ? 64u : 32u}) {}

Memory::~Memory() {
  EXPECT_TRUE(guards_intact()) << "a byte beside a buffer was written";
  EXPECT_EQ(space.fault_count(), 0u) << "first refused access: "
                                     << (space.faults().empty() ? "" : dma_fault_name(space.faults()[0].reason));
}

Buffer Memory::add(const Bytes& bytes, DmaDirection dir) {
  Stored& s = storage_.emplace_back();
  s.bytes.assign(bytes.size() + 2 * kGuard, kGuardByte);
  std::copy(bytes.begin(), bytes.end(), s.bytes.begin() + kGuard);
  s.buffer = {s.bytes.data() + kGuard, bytes.size(), 0, dir};
  s.mapped = !bytes.empty();
  // A buffer of nothing is not mapped; its address is as good as any.
  s.buffer.addr = s.mapped ? space.map_single(s.buffer.data, s.buffer.len, dir) : 0x40;
  return s.buffer;
}

void Memory::unmap(const Buffer& buffer) {
  space.unmap_single(buffer.addr, buffer.len, buffer.dir);
  for (Stored& s : storage_)
    if (s.buffer.data == buffer.data) s.mapped = false;
}

void Memory::release_since(size_t mark) {
  while (storage_.size() > mark) {
    const Stored& s = storage_.back();
    EXPECT_TRUE(intact(s)) << "a byte beside a buffer was written";
    if (s.mapped) space.unmap_single(s.buffer.addr, s.buffer.len, s.buffer.dir);
    storage_.pop_back();
  }
}

bool Memory::intact(const Stored& s) {
  const auto is_guard = [](uint8_t byte) { return byte == kGuardByte; };
  return std::all_of(s.bytes.begin(), s.bytes.begin() + kGuard, is_guard) &&
         std::all_of(s.bytes.end() - kGuard, s.bytes.end(), is_guard);
}

bool Memory::guards_intact() const { return std::ranges::all_of(storage_, intact); }

Buffer Memory::words(std::span<const uint32_t> words) {
  Bytes bytes(words.size_bytes());
  for (size_t i = 0; i < words.size(); ++i) desc::store32(&bytes[i * 4], words[i], target.endian);
  return both(bytes);
}

Words Memory::read_words(const Buffer& buffer) const {
  Words out;
  for (size_t i = 0; i + 4 <= buffer.len; i += 4) out.push_back(desc::load32(buffer.data + i, target.endian));
  return out;
}

Buffer Memory::table(std::vector<desc::SgEntry> entries, bool open) {
  if (!open && !entries.empty()) entries.back().final = true;
  // Read in bursts: what fills the last one is never interpreted.
  const size_t room = (entries.size() + hw_model::kSgBurstEntries - 1) / hw_model::kSgBurstEntries;
  Bytes bytes(room * hw_model::kSgBurstEntries * desc::kSgEntryBytes, 0xa5);
  for (size_t i = 0; i < entries.size(); ++i)
    desc::store_sg_entry(&bytes[i * desc::kSgEntryBytes], entries[i], format, target);
  return input(bytes);
}

std::vector<Buffer> Memory::pieces(const Bytes& bytes, std::initializer_list<size_t> sizes, DmaDirection dir) {
  std::vector<Buffer> out;
  size_t at = 0, turn = 0;
  while (at < bytes.size()) {
    const size_t n = std::min(sizes.begin()[turn++ % sizes.size()], bytes.size() - at);
    const auto from = bytes.begin() + static_cast<ptrdiff_t>(at);
    out.push_back(add(Bytes(from, from + static_cast<ptrdiff_t>(n)), dir));
    at += n;
  }
  return out;
}

Buffer Memory::table_of(const std::vector<Buffer>& pieces) {
  std::vector<desc::SgEntry> entries;
  for (const Buffer& b : pieces) entries.push_back(entry(b));
  return table(entries);
}

size_t Memory::take_faults() {
  const size_t n = space.fault_count();
  space.clear_records();
  return n;
}

Rig::Rig(const desc::Target& t, const Options& options)
    : target(t),
      mem(t, options.sg_format),
      platform(make_part(t, options.era, options.sg_format)),
      deco(0, mem.space, platform, target, random, options.deco) {}

Builder Rig::job(desc::JobHeader header) {
  Builder b(target);
  b.init_job_desc(header);
  return b;
}

Builder Rig::shared(desc::SharedHeader header) {
  Builder b(target);
  b.init_sh_desc(header);
  return b;
}

Builder Rig::job_with(BusAddr sd, unsigned sd_len, desc::JobHeader header) {
  Builder b(target);
  b.init_job_desc_shared(sd, sd_len, header);
  return b;
}

Words Rig::finish(Builder& b) {
  const auto result = b.finish();
  if (!result) {
    ADD_FAILURE() << "builder: " << result.error().to_string();
    return {};
  }
  const auto words = result->words();
  return {words.begin(), words.end()};
}

JrStatus Rig::run(const Words& job) {
  for (size_t i = 0; i < job.size(); ++i) desc::store32(job_memory.data + i * 4, job[i], target.endian);
  return run_at(job_memory.addr);
}

JrStatus Rig::run_at(BusAddr job, ShareState share, const hw_model::Deco* from) {
  hw_model::JobFetch fetch;
  fetch_job(deco.dma, source, job, deco.options().era, fetch);
  deco.begin(fetch, share, from);
  return deco.run();
}

JrStatus Rig::run_shared(Builder& sd, const Words& job_commands, desc::JobHeader header, ShareState share) {
  const Words sd_words = finish(sd);
  const Buffer sd_mem = mem.words(sd_words);
  Builder jd = job_with(sd_mem.addr, static_cast<unsigned>(sd_words.size()), header);
  for (const uint32_t word : job_commands) jd.append_word(word);
  return run_at(mem.words(finish(jd)).addr, share);
}

Words commands_of(Builder& b) {
  Words words = Rig::finish(b);
  words.erase(words.begin());
  return words;
}

}  // namespace caamlab::tests
