// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/share-safety.md: its table is what running the descriptors gives, and every unsafe cell has its reason.
#include "tests/conformance/share_safety.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace caamlab::tests {
namespace {

// Why rows are unsafe; `row` is a part of the row's name, which ends with a space here.
struct Reason {
  std::string_view row, why;
};
constexpr Reason kReasons[] = {
    {"sk_hash`, cmac update ", "SEQ LOAD of the saved context skipped when SHRD: the saved bytes are read as message"},
    {"sk_hash`, cmac final ", "as update"},
    {"sk_hash`, xcbc update_first ",
     "starts from K1, which the first job left in the key register, and stores a wrong K1"},
    {"sk_hash`, xcbc update ", "SEQ LOAD of the saved context skipped when SHRD: the saved bytes are read as message"},
    {"sk_hash`, xcbc final ", "as update"},
    {"rfc3686", "the nonce is loaded only without SHRD; another DECO gets keys, but no context"},
    {"rfc7539esp", "the salt is loaded only without SHRD; another DECO gets keys, but no context"},
    {"xts", "the sector size is loaded only without SHRD; another DECO gets keys, but no context"},
    {"DKP to memory", "a second job that fetched the descriptor before DKP wrote it back derives from the split key"},
};

std::string_view reason_of(const std::string& row) {
  for (const Reason& r : kReasons)
    if ((row + ' ').find(r.row) != std::string::npos) return r.why;
  return {};
}

bool unsafe(const ShareRow& row) {
  return std::ranges::any_of(row.wrong, [](unsigned n) { return n != 0; });
}

std::string cell(const ShareRow& row, size_t column) {
  const unsigned wrong = row.wrong[column];
  if (wrong == 0) return "safe";
  return wrong == row.algorithms ? "**wrong**" : fmt::format("**wrong in {}**", wrong);
}

std::string text_of(const ShareTable& table) {
  std::string out = "| descriptor (`cnstr_shdsc_`) | algorithms |";
  for (const auto& column : kShareColumns) out += fmt::format(" {} |", column.name);
  out += " why not |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [name, row] : table.rows) {
    out += fmt::format("| {} | {} |", name, row.algorithms);
    for (size_t c = 0; c < kShareColumns.size(); ++c) out += fmt::format(" {} |", cell(row, c));
    out += fmt::format(" {} |\n", unsafe(row) ? reason_of(name) : "");
  }
  return out;
}

constexpr unsigned kRequests = 12;

TEST(ShareSafety, TheTableIsFresh) {
  const ShareTable table = measure_share_safety("lx2160a", kRequests);
  std::ifstream file("docs/share-safety.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = text_of(table);
  EXPECT_NE(page.str().find("\n" + text), std::string::npos) << "docs/share-safety.md has to hold this:\n" << text;
  EXPECT_GT(table.followers, 1000u) << "hardly a job found shared keys: nothing was tried";
}

TEST(ShareSafety, EveryUnsafeRowHasAReasonAndTheReverse) {
  const ShareTable table = measure_share_safety("lx2160a", 4);
  for (const auto& [name, row] : table.rows) EXPECT_EQ(unsafe(row), !reason_of(name).empty()) << name;
}

// Nothing but what changes memory that others read is touched by sharing nothing.
TEST(ShareSafety, NeverIsSafeOnEveryPart) {
  for (const char* platform : {"lx2160a", "ls1046a", "p5040", "imx6ul"}) {
    const ShareTable table = measure_share_safety(platform, 4, 1);
    for (const auto& [name, row] : table.rows)
      if (name != kDkpToMemory) {
        EXPECT_EQ(row.wrong[0], 0u) << platform << ": " << name;
      }
  }
}

}  // namespace
}  // namespace caamlab::tests
