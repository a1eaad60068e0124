// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What commands do, in words, for readers who do not know the language: beside a listing, not in place of it.
#pragma once

#include <string>
#include <vector>

#include "desc/text/disassemble.h"

namespace caamlab::desc {

// One text for each line of the listing; empty where the line says it all.
std::vector<std::string> explain(const Listing& listing);

}  // namespace caamlab::desc
