// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The algorithms of the kernel's job ring driver as rows (tests/golden/algorithms.json), with a key for each, and the
// comparison of one with the software that has the same name.
#pragma once

#include <string>
#include <vector>

#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {

struct AlgRow {
  std::string name, driver, type;
  unsigned blocksize = 1, ivsize = 0;
  bool keyed = false;  // hashes
  bool geniv = false;  // the device makes the IV
};
const std::vector<AlgRow>& caam_rows();                     // all of them
std::vector<AlgRow> caam_rows_of(const std::string& type);  // "aead", ...
const AlgRow& caam_row(const std::string& driver);          // throws if there is none

// A key that the algorithm takes. `variant` selects among lengths.
Bytes key_for(const AlgRow& row, unsigned variant = 0);
bool is_ipsec(const AlgRow& row);  // rfc4106, rfc4543, rfc7539esp: AAD ends with the IV
// An input with the lengths given, as near as the algorithm allows: texts in whole blocks, room for a generated IV.
AeadInput aead_input(const AlgRow& row, size_t text_len, size_t aad_len, uint64_t seed);

// The synchronous implementation of the same name, keyed alike.
api::AeadHandle software_aead(LabFixture& lab, const AlgRow& row, const Bytes& key);
api::SkcipherHandle software_skcipher(LabFixture& lab, const AlgRow& row, const Bytes& key);
api::AhashHandle software_ahash(LabFixture& lab, const AlgRow& row, const Bytes& key);

// One message both ways. Empty, or what differs.
std::string compare_aead(const AlgRow& row, api::CryptoAead& caam, api::CryptoAead& software, const AeadInput& input,
                         const Layout& layout);
std::string compare_skcipher(const AlgRow& row, api::CryptoSkcipher& caam, api::CryptoSkcipher& software, size_t len,
                             const Layout& layout);
std::string compare_ahash(api::CryptoAhash& caam, api::CryptoAhash& software, size_t len, HashCalls calls,
                          const Layout& layout);

}  // namespace caamlab::tests
