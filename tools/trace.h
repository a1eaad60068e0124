// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Prints a job as a DECO runs it: each command as in a listing, then the registers that changed. CHAs work when
// somebody waits for them, so what they change shows at the waiting command or at the end of the job.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "hw_model/deco/deco.h"

namespace caamlab::tools {

class TracePrinter final : public hw_model::TraceSink {
 public:
  using Line = std::function<void(std::string_view)>;
  // `line` gets each line without its end.
  explicit TracePrinter(Line line) : line_(std::move(line)) {}

  void job_begins(const hw_model::Deco& deco) override;
  void before_command(const hw_model::Deco& deco, unsigned index, const desc::Command& command) override;
  void after_command(const hw_model::Deco& deco, unsigned index, const desc::Command& command) override;
  void job_ends(const hw_model::Deco& deco, desc::JrStatus status) override;

 private:
  struct Snapshot {
    hw_model::DecoRegs r;
    hw_model::ClassRegs classes[2];
    uint64_t in_moved = 0, out_moved = 0, produced = 0;
    std::array<uint32_t, desc::kMaxDescWords> buffer{};
  };
  static Snapshot take(const hw_model::Deco& deco);
  void print_changes(const hw_model::Deco& deco);

  Line line_;
  Snapshot before_;
};

}  // namespace caamlab::tools
