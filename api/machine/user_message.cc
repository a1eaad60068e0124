// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// NETLINK_CRYPTO messages. Header: u32 length, u16 type, u16 flags, u32 sequence, u32 port; crypto_user_alg: three
// names of 64 bytes, then type, mask, refcnt, flags; attributes: u16 length, u16 type, payload, padded to 4.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "api/errno.h"
#include "api/machine/user_config.h"

namespace caamlab::api {
namespace {

constexpr uint16_t kPriorityVal = 1;
constexpr uint16_t kReportLarval = 2;
constexpr size_t kAttributeHeaderBytes = 4;

// A type's report: attribute, type text, whether a geniv text follows, and the sizes, each a u32.
struct TypeReport {
  uint32_t type;
  uint16_t attribute;
  const char* text;
  bool has_geniv;
  std::vector<uint32_t ListedAlg::*> sizes;
};

const std::vector<TypeReport>& type_reports() {
  using D = ListedAlg;
  static const std::vector<TypeReport> kReports = {
      {CRYPTO_ALG_TYPE_SHASH, 3, "shash", false, {&D::blocksize, &D::digestsize}},
      {CRYPTO_ALG_TYPE_AHASH, 3, "ahash", false, {&D::blocksize, &D::digestsize}},
      {CRYPTO_ALG_TYPE_SKCIPHER, 4, "skcipher", true, {&D::blocksize, &D::min_keysize, &D::max_keysize, &D::ivsize}},
      {CRYPTO_ALG_TYPE_LSKCIPHER, 4, "lskcipher", true, {&D::blocksize, &D::min_keysize, &D::max_keysize, &D::ivsize}},
      {CRYPTO_ALG_TYPE_AEAD, 5, "aead", true, {&D::blocksize, &D::maxauthsize, &D::ivsize}},
      {CRYPTO_ALG_TYPE_COMPRESS, 6, "compression", false, {}},
      {CRYPTO_ALG_TYPE_SCOMPRESS, 6, "scomp", false, {}},
      {CRYPTO_ALG_TYPE_RNG, 7, "rng", false, {&D::seedsize}},
      {CRYPTO_ALG_TYPE_CIPHER, 8, "cipher", false, {&D::blocksize, &D::min_keysize, &D::max_keysize}},
      {CRYPTO_ALG_TYPE_AKCIPHER, 9, "akcipher", false, {}},
      {CRYPTO_ALG_TYPE_KPP, 10, "kpp", false, {}},
      {CRYPTO_ALG_TYPE_ACOMPRESS, 11, "acomp", false, {}},
  };
  return kReports;
}

class Writer {
 public:
  template <class T>
  void num(T value) {
    const auto bytes = std::bit_cast<std::array<uint8_t, sizeof(T)>>(value);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  // kUserNameBytes bytes; with `terminated`, 63 characters at most.
  void text(std::string_view s, bool terminated) {
    const size_t len = std::min(s.size(), kUserNameBytes - (terminated ? 1 : 0));
    bytes_.insert(bytes_.end(), s.begin(), s.begin() + static_cast<ptrdiff_t>(len));
    bytes_.resize(bytes_.size() + kUserNameBytes - len);
  }
  void header(uint16_t type, uint16_t flags, uint32_t sequence) {
    num<uint32_t>(0);  // the length: finish()
    num(type);
    num(flags);
    num(sequence);
    num<uint32_t>(0);
  }
  void attribute(uint16_t type, size_t payload) {
    num(static_cast<uint16_t>(kAttributeHeaderBytes + payload));
    num(type);
  }
  std::vector<uint8_t> finish() {
    const auto len = static_cast<uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &len, sizeof(len));
    return std::move(bytes_);
  }

