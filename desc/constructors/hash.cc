// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See hash.h.
#include "desc/constructors/hash.h"

namespace caamlab::desc {

using enum MathReg;

void cnstr_shdsc_ahash(Builder& d, const AlgInfo& adata, const AhashParams& p) {
  AlgInfo alg = adata;
  d.init_sh_desc({.share = p.share});
  // An update goes on from a state that has the key in it.
  if (p.state != AlgState::kUpdate && adata.keylen != 0) {
    const auto key_jump = append_jump_if_shared(d);
    if (p.era < 6)
      append_split_key_as_imm(d, adata);
    else
      append_proto_dkp(d, adata);
    d.set_jump_tgt_here(key_jump);
    alg.op.aai |= aai::kHmacPrecomp;
  }
  if (p.import_ctx) d.append_seq_load(p.ctx_len, {.cls = ClassSel::kClass2, .dst = kRegContext});
  append_class_operation(d, alg, p.state, /*enc=*/true);
  append_math_copy(d, kVarSeqInLen, kSeqInLen);
  d.append_seq_fifo_load(
      0, {.cls = ClassSel::kClass2, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast2)});
  d.append_seq_store(p.digestsize, {.cls = ClassSel::kClass2, .src = kRegContext});
}

void init_ahash_job(Builder& d, const AhashJob& job) {
  init_request_job(d, job.shared);
  if (job.in) append_request_input(d, *job.in);
  append_request_output(d, job.out);
}

}  // namespace caamlab::desc
