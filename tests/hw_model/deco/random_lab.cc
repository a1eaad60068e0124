// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See random_lab.h.
#include "tests/hw_model/deco/random_lab.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace caamlab::tests {

using desc::ClassSel;
using desc::DecoError;
using desc::StatusSource;
using hw_model::DmaDirection;

namespace {

constexpr size_t kGuard = 64;
constexpr uint8_t kGuardByte = 0xC5;
// Regions: what each is for.
enum RegionIndex : size_t { kIn, kOut, kBoth, kTables, kDescs, kTiny, kNumRegions };
// Places in kDescs.
constexpr size_t kSharedAt = 0, kJobAt = 256, kTargetAt = 512, kNoiseAt = 768;

hw_model::Platform make_platform(unsigned number) {
  static const std::vector<hw_model::Platform> kBases = [] {
    std::vector<hw_model::Platform> out;
    for (const char* name : {"lx2160a", "ls1046a", "imx8mq", "imx6"}) out.push_back(*hw_model::find_platform(name));
    return out;
  }();
  hw_model::Platform p = kBases[number % kBases.size()];
  p.target = kTargets[number / kBases.size() % kTargets.size()];
  return p;
}

}  // namespace

RandomLab::RandomLab(unsigned number) : platform_(make_platform(number)), space_({.addr_bits = 32, .quarantine = 0}) {
  units_ = std::make_unique<hw_model::DeviceUnits>(platform_, entropy_);
  const hw_model::DecoOptions options{.strict_mode_clear = number % 5 == 0, .max_commands = kMaxCommands};
  deco_ = std::make_unique<hw_model::Deco>(0, space_, platform_, platform_.target, random_, options);
  deco_->units.attach(*units_);
  add_region(600, DmaDirection::kToDevice);
  add_region(600, DmaDirection::kFromDevice);
  add_region(1500, DmaDirection::kBidirectional);
  add_region(512, DmaDirection::kBidirectional);
  add_region(1024, DmaDirection::kBidirectional);
  add_region(5, DmaDirection::kBidirectional);
  for (const Region& r : regions_)
    for (const size_t at : {size_t{0}, size_t{1}, r.len / 2, r.len - 1}) addresses_.push_back(r.addr + at);
  for (const size_t table : {0, 64, 128, 192, 256, 320}) addresses_.push_back(regions_[kTables].addr + table);
  for (const size_t at : {kJobAt, kTargetAt, kNoiseAt}) addresses_.push_back(regions_[kDescs].addr + at);
  addresses_.push_back(0);
  addresses_.push_back(0x10);
  addresses_.push_back(0xFFFFFFF0);
}

void RandomLab::restart() {
  random_ = {};
  entropy_ = {};
  units_ = std::make_unique<hw_model::DeviceUnits>(platform_, entropy_);
  deco_->units.attach(*units_);
}

void RandomLab::add_region(size_t len, DmaDirection dir) {
  Region r;
  r.len = len;
  r.dir = dir;
  const size_t size = len + 3 * kGuard;
  r.block = std::make_unique<uint8_t[]>(size);
  std::memset(r.block.get(), kGuardByte, size);
  const uintptr_t at = reinterpret_cast<uintptr_t>(r.block.get());
  r.data = r.block.get() + ((at + kGuard + 63) / 64 * 64 - at);
  r.addr = space_.map_single(r.data, len, dir);
  regions_.push_back(std::move(r));
}

void RandomLab::fill_memory(uint32_t seed) {
  for (size_t i = 0; i < regions_.size(); ++i) {
    const Bytes bytes = seed == 0 ? Bytes(regions_[i].len) : filler(regions_[i].len, seed + static_cast<uint32_t>(i));
    std::copy(bytes.begin(), bytes.end(), regions_[i].data);
  }
  write_tables();
}

void RandomLab::place(const Region& region, size_t at, const Words& words) {
  for (size_t i = 0; i < words.size() && at + i * 4 + 4 <= region.len; ++i)
    desc::store32(region.data + at + i * 4, words[i], target().endian);
}

// A good table, one in pieces, one with a link, one that loops with data, one that loops without, one with null
// entries.
void RandomLab::write_tables() {
  const auto at = [&](size_t region, size_t offset) { return regions_[region].addr + offset; };
  const BusAddr self = regions_[kTables].addr;
  const std::vector<desc::SgEntry> entries = {{.addr = at(kBoth, 0), .len = 700},
                                              {.addr = at(kBoth, 700), .len = 800, .final = true},
                                              {},
                                              {},
                                              {.addr = at(kIn, 0), .len = 1},
                                              {.addr = at(kIn, 1), .len = 33, .offset = 5},
                                              {.addr = at(kIn, 40), .len = 3},
                                              {.addr = at(kIn, 100), .len = 500, .final = true},
                                              {.addr = at(kOut, 3), .len = 17},
                                              {.addr = self + 64, .ext = true, .final = true},
                                              {},
                                              {},
                                              {.addr = at(kBoth, 10), .len = 100},
                                              {.addr = self + 192, .ext = true},
                                              {},
                                              {},
                                              {.addr = self + 256, .ext = true},
                                              {},
                                              {},
                                              {},
                                              {.addr = at(kTiny, 0), .len = 5},
                                              {.addr = at(kOut, 0), .len = 0},
                                              {.addr = 0, .len = 9, .final = true},
                                              {}};
  for (size_t i = 0; i < entries.size(); ++i)
    desc::store_sg_entry(regions_[kTables].data + i * desc::kSgEntryBytes, entries[i], platform_.sg_format, target());
}

