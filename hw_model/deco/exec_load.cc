// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// LOAD and SEQ LOAD (hardware.md 2.4).
#include <algorithm>

#include "hw_model/deco/registers.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

// Rows of the register table by class and code.
constexpr auto make_row_index() {
  std::array<std::array<uint8_t, 128>, 4> index{};
  for (unsigned cls = 0; cls < 4; ++cls)
    for (size_t i = 0; i < kRegTable.size(); ++i)
      if ((kRegTable[i].classes >> cls & 1) != 0) index[cls][kRegTable[i].code] = static_cast<uint8_t>(i + 1);
  return index;
}
constexpr auto kRowIndex = make_row_index();

bool size_allowed(const RegRow& row, const Load& cmd) {
  const unsigned end = cmd.offset + cmd.len;
  // A length of nothing is legal but for descriptor words, which are never immediate.
  if ((row.access & kRegWords) != 0) return cmd.len != 0 && end <= row.limit && (!cmd.imm || cmd.seq);
  if (row.limit != 0) return end <= row.limit;
  const bool at0 = cmd.offset == 0;
  return ((row.sizes & kSize4At0) != 0 && cmd.len == 4 && at0) ||
         ((row.sizes & kSize4At4) != 0 && cmd.len == 4 && cmd.offset == 4) ||
         ((row.sizes & kSize8At0) != 0 && cmd.len == 8 && at0) ||
         ((row.sizes & kSizeUpTo8) != 0 && cmd.len >= 1 && cmd.len <= 8 && at0) ||
         ((row.sizes & kSizeMathNumber) != 0 && cmd.len <= 3 && at0);
}

// What a LOAD moves: the bytes as they lie in memory.
Flow read_source(Deco& d, const Load& cmd, uint32_t len, std::span<uint8_t> out) {
  if (!cmd.seq && cmd.imm) {
    ByteSpan bytes;
    if (!d.take_bytes(len, bytes)) return d.fail(DecoError::kLoad);
    std::ranges::copy(bytes, out.begin());
    return Flow::kNext;
  }
  DecoError error;
  if (cmd.seq) {
    if (len > d.r.sil) return d.fail(DecoError::kSequence);
    d.r.sil -= len;
    d.in_seq.moved += len;
    error = d.dma.read(d.in_seq.at, out);
  } else {
    BusAddr addr = 0;
    if (!d.take_pointer(addr)) return d.fail(DecoError::kLoad);
    error = d.dma.read(addr, cmd.sgf_vlf, out);
  }
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

uint64_t as_number(Deco& d, ByteSpan bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) value = value << 32 | load32(bytes.data() + i, d.endian());
  return value;
}

// An NFIFO entry, and its length into the size register it belongs to (SZL and SZM forms).
void add_size(Deco& d, const NfifoEntry& entry, uint32_t len) {
  for (const Ccb::Class c : {Ccb::kClass1, Ccb::kClass2}) {
    const NfifoDest other = c == Ccb::kClass1 ? NfifoDest::kClass2 : NfifoDest::kClass1;
    if (entry.dest == NfifoDest::kDeco || entry.dest == other) continue;
    ClassRegs& regs = d.ccb.regs(c);
    switch (entry.data) {
      case NfifoData::kIv:
        regs.iv_size = len % 16;
        break;
      case NfifoData::kAad:
      case NfifoData::kSad:
      case NfifoData::kPoly:
        regs.aad_size = len % 16;
        break;
      case NfifoData::kIcv:
        regs.icv_size = len;
        break;
      default:
        regs.data_size += len;
        break;
    }
  }
}

Flow load_nfifo(Deco& d, const Load& cmd) {
  const bool from_math = cmd.length_is_math_number();
  ByteSpan bytes;
  const uint32_t imm_len = from_math ? 4 : cmd.len;
  if (!d.take_bytes(imm_len, bytes)) return d.fail(DecoError::kLoad);
  const NfifoEntry entry = decode_as<NfifoEntry>(load32(bytes.data(), d.endian()));
  uint32_t len = entry.length();
  if (from_math)
    len = static_cast<uint32_t>(d.r.math[cmd.len]);
  else if (imm_len == 8)
    len = load32(bytes.data() + 4, d.endian());
  if (cmd.dst == kRegNfifoSzl || cmd.dst == kRegNfifoSzm || cmd.dst == kRegSizeSzl || cmd.dst == kRegSizeSzm)
    add_size(d, entry, len);
  if (cmd.dst == kRegSizeSzl || cmd.dst == kRegSizeSzm) return Flow::kNext;
  d.ccb.push_entry(entry, len);
  return d.ccb.fault() ? d.fail_fault() : Flow::kNext;
}

