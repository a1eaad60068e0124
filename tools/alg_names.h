// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Algorithms by the names the crypto API has for them, with what constructors want to know about each.
#pragma once

#include <array>
#include <string_view>

#include "desc/commands/operation.h"

namespace caamlab::tools {

struct CipherRow {
  std::string_view name;
  desc::Alg alg;
  uint16_t aai;
  unsigned ivsize;       // bytes
  unsigned ctx1_iv_off;  // in the class 1 context
  bool rfc3686;
};
inline constexpr std::array kCiphers{
    CipherRow{"cbc(aes)", desc::Alg::kAes, desc::aai::kCbc, 16, 0, false},
    CipherRow{"ctr(aes)", desc::Alg::kAes, desc::aai::kCtrMod128, 16, 16, false},
    CipherRow{"rfc3686(ctr(aes))", desc::Alg::kAes, desc::aai::kCtrMod128, 8, 20, true},
    CipherRow{"ecb(aes)", desc::Alg::kAes, desc::aai::kEcb, 0, 0, false},
    CipherRow{"xts(aes)", desc::Alg::kAes, desc::aai::kXts, 16, 0, false},
    CipherRow{"cbc(des3_ede)", desc::Alg::k3Des, desc::aai::kCbc, 8, 0, false},
    CipherRow{"ecb(des3_ede)", desc::Alg::k3Des, desc::aai::kEcb, 0, 0, false},
    CipherRow{"cbc(des)", desc::Alg::kDes, desc::aai::kCbc, 8, 0, false},
    CipherRow{"ecb(des)", desc::Alg::kDes, desc::aai::kEcb, 0, 0, false},
    CipherRow{"chacha20", desc::Alg::kChaCha20, 0, 16, 0, false}};

struct HashRow {
  std::string_view name;
  desc::Alg alg;
  unsigned digestsize;  // bytes
  unsigned state_size;  // bytes of running state, without the length
};
inline constexpr unsigned kHashLengthBytes = 8;  // of a saved context, behind the running state
inline constexpr std::array kHashes{
    HashRow{"md5", desc::Alg::kMd5, 16, 16},       HashRow{"sha1", desc::Alg::kSha1, 20, 20},
    HashRow{"sha224", desc::Alg::kSha224, 28, 32}, HashRow{"sha256", desc::Alg::kSha256, 32, 32},
    HashRow{"sha384", desc::Alg::kSha384, 48, 64}, HashRow{"sha512", desc::Alg::kSha512, 64, 64}};

struct MacRow {
  std::string_view name;
  uint16_t aai;
  unsigned ctx_len;  // bytes of saved context
};
inline constexpr std::array kMacs{MacRow{"cmac(aes)", desc::aai::kCmac, 32},
                                  MacRow{"xcbc(aes)", desc::aai::kXcbcMac, 48}};

}  // namespace caamlab::tools