std::optional<std::string> RandomLab::run(const Input& input) {
  fill_memory(input.fill);
  Words shared = input.shared, job = {0};
  desc::JobHeader header{};
  if (!shared.empty()) {
    shared.resize(std::min<size_t>(shared.size(), 60));
    desc::SharedHeader h{.savectx = (input.fill & 1) != 0};
    h.len = static_cast<uint8_t>(shared.size());
    if (!input.keep_header) shared[0] = encode(h);
    header.shr = true;
    header.reo = input.reverse;
    header.start = static_cast<uint8_t>(shared.size());
    uint32_t pointer[2];
    desc::pointer_to_words(pointer, regions_[kDescs].addr + kSharedAt, target());
    job.insert(job.end(), pointer, pointer + target().ptr_words());
  }
  const size_t room = 64 - shared.size() - job.size();
  job.insert(job.end(), input.job.begin(), input.job.begin() + std::min(room, input.job.size()));
  header.len = static_cast<uint8_t>(job.size());
  job[0] = encode(header);
  if (input.keep_header && !input.job.empty()) job = input.job;

  place(regions_[kDescs], kSharedAt, shared);
  place(regions_[kDescs], kJobAt, job);
  place(regions_[kDescs], kTargetAt, {0xB0800003, 0xA8CC0004, 0xA0000001});
  for (Region& r : regions_) r.before.assign(r.data, r.data + r.len);
  space_.clear_records();

  hw_model::JobFetch fetch;
  fetch_job(deco_->dma, hw_model::SourceId::kJr1, regions_[kDescs].addr + kJobAt, platform_.era, fetch);
  deco_->begin(fetch, input.share);
  status_ = deco_->run();
  if (auto wrong = check()) return wrong;
  return input.followed ? std::nullopt : check_still_works();
}

std::optional<std::string> RandomLab::check() {
  char text[128];
  for (size_t i = 0; i < regions_.size(); ++i) {
    const Region& r = regions_[i];
    const auto is_guard = [](uint8_t byte) { return byte == kGuardByte; };
    if (!std::all_of(r.block.get(), r.data, is_guard) ||
        !std::all_of(r.data + r.len, r.data + r.len + kGuard, is_guard))
      return "bytes beside region " + std::to_string(i) + " were written";
    if (r.dir == DmaDirection::kToDevice && !std::equal(r.before.begin(), r.before.end(), r.data))
      return "region " + std::to_string(i) + ", which the device may only read, was written";
  }
  if (deco_->stats().commands > kMaxCommands) return "more commands than allowed ran";
  const StatusSource source = status_.source();
  const bool known = status_.ok() || source == StatusSource::kCcb || source == StatusSource::kDeco ||
                     source == StatusSource::kJumpUser || source == StatusSource::kJumpCond;
  // Reserved bits, an index outside the buffer, an error of nothing.
  const bool well_formed = known && (status_.word & 0x07FF0000) == 0 && status_.index() < desc::kMaxDescWords &&
                           (source != StatusSource::kDeco || status_.deco_error() != DecoError::kNone) &&
                           (source != StatusSource::kCcb || status_.ccb_error() != desc::CcbError::kNone);
  if (!well_formed) {
    std::snprintf(text, sizeof(text), "status %08x is no status word", status_.word);
    return text;
  }
  return std::nullopt;
}

// The next job is not disturbed by what this one left behind.
std::optional<std::string> RandomLab::check_still_works() {
  Builder b(target());
  b.init_job_desc({});
  const Region& io = regions_[kBoth];
  const Bytes bytes = filler(40, 77);
  std::copy(bytes.begin(), bytes.end(), io.data);
  b.append_seq_in_ptr(io.addr, 40);
  b.append_seq_out_ptr(io.addr + 64, 40);
  b.append_seq_fifo_store(40, {.type = desc::FifoStoreType::kMsg});
  b.append_seq_fifo_load(40, {.cls = ClassSel::kClass2, .type = 0x10});
  b.append_move({.aux = 2, .src = desc::MoveSrc::kAlignBlock, .dst = desc::MoveDst::kOutFifo, .len = 40});
  const auto words = b.finish();
  hw_model::JobFetch fetch;
  std::ranges::copy(words->words(), fetch.words.begin());
  fetch.len = words->size();
  check_job(target(), platform_.era, fetch);
  deco_->begin(fetch, ShareState::kFresh);
  const JrStatus status = deco_->run();
  if (!status.ok() || !std::equal(bytes.begin(), bytes.end(), io.data + 64))
    return "a plain job after it fails with " + std::to_string(status.word);
  return std::nullopt;
}

