// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_static.h.
#include "tools/share_static.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/reg_bits.h"
#include "desc/text/disassemble.h"
#include "tools/share_paths.h"

namespace caamlab::tools {
namespace {

using namespace desc;

struct Finding {
  Reliance on;
  std::string why;
};

const char* class_name(ClassSel cls) { return cls == ClassSel::kClass2 ? "class 2" : "class 1"; }
Finding job_data(std::string_view what) {
  return {Reliance::kJobData, fmt::format("{}: no predecessor does that for this job", what)};
}
Finding cleared(std::string_view what) {
  return {Reliance::kCleared, fmt::format("writes {}, which every job finds cleared", what)};
}
Finding context(ClassSel cls, unsigned offset, unsigned len) {
  return {Reliance::kContext, fmt::format("bytes {} to {} of the {} context have to be the predecessor's", offset,
                                          offset + std::max(len, 1u) - 1, class_name(cls))};
}
Finding key(ClassSel cls) {
  return {Reliance::kKey, fmt::format("the {} key register has to hold the predecessor's key", class_name(cls))};
}

// -- what each command did that a follower misses -----------------------------------------------------------------

Finding missed(const Key& k) { return k.seq ? job_data("takes a key out of the job's input") : key(k.cls); }
Finding missed(const Load& l) {
  if (l.seq) return job_data(fmt::format("takes {} bytes out of the job's input", l.len));
  if (l.is_deco_ctrl()) return cleared("DECO control");
  const bool in_class = l.cls == ClassSel::kClass1 || l.cls == ClassSel::kClass2;
  if (in_class && l.dst == kRegContext) return context(l.cls, l.offset, l.len);
  if (in_class && l.dst == kRegKey) return key(l.cls);
  if (in_class && l.dst == kRegKeySize) return key(l.cls);
  if (l.cls == ClassSel::kNone && (l.dst == kRegOfifo || l.dst == kRegIfifo))
    return {Reliance::kNothing, "feeds a FIFO for the commands that follow"};
  return cleared("a register");
}
template <MoveKind kKind>
Finding missed(const MoveOf<kKind>& m) {
  switch (m.dst) {
    case MoveDst::kClass1Ctx:
      return context(ClassSel::kClass1, m.offset, m.length());
    case MoveDst::kClass2Ctx:
      return context(ClassSel::kClass2, m.offset, m.length());
    case MoveDst::kClass1Key:
      return key(ClassSel::kClass1);
    case MoveDst::kClass2Key:
      return key(ClassSel::kClass2);
    case MoveDst::kDescBuf:
      return {Reliance::kNothing, "the buffer's words come with the descriptor, as the predecessor left them"};
    default:
      return cleared("a register or FIFO");
  }
}
Finding missed(const MoveLen& m) { return missed(Move{.src = m.src, .dst = m.dst, .offset = m.offset}); }
Finding missed(const ProtocolOperation& p) {
  if (p.is_dkp()) return {Reliance::kKey, "the class 2 key register has to hold the key the predecessor derived"};
  return {Reliance::kProtocol, "a built-in protocol that the predecessor ran"};
}
Finding missed(const AlgOperation&) { return cleared("a mode register"); }
Finding missed(const PkOperation&) { return cleared("PKHA memory"); }
Finding missed(const FifoLoad& f) { return job_data(f.seq ? "takes input of the job" : "feeds data to a CHA"); }
Finding missed(const FifoStore& f) { return job_data(f.seq ? "writes output of the job" : "writes to memory"); }
Finding missed(const Store& s) { return job_data(s.seq ? "writes output of the job" : "writes to memory"); }
Finding missed(const Math&) { return cleared("a MATH or length register"); }
Finding missed(const MathI&) { return cleared("a MATH or length register"); }
Finding missed(const SeqInPtr&) { return job_data("defines the input sequence"); }
Finding missed(const SeqOutPtr&) { return job_data("defines the output sequence"); }
template <class C>
Finding missed(const C&) {
  return {Reliance::kNothing, "changes no register"};
}

// -- the whole ----------------------------------------------------------------------------------------------------

class Analysis {
 public:
  Analysis(std::span<const uint32_t> words, const Target& target)
      : words_(words), target_(target), commands_(commands_of(words, target.ptr_words())) {
    fresh_ = reachable(commands_, {});
    // SELF splits what SHRD says; a descriptor that asks for it is looked at under both.
    followers_ = reachable(commands_, {.shrd = true, .self = true});
    cross_ = reachable(commands_, {.shrd = true, .self = false});
    out_.header = decode_as<SharedHeader>(words[0]);
  }

  StaticShare run() {
    for (const auto& [index, item] : commands_) look(index, item);
    operations();
    judge();
    return std::move(out_);
  }

 private:
  std::string text(unsigned index) const { return describe_word_at(words_, index, {.target = target_}); }
  bool skipped(unsigned i) const { return fresh_.contains(i) && !(followers_.contains(i) && cross_.contains(i)); }

  void hazard(unsigned index, bool followers, bool parallel, std::string why) {
    out_.hazards.push_back({index, text(index), followers, parallel, std::move(why)});
  }

  void look(unsigned index, const Item& item) {
    if (const auto* jump = std::get_if<Jump>(&item.command)) {
      out_.asks |= jump->jsl && (jump->cond & (kCondShrd | kCondSelf)) != 0;
      return;
    }
    if (const auto* load = std::get_if<Load>(&item.command); load != nullptr && load->is_deco_ctrl())
      out_.says_ok_to_share |= (load->offset & 3) >= 2;
    if (const auto* p = std::get_if<ProtocolOperation>(&item.command)) protocol(index, *p);
    if (const auto* s = std::get_if<Store>(&item.command); s != nullptr && s->to_descriptor() && s->src != kRegJobDesc)
      hazard(index, false, true, "stores the descriptor: jobs at the same time overwrite what the others stored");
    if (skipped(index)) {
      const Finding f = std::visit([](const auto& c) { return missed(c); }, item.command);
      out_.skipped.push_back({index, text(index), f.on, f.why});
    }
    if (!fresh_.contains(index) && (followers_.contains(index) || cross_.contains(index)))
      out_.only_followers.emplace_back(index, text(index));
  }

