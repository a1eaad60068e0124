// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aead.h.
#include "desc/constructors/aead.h"

#include "desc/nfifo.h"

namespace caamlab::desc {
namespace {

using enum MathReg;

constexpr ClassSel kCls1 = ClassSel::kClass1, kCls2 = ClassSel::kClass2;
constexpr unsigned kNonceLen = 4, kCtx1NonceOffset = 16, kRfc3686IvLen = 8;
constexpr FifoLoad kVlfAadClass2{.cls = kCls2, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kMsg)};
constexpr FifoLoad kIcvLast2{.cls = kCls2, .type = fifo_load_type(FifoLoadType::kIcv, kFifoLoadLast2)};
constexpr FifoStore kVlfMsgOut{.sgf_vlf = true, .type = FifoStoreType::kMsg};
constexpr FifoStore kVlfSkipOut{.sgf_vlf = true, .type = FifoStoreType::kSkip};
constexpr Store kIcvFromContext{.cls = kCls2, .src = kRegContext};

constexpr Load ctx1_load(unsigned offset) {
  return {.cls = kCls1, .dst = kRegContext, .offset = static_cast<uint8_t>(offset)};
}

// Both classes take the text (VSIL bytes), the output goes out (VSOL bytes). `type`: kMsg: class 2 sees the input,
// kMsg1Out2: what class 1 makes of it.
constexpr FifoLoad both_classes(FifoLoadType type, uint8_t actions = 0) {
  return {.cls = ClassSel::kBoth,
          .sgf_vlf = true,
          .type = fifo_load_type(type, static_cast<uint8_t>(kFifoLoadLastBoth | actions))};
}
void append_src_dst(Builder& d, FifoLoadType type, uint8_t actions = 0) {
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_fifo_load(0, both_classes(type, actions));
}

// Header and, unless they came by sharing, both keys and the nonce.
void begin_aead(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p) {
  d.init_sh_desc({.savectx = true, .share = p.share});
  const auto key_jump = append_jump_if_shared(d);
  append_auth_key(d, adata, p.era);
  append_class1_key(d, cdata, p.rfc3686 ? cdata.keylen - kNonceLen : cdata.keylen);
  if (p.rfc3686) {
    d.append_load_as_imm(p.nonce, {.dst = kRegOfifo});
    d.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kClass1Ctx, .offset = kCtx1NonceOffset, .len = kNonceLen});
  }
  d.set_jump_tgt_here(key_jump);
}

void load_iv(Builder& d, const AeadParams& p) { d.append_seq_load(p.ivsize, ctx1_load(p.ctx1_iv_off)); }

void load_counter(Builder& d, const AeadParams& p) {
  if (p.rfc3686) d.append_load_imm_be32(1, ctx1_load(p.ctx1_iv_off + kRfc3686IvLen));
}

// AAD length: loaded from the frame, or left by the job descriptor; DPOVRD is a MATH operand from era 3 on.
MathReg assoclen_reg(const AeadParams& p) { return p.via == Via::kQueueInterface || p.era < 3 ? kReg3 : kDpovrd; }

// AAD: authenticated, passed over in the output. (Decapsulation with an IV in the text passes over that too.)
void read_assoc(Builder& d, const AeadParams& p, bool skip_iv = false) {
  const MathReg assoclen = assoclen_reg(p);
  d.append_math_add(kVarSeqInLen, kZero, assoclen);
  if (skip_iv)
    d.append_math_add_imm_u32(kVarSeqOutLen, assoclen, kImm, p.ivsize);
  else
    d.append_math_add(kVarSeqOutLen, kZero, assoclen);
  d.append_seq_fifo_store(0, kVlfSkipOut);
  d.append_seq_fifo_load(0, kVlfAadClass2);
}

}  // namespace

