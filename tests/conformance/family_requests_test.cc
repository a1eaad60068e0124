// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Random requests of every row of the driver but the RNG through driver, ring and DECO, against the software of the
// same name: all short sizes, then any to 64 KiB; lists cut in every way, in place and not; many queued;
// tampered ones; hashes in steps that are exported and go on in another request; RSA keys of several sizes in all
// forms, numbers with zeros in front or longer than the modulus. On parts of eras 4 to 10 and every byte order and
// pointer size; serial and never get the same requests. CAAMLAB_REQUESTS: how many in all (default 20,000; each row
// once on each part in each mode at the least).
#include <algorithm>
#include <cstdlib>
#include <random>

#include "tests/conformance/aead_slot.h"
#include "tests/driver/caam/rows.h"
#include "tests/driver/caam/rsa_keys.h"

namespace caamlab::tests {
namespace {

using desc::ShareMode;

constexpr size_t kDefaultRequests = 20000;
constexpr size_t kMaxQueued = 12;
constexpr size_t kMaxText = 65536;

struct Part {
  const char* name;
  const char* platform;
  unsigned ptr_bytes;  // 0: the platform's
};
constexpr Part kParts[] = {
    {"era4", "imx6", 0},      // i.MX, one-word pointers, split keys by job, low-power AES
    {"era5", "p5040", 0},     // big endian, two-word pointers
    {"era6", "t1040", 0},     // the first with DKP
    {"era7", "ls1021a", 0},   // big endian, one-word pointers
    {"era8", "ls1046a", 0},   // big endian, two-word pointers
    {"era9", "imx8mq", 0},    // i.MX, low-power units
    {"era10", "lx2160a", 0},  // little endian, two-word pointers, QBMan tables
    {"era8_ptr4", "ls1046a", 4},  {"era9_ptr8", "imx8mq", 8},  // the words of a pointer in i.MX order
    {"era10_ptr4", "lx2160a", 4},
};

struct Setting {
  Part part;
  ShareMode share;
};
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const Part& part : kParts)
    for (const ShareMode share : {ShareMode::kSerial, ShareMode::kNever}) all.push_back({part, share});
  return all;
}

hw_model::Platform platform_of(const Part& part) {
  hw_model::Platform p = *hw_model::find_platform(part.platform);
  if (part.ptr_bytes == 0) return p;
  p.target.ptr_bytes = part.ptr_bytes;
  p.pointer_size_selectable = part.ptr_bytes == 8;
  return p;
}

// These descriptors move AAD and text by one MOVE, of 16 bits of length.
constexpr size_t kMaxMoved = 65535;
bool moves_all(const AlgRow& row) {
  return row.name.starts_with("rfc4543") || row.name.find("cipher_null") != std::string::npos;
}
// The others skip the room for the AAD, or move that alone.
bool copies_aad(const AlgRow& row) { return moves_all(row) || row.name.starts_with("rfc7539"); }

size_t requests_in_all() {
  const char* text = std::getenv("CAAMLAB_REQUESTS");
  return text != nullptr ? std::strtoul(text, nullptr, 10) : kDefaultRequests;
}

// A cipher or hash request with its memory.
template <class Handle>
struct Slot {
  Handle req;
  Bytes src, dst, iv;
  api::SgTable src_list, dst_list;
  int err = 1, completions = 0;

  static void done(void* data, int err) {
    if (err == -EINPROGRESS) return;  // left the backlog
    auto& slot = *static_cast<Slot*>(data);
    ++slot.completions;
    slot.err = err;
  }
  void answered(int answer) {
    if (answer != -EINPROGRESS) done(this, answer);
  }
};

class FamilyRequests : public testing::TestWithParam<Setting> {
 protected:
  static tools::LabOptions options() {
    tools::LabOptions o;
    o.driver.share = GetParam().share;
    return o;
  }
  static uint64_t seed() {  // one for both modes
    uint64_t seed = 0x66616d;
    for (const char* c = GetParam().part.name; *c != 0; ++c) seed = seed * 131 + static_cast<uint8_t>(*c);
    return seed;
  }

