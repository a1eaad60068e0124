// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Reads the parameters of a constructor from JSON, in the form of tests/golden/*.json. Errors stick: the first one,
// with the path of the value at fault, is kept until error() is asked, so that a reader can read on without looking.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "desc/constructors/alg_info.h"
#include "desc/constructors/job.h"

namespace caamlab::tools {

// One piece of a request's memory: bus address and bytes.
struct Segment {
  uint64_t addr = 0;
  uint32_t len = 0;
};

class Params {
 public:
  // `json` must outlive the reader. `path`: what errors call it.
  Params(const nlohmann::json& json, std::string path);

  bool has(std::string_view key) const;  // there, and not null
  Params object(std::string_view key);

  // A number, or a string with one ("0x..."), up to `max`.
  uint64_t number(std::string_view key, uint64_t max = UINT32_MAX);
  uint64_t number_or(std::string_view key, uint64_t fallback, uint64_t max = UINT32_MAX);
  uint64_t address(std::string_view key) { return number(key, UINT64_MAX); }
  bool boolean(std::string_view key);
  bool boolean_or(std::string_view key, bool fallback);
  std::string text(std::string_view key);
  // Hex digits; the bytes live as long as the outermost reader.
  desc::ByteSpan bytes(std::string_view key);
  // [["0x<address>", length], ...]
  std::vector<Segment> segments(std::string_view key);

  // struct alginfo: algtype, keylen, keylen_pad, key_inline, key_dma, key. An inline key has to have all its bytes.
  desc::AlgInfo alg_info(std::string_view key);
  // caam_ptr_sz, caam_little_end, caam_imx.
  desc::Target target();

  // Notes an error about a value; the first one wins.
  void fail(std::string_view key, const std::string& what);
  const std::optional<desc::Error>& error() const { return state_->error; }

 private:
  struct State {
    std::optional<desc::Error> error;
    std::deque<std::vector<uint8_t>> bytes;
  };
  Params(const nlohmann::json& json, std::string path, std::shared_ptr<State> state);
  const nlohmann::json* find(std::string_view key);
  std::optional<uint64_t> to_number(const nlohmann::json& value) const;

  const nlohmann::json* json_;
  std::string path_;
  std::shared_ptr<State> state_;
};

}  // namespace caamlab::tools
