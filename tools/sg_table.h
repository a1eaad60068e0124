// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Scatter/gather tables as the kernel's driver lays them out for a request: from the pieces of its memory to the
// entries and to where the job's sequences start. Source: caamalg.c (aead_edesc_alloc, skcipher_edesc_alloc),
// caamhash.c (ahash_*), caampkc.c (rsa_edesc_alloc), Linux 6.12.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "desc/constructors/job.h"
#include "desc/sec4_sg.h"
#include "tools/params.h"

namespace caamlab::tools {

using SgTable = std::vector<desc::SgEntry>;

// How many pieces it takes to hold `len` bytes.
unsigned segments_for(std::span<const Segment> list, uint32_t len);
// Appends the first `len` bytes of the pieces.
void append_segments(SgTable& table, std::span<const Segment> list, uint32_t len);
void set_final(SgTable& table);
// Empty entries up to a multiple of the four that the SEC fetches at once, counted from entry `first`.
void pad_table(SgTable& table, size_t first = 0);

struct RequestMemory {
  std::vector<Segment> src;
  std::optional<std::vector<Segment>> dst;  // none: in place
  uint64_t table_addr = 0;
};
struct RequestLayout {
  SgTable table;
  desc::SeqLocation in, out;  // addr and sgf; the lengths are the request's
};

// src_len, dst_len: bytes of memory that the request reads and writes.
RequestLayout layout_aead(const RequestMemory& m, uint32_t src_len, uint32_t dst_len);
// iv: the driver's copy of the IV; its length 0: none.
RequestLayout layout_skcipher(const RequestMemory& m, uint32_t len, Segment iv);

}  // namespace caamlab::tools
