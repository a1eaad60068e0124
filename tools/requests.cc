// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See requests.h: one class template, and what differs between the front ends.
#include "tools/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/aead.h"
#include "api/ahash.h"
#include "api/errno.h"
#include "api/keys.h"
#include "api/skcipher.h"

namespace caamlab::tools {
namespace {

constexpr size_t kTailRoom = 64;  // tag, digest

std::vector<uint8_t> bytes_of(size_t n, unsigned seed) {
  std::vector<uint8_t> out(n);
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<uint8_t>(i * 7 + seed * 31 + 1);
  return out;
}

struct Buffers {
  std::vector<uint8_t> in, out;
  std::array<uint8_t, 16> iv{};
  api::Segment src, dst;
};

struct Aead {
  using Handle = api::AeadHandle;
  using Tfm = api::CryptoAead;
  using Request = api::AeadRequestHandle;
  // IPsec forms want their IV at the end of the associated data.
  static size_t aad(const Tfm& tfm) {
    return tfm.alg->cra_name.starts_with("rfc4") || tfm.alg->cra_name.starts_with("rfc7539esp") ? 16 : 0;
  }
  static auto alloc(api::Registry& r, const std::string& name) { return crypto_alloc_aead(r, name); }
  static int setkey(Tfm& tfm, std::span<const uint8_t> key) { return crypto_aead_setkey(tfm, key); }
  static int prepare(Tfm& tfm) { return crypto_aead_setauthsize(tfm, crypto_aead_maxauthsize(tfm)); }
  static Request request(Tfm& tfm) { return api::aead_request_alloc(tfm); }
  static void fill(Tfm& tfm, api::AeadRequest& req, Buffers& b, size_t bytes, uint32_t flags,
                   api::CryptoCompletion done, void* data) {
    aead_request_set_callback(req, flags, done, data);
    aead_request_set_crypt(req, {&b.src, 1}, {&b.dst, 1}, static_cast<uint32_t>(bytes), b.iv.data());
    aead_request_set_ad(req, static_cast<uint32_t>(aad(tfm)));
  }
  static int submit(api::AeadRequest& req) { return crypto_aead_encrypt(req); }
};

struct Skcipher {
  using Handle = api::SkcipherHandle;
  using Tfm = api::CryptoSkcipher;
  using Request = api::SkcipherRequestHandle;
  static size_t aad(const Tfm&) { return 0; }
  static auto alloc(api::Registry& r, const std::string& name) { return crypto_alloc_skcipher(r, name); }
  static int setkey(Tfm& tfm, std::span<const uint8_t> key) { return crypto_skcipher_setkey(tfm, key); }
  static int prepare(Tfm&) { return 0; }
  static Request request(Tfm& tfm) { return api::skcipher_request_alloc(tfm); }
  static void fill(Tfm&, api::SkcipherRequest& req, Buffers& b, size_t bytes, uint32_t flags,
                   api::CryptoCompletion done, void* data) {
    skcipher_request_set_callback(req, flags, done, data);
    skcipher_request_set_crypt(req, {&b.src, 1}, {&b.dst, 1}, static_cast<uint32_t>(bytes), b.iv.data());
  }
  static int submit(api::SkcipherRequest& req) { return crypto_skcipher_encrypt(req); }
};

struct Ahash {
  using Handle = api::AhashHandle;
  using Tfm = api::CryptoAhash;
  using Request = api::AhashRequestHandle;
  static size_t aad(const Tfm&) { return 0; }
  static auto alloc(api::Registry& r, const std::string& name) { return crypto_alloc_ahash(r, name); }
  static int setkey(Tfm& tfm, std::span<const uint8_t> key) {
    const std::string& name = tfm.alg->cra_name;
    return name.find('(') == std::string::npos ? 0 : crypto_ahash_setkey(tfm, key);
  }
  static int prepare(Tfm&) { return 0; }
  static Request request(Tfm& tfm) { return api::ahash_request_alloc(tfm); }
  static void fill(Tfm&, api::AhashRequest& req, Buffers& b, size_t bytes, uint32_t flags, api::CryptoCompletion done,
                   void* data) {
    ahash_request_set_callback(req, flags, done, data);
    ahash_request_set_crypt(req, {&b.src, 1}, b.out.data(), static_cast<uint32_t>(bytes));
  }
  static int submit(api::AhashRequest& req) { return crypto_ahash_digest(req); }
};

template <class End>
class RequestsOf final : public Requests {
 public:
  RequestsOf(std::vector<typename End::Handle> tfms, const RequestPlan& plan, Sink& sink)
      : tfms_(std::move(tfms)), sink_(sink), slots_(plan.slots) {
    const size_t block = std::max<size_t>(1, block_size());
    const size_t bytes = std::is_same_v<End, Ahash> ? plan.bytes : (plan.bytes + block - 1) / block * block;
    const uint32_t flags = plan.may_backlog ? api::CRYPTO_TFM_REQ_MAY_BACKLOG : 0;
    for (unsigned i = 0; i < plan.slots; ++i) {
      Slot& s = slots_[i];
      typename End::Tfm& tfm = *tfms_[i % tfms_.size()];
      const size_t aad = End::aad(tfm);
      s.owner = this;
      s.b.in = bytes_of(aad + bytes, i);
      s.b.out.resize(aad + bytes + kTailRoom);
      s.b.src = {s.b.in.data(), s.b.in.size()};
      s.b.dst = {s.b.out.data(), s.b.out.size()};
      s.req = End::request(tfm);
      End::fill(tfm, *s.req, s.b, bytes, flags, done, &s);
    }
  }
  int submit(unsigned slot) override {
    Slot& s = slots_[slot];
    // Some modes write the IV back: each request starts with its own.
    s.b.iv = {};
    ++s.count;
    for (size_t i = 0; i < 4; ++i) s.b.iv[i] = static_cast<uint8_t>(s.count >> 8 * i);
    s.b.iv[4] = static_cast<uint8_t>(slot);
    s.b.iv[5] = static_cast<uint8_t>(slot >> 8);
    return End::submit(*s.req);
  }
  desc::ByteSpan output(unsigned slot) const override { return slots_[slot].b.out; }
  const api::CryptoTfm& tfm(unsigned key) const override { return *tfms_[key]; }
  unsigned block_size() const override { return tfms_[0]->alg->cra_blocksize; }

