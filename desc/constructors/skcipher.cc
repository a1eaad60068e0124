// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See skcipher.h.
#include "desc/constructors/skcipher.h"

namespace caamlab::desc {
namespace {

using enum MathReg;

constexpr ClassSel kCls1 = ClassSel::kClass1;
constexpr unsigned kCtx1NonceOffset = 16, kNonceLen = 4, kRfc3686IvLen = 8;

// XTS context: sector size at 40, tweak (sector index) in two halves at 32 and 48.
constexpr unsigned kXtsSectorSizeOffset = 0x28, kXtsTweakLowOffset = 0x20, kXtsTweakHighOffset = 0x30;

constexpr Load ctx1_load(unsigned offset) {
  return {.cls = kCls1, .dst = kRegContext, .offset = static_cast<uint8_t>(offset)};
}
constexpr Store ctx1_store(unsigned offset) {
  return {.cls = kCls1, .src = kRegContext, .offset = static_cast<uint8_t>(offset)};
}

// All input through class 1 to the output.
void append_src_dst(Builder& d) {
  append_math_copy(d, kVarSeqOutLen, kSeqInLen);
  append_math_copy(d, kVarSeqInLen, kSeqInLen);
  d.append_seq_fifo_load(0,
                         {.cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast1)});
  d.append_seq_fifo_store(0, {.sgf_vlf = true, .type = FifoStoreType::kMsg});
}

// Header, key and nonce unless they came by sharing, IV and counter.
void begin_skcipher(Builder& d, const AlgInfo& cdata, const SkcipherParams& p) {
  d.init_sh_desc({.savectx = true, .share = p.share});
  const auto key_jump = append_jump_if_shared(d);
  d.append_key_as_imm(cdata.key.first(cdata.keylen), cdata.keylen, {.cls = kCls1});
  if (p.rfc3686) {
    d.append_load_as_imm(cdata.key.subspan(cdata.keylen, kNonceLen), {.dst = kRegOfifo});
    d.append_move({.wait = true,
                   .src = MoveSrc::kOutFifo,
                   .dst = MoveDst::kClass1Ctx,
                   .offset = kCtx1NonceOffset,
                   .len = kNonceLen});
  }
  d.set_jump_tgt_here(key_jump);

  if (p.ivsize != 0) d.append_seq_load(p.ivsize, ctx1_load(p.ctx1_iv_off));
  if (p.rfc3686) d.append_load_imm_be32(1, ctx1_load(p.ctx1_iv_off + kRfc3686IvLen));
}

void end_skcipher(Builder& d, const AlgInfo& cdata, const SkcipherParams& p) {
  append_src_dst(d);
  if (cdata.op.alg != Alg::kChaCha20 && p.ivsize != 0) d.append_seq_store(p.ivsize, ctx1_store(p.ctx1_iv_off));
}

void begin_xts(Builder& d, const AlgInfo& cdata, ShareMode share) {
  d.init_sh_desc({.savectx = true, .share = share});
  const auto key_jump = append_jump_if_shared(d);
  d.append_key_as_imm(cdata.key.first(cdata.keylen), cdata.keylen, {.cls = kCls1});
  uint8_t sector_size[8];
  store_be64(sector_size, kXtsSectorBytes);
  d.append_load_as_imm(sector_size, ctx1_load(kXtsSectorSizeOffset));
  d.set_jump_tgt_here(key_jump);
  d.append_seq_load(8, ctx1_load(kXtsTweakLowOffset));
  d.append_seq_load(8, ctx1_load(kXtsTweakHighOffset));
}

void end_xts(Builder& d) {
  append_src_dst(d);
  d.append_seq_store(8, ctx1_store(kXtsTweakLowOffset));
  d.append_seq_store(8, ctx1_store(kXtsTweakHighOffset));
}

}  // namespace

void cnstr_shdsc_skcipher_encap(Builder& d, const AlgInfo& cdata, const SkcipherParams& p) {
  begin_skcipher(d, cdata, p);
  // ChaCha20 needs to be told that the data ends, or it refuses a partial block.
  const AlgState as = cdata.op.alg == Alg::kChaCha20 ? AlgState::kInitFinal : AlgState::kInit;
  append_class_operation(d, cdata, as, /*enc=*/true);
  end_skcipher(d, cdata, p);
}

void cnstr_shdsc_skcipher_decap(Builder& d, const AlgInfo& cdata, const SkcipherParams& p) {
  begin_skcipher(d, cdata, p);
  if (p.ctx1_iv_off != 0)  // CTR decrypts with the encryption key
    append_class_operation(d, cdata, AlgState::kInit, /*enc=*/false);
  else
    append_dec_op1(d, cdata);
  end_skcipher(d, cdata, p);
}

void cnstr_shdsc_xts_skcipher_encap(Builder& d, const AlgInfo& cdata, ShareMode share) {
  begin_xts(d, cdata, share);
  append_class_operation(d, cdata, AlgState::kInitFinal, /*enc=*/true);
  end_xts(d);
}

void cnstr_shdsc_xts_skcipher_decap(Builder& d, const AlgInfo& cdata, ShareMode share) {
  begin_xts(d, cdata, share);
  append_dec_op1(d, cdata);
  end_xts(d);
}

void init_skcipher_job(Builder& d, const SkcipherJob& job) {
  init_request_job(d, job.shared);
  append_request_input(d, job.in);
  append_request_output(d, job.out);
}

}  // namespace caamlab::desc
