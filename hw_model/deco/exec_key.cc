// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// KEY and SEQ KEY (hardware.md 2.3).
#include <cstring>

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {
namespace {

using desc::ClassSel;
using desc::KeyDest;

constexpr uint32_t kSboxBytes = 258;  // and never immediate

bool well_formed(const desc::Key& cmd, uint32_t len, int era) {
  if (cmd.cls != ClassSel::kClass1 && cmd.cls != ClassSel::kClass2) return false;
  const bool class1 = cmd.cls == ClassSel::kClass1;
  if (cmd.dest == KeyDest::kMdhaSplit ? class1 : !class1 && cmd.dest != KeyDest::kClassReg) return false;
  if (cmd.pts && (cmd.enc || cmd.nwb || cmd.dest == KeyDest::kPkhaE)) return false;
  if (cmd.imm_aidf && cmd.sgf_vlf && !cmd.seq) return false;
  if (cmd.seq && (cmd.sgf_vlf || cmd.imm_aidf) && era < 6) return false;
  if (cmd.dest == KeyDest::kAfhaSbox) return len == kSboxBytes && !(cmd.imm_aidf && !cmd.seq);
  const uint32_t capacity = cmd.dest == KeyDest::kPkhaE ? 512 : class1 ? kClass1KeyBytes : kClass2KeyBytes;
  return len != 0 && len <= capacity;
}

// The key as it stands in its source: in the descriptor, in memory, in the input sequence or FIFO.
Flow read_source(Deco& d, const desc::Key& cmd, uint32_t len, std::span<uint8_t> out) {
  if (!cmd.seq && cmd.imm_aidf) {
    ByteSpan bytes;
    if (!d.take_bytes(len, bytes)) return d.fail(DecoError::kKey);
    std::memcpy(out.data(), bytes.data(), len);
    return Flow::kNext;
  }
  DecoError error;
  if (!cmd.seq) {
    BusAddr addr = 0;
    if (!d.take_pointer(addr)) return d.fail(DecoError::kKey);
    error = d.dma.read(addr, cmd.sgf_vlf, out);
  } else if (cmd.imm_aidf) {
    return d.ccb.take_input(out) ? Flow::kNext : d.hang();
  } else {
    if (len > d.r.sil) return d.fail(DecoError::kSequence);
    d.r.sil -= len;
    d.in_seq.moved += len;
    error = d.dma.read(d.in_seq.at, out);
  }
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

Ccb::Class class_of(const desc::Key& cmd) { return cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2; }

// What the register keeps about the key beside its bytes.
void describe(KeyRegister& reg, const desc::Key& cmd) {
  reg.size = cmd.len;
  reg.no_write_back = cmd.nwb;
  reg.plaintext_store = cmd.pts;
  reg.split = cmd.dest == KeyDest::kMdhaSplit;
  reg.decrypt_form = false;
}

}  // namespace

bool is_plain(const desc::Key& cmd) {
  return cmd.imm_aidf && !cmd.seq && !cmd.enc && (cmd.dest == KeyDest::kClassReg || cmd.dest == KeyDest::kMdhaSplit) &&
         well_formed(cmd, cmd.len, /*era=*/0);  // which only counts for sequences
}

Flow run_plain_key(Deco& d, const Decoded& self) {
  const desc::Key& cmd = *std::get_if<desc::Key>(&self.command);
  if (!d.wait_class(cmd.cls)) return Flow::kStop;
  KeyRegister& reg = d.ccb.regs(class_of(cmd)).key;
  if (!d.take_bytes_into(std::span(reg.bytes).first(cmd.len))) return d.fail(DecoError::kKey);
  ++d.ccb.stats().keys_loaded;
  describe(reg, cmd);
  return Flow::kNext;
}

Flow exec(Deco& d, const desc::Key& cmd) {
  desc::Key key = cmd;
  if (key.seq && key.sgf_vlf) key.len = static_cast<uint16_t>(std::min<uint32_t>(d.r.vsil, 0x3FF));
  if (!well_formed(key, key.len, d.options().era)) return d.fail(DecoError::kKey);
  if (!d.wait_class(key.cls)) return Flow::kStop;

  uint8_t source[1024];
  const std::span<uint8_t> bytes(source, key.source_len());
  if (read_source(d, key, static_cast<uint32_t>(bytes.size()), bytes) == Flow::kStop) return Flow::kStop;
  if (key.enc && !d.unwrap_key(key, bytes)) return Flow::kStop;
  ++d.ccb.stats().keys_loaded;
  if (key.dest == KeyDest::kPkhaE) return d.load_pkha(desc::NfifoPkData::kE, bytes.first(key.len));
  if (key.dest == KeyDest::kAfhaSbox) return d.fail(desc::ChaId::kAfha, CcbError::kInvalidCha);

  KeyRegister& reg = d.ccb.regs(class_of(key)).key;
  std::memcpy(reg.bytes.data(), source, key.len);
  describe(reg, key);
  return Flow::kNext;
}

}  // namespace caamlab::hw_model
