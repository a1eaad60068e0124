// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Buffers, layouts and requests for tests.
#include "tests/api/runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

namespace caamlab::tests {
namespace {

using api::CryptoWait;
using api::SgTable;

constexpr uint8_t kGuard = 0x5a;
constexpr size_t kGuardLen = 64;

// `len` bytes at a chosen offset from a 64-byte boundary, with guards on both sides.
class Buffer {
 public:
  Buffer(size_t len, size_t offset)
      : memory_(static_cast<uint8_t*>(std::aligned_alloc(64, (offset + len + 2 * kGuardLen + 63) / 64 * 64))),
        size_((offset + len + 2 * kGuardLen + 63) / 64 * 64),
        start_(kGuardLen + offset),
        len_(len) {
    std::memset(memory_, kGuard, size_);
  }
  ~Buffer() { std::free(memory_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::span<uint8_t> bytes() const { return {memory_ + start_, len_}; }
  bool intact() const {
    const auto is_guard = [](uint8_t b) { return b == kGuard; };
    return std::all_of(memory_, memory_ + start_, is_guard) &&
           std::all_of(memory_ + start_ + len_, memory_ + size_, is_guard);
  }

 private:
  uint8_t* memory_;
  size_t size_;
  size_t start_;
  size_t len_;
};

Bytes copy(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// Source and destination of one request.
class Lists {
 public:
  Lists(const Layout& layout, const Bytes& in, size_t out_len)
      : same_memory_(layout.in_place || layout.in_place_two),
        src_(same_memory_ ? std::max(in.size(), out_len) : in.size(), layout.offset),
        dst_(same_memory_ ? 0 : out_len, layout.offset) {
    std::ranges::copy(in, src_.bytes().begin());
    src_table_ = SgTable::split_at(src_.bytes(), layout.src_pieces);
    dst_table_ = SgTable::split_at(out().first(out_len), layout.dst_pieces);
    if (layout.in_place) dst_table_ = SgTable();
    in_place_ = layout.in_place;
    if (!same_memory_) kept_ = in;
  }
  std::span<uint8_t> out() const { return same_memory_ ? src_.bytes() : dst_.bytes(); }
  api::Scatterlist src() const { return src_table_; }
  api::Scatterlist dst() const { return in_place_ ? src_table_.list() : dst_table_.list(); }
  // Nothing outside the buffers was written, nor the source when it is not the destination too.
  bool intact() const {
    return src_.intact() && dst_.intact() && (same_memory_ || std::ranges::equal(kept_, src_.bytes()));
  }

 private:
  bool same_memory_;
  Buffer src_;
  Buffer dst_;
  SgTable src_table_;
  SgTable dst_table_;
  Bytes kept_;
  bool in_place_ = false;
};

}  // namespace

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> kLayouts = {
      {.name = "out of place"},
      {.name = "in place, one list", .in_place = true},
      {.name = "in place, two lists", .in_place_two = true, .dst_pieces = {7, 30}},
      {.name = "offset 1", .offset = 1},
      {.name = "in place, offset 3", .in_place = true, .offset = 3},
      {.name = "two pieces", .src_pieces = {20, 1 << 20}, .dst_pieces = {20, 1 << 20}},
      {.name = "pieces of 1", .src_pieces = {1}, .dst_pieces = {1}},
      {.name = "in place, pieces of 1", .in_place = true, .src_pieces = {1}},
      {.name = "pieces of 3 into 16", .src_pieces = {3}, .dst_pieces = {16}},
      {.name = "pieces of 16 into 3", .src_pieces = {16}, .dst_pieces = {3}, .offset = 5},
      {.name = "pieces of 64", .src_pieces = {64}, .dst_pieces = {64}},
      {.name = "uneven", .src_pieces = {1, 17, 0, 5, 63, 2}, .dst_pieces = {33, 4, 1, 15, 8}},
      {.name = "in place, uneven", .in_place = true, .src_pieces = {9, 1, 31, 0, 16, 5}},
      {.name = "in place, two lists, uneven", .in_place_two = true, .src_pieces = {5, 11}, .dst_pieces = {13, 2, 1}},
  };
  return kLayouts;
}

Outcome run_aead(api::CryptoAead& tfm, Crypt crypt, const AeadInput& input, const Layout& layout) {
  Outcome outcome;
  Bytes in = input.aad;
  in.insert(in.end(), input.text.begin(), input.text.end());
  const size_t tag = crypto_aead_authsize(tfm);
  const size_t text_out =
      crypt == Crypt::kEncrypt ? input.text.size() + tag : input.text.size() - std::min(tag, input.text.size());
  const Lists lists(layout, in, input.aad.size() + text_out);
  Bytes iv = input.iv;
  auto req = aead_request_alloc(tfm);
  CryptoWait wait;
  aead_request_set_callback(*req, input.flags, api::crypto_req_done, &wait);
  aead_request_set_ad(*req, static_cast<uint32_t>(input.aad.size()));
  aead_request_set_crypt(*req, lists.src(), lists.dst(), static_cast<uint32_t>(input.text.size()), iv.data());
  const int answer = crypt == Crypt::kEncrypt ? crypto_aead_encrypt(*req) : crypto_aead_decrypt(*req);
  outcome.err = crypto_wait_req(answer, wait, tfm);
  outcome.aad_out = copy(lists.out().first(input.aad.size()));
  outcome.out = copy(lists.out().subspan(input.aad.size(), text_out));
  outcome.iv = iv;
  outcome.guards_intact = lists.intact();
  return outcome;
}

Outcome run_skcipher(api::CryptoSkcipher& tfm, Crypt crypt, const Bytes& iv, const Bytes& text, const Layout& layout) {
  Outcome outcome;
  const Lists lists(layout, text, text.size());
  outcome.iv = iv;
  auto req = skcipher_request_alloc(tfm);
  CryptoWait wait;
  skcipher_request_set_callback(*req, 0, api::crypto_req_done, &wait);
  skcipher_request_set_crypt(*req, lists.src(), lists.dst(), static_cast<uint32_t>(text.size()), outcome.iv.data());
  const int answer = crypt == Crypt::kEncrypt ? crypto_skcipher_encrypt(*req) : crypto_skcipher_decrypt(*req);
  outcome.err = crypto_wait_req(answer, wait, tfm);
  outcome.out = copy(lists.out());
  outcome.guards_intact = lists.intact();
  return outcome;
}

namespace {

// Feeds all but the last piece with update. Returns what is left, or an error.
int feed(api::CryptoAhash& tfm, api::AhashRequest& req, CryptoWait& wait, api::Scatterlist pieces, bool move) {
  int err = crypto_wait_req(crypto_ahash_init(req), wait, tfm);
  for (size_t i = 0; err == 0 && i < pieces.size(); ++i) {
    ahash_request_set_crypt(req, pieces.subspan(i, 1), nullptr, static_cast<uint32_t>(pieces[i].len));
    err = crypto_wait_req(crypto_ahash_update(req), wait, tfm);
    if (err != 0 || !move) continue;
    Bytes state(crypto_ahash_statesize(tfm));
    err = crypto_ahash_export(req, state.data());
    if (err != 0) continue;
    auto other = ahash_request_alloc(tfm);  // proves that import needs nothing else
    ahash_request_set_callback(*other, 0, api::crypto_req_done, &wait);
    err = crypto_ahash_import(*other, state.data());
    if (err == 0) err = crypto_ahash_export(*other, state.data());
    if (err == 0) err = crypto_ahash_import(req, state.data());
  }
  return err;
}

}  // namespace

Outcome run_ahash(api::CryptoAhash& tfm, const Bytes& message, HashCalls calls, const Layout& layout) {
  Outcome outcome;
  Buffer in(message.size(), layout.offset);
  std::ranges::copy(message, in.bytes().begin());
  const SgTable table = SgTable::split_at(in.bytes(), layout.src_pieces);
  const Buffer result(crypto_ahash_digestsize(tfm), layout.offset);
  const api::Scatterlist pieces = table.list();
  auto req = ahash_request_alloc(tfm);
  CryptoWait wait;
  ahash_request_set_callback(*req, 0, api::crypto_req_done, &wait);
  const auto len = static_cast<uint32_t>(message.size());
  switch (calls) {
    case HashCalls::kDigest:
      ahash_request_set_crypt(*req, pieces, result.bytes().data(), len);
      outcome.err = crypto_wait_req(crypto_ahash_digest(*req), wait, tfm);
      break;
    case HashCalls::kFinup: {
      const size_t before = pieces.size() / 2;
      outcome.err = feed(tfm, *req, wait, pieces.first(before), false);
      const auto fed = static_cast<uint32_t>(api::sg_total_len(pieces.first(before)));
      ahash_request_set_crypt(*req, pieces.subspan(before), result.bytes().data(), len - fed);
      if (outcome.err == 0) outcome.err = crypto_wait_req(crypto_ahash_finup(*req), wait, tfm);
      break;
    }
    case HashCalls::kUpdateFinal:
    case HashCalls::kExportImport:
      outcome.err = feed(tfm, *req, wait, pieces, calls == HashCalls::kExportImport);
      ahash_request_set_crypt(*req, {}, result.bytes().data(), 0);
      if (outcome.err == 0) outcome.err = crypto_wait_req(crypto_ahash_final(*req), wait, tfm);
      break;
  }
  outcome.out = copy(result.bytes());
  outcome.guards_intact = in.intact() && result.intact() && std::ranges::equal(message, in.bytes());
  return outcome;
}

Bytes random_bytes(size_t len, uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes bytes(len);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random());
  return bytes;
}

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace caamlab::tests
