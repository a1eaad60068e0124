// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Jobs for a shared descriptor of one of the kernel's constructors, as the kernel's driver would make them for a job
// ring, with random data and the right results by software. Left out: jobs of the queue interface.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/constructor_table.h"
#include "tools/share_run.h"

namespace caamlab::tools {

struct MadeFlow {
  ShareFlow flow;
  std::string algorithm;  // the name of the software that says what is right
};

struct MakeFlowOptions {
  unsigned jobs = 6;
  uint64_t seed = 1;
};

// Builds the descriptor of `row` and `params` (as build_descriptor()) and its jobs. Keys that it points to are made up
// and lie at the address it names; salts that only jobs hold are made up as well. Before era 6 an inline split key, of
// which no HMAC key can be found, is replaced by that of a key made up.
// Fails, saying what is missing, where no jobs can be made: the queue interface, an algorithm without software.
desc::Result<MadeFlow> make_flow(const ConstructorRow& row, const nlohmann::json& params,
                                 const MakeFlowOptions& options = {});

}  // namespace caamlab::tools
