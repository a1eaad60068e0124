// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Names of values whose meaning depends on another field: AAI by algorithm, PROTID by type, conditions, actions. For
// listings and the documentation; what depends on nothing is named beside its field.
#pragma once

#include <optional>
#include <string>

#include "desc/command.h"

namespace caamlab::desc {

// "cbc+dk", "hmac-precomp", "0x7f0" where there is no name.
std::string aai_text(Alg alg, uint16_t aai);
// "msg+last1+flush1".
std::string fifo_load_type_text(uint8_t type);
// "shrd", "calm+nip+ncp"; empty for none.
std::string condition_text(bool jsl, uint8_t conditions);
// Names of the set bits, joined by '+'; bits without a name as one number.
std::string bits_text(ValueNames names, uint32_t value);
// "rsa-decrypt", "0x70" where there is no name.
std::string protocol_text(ProtocolType type, uint8_t id);
ValueNames protocol_names(ProtocolType type);
// PROTINFO of blob and RSA by bits, of DKP by fields; others as a number.
std::string protocol_info_text(const ProtocolOperation& op);
// Options of a PKHA operation: "mont-in+out=a", "a+b+n" of clear, "a.0->b.2" of copy.
std::string pk_options_text(const PkOperation& op);

// And back; nullopt for text that is none of theirs.
std::optional<uint32_t> protocol_info_of(const ProtocolOperation& op, std::string_view text);
std::optional<uint32_t> pk_options_of(PkFunction fn, std::string_view text);

// AAI values of an algorithm that are not combined from bits, and its bits; for the documentation.
struct AaiNames {
  ValueNames modes;  // of the bits that modes() uses
  ValueNames bits;   // or-ed to a mode
  uint16_t mode_mask;
};
AaiNames aai_names(Alg alg);

}  // namespace caamlab::desc
