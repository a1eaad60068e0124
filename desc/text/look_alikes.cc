// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Numbers that are taken for status words (find_status.h). JRINT: hardware.md 6.5; TEE codes: GlobalPlatform TEE
// Internal Core API 1.3; errno as the kernel's CAAM driver uses them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "desc/regs.h"
#include "desc/status/codes.h"
#include "desc/text/find_status.h"

namespace caamlab::desc {
namespace {

struct NamedCode {
  uint32_t code;
  std::string_view text;
};

constexpr NamedCode kErrnos[] = {
    {5, "EIO: the device failed; the driver's probe and RNG return it"},
    {11, "EAGAIN: try again later; from the RNG, no data yet"},
    {12, "ENOMEM: no memory for descriptor or tables, or an address that cannot be mapped"},
    {16, "EBUSY: with backlog the request is queued, without it the ring is full"},
    {19, "ENODEV: no such unit, or no job ring"},
    {22, "EINVAL: any failed job but a wrong tag (the status word is in the log), or an argument refused before a job"},
    {28, "ENOSPC: the job ring is full and the request may not be queued"},
    {74, "EBADMSG: the tag does not match (status CCB ICV check failed, which is not logged)"},
    {75, "EOVERFLOW: RSA output buffer shorter than the modulus"},
    {110, "ETIMEDOUT: waited in vain for a ring reset, a DECO or the RNG"},
    {115, "EINPROGRESS: no failure, the result comes by callback"},
    {126, "ENOKEY: no key has been set"},
};

constexpr NamedCode kTeeCodes[] = {
    {0xFFFF0000, "TEE_ERROR_GENERIC"},
    {0xFFFF0001, "TEE_ERROR_ACCESS_DENIED"},
    {0xFFFF0002, "TEE_ERROR_CANCEL"},
    {0xFFFF0003, "TEE_ERROR_ACCESS_CONFLICT"},
    {0xFFFF0004, "TEE_ERROR_EXCESS_DATA"},
    {0xFFFF0005, "TEE_ERROR_BAD_FORMAT"},
    {0xFFFF0006, "TEE_ERROR_BAD_PARAMETERS"},
    {0xFFFF0007, "TEE_ERROR_BAD_STATE"},
    {0xFFFF0008, "TEE_ERROR_ITEM_NOT_FOUND"},
    {0xFFFF0009, "TEE_ERROR_NOT_IMPLEMENTED"},
    {0xFFFF000A, "TEE_ERROR_NOT_SUPPORTED"},
    {0xFFFF000B, "TEE_ERROR_NO_DATA"},
    {0xFFFF000C, "TEE_ERROR_OUT_OF_MEMORY"},
    {0xFFFF000D, "TEE_ERROR_BUSY"},
    {0xFFFF000E, "TEE_ERROR_COMMUNICATION"},
    {0xFFFF000F, "TEE_ERROR_SECURITY"},
    {0xFFFF0010, "TEE_ERROR_SHORT_BUFFER"},
    {0xFFFF0011, "TEE_ERROR_EXTERNAL_CANCEL"},
    {0xFFFF300F, "TEE_ERROR_OVERFLOW"},
    {0xFFFF3024, "TEE_ERROR_TARGET_DEAD"},
    {0xFFFF3041, "TEE_ERROR_STORAGE_NO_SPACE"},
    {0xFFFF3071, "TEE_ERROR_MAC_INVALID"},
    {0xFFFF3072, "TEE_ERROR_SIGNATURE_INVALID"},
    {0xF0100001, "TEE_ERROR_CORRUPT_OBJECT"},
    {0xF0100002, "TEE_ERROR_CORRUPT_OBJECT_2"},
    {0xF0100003, "TEE_ERROR_STORAGE_NOT_AVAILABLE"},
    {0xF0100004, "TEE_ERROR_STORAGE_NOT_AVAILABLE_2"},
};

std::string_view name_of(std::span<const NamedCode> table, uint32_t code) {
  const auto row = std::ranges::find(table, code, &NamedCode::code);
  return row == table.end() ? std::string_view{} : row->text;
}

std::string ring_interrupt_text(uint32_t word) {
  std::string text;
  const auto put = [&](std::string_view part) { text += (text.empty() ? "" : ", ") + std::string(part); };
  if ((word & reg::jrint::kJri) != 0) put("results are waiting");
  if ((word & reg::jrint::kJre) != 0) put("ring error");
  if ((word & reg::jrint::kHaltMask) == reg::jrint::kHaltInProgress) put("halting");
  if ((word & reg::jrint::kHaltMask) == reg::jrint::kHaltComplete) put("halted");
  if ((word & reg::jrint::kEnterFail) != 0) put("fail mode entered");
  if ((word & reg::jrint::kExitFail) != 0) put("fail mode left");
  const uint32_t type = (word & reg::jrint::kErrTypeMask) >> reg::jrint::kErrTypeShift;
  if (type != 0) {
    const StatusCode* row = find_code(ring_codes(), type);
    put(fmt::format("error type {:#x} ({})", type, row != nullptr ? row->text : "unknown"));
  }
  return "the interrupt register of a job ring (JRINT), not a job's status: " +
         (text.empty() ? std::string("nothing set") : text);
}

}  // namespace

std::string look_alike_text(const FoundStatus& found) {
  switch (found.kind) {
    case FoundKind::kRingInterrupt:
      return ring_interrupt_text(found.word);
    case FoundKind::kErrno: {
      const uint32_t number = 0u - found.word;
      const auto name = name_of(kErrnos, number);
      return fmt::format("an errno, not a status word: -{}{}{}", number, name.empty() ? "" : ", ", name);
    }
    case FoundKind::kTee: {
      const auto name = name_of(kTeeCodes, found.word);
      return fmt::format("a result of the TEE, not a status word: {}",
                         name.empty() ? "not one of the standard codes" : name);
    }
    case FoundKind::kStatus:
      break;
  }
  return {};
}

}  // namespace caamlab::desc
