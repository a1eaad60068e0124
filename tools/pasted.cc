// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See pasted.h.
#include "tools/pasted.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/command.h"

namespace caamlab::tools {
namespace {

bool is_binary(std::string_view text) {
  return std::ranges::any_of(text.substr(0, 4096), [](char c) { return c == 0 || (c > 0 && c < 8); });
}

}  // namespace

std::vector<desc::PastedDump> read_pasted(Session& session, const std::string& file, bool binary) {
  const std::string text = read_input(session, file);
  const std::string where = file == "-" ? "standard input" : file;
  if (!binary && !is_binary(text)) return value_or_throw(desc::read_dumps(text), where);
  if (text.empty() || text.size() % 4 != 0)
    throw UsageError(fmt::format("{}: {} bytes: not a whole number of 32-bit words", where, text.size()));
  desc::PastedDump dump{.numbers = {}, .group = 1};
  for (char c : text) dump.numbers.push_back(static_cast<uint8_t>(c));
  return {std::move(dump)};
}

desc::Detected detect_pasted(const desc::PastedDump& dump, const TargetOptions& target,
                             std::optional<unsigned> first_index) {
  desc::DetectOptions options{.first_index = first_index};
  if (!target.ptr.empty()) options.ptr_bytes = target.target().ptr_bytes;
  if (!target.endian.empty()) {
    options.endian = target.target().endian;
    options.imx = target.target().imx;
  }
  return desc::detect(dump, options);
}

std::optional<size_t> shared_of(std::span<const desc::Detected> all, size_t job) {
  const auto header = [&](size_t i) { return all[i].words.empty() ? 0u : all[i].words[0]; };
  if (!desc::is_command<desc::JobHeader>(header(job))) return std::nullopt;
  const auto j = desc::decode_as<desc::JobHeader>(header(job));
  if (!j.shr) return std::nullopt;
  for (size_t i = 0; i < all.size(); ++i)
    if (desc::is_command<desc::SharedHeader>(header(i)) &&
        desc::decode_as<desc::SharedHeader>(header(i)).len == j.start)
      return i;
  return std::nullopt;
}

}  // namespace caamlab::tools
