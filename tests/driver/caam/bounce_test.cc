// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The driver over memory that the device does not see directly: every mapping is a copy in a bounce slot of 2 KiB, at
// the same offset as the original, brought up to date by map, sync and unmap only (kernel swiotlb).
#include <algorithm>
#include <map>

#include "api/keys.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

using hw_model::BusAddr;
using hw_model::DmaDirection;

constexpr size_t kSlotBytes = 2048;

class BounceMemory final : public hw_model::DmaMemory {
 public:
  struct Sync {
    size_t offset, len;  // in the slot
  };
  explicit BounceMemory(hw_model::DmaSpace& device) : device_(device) {}

  BusAddr map_single(void* cpu, size_t len, DmaDirection dir) override {
    const size_t offset = reinterpret_cast<uintptr_t>(cpu) % kSlotBytes;
    Slot slot{.cpu = static_cast<uint8_t*>(cpu), .len = len, .dir = dir};
    slot.memory.reset(new (std::align_val_t{kSlotBytes}) uint8_t[offset + len]);
    slot.copy = slot.memory.get() + offset;
    std::fill_n(slot.copy, len, uint8_t{0xee});
    if (dir != DmaDirection::kFromDevice) std::copy_n(slot.cpu, len, slot.copy);
    const BusAddr addr = device_.map_single(slot.copy, len, dir);
    slots_[addr] = std::move(slot);
    return addr;
  }
  void unmap_single(BusAddr addr, size_t len, DmaDirection dir) override {
    const Slot& slot = slots_.at(addr);
    if (dir != DmaDirection::kToDevice) std::copy_n(slot.copy, len, slot.cpu);
    device_.unmap_single(addr, len, dir);
    slots_.erase(addr);
  }
  void sync_single_for_device(BusAddr addr, size_t len, DmaDirection) override {
    auto at = slots_.upper_bound(addr);
    ASSERT_NE(at, slots_.begin());
    const auto& [begin, slot] = *--at;
    const size_t from = addr - begin;
    ASSERT_LE(from + len, slot.len) << "beyond the mapping";
    std::copy_n(slot.cpu + from, len, slot.copy + from);
    syncs.push_back({reinterpret_cast<uintptr_t>(slot.copy + from) % kSlotBytes, len});
  }
  Coherent alloc_coherent(size_t len) override { return device_.alloc_coherent(len); }
  void free_coherent(const Coherent& mem) override { device_.free_coherent(mem); }

  std::vector<Sync> syncs;

 private:
  struct Free {
    void operator()(uint8_t* p) const { ::operator delete[](p, std::align_val_t{kSlotBytes}); }
  };
  struct Slot {
    uint8_t* cpu = nullptr;
    size_t len = 0;
    DmaDirection dir{};
    std::unique_ptr<uint8_t[], Free> memory{};
    uint8_t* copy = nullptr;
  };
  hw_model::DmaSpace& device_;
  std::map<BusAddr, Slot> slots_;
};

// Another key of the same kind, so that what is left of it would show.
Bytes random_key_of(Bytes key) {
  // The part that is not a header of authenc's, which comes first.
  for (size_t i = key.size() / 2; i < key.size(); ++i) key[i] = static_cast<uint8_t>(key[i] * 3 + 1);
  return key;
}

// A driver of its own over bounced memory, beside the lab's, whose software is the witness.
class Bounce : public testing::TestWithParam<const char*> {
 protected:
  Bounce() {
    registry_.add_idle([this] { return device_.run() != 0; });
    auto handle = caam_probe(tools::caam_device(device_, memory_), registry_);
    if (!handle) throw std::runtime_error("probe: " + api::errno_text(handle.error()));
    driver_ = std::move(*handle);
    memory_.syncs.clear();
  }
  LabFixture lab_{GetParam()};
  hw_model::DmaSpace space_{{.addr_bits = lab_->platform().target.ptr_bytes == 4 ? 32u : 40u}};
  hw_model::Caam device_{*hw_model::find_platform(GetParam()), space_};
  BounceMemory memory_{space_};
  api::Registry registry_;
  driver::caam::CaamHandle driver_;
};

TEST_P(Bounce, EveryRow) {
  for (const AlgRow& row : caam_rows()) {
    if (!lab_.has(row.driver)) continue;
    for (const unsigned variant : {0u, 3u}) {
      const Bytes key = key_for(row, variant);
      if (row.type == "skcipher") {
        if (row.name.starts_with("xts")) continue;  // needs a fallback in the registry
        auto caam = lab_.get(row.driver, crypto_alloc_skcipher(registry_, row.driver));
        auto software = software_skcipher(lab_, row, key);
        for (int again = 0; again < 2; ++again) {
          ASSERT_EQ(crypto_skcipher_setkey(*caam, key), 0);
          for (const Layout& layout : layouts())
            ASSERT_EQ(compare_skcipher(row, *caam, *software, 160, layout), "") << row.driver;
        }
      } else if (row.type == "aead") {
        auto caam = lab_.get(row.driver, crypto_alloc_aead(registry_, row.driver));
        ASSERT_EQ(crypto_aead_setkey(*caam, random_key_of(key)), 0) << row.driver;
        ASSERT_EQ(crypto_aead_setkey(*caam, key), 0) << row.driver;
        auto software = software_aead(lab_, row, key);
        for (const Layout& layout : layouts())
          ASSERT_EQ(compare_aead(row, *caam, *software, aead_input(row, 96, 16, 1), layout), "") << row.driver;
      } else if (row.type == "ahash") {
        auto caam = lab_.get(row.driver, crypto_alloc_ahash(registry_, row.driver));
        if (row.keyed) {
          ASSERT_EQ(crypto_ahash_setkey(*caam, random_key_of(key)), 0);
          ASSERT_EQ(crypto_ahash_setkey(*caam, key), 0);
        }
        auto software = software_ahash(lab_, row, key);
        for (const HashCalls calls : {HashCalls::kDigest, HashCalls::kUpdateFinal, HashCalls::kExportImport})
          for (const Layout& layout : layouts())
            ASSERT_EQ(compare_ahash(*caam, *software, 300, calls, layout), "") << row.driver;
      }
    }
  }
  EXPECT_FALSE(memory_.syncs.empty());
}

// Descriptors are synced by themselves, wherever in the slot they lie: their words and no more.
TEST_P(Bounce, SyncsAreOfTheDescriptorsWritten) {
  auto hash = lab_.get("hmac-sha256-caam", crypto_alloc_ahash(registry_, "hmac-sha256-caam"));
  memory_.syncs.clear();
  ASSERT_EQ(crypto_ahash_setkey(*hash, random_bytes(32, 1)), 0);
  EXPECT_EQ(std::ranges::count_if(memory_.syncs, [](const auto& s) { return s.len <= 256 && s.len % 4 == 0; }),
            static_cast<ptrdiff_t>(memory_.syncs.size()));
  EXPECT_EQ(memory_.syncs.size(), 5u) << "four descriptors and the key";
}

INSTANTIATE_TEST_SUITE_P(Parts, Bounce, testing::Values("ls1046a", "lx2160a", "p5040", "imx6ul"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace caamlab::tests
