// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// TRNG control registers: see trng.h. Reset values and field meanings: stand-alone TRNG of Kinetis and i.MX RT.
#include "hw_model/trng.h"

#include "desc/bits.h"
#include "desc/regs.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

constexpr uint32_t kMctlWritable =
    rtmctl::kSampMode | rtmctl::kOscDiv | rtmctl::kTrngAcc | rtmctl::kForceSysclk | rtmctl::kPrgm;

// Writable in program mode only. RTSCML and the run-length limits RTSCR1L .. RTSCR6PL follow each other.
constexpr RegSpec kLimits[] = {
    {.name = "RTSCMISC", .offset = kRtscmisc, .reset = 0x00010022},
    {.name = "RTPKRRNG", .offset = kRtpkrrng, .reset = 0x000009A3},
    {.name = "RTPKRMAX", .offset = kRtpkrmax, .reset = 0x00006920},
    {.name = "RTSDCTL", .offset = kRtsdctl, .reset = 0x0C8009C4},
    {.name = "RTSBLIM", .offset = kRtsblim, .reset = 0x0000003F},
    {.name = "RTFRQMIN", .offset = kRtfrqmin, .reset = 0x00000640},
    {.name = "RTFRQMAX", .offset = kRtfrqmax, .reset = 0x00006400},
    {.name = "RTSCML", .offset = kRtscml, .reset = 0x010C0568},
    {.name = "RTSCR1L", .offset = kRtscml + 4, .reset = 0x00B20195},
    {.name = "RTSCR2L", .offset = kRtscml + 8, .reset = 0x007A00DC},
    {.name = "RTSCR3L", .offset = kRtscml + 12, .reset = 0x0058007D},
    {.name = "RTSCR4L", .offset = kRtscml + 16, .reset = 0x0040004B},
    {.name = "RTSCR5L", .offset = kRtscml + 20, .reset = 0x002E002F},
    {.name = "RTSCR6PL", .offset = kRtscml + 24, .reset = 0x002E002F},
};

constexpr uint64_t splitmix64(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

Trng::Trng(RegBank& page0) : bank_(page0) {
  bank_.add({.name = "RTMCTL", .offset = kRtmctl, .reset = rtmctl::kPrgm | rtmctl::kSampModeRaw});
  bank_.on_read(kRtmctl, read_hook<&Trng::read_mctl>(this));
  bank_.on_write(kRtmctl, write_hook<&Trng::write_mctl>(this));
  for (const RegSpec& spec : kLimits) {
    bank_.add(spec);
    bank_.on_read(spec.offset, read_hook<&Trng::read_limit>(this));
    bank_.on_write(spec.offset, write_hook<&Trng::write_limit>(this));
  }
  bank_.add({.name = "RTSTATUS", .offset = kRtstatus});
  bank_.add_array({.name = "RTENT", .offset = kRtent}, static_cast<unsigned>(entropy_.size()));
  for (unsigned i = 0; i < entropy_.size(); ++i) bank_.on_read(kRtent + 4 * i, read_hook<&Trng::read_entropy>(this));
}

void Trng::reset() {
  bank_.set(kRtmctl, bank_.spec(kRtmctl)->reset);
  for (const RegSpec& spec : kLimits) bank_.set(spec.offset, spec.reset);
  entropy_.fill(0);
  generation_ = 0;
  valid_ = failed_ = false;
}

bool Trng::program_mode() const { return bank_.get(kRtmctl) & rtmctl::kPrgm; }

uint32_t Trng::entropy_delay() const { return bank_.get(kRtsdctl) >> rtsdctl::kEntDlyShift; }

// Assumed: the ring oscillator runs at the system clock, so it toggles ENT_DLY times during a sample.
uint32_t Trng::frequency_count() const { return entropy_delay(); }

void Trng::generate() {
  ++generation_;
  for (unsigned i = 0; i < entropy_.size(); i += 2) {
    const uint64_t value = splitmix64(splitmix64(seed_) ^ (generation_ << 8 | i));
    entropy_[i] = static_cast<uint32_t>(value >> 32);
    entropy_[i + 1] = static_cast<uint32_t>(value);
  }
  const uint32_t count = frequency_count();
  failed_ = count < bank_.get(kRtfrqmin) || count > bank_.get(kRtfrqmax);
  valid_ = !failed_;
}

bool Trng::healthy() const { return !program_mode() && !failed_; }

std::array<uint8_t, 48> Trng::next_entropy() {
  generate();
  std::array<uint8_t, 48> out;
  for (unsigned i = 0; i < out.size() / 4; ++i) desc::store_be32(out.data() + 4 * i, entropy_[i]);
  return out;
}

uint32_t Trng::read_mctl(uint32_t) const {
  uint32_t value = bank_.get(kRtmctl) | rtmctl::kTstopOk;
  if (program_mode()) return value;
  if (valid_) value |= rtmctl::kFctVal;
  if (valid_ && value & rtmctl::kTrngAcc) value |= rtmctl::kEntVal;
  if (failed_) value |= rtmctl::kFctFail | rtmctl::kErr;
  return value;
}

void Trng::write_mctl(uint32_t, uint32_t value) {
  const bool was_program = program_mode();
  if (value & rtmctl::kErr) failed_ = false;
  bank_.set(kRtmctl, value & kMctlWritable);
  if (value & rtmctl::kRstDef && program_mode()) {
    for (const RegSpec& spec : kLimits) bank_.set(spec.offset, spec.reset);
  }
  if (program_mode()) {
    valid_ = false;
  } else if (was_program) {
    generate();
  }
}

// In run mode some offsets show the statistics of the last entropy. For n ideal bits: every 4-bit value n/64 times,
// half of the bits one, n/8 runs of one bit of each polarity and half as many of each further length.
uint32_t Trng::read_limit(uint32_t offset) const {
  if (program_mode()) return bank_.get(offset);
  const uint32_t n = valid_ ? bank_.get(kRtsdctl) & rtsdctl::kSampSize : 0;
  switch (offset) {
    case kRtpkrmax:
      return (n / 4) * (n / 4) / 16 + (n / 4) * 15 / 16;
    case kRtsblim:
      return n;
    case kRtfrqmax:
      return valid_ ? frequency_count() : 0;
    case kRtscml:
      return n / 2;
    default:
      break;
  }
  if (offset < kRtscml) return bank_.get(offset);
  const unsigned length = (offset - kRtscml) / 4;
  const uint32_t runs = n >> (length < 6 ? length + 2 : 7);
  return runs << 16 | runs;
}

void Trng::write_limit(uint32_t offset, uint32_t value) {
  if (program_mode()) bank_.set(offset, value);
}

uint32_t Trng::read_entropy(uint32_t offset) {
  const unsigned index = (offset - kRtent) / 4;
  if (program_mode() || !valid_ || !(bank_.get(kRtmctl) & rtmctl::kTrngAcc)) return 0;
  const uint32_t value = entropy_[index];
  // Taking the last word makes the next one.
  if (index + 1 == entropy_.size()) generate();
  return value;
}

}  // namespace caamlab::hw_model
