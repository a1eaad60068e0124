// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Puts the device into an unmodified qemu-system-aarch64 (machine `virt`) that preloads this library. The only file
// that knows QEMU. Whatever is not as expected ends the program with a sentence on stderr; in a program that is no
// QEMU the library does nothing.
#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "desc/regs.h"
#include "tools/qemu/guest_device.h"
#include "tools/qemu/qemu_abi.h"

namespace caamlab::tools::qemu {
namespace {

// A hole in the memory map of `virt`, and interrupts it does not use. The device tree (tree.sh) says the same.
constexpr uint64_t kBase = 0x0B000000;
constexpr int kFirstSpi = 200;

constexpr int64_t kMajor = 7, kMinor = 2;  // the version that qemu_abi.h is of
constexpr uint64_t kAttrsUnspecified = 1;
constexpr size_t kRegionBytes = 8192;  // room for QEMU's MemoryRegion, much more than it takes

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "caam_qemu: {}\n", why);
  std::fflush(stderr);
  _exit(1);
}

std::string missing_symbols() {
  const struct {
    const char* name;
    const void* address;
  } needed[] = {
#define CAAM_QEMU_SYMBOL(name) {#name, reinterpret_cast<const void*>(&name)}
      CAAM_QEMU_SYMBOL(address_space_map),     CAAM_QEMU_SYMBOL(address_space_memory),
      CAAM_QEMU_SYMBOL(address_space_rw),      CAAM_QEMU_SYMBOL(address_space_unmap),
      CAAM_QEMU_SYMBOL(get_system_memory),     CAAM_QEMU_SYMBOL(memory_region_add_subregion_overlap),
      CAAM_QEMU_SYMBOL(memory_region_init_io), CAAM_QEMU_SYMBOL(object_resolve_path_type),
      CAAM_QEMU_SYMBOL(qdev_get_gpio_in),      CAAM_QEMU_SYMBOL(qemu_add_machine_init_done_notifier),
      CAAM_QEMU_SYMBOL(qemu_bh_new_full),      CAAM_QEMU_SYMBOL(qemu_bh_schedule),
      CAAM_QEMU_SYMBOL(qemu_register_reset),   CAAM_QEMU_SYMBOL(qemu_set_irq),
      CAAM_QEMU_SYMBOL(qmp_query_version),
#undef CAAM_QEMU_SYMBOL
  };
  std::string missing;
  for (const auto& symbol : needed)
    if (symbol.address == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(symbol.name);
  return missing;
}

void check_version() {
  const VersionInfo* version = qmp_query_version(nullptr);
  const VersionTriple& v = *version->qemu;
  if ((v.major == kMajor && v.minor == kMinor) || getenv("CAAM_QEMU_ANY_VERSION") != nullptr) return;
  give_up(
      fmt::format("this is QEMU {}.{}.{}; the library knows {}.{}. CAAM_QEMU_ANY_VERSION=1 lets it try all the same",
                  v.major, v.minor, v.micro, kMajor, kMinor));
}

class QemuHost final : public Host {
 public:
  void* map(uint64_t addr, uint64_t* len, bool write) override {
    return address_space_map(address_space_memory, addr, len, write, kAttrsUnspecified);
  }
  void unmap(void* memory, uint64_t len, bool write) override {
    address_space_unmap(address_space_memory, memory, len, write, len);
  }
  void set_irq(unsigned ring, bool high) override { qemu_set_irq(lines_[ring], high); }
  void run_soon() override { qemu_bh_schedule(bottom_half_); }

  // When the machine is complete.
  void attach(const Options& options);
  // The counts of the run, if they are wanted.
  void report() const;

 private:
  static uint64_t read(void* self, uint64_t addr, unsigned) {
    return static_cast<QemuHost*>(self)->device_->read(static_cast<uint32_t>(addr));
  }
  static void write(void* self, uint64_t addr, uint64_t data, unsigned) {
    static_cast<QemuHost*>(self)->device_->write(static_cast<uint32_t>(addr), static_cast<uint32_t>(data));
  }
  static void run(void* self) { static_cast<QemuHost*>(self)->device_->run(); }
  static void reset(void* self) { static_cast<QemuHost*>(self)->device_->reset(); }
  void find_interrupts();
  void check_window();

  // QEMU splits 64-bit accesses, low address first.
  static constexpr MemoryRegionOps kOps = {.read = read,
                                           .write = write,
                                           .read_with_attrs = nullptr,
                                           .write_with_attrs = nullptr,
                                           .endianness = 2,
                                           .valid = {4, 8, false, nullptr},
                                           .impl = {4, 4, false}};

  std::unique_ptr<GuestDevice> device_;
  std::array<void*, 4> lines_{};
  void* bottom_half_ = nullptr;
  alignas(16) std::array<char, kRegionBytes> region_{};
};

void QemuHost::find_interrupts() {
  void* gic = nullptr;
  for (const char* type : {"arm_gic", "arm-gicv3"})
    if (gic == nullptr) gic = object_resolve_path_type("", type, nullptr);
  if (gic == nullptr) give_up("the machine has no interrupt controller arm_gic or arm-gicv3: use -machine virt");
  for (unsigned ring = 0; ring < device_->rings(); ++ring)
    lines_[ring] = qdev_get_gpio_in(gic, kFirstSpi + static_cast<int>(ring));
}

// Reads a register the way a CPU would, so that a changed layout of MemoryRegionOps is found here.
void QemuHost::check_window() {
  uint32_t seen = 0;
  const int error =
      address_space_rw(address_space_memory, kBase + desc::reg::kCsta, kAttrsUnspecified, &seen, sizeof seen, false);
  const uint32_t expected = device_->read(desc::reg::kCsta);
  if (error != 0 || seen != expected)
    give_up(
        fmt::format("register CSTA reads {:#x} (error {}) through QEMU and {:#x} from the device: "
                    "this QEMU's MemoryRegionOps differ, or {:#x} is not free",
                    seen, error, expected, kBase));
}

void QemuHost::attach(const Options& options) {
  auto device = GuestDevice::make(options, *this);
  if (!device) give_up(device.error().message);
  device_ = std::move(*device);
  find_interrupts();
  bottom_half_ = qemu_bh_new_full(run, this, "caam", nullptr);
  memory_region_init_io(region_.data(), nullptr, &kOps, this, "caam", device_->window_bytes());
  memory_region_add_subregion_overlap(get_system_memory(), kBase, region_.data(), 1);
  qemu_register_reset(reset, this);
  check_window();
}

void QemuHost::report() const {
  if (!device_ || device_->options().report.empty()) return;
  std::FILE* file = std::fopen(device_->options().report.c_str(), "w");
  if (file == nullptr) give_up("CAAM_QEMU_REPORT: cannot write " + device_->options().report);
  fmt::print(file, "{}", device_->report());
  std::fclose(file);
}

// Never destroyed: QEMU may call back while the program ends.
QemuHost* host = nullptr;

void machine_complete(Notifier*, void*) {
  const auto options = options_from([](const char* name) -> const char* { return getenv(name); });
  if (!options) give_up(options.error().message);
  host->attach(*options);
}

__attribute__((constructor)) void load() {
  if (!std::string_view(program_invocation_short_name).starts_with("qemu-system-")) return;
  if (const std::string missing = missing_symbols(); !missing.empty())
    give_up(fmt::format("{} does not export {}: the library is made for Debian's qemu-system-aarch64 {}.{}",
                        program_invocation_short_name, missing, kMajor, kMinor));
  check_version();
  host = new QemuHost;
  static Notifier notifier{machine_complete, nullptr, nullptr};
  qemu_add_machine_init_done_notifier(&notifier);
}

__attribute__((destructor)) void unload() {
  if (host != nullptr) host->report();
}

}  // namespace
}  // namespace caamlab::tools::qemu
