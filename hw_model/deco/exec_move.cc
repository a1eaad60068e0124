// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MOVE, MOVEB, MOVEDW and MOVE_LEN (hardware.md 2.9).
#include <algorithm>

#include "hw_model/deco/registers.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

// What the four forms have in common once lengths are known.
struct Plan {
  MoveSrc src;
  MoveDst dst;
  uint8_t aux = 0;
  unsigned src_offset = 0, dst_offset = 0;
  uint32_t len = 0;
  uint8_t swap = 0;  // bytes to reverse within each group: 4 (MOVEB), 8 (MOVEDW swaps its words)
};

bool is_context(MoveSrc s) { return s == MoveSrc::kClass1Ctx || s == MoveSrc::kClass2Ctx; }
bool is_math(MoveSrc s) { return s >= MoveSrc::kMath0 && s <= MoveSrc::kMath3; }
bool is_math(MoveDst s) { return s >= MoveDst::kMath0 && s <= MoveDst::kMath3; }
bool is_input(MoveSrc s) { return s >= MoveSrc::kInFifoDeco && s <= MoveSrc::kAlignBlock; }
bool is_class_input(MoveDst d) { return d == MoveDst::kClass1InFifo || d == MoveDst::kClass2InFifo; }
bool is_key(MoveDst d) { return d == MoveDst::kClass1Key || d == MoveDst::kClass2Key; }
bool named(ValueNames names, unsigned value) { return !value_name(names, value).empty(); }

constexpr unsigned kMathOffset[4] = {0, 4, 6, 7};

// Which operand OFFSET and AUX belong to. False: no such move.
bool place(Plan& p, uint8_t offset, uint8_t aux) {
  if (!named(kMoveSrcNames, static_cast<unsigned>(p.src)) || !named(kMoveDstNames, static_cast<unsigned>(p.dst)))
    return false;
  const bool to_fifo = p.dst == MoveDst::kOutFifo || p.dst == MoveDst::kAuxFifo || p.dst == MoveDst::kInFifo ||
                       p.dst == MoveDst::kPkhaA || is_class_input(p.dst);
  const bool aligned = offset % 4 == 0;
  if (is_input(p.src)) {
    if (is_class_input(p.dst) || p.dst == MoveDst::kInFifo || p.dst == MoveDst::kPkhaA || p.dst == MoveDst::kAuxFifo)
      return false;
    if ((p.src == MoveSrc::kInFifoClass && aux > 1) || (p.src == MoveSrc::kAlignBlock && aux > 2)) return false;
    if (p.dst == MoveDst::kOutFifo) return true;
    p.dst_offset = offset;
    return aligned;
  }
  switch (p.src) {
    case MoveSrc::kOutFifo:
      if (p.dst == MoveDst::kOutFifo) return false;
      p.dst_offset = to_fifo ? 0 : offset;
      return true;
    case MoveSrc::kDescBuf:
      if (p.dst == MoveDst::kDescBuf || (p.dst == MoveDst::kOutFifo && !aligned)) return false;
      p.src_offset = offset;
      if (is_math(p.dst)) p.dst_offset = kMathOffset[aux];
      if (p.dst == MoveDst::kClass1Ctx || p.dst == MoveDst::kClass2Ctx) p.dst_offset = aux * 16u;
      return true;
    default:
      break;
  }
  if ((p.dst == MoveDst::kOutFifo || p.dst == MoveDst::kAuxFifo) && (is_context(p.src) || is_math(p.src)) && !aligned)
    return false;
  if (is_context(p.src)) {
    if (p.dst == MoveDst::kDescBuf) {
      p.dst_offset = offset;
      p.src_offset = aux * 16u;
    } else if (is_key(p.dst)) {
      (aux == 1 ? p.dst_offset : p.src_offset) = offset;
    } else {
      p.src_offset = offset;
      if (is_math(p.dst)) p.dst_offset = kMathOffset[aux];
    }
    return true;
  }
  if (is_math(p.src)) {
    if (to_fifo) {
      p.src_offset = offset;
    } else {
      p.dst_offset = offset;
      if (!is_key(p.dst)) p.src_offset = kMathOffset[aux];
    }
    return true;
  }
  p.dst_offset = offset;  // class keys
  return true;
}

// The alignment block a source reads: 0 class 1, 1 class 2, 2 DECO.
unsigned block_of(const Plan& p) {
  if (p.src == MoveSrc::kInFifoDeco) return 2;
  if (p.src == MoveSrc::kInFifoClass) return p.aux == 1 ? 0 : 1;
  return p.aux == 0 ? 2 : p.aux - 1u;
}

