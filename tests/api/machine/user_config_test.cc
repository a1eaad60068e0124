// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The configuration messages: rules and errnos row by row, and their bytes.
#include "api/machine/user_config.h"

#include <gtest/gtest.h>

#include <cstring>

#include "api/errno.h"

namespace caamlab::api {
namespace {

struct Bench {
  Machine machine;
  Bench() {
    add("rfc4106(gcm(aes))", "rfc4106-x", CRYPTO_ALG_TYPE_AEAD, 300);
    add("sha256", "sha256-x", CRYPTO_ALG_TYPE_SHASH, 200);
  }
  void add(const char* name, const char* driver, uint32_t type, int priority) {
    ListedAlg alg;
    alg.name = name;
    alg.driver = driver;
    alg.flags = type;
    alg.priority = priority;
    alg.blocksize = 64;
    alg.ivsize = 8;
    alg.maxauthsize = 16;
    alg.digestsize = 32;
    ASSERT_TRUE(machine.register_alg(alg));
  }
  ListedAlg* driver(const char* name) { return machine.find_driver(name); }
  int send(UserCommand command, const UserAlg& which, std::optional<uint32_t> priority = {}, bool admin = true) {
    const auto replies = handle_user_message(machine, user_message(command, which, priority), admin);
    return netlink_errno(replies.at(0)).value();
  }
};

constexpr auto kNew = UserCommand::kNewAlg;
constexpr auto kDel = UserCommand::kDelAlg;
constexpr auto kUpdate = UserCommand::kUpdateAlg;

TEST(UserConfig, Errnos) {
  Bench b;
  const UserAlg driver{"", "rfc4106-x", 0, 0};
  const UserAlg name_only{"rfc4106(gcm(aes))", "", 0, 0};
  const UserAlg unknown{"", "gcm-aes-caam-qi3", 0, 0};
  const UserAlg wrong_type{"", "rfc4106-x", CRYPTO_ALG_TYPE_SHASH, CRYPTO_ALG_TYPE_MASK};
  const UserAlg instance{"", "seqiv(rfc4106-x)", 0, 0};
  struct Row {
    UserCommand command;
    UserAlg which;
    std::optional<uint32_t> priority;
    bool admin;
    int err;
  };
  const Row rows[] = {
      {kUpdate, driver, 5, false, -EPERM},
      {kNew, driver, {}, false, -EPERM},
      {kDel, driver, {}, false, -EPERM},
      {UserCommand::kDelRng, {}, {}, false, -EPERM},
      {UserCommand::kDelRng, {}, {}, true, 0},
      {UserCommand::kGetStat, driver, {}, false, -kENOTSUPP},
      {kNew, name_only, 5, true, -EINVAL},
      {kUpdate, name_only, 5, true, -EINVAL},
      {kUpdate, name_only, {}, true, -ENOENT},
      {kUpdate, unknown, 5, true, -ENOENT},
      {kUpdate, wrong_type, 5, true, -ENOENT},
      {kUpdate, {"", std::string(64, 'x'), 0, 0}, 5, true, -EINVAL},
      {kUpdate, {"", std::string(63, 'x'), 0, 0}, 5, true, -ENOENT},
      {kDel, unknown, {}, true, -ENOENT},
      {kDel, driver, {}, true, -EINVAL},
      {kNew, driver, {}, true, -EEXIST},
      {kNew, name_only, {}, true, -EEXIST},
      {kNew, unknown, {}, true, -ENOENT},
      {kNew, instance, 77, true, 0},
      {kNew, instance, {}, true, -EEXIST},
      {kDel, instance, {}, true, 0},
      {kDel, instance, {}, true, -ENOENT},
      {UserCommand::kGetAlg, unknown, {}, false, -ENOENT},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(b.send(row.command, row.which, row.priority, row.admin), row.err)
        << "message " << static_cast<int>(row.command) << " for " << row.which.driver << row.which.name;
  }
}

TEST(UserConfig, DeletingWhatIsUsedIsBusy) {
  Bench b;
  ASSERT_EQ(b.send(kNew, {"", "seqiv(rfc4106-x)", 0, 0}), 0);
  ++b.driver("seqiv(rfc4106-x)")->refcnt;  // somebody's transform
  EXPECT_EQ(b.send(kDel, {"", "seqiv(rfc4106-x)", 0, 0}), -EBUSY);
}

// What is made depends on the type asked for: cryptd wraps whatever it is told to.
TEST(UserConfig, NewAlgLooksUpByTypeAndMask) {
  Bench b;
  EXPECT_EQ(b.send(kNew, {"", "cryptd(rfc4106-x)", 0, 0}), -ENOENT);
  EXPECT_EQ(b.send(kNew, {"", "cryptd(rfc4106-x)", CRYPTO_ALG_TYPE_AEAD, CRYPTO_ALG_TYPE_MASK}), 0);
  ASSERT_NE(b.driver("cryptd(rfc4106-x)"), nullptr);
  EXPECT_EQ(b.driver("cryptd(rfc4106-x)")->priority, 350);
}

TEST(UserConfig, PriorityIsAnU32StoredInAnInt) {
  Bench b;
  EXPECT_EQ(b.send(kUpdate, {"", "rfc4106-x", 0, 0}, 4294967294u), 0);
  EXPECT_EQ(b.driver("rfc4106-x")->priority, -2);
  EXPECT_EQ(b.machine.lookup("rfc4106(gcm(aes))", 0, 0).error(), -ENOENT);
}

TEST(UserConfig, NewAlgDropsNothing) {
  Bench b;
  EXPECT_EQ(b.send(kNew, {"", "seqiv(rfc4106-x)", CRYPTO_ALG_TYPE_AEAD, CRYPTO_ALG_TYPE_MASK}, 9), 0);
  EXPECT_EQ(b.driver("seqiv(rfc4106-x)")->priority, 9);
  EXPECT_EQ(b.send(kUpdate, {"", "rfc4106-x", 0, 0}), 0);  // without a priority: flushes what is built on it
  EXPECT_EQ(b.driver("seqiv(rfc4106-x)"), nullptr);
  EXPECT_EQ(b.driver("rfc4106-x")->priority, 300);
}

TEST(UserMessage, BytesOfARequest) {
  const std::vector<uint8_t> message = user_message(kUpdate, {"", "abc", 3, 0xf}, 100, false, 7);
  ASSERT_EQ(message.size(), 16u + 208 + 8);
  const auto u32 = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, &message[at], 4);
    return value;
  };
  const auto u16 = [&](size_t at) {
    uint16_t value = 0;
    std::memcpy(&value, &message[at], 2);
    return value;
  };
  EXPECT_EQ(u32(0), message.size());
  EXPECT_EQ(u16(4), 0x12);
  EXPECT_EQ(u16(6), 0x5);  // REQUEST, ACK
  EXPECT_EQ(u32(8), 7u);
  EXPECT_EQ(message[16], 0);  // name
  EXPECT_EQ(std::memcmp(&message[16 + 64], "abc", 4), 0);
  EXPECT_EQ(u32(16 + 192), 3u);
  EXPECT_EQ(u32(16 + 196), 0xfu);
  EXPECT_EQ(u16(16 + 208), 8);      // attribute: length
  EXPECT_EQ(u16(16 + 208 + 2), 1);  // PRIORITY_VAL
  EXPECT_EQ(u32(16 + 208 + 4), 100u);
}

