// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See run.h. One class per front end; each knows how to make, fill and submit its request.
#include "tools/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/aead.h"
#include "api/ahash.h"
#include "api/akcipher.h"
#include "api/errno.h"
#include "api/rng.h"
#include "api/skcipher.h"
#include "tools/lab.h"

namespace caamlab::tools {
namespace {

using api::CryptoWait;
using desc::ErrorCode;

desc::Error refuse(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message), std::nullopt, {}}; }

// Key sizes by what a name ends in, for messages only; the driver decides.
std::string key_sizes(const std::string& name) {
  if (name.find("rfc4") == 0) return "20, 28 or 36 bytes: an AES key of 16, 24 or 32 and 4 bytes of salt";
  if (name.find("rfc3686") == 0) return "20, 28 or 36 bytes: an AES key of 16, 24 or 32 and a nonce of 4";
  if (name.find("authenc") != std::string::npos)
    return "an authenc key blob (attribute header, authentication key, cipher key)";
  if (name.find("xts") != std::string::npos) return "32, 48 or 64 bytes: two AES keys";
  if (name.find("3des") != std::string::npos || name.find("des3") != std::string::npos) return "24 bytes";
  if (name.find("des") != std::string::npos) return "8 bytes";
  if (name.find("chacha") != std::string::npos || name.find("7539(") != std::string::npos) return "32 bytes";
  if (name.find("7539esp") != std::string::npos) return "36 bytes: a key of 32 and 4 bytes of salt";
  if (name.find("aes") != std::string::npos) return "16, 24 or 32 bytes";
  return "a key of another size";
}

// One request of some front end, with its buffers.
class Request {
 public:
  virtual ~Request() = default;
  virtual int submit(bool decrypt) = 0;
  virtual std::vector<uint8_t> result() const = 0;
  CryptoWait wait;
};

// A transform of some front end, ready with key and sizes.
class Work {
 public:
  virtual ~Work() = default;
  virtual const api::CryptoTfm& tfm() const = 0;
  // Everything that can be said before a request is made; empty when all is well.
  virtual std::optional<desc::Error> set_up(const RunInput& input) = 0;
  virtual std::unique_ptr<Request> make(const RunInput& input) = 0;
  const std::string& driver_name() const { return tfm().alg->cra_driver_name; }
};

class AeadWork final : public Work {
 public:
  explicit AeadWork(api::AeadHandle tfm) : tfm_(std::move(tfm)) {}
  const api::CryptoTfm& tfm() const override { return *tfm_; }

  std::optional<desc::Error> set_up(const RunInput& in) override {
    if (const int err = crypto_aead_setkey(*tfm_, in.key); err != 0)
      return refuse(fmt::format("--key: {} bytes are refused by {} ({}); it takes {}", in.key.size(), driver_name(),
                                api::errno_name(err), key_sizes(tfm_->alg->cra_name)));
    const unsigned tag = in.tag_bytes != 0 ? in.tag_bytes : crypto_aead_maxauthsize(*tfm_);
    if (const int err = crypto_aead_setauthsize(*tfm_, tag); err != 0)
      return refuse(fmt::format("--tag: {} bytes are refused by {} ({}); the largest is {}", tag, driver_name(),
                                api::errno_name(err), crypto_aead_maxauthsize(*tfm_)));
    if (const unsigned want = crypto_aead_ivsize(*tfm_); in.iv.size() != want)
      return refuse(fmt::format("--iv: {} bytes given, {} takes {}", in.iv.size(), tfm_->alg->cra_name, want));
    if (in.decrypt && in.data.size() < tag)
      return refuse(
          fmt::format("--in: {} bytes are less than the tag of {}; to decrypt, the tag stands behind the "
                      "cipher text",
                      in.data.size(), tag));
    if (in.data.size() > kMaxText)
      return refuse(fmt::format("--in: {} bytes are more than one request takes ({})", in.data.size(), kMaxText));
    return std::nullopt;
  }

