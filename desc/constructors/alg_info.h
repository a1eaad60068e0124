// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a constructor is told about an algorithm and its key (kernel: struct alginfo).
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

struct AlgInfo {
  AlgOperation op{};        // class, algorithm, AAI; AS, ICV and ENC are the constructor's
  uint16_t keylen = 0;      // bytes; of a split key (era < 6) the split length
  uint16_t keylen_pad = 0;  // bytes the key takes in memory; authentication: split key, padded
  bool key_inline = true;
  uint64_t key_dma = 0;  // bus address, used unless key_inline
  ByteSpan key{};        // the key bytes; salts and nonces lie behind keylen
};

// Whether the descriptor is for the queue interface, where the frame carries assoclen and IV in front, or for a job
// ring, where the job descriptor does.
enum class Via : uint8_t { kJobRing, kQueueInterface };

// The jump that every shared descriptor has over its key commands: taken when the keys came by sharing.
[[nodiscard]] inline Builder::Label append_jump_if_shared(Builder& d) {
  return d.append_jump({.jsl = true, .cond = kCondShrd});
}

// The class 1 key, inline or by pointer. keylen: bytes, where the key is only the front of cdata.key.
inline void append_class1_key(Builder& d, const AlgInfo& cdata, unsigned keylen) {
  const Key options{.cls = ClassSel::kClass1};
  if (cdata.key_inline)
    d.append_key_as_imm(cdata.key.first(keylen), keylen, options);
  else
    d.append_key(cdata.key_dma, keylen, options);
}
inline void append_class1_key(Builder& d, const AlgInfo& cdata) { append_class1_key(d, cdata, cdata.keylen); }

// cdata's OPERATION with this state and direction.
inline void append_class_operation(Builder& d, const AlgInfo& info, AlgState as, bool enc, bool icv = false) {
  AlgOperation op = info.op;
  op.as = as;
  op.enc = enc;
  op.icv = icv;
  d.append_operation(op);
}

// The same for AES decryption in a mode whose key register ends up in decryption form: a job that got its keys by
// sharing finds that form and says so by DK (hardware.md 2.13). Other ciphers have no such form.
inline void append_dec_op1(Builder& d, const AlgInfo& cdata) {
  if (cdata.op.alg != Alg::kAes) return append_class_operation(d, cdata, AlgState::kInitFinal, /*enc=*/false);
  const auto shared = append_jump_if_shared(d);
  append_class_operation(d, cdata, AlgState::kInit, /*enc=*/false);
  const auto done = d.append_jump({});
  d.set_jump_tgt_here(shared);
  AlgInfo dk = cdata;
  dk.op.aai |= aai::kDk;
  append_class_operation(d, dk, AlgState::kInit, /*enc=*/false);
  d.set_jump_tgt_here(done);
}

// Derived key protocol (era 6+): the HMAC key, inline or by pointer, from which the SEC makes the split key and writes
// it over the command (hardware.md 2.15.2). adata.keylen: of the HMAC key; keylen_pad: of the split key. An inline key
// longer than the split key goes by pointer, as its tail would be left behind as commands.
inline void append_proto_dkp(Builder& d, const AlgInfo& adata) {
  const bool by_pointer = !adata.key_inline || adata.keylen > adata.keylen_pad;
  const DkpEnd src = by_pointer ? DkpEnd::kPtr : DkpEnd::kImm;
  const DkpEnd dst = adata.key_inline ? DkpEnd::kImm : DkpEnd::kPtr;
  d.append_operation(ProtocolOperation::dkp(adata.op.alg, src, dst, adata.keylen));
  const unsigned start = d.len();
  if (by_pointer)
    d.append_ptr(adata.key_dma);
  else
    d.append_data(adata.key.first(adata.keylen));
  const unsigned written = d.len() - start;
  const unsigned split_words = words_for_bytes(adata.keylen_pad);
  if (adata.key_inline && split_words > written) d.append_space(split_words - written);
}

// The authentication key as a split key: before era 6 made by software (gen_split_key) and encrypted.
inline void append_split_key_as_imm(Builder& d, const AlgInfo& adata) {
  d.append_key_as_imm(adata.key.first(adata.keylen_pad), adata.keylen,
                      {.cls = ClassSel::kClass2, .enc = true, .dest = KeyDest::kMdhaSplit});
}
inline void append_auth_key(Builder& d, const AlgInfo& adata, int era) {
  if (era >= 6) return append_proto_dkp(d, adata);
  if (adata.key_inline) return append_split_key_as_imm(d, adata);
  d.append_key(adata.key_dma, adata.keylen, {.cls = ClassSel::kClass2, .enc = true, .dest = KeyDest::kMdhaSplit});
}

// Waits until everything the DECO has started is over; between SEQ LOAD into MATH and its use (hardware.md 2.4).
inline void append_wait_all_idle(Builder& d) {
  d.append_wait({.jsl = true, .cond = kCondCalm | kCondNip | kCondNifp | kCondNop | kCondNcp});
}

// Queue interface: the frame starts with assoclen as a 4-byte number, which goes to MATH3.
inline void append_load_assoclen(Builder& d) {
  d.append_seq_load(4, {.cls = ClassSel::kDeco, .dst = kRegMath3, .offset = 4});
  append_wait_all_idle(d);
}

// What is left of one sequence becomes the variable length of the other or the same: dest = src.
inline void append_math_copy(Builder& d, MathReg dest, MathReg src) { d.append_math_add(dest, src, MathReg::kReg0); }

// Switches the automatic making of NFIFO entries for FIFO LOAD and MOVE (LOAD to DECO control).
enum class AutoNfifo : uint8_t { kEnable = 0x04, kDisable = 0x08 };
inline void append_auto_nfifo(Builder& d, AutoNfifo state) {
  d.append_load_cmd({.cls = ClassSel::kDeco, .dst = kRegControl, .offset = static_cast<uint8_t>(state)});
}

}  // namespace caamlab::desc