TEST(UserMessage, ReportsAndDump) {
  Bench b;
  const auto one = handle_user_message(b.machine, user_message(UserCommand::kGetAlg, {"", "rfc4106-x", 0, 0}));
  ASSERT_EQ(one.size(), 1u);
  // Header, crypto_user_alg, priority, aead report: two texts and three sizes.
  EXPECT_EQ(one[0].size(), 16u + 208 + 8 + 4 + 128 + 12);
  const auto entry = parse_report(one[0]);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name, "rfc4106(gcm(aes))");
  EXPECT_EQ(entry->priority, 300);
  EXPECT_EQ(entry->ivsize, 8u);
  EXPECT_EQ(entry->maxauthsize, 16u);
  EXPECT_EQ(entry->refcnt, 1);
  EXPECT_EQ(entry->flags, CRYPTO_ALG_TYPE_AEAD | CRYPTO_ALG_TESTED);
  const auto all = handle_user_message(b.machine, user_message(UserCommand::kGetAlg, {}, {}, true), false);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(parse_report(all[0])->driver, "sha256-x");  // newest first
  EXPECT_EQ(parse_report(all[0])->digestsize, 32u);
  EXPECT_FALSE(parse_report(all[2]));
}

// Cut anywhere, a message is refused or answered, never read beyond.
TEST(UserMessage, CutMessages) {
  Bench b;
  const std::vector<uint8_t> whole = user_message(kUpdate, {"", "rfc4106-x", 0, 0}, 5);
  for (size_t len = 0; len < whole.size(); ++len) {
    std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(len));
    EXPECT_EQ(netlink_errno(handle_user_message(b.machine, cut).at(0)), -EINVAL) << len;
    if (len < 16) continue;
    const auto claimed = static_cast<uint32_t>(len);
    std::memcpy(cut.data(), &claimed, sizeof(claimed));
    EXPECT_FALSE(handle_user_message(b.machine, cut).empty()) << len;
  }
  std::vector<uint8_t> unknown = whole;
  unknown[4] = 0x30;
  EXPECT_EQ(netlink_errno(handle_user_message(b.machine, unknown).at(0)), -EINVAL);
}

}  // namespace
}  // namespace caamlab::api