  std::unique_ptr<Request> make(const RunInput& in) override { return std::make_unique<AeadOne>(*tfm_, in); }

 private:
  static constexpr size_t kMaxText = 0xF0000000;

  class AeadOne final : public Request {
   public:
    AeadOne(api::CryptoAead& tfm, const RunInput& in) : iv_(in.iv), aad_(in.aad.size()), req_(aead_request_alloc(tfm)) {
      src_ = in.aad;
      src_.insert(src_.end(), in.data.begin(), in.data.end());
      const size_t tag = crypto_aead_authsize(tfm);
      dst_.resize(in.decrypt ? src_.size() - tag : src_.size() + tag);
      in_ = segments(src_);
      out_ = segments(dst_);
      aead_request_set_callback(*req_, api::CRYPTO_TFM_REQ_MAY_BACKLOG, api::crypto_req_done, &wait);
      aead_request_set_crypt(*req_, in_, out_, static_cast<uint32_t>(in.data.size()), iv_.data());
      aead_request_set_ad(*req_, static_cast<uint32_t>(aad_));
    }
    int submit(bool decrypt) override { return decrypt ? crypto_aead_decrypt(*req_) : crypto_aead_encrypt(*req_); }
    std::vector<uint8_t> result() const override { return {dst_.begin() + static_cast<ptrdiff_t>(aad_), dst_.end()}; }

   private:
    // One DMA mapping has a limit; a segment stays well below it.
    static std::vector<api::Segment> segments(std::vector<uint8_t>& bytes) {
      constexpr size_t kSegment = size_t{64} << 20;
      std::vector<api::Segment> out;
      for (size_t at = 0; at < bytes.size(); at += kSegment)
        out.push_back({bytes.data() + at, std::min(kSegment, bytes.size() - at)});
      return out;
    }
    std::vector<uint8_t> src_, dst_, iv_;
    std::vector<api::Segment> in_, out_;
    size_t aad_;
    api::AeadRequestHandle req_;
  };

  api::AeadHandle tfm_;
};

class SkcipherWork final : public Work {
 public:
  explicit SkcipherWork(api::SkcipherHandle tfm) : tfm_(std::move(tfm)) {}
  const api::CryptoTfm& tfm() const override { return *tfm_; }

  std::optional<desc::Error> set_up(const RunInput& in) override {
    if (const int err = crypto_skcipher_setkey(*tfm_, in.key); err != 0)
      return refuse(fmt::format("--key: {} bytes are refused by {} ({}); it takes {}", in.key.size(), driver_name(),
                                api::errno_name(err), key_sizes(tfm_->alg->cra_name)));
    if (const unsigned want = crypto_skcipher_ivsize(*tfm_); in.iv.size() != want)
      return refuse(fmt::format("--iv: {} bytes given, {} takes {}", in.iv.size(), tfm_->alg->cra_name, want));
    if (!in.aad.empty()) return refuse(fmt::format("--aad: {} has no associated data", tfm_->alg->cra_name));
    return std::nullopt;
  }

  std::unique_ptr<Request> make(const RunInput& in) override { return std::make_unique<SkcipherOne>(*tfm_, in); }

  class SkcipherOne final : public Request {
   public:
    SkcipherOne(api::CryptoSkcipher& tfm, const RunInput& in)
        : src_(in.data),
          dst_(in.data.size()),
          iv_(in.iv),
          in_{src_.data(), src_.size()},
          out_{dst_.data(), dst_.size()},
          req_(skcipher_request_alloc(tfm)) {
      skcipher_request_set_callback(*req_, api::CRYPTO_TFM_REQ_MAY_BACKLOG, api::crypto_req_done, &wait);
      skcipher_request_set_crypt(*req_, {&in_, 1}, {&out_, 1}, static_cast<uint32_t>(src_.size()), iv_.data());
    }
    int submit(bool decrypt) override {
      return decrypt ? crypto_skcipher_decrypt(*req_) : crypto_skcipher_encrypt(*req_);
    }
    std::vector<uint8_t> result() const override { return dst_; }
    const std::vector<uint8_t>& iv() const { return iv_; }

