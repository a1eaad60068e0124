// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The tables: which algorithms there are. Priorities of instances follow from their parts (crypto-api.md 1.7).
#include "driver/software/software.h"

#include "driver/software/gcm.h"

namespace caamlab::driver::software {
namespace {

constexpr uint32_t kInstance = api::CRYPTO_ALG_INSTANCE;

constexpr GcmRow kGenericGcm[] = {
    {{"gcm(aes)", "gcm_base(ctr(aes-generic),ghash-generic)", "gcm", 100, kInstance}, GcmForm::kGcm},
    {{"rfc4106(gcm(aes))", "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))", "gcm", 100, kInstance},
     GcmForm::kRfc4106},
    {{"rfc4543(gcm(aes))", "rfc4543(gcm_base(ctr(aes-generic),ghash-generic))", "gcm", 100, kInstance},
     GcmForm::kRfc4543},
};

constexpr GcmRow kCeGcm[] = {
    {{"gcm(aes)", "gcm-aes-ce", "ghash_ce", 300}, GcmForm::kGcm},
    {{"rfc4106(gcm(aes))", "rfc4106-gcm-aes-ce", "ghash_ce", 300}, GcmForm::kRfc4106},  // from 6.2
};

tl::expected<Algorithms, int> done(Algorithms algorithms) {
  if (algorithms.error() != 0) return tl::make_unexpected(algorithms.error());
  return algorithms;
}

}  // namespace

tl::expected<Algorithms, int> register_generic(api::Registry& registry, Compositions compositions) {
  Algorithms algorithms(registry);
  if (compositions == Compositions::kGeneric) {
    for (const GcmRow& row : kGenericGcm) add_gcm(&algorithms, row);
  }
  return done(std::move(algorithms));
}

tl::expected<Algorithms, int> register_cpu_instructions(api::Registry& registry) {
  Algorithms algorithms(registry);
  for (const GcmRow& row : kCeGcm) add_gcm(&algorithms, row);
  return done(std::move(algorithms));
}

}  // namespace caamlab::driver::software
