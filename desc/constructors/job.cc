// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See job.h.
#include "desc/constructors/job.h"

namespace caamlab::desc {

void init_aead_job(Builder& d, const AeadJob& job, MathReg assoclen_reg) {
  d.init_job_desc_shared(job.sh_desc, job.sh_len, {.reo = true, .share = ShareMode::kDefer});
  d.append_seq_in_ptr_extlen(job.in.addr, job.in.len, {.sgf = job.in.sgf});
  d.append_seq_out_ptr_extlen(job.out.addr, job.out.len, {.sgf = job.out.sgf});
  d.append_math_add_imm_u32(assoclen_reg, MathReg::kZero, MathReg::kImm, job.assoclen);
}

}  // namespace caamlab::desc
