// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DKP, the derived key protocol (hardware.md 2.15.2): an HMAC key becomes its split key, in the class 2 key register,
// at the destination, and in the descriptor, whose OPERATION turns into a KEY in the buffer and in memory. Assumed:
// with the output sequence as destination the descriptor stays as it is; a bad pair of source and destination is a PDB
// error; MATH0 to MATH3 are cleared.
#include "hw_model/cha/arith/hash_state.h"
#include "hw_model/protocol/pdb_reader.h"

namespace caamlab::hw_model {

using desc::DkpEnd;
using desc::ProtocolOperation;

namespace {

constexpr int kFirstEra = 6;

bool is_pair(DkpEnd src, DkpEnd dst) {
  switch (src) {
    case DkpEnd::kImm:
      return dst == DkpEnd::kImm;
    case DkpEnd::kSeq:
      return true;
    case DkpEnd::kPtr:
      return dst == DkpEnd::kImm || dst == DkpEnd::kPtr;
    case DkpEnd::kSgf:
      return dst == DkpEnd::kImm || dst == DkpEnd::kSgf;
  }
  return false;
}

bool has_pointer(const ProtocolOperation& cmd) {
  const auto is_ptr = [](DkpEnd end) { return end == DkpEnd::kPtr || end == DkpEnd::kSgf; };
  return is_ptr(cmd.dkp_src()) || is_ptr(cmd.dkp_dst());
}

// The words behind the command: the key itself, or a pointer.
struct Operand {
  ByteSpan bytes;
  BusAddr addr = 0;
};

Flow read_key(Deco& d, const ProtocolOperation& cmd, Operand& operand, std::span<uint8_t> key) {
  const uint32_t len = static_cast<uint32_t>(key.size());
  if (has_pointer(cmd) && !d.take_pointer(operand.addr)) return d.fail(DecoError::kPdb);
  DecoError error = DecoError::kNone;
  switch (cmd.dkp_src()) {
    case DkpEnd::kImm:
      if (!d.take_bytes(len, operand.bytes)) return d.fail(DecoError::kPdb);
      std::copy(operand.bytes.begin(), operand.bytes.end(), key.begin());
      break;
    case DkpEnd::kSeq:
      if (len > d.r.sil) return d.fail(DecoError::kSequence);
      d.r.sil -= len;
      d.in_seq.moved += len;
      error = d.dma.read(d.in_seq.at, key);
      break;
    default:
      error = d.dma.read(operand.addr, cmd.dkp_src() == DkpEnd::kSgf, key);
  }
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

// Words [from, from + n) of the buffer go back to the memory they came from.
Flow write_back(Deco& d, unsigned from, unsigned n) {
  const bool in_shared = from < d.shared_words();
  const BusAddr base = in_shared ? d.shared_addr() : d.job_addr();
  if (base == 0) return Flow::kNext;  // written into the buffer directly
  const BusAddr addr = base + 4 * (in_shared ? from : from - d.shared_words());
  const DecoError e = d.dma.write_words(addr, d.buffer().subspan(from, n));
  return e == DecoError::kNone ? Flow::kNext : d.fail(e);
}

// OPERATION becomes KEY: class 2, split, with the split key or a pointer to it.
Flow become_key(Deco& d, const ProtocolOperation& cmd, const Operand& operand, ByteSpan split) {
  const unsigned at = d.index();
  const DkpEnd dst = cmd.dkp_dst();
  desc::Key key{.cls = desc::ClassSel::kClass2,
                .sgf_vlf = dst == DkpEnd::kSgf,
                .imm_aidf = dst == DkpEnd::kImm,
                .dest = desc::KeyDest::kMdhaSplit,
                .len = static_cast<uint16_t>(split.size())};
  d.buffer()[at] = desc::encode(key);
  if (dst != DkpEnd::kImm) {
    const DecoError e = d.dma.write(operand.addr, dst == DkpEnd::kSgf, split);
    return e == DecoError::kNone ? write_back(d, at, 1) : d.fail(e);
  }
  const unsigned words = desc::words_for_bytes(static_cast<uint32_t>(split.size()));
  if (at + 1 + words > desc::kMaxDescWords) return d.fail(DecoError::kPdb);
  desc::bytes_to_words(&d.buffer()[at + 1], split, d.endian());
  // What of a longer key is left behind it is executed next.
  d.goto_index(at + 1 + words);
  return write_back(d, at, 1 + words);
}

}  // namespace

Flow run_dkp(Deco& d, const ProtocolOperation& cmd) {
  if (d.options().era < kFirstEra) return d.fail(DecoError::kProtocolUndefined);
  if (!d.wait_class(desc::ClassSel::kClass2)) return Flow::kStop;
  if (!is_pair(cmd.dkp_src(), cmd.dkp_dst())) return d.fail(DecoError::kPdb);
  const desc::Alg alg = cmd.dkp_alg();
  CcbError error = CcbError::kNone;
  if (d.ccb.chas().find({.cls = desc::ClassSel::kClass2, .alg = alg, .aai = desc::aai::kHmac}, error) == nullptr)
    return d.fail(desc::ChaId::kMdha, error);
  const uint32_t key_len = cmd.dkp_key_len();
  if (key_len > hash_info(alg).block_bytes) return d.fail(desc::ChaId::kMdha, CcbError::kKeySize);

  uint8_t raw[kMaxHashBlock];
  Operand operand;
  if (read_key(d, cmd, operand, {raw, key_len}) == Flow::kStop) return Flow::kStop;
  KeyRegister& reg = d.ccb.regs(Ccb::kClass2).key;
  reg = {};
  reg.size = make_split_key(alg, {raw, key_len}, reg.bytes.data());
  reg.split = true;
  ++d.ccb.stats().keys_loaded;
  std::fill(std::begin(d.r.math), std::end(d.r.math), 0);

  if (cmd.dkp_dst() != DkpEnd::kSeq) return become_key(d, cmd, operand, reg.key());
  if (reg.size > d.r.sol) return d.fail(DecoError::kSequence);
  d.r.sol -= reg.size;
  d.out_seq.moved += reg.size;
  const DecoError e = d.dma.write(d.out_seq.at, reg.key());
  return e == DecoError::kNone ? Flow::kNext : d.fail(e);
}

}  // namespace caamlab::hw_model
