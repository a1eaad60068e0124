// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See job.h.
#include "desc/constructors/job.h"

namespace caamlab::desc {

void init_aead_job(Builder& d, const AeadJob& job, MathReg assoclen_reg) {
  init_request_job(d, {.sh_desc = job.sh_desc, .sh_len = job.sh_len});
  append_request_input(d, job.in);
  append_request_output(d, job.out);
  d.append_math_add_imm_u32(assoclen_reg, MathReg::kZero, MathReg::kImm, job.assoclen);
}

}  // namespace caamlab::desc
