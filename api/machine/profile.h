// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Machines as data: sets of algorithms by driver, profiles that say which sets a machine has, and what the kernel's
// users ask for (data/*.json, compiled in).
#pragma once

#include <optional>
#include <span>

#include "api/machine/machine.h"

namespace caamlab::api {

struct Profile {
  struct Hardware {
    std::string set;
    int priority = -1;                 // of its ciphers, AEADs and hashes; -1: their own
    std::vector<std::string> without;  // what the device lacks: "chacha", "xts", "sha512", "gcm"
  };
  std::string name, cpu, note;
  std::vector<std::string> sets;  // software, in order of registration
  std::vector<std::string> exclude_modules;
  std::vector<Hardware> hardware;
};

// What a user in the kernel asks for (crypto-api.md 6.1).
struct Consumer {
  std::string name, kind, pattern, example, when, note;
  uint32_t type = 0, mask = 0;
  bool asks_nothing = false;  // library calls only
};

std::span<const Profile> profiles();
const Profile* find_profile(std::string_view name);
std::span<const Consumer> consumers();
std::vector<std::string> set_names();
bool is_set(std::string_view name);

// The algorithms of a set, without what `without` rules out. Empty for an unknown name.
std::vector<ListedAlg> algorithms_of(std::string_view set, std::span<const std::string> without = {});
// Whether the priority of a whole set is that of this one, too.
bool has_set_priority(const ListedAlg& alg);
// Registers a set, one by one, as its driver does. How many were accepted.
unsigned load_set(Machine& machine, const Profile::Hardware& set);
// Unlists every algorithm of a set that is there, or of the module of that name. How many.
unsigned unload_set(Machine& machine, std::string_view set_or_module);
Machine make_machine(const Profile& profile, Machine::Options options = {});

// Flags by name, joined by '|' or ',', or a number: "ASYNC|ALLOCATES_MEMORY", "0x10000". Nothing when it is neither.
std::optional<uint32_t> parse_flags(std::string_view text);

}  // namespace caamlab::api
