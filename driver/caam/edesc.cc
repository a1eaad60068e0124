// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See edesc.h. One table for both sequences: the entries of the input, then those of the output, padded for the
// device's fetches of four.
#include "driver/caam/edesc.h"

#include <algorithm>

namespace caamlab::driver::caam {
namespace {

constexpr auto kFromDevice = DmaDirection::kFromDevice;

// Entries of a sequence, by part.
struct Entries {
  uint32_t before = 0, list = 0, after = 0;
  uint32_t total() const { return before + list + after; }
  bool need_table() const { return total() > 1; }
};

int count_entries(const SeqSource& seq, Entries& out) {
  const int list = sg_nents_for_map(seq.range);
  if (list < 0) return list;
  out.list = static_cast<uint32_t>(list);
  out.before = static_cast<uint32_t>(std::ranges::count_if(seq.before, [](const DmaPiece& p) { return p.len != 0; }));
  out.after = seq.after.len != 0 ? 1 : 0;
  return 0;
}

uint64_t total_len(const SeqSource& seq) {
  uint64_t len = seq.range.len + seq.after.len;
  for (const DmaPiece& piece : seq.before) len += piece.len;
  return len;
}

// A sequence of at most one entry.
int map_without_table(Edesc& edesc, const SeqSource& seq, const Entries& entries, DmaDirection dir, MappedSg& mapped) {
  if (entries.list == 0) return 0;
  // Wherever the one segment stands in the list.
  const api::SgCursor at(seq.range.list, seq.range.skip);
  return map_one(*edesc.jr, at.run().data(), static_cast<uint32_t>(seq.range.len), dir, mapped);
}

// A sequence in the table from entry `first` on.
int map_in_table(Edesc& edesc, const SeqSource& seq, const Entries& entries, DmaDirection dir, uint32_t first,
                 MappedSg& mapped) {
  uint32_t at = first;
  const uint32_t last = first + entries.total() - 1;
  for (const DmaPiece& piece : seq.before) {
    if (piece.len == 0) continue;
    dma_to_sec4_sg_one(*edesc.jr, edesc.sg.entry(at), piece.addr, piece.len, at == last);
    ++at;
  }
  const bool list_is_last = at + entries.list - 1 == last;
  if (entries.list != 0) {
    const int err = dma_map_sg_table(*edesc.jr, seq.range, dir, edesc.sg.entry(at), list_is_last);
    if (err != 0) return err;
    mapped = {.nents = entries.list, .first = at, .in_table = true};
    at += entries.list;
  }
  if (entries.after != 0) dma_to_sec4_sg_one(*edesc.jr, edesc.sg.entry(at), seq.after.addr, seq.after.len, true);
  return 0;
}

int map_sequence(Edesc& edesc, const SeqSource& seq, const Entries& entries, DmaDirection dir, uint32_t first,
                 MappedSg& mapped) {
  return entries.need_table() ? map_in_table(edesc, seq, entries, dir, first, mapped)
                              : map_without_table(edesc, seq, entries, dir, mapped);
}

desc::SeqLocation location(const Edesc& edesc, const SeqSource& seq, const Entries& entries, uint32_t first,
                           const MappedSg& mapped) {
  const auto len = static_cast<uint32_t>(total_len(seq));
  if (entries.need_table()) return {.addr = edesc.sg.entry_dma(first), .len = len, .sgf = true};
  if (entries.list != 0) return {.addr = mapped.addr, .len = len};
  for (const DmaPiece& piece : seq.before)
    if (piece.len != 0) return {.addr = piece.addr, .len = len};
  return {.addr = entries.after != 0 ? seq.after.addr : 0, .len = len};
}

void unmap(Edesc& edesc, const MappedSg& mapped, DmaDirection dir) {
  if (mapped.nents == 0) return;
  if (mapped.in_table)
    dma_unmap_sg_table(*edesc.jr, edesc.sg.entry(mapped.first), mapped.nents, dir);
  else
    edesc.jr->dma().unmap_single(mapped.addr, mapped.len, dir);
}

int log_short(const Edesc& edesc, const char* which) {
  if (edesc.jr->ctrl().options.log)
    edesc.jr->ctrl().log(LogLevel::kError, std::string("Insufficient bytes in ") + which + " S/G");
  return -EINVAL;
}

}  // namespace

int edesc_map(Edesc& edesc, const SeqSource& in, const SeqSource* out, desc::SeqLocation* in_loc,
              desc::SeqLocation* out_loc) {
  Entries in_entries, out_entries;
  if (count_entries(in, in_entries) < 0) return log_short(edesc, "src");
  if (out != nullptr && count_entries(*out, out_entries) < 0) return log_short(edesc, "dst");
  const uint32_t in_table = in_entries.need_table() ? in_entries.total() : 0;
  const uint32_t out_table = out_entries.need_table() ? out_entries.total() : 0;
  // The device reads four entries at a time: what is read must be there. An in-place output starts one entry into the
  // input's table (behind the IV), hence the one more.
  uint32_t count = out_table != 0 ? in_table + desc::pad_sg_entries(out_table) : desc::pad_sg_entries(in_table);
  if (out == nullptr && in_entries.after != 0) ++count;
  if (count != 0 && !edesc.sg.alloc(*edesc.jr, count, edesc.own_sg)) return -ENOMEM;

  int err = map_sequence(edesc, in, in_entries, edesc.src_dir, 0, edesc.src);
  if (err == 0 && out != nullptr) err = map_sequence(edesc, *out, out_entries, kFromDevice, in_table, edesc.dst);
  if (err == 0 && count != 0 && !edesc.sg.map(*edesc.jr)) err = -ENOMEM;
  if (err != 0) {
    edesc_unmap(edesc);
    return err;
  }
  *in_loc = location(edesc, in, in_entries, 0, edesc.src);
  if (out != nullptr) *out_loc = location(edesc, *out, out_entries, in_table, edesc.dst);
  return 0;
}

void edesc_unmap(Edesc& edesc) {
  unmap(edesc, edesc.src, edesc.src_dir);
  unmap(edesc, edesc.dst, kFromDevice);
  edesc.src.nents = edesc.dst.nents = 0;
  edesc.sg.release(*edesc.jr);
}

bool edesc_store_desc(Edesc& edesc, desc::Builder& builder) {
  const CtrlPriv& ctrl = edesc.jr->ctrl();
  const std::span<uint32_t> words(reinterpret_cast<uint32_t*>(edesc.hw_desc), kMaxJobWords);
  const unsigned len = builder.finish_into(words);
  edesc.hw_desc_bytes = len * 4;
  if (len == 0) {
    ctrl.log(LogLevel::kError, builder.error()->to_string());
    return false;
  }
  if (ctrl.target.endian == desc::Endian::kBig)
    for (uint32_t& word : words.first(len)) word = desc::bswap32(word);
  return true;
}

}  // namespace caamlab::driver::caam
