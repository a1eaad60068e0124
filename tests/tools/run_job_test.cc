// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam run --job, as a user calls it: jobs that the stock kernel submitted, given as text with their memory (S/G tables
// among it), write what they wrote then; and what is missing or wrong is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/tools/command.h"
#include "tools/hex.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

Said caam(std::vector<std::string> arguments) {
  static constexpr AddSubcommand kSubcommands[] = {add_run};
  return run_command(kSubcommands, std::move(arguments));
}

std::string file_of(const char* name, const json& words) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream file(path);
  for (const json& word : words) file << word.get<std::string>() << '\n';
  return path;
}

std::vector<std::string> arguments_for(const json& line) {
  std::vector<std::string> arguments = {
      "run",        "--json",
      "--job",      file_of("job", line["job"]),
      "--ptr",      std::to_string(line["ptr_bytes"].get<int>()),
      "--endian",   line["endian"] == "big" ? "big" : line["imx_ptr_order"] == true ? "imx" : "little",
      "--era",      std::to_string(line["era"].get<int>()),
      "--job-addr", line["job_addr"]};
  if (line.contains("shared")) {
    arguments.push_back("--shared");
    arguments.push_back(file_of("shared", line["shared"]));
  }
  for (const json& read : line["reads"]) {
    arguments.push_back("--mem");
    arguments.push_back(read[0].get<std::string>() + "=" + read[1].get<std::string>());
  }
  return arguments;
}

// Bytes at an address after the writes, as hexadecimal digits.
std::string memory_after(const json& writes, uint64_t addr, size_t len) {
  std::vector<uint8_t> out(len);
  for (const json& w : writes) {
    const uint64_t at = *parse_number(w[0].get<std::string>());
    const auto bytes = *parse_hex(w[1].get<std::string>());
    for (size_t i = 0; i < bytes.size(); ++i)
      if (at + i >= addr && at + i < addr + len) out[at + i - addr] = bytes[i];
  }
  return to_hex(out);
}

// KEY with ENC: its bytes are of the recording device's making. (Data that looks like one only leaves a job out.)
bool loads_encrypted_key(const json& line) {
  const json& words = line.contains("shared") ? line["shared"] : line["job"];
  return std::ranges::any_of(words, [](const json& word) {
    return (*parse_number("0x" + word.get<std::string>()) & 0xF8400000) == 0x00400000;
  });
}

TEST(RunJob, KernelJobsWriteWhatTheyWrote) {
  std::ifstream file("tests/replay/kernel-jobs.jsonl");
  std::string text;
  int number = 0, run = 0;
  std::set<std::string> variants;
  while (std::getline(file, text)) {
    // An odd step, so that every kind of job of every variant has its turn.
    if (++number % 17 != 0) continue;
    const json line = json::parse(text);
    if (line["via"] != "jr" || line["executed"] != true || line.value("outcome_device_specific", false)) continue;
    if (!line.contains("reads") || !line.contains("writes") || line["reads"].empty()) continue;
    if (loads_encrypted_key(line)) continue;
    const Said o = caam(arguments_for(line));
    const json result = json::parse(o.out);
    ASSERT_EQ(result["status"].get<std::string>().substr(6), line["status"].get<std::string>().substr(6))
        << "line " << number << o.out << o.err;
    for (const json& w : line["writes"]) {
      const std::string hex = w[1];
      EXPECT_EQ(memory_after(result["writes"], *parse_number(w[0].get<std::string>()), hex.size() / 2), hex)
          << "line " << number;
    }
    EXPECT_EQ(o.code, line["status"] == "00000000" ? 0 : 1);
    variants.insert(line["run"]);
    ++run;
  }
  EXPECT_GE(run, 60);
  EXPECT_GE(variants.size(), 4u);
}

// One block of AES-CBC (NIST SP 800-38A, F.2.1), its input by an S/G table: key, IV as immediate, FIFO LOAD with SGF.
const char* const kCbcJob =
    "b0800010 02800010 2b7e1516 28aed2a6 abf71588 09cf4f3c 12a00010 00010203 04050607 08090a0b 0c0d0e0f 82100105 "
    "23120010 00001000 60300010 00002000";

std::string cbc_job() { return file_of("cbc", json::array({kCbcJob})); }

TEST(RunJob, ScatterTableAndReport) {
  // Entries: address (two words), length with FINAL in bit 30, offset.
  std::vector<std::string> arguments = {"run",
                                        "--job",
                                        cbc_job(),
                                        "--ptr",
                                        "4",
                                        "--endian",
                                        "big",
                                        "--mem",
                                        "0x1000=0000000000003000000000050000000000000000000040004000000b00000000",
                                        "--mem",
                                        "0x3000=6bc1bee22e",
                                        "--mem",
                                        "0x4000=409f96e93d7e117393172a"};
  const Said o = caam(arguments);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_EQ(o.out, "status 00000000: done\nwrite  0x2000 16 bytes: 7649abac8119b246cee98e9b12e9197d\n");
  arguments.resize(arguments.size() - 2);
  const Said lacking = caam(arguments);
  EXPECT_EQ(lacking.code, 1);
  EXPECT_NE(lacking.out.find("DMA error"), std::string::npos) << lacking.out;
  EXPECT_NE(lacking.out.find("no memory at 0x4000 (11 bytes wanted): give it with --mem"), std::string::npos)
      << lacking.out;
}

TEST(RunJob, WrongUse) {
  EXPECT_NE(caam({"run", "--job", cbc_job(), "--mem", "12"}).err.find("expected ADDR=HEX or ADDR=@FILE"),
            std::string::npos);
  const std::string short_job = file_of("short", json::array({"b0800010 02800010"}));
  EXPECT_NE(caam({"run", "--job", short_job}).err.find("2 words, but its header says 16"), std::string::npos);
  EXPECT_NE(caam({"run", "--job", cbc_job(), "--shared", cbc_job()}).err.find("no shared descriptor"),
            std::string::npos);
  const Said not_a_job = caam({"run", "--job", file_of("other", json::array({"02800010"}))});
  EXPECT_EQ(not_a_job.code, 2);
  EXPECT_NE(not_a_job.err.find("is not the header of a job descriptor"), std::string::npos);
}

}  // namespace
}  // namespace caamlab::tools
