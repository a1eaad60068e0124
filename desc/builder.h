// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Builds a descriptor command by command, under the names of the kernel's desc_constr.h. Three differences: options are
// typed commands instead of or-ed constants, jump targets are labels only, and an error sticks to the builder with the
// index of its command until finish() returns it.
#pragma once

#include <limits>
#include <optional>

#include "desc/command.h"
#include "desc/descriptor.h"
#include "desc/result.h"

namespace caamlab::desc {

// A register of MATH by its kernel name, whatever code it has as source 0, source 1 or destination.
enum class MathReg : uint8_t {
  kReg0,
  kReg1,
  kReg2,
  kReg3,
  kImm,
  kDpovrd,
  kSeqInLen,
  kSeqOutLen,
  kVarSeqInLen,
  kVarSeqOutLen,
  kZero,
  kOne,
  kInFifo,
  kOutFifo,
  kJobSrc,
  kNone,
};
constexpr std::optional<MathSrc0> math_src0(MathReg r) {
  switch (r) {
    case MathReg::kReg0:
      return MathSrc0::kMath0;
    case MathReg::kReg1:
      return MathSrc0::kMath1;
    case MathReg::kReg2:
      return MathSrc0::kMath2;
    case MathReg::kReg3:
      return MathSrc0::kMath3;
    case MathReg::kImm:
      return MathSrc0::kImm;
    case MathReg::kDpovrd:
      return MathSrc0::kDpovrd;
    case MathReg::kSeqInLen:
      return MathSrc0::kSil;
    case MathReg::kSeqOutLen:
      return MathSrc0::kSol;
    case MathReg::kVarSeqInLen:
      return MathSrc0::kVsil;
    case MathReg::kVarSeqOutLen:
      return MathSrc0::kVsol;
    case MathReg::kZero:
      return MathSrc0::kZero;
    case MathReg::kOne:
      return MathSrc0::kOne;
    default:
      return std::nullopt;
  }
}
constexpr std::optional<MathSrc1> math_src1(MathReg r) {
  switch (r) {
    case MathReg::kReg0:
      return MathSrc1::kMath0;
    case MathReg::kReg1:
      return MathSrc1::kMath1;
    case MathReg::kReg2:
      return MathSrc1::kMath2;
    case MathReg::kReg3:
      return MathSrc1::kMath3;
    case MathReg::kImm:
      return MathSrc1::kImm;
    case MathReg::kDpovrd:
      return MathSrc1::kDpovrd;
    case MathReg::kVarSeqInLen:
      return MathSrc1::kVsil;
    case MathReg::kVarSeqOutLen:
      return MathSrc1::kVsol;
    case MathReg::kInFifo:
      return MathSrc1::kInFifo;
    case MathReg::kOutFifo:
      return MathSrc1::kOutFifo;
    case MathReg::kOne:
      return MathSrc1::kOne;
    case MathReg::kJobSrc:
      return MathSrc1::kJobSrc;
    case MathReg::kZero:
      return MathSrc1::kZero;
    default:
      return std::nullopt;
  }
}
constexpr std::optional<MathDst> math_dst(MathReg r) {
  switch (r) {
    case MathReg::kReg0:
      return MathDst::kMath0;
    case MathReg::kReg1:
      return MathDst::kMath1;
    case MathReg::kReg2:
      return MathDst::kMath2;
    case MathReg::kReg3:
      return MathDst::kMath3;
    case MathReg::kDpovrd:
      return MathDst::kDpovrd;
    case MathReg::kSeqInLen:
      return MathDst::kSil;
    case MathReg::kSeqOutLen:
      return MathDst::kSol;
    case MathReg::kVarSeqInLen:
      return MathDst::kVsil;
    case MathReg::kVarSeqOutLen:
      return MathDst::kVsol;
    case MathReg::kNone:
      return MathDst::kNone;
    default:
      return std::nullopt;
  }
}

class Builder {
 public:
  // A JUMP whose target is set later. Value, cheap; only good for the builder that made it.
  struct Label {
    uint8_t at = 0;
  };

  explicit Builder(const Target& target) : target_(target) {}
  const Target& target() const { return target_; }
  unsigned len() const { return desc_.size(); }  // desc_len: words so far
  bool ok() const { return !error_; }

