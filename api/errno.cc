// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Names of the error numbers (include/uapi/asm-generic/errno*.h).
#include "api/errno.h"

#include <cstdlib>
#include <cstring>

namespace caamlab::api {

std::string errno_name(int err) {
  const int number = std::abs(err);
  if (number == kENOTSUPP) return "ENOTSUPP";
  const char* name = number == 0 ? nullptr : strerrorname_np(number);
  return name != nullptr ? name : std::to_string(number);
}

std::string errno_text(int err) {
  const int number = std::abs(err);
  if (number == 0) return "0 (success)";
  const char* text = number == kENOTSUPP ? "Operation is not supported" : strerrordesc_np(number);
  return "-" + errno_name(err) + " (" + (text != nullptr ? text : "unknown error") + ")";
}

}  // namespace caamlab::api
