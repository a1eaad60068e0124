// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See cha.h.
#include "hw_model/cha/cha.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

void Output::put(ByteSpan data) {
  while (!data.empty()) {
    const std::span<uint8_t> to = window(data.size());
    const size_t n = std::min(to.size(), data.size());
    if (to.data() != data.data()) std::memmove(to.data(), data.data(), n);
    commit(n);
    data = data.subspan(n);
  }
}

}  // namespace caamlab::hw_model
