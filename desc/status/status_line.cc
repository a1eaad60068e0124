// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See status_line.h. Form of the line: kernel drivers/crypto/caam/error.c, 6.1.
#include "desc/status/status_line.h"

#include <fmt/format.h>

#include "desc/bits.h"
#include "desc/status/codes.h"

namespace caamlab::desc {
namespace {

const StatusCode* find_row(JrStatus status) {
  const uint32_t low = status.word & 0xFF;
  switch (status.source()) {
    case StatusSource::kCcb: {
      const auto error = static_cast<uint32_t>(status.ccb_error());
      if (status.cha() == ChaId::kRng)
        if (const StatusCode* row = find_code(rng_codes(), error)) return row;
      return find_code(ccb_codes(), error);
    }
    case StatusSource::kDeco:
      return find_code(deco_codes(), low);
    case StatusSource::kQi:
      return find_code(qi_codes(), low);
    case StatusSource::kJr:
      return find_code(ring_codes(), low);
    default:
      return nullptr;
  }
}

std::string place(JrStatus status) {
  return fmt::format("{} {}", status.jumped() ? "jump tgt desc idx" : "desc idx", status.index());
}

}  // namespace

std::string_view source_text(JrStatus status) {
  switch (status.source()) {
    case StatusSource::kNone:
      return status.ok() ? "none" : "";
    case StatusSource::kCcb:
      return "CCB";
    case StatusSource::kJumpUser:
      return "Jump";
    case StatusSource::kDeco:
      return "DECO";
    case StatusSource::kQi:
      return "Queue Manager Interface";
    case StatusSource::kJr:
      return "Job Ring";
    case StatusSource::kJumpCond:
      return "Condition Code";
  }
  return {};
}

std::string cha_text(JrStatus status) {
  const auto cha = static_cast<unsigned>(status.cha());
  return cha < cha_texts().size() ? std::string(cha_texts()[cha])
                                  : fmt::format("unidentified cha_id value 0x{:02x}", cha);
}

std::string code_text(JrStatus status) {
  if (status.ok()) return "No error";
  const uint32_t low = status.word & 0xFF;
  switch (status.source()) {
    case StatusSource::kJumpUser:
      return fmt::format("user status 0x{:02x}", low);
    case StatusSource::kJumpCond:
      return fmt::format("flags 0x{:02x}", low);
    case StatusSource::kJr:
      return fmt::format("error type 0x{:02x}", low);
    default:
      break;
  }
  const StatusCode* row = find_row(status);
  return row != nullptr ? std::string(row->text) : fmt::format("unidentified error value 0x{:02x}", low);
}

std::string_view code_causes(JrStatus status) {
  if (status.source() == StatusSource::kJumpUser)
    return "The descriptor ended itself with JUMP halt-user and this byte; what it means its author knows.";
  if (status.source() == StatusSource::kJumpCond)
    return "The descriptor ended itself with JUMP halt because its conditions held.";
  const StatusCode* row = find_row(status);
  return row != nullptr ? row->causes : std::string_view{};
}

bool is_known_status(uint32_t word) {
  const JrStatus status{word};
  switch (status.source()) {
    case StatusSource::kCcb:
      return get_bits(word, 26, 16) == 0 && static_cast<unsigned>(status.cha()) < cha_texts().size() &&
             find_row(status) != nullptr;
    case StatusSource::kDeco:
      return get_bits(word, 26, 16) == 0 && find_row(status) != nullptr;
    case StatusSource::kJumpUser:
    case StatusSource::kJumpCond:
      return get_bits(word, 27, 16) == 0;
    case StatusSource::kQi:
    case StatusSource::kJr:
      return get_bits(word, 27, 8) == 0 && find_row(status) != nullptr;
    default:
      return false;
  }
}

std::string status_line(uint32_t word) {
  const JrStatus status{word};
  const std::string_view source = source_text(status);
  if (source.empty()) return fmt::format("{:08x}: unknown error source {}", word, word >> 28);
  switch (status.source()) {
    case StatusSource::kNone:
      return fmt::format("{:08x}: No error", word);
    case StatusSource::kCcb:
      return fmt::format("{:08x}: {}: {}: {}: {}", word, source, place(status), cha_text(status), code_text(status));
    case StatusSource::kQi:
    case StatusSource::kJr:
      return fmt::format("{:08x}: {}: {}", word, source, code_text(status));
    default:
      return fmt::format("{:08x}: {}: {}: {}", word, source, place(status), code_text(status));
  }
}

}  // namespace caamlab::desc
