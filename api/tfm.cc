// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Memory of transforms and requests.
#include "api/tfm.h"

#include <string.h>

#include <cstring>

namespace caamlab::api {

void* alloc_aligned_zero(size_t len) {
  void* mem = ::operator new (ctx_align_up(len + 1), std::align_val_t{kCtxAlign}, std::nothrow);
  if (mem != nullptr) std::memset(mem, 0, ctx_align_up(len + 1));
  return mem;
}

void free_aligned(void* mem) { ::operator delete (mem, std::align_val_t{kCtxAlign}); }

void TfmDeleter::free_memory(void* tfm, void* ctx, size_t ctxsize) {
  explicit_bzero(ctx, ctxsize);
  free_aligned(tfm);
}

}  // namespace caamlab::api
