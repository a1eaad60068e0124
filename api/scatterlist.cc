// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Walking, copying and splitting scatterlists.
#include "api/scatterlist.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace caamlab::api {

Segment sg_segment(std::span<const uint8_t> bytes) { return {const_cast<uint8_t*>(bytes.data()), bytes.size()}; }

size_t sg_total_len(Scatterlist sg) {
  size_t total = 0;
  for (const Segment& seg : sg) total += seg.len;
  return total;
}

int sg_nents_for_len(Scatterlist sg, uint64_t len) {
  uint64_t total = 0;
  for (size_t i = 0; i < sg.size(); ++i) {
    if (total >= len) return static_cast<int>(i);
    total += sg[i].len;
  }
  return total >= len ? static_cast<int>(sg.size()) : -EINVAL;
}

void SgCursor::settle() {
  while (run_.empty() && !next_.empty()) {
    run_ = {next_.front().data, next_.front().len};
    next_ = next_.subspan(1);
  }
}

size_t SgCursor::advance(size_t len) {
  size_t done = 0;
  while (done < len && !run_.empty()) {
    const size_t step = std::min(len - done, run_.size());
    run_ = run_.subspan(step);
    done += step;
    settle();
  }
  return done;
}

size_t SgCursor::read(std::span<uint8_t> out) {
  size_t done = 0;
  while (done < out.size() && !run_.empty()) {
    const size_t step = std::min(out.size() - done, run_.size());
    std::memcpy(out.data() + done, run_.data(), step);
    done += advance(step);
  }
  return done;
}

size_t SgCursor::write(std::span<const uint8_t> in) {
  size_t done = 0;
  while (done < in.size() && !run_.empty()) {
    const size_t step = std::min(in.size() - done, run_.size());
    std::memcpy(run_.data(), in.data() + done, step);
    done += advance(step);
  }
  return done;
}

size_t sg_copy_to_buffer(std::span<uint8_t> out, Scatterlist sg, size_t skip) { return SgCursor(sg, skip).read(out); }

size_t sg_copy_from_buffer(Scatterlist sg, std::span<const uint8_t> in, size_t skip) {
  return SgCursor(sg, skip).write(in);
}

size_t sg_copy(Scatterlist dst, size_t dst_skip, Scatterlist src, size_t src_skip, size_t len) {
  SgCursor to(dst, dst_skip);
  SgCursor from(src, src_skip);
  size_t done = 0;
  while (done < len && !to.at_end() && !from.at_end()) {
    const size_t step = std::min({len - done, to.run().size(), from.run().size()});
    if (to.run().data() != from.run().data()) std::memcpy(to.run().data(), from.run().data(), step);
    to.advance(step);
    done += from.advance(step);
  }
  return done;
}

SgTable SgTable::split_every(std::span<uint8_t> bytes, size_t piece_len) {
  return split_at(bytes, std::span<const size_t>(&piece_len, 1));
}

SgTable SgTable::split_at(std::span<uint8_t> bytes, std::span<const size_t> piece_lens) {
  if (std::all_of(piece_lens.begin(), piece_lens.end(), [](size_t len) { return len == 0; })) return of(bytes);
  SgTable table;
  for (size_t i = 0; !bytes.empty(); ++i) {
    const size_t step = std::min(piece_lens[i % piece_lens.size()], bytes.size());
    table.segments_.push_back(sg_segment(bytes.first(step)));
    bytes = bytes.subspan(step);
  }
  return table;
}

}  // namespace caamlab::api
