// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See params.h.
#include "tools/params.h"

#include <fmt/format.h>

#include "tools/hex.h"

namespace caamlab::tools {

using nlohmann::json;

Params::Params(const json& json, std::string path) : Params(json, std::move(path), std::make_shared<State>()) {}
Params::Params(const json& json, std::string path, std::shared_ptr<State> state)
    : json_(&json), path_(std::move(path)), state_(std::move(state)) {
  if (!json.is_object() && !state_->error)
    state_->error =
        desc::Error{desc::ErrorCode::kMalformed, path_ + ": an object with the parameters is wanted", {}, {}};
}

void Params::fail(std::string_view key, const std::string& what) {
  if (state_->error) return;
  state_->error = desc::Error{desc::ErrorCode::kInvalidArgument, fmt::format("{}.{}: {}", path_, key, what), {}, {}};
}

bool Params::has(std::string_view key) const {
  if (!json_->is_object()) return false;
  const auto it = json_->find(key);
  return it != json_->end() && !it->is_null();
}

const json* Params::find(std::string_view key) {
  if (!has(key)) {
    fail(key, "missing");
    return nullptr;
  }
  return &*json_->find(key);
}

Params Params::object(std::string_view key) {
  static const json kEmpty = json::object();
  const json* value = find(key);
  return Params(value != nullptr ? *value : kEmpty, fmt::format("{}.{}", path_, key), state_);
}

std::optional<uint64_t> Params::to_number(const json& value) const {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (value.is_number_integer() && value.get<int64_t>() >= 0) return value.get<uint64_t>();
  if (!value.is_string()) return std::nullopt;
  const auto number = parse_number(value.get_ref<const std::string&>());
  return number ? std::optional(*number) : std::nullopt;
}

uint64_t Params::number(std::string_view key, uint64_t max) {
  const json* value = find(key);
  if (value == nullptr) return 0;
  const auto number = to_number(*value);
  if (!number) {
    fail(key, fmt::format("{} is not a number (decimal, or a string \"0x...\")", value->dump()));
    return 0;
  }
  if (*number > max) {
    fail(key, fmt::format("{} is more than {}", *number, max));
    return 0;
  }
  return *number;
}

uint64_t Params::number_or(std::string_view key, uint64_t fallback, uint64_t max) {
  return has(key) ? number(key, max) : fallback;
}

bool Params::boolean(std::string_view key) {
  const json* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) fail(key, value->dump() + " is neither true nor false");
  return value->is_boolean() && value->get<bool>();
}

bool Params::boolean_or(std::string_view key, bool fallback) { return has(key) ? boolean(key) : fallback; }

std::string Params::text(std::string_view key) {
  const json* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_string()) fail(key, value->dump() + " is not a string");
  return value->is_string() ? value->get<std::string>() : std::string{};
}

desc::ByteSpan Params::bytes(std::string_view key) {
  auto bytes = parse_hex(text(key));
  if (!bytes) {
    fail(key, bytes.error().message);
    return {};
  }
  return state_->bytes.emplace_back(std::move(*bytes));
}

std::vector<Segment> Params::segments(std::string_view key) {
  std::vector<Segment> out;
  const json* list = find(key);
  if (list == nullptr) return out;
  if (!list->is_array()) fail(key, "a list of [address, length] is wanted");
  for (const json& item : *list) {
    const bool pair = item.is_array() && item.size() == 2;
    const auto addr = pair ? to_number(item[0]) : std::nullopt;
    const auto len = pair ? to_number(item[1]) : std::nullopt;
    if (!addr || !len || *len > UINT32_MAX) {
      fail(key, item.dump() + " is not [address, length]");
      return out;
    }
    out.push_back({*addr, static_cast<uint32_t>(*len)});
  }
  return out;
}

desc::AlgInfo Params::alg_info(std::string_view key) {
  Params p = object(key);
  desc::AlgInfo info;
  info.op = desc::decode_as<desc::AlgOperation>(static_cast<uint32_t>(p.number("algtype")));
  info.keylen = static_cast<uint16_t>(p.number("keylen", 0xFFF));
  info.keylen_pad = static_cast<uint16_t>(p.number_or("keylen_pad", 0, 0xFFF));
  info.key_inline = p.boolean_or("key_inline", true);
  info.key_dma = p.number_or("key_dma", 0, UINT64_MAX);
  info.key = p.bytes("key");
  if (info.key_inline && info.key.size() < info.keylen)
    p.fail("key", fmt::format("{} bytes, but keylen is {}", info.key.size(), info.keylen));
  return info;
}

desc::Target Params::target() {
  const uint64_t ptr = number("caam_ptr_sz");
  if (ptr != 4 && ptr != 8) fail("caam_ptr_sz", "pointers have 4 or 8 bytes");
  return {.ptr_bytes = static_cast<uint8_t>(ptr == 4 ? 4 : 8),
          .endian = boolean("caam_little_end") ? desc::Endian::kLittle : desc::Endian::kBig,
          .imx = boolean("caam_imx")};
}

}  // namespace caamlab::tools
