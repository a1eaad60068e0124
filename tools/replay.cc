// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See replay.h.
#include "tools/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "desc/regs.h"
#include "hw_model/cha/device_units.h"
#include "hw_model/platform.h"
#include "hw_model/sparse_memory.h"
#include "tools/hex.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

// What a line is missing, as an exception inside the parser only.
struct Malformed {
  std::string message;
};

const json& need(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) throw Malformed{fmt::format("key \"{}\" is missing", key)};
  return *it;
}

std::string text(const json& value, const char* key) {
  if (!value.is_string()) throw Malformed{fmt::format("key \"{}\": expected a string", key)};
  return value.get<std::string>();
}

uint64_t number(const json& value, const char* key) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  const auto parsed = parse_number(text(value, key));
  if (!parsed) throw Malformed{fmt::format("key \"{}\": {}", key, parsed.error().message)};
  return *parsed;
}

std::vector<uint32_t> words(const json& value, const char* key) {
  std::vector<uint32_t> out;
  if (!value.is_array()) throw Malformed{fmt::format("key \"{}\": expected an array of hexadecimal words", key)};
  for (const json& word : value) {
    const auto parsed = parse_number("0x" + text(word, key));
    if (!parsed || *parsed > 0xFFFFFFFF) throw Malformed{fmt::format("key \"{}\": {} is not a word", key, word.dump())};
    out.push_back(static_cast<uint32_t>(*parsed));
  }
  if (out.size() > desc::kMaxDescWords) throw Malformed{fmt::format("key \"{}\": more than 64 words", key)};
  return out;
}

std::vector<MemoryPiece> pieces(const json& object, const char* key) {
  std::vector<MemoryPiece> out;
  const auto it = object.find(key);
  if (it == object.end()) return out;
  for (const json& piece : *it) {
    if (!piece.is_array() || piece.size() != 2)
      throw Malformed{fmt::format("key \"{}\": expected pairs of address and hexadecimal bytes", key)};
    auto bytes = parse_hex(text(piece[1], key));
    if (!bytes) throw Malformed{fmt::format("key \"{}\": {}", key, bytes.error().message)};
    out.push_back({number(piece[0], key), std::move(*bytes)});
  }
  return out;
}

ReplayJob parse(const json& line) {
  ReplayJob job;
  job.run = line.value("run", "");
  job.direct = line.value("via", "jr") == "deco0";
  const std::string endian = text(need(line, "endian"), "endian");
  if (endian != "big" && endian != "little") throw Malformed{"key \"endian\": expected \"big\" or \"little\""};
  job.target.endian = endian == "big" ? desc::Endian::kBig : desc::Endian::kLittle;
  job.target.imx = line.value("imx_ptr_order", false);
  const uint64_t ptr = number(need(line, "ptr_bytes"), "ptr_bytes");
  if (ptr != 4 && ptr != 8) throw Malformed{"key \"ptr_bytes\": expected 4 or 8"};
  job.target.ptr_bytes = static_cast<uint8_t>(ptr);
  job.era = static_cast<int>(number(need(line, "era"), "era"));
  const std::string sg = line.value("sg_format", "sec4");
  if (sg != "sec4" && sg != "dpaa2") throw Malformed{"key \"sg_format\": expected \"sec4\" or \"dpaa2\""};
  job.sg_format = sg == "sec4" ? desc::SgFormat::kSec4 : desc::SgFormat::kDpaa2;
  job.job = words(need(line, "job"), "job");
  job.job_addr = number(need(line, "job_addr"), "job_addr");
  if (line.contains("shared") && !line["shared"].is_null()) {
    job.shared = words(line["shared"], "shared");
    if (!job.shared.empty()) job.shared_addr = number(need(line, "shared_addr"), "shared_addr");
  }
  job.reads = pieces(line, "reads");
  job.writes = pieces(line, "writes");
  job.memory_known = line.contains("reads") || line.contains("writes") || job.direct || job.shared.empty();
  job.status = static_cast<uint32_t>(number(json("0x" + text(need(line, "status"), "status")), "status"));
  job.executed = line.value("executed", true);
  job.device_specific = line.value("outcome_device_specific", false);
  if (line.contains("ops"))
    for (const json& op : line["ops"]) job.ops.push_back(op.get<std::string>());
  return job;
}

// Deterministic noise: for padding, and for the RNG, whose numbers are the device's own business.
class Noise final : public hw_model::EntropySource, public hw_model::PadRandom {
 public:
  bool entropy(std::span<uint8_t> out) override {
    random_bytes(out);
    return true;
  }
  void random_bytes(std::span<uint8_t> out) override {
    for (uint8_t& b : out) {
      state_ = state_ * 1103515245 + 12345;
      b = static_cast<uint8_t>(state_ >> 16);
    }
  }

 private:
  uint32_t state_ = 1;
};

