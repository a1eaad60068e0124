// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam speed: how fast drivers are on a platform, in virtual time (docs/timing.md).
#include <fmt/format.h>

#include "tools/speed_command.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using timing::Profile;

// "mode=211 sec=1 num_mb=8", as modprobe takes them.
void module_parameters(SpeedCommand& c) {
  for (const std::string& text : c.tcrypt) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::string* to = name == "mode"     ? &c.mode
                      : name == "sec"    ? &c.sec
                      : name == "num_mb" ? &c.num_mb
                      : name == "alg"    ? &c.algorithm
                                         : nullptr;
    if (equals == std::string::npos || to == nullptr)
      throw UsageError(fmt::format("\"{}\": mode=N, sec=N, num_mb=N and alg=NAME are possible, as for tcrypt", text));
    *to = text.substr(equals + 1);
  }
}

// Real time has no profile: one thread runs everything.
Profile this_host(const SpeedCommand& c) {
  Profile p;
  p.name = c.platform;
  p.title = fmt::format("this host, device {}", c.platform);
  p.cpus = 1;
  p.default_driver = "gcm-aes-caam";
  return p;
}

void run(Session& session, SpeedCommand c) {
  module_parameters(c);
  if (c.published || !c.figures.empty()) return speed_figures(session, c);
  if (c.real) return speed_sweep(session, c, this_host(c));
  Profile profile = value_or_throw(timing::resolve_profile(c.platform), "--platform");
  // There is no queue interface to run jobs through, so the job ring driver it is unless another one is named.
  if (c.data && profile.default_driver.ends_with("-qi2"))
    profile.default_driver.resize(profile.default_driver.size() - std::string_view("-qi2").size());
  if (!c.compare.empty()) return speed_compare(session, std::move(c), profile);
  if (!c.mode.empty()) return speed_tcrypt(session, c, profile);
  speed_sweep(session, c, profile);
}

}  // namespace

void add_speed(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("speed", "How fast drivers are on a platform, and what they cost");
  auto c = std::make_shared<SpeedCommand>();
  const auto list = [&](const char* name, std::vector<std::string>& to, const char* about) {
    sub->add_option(name, to, about)->delimiter(',')->expected(1, -1);
  };
  sub->add_option("--platform", c->platform, "timing profile by name, FILE.json, or FILE.json#NAME")
      ->capture_default_str();
  list("--driver", c->drivers, "drivers, such as gcm-aes-caam-qi2,gcm-aes-ce (default: the profile's)");
  list("--share", c->share, "share modes: never, wait, serial, always (default: serial)");
  list("--size", c->size, "bytes of a request (default: 16 to 65536)");
  list("--inflight", c->inflight, "requests in flight of each CPU (default: 32)");
  list("--cpus", c->cpus, "CPUs that submit (default: 1)");
  list("--keys", c->keys, "keys, each with a shared descriptor of its own (default: 1)");
  sub->add_option(
      "--load", c->load,
      "pipe (always as many in flight; default), batch (tcrypt: all, then wait for all), poll (no interrupts)");
  sub->add_option("--completion", c->completion, "CPU of the completions: same or other (default: other for batch)")
      ->check(CLI::IsMember({"same", "other"}));
  sub->add_option("--key-bits", c->key_bits, "key size in bits, where figures depend on it");
  sub->add_option("--requests", c->requests, "requests to measure (default: enough for steady figures)");
  list("--compare", c->compare, "share modes or drivers side by side, and from which size on one is ahead");
  sub->add_flag("--data", c->data, "run every job with its data through driver, ring and DECO, in virtual time");
  list("--fault", c->faults, "with --data: lost-irq@US, stall@US:US, hang@US (a DECO), reset@US (of the rings)");
  sub->add_flag("--real", c->real, "real time on this host: drivers, with the model where a CAAM is; --sec per row");
  sub->add_option("--workers", c->workers, "with --real: threads that run the device's jobs, several DECOs at a time");
  sub->add_flag("--published", c->published, "published figures of all profiles against the model");
  sub->add_option("--figures", c->figures, "the same for the figures in a file (validation, reference, published)");
  sub->add_option("--mode", c->mode, "tcrypt's speed test by number (211, 215, 500, 600, ...) or algorithm");
  sub->add_option("--sec", c->sec, "tcrypt, --real: seconds per line; tcrypt 0: cycles");
  sub->add_option("--num-mb,--num_mb", c->num_mb, "tcrypt: requests in flight of the multi-buffer modes")
      ->capture_default_str();
  sub->add_option("--alg", c->algorithm, "tcrypt: hash of modes 300 and 400");
  sub->add_option("parameters", c->tcrypt, "tcrypt's parameters as modprobe takes them: mode=215 sec=1 num_mb=8");
  sub->add_option("--plot", c->plot,
                  "picture of MB/s, drawn by gnuplot: FILE.svg, FILE.png, or FILE.gp for the script");
  sub->add_option("--html", c->html, "a page with picture and table");
  sub->add_option("--trace", c->trace,
                  "first row as a trace for Perfetto or chrome://tracing: CPUs, DECOs, bus, requests");
  sub->add_flag("--json", c->json, "structured output");
  sub->add_flag("--csv", c->csv, "a line for each row, with commas");
  sub->add_flag("--progress", c->progress, "a progress bar on standard error, also where it is no terminal");
  sub->footer(
      "Time is the platform's, simulated (docs/timing.md). Lists with commas: every combination is measured. 1 MB is "
      "10^6\n"
      "bytes. Where a profile's figures allow two readings, results that differ by more than 5 % are given for both.\n"
      "exit codes: 0 done, 1 a figure is off by more than its tolerance, 2 wrong usage\n"
      "examples: caam speed --driver gcm-aes-caam-qi2 --share never --size 16384 --inflight 32 --load pipe --cpus 1 "
      "--json\n"
      "          caam speed --compare serial,never\n"
      "          caam speed --compare gcm-aes-ce,gcm-aes-caam-qi2 --share never\n"
      "          caam speed --data --share serial,never --size 1420 --fault stall@3000:700\n"
      "          caam speed --real --driver gcm-aes-caam,gcm-aes-ce --size 16384 --share never\n"
      "          caam speed mode=215 sec=1 num_mb=32");
  sub->callback([c, &session] { run(session, *c); });
}

}  // namespace caamlab::tools
