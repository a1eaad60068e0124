// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See gcm.h. Sizes of variable parts travel in VSIL and VSOL; a zero result of the MATH that computes one skips the
// commands that would move nothing, because a zero-length LAST belongs to whichever part really comes last.
#include "desc/constructors/gcm.h"

namespace caamlab::desc {
namespace {

using enum MathReg;

constexpr ClassSel kCls1 = ClassSel::kClass1;
constexpr FifoLoad kVlfAad{.cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kAad, kFifoLoadFlush1)};
constexpr FifoLoad kVlfAadLast{
    .cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kAad, kFifoLoadLast1)};
constexpr FifoLoad kVlfMsgFlush{
    .cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadFlush1)};
constexpr FifoLoad kVlfMsgLast{
    .cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast1)};
constexpr FifoLoad kIvFlush{.cls = kCls1, .type = fifo_load_type(FifoLoadType::kIv, kFifoLoadFlush1)};
constexpr FifoLoad kIvFlushLast{.cls = kCls1,
                                .type = fifo_load_type(FifoLoadType::kIv, kFifoLoadFlush1 | kFifoLoadLast1)};
constexpr FifoLoad kIcvLast{.cls = kCls1, .type = fifo_load_type(FifoLoadType::kIcv, kFifoLoadLast1)};
constexpr FifoLoad kSkipIn{.cls = ClassSel::kNone};
constexpr FifoStore kVlfMsgOut{.sgf_vlf = true, .type = FifoStoreType::kMsg};
constexpr FifoStore kVlfSkipOut{.sgf_vlf = true, .type = FifoStoreType::kSkip};
constexpr Store kIcvFromContext{.cls = kCls1, .src = kRegContext};
constexpr unsigned kSaltLen = 4;

// Header, key unless it came by sharing, operation.
[[gnu::always_inline]] inline void begin_gcm(Builder& d, const AlgInfo& cdata, const GcmParams& p, bool encrypt) {
  d.init_sh_desc({.share = p.share});
  const auto key_jump = append_jump_if_shared(d);
  append_class1_key(d, cdata);
  d.set_jump_tgt_here(key_jump);
  append_class_operation(d, cdata, AlgState::kInitFinal, encrypt, /*icv=*/!encrypt);
}

// Queue interface, rfc4106 and rfc4543: salt from the key, then the IV from the frame.
void load_salt_and_iv(Builder& d, const AlgInfo& cdata, unsigned ivsize) {
  d.append_fifo_load_as_imm(cdata.key.subspan(cdata.keylen, kSaltLen),
                            {.cls = kCls1, .type = fifo_load_type(FifoLoadType::kIv)});
  d.append_seq_fifo_load(ivsize, kIvFlush);
}

}  // namespace

void cnstr_shdsc_gcm_encap(Builder& d, const AlgInfo& cdata, const GcmParams& p) {
  const bool qi = p.via == Via::kQueueInterface;
  begin_gcm(d, cdata, p, /*encrypt=*/true);

  // AAD and text together; qi: what is left besides the IV.
  if (qi) {
    append_load_assoclen(d);
    d.append_math_sub_imm_u32(kVarSeqOutLen, kSeqInLen, kImm, p.ivsize);
  } else {
    d.append_math_sub(kVarSeqOutLen, kSeqInLen, kReg0);
  }
  const auto no_input = d.append_jump({.cond = kCondMathZ});
  if (qi) d.append_seq_fifo_load(p.ivsize, kIvFlush);

  d.append_math_add(kVarSeqInLen, kZero, kReg3);
  const auto no_aad = d.append_jump({.cond = kCondMathZ});
  d.append_math_add(kVarSeqOutLen, kZero, kReg3);
  d.append_seq_fifo_store(0, kVlfSkipOut);
  d.append_math_sub(kVarSeqOutLen, kSeqInLen, kReg3);
  const auto no_text = d.append_jump({.cond = kCondMathZ});
  d.append_seq_fifo_load(0, kVlfAad);
  d.set_jump_tgt_here(no_aad);

  d.append_math_sub(kVarSeqInLen, kSeqInLen, kReg0);
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_fifo_load(0, kVlfMsgLast);
  const auto text_done = d.append_jump({});

  d.set_jump_tgt_here(no_text);
  d.append_seq_fifo_load(0, kVlfAadLast);
  if (qi) {
    const auto aad_done = d.append_jump({});
    d.set_jump_tgt_here(no_input);
    d.append_seq_fifo_load(p.ivsize, kIvFlushLast);
    d.set_jump_tgt_here(aad_done);
  } else {
    d.set_jump_tgt_here(no_input);
  }
  d.set_jump_tgt_here(text_done);
  d.append_seq_store(p.icvsize, kIcvFromContext);
}

void cnstr_shdsc_gcm_decap(Builder& d, const AlgInfo& cdata, const GcmParams& p) {
  begin_gcm(d, cdata, p, /*encrypt=*/false);
  if (p.via == Via::kQueueInterface) {
    append_load_assoclen(d);
    d.append_seq_fifo_load(p.ivsize, kIvFlush);
  }
  d.append_math_add(kVarSeqInLen, kZero, kReg3);
  const auto no_aad = d.append_jump({.cond = kCondMathZ});
  d.append_math_add(kVarSeqOutLen, kZero, kReg3);
  d.append_seq_fifo_store(0, kVlfSkipOut);
  d.append_seq_fifo_load(0, kVlfAad);
  d.set_jump_tgt_here(no_aad);

  // The text is what the output sequence still has room for.
  d.append_math_sub(kVarSeqInLen, kSeqOutLen, kReg0);
  const auto no_text = d.append_jump({.cond = kCondMathZ});
  d.append_math_sub(kVarSeqOutLen, kSeqOutLen, kReg0);
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_fifo_load(0, kVlfMsgFlush);
  d.set_jump_tgt_here(no_text);

  d.append_seq_fifo_load(p.icvsize, kIcvLast);
}

