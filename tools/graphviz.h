// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Pictures of graphs, by Graphviz if it is installed.
#pragma once

#include <string>

namespace caamlab::tools {

// What `dot -Tsvg` makes of `graph`. Throws UsageError if there is no program `dot` or it refuses the graph.
std::string graphviz_svg(const std::string& graph);

}  // namespace caamlab::tools
