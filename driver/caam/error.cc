// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See error.h; the texts are desc/status.
#include "driver/caam/error.h"

#include <cerrno>

#include "desc/jr_status.h"
#include "desc/status/status_line.h"
#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

std::string caam_status_text(uint32_t status) { return desc::status_line(status); }

int caam_jr_strstatus(const CtrlPriv& priv, uint32_t status) {
  if (desc::JrStatus{status}.is_icv_failure()) return -EBADMSG;
  if (priv.options.log) priv.log(LogLevel::kError, caam_status_text(status));
  return -EINVAL;
}

}  // namespace caamlab::driver::caam
