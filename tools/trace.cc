// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See trace.h.
#include "tools/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/text/disassemble.h"
#include "tools/hex.h"

namespace caamlab::tools {

using hw_model::Ccb;
using hw_model::ClassRegs;
using hw_model::Deco;

TracePrinter::Snapshot TracePrinter::take(const Deco& deco) {
  Snapshot s;
  s.r = deco.r;
  s.classes[0] = deco.ccb.regs(Ccb::kClass1);
  s.classes[1] = deco.ccb.regs(Ccb::kClass2);
  s.in_moved = deco.in_seq.moved;
  s.out_moved = deco.out_seq.moved;
  s.produced = deco.ccb.out().produced();
  std::ranges::copy(deco.buffer(), s.buffer.begin());
  return s;
}

void TracePrinter::job_begins(const Deco& deco) {
  std::string sharing = deco.self() ? "shared with itself (SHRD, SELF)" : deco.shrd() ? "shared (SHRD)" : "not shared";
  line_(fmt::format("job {:#x} on DECO {}: {} shared words, {} job words, {}", deco.job_addr(), deco.number(),
                    deco.shared_words(), deco.job_words(), sharing));
  before_ = take(deco);
}

void TracePrinter::before_command(const Deco& deco, unsigned index, const desc::Command&) {
  const auto words = deco.buffer().subspan(index, deco.total_words() - index);
  const desc::Listing listing = desc::disassemble(words, {.target = deco.dma.target(), .first_index = index});
  if (!listing.lines.empty()) line_(desc::to_text(listing.lines.front()));
}

void TracePrinter::after_command(const Deco& deco, unsigned, const desc::Command&) { print_changes(deco); }

void TracePrinter::job_ends(const Deco& deco, desc::JrStatus status) {
  print_changes(deco);
  line_(fmt::format("end: status {:08x}, {} bytes of output sequence", status.word, deco.out_bytes()));
}

namespace {

// First and last changed byte, so that a line shows what moved and not 72 bytes of it.
std::string changed_bytes(desc::ByteSpan before, desc::ByteSpan now) {
  const auto [first, other] = std::mismatch(now.begin(), now.end(), before.begin());
  if (first == now.end()) return {};
  size_t last = now.size();
  while (now[last - 1] == before[last - 1]) --last;
  const size_t start = static_cast<size_t>(first - now.begin());
  return fmt::format("[{}..{}] {}", start, last - 1, to_hex(now.subspan(start, last - start)));
}

}  // namespace

void TracePrinter::print_changes(const Deco& deco) {
  const Snapshot now = take(deco);
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  const auto number = [&](std::string_view name, uint64_t a, uint64_t b) {
    if (a != b) add(fmt::format("{} {:#x} -> {:#x}", name, a, b));
  };
  for (unsigned i = 0; i < 4; ++i) number(fmt::format("MATH{}", i), before_.r.math[i], now.r.math[i]);
  number("SIL", before_.r.sil, now.r.sil);
  number("SOL", before_.r.sol, now.r.sol);
  number("VSIL", before_.r.vsil, now.r.vsil);
  number("VSOL", before_.r.vsol, now.r.vsol);
  number("DPOVRD", before_.r.dpovrd, now.r.dpovrd);
  const auto flags = [](const hw_model::DecoRegs& r) {
    return fmt::format("{}{}{}{}", r.n ? 'N' : '-', r.z ? 'Z' : '-', r.c ? 'C' : '-', r.nv ? 'V' : '-');
  };
  if (flags(before_.r) != flags(now.r)) add(fmt::format("flags {}", flags(now.r)));
  for (unsigned c = 0; c < 2; ++c) {
    const ClassRegs &a = before_.classes[c], &b = now.classes[c];
    number(fmt::format("C{} data size", c + 1), a.data_size, b.data_size);
    number(fmt::format("C{} ICV size", c + 1), a.icv_size, b.icv_size);
    if (a.mode_written != b.mode_written || (b.mode_written && a.op.mode_word() != b.op.mode_word()))
      add(fmt::format("C{} mode {:06x}", c + 1, b.mode_written ? b.op.mode_word() : 0));
    if (a.key.bytes != b.key.bytes || a.key.size != b.key.size) add(fmt::format("C{} key {} bytes", c + 1, b.key.size));
    if (const std::string ctx = changed_bytes(a.ctx, b.ctx); !ctx.empty())
      add(fmt::format("C{} context{}", c + 1, ctx));
  }
  number("output bytes", before_.produced, now.produced);
  for (unsigned i = 0; i < now.buffer.size(); ++i)
    if (before_.buffer[i] != now.buffer[i])
      add(fmt::format("word {} {:08x} -> {:08x}", i, before_.buffer[i], now.buffer[i]));
  if (!text.empty()) line_("        " + text);
  before_ = now;
}

}  // namespace caamlab::tools