 private:
  std::vector<uint8_t> bytes_;
};

template <class T>
T num_at(std::span<const uint8_t> bytes, size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// nullopt when no NUL is among its 64 bytes.
std::optional<std::string> text_at(std::span<const uint8_t> bytes, size_t at) {
  const auto field = bytes.subspan(at, kUserNameBytes);
  const auto nul = std::ranges::find(field, 0);
  if (nul == field.end()) return std::nullopt;
  return std::string(field.begin(), nul);
}

// The payload of an attribute; empty when it is not there.
std::span<const uint8_t> attribute(std::span<const uint8_t> message, uint16_t wanted) {
  size_t at = kNetlinkHeaderBytes + kUserAlgBytes;
  while (at + kAttributeHeaderBytes <= message.size()) {
    const size_t len = num_at<uint16_t>(message, at);
    if (len < kAttributeHeaderBytes || at + len > message.size()) return {};
    if (num_at<uint16_t>(message, at + 2) == wanted) {
      return message.subspan(at + kAttributeHeaderBytes, len - kAttributeHeaderBytes);
    }
    at += (len + 3) / 4 * 4;
  }
  return {};
}

std::vector<uint8_t> error_message(std::span<const uint8_t> request, int err) {
  Writer out;
  out.header(kNetlinkError, 0, request.size() >= kNetlinkHeaderBytes ? num_at<uint32_t>(request, 8) : 0);
  out.num<int32_t>(err);
  for (size_t at = 0; at < kNetlinkHeaderBytes; ++at) out.num<uint8_t>(at < request.size() ? request[at] : 0);
  return out.finish();
}

std::vector<uint8_t> report_message(const ListedAlg& alg, uint32_t sequence, bool dump) {
  Writer out;
  out.header(static_cast<uint16_t>(UserCommand::kGetAlg), dump ? kNetlinkMulti : 0, sequence);
  out.text(alg.name, true);
  out.text(alg.driver, true);
  out.text(alg.module, true);
  out.num<uint32_t>(0);
  out.num<uint32_t>(0);
  out.num(static_cast<uint32_t>(alg.refcnt));
  out.num(alg.flags);
  out.attribute(kPriorityVal, sizeof(uint32_t));
  out.num(alg.priority);
  if ((alg.flags & CRYPTO_ALG_LARVAL) != 0) {
    out.attribute(kReportLarval, kUserNameBytes);
    out.text("larval", true);
    return out.finish();
  }
  const auto report = std::ranges::find(type_reports(), alg.type(), &TypeReport::type);
  if (report == type_reports().end()) return out.finish();
  const size_t texts = report->has_geniv ? 2 : 1;
  out.attribute(report->attribute, texts * kUserNameBytes + report->sizes.size() * sizeof(uint32_t));
  out.text(report->text, true);
  if (report->has_geniv) out.text("<none>", true);
  for (const auto size : report->sizes) out.num(alg.*size);
  return out.finish();
}

// -EINVAL when the request is not one; nothing else is read then.
tl::expected<UserAlg, int> requested(std::span<const uint8_t> message) {
  if (message.size() < kNetlinkHeaderBytes + kUserAlgBytes) return tl::make_unexpected(-EINVAL);
  const std::optional<std::string> name = text_at(message, kNetlinkHeaderBytes);
  const std::optional<std::string> driver = text_at(message, kNetlinkHeaderBytes + kUserNameBytes);
  if (!name || !driver) return tl::make_unexpected(-EINVAL);
  const size_t words = kNetlinkHeaderBytes + 3 * kUserNameBytes;
  return UserAlg{*name, *driver, num_at<uint32_t>(message, words), num_at<uint32_t>(message, words + 4)};
}

int execute(Machine& machine, UserCommand command, const UserAlg& which, std::optional<uint32_t> priority) {
  switch (command) {
    case UserCommand::kNewAlg:
      return crypto_add_alg(machine, which, priority);
    case UserCommand::kDelAlg:
      return crypto_del_alg(machine, which);
    case UserCommand::kUpdateAlg:
      return crypto_update_alg(machine, which, priority);
    case UserCommand::kDelRng:
      return 0;
    default:
      return -kENOTSUPP;
  }
}

}  // namespace

std::vector<uint8_t> user_message(UserCommand command, const UserAlg& which, std::optional<uint32_t> priority,
                                  bool dump, uint32_t sequence) {
  Writer out;
  const uint16_t flags = kNetlinkRequest | (dump ? kNetlinkDump : kNetlinkAck);
  out.header(static_cast<uint16_t>(command), flags, sequence);
  out.text(which.name, false);
  out.text(which.driver, false);
  out.text("", false);
  out.num(which.type);
  out.num(which.mask);
  out.num<uint32_t>(0);
  out.num<uint32_t>(0);
  if (priority) {
    out.attribute(kPriorityVal, sizeof(uint32_t));
    out.num(*priority);
  }
  return out.finish();
}

NetlinkReplies handle_user_message(Machine& machine, std::span<const uint8_t> message, bool is_admin) {
  const auto refuse = [&](int err) { return NetlinkReplies{error_message(message, err)}; };
  if (message.size() < kNetlinkHeaderBytes || num_at<uint32_t>(message, 0) > message.size()) return refuse(-EINVAL);
  message = message.first(std::max<size_t>(num_at<uint32_t>(message, 0), kNetlinkHeaderBytes));
  const uint16_t number = num_at<uint16_t>(message, 4);
  const auto command = static_cast<UserCommand>(number);
  if (command < UserCommand::kNewAlg || command > UserCommand::kGetStat) return refuse(-EINVAL);
  if (!is_admin && command != UserCommand::kGetAlg && command != UserCommand::kGetStat) return refuse(-EPERM);
  const uint32_t sequence = num_at<uint32_t>(message, 8);
  const bool dump = (num_at<uint16_t>(message, 6) & kNetlinkDump) == kNetlinkDump;
  NetlinkReplies replies;
  if (command == UserCommand::kGetAlg && dump) {
    for (const ListedAlg& alg : machine.algs()) replies.push_back(report_message(alg, sequence, true));
    Writer done;
    done.header(kNetlinkDone, kNetlinkMulti, sequence);
    done.num<int32_t>(0);
    replies.push_back(done.finish());
    return replies;
  }
  if (command == UserCommand::kDelRng) return refuse(0);  // needs no algorithm
  const tl::expected<UserAlg, int> which = requested(message);
  if (!which) return refuse(which.error());
  if (command == UserCommand::kGetAlg) {
    const ListedAlg* alg = match_user_alg(machine, *which);
    return alg != nullptr ? NetlinkReplies{report_message(*alg, sequence, false)} : refuse(-ENOENT);
  }
  const std::span<const uint8_t> value = attribute(message, kPriorityVal);
  if (!value.empty() && value.size() < sizeof(uint32_t)) return refuse(-EINVAL);
  const std::optional<uint32_t> priority = value.empty() ? std::nullopt : std::optional(num_at<uint32_t>(value, 0));
  return refuse(execute(machine, command, *which, priority));
}

std::optional<int> netlink_errno(std::span<const uint8_t> message) {
  if (message.size() < kNetlinkHeaderBytes + 4 || num_at<uint16_t>(message, 4) != kNetlinkError) return std::nullopt;
  return num_at<int32_t>(message, kNetlinkHeaderBytes);
}

std::optional<ListedAlg> parse_report(std::span<const uint8_t> message) {
  if (message.size() < kNetlinkHeaderBytes + kUserAlgBytes) return std::nullopt;
  if (num_at<uint16_t>(message, 4) != static_cast<uint16_t>(UserCommand::kGetAlg)) return std::nullopt;
  const size_t words = kNetlinkHeaderBytes + 3 * kUserNameBytes;
  ListedAlg alg;
  alg.name = text_at(message, kNetlinkHeaderBytes).value_or("");
  alg.driver = text_at(message, kNetlinkHeaderBytes + kUserNameBytes).value_or("");
  alg.module = text_at(message, kNetlinkHeaderBytes + 2 * kUserNameBytes).value_or("");
  alg.refcnt = num_at<int>(message, words + 8);
  alg.flags = num_at<uint32_t>(message, words + 12);
  if (const auto value = attribute(message, kPriorityVal); value.size() >= 4) alg.priority = num_at<int>(value, 0);
  if ((alg.flags & CRYPTO_ALG_LARVAL) != 0) return alg;
  const auto report = std::ranges::find(type_reports(), alg.type(), &TypeReport::type);
  if (report == type_reports().end()) return alg;
  const std::span<const uint8_t> sizes = attribute(message, report->attribute);
  size_t at = kUserNameBytes * (report->has_geniv ? 2 : 1);
  for (const auto size : report->sizes) {
    if (at + sizeof(uint32_t) > sizes.size()) break;
    alg.*size = num_at<uint32_t>(sizes, at);
    at += sizeof(uint32_t);
  }
  return alg;
}

}  // namespace caamlab::api