  // -- headers: the first call on a builder ---------------------------------------------------------------------
  void init_sh_desc(SharedHeader options);
  // `pdb`: logical words; commands start behind them.
  void init_sh_desc_pdb(SharedHeader options, std::span<const uint32_t> pdb);
  void init_job_desc(JobHeader options);
  // Leaves `pdb_bytes` of room behind the header, to be filled with append_*; commands start behind it.
  void init_job_desc_pdb(JobHeader options, unsigned pdb_bytes);
  // Job with a shared descriptor of `sh_len` words at bus address `sh_desc`.
  void init_job_desc_shared(uint64_t sh_desc, unsigned sh_len, JobHeader options);

  // -- raw parts --------------------------------------------------------------------------------------------------
  template <class C>
  void append_cmd(const C& command);
  void append_word(uint32_t word);  // append_u32
  void append_ptr(uint64_t addr);
  void append_data(ByteSpan data);    // a byte string, padded to words with zeros
  void append_u64(uint64_t value);    // two words, more significant first (hardware.md 0.3 rule 7)
  void append_space(unsigned words);  // reserved for the hardware to write; zero until then

  // -- keys ---------------------------------------------------------------------------------------------------------
  // `options`: class, destination, flags. len: bytes after decryption, set here.
  void append_key(uint64_t addr, unsigned len, Key options);
  // `key`: what lies in the descriptor (a black or padded key may be longer than `len`).
  void append_key_as_imm(ByteSpan key, unsigned len, Key options);

  // -- registers ----------------------------------------------------------------------------------------------------
  void append_load(uint64_t addr, Load options);
  void append_load_as_imm(ByteSpan data, Load options);     // byte string; sets imm and len
  void append_load_imm_u32(uint32_t value, Load options);   // number; sets imm and len = 4
  void append_load_imm_be32(uint32_t value, Load options);  // number as four bytes, most significant first
  void append_load_cmd(Load options);                       // no data: DECO control
  void append_seq_load(unsigned len, Load options);
  void append_store(uint64_t addr, Store options);
  void append_seq_store(unsigned len, Store options);

  // -- FIFOs --------------------------------------------------------------------------------------------------------
  void append_fifo_load(uint64_t addr, FifoLoad options);  // options.len; lengths above 16 bits with _extlen
  void append_fifo_load_as_imm(ByteSpan data, FifoLoad options);
  void append_seq_fifo_load(unsigned len, FifoLoad options);
  void append_fifo_store(uint64_t addr, FifoStore options);
  void append_seq_fifo_store(unsigned len, FifoStore options);
  void append_seq_in_ptr(uint64_t addr, uint32_t len, SeqInPtr options = {});  // EXT when len needs it
  void append_seq_out_ptr(uint64_t addr, uint32_t len, SeqOutPtr options = {});
  void append_seq_in_ptr_extlen(uint64_t addr, uint32_t len, SeqInPtr options = {});
  void append_seq_out_ptr_extlen(uint64_t addr, uint32_t len, SeqOutPtr options = {});
  void append_fifo_load_extlen(uint64_t addr, uint32_t len, FifoLoad options);
  void append_fifo_store_extlen(uint64_t addr, uint32_t len, FifoStore options);
  void append_fifo_load_intlen(uint64_t addr, uint32_t len, FifoLoad options);  // EXT when len needs it
  void append_fifo_store_intlen(uint64_t addr, uint32_t len, FifoStore options);

  // -- the rest -----------------------------------------------------------------------------------------------------
  [[gnu::always_inline]] void append_operation(const AlgOperation& op) { append_cmd(op); }
  [[gnu::always_inline]] void append_operation(const PkOperation& op) { append_cmd(op); }
  [[gnu::always_inline]] void append_operation(const ProtocolOperation& op) { append_cmd(op); }
  [[gnu::always_inline]] void append_move(const Move& move) { append_cmd(move); }
  [[gnu::always_inline]] void append_move_len(const MoveLen& move) { append_cmd(move); }

  [[nodiscard]] Label append_jump(Jump options);    // local, target by set_jump_tgt_here
  void append_jump_to(Label target, Jump options);  // backward
  Label here() const { return {static_cast<uint8_t>(desc_.size())}; }
  void set_jump_tgt_here(Label jump);
  // A command that is to be patched later (kernel: append_move returns a pointer for set_move_tgt_here).
  [[nodiscard]] Label append_move_patched(const Move& move);
  // The MOVE at `move` addresses the descriptor buffer at the next word: its byte offset is set.
  void set_move_tgt_here(Label move);
  void append_jump_halt(Jump options);  // halt, halt-user
  void append_wait(Jump options);       // a jump to the next command
  void append_jump_nonlocal(uint64_t addr, Jump options);

