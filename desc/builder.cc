// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The parts of the builder that are not on a hot path: PDB headers, extended lengths, errors, finish.
#include "desc/builder.h"

namespace caamlab::desc {

void Builder::fail_at(unsigned word, ErrorCode code, std::string message) {
  if (error_) return;
  error_ = Error{code, std::move(message), word, std::string(mnemonic_)};
}

void Builder::fail_no_space(unsigned words) {
  fail_at(desc_.size(), ErrorCode::kNoSpace,
          std::to_string(words) + " more words do not fit: " + std::to_string(kMaxDescWords - desc_.size()) + " of " +
              std::to_string(kMaxDescWords) + " are left");
}

void Builder::fail_address() {
  fail_at(desc_.size(), ErrorCode::kOutOfRange, "the address has more than the 32 bits of a one-word pointer");
}

void Builder::fail_register() {
  fail_at(desc_.size(), ErrorCode::kInvalidArgument, "a register that MATH does not have in this place");
}

void Builder::fail_fields(std::string_view mnemonic, uint32_t word) {
  std::string wide;
  const Command cmd = decode(word);
  std::visit(
      [&](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (!std::is_same_v<C, InvalidCommand>)
          for_each_field<C>([&](const auto& f) {
            wide += (wide.empty() ? "" : ", ") + std::string(f.name) + " " + std::to_string(f.hi - f.lo + 1);
          });
      },
      cmd);
  mnemonic_ = mnemonic;
  fail_at(desc_.size(), ErrorCode::kOutOfRange, "a value does not fit in its field (bits: " + wide + ")");
}

void Builder::init_sh_desc_pdb(SharedHeader options, std::span<const uint32_t> pdb) {
  options.start = static_cast<uint8_t>(1 + pdb.size());
  begin(options);
  for (uint32_t word : pdb) append_word(word);
}

void Builder::init_job_desc_pdb(JobHeader options, unsigned pdb_bytes) {
  options.start = static_cast<uint8_t>(1 + words_for_bytes(pdb_bytes));
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
  if (!error_ && desc_.empty())
    fail_at(0, ErrorCode::kInvalidArgument, "no header: begin with init_sh_desc or init_job_desc");
  if (!error_ && open_ != 0) {
    mnemonic_ = Jump::kMnemonic;
    fail_at(static_cast<unsigned>(std::countr_zero(open_)), ErrorCode::kUnresolved,
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
    fail_at(static_cast<unsigned>(out.size()), ErrorCode::kNoSpace,
            "the descriptor has " + std::to_string(desc_.size()) + " words, the place for it " +
                std::to_string(out.size()));
    return 0;
  }
  std::ranges::copy(desc_.words(), out.begin());
  return desc_.size();
}

}  // namespace caamlab::desc