  size_t below(size_t n) { return random_() % n; }
  // All short sizes in turn, then as many of each magnitude up to 64 KiB.
  size_t text_len() {
    const size_t turn = made_++;
    if (turn % 2 == 0) return turn / 2 % 65;
    return std::min(below((size_t{1} << below(18))), kMaxText);
  }
  std::vector<size_t> pieces(size_t len) {
    const size_t kind = below(6);
    if (kind == 0) return {};
    if (kind == 1 && len <= 600) return {1};
    if (kind == 2) return {16};
    if (kind == 3) return {64};
    std::vector<size_t> uneven(1 + below(6));
    const size_t top = 1 + len / (1 + below(5));
    for (size_t& piece : uneven) piece = below(top + 1);
    uneven.push_back(1 + len / 8);  // not too many in all
    return uneven;
  }
  Layout layout(size_t len) {
    const size_t place = below(4);
    return {.name = "random",
            .in_place = place == 0,
            .in_place_two = place == 1,
            .src_pieces = pieces(len),
            .dst_pieces = pieces(len),
            .offset = below(2) == 0 ? 0 : below(64)};
  }
  size_t batch_size() { return below(2) == 0 ? 1 : 2 + below(kMaxQueued - 1); }

  // A transform with a fresh key and some requests on it at once. Empty, or what went wrong.
  std::string skciphers(const AlgRow& row);
  std::string aeads(const AlgRow& row);
  std::string hashes(const AlgRow& row);
  std::string rsa(const AlgRow& row);
  std::string hash_step(std::vector<Slot<api::AhashRequestHandle>>& slots, std::vector<size_t>& fed,
                        api::CryptoAhash& other, bool last);
  AeadInput make_aead(const AlgRow& row, api::CryptoAead& software, Crypt crypt, bool& tampered);

  std::mt19937_64 random_{seed()};
  size_t made_ = seed() % 130;
  LabFixture lab_{platform_of(GetParam().part), options()};
};

std::string FamilyRequests::skciphers(const AlgRow& row) {
  const Bytes key = key_for(row, static_cast<unsigned>(random_()) % 64);
  auto caam = lab_.skcipher(row.driver);
  if (const int err = crypto_skcipher_setkey(*caam, key)) return "setkey: " + api::errno_text(err);
  auto software = software_skcipher(lab_, row, key);
  const Crypt crypt = below(2) == 0 ? Crypt::kEncrypt : Crypt::kDecrypt;
  std::vector<Slot<api::SkcipherRequestHandle>> slots(batch_size());
  std::vector<Outcome> wanted;
  for (auto& s : slots) {
    size_t len = text_len();
    if (row.blocksize > 1 && below(16) != 0) len = (len + row.blocksize - 1) / row.blocksize * row.blocksize;
    const Layout l = layout(len);
    const size_t offset = l.offset % 16;
    s.src = random_bytes(offset + len, random_());
    s.iv = random_bytes(row.ivsize, random_());
    // Older parts take tweaks of 64 bits only.
    if (row.name.starts_with("xts") && below(2) == 0) std::fill(s.iv.begin() + 8, s.iv.end(), 0);
    const std::span<uint8_t> text = std::span(s.src).subspan(offset);
    wanted.push_back(run_skcipher(*software, crypt, s.iv, Bytes(text.begin(), text.end()), plain_layout()));
    s.src_list = api::SgTable::split_at(text, l.src_pieces);
    const bool same = l.in_place || l.in_place_two;
    s.dst.resize(same ? 0 : len);
    s.dst_list = api::SgTable::split_at(same ? text : std::span(s.dst), l.dst_pieces);
    s.req = skcipher_request_alloc(*caam);
    const api::Scatterlist src = s.src_list, dst = l.in_place ? s.src_list.list() : s.dst_list.list();
    skcipher_request_set_callback(*s.req, below(8) == 0 ? api::CRYPTO_TFM_REQ_MAY_BACKLOG : 0, s.done, &s);
    skcipher_request_set_crypt(*s.req, src, dst, static_cast<uint32_t>(len), s.iv.data());
    s.answered(crypt == Crypt::kEncrypt ? crypto_skcipher_encrypt(*s.req) : crypto_skcipher_decrypt(*s.req));
    if (same) s.dst.clear();
  }
  lab_->run();
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto& s = slots[i];
    const Outcome& want = wanted[i];
    const std::string at = "request " + std::to_string(i) + " of " + std::to_string(slots.size()) + ", " +
                           std::to_string(want.out.size()) + " bytes, key " + hex(key) + ": ";
    if (s.completions != 1) return at + std::to_string(s.completions) + " completions";
    if (s.err != want.err) return at + api::errno_text(s.err) + ", software " + api::errno_text(want.err);
    if (s.err != 0) continue;
    const std::span<const uint8_t> got = std::span(s.dst.empty() ? s.src : s.dst).last(want.out.size());
    if (!std::ranges::equal(got, want.out)) return at + "the text differs";
    // What XTS and rfc3686 leave in the IV is for nobody to use.
    if (row.name.starts_with("xts") || row.name.starts_with("rfc3686")) continue;
    if (s.iv != want.iv) return at + "IV " + hex(s.iv) + ", software has " + hex(want.iv);
  }
  return "";
}

