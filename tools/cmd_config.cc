// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam config: crconf's commands on a machine's list, as messages of crypto_user.
#include <fmt/format.h>
#include <fnmatch.h>

#include <fstream>
#include <sstream>

#include "api/machine/proc_crypto.h"
#include "tools/crconf.h"
#include "tools/machine_source.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using api::ListedAlg;
using api::UserCommand;
using nlohmann::json;

struct ConfigOptions {
  std::vector<std::string> words;
  std::string machine = "lx2160a-qi2-100";
  std::string save;
  bool undo = false;
  bool messages = false;
  bool json = false;
};

// What came of one command.
struct Done {
  CrconfCommand command;
  std::vector<uint8_t> message;
  int err = 0;
  std::vector<ListedAlg> shown;
  std::vector<std::string> created, removed;
};

std::vector<std::string> drivers_of(const api::Machine& machine) {
  std::vector<std::string> drivers;
  for (const ListedAlg& alg : machine.algs()) drivers.push_back(alg.driver);
  return drivers;
}

bool fits(const CrconfCommand& c, const ListedAlg& alg) {
  if (((alg.flags ^ c.which.type) & c.which.mask) != 0) return false;
  return c.pattern.empty() || fnmatch(c.pattern.c_str(), alg.name.c_str(), 0) == 0 ||
         fnmatch(c.pattern.c_str(), alg.driver.c_str(), 0) == 0;
}

// Sends the command as the tool would, and reads the replies.
Done run(api::Machine& machine, const CrconfCommand& command) {
  Done done{command, user_message(command.command, command.which, command.priority, command.all), 0, {}, {}, {}};
  machine.take_removed();
  const std::vector<std::string> before = drivers_of(machine);
  for (const std::vector<uint8_t>& reply : api::handle_user_message(machine, done.message)) {
    if (const auto err = api::netlink_errno(reply)) done.err = *err;
    if (auto alg = api::parse_report(reply); alg && (!command.all || fits(command, *alg))) {
      // The report has no chunk size; the rest of the fields came with it.
      done.shown.push_back(std::move(*alg));
    }
  }
  if (command.command == UserCommand::kGetAlg && done.err == 0 && done.shown.empty()) done.err = -ENOENT;
  done.removed = machine.take_removed();
  for (const std::string& driver : drivers_of(machine)) {
    if (std::ranges::find(before, driver) == before.end()) done.created.insert(done.created.begin(), driver);
  }
  return done;
}

json alg_json(const ListedAlg& alg) {
  return {{"name", alg.name},
          {"driver", alg.driver},
          {"module", alg.module},
          {"priority", alg.priority},
          {"refcnt", alg.refcnt},
          {"type", api::cra_type_text(alg.flags)},
          {"flags", fmt::format("{:#x}", alg.flags)},
          {"selftest", alg.tested() ? "passed" : "unknown"}};
}

