// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See options.h.
#include "tools/qemu/options.h"

#include <fmt/format.h>

#include "tools/hex.h"

namespace caamlab::tools::qemu {
namespace {

constexpr struct {
  std::string_view name;
  Fault fault;
} kFaults[] = {{"none", Fault::kNone},
               {"nothing", Fault::kNothing},
               {"gcm-tag", Fault::kGcmTag},
               {"cbc-iv", Fault::kCbcIv},
               {"dma", Fault::kDma}};

bool parse_fault(std::string_view text, Options& options) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const auto& entry : kFaults) {
    if (entry.name != name) continue;
    options.fault = entry.fault;
    if ((colon != text.npos) != (entry.fault == Fault::kDma)) return false;
    if (colon == text.npos) return true;
    const auto job = parse_number(text.substr(colon + 1));
    if (!job || *job == 0) return false;
    options.fault_job = *job;
    return true;
  }
  return false;
}

}  // namespace

desc::Result<Options> options_from(const std::function<const char*(const char*)>& get) {
  Options options;
  const auto text = [&](const char* variable, std::string& into) {
    if (const char* value = get(variable); value != nullptr && *value != '\0') into = value;
  };
  text("CAAM_QEMU_PLATFORM", options.platform);
  text("CAAM_QEMU_TRACE", options.trace);
  text("CAAM_QEMU_REPORT", options.report);
  std::string fault = "none";
  text("CAAM_QEMU_FAULT", fault);
  if (!parse_fault(fault, options))
    return desc::fail(
        desc::ErrorCode::kInvalidArgument,
        fmt::format("CAAM_QEMU_FAULT is \"{}\"; it may be none, nothing, gcm-tag, cbc-iv or dma:JOB (from 1)", fault));
  return options;
}

}  // namespace caamlab::tools::qemu
