// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See crconf.h.
#include "tools/crconf.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "tools/cli.h"

namespace caamlab::tools {
namespace {

using api::ListedAlg;
using api::UserCommand;

struct Word {
  std::string_view word;
  UserCommand command;
};
constexpr Word kCommands[] = {
    {"add", UserCommand::kNewAlg},  {"del", UserCommand::kDelAlg},    {"update", UserCommand::kUpdateAlg},
    {"show", UserCommand::kGetAlg}, {"delrng", UserCommand::kDelRng},
};

// The one of `words` that `given` is or begins, as crconf takes abbreviations.
std::string_view unabbreviate(std::string_view given, std::span<const std::string_view> words) {
  std::vector<std::string_view> fits;
  std::string all;
  for (std::string_view word : words) {
    if (word == given) return word;
    if (!given.empty() && word.starts_with(given)) fits.push_back(word);
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  if (fits.size() == 1) return fits[0];
  throw UsageError(
      fmt::format("\"{}\" is {}; there are {}", given, fits.empty() ? "unknown here" : "short for several", all));
}

uint32_t type_number(const std::string& text) {
  if (const api::FrontEnd* front = api::front_end(text)) return front->type;
  const uint64_t number = number_argument("type", text, UINT32_MAX);
  if (number > api::CRYPTO_ALG_TYPE_MASK) throw UsageError(fmt::format("type {}: a type is 0 to 15, or a name", text));
  return static_cast<uint32_t>(number);
}

uint32_t priority_number(const std::string& text) {
  if (!text.starts_with('-')) return static_cast<uint32_t>(number_argument("priority", text, UINT32_MAX));
  const uint64_t below = number_argument("priority", text.substr(1), uint64_t{1} << 31);
  return static_cast<uint32_t>(-static_cast<int64_t>(below));
}

void read_argument(CrconfCommand* c, std::string_view word, const std::string& value) {
  if (word == "alg") c->which.name = value;
  if (word == "driver") c->which.driver = value;
  if (word == "priority") c->priority = priority_number(value);
  if (word == "type") {
    c->which.type = type_number(value);
    c->which.mask = api::CRYPTO_ALG_TYPE_MASK;
  }
}

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

// What an operation needs; the kernel's own checks come later.
void check_complete(const CrconfCommand& c) {
  const bool named = !c.which.name.empty() || !c.which.driver.empty();
  switch (c.command) {
    case UserCommand::kNewAlg:
      if (!named) throw UsageError("add wants \"alg NAME\" or \"driver DRIVER\", then \"type TYPE\"");
      break;
    case UserCommand::kGetAlg:
      if (!named && !c.all) throw UsageError("show wants \"all\", \"driver DRIVER\" or \"alg NAME\"");
      break;
    case UserCommand::kDelRng:
      break;
    default:
      if (c.which.driver.empty()) throw UsageError("del and update want \"driver DRIVER\"");
  }
  const bool takes_priority = c.command == UserCommand::kNewAlg || c.command == UserCommand::kUpdateAlg;
  if (c.priority && !takes_priority) throw UsageError("only add and update take a priority");
}

void put(std::string& out, std::string_view label, std::string_view value) {
  out += fmt::format("{:<12}: {}\n", label, value);
}

struct SizeLine {
  const char* label;
  uint32_t ListedAlg::*size;
};

std::vector<SizeLine> size_lines(uint32_t type) {
  const SizeLine block{"blocksize", &ListedAlg::blocksize}, iv{"ivsize", &ListedAlg::ivsize};
  const SizeLine min{"min_keysize", &ListedAlg::min_keysize}, max{"max_keysize", &ListedAlg::max_keysize};
  switch (type) {
    case api::CRYPTO_ALG_TYPE_AEAD:
      return {block, iv, {"maxauthsize", &ListedAlg::maxauthsize}};
    case api::CRYPTO_ALG_TYPE_SKCIPHER:
    case api::CRYPTO_ALG_TYPE_LSKCIPHER:
      return {block, min, max, iv};
    case api::CRYPTO_ALG_TYPE_CIPHER:
      return {block, min, max};
    case api::CRYPTO_ALG_TYPE_SHASH:
    case api::CRYPTO_ALG_TYPE_AHASH:
      return {block, {"digestsize", &ListedAlg::digestsize}};
    case api::CRYPTO_ALG_TYPE_RNG:
      return {{"seedsize", &ListedAlg::seedsize}};
    default:
      return {};
  }
}

std::map<std::string, const ListedAlg*> by_driver(const api::Machine& machine) {
  std::map<std::string, const ListedAlg*> drivers;
  for (const ListedAlg& alg : machine.algs()) drivers.emplace(alg.driver, &alg);
  return drivers;
}

std::string command_for(UserCommand command, const ListedAlg& alg, std::optional<int> priority) {
  CrconfCommand c;
  c.command = command;
  c.which = {"", alg.driver, alg.type(), api::CRYPTO_ALG_TYPE_MASK};
  if (priority) c.priority = static_cast<uint32_t>(*priority);
  return c.text();
}

}  // namespace

std::string CrconfCommand::text() const {
  const auto* word = std::ranges::find(kCommands, command, &Word::command);
  std::string out = fmt::format("crconf {}", word->word);
  if (all) out += pattern.empty() ? " all" : fmt::format(" alg '{}'", pattern);
  if (!which.driver.empty()) out += fmt::format(" driver '{}'", which.driver);
  if (!which.name.empty()) out += fmt::format(" alg '{}'", which.name);
  if (which.mask != 0) out += fmt::format(" type {}", which.type);
  return priority ? out + fmt::format(" priority {}", *priority) : out;
}

CrconfCommand parse_crconf(const std::vector<std::string>& words) {
  static constexpr std::string_view kFirst[] = {"add", "del", "update", "show", "delrng"};
  static constexpr std::string_view kArguments[] = {"alg", "driver", "type", "priority"};
  static constexpr std::string_view kShowArguments[] = {"all", "alg", "driver", "type"};
  if (words.empty()) throw UsageError("a command is wanted: add, del, update, show, delrng or apply");
  CrconfCommand c;
  const std::string_view first = unabbreviate(words[0], kFirst);
  c.command = std::ranges::find(kCommands, first, &Word::word)->command;
  const bool shows = c.command == UserCommand::kGetAlg;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = shows ? unabbreviate(words[i], kShowArguments) : unabbreviate(words[i], kArguments);
    if (word == "all") {
      c.all = true;
      continue;
    }
    if (i + 1 == words.size()) throw UsageError(fmt::format("a value is wanted after \"{}\"", word));
    read_argument(&c, word, words[++i]);
  }
  std::string& named = c.which.driver.empty() ? c.which.name : c.which.driver;
  if (shows && is_pattern(named)) {
    c.all = true;
    c.pattern = std::exchange(named, "");
  }
  check_complete(c);
  return c;
}

std::vector<std::string> crconf_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool started = false;
  for (const char c : line + " ") {
    if (quote == 0 && c == '#' && !started) break;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      started = true;
    } else if (c == quote && quote != 0) {
      quote = 0;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      if (started) words.push_back(std::exchange(word, ""));
      started = false;
    } else {
      word += c;
      started = true;
    }
  }
  if (quote != 0) throw UsageError(fmt::format("a quote is not closed in: {}", line));
  if (!words.empty() && words[0] == "crconf") words.erase(words.begin());
  return words;
}

