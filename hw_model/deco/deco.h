// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A DECO: fetches a job descriptor and its shared descriptor into the 64-word buffer and runs them command by command
// (hardware.md 0.4, 2). One function exec(Deco&, const Command&) per command, each in its own file.
#pragma once

#include "desc/command.h"
#include "desc/descriptor.h"
#include "hw_model/deco/ccb.h"
#include "hw_model/deco/fetch.h"
#include "hw_model/deco/units.h"
#include "hw_model/job_source.h"
#include "hw_model/sharing.h"

namespace caamlab::hw_model {

class Deco;
using desc::JrStatus;

// Sees a job run, command by command. Nothing is computed for it when there is none.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void job_begins(const Deco& deco) = 0;
  virtual void before_command(const Deco& deco, unsigned index, const desc::Command& command) = 0;
  virtual void after_command(const Deco& deco, unsigned index, const desc::Command& command) = 0;
  virtual void job_ends(const Deco& deco, JrStatus status) = 0;
};

// Switches where the silicon is not known or parts differ (hardware.md 11).
struct DecoOptions {
  bool strict_mode_clear = false;    // OPERATION on a class whose mode was not cleared: ERRID 0xD
  uint64_t max_commands = 1u << 20;  // more in one job is a watchdog time-out
  // Entries that one read of an S/G table brings. 1 for memory of which no more is known than was used.
  unsigned sg_burst = kSgBurstEntries;
  int era = 10;
};

enum class Flow : uint8_t { kNext, kStop };

// A descriptor word, decoded once: jobs of a flow repeat theirs. `run` executes it; for the forms that most words have
// (predecode.cc) it is a function made for the form, whose operands are here, else exec() of the command.
struct Decoded {
  using Run = Flow (*)(Deco& d, const Decoded& self);
  uint32_t word = 0;
  uint16_t src0 = 0, src1 = 0, dst = 0;  // MATH: offsets of fields in DecoRegs
  DataType data = DataType::kMsg;        // FIFO LOAD: what its bytes are
  bool flush = false, last = false;      // and the marks for its class
  Run run = nullptr;
  desc::Command command;
};
Decoded predecode(uint32_t word);

// The registers of the DECO itself; zero at job start but for DPOVRD, which a queue interface may preload.
struct DecoRegs {
  uint64_t math[4] = {};
  uint32_t sil = 0, sol = 0;
  uint32_t vsil = 0, vsol = 0, uvsil = 0, uvsol = 0;
  uint32_t dpovrd = 0;
  uint32_t checksum = 0;
  uint32_t ctrl2 = 0;
  uint32_t cha_ctrl = 0, irq_ctrl = 0, cha_select = 0;
  bool n = false, z = false, c = false, nv = false;  // MATH flags
  bool pk_zero = false, pk_gcd1 = false, pk_prime = false;
  // What MATH sources ZERO and ONE read, and destination NONE writes.
  uint32_t zero = 0, one = 1, none = 0;
};

class Deco {
 public:
  // Everything given must outlive the DECO. `target` is read at every use.
  Deco(unsigned number, BusMemory& memory, const Platform& platform, const desc::Target& target, PadRandom& random,
       DecoOptions options = {});

  // -- a job --------------------------------------------------------------------------------------------------------
  // Takes a fetched job. kFresh fetches the shared descriptor from memory; kCross takes it and the keys from `from`;
  // kSelf goes on with what this DECO holds. On failure status() says why and run() returns it at once.
  void begin(const JobFetch& job, ShareState share, const Deco* from = nullptr);
  // Runs what begin() loaded to its end.
  JrStatus run();

  JrStatus status() const { return status_; }
  uint32_t out_bytes() const { return static_cast<uint32_t>(out_seq.moved); }
  JobStats& stats() { return ccb.stats(); }
  unsigned number() const { return number_; }

  // -- what it holds (for sharing) ------------------------------------------------------------------------------------
  BusAddr job_addr() const { return jd_addr_; }
  // Where the job descriptor in the buffer came from: another one after a non-local jump or a replacement.
  BusAddr job_memory() const { return jd_memory_; }
  BusAddr shared_addr() const { return sd_addr_; }
  bool has_shared() const { return sd_len_ != 0; }
  const desc::JobHeader& job_header() const { return job_header_; }
  const desc::SharedHeader& shared_header() const { return shared_header_; }
  // OK-to-share as the running descriptor set it by DECO control: 0 untouched, 1 never, 2 yes, 3 yes without errors.
  uint8_t change_share() const { return change_share_; }

  // Goes to the word `offset` from the running command, as a local JUMP does.
  Flow jump_by(int offset) {
    const int target = static_cast<int>(pc_) + offset;
    // The word behind the last is the end of the descriptor: a wait may be the last command there is.
    if (target < 0 || target > static_cast<int>(total_words())) return fail(DecoError::kJump);
    goto_index(static_cast<unsigned>(target));
    return Flow::kNext;
  }

