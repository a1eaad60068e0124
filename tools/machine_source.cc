// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See machine_source.h.
#include "tools/machine_source.h"

#include <fmt/format.h>

#include "api/machine/proc_crypto.h"

namespace caamlab::tools {

std::string profile_list() {
  std::string out;
  for (const api::Profile& p : api::profiles()) out += (out.empty() ? "" : ", ") + p.name;
  return out;
}

MachineSource machine_source(Session& session, const std::string& profile_or_file) {
  if (const api::Profile* profile = api::find_profile(profile_or_file))
    return {profile->name, profile->note.empty() ? profile->cpu : profile->cpu + "; " + profile->note,
            [profile] { return api::make_machine(*profile); }};
  std::string text;
  try {
    text = read_input(session, profile_or_file);
  } catch (const UsageError&) {
    throw UsageError(fmt::format("--machine {}: neither a profile ({}) nor a file that can be read", profile_or_file,
                                 profile_list()));
  }
  const auto read = api::read_proc_crypto(text);
  if (!read) throw UsageError(fmt::format("{}:{}: {}", profile_or_file, read.error().line, read.error().what));
  if (read->machine.algs().empty())
    throw UsageError(profile_or_file + ": no algorithm in it; a machine is a profile or a copy of /proc/crypto");
  std::string note =
      "as /proc/crypto shows it, which leaves out NEED_FALLBACK, KERN_DRIVER_ONLY and ALLOCATES_MEMORY: known drivers "
      "have their own";
  if (!read->unknown_flags.empty())
    note += fmt::format("; unknown, and taken to have none: {}", fmt::join(read->unknown_flags, ", "));
  return {profile_or_file, note, [text] { return std::move(api::read_proc_crypto(text)->machine); }};
}

}  // namespace caamlab::tools
