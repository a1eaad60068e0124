// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SNOW 3G and ZUC over the Intel multi-buffer library.
#include "hw_model/cha/arith/wireless.h"

#ifdef CAAMLAB_HAVE_IPSEC_MB

#include <algorithm>
#include <array>

#include "hw_model/cha/arith/ipsec_mb.h"

namespace caamlab::hw_model {
namespace {

class IpsecMbWireless : public Wireless {
 public:
  explicit IpsecMbWireless(IpsecMb mgr) : mgr_(std::move(mgr)) {}

  void snow_f8(desc::ByteSpan key, const uint8_t* iv, uint8_t* out, desc::ByteSpan in) override {
    set_snow_key(key);
    IMB_SNOW3G_F8_1_BUFFER(mgr_.get(), &snow_, iv, in.data(), out, static_cast<uint32_t>(in.size()));
  }
  void zuc_eea3(desc::ByteSpan key, const uint8_t* iv, uint8_t* out, desc::ByteSpan in) override {
    IMB_ZUC_EEA3_1_BUFFER(mgr_.get(), key.data(), iv, in.data(), out, static_cast<uint32_t>(in.size()));
  }
  void snow_f9(desc::ByteSpan key, const uint8_t* iv, const uint8_t* data, uint64_t bits, uint8_t* mac) override {
    set_snow_key(key);
    IMB_SNOW3G_F9_1_BUFFER(mgr_.get(), &snow_, iv, data, bits, mac);
  }
  void zuc_eia3(desc::ByteSpan key, const uint8_t* iv, const uint8_t* data, uint64_t bits, uint8_t* mac) override {
    uint32_t tag = 0;
    IMB_ZUC_EIA3_1_BUFFER(mgr_.get(), key.data(), iv, data, static_cast<uint32_t>(bits), &tag);
    std::copy_n(reinterpret_cast<const uint8_t*>(&tag), kMacBytes, mac);
  }

 private:
  void set_snow_key(desc::ByteSpan key) {
    if (have_key_ && std::equal(key.begin(), key.end(), key_.begin())) return;
    std::copy(key.begin(), key.end(), key_.begin());
    have_key_ = true;
    IMB_SNOW3G_INIT_KEY_SCHED(mgr_.get(), key_.data(), &snow_);
  }

  IpsecMb mgr_;
  std::array<uint8_t, kKeyBytes> key_{};
  bool have_key_ = false;
  snow3g_key_schedule_t snow_{};
};

}  // namespace

std::unique_ptr<Wireless> make_wireless() {
  if (auto mgr = make_ipsec_mb()) return std::make_unique<IpsecMbWireless>(std::move(mgr));
  return nullptr;
}

}  // namespace caamlab::hw_model

#else

namespace caamlab::hw_model {
std::unique_ptr<Wireless> make_wireless() { return nullptr; }
}  // namespace caamlab::hw_model

#endif
