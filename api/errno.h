// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Error numbers as the kernel's crypto API returns them: 0, or the negative of one of <cerrno>'s values.
// crypto-api.md 1.10 and 2.2 say which one when. Here is only what <cerrno> lacks: their names, and the numbers user
// space never sees.
#pragma once

#include <cerrno>
#include <string>

namespace caamlab::api {

// "operation not supported" inside the kernel; reaches user space as "Unknown error 524" (crypto_user statistics).
inline constexpr int kENOTSUPP = 524;

// The name of an error number, sign ignored: -22 and 22 give "EINVAL", 0 gives "0", an unknown one its decimal digits.
std::string errno_name(int err);

// "-EINVAL (Invalid argument)", "0 (success)".
std::string errno_text(int err);

}  // namespace caamlab::api
