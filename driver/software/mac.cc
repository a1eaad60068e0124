// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Both are a CBC-MAC whose last block is masked by one of two constants: one for a whole block, one for a padded one.
// The last block, whole or not, is therefore kept back until the end. CBC-MAC is CBC with the output thrown away.
#include "driver/software/mac.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "api/hash.h"
#include "api/keys.h"
#include "driver/software/evp.h"

namespace caamlab::driver::software {
namespace {

using api::ShashDesc;

constexpr size_t kBlock = 16;
using Block = std::array<uint8_t, kBlock>;

struct SoftMac : api::ShashAlg {
  MacForm form = MacForm::kCmac;
};

struct MacCtx {
  CipherPool cbc;
  Block whole_mask;   // K1 of CMAC, K2 of XCBC
  Block padded_mask;  // K2 of CMAC, K3 of XCBC
};

struct MacState {
  Block chain;
  Block held;  // the bytes kept back
  uint32_t num_held;
};

MacCtx& ctx_of(const api::CryptoTfm& tfm) { return *api::crypto_tfm_ctx<MacCtx>(tfm); }
MacForm form_of(const api::CryptoTfm& tfm) { return static_cast<const SoftMac&>(*tfm.alg).form; }

const EVP_CIPHER* aes_cbc(size_t keylen) {
  return keylen == 16 ? EVP_aes_128_cbc() : keylen == 24 ? EVP_aes_192_cbc() : EVP_aes_256_cbc();
}

// Whole blocks into *chain.
bool absorb(EVP_CIPHER_CTX* ctx, std::span<const uint8_t> blocks, Block* chain) {
  std::array<uint8_t, 64 * kBlock> discarded;
  if (!cipher_start(ctx, chain->data(), Direction::kEncrypt)) return false;
  while (!blocks.empty()) {
    const size_t step = std::min(blocks.size(), discarded.size());
    int done = 0;
    if (EVP_CipherUpdate(ctx, discarded.data(), &done, blocks.data(), static_cast<int>(step)) != 1) return false;
    std::copy_n(discarded.begin() + step - kBlock, kBlock, chain->begin());
    blocks = blocks.subspan(step);
  }
  return true;
}

// E(block) with a zero chain.
bool encrypt_block(MacCtx& ctx, const Block& in, Block* out) {
  const CipherPool::Lease cipher = ctx.cbc.acquire();
  out->fill(0);
  return cipher && absorb(cipher.get(), in, out);
}

// Times x in GF(2^128), most significant byte first.
Block doubled(const Block& in) {
  Block out;
  for (size_t i = 0; i < kBlock; ++i) {
    const uint8_t carry = i + 1 < kBlock ? in[i + 1] >> 7 : 0;
    out[i] = static_cast<uint8_t>(in[i] << 1 | carry);
  }
  if ((in[0] & 0x80) != 0) out[kBlock - 1] ^= 0x87;
  return out;
}

int cmac_setkey(MacCtx& ctx, std::span<const uint8_t> key) {
  if (const int err = ctx.cbc.set_key(aes_cbc(key.size()), key, Direction::kEncrypt); err != 0) return err;
  Block l;
  if (!encrypt_block(ctx, Block{}, &l)) return -EINVAL;
  ctx.whole_mask = doubled(l);
  ctx.padded_mask = doubled(ctx.whole_mask);
  return 0;
}

// RFC 3566 is for 128-bit keys; longer ones work as the kernel's template makes them work.
int xcbc_setkey(MacCtx& ctx, std::span<const uint8_t> key) {
  if (const int err = ctx.cbc.set_key(aes_cbc(key.size()), key, Direction::kEncrypt); err != 0) return err;
  const auto constant = [](uint8_t byte) {
    Block block;
    block.fill(byte);
    return block;
  };
  Block mac_key;
  const bool ok = encrypt_block(ctx, constant(1), &mac_key) && encrypt_block(ctx, constant(2), &ctx.whole_mask) &&
                  encrypt_block(ctx, constant(3), &ctx.padded_mask);
  const int err = ok ? ctx.cbc.set_key(EVP_aes_128_cbc(), mac_key, Direction::kEncrypt) : -EINVAL;
  OPENSSL_cleanse(mac_key.data(), mac_key.size());
  return err;
}

int setkey(api::CryptoTfm& tfm, std::span<const uint8_t> key) {
  if (const int err = api::aes_check_keylen(key.size()); err != 0) return err;
  return form_of(tfm) == MacForm::kCmac ? cmac_setkey(ctx_of(tfm), key) : xcbc_setkey(ctx_of(tfm), key);
}

int init(ShashDesc& desc) {
  *api::shash_desc_ctx<MacState>(desc) = {};
  return 0;
}

int update(ShashDesc& desc, std::span<const uint8_t> data) {
  MacState& state = *api::shash_desc_ctx<MacState>(desc);
  const size_t fill = std::min(data.size(), kBlock - state.num_held);
  std::copy_n(data.begin(), fill, state.held.begin() + state.num_held);
  state.num_held += static_cast<uint32_t>(fill);
  data = data.subspan(fill);
  if (data.empty()) return 0;
  const CipherPool::Lease cipher = ctx_of(*desc.tfm).cbc.acquire();
  if (!cipher) return -ENOMEM;
  const size_t whole = (data.size() - 1) / kBlock * kBlock;  // leaves 1 to 16 bytes
  if (!absorb(cipher.get(), state.held, &state.chain)) return -EINVAL;
  if (!absorb(cipher.get(), data.first(whole), &state.chain)) return -EINVAL;
  data = data.subspan(whole);
  std::ranges::copy(data, state.held.begin());
  state.num_held = static_cast<uint32_t>(data.size());
  return 0;
}

int final(ShashDesc& desc, uint8_t* out) {
  MacState& state = *api::shash_desc_ctx<MacState>(desc);
  MacCtx& ctx = ctx_of(*desc.tfm);
  const bool whole = state.num_held == kBlock;
  if (!whole) {
    state.held[state.num_held] = 0x80;
    std::fill(state.held.begin() + state.num_held + 1, state.held.end(), uint8_t{0});
  }
  const Block& mask = whole ? ctx.whole_mask : ctx.padded_mask;
  for (size_t i = 0; i < kBlock; ++i) state.held[i] ^= mask[i];
  const CipherPool::Lease cipher = ctx.cbc.acquire();
  if (!cipher) return -ENOMEM;
  if (!absorb(cipher.get(), state.held, &state.chain)) return -EINVAL;
  std::ranges::copy(state.chain, out);
  return 0;
}

int init_tfm(api::CryptoTfm& tfm) {
  new (tfm.ctx) MacCtx;
  return 0;
}

void exit_tfm(api::CryptoTfm& tfm) { std::destroy_at(&ctx_of(tfm)); }

}  // namespace

void add_mac(Algorithms* algorithms, const MacRow& row) {
  auto alg = std::make_unique<SoftMac>();
  algorithms->name(*alg, row.names);
  alg->form = row.form;
  alg->cra_blocksize = kBlock;
  alg->cra_ctxsize = sizeof(MacCtx);
  alg->digestsize = kBlock;
  alg->descsize = sizeof(MacState);
  alg->ops = {
      .init = init, .update = update, .final = final, .setkey = setkey, .init_tfm = init_tfm, .exit_tfm = exit_tfm};
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
