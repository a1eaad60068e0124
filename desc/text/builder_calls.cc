// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See builder_calls.h. For each command the call that says most is tried on a builder; if that does not give its words,
// the command is appended as a struct and its operands as words, and what is no command at all as a word.
#include "desc/text/builder_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/text/best_call.h"
#include "desc/text/initializer.h"
#include "desc/text/walk.h"

namespace caamlab::desc {
namespace {

// The words that a call appends.
std::vector<uint32_t> words_of(const BuilderCall& call, const Target& target) {
  Builder d(target);
  CallLabels labels{};
  d.init_sh_desc({});
  call.run(d, labels);
  const auto made = d.finish();
  if (!made) return {};
  return {made->words().begin() + 1, made->words().end()};
}

class Writer {
 public:
  Writer(std::span<const uint32_t> words, const Target& target) : target_(target) {
    walk(words, target.ptr_words(), [&](const Item& item) { items_.push_back(item); });
    size_t end = 1;
    while (end < items_.size() && items_[end].kind != ItemKind::kHeader && items_[end].kind != ItemKind::kTrailing)
      ++end;
    words_ = end < items_.size() ? words.first(items_[end].index) : words;
    items_.resize(std::min(end, items_.size()));
    out_.words = static_cast<unsigned>(words_.size());
    out_.has_header = !items_.empty() && items_[0].kind == ItemKind::kHeader;
    if (words_.size() < words.size())
      out_.notes.push_back(fmt::format("{} words behind the descriptor are left out", words.size() - words_.size()));
  }

  BuilderCalls write() {
    if (words_.size() > kMaxDescWords) {
      out_.notes.push_back(
          fmt::format("a descriptor has at most {} words, not {}: no calls", kMaxDescWords, words_.size()));
      out_.words = 0;
      return std::move(out_);
    }
    find_targets();
    for (const Item& item : items_) {
      land(item.index);
      write(item);
    }
    land(out_.words);
    return std::move(out_);
  }

 private:
  bool is_boundary(int index) const {
    return index == static_cast<int>(words_.size()) ||
           std::ranges::any_of(items_, [&](const Item& i) { return static_cast<int>(i.index) == index; });
  }

  // Jumps that a label can say.
  void find_targets() {
    for (const Item& item : items_) {
      const auto* jump = std::get_if<Jump>(&item.command);
      if (item.kind != ItemKind::kCommand || jump == nullptr || !jump->is_local()) continue;
      const int target = static_cast<int>(item.index) + jump->offset;
      if (jump->offset == 0 || jump->offset == 1 || target < 0 || !is_boundary(target)) continue;
      if ((words_[item.index] & reserved_bits<Jump>()) != 0) continue;
      distance_[item.index] = jump->offset;
      if (jump->offset < 0) back_[static_cast<size_t>(target)] = true;
    }
  }

  // What has to be said in front of the command at `index`.
  void land(unsigned index) {
    for (unsigned from = 0; from < index; ++from)
      if (distance_[from] > 0 && from + static_cast<unsigned>(distance_[from]) == index)
        add({fmt::format("d.set_jump_tgt_here(jump{});", from),
             [from](Builder& d, CallLabels& l) { d.set_jump_tgt_here(l[from]); }});
    if (back_[index])
      add({fmt::format("const auto at{} = d.here();", index),
           [index](Builder& d, CallLabels& l) { l[index] = d.here(); }});
  }

  void write(const Item& item) {
    const uint32_t word = words_[item.index];
    if (item.kind == ItemKind::kPdb) return add_word(word);
    if (item.kind == ItemKind::kHeader) return write_header(item);
    if (distance_[item.index] != 0) return write_jump(item, std::get<Jump>(item.command));
    const auto call = best_call(item.command, {item.index, item.operands, target_});
    if (call && std::ranges::equal(words_of(*call, target_), words_.subspan(item.index, 1 + item.operands.size())))
      return add(*call);
    const auto plain = struct_call(item.command);
    const std::vector<uint32_t> one{word};
    if (plain && words_of(*plain, target_) == one)
      add(*plain);
    else
      add_word(word);
    for (uint32_t operand : item.operands) add_word(operand);
  }

