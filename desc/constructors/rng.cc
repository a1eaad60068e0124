// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See rng.h.
#include "desc/constructors/rng.h"

namespace caamlab::desc {
namespace {

constexpr ClassSel kCls1 = ClassSel::kClass1;
constexpr uint32_t kClrwClass1Mode = 1;

// prediction: prediction resistance.
void append_rng_operation(Builder& d, RngState state, uint16_t aai, bool prediction) {
  d.append_operation(
      AlgOperation{.cls = kCls1, .alg = Alg::kRng, .aai = aai, .as = static_cast<AlgState>(state), .icv = prediction});
}

void append_done_halt(Builder& d) { d.append_jump_halt({.cls = kCls1, .type = JumpType::kHalt}); }

void append_random(Builder& d, uint64_t dst, unsigned len) {
  d.append_fifo_store(dst, {.type = FifoStoreType::kRng, .len = static_cast<uint16_t>(len)});
}

}  // namespace

void build_instantiation_desc(Builder& d, unsigned handle, bool do_sk) {
  d.init_job_desc({});
  append_rng_operation(d, RngState::kInstantiate, static_cast<uint16_t>(handle), /*prediction=*/true);
  if (handle == 0 && do_sk) {
    d.append_wait({.cls = kCls1});
    // Returns the RNG to idle, without which it takes no second operation.
    d.append_load_imm_u32(kClrwClass1Mode, {.dst = kRegClrw});
    append_rng_operation(d, RngState::kGenerate, aai::kRngSk, /*prediction=*/false);
  }
  append_done_halt(d);
}

void build_deinstantiation_desc(Builder& d, unsigned handle) {
  d.init_job_desc({});
  append_rng_operation(d, RngState::kUninstantiate, static_cast<uint16_t>(handle), /*prediction=*/false);
  append_done_halt(d);
}

void caam_init_desc(Builder& d, uint64_t dst, unsigned len) {
  d.init_job_desc({});
  append_rng_operation(d, RngState::kGenerate, 0, /*prediction=*/true);
  append_random(d, dst, len);
}

void caam_init_reseed_desc(Builder& d) {
  d.init_job_desc({});
  append_rng_operation(d, RngState::kReseed, 0, /*prediction=*/false);
}

void caam_init_prng_desc(Builder& d, uint64_t dst, unsigned len) {
  d.init_job_desc({});
  append_rng_operation(d, RngState::kGenerate, 0, /*prediction=*/false);
  append_random(d, dst, len);
}

}  // namespace caamlab::desc
