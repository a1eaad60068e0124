// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What recorded jobs saved in a form of the device's own (running hashes, MAC states, split keys) must be loaded back
// by the jobs behind them: each later job gets what OUR device wrote in place of the recorded bytes, and the digest at
// the end of the chain has to be the recorded one. Split keys are really encrypted here, unlike on the recording
// device. The ChaCha20-Poly1305 jobs, recorded without a result, are run on their published messages and against
// libcrypto.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "tests/driver/software/vectors.h"
#include "tools/replay.h"

namespace caamlab::tests {
namespace {

using Bytes = std::vector<uint8_t>;
using tools::MemoryPiece;
using tools::ReplayJob;
using tools::ReplayResult;

constexpr size_t kShortestState = 16;  // shorter saved pieces could be found by chance

struct Line {
  ReplayJob job;
  int number = 0;
  bool done = false;
  ReplayResult result;
  std::map<Bytes, Bytes> saved;  // as recorded -> as our device wrote it
};

std::vector<Line> read_lines() {
  std::ifstream file("tests/replay/kernel-jobs.jsonl");
  std::vector<Line> lines;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    auto job = tools::parse_replay_line(text);
    if (!job) throw std::runtime_error("line " + std::to_string(number) + ": " + job.error().to_string());
    Line& line = lines.emplace_back();
    line.job = std::move(*job);
    line.number = number;
  }
  if (lines.empty()) throw std::runtime_error("tests/replay/kernel-jobs.jsonl has no lines");
  return lines;
}

bool mentions(const ReplayJob& job, const char* what) {
  return std::ranges::any_of(job.ops, [&](const std::string& op) { return op.find(what) != std::string::npos; });
}
bool is_split_key_job(const ReplayJob& job) { return job.shared.empty() && mentions(job, "HMAC INIT DEC"); }
bool is_last_of_a_chain(const ReplayJob& job) { return mentions(job, " FINALIZE ENC"); }

Bytes image_of(const std::vector<uint32_t>& words, desc::Endian endian) {
  Bytes raw(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i) desc::store32(raw.data() + i * 4, words[i], endian);
  return raw;
}

// Puts `now` where `recorded` stands; `now` may be longer as far as there is room (a black key's padding).
bool substitute(Bytes& in, const Bytes& recorded, const Bytes& now) {
  const auto at = std::ranges::search(in, recorded).begin();
  if (at == in.end() || static_cast<size_t>(in.end() - at) < now.size()) return false;
  std::ranges::copy(now, at);
  return true;
}

// Bytes at [addr, addr + len) after the job; empty if it did not write all of them.
Bytes written(const ReplayResult& result, uint64_t addr, size_t len) {
  Bytes out(len);
  std::vector<bool> touched(len);
  for (const MemoryPiece& w : result.writes)
    for (size_t i = 0; i < w.bytes.size(); ++i)
      if (w.addr + i >= addr && w.addr + i < addr + len) {
        out[w.addr + i - addr] = w.bytes[i];
        touched[w.addr + i - addr] = true;
      }
  return std::ranges::find(touched, false) == touched.end() ? out : Bytes{};
}

// What a split key job stores: with encryption whole AES blocks.
size_t stored_len(const ReplayJob& job, size_t recorded) {
  return is_split_key_job(job) ? (recorded + 15) / 16 * 16 : recorded;
}

enum class Link : uint8_t { kStates, kSplitKeys };

class Chains {
 public:
  explicit Chains(Link link) : link_(link) {}
  std::vector<Line> lines = read_lines();
  int changed = 0;  // pieces that our device wrote differently from the recording one

  // Runs `line` on what our device saved, the jobs it depends on first. How many pieces it took over.
  int run(Line& line) {
    ReplayJob job = line.job;
    Bytes shared = image_of(job.shared, job.target.endian);
    int taken = 0;
    for (Line& producer : lines) {
      if (&producer == &line || !produces(producer.job) || producer.job.run != job.run) continue;
      for (const MemoryPiece& piece : producer.job.writes) {
        if (piece.bytes.size() < kShortestState || !uses(job, shared, piece.bytes)) continue;
        if (!producer.done) finish(producer);
        const auto now = producer.saved.find(piece.bytes);
        if (now == producer.saved.end()) continue;
        for (MemoryPiece& read : job.reads) taken += substitute(read.bytes, piece.bytes, now->second);
        taken += substitute(shared, piece.bytes, now->second);
      }
    }
    for (size_t i = 0; i < job.shared.size(); ++i)
      job.shared[i] = desc::load32(shared.data() + i * 4, job.target.endian);
    line.result = tools::run_replay_job(job, {.plain_black_keys = link_ == Link::kStates});
    return taken;
  }

