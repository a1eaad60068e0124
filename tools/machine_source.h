// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// --machine as the subcommands take it: a profile of ours, or a saved /proc/crypto.
#pragma once

#include <functional>

#include "api/machine/profile.h"
#include "tools/cli.h"

namespace caamlab::tools {

struct MachineSource {
  std::string label;                   // the profile's name, or the file's
  std::string note;                    // what it is, or what is not known about it
  std::function<api::Machine()> make;  // a fresh one each time
};

// UsageError when it is neither, or the file cannot be read as one.
MachineSource machine_source(Session& session, const std::string& profile_or_file);
// The profiles' names, for help texts.
std::string profile_list();

}  // namespace caamlab::tools
