// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Walks the words of descriptors item by item: header, PDB words, commands with their operands. Never reads past the
// words it is given, whatever they say.
//
// What may lie there: a job or a shared descriptor; a shared descriptor with the job descriptor behind it, as in the
// DECO's buffer; a piece of a descriptor without its header. Words behind the last descriptor come as trailing data.
#pragma once

#include <optional>
#include <span>

#include "desc/command.h"

namespace caamlab::desc {

enum class ItemKind : uint8_t { kHeader, kPdb, kCommand, kTrailing };

struct Item {
  ItemKind kind = ItemKind::kCommand;
  unsigned index = 0;  // of its first word, counted from the first word of the input
  unsigned start = 0;  // index of the header of the descriptor it belongs to; 0 for a piece without header
  Command command{};   // of kHeader and kCommand; kPdb and kTrailing are single words
  std::span<const uint32_t> operands{};  // the words behind it, as many as there are
  unsigned missing = 0;                  // operand words that are not there any more
};

// Length and start index of the header at words[0], nullopt if that is no header.
struct HeaderInfo {
  bool shared = false;
  bool has_shared = false;  // job descriptor with a pointer to a shared one
  unsigned len = 0;         // words, as the header says
  unsigned first = 1;       // first command, words from the header; behind the pointer to the shared descriptor
};
constexpr std::optional<HeaderInfo> header_info(uint32_t word, unsigned ptr_words) {
  if (is_command<JobHeader>(word)) {
    const auto h = decode_as<JobHeader>(word);
    if (h.shr) return HeaderInfo{.has_shared = true, .len = h.len, .first = 1 + ptr_words};
    return HeaderInfo{.len = h.len, .first = h.start > 1 ? h.start : 1u};
  }
  if (is_command<SharedHeader>(word)) {
    const auto h = decode_as<SharedHeader>(word);
    return HeaderInfo{.shared = true, .len = h.len, .first = h.start > 1 ? h.start : 1u};
  }
  return std::nullopt;
}

class Walker {
 public:
  Walker(std::span<const uint32_t> words, unsigned ptr_words) : words_(words), ptr_words_(ptr_words) {}

  // The next item, nullopt behind the last word.
  std::optional<Item> next() {
    if (at_ >= words_.size()) return std::nullopt;
    if (at_ == end_ && begin_descriptor()) return take(ItemKind::kHeader, header_words_);
    if (at_ >= end_) return take(ItemKind::kTrailing, 0);
    if (at_ < first_) return take(ItemKind::kPdb, 0);
    return take(ItemKind::kCommand, std::nullopt);
  }

 private:
  // A header at the very start or right behind a descriptor. (Two bits of it have fixed values; trailing data that
  // happens to have the CTYPE of a header is told apart by them.)
  bool begin_descriptor() {
    const auto header = header_info(words_[at_], ptr_words_);
    const bool plausible = header && (at_ == 0 || (words_[at_] >> 23 & 1) != 0) && (words_[at_] >> 15 & 1) == 0;
    if (at_ == 0 && !header) {
      end_ = static_cast<unsigned>(words_.size());
      first_ = 0;
      return false;
    }
    if (at_ != 0 && !plausible) {
      end_ = 0;  // nothing but trailing words from here
      return false;
    }
    start_ = at_;
    header_words_ = header->has_shared ? ptr_words_ : 0;
    const unsigned len = header->len > 1 + header_words_ ? header->len : 1 + header_words_;
    const auto left = static_cast<unsigned>(words_.size()) - at_;
    end_ = at_ + (len < left ? len : left);
    first_ = at_ + header->first;
    return true;
  }

  // operand_count: nullopt to ask the command.
  Item take(ItemKind kind, std::optional<unsigned> operand_count) {
    Item item{.kind = kind, .index = at_, .start = start_};
    const uint32_t word = words_[at_++];
    if (kind == ItemKind::kHeader || kind == ItemKind::kCommand) item.command = decode(word);
    const unsigned wanted = operand_count ? *operand_count : operand_words(item.command, ptr_words_);
    const unsigned limit = kind == ItemKind::kTrailing ? at_ : end_;
    const unsigned have = at_ < limit ? limit - at_ : 0;
    const unsigned got = wanted < have ? wanted : have;
    item.operands = words_.subspan(at_, got);
    item.missing = wanted - got;
    at_ += got;
    return item;
  }

  std::span<const uint32_t> words_;
  unsigned ptr_words_;
  unsigned at_ = 0;
  unsigned start_ = 0, first_ = 0, end_ = 0;  // of the descriptor in work: header, first command, behind its last word
  unsigned header_words_ = 0;
};

// Calls fn(const Item&) for each item.
template <class Fn>
void walk(std::span<const uint32_t> words, unsigned ptr_words, Fn&& fn) {
  Walker walker(words, ptr_words);
  while (auto item = walker.next()) fn(*item);
}

}  // namespace caamlab::desc