void make_source_entry(Deco& d, const Plan& p) {
  if (!d.auto_nfifo || p.src == MoveSrc::kAlignBlock) return;
  constexpr NfifoDest kDest[3] = {NfifoDest::kClass1, NfifoDest::kClass2, NfifoDest::kDeco};
  d.ccb.push_entry({.dest = kDest[block_of(p)], .data = NfifoData::kMsg}, p.len, /*for_move=*/true);
}

Flow blocked(Deco& d) { return d.ccb.fault() ? d.fail_fault() : d.hang(); }

// Data waiting in an alignment block to the output, without passing through a buffer here.
Flow block_to_output(Deco& d, const Plan& p) {
  make_source_entry(d, p);
  if (!d.settle()) return Flow::kStop;
  OutFifo& out = d.ccb.out();
  return d.ccb.drain_block(block_of(p), p.len, [&](ByteSpan run) { out.put(run); }) ? Flow::kNext : blocked(d);
}

Flow read_source(Deco& d, const Plan& p, std::span<uint8_t> out) {
  if (is_input(p.src)) {
    make_source_entry(d, p);
    return d.ccb.take_from_block(block_of(p), out) ? Flow::kNext : blocked(d);
  }
  if (is_math(p.src)) {
    read_math_bytes(d, (static_cast<unsigned>(p.src) - static_cast<unsigned>(MoveSrc::kMath0)) * 8 + p.src_offset, out);
    return Flow::kNext;
  }
  switch (p.src) {
    case MoveSrc::kClass1Ctx:
    case MoveSrc::kClass2Ctx: {
      const Ccb::Class c = p.src == MoveSrc::kClass1Ctx ? Ccb::kClass1 : Ccb::kClass2;
      if (!d.wait_class(c == Ccb::kClass1 ? ClassSel::kClass1 : ClassSel::kClass2)) return Flow::kStop;
      const auto& ctx = d.ccb.regs(c).ctx;
      for (size_t i = 0; i < out.size(); ++i) out[i] = p.src_offset + i < ctx.size() ? ctx[p.src_offset + i] : 0;
      return Flow::kNext;
    }
    case MoveSrc::kOutFifo:
      if (!d.settle()) return Flow::kStop;
      return d.ccb.out().pop(out) ? Flow::kNext : blocked(d);
    case MoveSrc::kDescBuf:
      d.read_buffer(p.src_offset, out);
      return Flow::kNext;
    case MoveSrc::kClass1Key:
    case MoveSrc::kClass2Key: {
      // Write-only, but for a key that may be stored in plaintext.
      const KeyRegister& key = d.ccb.regs(p.src == MoveSrc::kClass1Key ? Ccb::kClass1 : Ccb::kClass2).key;
      if (!key.plaintext_store) return d.fail(DecoError::kMove);
      for (size_t i = 0; i < out.size(); ++i) out[i] = i < key.bytes.size() ? key.bytes[i] : 0;
      return Flow::kNext;
    }
    default:
      return d.fail(DecoError::kMove);
  }
}

