// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Domain parameters of the NIST curves, from libcrypto's table, as byte strings.
#pragma once

#include <openssl/ec.h>
#include <openssl/obj_mac.h>

#include "hw_model/cha/arith/bn.h"
#include "tests/hw_model/cha/vectors.h"

namespace caamlab::tests {

struct Curve {
  std::string name;
  bool binary;
  size_t field_bytes, order_bytes;
  Bytes p, a, b, gx, gy, q;
};

inline Bytes bytes_of(const BIGNUM* bn, size_t len) {
  Bytes out(len);
  BN_bn2binpad(bn, out.data(), static_cast<int>(len));
  return out;
}

inline Curve nist_curve(const std::string& name) {
  const std::pair<const char*, int> kIds[] = {
      {"P-192", NID_X9_62_prime192v1}, {"P-224", NID_secp224r1}, {"P-256", NID_X9_62_prime256v1},
      {"P-384", NID_secp384r1},        {"P-521", NID_secp521r1}, {"K-163", NID_sect163k1},
      {"K-233", NID_sect233k1},        {"K-283", NID_sect283k1}, {"K-409", NID_sect409k1},
      {"K-571", NID_sect571k1},        {"B-163", NID_sect163r2}, {"B-233", NID_sect233r1},
      {"B-283", NID_sect283r1},        {"B-409", NID_sect409r1}, {"B-571", NID_sect571r1}};
  for (const auto& [curve, id] : kIds) {
    if (name != curve) continue;
    EC_GROUP* group = EC_GROUP_new_by_curve_name(id);
    hw_model::Bn p, a, b, x, y;
    EC_GROUP_get_curve(group, p.get(), a.get(), b.get(), nullptr);
    EC_POINT_get_affine_coordinates(group, EC_GROUP_get0_generator(group), x.get(), y.get(), nullptr);
    const bool binary = name[0] != 'P';
    const size_t n = (static_cast<size_t>(EC_GROUP_get_degree(group)) + 7) / 8;
    const BIGNUM* q = EC_GROUP_get0_order(group);
    Curve c{name,
            binary,
            n,
            static_cast<size_t>(BN_num_bytes(q)),
            bytes_of(p.get(), n),
            bytes_of(a.get(), n),
            bytes_of(b.get(), n),
            bytes_of(x.get(), n),
            bytes_of(y.get(), n),
            {}};
    c.q = bytes_of(q, c.order_bytes);
    EC_GROUP_free(group);
    return c;
  }
  std::fprintf(stderr, "no curve %s\n", name.c_str());
  std::exit(1);
}

// A number as `len` bytes; shorter ones are filled up in front, longer ones lose zeros there.
inline Bytes fit(const Bytes& number, size_t len) {
  Bytes out(len);
  for (size_t i = 0; i < len && i < number.size(); ++i) out[len - 1 - i] = number[number.size() - 1 - i];
  return out;
}

}  // namespace caamlab::tests