  void write_jump(const Item& item, Jump jump) {
    const unsigned at = item.index;
    const std::string options = initializer(jump, {"offset"});
    if (const int distance = distance_[at]; distance > 0) {
      jump.offset = 0;
      return add({fmt::format("const auto jump{} = d.append_jump({});", at, options),
                  [at, jump](Builder& d, CallLabels& l) { l[at] = d.append_jump(jump); }});
    }
    const unsigned target = at - static_cast<unsigned>(-distance_[at]);
    add({fmt::format("d.append_jump_to(at{}, {});", target, options),
         [target, jump](Builder& d, CallLabels& l) { d.append_jump_to(l[target], jump); }});
  }

  void write_header(const Item& item) {
    const uint32_t word = words_[0];
    if (get_bits(word, 6, 0) != words_.size())
      out_.notes.push_back(
          fmt::format("the header says {} words, the builder counts {}", get_bits(word, 6, 0), words_.size()));
    if (const auto* job = std::get_if<JobHeader>(&item.command))
      write_header(item, *job, "init_job_desc", [](Builder& d, const JobHeader& h) { d.init_job_desc(h); });
    else if (const auto* shared = std::get_if<SharedHeader>(&item.command))
      write_header(item, *shared, "init_sh_desc", [](Builder& d, const SharedHeader& h) { d.init_sh_desc(h); });
  }

  template <class H, class Init>
  void write_header(const Item& item, H header, std::string_view function, Init init) {
    if ((words_[0] & reserved_bits<H>()) != 0)
      out_.notes.push_back(
          fmt::format("the header has reserved bits {:#x} that no call sets", words_[0] & reserved_bits<H>()));
    header.len = 0;
    if constexpr (std::is_same_v<H, JobHeader>) {
      if (header.shr && item.operands.size() == target_.ptr_words()) {
        const uint64_t addr = pointer_from_words(item.operands.data(), target_);
        return add({fmt::format("d.init_job_desc_shared({:#x}, {}, {});", addr, header.start,
                                initializer(header, {"shr", "start", "len"})),
                    [addr, header](Builder& d, CallLabels&) { d.init_job_desc_shared(addr, header.start, header); }});
      }
    }
    add({fmt::format("d.{}({});", function, initializer(header, {"len"})),
         [header, init](Builder& d, CallLabels&) { init(d, header); }});
    for (uint32_t operand : item.operands) add_word(operand);
  }

  void add(BuilderCall call) { out_.calls.push_back(std::move(call)); }
  void add_word(uint32_t value) {
    add({fmt::format("d.append_word({:#010x});", value), [value](Builder& d, CallLabels&) { d.append_word(value); }});
  }

  std::span<const uint32_t> words_;
  Target target_;
  std::vector<Item> items_;
  std::array<int, kMaxDescWords + 1> distance_{};  // of jumps that a label says; 0: none
  std::array<bool, kMaxDescWords + 1> back_{};     // targets of backward ones
  BuilderCalls out_;
};

}  // namespace

BuilderCalls builder_calls(std::span<const uint32_t> words, const Target& target) {
  return Writer(words, target).write();
}

std::string to_cpp(const BuilderCalls& calls, const Target& target, std::string_view name) {
  std::string text;
  for (const std::string& note : calls.notes) text += fmt::format("// {}\n", note);
  if (calls.has_header) {
    text += fmt::format("desc::Result<desc::Descriptor> {}() {{\n  using namespace desc;\n", name);
    text += fmt::format("  Builder d({{.ptr_bytes = {}, .endian = {}{}}});\n", target.ptr_bytes,
                        enumerator(target.endian), target.imx ? ", .imx = true" : "");
  } else {
    text += fmt::format("void {}(desc::Builder& d) {{\n  using namespace desc;\n", name);
  }
  for (const BuilderCall& call : calls.calls)
    for (std::string_view rest = call.text; !rest.empty();) {
      const size_t end = rest.find('\n');
      text += fmt::format("  {}\n", rest.substr(0, end));
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
  if (calls.has_header) text += "  return d.finish();\n";
  return text + "}\n";
}

}  // namespace caamlab::desc
