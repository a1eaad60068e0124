// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SEQ IN PTR and SEQ OUT PTR (hardware.md 2.8).
#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

template <class C>
Flow take_operands(Deco& d, const C& cmd, BusAddr& addr, uint32_t& len) {
  len = cmd.len;
  if (cmd.has_pointer() && !d.take_pointer(addr)) return d.fail(DecoError::kSequence);
  if (cmd.ext && !d.take_word(len)) return d.fail(DecoError::kSequence);
  return Flow::kNext;
}

Flow define(Deco& d, Sequence& seq, BusAddr addr, bool sgf) {
  if (const DecoError e = d.dma.open(seq.start, addr, sgf); e != DecoError::kNone) return d.fail(e);
  seq.at = seq.start;
  seq.defined = true;
  seq.moved = 0;
  return Flow::kNext;
}

// Where a sequence pointer without PRE, RTO and their like puts what it says.
[[gnu::always_inline]] inline Flow take_plain(Deco& d, bool sgf, bool ext, uint32_t& len, Sequence& seq) {
  BusAddr addr = 0;
  if (!d.take_pointer(addr) || (ext && !d.take_word(len))) return d.fail(DecoError::kSequence);
  return define(d, seq, addr, sgf);
}

}  // namespace

bool is_plain(const SeqInPtr& cmd) {
  return cmd.has_pointer() && !cmd.pre && !cmd.rto && !cmd.sop && !cmd.rbs && !cmd.rjd && !cmd.inl;
}
bool is_plain(const SeqOutPtr& cmd) { return cmd.has_pointer() && !cmd.pre && !cmd.rto && !cmd.rst; }

Flow run_plain_seq_in(Deco& d, const Decoded& self) {
  const SeqInPtr& cmd = *std::get_if<SeqInPtr>(&self.command);
  uint32_t len = cmd.len;
  const Flow flow = take_plain(d, cmd.sgf, cmd.ext, len, d.in_seq);
  d.r.sil = len;
  return flow;
}

Flow run_plain_seq_out(Deco& d, const Decoded& self) {
  const SeqOutPtr& cmd = *std::get_if<SeqOutPtr>(&self.command);
  uint32_t len = cmd.len;
  const Flow flow = take_plain(d, cmd.sgf, cmd.ext, len, d.out_seq);
  d.r.sol = len;
  return flow;
}

Flow exec(Deco& d, const SeqInPtr& cmd) {
  if ((cmd.rto && cmd.pre) || (cmd.inl && cmd.rjd) || (cmd.sop && (cmd.rbs || cmd.pre || cmd.rto || cmd.ext)))
    return d.fail(DecoError::kSequence);
  BusAddr addr = 0;
  uint32_t len = 0;
  if (take_operands(d, cmd, addr, len) == Flow::kStop) return Flow::kStop;
  if (cmd.pre) {
    d.r.sil += len;
    return Flow::kNext;
  }
  if (cmd.rto) {
    d.in_seq.at = d.in_seq.start;
    d.r.sil += len;
    return Flow::kNext;
  }
  if (cmd.sop) {
    // What the output sequence wrote, from its start.
    if (!d.settle()) return Flow::kStop;
    const uint32_t written = static_cast<uint32_t>(d.out_seq.moved);
    d.in_seq.start = d.in_seq.at = d.out_seq.start;
    d.in_seq.defined = true;
    d.in_seq.moved = 0;
    d.r.sil = len + written;
    return Flow::kNext;
  }
  if (define(d, d.in_seq, addr, cmd.sgf) == Flow::kStop) return Flow::kStop;
  d.r.sil = len;
  return cmd.rjd || cmd.inl ? d.replace_job(addr, /*jumped=*/false) : Flow::kNext;
}

Flow exec(Deco& d, const SeqOutPtr& cmd) {
  if ((cmd.rto && cmd.pre) || (cmd.rst && !cmd.rto)) return d.fail(DecoError::kSequence);
  BusAddr addr = 0;
  uint32_t len = 0;
  if (take_operands(d, cmd, addr, len) == Flow::kStop) return Flow::kStop;
  if (cmd.pre) {
    d.r.sol += len;
    return Flow::kNext;
  }
  if (cmd.rto) {
    d.out_seq.at = d.out_seq.start;
    if (cmd.rst) {
      d.r.sol += static_cast<uint32_t>(d.out_seq.moved);
      d.out_seq.moved = 0;
    } else {
      d.r.sol += len;
    }
    return Flow::kNext;
  }
  d.r.sol = len;
  return define(d, d.out_seq, addr, cmd.sgf);
}

}  // namespace caamlab::hw_model
