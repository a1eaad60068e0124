// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which built-in protocols there are: one row each.
#include "hw_model/deco/protocol.h"

namespace caamlab::hw_model {
namespace {

struct Row {
  desc::ProtocolType type;
  uint8_t first, last;  // PROTID
  ProtocolFn run;
};

constexpr std::array<Row, 0> kProtocols{};

}  // namespace

ProtocolFn find_protocol(const desc::ProtocolOperation& cmd) {
  for (const Row& row : kProtocols)
    if (row.type == cmd.type && cmd.id >= row.first && cmd.id <= row.last) return row.run;
  return nullptr;
}

}  // namespace caamlab::hw_model
