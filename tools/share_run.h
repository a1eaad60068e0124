// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Share safety of a shared descriptor, found by running it (hardware.md 5): its jobs are queued back to back on a part
// with several DECOs, and each has to do what it does alone, and what somebody else says is right. Each job has memory
// of its own; the descriptor and the keys it points to are common. Left out: two jobs that touch memory in the same
// moment (of jobs under way at once, which ends first is tried both ways, and all have fetched their descriptors).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "desc/bits.h"
#include "tools/replay.h"
#include "tools/share_static.h"

namespace caamlab::tools {

struct ShareJob {
  std::vector<uint32_t> words{};        // logical words
  std::vector<MemoryPiece> reads{};     // its memory
  std::vector<MemoryPiece> expected{};  // bytes that have to stand there in the end, by an independent witness
  bool known = true;                    // false: there is no witness, running alone decides
};

// The jobs of one shared descriptor.
struct ShareFlow {
  desc::Target target{};
  int era = 10;
  std::vector<uint32_t> shared{};
  uint64_t shared_addr = 0;
  std::vector<MemoryPiece> common{};  // what the descriptor points to; the device may write it, and kCommonRoom behind
  std::vector<ShareJob> jobs{};
};
inline constexpr uint8_t kPadByte = 0x5A;   // what every random byte of the device is, so that generated IVs are known
inline constexpr size_t kCommonRoom = 128;  // bytes: a derived key may be longer than the key it replaces

// The shortest queue found in which a job goes wrong.
struct ShareCounterExample {
  std::vector<size_t> queue;  // indices into the jobs given, in the order queued
  size_t position = 0;        // of the first wrong job in it
  uint32_t status_alone = 0, status_shared = 0;
  std::optional<uint64_t> addr;        // of the first byte that differs; none: only the status does
  std::vector<uint8_t> alone, shared;  // from there on, a few bytes; empty: not written
};

struct ShareRun {
  ShareWay way{};
  unsigned queues = 0, jobs = 0;
  unsigned shared_keys = 0;   // jobs that found SHRD true
  unsigned out_of_order = 0;  // jobs completed after a later one
  uint64_t keys_loaded = 0;   // in all jobs
  std::optional<ShareCounterExample> wrong{};
};

// What a job did: its status, and every byte it wrote to memory of its own, with the value written last.
struct JobOutcome {
  uint32_t status = 0;
  std::map<uint64_t, uint8_t> bytes;
};
JobOutcome run_alone(const ShareFlow& flow, size_t job);

// Jobs that are wrong even alone, by index, with what differs. None: all are right, or have no witness.
std::vector<std::pair<size_t, std::string>> wrong_alone(const ShareFlow& flow);

// Runs the flow one way. kSameDeco and kCrossDeco: serial under either policy. Queues: every pair of the first three
// jobs (a job with itself, too), then all of them twice. Precondition: at least one job.
ShareRun run_flow(const ShareFlow& flow, ShareWay way);

}  // namespace caamlab::tools
