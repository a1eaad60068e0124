// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What follows a command word (fields.h, list_operands): pointers, extended lengths, immediate numbers and bytes, and
// what numbers written to control registers mean.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "desc/nfifo.h"
#include "desc/reg_bits.h"
#include "desc/text/fields.h"
#include "desc/text/names.h"

namespace caamlab::desc {
namespace {

std::vector<uint8_t> to_bytes(std::span<const uint32_t> words, size_t len, Endian endian) {
  len = std::min(len, words.size() * 4);
  std::vector<uint8_t> out(len);
  words_to_bytes(out.data(), len, words.data(), endian);
  return out;
}

// Immediate data that is a number: one word, or two with the more significant one first (hardware.md 0.3 rule 7).
void take_number(ListedLine& line, std::span<const uint32_t> words) {
  if (words.size() == 1) line.value = words[0];
  if (words.size() == 2) line.value = uint64_t{words[0]} << 32 | words[1];
}

// ext_len: the length word of the 8-byte form.
std::string nfifo_text(uint32_t word, std::optional<uint32_t> ext_len) {
  ListedLine entry{.word = word};
  const auto e = decode_as<NfifoEntry>(word);
  list_fields(entry, e, word & ~bit_mask(11, 0));
  std::erase_if(entry.fields,
                [&](const ListedField& f) { return f.name == "len" || (f.name == "ptype" && !e.is_pad()); });
  if (e.pad_minus_one()) entry.fields.push_back({"bm", {}});
  if (e.pad_snoop()) entry.fields.push_back({"ps", {}});
  entry.fields.push_back({"len", std::to_string(ext_len.value_or(e.length()))});
  return operands_text(entry);
}

// What the number written to a control register means.
std::string register_gloss(const Load& l, std::span<const uint32_t> words) {
  if (l.cls != ClassSel::kNone || words.empty()) return {};
  const uint32_t value = words[0];
  switch (l.dst) {
    case kRegClrw:
      return "clears " + bits_text(kClrwNames, value);
    case kRegControl:
      return "resets " + bits_text(kChaCtrlNames, value);
    case kRegIrqCtrlOrDpovrd:
      return "clears " + bits_text(kIrqCtrlNames, value);
    case kRegNfifoSzl:
    case kRegNfifoSzm:
    case kRegNfifoL:
    case kRegNfifoM:
    case kRegSizeSzl:
    case kRegSizeSzm:
    case kRegNfifo:
      return nfifo_text(value, words.size() > 1 ? std::optional(words[1]) : std::nullopt);
    default:
      return {};
  }
}

void list_immediate(ListedLine& line, const Load& l, std::span<const uint32_t> words, Endian endian) {
  const RegRow* row = find_reg(l.cls, l.dst);
  if (row != nullptr && (row->access & kRegByteData) == 0 && words.size() <= 2) {
    take_number(line, words);
    line.gloss = register_gloss(l, words);
    return;
  }
  line.data = to_bytes(words, l.len, endian);
}
void list_immediate(ListedLine& line, const Store& s, std::span<const uint32_t> words, Endian endian) {
  line.data = to_bytes(words, s.len, endian);
}
void list_immediate(ListedLine& line, const Key& k, std::span<const uint32_t> words, Endian endian) {
  line.data = to_bytes(words, k.source_len(), endian);
}
void list_immediate(ListedLine& line, const FifoLoad& f, std::span<const uint32_t> words, Endian endian) {
  line.data = to_bytes(words, f.data_type() == FifoLoadType::kBitData ? (f.len + 7u) / 8 : f.len, endian);
}
void list_immediate(ListedLine& line, const Signature&, std::span<const uint32_t> words, Endian endian) {
  line.data = to_bytes(words, words.size() * 4, endian);
}
void list_immediate(ListedLine& line, const Math& m, std::span<const uint32_t> words, Endian) {
  take_number(line, words);
  const bool logical = m.fn == MathFn::kAnd || m.fn == MathFn::kOr || m.fn == MathFn::kXor;
  const auto put = [&](uint64_t value) {
    const size_t at = line.gloss.find("imm");
    if (at != std::string::npos)
      line.gloss.replace(at, 3, logical ? fmt::format("{:#x}", value) : fmt::format("{}", value));
  };
  if (m.imm0() && m.imm1())
    for (uint32_t word : words) put(word);
  else if (line.value)
    put(*line.value);
}
template <class C>
void list_immediate(ListedLine& line, const C&, std::span<const uint32_t> words, Endian endian) {
  line.data = to_bytes(words, words.size() * 4, endian);
}

void list_dkp(ListedLine& line, const ProtocolOperation& op, std::span<const uint32_t> words, const Target& target) {
  if (op.dkp_src() == DkpEnd::kImm)
    line.data = to_bytes(words, op.dkp_key_len(), target.endian);
  else if (op.dkp_src() != DkpEnd::kSeq && words.size() >= target.ptr_words())
    line.pointer = pointer_from_words(words.data(), target);
}

}  // namespace

void list_operands(ListedLine& line, const Command& command, std::span<const uint32_t> operands, const Target& target) {
  std::visit(
      [&](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<C, ProtocolOperation>) {
          if (c.is_dkp()) list_dkp(line, c, operands, target);
        } else if constexpr (!std::is_same_v<C, InvalidCommand>) {
          const Operands layout = c.operands();
          if (layout.pointers != 0 && operands.size() >= target.ptr_words()) {
            line.pointer = pointer_from_words(operands.data(), target);
            operands = operands.subspan(target.ptr_words());
          }
          if (layout.ext_words != 0 && !operands.empty()) {
            line.ext_len = operands[0];
            operands = operands.subspan(1);
          }
          if (layout.imm_words != 0 && !operands.empty()) list_immediate(line, c, operands, target.endian);
        }
      },
      command);
}

}  // namespace caamlab::desc
