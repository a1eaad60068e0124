// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a constructor is told about an algorithm and its key (kernel: struct alginfo).
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

struct AlgInfo {
  AlgOperation op;          // class, algorithm, AAI; AS, ICV and ENC are the constructor's
  uint16_t keylen = 0;      // bytes; of a split key (era < 6) the split length
  uint16_t keylen_pad = 0;  // bytes the key takes in memory; authentication: split key, padded
  bool key_inline = true;
  uint64_t key_dma = 0;  // bus address, used unless key_inline
  ByteSpan key;          // the key bytes; salts and nonces lie behind keylen
};

// Whether the descriptor is for the queue interface, where the frame carries assoclen and IV in front, or for a job
// ring, where the job descriptor does.
enum class Via : uint8_t { kJobRing, kQueueInterface };

// The jump that every shared descriptor has over its key commands: taken when the keys came by sharing.
[[nodiscard]] inline Builder::Label append_jump_if_shared(Builder& d) {
  return d.append_jump({.jsl = true, .cond = kCondShrd});
}

// The class 1 key, inline or by pointer.
inline void append_class1_key(Builder& d, const AlgInfo& cdata) {
  const Key options{.cls = ClassSel::kClass1};
  if (cdata.key_inline)
    d.append_key_as_imm(cdata.key.first(cdata.keylen), cdata.keylen, options);
  else
    d.append_key(cdata.key_dma, cdata.keylen, options);
}

// cdata's OPERATION with this state and direction.
inline void append_class_operation(Builder& d, const AlgInfo& info, AlgState as, bool enc, bool icv = false) {
  AlgOperation op = info.op;
  op.as = as;
  op.enc = enc;
  op.icv = icv;
  d.append_operation(op);
}

// Waits until everything the DECO has started is over; between SEQ LOAD into MATH and its use (hardware.md 2.4).
inline void append_wait_all_idle(Builder& d) {
  d.append_wait({.jsl = true, .cond = kCondCalm | kCondNip | kCondNifp | kCondNop | kCondNcp});
}

// Switches the automatic making of NFIFO entries for FIFO LOAD and MOVE (LOAD to DECO control).
enum class AutoNfifo : uint8_t { kEnable = 0x04, kDisable = 0x08 };
inline void append_auto_nfifo(Builder& d, AutoNfifo state) {
  d.append_load_cmd({.cls = ClassSel::kDeco, .dst = kRegControl, .offset = static_cast<uint8_t>(state)});
}

}  // namespace caamlab::desc
