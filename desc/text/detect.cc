// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See detect.h.
#include "desc/text/detect.h"

#include <fmt/format.h>

#include <algorithm>

namespace caamlab::desc {
namespace {

// Faults of a listing: marked lines, pointers no part has, lengths that do not come out.
struct Judgement {
  unsigned faults = 0;
  unsigned pointers = 0;
  std::string first;  // fault
};

// No part decodes more address bits.
constexpr unsigned kLikelyAddressBits = 49;

Judgement judge(const Listing& listing) {
  Judgement j;
  const auto fault = [&](unsigned weight, std::string_view what) {
    if (j.faults == 0) j.first = what;
    j.faults += weight;
  };
  const ListedLine* far = nullptr;
  for (const ListedLine& line : listing.lines) {
    for (const std::string& note : line.notes) fault(2, fmt::format("{} at {}: {}", line.mnemonic, line.index, note));
    if (line.raw_operands && line.notes.empty())
      fault(2, fmt::format("the operands of the {} at {} have words that mean nothing", line.mnemonic, line.index));
    if (!line.pointer) continue;
    ++j.pointers;
    if (*line.pointer >> kLikelyAddressBits != 0 && far == nullptr) far = &line;
  }
  for (const std::string& note : listing.notes) fault(2, note);
  // Weak, and counted once: made-up addresses are like that too.
  if (far != nullptr)
    fault(1, fmt::format("the pointer of the {} at {} would be {:#x}", far->mnemonic, far->index, *far->pointer));
  return j;
}

Judgement judge(std::span<const uint32_t> words, const Target& target, unsigned first_index) {
  return judge(disassemble(words, {.target = target, .first_index = first_index}));
}

bool is_header(std::span<const uint32_t> words) {
  if (words.empty()) return false;
  const auto header = header_info(words[0], 1);
  return header && get_bits(words[0], 23, 23) == 1 && get_bits(words[0], 15, 15) == 0;
}
// A header whose length is that of the words is hardly chance.
bool is_fitting_header(std::span<const uint32_t> words) {
  return is_header(words) && header_info(words[0], 1)->len == words.size();
}

unsigned best_faults(std::span<const uint32_t> words, unsigned first_index) {
  return std::min(judge(words, {.ptr_bytes = 4}, first_index).faults,
                  judge(words, {.ptr_bytes = 8}, first_index).faults);
}

void choose_reading(Detected& out, const PastedDump& dump, const DetectOptions& options) {
  std::vector<WordReading> readings = readings_of(dump);
  const bool given = options.endian && readings[0].order;
  if (given) std::erase_if(readings, [&](const WordReading& r) { return *r.order != *options.endian; });
  const auto take = [&](size_t i, Sureness sure, std::string why) {
    out.words = std::move(readings[i].words);
    out.how = readings[i].how;
    out.reading = {sure, std::move(why)};
    if (readings[i].order) out.target.endian = *readings[i].order;
  };
  if (readings.size() == 1) return take(0, Sureness::kGiven, "by --endian");
  // A header tells most.
  std::vector<size_t> headers, fitting;
  for (size_t i = 0; i < readings.size(); ++i) {
    if (is_header(readings[i].words)) headers.push_back(i);
    if (is_fitting_header(readings[i].words)) fitting.push_back(i);
  }
  if (fitting.size() == 1)
    return take(fitting[0], Sureness::kSure, "the first word is a header, and its length that of the dump, only so");
  if (headers.size() == 1) return take(headers[0], Sureness::kSure, "the first word is a header only so");
  std::vector<unsigned> faults;
  for (const WordReading& r : readings) faults.push_back(best_faults(r.words, dump.first_index));
  const size_t best = static_cast<size_t>(std::ranges::min_element(faults) - faults.begin());
  unsigned second = UINT32_MAX;
  for (size_t i = 0; i < faults.size(); ++i)
    if (i != best) second = std::min(second, faults[i]);
  const std::string why =
      fmt::format("no header; read so {} oddities, read otherwise at least {}", faults[best], second);
  if (second == faults[best]) return take(0, Sureness::kUnknown, why);
  take(best, second > 2 * faults[best] + 2 ? Sureness::kSure : Sureness::kLikely, why);
}

void choose_ptr(Detected& out, const DetectOptions& options, unsigned first_index) {
  if (options.ptr_bytes) {
    out.target.ptr_bytes = *options.ptr_bytes;
    out.ptr = {Sureness::kGiven, "by --ptr"};
    return;
  }
  Target t4 = out.target, t8 = out.target;
  t4.ptr_bytes = 4;
  t8.ptr_bytes = 8;
  const Listing as4 = disassemble(out.words, {.target = t4, .first_index = first_index});
  const Listing as8 = disassemble(out.words, {.target = t8, .first_index = first_index});
  const Judgement with4 = judge(as4);
  // Which word comes first is open yet: the better of both.
  Judgement with8 = judge(as8);
  if (!options.endian) {
    Target other = t8;
    other.endian = t8.endian == Endian::kLittle ? Endian::kBig : Endian::kLittle;
    const Judgement turned = judge(out.words, other, first_index);
    if (turned.faults < with8.faults) with8 = turned;
  }
  out.target.ptr_bytes = 8;
  if (to_text(as4) == to_text(as8)) {
    out.ptr = {Sureness::kIrrelevant, with4.pointers == 0 ? "there are no pointers in these words"
                                                          : "with 4 and with 8 bytes the listing is the same"};
    return;
  }
  const unsigned less = std::min(with4.faults, with8.faults), more = std::max(with4.faults, with8.faults);
  if (less == more) {
    out.ptr = {Sureness::kUnknown, fmt::format("with 4 and with 8 bytes {} oddities", less)};
    return;
  }
  out.target.ptr_bytes = with4.faults < with8.faults ? 4 : 8;
  const Judgement& worse = with4.faults < with8.faults ? with8 : with4;
  out.ptr = {more >= 2 * less + 2 && more - less > 2 ? Sureness::kSure : Sureness::kLikely,
             fmt::format("with {} bytes {} oddities, with {} {} ({})", out.target.ptr_bytes, less,
                         12 - out.target.ptr_bytes, more, worse.first)};
}

// The upper half of an address is small, mostly 0.
void choose_ptr_order(Detected& out, const DetectOptions& options, unsigned first_index) {
  if (options.endian) {
    out.target.endian = *options.endian;
    out.target.imx = options.imx;
    out.ptr_order = {Sureness::kGiven, "by --endian"};
    return;
  }
  if (out.target.ptr_bytes == 4) {
    out.ptr_order = {Sureness::kIrrelevant, "pointers have one word"};
    return;
  }
  unsigned low_first = 0, high_first = 0;
  const Listing listing = disassemble(out.words, {.target = {.ptr_bytes = 8}, .first_index = first_index});
  for (const ListedLine& line : listing.lines) {
    if (!line.pointer) continue;
    const bool small_high = *line.pointer >> kLikelyAddressBits == 0;
    const bool small_low = static_cast<uint32_t>(*line.pointer) >> (kLikelyAddressBits - 32) == 0;
    if (small_high && !small_low) ++low_first;
    if (small_low && !small_high) ++high_first;
  }
  const bool bytes = out.how.find("endian") != std::string_view::npos;  // then the order of words is known too
  const std::string why = fmt::format("{} pointers have their upper half last, {} first", low_first, high_first);
  if (low_first == high_first) {
    out.ptr_order = {low_first == 0 ? Sureness::kIrrelevant : Sureness::kUnknown, why};
    return;
  }
  const bool high = high_first > low_first;
  if (bytes && high && out.target.endian == Endian::kLittle)
    out.target.imx = true;
  else if (!bytes)
    out.target.endian = high ? Endian::kBig : Endian::kLittle;
  out.ptr_order = {std::min(low_first, high_first) == 0 ? Sureness::kSure : Sureness::kLikely, why};
}

}  // namespace

std::string_view sureness_name(Sureness s) {
  static constexpr std::string_view kNames[] = {"given", "makes no difference", "unknown", "likely", "sure"};
  return kNames[static_cast<size_t>(s)];
}

Detected detect(const PastedDump& dump, const DetectOptions& options) {
  Detected out;
  choose_reading(out, dump, options);
  const unsigned first_index = options.first_index.value_or(dump.first_index);
  choose_ptr(out, options, first_index);
  choose_ptr_order(out, options, first_index);
  return out;
}

}  // namespace caamlab::desc
