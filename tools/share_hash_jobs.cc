// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Jobs of hashes and MACs. What lies in a saved context is the device's business, so a context is right if finishing
// the hash from there gives the digest that software has for the whole message.
#include <fmt/format.h>

#include <algorithm>

#include "desc/constructors/sk_hash.h"
#include "tools/share_flow_maker.h"

namespace caamlab::tools {

using namespace desc;
using nlohmann::json;

namespace {

constexpr size_t kMaxBlocks = 3;  // of a step

struct HashFamily {
  std::string name{};
  Bytes key{};
  unsigned digestsize = 16, ctx_len = 32;
  size_t block = 16;
  AlgState state = AlgState::kInitFinal;
  bool mac = false;  // CMAC, XCBC

  bool begins() const { return state == AlgState::kInit || state == AlgState::kInitFinal; }
  bool ends() const { return state == AlgState::kFinal || state == AlgState::kInitFinal; }
};

// The constructor's parameters for another step of the same hash.
json step_params(const HashFamily& f, AlgState state) {
  const bool begins = state == AlgState::kInit || state == AlgState::kInitFinal;
  const bool ends = state == AlgState::kFinal || state == AlgState::kInitFinal;
  json p = {{"state", encode(AlgOperation{.as = state}) & 0xF},
            {"digestsize", ends ? f.digestsize : f.ctx_len},
            {"ctx_len", f.ctx_len}};
  if (!f.mac) p["import_ctx"] = !begins;
  return p;
}

class HashJobs {
 public:
  HashJobs(FlowMaker& m, Witness& w, HashFamily f) : m_(m), w_(w), f_(std::move(f)) {}

  Result<ShareJob> make() {
    // Steps before the last one take whole blocks; CMAC's last one may not be empty.
    const Bytes before = f_.begins() ? Bytes{} : whole_blocks();
    const Bytes text = f_.ends() ? m_.random(1 + m_.below(2 * f_.block)) : whole_blocks();
    Bytes ctx;
    if (!f_.begins()) {
      auto first = step(AlgState::kInit, {}, before);
      if (!first) return tl::unexpected<Error>(first.error());
      ctx = std::move(*first);
    }
    auto out = f_.ends() ? w_.digest(f_.name, f_.key, joined({before, text})) : context(ctx, before, text);
    if (!out) return tl::unexpected<Error>(out.error());
    return m_.job(words(m_.flow(), ctx.size() + text.size(), out->size()), joined({ctx, text}), m_.out_addr(), *out);
  }

 private:
  Bytes whole_blocks() { return m_.random((1 + m_.below(kMaxBlocks)) * f_.block); }

  Descriptor words(const ShareFlow& flow, size_t in, size_t out) const {
    Builder d(m_.target());
    init_ahash_job(d, {.shared = {flow.shared_addr, static_cast<unsigned>(flow.shared.size())},
                       .in = SeqLocation{m_.in_addr(), static_cast<uint32_t>(in)},
                       .out = {m_.out_addr(), static_cast<uint32_t>(out)}});
    return *d.finish();
  }

  // One step, alone: the context, or the digest.
  Result<Bytes> step(AlgState state, const Bytes& ctx, const Bytes& text) {
    auto flow = m_.variant(step_params(f_, state));
    if (!flow) return tl::unexpected<Error>(flow.error());
    const bool ends = state == AlgState::kFinal;
    Bytes out(ends ? f_.digestsize : f_.ctx_len);
    flow->jobs.push_back(
        m_.job(words(*flow, ctx.size() + text.size(), out.size()), joined({ctx, text}), m_.out_addr(), {}));
    const JobOutcome done = run_alone(*flow, 0);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto it = done.bytes.find(m_.out_addr() + i);
      if (done.status != 0 || it == done.bytes.end())
        return fail(ErrorCode::kMalformed, fmt::format("{}: a step by itself ends with {:08x}", f_.name, done.status));
      out[i] = it->second;
    }
    return out;
  }

  // The context behind `text`, proved by finishing.
  Result<Bytes> context(const Bytes& ctx, const Bytes& before, const Bytes& text) {
    auto saved = step(f_.state, ctx, text);
    if (!saved) return saved;
    const Bytes rest = m_.random(f_.block);
    auto finished = step(AlgState::kFinal, *saved, rest);
    if (!finished) return finished;
    auto right = w_.digest(f_.name, f_.key, joined({before, text, rest}));
    if (!right) return right;
    if (*finished != *right)
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: a hash finished from the context that a job leaves is wrong", f_.name));
    return saved;
  }

  FlowMaker& m_;
  Witness& w_;
  const HashFamily f_;
};

Result<HashFamily> family_of(FlowMaker& m, const ConstructorRow& row, Params& p) {
  HashFamily f{.name = "", .key = {}, .ctx_len = static_cast<unsigned>(p.number("ctx_len", 255))};
  f.state = decode_as<AlgOperation>(static_cast<uint32_t>(p.number("state"))).as;
  if (row.params == ParamSet::kSkHash) {
    const auto op = p.alg_info("adata").op;
    const auto mac = std::ranges::find(kMacs, op.aai, &MacRow::aai);
    if (mac == kMacs.end()) return fail(ErrorCode::kMalformed, "adata: neither CMAC nor XCBC");
    f.mac = true;
    f.name = mac->name;
    f.key = m.key("adata");
    return f;
  }
  const HashRow* hash = m.hash();
  if (hash == nullptr) return fail(ErrorCode::kMalformed, "adata: no hash that the kernel's driver uses");
  f.digestsize = hash->digestsize;
  f.block = hash->digestsize > 32 ? 128 : 64;
  f.name = hash->name;
  Params adata = p.object("adata");
  if (adata.number_or("keylen", 0) != 0) {
    f.name = fmt::format("hmac({})", hash->name);
    f.key = m.hmac_key();
  }
  return f;
}

// XCBC goes on with K1, which the first job of a transform leaves in memory.
std::optional<Error> place_k1(FlowMaker& m, Witness& w, const HashFamily& f) {
  if (f.name != "xcbc(aes)" || m.flow().common.empty()) return std::nullopt;
  auto k1 = w.cipher({.name = "ecb(aes)", .key = f.key, .iv = {}, .text = Bytes(16, 0x01)});
  if (!k1) return k1.error();
  m.flow().common[0].bytes = k1->text;
  return std::nullopt;
}

}  // namespace

Result<std::string> hash_flow(FlowMaker& m, Witness& w, const ConstructorRow& row, Params& p, unsigned jobs) {
  auto family = family_of(m, row, p);
  if (!family) return tl::unexpected<Error>(family.error());
  if (auto error = place_k1(m, w, *family)) return tl::unexpected<Error>(*error);
  HashJobs make(m, w, *family);
  for (unsigned i = 0; i < jobs; ++i) {
    auto job = make.make();
    if (!job) return tl::unexpected<Error>(job.error());
    m.flow().jobs.push_back(std::move(*job));
  }
  return family->name;
}

}  // namespace caamlab::tools
