// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See queued.h.
#include "tests/driver/caam/queued.h"

namespace caamlab::tests {
namespace {

// One request and its memory; must not move once submitted.
template <class Handle>
struct Waiting {
  Handle req;
  Bytes src, dst, iv;
  api::SgTable src_list, dst_list;
  int err = 1;
  static void done(void* data, int err) {
    if (err != -EINPROGRESS) static_cast<Waiting*>(data)->err = err;
  }
  void note(int answer) {
    if (answer != -EINPROGRESS && answer != -EBUSY) err = answer;
  }
};

template <class Handle>
QueuedResults results_of(const std::vector<Waiting<Handle>>& all, const std::vector<size_t>& skip) {
  QueuedResults out;
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t from = skip.empty() ? 0 : skip[i];
    out.push_back({all[i].err, {all[i].dst.begin() + static_cast<ptrdiff_t>(from), all[i].dst.end()}});
  }
  return out;
}

}  // namespace

QueuedResults run_queued(LabFixture& lab, api::CryptoAead& tfm, Crypt crypt, const std::vector<AeadInput>& inputs) {
  std::vector<Waiting<api::AeadRequestHandle>> all(inputs.size());
  std::vector<size_t> skip;
  const unsigned tag = crypto_aead_authsize(tfm);
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto& w = all[i];
    const AeadInput& in = inputs[i];
    w.src = in.aad;
    w.src.insert(w.src.end(), in.text.begin(), in.text.end());
    w.dst.resize(crypt == Crypt::kEncrypt ? w.src.size() + tag : w.src.size() - tag);
    w.iv = in.iv;
    w.src_list = api::SgTable::of(std::span(w.src));
    w.dst_list = api::SgTable::of(std::span(w.dst));
    w.req = aead_request_alloc(tfm);
    aead_request_set_callback(*w.req, api::CRYPTO_TFM_REQ_MAY_BACKLOG, w.done, &w);
    aead_request_set_ad(*w.req, static_cast<uint32_t>(in.aad.size()));
    aead_request_set_crypt(*w.req, w.src_list, w.dst_list, static_cast<uint32_t>(in.text.size()), w.iv.data());
    w.note(crypt == Crypt::kEncrypt ? crypto_aead_encrypt(*w.req) : crypto_aead_decrypt(*w.req));
    skip.push_back(in.aad.size());
  }
  lab->run();
  return results_of(all, skip);
}

QueuedResults run_queued(LabFixture& lab, api::CryptoSkcipher& tfm, Crypt crypt,
                         const std::vector<CipherInput>& inputs) {
  std::vector<Waiting<api::SkcipherRequestHandle>> all(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto& w = all[i];
    w.src = inputs[i].text;
    w.dst.resize(w.src.size());
    w.iv = inputs[i].iv;
    w.src_list = api::SgTable::of(std::span(w.src));
    w.dst_list = api::SgTable::of(std::span(w.dst));
    w.req = skcipher_request_alloc(tfm);
    skcipher_request_set_callback(*w.req, api::CRYPTO_TFM_REQ_MAY_BACKLOG, w.done, &w);
    skcipher_request_set_crypt(*w.req, w.src_list, w.dst_list, static_cast<uint32_t>(w.src.size()), w.iv.data());
    w.note(crypt == Crypt::kEncrypt ? crypto_skcipher_encrypt(*w.req) : crypto_skcipher_decrypt(*w.req));
  }
  lab->run();
  return results_of(all, {});
}

QueuedResults run_queued(LabFixture& lab, api::CryptoAhash& tfm, const std::vector<Bytes>& messages,
                         const std::vector<size_t>& ends) {
  std::vector<Waiting<api::AhashRequestHandle>> all(messages.size());
  for (size_t i = 0; i < messages.size(); ++i) {
    auto& w = all[i];
    w.src = messages[i];
    w.dst.resize(crypto_ahash_digestsize(tfm));
    w.req = ahash_request_alloc(tfm);
    ahash_request_set_callback(*w.req, api::CRYPTO_TFM_REQ_MAY_BACKLOG, w.done, &w);
    if (ends.size() > 1) {
      EXPECT_EQ(crypto_ahash_init(*w.req), 0);
    }
  }
  for (size_t step = 0, from = 0; step < ends.size(); from = ends[step++]) {
    const size_t len = ends[step] - from;
    for (auto& w : all) {
      w.src_list = api::SgTable::of(std::span(w.src).subspan(from, len));
      ahash_request_set_crypt(*w.req, w.src_list, w.dst.data(), static_cast<uint32_t>(len));
      w.note(ends.size() == 1          ? crypto_ahash_digest(*w.req)
             : step + 1 == ends.size() ? crypto_ahash_finup(*w.req)
                                       : crypto_ahash_update(*w.req));
    }
    lab->run();
  }
  return results_of(all, {});
}

}  // namespace caamlab::tests
