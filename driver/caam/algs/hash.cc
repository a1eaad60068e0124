// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The hash table (crypto-api.md 5.1; kernel caamhash.c, driver_hash[]). Contexts: running state and 8 bytes of length
// (hardware.md 4.6); xcbc the MAC and two keys, cmac the MAC and one (4.3).
#include "driver/caam/algs/hash.h"

namespace caamlab::driver::caam {
namespace {

using desc::Alg;
namespace aai = desc::aai;

constexpr desc::AlgOperation mdha(Alg alg) { return {.cls = desc::ClassSel::kClass2, .alg = alg, .aai = aai::kHash}; }
constexpr desc::AlgOperation aes(uint16_t mode) {
  return {.cls = desc::ClassSel::kClass1, .alg = Alg::kAes, .aai = mode};
}

constexpr HashRow kRows[] = {
    {"sha1", "sha1-caam", "hmac(sha1)", "hmac-sha1-caam", 64, 20, 20 + 8, mdha(Alg::kSha1)},
    {"sha224", "sha224-caam", "hmac(sha224)", "hmac-sha224-caam", 64, 28, 32 + 8, mdha(Alg::kSha224)},
    {"sha256", "sha256-caam", "hmac(sha256)", "hmac-sha256-caam", 64, 32, 32 + 8, mdha(Alg::kSha256)},
    {"sha384", "sha384-caam", "hmac(sha384)", "hmac-sha384-caam", 128, 48, 64 + 8, mdha(Alg::kSha384)},
    {"sha512", "sha512-caam", "hmac(sha512)", "hmac-sha512-caam", 128, 64, 64 + 8, mdha(Alg::kSha512)},
    {"md5", "md5-caam", "hmac(md5)", "hmac-md5-caam", 64, 16, 16 + 8, mdha(Alg::kMd5)},
    {nullptr, nullptr, "xcbc(aes)", "xcbc-aes-caam", 16, 16, 48, aes(aai::kXcbcMac)},
    {nullptr, nullptr, "cmac(aes)", "cmac-aes-caam", 16, 16, 32, aes(aai::kCmac)},
};

}  // namespace

std::span<const HashRow> driver_hash() { return kRows; }

}  // namespace caamlab::driver::caam
