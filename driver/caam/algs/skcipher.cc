// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The skcipher table (crypto-api.md 5.1; kernel caamalg.c, driver_algs[]).
#include "driver/caam/algs/skcipher.h"

namespace caamlab::driver::caam {
namespace {

using desc::Alg;
namespace aai = desc::aai;

constexpr CaamAlgEntry class1(Alg alg, uint16_t mode, bool rfc3686 = false) {
  return {.class1 = {.alg = alg, .aai = mode}, .has_class1 = true, .rfc3686 = rfc3686};
}

constexpr SkcipherRow kRows[] = {
    {"cbc(aes)", "cbc-aes-caam", 16, 16, 16, 16, 32, class1(Alg::kAes, aai::kCbc), aes_skcipher_setkey},
    {"cbc(des3_ede)", "cbc-3des-caam", 8, 8, 8, 24, 24, class1(Alg::k3Des, aai::kCbc), des3_skcipher_setkey},
    {"cbc(des)", "cbc-des-caam", 8, 8, 8, 8, 8, class1(Alg::kDes, aai::kCbc), des_skcipher_setkey},
    {"ctr(aes)", "ctr-aes-caam", 1, 16, 16, 16, 32, class1(Alg::kAes, aai::kCtrMod128), aes_skcipher_setkey},
    {"rfc3686(ctr(aes))", "rfc3686-ctr-aes-caam", 1, 16, 8, 20, 36, class1(Alg::kAes, aai::kCtrMod128, true),
     rfc3686_skcipher_setkey},
    {"xts(aes)", "xts-aes-caam", 16, 16, 16, 32, 64, class1(Alg::kAes, aai::kXts), xts_skcipher_setkey},
    {"ecb(des)", "ecb-des-caam", 8, 8, 0, 8, 8, class1(Alg::kDes, aai::kEcb), des_skcipher_setkey},
    {"ecb(aes)", "ecb-aes-caam", 16, 16, 0, 16, 32, class1(Alg::kAes, aai::kEcb), aes_skcipher_setkey},
    {"ecb(des3_ede)", "ecb-des3-caam", 8, 8, 0, 24, 24, class1(Alg::k3Des, aai::kEcb), des3_skcipher_setkey},
};

}  // namespace

std::span<const SkcipherRow> driver_algs() { return kRows; }

}  // namespace caamlab::driver::caam
