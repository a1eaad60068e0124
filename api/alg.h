// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What an algorithm is: names, type and flag bits, sizes, owner, references (crypto-api.md 1.1, 1.2, 1.9; kernel struct
// crypto_alg of include/linux/crypto.h, 6.1). Type-specific algorithms (AeadAlg ...) derive from CryptoAlg.
// Left out: cra_users, which come with templates.
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <string>
#include <utility>

namespace caamlab::api {

// Type nibble (cra_flags bits 3:0).
inline constexpr uint32_t CRYPTO_ALG_TYPE_MASK = 0xf;
inline constexpr uint32_t CRYPTO_ALG_TYPE_CIPHER = 0x1;
inline constexpr uint32_t CRYPTO_ALG_TYPE_COMPRESS = 0x2;
inline constexpr uint32_t CRYPTO_ALG_TYPE_AEAD = 0x3;
inline constexpr uint32_t CRYPTO_ALG_TYPE_LSKCIPHER = 0x4;  // 6.7 on
inline constexpr uint32_t CRYPTO_ALG_TYPE_SKCIPHER = 0x5;
inline constexpr uint32_t CRYPTO_ALG_TYPE_SIG = 0x7;  // 6.5 on
inline constexpr uint32_t CRYPTO_ALG_TYPE_KPP = 0x8;
inline constexpr uint32_t CRYPTO_ALG_TYPE_ACOMPRESS = 0xa;
inline constexpr uint32_t CRYPTO_ALG_TYPE_SCOMPRESS = 0xb;
inline constexpr uint32_t CRYPTO_ALG_TYPE_RNG = 0xc;
inline constexpr uint32_t CRYPTO_ALG_TYPE_AKCIPHER = 0xd;
inline constexpr uint32_t CRYPTO_ALG_TYPE_SHASH = 0xe;
inline constexpr uint32_t CRYPTO_ALG_TYPE_AHASH = 0xf;
inline constexpr uint32_t CRYPTO_ALG_TYPE_AHASH_MASK = 0xe;  // any hash

// Flags of cra_flags and of a request's type and mask. Who sets which: crypto-api.md 1.2.
inline constexpr uint32_t CRYPTO_ALG_LARVAL = 0x10;
inline constexpr uint32_t CRYPTO_ALG_DEAD = 0x20;
inline constexpr uint32_t CRYPTO_ALG_DYING = 0x40;
inline constexpr uint32_t CRYPTO_ALG_ASYNC = 0x80;
inline constexpr uint32_t CRYPTO_ALG_NEED_FALLBACK = 0x100;
inline constexpr uint32_t CRYPTO_ALG_TESTED = 0x400;
inline constexpr uint32_t CRYPTO_ALG_INSTANCE = 0x800;
inline constexpr uint32_t CRYPTO_ALG_KERN_DRIVER_ONLY = 0x1000;
inline constexpr uint32_t CRYPTO_ALG_INTERNAL = 0x2000;
inline constexpr uint32_t CRYPTO_ALG_OPTIONAL_KEY = 0x4000;
inline constexpr uint32_t CRYPTO_NOLOAD = 0x8000;
inline constexpr uint32_t CRYPTO_ALG_ALLOCATES_MEMORY = 0x10000;
inline constexpr uint32_t CRYPTO_ALG_FIPS_INTERNAL = 0x20000;
inline constexpr uint32_t CRYPTO_ALG_INHERITED_FLAGS =
    CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK | CRYPTO_ALG_ALLOCATES_MEMORY;

// "ASYNC|ALLOCATES_MEMORY"; the type nibble first when it is not 0 ("aead|ASYNC"); "0" for no bit at all.
std::string cra_flags_text(uint32_t flags);
// The same of a mask, whose nibble selects bits of the type: "TYPE|INTERNAL", all of them.
std::string cra_mask_text(uint32_t mask);
// "aead", "skcipher", ... of a type nibble; "type N" for one that has no name.
std::string cra_type_text(uint32_t flags);

inline constexpr size_t kMaxAlgName = 127;      // CRYPTO_MAX_ALG_NAME less the NUL
inline constexpr uint32_t kMaxBlockSize = 160;  // MAX_ALGAPI_BLOCKSIZE
inline constexpr uint32_t kMaxAlignMask = 63;   // MAX_ALGAPI_ALIGNMASK
inline constexpr uint32_t kMaxCipherBlockSize = 16;
inline constexpr uint32_t kMaxCipherAlignMask = 15;
inline constexpr uint32_t kMaxIvOrChunk = 4096 / 8;  // PAGE_SIZE / 8

// The module an algorithm belongs to: code that must not go away while somebody runs it. Thread safe.
class Module {
 public:
  explicit Module(std::string name) : name_(std::move(name)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::string& name() const { return name_; }
  // Takes a reference; false once the module is going away.
  bool try_get();
  void put();
  int refs() const { return refs_.load() & ~kGoing; }
  bool going() const { return (refs_.load() & kGoing) != 0; }
  // What rmmod does first: -EBUSY while anyone holds a reference, else 0 and every later try_get() fails.
  int begin_unload();

 private:
  static constexpr int kGoing = 1 << 30;
  std::string name_;
  std::atomic<int> refs_{0};
};

// A reference count that is not part of an algorithm's value: copying a row of a table starts a new count.
class RefCount {
 public:
  RefCount() = default;
  RefCount(const RefCount&) {}
  RefCount& operator=(const RefCount&) { return *this; }
  int load() const { return count_.load(); }
  void set(int value) { count_.store(value); }
  void get() { count_.fetch_add(1); }
  int put() { return count_.fetch_sub(1) - 1; }  // the count afterwards

