// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Any text: the readers of pastes, of status words and of the assembler's language. What is read as words is listed,
// and the listing gives the words back.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "desc/text/assemble.h"
#include "desc/text/detect.h"
#include "desc/text/find_status.h"
#include "desc/text/status_place.h"

namespace caamlab::desc {
namespace {

void expect_round_trip(std::span<const uint32_t> words, const DisassembleOptions& options) {
  const std::string text = to_text(disassemble(words, options));
  const auto again = assemble(text, {.target = options.target});
  if (again && std::ranges::equal(again->words, words)) return;
  std::fprintf(stderr, "%s\n%s\n", text.c_str(), again ? "other words" : again.error().message.c_str());
  std::abort();
}

void fuzz(std::string_view text) {
  if (const auto dumps = read_dumps(text))
    for (const PastedDump& dump : *dumps) {
      const Detected found = detect(dump, {});
      expect_round_trip(found.words, {.target = found.target, .first_index = dump.first_index});
    }
  if (const auto program = assemble(text, {})) {
    if (!program->words.empty()) expect_round_trip(program->words, {.target = {.ptr_bytes = 4}});
    for (const FoundStatus& f : find_status(text, /*bare=*/true)) place_status(JrStatus{f.word}, program->words, {});
  }
  find_status(text);
}

}  // namespace
}  // namespace caamlab::desc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  caamlab::desc::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