void cnstr_shdsc_aead_encap(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p) {
  begin_aead(d, cdata, adata, p);
  append_class_operation(d, adata, AlgState::kInitFinal, /*enc=*/true);
  if (p.via == Via::kQueueInterface) {
    append_load_assoclen(d);
    load_iv(d, p);
  }
  read_assoc(d, p);
  load_counter(d, p);
  append_class_operation(d, cdata, AlgState::kInitFinal, /*enc=*/true);
  append_math_copy(d, kVarSeqInLen, kSeqInLen);
  append_math_copy(d, kVarSeqOutLen, kSeqInLen);
  append_src_dst(d, FifoLoadType::kMsg1Out2);
  d.append_seq_store(p.icvsize, kIcvFromContext);
}

void cnstr_shdsc_aead_decap(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p) {
  begin_aead(d, cdata, adata, p);
  append_class_operation(d, adata, AlgState::kInitFinal, /*enc=*/false, /*icv=*/true);
  if (p.via == Via::kQueueInterface) {
    append_load_assoclen(d);
    if (!p.geniv) load_iv(d, p);
  }
  read_assoc(d, p, /*skip_iv=*/p.geniv);
  if (p.geniv) {
    load_iv(d, p);
    // The IV is authenticated.
    d.append_move({.src = MoveSrc::kClass1Ctx,
                   .dst = MoveDst::kClass2InFifo,
                   .offset = static_cast<uint8_t>(p.ctx1_iv_off),
                   .len = static_cast<uint8_t>(p.ivsize)});
  }
  load_counter(d, p);
  if (p.ctx1_iv_off != 0)  // CTR decrypts with the encryption key
    append_class_operation(d, cdata, AlgState::kInitFinal, /*enc=*/false);
  else
    append_dec_op1(d, cdata);
  append_math_copy(d, kVarSeqInLen, kSeqOutLen);
  append_math_copy(d, kVarSeqOutLen, kSeqOutLen);
  append_src_dst(d, FifoLoadType::kMsg);
  d.append_seq_fifo_load(p.icvsize, kIcvLast2);
}

void cnstr_shdsc_aead_givencap(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p) {
  const auto iv_offset = static_cast<uint8_t>(p.ctx1_iv_off);
  const auto iv_len = static_cast<uint8_t>(p.ivsize);
  begin_aead(d, cdata, adata, p);
  if (p.via == Via::kQueueInterface) append_load_assoclen(d);

  if (!p.rfc3686) {
    // Random bytes from the padding block, through the DECO's alignment block into the context.
    d.append_load_imm_u32(encode(NfifoEntry{.lc1 = true,
                                            .src = NfifoSource::kPad,
                                            .data = NfifoData::kMsg,
                                            .pad = NfifoPad::kRandom,
                                            .len = static_cast<uint16_t>(p.ivsize)}),
                          {.dst = kRegNfifo});
    append_auto_nfifo(d, AutoNfifo::kDisable);
    d.append_move(
        {.wait = true, .src = MoveSrc::kInFifoDeco, .dst = MoveDst::kClass1Ctx, .offset = iv_offset, .len = iv_len});
    append_auto_nfifo(d, AutoNfifo::kEnable);
  } else if (p.via == Via::kQueueInterface) {
    load_iv(d, p);
  }
  d.append_move({.src = MoveSrc::kClass1Ctx, .dst = MoveDst::kOutFifo, .offset = iv_offset, .len = iv_len});

  append_class_operation(d, adata, AlgState::kInitFinal, /*enc=*/true);
  read_assoc(d, p);
  // The IV, waiting in OFIFO, is authenticated as well.
  d.append_load_imm_u32(encode(NfifoEntry{.dest = NfifoDest::kClass2,
                                          .src = NfifoSource::kOutFifo,
                                          .data = NfifoData::kMsg,
                                          .len = static_cast<uint16_t>(p.ivsize)}),
                        {.dst = kRegNfifo});
  d.append_load_imm_u32(p.ivsize, {.cls = kCls2, .dst = kRegDataSize});
  load_counter(d, p);
  append_class_operation(d, cdata, AlgState::kInitFinal, /*enc=*/true);

  // Output: IV and ciphertext; the input's room for the IV is passed over.
  append_math_copy(d, kVarSeqOutLen, kSeqInLen);
  d.append_seq_fifo_load(p.ivsize, {.cls = ClassSel::kNone});
  append_math_copy(d, kVarSeqInLen, kSeqInLen);
  // The store below must not take the IV from OFIFO before class 2 has had it.
  d.append_wait({.jsl = true, .cond = kCondNifp});
  d.append_seq_fifo_load(0, both_classes(FifoLoadType::kMsg1Out2));
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_store(p.icvsize, kIcvFromContext);
}

