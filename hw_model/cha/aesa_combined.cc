// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_combined.h.
#include "hw_model/cha/aesa_combined.h"

namespace caamlab::hw_model {
namespace {

// Passes output on and lets the MAC see it.
class MacTap : public Output {
 public:
  MacTap(Output& out, AesMac& mac) : out_(out), mac_(mac) {}
  std::span<uint8_t> window(size_t want) override { return last_ = out_.window(want); }
  void commit(size_t n) override {
    mac_.update(last_.first(n));
    out_.commit(n);
  }

 private:
  Output& out_;
  AesMac& mac_;
  std::span<uint8_t> last_;
};

}  // namespace

CcbError AesaCombined::begin(ClassRegs& regs) {
  if (link_ == nullptr || link_->class2 == nullptr) return CcbError::kChaCombination;
  const uint16_t mode = regs.op.aai & 0xF0;
  const bool xcbc = mode == desc::aai::kCbcXcbcMac || mode == desc::aai::kCtrXcbcMac;
  const bool over_plaintext = mode == desc::aai::kCtrCmacLte;
  mac_over_input_ = over_plaintext == regs.op.enc;
  in_message_ = computed_ = false;
  icv_.reset();
  ClassRegs& class2 = *link_->class2;
  const CcbError e =
      mac_.begin(xcbc ? AesMac::Kind::kXcbc : AesMac::Kind::kCmac, regs.op.as, class2.key, class2.context());
  if (e != CcbError::kNone) return e;
  if (mode == desc::aai::kCbcXcbcMac || mode == desc::aai::kCbcCmac) {
    cipher_ = &cbc_;
    return cbc_.begin(regs, true);
  }
  cipher_ = &ctr_;
  return ctr_.begin(regs, AesMode::kCtr, 16);
}

CcbError AesaCombined::feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) {
  if (type == DataType::kIcv) {
    icv_.add(in);
    return CcbError::kNone;
  }
  if (computed_ || icv_.received()) return CcbError::kSequence;
  if (type == DataType::kAad) {
    if (in_message_) return CcbError::kSequence;
    mac_.update(in);
    return CcbError::kNone;
  }
  in_message_ = true;
  if (mac_over_input_) {
    mac_.update(in);
    return cipher_->feed(regs, type, in, out);
  }
  MacTap tap(out, mac_);
  return cipher_->feed(regs, type, in, tap);
}

CcbError AesaCombined::finish(ClassRegs& regs, Output& out) {
  if (computed_) return CcbError::kNone;
  computed_ = true;
  if (const CcbError e = cipher_->last(regs, DataType::kMsg, out); e != CcbError::kNone) return e;
  return mac_.finish(link_->class2->context());
}

CcbError AesaCombined::last(ClassRegs& regs, DataType type, Output& out) {
  if (const CcbError e = finish(regs, out); e != CcbError::kNone) return e;
  if (type != DataType::kIcv) return CcbError::kNone;
  return icv_.compare(link_->class2->context(), regs.icv_size, 16);
}

}  // namespace caamlab::hw_model
