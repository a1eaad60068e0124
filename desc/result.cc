// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Text of build and parse errors.
#include "desc/result.h"

namespace caamlab::desc {

const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::kOutOfRange:
      return "OUT_OF_RANGE";
    case ErrorCode::kNoSpace:
      return "NO_SPACE";
    case ErrorCode::kUnresolved:
      return "UNRESOLVED";
    case ErrorCode::kMalformed:
      return "MALFORMED";
    case ErrorCode::kNotFound:
      return "NOT_FOUND";
  }
  return "UNKNOWN";
}

std::string Error::to_string() const {
  std::string text = error_code_name(code);
  if (word) text += " at word " + std::to_string(*word);
  if (!command.empty()) text += " (" + command + ")";
  return text + ": " + message;
}

}  // namespace caamlab::desc
