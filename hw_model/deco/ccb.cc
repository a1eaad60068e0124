// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See ccb.h.
#include "hw_model/deco/ccb.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

using desc::NfifoDest;
using desc::NfifoEntry;
using desc::NfifoPad;
using desc::NfifoSource;

namespace {
constexpr unsigned kBoundary = 16;

// Class 2 takes the output of class 1: STYPE 3, or a pad with PS.
bool snoops(const NfifoEntry& entry) { return entry.src == NfifoSource::kSnoop || entry.pad_snoop(); }
}  // namespace

Ccb::Fault Ccb::start(const desc::AlgOperation& op) {
  const Class c = op.cls == desc::ClassSel::kClass1 ? kClass1 : kClass2;
  ClassState& state = classes_[c];
  CcbError error = CcbError::kNone;
  // Jobs of a flow ask for the same operation again and again.
  const uint32_t word = desc::encode(op);
  Cha* cha = state.last_word == word ? state.last_cha : chas_.find(op, error);
  if (cha != nullptr) {
    state.last_word = word;
    state.last_cha = cha;
  }
  if (cha == nullptr) return {.cha = desc::cha_of(op.alg), .error = error};
  state.regs.op = op;
  state.regs.mode_written = true;
  if (error = cha->start(state.regs); error != CcbError::kNone) return {.cha = cha->id(), .error = error};
  state.cha = cha;
  state.begun = state.done = false;
  return {};
}

bool Ccb::wait_done(Class c) {
  if (!in_flight(c)) return true;
  pump();
  return !in_flight(c);
}

void Ccb::clear_mode(Class c) {
  if (c == kClass1) pk_mode_ = false;
  classes_[c].cha = nullptr;
  classes_[c].begun = classes_[c].done = false;
  classes_[c].regs.mode_written = false;
  classes_[c].regs.op = {};
}

void Ccb::clear_done(Class c) {
  if (classes_[c].done) clear_mode(c);
}

void Ccb::push_entry(const NfifoEntry& entry, uint32_t len, bool for_move) {
  Entry e{.entry = entry, .left = len, .for_move = for_move};
  move_pieces_ = move_pieces_ || for_move;
  e.size_open = entry.is_pad() && (entry.bnd || entry.pad_minus_one());
  if (entry.src == NfifoSource::kOutFifo) {
    e.out_position = out_.head_after_stores();
    ++ofifo_entries_;
  }
  nfifo_.push(e);
  // Whoever stores next must not take these bytes away first.
  if (ofifo_entries_ != 0) {
    pump();
    update_hold();
  }
}

// The usual case of pump(): a whole entry of input, for one class whose CHA waits for it. False, and nothing done, when
// the entry is another one.
bool Ccb::feed_entry() {
  const Entry& e = nfifo_.front();
  const NfifoEntry& entry = e.entry;
  const Class c = entry.dest == NfifoDest::kClass2 ? kClass2 : kClass1;
  const bool plain = entry.src == NfifoSource::kInFifo && !entry.ast && !entry.bnd && !e.for_move &&
                     (entry.dest == NfifoDest::kClass1 || entry.dest == NfifoDest::kClass2);
  if (!plain || fault_ || ififo_.empty() || ififo_.front().size() != e.left || !ready(c)) return false;
  const ByteSpan run = ififo_.front();
  const Piece piece{run.data(), run.size(), entry.data, c == kClass1 ? entry.fc1 : entry.fc2,
                    c == kClass1 ? entry.lc1 : entry.lc2};
  nfifo_.pop();
  ififo_.pop();
  feed(c, piece);
  return true;
}

bool Ccb::can_feed(Class c, size_t len, DataType type) {
  while (!nfifo_.empty() && feed_entry()) {
  }
  if (!nfifo_.empty()) pump();
  if (fault_ || !nfifo_.empty() || !ififo_.empty() || !ready(c)) return false;
  // Message of class 1 only where its output is waited for, so that it need not be buffered.
  return c == kClass2 || type != DataType::kMsg || out_.store_pending() >= len;
}

