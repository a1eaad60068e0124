// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See hash_drbg.h.
#include "hw_model/cha/arith/hash_drbg.h"

#include <algorithm>
#include <initializer_list>

#include "hw_model/cha/arith/hash_state.h"

namespace caamlab::hw_model {
namespace {

constexpr size_t kHashBytes = 32;
using Parts = std::initializer_list<desc::ByteSpan>;

std::array<uint8_t, kHashBytes> hash(Parts parts) {
  std::array<uint8_t, kHashBytes> out;
  HashState h;
  h.init(desc::Alg::kSha256);
  for (const desc::ByteSpan p : parts) h.update(p);
  h.finish(out.data());
  return out;
}

// Hash_df: `out` is filled with hashes of a counter, the number of bits wanted, and the input.
void derive(std::span<uint8_t> out, Parts input) {
  uint8_t prefix[5] = {0};
  desc::store_be32(prefix + 1, static_cast<uint32_t>(out.size() * 8));
  while (!out.empty()) {
    ++prefix[0];
    HashState h;
    h.init(desc::Alg::kSha256);
    h.update(prefix);
    for (const desc::ByteSpan p : input) h.update(p);
    uint8_t block[kHashBytes];
    h.finish(block);
    const size_t n = std::min(out.size(), kHashBytes);
    std::copy_n(block, n, out.begin());
    out = out.subspan(n);
  }
}

constexpr uint8_t kZero[] = {0}, kOne[] = {1}, kTwo[] = {2}, kThree[] = {3};

// to += number, both big endian and aligned to the right, modulo the size of `to`.
void add_be(std::span<uint8_t> to, desc::ByteSpan number) {
  unsigned carry = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    const unsigned sum =
        to[to.size() - 1 - i] + carry + (i < number.size() ? unsigned{number[number.size() - 1 - i]} : 0u);
    to[to.size() - 1 - i] = static_cast<uint8_t>(sum);
    carry = sum >> 8;
  }
}

}  // namespace

void HashDrbg::set_seed(const Seed& v) {
  v_ = v;
  derive(c_, {kZero, v_});
  counter_ = 1;
}

void HashDrbg::add(desc::ByteSpan number) { add_be(v_, number); }

void HashDrbg::instantiate(desc::ByteSpan entropy, desc::ByteSpan nonce, desc::ByteSpan personalization) {
  Seed seed;
  derive(seed, {entropy, nonce, personalization});
  set_seed(seed);
}

void HashDrbg::reseed(desc::ByteSpan entropy, desc::ByteSpan additional) {
  Seed seed;
  derive(seed, {kOne, v_, entropy, additional});
  set_seed(seed);
}

void HashDrbg::generate(std::span<uint8_t> out, desc::ByteSpan additional) {
  if (!additional.empty()) add(hash({kTwo, v_, additional}));
  Seed data = v_;
  while (!out.empty()) {
    const auto block = hash({data});
    const size_t n = std::min(out.size(), kHashBytes);
    std::copy_n(block.begin(), n, out.begin());
    out = out.subspan(n);
    add_be(data, kOne);
  }
  add(hash({kThree, v_}));
  add(c_);
  uint8_t counter[8];
  desc::store_be64(counter, counter_++);
  add(counter);
}

void HashDrbg::clear() {
  v_.fill(0);
  c_.fill(0);
  counter_ = 0;
}

}  // namespace caamlab::hw_model
