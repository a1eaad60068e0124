// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the subcommands of `caam` share: streams, exit codes, errors, reading of arguments and files, JSON output.
//
// A subcommand is a file with a function `void add_x(CLI::App& app, Session& session)` that adds it to the program:
// options, help, and a callback that does the work, writes to session.out and sets session.exit_code. What the user got
// wrong is thrown as UsageError and becomes exit code 2.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "desc/bits.h"
#include "desc/result.h"

namespace caamlab::tools {

// Exit codes of every subcommand.
inline constexpr int kExitOk = 0;     // done; the answer is yes
inline constexpr int kExitNo = 1;     // done; the answer is no: not identical, not well-formed, a job failed
inline constexpr int kExitUsage = 2;  // not done: wrong usage, or an input that cannot be read

struct Session {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  int exit_code = kExitOk;
  bool colours = false;  // `out` is a terminal that shows them, and nobody minds
};

// What, where, and what would be right, in one sentence.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using AddSubcommand = void (*)(CLI::App& app, Session& session);

// Runs the program on its arguments (without its name). Never throws; returns the exit code.
int run_cli(std::span<const AddSubcommand> subcommands, std::vector<std::string> arguments, Session& session);

// The value of `option`: hexadecimal digits, or @FILE for the bytes of a file.
std::vector<uint8_t> bytes_argument(std::string_view option, const std::string& text);
// Decimal, or hexadecimal with 0x, up to `max`.
uint64_t number_argument(std::string_view option, const std::string& text, uint64_t max = UINT64_MAX);
// A whole file, "-" for session.in.
std::string read_input(Session& session, const std::string& path);
// The value, or its error as a UsageError that says where.
template <class T>
T value_or_throw(desc::Result<T> result, std::string_view where) {
  if (!result) throw UsageError(std::string(where) + ": " + result.error().to_string());
  return std::move(*result);
}

inline void value_or_throw(desc::Result<void> result, std::string_view where) {
  if (!result) throw UsageError(std::string(where) + ": " + result.error().to_string());
}

// --ptr and --endian, as all subcommands spell them.
struct TargetOptions {
  std::string ptr;     // "4", "8"; empty: not given
  std::string endian;  // "big", "little", "imx"; empty: not given
  desc::Target target(uint8_t default_ptr = 8) const;
};
void add_target_options(CLI::App& sub, TargetOptions& options);

void print_json(Session& session, const nlohmann::json& json);

}  // namespace caamlab::tools
