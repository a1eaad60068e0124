// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Key pairs, (EC)DSA and (EC)DH as protocols (hardware.md 2.15.5). The PDB's first word has one S/G flag a pointer from
// bit 31 down, then PD1 (predefined domain), L or the curve's number, and N.
// PROTINFO: 0 binary field, 1 curve, 2 and 4 private key black (ECB, CCM), 5 and 6 shared secret black, 9:7 hash, 10
// the message is given, 11 its hash is given; with 10 or 11 a length follows the pointers. Assumed: a length of 0 or
// above kMaxMessage is a PDB error; eras before 8 know neither PD1 (0x82) nor bits 10 and 11 (0x81); the test bit (3)
// is an illegal test. The scratch area of verification is not written.
#include "hw_model/cha/arith/hash_state.h"
#include "hw_model/protocol/dsa.h"
#include "hw_model/protocol/pdb_reader.h"

namespace caamlab::hw_model {

using desc::ProtocolOperation;

namespace {

constexpr int kFirstEraWithDomains = 8;
constexpr uint32_t kMaxMessage = 1u << 20;

struct DsaInfo {
  bool f2m, ecc, test, hash_message, hash_given;
  Blackness private_key, secret;
  desc::Alg hash;
  explicit DsaInfo(uint16_t info)
      : f2m((info & 1) != 0),
        ecc((info & 2) != 0),
        test((info & 8) != 0),
        hash_message((info >> 10 & 1) != 0),
        hash_given((info >> 11 & 1) != 0),
        private_key{(info & 4) != 0, (info & 0x10) != 0 ? BlackForm::kCcm : BlackForm::kEcb},
        secret{(info & 0x20) != 0, (info & 0x40) != 0 ? BlackForm::kCcm : BlackForm::kEcb},
        hash(static_cast<desc::Alg>(0x40 | (info >> 7 & 7))) {}
};

// The pointers of a PDB in its order, each with its S/G flag; those of a predefined domain are not there.
class DsaPdb {
 public:
  // `domain`: which of the places are parts of the domain (q, r, G); ab: where a and b go, for curves.
  struct Layout {
    unsigned domain, total;  // pointers; the domain's come first
    unsigned ab;             // index of its flag
    unsigned pd1;            // bit of the first word
    bool has_g;
  };
  DsaPdb(Deco& d, const DsaInfo& info, const Layout& layout) : d_(d), info_(info), layout_(layout), reader_(d) {}

  // False: the job has failed.
  bool read() {
    uint32_t first = 0;
    if (!reader_.word(first)) return fail(DecoError::kPdb);
    if ((first >> layout_.pd1 & 1) != 0) return read_predefined(first);
    l_ = desc::get_bits(first, 16, 7);
    n_ = desc::get_bits(first, 6, 0);
    for (unsigned i = 0; i < layout_.total; ++i)
      if (!take(first, i)) return fail(DecoError::kPdb);
    PdbPlace ab;
    if (info_.ecc) {
      if (!reader_.pointer(ab.addr)) return fail(DecoError::kPdb);
      ab.sgf = (first >> (31 - layout_.ab) & 1) != 0;
    }
    return read_domain(ab);
  }
  DsaDomain& domain() { return *domain_; }
  PdbReader& reader() { return reader_; }
  // The i-th pointer behind the domain's.
  const PdbPlace& place(unsigned i) const { return places_[layout_.domain + i]; }

