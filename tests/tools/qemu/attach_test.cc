// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The preloaded library as a program meets it: it attaches, or says why it does not.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace caamlab::tests {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

// Runs a program with the library preloaded, under a name of our choice (the library looks at it).
Outcome run(const std::string& program, const std::string& name, const std::string& environment = "") {
  namespace fs = std::filesystem;
  const fs::path link = fs::path(testing::TempDir()) / name;
  fs::remove(link);
  fs::create_symlink(fs::absolute("tests/tools/qemu/" + program), link);
  const std::string library = fs::absolute("tools/qemu/libcaam_qemu.so");
  // A sanitizer's runtime would rather come first.
  const std::string command = "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 " + environment +
                              " LD_PRELOAD=" + library + " " + link.string() + " 2>&1";
  Outcome outcome;
  std::FILE* pipe = popen(("exec env " + command).c_str(), "r");
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe)) outcome.text += buffer;
  outcome.exit_code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

bool says(const Outcome& outcome, const std::string& what) { return outcome.text.find(what) != std::string::npos; }

TEST(Attach, PutsTheDeviceIntoTheMachine) {
  const Outcome o = run("fake_qemu", "qemu-system-aarch64", "CAAM_QEMU_PLATFORM=ls1046a");
  EXPECT_EQ(o.exit_code, 0) << o.text;
  EXPECT_TRUE(says(o, "base 0xb000000 size 0x100000 lines 4 access 4-4")) << o.text;
  EXPECT_TRUE(says(o, "reset undoes writes: yes")) << o.text;
}

TEST(Attach, LeavesOtherProgramsAlone) {
  const Outcome o = run("fake_qemu", "something-else");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.text, "no device\n");
}

TEST(Attach, NamesAMissingSymbol) {
  const Outcome o = run("fake_qemu_without_version", "qemu-system-aarch64");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_TRUE(says(o, "does not export qmp_query_version:")) << o.text;
}

TEST(Attach, RefusesAnotherVersion) {
  const Outcome o = run("fake_qemu", "qemu-system-aarch64", "FAKE_VERSION=9.1");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_TRUE(says(o, "this is QEMU 9.1.22; the library knows 7.2")) << o.text;
  EXPECT_EQ(run("fake_qemu", "qemu-system-aarch64", "FAKE_VERSION=9.1 CAAM_QEMU_ANY_VERSION=1").exit_code, 0);
}

TEST(Attach, NoticesAChangedLayout) {
  const Outcome o = run("fake_qemu", "qemu-system-aarch64", "FAKE_LAYOUT=changed");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_TRUE(says(o, "register CSTA reads")) << o.text;
}

TEST(Attach, RefusesWrongSettings) {
  EXPECT_TRUE(says(run("fake_qemu", "qemu-system-aarch64", "CAAM_QEMU_PLATFORM=z80"), "z80"));
  EXPECT_TRUE(says(run("fake_qemu", "qemu-system-aarch64", "CAAM_QEMU_FAULT=dma"), "it may be none, nothing"));
  EXPECT_TRUE(says(run("fake_qemu", "qemu-system-aarch64", "CAAM_QEMU_TRACE=/nowhere/x"), "cannot write /nowhere/x"));
}

}  // namespace
}  // namespace caamlab::tests
