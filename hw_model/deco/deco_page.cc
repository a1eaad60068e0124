// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See deco_page.h. Key registers are write-only; FIFO registers are not modelled (a descriptor reaches the FIFOs).
#include "hw_model/deco/deco_page.h"

#include "desc/regs.h"
#include "hw_model/deco/registers.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

struct Row {
  uint32_t offset;
  unsigned words;
  uint32_t (*read)(const Deco& d, unsigned word);
  void (*write)(Deco& d, unsigned word, uint32_t value);
};

template <Ccb::Class kClass>
uint32_t read_mode(const Deco& d, unsigned) {
  const ClassRegs& regs = d.ccb.regs(kClass);
  return regs.mode_written ? regs.op.mode_word() : 0;
}
template <Ccb::Class kClass>
uint32_t read_context(const Deco& d, unsigned word) {
  return desc::load_be32(d.ccb.regs(kClass).ctx.data() + word * 4);
}
template <Ccb::Class kClass>
void write_context(Deco& d, unsigned word, uint32_t value) {
  desc::store_be32(d.ccb.regs(kClass).ctx.data() + word * 4, value);
}
template <Ccb::Class kClass>
void write_key(Deco& d, unsigned word, uint32_t value) {
  desc::store_be32(d.ccb.regs(kClass).key.bytes.data() + word * 4, value);
}
template <Ccb::Class kClass, auto kMember>
uint32_t read_size(const Deco& d, unsigned) {
  return static_cast<uint32_t>(d.ccb.regs(kClass).*kMember);
}
template <Ccb::Class kClass, auto kMember>
void write_size(Deco& d, unsigned, uint32_t value) {
  d.ccb.regs(kClass).*kMember = value;
}
template <Ccb::Class kClass>
uint32_t read_data_size(const Deco& d, unsigned word) {
  return static_cast<uint32_t>(d.ccb.regs(kClass).data_size >> (word == 0 ? 32 : 0));
}
template <auto kMember>
uint32_t read_deco_reg(const Deco& d, unsigned) {
  return d.r.*kMember;
}
template <auto kMember>
void write_deco_reg(Deco& d, unsigned, uint32_t value) {
  d.r.*kMember = value;
}
uint32_t read_address(BusAddr addr, unsigned word) { return static_cast<uint32_t>(addr >> (word == 0 ? 32 : 0)); }

constexpr auto kC1 = Ccb::kClass1;
constexpr auto kC2 = Ccb::kClass2;

constexpr Row kRows[] = {
    {kC1mr, 1, read_mode<kC1>, nullptr},
    {kC1ksr, 1, [](const Deco& d, unsigned) { return d.ccb.regs(kC1).key.size; },
     [](Deco& d, unsigned, uint32_t v) { d.ccb.regs(kC1).key.size = v < 128 ? v : 128; }},
    {kC1dsr, 2, read_data_size<kC1>, nullptr},
    {kC1icvsr, 1, read_size<kC1, &ClassRegs::icv_size>, write_size<kC1, &ClassRegs::icv_size>},
    {kAadszr, 1, read_size<kC1, &ClassRegs::aad_size>, write_size<kC1, &ClassRegs::aad_size>},
    {kC1ivszr, 1, read_size<kC1, &ClassRegs::iv_size>, write_size<kC1, &ClassRegs::iv_size>},
    {kC1ctxr, 16, read_context<kC1>, write_context<kC1>},
    {kC1keyr, 8, nullptr, write_key<kC1>},
    {kC2mr, 1, read_mode<kC2>, nullptr},
    {kC2ksr, 1, [](const Deco& d, unsigned) { return d.ccb.regs(kC2).key.size; },
     [](Deco& d, unsigned, uint32_t v) { d.ccb.regs(kC2).key.size = v < 128 ? v : 128; }},
    {kC2dsr, 2, read_data_size<kC2>, nullptr},
    {kC2icvszr, 1, read_size<kC2, &ClassRegs::icv_size>, write_size<kC2, &ClassRegs::icv_size>},
    {kC2ctxr, 18, read_context<kC2>, write_context<kC2>},
    {kC2keyr, 32, nullptr, write_key<kC2>},
    {kCctrl, 1, read_deco_reg<&DecoRegs::cha_ctrl>, write_deco_reg<&DecoRegs::cha_ctrl>},
    {kIctl, 1, read_deco_reg<&DecoRegs::irq_ctrl>, write_deco_reg<&DecoRegs::irq_ctrl>},
    {kDadr, 2, [](const Deco& d, unsigned w) { return read_address(d.job_addr(), w); }, nullptr},
    {kMath0, 8, [](const Deco& d, unsigned w) { return math_word(d, w); },
     [](Deco& d, unsigned w, uint32_t v) { set_math_word(d, w, v); }},
    {kJdp, 2, [](const Deco& d, unsigned w) { return read_address(d.job_addr(), w); }, nullptr},
    {kSdp, 2, [](const Deco& d, unsigned w) { return read_address(d.shared_addr(), w); }, nullptr},
    {kSol, 1, read_deco_reg<&DecoRegs::sol>, write_deco_reg<&DecoRegs::sol>},
    {kVsol, 1, read_deco_reg<&DecoRegs::vsol>, write_deco_reg<&DecoRegs::vsol>},
    {kSil, 1, read_deco_reg<&DecoRegs::sil>, write_deco_reg<&DecoRegs::sil>},
    {kVsil, 1, read_deco_reg<&DecoRegs::vsil>, write_deco_reg<&DecoRegs::vsil>},
    {kDpovrd, 1, read_deco_reg<&DecoRegs::dpovrd>, write_deco_reg<&DecoRegs::dpovrd>},
    {kUvsol, 1, read_deco_reg<&DecoRegs::uvsol>, write_deco_reg<&DecoRegs::uvsol>},
    {kUvsil, 1, read_deco_reg<&DecoRegs::uvsil>, write_deco_reg<&DecoRegs::uvsil>},
};

const Row* find_row(uint32_t offset) {
  for (const Row& row : kRows)
    if (offset >= row.offset && offset < row.offset + row.words * 4) return &row;
  return nullptr;
}

}  // namespace

uint32_t read_deco_page(const Deco& d, uint32_t offset) {
  const Row* row = find_row(offset);
  return row != nullptr && row->read != nullptr ? row->read(d, (offset - row->offset) / 4) : 0;
}

void write_deco_page(Deco& d, uint32_t offset, uint32_t value) {
  const Row* row = find_row(offset);
  if (row != nullptr && row->write != nullptr) row->write(d, (offset - row->offset) / 4, value);
}

}  // namespace caamlab::hw_model
