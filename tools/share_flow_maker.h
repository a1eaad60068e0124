// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Keys, addresses and memory of jobs made for share_jobs.h.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>

#include "api/keys.h"
#include "desc/constructors/aead.h"
#include "desc/constructors/hash.h"
#include "tools/alg_names.h"
#include "tools/constructor_table.h"
#include "tools/share_run.h"
#include "tools/witness.h"

namespace caamlab::tools {

Bytes joined(std::initializer_list<Bytes> parts);

class FlowMaker {
 public:
  FlowMaker(const ConstructorRow& row, const nlohmann::json& params, uint64_t seed);
  FlowMaker(const FlowMaker&) = delete;
  FlowMaker& operator=(const FlowMaker&) = delete;

  // Makes keys for what `params` point to or do not hold, and the descriptor.
  std::optional<desc::Error> build();

  const nlohmann::json& params() const { return params_; }
  ShareFlow& flow() { return flow_; }
  const desc::Target& target() const { return flow_.target; }
  unsigned shared_words() const { return static_cast<unsigned>(flow_.shared.size()); }
  desc::SharedJob shared() const { return {.sh_desc = flow_.shared_addr, .sh_len = shared_words()}; }
  uint64_t in_addr() const { return base_ + 0x100000; }
  uint64_t out_addr() const { return base_ + 0x200000; }

  Bytes random(size_t len);
  size_t below(size_t n) { return random_() % n; }

  // The key of cdata or adata, made up if need be; with rfc3686 in authenc the nonce is part of it.
  Bytes key(const char* what) const;
  Bytes tail(const char* what) const;  // what lies behind the key in the parameters
  Bytes hmac_key() const;
  const CipherRow* cipher() const;  // of cdata; null: none that the kernel has
  const HashRow* hash() const;      // of adata

  ShareJob job(const desc::Descriptor& words, Bytes in, uint64_t out_addr, Bytes out) const;
  // The same constructor and keys with some parameters changed: the flow without its jobs.
  desc::Result<ShareFlow> variant(const nlohmann::json& changes) const;

 private:
  void make_key(const char* what);
  void make_split_key(nlohmann::json& info);
  void keep_apart();

  const ConstructorRow& row_;
  nlohmann::json params_;
  std::mt19937_64 random_;
  uint64_t base_ = 0x10000000;
  Bytes hmac_key_;  // before era 6: of which the split key is
  ShareFlow flow_;
};

// share_hash_jobs.cc
desc::Result<std::string> hash_flow(FlowMaker& m, Witness& w, const ConstructorRow& row, Params& p, unsigned jobs);

}  // namespace caamlab::tools
