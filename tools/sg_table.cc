// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sg_table.h.
#include "tools/sg_table.h"

#include <algorithm>

namespace caamlab::tools {

unsigned segments_for(std::span<const Segment> list, uint32_t len) {
  unsigned n = 0;
  for (uint32_t have = 0; have < len && n < list.size(); ++n) have += list[n].len;
  return n;
}

void append_segments(SgTable& table, std::span<const Segment> list, uint32_t len) {
  for (const Segment& s : list) {
    if (len == 0) return;
    const uint32_t piece = std::min(len, s.len);
    table.push_back({.addr = s.addr, .len = piece});
    len -= piece;
  }
}

void set_final(SgTable& table) {
  if (!table.empty()) table.back().final = true;
}

void pad_table(SgTable& table, size_t first) {
  table.resize(first + desc::pad_sg_entries(static_cast<unsigned>(table.size() - first)));
}

namespace {

uint64_t entry_addr(const RequestMemory& m, size_t index) { return m.table_addr + index * desc::kSgEntryBytes; }

}  // namespace

RequestLayout layout_aead(const RequestMemory& m, uint32_t src_len, uint32_t dst_len) {
  RequestLayout l;
  const unsigned src_pieces = segments_for(m.src, src_len);
  if (src_pieces > 1) {
    append_segments(l.table, m.src, src_len);
    set_final(l.table);
    l.in = {.addr = m.table_addr, .sgf = true};
  } else {
    l.in.addr = src_pieces == 1 ? m.src[0].addr : 0;
  }
  if (!m.dst) {
    l.out = l.in;
    pad_table(l.table);
    return l;
  }
  const unsigned dst_pieces = segments_for(*m.dst, dst_len);
  if (dst_pieces > 1) {
    const size_t first = l.table.size();
    l.out = {.addr = entry_addr(m, first), .sgf = true};
    append_segments(l.table, *m.dst, dst_len);
    set_final(l.table);
    pad_table(l.table, first);
  } else {
    l.out.addr = dst_pieces == 1 ? (*m.dst)[0].addr : 0;
    pad_table(l.table);
  }
  return l;
}

RequestLayout layout_skcipher(const RequestMemory& m, uint32_t len, Segment iv) {
  RequestLayout l;
  const bool has_iv = iv.len != 0;
  const unsigned src_pieces = segments_for(m.src, len);
  const unsigned dst_pieces = m.dst ? segments_for(*m.dst, len) : 0;
  const desc::SgEntry iv_entry{.addr = iv.addr, .len = iv.len};

  if (has_iv || src_pieces > 1) {
    if (has_iv) l.table.push_back(iv_entry);
    append_segments(l.table, m.src, len);
    l.in = {.addr = m.table_addr, .sgf = true};
  } else {
    l.in.addr = src_pieces == 1 ? m.src[0].addr : 0;
  }

  // The output: the IV behind the data. In place it shares the input's entries and leaves the input's IV out.
  const size_t first = m.dst ? l.table.size() : size_t{has_iv};
  if (m.dst && (has_iv || dst_pieces > 1)) {
    append_segments(l.table, *m.dst, len);
    l.out = {.addr = entry_addr(m, first), .sgf = true};
  } else if (m.dst) {
    l.out.addr = dst_pieces == 1 ? (*m.dst)[0].addr : 0;
  } else {
    l.out = {.addr = l.in.addr + (has_iv ? desc::kSgEntryBytes : 0), .sgf = l.in.sgf};
  }
  if (has_iv) l.table.push_back(iv_entry);
  if (has_iv || dst_pieces > 1) set_final(l.table);
  pad_table(l.table, has_iv || dst_pieces > 1 ? first : 0);
  return l;
}

}  // namespace caamlab::tools