Flow load_deco_control(Deco& d, const Load& cmd) {
  const uint8_t share = get_bits(cmd.offset, 1, 0);
  if (share != 0) d.set_change_share(share);
  if ((cmd.offset & 0x04) != 0) d.auto_nfifo = true;
  if ((cmd.offset & 0x08) != 0) d.auto_nfifo = false;
  // Bits 7:4 of OFFSET select bus identities, bit 7 of LENGTH a counter: no functional effect here. OFIFO pointer
  // resets (6, 4, 2:0 of LENGTH) realign dwords, which a byte queue does not have.
  if ((cmd.len & 0x20) != 0) {
    if (!d.settle()) return Flow::kStop;
    d.ccb.out().reset_data();
  }
  return Flow::kNext;
}

// Clears registers and their "written" marks, and puts CHAs back to idle.
Flow load_clrw(Deco& d, uint32_t bits) {
  if (!d.settle()) return Flow::kStop;
  const auto set = [&](unsigned bit) { return (bits >> bit & 1) != 0; };
  ClassRegs& r1 = d.ccb.regs(Ccb::kClass1);
  ClassRegs& r2 = d.ccb.regs(Ccb::kClass2);
  if (set(0) || set(29)) d.ccb.clear_mode(Ccb::kClass1);
  if (set(2)) r1.data_size = 0;
  if (set(3)) r1.icv_size = 0;
  if (set(5)) r1.ctx = {};
  if (set(6)) r1.key = {};
  if ((bits & bit_mask(15, 12)) != 0) d.clear_pkha_sizes(static_cast<uint8_t>(get_bits(bits, 15, 12)));
  if (set(16) || set(28)) d.ccb.clear_mode(Ccb::kClass2);
  if (set(17)) r2.key.size = 0;
  if (set(18)) r2.data_size = 0;
  if (set(21)) r2.ctx = {};
  if (set(22)) r2.key = {};
  if (set(25)) d.drop_share_signals();
  if (set(26)) d.ccb.clear_done(Ccb::kClass2);
  if (set(27)) d.ccb.clear_done(Ccb::kClass1);
  if (set(30)) d.ccb.out().reset_data();
  if (set(31)) d.ccb.reset_input();
  return Flow::kNext;
}

// CHA control's reset bit of a CHA.
unsigned reset_bit(ChaId cha) {
  // Indexed by the id: none, AES, DES, AFHA, MDHA, RNG, SNOW f8, KFHA, PKHA, CRC, SNOW f9, ZUCE, ZUCA.
  constexpr uint8_t kBits[] = {0, 1, 2, 3, 7, 9, 5, 4, 6, 8, 10, 11, 12};
  const unsigned id = static_cast<unsigned>(cha);
  return id < std::size(kBits) ? kBits[id] : 0;
}

Flow load_cha_control(Deco& d, uint32_t bits) {
  d.r.cha_ctrl = bits;
  if (!d.settle()) return Flow::kStop;
  for (const Ccb::Class c : {Ccb::kClass1, Ccb::kClass2}) {
    const ClassRegs& regs = d.ccb.regs(c);
    if (!regs.mode_written) continue;
    if ((bits & 1) != 0 || (bits >> reset_bit(cha_of(regs.op.alg)) & 1) != 0) d.ccb.clear_mode(c);
  }
  return d.unload_pkha(bits);
}

Flow load_class_size(Deco& d, const Load& cmd, ByteSpan bytes) {
  ClassRegs& regs = d.ccb.regs(cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2);
  const uint64_t value = as_number(d, bytes);
  switch (cmd.dst) {
    case kRegMode:
      return exec(d, decode_as<AlgOperation>(0x80000000 | uint32_t(cmd.cls) << 25 | (value & 0xFFFFFF)));
    case kRegKeySize:
      regs.key.size = std::min<uint32_t>(static_cast<uint32_t>(value), 128);
      break;
    case kRegDataSize:
      regs.data_size += value;
      return cmd.cls == ClassSel::kClass1 ? d.feed_rng() : Flow::kNext;
    case kRegAltDataSize:
      regs.data_size += value;
      break;
    case kRegIcvSize:
      regs.icv_size = static_cast<uint32_t>(value);
      break;
    case kRegAadSize:
      regs.aad_size = value % 16;  // four bits
      break;
    case kRegIvSize:
      regs.iv_size = value % 16;
      break;
    default:
      return d.set_pkha_size(cmd.dst, static_cast<uint32_t>(value));
  }
  return Flow::kNext;
}

Flow load_math(Deco& d, const Load& cmd, ByteSpan bytes, MathView view) {
  unsigned k = (cmd.dst & 3u) * 8 + cmd.offset;
  for (const uint8_t byte : bytes) {
    uint64_t& reg = d.r.math[k / 8];
    const unsigned shift = math_shift(k++, view, d.endian());
    reg = (reg & ~(uint64_t{0xFF} << shift)) | uint64_t{byte} << shift;
  }
  return Flow::kNext;
}

