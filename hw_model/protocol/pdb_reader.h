// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the glue of a built-in protocol needs: the PDB behind the header of the descriptor that runs, numbers in memory,
// private ones black or not, random bytes, and the protocol's end as a job status.
#pragma once

#include "hw_model/cha/black_key.h"
#include "hw_model/deco/protocol.h"
#include "hw_model/protocol/status.h"

namespace caamlab::hw_model {

// Walks the PDB, which lies between the header and the OPERATION.
class PdbReader {
 public:
  explicit PdbReader(Deco& d) : d_(d), at_((d.index() < d.shared_words() ? 0 : d.shared_words()) + 1) {}
  bool word(uint32_t& value);
  bool pointer(BusAddr& addr);

 private:
  Deco& d_;
  unsigned at_;
};

// A place in memory that a PDB names.
struct PdbPlace {
  BusAddr addr = 0;
  bool sgf = false;
};

// How a number is kept in memory.
struct Blackness {
  bool black = false;
  BlackForm form = BlackForm::kEcb;
  Kek kek = Kek::kJob;
  // 1 ECB, 3 CCM, +4 under TDKEK (RSA); other values with bit 0 clear: red.
  static Blackness from_rsa_bits(unsigned bits) {
    return {(bits & 1) != 0, (bits & 2) != 0 ? BlackForm::kCcm : BlackForm::kEcb,
            (bits & 4) != 0 ? Kek::kTrusted : Kek::kJob};
  }
};

// Longest number of a PDB, bytes.
inline constexpr size_t kMaxNumber = 512;

// A number of up to kMaxNumber bytes, read from memory.
struct Number {
  std::array<uint8_t, kMaxNumber> bytes;
  size_t len = 0;
  operator ByteSpan() const { return {bytes.data(), len}; }  // NOLINT: a number is its bytes
};
// False: the job has failed.
bool read_number(Deco& d, const PdbPlace& place, size_t len, Number& out, Blackness how = {});
bool write_number(Deco& d, const PdbPlace& place, ByteSpan bytes, Blackness how = {});

// Random bytes of the device's RNG, or where no units are attached of the padding source.
RandomBytes random_of(Deco& d);
// Fails the job where the part has no PKHA.
bool has_pkha(Deco& d);
// Fails the job where the RNG cannot serve signing and key generation.
bool rng_ready(Deco& d);

Flow end_protocol(Deco& d, const ProtocolStatus& status);

// One entry a protocol; see table.cc.
Flow run_dkp(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_blob(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_rsa_encrypt(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_rsa_decrypt(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_rsa_finish(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_key_pair(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_dsa_sign(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_dsa_verify(Deco& d, const desc::ProtocolOperation& cmd);
Flow run_diffie_hellman(Deco& d, const desc::ProtocolOperation& cmd);

}  // namespace caamlab::hw_model
