// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A program that exports to a preloaded library what QEMU does, and is driven by its environment: FAKE_VERSION (7.2),
// FAKE_LAYOUT=changed (the register window answers with something else). It "boots": calls the notifier, lets the
// device instantiate nothing, reads two registers, resets, and prints what it saw.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "desc/regs.h"
#include "tools/qemu/qemu_abi.h"

namespace {

Notifier* notifier = nullptr;
const MemoryRegionOps* ops = nullptr;
void* device = nullptr;
void (*reset_callback)(void*) = nullptr;
void* reset_opaque = nullptr;
uint64_t base = 0, size = 0;
int lines = 0;
char interrupt_controller, line, bottom_half, memory;

uint32_t read_register(uint32_t offset) { return static_cast<uint32_t>(ops->read(device, offset, 4)); }

}  // namespace

extern "C" {
#define EXPORT __attribute__((visibility("default")))
EXPORT char address_space_memory[16];
EXPORT void* get_system_memory(void) { return &memory; }
EXPORT void memory_region_init_io(void*, void*, const MemoryRegionOps* o, void* opaque, const char*, uint64_t bytes) {
  ops = o;
  device = opaque;
  size = bytes;
}
EXPORT void memory_region_add_subregion_overlap(void* parent, uint64_t offset, void*, int) {
  if (parent == &memory) base = offset;
}
EXPORT int address_space_rw(void*, uint64_t addr, uint64_t, void* buf, uint64_t len, bool is_write) {
  if (is_write || len != 4 || addr < base || addr >= base + size) return 1;
  uint32_t value = read_register(static_cast<uint32_t>(addr - base));
  if (const char* layout = std::getenv("FAKE_LAYOUT"); layout && std::strcmp(layout, "changed") == 0) value = ~value;
  std::memcpy(buf, &value, 4);
  return 0;
}
EXPORT void* address_space_map(void*, uint64_t, uint64_t*, bool, uint64_t) { return nullptr; }
EXPORT void address_space_unmap(void*, void*, uint64_t, bool, uint64_t) {}
EXPORT void* object_resolve_path_type(const char*, const char* type, bool*) {
  return std::strcmp(type, "arm-gicv3") == 0 ? &interrupt_controller : nullptr;
}
EXPORT void* qdev_get_gpio_in(void* from, int) {
  lines += from == &interrupt_controller;
  return &line;
}
EXPORT void qemu_set_irq(void*, int) {}
EXPORT void qemu_add_machine_init_done_notifier(Notifier* n) { notifier = n; }
EXPORT void* qemu_bh_new_full(void (*)(void*), void*, const char*, void*) { return &bottom_half; }
EXPORT void qemu_bh_schedule(void*) {}
EXPORT void qemu_register_reset(void (*callback)(void*), void* opaque) {
  reset_callback = callback;
  reset_opaque = opaque;
}
#ifndef FAKE_WITHOUT_VERSION
EXPORT VersionInfo* qmp_query_version(void**) {
  const char* text = std::getenv("FAKE_VERSION");
  int major = 7, minor = 2;
  if (text) std::sscanf(text, "%d.%d", &major, &minor);
  static VersionTriple triple;
  static VersionInfo version{&triple, nullptr};
  triple = {major, minor, 22};
  return &version;
}
#endif
}

int main() {
  if (!notifier) {
    std::puts("no device");
    return 0;
  }
  notifier->notify(notifier, nullptr);
  std::printf("base %#" PRIx64 " size %#" PRIx64 " lines %d access %u-%u\n", base, size, lines,
              ops->impl.min_access_size, ops->impl.max_access_size);
  ops->write(device, caamlab::desc::reg::kRtmctl, __builtin_bswap32(0x10000), 4);
  const uint32_t written = read_register(caamlab::desc::reg::kRtmctl);
  reset_callback(reset_opaque);
  std::printf("reset undoes writes: %s\n", read_register(caamlab::desc::reg::kRtmctl) != written ? "yes" : "no");
  return 0;
}
