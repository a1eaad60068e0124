// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam speed --mode: tcrypt's tests and texts, in virtual time.
#include <fmt/format.h>

#include <algorithm>

#include "tools/speed_command.h"
#include "tools/tcrypt.h"

namespace caamlab::tools {

using timing::Profile;

namespace {

// By number, or by the name of an algorithm: its multi-buffer mode if requests are to be in flight, else the first that
// lets accelerators in.
unsigned mode_of(const SpeedCommand& c) {
  if (!c.mode.empty() && c.mode.find_first_not_of("0123456789") == std::string::npos)
    return static_cast<unsigned>(number_argument("--mode", c.mode, 100000));
  const auto modes = tcrypt_modes_of(c.mode);
  if (modes.empty())
    throw UsageError(fmt::format(
        "--mode: tcrypt has no speed test of \"{}\"; give a number or an algorithm such as gcm(aes)", c.mode));
  for (unsigned mode : modes)
    if (!tcrypt_tests(mode)[0].synchronous_only) return mode;
  return modes[0];
}

}  // namespace

void speed_tcrypt(Session& session, const SpeedCommand& c, const Profile& profile) {
  const unsigned mode = mode_of(c);
  std::vector<TcryptTest> tests = tcrypt_tests(mode, c.algorithm);
  if (c.mode.find('(') != std::string::npos)
    std::erase_if(tests, [&](const TcryptTest& t) { return t.algorithm != c.mode; });
  if (tests.empty())
    throw UsageError(fmt::format("--mode: tcrypt has no speed mode {}{}", mode,
                                 mode == 300 || mode == 400 ? " without a hash it knows in alg=" : ""));
  TcryptOptions options;
  options.sec = static_cast<unsigned>(number_argument("sec", c.sec, 100000));
  options.num_mb = static_cast<unsigned>(number_argument("num_mb", c.num_mb, 100000));
  if (options.num_mb == 0) throw UsageError("num_mb: at least 1 is needed");
  for (uint64_t n : numbers("--size", c.size, 1'000'000'000)) options.sizes.push_back(static_cast<unsigned>(n));
  if (const auto bits = number_argument("--key-bits", c.key_bits, 4096); bits != 0)
    options.key_bytes = {static_cast<unsigned>(bits / 8)};
  if (options.sec == 0 && profile.cpu_mhz == 0)
    throw UsageError(fmt::format("cycles: the clock of {} is not known; give sec=1", profile.name));

  TcryptBackend backend;
  backend.print = [&](const std::string& text) { session.out << text; };
  backend.block_size = [](const std::string& driver) {
    const auto is = [&](std::string_view part) { return driver.find(part) != std::string::npos; };
    if (driver.starts_with("cbc-aes") || driver.starts_with("ecb-aes") || driver.starts_with("xts-aes")) return 16u;
    return is("-des") || is("-3des") ? 8u : 1u;
  };
  backend.driver = [&](const TcryptTest& test) -> std::string {
    if (!c.drivers.empty()) return c.drivers[0];
    return test.synchronous_only ? "" : engine_driver(profile, std::string(test.algorithm));
  };
  backend.measure = [&](const TcryptCase& t) {
    SpeedPoint p{.driver = t.driver, .key_bits = t.key_bytes * 8, .scenario = base_scenario(c)};
    if (profile.core_driver(p.driver, p.key_bits) == nullptr && profile.core_driver(p.driver, 0) != nullptr)
      p.key_bits = 0;
    p.scenario.load = timing::Load::kBatch;
    p.scenario.completion = timing::CompletionCpu::kOther;
    p.scenario.share = share_argument(c.share[0]);
    p.scenario.depth = t.in_flight;
    p.scenario.bytes = t.per_update;
    const SpeedRow row = value_or_throw(measure(profile, p), "caam speed");
    // A hash in several updates: each is a request of its own, and one more ends it.
    const double requests = t.per_update == t.bytes ? 1 : t.bytes / t.per_update + 1;
    TcryptRate rate;
    rate.operations_per_s = row.outcome.requests_per_s / requests;
    rate.cycles_per_operation = profile.cpu_mhz * 1e6 / rate.operations_per_s;
    return rate;
  };
  run_tcrypt(tests, options, backend);
}

}  // namespace caamlab::tools
