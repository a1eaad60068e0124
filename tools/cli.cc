// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See cli.h.
#include "tools/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tools/hex.h"

namespace caamlab::tools {

namespace {

std::string names_of(const CLI::App& app) {
  std::string names;
  for (const CLI::App* sub : app.get_subcommands({})) names += (names.empty() ? "" : ", ") + sub->get_name();
  return names;
}

}  // namespace

int run_cli(std::span<const AddSubcommand> subcommands, std::vector<std::string> arguments, Session& session) {
  CLI::App app{
      "Linux's CAAM driver and a model of the CAAM/SEC it drives.\n"
      "Each subcommand explains itself: caam SUBCOMMAND --help",
      "caam"};
  app.require_subcommand(1);
  app.footer("exit codes: 0 done, 1 the answer is no, 2 wrong usage or unreadable input");
  for (AddSubcommand add : subcommands) add(app, session);
  std::string name = "caam";
  const auto complain = [&](std::string_view what) {
    session.err << name << ": " << what << '\n';
    return kExitUsage;
  };
  try {
    if (!arguments.empty() && !arguments[0].starts_with('-')) {
      const auto subs = app.get_subcommands({});
      if (std::ranges::none_of(subs, [&](const CLI::App* sub) { return sub->get_name() == arguments[0]; }))
        return complain(fmt::format("there is no subcommand \"{}\"; there are {}", arguments[0], names_of(app)));
      name += " " + arguments[0];
    }
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    app.parse(std::move(arguments));
    return session.exit_code;
  } catch (const CLI::CallForHelp&) {
    // The help of the subcommand, if one was named.
    const auto chosen = app.get_subcommands();
    session.out << (chosen.empty() ? app.help() : chosen.front()->help("caam"));
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{} (--help lists what there is)", error.what()));
  } catch (const UsageError& error) {
    return complain(error.what());
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

namespace {

std::string read_file(const std::string& path, std::string_view what) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) throw UsageError(fmt::format("{}: the file {} cannot be read", what, path));
  return text;
}

}  // namespace

std::vector<uint8_t> bytes_argument(std::string_view option, const std::string& text) {
  if (text.starts_with('@')) {
    const std::string data = read_file(text.substr(1), option);
    return {data.begin(), data.end()};
  }
  auto bytes = parse_hex(text);
  if (!bytes)
    throw UsageError(fmt::format("{}: {}; give pairs of hexadecimal digits, or @FILE for the bytes of a file", option,
                                 bytes.error().message));
  return std::move(*bytes);
}

uint64_t number_argument(std::string_view option, const std::string& text, uint64_t max) {
  const auto number = parse_number(text);
  if (!number) throw UsageError(fmt::format("{}: {}", option, number.error().message));
  if (*number > max) throw UsageError(fmt::format("{}: {} is more than {}", option, text, max));
  return *number;
}

std::string read_input(Session& session, const std::string& path) {
  if (path != "-") return read_file(path, "input");
  return {std::istreambuf_iterator<char>(session.in), {}};
}

desc::Target TargetOptions::target(uint8_t default_ptr) const {
  return {.ptr_bytes = ptr.empty() ? default_ptr : static_cast<uint8_t>(ptr == "4" ? 4 : 8),
          .endian = endian == "big" ? desc::Endian::kBig : desc::Endian::kLittle,
          .imx = endian == "imx"};
}

void add_target_options(CLI::App& sub, TargetOptions& options) {
  sub.add_option("--ptr", options.ptr, "bytes of a pointer: 4 or 8")->check(CLI::IsMember({"4", "8"}));
  sub.add_option("--endian", options.endian,
                 "byte order of the SEC: big (QorIQ, LS1043A, LS1046A), little (LS1088A, LX2160A), or imx (little, but "
                 "the upper word of a pointer first); little if not given")
      ->check(CLI::IsMember({"big", "little", "imx"}));
}

void print_json(Session& session, const nlohmann::json& json) { session.out << json.dump(2) << '\n'; }

}  // namespace caamlab::tools