// RDSTA as the driver's probe leaves it: both handles up with prediction resistance, secure keys made.
constexpr uint32_t kRngReady = desc::reg::rdsta::kIf0 | desc::reg::rdsta::kIf1 | desc::reg::rdsta::kPr0 |
                               desc::reg::rdsta::kPr1 | desc::reg::rdsta::kSkvn;

// A part with every unit, of the line's era and byte order. "lowpower" variants are named so in `run`.
hw_model::Platform platform_for(const ReplayJob& job) {
  hw_model::Platform p = *hw_model::find_platform(job.era >= 10 ? "lx2160a" : "ls1046a");
  p.era = job.era;
  p.target = job.target;
  p.sg_format = job.sg_format;
  p.decos = 1;
  p.virt_at_reset = p.virt_included = false;
  p.rdsta_at_reset = job.direct ? 0 : kRngReady;
  return p;
}

void give_words(hw_model::SparseMemory& memory, uint64_t addr, const std::vector<uint32_t>& words, desc::Endian e) {
  std::vector<uint8_t> raw(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i) desc::store32(raw.data() + i * 4, words[i], e);
  memory.give(addr, raw);
}

// Memory that a line does not give: zeros wherever the job reads. Such a job's data is not known, its status is.
class ZeroFilled final : public hw_model::BusMemory {
 public:
  explicit ZeroFilled(hw_model::SparseMemory& memory) : memory_(memory) {}
  std::span<uint8_t> window(hw_model::BusAddr addr, size_t len, hw_model::DmaDirection dir) override {
    std::span<uint8_t> run = memory_.window(addr, len, dir);
    if (!run.empty()) return run;
    memory_.give(addr, std::vector<uint8_t>(len));
    return memory_.window(addr, len, dir);
  }

 private:
  hw_model::SparseMemory& memory_;
};

bool inside(uint64_t addr, size_t len, uint64_t start, size_t size) {
  return addr >= start && addr + len <= start + size;
}

// Status words agree if source, unit and code do. The index of an asynchronous error is where the DECO stood when it
// noticed (hardware.md 6.1), which no two devices need to agree on.
bool same_status(desc::JrStatus got, uint32_t expected) {
  const desc::JrStatus want{expected};
  if (got.word == want.word) return true;
  return got.source() == desc::StatusSource::kCcb && want.source() == desc::StatusSource::kCcb &&
         (got.word & 0xFF) == (want.word & 0xFF);
}

std::string hex_of(desc::ByteSpan bytes) {
  constexpr size_t kShown = 32;
  std::string out;
  for (const uint8_t b : bytes.first(std::min(bytes.size(), kShown))) out += fmt::format("{:02x}", b);
  return bytes.size() > kShown ? out + fmt::format("... ({} bytes)", bytes.size()) : out;
}

constexpr size_t kLongestSplitKey = 128;
bool derives_key(const ReplayJob& job) {
  return std::ranges::any_of(job.ops, [](const std::string& op) { return op.find("DKP") != std::string::npos; });
}

void compare_writes(const ReplayJob& job, const hw_model::SparseMemory& memory, ReplayResult& result) {
  // Bytes that had to be written, and nothing else but descriptors (DKP and STORE write those back).
  for (const MemoryPiece& want : job.writes) {
    const std::vector<uint8_t> got = memory.peek(want.addr, want.bytes.size());
    std::vector<bool> touched(want.bytes.size());
    for (const MemoryPiece& w : result.writes)
      for (size_t i = 0; i < w.bytes.size(); ++i)
        if (w.addr + i >= want.addr && w.addr + i < want.addr + want.bytes.size())
          touched[w.addr + i - want.addr] = true;
    for (size_t i = 0; i < want.bytes.size(); ++i) {
      if (touched[i] && (job.device_specific || got[i] == want.bytes[i])) continue;
      result.differences.push_back({"write", want.addr + i, hex_of(desc::ByteSpan(want.bytes).subspan(i)),
                                    touched[i] ? hex_of(desc::ByteSpan(got).subspan(i)) : "not written", -1});
      break;
    }
  }
  for (const MemoryPiece& w : result.writes) {
    for (size_t i = 0; i < w.bytes.size(); ++i) {
      const uint64_t addr = w.addr + i;
      bool expected =
          inside(addr, 1, job.job_addr, job.job.size() * 4) || inside(addr, 1, job.shared_addr, job.shared.size() * 4);
      for (const MemoryPiece& want : job.writes) expected = expected || inside(addr, 1, want.addr, want.bytes.size());
      // A derived key replaces the raw one where that lay, and may be longer.
      for (const MemoryPiece& read : job.reads) {
        const size_t room =
            derives_key(job) ? std::max<size_t>(read.bytes.size(), kLongestSplitKey) : read.bytes.size();
        expected = expected || inside(addr, 1, read.addr, room);
      }
      if (expected) continue;
      result.differences.push_back({"write", addr, "nothing", hex_of(desc::ByteSpan(w.bytes).subspan(i)), -1});
      return;
    }
  }
}