 private:
  bool fail(DecoError e) {
    d_.fail(e);
    return false;
  }
  bool take(uint32_t first, unsigned i) {
    places_[i].sgf = (first >> (31 - i) & 1) != 0;
    return reader_.pointer(places_[i].addr);
  }
  bool read_predefined(uint32_t first) {
    if (d_.options().era < kFirstEraWithDomains || !info_.ecc || info_.f2m) return fail(DecoError::kPdb);
    domain_ = DsaDomain::predefined(desc::get_bits(first, 12, 7));
    if (!domain_) return fail(DecoError::kPdb);
    for (unsigned i = layout_.domain; i < layout_.total; ++i)
      if (!take(first, i)) return fail(DecoError::kPdb);
    return true;
  }
  bool read_domain(const PdbPlace& ab) {
    if (l_ == 0 || n_ == 0) return fail(DecoError::kPdb);
    const size_t point = info_.ecc ? 2 * l_ : l_;
    Number q, r, g, curve;
    if (point > kMaxNumber || !read_number(d_, places_[0], l_, q) || !read_number(d_, places_[1], n_, r)) return stop();
    if (layout_.has_g && !read_number(d_, places_[2], point, g)) return stop();
    if (info_.ecc && !read_number(d_, ab, 2 * l_, curve)) return stop();
    const auto kind = !info_.ecc  ? DsaDomain::Kind::kInteger
                      : info_.f2m ? DsaDomain::Kind::kBinaryCurve
                                  : DsaDomain::Kind::kPrimeCurve;
    const ByteSpan both(curve);
    domain_ = DsaDomain::make(kind, {.q = q,
                                     .r = r,
                                     .g = layout_.has_g ? ByteSpan(g) : ByteSpan(),
                                     .a = info_.ecc ? both.first(l_) : ByteSpan(),
                                     .b = info_.ecc ? both.last(l_) : ByteSpan()});
    return domain_ ? true : fail(DecoError::kPdb);
  }
  // A longer number than there is room for, or the read has failed the job already.
  bool stop() {
    if (d_.status().ok()) d_.fail(DecoError::kPdb);
    return false;
  }

