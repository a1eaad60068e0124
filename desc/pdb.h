// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Protocol data blocks that lie between a header and its start index: so far those of the RSA protocols (hardware.md
// 2.15.4). The letters follow encryption: f is the plain number, g the cipher number. Encryption reads f and writes g,
// the private forms read g and write f.
#pragma once

#include "desc/codec.h"

namespace caamlab::desc {

// First word of the PDB of RSA encryption; then pointers f, g, n, e and the length of f.
struct RsaPubWord {
  static constexpr uint32_t kMask = 0, kMatch = 0;
  static constexpr std::string_view kMnemonic = "RSA PDB", kAbout = "RSA encryption.";
  bool f_sgf = false;
  bool g_sgf = false;
  uint16_t e_len = 0;  // bytes
  uint16_t n_len = 0;  // bytes
};
constexpr auto fields_of(const RsaPubWord*) {
  return std::tuple{flag("f_sgf", 31, &RsaPubWord::f_sgf, "f is an S/G table"),
                    flag("g_sgf", 30, &RsaPubWord::g_sgf, "g is an S/G table"),
                    number("e_len", 23, 12, &RsaPubWord::e_len, "bytes"),
                    number("n_len", 11, 0, &RsaPubWord::n_len, "bytes")};
}

// First word of all private forms. d_len is 0 in form 3.
struct RsaPrivWord {
  static constexpr uint32_t kMask = 0, kMatch = 0;
  static constexpr std::string_view kMnemonic = "RSA PDB", kAbout = "RSA decryption.";
  bool g_sgf = false;
  bool f_sgf = false;
  uint16_t d_len = 0;  // bytes
  uint16_t n_len = 0;  // bytes
};
constexpr auto fields_of(const RsaPrivWord*) {
  return std::tuple{flag("g_sgf", 31, &RsaPrivWord::g_sgf, "g is an S/G table"),
                    flag("f_sgf", 30, &RsaPrivWord::f_sgf, "f is an S/G table"),
                    number("d_len", 23, 12, &RsaPrivWord::d_len, "bytes"),
                    number("n_len", 11, 0, &RsaPrivWord::n_len, "bytes")};
}

// Last word of forms 2 and 3.
struct RsaPrimeLengths {
  static constexpr uint32_t kMask = 0, kMatch = 0;
  static constexpr std::string_view kMnemonic = "RSA p q", kAbout = "Lengths of the primes.";
  uint16_t q_len = 0;  // bytes
  uint16_t p_len = 0;  // bytes
};
constexpr auto fields_of(const RsaPrimeLengths*) {
  return std::tuple{number("q_len", 23, 12, &RsaPrimeLengths::q_len, "bytes"),
                    number("p_len", 11, 0, &RsaPrimeLengths::p_len, "bytes")};
}

// PROTINFO 1:0 of RSA decryption: which numbers the private key is made of.
enum class RsaPrivForm : uint8_t {
  kForm1 = 0,  // n, d
  kForm2 = 1,  // d, p, q
  kForm3 = 2,  // p, q, dp, dq, c = q^-1 mod p
};

}  // namespace caamlab::desc
