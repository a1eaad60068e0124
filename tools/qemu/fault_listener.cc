// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See fault_listener.h.
#include "tools/qemu/fault_listener.h"

#include <algorithm>

namespace caamlab::tools::qemu {
namespace {

using desc::AlgOperation;
using desc::ClassSel;

bool any_operation(const SeenJob& job, bool (*wanted)(const AlgOperation&)) {
  return std::ranges::any_of(job.operations, [&](const desc::Command& command) {
    const auto* op = std::get_if<AlgOperation>(&command);
    return op != nullptr && wanted(*op);
  });
}

bool makes_gcm_tag(const AlgOperation& op) { return op.alg == desc::Alg::kAes && op.aai == desc::aai::kGcm && op.enc; }
bool is_cbc(const AlgOperation& op) {
  const bool cipher = op.alg == desc::Alg::kAes || op.alg == desc::Alg::kDes || op.alg == desc::Alg::k3Des;
  return cipher && op.aai == desc::aai::kCbc;
}
bool is_class2(const AlgOperation& op) { return op.cls == ClassSel::kClass2; }

// Tag and IV are what these descriptors store last.
bool stores_what_is_spoiled(const SeenJob& job, Fault fault) {
  if (fault == Fault::kGcmTag) return any_operation(job, makes_gcm_tag);
  return fault == Fault::kCbcIv && any_operation(job, is_cbc) && !any_operation(job, is_class2);
}

}  // namespace

bool FaultListener::allow(const SeenJob& job) {
  return fault_ != Fault::kDma || job.direct || ring_jobs_ + 1 != refused_job_;
}

void FaultListener::job_done(const SeenJob& job) {
  if (!job.direct && ++ring_jobs_ == refused_job_) ++injected_;
  if (!stores_what_is_spoiled(job, fault_)) return;
  for (auto access = job.accesses.rbegin(); access != job.accesses.rend(); ++access) {
    if (!access->write) continue;
    access->memory.back() ^= 1;
    ++injected_;
    return;
  }
}

}  // namespace caamlab::tools::qemu
