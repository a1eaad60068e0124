// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam share, as a user calls it.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/command.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

constexpr const char* kKey = "000102030405060708090a0b0c0d0e0f";

Said caam(std::vector<std::string> arguments, const std::string& input = "") {
  static constexpr AddSubcommand kSubcommands[] = {add_share, add_build};
  return run_command(kSubcommands, std::move(arguments), input);
}
std::string built(std::vector<std::string> options) {
  options.insert(options.begin(), "build");
  return caam(std::move(options)).out;
}
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(ShareCommand, SeedPatchGivesTheSameResults) {
  for (const char* name :
       {"cnstr_shdsc_gcm_encap", "cnstr_shdsc_gcm_decap", "cnstr_shdsc_skcipher_encap", "cnstr_shdsc_skcipher_decap"}) {
    const Said serial = caam({"share", name, "--key", kKey});
    EXPECT_EQ(serial.code, 0) << serial.err;
    EXPECT_TRUE(says(serial.out,
                     "never instead of serial: same results; keys loaded 1.00 a job instead of 0.33; jobs "
                     "run in parallel, completion order is not kept"))
        << serial.out;
    const Said never = caam({"share", name, "--key", kKey, "--share", "never"});
    EXPECT_EQ(never.code, 0);
    EXPECT_TRUE(says(never.out, "serial instead of never: same results")) << never.out;
  }
}

TEST(ShareCommand, UnsafeOneHasAReasonAndAnExample) {
  const Said got = caam({"share", "cnstr_shdsc_sk_hash", "--key", kKey, "--state", "update", "--json"});
  EXPECT_EQ(got.code, 1);
  const json j = got.parsed();
  EXPECT_EQ(j["skipped"][1]["relies_on"], "job data");
  for (const json& v : j["verdicts"]) {
    EXPECT_EQ(v["safe"].get<bool>(), v["mode"] == "never") << v;
    EXPECT_EQ(v["run"].contains("example"), v["mode"] != "never") << v;
  }
  EXPECT_EQ(j["verdicts"][2]["run"]["example"]["queue"].size(), 2u);
  const Said text = caam({"share", "cnstr_shdsc_sk_hash", "--key", kKey, "--state", "update"});
  EXPECT_TRUE(says(text.out, "example: job 0, then job 0: the last one's status is 00000000")) << text.out;
  EXPECT_EQ(caam({"share", "cnstr_shdsc_sk_hash", "--key", kKey, "--state", "update", "--share", "never"}).code, 0);
}

// Words are the constructor's they came from, whatever the share mode.
TEST(ShareCommand, RecognizesPastedWords) {
  const std::vector<std::vector<std::string>> kBuilt = {
      {"cnstr_shdsc_gcm_encap", "--key", kKey, "--icvsize", "8"},
      {"cnstr_shdsc_rfc4543_decap", "--key", kKey, "--share", "never"},
      {"cnstr_shdsc_skcipher_decap", "--cipher", "ecb(aes)", "--key", kKey},
      {"cnstr_shdsc_xts_skcipher_encap", "--key", std::string(kKey) + "1112131415161718191a1b1c1d1e1f10"},
      {"cnstr_shdsc_aead_givencap", "--key", kKey, "--auth-key", "00112233", "--auth", "sha1"},
      {"cnstr_shdsc_aead_null_encap", "--auth-key-dma", "0x70000000", "--auth-keylen", "20"},
      {"cnstr_shdsc_ahash", "--auth", "sha1", "--state", "update"},
      {"cnstr_shdsc_sk_hash", "--auth", "xcbc(aes)", "--key", kKey},
  };
  for (const auto& options : kBuilt) {
    const Said got = caam({"share", "-", "--json"}, built(options));
    ASSERT_NE(got.code, 2) << options[0] << ": " << got.err;
    const std::string note = got.parsed()["notes"].at(0);
    EXPECT_TRUE(says(note, "these are the words of")) << note;
    EXPECT_TRUE(says(note, options[0].c_str())) << note;
    EXPECT_TRUE(got.parsed().contains("jobs_are")) << got.out;
  }
}

TEST(ShareCommand, ChangedDescriptorGetsTheJobsOfTheNearest) {
  std::string words = built({"cnstr_shdsc_gcm_encap", "--key", kKey});
  words.replace(words.find("a1004006"), 8, "a1004007");  // followers skip the OPERATION too
  const Said got = caam({"share", "-"}, words);
  EXPECT_EQ(got.code, 1) << got.err;
  EXPECT_TRUE(says(got.out, "# like cnstr_shdsc_gcm_encap")) << got.out;
  EXPECT_TRUE(says(got.out, "at 7: writes a mode register")) << got.out;
  EXPECT_TRUE(says(got.out, "never       same results")) << got.out;
}

TEST(ShareCommand, SaysWhatIsMissing) {
  const Said unknown = caam({"share", "-", "--json"}, "b8800204 a1004003 02800004 01020304");
  EXPECT_EQ(unknown.code, 0) << unknown.err;
  EXPECT_TRUE(says(unknown.parsed()["not_run"], "give jobs with their memory")) << unknown.out;
  const Said qi = caam({"share", "cnstr_shdsc_gcm_encap", "--key", kKey, "--qi"});
  EXPECT_TRUE(says(qi.out, "not run: jobs of the queue interface")) << qi.out;
  const Said only_read = caam({"share", "cnstr_shdsc_gcm_encap", "--key", kKey, "--static"});
  EXPECT_FALSE(says(only_read.out, "run:")) << only_read.out;
}

TEST(ShareCommand, RecordedJobs) {
  const Said got = caam({"share", "tests/replay/kernel-jobs.jsonl", "--line", "97", "--json"});
  EXPECT_EQ(got.code, 0) << got.err;
  const json j = got.parsed();
  EXPECT_TRUE(says(j["jobs_are"], "recorded jobs")) << j["jobs_are"];
  EXPECT_TRUE(j["wrong_alone"].empty()) << j["wrong_alone"];
}

TEST(ShareCommand, WrongUsage) {
  struct Wrong {
    std::vector<std::string> arguments;
    const char* input;
    const char* says;
  };
  const Wrong kWrong[] = {
      {{"share", "-"}, "b0800002 a0000001", "no shared descriptor"},
      {{"share", "-"}, "b8800205 a0000001", "cut off after 2 words"},
      {{"share", "-"}, "", "no words"},
      {{"share", "-", "--key", kKey}, "b8800202 a0000001", "goes with the name of a constructor"},
      {{"share", "init_gcm_job"}, "", "only shared ones are shared"},
      {{"share", "cnstr_shdsc_gcm_encap"}, "", "--key is needed"},
      {{"share", "no-such-file"}, "", "no-such-file"},
      {{"share", "-"}, "{\"job_addr\": 1}", "line 1"},
  };
  for (const Wrong& w : kWrong) {
    const Said got = caam(w.arguments, w.input);
    EXPECT_EQ(got.code, 2) << w.says << ": " << got.out;
    EXPECT_TRUE(says(got.err, w.says)) << w.says << ": " << got.err;
  }
}

}  // namespace
}  // namespace caamlab::tools
