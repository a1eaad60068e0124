// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See mdha.h.
#include "hw_model/cha/mdha.h"

#include <cstring>

namespace caamlab::hw_model {
namespace {

namespace aai = desc::aai;

// SSL 3.0 pads the key with 48 bytes for MD5, 40 for SHA-1.
void absorb_smac_key(HashState& hash, const ClassRegs& regs, uint8_t pad) {
  uint8_t block[48];
  std::memset(block, pad, sizeof(block));
  hash.update(regs.key.key());
  hash.update({block, regs.op.alg == desc::Alg::kMd5 ? 48u : 40u});
}

}  // namespace

CcbError Mdha::start(const ClassRegs& regs) {
  const bool smac = regs.op.aai == aai::kSmac;
  return smac && regs.op.as != desc::AlgState::kInitFinal ? CcbError::kMode : CcbError::kNone;
}

// The split key of an HMAC operation, from a raw key where the register holds one.
CcbError Mdha::take_split_key(ClassRegs& regs) {
  KeyRegister& key = regs.key;
  const HashInfo& info = hash_info(regs.op.alg);
  const unsigned split_len = 2 * info.state_bytes;
  if (regs.op.aai == aai::kHmacPrecomp || (key.split && !is_init(regs.op.as))) {
    if (key.size != split_len) return CcbError::kKeySize;
    std::copy_n(key.bytes.begin(), split_len, split_.begin());
    return CcbError::kNone;
  }
  if (key.size > info.block_bytes) return CcbError::kKeySize;
  make_split_key(regs.op.alg, key.key(), split_.data());
  if (!is_init(regs.op.as)) return CcbError::kNone;
  std::copy_n(split_.begin(), split_len, key.bytes.begin());
  key.size = split_len;
  key.split = true;
  return CcbError::kNone;
}

CcbError Mdha::begin(ClassRegs& regs) {
  const HashInfo& info = hash_info(regs.op.alg);
  icv_.reset();
  computed_ = false;
  const bool hmac = (regs.op.aai & (aai::kHmac | aai::kHmacPrecomp)) != 0;
  // An HMAC update needs no key: it is that of the hash.
  if (hmac && regs.op.as != desc::AlgState::kUpdate)
    if (const CcbError e = take_split_key(regs); e != CcbError::kNone) return e;
  if (!is_init(regs.op.as)) {
    const uint8_t* ctx = regs.context();
    hash_.load(regs.op.alg, ctx, desc::load_be64(ctx + info.state_bytes));
    return CcbError::kNone;
  }
  if (hmac) {
    hash_.load(regs.op.alg, split_.data(), info.block_bytes);
    return CcbError::kNone;
  }
  hash_.init(regs.op.alg);
  if (regs.op.aai == aai::kSmac) {
    if (regs.key.size > info.block_bytes) return CcbError::kKeySize;
    absorb_smac_key(hash_, regs, 0x36);
  }
  return CcbError::kNone;
}

CcbError Mdha::feed(ClassRegs&, DataType type, ByteSpan in, Output&) {
  if (type == DataType::kIcv) {
    icv_.add(in);
    return CcbError::kNone;
  }
  if (type != DataType::kMsg || computed_ || icv_.received()) return CcbError::kSequence;
  hash_.update(in);
  return CcbError::kNone;
}

// The hash over the inner digest, which is in the context.
void Mdha::run_outer(ClassRegs& regs) {
  const HashInfo& info = hash_info(regs.op.alg);
  const ByteSpan inner(regs.context(), info.digest_bytes);
  if (regs.op.aai == aai::kSmac) {
    hash_.init(regs.op.alg);
    absorb_smac_key(hash_, regs, 0x5C);
  } else {
    hash_.load(regs.op.alg, split_.data() + info.state_bytes, info.block_bytes);
  }
  hash_.update(inner);
  hash_.finish(regs.context());
}

CcbError Mdha::finish(ClassRegs& regs) {
  if (computed_) return CcbError::kNone;
  computed_ = true;
  uint8_t* ctx = regs.context();
  const unsigned length_at = hash_info(regs.op.alg).state_bytes;
  if (is_final(regs.op.as)) {
    hash_.finish(ctx);
    if (regs.op.aai != aai::kHash) run_outer(regs);
  } else {
    if (hash_.partial() != 0) return CcbError::kDataSize;
    hash_.store(ctx);
  }
  desc::store_be64(ctx + length_at, hash_.bytes());
  return CcbError::kNone;
}

CcbError Mdha::last(ClassRegs& regs, DataType type, Output&) {
  if (const CcbError e = finish(regs); e != CcbError::kNone) return e;
  if (type != DataType::kIcv) return CcbError::kNone;
  return icv_.compare(regs.context(), regs.icv_size, hash_info(regs.op.alg).digest_bytes);
}

}  // namespace caamlab::hw_model