std::string hex(const std::vector<uint8_t>& bytes) {
  std::string out;
  for (const uint8_t byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

json done_json(const Done& done) {
  json out = {{"command", done.command.text()},
              {"message", hex(done.message)},
              {"created", done.created},
              {"removed", done.removed},
              {"algorithms", json::array()}};
  out["error"] = done.err == 0 ? json() : json(api::errno_name(done.err));
  for (const ListedAlg& alg : done.shown) out["algorithms"].push_back(alg_json(alg));
  return out;
}

// What may be wrong, by operation and errno (crypto-api.md 3.2).
const char* hint(const Done& done) {
  const UserCommand command = done.command.command;
  if (done.err == -ENOENT) {
    return command == UserCommand::kNewAlg ? "nothing of that name can be found or made, or not as that type"
                                           : "no algorithm has exactly this driver name and type";
  }
  if (done.err == -EEXIST) return "it is there already; update changes its priority";
  if (done.err == -EBUSY) return "somebody uses it";
  if (done.err != -EINVAL) return "";
  if (command == UserCommand::kDelAlg)
    return "only instances of templates can be deleted, not what a module registered";
  return "a priority wants a driver name; names have 63 characters at most";
}

void print_done(Session& session, const Done& done, bool many, bool messages) {
  if (messages) session.out << fmt::format("message {}\n", hex(done.message));
  if (done.err != 0) {
    session.err << fmt::format("caam config: {}: {}; {}\n", done.command.text(), api::errno_text(done.err), hint(done));
    return;
  }
  for (const ListedAlg& alg : done.shown) session.out << crconf_text(alg);
  if (many) session.out << done.command.text() << '\n';
  for (const std::string& driver : done.created) session.out << "  created " << driver << '\n';
  for (const std::string& driver : done.removed) session.out << "  removed " << driver << '\n';
}

std::vector<CrconfCommand> read_commands(Session& session, const ConfigOptions& o) {
  if (o.words.size() != 2 || o.words[0] != "apply") return {parse_crconf(o.words)};
  std::vector<CrconfCommand> commands;
  std::istringstream text(read_input(session, o.words[1]));
  size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    try {
      if (const auto words = crconf_words(line); !words.empty()) commands.push_back(parse_crconf(words));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}:{}: {}", o.words[1], number, error.what()));
    }
  }
  return commands;
}

void config(Session& session, const ConfigOptions& o) {
  const std::vector<CrconfCommand> commands = read_commands(session, o);
  const MachineSource source = machine_source(session, o.machine);
  api::Machine machine = source.make();
  json list = json::array();
  for (const CrconfCommand& command : commands) {
    const Done done = run(machine, command);
    if (done.err != 0) session.exit_code = kExitNo;
    list.push_back(done_json(done));
    if (!o.json) print_done(session, done, commands.size() > 1, o.messages);
  }
  const std::vector<std::string> undo = undo_commands(source.make(), machine);
  if (o.json) print_json(session, {{"machine", source.label}, {"commands", list}, {"undo", undo}});
  if (o.undo && !o.json) {
    session.out << "# brings the machine back to what it was:\n";
    for (const std::string& command : undo) session.out << command << '\n';
  }
  if (o.save.empty()) return;
  std::ofstream file(o.save, std::ios::binary);
  file << api::proc_crypto_text(machine);
  if (!file.flush()) throw UsageError(fmt::format("--save {}: cannot be written", o.save));
}

}  // namespace

void add_config(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("config", "crconf's commands on a machine: add, del, update, show, apply");
  auto o = std::make_shared<ConfigOptions>();
  sub->add_option("command", o->words, "below")->required()->expected(1, -1);
  sub->add_option("--machine", o->machine, "a profile (" + profile_list() + "), or a saved /proc/crypto")
      ->capture_default_str();
  sub->add_option("--save", o->save, "write the list as it is afterwards, as /proc/crypto has it");
  sub->add_flag("--undo", o->undo, "print the commands that undo what was done");
  sub->add_flag("--messages", o->messages, "print the netlink messages, in hexadecimal");
  sub->add_flag("--json", o->json, "structured output, with messages and undo");
  sub->footer(
      "commands:\n"
      "  add {alg NAME | driver DRIVER} [type TYPE] [priority P]    NEWALG: make it, if nothing has it\n"
      "  del driver DRIVER [type TYPE]                              DELALG: an instance nobody uses\n"
      "  update driver DRIVER [type TYPE] [priority P]              UPDATEALG: drop what is built on it, set P\n"
      "  show {driver DRIVER | alg NAME | all} [type TYPE]          GETALG; * and ? in names\n"
      "  delrng                                                     DELRNG\n"
      "  apply FILE                                                 such commands, one a line; # begins a comment\n"
      "Words may be abbreviated; TYPE is a number or a name. The real machine is not touched: give a real crconf the\n"
      "same words.\n"
      "exit codes: 0 done, 1 refused with an errno, 2 wrong usage or unreadable input\n"
      "example: caam config update driver gcm-aes-caam-qi2 type 3 priority 4000 --undo --save after.txt");
  sub->callback([o, &session] { config(session, *o); });
}

}  // namespace caamlab::tools
