// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Requests through the whole path (API, driver, ring, DECO, CHA, completion) under one or more share modes, with what
// can be seen of them: who was chosen, the descriptors, the job status, keys loaded and reused, the result.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/explain.h"
#include "desc/bits.h"
#include "desc/commands/header.h"
#include "desc/result.h"

namespace caamlab::tools {

struct RunInput {
  std::string algorithm = "gcm(aes)";                // cra_name or cra_driver_name
  std::string platform = "lx2160a";                  // name, alias or file
  std::vector<uint8_t> key = {}, iv = {}, aad = {};  // key: of rsa in DER form, of a generator its seed
  std::vector<uint8_t> data = {};  // plain text; with decrypt the cipher text, an aead's with its tag behind it
  bool decrypt = false;
  unsigned tag_bytes = 0;  // aead; 0: the algorithm's largest
  size_t bytes = 32;       // random numbers wanted of a generator
  unsigned jobs = 1;       // how many times the request is queued before anybody waits
};

// What one share mode gave.
struct RunOutcome {
  desc::ShareMode share = desc::ShareMode::kSerial;
  std::string driver_name;
  int err = 0;                  // of the first request that failed, or 0
  std::vector<uint8_t> output;  // of the first request; aead encryption: cipher text, then tag
  bool all_equal = true;        // every one of the jobs gave the same
  bool random = false;          // random numbers: nothing is to be equal
  // From the device; all empty and zero when a software driver was chosen.
  std::vector<uint32_t> shared_words, job_words;  // of the first job
  desc::Target target;
  std::map<uint32_t, unsigned> statuses;  // status word -> number of jobs
  uint64_t device_jobs = 0, keys_loaded = 0, keys_reused = 0, out_of_order = 0;
};

struct RunReport {
  std::string platform_title;
  api::LookupReport lookup;
  std::vector<RunOutcome> outcomes;  // in the order asked for
};

// The error is the caller's mistake (unknown algorithm or platform, a wrong key, IV or tag size) in a sentence; what a
// request answers is in the outcome.
desc::Result<RunReport> run_requests(const RunInput& input, const std::vector<desc::ShareMode>& modes);

// Data of any size as a sequence of requests of at most `chunk` bytes of text. skcipher: one stream, the IV goes on
// from request to request. hash: one message by update. aead: one message a chunk, the last four bytes of the IV
// counted up by one each; cipher text and tag of a chunk stand together. read(n) returns up to n bytes, empty at the
// end; write is called with each result in order.
struct StreamIo {
  std::function<std::vector<uint8_t>(size_t)> read;
  std::function<bool(desc::ByteSpan)> write;
};
struct StreamResult {
  std::string driver_name;
  uint64_t requests = 0, bytes_in = 0, bytes_out = 0;
  int err = 0;
};
desc::Result<StreamResult> run_stream(const RunInput& input, desc::ShareMode mode, size_t chunk, const StreamIo& io);

}  // namespace caamlab::tools
