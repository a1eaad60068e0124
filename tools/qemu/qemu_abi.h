// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What is used of QEMU 7.2, declared here by hand, so that no QEMU header is needed: functions that Debian's binary
// exports because it loads modules. All are weak; attach.cc checks them before it calls one. QEMU's objects are opaque
// but for the four structs below.
#pragma once

#include <cstdint>

extern "C" {

struct Notifier {  // a callback in a list
  void (*notify)(Notifier* self, void* data);
  void* next;
  void** prev;
};

struct MemoryRegionOps {  // of a register window
  uint64_t (*read)(void* opaque, uint64_t addr, unsigned size);
  void (*write)(void* opaque, uint64_t addr, uint64_t data, unsigned size);
  void* read_with_attrs;
  void* write_with_attrs;
  int endianness;  // 2: little
  struct {
    unsigned min_access_size, max_access_size;
    bool unaligned;
    void* accepts;
  } valid;
  struct {
    unsigned min_access_size, max_access_size;
    bool unaligned;
  } impl;
};

struct VersionTriple {
  int64_t major, minor, micro;
};
struct VersionInfo {
  VersionTriple* qemu;
  char* package;
};

#define CAAM_QEMU_WEAK __attribute__((weak)) extern
CAAM_QEMU_WEAK char address_space_memory[];
CAAM_QEMU_WEAK void* get_system_memory(void);
CAAM_QEMU_WEAK void memory_region_init_io(void* region, void* owner, const MemoryRegionOps* ops, void* opaque,
                                          const char* name, uint64_t size);
CAAM_QEMU_WEAK void memory_region_add_subregion_overlap(void* parent, uint64_t offset, void* region, int priority);
// MemTxAttrs, a struct of at most 64 bits, goes as an integer.
CAAM_QEMU_WEAK int address_space_rw(void* as, uint64_t addr, uint64_t attrs, void* buf, uint64_t len, bool is_write);
CAAM_QEMU_WEAK void* address_space_map(void* as, uint64_t addr, uint64_t* len, bool is_write, uint64_t attrs);
CAAM_QEMU_WEAK void address_space_unmap(void* as, void* buffer, uint64_t len, bool is_write, uint64_t access_len);
CAAM_QEMU_WEAK void* object_resolve_path_type(const char* path, const char* type, bool* ambiguous);
CAAM_QEMU_WEAK void* qdev_get_gpio_in(void* device, int n);
CAAM_QEMU_WEAK void qemu_set_irq(void* irq, int level);
CAAM_QEMU_WEAK void qemu_add_machine_init_done_notifier(Notifier* notifier);
CAAM_QEMU_WEAK void* qemu_bh_new_full(void (*callback)(void*), void* opaque, const char* name, void* guard);
CAAM_QEMU_WEAK void qemu_bh_schedule(void* bh);
CAAM_QEMU_WEAK void qemu_register_reset(void (*callback)(void*), void* opaque);
CAAM_QEMU_WEAK VersionInfo* qmp_query_version(void** error);
#undef CAAM_QEMU_WEAK

}  // extern "C"