 private:
  std::atomic<int> count_{0};
};

struct CryptoAlg;
struct CryptoTfm;

// The front end an algorithm belongs to (kernel struct crypto_type). One constant object per type, in aead.cc and so
// on.
struct CryptoType {
  const char* name;              // as /proc/crypto prints it
  uint32_t type;                 // type nibble of the front end's requests
  uint32_t maskclear;            // bits a caller may choose
  uint32_t maskset;              // bits the front end always compares
  int (*init_tfm)(CryptoTfm&);   // type-specific part, then the driver's init
  void (*exit_tfm)(CryptoTfm&);  // the driver's exit, if any
};

// CryptoAlg is owned by whoever registers it and must live until it is unregistered *and* its references are gone (see
// Registry::unregister_alg). A copy is a new, unregistered algorithm.
struct CryptoAlg : boost::intrusive::list_base_hook<> {
  std::string cra_name;         // what users ask for, may be composed; 1..127 characters
  std::string cra_driver_name;  // this implementation; 1..127 characters
  uint32_t cra_flags = 0;       // driver-set flags; registration adds the type nibble and the core's flags
  int cra_priority = 0;
  uint32_t cra_blocksize = 0;            // bytes
  uint32_t cra_alignmask = 0;            // 2^n - 1
  uint32_t cra_ctxsize = 0;              // bytes of driver context in each transform
  Module* cra_module = nullptr;          // null: built in
  const CryptoType* cra_type = nullptr;  // set by crypto_register_aead() and its like
  // Runs once the algorithm is unregistered and nobody uses it any more; may free it. Optional.
  void (*cra_destroy)(CryptoAlg&) = nullptr;
  RefCount cra_refcnt;  // 1 when registered, plus users

  const char* module_name() const { return cra_module != nullptr ? cra_module->name().c_str() : "kernel"; }
};

// A reference to an algorithm and its module (kernel crypto_mod_get / crypto_mod_put). Move only.
class AlgRef {
 public:
  AlgRef() = default;
  // Takes both references; empty when the module is going away.
  static AlgRef try_get(CryptoAlg& alg);
  AlgRef(AlgRef&& other) noexcept : alg_(std::exchange(other.alg_, nullptr)) {}
  AlgRef& operator=(AlgRef&& other) noexcept {
    std::swap(alg_, other.alg_);
    return *this;
  }
  ~AlgRef();
  explicit operator bool() const { return alg_ != nullptr; }
  CryptoAlg& operator*() const { return *alg_; }
  CryptoAlg* operator->() const { return alg_; }
  CryptoAlg* get() const { return alg_; }

 private:
  explicit AlgRef(CryptoAlg* alg) : alg_(alg) {}
  CryptoAlg* alg_ = nullptr;
};

// Drops one reference; the last one after unregistration runs cra_destroy.
void crypto_alg_put(CryptoAlg& alg);

}  // namespace caamlab::api