AeadInput FamilyRequests::make_aead(const AlgRow& row, api::CryptoAead& software, Crypt crypt, bool& tampered) {
  size_t len = text_len();
  const size_t aad = below(65);
  if (moves_all(row)) len = std::min(len, kMaxMoved - std::max<size_t>(aad, 20));
  AeadInput input = aead_input(row, len, aad, random_());
  if (below(8) == 0) input.flags = api::CRYPTO_TFM_REQ_MAY_BACKLOG;
  tampered = false;
  if (crypt == Crypt::kEncrypt) return input;
  input.text = run_aead(software, Crypt::kEncrypt, input, plain_layout()).out;
  tampered = below(6) == 0;
  if (tampered) input.text[input.text.size() - 1 - below(crypto_aead_authsize(software))] ^= 1u << below(8);
  return input;
}

std::string FamilyRequests::aeads(const AlgRow& row) {
  const Bytes key = key_for(row, static_cast<unsigned>(random_()) % 64);
  auto caam = lab_.aead(row.driver);
  if (const int err = crypto_aead_setkey(*caam, key)) return "setkey: " + api::errno_text(err);
  auto software = software_aead(lab_, row, key);
  const unsigned tag = static_cast<unsigned>(1 + below(crypto_aead_maxauthsize(*software)));
  const int taken = crypto_aead_setauthsize(*caam, tag);
  if (const int err = crypto_aead_setauthsize(*software, tag); err != taken)
    return "setauthsize " + std::to_string(tag) + ": " + api::errno_text(taken) + ", software " + api::errno_text(err);
  const Crypt crypt = below(2) == 0 ? Crypt::kEncrypt : Crypt::kDecrypt;
  std::vector<AeadSlot> slots(batch_size());
  std::vector<AeadInput> inputs;
  std::vector<uint8_t> tampered;
  std::vector<int> answers;
  for (AeadSlot& slot : slots) {
    bool bad = false;
    inputs.push_back(make_aead(row, *software, crypt, bad));
    tampered.push_back(bad);
    const size_t len = inputs.back().aad.size() + inputs.back().text.size() + crypto_aead_authsize(*caam);
    answers.push_back(slot.submit(*caam, crypt, inputs.back(), layout(len)));
  }
  lab_->run();
  for (size_t i = 0; i < slots.size(); ++i) {
    const AeadSlot& s = slots[i];
    const std::string at = (crypt == Crypt::kEncrypt ? "encryption " : "decryption ") + std::to_string(i) + " of " +
                           std::to_string(slots.size()) + ", " + std::to_string(inputs[i].text.size()) +
                           " bytes, AAD " + std::to_string(inputs[i].aad.size()) + ", tag " +
                           std::to_string(crypto_aead_authsize(*caam)) + ", key " + hex(key) + ": ";
    if (answers[i] != -EINPROGRESS) return at + "submission answered " + api::errno_text(answers[i]);
    if (s.completions() != 1) return at + std::to_string(s.completions()) + " completions";
    if (s.err() != (tampered[i] != 0 ? -EBADMSG : 0)) return at + api::errno_text(s.err());
    if (s.err() != 0) continue;
    if (const auto what = s.damage(inputs[i], copies_aad(row)); !what.empty()) return at + "wrote " + what;
    // A generated IV is the device's own: the software opens what it sealed, and both have the same text.
    AeadInput input = inputs[i];
    const bool open = row.geniv && crypt == Crypt::kEncrypt;
    if (open) input.text.assign(s.out().begin(), s.out().end());
    const Outcome theirs = run_aead(*software, open ? Crypt::kDecrypt : crypt, input, plain_layout());
    if (theirs.err != 0) return at + "software answers " + api::errno_text(theirs.err);
    const std::span<const uint8_t> ours = open ? std::span<const uint8_t>(inputs[i].text) : s.out();
    const size_t skip = row.geniv ? row.ivsize : 0;  // the room for the IV
    if (!std::ranges::equal(ours.subspan(skip), std::span(theirs.out).subspan(skip))) return at + "the text differs";
  }
  return "";
}

