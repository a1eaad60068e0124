// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See command_table.h.
#include "desc/text/command_table.h"

#include <fmt/format.h>

#include "desc/command.h"
#include "desc/era.h"
#include "desc/nfifo.h"
#include "desc/pdb.h"
#include "desc/reg_bits.h"
#include "desc/status/codes.h"
#include "desc/text/names.h"

namespace caamlab::desc {
namespace {

std::string bit_range(unsigned hi, unsigned lo) {
  return hi == lo ? fmt::format("{}", hi) : fmt::format("{}:{}", hi, lo);
}

// "0 none, 1 class1 (...), ..."
std::string value_list(ValueNames values, bool hex) {
  std::string text;
  for (const ValueName& v : values) {
    if (!text.empty()) text += ", ";
    text += hex ? fmt::format("{:#x} {}", v.value, v.name) : fmt::format("{} {}", v.value, v.name);
    if (!v.about.empty()) text += fmt::format(" ({})", v.about);
  }
  return text;
}

// A table of fields; long lists of values stand below it.
constexpr size_t kInlineValues = 100;
template <class C>
std::string field_rows() {
  std::string text = "| bits | field | meaning | values |\n|---|---|---|---|\n", below;
  for_each_field<C>([&](const auto& f) {
    std::string values = value_list(f.values, /*hex=*/f.hi - f.lo >= 3);
    if (values.size() > kInlineValues) {
      below += fmt::format("\n{}: {}.\n", f.name, values);
      values = "below";
    }
    text += fmt::format("| {} | {} | {} | {} |\n", bit_range(f.hi, f.lo), f.name, f.about, values);
  });
  if (reserved_bits<C>() != 0) text += fmt::format("| | reserved | mask {:#010x} | |\n", reserved_bits<C>());
  return text + below;
}

// CTYPE values of a command: those that its fixed bits leave.
template <class C>
std::string ctypes() {
  constexpr unsigned kFixed = C::kMask >> 27, kValue = C::kMatch >> 27;
  if constexpr (C::kHasSeq)
    return fmt::format("{:#04x}, SEQ {:#04x}", kValue, kValue | (~kFixed & 1));
  else
    return fmt::format("{:#04x}", kValue);
}

std::string overview() {
  std::string text = "| CTYPE (31:27) | command | |\n|---|---|---|\n";
  for_each_command([&]<class C>() { text += fmt::format("| {} | {} | {} |\n", ctypes<C>(), C::kMnemonic, C::kAbout); });
  return text;
}

std::string command_sections() {
  std::string text;
  for_each_command([&]<class C>() {
    constexpr bool kLikeMove = std::is_same_v<C, MoveB> || std::is_same_v<C, MoveDw>;
    text += fmt::format("### {}\n\n{} CTYPE {}.\n\n{}\n", C::kMnemonic, C::kAbout, ctypes<C>(),
                        kLikeMove ? "Fields as MOVE.\n" : field_rows<C>());
  });
  return text;
}

std::string bit_rows(std::string_view title, ValueNames bits) {
  std::string text = fmt::format("### {}\n\n| bit | name | |\n|---|---|---|\n", title);
  for (const ValueName& bit : bits)
    text += fmt::format("| {} | {} | {} |\n", std::countr_zero(bit.value), bit.name, bit.about);
  return text + '\n';
}

std::string value_rows(std::string_view title, ValueNames values) {
  std::string text = fmt::format("### {}\n\n| value | name | |\n|---|---|---|\n", title);
  for (const ValueName& v : values) text += fmt::format("| {:#04x} | {} | {} |\n", v.value, v.name, v.about);
  return text + '\n';
}

std::string aai_rows() {
  std::string text = "### AAI by algorithm\n\n| alg | values | or-ed to them |\n|---|---|---|\n";
  for (size_t i = 0; i < kAlgNames.size(); ++i) {
    const auto alg = static_cast<Alg>(kAlgNames[i].value);
    const AaiNames names = aai_names(alg);
    std::string algs(kAlgNames[i].name);
    const auto same = [&](const AaiNames& n) {
      return n.modes.data() == names.modes.data() && n.bits.data() == names.bits.data() && !n.modes.empty();
    };
    while (i + 1 < kAlgNames.size() && same(aai_names(static_cast<Alg>(kAlgNames[i + 1].value))))
      algs += fmt::format(", {}", kAlgNames[++i].name);
    std::string values = value_list(names.modes, /*hex=*/true);
    if (alg == Alg::kAes) values += ", 0x1..0xf ctr of which only 8..120 bits count";
    text += fmt::format("| {} | {} | {} |\n", algs, values, value_list(names.bits, /*hex=*/true));
  }
  return text + '\n';
}

std::string class_list(uint8_t classes) {
  std::string text;
  for (const ValueName& v : kRegClassNames)
    if ((classes >> v.value & 1) != 0) text += (text.empty() ? "" : ", ") + std::string(v.name);
  return text;
}

std::string size_list(const RegRow& row) {
  if (row.limit != 0)
    return fmt::format("offset + len up to {}{}", row.limit, (row.access & kRegWords) != 0 ? " words" : "");
  static constexpr std::array kSizes{ValueName{kSize4At0, "4@0"}, ValueName{kSize4At4, "4@4"},
                                     ValueName{kSize8At0, "8@0"}, ValueName{kSizeUpTo8, "1..8@0"},
                                     ValueName{kSizeMathNumber, "len is the number of a MATH register"}};
  std::string text;
  for (const ValueName& size : kSizes)
    if ((row.sizes & size.value) != 0) text += (text.empty() ? "" : ", ") + std::string(size.name);
  return text;
}

std::string register_rows() {
  std::string text =
      "| code | class | name | LOAD | STORE | data | sizes (len@offset) | |\n|---|---|---|---|---|---|---|---|\n";
  for (const RegRow& row : kRegTable) {
    const bool load = (row.access & kRegLoad) != 0, store = (row.access & kRegStore) != 0;
    const std::string_view load_text = !load ? "" : (row.access & kRegImmOnly) != 0 ? "immediate" : "yes";
    const std::string_view store_text = !store ? "" : (row.access & kRegNoPtr) != 0 ? "no pointer" : "yes";
    text += fmt::format("| {:#04x} | {} | {} | {} | {} | {} | {} | {} |\n", row.code, class_list(row.classes), row.name,
                        load_text, store_text, (row.access & kRegByteData) != 0 ? "bytes" : "words", size_list(row),
                        row.about);
  }
  return text + '\n';
}

template <class C>
std::string layout_section(std::string_view title, std::string_view about) {
  return fmt::format("### {}\n\n{}{}{}\n", title, about, about.empty() ? "" : "\n\n", field_rows<C>());
}

std::string era_rows() {
  std::string text = "| era | feature | words |\n|---|---|---|\n";
  for (int era = kMinEra; era <= kMaxEra; ++era)
    for (const EraRow& row : kEraTable)
      if (row.era == era)
        text += fmt::format("| {} | {} | word & {:#010x} = {:#010x} |\n", era, row.what, row.mask, row.match);
  return text;
}

std::string code_rows(std::string_view title, std::span<const StatusCode> codes) {
  std::string text = fmt::format("### {}\n\n| code | name | what usually brings it about |\n|---|---|---|\n", title);
  for (const StatusCode& row : codes)
    if (row.code != 0) text += fmt::format("| {:#04x} | {} | {} |\n", row.code, row.text, row.causes);
  return text + '\n';
}

std::string status_section() {
  std::string text =
      "## Status words\n\nBits 31:28 are the source: 2 CCB, 3 JUMP halt-user, 4 DECO, 5 queue interface, 6 job ring, "
      "7 JUMP halt.\nCCB, DECO and jumps have the index of a word in 15:8. `caam status` reads them.\n\n";
  text += "### Units (7:4) of CCB errors\n\n| unit | name |\n|---|---|\n";
  for (size_t i = 0; i < cha_texts().size(); ++i) text += fmt::format("| {:#x} | {} |\n", i, cha_texts()[i]);
  text += '\n' + code_rows("CCB errors (3:0)", ccb_codes());
  text += code_rows("CCB errors of the RNG, where they differ", rng_codes());
  text += code_rows("DECO errors (7:0)", deco_codes());
  text += code_rows("Queue interface errors (7:0)", qi_codes());
  return text + code_rows("Job ring errors (7:0; in JRINT 12:8)", ring_codes());
}

}  // namespace

std::string command_table() {
  std::string text =
      "# The language of descriptors\n\n"
      "Made from the tables in `desc/` by `bazel run //tools:gen_command_table`; not to be edited. Explanations are "
      "in\n"
      "`hardware.md`, how the names are written in `assembler.md`. Bit 31 is the most significant; values of fields of "
      "four bits and more are hexadecimal.\n\n";
  text += "## Commands\n\n" + overview() + '\n';
  text += command_sections();
  text += "## Values that depend on other fields\n\n";
  text += aai_rows();
  text += value_rows("FIFO LOAD types", kFifoLoadTypeNames);
  text += "From 0x10 on bits 2:0 are actions: 2 LAST2, 1 LAST1, 0 FLUSH1.\n\n";
  text += value_rows("JUMP conditions (15:8), jsl 0", kCondMathNames);
  text += value_rows("JUMP conditions (15:8), jsl 1", kCondJslNames);
  text += value_rows("PROTID, type unidir", protocol_names(ProtocolType::kUnidirectional));
  text += value_rows("PROTID, types encap and decap", protocol_names(ProtocolType::kEncap));
  text += "## Registers of LOAD and STORE\n\n" + register_rows();
  text += layout_section<DecoCtrl>("DECO control", "OFFSET (15:8) and LENGTH (7:0) of the LOAD are the operands.");
  text += bit_rows("CLRW", kClrwNames);
  text += bit_rows("CHA control", kChaCtrlNames);
  text += bit_rows("CHA interrupt control", kIrqCtrlNames);
  text += layout_section<NfifoEntry>("NFIFO entry", "What LOAD writes to the nfifo registers.");
  text += value_rows("dtype when class 1 is the PKHA", kNfifoPkDataNames);
  text += "## Protocol data blocks\n\n";
  text += layout_section<RsaPubWord>("RSA encryption, first word", "Then pointers f, g, n, e and the length of f.");
  text += layout_section<RsaPrivWord>("RSA decryption, first word",
                                      "Then pointers: form 1 g, f, n, d; form 2 g, f, d, p, q, tmp1, tmp2; form 3 g, "
                                      "f, c, p, q, dp, dq, tmp1, tmp2.");
  text += layout_section<RsaPrimeLengths>("RSA decryption, last word of forms 2 and 3", "");
  text += "## Eras\n\nWhat a word may not hold before an era.\n\n" + era_rows() + '\n';
  text += status_section();
  text.pop_back();  // of the empty line behind the last table
  return text;
}

}  // namespace caamlab::desc
