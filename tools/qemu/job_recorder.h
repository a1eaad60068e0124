// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Counts jobs and status words, and writes each job as a line that `caam replay` reads (tests/replay/README.md).
#pragma once

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "tools/qemu/job_watch.h"

namespace caamlab::tools::qemu {

// One line of JSON without its end. `run`: free text.
std::string replay_line(const SeenJob& job, const std::string& run, int era, const desc::Target& target,
                        desc::SgFormat sg_format);

class JobCounter final : public JobListener {
 public:
  void job_done(const SeenJob& job) override;
  void count(unsigned ring, uint32_t status);
  // "jobs jr0 2856", "jobs direct 2", "status 00000000 2850", "direct-status 70000200 1", one a line.
  std::string report() const;

 private:
  std::array<uint64_t, 4> ring_jobs_{};
  uint64_t direct_jobs_ = 0;
  std::map<uint32_t, uint64_t> statuses_, direct_statuses_;
};

class JobRecorder final : public JobListener {
 public:
  // `target` is read at each job. Not open when the file cannot be written.
  JobRecorder(const std::string& path, std::string run, int era, const desc::Target& target, desc::SgFormat sg_format);
  bool is_open() const { return file_ != nullptr; }
  void job_done(const SeenJob& job) override;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  const std::string run_;
  const int era_;
  const desc::Target& target_;
  const desc::SgFormat sg_format_;
};

}  // namespace caamlab::tools::qemu
