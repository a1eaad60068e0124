// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See key_gen.h.
#include "desc/constructors/key_gen.h"

namespace caamlab::desc {
namespace {

constexpr ClassSel kCls2 = ClassSel::kClass2;
constexpr FifoLoad kMsgLast2{.cls = kCls2, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast2)};

}  // namespace

void gen_split_key(Builder& d, Alg alg, uint64_t key, unsigned keylen) {
  d.init_job_desc({});
  d.append_key(key, keylen, {.cls = kCls2});
  d.append_operation(AlgOperation{.cls = kCls2, .alg = alg, .aai = aai::kHmac, .as = AlgState::kInit});
  // Empty data makes MDHA turn the key into its inner and outer states.
  d.append_fifo_load_as_imm({}, kMsgLast2);
  d.append_fifo_store(key, {.cls = kCls2, .type = FifoStoreType::kSplitEcbJdkek, .len = split_key_len(alg)});
}

void hash_digest_key(Builder& d, Alg alg, uint64_t key, unsigned keylen, unsigned digestsize) {
  d.init_job_desc({});
  d.append_operation(AlgOperation{.cls = kCls2, .alg = alg, .as = AlgState::kInitFinal, .enc = true});
  d.append_seq_in_ptr_extlen(key, keylen);
  d.append_seq_fifo_load(keylen, kMsgLast2);
  d.append_seq_out_ptr_extlen(key, digestsize);
  d.append_seq_store(digestsize, {.cls = kCls2, .src = kRegContext});
}

}  // namespace caamlab::desc
