// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Every constructor by its kernel name, with the parameters in the form of tests/golden/*.json. One table for
// `caam build` and `caam verify`.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "desc/builder.h"
#include "tools/params.h"
#include "tools/sg_table.h"

namespace caamlab::tools {

// The parameters a constructor takes, beyond the target: names as in the files.
enum class ParamSet : uint8_t {
  kGcm,          // cdata, ivsize, icvsize, is_qi
  kSkcipher,     // cdata, ivsize, is_rfc3686, ctx1_iv_off
  kXts,          // cdata
  kAead,         // cdata, adata, ivsize, icvsize, is_rfc3686, nonce, ctx1_iv_off, is_qi, era [, geniv]
  kAeadNull,     // adata, icvsize, era
  kChaChaPoly,   // cdata, adata, ivsize, icvsize, encap, is_qi
  kAhash,        // adata, state, digestsize, ctx_len, import_ctx, era
  kSkHash,       // adata, state, digestsize, ctx_len
  kAeadJob,      // sh_desc_dma, sh_desc_len, src, dst, sec4_sg_dma, assoclen, cryptlen, authsize, encrypt, iv, ...
  kSkcipherJob,  // sh_desc_dma, sh_desc_len, src, dst, sec4_sg_dma, cryptlen, ivsize, iv_dma
  kAhashJob,     // sh_desc_dma, sh_desc_len, src, sec4_sg_dma, nbytes, ctx_dma, buf_dma, ...
  kRsa,          // pdb
  kRngHandle,    // handle [, do_sk]
  kRngBytes,     // dst_dma, len
  kNone,
  kSplitKey,  // adata_algtype, keylen, key_dma [, digestsize]
  kBlob,      // encap, key_mod, input_len, dma_in, dma_out
};

struct BuildContext {
  desc::Builder& d;
  Params& p;
  std::optional<desc::ShareMode> share;  // none: the kernel's

  desc::ShareMode share_or(desc::ShareMode kernel) const { return share.value_or(kernel); }
};

struct ConstructorRow {
  std::string_view name;
  std::string_view about;
  ParamSet params;
  // Appends the descriptor; notes bad parameters in c.p. Returns the S/G table of a request, if it has one.
  std::optional<SgTable> (*build)(BuildContext& c);
};

// In the order of the kernel's files.
std::span<const ConstructorRow> constructor_table();
const ConstructorRow* find_constructor(std::string_view name);

// For jobs of requests: constructors of constructor_jobs.cc.
std::span<const ConstructorRow> shared_constructors();
std::span<const ConstructorRow> job_constructors();

struct Built {
  desc::Descriptor desc;
  std::optional<SgTable> sec4_sg;
};
// Runs a row on parameters. Fails on missing or wrong parameters and when the descriptor cannot be built.
desc::Result<Built> build_descriptor(const ConstructorRow& row, const nlohmann::json& params,
                                     std::optional<desc::ShareMode> share);

}  // namespace caamlab::tools
