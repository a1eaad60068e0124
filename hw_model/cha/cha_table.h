// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which CHA serves an OPERATION. A row names the algorithm, the AAI values it covers, the unit that must be there, and
// the machine; a mode that a platform's unit lacks is a row with a condition. A CHA is added here and in its own file.
#pragma once

#include "hw_model/cha/aesa_block.h"
#include "hw_model/cha/aesa_ccm.h"
#include "hw_model/cha/aesa_combined.h"
#include "hw_model/cha/aesa_gcm.h"
#include "hw_model/cha/aesa_mac.h"
#include "hw_model/cha/aesa_stream.h"
#include "hw_model/cha/aesa_xts.h"
#include "hw_model/cha/ccha.h"
#include "hw_model/cha/cha.h"
#include "hw_model/cha/class_link.h"
#include "hw_model/cha/crca.h"
#include "hw_model/cha/desa.h"
#include "hw_model/cha/mdha.h"
#include "hw_model/cha/ptha.h"
#include "hw_model/cha/wireless.h"
#include "hw_model/platform.h"

namespace caamlab::hw_model {

// The CHAs of one DECO (hardware.md 1.2: every DECO has its own, but for the RNG).
class ChaSet {
 public:
  explicit ChaSet(const Platform& platform);
  ChaSet(const ChaSet&) = delete;
  ChaSet& operator=(const ChaSet&) = delete;

  // The registers of the DECO, for the operations of one class that use the other's (class_link.h); without them such
  // operations end with kChaCombination. They must outlive the set.
  void attach(ClassRegs& class1, ClassRegs& class2) { link_ = {&class1, &class2}; }

  // The machine for `op`, or null with kInvalidCha (no such unit, or not of this class) or kMode (the unit is there but
  // has not this mode).
  Cha* find(const desc::AlgOperation& op, CcbError& error);

 private:
  enum Classes : uint8_t { kClass1Only = 1, kClass2Only = 2 };
  struct Row {
    desc::Alg first, last;   // ALG values
    uint16_t aai_mask, aai;  // covers op.aai if (op.aai & aai_mask) == aai
    ChaUnit unit;
    Cha* machine;
    Classes cls;
    bool present = true;  // in this platform's unit
  };
  void add_aesa();
  void add_desa();
  void add_mdha();
  void add_wireless();
  void add_rest();

  const Platform& platform_;
  ClassLink link_;
  AesaBlock aes_block_;
  AesaStream aes_stream_;
  AesaXts aes_xts_;
  AesaMac aes_mac_[2];  // by class: both may run at once
  AesaCcm aes_ccm_;
  AesaGcm aes_gcm_;
  AesaCombined aes_combined_;
  Desa des_;
  Mdha md_;
  Crca crc_;
  Ccha chacha_;
  Ptha poly_;
  std::unique_ptr<Wireless> wireless_;  // null: no library, so no such CHA
  WirelessCipher snow_f8_, zuc_e_;
  WirelessMac snow_f9_, zuc_a_;
  std::vector<Row> rows_;
};

}  // namespace caamlab::hw_model
