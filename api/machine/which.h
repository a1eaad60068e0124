// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which driver a request gets on a machine, and why: every candidate with its verdict, what templates made, what is
// wrong with the answer, and what a change to the machine would do (crypto-api.md 6.3).
#pragma once

#include <functional>

#include "api/explain.h"
#include "api/machine/profile.h"

namespace caamlab::api {

struct WhichRequest {
  std::string consumer;  // for people; may be empty
  std::string name;
  std::string kind;  // a front end's name
  uint32_t type = 0, mask = 0;
};

struct WhichAnswer {
  WhichRequest request;
  uint32_t type = 0, mask = 0;  // as compared: with the front end's bits and INTERNAL
  int err = 0;
  std::string driver;
  std::string module;
  int priority = 0;
  bool accelerator = false;           // some part runs on a device
  std::vector<std::string> created;   // "driver (priority)", parts first
  std::vector<Candidate> candidates;  // listed under the name before the lookup, best first
  std::vector<LookupStep> steps;      // of the templates
  std::vector<std::string> warnings;
};

// Changes the machine, if instances have to be made.
WhichAnswer which(Machine& machine, const WhichRequest& request);

// The kind of a name that says nothing else about itself: of the algorithm listed under it, else of its template.
std::string kind_of(const Machine& machine, std::string_view name);

// A change to a machine, in words: "priority DRIVER=N", "priority SET=N", "load SET[=N]", "unload SET|MODULE",
// "delete DRIVER", "new DRIVER[=N]".
struct Change {
  enum class Kind : uint8_t { kPriority, kLoad, kUnload, kDelete, kNew };
  Kind kind = Kind::kPriority;
  std::string what;
  int64_t priority = -1;  // -1: none given
};
tl::expected<Change, std::string> parse_change(std::string_view text);
// 0 or a negative errno. Existing transforms are not moved; instances may be removed (Machine::take_removed()).
int apply(Machine& machine, const Change& change);

struct Difference {
  WhichRequest request;
  WhichAnswer before, after;
};
// Every name and every consumer asked on a fresh machine before and after the changes. `unmoved`: names that a changed
// driver has and whose answer stays, with the reason.
struct WhatIf {
  std::vector<Difference> moved;
  std::vector<std::pair<std::string, std::string>> unmoved;
  std::vector<std::string> removed;  // instances, by driver name
  size_t asked = 0;
};
tl::expected<WhatIf, std::string> what_if(const std::function<Machine()>& machine, std::span<const Change> changes,
                                          std::span<const WhichRequest> only = {});

// What a consumer asks for a name; its example for an empty name.
WhichRequest request_of(const Machine& machine, const Consumer& consumer, std::string_view name = {});

}  // namespace caamlab::api
