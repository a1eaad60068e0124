// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Status words to text and errno.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/caam/error.h"
#include "driver/caam/intern.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::driver::caam {
namespace {

struct Row {
  uint32_t status;
  const char* text;
  int err;
};
constexpr Row kRows[] = {
    {0x2000141A, "2000141a: CCB: desc idx 20: AES: ICV check failed", -EBADMSG},
    {0x2000084A, "2000084a: CCB: desc idx 8: MDHA: ICV check failed", -EBADMSG},
    {0x20001112, "20001112: CCB: desc idx 17: AES: Data size error", -EINVAL},
    {0x2000025B, "2000025b: CCB: desc idx 2: RNG: Hardware error", -EINVAL},
    {0x20003C5B, "20003c5b: CCB: desc idx 60: RNG: Hardware error", -EINVAL},
    {0x20000054, "20000054: CCB: desc idx 0: RNG: Not instantiated", -EINVAL},
    {0x20000B0F, "20000b0f: CCB: desc idx 11: CCB: Invalid CHA selected", -EINVAL},
    {0x200000F1, "200000f1: CCB: desc idx 0: unidentified cha_id value 0x0f: Mode error", -EINVAL},
    {0x28000342, "28000342: CCB: jump tgt desc idx 3: MDHA: Data size error", -EINVAL},
    {0x40001713, "40001713: DECO: desc idx 23: Header error: length, parity, or another problem", -EINVAL},
    {0x40000013, "40000013: DECO: desc idx 0: Header error: length, parity, or another problem", -EINVAL},
    {0x4000001A, "4000001a: DECO: desc idx 0: Job failed due to JR reset", -EINVAL},
    {0x40000789, "40000789: DECO: desc idx 7: Protocol size: for RSA, the data is too long for n", -EINVAL},
    {0x4000005A, "4000005a: DECO: desc idx 0: unidentified error value 0x5a", -EINVAL},
    {0x300002AB, "300002ab: Jump: desc idx 2: user status 0xab", -EINVAL},
    {0x70000104, "70000104: Condition Code: desc idx 1: flags 0x04", -EINVAL},
    {0x50000020, "50000020: Queue Manager Interface: Format of the FD", -EINVAL},
    {0x60000008, "60000008: Job Ring: error type 0x08", -EINVAL},
    {0x10000000, "10000000: unknown error source 1", -EINVAL},
    {0xF0000000, "f0000000: unknown error source 15", -EINVAL},
};

TEST(Status, TextAndErrno) {
  api::Registry registry;
  std::vector<std::string> log;
  CaamOptions options;
  options.log = [&log](LogLevel, std::string_view line) { log.emplace_back(line); };
  CtrlPriv priv(CaamDevice{}, registry, options);
  for (const Row& row : kRows) {
    log.clear();
    EXPECT_EQ(caam_status_text(row.status), row.text);
    EXPECT_EQ(caam_jr_strstatus(priv, row.status), row.err) << row.text;
    // A wrong tag is nothing to talk about.
    ASSERT_EQ(log.size(), row.err == -EBADMSG ? 0u : 1u);
    if (!log.empty()) {
      EXPECT_EQ(log[0], row.text);
    }
  }
  EXPECT_EQ(caam_status_text(0), "00000000: No error");
}

// Whatever the word: a line, no more.
TEST(Status, EveryCodeHasText) {
  for (uint32_t source = 0; source < 16; ++source)
    for (uint32_t low = 0; low < 0x100; ++low) {
      const std::string text = caam_status_text(source << 28 | 0x05 << 8 | low);
      EXPECT_GT(text.size(), 12u);
      EXPECT_EQ(text.find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace caamlab::driver::caam
