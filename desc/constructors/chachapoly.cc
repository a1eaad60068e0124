// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See chachapoly.h.
#include "desc/constructors/chachapoly.h"

#include "desc/nfifo.h"

namespace caamlab::desc {
namespace {

using enum MathReg;

constexpr unsigned kSaltLen = 4, kSaltOffset = 4;
constexpr ClassSel kCls1 = ClassSel::kClass1, kCls2 = ClassSel::kClass2;
constexpr FifoStore kVlfMsgOut{.sgf_vlf = true, .type = FifoStoreType::kMsg};
constexpr uint8_t kMetadataCopy = 2;  // AUX of METADATA: input sequence to output sequence

// The nonce follows the 4-byte counter; with ESP the salt lies between them.
constexpr unsigned iv_offset(unsigned ivsize) { return ivsize == kChaChaPolyIvSize ? 4 : 8; }

void begin_chachapoly(Builder& d, const AlgInfo& cdata, const ChaChaPolyParams& p) {
  d.init_sh_desc({.savectx = true, .share = p.share});
  const auto key_jump = append_jump_if_shared(d);
  d.append_key_as_imm(cdata.key.first(cdata.keylen), cdata.keylen, {.cls = kCls1});
  if (p.ivsize != kChaChaPolyIvSize)
    d.append_load_as_imm(cdata.key.subspan(cdata.keylen, kSaltLen),
                         {.cls = kCls1, .dst = kRegContext, .offset = kSaltOffset});
  d.set_jump_tgt_here(key_jump);
}

// The AAD goes to both alignment blocks: class 2 authenticates it, padded to a block, and what waits in class 1 is
// moved to the output, as it must not be encrypted.
void copy_assoc(Builder& d) {
  d.append_load_imm_u32(
      encode(NfifoEntry{.dest = NfifoDest::kBoth, .fc2 = true, .fc1 = true, .data = NfifoData::kPoly, .bnd = true}),
      {.dst = kRegNfifoSzm, .len = 3});  // length from MATH3
  d.append_math_add(kVarSeqInLen, kZero, kReg3);
  d.append_math_add(kVarSeqOutLen, kZero, kReg3);
  d.append_seq_fifo_load(0, {.cls = kCls1, .sgf_vlf = true, .type = fifo_load_type(FifoLoadType::kNoInfoFifo)});
  d.append_move_len({.aux = 1, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo, .math = 3});
  d.append_seq_fifo_store(0, kVlfMsgOut);
}

void append_src_dst(Builder& d, MathReg length, FifoLoadType type) {
  append_math_copy(d, kVarSeqInLen, length);
  append_math_copy(d, kVarSeqOutLen, length);
  d.append_seq_fifo_store(0, kVlfMsgOut);
  d.append_seq_fifo_load(0, {.cls = ClassSel::kBoth, .sgf_vlf = true, .type = fifo_load_type(type, kFifoLoadLastBoth)});
}

}  // namespace

void cnstr_shdsc_chachapoly(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const ChaChaPolyParams& p) {
  begin_chachapoly(d, cdata, p);
  append_class_operation(d, adata, AlgState::kInitFinal, p.encrypt, /*icv=*/!p.encrypt);
  append_class_operation(d, cdata, AlgState::kInitFinal, p.encrypt);
  if (p.via == Via::kQueueInterface) {
    append_load_assoclen(d);
    d.append_seq_load(p.ivsize,
                      {.cls = kCls1, .dst = kRegContext, .offset = static_cast<uint8_t>(iv_offset(p.ivsize))});
  }
  copy_assoc(d);
  if (p.ivsize != kChaChaPolyIvSize)
    d.append_seq_fifo_store(p.ivsize, {.cls = static_cast<ClassSel>(kMetadataCopy), .type = FifoStoreType::kMetadata});
  d.append_wait({.jsl = true, .cond = kCondNop});

  if (p.encrypt) {
    append_src_dst(d, kSeqInLen, FifoLoadType::kMsg1Out2);
    d.append_seq_store(p.icvsize, {.cls = kCls2, .src = kRegContext});
  } else {
    append_src_dst(d, kSeqOutLen, FifoLoadType::kMsg);
    d.append_seq_fifo_load(p.icvsize, {.cls = kCls2, .type = fifo_load_type(FifoLoadType::kIcv, kFifoLoadLast2)});
  }
}

void init_chachapoly_job(Builder& d, const ChaChaPolyJob& job) {
  AeadJob aead = job.aead;
  if (job.iv.size() != kChaChaPolyIvSize) aead.assoclen -= static_cast<uint32_t>(job.iv.size());
  init_aead_job(d, aead, kReg3);
  d.append_load_as_imm(job.iv, {.cls = kCls1,
                                .dst = kRegContext,
                                .offset = static_cast<uint8_t>(iv_offset(static_cast<unsigned>(job.iv.size())))});
}

}  // namespace caamlab::desc