  // dest = src0 op src1 on `len` bytes. Kernel: append_math_add(desc, VARSEQINLEN, SEQINLEN, REG0, CAAM_CMD_SZ).
  void append_math(MathFn fn, MathReg dest, MathReg src0, MathReg src1, unsigned len = 4);
  [[gnu::always_inline]] void append_math_add(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kAdd, d, a, b, len);
  }
  [[gnu::always_inline]] void append_math_sub(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kSub, d, a, b, len);
  }
  [[gnu::always_inline]] void append_math_and(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kAnd, d, a, b, len);
  }
  [[gnu::always_inline]] void append_math_or(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kOr, d, a, b, len);
  }
  [[gnu::always_inline]] void append_math_xor(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kXor, d, a, b, len);
  }
  [[gnu::always_inline]] void append_math_lshift(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kLshift, d, a, b, len);
  }
  [[gnu::always_inline]] void append_math_rshift(MathReg d, MathReg a, MathReg b, unsigned len = 4) {
    append_math(MathFn::kRshift, d, a, b, len);
  }
  // One of the sources is kImm.
  void append_math_imm_u32(MathFn fn, MathReg dest, MathReg src0, MathReg src1, uint32_t value);
  void append_math_imm_u64(MathFn fn, MathReg dest, MathReg src0, MathReg src1, uint64_t value);
  [[gnu::always_inline]] void append_math_add_imm_u32(MathReg d, MathReg a, MathReg b, uint32_t v) {
    append_math_imm_u32(MathFn::kAdd, d, a, b, v);
  }
  [[gnu::always_inline]] void append_math_sub_imm_u32(MathReg d, MathReg a, MathReg b, uint32_t v) {
    append_math_imm_u32(MathFn::kSub, d, a, b, v);
  }
  [[gnu::always_inline]] void append_math_and_imm_u32(MathReg d, MathReg a, MathReg b, uint32_t v) {
    append_math_imm_u32(MathFn::kAnd, d, a, b, v);
  }
  [[gnu::always_inline]] void append_math_or_imm_u32(MathReg d, MathReg a, MathReg b, uint32_t v) {
    append_math_imm_u32(MathFn::kOr, d, a, b, v);
  }

  // The descriptor, its length in the header; or the first error. Labels without a target are errors.
  [[nodiscard]] Result<Descriptor> finish();
  // As finish(), into a caller's words, without a copy of the whole: words written, 0 on error (error() tells).
  unsigned finish_into(std::span<uint32_t> out);
  const std::optional<Error>& error() const { return error_; }

 private:
  template <class C>
  void begin(const C& command);    // field check, its word
  uint32_t* room(unsigned words);  // for what follows it
  // A length into its field, which may be too narrow for it.
  template <class C, class T>
  void set_len(const C& command, T& field, size_t len);
  // `word` of the failing ones: the command at fault.
  [[gnu::cold, gnu::noinline]] void fail_at(unsigned index, ErrorCode code, uint32_t word, std::string message);
  [[gnu::cold, gnu::noinline]] void fail_no_space(uint32_t word, unsigned words);
  [[gnu::cold, gnu::noinline]] void fail_no_room(unsigned words);
  [[gnu::cold, gnu::noinline]] void fail_address();
  [[gnu::cold, gnu::noinline]] void fail_register();
  [[gnu::cold, gnu::noinline]] void fail_fields(uint32_t word);
  [[gnu::cold, gnu::noinline]] void fail_length(uint32_t word, size_t len, size_t max);
  bool close();

  Target target_;
  Descriptor desc_;
  uint16_t last_ = 0;  // index of the last command
  uint64_t open_ = 0;  // jumps without a target, bit n = word n
  std::optional<Error> error_;
};