std::string crconf_text(const ListedAlg& alg) {
  std::string out;
  put(out, "name", alg.name);
  put(out, "driver_name", alg.driver);
  put(out, "module_name", alg.module);
  put(out, "refcnt", std::to_string(alg.refcnt));
  put(out, "selftest", alg.tested() ? "passed" : "unknown");
  put(out, "async", (alg.flags & api::CRYPTO_ALG_ASYNC) != 0 ? "yes" : "no");
  put(out, "flags", fmt::format("{:#x}", alg.flags));
  put(out, "priority", std::to_string(alg.priority));
  put(out, "type", (alg.flags & api::CRYPTO_ALG_LARVAL) != 0 ? "larval" : api::cra_type_text(alg.flags));
  for (const SizeLine& line : size_lines(alg.type())) put(out, line.label, std::to_string(alg.*line.size));
  const bool has_geniv = alg.type() == api::CRYPTO_ALG_TYPE_AEAD || alg.type() == api::CRYPTO_ALG_TYPE_SKCIPHER;
  if (has_geniv) put(out, "geniv", "<none>");
  return out + "\n";
}

std::vector<std::string> undo_commands(const api::Machine& before, const api::Machine& after) {
  std::vector<std::string> commands;
  const auto old_drivers = by_driver(before), new_drivers = by_driver(after);
  // Newest first, so what is built on another goes before it.
  for (const ListedAlg& alg : after.algs()) {
    if (!old_drivers.contains(alg.driver) && alg.instance())
      commands.push_back(command_for(UserCommand::kDelAlg, alg, std::nullopt));
  }
  for (const auto& [driver, alg] : old_drivers) {
    const auto now = new_drivers.find(driver);
    if (now != new_drivers.end() && now->second->priority != alg->priority)
      commands.push_back(command_for(UserCommand::kUpdateAlg, *alg, alg->priority));
  }
  // Instances that went come back oldest first; updates above have dropped what they will be built on anew.
  for (auto alg = before.algs().rbegin(); alg != before.algs().rend(); ++alg) {
    if (new_drivers.contains(alg->driver)) continue;
    commands.push_back(alg->instance() ? command_for(UserCommand::kNewAlg, *alg, alg->priority)
                                       : "# not by commands: " + alg->driver + " has to be loaded again");
  }
  return commands;
}

}  // namespace caamlab::tools
