// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// FIFO LOAD and SEQ FIFO LOAD (hardware.md 2.6, 3.3).
#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

using namespace desc;

NfifoData nfifo_data(FifoLoadType type) {
  switch (type) {
    case FifoLoadType::kIv:
      return NfifoData::kIv;
    case FifoLoadType::kAad:
      return NfifoData::kAad;
    case FifoLoadType::kIcv:
      return NfifoData::kIcv;
    default:
      return NfifoData::kMsg;
  }
}

namespace {

constexpr uint64_t kNumBits = uint64_t{7} << 61;  // of the data size: valid bits of the last byte

void add_size(ClassRegs& regs, const FifoLoad& cmd, FifoLoadType type, uint32_t len) {
  switch (type) {
    case FifoLoadType::kIv:
      regs.iv_size = len % 16;
      break;
    case FifoLoadType::kAad:
      regs.aad_size = len % 16;
      break;
    case FifoLoadType::kIcv:
      regs.icv_size = len;
      break;
    case FifoLoadType::kNoInfoFifo:
      break;  // says nothing about what its bytes are
    case FifoLoadType::kBitData:
      regs.data_size = ((regs.data_size + len) & ~kNumBits) | uint64_t{cmd.len % 8u} << 61;
      break;
    default:
      regs.data_size += len;
      break;
  }
}

void add_sizes(Deco& d, const FifoLoad& cmd, FifoLoadType type, uint32_t len) {
  for (const Ccb::Class c : {Ccb::kClass1, Ccb::kClass2})
    if ((static_cast<unsigned>(cmd.cls) >> c & 1) != 0) add_size(d.ccb.regs(c), cmd, type, len);
}

// Length in bytes; of bit data the bits beyond whole bytes take a byte of their own.
uint32_t length_of(const Deco& d, const FifoLoad& cmd) {
  if (cmd.seq && cmd.sgf_vlf) return d.r.vsil + cmd.len;
  return cmd.data_type() == FifoLoadType::kBitData ? (cmd.len + 7u) / 8 : cmd.len;
}

bool well_formed(const FifoLoad& cmd) {
  if (cmd.cls == ClassSel::kNone && !cmd.seq) return false;
  if (cmd.ext && (cmd.seq ? cmd.sgf_vlf : cmd.imm_aidf)) return false;
  if (!cmd.seq && cmd.imm_aidf && cmd.sgf_vlf) return false;
  if (cmd.cls == ClassSel::kNone) return true;  // skips have no type
  const FifoLoadType type = cmd.data_type();
  if (cmd.is_pkha()) return cmd.cls == ClassSel::kClass1;
  return type == FifoLoadType::kNoInfoFifo || cmd.has_actions();
}

// The data itself into the IFIFO, by reference.
Flow queue_data(Deco& d, const FifoLoad& cmd, BusAddr addr, ByteSpan imm, uint32_t len) {
  if (cmd.seq && cmd.imm_aidf) return Flow::kNext;  // AIDF: it is there already
  if (!cmd.seq && cmd.imm_aidf) {
    d.ccb.push_input(imm);
    return Flow::kNext;
  }
  const auto push = [&](std::span<uint8_t> run) { d.ccb.push_input(run); };
  DecoError error;
  if (cmd.seq) {
    error = d.dma.walk(d.in_seq.at, len, DmaDirection::kToDevice, push);
  } else {
    SgCursor cursor;
    error = d.dma.open(cursor, addr, cmd.sgf_vlf);
    if (error == DecoError::kNone) error = d.dma.walk(cursor, len, DmaDirection::kToDevice, push);
  }
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

void queue_entry(Deco& d, const FifoLoad& cmd, FifoLoadType type, uint32_t len) {
  if (!d.auto_nfifo || type == FifoLoadType::kNoInfoFifo) return;
  NfifoEntry entry{.dest = static_cast<NfifoDest>(cmd.cls), .data = nfifo_data(type)};
  const uint8_t actions = cmd.actions();
  entry.fc1 = (actions & kFifoLoadFlush1) != 0;
  entry.lc1 = (actions & kFifoLoadLast1) != 0;
  entry.lc2 = (actions & kFifoLoadLast2) != 0;
  if (type == FifoLoadType::kMsg1Out2) entry.src = NfifoSource::kSnoop;
  d.ccb.push_entry(entry, len);
}

// Data for one class whose CHA waits for it needs no FIFO. The last run carries the marks.
Flow feed_sequence(Deco& d, Ccb::Class c, const Decoded& self, uint32_t len) {
  Ccb::Piece piece;
  piece.type = self.data;
  const auto mark = [&] {
    piece.flush = self.flush;
    piece.last = self.last;
  };
  if (len == 0) {
    mark();
    d.ccb.feed(c, piece);
  }
  const DecoError error = d.dma.walk(d.in_seq.at, len, DmaDirection::kToDevice, [&](std::span<uint8_t> run) {
    len -= static_cast<uint32_t>(run.size());
    if (len == 0) mark();
    piece.data = run.data();
    piece.len = run.size();
    d.ccb.feed(c, piece);
  });
  if (error != DecoError::kNone) return d.fail(error);
  return d.ccb.fault() ? d.fail_fault() : Flow::kNext;
}

// SEQ FIFO LOAD of class 0: the bytes are read and dropped, so they must be readable.
Flow skip(Deco& d, const FifoLoad& cmd, uint32_t len) {
  if (cmd.imm_aidf) {  // those that are there already
    if (d.auto_nfifo) d.ccb.push_entry({.dest = NfifoDest::kDeco, .data = NfifoData::kSkip}, len);
    return Flow::kNext;
  }
  const DecoError error = d.dma.walk(d.in_seq.at, len, DmaDirection::kToDevice, [](std::span<uint8_t>) {});
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

}  // namespace

namespace {
bool is_plain(const FifoLoad& cmd) {
  return well_formed(cmd) && !cmd.ext && cmd.has_actions() && !cmd.is_pkha() &&
         cmd.data_type() != FifoLoadType::kBitData && (cmd.cls == ClassSel::kClass1 || cmd.cls == ClassSel::kClass2);
}
}  // namespace

bool is_plain_sequence(const FifoLoad& cmd) { return is_plain(cmd) && cmd.seq && !cmd.imm_aidf; }
bool is_plain_immediate(const FifoLoad& cmd) {
  return is_plain(cmd) && !cmd.seq && cmd.imm_aidf && cmd.data_type() != FifoLoadType::kMsg1Out2;
}

Flow run_plain_immediate(Deco& d, const Decoded& self) {
  const FifoLoad& cmd = *std::get_if<FifoLoad>(&self.command);
  ByteSpan bytes;
  if (!d.take_bytes(cmd.len, bytes)) return d.fail(DecoError::kFifoLoad);
  const bool class1 = cmd.cls == ClassSel::kClass1;
  d.ccb.push_input(bytes);
  add_size(d.ccb.regs(class1 ? Ccb::kClass1 : Ccb::kClass2), cmd, cmd.data_type(), cmd.len);
  if (d.auto_nfifo) {
    NfifoEntry entry{.dest = class1 ? NfifoDest::kClass1 : NfifoDest::kClass2, .data = self.data};
    entry.fc1 = self.flush;
    (class1 ? entry.lc1 : entry.lc2) = self.last;
    d.ccb.push_entry(entry, cmd.len);
  }
  return d.ccb.fault() ? d.fail_fault() : Flow::kNext;
}

Flow run_plain_sequence(Deco& d, const Decoded& self) {
  const FifoLoad& cmd = *std::get_if<FifoLoad>(&self.command);
  const uint32_t len = cmd.sgf_vlf ? d.r.vsil + cmd.len : cmd.len;
  if (len > d.r.sil) return d.fail(DecoError::kSequence);
  const Ccb::Class c = cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2;
  if (!d.auto_nfifo || !d.ccb.can_feed(c, len, self.data)) return exec(d, cmd);
  d.r.sil -= len;
  d.in_seq.moved += len;
  add_size(d.ccb.regs(c), cmd, cmd.data_type(), len);
  return feed_sequence(d, c, self, len);
}

Flow exec(Deco& d, const FifoLoad& cmd) {
  if (!well_formed(cmd)) return d.fail(DecoError::kFifoLoad);
  uint32_t len = length_of(d, cmd);
  BusAddr addr = 0;
  ByteSpan imm;
  if (!cmd.seq && !cmd.imm_aidf && !d.take_pointer(addr)) return d.fail(DecoError::kFifoLoad);
  if (cmd.ext) {
    uint32_t whole = 0;
    if (!d.take_word(whole)) return d.fail(DecoError::kFifoLoad);
    len = cmd.data_type() == FifoLoadType::kBitData ? whole + (cmd.len + 7u) / 8 : whole;
  }
  if (!cmd.seq && cmd.imm_aidf && !d.take_bytes(len, imm)) return d.fail(DecoError::kFifoLoad);
  if (cmd.seq && !cmd.imm_aidf) {
    if (len > d.r.sil) return d.fail(DecoError::kSequence);
    d.r.sil -= len;
    d.in_seq.moved += len;
  }
  if (cmd.cls == ClassSel::kNone) return skip(d, cmd, len);
  if (queue_data(d, cmd, addr, imm, len) == Flow::kStop) return Flow::kStop;
  if (cmd.is_pkha()) return d.auto_nfifo ? d.load_pkha_from_input(cmd.type, len) : Flow::kNext;
  add_sizes(d, cmd, cmd.data_type(), len);
  queue_entry(d, cmd, cmd.data_type(), len);
  return d.ccb.fault() ? d.fail_fault() : Flow::kNext;
}

}  // namespace caamlab::hw_model