namespace {

struct MovePatch {
  Builder::Label read, write;
};

// The copy of AAD and text waits in the class 2 alignment block, from where a MOVE takes it to the output. The MOVE's
// length is known only at run time: its command word is patched in the descriptor buffer, by way of a MATH register
// that holds the length in its low 16 bits.
MovePatch patch_move_length(Builder& d, MoveSrc from_math, MoveDst to_math) {
  const auto read = d.append_move_patched({.src = MoveSrc::kDescBuf, .dst = to_math, .len = 6});
  const auto write = d.append_move_patched({.wait = true, .src = from_math, .dst = MoveDst::kDescBuf, .len = 8});
  return {read, write};
}

void copy_to_output(Builder& d, const MovePatch& patch) {
  d.set_move_tgt_here(patch.read);
  d.set_move_tgt_here(patch.write);
  append_auto_nfifo(d, AutoNfifo::kDisable);
  d.append_move({.aux = 1, .src = MoveSrc::kInFifoClass, .dst = MoveDst::kOutFifo});
}

void begin_aead_null(Builder& d, const AlgInfo& adata, const AeadNullParams& p) {
  d.init_sh_desc({.share = p.share});
  const auto key_jump = append_jump_if_shared(d);
  append_auth_key(d, adata, p.era);
  d.set_jump_tgt_here(key_jump);
}

}  // namespace

void cnstr_shdsc_aead_null_encap(Builder& d, const AlgInfo& adata, const AeadNullParams& p) {
  begin_aead_null(d, adata, p);
  d.append_math_sub(kReg3, kSeqInLen, kReg0);
  d.append_math_add(kVarSeqInLen, kZero, kReg3);
  d.append_math_add(kVarSeqOutLen, kZero, kReg3);
  const MovePatch patch = patch_move_length(d, MoveSrc::kMath3, MoveDst::kMath3);
  append_class_operation(d, adata, AlgState::kInitFinal, /*enc=*/true);
  append_src_dst(d, FifoLoadType::kMsg, kFifoLoadFlush1);
  copy_to_output(d, patch);
  d.append_seq_store(p.icvsize, kIcvFromContext);
}

void cnstr_shdsc_aead_null_decap(Builder& d, const AlgInfo& adata, const AeadNullParams& p) {
  begin_aead_null(d, adata, p);
  append_class_operation(d, adata, AlgState::kInitFinal, /*enc=*/false, /*icv=*/true);
  d.append_math_sub(kReg2, kSeqOutLen, kReg0);
  d.append_math_add(kVarSeqInLen, kZero, kReg2);
  d.append_math_add(kVarSeqOutLen, kZero, kReg2);
  const MovePatch patch = patch_move_length(d, MoveSrc::kMath2, MoveDst::kMath2);
  append_src_dst(d, FifoLoadType::kMsg, kFifoLoadFlush1);
  // At least four commands have to lie between a patch and its target (hardware.md 2.9).
  d.append_wait({});
  copy_to_output(d, patch);
  append_auto_nfifo(d, AutoNfifo::kEnable);
  d.append_seq_fifo_load(p.icvsize, kIcvLast2);
}

void init_authenc_job(Builder& d, const AuthencJob& job) {
  init_aead_job(d, job.aead, job.aead.era < 3 ? kReg3 : kDpovrd);
  if (!job.iv.empty()) d.append_load_as_imm(job.iv, ctx1_load(job.ctx1_iv_off));
}

}  // namespace caamlab::desc
