// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A gcm(aes) request through the whole path (API, driver, ring, DECO, completion; never mode, inline key, 16 bytes of
// AAD) against the same request done directly with libcrypto: EVP, prepared key, IV per request. Both run in this
// process, turn about, and only the ratio is meant to be read.
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

class WholePath {
 public:
  explicit WholePath(size_t len) : b_(len), src_{b_.in.data(), b_.in.size()}, dst_{b_.out.data(), b_.out.size()} {
    tools::LabOptions options;
    options.driver.share = desc::ShareMode::kNever;
    options.generic_drivers = options.cpu_drivers = false;
    lab_ = std::move(*tools::Lab::make("lx2160a", options));
    tfm_ = std::move(*api::crypto_alloc_aead(lab_->registry(), "gcm(aes)"));
    if (api::crypto_aead_setkey(*tfm_, b_.key) != 0 || api::crypto_aead_setauthsize(*tfm_, kTag) != 0) std::abort();
    req_ = api::aead_request_alloc(*tfm_);
    api::aead_request_set_callback(*req_, 0, api::crypto_req_done, &wait_);
    api::aead_request_set_crypt(*req_, {&src_, 1}, {&dst_, 1}, static_cast<uint32_t>(len), b_.iv);
    api::aead_request_set_ad(*req_, kAad);
  }
  bool run() {
    ++b_.iv[0];
    return api::crypto_wait_req(api::crypto_aead_encrypt(*req_), wait_, *tfm_) == 0;
  }

 private:
  Buffers b_;
  api::Segment src_, dst_;
  api::CryptoWait wait_;
  std::unique_ptr<tools::Lab> lab_;
  api::AeadHandle tfm_;
  api::AeadRequestHandle req_;
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
  const size_t len = static_cast<size_t>(state.range(0));
  const double wanted = static_cast<double>(state.range(1)) / 100;
  Direct direct(len);
  WholePath path(len);
  const int rounds = len >= 4096 ? 400 : 2000;
  double best_direct = 1e18, best_path = 1e18;
  for (auto _ : state) {
    best_direct = std::min(best_direct, nanoseconds_each(direct, rounds, state));
    best_path = std::min(best_path, nanoseconds_each(path, rounds, state));
  }
  state.counters["libcrypto_ns"] = best_direct;
  state.counters["path_ns"] = best_path;
  state.counters["ratio"] = best_direct / best_path;
  state.counters["wanted"] = wanted;
  state.SetLabel(best_direct / best_path >= wanted ? "reached" : "NOT REACHED");
}
BENCHMARK(request)
    ->ArgNames({"bytes", "wanted%"})
    ->Args({64, 40})
    ->Args({1420, 70})
    ->Args({4096, 88})
    ->Args({16384, 95})
    ->Iterations(150)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace caamlab

BENCHMARK_MAIN();
