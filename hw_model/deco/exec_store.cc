// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// STORE and SEQ STORE (hardware.md 2.5).
#include <algorithm>

#include "hw_model/deco/registers.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

// Where a STORE writes: its pointer, or the output sequence, behind everything sent before.
Flow write_target(Deco& d, const Store& cmd, ByteSpan bytes) {
  const uint32_t len = static_cast<uint32_t>(bytes.size());
  DecoError error;
  if (cmd.seq) {
    if (len > d.r.sol) return d.fail(DecoError::kSequence);
    d.r.sol -= len;
    d.out_seq.moved += len;
    error = d.dma.write(d.out_seq.at, bytes);
  } else {
    BusAddr addr = 0;
    if (!d.take_pointer(addr)) return d.fail(DecoError::kStore);
    error = d.dma.write(addr, cmd.sgf_vlf, bytes);
  }
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

Flow store_immediate(Deco& d, const Store& cmd) {
  // The data comes behind the pointer.
  if (cmd.seq) {
    ByteSpan bytes;
    return d.take_bytes(cmd.len, bytes) ? write_target(d, cmd, bytes) : d.fail(DecoError::kStore);
  }
  BusAddr addr = 0;
  ByteSpan bytes;
  if (!d.take_pointer(addr) || !d.take_bytes(cmd.len, bytes)) return d.fail(DecoError::kStore);
  const DecoError error = d.dma.write(addr, cmd.sgf_vlf, bytes);
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

// Job or shared descriptor, words back to where they came from.
Flow store_descriptor(Deco& d, const Store& cmd) {
  if (cmd.seq) return d.fail(DecoError::kStore);
  const bool job = cmd.src == kRegJobDesc || cmd.src == kRegJobDescWe;
  const unsigned start = job ? d.shared_words() : 0;
  const unsigned end = job ? d.total_words() : d.shared_words();
  const BusAddr addr = job ? d.job_memory() : d.shared_addr();
  if (start + cmd.offset + cmd.len > end || addr == 0) return d.fail(DecoError::kStore);
  if (!d.settle()) return Flow::kStop;
  const std::span<const uint32_t> words = d.buffer();
  const DecoError error = d.dma.write_words(addr + cmd.offset * 4u, words.subspan(start + cmd.offset, cmd.len));
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

// The less significant half of the CCB status (hardware.md 8.4): classes that are done, PKHA flags.
uint32_t ccb_status(const Deco& d) {
  return (d.ccb.done(Ccb::kClass1) ? 1u << 16 : 0) | (d.ccb.done(Ccb::kClass2) ? 1u << 17 : 0) |
         (d.r.pk_prime ? 1u << 28 : 0) | (d.r.pk_gcd1 ? 1u << 29 : 0) | (d.r.pk_zero ? 1u << 30 : 0);
}

Flow store_math(Deco& d, const Store& cmd, MathView view) {
  uint8_t raw[32];
  for (unsigned i = 0; i < cmd.len; ++i) {
    const unsigned k = (cmd.src & 3u) * 8 + cmd.offset + i;
    raw[i] = static_cast<uint8_t>(d.r.math[k / 8] >> math_shift(k, view, d.endian()));
  }
  return write_target(d, cmd, ByteSpan(raw, cmd.len));
}

bool size_allowed(const RegRow& row, const Store& cmd) {
  if (row.limit != 0) return cmd.offset + cmd.len <= row.limit;
  return ((row.sizes & kSize4At0) != 0 && cmd.len == 4 && cmd.offset == 0) ||
         ((row.sizes & kSize4At4) != 0 && cmd.len == 4 && cmd.offset == 4) ||
         ((row.sizes & kSize8At0) != 0 && cmd.len == 8 && cmd.offset == 0);
}

// The register as words, for the rows that are numbers. False: this register cannot be read.
bool register_words(Deco& d, const Store& cmd, std::array<uint32_t, 2>& words) {
  words = {};
  if (cmd.cls == ClassSel::kDeco) {
    switch (cmd.src) {
      case 0x00:
        words[0] = static_cast<uint32_t>(d.source()) << 8 | d.number();
        return true;
      case 0x01:
        words[0] = static_cast<uint32_t>(d.job_addr() >> 32);
        words[1] = static_cast<uint32_t>(d.job_addr());
        return true;
      case 0x02:
        words[1] = d.out_bytes();
        return true;
      case 0x03:
        words[0] = d.checksum();
        return true;
      case 0x04:
        return true;
      case kRegDpovrd:
        words[0] = d.r.dpovrd;
        return true;
      default:
        return false;
    }
  }
  if (cmd.cls == ClassSel::kNone) {
    switch (cmd.src) {
      case kRegControl:
        words[0] = d.r.cha_ctrl;
        return true;
      case kRegIrqCtrlOrDpovrd:
        words[0] = d.r.irq_ctrl;
        return true;
      case kRegClrw:
        return true;
      case kRegCcbStatus:
        words[1] = ccb_status(d);
        return true;
      case kRegChaSelect:
        words[0] = d.r.cha_select;
        return true;
      default:
        return false;
    }
  }
  const ClassRegs& regs = d.ccb.regs(cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2);
  switch (cmd.src) {
    case kRegMode:
      words[0] = regs.mode_written ? regs.op.mode_word() : 0;
      return true;
    case kRegKeySize:
      words[0] = regs.key.size;
      return true;
    case kRegDataSize:
    case kRegAltDataSize:
      words[0] = static_cast<uint32_t>(cmd.len == 8 ? regs.data_size >> 32 : regs.data_size);
      words[1] = static_cast<uint32_t>(regs.data_size);
      return true;
    case kRegIcvSize:
      words[0] = regs.icv_size;
      return true;
    case kRegAadSize:
      words[0] = regs.aad_size;
      return true;
    case kRegIvSize:
      words[0] = regs.iv_size;
      return true;
    default:
      return d.pkha_size(cmd.src, words[0]);
  }
}

// Part of a context register, when the CHA is done with it.
Flow store_context(Deco& d, const Store& cmd) {
  const Ccb::Class c = cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2;
  const unsigned size = c == Ccb::kClass1 ? kClass1ContextBytes : kClass2ContextBytes;
  if (cmd.offset + cmd.len > size) return d.fail(DecoError::kContextLength);
  if (!d.wait_class(cmd.cls)) return Flow::kStop;
  return write_target(d, cmd, ByteSpan(d.ccb.regs(c).ctx).subspan(cmd.offset, cmd.len));
}

}  // namespace

bool is_plain(const Store& cmd) {
  return cmd.seq && !cmd.sgf_vlf && !cmd.imm && cmd.src == kRegContext && !cmd.to_descriptor() &&
         (cmd.cls == ClassSel::kClass1 || cmd.cls == ClassSel::kClass2);
}

Flow run_plain_store(Deco& d, const Decoded& self) { return store_context(d, *std::get_if<Store>(&self.command)); }

Flow exec(Deco& d, const Store& given) {
  if (given.to_descriptor()) return store_descriptor(d, given);
  Store cmd = given;
  if (cmd.seq && cmd.sgf_vlf) {
    if (d.r.vsol > 0xFF) return d.fail(DecoError::kContextLength);
    cmd.len = static_cast<uint8_t>(d.r.vsol);
  }
  if (cmd.imm && cmd.sgf_vlf && !cmd.seq) return d.fail(DecoError::kStore);
  if (cmd.imm) return store_immediate(d, cmd);
  const RegRow* row = cmd.src == kRegContext && cmd.cls != ClassSel::kDeco ? nullptr : find_reg(cmd.cls, cmd.src);
  if (cmd.src == kRegContext && (cmd.cls == ClassSel::kClass1 || cmd.cls == ClassSel::kClass2))
    return store_context(d, cmd);
  if (row == nullptr || (row->access & kRegStore) == 0) return d.fail(DecoError::kStore);

  uint8_t raw[256];
  if ((row->access & kRegWords) != 0) {  // the descriptor buffer
    if (cmd.offset + cmd.len > kMaxDescWords) return d.fail(DecoError::kStore);
    for (unsigned i = 0; i < cmd.len; ++i) store32(raw + i * 4, d.buffer()[cmd.offset + i], d.endian());
    return write_target(d, cmd, ByteSpan(raw, cmd.len * 4u));
  }
  if (!size_allowed(*row, cmd)) return d.fail(DecoError::kStore);
  const auto math = cmd.cls == ClassSel::kDeco ? math_view(cmd.src) : std::nullopt;
  if (math) return store_math(d, cmd, *math);
  std::array<uint32_t, 2> words;
  if (!register_words(d, cmd, words)) return d.fail(DecoError::kStore);
  for (unsigned i = 0; i < cmd.len; ++i) {
    const unsigned k = cmd.offset + i;
    raw[i] = static_cast<uint8_t>(words[k / 4] >> lane_shift(k, d.endian()));
  }
  return write_target(d, cmd, ByteSpan(raw, cmd.len));
}

}  // namespace caamlab::hw_model
