// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which built-in protocols there are: one row each.
#include "hw_model/protocol/pdb_reader.h"

namespace caamlab::hw_model {
namespace {

struct Row {
  desc::ProtocolType type;
  uint8_t first, last;  // PROTID
  ProtocolFn run;
};

using desc::ProtocolType;
namespace protid = desc::protid;

constexpr Row kProtocols[] = {
    {ProtocolType::kUnidirectional, protid::kDkpFirst, protid::kDkpLast, run_dkp},
    {ProtocolType::kUnidirectional, protid::kDkpRifFirst, protid::kDkpRifLast, run_dkp},
    {ProtocolType::kEncap, protid::kBlob, protid::kBlob, run_blob},
    {ProtocolType::kDecap, protid::kBlob, protid::kBlob, run_blob},
    {ProtocolType::kUnidirectional, protid::kRsaEncrypt, protid::kRsaEncrypt, run_rsa_encrypt},
    {ProtocolType::kUnidirectional, protid::kRsaDecrypt, protid::kRsaDecrypt, run_rsa_decrypt},
    {ProtocolType::kUnidirectional, protid::kRsaFinish, protid::kRsaFinish, run_rsa_finish},
    {ProtocolType::kUnidirectional, protid::kPublicKeyPair, protid::kPublicKeyPair, run_key_pair},
    {ProtocolType::kUnidirectional, protid::kDsaSign, protid::kDsaSign, run_dsa_sign},
    {ProtocolType::kUnidirectional, protid::kDsaVerify, protid::kDsaVerify, run_dsa_verify},
    {ProtocolType::kUnidirectional, protid::kDiffieHellman, protid::kDiffieHellman, run_diffie_hellman},
};

}  // namespace

ProtocolFn find_protocol(const desc::ProtocolOperation& cmd) {
  for (const Row& row : kProtocols)
    if (row.type == cmd.type && cmd.id >= row.first && cmd.id <= row.last) return row.run;
  return nullptr;
}

}  // namespace caamlab::hw_model