template <class C>
[[gnu::always_inline]] inline void Builder::begin(const C& command) {
  const uint32_t word = encode(command);
  if (__builtin_expect(!fits(command), 0)) fail_fields(word);
  const unsigned index = desc_.size();
  if (uint32_t* at = desc_.extend(1)) {
    last_ = static_cast<uint16_t>(index);
    *at = word;
  } else {
    fail_no_space(word, 1);
  }
}
namespace detail {
template <class C>
constexpr uint32_t seq_bit(const C& command) {
  if constexpr (C::kHasSeq)
    return put_bits(command.seq, 27, 27);
  else
    return 0;
}
}  // namespace detail
template <class C, class T>
[[gnu::always_inline]] inline void Builder::set_len(const C& command, T& field, size_t len) {
  if (__builtin_expect(len > std::numeric_limits<T>::max(), 0))
    fail_length(C::kMatch | detail::seq_bit(command), len, std::numeric_limits<T>::max());
  field = static_cast<T>(len);
}
template <class C>
[[gnu::always_inline]] inline void Builder::append_cmd(const C& command) {
  begin(command);
}

// The rest of the hot path (constructors run per setkey, job descriptors per request) is inline as well.

[[gnu::always_inline]] inline uint32_t* Builder::room(unsigned words) {
  if (uint32_t* at = desc_.extend(words)) return at;
  fail_no_room(words);
  return nullptr;
}
[[gnu::always_inline]] inline void Builder::append_word(uint32_t word) {
  if (uint32_t* at = room(1)) *at = word;
}
[[gnu::always_inline]] inline void Builder::append_ptr(uint64_t addr) {
  if (__builtin_expect(target_.ptr_bytes == 4 && addr >> 32 != 0, 0)) fail_address();
  if (uint32_t* at = room(target_.ptr_words())) pointer_to_words(at, addr, target_);
}
inline void Builder::append_data(ByteSpan data) {
  if (uint32_t* at = room(words_for_bytes(static_cast<uint32_t>(data.size()))))
    bytes_to_words(at, data, target_.endian);
}
inline void Builder::append_u64(uint64_t value) {
  append_word(static_cast<uint32_t>(value >> 32));
  append_word(static_cast<uint32_t>(value));
}
inline void Builder::append_space(unsigned words) {
  if (uint32_t* at = room(words)) std::fill_n(at, words, 0u);
}

inline void Builder::init_sh_desc(SharedHeader options) { begin(options); }
inline void Builder::init_job_desc(JobHeader options) { begin(options); }
inline void Builder::init_job_desc_shared(uint64_t sh_desc, unsigned sh_len, JobHeader options) {
  options.shr = true;
  set_len(options, options.start, sh_len);
  begin(options);
  append_ptr(sh_desc);
}

