// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See fields.h. Most commands are listed straight from their field tables; those whose fields mean different things in
// different forms have a list_special() of their own.
#include "desc/text/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/reg_bits.h"
#include "desc/text/names.h"

namespace caamlab::desc {

std::string hex32(uint32_t value) { return fmt::format("{:#010x}", value); }

namespace {

void add(ListedLine& line, std::string_view name, std::string text, bool bare = false) {
  line.fields.push_back({name, std::move(text), bare});
}
void add_flag(ListedLine& line, std::string_view name) { line.fields.push_back({name, {}, false}); }

// Names that stand for "no option", not worth a word.
bool is_silent(std::string_view value) {
  return value == "none" || value == "key" || value == "local" || value == "ccb" || value == "default";
}

template <class C>
FieldView view(std::string_view name, uint32_t word) {
  FieldView found{};
  for_each_field<C>([&](const auto& f) {
    if (f.name == name) found = {f.name, f.kind, f.values, get_bits(word, f.hi, f.lo), f.hi, f.lo};
  });
  return found;
}

// All fields of C but those a special listing has shown, or shows, itself.
template <class C>
void list_all(ListedLine& line, std::initializer_list<std::string_view> except = {}) {
  for_each_field<C>([&](const auto& f) {
    if (std::ranges::find(except, f.name) != except.end()) return;
    list_field(line, {f.name, f.kind, f.values, get_bits(line.word, f.hi, f.lo), f.hi, f.lo});
  });
}
template <class C>
void list_one(ListedLine& line, std::string_view name) {
  list_field(line, view<C>(name, line.word));
}

// Bit 24 and 23 have one meaning with and another without a sequence.
void list_pointer_form(ListedLine& line, bool seq, bool sgf_vlf, bool imm_aidf) {
  if (sgf_vlf) add_flag(line, seq ? "vlf" : "sgf");
  if (imm_aidf) add_flag(line, seq ? "aidf" : "imm");
}

// -- one overload per command that needs it; the generic one for the rest -----------------------------------------

template <class C>
void list_special(ListedLine& line, const C&) {
  list_all<C>(line);
}

template <class H>
void list_header(ListedLine& line, const H& h) {
  list_all<H>(line, {"one", "zro"});
  if (!h.one) {
    add(line, "one", "0");
    line.notes.push_back("bit 23 (one) must be set: no valid header, or wrong byte order");
  }
  if (h.zro) {
    add_flag(line, "zro");
    line.notes.push_back("bit 15 (zro) must be clear: no valid header, or wrong byte order");
  }
}
void list_special(ListedLine& line, const JobHeader& h) {
  list_header(line, h);
  if (h.shr) line.gloss = fmt::format("shared descriptor of {} words", h.start);
}
void list_special(ListedLine& line, const SharedHeader& h) { list_header(line, h); }

void list_special(ListedLine& line, const Key& k) {
  list_one<Key>(line, "class");
  list_pointer_form(line, k.seq, k.sgf_vlf, k.imm_aidf);
  list_all<Key>(line, {"seq", "class", "sgf_vlf", "imm_aidf"});
  if (k.cls == ClassSel::kNone || k.cls == ClassSel::kBoth)
    line.notes.push_back("a key goes to class 1 or class 2: DECO error 06");
}

// LOAD and STORE: register, place in it, size; checked against the register table.
struct RegisterAccess {
  ClassSel cls;
  uint8_t code, offset, len;
  bool store;
  bool imm;
  bool runtime_len = false;  // the length field does not hold the length
};
// Data sizes that a register takes whole, at offset 0 or 4.
bool size_is_listed(const RegRow& row, unsigned offset, unsigned len) {
  if ((row.sizes & kSizeMathNumber) != 0) return len <= 3;
  return ((row.sizes & kSize4At0) != 0 && offset == 0 && len == 4) ||
         ((row.sizes & kSize4At4) != 0 && offset == 4 && len == 4) ||
         ((row.sizes & kSize8At0) != 0 && offset == 0 && len == 8) ||
         ((row.sizes & kSizeUpTo8) != 0 && offset == 0 && len >= 1 && len <= 8);
}
void check_register(ListedLine& line, const RegisterAccess& a, const RegRow& row) {
  if ((row.access & (a.store ? kRegStore : kRegLoad)) == 0)
    line.notes.push_back(fmt::format("{} cannot be {}", row.name, a.store ? "stored" : "loaded"));
  else if (!a.store && !a.imm && (row.access & kRegImmOnly) != 0)
    line.notes.push_back(fmt::format("{} takes immediate data only", row.name));
  if (a.runtime_len) return;
  const unsigned end = unsigned{a.offset} + a.len;
  if (row.limit != 0 && end > row.limit)
    line.notes.push_back(fmt::format("offset + len is {}, {} has {} {}", end, row.name, row.limit,
                                     (row.access & kRegWords) != 0 ? "words" : "bytes"));
  else if (row.limit == 0 && row.sizes != 0 && !size_is_listed(row, a.offset, a.len))
    line.notes.push_back(fmt::format("{} bytes at offset {} is not an access that {} has", a.len, a.offset, row.name));
}
void list_register(ListedLine& line, const RegisterAccess& a) {
  const RegRow* row = find_reg(a.cls, a.code);
  const std::string_view label = a.store ? "src" : "dst";
  add(line, label, row != nullptr ? std::string(row->name) : fmt::format("{:#04x}", a.code));
  const bool math_number = row != nullptr && (row->sizes & kSizeMathNumber) != 0;
  if (a.offset != 0) add(line, "offset", std::to_string(a.offset));
  add(line, "len", math_number && a.len <= 3 ? fmt::format("math{}", a.len) : std::to_string(a.len));
  if (row != nullptr)
    check_register(line, a, *row);
  else
    line.notes.push_back(fmt::format("no such register in class {}", static_cast<unsigned>(a.cls)));
}

void list_special(ListedLine& line, const Load& l) {
  list_one<Load>(line, "class");
  list_pointer_form(line, l.seq, l.sgf_vlf, false);
  if (l.imm) add_flag(line, "imm");
  if (l.is_deco_ctrl()) {
    add(line, "dst", "deco_ctrl");
    for_each_field<DecoCtrl>([&](const auto& f) {
      list_field(line, {f.name, f.kind, f.values, get_bits(line.word, f.hi, f.lo), f.hi, f.lo});
    });
    if (l.seq || !l.imm) line.notes.push_back("DECO control takes an immediate LOAD without data");
    return;
  }
  if (l.seq && l.imm) line.notes.push_back("a SEQ LOAD has no immediate data");
  list_register(line, {.cls = l.cls,
                       .code = l.dst,
                       .offset = l.offset,
                       .len = l.len,
                       .store = false,
                       .imm = l.imm,
                       .runtime_len = l.seq && l.sgf_vlf});
}
void list_special(ListedLine& line, const Store& s) {
  list_one<Store>(line, "class");
  list_pointer_form(line, s.seq, s.sgf_vlf, false);
  if (s.imm) add_flag(line, "imm");
  list_register(line, {.cls = s.cls,
                       .code = s.src,
                       .offset = s.offset,
                       .len = s.len,
                       .store = true,
                       .imm = s.imm,
                       .runtime_len = s.seq && s.sgf_vlf});
}

void list_special(ListedLine& line, const FifoLoad& f) {
  if (f.seq && f.cls == ClassSel::kNone)
    add(line, "class", "skip", /*bare=*/true);
  else
    list_one<FifoLoad>(line, "class");
  list_pointer_form(line, f.seq, f.sgf_vlf, f.imm_aidf);
  list_one<FifoLoad>(line, "ext");
  // A skip has no type; where it has one none the less, that is shown.
  if (!(f.seq && f.cls == ClassSel::kNone && f.type == 0)) add(line, "type", fifo_load_type_text(f.type));
  list_one<FifoLoad>(line, "len");
  if (!f.seq && f.cls == ClassSel::kNone) line.notes.push_back("only SEQ FIFO LOAD can skip: DECO error 0a");
  if (value_name(kFifoLoadTypeNames, static_cast<uint32_t>(f.data_type())).empty())
    line.notes.push_back("no such data type: DECO error 0a");
}
void list_special(ListedLine& line, const FifoStore& f) {
  if (f.type == FifoStoreType::kMetadata)
    add(line, "aux", std::to_string(static_cast<unsigned>(f.cls)));
  else
    list_one<FifoStore>(line, "class");
  list_pointer_form(line, f.seq, f.sgf_vlf, false);
  list_all<FifoStore>(line, {"seq", "class", "sgf_vlf"});
  if (f.type == FifoStoreType::kMetadata && f.cls == ClassSel::kClass2)
    line.gloss = "input sequence to output sequence";
}

template <MoveKind kKind>
void list_special(ListedLine& line, const MoveOf<kKind>& m) {
  using M = MoveOf<kKind>;
  list_all<M>(line, {"offset", "len"});
  if (m.from_input() && m.dst == MoveDst::kOutFifo) {
    add(line, "len", std::to_string(m.length()));
    return;
  }
  list_one<M>(line, "offset");
  list_one<M>(line, "len");
  if (m.src == MoveSrc::kDescBuf || m.dst == MoveDst::kDescBuf)
    line.gloss = fmt::format("descriptor words {} to {}", m.offset / 4, (m.offset + m.len - (m.len != 0)) / 4);
}
void list_special(ListedLine& line, const MoveLen& m) {
  list_all<MoveLen>(line, {"mathreg"});
  add(line, "len", fmt::format("math{}", m.math));
}

void list_special(ListedLine& line, const AlgOperation& op) {
  list_one<AlgOperation>(line, "class");
  list_one<AlgOperation>(line, "alg");
  add(line, "aai", aai_text(op.alg, op.aai));
  if (op.alg == Alg::kRng) {
    static constexpr std::array kStates{ValueName{0, "generate"}, ValueName{1, "instantiate"}, ValueName{2, "reseed"},
                                        ValueName{3, "uninstantiate"}};
    add(line, "as", std::string(value_name(kStates, static_cast<uint32_t>(op.as))));
    if (op.icv) add_flag(line, "pr");
    if (op.enc) add_flag(line, "test");
    return;
  }
  list_one<AlgOperation>(line, "as");
  list_one<AlgOperation>(line, "icv");
  add(line, "enc", op.enc ? "encrypt" : "decrypt", /*bare=*/true);
}
void list_special(ListedLine& line, const PkOperation& op) {
  list_one<PkOperation>(line, "fn");
  if (op.options != 0 || op.fn == PkFunction::kCopyNsize || op.fn == PkFunction::kCopySsize)
    add(line, "options", pk_options_text(op));
}
void list_special(ListedLine& line, const ProtocolOperation& op) {
  list_one<ProtocolOperation>(line, "type");
  add(line, "protid", protocol_text(op.type, op.id));
  add(line, "protinfo", protocol_info_text(op));
  if (value_name(protocol_names(op.type), op.id).empty()) line.notes.push_back("no such protocol: DECO error 81");
  if (op.is_dkp()) line.gloss = "becomes a KEY with the derived key";
}

void list_special(ListedLine& line, const Jump& j) {
  list_one<Jump>(line, "class");
  list_one<Jump>(line, "jsl");
  list_one<Jump>(line, "type");
  const uint8_t conditions = j.counts() ? j.cond & 0x0F : j.cond;
  if (j.cond != 0 || j.test != JumpTest::kAll) list_one<Jump>(line, "test");
  if (j.counts()) {
    const auto reg = value_name(kJumpRegNames, j.cond >> 4);
    add(line, "reg", reg.empty() ? fmt::format("{:#x}", j.cond >> 4) : std::string(reg));
  }
  if (conditions != 0) add(line, "cond", condition_text(j.jsl && !j.counts(), conditions));
  if (j.type == JumpType::kHaltUser) add(line, "status", fmt::format("{:#04x}", static_cast<uint8_t>(j.offset)));
  if (j.type == JumpType::kHaltUser && j.offset == 0) line.gloss = "ends with success";
  if (j.is_local()) {
    line.target = static_cast<int>(line.index) + j.offset;
    constexpr uint8_t kIdleConditions = kCondCalm | kCondNip | kCondNifp | kCondNop | kCondNcp;
    const bool waits = j.cls != ClassSel::kNone || (j.jsl && (j.cond & kIdleConditions) != 0);
    if (j.type == JumpType::kLocal && j.offset == 1) line.gloss = waits ? "wait" : "nop";
  } else if (j.type != JumpType::kHaltUser && j.offset != 0) {
    add(line, "offset", std::to_string(j.offset));
  }
}

std::string math_expression(MathFn fn, std::string_view a, std::string_view b) {
  static constexpr std::array kOperators{ValueName{0, "+"}, ValueName{2, "-"},  ValueName{4, "|"}, ValueName{5, "&"},
                                         ValueName{6, "^"}, ValueName{7, "<<"}, ValueName{8, ">>"}};
  const auto op = value_name(kOperators, static_cast<uint32_t>(fn));
  if (!op.empty()) return fmt::format("{} {} {}", a, op, b);
  if (fn == MathFn::kBswap) return fmt::format("bswap({})", a);
  return fmt::format("{}({}, {})", value_name(kMathFnNames, static_cast<uint32_t>(fn)), a, b);
}
std::string math_gloss(MathFn fn, std::string_view dst, std::string_view a, std::string_view b) {
  const std::string expression = math_expression(fn, a, b);
  if (expression.empty() || a.empty() || b.empty() || dst.empty()) return {};
  return dst == "none" ? fmt::format("flags of {}", expression) : fmt::format("{} = {}", dst, expression);
}
void list_special(ListedLine& line, const Math& m) {
  list_all<Math>(line);
  line.gloss = math_gloss(m.fn, value_name(kMathDstNames, static_cast<uint32_t>(m.dst)),
                          value_name(kMathSrc0Names, static_cast<uint32_t>(m.src0)),
                          value_name(kMathSrc1Names, static_cast<uint32_t>(m.src1)));
}
void list_special(ListedLine& line, const MathI& m) {
  const ValueNames sources = m.ssel ? ValueNames(kMathSrc1Names) : ValueNames(kMathSrc0Names);
  const auto src = value_name(sources, m.src);
  const bool find_byte = m.fn == MathFn::kZbyt;  // the same code stands for another function here
  if (find_byte) add(line, "fn", "fbyt");
  list_all<MathI>(line, {find_byte ? "fn" : "", "src", "imm"});
  add(line, "src", src.empty() ? fmt::format("{:#x}", m.src) : std::string(src));
  add(line, "imm", std::to_string(m.imm));
  if (src.empty()) line.notes.push_back(fmt::format("src has no value {:#x}", m.src));
  if (find_byte) return;
  const std::string imm = std::to_string(m.imm);
  line.gloss = math_gloss(m.fn, value_name(kMathDstNames, static_cast<uint32_t>(m.dst)), m.ssel ? imm : src,
                          m.ssel ? src : std::string_view(imm));
}

// Bits that none of the fields shown has.
template <class C>
uint32_t unnamed_bits(const C& c, uint32_t word) {
  uint32_t mask = reserved_bits<C>();
  if constexpr (std::is_same_v<C, Load>)
    if (c.is_deco_ctrl()) mask |= reserved_bits<DecoCtrl>() & bit_mask(15, 0);
  if constexpr (std::is_same_v<C, PkOperation>)
    if (c.fn == PkFunction::kCopyNsize || c.fn == PkFunction::kCopySsize) mask |= bit_mask(16, 13);
  if constexpr (std::is_same_v<C, Jump>)
    if (c.counts()) mask &= ~bit_mask(15, 8);
  return word & mask;
}

}  // namespace

void list_field(ListedLine& line, const FieldView& f) {
  switch (f.kind) {
    case FieldKind::kFlag:
      if (f.raw != 0) add_flag(line, f.name);
      break;
    case FieldKind::kEnum: {
      const auto name = value_name(f.values, f.raw);
      if (name.empty()) {
        add(line, f.name, fmt::format("{:#x}", f.raw));
        line.notes.push_back(fmt::format("{} has no value {:#x}", f.name, f.raw));
      } else if (!(f.raw == 0 && is_silent(name))) {
        add(line, f.name, std::string(name), /*bare=*/f.name == "class");
      }
      break;
    }
    case FieldKind::kBits:
      if (f.raw != 0) add(line, f.name, bits_text(f.values, f.raw));
      break;
    case FieldKind::kSigned:
    case FieldKind::kNumber:
      if (f.raw != 0 || f.name == "len") add(line, f.name, std::to_string(f.raw));
      break;
  }
}

void list_command(ListedLine& line, const Command& command) {
  std::visit(
      [&](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<C, InvalidCommand>) {
          line.mnemonic = "?";
          add(line, "bits", hex32(c.word));
          line.notes.push_back(ctype(c.word) == 0x10
                                   ? "OPERATION of an unknown type: DECO error 09"
                                   : fmt::format("no command has CTYPE {:#04x}: DECO error 04", ctype(c.word)));
        } else {
          line.mnemonic = C::kMnemonic;
          if constexpr (C::kHasSeq)
            if (c.seq) line.mnemonic.insert(0, "SEQ ");
          list_special(line, c);
          if (const uint32_t unnamed = unnamed_bits(c, line.word); unnamed != 0) {
            add(line, "bits", hex32(unnamed));
            line.notes.push_back("reserved bits are set: mask " + hex32(unnamed));
          }
        }
      },
      command);
}

}  // namespace caamlab::desc