   private:
    std::vector<uint8_t> src_, dst_, iv_;
    api::Segment in_, out_;
    api::SkcipherRequestHandle req_;
  };

 private:
  api::SkcipherHandle tfm_;
};

class HashWork final : public Work {
 public:
  explicit HashWork(api::AhashHandle tfm) : tfm_(std::move(tfm)) {}
  const api::CryptoTfm& tfm() const override { return *tfm_; }

  std::optional<desc::Error> set_up(const RunInput& in) override {
    if (!in.iv.empty() || !in.aad.empty()) return refuse("--iv and --aad: a hash has neither");
    if (in.decrypt) return refuse("--decrypt: a hash has no other direction");
    if (in.key.empty()) return std::nullopt;
    if (const int err = crypto_ahash_setkey(*tfm_, in.key); err != 0)
      return refuse(
          fmt::format("--key: {} bytes are refused by {} ({})", in.key.size(), driver_name(), api::errno_name(err)));
    return std::nullopt;
  }

  std::unique_ptr<Request> make(const RunInput& in) override { return std::make_unique<HashOne>(*tfm_, in); }
  api::CryptoAhash& ahash() { return *tfm_; }

 private:
  class HashOne final : public Request {
   public:
    HashOne(api::CryptoAhash& tfm, const RunInput& in)
        : src_(in.data),
          digest_(crypto_ahash_digestsize(tfm)),
          in_{src_.data(), src_.size()},
          req_(ahash_request_alloc(tfm)) {
      ahash_request_set_callback(*req_, api::CRYPTO_TFM_REQ_MAY_BACKLOG, api::crypto_req_done, &wait);
      ahash_request_set_crypt(*req_, {&in_, 1}, digest_.data(), static_cast<uint32_t>(src_.size()));
    }
    int submit(bool) override { return crypto_ahash_digest(*req_); }
    std::vector<uint8_t> result() const override { return digest_; }

   private:
    std::vector<uint8_t> src_, digest_;
    api::Segment in_;
    api::AhashRequestHandle req_;
  };

  api::AhashHandle tfm_;
};

// Bare RSA: the public operation, or with --decrypt the private one.
class AkcipherWork final : public Work {
 public:
  explicit AkcipherWork(api::AkcipherHandle tfm) : tfm_(std::move(tfm)) {}
  const api::CryptoTfm& tfm() const override { return *tfm_; }

  std::optional<desc::Error> set_up(const RunInput& in) override {
    if (!in.iv.empty() || !in.aad.empty()) return refuse("--iv and --aad: rsa has neither");
    // A private key holds the public one.
    int err = in.decrypt ? -EINVAL : crypto_akcipher_set_pub_key(*tfm_, in.key);
    if (err != 0) err = crypto_akcipher_set_priv_key(*tfm_, in.key);
    if (err != 0)
      return refuse(fmt::format("--key: {} bytes are refused by {} ({}); it takes the DER form of {}", in.key.size(),
                                driver_name(), api::errno_name(err),
                                in.decrypt ? "RSAPrivateKey" : "RSAPublicKey or RSAPrivateKey"));
    if (const unsigned max = crypto_akcipher_maxsize(*tfm_); in.data.empty() || in.data.size() > max)
      return refuse(fmt::format("--in: {} bytes; this key takes 1 to {}", in.data.size(), max));
    return std::nullopt;
  }

  std::unique_ptr<Request> make(const RunInput& in) override { return std::make_unique<AkcipherOne>(*tfm_, in); }

