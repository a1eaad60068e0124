// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A manager of the Intel multi-buffer library (libipsec_mb, x86-64). Included only where the build has it.
#pragma once

#include <intel-ipsec-mb.h>

#include <memory>

namespace caamlab::hw_model {

struct FreeIpsecMb {
  void operator()(IMB_MGR* mgr) const { free_mb_mgr(mgr); }
};
using IpsecMb = std::unique_ptr<IMB_MGR, FreeIpsecMb>;

// Null where the CPU has no AES instructions: the library would fall back to C code. The manager holds only tables of
// functions for what is used here; one a user keeps threads apart.
inline IpsecMb make_ipsec_mb() {
  IpsecMb mgr(alloc_mb_mgr(0));
  if (!mgr) return nullptr;
  IMB_ARCH arch = IMB_ARCH_NONE;
  init_mb_mgr_auto(mgr.get(), &arch);
  if (arch == IMB_ARCH_NONE || arch == IMB_ARCH_NOAESNI || imb_get_errno(mgr.get()) != 0) return nullptr;
  return mgr;
}

}  // namespace caamlab::hw_model
