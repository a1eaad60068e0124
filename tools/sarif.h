// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Findings as SARIF 2.1.0, the form in which editors and CI systems take results of static checks (OASIS, "Static
// Analysis Results Interchange Format (SARIF) Version 2.1.0").
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "desc/check/finding.h"

namespace caamlab::tools {

// A finding with the place of its descriptor in the input.
struct LocatedFinding {
  desc::Finding finding;
  std::string file;     // "-" for standard input
  unsigned line = 1;    // where the descriptor begins
  std::string command;  // as a listing shows it
};

// A whole log: one run, all rules, the findings.
nlohmann::json to_sarif(std::span<const LocatedFinding> findings);

}  // namespace caamlab::tools
