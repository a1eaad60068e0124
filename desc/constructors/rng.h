// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job descriptors of the RNG: state handles, secure keys, random bytes.
// Source: ctrl.c, caamrng.c, caamprng.c, Linux 6.12; equal to them word for word (tests/golden/misc.json).
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

// Instantiates state handle 0 or 1; do_sk (handle 0 only): then makes JDKEK, TDKEK and TDSK as well. For direct
// execution on DECO 0: ends with a halt, whose status is 0x70000000.
void build_instantiation_desc(Builder& d, unsigned handle, bool do_sk);
void build_deinstantiation_desc(Builder& d, unsigned handle);

inline constexpr unsigned kRngMaxBytes = 16;  // that caamrng takes from one job: what one reseeded block gives
// `len` random bytes at bus address `dst`, from a state reseeded for them (prediction resistance).
void caam_init_desc(Builder& d, uint64_t dst, unsigned len = kRngMaxBytes);
// Reseeds state handle 0.
void caam_init_reseed_desc(Builder& d);
// `len` bytes from the deterministic generator as it stands.
void caam_init_prng_desc(Builder& d, uint64_t dst, unsigned len);

}  // namespace caamlab::desc
