// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Configuration of a machine's algorithms as a privileged user does it: the crypto_user operations with their rules and
// errnos (crypto-api.md 3.1, 3.2; kernel crypto/crypto_user_base.c, include/uapi/linux/cryptouser.h, 6.1), and the same
// as netlink messages, byte for byte. Left out: statistics (-ENOTSUPP, as in a kernel without them). There is no
// default RNG to drop here, so DELRNG always succeeds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/machine/machine.h"

namespace caamlab::api {

enum class UserCommand : uint16_t {
  kNewAlg = 0x10,
  kDelAlg = 0x11,
  kUpdateAlg = 0x12,
  kGetAlg = 0x13,
  kDelRng = 0x14,
  kGetStat = 0x15,
};

// struct crypto_user_alg: which algorithms are meant.
struct UserAlg {
  std::string name;
  std::string driver;
  uint32_t type = 0;  // flag words as in a lookup, compared as they are
  uint32_t mask = 0;
};

// The newest algorithm that is meant: of that driver name or, if it is empty, of that name; flags match; no larvals.
ListedAlg* match_user_alg(Machine& machine, const UserAlg& which);

// The operations. A priority is a u32 in the message and an int in the kernel: 4294967294 means -2. Nothing is checked.
int crypto_add_alg(Machine& machine, const UserAlg& which, std::optional<uint32_t> priority);
int crypto_update_alg(Machine& machine, const UserAlg& which, std::optional<uint32_t> priority);
int crypto_del_alg(Machine& machine, const UserAlg& which);

inline constexpr size_t kUserNameBytes = 64;  // CRYPTO_MAX_NAME, with the NUL: longer names cannot be addressed
inline constexpr size_t kUserAlgBytes = 208;  // sizeof(struct crypto_user_alg)
inline constexpr size_t kNetlinkHeaderBytes = 16;
inline constexpr uint16_t kNetlinkError = 2;  // NLMSG_ERROR
inline constexpr uint16_t kNetlinkDone = 3;   // NLMSG_DONE
inline constexpr uint16_t kNetlinkRequest = 0x1;
inline constexpr uint16_t kNetlinkMulti = 0x2;
inline constexpr uint16_t kNetlinkAck = 0x4;
inline constexpr uint16_t kNetlinkDump = 0x300;

// A whole request: netlink header, crypto_user_alg, attributes; in this machine's byte order, as netlink is. Names over
// 63 characters are cut and not terminated, which the kernel refuses.
std::vector<uint8_t> user_message(UserCommand command, const UserAlg& which, std::optional<uint32_t> priority = {},
                                  bool dump = false, uint32_t sequence = 1);

// What the kernel sends back: for GETALG one report, or with kNetlinkDump all and a DONE; else an ERROR message with
// the errno, 0 for success. is_admin: the sender has CAP_NET_ADMIN.
using NetlinkReplies = std::vector<std::vector<uint8_t>>;
NetlinkReplies handle_user_message(Machine& machine, std::span<const uint8_t> message, bool is_admin = true);

// The errno of an ERROR message, or nullopt if it is none.
std::optional<int> netlink_errno(std::span<const uint8_t> message);
// What a report says, with the full flag word; nullopt if it is no report.
std::optional<ListedAlg> parse_report(std::span<const uint8_t> message);

}  // namespace caamlab::api