  void protocol(unsigned index, const ProtocolOperation& p) {
    if (!p.is_dkp()) {
      if (out_.header.start > 1)
        hazard(index, false, true, "has a PDB: jobs at the same time each work on a copy of it, and updates get lost");
      return;
    }
    if (p.dkp_dst() == DkpEnd::kPtr || p.dkp_dst() == DkpEnd::kSgf)
      hazard(index, false, true,
             "the derived key goes over the key in memory: a job that fetched the descriptor before derives from the "
             "derived key");
  }

  // A mode register that followers set otherwise is set all the same; the form of the key has to fit the mode.
  void operations() {
    const auto replaced = [&](const SkippedCommand& s) {
      return std::holds_alternative<AlgOperation>(commands_.at(s.index).command) &&
             std::ranges::any_of(out_.only_followers, [&](const auto& other) {
               const auto* op = std::get_if<AlgOperation>(&commands_.at(other.first).command);
               return op != nullptr && op->cls == std::get<AlgOperation>(commands_.at(s.index).command).cls;
             });
    };
    for (SkippedCommand& s : out_.skipped)
      if (s.on == Reliance::kCleared && replaced(s))
        s = {s.index, s.text, Reliance::kNothing, "followers have another"};
    const bool skips_key1 = std::ranges::any_of(out_.skipped, [&](const SkippedCommand& s) {
      const auto* k = std::get_if<Key>(&commands_.at(s.index).command);
      return k != nullptr && k->cls == ClassSel::kClass1;
    });
    if (!skips_key1) return;
    for (const auto& [index, item] : commands_)
      if (const auto* op = std::get_if<AlgOperation>(&item.command);
          op != nullptr && op->cls == ClassSel::kClass1 && op->alg == Alg::kAes && followers_.contains(index))
        key_form(index, *op);
  }

  void key_form(unsigned index, const AlgOperation& op) {
    const uint16_t mode = op.aai & ~aai::kDk;
    const bool inverse = mode == aai::kEcb || mode == aai::kCbc || mode == aai::kXts;
    if (inverse && !op.enc && (op.aai & aai::kDk) == 0)
      hazard(index, true, false, "AES decryption leaves its key in decryption form; a follower has to say so by DK");
    if (mode == aai::kXcbcMac && op.as == AlgState::kInit)
      hazard(index, true, false, "XCBC leaves K1 in the key register; a follower takes that for the key");
  }

  // -- verdicts ---------------------------------------------------------------------------------------------------
  static std::string at(unsigned index, const std::string& why) { return fmt::format("at {}: {}", index, why); }

  void add_followers(WayVerdict& v, bool same_deco) const {
    for (const SkippedCommand& s : out_.skipped) {
      if ((same_deco ? followers_ : cross_).contains(s.index)) continue;  // skipped in the other place only
      const bool lost = s.on == Reliance::kJobData || s.on == Reliance::kCleared ||
                        (s.on == Reliance::kContext && !(same_deco && out_.header.savectx));
      if (!lost) continue;
      std::string why = s.why;
      if (s.on == Reliance::kContext)
        why += same_deco ? ", and without SAVECTX they are cleared" : ", and another DECO does not get them";
      v.because.push_back(at(s.index, why));
    }
    for (const ShareHazard& h : out_.hazards)
      if (h.followers) v.because.push_back(at(h.index, h.why));
  }
  void add_parallel(WayVerdict& v) const {
    for (const ShareHazard& h : out_.hazards)
      if (h.parallel) v.because.push_back(at(h.index, h.why));
  }

  void judge() {
    for (size_t i = 0; i < kShareWayNames.size(); ++i) {
      WayVerdict v{.way = static_cast<ShareWay>(i)};
      const bool never = v.way == ShareWay::kNever, always = v.way == ShareWay::kAlways;
      // A WAIT follower that was let go before the end runs on another DECO, at the same time.
      const bool early = v.way == ShareWay::kWait && out_.says_ok_to_share;
      if (never || always || early) add_parallel(v);
      if (!never) add_followers(v, v.way != ShareWay::kCrossDeco && !early);
      v.safe = v.because.empty();
      out_.verdicts.push_back(std::move(v));
    }
  }

  std::span<const uint32_t> words_;
  Target target_;
  CommandMap commands_;
  std::set<unsigned> fresh_, followers_, cross_;
  StaticShare out_;
};

}  // namespace

std::string_view reliance_name(Reliance r) {
  static constexpr std::string_view kNames[] = {"nothing",          "key",      "context",
                                                "cleared register", "job data", "protocol"};
  return kNames[static_cast<size_t>(r)];
}

desc::Result<StaticShare> analyze_sharing(std::span<const uint32_t> words, const desc::Target& target) {
  const auto header = words.empty() ? std::nullopt : header_info(words[0], target.ptr_words());
  if (!header || !header->shared)
    return fail(ErrorCode::kMalformed, "no shared descriptor: the first word has to be its header (b8...)");
  if (words.size() < header->len)
    return fail(ErrorCode::kMalformed,
                fmt::format("{} words, the header says {}: the end is missing", words.size(), header->len));
  return Analysis(words.first(header->len), target).run();
}

}  // namespace caamlab::tools
