// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_flow_maker.h.
#include "tools/share_flow_maker.h"

#include <algorithm>

#include "desc/constructors/key_gen.h"
#include "tools/hex.h"

namespace caamlab::tools {

using namespace desc;
using nlohmann::json;

namespace {

constexpr uint64_t kBases[] = {0x10000000, 0x50000000, 0x90000000};  // one of them is clear of two keys
constexpr uint64_t kSpan = 0x1000000;
constexpr size_t kMadeUpHmacKey = 24;  // bytes

uint64_t number_of(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return 0;
  if (it->is_number_unsigned() || it->is_number_integer()) return it->get<uint64_t>();
  return it->is_string() ? parse_number(it->get<std::string>()).value_or(0) : 0;
}

Bytes hex_of(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_string()) return {};
  return parse_hex(it->get<std::string>()).value_or(Bytes{});
}

AlgOperation operation(const json& info) {
  return decode_as<AlgOperation>(static_cast<uint32_t>(number_of(info, "algtype")));
}

}  // namespace

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes out;
  for (const Bytes& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

FlowMaker::FlowMaker(const ConstructorRow& row, const json& params, uint64_t seed)
    : row_(row), params_(params), random_(seed) {}

Bytes FlowMaker::random(size_t len) {
  Bytes bytes(len);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random_());
  return bytes;
}

std::optional<Error> FlowMaker::build() {
  Params p(params_, "params");
  flow_.target = p.target();
  if (p.error()) return p.error();
  const auto era = static_cast<int>(number_of(params_, "era"));
  flow_.era = era != 0 ? era : 10;
  for (const char* what : {"cdata", "adata"})
    if (params_.contains(what) && params_[what].is_object()) make_key(what);
  keep_apart();
  auto built = build_descriptor(row_, params_, std::nullopt);
  if (!built) return built.error();
  flow_.shared.assign(built->desc.words().begin(), built->desc.words().end());
  return std::nullopt;
}

void FlowMaker::make_key(const char* what) {
  json& info = params_[what];
  const AlgOperation op = operation(info);
  const size_t keylen = number_of(info, "keylen");
  if (keylen == 0) return;
  const bool xcbc = op.cls == ClassSel::kClass1 && op.alg == Alg::kAes && op.aai == aai::kXcbcMac;
  const bool is_inline = info.value("key_inline", true);
  if (op.cls == ClassSel::kClass2 && flow_.era < 6) return make_split_key(info);
  if (hex_of(info, "key").size() < keylen) {
    Bytes key = random(keylen);
    const Bytes nonce = hex_of(params_, "nonce");
    if (std::string_view(what) == "cdata" && params_.value("is_rfc3686", false) && nonce.size() <= keylen)
      std::ranges::copy(nonce, key.end() - static_cast<ptrdiff_t>(nonce.size()));
    info["key"] = to_hex(key);
  }
  // DKP takes a key that is longer than what it makes of it from memory. XCBC's K1 is the first job's to store.
  const bool long_key = op.cls == ClassSel::kClass2 && keylen > number_of(info, "keylen_pad");
  if (is_inline && !long_key && !xcbc) return;
  Bytes key = hex_of(info, "key");
  key.resize(keylen);
  flow_.common.push_back({number_of(info, "key_dma"), key});
}

// As the kernel does it: by a job of its own. The device's keys are transparent, so that nothing has to be unwrapped.
void FlowMaker::make_split_key(json& info) {
  hmac_key_ = random(kMadeUpHmacKey);
  const Alg alg = operation(info).alg;
  constexpr uint64_t kKeyAddr = 0x20000000;
  Builder d(flow_.target);
  gen_split_key(d, alg, kKeyAddr, static_cast<unsigned>(hmac_key_.size()));
  const auto words = d.finish();
  ReplayJob job;
  job.era = flow_.era;
  job.target = flow_.target;
  job.job_addr = 0x30000000;
  job.job.assign(words->words().begin(), words->words().end());
  job.reads = {{kKeyAddr, hmac_key_}};
  const ReplayResult result = run_replay_job(job);
  Bytes split(split_key_pad_len(alg));
  for (const MemoryPiece& w : result.writes)
    for (size_t i = 0; i < w.bytes.size(); ++i)
      if (w.addr + i - kKeyAddr < split.size()) split[w.addr + i - kKeyAddr] = w.bytes[i];
  info["key"] = to_hex(split);
  if (!info.value("key_inline", true)) flow_.common.push_back({number_of(info, "key_dma"), split});
}

void FlowMaker::keep_apart() {
  const auto clear = [&](uint64_t base) {
    return std::ranges::none_of(flow_.common, [&](const MemoryPiece& piece) {
      return piece.addr + piece.bytes.size() + kCommonRoom > base && piece.addr < base + kSpan;
    });
  };
  base_ = *std::ranges::find_if(kBases, clear);
  flow_.shared_addr = base_;
}

Bytes FlowMaker::key(const char* what) const {
  const json& info = params_.at(what);
  Bytes bytes = hex_of(info, "key");
  bytes.resize(std::min<size_t>(bytes.size(), number_of(info, "keylen")));
  return bytes;
}

Bytes FlowMaker::tail(const char* what) const {
  const Bytes bytes = hex_of(params_.at(what), "key");
  const size_t keylen = number_of(params_.at(what), "keylen");
  return bytes.size() <= keylen ? Bytes{} : Bytes(bytes.begin() + static_cast<ptrdiff_t>(keylen), bytes.end());
}

Bytes FlowMaker::hmac_key() const { return flow_.era < 6 ? hmac_key_ : key("adata"); }

const CipherRow* FlowMaker::cipher() const {
  const AlgOperation op = operation(params_.at("cdata"));
  const bool rfc3686 = params_.value("is_rfc3686", false);
  const auto it = std::ranges::find_if(
      kCiphers, [&](const CipherRow& c) { return c.alg == op.alg && c.aai == op.aai && c.rfc3686 == rfc3686; });
  return it != kCiphers.end() ? &*it : nullptr;
}

const HashRow* FlowMaker::hash() const {
  const auto it = std::ranges::find(kHashes, operation(params_.at("adata")).alg, &HashRow::alg);
  return it != kHashes.end() ? &*it : nullptr;
}

ShareJob FlowMaker::job(const Descriptor& words, Bytes in, uint64_t out_addr, Bytes out) const {
  ShareJob job{.words = {words.words().begin(), words.words().end()}, .reads = {}, .expected = {}};
  job.reads.push_back({in_addr(), std::move(in)});
  job.expected.push_back({out_addr, std::move(out)});
  return job;
}

Result<ShareFlow> FlowMaker::variant(const json& changes) const {
  json params = params_;
  params.update(changes);
  auto built = build_descriptor(row_, params, std::nullopt);
  if (!built) return tl::unexpected<Error>(built.error());
  ShareFlow flow = flow_;
  flow.jobs.clear();
  flow.shared.assign(built->desc.words().begin(), built->desc.words().end());
  return flow;
}

}  // namespace caamlab::tools
