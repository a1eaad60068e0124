// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Flag names, module and algorithm references (kernel crypto/api.c, 6.1).
#include "api/alg.h"

#include <cerrno>
#include <iterator>

namespace caamlab::api {
namespace {

struct FlagName {
  uint32_t bit;
  const char* name;
};

constexpr FlagName kFlagNames[] = {
    {CRYPTO_ALG_LARVAL, "LARVAL"},
    {CRYPTO_ALG_DEAD, "DEAD"},
    {CRYPTO_ALG_DYING, "DYING"},
    {CRYPTO_ALG_ASYNC, "ASYNC"},
    {CRYPTO_ALG_NEED_FALLBACK, "NEED_FALLBACK"},
    {CRYPTO_ALG_TESTED, "TESTED"},
    {CRYPTO_ALG_INSTANCE, "INSTANCE"},
    {CRYPTO_ALG_KERN_DRIVER_ONLY, "KERN_DRIVER_ONLY"},
    {CRYPTO_ALG_INTERNAL, "INTERNAL"},
    {CRYPTO_ALG_OPTIONAL_KEY, "OPTIONAL_KEY"},
    {CRYPTO_NOLOAD, "NOLOAD"},
    {CRYPTO_ALG_ALLOCATES_MEMORY, "ALLOCATES_MEMORY"},
    {CRYPTO_ALG_FIPS_INTERNAL, "FIPS_INTERNAL"},
};

constexpr const char* kTypeNames[16] = {nullptr, "cipher", "compress", "aead",  nullptr, "skcipher", nullptr, nullptr,
                                        "kpp",   nullptr,  "acomp",    "scomp", "rng",   "akcipher", "shash", "ahash"};

void append_name(std::string* text, const std::string& name) {
  if (!text->empty()) *text += '|';
  *text += name;
}

}  // namespace

std::string cra_type_text(uint32_t flags) {
  const uint32_t nibble = flags & CRYPTO_ALG_TYPE_MASK;
  return kTypeNames[nibble] != nullptr ? kTypeNames[nibble] : "type " + std::to_string(nibble);
}

std::string cra_flags_text(uint32_t flags) {
  std::string text;
  if ((flags & CRYPTO_ALG_TYPE_MASK) != 0) append_name(&text, cra_type_text(flags));
  uint32_t rest = flags & ~CRYPTO_ALG_TYPE_MASK;
  for (const FlagName& flag : kFlagNames) {
    if ((rest & flag.bit) == 0) continue;
    append_name(&text, flag.name);
    rest &= ~flag.bit;
  }
  for (uint32_t bit = 1; rest != 0; bit <<= 1) {
    if ((rest & bit) == 0) continue;
    append_name(&text, "bit " + std::to_string(__builtin_ctz(bit)));
    rest &= ~bit;
  }
  return text.empty() ? "0" : text;
}

std::string cra_mask_text(uint32_t mask) {
  const uint32_t types = mask & CRYPTO_ALG_TYPE_MASK;
  std::string text = types == CRYPTO_ALG_TYPE_MASK         ? "TYPE"
                     : types == CRYPTO_ALG_TYPE_AHASH_MASK ? "TYPE(ahash)"
                     : types != 0                          ? "TYPE(" + std::to_string(types) + ")"
                                                           : "";
  if (const uint32_t rest = mask & ~CRYPTO_ALG_TYPE_MASK; rest != 0) append_name(&text, cra_flags_text(rest));
  return text.empty() ? "0" : text;
}

bool Module::try_get() {
  int seen = refs_.load();
  do {
    if ((seen & kGoing) != 0) return false;
  } while (!refs_.compare_exchange_weak(seen, seen + 1));
  return true;
}

void Module::put() { refs_.fetch_sub(1); }

int Module::begin_unload() {
  int none = 0;
  return refs_.compare_exchange_strong(none, kGoing) ? 0 : -EBUSY;
}

void crypto_alg_put(CryptoAlg& alg) {
  const auto destroy = alg.cra_destroy;  // once the count is down, the owner may be quicker
  if (alg.cra_refcnt.put() == 0 && destroy != nullptr) destroy(alg);
}

AlgRef AlgRef::try_get(CryptoAlg& alg) {
  if (alg.cra_module != nullptr && !alg.cra_module->try_get()) return AlgRef();
  alg.cra_refcnt.get();
  return AlgRef(&alg);
}

AlgRef::~AlgRef() {
  if (alg_ == nullptr) return;
  Module* module = alg_->cra_module;
  crypto_alg_put(*alg_);
  if (module != nullptr) module->put();
}

}  // namespace caamlab::api
