// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a cipher or aead transform keeps: its ring, its keys, and the shared descriptors of both directions, in one
// block mapped once for its lifetime (kernel caamalg.c: struct caam_ctx, caam_init_common, 6.1; crypto-api.md 7.3).
#pragma once

#include "api/aead.h"
#include "api/skcipher.h"
#include "desc/constructors/alg_info.h"
#include "driver/caam/jr.h"

namespace caamlab::driver::caam {

inline constexpr unsigned kMaxAuthKeySize = 128;       // a hash block: longer HMAC keys are hashed first
inline constexpr unsigned kMaxSplitKeySize = 128;      // padded
inline constexpr unsigned kMaxCipherKeySize = 64 + 4;  // XTS, or AES with a nonce

// What a row says about an algorithm besides the API's own fields (kernel: struct caam_alg_entry).
struct CaamAlgEntry {
  desc::AlgOperation class1{};  // algorithm and AAI
  desc::AlgOperation class2{};
  bool has_class1 = false;
  bool has_class2 = false;
  bool rfc3686 = false;  // key ends with a nonce
  bool geniv = false;    // the device makes the IV
  bool nodkp = false;    // the key is used as given
};

// One shared descriptor in device memory.
struct ShDesc {
  uint8_t* mem = nullptr;  // kMaxDescWords words
  BusAddr dma = 0;
  unsigned len = 0;  // words; 0: not built
};

struct CaamCtx {
  static constexpr unsigned kShDescBytes = desc::kMaxDescWords * 4;
  struct Shared {
    alignas(64) uint8_t sh_desc_enc[kShDescBytes];
    alignas(64) uint8_t sh_desc_dec[kShDescBytes];
    alignas(64) uint8_t auth_key[kMaxAuthKeySize];
    alignas(64) uint8_t split_key[kMaxSplitKeySize];
    alignas(64) uint8_t key[kMaxCipherKeySize];
  };
  Shared shared{};  // what the device sees
  BusAddr shared_dma = 0;
  DmaDirection dir = DmaDirection::kToDevice;
  Jr* jr = nullptr;
  ShDesc sh_desc_enc, sh_desc_dec;
  desc::AlgInfo adata{}, cdata{};  // operations and key lengths; where the keys are is said when a descriptor is built
  const CaamAlgEntry* entry = nullptr;
  bool split_key_valid = false;
  unsigned authsize = 0;
  desc::ShareMode share = desc::ShareMode::kSerial;
  api::SkcipherHandle fallback;  // xts
  bool xts_key_fallback = false;

  uint8_t* key() { return shared.key; }
  BusAddr auth_key_dma() const { return shared_dma + offsetof(Shared, auth_key); }
  BusAddr split_key_dma() const { return shared_dma + offsetof(Shared, split_key); }
  BusAddr key_dma() const { return shared_dma + offsetof(Shared, key); }
  CtrlPriv& ctrl() const { return jr->ctrl(); }
  // After writing keys.
  void sync_keys() const {
    jr->dma().sync_single_for_device(auth_key_dma(), sizeof(Shared) - offsetof(Shared, auth_key), dir);
  }
};

// Makes a CaamCtx in `mem`. -ENODEV without a ring, -ENOMEM when the block cannot be mapped.
int caam_init_common(void* mem, CtrlPriv& ctrl, const CaamAlgEntry& entry);
void caam_exit_common(CaamCtx& ctx);

// Which keys a descriptor holds itself.
struct InlineKeys {
  bool auth = true;
  bool cipher = true;
};

// Builds a shared descriptor by build(Builder&, InlineKeys) into `out`. Keys are inline as long as it and a job
// descriptor of `job_words` words fit the 64-word buffer together: first the authentication key gets its place, then
// the cipher key, as in the kernel's desc_inline_query; but lengths are measured. `keys`: which of them there are.
// -EINVAL when it does not fit in any way.
template <class Build>
int store_sh_desc(const CtrlPriv& ctrl, ShDesc& out, unsigned job_words, InlineKeys keys, Build build) {
  for (const bool auth : {true, false}) {
    if (!auth && !keys.auth) break;
    for (const bool cipher : {true, false}) {
      if (!cipher && !keys.cipher) break;
      desc::Builder builder(ctrl.target);
      build(builder, InlineKeys{auth, cipher});
      uint32_t words[desc::kMaxDescWords];
      const unsigned len = builder.finish_into(words);
      if (len == 0 || len + job_words > desc::kMaxDescWords) continue;
      for (unsigned i = 0; i < len; ++i) desc::store32(out.mem + 4 * i, words[i], ctrl.target.endian);
      out.len = len;
      ctrl.device.dma->sync_single_for_device(out.dma, size_t{len} * 4, DmaDirection::kToDevice);
      return 0;
    }
  }
  out.len = 0;
  ctrl.log(LogLevel::kError, "shared descriptor does not fit");
  return -EINVAL;
}

}  // namespace caamlab::driver::caam