 private:
  bool produces(const ReplayJob& job) const {
    return job.executed && job.device_specific && job.memory_known &&
           is_split_key_job(job) == (link_ == Link::kSplitKeys);
  }
  static bool uses(const ReplayJob& job, const Bytes& shared, const Bytes& bytes) {
    const auto in = [&](const Bytes& where) { return !std::ranges::search(where, bytes).empty(); };
    return in(shared) || std::ranges::any_of(job.reads, [&](const MemoryPiece& r) { return in(r.bytes); });
  }
  void finish(Line& producer) {
    producer.done = true;  // before the jobs it depends on: equal states would make a circle
    run(producer);
    EXPECT_EQ(producer.result.status.word, 0u) << "line " << producer.number;
    for (const MemoryPiece& piece : producer.job.writes) {
      Bytes now = written(producer.result, piece.addr, stored_len(producer.job, piece.bytes.size()));
      if (now.empty()) continue;
      changed += now != piece.bytes;
      producer.saved[piece.bytes] = std::move(now);
    }
  }
  const Link link_;
};

void expect_recorded_end(const Line& line) {
  EXPECT_EQ(line.result.status.word, 0u) << "line " << line.number;
  for (const MemoryPiece& piece : line.job.writes)
    EXPECT_EQ(written(line.result, piece.addr, piece.bytes.size()), piece.bytes) << "line " << line.number;
}

TEST(Chain, SavedStatesAreLoadedBack) {
  Chains chains(Link::kStates);
  int ended = 0;
  for (Line& line : chains.lines) {
    if (!line.job.executed || !line.job.memory_known || !is_last_of_a_chain(line.job)) continue;
    if (chains.run(line) == 0) continue;
    expect_recorded_end(line);  // a digest: no device's own form
    ++ended;
  }
  RecordProperty("chains", ended);
  RecordProperty("states_of_another_form", chains.changed);
  EXPECT_GE(ended, 69);
}

TEST(Chain, SplitKeysAreUsedByLaterJobs) {
  Chains chains(Link::kSplitKeys);
  int used = 0;
  for (Line& line : chains.lines) {
    if (!line.job.executed || line.job.device_specific || !mentions(line.job, "HMAC_PRECOMP INITFINAL")) continue;
    if (mentions(line.job, "DKP") || chains.run(line) == 0) continue;
    expect_recorded_end(line);
    ++used;
  }
  RecordProperty("jobs_with_our_split_key", used);
  EXPECT_GT(used, 50);
  EXPECT_GT(chains.changed, 5) << "keys were not encrypted";
}

// RFC 8439 2.8.2 and, for IPsec, RFC 7634's message: what the kernel's self-tests gave to these two jobs.
struct ChaChaPoly {
  int line;
  const char* file;
  const char *nonce, *aad, *text, *cipher;  // names in the file
  size_t iv_in_frame;                       // bytes between AAD and text
};
constexpr ChaChaPoly kChaChaPoly[] = {{899, "boringssl.txt", "NONCE", "AD", "IN", "CT", 0},
                                      {900, "openssl.txt", "IV", "AAD", "PLAINTEXT", "CIPHERTEXT", 8}};

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes out;
  for (const Bytes& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

Bytes seal_by_libcrypto(const Bytes& key, const Bytes& nonce, const Bytes& aad, const Bytes& text) {
  EVP_CIPHER_CTX* ctx = EVP_CIPHER_CTX_new();
  Bytes out(text.size() + 16);
  int n = 0;
  EXPECT_EQ(EVP_EncryptInit_ex(ctx, EVP_chacha20_poly1305(), nullptr, key.data(), nonce.data()), 1);
  EXPECT_EQ(EVP_EncryptUpdate(ctx, nullptr, &n, aad.data(), static_cast<int>(aad.size())), 1);
  EXPECT_EQ(EVP_EncryptUpdate(ctx, out.data(), &n, text.data(), static_cast<int>(text.size())), 1);
  EXPECT_EQ(EVP_EncryptFinal_ex(ctx, out.data() + n, &n), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, out.data() + text.size()), 1);
  EVP_CIPHER_CTX_free(ctx);
  return out;
}

TEST(ChaCha20Poly1305, RecordedJobsAreRightByRfc8439) {
  const std::vector<Line> lines = read_lines();
  for (const ChaChaPoly& c : kChaChaPoly) {
    ReplayJob job = lines[static_cast<size_t>(c.line) - 1].job;
    ASSERT_TRUE(mentions(job, "CHACHA20")) << "line " << c.line;
    const VectorBlock v = read_vectors(std::string("ciphers/ChaCha20Poly1305/") + c.file).front();
    const Bytes nonce = v.bytes(c.nonce), aad = v.bytes(c.aad), text = v.bytes(c.text);
    const Bytes iv(nonce.end() - static_cast<ptrdiff_t>(c.iv_in_frame), nonce.end());
    const Bytes frame = joined({aad, iv, text});
    const uint64_t addr = job.job[4] | uint64_t{job.job[5]} << 32;  // SEQ IN PTR; the job works in place
    ASSERT_EQ(job.job[6], frame.size()) << "line " << c.line << ": another message";
    job.reads = {{addr, frame}};
    job.memory_known = true;
    const ReplayResult result = tools::run_replay_job(job);
    ASSERT_EQ(result.status.word, 0u) << "line " << c.line;
    const Bytes sealed = seal_by_libcrypto(v.bytes("KEY"), nonce, aad, text);
    EXPECT_EQ(sealed, joined({v.bytes(c.cipher), v.bytes("TAG")})) << "line " << c.line;
    EXPECT_EQ(written(result, addr, job.job[10]), joined({aad, iv, sealed})) << "line " << c.line;
  }
}

}  // namespace
}  // namespace caamlab::tests
