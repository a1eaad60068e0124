// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Descriptors out of what users paste, for every subcommand that takes them: text in any layout, or binary.
#pragma once

#include "desc/text/detect.h"
#include "desc/text/read_words.h"
#include "tools/cli.h"

namespace caamlab::tools {

// The dumps in a file ("-": standard input); at least one. binary: it is bytes whatever it looks like.
std::vector<desc::PastedDump> read_pasted(Session& session, const std::string& file, bool binary = false);

// Words, byte order and pointer width of a dump; what --ptr and --endian say is not asked.
desc::Detected detect_pasted(const desc::PastedDump& dump, const TargetOptions& target,
                             std::optional<unsigned> first_index = std::nullopt);

// The position of the shared descriptor that the job at `job` was built for, among descriptors given by their words.
std::optional<size_t> shared_of(std::span<const desc::Detected> all, size_t job);

}  // namespace caamlab::tools
