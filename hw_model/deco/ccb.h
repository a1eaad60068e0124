// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The CHA control block of a DECO (hardware.md 1.2, 3): class registers, input data FIFO, information FIFO, alignment
// blocks, output FIFO, and the CHAs at work. Agents run when somebody waits for them: pump() moves data as far as it
// goes, in the order of the NFIFO entries.
#pragma once

#include "hw_model/cha/cha_table.h"
#include "hw_model/deco/out_fifo.h"

namespace caamlab::hw_model {

// Counts of what a job did; the timing layer charges for them.
struct JobStats {
  uint32_t commands = 0;
  uint32_t words_fetched = 0;  // descriptor words from memory
  uint32_t keys_loaded = 0;    // KEY commands and DKP that ran
  uint64_t class1_bytes = 0, class2_bytes = 0;
  bool keys_shared = false;  // SHRD: keys came from an earlier job
};

// Source of random bytes for NFIFO padding; the RNG of the device.
class PadRandom {
 public:
  virtual ~PadRandom() = default;
  virtual void random_bytes(std::span<uint8_t> out) = 0;
};

class Ccb {
 public:
  enum Class : unsigned { kClass1 = 0, kClass2 = 1 };
  // An asynchronous failure: of a CHA, or the DECO's own.
  struct Fault {
    desc::ChaId cha = desc::ChaId::kNone;
    CcbError error = CcbError::kNone;
    bool skip_type = false;  // DECO error 0x11
    bool hung = false;       // FIFOs overflowed with nobody to take the data
    explicit operator bool() const { return error != CcbError::kNone || skip_type || hung; }
  };
  // A run of bytes in an alignment block, and the marks behind it.
  struct Piece {
    const uint8_t* data = nullptr;
    size_t len = 0;
    DataType type = DataType::kMsg;
    bool flush = false, last = false;
    bool snoop = false;  // class 1 piece: class 2 takes the output, with these marks
    bool snoop_flush = false, snoop_last = false;
    bool for_move = false;  // a MOVE made the entry: the CHA leaves it alone
    bool pad = false;       // boundary padding
    bool kept = false;      // a copy: nothing can be written over it
  };

  Ccb(const Platform& platform, PadRandom& random) : chas_(platform), random_(random) {
    chas_.attach(classes_[kClass1].regs, classes_[kClass2].regs);
  }

  ClassRegs& regs(Class c) { return classes_[c].regs; }
  const ClassRegs& regs(Class c) const { return classes_[c].regs; }
  OutFifo& out() { return out_; }
  const OutFifo& out() const { return out_; }
  Arena& arena() { return arena_; }
  JobStats& stats() { return stats_; }
  ChaSet& chas() { return chas_; }

  // -- operations ---------------------------------------------------------------------------------------------------
  // OPERATION of an algorithm with data (all but RNG and PKHA).
  Fault start(const desc::AlgOperation& op);
  bool done(Class c) const { return classes_[c].done; }
  bool in_flight(Class c) const { return classes_[c].cha != nullptr && !classes_[c].done; }
  // Runs the agents; true when class `c` is done or has no operation.
  bool wait_done(Class c);
  void clear_mode(Class c);  // CLRW bit 0 / 16: back to idle
  void clear_done(Class c);  // CLRW bit 27 / 26

  // -- input --------------------------------------------------------------------------------------------------------
  void push_input(ByteSpan run) {
    if (!run.empty()) ififo_.push(run);
  }
  void push_aux(ByteSpan run) {
    if (!run.empty()) aux_.push(run);
  }
  // `len`: bytes of the entry, which may exceed DLEN. for_move: a MOVE takes the bytes from the alignment block.
  void push_entry(const desc::NfifoEntry& entry, uint32_t len, bool for_move = false);
  // A way past the FIFOs for data whose CHA is waiting for it: can_feed() says whether `len` bytes of `type` for class
  // `c` may go by feed(), piece after piece, with the same effect as an entry.
  bool can_feed(Class c, size_t len, DataType type);
  void feed(Class c, const Piece& piece);
  bool nfifo_empty() const { return nfifo_.empty(); }
  // Alignment block 0 class 1, 1 class 2, 2 DECO: takes `n` bytes, marks dropped; false when they cannot come.
  bool take_from_block(unsigned block, std::span<uint8_t> out);
  // The same without a copy: calls emit(span) for the runs.
  template <class Emit>
  bool drain_block(unsigned block, size_t n, Emit&& emit);
  // Bytes of the IFIFO that no entry has claimed; false, and nothing taken, when there are not enough.
  bool take_input(std::span<uint8_t> out);
  void reset_input();  // CLRW bit 31
  // A job keeps more bytes than any device could: it runs in circles, and is stopped.
  bool exhausted() const { return queued_bytes_ > kMaxQueued || arena_.total() > kMaxArena || out_.overflowed(); }