  // -- for exec() -----------------------------------------------------------------------------------------------------
  Flow fail(DecoError error);
  Flow fail(desc::ChaId cha, CcbError error);
  Flow fail_fault();  // of the CCB
  Flow hang() { return fail(DecoError::kWatchdog); }
  Flow halt(JrStatus status);  // NLJ is added after a non-local jump
  // Operands of the current command, in order; false when the descriptor ends before them.
  bool take_word(uint32_t& word) {
    if (next_ >= total_words()) return false;
    word = buffer_[next_++];
    return true;
  }
  bool take_pointer(BusAddr& addr) {
    const unsigned words = dma.target().ptr_words();
    if (next_ + words > total_words()) return false;
    addr = desc::pointer_from_words(&buffer_[next_], dma.target());
    next_ += words;
    return true;
  }
  // Immediate byte string: its bytes as they lie in memory, valid until the job ends, or into `out`.
  bool take_bytes(uint32_t len, ByteSpan& bytes);
  bool take_bytes_into(std::span<uint8_t> out);
  void goto_index(unsigned index) {
    next_ = index;
    part_end_ = index < sd_len_ ? sd_len_ : index == sd_len_ ? 0 : total_words();
  }
  unsigned index() const { return pc_; }
  unsigned next_index() const { return next_; }
  unsigned total_words() const { return sd_len_ + jd_len_; }
  unsigned shared_words() const { return sd_len_; }
  unsigned job_words() const { return jd_len_; }
  bool shrd() const { return shrd_; }
  bool self() const { return self_; }
  void drop_share_signals() { shrd_ = self_ = false; }
  void set_change_share(uint8_t value) { change_share_ = value; }
  SourceId source() const { return source_; }
  const DecoOptions& options() const { return options_; }
  desc::Endian endian() const { return dma.target().endian; }
  // The descriptor buffer as bytes, most significant byte of a word first (hardware.md 0.3 rule 5).
  void read_buffer(unsigned offset, std::span<uint8_t> out) const;
  void write_buffer(unsigned offset, ByteSpan in);
  std::span<uint32_t, desc::kMaxDescWords> buffer() { return buffer_; }
  std::span<const uint32_t, desc::kMaxDescWords> buffer() const { return buffer_; }
  // Replaces the running job descriptor: a non-local jump, or SEQ IN PTR with RJD or INL.
  Flow replace_job(BusAddr addr, bool jumped);
  unsigned gosub_return = 0;
  // Waits until agents have nothing to do; false (and the job failed) when output waits for data that cannot come.
  bool wait_class(desc::ClassSel cls) {
    const bool idle = !ccb.in_flight(Ccb::kClass1) && !ccb.in_flight(Ccb::kClass2);
    return (idle && !ccb.fault()) || wait_busy_class(cls);
  }
  bool settle();

  // -- units that are not CHAs with a data stream (units.cc)
  // -----------------------------------------------------------
  bool unwrap_key(const desc::Key& key, std::span<uint8_t> bytes);
  Flow start_rng(const desc::AlgOperation& op);
  Flow feed_rng();                     // the class 1 data size was written
  Flow generate_random(uint32_t len);  // FIFO STORE of random data
  Flow run_pkha(const desc::PkOperation& op);
  Flow load_pkha(desc::NfifoPkData reg, ByteSpan bytes);
  Flow load_pkha_from_input(uint8_t fifo_load_type, uint32_t len);
  Flow unload_pkha(uint32_t cha_control);
  Flow set_pkha_size(uint8_t reg, uint32_t bytes);
  bool pkha_size(uint8_t reg, uint32_t& bytes);
  Flow take_pkha_entries();
  void clear_pkha_sizes(uint8_t which);  // CLRW 15:12
  // Keys and PKHA memory for FIFO STORE; `n` bytes of `out` (1024 at most) are set.
  Flow export_unit(const desc::FifoStore& cmd, uint32_t len, uint8_t* out, uint32_t& n);
  // JQP: the source has more jobs.
  bool more_work() const { return more_work_; }
  void set_more_work(bool more) { more_work_ = more; }

  DecoRegs r;
  Ccb ccb;
  Dma dma;
  Sequence in_seq, out_seq;
  bool auto_nfifo = true;
  // DCHKSM: what LOAD wrote, or the sum over the last FIFO STORE with checksum, whose memory `checksum_runs` is.
  uint32_t checksum();
  Fifo<ByteSpan> checksum_runs;
  PadRandom& random;
  UnitState units;

  void set_trace(TraceSink* trace) { trace_ = trace; }