  Deco& d_;
  const DsaInfo& info_;
  Layout layout_;
  PdbReader reader_;
  PdbPlace places_[8];
  size_t l_ = 0, n_ = 0;
  std::optional<DsaDomain> domain_;
};

// Flags: q r g s w ab; q r g s f c d ab u; q r g w f c d tmp ab; q r w s z ab.
constexpr DsaPdb::Layout kKeyPairPdb{.domain = 3, .total = 5, .ab = 5, .pd1 = 25, .has_g = true};
constexpr DsaPdb::Layout kSignPdb{.domain = 3, .total = 7, .ab = 7, .pd1 = 22, .has_g = true};
constexpr DsaPdb::Layout kVerifyPdb{.domain = 3, .total = 8, .ab = 8, .pd1 = 22, .has_g = true};
constexpr DsaPdb::Layout kDhPdb{.domain = 2, .total = 5, .ab = 5, .pd1 = 25, .has_g = false};

bool known_to_era(Deco& d, const DsaInfo& info) {
  if (d.options().era >= kFirstEraWithDomains || (!info.hash_message && !info.hash_given)) return true;
  d.fail(DecoError::kProtocolUndefined);
  return false;
}

// What is signed: a representative as long as r, or the leftmost bits of a digest, given or made here.
bool read_representative(Deco& d, const DsaInfo& info, DsaPdb& pdb, const PdbPlace& place, Number& f) {
  const size_t n = pdb.domain().order_bytes();
  if (!info.hash_message && !info.hash_given) return read_number(d, place, n, f);
  uint32_t len = 0;
  if (!pdb.reader().word(len) || len > kMaxMessage || (info.hash_given && (len == 0 || len > kMaxNumber))) {
    d.fail(DecoError::kPdb);
    return false;
  }
  Number digest;
  if (info.hash_given) {
    if (!read_number(d, place, len, digest)) return false;
  } else {
    HashState hash;
    hash.init(info.hash);
    SgCursor cursor;
    DecoError e = d.dma.open(cursor, place.addr, place.sgf);
    if (e == DecoError::kNone)
      e = d.dma.walk(cursor, len, DmaDirection::kToDevice, [&](std::span<uint8_t> run) { hash.update(run); });
    if (e != DecoError::kNone) {
      d.fail(e);
      return false;
    }
    hash.finish(digest.bytes.data());
    digest.len = hash.info().digest_bytes;
  }
  f.len = n;
  pdb.domain().leftmost_bits(digest).to_be(std::span(f.bytes).first(n));
  return true;
}

}  // namespace

Flow run_key_pair(Deco& d, const ProtocolOperation& cmd) {
  const DsaInfo info(cmd.info);
  if (info.test) return d.fail(DecoError::kDsaSign);
  DsaPdb pdb(d, info, kKeyPairPdb);
  if (!has_pkha(d) || !rng_ready(d) || !pdb.read()) return Flow::kStop;
  Number s, w;
  s.len = pdb.domain().order_bytes();
  w.len = pdb.domain().point_bytes();
  const ProtocolStatus status =
      pdb.domain().key_pair(random_of(d), std::span(s.bytes).first(s.len), std::span(w.bytes).first(w.len));
  if (!status.ok()) return end_protocol(d, status);
  const bool written = write_number(d, pdb.place(0), s, info.private_key) && write_number(d, pdb.place(1), w);
  return written ? Flow::kNext : Flow::kStop;
}

Flow run_dsa_sign(Deco& d, const ProtocolOperation& cmd) {
  const DsaInfo info(cmd.info);
  if (info.test) return d.fail(DecoError::kDsaSign);
  DsaPdb pdb(d, info, kSignPdb);
  if (!known_to_era(d, info) || !has_pkha(d) || !rng_ready(d) || !pdb.read()) return Flow::kStop;
  const size_t n = pdb.domain().order_bytes();
  Number s, f, c, sig;
  if (!read_number(d, pdb.place(0), n, s, info.private_key) || !read_representative(d, info, pdb, pdb.place(1), f))
    return Flow::kStop;
  c.len = sig.len = n;
  const ProtocolStatus status =
      pdb.domain().sign(s, f, random_of(d), std::span(c.bytes).first(n), std::span(sig.bytes).first(n));
  if (!status.ok()) return end_protocol(d, status);
  return write_number(d, pdb.place(2), c) && write_number(d, pdb.place(3), sig) ? Flow::kNext : Flow::kStop;
}

Flow run_dsa_verify(Deco& d, const ProtocolOperation& cmd) {
  const DsaInfo info(cmd.info);
  DsaPdb pdb(d, info, kVerifyPdb);
  if (!known_to_era(d, info) || !has_pkha(d) || !pdb.read()) return Flow::kStop;
  const size_t n = pdb.domain().order_bytes();
  Number w, f, c, sig;
  if (!read_number(d, pdb.place(0), pdb.domain().point_bytes(), w) ||
      !read_representative(d, info, pdb, pdb.place(1), f) || !read_number(d, pdb.place(2), n, c) ||
      !read_number(d, pdb.place(3), n, sig))
    return Flow::kStop;
  return end_protocol(d, pdb.domain().verify(w, f, c, sig));
}

Flow run_diffie_hellman(Deco& d, const ProtocolOperation& cmd) {
  const DsaInfo info(cmd.info);
  DsaPdb pdb(d, info, kDhPdb);
  if (!has_pkha(d) || !pdb.read()) return Flow::kStop;
  Number w, s, z;
  if (!read_number(d, pdb.place(0), pdb.domain().point_bytes(), w) ||
      !read_number(d, pdb.place(1), pdb.domain().order_bytes(), s, info.private_key))
    return Flow::kStop;
  z.len = pdb.domain().field_bytes();
  const ProtocolStatus status = pdb.domain().shared_secret(w, s, std::span(z.bytes).first(z.len));
  if (!status.ok()) return end_protocol(d, status);
  return write_number(d, pdb.place(2), z, info.secret) ? Flow::kNext : Flow::kStop;
}

}  // namespace caamlab::hw_model