void Ccb::feed(Class c, const Piece& piece) {
  if (fault_) return;
  note_delivered(c, piece.len, piece.flush || piece.last);
  (c == kClass1 ? stats_.class1_bytes : stats_.class2_bytes) += piece.len;
  process(classes_[c], piece, out_);
}

void Ccb::update_hold() {
  std::optional<uint64_t> at;
  for (const Entry& e : nfifo_)
    if (e.entry.src == NfifoSource::kOutFifo && !at) at = e.out_position;
  out_.hold(at);
}

void Ccb::pump() {
  while (!fault_) {
    if (exhausted()) {
      fault_.hung = true;
      return;
    }
    bool moved = step_nfifo();
    // Class 2 first: where both take the same bytes, class 1 may write its output over them.
    while (run_class(kClass2)) moved = true;
    moved = run_class(kClass1) || moved;
    if (!moved || (nfifo_.empty() && classes_[kClass1].block.empty() && classes_[kClass2].block.empty())) return;
  }
}

// Takes one run of bytes, or the end of an entry, to its destination. False when there is nothing to take.
bool Ccb::step_nfifo() {
  if (nfifo_.empty()) return false;
  Entry& e = nfifo_.front();
  // What class 2 gets directly has its place behind what it snoops, which class 1 has not put out yet.
  if (snooping_ != 0 && !snoops(e.entry) && (static_cast<unsigned>(e.entry.dest) & 2) != 0) return false;
  if (e.size_open) {
    e.left = pad_length(e.entry);
    e.size_open = false;
  }
  ByteSpan run;
  if (e.left != 0 && !take_source(e, run)) return false;
  e.left -= static_cast<uint32_t>(run.size());
  const bool end = e.left == 0;
  const Entry taken = e;
  if (end) {
    nfifo_.pop();
    if (taken.entry.src == NfifoSource::kOutFifo) {
      --ofifo_entries_;
      update_hold();
    }
  }
  deliver(taken, run, end);
  return true;
}

bool Ccb::take_source(Entry& e, ByteSpan& run) {
  const NfifoEntry& entry = e.entry;
  switch (entry.src) {
    case NfifoSource::kPad:
      if (e.left > kMaxArena) {
        fault_.hung = true;
        return false;
      }
      run = make_pad(entry, e.left);
      return true;
    case NfifoSource::kOutFifo: {
      const ByteSpan there = out_.peek(e.out_position, e.left);
      if (there.empty()) return false;
      run = arena_.copy(there);
      e.out_position += run.size();
      return true;
    }
    default: {
      Fifo<ByteSpan>& from = entry.ast ? aux_ : ififo_;
      if (from.empty()) return false;
      ByteSpan& front = from.front();
      const size_t n = std::min<size_t>(front.size(), e.left);
      run = front.first(n);
      front = front.subspan(n);
      if (front.empty()) from.pop();
      return true;
    }
  }
}

// Codes that no symmetric algorithm has are the PKHA's in any case; the rest only when it is selected.
bool Ccb::is_pkha(const NfifoEntry& entry) const {
  if (entry.dest != NfifoDest::kClass1) return false;
  const auto code = static_cast<unsigned>(entry.data);
  if (code < 4) return pk_mode_;
  return code <= 0x9 || code == 0xC || code == 0xD;
}

void Ccb::deliver_to_pkha(const Entry& e, ByteSpan run, bool end) {
  pkha_bytes_.insert(pkha_bytes_.end(), run.begin(), run.end());
  if (!end) return;
  pkha_loads_.push({e.entry.pk_data(), arena_.copy(pkha_bytes_)});
  pkha_bytes_.clear();
}

std::optional<Ccb::PkhaLoad> Ccb::take_pkha_load() {
  pump();
  if (fault_ || pkha_loads_.empty()) return std::nullopt;
  const PkhaLoad load = pkha_loads_.front();
  pkha_loads_.pop();
  return load;
}

bool Ccb::pkha_entry_waits() const {
  return std::any_of(nfifo_.begin(), nfifo_.end(), [this](const Entry& e) { return is_pkha(e.entry); });
}

