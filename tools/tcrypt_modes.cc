// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The table of tcrypt's speed modes; see tcrypt.h.
#include <algorithm>

#include "tools/tcrypt.h"

namespace caamlab::tools {
namespace {

using K = TcryptKind;
constexpr unsigned kMb = 1, kSync = 2, kEncryptOnly = 4;
constexpr unsigned kMaxKeys = 3;

struct Row {
  unsigned mode;
  K kind;
  unsigned flags;
  std::string_view algorithm;
  unsigned key_bytes[kMaxKeys];  // 0: no more
  unsigned aad_bytes;
};

// clang-format off
constexpr Row kRows[] = {
    {200, K::kSkcipher, kSync, "ecb(aes)", {16, 24, 32}, 0},
    {200, K::kSkcipher, kSync, "cbc(aes)", {16, 24, 32}, 0},
    {200, K::kSkcipher, kSync, "lrw(aes)", {32, 40, 48}, 0},
    {200, K::kSkcipher, kSync, "xts(aes)", {32, 64}, 0},
    {200, K::kSkcipher, kSync, "cts(cbc(aes))", {16, 24, 32}, 0},
    {200, K::kSkcipher, kSync, "ctr(aes)", {16, 24, 32}, 0},
    {200, K::kSkcipher, kSync, "cfb(aes)", {16, 24, 32}, 0},
    {201, K::kSkcipher, kSync, "ecb(des3_ede)", {24}, 0},
    {201, K::kSkcipher, kSync, "cbc(des3_ede)", {24}, 0},
    {201, K::kSkcipher, kSync, "ctr(des3_ede)", {24}, 0},
    {202, K::kSkcipher, kSync, "ecb(twofish)", {16, 24, 32}, 0},
    {202, K::kSkcipher, kSync, "cbc(twofish)", {16, 24, 32}, 0},
    {202, K::kSkcipher, kSync, "ctr(twofish)", {16, 24, 32}, 0},
    {202, K::kSkcipher, kSync, "lrw(twofish)", {32, 40, 48}, 0},
    {202, K::kSkcipher, kSync, "xts(twofish)", {32, 48, 64}, 0},
    {203, K::kSkcipher, kSync, "ecb(blowfish)", {8, 32}, 0},
    {203, K::kSkcipher, kSync, "cbc(blowfish)", {8, 32}, 0},
    {203, K::kSkcipher, kSync, "ctr(blowfish)", {8, 32}, 0},
    {204, K::kSkcipher, kSync, "ecb(des)", {8}, 0},
    {204, K::kSkcipher, kSync, "cbc(des)", {8}, 0},
    {205, K::kSkcipher, kSync, "ecb(camellia)", {16, 24, 32}, 0},
    {205, K::kSkcipher, kSync, "cbc(camellia)", {16, 24, 32}, 0},
    {205, K::kSkcipher, kSync, "ctr(camellia)", {16, 24, 32}, 0},
    {205, K::kSkcipher, kSync, "lrw(camellia)", {32, 40, 48}, 0},
    {205, K::kSkcipher, kSync, "xts(camellia)", {32, 48, 64}, 0},
    {207, K::kSkcipher, kSync, "ecb(serpent)", {16, 32}, 0},
    {207, K::kSkcipher, kSync, "cbc(serpent)", {16, 32}, 0},
    {207, K::kSkcipher, kSync, "ctr(serpent)", {16, 32}, 0},
    {207, K::kSkcipher, kSync, "lrw(serpent)", {32, 48}, 0},
    {207, K::kSkcipher, kSync, "xts(serpent)", {32, 64}, 0},
    {208, K::kSkcipher, kSync | kEncryptOnly, "ecb(arc4)", {8}, 0},
    {209, K::kSkcipher, kSync, "ecb(cast5)", {8, 16}, 0},
    {209, K::kSkcipher, kSync, "cbc(cast5)", {8, 16}, 0},
    {209, K::kSkcipher, kSync, "ctr(cast5)", {8, 16}, 0},
    {210, K::kSkcipher, kSync, "ecb(cast6)", {16, 32}, 0},
    {210, K::kSkcipher, kSync, "cbc(cast6)", {16, 32}, 0},
    {210, K::kSkcipher, kSync, "ctr(cast6)", {16, 32}, 0},
    {210, K::kSkcipher, kSync, "lrw(cast6)", {32, 48}, 0},
    {210, K::kSkcipher, kSync, "xts(cast6)", {32, 64}, 0},
    {211, K::kAead, 0, "rfc4106(gcm(aes))", {20}, 16},
    {211, K::kAead, 0, "gcm(aes)", {16, 24, 32}, 8},
    {212, K::kAead, 0, "rfc4309(ccm(aes))", {19}, 16},
    {213, K::kAead, 0, "rfc7539esp(chacha20,poly1305)", {36}, 8},
    {214, K::kSkcipher, kSync | kEncryptOnly, "chacha20", {32}, 0},
    {215, K::kAead, kMb, "rfc4106(gcm(aes))", {20}, 16},
    {215, K::kAead, kMb, "gcm(aes)", {16, 24, 32}, 8},
    {216, K::kAead, kMb, "rfc4309(ccm(aes))", {19}, 16},
    {217, K::kAead, kMb, "rfc7539esp(chacha20,poly1305)", {36}, 8},
    {218, K::kSkcipher, kSync, "ecb(sm4)", {16}, 0},
    {218, K::kSkcipher, kSync, "cbc(sm4)", {16}, 0},
    {218, K::kSkcipher, kSync, "cfb(sm4)", {16}, 0},
    {218, K::kSkcipher, kSync, "ctr(sm4)", {16}, 0},
    {219, K::kSkcipher, kSync, "adiantum(xchacha12,aes)", {32}, 0},
    {219, K::kSkcipher, kSync, "adiantum(xchacha20,aes)", {32}, 0},
    {220, K::kSkcipher, 0, "essiv(cbc(aes),sha256)", {16, 24, 32}, 0},
    {221, K::kAead, 0, "aegis128", {16}, 8},
    {222, K::kAead, 0, "gcm(sm4)", {16}, 8},
    {223, K::kAead, 0, "rfc4309(ccm(sm4))", {19}, 16},
    {224, K::kAead, kMb, "gcm(sm4)", {16}, 8},
    {225, K::kAead, kMb, "rfc4309(ccm(sm4))", {19}, 16},
    {226, K::kSkcipher, kSync | kEncryptOnly, "hctr2(aes)", {32}, 0},
    {227, K::kSkcipher, kSync, "ecb(aria)", {16, 24, 32}, 0},
    {227, K::kSkcipher, kSync, "cbc(aria)", {16, 24, 32}, 0},
    {227, K::kSkcipher, kSync, "cfb(aria)", {16, 24, 32}, 0},
    {227, K::kSkcipher, kSync, "ctr(aria)", {16, 24, 32}, 0},
    {228, K::kAead, 0, "gcm(aria)", {16, 24, 32}, 8},
    {229, K::kAead, kMb, "gcm(aria)", {16}, 8},
    {301, K::kHash, kSync, "md4", {}, 0},
    {302, K::kHash, kSync, "md5", {}, 0},
    {303, K::kHash, kSync, "sha1", {}, 0},
    {304, K::kHash, kSync, "sha256", {}, 0},
    {305, K::kHash, kSync, "sha384", {}, 0},
    {306, K::kHash, kSync, "sha512", {}, 0},
    {307, K::kHash, kSync, "wp256", {}, 0},
    {308, K::kHash, kSync, "wp384", {}, 0},
    {309, K::kHash, kSync, "wp512", {}, 0},
    {313, K::kHash, kSync, "sha224", {}, 0},
    {314, K::kHash, kSync, "xxhash64", {}, 0},
    {315, K::kHash, kSync, "rmd160", {}, 0},
    {317, K::kHash, kSync, "blake2b-512", {}, 0},
    {318, K::kHash, kSync, "ghash", {}, 0},
    {319, K::kHash, kSync, "crc32c", {}, 0},
    {320, K::kHash, kSync, "crct10dif", {}, 0},
    {321, K::kHash, kSync, "poly1305", {}, 0},
    {322, K::kHash, kSync, "sha3-224", {}, 0},
    {323, K::kHash, kSync, "sha3-256", {}, 0},
    {324, K::kHash, kSync, "sha3-384", {}, 0},
    {325, K::kHash, kSync, "sha3-512", {}, 0},
    {326, K::kHash, kSync, "sm3", {}, 0},
    {327, K::kHash, kSync, "streebog256", {}, 0},
    {328, K::kHash, kSync, "streebog512", {}, 0},
    {401, K::kHash, 0, "md4", {}, 0},
    {402, K::kHash, 0, "md5", {}, 0},
    {403, K::kHash, 0, "sha1", {}, 0},
    {404, K::kHash, 0, "sha256", {}, 0},
    {405, K::kHash, 0, "sha384", {}, 0},
    {406, K::kHash, 0, "sha512", {}, 0},
    {407, K::kHash, 0, "wp256", {}, 0},
    {408, K::kHash, 0, "wp384", {}, 0},
    {409, K::kHash, 0, "wp512", {}, 0},
    {413, K::kHash, 0, "sha224", {}, 0},
    {414, K::kHash, 0, "xxhash64", {}, 0},
    {415, K::kHash, 0, "rmd160", {}, 0},
    {417, K::kHash, 0, "blake2b-512", {}, 0},
    {418, K::kHash, 0, "sha3-224", {}, 0},
    {419, K::kHash, 0, "sha3-256", {}, 0},
    {420, K::kHash, 0, "sha3-384", {}, 0},
    {421, K::kHash, 0, "sha3-512", {}, 0},
    {422, K::kHash, 0, "sm3", {}, 0},
    {500, K::kSkcipher, 0, "ecb(aes)", {16, 24, 32}, 0},
    {500, K::kSkcipher, 0, "cbc(aes)", {16, 24, 32}, 0},
    {500, K::kSkcipher, 0, "lrw(aes)", {32, 40, 48}, 0},
    {500, K::kSkcipher, 0, "xts(aes)", {32, 64}, 0},
    {500, K::kSkcipher, 0, "cts(cbc(aes))", {16, 24, 32}, 0},
    {500, K::kSkcipher, 0, "ctr(aes)", {16, 24, 32}, 0},
    {500, K::kSkcipher, 0, "cfb(aes)", {16, 24, 32}, 0},
    {500, K::kSkcipher, 0, "ofb(aes)", {16, 24, 32}, 0},
    {500, K::kSkcipher, 0, "rfc3686(ctr(aes))", {20, 28, 36}, 0},
    {501, K::kSkcipher, 0, "ecb(des3_ede)", {24}, 0},
    {501, K::kSkcipher, 0, "cbc(des3_ede)", {24}, 0},
    {501, K::kSkcipher, 0, "cfb(des3_ede)", {24}, 0},
    {501, K::kSkcipher, 0, "ofb(des3_ede)", {24}, 0},
    {502, K::kSkcipher, 0, "ecb(des)", {8}, 0},
    {502, K::kSkcipher, 0, "cbc(des)", {8}, 0},
    {502, K::kSkcipher, 0, "cfb(des)", {8}, 0},
    {502, K::kSkcipher, 0, "ofb(des)", {8}, 0},
    {503, K::kSkcipher, 0, "ecb(serpent)", {16, 32}, 0},
    {503, K::kSkcipher, 0, "cbc(serpent)", {16, 32}, 0},
    {503, K::kSkcipher, 0, "ctr(serpent)", {16, 32}, 0},
    {503, K::kSkcipher, 0, "lrw(serpent)", {32, 48}, 0},
    {503, K::kSkcipher, 0, "xts(serpent)", {32, 64}, 0},
    {504, K::kSkcipher, 0, "ecb(twofish)", {16, 24, 32}, 0},
    {504, K::kSkcipher, 0, "cbc(twofish)", {16, 24, 32}, 0},
    {504, K::kSkcipher, 0, "ctr(twofish)", {16, 24, 32}, 0},
    {504, K::kSkcipher, 0, "lrw(twofish)", {32, 40, 48}, 0},
    {504, K::kSkcipher, 0, "xts(twofish)", {32, 48, 64}, 0},
    {505, K::kSkcipher, kEncryptOnly, "ecb(arc4)", {8}, 0},
    {506, K::kSkcipher, 0, "ecb(cast5)", {8, 16}, 0},
    {506, K::kSkcipher, 0, "cbc(cast5)", {8, 16}, 0},
    {506, K::kSkcipher, 0, "ctr(cast5)", {8, 16}, 0},
    {507, K::kSkcipher, 0, "ecb(cast6)", {16, 32}, 0},
    {507, K::kSkcipher, 0, "cbc(cast6)", {16, 32}, 0},
    {507, K::kSkcipher, 0, "ctr(cast6)", {16, 32}, 0},
    {507, K::kSkcipher, 0, "lrw(cast6)", {32, 48}, 0},
    {507, K::kSkcipher, 0, "xts(cast6)", {32, 64}, 0},
    {508, K::kSkcipher, 0, "ecb(camellia)", {16, 32}, 0},
    {508, K::kSkcipher, 0, "cbc(camellia)", {16, 32}, 0},
    {508, K::kSkcipher, 0, "ctr(camellia)", {16, 32}, 0},
    {508, K::kSkcipher, 0, "lrw(camellia)", {32, 48}, 0},
    {508, K::kSkcipher, 0, "xts(camellia)", {32, 64}, 0},
    {509, K::kSkcipher, 0, "ecb(blowfish)", {8, 32}, 0},
    {509, K::kSkcipher, 0, "cbc(blowfish)", {8, 32}, 0},
    {509, K::kSkcipher, 0, "ctr(blowfish)", {8, 32}, 0},
    {518, K::kSkcipher, 0, "ecb(sm4)", {16}, 0},
    {518, K::kSkcipher, 0, "cbc(sm4)", {16}, 0},
    {518, K::kSkcipher, 0, "cfb(sm4)", {16}, 0},
    {518, K::kSkcipher, 0, "ctr(sm4)", {16}, 0},
    {519, K::kSkcipher, 0, "ecb(aria)", {16, 24, 32}, 0},
    {519, K::kSkcipher, 0, "ctr(aria)", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "ecb(aes)", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "cbc(aes)", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "lrw(aes)", {32, 40, 48}, 0},
    {600, K::kSkcipher, kMb, "xts(aes)", {32, 64}, 0},
    {600, K::kSkcipher, kMb, "cts(cbc(aes))", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "ctr(aes)", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "cfb(aes)", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "ofb(aes)", {16, 24, 32}, 0},
    {600, K::kSkcipher, kMb, "rfc3686(ctr(aes))", {20, 28, 36}, 0},
    {601, K::kSkcipher, kMb, "ecb(des3_ede)", {24}, 0},
    {601, K::kSkcipher, kMb, "cbc(des3_ede)", {24}, 0},
    {601, K::kSkcipher, kMb, "cfb(des3_ede)", {24}, 0},
    {601, K::kSkcipher, kMb, "ofb(des3_ede)", {24}, 0},
    {602, K::kSkcipher, kMb, "ecb(des)", {8}, 0},
    {602, K::kSkcipher, kMb, "cbc(des)", {8}, 0},
    {602, K::kSkcipher, kMb, "cfb(des)", {8}, 0},
    {602, K::kSkcipher, kMb, "ofb(des)", {8}, 0},
    {603, K::kSkcipher, kMb, "ecb(serpent)", {16, 32}, 0},
    {603, K::kSkcipher, kMb, "cbc(serpent)", {16, 32}, 0},
    {603, K::kSkcipher, kMb, "ctr(serpent)", {16, 32}, 0},
    {603, K::kSkcipher, kMb, "lrw(serpent)", {32, 48}, 0},
    {603, K::kSkcipher, kMb, "xts(serpent)", {32, 64}, 0},
    {604, K::kSkcipher, kMb, "ecb(twofish)", {16, 24, 32}, 0},
    {604, K::kSkcipher, kMb, "cbc(twofish)", {16, 24, 32}, 0},
    {604, K::kSkcipher, kMb, "ctr(twofish)", {16, 24, 32}, 0},
    {604, K::kSkcipher, kMb, "lrw(twofish)", {32, 40, 48}, 0},
    {604, K::kSkcipher, kMb, "xts(twofish)", {32, 48, 64}, 0},
    {605, K::kSkcipher, kMb | kEncryptOnly, "ecb(arc4)", {8}, 0},
    {606, K::kSkcipher, kMb, "ecb(cast5)", {8, 16}, 0},
    {606, K::kSkcipher, kMb, "cbc(cast5)", {8, 16}, 0},
    {606, K::kSkcipher, kMb, "ctr(cast5)", {8, 16}, 0},
    {607, K::kSkcipher, kMb, "ecb(cast6)", {16, 32}, 0},
    {607, K::kSkcipher, kMb, "cbc(cast6)", {16, 32}, 0},
    {607, K::kSkcipher, kMb, "ctr(cast6)", {16, 32}, 0},
    {607, K::kSkcipher, kMb, "lrw(cast6)", {32, 48}, 0},
    {607, K::kSkcipher, kMb, "xts(cast6)", {32, 64}, 0},
    {608, K::kSkcipher, kMb, "ecb(camellia)", {16, 32}, 0},
    {608, K::kSkcipher, kMb, "cbc(camellia)", {16, 32}, 0},
    {608, K::kSkcipher, kMb, "ctr(camellia)", {16, 32}, 0},
    {608, K::kSkcipher, kMb, "lrw(camellia)", {32, 48}, 0},
    {608, K::kSkcipher, kMb, "xts(camellia)", {32, 64}, 0},
    {609, K::kSkcipher, kMb, "ecb(blowfish)", {8, 32}, 0},
    {609, K::kSkcipher, kMb, "cbc(blowfish)", {8, 32}, 0},
    {609, K::kSkcipher, kMb, "ctr(blowfish)", {8, 32}, 0},
    {610, K::kSkcipher, kMb, "ecb(aria)", {16, 32}, 0},
    {610, K::kSkcipher, kMb, "ctr(aria)", {16, 32}, 0},
};
// clang-format on

// Modes whose algorithm is a parameter.
constexpr unsigned kNamedSyncHash = 300, kNamedHash = 400;

TcryptTest test_of(const Row& row) {
  TcryptTest test{.mode = row.mode,
                  .kind = row.kind,
                  .multi_buffer = (row.flags & kMb) != 0,
                  .synchronous_only = (row.flags & kSync) != 0,
                  .algorithm = row.algorithm,
                  .key_bytes = {},
                  .decrypts = row.kind != K::kHash && (row.flags & kEncryptOnly) == 0,
                  .aad_bytes = row.aad_bytes};
  for (unsigned n : row.key_bytes)
    if (n != 0) test.key_bytes.push_back(n);
  return test;
}

}  // namespace

std::vector<TcryptTest> tcrypt_tests(unsigned mode, const std::string& alg) {
  std::vector<TcryptTest> tests;
  for (const Row& row : kRows)
    if (row.mode == mode) tests.push_back(test_of(row));
  if ((mode == kNamedSyncHash || mode == kNamedHash) && !alg.empty()) {
    // The text has to outlive the test: it is one of the table.
    for (const Row& row : kRows)
      if (row.kind == K::kHash && row.algorithm == alg && row.mode > mode && row.mode < mode + 100)
        tests.push_back(test_of(row));
  }
  return tests;
}

std::vector<unsigned> tcrypt_modes_of(std::string_view algorithm) {
  std::vector<unsigned> modes;
  for (const Row& row : kRows)
    if (row.algorithm == algorithm && std::ranges::find(modes, row.mode) == modes.end()) modes.push_back(row.mode);
  return modes;
}

std::span<const unsigned> tcrypt_sizes(TcryptKind kind) {
  static constexpr unsigned kCipher[] = {16, 64, 128, 256, 1024, 1420, 4096};
  static constexpr unsigned kAead[] = {16, 64, 256, 512, 1024, 1420, 4096, 8192};
  return kind == K::kAead ? std::span<const unsigned>(kAead) : std::span<const unsigned>(kCipher);
}

std::span<const HashSize> tcrypt_hash_sizes() {
  static constexpr HashSize kSizes[] = {
      {16, 16},     {64, 16},   {64, 64},    {256, 16},    {256, 64},    {256, 256},   {1024, 16},  {1024, 256},
      {1024, 1024}, {2048, 16}, {2048, 256}, {2048, 1024}, {2048, 2048}, {4096, 16},   {4096, 256}, {4096, 1024},
      {4096, 4096}, {8192, 16}, {8192, 256}, {8192, 1024}, {8192, 4096}, {8192, 8192},
  };
  return kSizes;
}

}  // namespace caamlab::tools
