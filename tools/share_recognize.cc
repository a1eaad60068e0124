// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_recognize.h.
#include "tools/share_recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "desc/text/diff.h"
#include "tools/alg_names.h"
#include "tools/build_params.h"
#include "tools/cli.h"
#include "tools/hex.h"

namespace caamlab::tools {
namespace {

using namespace desc;
using Candidates = std::vector<OptionValues>;

// What the words say, whoever made them.
struct Facts {
  OptionValues key1, key2;  // --key or --key-dma and --keylen; the same of --auth-
  bool dkp = false, split_key = false;
  std::optional<AlgOperation> op1, op2;
  std::vector<std::string> salts;  // four bytes loaded from the descriptor
  std::set<unsigned> sizes;        // of what is stored, or loaded from the input
};

void read_key(const Key& k, const ListedLine& line, Facts& f) {
  if (k.seq) return;
  const bool second = k.cls == ClassSel::kClass2;
  OptionValues& values = second ? f.key2 : f.key1;
  const std::string name = second ? "--auth-key" : "--key";
  if (second) f.split_key = true;
  if (line.pointer) {
    values[name + "-dma"] = {fmt::format("{:#x}", *line.pointer)};
    values[name + "len"] = {std::to_string(k.len)};
  } else {
    values[name] = {to_hex(line.data)};
  }
}

void read_dkp(const ProtocolOperation& p, const ListedLine& line, Facts& f) {
  f.dkp = true;
  if (line.pointer) {
    f.key2["--auth-key-dma"] = {fmt::format("{:#x}", *line.pointer)};
    f.key2["--auth-keylen"] = {std::to_string(p.dkp_key_len())};
  } else {
    f.key2["--auth-key"] = {to_hex(ByteSpan(line.data).first(std::min<size_t>(line.data.size(), p.dkp_key_len())))};
  }
}

void read_line(const ListedLine& line, Facts& f) {
  const Command command = decode(line.word);
  if (const auto* k = std::get_if<Key>(&command)) read_key(*k, line, f);
  if (const auto* p = std::get_if<ProtocolOperation>(&command); p != nullptr && p->is_dkp()) read_dkp(*p, line, f);
  if (const auto* op = std::get_if<AlgOperation>(&command)) {
    auto& place = op->cls == ClassSel::kClass2 ? f.op2 : f.op1;
    if (!place) place = *op;
  }
  if (const auto* l = std::get_if<Load>(&command)) {
    if (l->seq) f.sizes.insert(l->len);
    if (l->imm && l->len == 4 && line.data.size() == 4) f.salts.push_back(to_hex(line.data));
  }
  if (const auto* s = std::get_if<Store>(&command)) f.sizes.insert(s->len);
  if (const auto* l = std::get_if<FifoLoad>(&command)) {
    if (l->data_type() == FifoLoadType::kIcv) f.sizes.insert(l->len);
    if (l->imm_aidf && l->len == 4 && line.data.size() == 4) f.salts.push_back(to_hex(line.data));
  }
}

OptionValues merged(std::initializer_list<OptionValues> parts) {
  OptionValues out;
  for (const OptionValues& part : parts) out.insert(part.begin(), part.end());
  return out;
}

// Every combination of what is there with each of `choices`.
Candidates with_each(const Candidates& all, const std::vector<OptionValues>& choices) {
  Candidates out;
  for (const OptionValues& values : all)
    for (const OptionValues& choice : choices) out.push_back(merged({values, choice}));
  return out;
}
Candidates with_flag(const Candidates& all, const char* flag) { return with_each(all, {{}, {{flag, {}}}}); }
Candidates with_sizes(const Candidates& all, const char* option, const Facts& f) {
  std::vector<OptionValues> choices{{}};
  for (const unsigned size : f.sizes) choices.push_back({{option, {std::to_string(size)}}});
  return with_each(all, choices);
}
Candidates with_salts(const Candidates& all, const Facts& f, bool without) {
  std::vector<OptionValues> choices;
  if (without) choices.push_back({});
  for (const std::string& salt : f.salts) choices.push_back({{"--salt", {salt}}});
  return with_each(all, choices);
}
// Eras that make different descriptors.
Candidates with_eras(const Candidates& all, const Facts& f) {
  if (f.dkp) return all;
  return with_each(all, {{{"--era", {"5"}}}, {{"--era", {"2"}}}, {}});
}

// -- per parameter set: the options worth trying --------------------------------------------------------------------

Candidates ciphers(const Facts& f) {
  Candidates out;
  if (!f.op1) return out;
  for (const CipherRow& c : kCiphers) {
    if (c.alg != f.op1->alg || c.aai != (f.op1->aai & ~aai::kDk)) continue;
    const Candidates one{merged({f.key1, {{"--cipher", {std::string(c.name)}}}})};
    const Candidates salted = c.rfc3686 ? with_salts(one, f, false) : one;
    out.insert(out.end(), salted.begin(), salted.end());
  }
  return out;
}

Candidates auths(const Facts& f, bool keyed) {
  Candidates out;
  if (!f.op2) return out;
  for (const HashRow& h : kHashes)
    if (h.alg == f.op2->alg)
      out.push_back(merged({keyed ? f.key2 : OptionValues{}, {{"--auth", {std::string(h.name)}}}}));
  return out;
}

Candidates state_of(const AlgOperation& op) {
  for (const ValueName& v : kAlgStateNames)
    if (v.value == static_cast<uint32_t>(op.as)) return {{{"--state", {std::string(v.name)}}}};
  return {};
}

Candidates candidates(const ConstructorRow& row, const Facts& f) {
  const bool gcm = f.op1 && f.op1->alg == Alg::kAes && f.op1->aai == aai::kGcm;
  const bool chacha_poly = f.op1 && f.op1->alg == Alg::kChaCha20 && f.op1->aai == aai::kAead;
  const bool mac = f.op1 && f.op1->alg == Alg::kAes && (f.op1->aai == aai::kCmac || f.op1->aai == aai::kXcbcMac);
  switch (row.params) {
    case ParamSet::kGcm:
      if (!gcm) return {};
      return with_sizes(with_flag(with_salts({f.key1}, f, true), "--qi"), "--icvsize", f);
    case ParamSet::kChaChaPoly:
      if (!chacha_poly) return {};
      return with_flag(with_flag(with_salts({f.key1}, f, true), "--decrypt"), "--qi");
    case ParamSet::kSkcipher:
      return f.op2 ? Candidates{} : ciphers(f);
    case ParamSet::kXts:
      return f.op1 && !f.op2 && (f.op1->aai & ~aai::kDk) == aai::kXts ? Candidates{f.key1} : Candidates{};
    case ParamSet::kAead:
      if (!f.op1 || !f.op2) return {};
      return with_sizes(with_flag(with_flag(with_eras(with_each(ciphers(f), auths(f, true)), f), "--geniv"), "--qi"),
                        "--icvsize", f);
    case ParamSet::kAeadNull:
      return f.op1 ? Candidates{} : with_sizes(with_eras(auths(f, true), f), "--icvsize", f);
    case ParamSet::kAhash:
      if (f.op1 || !f.op2) return {};
      return with_sizes(with_eras(with_each(auths(f, !f.key2.empty()), state_of(*f.op2)), f), "--digestsize", f);
    case ParamSet::kSkHash:
      if (!mac) return {};
      return with_each(with_each({f.key1}, state_of(*f.op1)),
                       {{{"--auth", {f.op1->aai == aai::kCmac ? "cmac(aes)" : "xcbc(aes)"}}}});
    default:
      return {};
  }
}

std::string command_line(const OptionValues& values) {
  std::string out;
  for (const auto& [name, list] : values) {
    out += " " + name;
    for (const std::string& v : list) out += v.find('(') != std::string::npos ? fmt::format(" '{}'", v) : " " + v;
  }
  return out;
}

std::optional<Built> try_build(const ConstructorRow& row, const OptionValues& values, const Target& target,
                               ShareMode share, nlohmann::json& params) {
  try {
    params = params_from_options(row, values, target);
  } catch (const UsageError&) {  // these options do not go together
    return std::nullopt;
  }
  auto built = build_descriptor(row, params, share);
  if (!built) return std::nullopt;
  return std::move(*built);
}

}  // namespace

std::optional<Recognized> recognize(std::span<const uint32_t> words, const Target& target) {
  const Listing listing = disassemble(words, {.target = target});
  Facts facts;
  for (const ListedLine& line : listing.lines)
    if (line.kind == ItemKind::kCommand) read_line(line, facts);
  const ShareMode share = decode_as<SharedHeader>(words[0]).share;
  std::optional<Recognized> best;
  for (const ConstructorRow& row : shared_constructors()) {
    for (const OptionValues& values : candidates(row, facts)) {
      nlohmann::json params;
      const auto built = try_build(row, values, target, share, params);
      if (!built) continue;
      Recognized r{&row, params, command_line(values), 0, facts.split_key && values.contains("--auth-key")};
      if (std::ranges::equal(built->desc.words(), words)) return r;
      const auto lines = diff(disassemble(built->desc.words(), {.target = target}), listing);
      if (!lines) continue;
      // The header's length changes with every command that is put in.
      for (const DiffLine& line : *lines) r.changed += line.kind != DiffKind::kSame && line.a != 0u;
      r.changed = std::max(r.changed, 1u);
      if (!best || r.changed < best->changed) best = std::move(r);
    }
  }
  if (best && best->changed > kMaxChangedCommands) return std::nullopt;
  return best;
}

}  // namespace caamlab::tools