Flow load_descbuf(Deco& d, const Load& cmd) {
  std::array<uint32_t, kMaxDescWords> words;
  const auto part = std::span(words).first(cmd.len);
  const std::span<uint8_t> raw(reinterpret_cast<uint8_t*>(words.data()), part.size_bytes());
  if (read_source(d, cmd, static_cast<uint32_t>(raw.size()), raw) == Flow::kStop) return Flow::kStop;
  for (unsigned i = 0; i < cmd.len; ++i) d.buffer()[cmd.offset + i] = load32(raw.data() + i * 4, d.endian());
  return Flow::kNext;
}

Flow load_deco(Deco& d, const Load& cmd, ByteSpan bytes) {
  if (const auto view = math_view(cmd.dst)) return load_math(d, cmd, bytes, *view);
  const uint32_t value = static_cast<uint32_t>(as_number(d, bytes));
  switch (cmd.dst) {
    case kRegDpovrd:
      d.r.dpovrd = value;
      break;
    case kRegIcvSize:
      d.r.checksum = value;
      d.checksum_runs.clear();
      break;
    case kRegDecoCtrl2:
      d.r.ctrl2 = value;
      break;
    default:
      break;  // identities: not modelled
  }
  return Flow::kNext;
}

Flow load_common(Deco& d, const Load& cmd, ByteSpan bytes) {
  const uint32_t value = static_cast<uint32_t>(as_number(d, bytes));
  switch (cmd.dst) {
    case kRegClrw:
      return load_clrw(d, value);
    case kRegControl:
      return load_cha_control(d, value);
    case kRegIrqCtrlOrDpovrd:
      d.r.irq_ctrl &= ~value;
      break;
    case kRegChaSelect:
      d.r.cha_select = value;
      break;
    case kRegIfifo:
    case kRegIfifoNibble:
      d.ccb.push_input(d.ccb.arena().copy(bytes));
      break;
    case kRegAltSource:
      d.ccb.push_aux(d.ccb.arena().copy(bytes));
      break;
    case kRegOfifo:
    case kRegOfifoNibble:
      if (!d.settle()) return Flow::kStop;
      d.ccb.out().put(bytes);
      break;
    default:
      return d.fail(DecoError::kLoad);
  }
  return Flow::kNext;
}

}  // namespace

Flow exec(Deco& d, const Load& given) {
  const uint8_t row_number = kRowIndex[static_cast<unsigned>(given.cls)][given.dst];
  if (row_number == 0) return d.fail(DecoError::kLoad);
  const RegRow& row = kRegTable[row_number - 1];
  if ((row.access & kRegLoad) == 0 || ((row.access & kRegImmOnly) != 0 && (!given.imm || given.seq)))
    return d.fail(DecoError::kLoad);
  if (given.is_deco_ctrl()) return load_deco_control(d, given);

  Load cmd = given;
  if (cmd.seq && cmd.sgf_vlf) {
    if (d.r.vsil > 0xFF) return d.fail(DecoError::kContextLength);
    cmd.len = static_cast<uint8_t>(d.r.vsil);
  }
  if (cmd.dst == kRegContext && cmd.cls != ClassSel::kDeco && cmd.offset + cmd.len > row.limit)
    return d.fail(DecoError::kContextLength);
  if (!size_allowed(row, cmd) || (cmd.imm && cmd.sgf_vlf && !cmd.seq)) return d.fail(DecoError::kLoad);
  if (cmd.cls == ClassSel::kNone && cmd.dst >= kRegNfifoSzl && cmd.dst <= kRegNfifo && cmd.dst != kRegIfifoNibble &&
      cmd.dst != kRegOfifoNibble && cmd.dst != kRegAltSource)
    return load_nfifo(d, cmd);
  if ((row.access & kRegWords) != 0) return load_descbuf(d, cmd);

  uint8_t raw[256];
  const std::span<uint8_t> bytes(raw, cmd.len);
  if (read_source(d, cmd, cmd.len, bytes) == Flow::kStop) return Flow::kStop;
  if (bytes.empty()) return Flow::kNext;
  if (cmd.cls == ClassSel::kDeco) return load_deco(d, cmd, bytes);
  if (cmd.cls == ClassSel::kNone) return load_common(d, cmd, bytes);

  const Ccb::Class c = cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2;
  if (cmd.dst == kRegContext) {
    std::ranges::copy(bytes, d.ccb.regs(c).ctx.begin() + cmd.offset);
    return Flow::kNext;
  }
  if (cmd.dst == kRegKey) {
    std::ranges::copy(bytes, d.ccb.regs(c).key.bytes.begin() + cmd.offset);
    d.ccb.regs(c).key.decrypt_form = false;
    return Flow::kNext;
  }
  return load_class_size(d, cmd, bytes);
}

}  // namespace caamlab::hw_model
