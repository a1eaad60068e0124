// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The parts of the builder that are not on a hot path: PDB headers, extended lengths, errors, finish.
#include "desc/builder.h"

namespace caamlab::desc {

namespace {

// "SEQ STORE"; empty for a word that is no command.
std::string mnemonic_of(uint32_t word) {
  return std::visit(
      [](const auto& c) -> std::string {
        using C = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<C, InvalidCommand>) {
          return {};
        } else {
          if constexpr (C::kHasSeq)
            if (c.seq) return "SEQ " + std::string(C::kMnemonic);
          return std::string(C::kMnemonic);
        }
      },
      decode(word));
}

// "class 2, len 16": the bits that each field has.
std::string field_widths(uint32_t word) {
  std::string text;
  std::visit(
      [&](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (!std::is_same_v<C, InvalidCommand>)
          for_each_field<C>([&](const auto& f) {
            text += (text.empty() ? "" : ", ") + std::string(f.name) + " " + std::to_string(f.hi - f.lo + 1);
          });
      },
      decode(word));
  return text;
}

}  // namespace

void Builder::fail_at(unsigned index, ErrorCode code, uint32_t word, std::string message) {
  if (error_) return;
  error_ = Error{code, std::move(message), index, mnemonic_of(word)};
}

void Builder::fail_no_space(uint32_t word, unsigned words) {
  fail_at(desc_.size(), ErrorCode::kNoSpace, word,
          std::to_string(words) + " more words do not fit: " + std::to_string(kMaxDescWords - desc_.size()) + " of " +
              std::to_string(kMaxDescWords) + " are left");
}

void Builder::fail_no_room(unsigned words) { fail_no_space(desc_.empty() ? 0 : desc_[last_], words); }

void Builder::fail_address() {
  fail_at(desc_.size(), ErrorCode::kOutOfRange, desc_.empty() ? 0 : desc_[last_],
          "the address has more than the 32 bits of a one-word pointer");
}

void Builder::fail_register() {
  fail_at(desc_.size(), ErrorCode::kInvalidArgument, Math::kMatch, "a register that MATH does not have in this place");
}

void Builder::fail_fields(uint32_t word) {
  fail_at(desc_.size(), ErrorCode::kOutOfRange, word,
          "a value does not fit in its field (bits: " + field_widths(word) + ")");
}

void Builder::fail_length(uint32_t word, size_t len, size_t max) {
  fail_at(desc_.size(), ErrorCode::kOutOfRange, word,
          "a length of " + std::to_string(len) + " does not fit in its field: at most " + std::to_string(max));
}

void Builder::init_sh_desc_pdb(SharedHeader options, std::span<const uint32_t> pdb) {
  set_len(options, options.start, 1 + pdb.size());
  begin(options);
  for (uint32_t word : pdb) append_word(word);
}

void Builder::init_job_desc_pdb(JobHeader options, unsigned pdb_bytes) {
  set_len(options, options.start, 1 + words_for_bytes(pdb_bytes));
  begin(options);
}

void Builder::append_fifo_load_extlen(uint64_t addr, uint32_t len, FifoLoad options) {
  options.ext = true;
  options.len = 0;
  begin(options);
  append_ptr(addr);
  append_word(len);
}

void Builder::append_fifo_store_extlen(uint64_t addr, uint32_t len, FifoStore options) {
  options.ext = true;
  options.len = 0;
  begin(options);
  append_ptr(addr);
  append_word(len);
}

void Builder::append_fifo_load_intlen(uint64_t addr, uint32_t len, FifoLoad options) {
  if (len > 0xFFFF) return append_fifo_load_extlen(addr, len, options);
  options.len = static_cast<uint16_t>(len);
  append_fifo_load(addr, options);
}

void Builder::append_fifo_store_intlen(uint64_t addr, uint32_t len, FifoStore options) {
  if (len > 0xFFFF) return append_fifo_store_extlen(addr, len, options);
  options.len = static_cast<uint16_t>(len);
  append_fifo_store(addr, options);
}

bool Builder::close() {
  if (!error_ &&
      (desc_.empty() || (desc_[0] & JobHeader::kMask & SharedHeader::kMask & ~(1u << 27)) != JobHeader::kMatch))
    fail_at(0, ErrorCode::kInvalidArgument, JobHeader::kMatch, "no header: begin with init_sh_desc or init_job_desc");
  if (!error_ && open_ != 0) {
    fail_at(static_cast<unsigned>(std::countr_zero(open_)), ErrorCode::kUnresolved, Jump::kMatch,
            "the jump has no target: call set_jump_tgt_here");
  }
  if (error_) return false;
  desc_[0] = (desc_[0] & ~bit_mask(6, 0)) | desc_.size();
  return true;
}

Result<Descriptor> Builder::finish() {
  if (!close()) return tl::unexpected<Error>(*error_);
  return desc_;
}

unsigned Builder::finish_into(std::span<uint32_t> out) {
  if (!close()) return 0;
  if (out.size() < desc_.size()) {
    fail_at(static_cast<unsigned>(out.size()), ErrorCode::kNoSpace, desc_[0],
            "the descriptor has " + std::to_string(desc_.size()) + " words, the place for it " +
                std::to_string(out.size()));
    return 0;
  }
  std::ranges::copy(desc_.words(), out.begin());
  return desc_.size();
}

}  // namespace caamlab::desc
