// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See explain.h. One function a command; those that depend on other lines get the listing.
#include "desc/text/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace caamlab::desc {
namespace {

struct Place {
  const Listing& listing;
  const ListedLine& line;
};

std::string class_text(ClassSel cls) {
  switch (cls) {
    case ClassSel::kClass1:
      return "class 1";
    case ClassSel::kClass2:
      return "class 2";
    case ClassSel::kBoth:
      return "both classes";
    default:
      return "no class";
  }
}

std::string share_text(ShareMode share) {
  switch (share) {
    case ShareMode::kNever:
      return "every job of this flow loads its keys itself";
    case ShareMode::kWait:
      return "a job may find the keys of the one before, from the time that one says so";
    case ShareMode::kSerial:
      return "a job may find the keys of the one before, and starts when that is done";
    case ShareMode::kAlways:
      return "jobs share this descriptor at any time";
    case ShareMode::kDefer:
      return "sharing as the shared descriptor says";
  }
  return {};
}

std::string text_of(const SharedHeader& h, const Place&) { return share_text(h.share); }
std::string text_of(const JobHeader& h, const Place&) {
  if (!h.shr) return {};
  return h.reo ? "the job's own commands run first, then the shared descriptor's"
               : "the shared descriptor's commands run first, then the job's";
}

std::string text_of(const Key& k, const Place&) {
  std::string text = k.dest == KeyDest::kMdhaSplit ? "HMAC key as a pair of hash states (split key)"
                     : k.dest == KeyDest::kPkhaE   ? "exponent or scalar of the PKHA"
                                                   : fmt::format("key of {}", class_text(k.cls));
  if (k.enc) text += fmt::format("; black, {} under the {}", k.ekt ? "AES-CCM" : "AES-ECB", k.tk ? "TDKEK" : "JDKEK");
  return text;
}

// What waits or stays there for the next commands.
std::string text_of(const Load& l, const Place&) {
  if (l.cls == ClassSel::kClass1 || l.cls == ClassSel::kClass2) {
    if (l.dst == kRegContext) return fmt::format("IV or saved state of {}", class_text(l.cls));
    if (l.dst == kRegDataSize) return fmt::format("{} is to expect that many more bytes", class_text(l.cls));
    if (l.dst == kRegKeySize) return fmt::format("the key register of {} counts as filled", class_text(l.cls));
  }
  if (l.cls == ClassSel::kNone && (l.dst == kRegNfifo || (l.dst >= kRegNfifoSzl && l.dst <= kRegNfifoM)))
    return "an NFIFO entry by hand: which data goes where";
  return {};
}

std::string text_of(const Store& s, const Place&) {
  if (s.to_descriptor()) return "writes the descriptor back to memory";
  if (s.src != kRegContext || (s.cls != ClassSel::kClass1 && s.cls != ClassSel::kClass2)) return {};
  return fmt::format("the context of {}: ICV, digest, IV or saved state", class_text(s.cls));
}

std::string_view data_text(FifoLoadType type) {
  switch (type) {
    case FifoLoadType::kMsg:
    case FifoLoadType::kMsg1Out2:
    case FifoLoadType::kBitData:
      return "message";
    case FifoLoadType::kIv:
      return "IV";
    case FifoLoadType::kAad:
      return "associated data";
    case FifoLoadType::kIcv:
      return "expected ICV";
    default:
      return {};
  }
}

std::string text_of(const FifoLoad& f, const Place&) {
  if (f.seq && f.cls == ClassSel::kNone) return "input passed over";
  const std::string_view data = data_text(f.data_type());
  if (data.empty()) return {};
  std::string text = fmt::format("{} to {}", data, class_text(f.cls));
  if (f.data_type() == FifoLoadType::kMsg1Out2 && f.cls == ClassSel::kBoth)
    text = "message to class 1, and what class 1 makes of it to class 2";
  const uint8_t last = f.actions() & kFifoLoadLastBoth;
  if (last != 0) text += last == kFifoLoadLastBoth ? ", its last for both" : ", the last of it";
  return text;
}

std::string text_of(const FifoStore& f, const Place&) {
  switch (f.type) {
    case FifoStoreType::kMsg:
      return "output, as it comes";
    case FifoStoreType::kSkip:
      return "leaves so many bytes of the output as they are";
    case FifoStoreType::kRng:
      return "random bytes to memory";
    case FifoStoreType::kRngOfifo:
      return "random bytes into the output FIFO";
    default:
      return {};
  }
}

std::string text_of(const AlgOperation& op, const Place&) {
  if (op.alg == Alg::kRng || !op.icv) return {};
  return "in the end compares the ICVs: CCB error 0xA if they differ";
}

std::string text_of(const SeqInPtr& p, const Place&) {
  if (p.rto) return "back to the start of the input";
  if (p.pre) return "more input";
  if (p.rjd) return "from here on another job descriptor";
  return p.sgf ? "the input, in pieces that a table names" : "the input";
}
std::string text_of(const SeqOutPtr& p, const Place&) {
  if (p.rto) return "back to the start of the output";
  if (p.pre) return "more room for output";
  return p.sgf ? "room for the output, in pieces that a table names" : "room for the output";
}

std::string destination_text(MathDst dst) {
  switch (dst) {
    case MathDst::kVsil:
      return "length of the next SEQ commands with vlf that read";
    case MathDst::kVsol:
      return "length of the next SEQ commands with vlf that write";
    case MathDst::kNone:
      return "only for the conditions of the next JUMP";
    default:
      return {};
  }
}
std::string text_of(const Math& m, const Place&) { return destination_text(m.dst); }
std::string text_of(const MathI& m, const Place&) { return destination_text(m.dst); }

// Words that a command puts into the descriptor it stands in.
std::string text_of(const Move& m, const Place& place) {
  if (m.dst != MoveDst::kDescBuf) return m.src == MoveSrc::kDescBuf ? "reads words of the descriptor itself" : "";
  const unsigned word = m.offset / 4;
  for (const ListedLine& line : place.listing.lines)
    if (word >= line.index && word <= line.index + line.operand_words.size())
      return fmt::format("changes the descriptor: the {} at {}{}", line.mnemonic, line.index,
                         word == line.index ? "" : ", behind its command word");
  return "writes behind the descriptor, in its buffer";
}

// Mnemonics of the commands between a jump and its target, each once.
std::string skipped_text(const Place& place) {
  std::string text;
  std::vector<std::string_view> seen;
  for (const ListedLine& line : place.listing.lines) {
    if (line.index <= place.line.index || static_cast<int>(line.index) >= *place.line.target) continue;
    if (std::ranges::find(seen, std::string_view(line.mnemonic)) != seen.end()) continue;
    seen.push_back(line.mnemonic);
    text += (text.empty() ? "" : ", ") + line.mnemonic;
  }
  return text;
}

std::string wait_text(const Jump& j) {
  if (j.cls != ClassSel::kNone) return fmt::format("waits until {} is done", class_text(j.cls));
  if (!j.jsl) return {};
  struct Idle {
    uint8_t bit;
    std::string_view text;
  };
  static constexpr Idle kIdle[] = {{kCondCalm, "all that was started is finished"},
                                   {kCondNip, "no input is pending"},
                                   {kCondNifp, "the NFIFO is empty"},
                                   {kCondNop, "no output is pending"},
                                   {kCondNcp, "no context load is pending"}};
  for (const Idle& idle : kIdle)
    if ((j.cond & idle.bit) != 0) return fmt::format("waits until {}", idle.text);
  return {};
}

std::string text_of(const Jump& j, const Place& place) {
  if (!place.line.target) return {};
  const int distance = *place.line.target - static_cast<int>(place.line.index);
  if (j.type == JumpType::kLocal && distance == 1) return wait_text(j);
  if (j.type == JumpType::kGosub) return "calls the commands there, up to a JUMP return";
  if (distance < 0) return "a loop";
  if (distance < 2) return {};
  const std::string skipped = skipped_text(place);
  if (j.jsl && (j.cond & kCondShrd) != 0 && j.test == JumpTest::kAll)
    return fmt::format("what a shared job finds already is not done again: past {}", skipped);
  return fmt::format("past {}", skipped);
}

std::string text_of(const ProtocolOperation& op, const Place&) {
  return op.is_dkp() ? "derives the HMAC split key from the key, and leaves it in place of the key" : "";
}

template <class C>
std::string text_of(const C&, const Place&) {
  return {};
}

}  // namespace

std::vector<std::string> explain(const Listing& listing) {
  std::vector<std::string> texts;
  for (const ListedLine& line : listing.lines) {
    std::string text;
    if (line.kind == ItemKind::kCommand || line.kind == ItemKind::kHeader)
      text = std::visit([&](const auto& c) { return text_of(c, Place{listing, line}); }, decode(line.word));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace caamlab::desc
