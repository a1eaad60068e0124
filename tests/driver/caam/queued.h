// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Many requests of one transform submitted before the device runs any of them, so that their jobs stand back to back.
// Each data buffer is one piece. What came out, in the order given: text and tag, text, digest.
#pragma once

#include <vector>

#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {

struct QueuedResult {
  int err = 1;  // final; 1: never answered
  Bytes out;
};
using QueuedResults = std::vector<QueuedResult>;

QueuedResults run_queued(LabFixture& lab, api::CryptoAead& tfm, Crypt crypt, const std::vector<AeadInput>& inputs);

struct CipherInput {
  Bytes iv, text;
};
QueuedResults run_queued(LabFixture& lab, api::CryptoSkcipher& tfm, Crypt crypt,
                         const std::vector<CipherInput>& inputs);

// Hashes of messages fed step by step: all first pieces are queued, then all second ones, and so on; the last piece
// finishes. `ends`: where each piece ends, the same for all messages.
QueuedResults run_queued(LabFixture& lab, api::CryptoAhash& tfm, const std::vector<Bytes>& messages,
                         const std::vector<size_t>& ends);

}  // namespace caamlab::tests
