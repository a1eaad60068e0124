// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See encode_operands.h.
#include "desc/text/encode_operands.h"

#include <fmt/format.h>

namespace caamlab::desc {
namespace {

using Words = std::vector<uint32_t>;

void append_pointer(Words& out, uint64_t pointer, const Target& target) {
  uint32_t words[2];
  pointer_to_words(words, pointer, target);
  out.insert(out.end(), words, words + target.ptr_words());
}
void append_bytes(Words& out, ByteSpan bytes, Endian endian) {
  const size_t at = out.size();
  out.resize(at + words_for_bytes(static_cast<uint32_t>(bytes.size())));
  bytes_to_words(out.data() + at, bytes, endian);
}

// Bytes of immediate data of a command, where that is not all of its words.
template <class C>
std::optional<size_t> data_bytes(const C& c) {
  if constexpr (std::is_same_v<C, Key>)
    return c.source_len();
  else if constexpr (std::is_same_v<C, FifoLoad>)
    return c.data_type() == FifoLoadType::kBitData ? (c.len + 7u) / 8 : c.len;
  else if constexpr (std::is_same_v<C, Load> || std::is_same_v<C, Store>)
    return c.len;
  else
    return std::nullopt;
}

Result<Words> encode_dkp(const ProtocolOperation& op, const OperandValues& v, const Target& target) {
  Words out;
  if (op.dkp_src() == DkpEnd::kImm) {
    if (v.data.size() != op.dkp_key_len())
      return fail(ErrorCode::kMalformed,
                  fmt::format("keylen says {} bytes, data has {}", op.dkp_key_len(), v.data.size()));
    append_bytes(out, v.data, target.endian);
  } else if (op.dkp_src() != DkpEnd::kSeq) {
    if (!v.pointer) return fail(ErrorCode::kMalformed, "ptr= is missing: the key is read from memory");
    append_pointer(out, *v.pointer, target);
  }
  out.resize(op.dkp_words(target.ptr_words()));
  return out;
}

template <class C>
Result<Words> encode_immediate(const C& c, const OperandValues& v, unsigned imm_words, const Target& target) {
  Words out;
  if (v.value) {
    if (imm_words > 2)
      return fail(ErrorCode::kMalformed, fmt::format("{} words of data follow: give data=, not value=", imm_words));
    if (imm_words == 1 && *v.value > UINT32_MAX)
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("value {:#x} does not fit in the one word that follows", *v.value));
    if (imm_words == 2) out.push_back(static_cast<uint32_t>(*v.value >> 32));
    out.push_back(static_cast<uint32_t>(*v.value));
    return out;
  }
  if (!v.has_data) return fail(ErrorCode::kMalformed, "data= (bytes) or value= (a number) is missing");
  const size_t wanted = data_bytes(c).value_or(size_t{imm_words} * 4);
  if (v.data.size() != wanted)
    return fail(ErrorCode::kMalformed, fmt::format("{} bytes of data are wanted, data has {}", wanted, v.data.size()));
  append_bytes(out, v.data, target.endian);
  return out;
}

template <class C>
Result<Words> encode_one(const C& c, const OperandValues& v, const Target& target) {
  if constexpr (std::is_same_v<C, InvalidCommand>) {
    return Words{};
  } else {
    if constexpr (std::is_same_v<C, ProtocolOperation>)
      if (c.is_dkp()) return encode_dkp(c, v, target);
    const Operands layout = c.operands();
    Words out;
    if (v.pointer.has_value() != (layout.pointers != 0))
      return fail(ErrorCode::kMalformed, v.pointer ? "ptr= is given, but no pointer follows this command"
                                                   : "ptr= is missing: a pointer follows this command");
    if (v.pointer) append_pointer(out, *v.pointer, target);
    if (v.ext_len.has_value() != (layout.ext_words != 0))
      return fail(ErrorCode::kMalformed, v.ext_len ? "extlen= is given, but the command has no ext flag"
                                                   : "extlen= is missing: ext says that a length word follows");
    if (v.ext_len) out.push_back(*v.ext_len);
    if (layout.imm_words == 0) {
      if (v.value || !v.data.empty()) return fail(ErrorCode::kMalformed, "no data follows this command (no imm flag?)");
      return out;
    }
    auto immediate = encode_immediate(c, v, layout.imm_words, target);
    if (!immediate) return immediate;
    out.insert(out.end(), immediate->begin(), immediate->end());
    return out;
  }
}

}  // namespace

Result<Words> encode_operands(const Command& command, const OperandValues& values, const Target& target) {
  return std::visit([&](const auto& c) { return encode_one(c, values, target); }, command);
}

}  // namespace caamlab::desc
