// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A reader for SEQUENCEs of INTEGERs.
#include "api/rsa_helper.h"

#include <array>

#include "api/errno.h"

namespace caamlab::api {
namespace {

constexpr uint8_t kTagInteger = 0x02;
constexpr uint8_t kTagSequence = 0x30;
constexpr size_t kFipsMinModulus = 256;  // bytes

// Takes one tag-length-value off the front of *ber.
bool take(std::span<const uint8_t>* ber, uint8_t tag, std::span<const uint8_t>* value) {
  if (ber->size() < 2 || (*ber)[0] != tag) return false;
  size_t len = (*ber)[1];
  size_t header = 2;
  if (len >= 0x80) {
    const size_t num_bytes = len & 0x7f;
    if (num_bytes == 0 || num_bytes > 4 || ber->size() < header + num_bytes) return false;
    len = 0;
    for (; header < 2 + num_bytes; ++header) len = len << 8 | (*ber)[header];
  }
  if (ber->size() - header < len) return false;
  *value = ber->subspan(header, len);
  *ber = ber->subspan(header + len);
  return true;
}

std::span<const uint8_t> without_leading_zeros(std::span<const uint8_t> number) {
  while (!number.empty() && number[0] == 0) number = number.subspan(1);
  return number;
}

// A SEQUENCE of exactly these numbers; null: read and not kept.
int parse(std::span<const uint8_t> ber, std::span<std::span<const uint8_t>* const> numbers) {
  std::span<const uint8_t> body;
  if (!take(&ber, kTagSequence, &body) || !ber.empty()) return -EBADMSG;
  for (std::span<const uint8_t>* number : numbers) {
    std::span<const uint8_t> value;
    if (!take(&body, kTagInteger, &value)) return -EBADMSG;
    if (number != nullptr) *number = without_leading_zeros(value);
  }
  return body.empty() ? 0 : -EBADMSG;
}

// The first `required` numbers must be there; one of the others may be 0, which stands for "not given".
int check(const RsaKey& key, std::span<std::span<const uint8_t>* const> numbers, size_t required, bool fips_enabled) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == nullptr) continue;
    if (numbers[i]->size() > key.n.size() || (i < required && numbers[i]->empty())) return -EINVAL;
  }
  return fips_enabled && key.n.size() < kFipsMinModulus ? -EINVAL : 0;
}

int parse_and_check(RsaKey* key, std::span<const uint8_t> ber, std::span<std::span<const uint8_t>* const> numbers,
                    size_t required, bool fips_enabled) {
  const int err = parse(ber, numbers);
  return err != 0 ? err : check(*key, numbers, required, fips_enabled);
}

}  // namespace

int rsa_parse_pub_key(RsaKey* key, std::span<const uint8_t> ber, bool fips_enabled) {
  *key = RsaKey{};
  const std::array numbers{&key->n, &key->e};
  return parse_and_check(key, ber, numbers, numbers.size(), fips_enabled);
}

int rsa_parse_priv_key(RsaKey* key, std::span<const uint8_t> ber, bool fips_enabled) {
  *key = RsaKey{};
  std::span<const uint8_t>* const version = nullptr;
  const std::array numbers{version, &key->n, &key->e, &key->d, &key->p, &key->q, &key->dp, &key->dq, &key->qinv};
  constexpr size_t kVersionToD = 4;
  return parse_and_check(key, ber, numbers, kVersionToD, fips_enabled);
}

}  // namespace caamlab::api