Flow write_destination(Deco& d, const Plan& p, ByteSpan in) {
  if (is_math(p.dst)) {
    write_math_bytes(d, (static_cast<unsigned>(p.dst) - static_cast<unsigned>(MoveDst::kMath0)) * 8 + p.dst_offset, in);
    return Flow::kNext;
  }
  switch (p.dst) {
    case MoveDst::kClass1Ctx:
    case MoveDst::kClass2Ctx: {
      const bool class1 = p.dst == MoveDst::kClass1Ctx;
      const size_t size = class1 ? kClass1ContextBytes : kClass2ContextBytes;
      auto& ctx = d.ccb.regs(class1 ? Ccb::kClass1 : Ccb::kClass2).ctx;
      // What does not fit is cut silently (hardware.md 2.9).
      for (size_t i = 0; i < in.size() && p.dst_offset + i < size; ++i) ctx[p.dst_offset + i] = in[i];
      return Flow::kNext;
    }
    case MoveDst::kOutFifo:
      if (!d.settle()) return Flow::kStop;
      d.ccb.out().put(in);
      return Flow::kNext;
    case MoveDst::kDescBuf:
      d.write_buffer(p.dst_offset, in);
      return Flow::kNext;
    case MoveDst::kClass1InFifo:
    case MoveDst::kClass2InFifo: {
      d.ccb.push_input(d.ccb.arena().copy(in));
      if (!d.auto_nfifo) return Flow::kNext;
      const bool class1 = p.dst == MoveDst::kClass1InFifo, last = (p.aux & 1) != 0, flush = (p.aux & 2) != 0;
      NfifoEntry entry{.dest = class1 ? NfifoDest::kClass1 : NfifoDest::kClass2, .data = NfifoData::kMsg};
      (class1 ? entry.lc1 : entry.lc2) = last;
      (class1 ? entry.fc1 : entry.fc2) = flush;
      d.ccb.regs(class1 ? Ccb::kClass1 : Ccb::kClass2).data_size += in.size();
      d.ccb.push_entry(entry, static_cast<uint32_t>(in.size()));
      return Flow::kNext;
    }
    case MoveDst::kInFifo:
      d.ccb.push_input(d.ccb.arena().copy(in));
      return Flow::kNext;
    case MoveDst::kAuxFifo:
      d.ccb.push_aux(d.ccb.arena().copy(in));
      return Flow::kNext;
    case MoveDst::kPkhaA:
      return d.load_pkha(NfifoPkData::kA, in);
    case MoveDst::kClass1Key:
    case MoveDst::kClass2Key: {
      const bool class1 = p.dst == MoveDst::kClass1Key;
      const size_t size = class1 ? kClass1KeyBytes : kClass2KeyBytes;
      KeyRegister& key = d.ccb.regs(class1 ? Ccb::kClass1 : Ccb::kClass2).key;
      for (size_t i = 0; i < in.size() && p.dst_offset + i < size; ++i) key.bytes[p.dst_offset + i] = in[i];
      key.decrypt_form = false;
      return Flow::kNext;
    }
    default:
      return d.fail(DecoError::kMove);
  }
}

// MOVEB and MOVEDW differ from MOVE only on little-endian parts.
void swap_groups(std::span<uint8_t> bytes, uint8_t group) {
  for (size_t at = 0; at + group <= bytes.size(); at += group) {
    if (group == 4)
      std::reverse(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(at + 4));
    else
      std::swap_ranges(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(at + 4),
                       bytes.begin() + static_cast<ptrdiff_t>(at + 4));
  }
}

Flow move(Deco& d, const Plan& p) {
  if (is_input(p.src) && p.dst == MoveDst::kOutFifo && p.swap == 0) return block_to_output(d, p);
  if (p.len > 0xFFFF) return d.fail(DecoError::kMove);
  if (d.ccb.exhausted()) return d.hang();
  uint8_t* buffer = d.ccb.arena().allocate(p.len);
  const std::span<uint8_t> bytes(buffer, p.len);
  if (read_source(d, p, bytes) == Flow::kStop) return Flow::kStop;
  if (p.swap != 0) swap_groups(bytes, p.swap);
  return write_destination(d, p, bytes);
}

// swap: what the form asks for; whether it does anything is the byte order's and the operands' (hardware.md 0.3).
void set_swap(const Deco& d, Plan& p, uint8_t swap) {
  const bool touches_words =
      p.src == MoveSrc::kDescBuf || p.dst == MoveDst::kDescBuf || is_math(p.src) || is_math(p.dst);
  if (d.endian() == Endian::kLittle && (swap == 8 || touches_words)) p.swap = swap;
}

template <class M>
Flow move_literal(Deco& d, const M& cmd, uint8_t swap) {
  Plan p{.src = cmd.src, .dst = cmd.dst, .aux = cmd.aux};
  p.len = cmd.length();
  set_swap(d, p, swap);
  if (!place(p, cmd.offset, cmd.aux)) return d.fail(DecoError::kMove);
  return move(d, p);
}

}  // namespace

Flow exec(Deco& d, const Move& cmd) { return move_literal(d, cmd, 0); }
Flow exec(Deco& d, const MoveB& cmd) { return move_literal(d, cmd, 4); }
Flow exec(Deco& d, const MoveDw& cmd) { return move_literal(d, cmd, 8); }

Flow exec(Deco& d, const MoveLen& cmd) {
  Plan p{.src = cmd.src, .dst = cmd.dst, .aux = cmd.aux};
  p.len = static_cast<uint32_t>(d.r.math[cmd.math]);
  constexpr uint8_t kSwapOfSize[4] = {0, 0, 4, 8};  // default, word, byte, dword
  set_swap(d, p, kSwapOfSize[cmd.size & 3]);
  if (!place(p, cmd.offset, cmd.aux)) return d.fail(DecoError::kMove);
  return move(d, p);
}

}  // namespace caamlab::hw_model