 private:
  bool load_shared(ShareState share, const Deco* from);
  bool wait_busy_class(desc::ClassSel cls);
  void reset_state(ShareState share);
  bool leave_part();
  // The next command is at next_; false at the end of the job.
  bool advance() { return next_ < part_end_ || leave_part(); }
  unsigned shared_start() const { return shared_header_.start == 0 ? 1 : shared_header_.start; }
  const Decoded& decoded(unsigned index) {
    Decoded& d = decoded_[index];
    if (d.word != buffer_[index]) d = predecode(buffer_[index]);
    return d;
  }
  JrStatus run_traced();
  JrStatus finish();

  unsigned number_;
  DecoOptions options_;
  std::array<uint32_t, desc::kMaxDescWords> buffer_{};
  std::array<Decoded, desc::kMaxDescWords> decoded_;
  desc::JobHeader job_header_;
  desc::SharedHeader shared_header_;
  SourceId source_ = SourceId::kJr0;
  BusAddr jd_addr_ = 0, jd_memory_ = 0, sd_addr_ = 0;
  unsigned sd_len_ = 0, jd_len_ = 0;  // words; the job descriptor lies at sd_len_
  // next_ apart from pc_: written as a pair they would pass through a vector register, on the way of every command.
  unsigned next_ = 0;
  unsigned part_end_ = 0;  // where the shared or the job descriptor, whichever runs, ends
  unsigned pc_ = 0;
  unsigned job_start_ = 0;            // first word to run of the job descriptor
  bool shared_still_to_run_ = false;  // REVERSE: the shared descriptor comes after the job's commands
  bool shrd_ = false, self_ = false, jumped_ = false;
  bool more_work_ = false;
  uint8_t change_share_ = 0;
  enum class StopKind : uint8_t { kNone, kHalt, kError };
  StopKind stop_kind_ = StopKind::kNone;
  JrStatus status_;
  TraceSink* trace_ = nullptr;
};

// FIFO LOAD of data that says what it is, for one class, without EXT, from the sequence (the data of nearly every
// request) or immediate (its IV).
bool is_plain_sequence(const desc::FifoLoad& cmd);
bool is_plain_immediate(const desc::FifoLoad& cmd);
DataType nfifo_data(desc::FifoLoadType type);  // as its NFIFO entry says it
Flow run_plain_sequence(Deco& d, const Decoded& self);
Flow run_plain_immediate(Deco& d, const Decoded& self);

// An immediate red key into its register.
bool is_plain(const desc::Key& cmd);
Flow run_plain_key(Deco& d, const Decoded& self);

// Context to the output sequence, and message or nothing to it.
bool is_plain(const desc::Store& cmd);
bool is_plain(const desc::FifoStore& cmd);
Flow run_plain_store(Deco& d, const Decoded& self);
Flow run_plain_message_store(Deco& d, const Decoded& self);
Flow run_plain_skip(Deco& d, const Decoded& self);

// A sequence that begins at a pointer, and nothing else.
bool is_plain(const desc::SeqInPtr& cmd);
bool is_plain(const desc::SeqOutPtr& cmd);
Flow run_plain_seq_in(Deco& d, const Decoded& self);
Flow run_plain_seq_out(Deco& d, const Decoded& self);

// One per command; visiting fails to compile when one is missing.
Flow exec(Deco& d, const desc::InvalidCommand& cmd);
Flow exec(Deco& d, const desc::Key& cmd);
Flow exec(Deco& d, const desc::Load& cmd);
Flow exec(Deco& d, const desc::FifoLoad& cmd);
Flow exec(Deco& d, const desc::Store& cmd);
Flow exec(Deco& d, const desc::FifoStore& cmd);
Flow exec(Deco& d, const desc::Move& cmd);
Flow exec(Deco& d, const desc::MoveB& cmd);
Flow exec(Deco& d, const desc::MoveDw& cmd);
Flow exec(Deco& d, const desc::MoveLen& cmd);
Flow exec(Deco& d, const desc::AlgOperation& cmd);
Flow exec(Deco& d, const desc::PkOperation& cmd);
Flow exec(Deco& d, const desc::ProtocolOperation& cmd);
Flow exec(Deco& d, const desc::Signature& cmd);
Flow exec(Deco& d, const desc::ExternalKey& cmd);
Flow exec(Deco& d, const desc::Jump& cmd);
Flow exec(Deco& d, const desc::Math& cmd);
Flow exec(Deco& d, const desc::MathI& cmd);
Flow exec(Deco& d, const desc::JobHeader& cmd);
Flow exec(Deco& d, const desc::SharedHeader& cmd);
Flow exec(Deco& d, const desc::SeqInPtr& cmd);
Flow exec(Deco& d, const desc::SeqOutPtr& cmd);

}  // namespace caamlab::hw_model