 private:
  struct Slot {
    RequestsOf* owner = nullptr;
    uint32_t count = 0;
    Buffers b;
    typename End::Request req;
  };
  static void done(void* data, int err) {
    if (err == -EINPROGRESS) return;
    auto* slot = static_cast<Slot*>(data);
    slot->owner->sink_.request_done(static_cast<unsigned>(slot - slot->owner->slots_.data()), err);
  }

  std::vector<typename End::Handle> tfms_;
  Sink& sink_;
  std::vector<Slot> slots_;
};

// Keys of the sizes that drivers take; an authenc key among them.
std::vector<std::vector<uint8_t>> candidate_keys(unsigned key_bits, unsigned seed) {
  std::vector<std::vector<uint8_t>> keys;
  if (key_bits != 0) keys.push_back(bytes_of(key_bits / 8, seed));
  for (const size_t n : {16, 20, 24, 8, 28, 32, 36, 64})
    if (key_bits == 0) keys.push_back(bytes_of(n, seed));
  for (const size_t n : {16, 24, 8, 20, 0})
    if (key_bits == 0 || key_bits == n * 8)
      keys.push_back(api::crypto_authenc_make_key(bytes_of(32, seed), bytes_of(n, seed + 1)));
  return keys;
}

template <class End>
desc::Result<std::unique_ptr<Requests>> make_of(api::Registry& registry, const RequestPlan& plan, Requests::Sink& sink,
                                                bool& found) {
  std::vector<typename End::Handle> tfms;
  for (unsigned k = 0; k < std::max(1u, plan.keys); ++k) {
    auto tfm = End::alloc(registry, plan.driver);
    if (!tfm) return nullptr;
    found = true;
    const auto keys = candidate_keys(plan.key_bits, k);
    const bool taken = std::ranges::any_of(keys, [&](const auto& key) { return End::setkey(**tfm, key) == 0; });
    if (!taken || End::prepare(**tfm) != 0)
      return desc::fail(desc::ErrorCode::kInvalidArgument,
                        fmt::format("{} takes no key of {} bits", plan.driver, plan.key_bits));
    tfms.push_back(std::move(*tfm));
  }
  return std::make_unique<RequestsOf<End>>(std::move(tfms), plan, sink);
}

}  // namespace

desc::Result<std::unique_ptr<Requests>> Requests::make(api::Registry& registry, const RequestPlan& plan, Sink& sink) {
  bool found = false;
  for (auto* make : {make_of<Aead>, make_of<Skcipher>, make_of<Ahash>}) {
    auto made = make(registry, plan, sink, found);
    if (found) return made;
  }
  return desc::fail(desc::ErrorCode::kNotFound,
                    fmt::format("there is no cipher, aead or hash \"{}\" here", plan.driver));
}

}  // namespace caamlab::tools
