// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Round trip of the command tables: for every word, encoding its decoded form gives back the bits that belong to a
// field or are fixed; a well-formed word comes back whole. The same for NFIFO entries.
#include <cstdio>
#include <cstdlib>

#include "desc/command.h"
#include "desc/nfifo.h"

namespace caamlab::desc {
namespace {

void fail(const char* what, uint32_t word, uint32_t got) {
  std::fprintf(stderr, "%s: %08x gives %08x\n", what, word, got);
  std::abort();
}

void check_command(uint32_t word) {
  const Command command = decode(word);
  std::visit(
      [&](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (!std::is_same_v<C, InvalidCommand>) {
          const uint32_t again = encode(c);
          if (again != (word & ~reserved_bits<C>())) fail(C::kMnemonic.data(), word, again);
          if (well_formed<C>(word) && again != word) fail("well-formed", word, again);
          if (!fits(c)) fail("a decoded field does not fit", word, again);
          if (decode(again).index() != command.index()) fail("another command", word, again);
        }
      },
      command);
  for (const unsigned ptr_words : {1u, 2u})
    if (operand_words(command, ptr_words) > 0x10000 / 4 + 3) fail("operands", word, operand_words(command, ptr_words));
}

void check_entry(uint32_t word) {
  const uint32_t again = encode(decode_as<NfifoEntry>(word));
  if (again != (word & ~reserved_bits<NfifoEntry>())) fail("NFIFO entry", word, again);
}

}  // namespace
}  // namespace caamlab::desc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (size_t at = 0; at + 4 <= size; at += 4) {
    const uint32_t word = caamlab::desc::load32(data + at, caamlab::desc::Endian::kLittle);
    caamlab::desc::check_command(word);
    caamlab::desc::check_entry(word);
  }
  return 0;
}