void Ccb::deliver(const Entry& e, ByteSpan run, bool end) {
  const NfifoEntry& entry = e.entry;
  if (is_pkha(entry)) [[unlikely]]
    return deliver_to_pkha(e, run, end);
  if (run.empty() && !end) return;
  if (entry.dest == NfifoDest::kDeco) {
    if (entry.data != DataType::kSkip && entry.data != DataType::kMsg) {
      fault_.skip_type = true;
      return;
    }
    if (entry.data == DataType::kMsg && !run.empty()) {
      deco_block_.push({run.data(), run.size(), entry.data});
      queued_bytes_ += run.size();
    }
    return;
  }
  const bool to1 = entry.dest != NfifoDest::kClass2, to2 = entry.dest != NfifoDest::kClass1;
  const bool snoop = snoops(entry);
  // Most data goes to one class whose CHA is waiting for it: no need to pass through the alignment block.
  if (to1 != to2 && !entry.bnd && !e.for_move && ready(to1 ? kClass1 : kClass2)) {
    const Class c = to1 ? kClass1 : kClass2;
    (to1 ? stats_.class1_bytes : stats_.class2_bytes) += run.size();
    const Piece piece{run.data(), run.size(), entry.data, end && (to1 ? entry.fc1 : entry.fc2),
                      end && (to1 ? entry.lc1 : entry.lc2)};
    note_delivered(c, run.size(), piece.flush || piece.last);
    return process(classes_[c], piece, out_);
  }
  Piece p{run.data(), run.size(), entry.data};
  p.for_move = e.for_move;
  if (to2 && !snoop) {
    p.flush = end && entry.fc2;
    p.last = end && entry.lc2;
    classes_[kClass2].block.push(p);
    queued_bytes_ += run.size();
  }
  if (to1) {
    p.flush = end && entry.fc1;
    p.last = end && entry.lc1;
    p.snoop = snoop && to2;
    p.snoop_flush = p.snoop && end && entry.fc2;
    p.snoop_last = p.snoop && end && entry.lc2;
    snooping_ += p.snoop;
    classes_[kClass1].block.push(p);
    queued_bytes_ += run.size();
  }
  for (const Class c : {kClass1, kClass2}) {
    if (!(c == kClass1 ? to1 : to2)) continue;
    const bool marked = end && (c == kClass1 ? entry.fc1 || entry.lc1 : entry.fc2 || entry.lc2);
    note_delivered(c, run.size(), false);
    if (end && entry.bnd && !entry.is_pad() && !(snoop && c == kClass2)) pad_boundary(entry, c);
    if (marked) note_delivered(c, 0, true);
  }
}

// The CHA of `c` can take data at once, and class 2 has nothing unread that class 1 might write over.
bool Ccb::ready(Class c) const { return in_flight(c) && classes_[c].block.empty() && classes_[kClass2].block.empty(); }

// Zeros to the next boundary behind this data, which began after the last mark. Poly1305 pads by itself and must not
// count them as AAD.
void Ccb::pad_boundary(const NfifoEntry& entry, Class c) {
  const size_t n = (kBoundary - in_block_[c] % kBoundary) % kBoundary;
  if (n == 0 || entry.data == DataType::kPoly) return;
  uint8_t* zeros = arena_.allocate(n);
  std::memset(zeros, 0, n);
  Fifo<Piece>& block = classes_[c].block;
  Piece& data = block.back();
  Piece pad{zeros, n, entry.data, data.flush, data.last};
  pad.pad = true;
  data.flush = data.last = false;
  if (data.snoop) {  // the marks for class 2 come behind the pad's output, too
    pad.snoop = true;
    pad.snoop_flush = data.snoop_flush;
    pad.snoop_last = data.snoop_last;
    data.snoop_flush = data.snoop_last = false;
    ++snooping_;
  }
  block.push(pad);
  queued_bytes_ += n;
  note_delivered(c, n, false);
}

