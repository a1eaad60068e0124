// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The DECO / CCB register page for direct access: see direct_deco.h.
#include "hw_model/direct_deco.h"

#include "desc/regs.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

constexpr unsigned kDescriptorWords = 64;

struct Rows {
  const char* name;
  uint32_t offset;
  unsigned words;
};

// Registers that the DECO's owner keeps; the page only forwards.
constexpr Rows kPlain[] = {
    {"C1MR", kC1mr, 1},       {"C1KSR", kC1ksr, 1},     {"C1DSR", kC1dsr, 2},     {"C1ICVSR", kC1icvsr, 1},
    {"CCTRL", kCctrl, 1},     {"ICTL", kIctl, 1},       {"CWR", kCwr, 1},         {"CCSTA", kCcstaMs, 2},
    {"AADSZR", kAadszr, 1},   {"C1IVSZR", kC1ivszr, 1}, {"PKASZR", kPkaszr, 1},   {"PKBSZR", kPkbszr, 1},
    {"PKNSZR", kPknszr, 1},   {"PKESZR", kPkeszr, 1},   {"C1CTXR", kC1ctxr, 16},  {"C1KEYR", kC1keyr, 8},
    {"C2MR", kC2mr, 1},       {"C2KSR", kC2ksr, 1},     {"C2DSR", kC2dsr, 2},     {"C2ICVSZR", kC2icvszr, 1},
    {"C2CTXR", kC2ctxr, 18},  {"C2KEYR", kC2keyr, 32},  {"FIFOSTA", kFifosta, 1}, {"NFIFO", kNfifo, 1},
    {"IFIFO", kIfifo, 2},     {"OFIFO", kOfifo, 2},     {"JQCR_LS", kJqcrLs, 1},  {"DADR", kDadr, 2},
    {"DECOID", kDecoIdMs, 2}, {"MATH", kMath0, 8},      {"GTR", kGtr0, 16},       {"STR", kStr0, 16},
    {"DJR", kDjr, 1},         {"JDP", kJdp, 2},         {"SDP", kSdp, 2},         {"SOL", kSol, 1},
    {"VSOL", kVsol, 1},       {"SIL", kSil, 1},         {"VSIL", kVsil, 1},       {"DPOVRD", kDpovrd, 1},
    {"UVSOL", kUvsol, 1},     {"UVSIL", kUvsil, 1},
};

}  // namespace

DecoPage::DecoPage(unsigned deco, int era, DirectDecoAccess* access)
    : deco_(deco), state_in_der_(era >= 10), access_(access) {
  for (const Rows& rows : kPlain) {
    bank_.add_array({.name = rows.name, .offset = rows.offset}, rows.words);
    for (unsigned i = 0; i < rows.words; ++i) {
      bank_.on_read(rows.offset + 4 * i, read_hook<&DecoPage::read_plain>(this));
      bank_.on_write(rows.offset + 4 * i, write_hook<&DecoPage::write_plain>(this));
    }
  }
  bank_.add_array({.name = "DESCBUF", .offset = kDescbuf}, kDescriptorWords);
  for (unsigned i = 0; i < kDescriptorWords; ++i) {
    bank_.on_read(kDescbuf + 4 * i, read_hook<&DecoPage::read_buffer>(this));
    bank_.on_write(kDescbuf + 4 * i, write_hook<&DecoPage::write_buffer>(this));
  }
  bank_.add({.name = "JQCR_MS", .offset = kJqcrMs});
  bank_.on_read(kJqcrMs, read_hook<&DecoPage::read_jqcr>(this));
  bank_.on_write(kJqcrMs, write_hook<&DecoPage::write_jqcr>(this));
  constexpr RegSpec kStatus[] = {{.name = "OPSTA_MS", .offset = kOpstaMs},
                                 {.name = "OPSTA_LS", .offset = kOpstaLs},
                                 {.name = "DDR", .offset = kDdr}};
  for (const RegSpec& spec : kStatus) {
    bank_.add(spec);
    bank_.on_read(spec.offset, read_hook<&DecoPage::read_status>(this));
  }
  if (state_in_der_) {
    bank_.add({.name = "DER", .offset = kDer});
    bank_.on_read(kDer, read_hook<&DecoPage::read_status>(this));
  }
}

uint32_t DecoPage::read_plain(uint32_t offset) const { return open() ? access_->read_reg(deco_, offset) : 0; }

void DecoPage::write_plain(uint32_t offset, uint32_t value) {
  if (open()) access_->write_reg(deco_, offset, value);
}

uint32_t DecoPage::read_buffer(uint32_t offset) const {
  return open() ? access_->read_word(deco_, (offset - kDescbuf) / 4) : 0;
}

void DecoPage::write_buffer(uint32_t offset, uint32_t value) {
  if (open()) access_->write_word(deco_, (offset - kDescbuf) / 4, value);
}

uint32_t DecoPage::read_jqcr(uint32_t) const { return open() ? bank_.get(kJqcrMs) : 0; }

void DecoPage::write_jqcr(uint32_t, uint32_t value) {
  if (!open()) return;
  // WHL and FOUR are requests: they are gone by the time software reads the register back.
  bank_.set(kJqcrMs, value & ~(jqcr::kWhl | jqcr::kFour));
  if (value & jqcr::kWhl) access_->start(deco_, value);
}

uint32_t DecoPage::read_status(uint32_t offset) const {
  if (!open()) return 0;
  const DirectDecoAccess::Status status = access_->status(deco_);
  const uint32_t state = status.host_error ? ddr::kStateHostError : 0;
  switch (offset) {
    case kOpstaMs:
      return status.op_status;
    case kOpstaLs:
      return status.out_bytes;
    case kDer:
      return state << der::kStateShift;
    default:
      break;
  }
  return (status.valid ? ddr::kValid : 0) | uint32_t{status.index & 0x3Fu} << ddr::kIndexShift |
         (state_in_der_ ? 0 : state << ddr::kStateShift);
}

}  // namespace caamlab::hw_model