 private:
  class AkcipherOne final : public Request {
   public:
    AkcipherOne(api::CryptoAkcipher& tfm, const RunInput& in)
        : src_(in.data),
          dst_(crypto_akcipher_maxsize(tfm)),
          in_{src_.data(), src_.size()},
          out_{dst_.data(), dst_.size()},
          req_(akcipher_request_alloc(tfm)) {
      akcipher_request_set_callback(*req_, api::CRYPTO_TFM_REQ_MAY_BACKLOG, api::crypto_req_done, &wait);
      akcipher_request_set_crypt(*req_, {&in_, 1}, {&out_, 1}, static_cast<uint32_t>(src_.size()),
                                 static_cast<uint32_t>(dst_.size()));
    }
    int submit(bool decrypt) override {
      return decrypt ? crypto_akcipher_decrypt(*req_) : crypto_akcipher_encrypt(*req_);
    }
    std::vector<uint8_t> result() const override {
      return {dst_.begin(), dst_.begin() + std::min<ptrdiff_t>(req_->dst_len, std::ssize(dst_))};
    }

   private:
    std::vector<uint8_t> src_, dst_;
    api::Segment in_, out_;
    api::AkcipherRequestHandle req_;
  };

  api::AkcipherHandle tfm_;
};

class RngWork final : public Work {
 public:
  explicit RngWork(api::RngHandle tfm) : tfm_(std::move(tfm)) {}
  const api::CryptoTfm& tfm() const override { return *tfm_; }

  std::optional<desc::Error> set_up(const RunInput& in) override {
    if (!in.iv.empty() || !in.aad.empty() || !in.data.empty() || in.decrypt)
      return refuse("--iv, --aad, --in and --decrypt: a random number generator has none of them");
    // A seed, where the generator takes one.
    if (const unsigned seed = crypto_rng_seedsize(*tfm_); in.key.size() != seed)
      return refuse(fmt::format("--key: {} bytes given, {} takes a seed of {}", in.key.size(), driver_name(), seed));
    if (in.bytes == 0) return refuse("--bytes: at least 1 is needed");
    if (const int err = crypto_rng_reset(*tfm_, in.key.data(), in.key.size()); err != 0)
      return refuse(fmt::format("--key: refused as a seed by {} ({})", driver_name(), api::errno_name(err)));
    return std::nullopt;
  }

  std::unique_ptr<Request> make(const RunInput& in) override { return std::make_unique<RngOne>(*tfm_, in.bytes); }

 private:
  class RngOne final : public Request {
   public:
    RngOne(api::CryptoRng& tfm, size_t bytes) : tfm_(tfm), out_(bytes) {}
    int submit(bool) override { return crypto_rng_get_bytes(tfm_, out_); }
    std::vector<uint8_t> result() const override { return out_; }

   private:
    api::CryptoRng& tfm_;
    std::vector<uint8_t> out_;
  };

  api::RngHandle tfm_;
};

// The front end whose name this is.
std::unique_ptr<Work> open(api::Registry& registry, const std::string& name, int& err) {
  if (auto tfm = crypto_alloc_aead(registry, name)) return std::make_unique<AeadWork>(std::move(*tfm));
  if (auto tfm = crypto_alloc_skcipher(registry, name)) return std::make_unique<SkcipherWork>(std::move(*tfm));
  if (auto tfm = crypto_alloc_akcipher(registry, name)) return std::make_unique<AkcipherWork>(std::move(*tfm));
  if (auto tfm = crypto_alloc_rng(registry, name)) return std::make_unique<RngWork>(std::move(*tfm));
  auto tfm = crypto_alloc_ahash(registry, name);
  if (tfm) return std::make_unique<HashWork>(std::move(*tfm));
  err = tfm.error();
  return nullptr;
}

api::LookupReport explain(api::Registry& registry, const std::string& name) {
  for (const api::CryptoType* type : {&api::crypto_aead_type, &api::crypto_skcipher_type, &api::crypto_ahash_type,
                                      &api::crypto_akcipher_type, &api::crypto_rng_type}) {
    api::LookupReport report = registry.explain(*type, name, 0, 0);
    if (report.err == 0) return report;
  }
  return registry.explain(api::crypto_aead_type, name, 0, 0);
}