[[gnu::always_inline]] inline void Builder::append_key(uint64_t addr, unsigned len, Key options) {
  set_len(options, options.len, len);
  begin(options);
  append_ptr(addr);
}
[[gnu::always_inline]] inline void Builder::append_key_as_imm(ByteSpan key, unsigned len, Key options) {
  options.imm_aidf = true;
  set_len(options, options.len, len);
  begin(options);
  append_data(key);
}
[[gnu::always_inline]] inline void Builder::append_load(uint64_t addr, Load options) {
  begin(options);
  append_ptr(addr);
}
[[gnu::always_inline]] inline void Builder::append_load_as_imm(ByteSpan data, Load options) {
  options.imm = true;
  set_len(options, options.len, data.size());
  begin(options);
  append_data(data);
}
[[gnu::always_inline]] inline void Builder::append_load_imm_u32(uint32_t value, Load options) {
  options.imm = true;
  if (!options.length_is_math_number()) options.len = 4;
  begin(options);
  append_word(value);
}
[[gnu::always_inline]] inline void Builder::append_load_imm_be32(uint32_t value, Load options) {
  uint8_t bytes[4];
  store_be32(bytes, value);
  append_load_as_imm(bytes, options);
}
[[gnu::always_inline]] inline void Builder::append_load_cmd(Load options) {
  options.imm = true;
  begin(options);
}
[[gnu::always_inline]] inline void Builder::append_seq_load(unsigned len, Load options) {
  options.seq = true;
  set_len(options, options.len, len);
  begin(options);
}
[[gnu::always_inline]] inline void Builder::append_store(uint64_t addr, Store options) {
  begin(options);
  if (!options.to_descriptor()) append_ptr(addr);
}
[[gnu::always_inline]] inline void Builder::append_seq_store(unsigned len, Store options) {
  options.seq = true;
  set_len(options, options.len, len);
  begin(options);
}
[[gnu::always_inline]] inline void Builder::append_fifo_load(uint64_t addr, FifoLoad options) {
  begin(options);
  append_ptr(addr);
}
[[gnu::always_inline]] inline void Builder::append_fifo_load_as_imm(ByteSpan data, FifoLoad options) {
  options.imm_aidf = true;
  set_len(options, options.len, data.size());
  begin(options);
  append_data(data);
}
[[gnu::always_inline]] inline void Builder::append_seq_fifo_load(unsigned len, FifoLoad options) {
  options.seq = true;
  set_len(options, options.len, len);
  begin(options);
}
[[gnu::always_inline]] inline void Builder::append_fifo_store(uint64_t addr, FifoStore options) {
  begin(options);
  if (options.operands().pointers != 0) append_ptr(addr);
}
[[gnu::always_inline]] inline void Builder::append_seq_fifo_store(unsigned len, FifoStore options) {
  options.seq = true;
  set_len(options, options.len, len);
  begin(options);
}
[[gnu::always_inline]] inline void Builder::append_seq_in_ptr(uint64_t addr, uint32_t len, SeqInPtr options) {
  if (len > 0xFFFF) return append_seq_in_ptr_extlen(addr, len, options);
  set_len(options, options.len, len);
  begin(options);
  if (options.has_pointer()) append_ptr(addr);
}
[[gnu::always_inline]] inline void Builder::append_seq_out_ptr(uint64_t addr, uint32_t len, SeqOutPtr options) {
  if (len > 0xFFFF) return append_seq_out_ptr_extlen(addr, len, options);
  set_len(options, options.len, len);
  begin(options);
  if (options.has_pointer()) append_ptr(addr);
}
inline void Builder::append_seq_in_ptr_extlen(uint64_t addr, uint32_t len, SeqInPtr options) {
  options.ext = true;
  options.len = 0;
  begin(options);
  if (options.has_pointer()) append_ptr(addr);
  append_word(len);
}
inline void Builder::append_seq_out_ptr_extlen(uint64_t addr, uint32_t len, SeqOutPtr options) {
  options.ext = true;
  options.len = 0;
  begin(options);
  if (options.has_pointer()) append_ptr(addr);
  append_word(len);
}
[[gnu::always_inline]] inline Builder::Label Builder::append_jump(Jump options) {
  const Label label = here();
  begin(options);
  if (label.at < kMaxDescWords) open_ |= uint64_t{1} << label.at;
  return label;
}
[[gnu::always_inline]] inline void Builder::set_jump_tgt_here(Label jump) {
  if (jump.at >= desc_.size()) return;  // the jump itself did not fit; that error is kept
  open_ &= ~(uint64_t{1} << jump.at);
  desc_[jump.at] |= put_bits(desc_.size() - jump.at, 7, 0);
}
inline Builder::Label Builder::append_move_patched(const Move& move) {
  const Label label = here();
  begin(move);
  return label;
}
inline void Builder::set_move_tgt_here(Label move) {
  if (move.at < desc_.size()) desc_[move.at] |= put_bits(desc_.size() * 4, 15, 8);
}
inline void Builder::append_jump_to(Label target, Jump options) {
  options.offset = static_cast<int8_t>(int{target.at} - static_cast<int>(desc_.size()));
  begin(options);
}
[[gnu::always_inline]] inline void Builder::append_wait(Jump options) {
  options.offset = 1;
  begin(options);
}
inline void Builder::append_jump_halt(Jump options) { begin(options); }
inline void Builder::append_jump_nonlocal(uint64_t addr, Jump options) {
  options.type = JumpType::kNonLocal;
  begin(options);
  append_ptr(addr);
}

[[gnu::always_inline]] inline void Builder::append_math(MathFn fn, MathReg dest, MathReg src0, MathReg src1,
                                                        unsigned len) {
  const auto a = math_src0(src0);
  const auto b = math_src1(src1);
  const auto d = math_dst(dest);
  if (!a || !b || !d) {
    fail_register();
    return;
  }
  begin(Math{.fn = fn, .src0 = *a, .src1 = *b, .dst = *d, .len = static_cast<uint8_t>(len)});
}
[[gnu::always_inline]] inline void Builder::append_math_imm_u32(MathFn fn, MathReg dest, MathReg src0, MathReg src1,
                                                                uint32_t value) {
  append_math(fn, dest, src0, src1, 4);
  append_word(value);
}
inline void Builder::append_math_imm_u64(MathFn fn, MathReg dest, MathReg src0, MathReg src1, uint64_t value) {
  append_math(fn, dest, src0, src1, 8);
  append_u64(value);
}

}  // namespace caamlab::desc
