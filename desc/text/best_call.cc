// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See best_call.h. One function a command; each gives the statement and, as a lambda, what the statement does.
#include "desc/text/best_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/text/initializer.h"

namespace caamlab::desc {
namespace {

using Call = std::optional<BuilderCall>;

// "d.append_load(0x1000, {.len = 8});": arguments that are empty are left out, and the comma with them.
std::string statement(std::string_view function, std::initializer_list<std::string> arguments) {
  std::string text;
  for (const std::string& a : arguments)
    if (!a.empty()) text += (text.empty() ? "" : ", ") + a;
  return fmt::format("d.{}({});", function, text);
}
// Options that have a default are only written when they say something.
template <class C>
std::string optional_options(const C& c, Omitted omitted) {
  const std::string text = initializer(c, omitted);
  return text == "{}" ? "" : text;
}
std::string hex(uint64_t value) { return fmt::format("{:#x}", value); }

std::optional<uint64_t> pointer_of(const CallSource& s) {
  if (s.operands.size() < s.target.ptr_words()) return std::nullopt;
  return pointer_from_words(s.operands.data(), s.target);
}
uint32_t last_word(const CallSource& s) { return s.operands.empty() ? 0 : s.operands.back(); }

std::vector<uint8_t> bytes_of(const CallSource& s, size_t len) {
  std::vector<uint8_t> out(std::min(len, s.operands.size() * 4));
  words_to_bytes(out.data(), out.size(), s.operands.data(), s.target.endian);
  return out;
}
// Immediate bytes go into an array before the call.
std::string array_name(const CallSource& s) { return fmt::format("data{}", s.index); }
std::string array_text(const CallSource& s, ByteSpan bytes) {
  std::string text = fmt::format("static constexpr uint8_t {}[] = {{", array_name(s));
  for (size_t i = 0; i < bytes.size(); ++i) text += fmt::format("{}{:#04x}", i == 0 ? "" : ", ", bytes[i]);
  return text + "};\n";
}

Call call_of(const Key& k, const CallSource& s) {
  if (k.seq) return std::nullopt;  // the builder has no append_seq_key
  if (!k.imm_aidf) {
    const auto addr = pointer_of(s);
    if (!addr) return std::nullopt;
    return BuilderCall{statement("append_key", {hex(*addr), std::to_string(k.len), initializer(k, {"len"})}),
                       [k, addr](Builder& d, CallLabels&) { d.append_key(*addr, k.len, k); }};
  }
  auto key = bytes_of(s, k.source_len());
  if (key.empty()) return std::nullopt;
  return BuilderCall{array_text(s, key) + statement("append_key_as_imm", {array_name(s), std::to_string(k.len),
                                                                          initializer(k, {"len", "imm_aidf"})}),
                     [k, key](Builder& d, CallLabels&) { d.append_key_as_imm(key, k.len, k); }};
}

Call call_of(const Load& l, const CallSource& s) {
  if (l.seq)
    return BuilderCall{statement("append_seq_load", {std::to_string(l.len), initializer(l, {"seq", "len"})}),
                       [l](Builder& d, CallLabels&) { d.append_seq_load(l.len, l); }};
  if (s.operands.empty())
    return BuilderCall{statement("append_load_cmd", {initializer(l, {"imm"})}),
                       [l](Builder& d, CallLabels&) { d.append_load_cmd(l); }};
  if (!l.imm) {
    const auto addr = pointer_of(s);
    if (!addr) return std::nullopt;
    return BuilderCall{statement("append_load", {hex(*addr), initializer(l)}),
                       [l, addr](Builder& d, CallLabels&) { d.append_load(*addr, l); }};
  }
  const RegRow* row = find_reg(l.cls, l.dst);
  const bool number = row != nullptr && (row->access & kRegByteData) == 0;
  if (number && s.operands.size() == 1) {
    const uint32_t value = s.operands[0];
    const std::string options = l.len == 4 ? initializer(l, {"imm", "len"}) : initializer(l, {"imm"});
    return BuilderCall{statement("append_load_imm_u32", {hex(value), options}),
                       [l, value](Builder& d, CallLabels&) { d.append_load_imm_u32(value, l); }};
  }
  auto data = bytes_of(s, l.len);
  return BuilderCall{
      array_text(s, data) + statement("append_load_as_imm", {array_name(s), initializer(l, {"imm", "len"})}),
      [l, data](Builder& d, CallLabels&) { d.append_load_as_imm(data, l); }};
}

Call call_of(const Store& c, const CallSource& s) {
  if (c.seq)
    return BuilderCall{statement("append_seq_store", {std::to_string(c.len), initializer(c, {"seq", "len"})}),
                       [c](Builder& d, CallLabels&) { d.append_seq_store(c.len, c); }};
  const auto addr = c.to_descriptor() ? std::optional<uint64_t>(0) : pointer_of(s);
  if (!addr) return std::nullopt;
  return BuilderCall{statement("append_store", {hex(*addr), initializer(c)}),
                     [c, addr](Builder& d, CallLabels&) { d.append_store(*addr, c); }};
}

Call call_of(const FifoLoad& f, const CallSource& s) {
  if (f.seq)
    return BuilderCall{statement("append_seq_fifo_load", {std::to_string(f.len), initializer(f, {"seq", "len"})}),
                       [f](Builder& d, CallLabels&) { d.append_seq_fifo_load(f.len, f); }};
  if (f.imm_aidf) {
    auto data = bytes_of(s, f.len);
    if (data.empty()) return std::nullopt;
    return BuilderCall{array_text(s, data) +
                           statement("append_fifo_load_as_imm", {array_name(s), initializer(f, {"imm_aidf", "len"})}),
                       [f, data](Builder& d, CallLabels&) { d.append_fifo_load_as_imm(data, f); }};
  }
  const auto addr = pointer_of(s);
  if (!addr) return std::nullopt;
  if (f.ext) {
    const uint32_t len = last_word(s);
    return BuilderCall{
        statement("append_fifo_load_extlen", {hex(*addr), std::to_string(len), initializer(f, {"ext", "len"})}),
        [f, addr, len](Builder& d, CallLabels&) { d.append_fifo_load_extlen(*addr, len, f); }};
  }
  return BuilderCall{statement("append_fifo_load", {hex(*addr), initializer(f)}),
                     [f, addr](Builder& d, CallLabels&) { d.append_fifo_load(*addr, f); }};
}

Call call_of(const FifoStore& f, const CallSource& s) {
  if (f.seq)
    return BuilderCall{statement("append_seq_fifo_store", {std::to_string(f.len), initializer(f, {"seq", "len"})}),
                       [f](Builder& d, CallLabels&) { d.append_seq_fifo_store(f.len, f); }};
  const auto addr = f.operands().pointers == 0 ? std::optional<uint64_t>(0) : pointer_of(s);
  if (!addr) return std::nullopt;
  if (f.ext) {
    const uint32_t len = last_word(s);
    return BuilderCall{
        statement("append_fifo_store_extlen", {hex(*addr), std::to_string(len), initializer(f, {"ext", "len"})}),
        [f, addr, len](Builder& d, CallLabels&) { d.append_fifo_store_extlen(*addr, len, f); }};
  }
  return BuilderCall{statement("append_fifo_store", {hex(*addr), initializer(f)}),
                     [f, addr](Builder& d, CallLabels&) { d.append_fifo_store(*addr, f); }};
}

Call call_of(const SeqInPtr& p, const CallSource& s) {
  const auto addr = p.has_pointer() ? pointer_of(s) : std::optional<uint64_t>(0);
  if (!addr) return std::nullopt;
  const uint32_t len = p.ext ? last_word(s) : p.len;
  const std::string options = optional_options(p, {"ext", "len"});
  if (p.ext)
    return BuilderCall{statement("append_seq_in_ptr_extlen", {hex(*addr), std::to_string(len), options}),
                       [p, addr, len](Builder& d, CallLabels&) { d.append_seq_in_ptr_extlen(*addr, len, p); }};
  return BuilderCall{statement("append_seq_in_ptr", {hex(*addr), std::to_string(len), options}),
                     [p, addr, len](Builder& d, CallLabels&) { d.append_seq_in_ptr(*addr, len, p); }};
}

Call call_of(const SeqOutPtr& p, const CallSource& s) {
  const auto addr = p.has_pointer() ? pointer_of(s) : std::optional<uint64_t>(0);
  if (!addr) return std::nullopt;
  const uint32_t len = p.ext ? last_word(s) : p.len;
  const std::string options = optional_options(p, {"ext", "len"});
  if (p.ext)
    return BuilderCall{statement("append_seq_out_ptr_extlen", {hex(*addr), std::to_string(len), options}),
                       [p, addr, len](Builder& d, CallLabels&) { d.append_seq_out_ptr_extlen(*addr, len, p); }};
  return BuilderCall{statement("append_seq_out_ptr", {hex(*addr), std::to_string(len), options}),
                     [p, addr, len](Builder& d, CallLabels&) { d.append_seq_out_ptr(*addr, len, p); }};
}

template <class C>
Call operation_call(std::string_view name, const C& op) {
  return BuilderCall{statement("append_operation", {std::string(name) + initializer(op)}),
                     [op](Builder& d, CallLabels&) { d.append_operation(op); }};
}
Call call_of(const AlgOperation& op, const CallSource&) { return operation_call("AlgOperation", op); }
Call call_of(const PkOperation& op, const CallSource&) { return operation_call("PkOperation", op); }
Call call_of(const ProtocolOperation& op, const CallSource& s) {
  return s.operands.empty() ? operation_call("ProtocolOperation", op) : std::nullopt;
}

Call call_of(const Move& m, const CallSource&) {
  return BuilderCall{statement("append_move", {initializer(m)}), [m](Builder& d, CallLabels&) { d.append_move(m); }};
}
Call call_of(const MoveLen& m, const CallSource&) {
  return BuilderCall{statement("append_move_len", {initializer(m)}),
                     [m](Builder& d, CallLabels&) { d.append_move_len(m); }};
}

// Jumps to elsewhere in the descriptor are the caller's: they take labels.
Call call_of(const Jump& j, const CallSource& s) {
  switch (j.type) {
    case JumpType::kHalt:
    case JumpType::kHaltUser:
      return BuilderCall{statement("append_jump_halt", {initializer(j)}),
                         [j](Builder& d, CallLabels&) { d.append_jump_halt(j); }};
    case JumpType::kNonLocal: {
      const auto addr = pointer_of(s);
      if (!addr) return std::nullopt;
      return BuilderCall{statement("append_jump_nonlocal", {hex(*addr), initializer(j, {"type"})}),
                         [j, addr](Builder& d, CallLabels&) { d.append_jump_nonlocal(*addr, j); }};
    }
    default:
      if (j.offset != 1) return std::nullopt;
      return BuilderCall{statement("append_wait", {initializer(j, {"offset"})}),
                         [j](Builder& d, CallLabels&) { d.append_wait(j); }};
  }
}

// A register of MATH by the kernel's name, out of its code as source or destination.
template <auto kCodeOf, class Code>
std::optional<MathReg> math_reg(Code code) {
  for (unsigned r = 0; r <= static_cast<unsigned>(MathReg::kNone); ++r)
    if (kCodeOf(static_cast<MathReg>(r)) == code) return static_cast<MathReg>(r);
  return std::nullopt;
}

Call call_of(const Math& m, const CallSource& s) {
  const auto dst = math_reg<&math_dst>(m.dst);
  const auto a = math_reg<&math_src0>(m.src0);
  const auto b = math_reg<&math_src1>(m.src1);
  if (!dst || !a || !b || m.ifb || m.nfu || m.stl) return std::nullopt;
  const std::string fn = enumerator(m.fn), to = enumerator(*dst), left = enumerator(*a), right = enumerator(*b);
  if (s.operands.empty())
    return BuilderCall{statement("append_math", {fn, to, left, right, m.len == 4 ? "" : std::to_string(m.len)}),
                       [m, dst, a, b](Builder& d, CallLabels&) { d.append_math(m.fn, *dst, *a, *b, m.len); }};
  if (m.len == 8 && s.operands.size() == 2) {
    const uint64_t value = uint64_t{s.operands[0]} << 32 | s.operands[1];
    return BuilderCall{
        statement("append_math_imm_u64", {fn, to, left, right, hex(value)}),
        [m, dst, a, b, value](Builder& d, CallLabels&) { d.append_math_imm_u64(m.fn, *dst, *a, *b, value); }};
  }
  const uint32_t value = s.operands[0];
  return BuilderCall{
      statement("append_math_imm_u32", {fn, to, left, right, hex(value)}),
      [m, dst, a, b, value](Builder& d, CallLabels&) { d.append_math_imm_u32(m.fn, *dst, *a, *b, value); }};
}

template <class C>
Call call_of(const C&, const CallSource&) {
  return std::nullopt;
}

// In the order of Command.
constexpr std::string_view kStructNames[] = {"",
                                             "Key",
                                             "Load",
                                             "FifoLoad",
                                             "Store",
                                             "FifoStore",
                                             "Move",
                                             "MoveB",
                                             "MoveDw",
                                             "MoveLen",
                                             "AlgOperation",
                                             "PkOperation",
                                             "ProtocolOperation",
                                             "Signature",
                                             "ExternalKey",
                                             "Jump",
                                             "Math",
                                             "MathI",
                                             "JobHeader",
                                             "SharedHeader",
                                             "SeqInPtr",
                                             "SeqOutPtr"};
static_assert(std::size(kStructNames) == std::variant_size_v<Command>);

}  // namespace

std::optional<BuilderCall> best_call(const Command& command, const CallSource& source) {
  return std::visit([&](const auto& c) { return call_of(c, source); }, command);
}

std::optional<BuilderCall> struct_call(const Command& command) {
  return std::visit(
      [&](const auto& c) -> Call {
        using C = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<C, InvalidCommand>)
          return std::nullopt;
        else
          return BuilderCall{statement("append_cmd", {std::string(kStructNames[command.index()]) + initializer(c)}),
                             [c](Builder& d, CallLabels&) { d.append_cmd(c); }};
      },
      command);
}

}  // namespace caamlab::desc