// Keeps the words of the first job and counts the status words of all.
class JobRecorder final : public hw_model::TraceSink {
 public:
  explicit JobRecorder(RunOutcome& outcome) : outcome_(outcome) {}
  void job_begins(const hw_model::Deco& deco) override {
    if (++outcome_.device_jobs != 1) return;
    const auto words = deco.buffer();
    outcome_.target = deco.dma.target();
    outcome_.shared_words.assign(words.begin(), words.begin() + deco.shared_words());
    outcome_.job_words.assign(words.begin() + deco.shared_words(), words.begin() + deco.total_words());
  }
  void before_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void after_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void job_ends(const hw_model::Deco&, desc::JrStatus status) override { ++outcome_.statuses[status.word]; }

 private:
  RunOutcome& outcome_;
};

desc::Result<std::unique_ptr<Lab>> make_lab(const RunInput& input, desc::ShareMode mode) {
  LabOptions options;
  options.driver.share = mode;
  return Lab::make(input.platform, options);
}

tl::unexpected<desc::Error> not_found(const RunInput& input, int err) {
  return tl::unexpected<desc::Error>(
      {ErrorCode::kNotFound,
       fmt::format("--alg: {} is not to be had on {} ({}); caam run takes a name such as "
                   "gcm(aes) or a driver such as gcm-aes-caam",
                   input.algorithm, input.platform, api::errno_name(err)),
       std::nullopt,
       {}});
}

void run_mode(Lab& lab, Work& work, const RunInput& input, RunOutcome& outcome) {
  std::vector<std::unique_ptr<Request>> requests;
  for (unsigned i = 0; i < std::max(1u, input.jobs); ++i) requests.push_back(work.make(input));
  JobRecorder recorder(outcome);
  lab.caam().set_trace(&recorder);
  const hw_model::SchedulerStats before = lab.caam().scheduler().stats();
  std::vector<int> answers;
  for (auto& request : requests) answers.push_back(request->submit(input.decrypt));
  for (size_t i = 0; i < requests.size(); ++i) {
    const int err = api::crypto_wait_req(answers[i], requests[i]->wait, work.tfm());
    if (err != 0 && outcome.err == 0) outcome.err = err;
    if (i == 0)
      outcome.output = requests[i]->result();
    else if (!outcome.random)
      outcome.all_equal = outcome.all_equal && requests[i]->result() == outcome.output;
  }
  lab.caam().set_trace(nullptr);
  const hw_model::SchedulerStats& after = lab.caam().scheduler().stats();
  outcome.keys_loaded = after.keys_loaded - before.keys_loaded;
  outcome.keys_reused = after.jobs_with_shared_keys - before.jobs_with_shared_keys;
  outcome.out_of_order = after.completed_out_of_order - before.completed_out_of_order;
}

}  // namespace

desc::Result<RunReport> run_requests(const RunInput& input, const std::vector<desc::ShareMode>& modes) {
  RunReport report;
  for (const desc::ShareMode mode : modes) {
    auto lab = make_lab(input, mode);
    if (!lab) return tl::unexpected<desc::Error>(lab.error());
    report.platform_title = (*lab)->platform().title;
    report.lookup = explain((*lab)->registry(), input.algorithm);
    int err = 0;
    const auto work = open((*lab)->registry(), input.algorithm, err);
    if (work == nullptr) return not_found(input, err);
    if (auto wrong = work->set_up(input)) return tl::unexpected<desc::Error>(*wrong);
    RunOutcome outcome;
    outcome.share = mode;
    outcome.driver_name = work->driver_name();
    outcome.random = dynamic_cast<RngWork*>(work.get()) != nullptr;
    run_mode(**lab, *work, input, outcome);
    report.outcomes.push_back(std::move(outcome));
  }
  return report;
}