// One update of every hash (the rest of the message and the end if `last`), queued; before it some move to a request of
// `other`, which has the same key.
std::string FamilyRequests::hash_step(std::vector<Slot<api::AhashRequestHandle>>& slots, std::vector<size_t>& fed,
                                      api::CryptoAhash& other, bool last) {
  for (size_t i = 0; i < slots.size(); ++i) {
    auto& s = slots[i];
    if (below(3) == 0) {
      Bytes state(crypto_ahash_statesize(other));
      if (const int err = crypto_ahash_export(*s.req, state.data())) return "export: " + api::errno_text(err);
      s.req = ahash_request_alloc(other);
      ahash_request_set_callback(*s.req, 0, s.done, &s);
      if (const int err = crypto_ahash_import(*s.req, state.data())) return "import: " + api::errno_text(err);
    }
    const size_t left = s.src.size() - fed[i];
    const size_t len = last ? left : below(3) == 0 ? std::min<size_t>(left, below(200)) : below(left + 1);
    s.src_list = api::SgTable::split_at(std::span(s.src).subspan(fed[i], len), pieces(len));
    fed[i] += len;
    ahash_request_set_crypt(*s.req, s.src_list, s.dst.data(), static_cast<uint32_t>(len));
    s.answered(last ? crypto_ahash_finup(*s.req) : crypto_ahash_update(*s.req));
  }
  lab_->run();
  for (auto& s : slots)
    if (std::exchange(s.completions, 0) != 1 || s.err != 0) return "a step ended with " + api::errno_text(s.err);
  return "";
}

std::string FamilyRequests::hashes(const AlgRow& row) {
  const Bytes key = key_for(row, static_cast<unsigned>(random_()) % 64);
  auto caam = lab_.ahash(row.driver), other = lab_.ahash(row.driver);
  if (row.keyed)
    for (auto* tfm : {caam.get(), other.get()})
      if (const int err = crypto_ahash_setkey(*tfm, key)) return "setkey: " + api::errno_text(err);
  auto software = software_ahash(lab_, row, key);
  std::vector<Slot<api::AhashRequestHandle>> slots(batch_size());
  std::vector<size_t> fed(slots.size());
  for (auto& s : slots) {
    s.src = random_bytes(text_len(), random_());
    s.dst.resize(crypto_ahash_digestsize(*caam));
    s.req = ahash_request_alloc(*caam);
    ahash_request_set_callback(*s.req, 0, s.done, &s);
    if (const int err = crypto_ahash_init(*s.req)) return "init: " + api::errno_text(err);
  }
  for (size_t left = below(5) + 1; left-- > 0;)
    if (const auto what = hash_step(slots, fed, *other, left == 0); !what.empty()) return what + ", key " + hex(key);
  for (const auto& s : slots) {
    const Outcome want = run_ahash(*software, s.src, HashCalls::kDigest, plain_layout());
    if (s.dst != want.out)
      return std::to_string(s.src.size()) + " bytes, key " + hex(key) + ": " + hex(s.dst) + ", software has " +
             hex(want.out);
  }
  return "";
}

// Primes of equal and of different lengths; software takes moduli of some sizes only.
constexpr unsigned kRsaPrimes[][2] = {{256, 256}, {512, 512}, {640, 384}, {768, 768}, {1024, 1024}, {1280, 768}};

// A number of `len` bytes that begins with some zeros, below `n` or, now and then, not.
Bytes rsa_input(const Bytes& n, size_t len, std::mt19937_64& random) {
  Bytes in = random_bytes(len, random());
  const size_t below_n = random() % 8 == 0 ? n.size() + 2 : n.size();  // bytes that may be other than zero
  const size_t digits = std::min(len, random() % 2 == 0 ? below_n : random() % (below_n + 1));
  std::fill(in.begin(), in.end() - static_cast<ptrdiff_t>(digits), 0);
  // n begins with 1 bits.
  if (digits == n.size() && random() % 8 != 0) in[len - digits] &= 0x7f;
  return in;
}