  // -- operands of the PKHA by entries of the NFIFO
  // -------------------------------------------------------------------- Class 1 is in mode PK: low data codes are
  // quadrants, not AAD and IV.
  void set_pk_mode() { pk_mode_ = true; }
  struct PkhaLoad {
    desc::NfifoPkData where;
    ByteSpan bytes;
  };
  // What has arrived for the PKHA, in order.
  std::optional<PkhaLoad> take_pkha_load();
  bool pkha_entry_waits() const;  // for its bytes

  // -- running ------------------------------------------------------------------------------------------------------
  void pump();
  const Fault& fault() const { return fault_; }
  // At the end of the job: all input consumed, all output written, every class that got data is done.
  bool finished() const;

  // Between jobs: FIFOs and modes always; keys and contexts as sharing says.
  void reset_job(bool keep_keys, bool keep_context);
  void copy_keys_from(const Ccb& other);

 private:
  struct ClassState {
    ClassRegs regs;
    Cha* cha = nullptr;
    bool begun = false, done = false;
    Fifo<Piece> block;
    uint32_t last_word = 0;  // the OPERATION that last_cha served
    Cha* last_cha = nullptr;
  };
  struct Entry {
    desc::NfifoEntry entry;
    uint32_t left = 0;
    uint64_t out_position = 0;  // of source OFIFO
    bool for_move = false;
    bool size_open = false;  // a pad to a boundary: its length is known when its turn comes
  };
  static constexpr uint64_t kMaxQueued = uint64_t{8} << 30;  // bytes waiting in alignment blocks, by reference
  static constexpr size_t kMaxArena = size_t{64} << 20;      // bytes made or copied in one job

  void drop_piece(Fifo<Piece>& block) {
    queued_bytes_ -= block.front().len;
    snooping_ -= block.front().snoop;
    block.pop();
  }
  void clear_input();
  bool feed_entry();
  bool step_nfifo();
  bool ready(Class c) const;
  bool take_source(Entry& entry, ByteSpan& run);
  void deliver(const Entry& e, ByteSpan run, bool end);
  bool is_pkha(const desc::NfifoEntry& entry) const;
  void deliver_to_pkha(const Entry& e, ByteSpan run, bool end);
  void pad_boundary(const desc::NfifoEntry& entry, Class c);
  uint32_t pad_length(const desc::NfifoEntry& entry) const;
  ByteSpan make_pad(const desc::NfifoEntry& entry, uint32_t len);
  void note_delivered(Class c, size_t n, bool ends_block) { in_block_[c] = ends_block ? 0 : in_block_[c] + n; }
  bool run_class(Class c);
  void process(ClassState& state, const Piece& piece, Output& out);
  void process_snooped(ClassState& state, const Piece& piece);
  void keep_unread_bytes();
  void raise(const ClassState& state, CcbError error);
  void update_hold();

  ChaSet chas_;
  PadRandom& random_;
  ClassState classes_[2];
  Fifo<Piece> deco_block_;
  Fifo<ByteSpan> ififo_, aux_;
  Fifo<Entry> nfifo_;
  OutFifo out_;
  Arena arena_;
  JobStats stats_;
  Fault fault_;
  uint64_t in_block_[2] = {};  // bytes given to each class since its last mark, for boundary padding
  bool move_pieces_ = false;   // some piece is for_move
  unsigned snooping_ = 0;      // pieces in class 1's block whose output class 2 waits for
  bool pk_mode_ = false;
  std::vector<uint8_t> pkha_bytes_;  // of the entry that is arriving
  Fifo<PkhaLoad> pkha_loads_;
  uint64_t queued_bytes_ = 0;  // in alignment blocks, against runaway loops
  unsigned ofifo_entries_ = 0;
};

template <class Emit>
bool Ccb::drain_block(unsigned block, size_t n, Emit&& emit) {
  Fifo<Piece>& pieces = block == 2 ? deco_block_ : classes_[block].block;
  const auto holds = [&] {
    size_t have = 0;
    for (const Piece& p : pieces)
      if ((have += p.len) >= n) return true;
    return n == 0;
  };
  if (!holds()) {
    pump();
    if (!holds()) return false;
  }
  // A move of nothing passes over an empty entry, whose marks go with it (hardware.md 2.9).
  if (n == 0 && !pieces.empty() && pieces.front().len == 0) drop_piece(pieces);
  while (n != 0) {
    Piece& p = pieces.front();
    const size_t take = n < p.len ? n : p.len;
    if (take != 0) emit(ByteSpan(p.data, take));
    p.data += take;
    p.len -= take;
    n -= take;
    queued_bytes_ -= take;
    if (p.len == 0) drop_piece(pieces);
  }
  // So does what boundary padding left behind the data.
  if (!pieces.empty() && pieces.front().pad) drop_piece(pieces);
  if (__builtin_expect(move_pieces_, 0)) {  // the MOVE took older bytes first: what is left is the CHA's
    for (Piece& p : pieces) p.for_move = false;
    move_pieces_ = false;
  }
  return true;
}

}  // namespace caamlab::hw_model
