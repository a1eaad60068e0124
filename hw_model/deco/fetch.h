// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a holding tank does (hardware.md 0.4, 2.2): fetch a job descriptor, check its header, find its shared
// descriptor's address. The scheduler decides on this much which DECO gets the job and what it finds there.
#pragma once

#include "desc/commands/header.h"
#include "desc/descriptor.h"
#include "hw_model/deco/dma.h"
#include "hw_model/job_source.h"

namespace caamlab::hw_model {

struct JobFetch {
  SourceId source = SourceId::kJr0;
  BusAddr addr = 0;  // of the job descriptor; 0 for one written into the buffer directly
  desc::JobHeader header;
  std::array<uint32_t, desc::kMaxDescWords> words;
  unsigned len = 0;         // words
  BusAddr shared_addr = 0;  // valid if header.shr
  unsigned start = 0;       // first word to run, or the first behind the shared descriptor's pointer
  desc::JrStatus status;    // not ok: the job ends with this

  bool has_shared() const { return header.shr; }
};

// Fetches and checks; status says whether it went well. `era`: bit 24 is DNR before era 5 and EXT since.
void fetch_job(Dma& dma, SourceId source, BusAddr addr, int era, JobFetch& job);
// The same checks on words that are there already (direct DECO access, a non-local jump's target).
void check_job(const desc::Target& target, int era, JobFetch& job);

}  // namespace caamlab::hw_model
