// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Scatterlists: data in pieces. A Scatterlist is a view of an array of segments; whoever makes the array keeps it, and
// the memory behind it, until the request that uses it has completed. Kernel: struct scatterlist, crypto/scatterwalk.c
// (6.1). Left out: chaining and pages; a list is one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace caamlab::api {

struct Segment {
  uint8_t* data = nullptr;
  size_t len = 0;  // bytes; 0 is allowed and skipped
};

using Scatterlist = std::span<const Segment>;

// A segment over memory that will only be read. Whoever uses it as a destination breaks the promise.
Segment sg_segment(std::span<const uint8_t> bytes);
inline Segment sg_segment(std::span<uint8_t> bytes) { return {bytes.data(), bytes.size()}; }

// True when both are the same list (the same array), which is what "in place" means in a request.
inline bool sg_same(Scatterlist a, Scatterlist b) { return a.data() == b.data(); }

size_t sg_total_len(Scatterlist sg);

// How many segments, from the first, cover `len` bytes: 0 for len 0. -EINVAL when the list is shorter than that.
int sg_nents_for_len(Scatterlist sg, uint64_t len);

// Copies out.size() bytes from offset `skip` of the list; returns how many there were.
size_t sg_copy_to_buffer(std::span<uint8_t> out, Scatterlist sg, size_t skip = 0);
// Copies in.size() bytes to offset `skip` of the list; returns how many fitted.
size_t sg_copy_from_buffer(Scatterlist sg, std::span<const uint8_t> in, size_t skip = 0);
// Copies `len` bytes from offset `src_skip` of src to offset `dst_skip` of dst; returns how many were copied. The lists
// may describe the same bytes; partial overlap is not supported.
size_t sg_copy(Scatterlist dst, size_t dst_skip, Scatterlist src, size_t src_skip, size_t len);

// SgCursor is a position in a list. run() is the longest contiguous piece from here on (empty only at the end).
class SgCursor {
 public:
  explicit SgCursor(Scatterlist sg, size_t skip = 0) : next_(sg) {
    settle();
    advance(skip);
  }
  std::span<uint8_t> run() const { return run_; }
  bool at_end() const { return run_.empty(); }
  // Moves on by `len` bytes, at most to the end; returns how far it went.
  size_t advance(size_t len);
  size_t read(std::span<uint8_t> out);        // copies and advances; returns bytes copied
  size_t write(std::span<const uint8_t> in);  // the same the other way

 private:
  void settle();
  std::span<uint8_t> run_;
  Scatterlist next_;
};

// SgTable owns the segments (never the bytes) of a list. Made before the requests that use it: making it allocates.
class SgTable {
 public:
  SgTable() = default;
  explicit SgTable(std::vector<Segment> segments) : segments_(std::move(segments)) {}
  static SgTable of(std::span<uint8_t> bytes) { return SgTable({sg_segment(bytes)}); }
  static SgTable of(std::span<const uint8_t> bytes) { return SgTable({sg_segment(bytes)}); }
  // Pieces of `piece_len` bytes, the last one shorter. piece_len 0: one piece.
  static SgTable split_every(std::span<uint8_t> bytes, size_t piece_len);
  // Pieces of the given lengths in turn, again from the first when they are used up. No or only zero lengths: one
  // piece.
  static SgTable split_at(std::span<uint8_t> bytes, std::span<const size_t> piece_lens);
  void append(Scatterlist more) { segments_.insert(segments_.end(), more.begin(), more.end()); }

  Scatterlist list() const { return segments_; }
  operator Scatterlist() const { return segments_; }

 private:
  std::vector<Segment> segments_;
};

}  // namespace caamlab::api
