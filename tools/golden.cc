// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See golden.h.
#include "tools/golden.h"

#include <fmt/format.h>

#include <fstream>

#include "desc/text/disassemble.h"
#include "tools/constructor_table.h"
#include "tools/hex.h"

namespace caamlab::tools {

using desc::Descriptor;
using desc::ShareMode;
using nlohmann::json;

namespace {

std::optional<uint64_t> number_in(const json& item) {
  if (!item.is_string()) return std::nullopt;
  const auto number = parse_number(item.get_ref<const std::string&>());
  return number ? std::optional(*number) : std::nullopt;
}

std::optional<std::vector<uint32_t>> word_list(const json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<uint32_t> words;
  for (const json& item : list) {
    const auto word = number_in(item);
    if (!word || *word > UINT32_MAX) return std::nullopt;
    words.push_back(static_cast<uint32_t>(*word));
  }
  return words;
}

// Bits of each word that count. `unwritten`: [first word, count, mask], the mask as "0x..".
std::optional<std::vector<uint32_t>> compared_bits(const json& entry, size_t size) {
  std::vector<uint32_t> masks(size, ~0u);
  if (!entry.contains("unwritten")) return masks;
  for (const json& item : entry["unwritten"]) {
    if (!item.is_array() || item.size() != 3 || !item[0].is_number_unsigned() || !item[1].is_number_unsigned())
      return std::nullopt;
    const auto mask = number_in(item[2]);
    if (!mask) return std::nullopt;
    const size_t first = item[0], count = item[1];
    for (size_t i = first; i < first + count && i < size; ++i) masks[i] &= ~static_cast<uint32_t>(*mask);
  }
  return masks;
}

// "word 5 is 2b120000 (SEQ FIFO LOAD ...), should be 2b130000 (...)"
std::string describe_word(const Descriptor& ours, const std::vector<uint32_t>& theirs, unsigned index,
                          const desc::Target& target) {
  const auto text = [&](std::span<const uint32_t> words) {
    return desc::describe_word_at(words, index, {.target = target});
  };
  return fmt::format("word {} is {:08x} ({}), should be {:08x} ({})", index, ours[index], text(ours.words()),
                     theirs[index], text(theirs));
}

struct Difference {
  std::string reason;
  std::optional<unsigned> word;
};

std::optional<Difference> compare_words(const Descriptor& ours, const json& entry, std::string_view key,
                                        const desc::Target& target) {
  const auto theirs = word_list(entry[std::string(key)]);
  if (!theirs) return Difference{fmt::format("{}: not a list of words \"0x...\"", key), {}};
  const auto masks = compared_bits(entry, theirs->size());
  if (!masks) return Difference{"unwritten: not a list of [first word, count, mask]", {}};
  const auto common = static_cast<unsigned>(std::min<size_t>(ours.size(), theirs->size()));
  for (unsigned i = 0; i < common; ++i) {
    if (((ours[i] ^ (*theirs)[i]) & (*masks)[i]) == 0) continue;
    std::string reason = describe_word(ours, *theirs, i, target);
    if (ours.size() != theirs->size()) reason += fmt::format("; {} words instead of {}", ours.size(), theirs->size());
    return Difference{std::move(reason), i};
  }
  if (ours.size() != theirs->size())
    return Difference{fmt::format("{} words instead of {}, the same as far as they go", ours.size(), theirs->size()),
                      common};
  return std::nullopt;
}

// Entries of a file are [address, length word, offset word].
std::optional<Difference> compare_table(const SgTable& ours, const json& list) {
  if (!list.is_array()) return Difference{"sec4_sg: not a list of [address, length, offset]", {}};
  for (unsigned i = 0; i < list.size(); ++i) {
    const json& item = list[i];
    std::optional<uint64_t> number[3];
    for (unsigned k = 0; k < 3 && item.is_array() && item.size() == 3; ++k) number[k] = number_in(item[k]);
    if (!number[0] || !number[1] || !number[2])
      return Difference{fmt::format("sec4_sg entry {}: {} is not [address, length, offset]", i, item.dump()), i};
    if (i >= ours.size()) break;
    const desc::SgEntry& e = ours[i];
    const uint32_t len = desc::sg_length_word(e), offset = desc::sg_offset_word(e);
    if (e.addr != *number[0] || len != *number[1] || offset != *number[2])
      return Difference{fmt::format("S/G entry {} is {:#x} {:#010x} {:#010x}, should be {:#x} {:#010x} {:#010x}", i,
                                    e.addr, len, offset, *number[0], *number[1], *number[2]),
                        i};
  }
  if (ours.size() != list.size())
    return Difference{fmt::format("{} S/G entries instead of {}", ours.size(), list.size()), {}};
  return std::nullopt;
}

std::string text_of(const json& entry, const char* key) {
  return entry.is_object() && entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : "";
}

}  // namespace

std::optional<Mismatch> check_golden_entry(const json& entry) {
  Mismatch m{.name = text_of(entry, "name"),
             .constructor = text_of(entry, "constructor"),
             .what = {},
             .reason = {},
             .word = {}};
  const auto fail = [&](std::string what, std::string reason, std::optional<unsigned> word = {}) {
    m.what = std::move(what);
    m.reason = std::move(reason);
    m.word = word;
    return m;
  };
  if (!entry.is_object() || !entry.contains("params") || !entry.contains("words"))
    return fail("", "an entry has `constructor`, `params` and `words`");
  const ConstructorRow* row = find_constructor(m.constructor);
  if (row == nullptr) return fail("", fmt::format("there is no constructor `{}`", m.constructor));
  Params params(entry["params"], "params");
  const desc::Target target = params.target();

  const auto built = build_descriptor(*row, entry["params"], std::nullopt);
  if (!built) return fail("words", built.error().to_string());
  if (auto diff = compare_words(built->desc, entry, "words", target)) return fail("words", diff->reason, diff->word);
  if (entry.contains("words_share_never")) {
    const auto never = build_descriptor(*row, entry["params"], ShareMode::kNever);
    if (!never) return fail("words_share_never", never.error().to_string());
    if (auto diff = compare_words(never->desc, entry, "words_share_never", target))
      return fail("words_share_never", diff->reason, diff->word);
  }
  if (entry.contains("sec4_sg")) {
    if (!built->sec4_sg) return fail("sec4_sg", "this constructor makes no S/G table");
    if (auto diff = compare_table(*built->sec4_sg, entry["sec4_sg"])) return fail("sec4_sg", diff->reason);
  }
  return std::nullopt;
}

desc::Result<GoldenReport> check_golden(const json& json, std::string file) {
  if (!json.is_object() || !json.contains("entries") || !json["entries"].is_array())
    return desc::fail(
        desc::ErrorCode::kInvalidArgument,
        file + ": no list `entries`, so no file of descriptors; the format is that of tests/golden/gcm.json");
  GoldenReport report{.file = std::move(file), .entries = 0, .identical = 0, .mismatches = {}};
  for (const auto& entry : json["entries"]) {
    ++report.entries;
    if (auto mismatch = check_golden_entry(entry))
      report.mismatches.push_back(std::move(*mismatch));
    else
      ++report.identical;
  }
  return report;
}

desc::Result<GoldenReport> check_golden_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) return desc::fail(desc::ErrorCode::kNotFound, path + ": cannot be read");
  const json json = json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return desc::fail(desc::ErrorCode::kMalformed, path + ": not JSON");
  return check_golden(json, path);
}

}  // namespace caamlab::tools