namespace {

int stream_hash(HashWork& work, size_t chunk, const StreamIo& io, StreamResult& result) {
  CryptoWait wait;
  api::AhashRequestHandle req = ahash_request_alloc(work.ahash());
  std::vector<uint8_t> digest(crypto_ahash_digestsize(work.ahash()));
  ahash_request_set_callback(*req, api::CRYPTO_TFM_REQ_MAY_BACKLOG, api::crypto_req_done, &wait);
  int err = api::crypto_wait_req(crypto_ahash_init(*req), wait, work.tfm());
  for (std::vector<uint8_t> data = io.read(chunk); err == 0 && !data.empty(); data = io.read(chunk)) {
    api::Segment segment{data.data(), data.size()};
    ahash_request_set_crypt(*req, {&segment, 1}, nullptr, static_cast<uint32_t>(data.size()));
    err = api::crypto_wait_req(crypto_ahash_update(*req), wait, work.tfm());
    ++result.requests;
    result.bytes_in += data.size();
  }
  if (err != 0) return err;
  ahash_request_set_crypt(*req, {}, digest.data(), 0);
  err = api::crypto_wait_req(crypto_ahash_final(*req), wait, work.tfm());
  result.bytes_out = digest.size();
  return err == 0 && !io.write(digest) ? -EIO : err;
}

void count_up(std::vector<uint8_t>& iv) {
  for (size_t i = iv.size(); i-- > (iv.size() > 4 ? iv.size() - 4 : 0);)
    if (++iv[i] != 0) return;
}

}  // namespace

desc::Result<StreamResult> run_stream(const RunInput& given, desc::ShareMode mode, size_t chunk, const StreamIo& io) {
  auto lab = make_lab(given, mode);
  if (!lab) return tl::unexpected<desc::Error>(lab.error());
  int err = 0;
  const auto work = open((*lab)->registry(), given.algorithm, err);
  if (work == nullptr) return not_found(given, err);
  if (dynamic_cast<AkcipherWork*>(work.get()) != nullptr || dynamic_cast<RngWork*>(work.get()) != nullptr)
    return tl::unexpected<desc::Error>(
        refuse(fmt::format("--in: {} is done in one request, the file is longer", given.algorithm)));
  StreamResult result;
  result.driver_name = work->driver_name();
  RunInput input = given;
  const auto* aead = dynamic_cast<AeadWork*>(work.get());
  input.data.assign(aead != nullptr && input.decrypt ? 16 : 0, 0);  // sizes of the data are known only below
  if (auto wrong = work->set_up(input)) return tl::unexpected<desc::Error>(*wrong);
  if (auto* hash = dynamic_cast<HashWork*>(work.get())) {
    result.err = stream_hash(*hash, chunk, io, result);
    return result;
  }
  const size_t tag = aead != nullptr ? static_cast<const api::CryptoAead&>(work->tfm()).authsize : 0;
  const size_t step = chunk + (input.decrypt ? tag : 0);
  for (bool first = true;; first = false) {
    input.data = io.read(step);
    // An empty message still has a tag.
    if (input.data.empty() && !(first && aead != nullptr)) break;
    if (auto wrong = work->set_up(input)) return tl::unexpected<desc::Error>(*wrong);
    const auto request = work->make(input);
    result.err = api::crypto_wait_req(request->submit(input.decrypt), request->wait, work->tfm());
    ++result.requests;
    result.bytes_in += input.data.size();
    if (result.err != 0) return result;
    const std::vector<uint8_t> out = request->result();
    result.bytes_out += out.size();
    if (!io.write(out)) {
      result.err = -EIO;
      return result;
    }
    if (aead != nullptr)
      count_up(input.iv);
    else
      input.iv = static_cast<SkcipherWork::SkcipherOne&>(*request).iv();
  }
  return result;
}

}  // namespace caamlab::tools