// Runs the job in `memory`, which is empty before.
desc::JrStatus execute(const ReplayJob& job, const ReplayOptions& options, hw_model::TraceSink* trace,
                       hw_model::SparseMemory& memory) {
  for (const MemoryPiece& piece : job.reads) memory.give(piece.addr, piece.bytes);
  if (!job.direct) give_words(memory, job.job_addr, job.job, job.target.endian);
  if (!job.shared.empty()) give_words(memory, job.shared_addr, job.shared, job.target.endian);

  const hw_model::Platform platform = platform_for(job);
  Noise noise;
  hw_model::DeviceUnits units(platform, noise);
  // The recording device calls keys black and does not encrypt them (hardware.md 2.3).
  units.keks.transparent = options.plain_black_keys;
  units.keks.loaded = true;
  ZeroFilled zeros(memory);
  hw_model::BusMemory& bus = job.memory_known ? static_cast<hw_model::BusMemory&>(memory) : zeros;
  // Recorded is what was used of a table, not all that a burst brought.
  hw_model::Deco deco(0, bus, platform, platform.target, noise, {.sg_burst = 1});
  deco.units.attach(units);
  deco.set_trace(trace);
  hw_model::JobFetch fetched;
  if (job.direct) {
    std::copy(job.job.begin(), job.job.end(), fetched.words.begin());
    fetched.len = static_cast<unsigned>(job.job.size());
    hw_model::check_job(platform.target, platform.era, fetched);
  } else {
    hw_model::fetch_job(deco.dma, hw_model::SourceId::kJr0, job.job_addr, platform.era, fetched);
  }
  deco.begin(fetched, hw_model::ShareState::kFresh);
  return deco.run();
}

bool writes_memory(const desc::Command& command) {
  return std::holds_alternative<desc::Store>(command) || std::holds_alternative<desc::FifoStore>(command) ||
         std::holds_alternative<desc::ProtocolOperation>(command);
}

// Watches one byte of memory and keeps the command that wrote it last.
class WriteLocator final : public hw_model::TraceSink {
 public:
  WriteLocator(const hw_model::SparseMemory& memory, uint64_t addr) : memory_(memory), addr_(addr) {}
  int command() const { return command_; }

  void job_begins(const hw_model::Deco&) override {}
  void before_command(const hw_model::Deco&, unsigned index, const desc::Command& command) override {
    if (std::holds_alternative<desc::FifoStore>(command)) fifo_store_ = static_cast<int>(index);
  }
  void after_command(const hw_model::Deco&, unsigned index, const desc::Command& command) override {
    look(writes_memory(command) ? static_cast<int>(index) : fifo_store_);
  }
  void job_ends(const hw_model::Deco&, desc::JrStatus) override { look(fifo_store_); }

 private:
  // Output of a CHA goes where the FIFO STORE before said, while later commands run.
  void look(int writer) {
    const auto all = memory_.writes();
    const auto count =
        std::ranges::count_if(all, [&](const auto& w) { return inside(addr_, 1, w.addr, w.bytes.size()); });
    if (count > count_) command_ = writer;
    count_ = count;
  }

  const hw_model::SparseMemory& memory_;
  const uint64_t addr_;
  std::ptrdiff_t count_ = 0;
  int fifo_store_ = -1, command_ = -1;
};

// A second, traced run.
int writer_of(const ReplayJob& job, const ReplayOptions& options, uint64_t addr) {
  hw_model::SparseMemory memory(hw_model::SparseMemory::WritePolicy::kAnywhere);
  WriteLocator locator(memory, addr);
  execute(job, options, &locator, memory);
  return locator.command();
}

}  // namespace

desc::Result<ReplayJob> parse_replay_line(std::string_view line) {
  try {
    return parse(json::parse(line));
  } catch (const Malformed& e) {
    return desc::fail(desc::ErrorCode::kMalformed, e.message);
  } catch (const json::exception& e) {
    return desc::fail(desc::ErrorCode::kMalformed, e.what());
  }
}

ReplayResult run_replay_job(const ReplayJob& job, const ReplayOptions& options) {
  hw_model::SparseMemory memory(hw_model::SparseMemory::WritePolicy::kAnywhere);
  ReplayResult result;
  result.status = execute(job, options, options.trace, memory);
  for (const auto& w : memory.writes()) result.writes.push_back({w.addr, w.bytes});
  for (const auto& r : memory.refusals()) result.refused.emplace_back(r.addr, r.len);
  // Without the memory that it read, tables included, a job cannot go as it went.
  if (!job.executed || !job.memory_known) {
    result.compared = false;
    return result;
  }
  if (!same_status(result.status, job.status))
    result.differences.push_back({"status", 0, fmt::format("{:08x}", job.status),
                                  fmt::format("{:08x}", result.status.word), static_cast<int>(result.status.index())});
  compare_writes(job, memory, result);
  result.identical = result.differences.empty();
  if (!result.identical && options.locate && result.differences[0].what == "write")
    result.differences[0].command = writer_of(job, options, result.differences[0].addr);
  return result;
}

}  // namespace caamlab::tools
