// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See pkc.h.
#include "desc/constructors/pkc.h"

#include <initializer_list>

namespace caamlab::desc {
namespace {

// One word, pointers, and at most one more word.
void append_pdb(Builder& d, uint32_t word, std::initializer_list<uint64_t> pointers, std::optional<uint32_t> last) {
  const unsigned bytes = 4 + static_cast<unsigned>(pointers.size()) * d.target().ptr_bytes + (last.has_value() ? 4 : 0);
  d.init_job_desc_pdb({}, bytes);
  d.append_word(word);
  for (uint64_t pointer : pointers) d.append_ptr(pointer);
  if (last) d.append_word(*last);
}

void append_decrypt(Builder& d, RsaPrivForm form) {
  d.append_operation(ProtocolOperation{.id = protid::kRsaDecrypt, .info = static_cast<uint16_t>(form)});
}

}  // namespace

void init_rsa_pub_desc(Builder& d, const RsaPubPdb& pdb) {
  append_pdb(d, encode(pdb.word), {pdb.f, pdb.g, pdb.n, pdb.e}, pdb.f_len);
  d.append_operation(ProtocolOperation{.id = protid::kRsaEncrypt});
}

void init_rsa_priv_f1_desc(Builder& d, const RsaPrivF1Pdb& pdb) {
  append_pdb(d, encode(pdb.word), {pdb.g, pdb.f, pdb.n, pdb.d}, std::nullopt);
  append_decrypt(d, RsaPrivForm::kForm1);
}

void init_rsa_priv_f2_desc(Builder& d, const RsaPrivF2Pdb& pdb) {
  append_pdb(d, encode(pdb.word), {pdb.g, pdb.f, pdb.d, pdb.p, pdb.q, pdb.tmp1, pdb.tmp2}, encode(pdb.lengths));
  append_decrypt(d, RsaPrivForm::kForm2);
}

void init_rsa_priv_f3_desc(Builder& d, const RsaPrivF3Pdb& pdb) {
  append_pdb(d, encode(pdb.word), {pdb.g, pdb.f, pdb.c, pdb.p, pdb.q, pdb.dp, pdb.dq, pdb.tmp1, pdb.tmp2},
             encode(pdb.lengths));
  append_decrypt(d, RsaPrivForm::kForm3);
}

}  // namespace caamlab::desc