// -- random descriptors
// -------------------------------------------------------------------------------------------------------

uint32_t RandomDescriptors::number() {
  switch (next() % 8) {
    case 0:
      return 0;
    case 1:
      return static_cast<uint32_t>(next());
    case 2:
      return static_cast<uint32_t>(next() % 2000);
    default:
      return static_cast<uint32_t>(next() % 40);
  }
}

void RandomDescriptors::append_pointer(Words& words) {
  const auto& addresses = lab_.addresses();
  BusAddr addr = addresses[next() % addresses.size()];
  if (next() % 4 == 0) addr += next() % 64;
  uint32_t raw[2];
  desc::pointer_to_words(raw, addr, lab_.target());
  words.insert(words.end(), raw, raw + lab_.target().ptr_words());
}

template <class C>
void RandomDescriptors::append_command(Words& words) {
  C c{};
  desc::for_each_field<C>([&](const auto& f) {
    uint32_t value = static_cast<uint32_t>(next());
    if (f.kind == desc::FieldKind::kEnum && next() % 16 != 0)
      value = f.values[next() % f.values.size()].value;
    else if (f.kind == desc::FieldKind::kFlag)
      value = next() % 4 == 0;
    else if (f.kind == desc::FieldKind::kSigned)
      value = static_cast<uint32_t>(next() % 24) - 8;
    else if (f.kind == desc::FieldKind::kNumber)
      value = number();
    f.set(c, value << f.lo);
  });
  if constexpr (std::is_same_v<C, desc::Load> || std::is_same_v<C, desc::Store>) {
    // Most codes are of no register: take one that is.
    const desc::RegRow& row = desc::kRegTable[next() % desc::kRegTable.size()];
    unsigned cls = 0;
    while ((row.classes >> cls & 1) == 0) ++cls;
    c.cls = static_cast<ClassSel>(cls);
    if constexpr (std::is_same_v<C, desc::Load>) {
      c.dst = row.code;
      c.imm = c.imm || (row.access & desc::kRegImmOnly) != 0;
    } else {
      c.src = row.code;
    }
    if (row.limit == 0 && next() % 8 != 0) c.len = 4, c.offset = 0;
  }
  if constexpr (std::is_same_v<C, desc::PkOperation>)
    if (next() % 8 != 0) return;  // slow
  words.push_back(encode(c));
  const desc::Operands operands = c.operands();
  for (unsigned i = 0; i < operands.pointers; ++i) append_pointer(words);
  for (unsigned i = 0; i < operands.ext_words; ++i) words.push_back(number());
  for (unsigned i = 0; i < operands.imm_words && words.size() < 64; ++i)
    words.push_back(next() % 2 == 0 ? number() : static_cast<uint32_t>(next()));
}

void RandomDescriptors::append(Words& words) {
  const size_t choices = std::variant_size_v<desc::Command> - 1;
  size_t pick = next() % choices, i = 0;
  desc::for_each_command([&]<class C>() {
    if (i++ != pick) return;
    // Headers and signatures end everything.
    const bool rare = std::is_same_v<C, desc::JobHeader> || std::is_same_v<C, desc::SharedHeader> ||
                      std::is_same_v<C, desc::Signature> || std::is_same_v<C, desc::ExternalKey> ||
                      std::is_same_v<C, desc::ProtocolOperation>;
    if (!rare || next() % 16 == 0) append_command<C>(words);
  });
}

Words RandomDescriptors::commands(unsigned max_words) {
  Words words;
  if (next() % 2 == 0) {  // most commands want sequences
    for (const uint32_t first : {encode(desc::SeqInPtr{}), encode(desc::SeqOutPtr{})}) {
      words.push_back(first | (next() % 4 == 0 ? 1u << 24 : 0) | static_cast<uint32_t>(next() % 600));
      append_pointer(words);
    }
  }
  const unsigned want = 1 + static_cast<unsigned>(next() % max_words);
  while (words.size() < want) append(words);
  words.resize(std::min<size_t>(words.size(), max_words));
  return words;
}

Words RandomDescriptors::mutate(Words words) {
  if (words.empty()) return words;
  for (uint64_t i = 0, n = 1 + next() % 3; i < n; ++i) {
    uint32_t& word = words[next() % words.size()];
    switch (next() % 6) {
      case 0:
        word = static_cast<uint32_t>(next());
        break;
      case 1:
        std::swap(word, words[next() % words.size()]);
        break;
      case 2:
        word = number();
        break;
      default:
        word ^= 1u << next() % 32;
    }
  }
  return words;
}

}  // namespace caamlab::tests
