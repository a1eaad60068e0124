// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam algs: the algorithms of a machine, as /proc/crypto or as a table.
#include <fmt/format.h>

#include "api/machine/proc_crypto.h"
#include "tools/machine_source.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using api::ListedAlg;
using nlohmann::json;

struct AlgsOptions {
  std::string machine = "lx2160a-qi2-100";
  std::string name;
  bool table = false;
  bool json = false;
};

json alg_json(const ListedAlg& alg) {
  json parts = json::array();
  for (const ListedAlg::Part& part : alg.parts) parts.push_back(part.alg->driver);
  return {{"name", alg.name},
          {"driver", alg.driver},
          {"module", alg.module},
          {"type", api::cra_type_text(alg.flags)},
          {"priority", alg.priority},
          {"refcnt", alg.refcnt},
          {"flags", fmt::format("{:#x}", alg.flags)},
          {"selftest", alg.tested() ? "passed" : "unknown"},
          {"accelerator", alg.accelerator},
          {"parts", parts}};
}

void algs(Session& session, const AlgsOptions& o) {
  const MachineSource source = machine_source(session, o.machine);
  const api::Machine machine = source.make();
  json out = json::array();
  size_t shown = 0;
  for (const ListedAlg& alg : machine.algs()) {
    if (!o.name.empty() && alg.name != o.name && alg.driver != o.name) continue;
    ++shown;
    if (o.json)
      out.push_back(alg_json(alg));
    else if (o.table)
      session.out << fmt::format("{:<48} {:<52} {:>6}  {:<10} {}\n", alg.name, alg.driver, alg.priority,
                                 api::cra_type_text(alg.flags), alg.module);
    else
      session.out << api::proc_crypto_block(alg) << '\n';
  }
  if (o.json) print_json(session, {{"machine", source.label}, {"algorithms", out}});
  if (shown == 0) session.exit_code = kExitNo;
}

}  // namespace

void add_algs(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("algs", "The algorithms of a machine, as /proc/crypto shows them");
  auto o = std::make_shared<AlgsOptions>();
  sub->add_option("name", o->name, "only those of this name or driver name");
  sub->add_option("--machine,--from", o->machine, "a profile (" + profile_list() + "), or a saved /proc/crypto")
      ->capture_default_str();
  sub->add_flag("--table", o->table, "a line each");
  sub->add_flag("--json", o->json, "structured output, with flags and parts");
  sub->footer(
      "Newest registration first, as the kernel lists them.\n"
      "exit codes: 0 done, 1 nothing has this name, 2 the file cannot be read\n"
      "example: caam algs 'gcm(aes)' --machine imx8m-jr --table");
  sub->callback([o, &session] { algs(session, *o); });
}

}  // namespace caamlab::tools
