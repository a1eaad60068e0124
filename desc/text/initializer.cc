// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See initializer.h.
#include "desc/text/initializer.h"

#include <fmt/format.h>

namespace caamlab::desc {
namespace {

struct RegConstant {
  uint8_t code;
  uint8_t classes;  // bit n: of CLASS n; a code may mean different registers
  std::string_view name;
};
constexpr uint8_t kCcb = 1, kEngines = 6, kDeco = 8;
constexpr RegConstant kRegConstants[] = {
    {kRegMode, kEngines, "kRegMode"},
    {kRegKeySize, kEngines, "kRegKeySize"},
    {kRegDataSize, kEngines, "kRegDataSize"},
    {kRegIcvSize, kEngines, "kRegIcvSize"},
    {kRegDecoCtrl2, kDeco, "kRegDecoCtrl2"},
    {kRegControl, kCcb | kDeco, "kRegControl"},
    {kRegIrqCtrlOrDpovrd, kCcb, "kRegIrqCtrlOrDpovrd"},
    {kRegDpovrd, kDeco, "kRegDpovrd"},
    {kRegClrw, kCcb, "kRegClrw"},
    {kRegMath0, kDeco, "kRegMath0"},
    {kRegCcbStatus, kCcb, "kRegCcbStatus"},
    {kRegMath1, kDeco, "kRegMath1"},
    {kRegChaSelect, kCcb, "kRegChaSelect"},
    {kRegMath2, kDeco, "kRegMath2"},
    {kRegAadSize, kEngines, "kRegAadSize"},
    {kRegMath3, kDeco, "kRegMath3"},
    {kRegIvSize, kEngines, "kRegIvSize"},
    {kRegAltDataSize, kEngines, "kRegAltDataSize"},
    {kRegPkhaASize, kEngines, "kRegPkhaASize"},
    {kRegPkhaBSize, kEngines, "kRegPkhaBSize"},
    {kRegPkhaNSize, kEngines, "kRegPkhaNSize"},
    {kRegPkhaESize, kEngines, "kRegPkhaESize"},
    {kRegContext, kEngines, "kRegContext"},
    {kRegMath0Dword, kDeco, "kRegMath0Dword"},
    {kRegMath0Byte, kDeco, "kRegMath0Byte"},
    {kRegKey, kEngines, "kRegKey"},
    {kRegDescBuf, kDeco, "kRegDescBuf"},
    {kRegJobDesc, kDeco, "kRegJobDesc"},
    {kRegSharedDesc, kDeco, "kRegSharedDesc"},
    {kRegJobDescWe, kDeco, "kRegJobDescWe"},
    {kRegSharedDescWe, kDeco, "kRegSharedDescWe"},
    {kRegNfifoSzl, kCcb, "kRegNfifoSzl"},
    {kRegNfifoSzm, kCcb, "kRegNfifoSzm"},
    {kRegNfifoL, kCcb, "kRegNfifoL"},
    {kRegNfifoM, kCcb, "kRegNfifoM"},
    {kRegSizeSzl, kCcb, "kRegSizeSzl"},
    {kRegSizeSzm, kCcb, "kRegSizeSzm"},
    {kRegIfifoNibble, kCcb, "kRegIfifoNibble"},
    {kRegOfifoNibble, kCcb, "kRegOfifoNibble"},
    {kRegAltSource, kCcb, "kRegAltSource"},
    {kRegNfifo, kCcb, "kRegNfifo"},
    {kRegIfifo, kCcb, "kRegIfifo"},
    {kRegOfifo, kCcb, "kRegOfifo"},
};

void join(std::string& text, std::string_view part) {
  if (!text.empty()) text += " | ";
  text += part;
}

struct BitConstant {
  uint8_t bit;
  std::string_view name;
};
constexpr BitConstant kMathConds[] = {{kCondPkZero, "kCondPkZero"},   {kCondPkGcd1, "kCondPkGcd1"},
                                      {kCondPkPrime, "kCondPkPrime"}, {kCondMathN, "kCondMathN"},
                                      {kCondMathZ, "kCondMathZ"},     {kCondMathC, "kCondMathC"},
                                      {kCondMathNv, "kCondMathNv"}};
constexpr BitConstant kJslConds[] = {{kCondJqp, "kCondJqp"},   {kCondShrd, "kCondShrd"}, {kCondSelf, "kCondSelf"},
                                     {kCondCalm, "kCondCalm"}, {kCondNip, "kCondNip"},   {kCondNifp, "kCondNifp"},
                                     {kCondNop, "kCondNop"},   {kCondNcp, "kCondNcp"}};
constexpr BitConstant kActions[] = {
    {kFifoLoadFlush1, "kFifoLoadFlush1"}, {kFifoLoadLast1, "kFifoLoadLast1"}, {kFifoLoadLast2, "kFifoLoadLast2"}};

std::string bit_constants(std::span<const BitConstant> names, uint8_t bits) {
  std::string text;
  for (const BitConstant& n : names) {
    if ((bits & n.bit) == 0) continue;
    join(text, n.name);
    bits = static_cast<uint8_t>(bits & ~n.bit);
  }
  if (bits != 0 || text.empty()) join(text, fmt::format("{:#x}", bits));
  return text;
}

}  // namespace

std::string_view member_name(std::string_view field) {
  struct Differs {
    std::string_view field, member;
  };
  static constexpr Differs kDiffers[] = {{"class", "cls"},    {"kdest", "dest"}, {"wc", "wait"},
                                         {"mathreg", "math"}, {"protid", "id"},  {"protinfo", "info"}};
  for (const Differs& d : kDiffers)
    if (d.field == field) return d.member;
  return field;
}

std::string register_constant(ClassSel cls, uint8_t code) {
  for (const RegConstant& r : kRegConstants)
    if (r.code == code && (r.classes >> static_cast<unsigned>(cls) & 1) != 0) return std::string(r.name);
  return fmt::format("{:#x}", code);
}

std::string condition_constants(const Jump& jump) {
  return jump.jsl ? bit_constants(kJslConds, jump.cond) : bit_constants(kMathConds, jump.cond);
}

std::string fifo_load_type_call(uint8_t type) {
  const FifoLoad load{.type = type};
  const std::string name = enumerator(load.data_type());
  if (load.actions() == 0) return fmt::format("fifo_load_type({})", name);
  return fmt::format("fifo_load_type({}, {})", name, bit_constants(kActions, load.actions()));
}

}  // namespace caamlab::desc
