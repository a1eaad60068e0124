// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job descriptors of RSA: a protocol data block and one OPERATION. Source: pkc_desc.c, Linux 6.12; equal to it word for
// word (tests/golden/pkc.json). Which of the numbers is input and which output: desc/pdb.h.
#pragma once

#include "desc/builder.h"
#include "desc/pdb.h"

namespace caamlab::desc {

// All addresses are bus addresses of big-endian numbers, or of S/G tables where the word says so.
struct RsaPubPdb {
  RsaPubWord word{};
  uint64_t f = 0, g = 0, n = 0, e = 0;
  uint32_t f_len = 0;  // bytes
};
struct RsaPrivF1Pdb {
  RsaPrivWord word{};
  uint64_t g = 0, f = 0, n = 0, d = 0;
};
// tmp1 and tmp2 are scratch as long as p and q.
struct RsaPrivF2Pdb {
  RsaPrivWord word{};
  uint64_t g = 0, f = 0, d = 0, p = 0, q = 0, tmp1 = 0, tmp2 = 0;
  RsaPrimeLengths lengths{};
};
struct RsaPrivF3Pdb {
  RsaPrivWord word{};
  uint64_t g = 0, f = 0, c = 0, p = 0, q = 0, dp = 0, dq = 0, tmp1 = 0, tmp2 = 0;
  RsaPrimeLengths lengths{};
};

void init_rsa_pub_desc(Builder& d, const RsaPubPdb& pdb);
void init_rsa_priv_f1_desc(Builder& d, const RsaPrivF1Pdb& pdb);
void init_rsa_priv_f2_desc(Builder& d, const RsaPrivF2Pdb& pdb);
void init_rsa_priv_f3_desc(Builder& d, const RsaPrivF3Pdb& pdb);

}  // namespace caamlab::desc
