// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Shared descriptor of AES-CMAC and AES-XCBC-MAC. Their job descriptors are those of hash.h.
// Source: caamhash_desc.c (cnstr_shdsc_sk_hash), Linux 6.12; equal to it word for word (tests/golden/hash.json,
// endian.json). A follower that finds its keys by sharing jumps over the SEQ LOAD of the context too.
#pragma once

#include "desc/constructors/alg_info.h"

namespace caamlab::desc {

struct SkHashParams {
  AlgState state = AlgState::kInitFinal;
  unsigned digestsize = 16;  // bytes to store: the MAC, or the context of an unfinished one
  unsigned ctx_len = 0;      // bytes of saved context in front of the input (kUpdate, kFinal)
  ShareMode share = ShareMode::kSerial;
};

// adata: AES, op.aai kCmac or kXcbcMac, key inline. XCBC: the first job leaves K1, encrypted, at adata.key_dma, from
// where kUpdate and kFinal take it.
void cnstr_shdsc_sk_hash(Builder& d, const AlgInfo& adata, const SkHashParams& p);

}  // namespace caamlab::desc
