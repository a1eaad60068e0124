// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA encryption, decryption and the end of key generation as protocols (hardware.md 2.15.4).
// PROTINFO: 1:0 form, 6:4 how the plain number f is kept, 10:8 how the private parts are, 12 PKCS#1 v1.5 padding.
// Assumed: the two scratch areas of the private forms are not written; d-length is written as a word of the platform.
#include "desc/pdb.h"
#include "hw_model/protocol/pdb_reader.h"
#include "hw_model/protocol/rsa.h"

namespace caamlab::hw_model {

using desc::ProtocolOperation;

namespace {

struct RsaInfo {
  unsigned form;
  Blackness plain, priv;
  bool pkcs1;
  explicit RsaInfo(uint16_t info)
      : form(info & 3u),
        plain(Blackness::from_rsa_bits(info >> 4 & 7u)),
        priv(Blackness::from_rsa_bits(info >> 8 & 7u)),
        pkcs1((info >> 12 & 1) != 0) {}
};

bool take_pointers(PdbReader& pdb, std::initializer_list<BusAddr*> addrs) {
  for (BusAddr* addr : addrs)
    if (!pdb.pointer(*addr)) return false;
  return true;
}

// The private forms: out = in^d, whichever numbers d comes as.
Flow private_power(Deco& d, const RsaInfo& info, const desc::RsaPrivWord& word, PdbReader& pdb, ByteSpan in,
                   std::span<uint8_t> out) {
  BusAddr unused = 0;
  Number n, e, p, q, dp, dq, c;
  if (info.form == static_cast<unsigned>(desc::RsaPrivForm::kForm1)) {
    BusAddr n_at = 0, d_at = 0;
    if (!take_pointers(pdb, {&n_at, &d_at})) return d.fail(DecoError::kPdb);
    if (!read_number(d, {n_at}, word.n_len, n) || !read_number(d, {d_at}, word.d_len, e, info.priv)) return Flow::kStop;
    return end_protocol(d, d.units.rsa.power(n, e, in, out));
  }
  BusAddr d_at = 0, p_at = 0, q_at = 0, dp_at = 0, dq_at = 0;
  uint32_t lengths_word = 0;
  const bool form2 = info.form == static_cast<unsigned>(desc::RsaPrivForm::kForm2);
  // d_at: d, or the coefficient c of form 3.
  bool complete = take_pointers(pdb, {&d_at, &p_at, &q_at});
  if (!form2) complete = complete && take_pointers(pdb, {&dp_at, &dq_at});
  complete = complete && take_pointers(pdb, {&unused, &unused}) && pdb.word(lengths_word);
  if (!complete) return d.fail(DecoError::kPdb);
  const auto lengths = desc::decode_as<desc::RsaPrimeLengths>(lengths_word);
  if (!read_number(d, {p_at}, lengths.p_len, p, info.priv) || !read_number(d, {q_at}, lengths.q_len, q, info.priv))
    return Flow::kStop;
  if (form2) {
    if (!read_number(d, {d_at}, word.d_len, e, info.priv)) return Flow::kStop;
    return end_protocol(d, d.units.rsa.power_pq(p, q, e, in, out));
  }
  if (!read_number(d, {dp_at}, lengths.p_len, dp, info.priv) ||
      !read_number(d, {dq_at}, lengths.q_len, dq, info.priv) || !read_number(d, {d_at}, lengths.p_len, c, info.priv))
    return Flow::kStop;
  return end_protocol(d, d.units.rsa.power_crt({p, q, dp, dq, c}, in, out));
}

}  // namespace

Flow run_rsa_encrypt(Deco& d, const ProtocolOperation& cmd) {
  const RsaInfo info(cmd.info);
  if (info.form != 0) return d.fail(DecoError::kProtocolUndefined);
  if (!has_pkha(d)) return Flow::kStop;
  PdbReader pdb(d);
  uint32_t first = 0, f_len = 0;
  BusAddr f_at = 0, g_at = 0, n_at = 0, e_at = 0;
  if (!pdb.word(first) || !take_pointers(pdb, {&f_at, &g_at, &n_at, &e_at}) || !pdb.word(f_len))
    return d.fail(DecoError::kPdb);
  const auto word = desc::decode_as<desc::RsaPubWord>(first);
  Number n, e, f;
  if (!read_number(d, {n_at}, word.n_len, n) || !read_number(d, {e_at}, word.e_len, e)) return Flow::kStop;
  if (f_len > word.n_len) return end_protocol(d, ProtocolStatus::of_deco(DecoError::kProtocolSize));
  if (!read_number(d, {f_at, word.f_sgf}, f_len, f, info.plain)) return Flow::kStop;
  Number block = f, g;
  if (info.pkcs1) {
    block.len = word.n_len;
    const ProtocolStatus s = pkcs1_pad(f, random_of(d), std::span(block.bytes).first(block.len));
    if (!s.ok()) return end_protocol(d, s);
  }
  g.len = word.n_len;
  const ProtocolStatus s = d.units.rsa.power(n, e, block, std::span(g.bytes).first(g.len));
  if (!s.ok()) return end_protocol(d, s);
  return write_number(d, {g_at, word.g_sgf}, g) ? Flow::kNext : Flow::kStop;
}

Flow run_rsa_decrypt(Deco& d, const ProtocolOperation& cmd) {
  const RsaInfo info(cmd.info);
  if (info.form > static_cast<unsigned>(desc::RsaPrivForm::kForm3)) return d.fail(DecoError::kProtocolUndefined);
  if (!has_pkha(d)) return Flow::kStop;
  PdbReader pdb(d);
  uint32_t first = 0;
  BusAddr g_at = 0, f_at = 0;
  if (!pdb.word(first) || !take_pointers(pdb, {&g_at, &f_at})) return d.fail(DecoError::kPdb);
  const auto word = desc::decode_as<desc::RsaPrivWord>(first);
  Number g, block;
  if (!read_number(d, {g_at, word.g_sgf}, word.n_len, g)) return Flow::kStop;
  block.len = word.n_len;
  if (private_power(d, info, word, pdb, g, std::span(block.bytes).first(block.len)) == Flow::kStop) return Flow::kStop;
  ByteSpan f = block;
  if (info.pkcs1) {
    if (const ProtocolStatus s = pkcs1_strip(block, f); !s.ok()) return end_protocol(d, s);
    d.r.math[0] = f.size();
  }
  return write_number(d, {f_at, word.f_sgf}, f, info.plain) ? Flow::kNext : Flow::kStop;
}

// PDB: a reserved word, {8:0 p length}, {25:16 n length, 9:0 e length}, then p, q, e, n, d, d-length[, dp, dq, c].
Flow run_rsa_finish(Deco& d, const ProtocolOperation& cmd) {
  constexpr unsigned kEverything = 0, kNumbersOnly = 2;
  const RsaInfo info(cmd.info);
  if (info.form != kEverything && info.form != kNumbersOnly) return d.fail(DecoError::kProtocolUndefined);
  if (!has_pkha(d)) return Flow::kStop;
  const bool everything = info.form == kEverything;
  PdbReader pdb(d);
  uint32_t reserved = 0, prime_word = 0, length_word = 0;
  BusAddr p_at = 0, q_at = 0, e_at = 0, n_at = 0, d_at = 0, d_len_at = 0, dp_at = 0, dq_at = 0, c_at = 0;
  bool complete = pdb.word(reserved) && pdb.word(prime_word) && pdb.word(length_word) &&
                  take_pointers(pdb, {&p_at, &q_at, &e_at, &n_at, &d_at, &d_len_at});
  if (everything) complete = complete && take_pointers(pdb, {&dp_at, &dq_at, &c_at});
  if (!complete) return d.fail(DecoError::kPdb);
  const size_t p_len = desc::get_bits(prime_word, 8, 0), n_len = desc::get_bits(length_word, 25, 16),
               e_len = desc::get_bits(length_word, 9, 0);
  Number p, q, e;
  if (n_len > kMaxNumber) return d.fail(DecoError::kPdb);
  if (!read_number(d, {p_at}, p_len, p, info.priv) || !read_number(d, {q_at}, p_len, q, info.priv) ||
      !read_number(d, {e_at}, e_len, e))
    return Flow::kStop;
  uint8_t n[kMaxNumber], secret[kMaxNumber], dp[kMaxNumber], dq[kMaxNumber], c[kMaxNumber];
  const size_t crt_len = everything ? p_len : 0;
  RsaFinish key{{n, n_len}, {secret, n_len}, {dp, crt_len}, {dq, crt_len}, {c, crt_len}};
  if (const ProtocolStatus s = rsa_finish_key(p, q, e, key); !s.ok()) return end_protocol(d, s);
  uint8_t length[4];
  desc::store32(length, key.d_len, d.endian());
  const bool written =
      write_number(d, {n_at}, key.n) && write_number(d, {d_at}, key.d.last(key.d_len), info.priv) &&
      write_number(d, {d_len_at}, length) &&
      (!everything || (write_number(d, {dp_at}, key.dp, info.priv) && write_number(d, {dq_at}, key.dq, info.priv) &&
                       write_number(d, {c_at}, key.c, info.priv)));
  return written ? Flow::kNext : Flow::kStop;
}

}  // namespace caamlab::hw_model