// PLEN, with BND as many bytes more as it takes to the next boundary; BM: to one byte before it.
uint32_t Ccb::pad_length(const NfifoEntry& entry) const {
  const Class c = entry.dest == NfifoDest::kClass2 ? kClass2 : kClass1;
  const uint64_t before = entry.dest == NfifoDest::kDeco ? 0 : in_block_[c];
  const uint64_t goal = entry.pad_minus_one() ? kBoundary - 1 : 0;
  const uint64_t end = before + entry.length();
  return entry.length() + static_cast<uint32_t>((goal + kBoundary - end % kBoundary) % kBoundary);
}

// Pad bytes by PTYPE (hardware.md 3.2); n is the pad length.
ByteSpan Ccb::make_pad(const NfifoEntry& entry, uint32_t n) {
  uint8_t* out = arena_.allocate(n);
  const uint8_t count = static_cast<uint8_t>(n - 1);
  const auto random_nonzero = [&](uint32_t len) {
    random_.random_bytes({out, len});
    for (uint32_t i = 0; i < len; ++i)
      while (out[i] == 0) random_.random_bytes({out + i, 1});
  };
  switch (entry.pad) {
    case NfifoPad::kZeros:
      std::memset(out, 0, n);
      break;
    case NfifoPad::kRandomNoZeros:
      random_nonzero(n);
      break;
    case NfifoPad::kIncrement:
      for (uint32_t i = 0; i + 1 < n; ++i) out[i] = static_cast<uint8_t>(i + 1);
      out[n - 1] = count;
      break;
    case NfifoPad::kRandom:
      random_.random_bytes({out, n});
      break;
    case NfifoPad::kZerosLast:
      std::memset(out, 0, n);
      out[n - 1] = count;
      break;
    case NfifoPad::kRandomLastZero:
      random_nonzero(n - 1);
      out[n - 1] = 0;
      break;
    case NfifoPad::kAllN:
      std::memset(out, count, n);
      break;
    case NfifoPad::kRandomLastN:
      random_nonzero(n - 1);
      out[n - 1] = count;
      break;
  }
  return {out, n};
}

// Lets class `c` consume one piece. Data for a class without an operation waits in its alignment block.
bool Ccb::run_class(Class c) {
  ClassState& state = classes_[c];
  if (fault_ || state.block.empty() || !in_flight(c)) return false;
  // AAD for Poly1305 that reaches class 1 is there to be moved away, not to be encrypted (hardware.md 3.3).
  if (state.block.front().for_move || (c == kClass1 && state.block.front().type == DataType::kPoly)) return false;
  const Piece piece = state.block.front();
  drop_piece(state.block);
  (c == kClass1 ? stats_.class1_bytes : stats_.class2_bytes) += piece.len;
  if (c == kClass1 && piece.type == DataType::kMsg && !classes_[kClass2].block.empty()) keep_unread_bytes();
  if (piece.snoop)
    process_snooped(state, piece);
  else
    process(state, piece, out_);
  return true;
}

// Class 2 has not read these bytes yet and class 1 is about to write; in place that would be the same memory. What was
// kept before is at the front.
void Ccb::keep_unread_bytes() {
  Fifo<Piece>& block = classes_[kClass2].block;
  for (auto p = block.end(); p != block.begin();) {
    if ((--p)->kept) return;
    p->kept = true;
    if (p->len != 0) p->data = arena_.copy({p->data, p->len}).data();
  }
}

namespace {
// Hands class 1's output to class 2 as it leaves: by reference where it went to memory, which nobody writes again.
class SnoopedOutput final : public Output {
 public:
  SnoopedOutput(OutFifo& out, Arena& arena, Fifo<Ccb::Piece>& to, DataType type)
      : out_(out), arena_(arena), to_(to), type_(type) {}
  std::span<uint8_t> window(size_t want) override { return out_.window(want); }
  void commit(size_t n) override {
    ByteSpan kept;
    if (!out_.last_was_direct()) kept = arena_.copy(out_.current_window().first(n));
    out_.commit(n);
    if (out_.last_was_direct()) kept = out_.last_output();
    to_.push({kept.data(), kept.size(), type_});
    pushed_ += n;
  }
  size_t pushed() const { return pushed_; }

 private:
  OutFifo& out_;
  Arena& arena_;
  Fifo<Ccb::Piece>& to_;
  DataType type_;
  size_t pushed_ = 0;
};
}  // namespace

