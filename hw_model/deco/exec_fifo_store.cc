// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// FIFO STORE and SEQ FIFO STORE (hardware.md 2.7).
#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

constexpr uint64_t kKnownTypes = [] {
  uint64_t known = 0;
  for (const ValueName& v : kFifoStoreTypeNames) known |= uint64_t{1} << v.value;
  return known;
}();

// A FIFO STORE's target: a buffer, a table, or the output sequence.
struct Target {
  bool seq;
  SgCursor cursor;
};

Flow take_target(Deco& d, const FifoStore& cmd, uint32_t& len, Target& target) {
  target.seq = cmd.seq;
  len = cmd.len;
  if (cmd.seq && cmd.sgf_vlf) len = d.r.vsol + cmd.len;
  BusAddr addr = 0;
  if (cmd.operands().pointers != 0 && !d.take_pointer(addr)) return d.fail(DecoError::kFifoStore);
  if (cmd.ext && !d.take_word(len)) return d.fail(DecoError::kFifoStore);
  if (cmd.seq && cmd.type != FifoStoreType::kRngOfifo) {
    if (len > d.r.sol) return d.fail(DecoError::kSequence);
    d.r.sol -= len;
    d.out_seq.moved += len;
  }
  if (cmd.seq) return Flow::kNext;
  const DecoError error = d.dma.open(target.cursor, addr, cmd.sgf_vlf);
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

SgCursor& cursor_of(Deco& d, Target& target) { return target.seq ? d.out_seq.at : target.cursor; }

Flow store_message(Deco& d, Target& target, uint32_t len) {
  const DecoError error = d.dma.walk(cursor_of(d, target), len, DmaDirection::kFromDevice,
                                     [&](std::span<uint8_t> run) { d.ccb.out().add_store(run); });
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

Flow write_bytes(Deco& d, Target& target, ByteSpan bytes) {
  const DecoError error = d.dma.write(cursor_of(d, target), bytes);
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

// METADATA, AUX 2: from the input sequence straight to the output sequence.
Flow copy_metadata(Deco& d, const FifoStore& cmd, Target& target, uint32_t len) {
  if (!cmd.seq || static_cast<unsigned>(cmd.cls) != 2 || cmd.cont || cmd.ext) return d.fail(DecoError::kFifoStore);
  if (len > d.r.sil) return d.fail(DecoError::kSequence);
  d.r.sil -= len;
  d.in_seq.moved += len;
  Flow flow = Flow::kNext;
  const DecoError error = d.dma.walk(d.in_seq.at, len, DmaDirection::kToDevice, [&](std::span<uint8_t> run) {
    if (flow == Flow::kNext) flow = write_bytes(d, target, run);
  });
  if (flow == Flow::kStop) return flow;
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

// A message store like any other; the sum is made when somebody asks for it, the data being in memory then.
Flow store_with_checksum(Deco& d, Target& target, uint32_t len) {
  d.r.checksum = 0;
  d.checksum_runs.clear();
  const DecoError error = d.dma.walk(cursor_of(d, target), len, DmaDirection::kFromDevice, [&](std::span<uint8_t> run) {
    d.ccb.out().add_store(run);
    d.checksum_runs.push(run);
  });
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

}  // namespace

// Ones'-complement sum of 16-bit words.
uint32_t Deco::checksum() {
  ccb.pump();
  if (checksum_runs.empty() || ccb.out().store_pending() != 0) return r.checksum;
  uint64_t sum = 0, at = 0;
  for (const ByteSpan run : checksum_runs)
    for (const uint8_t byte : run) sum += at++ % 2 == 0 ? uint32_t{byte} << 8 : byte;
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint32_t>(sum);
}

bool is_plain(const FifoStore& cmd) {
  return cmd.seq && !cmd.ext && (cmd.type == FifoStoreType::kMsg || cmd.type == FifoStoreType::kSkip);
}

namespace {
// The length of a plain store, which the output sequence has to have room for.
Flow claim_output(Deco& d, const Decoded& self, uint32_t& len) {
  const FifoStore& cmd = *std::get_if<FifoStore>(&self.command);
  len = cmd.sgf_vlf ? d.r.vsol + cmd.len : cmd.len;
  if (len > d.r.sol) return d.fail(DecoError::kSequence);
  d.r.sol -= len;
  d.out_seq.moved += len;
  return Flow::kNext;
}
}  // namespace

Flow run_plain_message_store(Deco& d, const Decoded& self) {
  uint32_t len;
  if (claim_output(d, self, len) == Flow::kStop) return Flow::kStop;
  const DecoError error = d.dma.walk(d.out_seq.at, len, DmaDirection::kFromDevice,
                                     [&](std::span<uint8_t> run) { d.ccb.out().add_store(run); });
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

Flow run_plain_skip(Deco& d, const Decoded& self) {
  uint32_t len;
  if (claim_output(d, self, len) == Flow::kStop) return Flow::kStop;
  const DecoError error = d.dma.skip(d.out_seq.at, len);
  return error == DecoError::kNone ? Flow::kNext : d.fail(error);
}

Flow exec(Deco& d, const FifoStore& cmd) {
  if (cmd.ext && cmd.seq && cmd.sgf_vlf) return d.fail(DecoError::kFifoStore);
  if ((kKnownTypes >> static_cast<unsigned>(cmd.type) & 1) == 0) return d.fail(DecoError::kFifoStore);
  uint32_t len = 0;
  Target target;
  if (take_target(d, cmd, len, target) == Flow::kStop) return Flow::kStop;
  switch (cmd.type) {
    case FifoStoreType::kMsg:
      return store_message(d, target, len);
    case FifoStoreType::kMsgChecksum:
      return store_with_checksum(d, target, len);
    case FifoStoreType::kMetadata:
      return copy_metadata(d, cmd, target, len);
    case FifoStoreType::kSkip: {
      if (!cmd.seq) return Flow::kNext;
      const DecoError error = d.dma.skip(d.out_seq.at, len);
      return error == DecoError::kNone ? Flow::kNext : d.fail(error);
    }
    case FifoStoreType::kRng: {
      if (store_message(d, target, len) == Flow::kStop) return Flow::kStop;
      return d.generate_random(len);
    }
    case FifoStoreType::kRngOfifo:
      return d.generate_random(len);
    default:
      break;
  }
  // What is left comes from key registers and PKHA memory, once class 1 or 2 is done.
  if (!d.wait_class(cmd.cls == ClassSel::kNone ? ClassSel::kClass1 : cmd.cls)) return Flow::kStop;
  uint8_t bytes[1024];
  uint32_t n = 0;
  if (d.export_unit(cmd, len, bytes, n) == Flow::kStop) return Flow::kStop;
  // A black key is longer than the LENGTH given; a sequence has room for what SOL still counts.
  if (cmd.seq && n > len) {
    if (n - len > d.r.sol) return d.fail(DecoError::kSequence);
    d.r.sol -= n - len;
    d.out_seq.moved += n - len;
  }
  return write_bytes(d, target, {bytes, n});
}

}  // namespace caamlab::hw_model