void cnstr_shdsc_rfc4106_encap(Builder& d, const AlgInfo& cdata, const GcmParams& p) {
  begin_gcm(d, cdata, p, /*encrypt=*/true);
  if (p.via == Via::kQueueInterface) {
    append_load_assoclen(d);
    load_salt_and_iv(d, cdata, p.ivsize);
  }
  d.append_math_sub_imm_u32(kVarSeqInLen, kReg3, kImm, p.ivsize);
  d.append_math_add(kVarSeqOutLen, kZero, kReg3);
  d.append_seq_fifo_store(0, kVlfSkipOut);
  d.append_math_sub(kVarSeqOutLen, kSeqInLen, kReg3);
  const auto no_text = d.append_jump({.cond = kCondMathZ});
  d.append_seq_fifo_load(0, kVlfAad);
  // Keeps the two skips apart (erratum A-005473).
  d.append_seq_fifo_store(0, {.type = FifoStoreType::kMsg});
  d.append_seq_fifo_load(p.ivsize, kSkipIn);
  d.append_math_add(kVarSeqInLen, kVarSeqOutLen, kReg0);
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_fifo_load(0, kVlfMsgLast);
  const auto text_done = d.append_jump({});

  d.set_jump_tgt_here(no_text);
  d.append_seq_fifo_load(0, kVlfAadLast);
  d.set_jump_tgt_here(text_done);
  d.append_seq_store(p.icvsize, kIcvFromContext);
}

void cnstr_shdsc_rfc4106_decap(Builder& d, const AlgInfo& cdata, const GcmParams& p) {
  begin_gcm(d, cdata, p, /*encrypt=*/false);
  if (p.via == Via::kQueueInterface) {
    append_load_assoclen(d);
    load_salt_and_iv(d, cdata, p.ivsize);
  }
  d.append_math_sub_imm_u32(kVarSeqInLen, kReg3, kImm, p.ivsize);
  d.append_math_add(kVarSeqOutLen, kZero, kReg3);
  d.append_seq_fifo_load(0, kVlfAad);
  d.append_seq_fifo_load(p.ivsize, kSkipIn);
  d.append_math_sub(kVarSeqInLen, kSeqOutLen, kReg3);
  // Keeps the two skips apart (erratum A-005473).
  d.append_seq_fifo_load(0, {.cls = kCls1, .type = fifo_load_type(FifoLoadType::kMsg)});
  d.append_seq_fifo_store(0, kVlfSkipOut);
  d.append_math_sub(kVarSeqOutLen, kSeqOutLen, kReg0);
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_fifo_load(0, kVlfMsgFlush);
  d.append_seq_fifo_load(p.icvsize, kIcvLast);
}

namespace {

// The AAD goes to class 1 for GHASH and, as a copy, to the class 2 alignment block, from where a MOVE takes it to the
// output. The MOVE's length is known only at run time: its command word is patched in the descriptor buffer.
void rfc4543_body(Builder& d, const AlgInfo& cdata, const GcmParams& p, bool encrypt) {
  begin_gcm(d, cdata, p, encrypt);
  if (p.via == Via::kQueueInterface) {
    d.append_seq_fifo_load(4, kSkipIn);  // assoclen is not needed
    load_salt_and_iv(d, cdata, p.ivsize);
  }
  const MathReg text_len = encrypt ? kSeqInLen : kSeqOutLen;
  d.append_math_sub(kReg3, text_len, kReg0);
  // MATH3 holds the length in its low 16 bits; the six bytes in front of them become the command before the target
  // MOVE and that MOVE's upper half.
  const auto read_target = d.append_move_patched({.src = MoveSrc::kDescBuf, .dst = MoveDst::kMath3, .len = 6});
  const auto patch_target =
      d.append_move_patched({.wait = true, .src = MoveSrc::kMath3, .dst = MoveDst::kDescBuf, .len = 8});
  d.append_math_sub(kVarSeqInLen, text_len, kReg0);
  d.append_math_sub(kVarSeqOutLen, text_len, kReg0);
  d.append_seq_fifo_store(0, kVlfMsgOut);
  const uint8_t actions = encrypt ? kFifoLoadLastBoth : kFifoLoadLast2 | kFifoLoadFlush1;
  d.append_seq_fifo_load(
      0, {.cls = ClassSel::kBoth, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kAad, actions)});

  d.set_move_tgt_here(read_target);
  d.set_move_tgt_here(patch_target);
  append_auto_nfifo(d, AutoNfifo::kDisable);
  d.append_move({.src = MoveSrc::kInFifoClass, .dst = MoveDst::kOutFifo});
}

}  // namespace

void cnstr_shdsc_rfc4543_encap(Builder& d, const AlgInfo& cdata, const GcmParams& p) {
  rfc4543_body(d, cdata, p, /*encrypt=*/true);
  d.append_seq_store(p.icvsize, kIcvFromContext);
}

void cnstr_shdsc_rfc4543_decap(Builder& d, const AlgInfo& cdata, const GcmParams& p) {
  rfc4543_body(d, cdata, p, /*encrypt=*/false);
  append_auto_nfifo(d, AutoNfifo::kEnable);
  d.append_seq_fifo_load(p.icvsize, kIcvLast);
}

}  // namespace caamlab::desc
