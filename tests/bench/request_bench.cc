// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A gcm(aes) request through the whole path (API, driver, ring, DECO, completion; never mode, inline key, 16 bytes of
// AAD) against the same request done directly with libcrypto: EVP, prepared key, IV per request. Both run in this
// process, turn about, and only the ratio is meant to be read. Throughput is that of a ring kept busy, 16 in flight;
// one in flight is for comparison.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "tools/lab.h"

namespace caamlab {
namespace {

constexpr size_t kAad = 16, kTag = 16, kIv = 12;

struct Buffers {
  explicit Buffers(size_t len) : in(kAad + len), out(kAad + len + kTag) {}
  std::vector<uint8_t> in, out;
  uint8_t key[16] = {1}, iv[kIv] = {2};
};

// The same work directly: what an application on libcrypto pays.
class Direct {
 public:
  explicit Direct(size_t len) : b_(len), len_(len), ctx_(EVP_CIPHER_CTX_new()) {
    EVP_EncryptInit_ex(ctx_, EVP_aes_128_gcm(), nullptr, b_.key, nullptr);
  }
  ~Direct() { EVP_CIPHER_CTX_free(ctx_); }
  bool run() {
    int n = 0;
    ++b_.iv[0];
    return EVP_EncryptInit_ex(ctx_, nullptr, nullptr, nullptr, b_.iv) == 1 &&
           EVP_EncryptUpdate(ctx_, nullptr, &n, b_.in.data(), kAad) == 1 &&
           EVP_EncryptUpdate(ctx_, b_.out.data() + kAad, &n, b_.in.data() + kAad, static_cast<int>(len_)) == 1 &&
           EVP_EncryptFinal_ex(ctx_, b_.out.data(), &n) == 1 &&
           EVP_CIPHER_CTX_ctrl(ctx_, EVP_CTRL_AEAD_GET_TAG, kTag, b_.out.data() + kAad + len_) == 1;
  }

 private:
  Buffers b_;
  size_t len_;
  EVP_CIPHER_CTX* ctx_;
};

// `depth` requests of one key in flight, each with buffers and a request of its own.
class WholePath {
 public:
  WholePath(size_t len, size_t depth) {
    tools::LabOptions options;
    options.driver.share = desc::ShareMode::kNever;
    options.generic_drivers = options.cpu_drivers = false;
    lab_ = std::move(*tools::Lab::make("lx2160a", options));
    tfm_ = std::move(*api::crypto_alloc_aead(lab_->registry(), "gcm(aes)"));
    const uint8_t key[16] = {1};
    if (api::crypto_aead_setkey(*tfm_, key) != 0 || api::crypto_aead_setauthsize(*tfm_, kTag) != 0) std::abort();
    for (size_t i = 0; i < depth; ++i) slots_.push_back(std::make_unique<Slot>(*tfm_, len));
  }
  bool run() {
    for (auto& s : slots_) {
      ++s->b.iv[0];
      s->err = api::crypto_aead_encrypt(*s->req);
    }
    bool good = true;
    for (auto& s : slots_) good = api::crypto_wait_req(s->err, s->wait, *tfm_) == 0 && good;
    return good;
  }

 private:
  struct Slot {
    Slot(api::CryptoAead& tfm, size_t len)
        : b(len), src{b.in.data(), b.in.size()}, dst{b.out.data(), b.out.size()}, req(api::aead_request_alloc(tfm)) {
      api::aead_request_set_callback(*req, 0, api::crypto_req_done, &wait);
      api::aead_request_set_crypt(*req, {&src, 1}, {&dst, 1}, static_cast<uint32_t>(len), b.iv);
      api::aead_request_set_ad(*req, kAad);
    }
    Buffers b;
    api::Segment src, dst;
    api::CryptoWait wait;
    api::AeadRequestHandle req;
    int err = 0;
  };
  std::unique_ptr<tools::Lab> lab_;
  api::AeadHandle tfm_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

template <class Path>
double nanoseconds_each(Path& path, int rounds, benchmark::State& state) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i)
    if (!path.run()) state.SkipWithError("a request failed");
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(stop - start).count() / rounds;
}

// Alternates short batches and keeps the fastest of each, so that what else the machine does hits both alike.
void request(benchmark::State& state) {
  const size_t len = static_cast<size_t>(state.range(0)), depth = static_cast<size_t>(state.range(1));
  const double wanted = static_cast<double>(state.range(2)) / 100;
  Direct direct(len);
  WholePath path(len, depth);
  const int rounds = len >= 4096 ? 320 : 1600;
  double best_direct = 1e18, best_path = 1e18;
  for (auto _ : state) {
    best_direct = std::min(best_direct, nanoseconds_each(direct, rounds, state));
    const int turns = std::max(1, rounds / static_cast<int>(depth));
    best_path = std::min(best_path, nanoseconds_each(path, turns, state) / static_cast<double>(depth));
  }
  state.counters["libcrypto_ns"] = best_direct;
  state.counters["path_ns"] = best_path;
  state.counters["ratio"] = best_direct / best_path;
  if (wanted == 0) return;
  state.counters["wanted"] = wanted;
  state.SetLabel(best_direct / best_path >= wanted ? "reached" : "NOT REACHED");
}
BENCHMARK(request)
    ->ArgNames({"bytes", "in_flight", "wanted%"})
    ->Args({64, 16, 40})
    ->Args({1420, 16, 70})
    ->Args({4096, 16, 88})
    ->Args({16384, 16, 95})
    ->Args({64, 1, 0})
    ->Args({1420, 1, 0})
    ->Args({4096, 1, 0})
    ->Args({16384, 1, 0})
    ->Iterations(100)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace caamlab

BENCHMARK_MAIN();
