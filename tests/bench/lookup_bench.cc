// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Lookups against the number of registered algorithms, by name and by driver name, and a scan of the same list as the
// kernel makes it, in one process. Wanted: flat but for cache misses, tens of
// nanoseconds.
#include <benchmark/benchmark.h>

#include <deque>

#include "api/aead.h"
#include "api/registry.h"

namespace {

using namespace caamlab::api;

int accept_key(CryptoAead&, std::span<const uint8_t>) { return 0; }
int do_nothing(AeadRequest&) { return 0; }

// Three drivers to a name, like a machine with an accelerator.
struct Listed {
  Registry registry;
  std::deque<AeadAlg> algs;

  explicit Listed(int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      AeadAlg& alg = algs.emplace_back();
      alg.cra_name = "authenc(hmac(sha256),cipher-" + std::to_string(i / 3) + ")";
      alg.cra_driver_name = "authenc-hmac-sha256-cipher-" + std::to_string(i);
      alg.cra_priority = static_cast<int>(i % 3) * 100;
      alg.cra_blocksize = 1;
      alg.ops = {.setkey = accept_key, .encrypt = do_nothing, .decrypt = do_nothing};
      crypto_register_aead(registry, alg);
    }
  }
  ~Listed() {
    for (AeadAlg& alg : algs) crypto_unregister_aead(registry, alg);
  }
};

void look_up(benchmark::State& state, std::string CryptoAlg::*by) {
  Listed listed(state.range(0));
  size_t i = 0;
  for (auto _ : state) {
    const std::string& name = listed.algs[i % listed.algs.size()].*by;
    benchmark::DoNotOptimize(listed.registry.find_alg(crypto_aead_type, name, 0, 0));
    i += 17;
  }
}
void by_name(benchmark::State& state) { look_up(state, &CryptoAlg::cra_name); }
void by_driver_name(benchmark::State& state) { look_up(state, &CryptoAlg::cra_driver_name); }

void list_scan(benchmark::State& state) {
  Listed listed(state.range(0));
  size_t i = 0;
  for (auto _ : state) {
    const std::string& name = listed.algs[i % listed.algs.size()].cra_name;
    const CryptoAlg* best = nullptr;
    listed.registry.for_each([&](const CryptoAlg& alg) {
      if (alg.cra_name == name && (best == nullptr || alg.cra_priority > best->cra_priority)) best = &alg;
    });
    benchmark::DoNotOptimize(best);
    i += 17;
  }
}

BENCHMARK(by_name)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(by_driver_name)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(list_scan)->Arg(100)->Arg(1000)->Arg(10000);

}  // namespace

BENCHMARK_MAIN();
