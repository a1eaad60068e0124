// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See fetch.h.
#include "hw_model/deco/fetch.h"

#include <algorithm>

namespace caamlab::hw_model {

using desc::JrStatus;

void check_job(const desc::Target& target, int era, JobFetch& job) {
  const auto refuse = [&](DecoError error) { job.status = JrStatus::deco(error, 0); };
  const uint32_t word = job.words[0];
  // Zeroed memory decodes as KEY before anything complains about the header (field logs).
  if (word == 0) return refuse(DecoError::kKey);
  if (!desc::matches<desc::JobHeader>(word)) return refuse(DecoError::kJobHeader);
  const desc::JobHeader h = job.header = desc::decode_as<desc::JobHeader>(word);
  if (!h.one || h.zro || h.len == 0 || h.len > desc::kMaxDescWords || h.len > job.len)
    return refuse(DecoError::kJobHeader);
  job.len = h.len;
  if ((h.td && h.reo) || (h.mtd && !h.td && era < 7)) return refuse(DecoError::kJobHeader);
  // No trusted descriptors: nothing has loaded the key they are signed with.
  if (h.td || h.mtd) return refuse(DecoError::kKekNotLoaded);
  if (h.dnr_ext && era < 5) return refuse(DecoError::kDoNotRun);

  unsigned first = 1;
  if (h.shr) {
    if (h.start == 0) return refuse(DecoError::kSharedHeader);
    if (h.start + h.len > desc::kMaxDescWords || h.len < 1 + target.ptr_words()) return refuse(DecoError::kJobHeader);
    job.shared_addr = desc::pointer_from_words(&job.words[1], target);
    first += target.ptr_words();
  }
  first += h.dnr_ext ? 1 : 0;
  // Without an extension word a start index of 0 is as good as 1; with one it must pass over it (hardware.md 2.2).
  if (!h.shr && (h.start != 0 || h.dnr_ext)) {
    if (h.start >= h.len || h.start < first) return refuse(DecoError::kJobHeader);
    first = h.start;
  }
  if (first > h.len) return refuse(DecoError::kJobHeader);
  job.start = first;
}

void fetch_job(Dma& dma, SourceId source, BusAddr addr, int era, JobFetch& job) {
  job.source = source;
  job.addr = addr;
  job.header = {};
  job.shared_addr = 0;
  job.status = {};
  job.len = 1;
  // As much as one window gives; the header says how much of that is the descriptor. Memory may end behind it.
  const unsigned have = dma.read_words_upto(addr, job.words);
  if (have == 0) {
    job.status = JrStatus::deco(DecoError::kDma, 0);
    return;
  }
  const unsigned len = desc::decode_as<desc::JobHeader>(job.words[0]).len;
  job.len = std::min(have, desc::kMaxDescWords);
  if (desc::matches<desc::JobHeader>(job.words[0]) && len > have && len <= desc::kMaxDescWords) {
    if (dma.read_words(addr + have * 4, std::span(job.words).subspan(have, len - have)) != DecoError::kNone) {
      job.status = JrStatus::deco(DecoError::kDma, 0);
      return;
    }
    job.len = len;
  }
  check_job(dma.target(), era, job);
}

}  // namespace caamlab::hw_model