// Requests of one key, forward and back, at once.
std::string FamilyRequests::rsa(const AlgRow& row) {
  const auto& primes = kRsaPrimes[below(std::size(kRsaPrimes))];
  RsaNumbers key = rsa_numbers(primes[0], primes[1]);
  const int form = static_cast<int>(1 + below(3));
  if (form == 3 && below(3) == 0) key.dp = key.longer_dp();
  auto caam = lab_.get(row.driver, crypto_alloc_akcipher(lab_->registry(), row.driver));
  auto software = lab_.get(row.name, crypto_alloc_akcipher(lab_->registry(), "rsa-generic"));
  for (auto* tfm : {caam.get(), software.get()})
    if (const int err = crypto_akcipher_set_priv_key(*tfm, key.priv(form))) return "key: " + api::errno_text(err);
  std::vector<Slot<api::AkcipherRequestHandle>> slots(batch_size());
  std::vector<RsaResult> wanted;
  std::vector<std::string> what;
  for (auto& s : slots) {
    ++made_;
    const size_t n = key.n.size(), len = below(2) == 0 ? n : below(n + 40);
    const Layout l = layout(len);
    const RsaOp op = below(2) == 0 ? api::crypto_akcipher_encrypt : api::crypto_akcipher_decrypt;
    s.src = rsa_input(key.n, len, random_);
    what.push_back(std::to_string(primes[0]) + "+" + std::to_string(primes[1]) + " bits, form " + std::to_string(form) +
                   (op == api::crypto_akcipher_encrypt ? ", public" : ", private") + ", input " + hex(s.src) + ": ");
    wanted.push_back(run_rsa(*software, op, s.src, n));
    const bool same = l.in_place || l.in_place_two;
    s.src.resize(same ? std::max(len, n) : len);
    s.dst.resize(same ? 0 : n);
    s.src_list = api::SgTable::split_at(s.src, l.src_pieces);
    s.dst_list = api::SgTable::split_at(same ? s.src : s.dst, l.dst_pieces);
    s.req = akcipher_request_alloc(*caam);
    akcipher_request_set_callback(*s.req, below(8) == 0 ? api::CRYPTO_TFM_REQ_MAY_BACKLOG : 0, s.done, &s);
    akcipher_request_set_crypt(*s.req, s.src_list, l.in_place ? s.src_list.list() : s.dst_list.list(),
                               static_cast<uint32_t>(len), static_cast<uint32_t>(n));
    s.answered(op(*s.req));
  }
  lab_->run();
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto& s = slots[i];
    if (s.completions != 1) return what[i] + std::to_string(s.completions) + " completions";
    if ((s.err != 0) != (wanted[i].err != 0))
      return what[i] + api::errno_text(s.err) + ", software " + api::errno_text(wanted[i].err);
    if (s.err != 0) continue;
    const std::span<const uint8_t> got = std::span(s.dst.empty() ? s.src : s.dst).first(key.n.size());
    if (!std::ranges::equal(got, wanted[i].out)) return what[i] + hex(got) + ", software has " + hex(wanted[i].out);
    if (s.req->dst_len != key.n.size()) return what[i] + "result of " + std::to_string(s.req->dst_len) + " bytes";
  }
  return "";
}

TEST_P(FamilyRequests, EqualSoftware) {
  const size_t mine = requests_in_all() / settings().size();
  const size_t first = made_;
  unsigned rows = 0;
  do {
    for (const AlgRow& row : caam_rows()) {
      if (!lab_.has(row.driver)) continue;
      ++rows;
      std::string what;
      if (row.type == "skcipher") what = skciphers(row);
      if (row.type == "aead") what = aeads(row);
      if (row.type == "ahash") what = hashes(row);
      if (row.type == "akcipher") what = rsa(row);
      ASSERT_EQ(what, "") << row.driver;
    }
  } while (made_ - first < mine);
  EXPECT_GT(rows, 0u);
}

INSTANTIATE_TEST_SUITE_P(, FamilyRequests, testing::ValuesIn(settings()), [](const auto& info) {
  return std::string(info.param.part.name) + (info.param.share == ShareMode::kSerial ? "_serial" : "_never");
});

// No row is left out on all parts, and the parts are of the eras their names say.
TEST(FamilyParts, EveryRowHasAPart) {
  std::vector<std::string> seen;
  for (const Part& part : kParts) {
    EXPECT_EQ(std::string(part.name).substr(0, std::string(part.name).find('_')),
              "era" + std::to_string(platform_of(part).era));
    LabFixture lab(platform_of(part));
    for (const AlgRow& row : caam_rows())
      if (lab.has(row.driver)) seen.push_back(row.driver);
  }
  for (const AlgRow& row : caam_rows()) EXPECT_NE(std::ranges::find(seen, row.driver), seen.end()) << row.driver;
}

}  // namespace
}  // namespace caamlab::tests
