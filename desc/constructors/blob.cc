// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See blob.h.
#include "desc/constructors/blob.h"

namespace caamlab::desc {

void caam_process_blob(Builder& d, const BlobJob& job) {
  d.init_job_desc({});
  d.append_key_as_imm(job.key_mod, static_cast<unsigned>(job.key_mod.size()), {.cls = ClassSel::kClass2});
  d.append_seq_in_ptr(job.in, job.input_len);
  d.append_seq_out_ptr(job.out, job.output_len());
  d.append_operation(
      ProtocolOperation{.type = job.encap ? ProtocolType::kEncap : ProtocolType::kDecap, .id = protid::kBlob});
}

}  // namespace caamlab::desc