void Ccb::process_snooped(ClassState& state, const Piece& piece) {
  Fifo<Piece>& block2 = classes_[kClass2].block;
  SnoopedOutput out(out_, arena_, block2, piece.type);
  process(state, piece, out);
  queued_bytes_ += out.pushed();
  if (piece.snoop_flush || piece.snoop_last) block2.push({nullptr, 0, piece.type, piece.snoop_flush, piece.snoop_last});
}

void Ccb::process(ClassState& state, const Piece& piece, Output& out) {
  Cha& cha = *state.cha;
  if (!state.begun) {
    state.begun = true;
    if (const CcbError e = cha.begin(state.regs); e != CcbError::kNone) return raise(state, e);
  }
  if (piece.len != 0)
    if (const CcbError e = cha.feed(state.regs, piece.type, {piece.data, piece.len}, out); e != CcbError::kNone)
      return raise(state, e);
  if (piece.flush)
    if (const CcbError e = cha.flush(state.regs, piece.type, out); e != CcbError::kNone) return raise(state, e);
  if (!piece.last) return;
  if (const CcbError e = cha.last(state.regs, piece.type, out); e != CcbError::kNone) return raise(state, e);
  // With ICV checking, done comes after the ICV has been compared (hardware.md 3.5).
  state.done = !state.regs.op.icv || piece.type == DataType::kIcv;
}

void Ccb::raise(const ClassState& state, CcbError error) {
  if (!fault_) fault_ = {.cha = state.cha->id(), .error = error};
}

bool Ccb::take_from_block(unsigned block, std::span<uint8_t> out) {
  uint8_t* to = out.data();
  return drain_block(block, out.size(), [&](ByteSpan run) {
    std::memcpy(to, run.data(), run.size());
    to += run.size();
  });
}

bool Ccb::take_input(std::span<uint8_t> out) {
  pump();
  size_t have = 0;
  for (const ByteSpan run : ififo_) have += run.size();
  if (have < out.size()) return false;
  size_t done = 0;
  while (done < out.size()) {
    ByteSpan& front = ififo_.front();
    const size_t n = std::min(front.size(), out.size() - done);
    std::memcpy(out.data() + done, front.data(), n);
    done += n;
    front = front.subspan(n);
    if (front.empty()) ififo_.pop();
  }
  return true;
}

void Ccb::clear_input() {
  pkha_bytes_.clear();
  pkha_loads_.clear();
  ififo_.clear();
  nfifo_.clear();
  aux_.clear();
  deco_block_.clear();
  for (ClassState& state : classes_) state.block.clear();
  queued_bytes_ = 0;
  snooping_ = 0;
  move_pieces_ = false;
  in_block_[0] = in_block_[1] = 0;
  ofifo_entries_ = 0;
}

void Ccb::reset_input() {
  clear_input();
  out_.hold(std::nullopt);
}

bool Ccb::finished() const {
  if (out_.store_pending() != 0 || !nfifo_.empty()) return false;
  for (const ClassState& state : classes_)
    if (state.cha != nullptr && state.begun && !state.done) return false;
  return true;
}

void Ccb::reset_job(bool keep_keys, bool keep_context) {
  clear_input();
  out_.reset_job();
  arena_.reset();
  stats_ = {};
  fault_ = {};
  for (unsigned c = 0; c < 2; ++c) {
    clear_mode(static_cast<Class>(c));
    ClassRegs& r = classes_[c].regs;
    r.data_size = r.icv_size = r.aad_size = r.iv_size = 0;
    if (!keep_keys) {
      r.key.bytes.fill(0);
      r.key.size = 0;
      r.key.no_write_back = r.key.plaintext_store = r.key.split = r.key.decrypt_form = false;
    }
    if (!keep_context) r.ctx.fill(0);
  }
}

void Ccb::copy_keys_from(const Ccb& other) {
  for (unsigned c = 0; c < 2; ++c) classes_[c].regs.key = other.classes_[c].regs.key;
}

}  // namespace caamlab::hw_model
