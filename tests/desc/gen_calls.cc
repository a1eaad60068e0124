// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Writes generated_calls.cc: of the descriptors of golden files, those that bring a new shape of call, as C++
// functions.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "desc/text/builder_calls.h"

namespace {

using namespace caamlab::desc;
using nlohmann::json;

// A statement without its numbers.
std::string shape_of(std::string_view statement) {
  std::string shape;
  for (char c : statement.substr(statement.rfind('\n') + 1))
    if (c < '0' || c > '9') shape += c;
  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  std::set<std::string> seen;
  std::string functions, table;
  unsigned n = 0;
  for (int i = 1; i < argc; ++i) {
    const json file = json::parse(std::ifstream(argv[i]));
    if (!file.contains("entries")) continue;
    for (const json& entry : file["entries"]) {
      const json& p = entry["params"];
      if (!entry.contains("words") || !p.contains("caam_ptr_sz")) continue;
      const Target target{.ptr_bytes = p["caam_ptr_sz"],
                          .endian = p["caam_little_end"] ? Endian::kLittle : Endian::kBig,
                          .imx = p["caam_imx"]};
      std::vector<uint32_t> words;
      for (const auto& w : entry["words"])
        words.push_back(static_cast<uint32_t>(std::stoul(w.get<std::string>(), nullptr, 16)));
      const BuilderCalls made = builder_calls(words, target);
      bool fresh = false;
      for (const BuilderCall& call : made.calls) fresh = seen.insert(shape_of(call.text)).second || fresh;
      if (!fresh || !made.has_header) continue;
      functions += to_cpp(made, target, fmt::format("make_{}", n)) + "\n";
      table += fmt::format("      {{\"{}\", make_{}, {{", entry["name"].get<std::string>(), n++);
      for (uint32_t w : words) table += fmt::format("{:#x}, ", w);
      table += "}},\n";
    }
  }
  std::cout << "#include \"desc/builder.h\"\n#include \"tests/desc/generated_calls.h\"\n\n"
            << "namespace caamlab {\nnamespace {\n"
            << functions << "}  // namespace\n\nnamespace desc {\n"
            << "std::span<const GeneratedCase> generated_cases() {\n"
            << "  static const std::vector<GeneratedCase> kCases{\n"
            << table << "  };\n  return kCases;\n}\n}  // namespace desc\n}  // namespace caamlab\n";
}
