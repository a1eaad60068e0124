// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Blobs: keys wrapped under one that only this device has, so that they may be kept outside (kernel
// drivers/crypto/caam/blob_gen.c and include/soc/fsl/caam-blob.h, 6.1). No algorithm of the crypto API; trusted keys
// use it. Differences: lengths are checked here, and nothing is left in the output of a job that failed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "driver/caam/jr.h"

namespace caamlab::driver::caam {

inline constexpr size_t kBlobKeyModLength = 16;  // CAAM_BLOB_KEYMOD_LENGTH
inline constexpr size_t kBlobMaxLength = 512;    // CAAM_BLOB_MAX_LEN

// struct caam_blob_info. `output` is resized.
struct CaamBlobInfo {
  std::span<const uint8_t> input;
  std::vector<uint8_t>* output = nullptr;
  std::span<const uint8_t> key_mod;  // at most kBlobKeyModLength bytes; a blob opens only with the one it was made with
};

class CaamBlob {
 public:
  // caam_blob_gen_init(): null (-ENODEV) on a part without blobs.
  static std::unique_ptr<CaamBlob> make(CtrlPriv& ctrl);
  ~CaamBlob();
  CaamBlob(const CaamBlob&) = delete;
  CaamBlob& operator=(const CaamBlob&) = delete;

  // caam_encap_blob(), caam_decap_blob(): wait for the job. 0; -EINVAL for lengths that cannot be; -EBADMSG when a blob
  // is not one of this device, owner and modifier, or damaged; -EIO, -ENOMEM. Without success the output is zeros.
  int encap(const CaamBlobInfo& info) { return process(info, true); }
  int decap(const CaamBlobInfo& info) { return process(info, false); }

 private:
  explicit CaamBlob(Jr& jr) : jr_(jr) {}
  int process(const CaamBlobInfo& info, bool encap);
  int run(const CaamBlobInfo& info, bool encap);
  Jr& jr_;
};

}  // namespace caamlab::driver::caam
