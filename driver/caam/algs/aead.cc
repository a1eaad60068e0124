// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The aead table (crypto-api.md 5.1; kernel caamalg.c, driver_aeads[]).
#include "driver/caam/algs/aead.h"

namespace caamlab::driver::caam {
namespace {

constexpr desc::AlgOperation kAesGcm{.alg = desc::Alg::kAes, .aai = desc::aai::kGcm};
constexpr CaamAlgEntry kGcm{.class1 = kAesGcm, .has_class1 = true, .nodkp = true};

const AeadRow kGcmRows[] = {
    {"rfc4106(gcm(aes))", "rfc4106-gcm-aes-caam", 1, 8, 16, kGcm, &kRfc4106Family},
    {"rfc4543(gcm(aes))", "rfc4543-gcm-aes-caam", 1, 8, 16, kGcm, &kRfc4543Family},
    {"gcm(aes)", "gcm-aes-caam", 1, 12, 16, kGcm, &kGcmFamily},
};

}  // namespace

std::vector<AeadRow> driver_aeads() { return {std::begin(kGcmRows), std::end(kGcmRows)}; }

}  // namespace caamlab::driver::caam
