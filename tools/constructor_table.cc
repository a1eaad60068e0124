// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See constructor_table.h.
#include "tools/constructor_table.h"

#include <algorithm>
#include <vector>

namespace caamlab::tools {

std::span<const ConstructorRow> constructor_table() {
  static const std::vector<ConstructorRow> kTable = [] {
    std::vector<ConstructorRow> rows;
    for (auto part : {shared_constructors(), job_constructors()}) rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return kTable;
}

const ConstructorRow* find_constructor(std::string_view name) {
  const auto table = constructor_table();
  const auto it = std::ranges::find(table, name, &ConstructorRow::name);
  return it != table.end() ? &*it : nullptr;
}

desc::Result<Built> build_descriptor(const ConstructorRow& row, const nlohmann::json& params,
                                     std::optional<desc::ShareMode> share) {
  Params p(params, "params");
  const desc::Target target = p.target();
  if (p.error()) return tl::unexpected<desc::Error>(*p.error());
  desc::Builder builder(target);
  BuildContext context{builder, p, share};
  auto table = row.build(context);
  if (p.error()) return tl::unexpected<desc::Error>(*p.error());
  auto desc = builder.finish();
  if (!desc) return tl::unexpected<desc::Error>(desc.error());
  return Built{*desc, std::move(table)};
}

}  // namespace caamlab::tools
