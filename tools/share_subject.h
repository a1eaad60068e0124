// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What `caam share` is asked about: a constructor with its options, words in a file, or recorded jobs; and where jobs
// to run it with come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/build_params.h"
#include "tools/cli.h"
#include "tools/share_jobs.h"

namespace caamlab::tools {

struct ShareSubjectOptions {
  std::string subject;  // name of a constructor, a file, or "-"
  TargetOptions target;
  OptionValues values;  // of a constructor
  std::optional<desc::ShareMode> share;
  unsigned jobs = 6;
  uint64_t seed = 1;
  size_t line = 0;  // of recorded jobs, from 1; 0: the first that has a shared descriptor
};

struct ShareSubject {
  std::string what;  // in a few words
  std::vector<uint32_t> words{};
  desc::Target target{};
  std::optional<ShareFlow> flow{};   // jobs to run
  std::string jobs_are{};            // where they and what is right come from
  std::string missing{};             // why there are none
  std::vector<std::string> notes{};  // what was assumed
};

// Throws UsageError: no such constructor or file, no shared descriptor in it.
ShareSubject read_share_subject(Session& session, const ShareSubjectOptions& options);

}  // namespace caamlab::tools
