// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The subcommands of `caam`, one file each. Adding one: its file, a line here and a line in caam.cc.
#pragma once

#include "tools/cli.h"

namespace caamlab::tools {

void add_dump(CLI::App& app, Session& session);    // cmd_dump.cc
void add_build(CLI::App& app, Session& session);   // cmd_build.cc
void add_verify(CLI::App& app, Session& session);  // cmd_verify.cc
void add_run(CLI::App& app, Session& session);     // cmd_run.cc
void add_replay(CLI::App& app, Session& session);  // cmd_replay.cc
void add_status(CLI::App& app, Session& session);  // cmd_status.cc
void add_asm(CLI::App& app, Session& session);     // cmd_asm.cc
void add_diff(CLI::App& app, Session& session);    // cmd_diff.cc
void add_advise(CLI::App& app, Session& session);  // cmd_advise.cc
void add_fit(CLI::App& app, Session& session);     // cmd_fit.cc
void add_share(CLI::App& app, Session& session);   // cmd_share.cc
void add_check(CLI::App& app, Session& session);   // cmd_check.cc
void add_speed(CLI::App& app, Session& session);   // cmd_speed.cc
void add_which(CLI::App& app, Session& session);   // cmd_which.cc
void add_algs(CLI::App& app, Session& session);    // cmd_algs.cc
void add_config(CLI::App& app, Session& session);  // cmd_config.cc
void add_policy(CLI::App& app, Session& session);  // cmd_policy.cc

}  // namespace caamlab::tools
