// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See key_gen.h. The device works on a buffer of whole cache lines, so that nothing beside the key is touched.
#include "driver/caam/key_gen.h"

#include <string.h>

#include <algorithm>
#include <memory>
#include <new>

#include "desc/constructors/key_gen.h"
#include "driver/caam/edesc.h"
#include "driver/caam/error.h"

namespace caamlab::driver::caam {
namespace {

using desc::Alg;

constexpr size_t kCacheLine = 64;
constexpr size_t round_up(size_t len) { return (len + kCacheLine - 1) / kCacheLine * kCacheLine; }

// A key on its way: its own cache lines, wiped when it goes.
class KeyBuffer {
 public:
  KeyBuffer(std::span<const uint8_t> key, size_t room)
      : size_(round_up(std::max(key.size(), room))),
        mem_(static_cast<uint8_t*>(::operator new (size_, std::align_val_t{kCacheLine}, std::nothrow))) {
    if (mem_ == nullptr) return;
    std::fill_n(mem_, size_, 0);
    std::ranges::copy(key, mem_);
  }
  ~KeyBuffer() {
    if (mem_ == nullptr) return;
    explicit_bzero(mem_, size_);
    ::operator delete (mem_, std::align_val_t{kCacheLine});
  }
  KeyBuffer(const KeyBuffer&) = delete;
  KeyBuffer& operator=(const KeyBuffer&) = delete;
  explicit operator bool() const { return mem_ != nullptr; }
  uint8_t* data() const { return mem_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  uint8_t* mem_;
};

// Maps the buffer, runs the job that build(Builder&, BusAddr) makes of its address, unmaps.
template <class Build>
int run_on_buffer(Jr& jr, const KeyBuffer& buffer, Build build) {
  if (!buffer) return -ENOMEM;
  const BusAddr dma = jr.dma().map_single(buffer.data(), buffer.size(), DmaDirection::kBidirectional);
  if (hw_model::dma_mapping_error(dma)) {
    jr.ctrl().log(LogLevel::kError, "unable to map key memory");
    return -ENOMEM;
  }
  desc::Builder builder(jr.ctrl().target);
  build(builder, dma);
  Edesc edesc;
  edesc.init(jr);
  uint32_t status = 0;
  int err = edesc_store_desc(edesc, builder) ? 0 : -EINVAL;
  if (err == 0) err = caam_jr_run(jr, {edesc.hw_desc, edesc.hw_desc_bytes}, &status);
  if (err == 0 && status != 0) err = caam_jr_strstatus(jr.ctrl(), status);
  jr.dma().unmap_single(dma, buffer.size(), DmaDirection::kBidirectional);
  return err;
}

}  // namespace

unsigned hash_block_size(Alg alg) { return alg == Alg::kSha384 || alg == Alg::kSha512 ? 128 : 64; }

unsigned hash_digest_size(Alg alg) {
  switch (alg) {
    case Alg::kMd5:
      return 16;
    case Alg::kSha1:
      return 20;
    case Alg::kSha224:
      return 28;
    case Alg::kSha256:
      return 32;
    case Alg::kSha384:
      return 48;
    default:
      return 64;
  }
}

int gen_split_key(Jr& jr, Alg alg, std::span<const uint8_t> key, std::span<uint8_t> split_key_out) {
  const unsigned pad_len = desc::split_key_pad_len(alg);
  const KeyBuffer buffer(key, pad_len);
  const int err = run_on_buffer(jr, buffer, [&](desc::Builder& builder, BusAddr dma) {
    desc::gen_split_key(builder, alg, dma, static_cast<unsigned>(key.size()));
  });
  if (err == 0) std::copy_n(buffer.data(), pad_len, split_key_out.begin());
  return err;
}

int reduce_hmac_key(Jr& jr, Alg alg, std::span<const uint8_t> key, std::span<uint8_t> out) {
  if (key.empty()) {
    // HMAC fills keys up with zeros, so one zero is the same key; no KEY command has length 0. (The kernel's hmac with
    // an empty key is a hash without one.)
    out[0] = 0;
    return 1;
  }
  if (key.size() <= hash_block_size(alg)) {
    std::ranges::copy(key, out.begin());
    return static_cast<int>(key.size());
  }
  // The job's FIFO LOAD has a 16-bit length.
  if (key.size() > UINT16_MAX) return -EINVAL;
  const unsigned digest_len = hash_digest_size(alg);
  const KeyBuffer buffer(key, digest_len);
  const int err = run_on_buffer(jr, buffer, [&](desc::Builder& builder, BusAddr dma) {
    desc::hash_digest_key(builder, alg, dma, static_cast<unsigned>(key.size()), digest_len);
  });
  if (err != 0) return err;
  std::copy_n(buffer.data(), digest_len, out.begin());
  return static_cast<int>(digest_len);
}

}  // namespace caamlab::driver::caam
