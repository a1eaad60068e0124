// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Failures of a caller's own making (a descriptor that does not fit, text that does not parse): a code for programs, a
// sentence for people, and the place. What the hardware says is JrStatus, what the crypto API says is an errno.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace caamlab::desc {

enum class ErrorCode : uint8_t {
  kInvalidArgument,  // the value is wrong whatever the state
  kOutOfRange,       // it does not fit in its field or register
  kNoSpace,          // a descriptor would exceed 64 words
  kUnresolved,       // a jump has no target, or the target is out of reach
  kMalformed,        // text or data that does not follow its format
  kNotFound,
};

const char* error_code_name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;           // what, and what would be right
  std::optional<uint32_t> word;  // index of the descriptor word, if the error has one
  std::string command;           // mnemonic of the command at fault, empty if none

  // "NO_SPACE at word 51 (SEQ STORE): ..."
  std::string to_string() const;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::nullopt, {}});
}

}  // namespace caamlab::desc
