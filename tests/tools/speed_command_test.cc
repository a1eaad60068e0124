// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam speed, as a user calls it. What the figures have to be: tests/timing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/tools/command.h"
#include "tools/tcrypt.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

Said speed(std::vector<std::string> options) {
  static constexpr AddSubcommand kSubcommands[] = {add_speed};
  options.insert(options.begin(), "speed");
  return run_command(kSubcommands, std::move(options));
}
Said speed(const std::string& line) {
  std::istringstream words(line);
  return speed(std::vector<std::string>(std::istream_iterator<std::string>(words), {}));
}
json results(const std::string& line) {
  const Said said = speed(line + " --json");
  EXPECT_EQ(said.code, 0) << said.err;
  return json::parse(said.out).at("results");
}

// What is published, asked for as a user would.
struct Published {
  const char* options;
  const char* key;
  double value, tolerance;
};
const Published kPublished[] = {
    {"--share serial --size 4096 --inflight 1 --load batch", "mb_per_s", 128, 0.05},
    {"--share serial --size 4096 --inflight 32 --load batch", "mb_per_s", 418, 0.05},
    {"--share serial --size 4096 --inflight 32 --load batch", "cores", 1.4, 0.05},
    {"--driver gcm-aes-ce --size 4096", "mb_per_s", 1107, 0.02},
    {"--share serial --size 1420 --load pipe --cpus 1", "mb_per_s", 325, 0.05},
    {"--share never --size 1420 --load pipe --cpus 1", "mb_per_s", 592, 0.05},
    {"--share serial --size 16384 --load pipe --cpus 1", "mb_per_s", 498, 0.05},
    {"--driver gcm-aes-caam-qi2 --share never --size 16384 --inflight 32 --load pipe --cpus 1", "mb_per_s", 6283, 0.05},
    {"--share serial --size 16384 --cpus 16", "mb_per_s", 500, 0.05},
    {"--platform qat-gen4-spr --driver qat_aes_xts --size 4096 --inflight 1 --load batch", "mb_per_s", 62.5, 0.05},
    {"--platform qat-gen4-spr --driver qat_aes_xts --size 4096 --inflight 1 --load batch", "engine_busy", 0.04, 0.1},
    {"--platform qat-gen4-user-poll --share never --size 4096 --inflight 256 --load poll", "mb_per_s", 12000, 0.05},
    {"--platform imx8mn --size 4096 --inflight 1 --load batch", "mb_per_s", 23, 0.05},
};

TEST(Speed, Published) {
  for (const Published& p : kPublished) {
    const json rows = results(p.options);
    ASSERT_EQ(rows.size(), 1u);
    const double value = rows[0].at(p.key);
    EXPECT_NEAR(value, p.value, p.value * p.tolerance) << p.options;
  }
}

TEST(Speed, EveryCombinationOfLists) {
  const json rows = results("--share serial,never --size 64,1420 --inflight 1,8 --cpus 1,2 --keys 1,4");
  ASSERT_EQ(rows.size(), 32u);
  EXPECT_EQ(rows[0]["size"], 64);
  EXPECT_EQ(rows[1]["size"], 1420);
  EXPECT_EQ(rows[31]["share"], "never");
  EXPECT_EQ(rows[31]["keys"], 4);
  // A key each: serial carries as many times as much, until something else is the limit.
  const json one = results("--size 4096 --keys 1"), three = results("--size 4096 --keys 3");
  EXPECT_NEAR(three[0]["mb_per_s"].get<double>() / one[0]["mb_per_s"].get<double>(), 3, 0.03);
}

TEST(Speed, OnTheCoreOneRowIsEnough) {
  const json rows = results("--driver gcm-aes-ce,gcm-aes-caam-qi2 --share serial,never --inflight 1,8 --size 64,4096");
  EXPECT_EQ(rows.size(), 2u + 8u);
}

TEST(Speed, GivesBothReadings) {
  const json row = results("--share never --size 1420")[0];
  ASSERT_EQ(row["other_readings"].size(), 1u);
  EXPECT_EQ(row["other_readings"][0]["profile"], "lx2160a-batch-reading");
  EXPECT_GT(row["other_readings"][0]["mb_per_s"], row["mb_per_s"]);
  EXPECT_NE(speed("--share never --size 1420").out.find("read as lx2160a-batch-reading: 1109"), std::string::npos);
}

TEST(Speed, SaysWhatIsAssumed) {
  EXPECT_FALSE(results("--size 64")[0].contains("note"));
  EXPECT_NE(results("--driver cbc-aes-caam-qi2 --size 64")[0]["note"].get<std::string>().find("assumed"),
            std::string::npos);
}

TEST(Speed, TableAndCsvHaveTheSameRows) {
  const std::string line = "--size 64,4096 --share serial,never";
  const std::string csv = speed(line + " --csv").out, table = speed(line).out;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
  EXPECT_NE(csv.find("gcm-aes-caam-qi2,serial,pipe,4096,32,1,1,433.6,"), std::string::npos) << csv;
  EXPECT_NE(table.find("433.6"), std::string::npos);
}

TEST(Speed, ProgressGoesToStandardError) {
  const Said said = speed("--size 64,128 --progress");
  EXPECT_NE(said.err.find("2/2"), std::string::npos);
  EXPECT_EQ(said.out.find('#'), std::string::npos);
}

json crossover_of(const json& all, const std::string& profile, const std::string& metric) {
  for (const json& x : all.at("crossovers"))
    if (x["profile"] == profile && x["metric"] == metric) return x["crossover"];
  return "none";
}

TEST(Compare, DriversChangePlacesWhereTheirCpuTimesAreEqual) {
  const Said said = speed("--compare gcm-aes-ce,gcm-aes-caam-qi2 --share never --size 4096,16384 --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const json all = json::parse(said.out);
  EXPECT_NEAR(all["results"][0]["of"][1]["ratio"], 1.54, 0.02);
  EXPECT_NEAR(all["results"][1]["of"][1]["ratio"], 5.2, 0.1);
  // (c - a) R, in both readings of c.
  for (const auto& [profile, bytes] : {std::pair("lx2160a", 2480), std::pair("lx2160a-batch-reading", 1100)})
    for (const char* metric : {"mb_per_s", "cpu_ns_per_byte"}) {
      const json x = crossover_of(all, profile, metric);
      EXPECT_EQ(x["winner"], "gcm-aes-caam-qi2");
      EXPECT_NEAR(x["from_bytes"].get<double>(), bytes, bytes * 0.01) << profile;
    }
  // Serial with one key loses to one core at every size.
  const json serial = json::parse(speed("--compare gcm-aes-ce,gcm-aes-caam-qi2 --share serial --size 64 --json").out);
  EXPECT_EQ(crossover_of(serial, "lx2160a", "mb_per_s")["winner"], "gcm-aes-ce");
  EXPECT_EQ(crossover_of(serial, "lx2160a", "mb_per_s")["from_bytes"], 0);
}

TEST(Compare, ShareModesAtDepthOneAreTheSame) {
  const Said said = speed("--compare serial,never --inflight 1 --load batch --size 64,4096 --json");
  const json all = json::parse(said.out);
  for (const json& row : all["results"]) EXPECT_NEAR(row["of"][1]["ratio"], 1, 1e-9);
  EXPECT_TRUE(crossover_of(all, "lx2160a", "mb_per_s").is_null());
  EXPECT_NE(speed("--compare serial,never --inflight 1 --load batch").out.find("neither carries more"),
            std::string::npos);
}

TEST(Figures, AllPublishedOnesAreMet) {
  const Said said = speed("--published");
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.out.find("0 off by more than their tolerance"), std::string::npos) << said.out;
}

TEST(Figures, OfAFileWithItsOwnProfiles) {
  const std::string path = testing::TempDir() + "/figures.json";
  std::ofstream(path) << R"({"profiles": {"mine": {"params": {"n_deco": 1, "rate_mbps": 100, "t_fix_us": 10}}},
    "validation": [{"name": "right", "profile": "mine", "load": "pipe", "share": "serial", "depth": 8, "size": 1000,
                    "metric": "mbps", "published": 50, "tolerance": 0.01},
                   {"name": "wrong", "profile": "mine", "load": "pipe", "share": "serial", "depth": 8, "size": 1000,
                    "metric": "mbps", "published": 60, "tolerance": 0.01}]})";
  const Said said = speed({"--figures", path, "--json"});
  EXPECT_EQ(said.code, 1);
  const json all = json::parse(said.out);
  EXPECT_EQ(all["off"], 1);
  EXPECT_TRUE(all["figures"][0]["ok"]);
  EXPECT_FALSE(all["figures"][1]["ok"]);
  const Said row = speed({"--platform", path + "#mine", "--size", "1000", "--driver", "gcm-aes-caam", "--json"});
  EXPECT_NEAR(json::parse(row.out)["results"][0]["mb_per_s"], 50, 0.5) << row.err;
}

TEST(Data, JobsRunInVirtualTime) {
  const json rows = results("--data --share serial,never --size 4096 --inflight 16 --requests 500");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["driver"], "gcm-aes-caam");
  EXPECT_EQ(rows[1]["jobs"]["keys_loaded"], rows[1]["jobs"]["submitted"]);
  EXPECT_GT(rows[0]["jobs"]["keys_reused"], rows[0]["jobs"]["keys_loaded"]);
  EXPECT_NEAR(rows[0]["mb_per_s"], 433.6, 2);
  EXPECT_NEAR(rows[1]["mb_per_s"], 1706.7, 2);
}

TEST(Data, FaultsAreReported) {
  const json row =
      results("--data --size 4096 --inflight 8 --load pipe --fault reset@2000,stall@4000:300,hang@6000")[0];
  EXPECT_EQ(row["jobs"]["never_completed"], 0);
  EXPECT_GT(row["jobs"]["came_back_by_reset"], 0);
  EXPECT_EQ(row["jobs"]["submitted"], row["jobs"]["completed"].get<int>() + row["jobs"]["failed"].get<int>());
}

TEST(Real, DriversOnThisHost) {
  for (const char* line : {"--real --driver gcm-aes-caam,sha256-generic --size 1024 --inflight 4 --sec 1",
                           "--real --workers 2 --share never --size 1024 --inflight 8 --sec 1",
                           "--real --driver cbc-aes-caam --size 100 --inflight 4 --load batch --sec 1"})
    for (const json& row : results(line)) {
      EXPECT_GT(row["requests"], 0);
      EXPECT_GT(row["mb_per_s"], 0);
      EXPECT_GT(row["cores"], 0);
      EXPECT_LT(row["cores"], 4);
      EXPECT_LE(row["latency_us"]["p50"], row["latency_us"]["max"]);
    }
}

std::string file_text(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Pictures, ScriptHasALineForEachDriverAndThePublishedPoints) {
  const std::string path = testing::TempDir() + "/plot.gp";
  const Said said = speed({"--share", "serial,never", "--size", "64,1420,16384", "--plot", path});
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string script = file_text(path);
  EXPECT_NE(script.find("title \"gcm-aes-caam-qi2 never\""), std::string::npos) << script;
  EXPECT_NE(script.find("1420 591.667"), std::string::npos);
  EXPECT_NE(script.find("16384 6283\n"), std::string::npos);  // published
  EXPECT_NE(script.find("set xlabel \"bytes of a request\""), std::string::npos);
  // What varies most is the axis.
  ASSERT_EQ(speed({"--inflight", "1,2,4,8", "--size", "64,1420", "--plot", path}).code, 0);
  EXPECT_NE(file_text(path).find("set xlabel \"requests in flight\""), std::string::npos);
  EXPECT_NE(file_text(path).find("size 1420"), std::string::npos);
}

TEST(Pictures, TraceHasATrackForEachPart) {
  const std::string path = testing::TempDir() + "/trace.json";
  const Said said = speed({"--share", "never", "--size", "16384", "--cpus", "2", "--inflight", "8", "--trace", path});
  ASSERT_EQ(said.code, 0) << said.err;
  const json trace = json::parse(file_text(path));
  std::map<std::string, unsigned> tracks;
  double begun = 0, ended = 0, last_bus = 0;
  for (const json& e : trace.at("traceEvents")) {
    const std::string phase = e.at("ph");
    if (phase == "M" && e["name"] == "thread_name") ++tracks[e["args"]["name"].get<std::string>()];
    begun += phase == "b";
    ended += phase == "e";
    if (phase == "X") {
      EXPECT_GE(e.at("dur"), 0);
    }
    // The bus carries one thing at a time.
    if (phase == "X" && e["name"] == "transfer") {
      EXPECT_GE(e["ts"].get<double>(), last_bus - 1e-6);
      last_bus = e["ts"].get<double>() + e["dur"].get<double>();
    }
  }
  EXPECT_EQ(begun, ended);
  for (const char* name : {"CPU 0", "CPU 1", "DECO 0", "DECO 15", "bus 0", "stream 1"})
    EXPECT_EQ(tracks[name], 1u) << name;
}

struct Refused {
  const char* options;
  const char* says;
};
const Refused kRefused[] = {
    {"--platform lx9", "no timing profile \"lx9\""},
    {"--driver gcm-aes-cx", "gcm-aes-ce"},
    {"--driver foo-caam-qi2", "the kernel has no driver of this name"},
    {"--platform ls1046a --driver gcm-aes-caam-qi2", "the profile has no figures for it"},
    {"--share sometimes", "never, wait, serial and always"},
    {"--size 0", "--size: 0; at least 1"},
    {"--size x", "--size"},
    {"--cpus 17", "has 16 CPUs, 17 asked for"},
    {"--load drip", "batch, pipe and poll"},
    {"--compare serial", "two or more"},
    {"--compare serial,never --driver a,b", "one --driver"},
    {"--mode 999", "no speed mode 999"},
    {"--mode rot13", "no speed test of \"rot13\""},
    {"mode=211 speed=3", "mode=N, sec=N"},
    {"--platform qat-gen4-spr mode=600", "the clock of qat-gen4-spr is not known"},
    {"--fault reset@5", "only with --data"},
    {"--data --fault reset", "stall@US:US"},
    {"--data --fault reset@5:6", "stall@US:US"},
    {"--data --real", "exclude each other"},
    {"--data --driver foo-caam", "no cipher, aead or hash"},
    {"--real --cpus 2", "has 1 CPUs, 2 asked for"},
    {"--real --platform nothing", "no platform"},
    {"--plot x.jpg --size 64", "ends in .svg or .png"},
    {"--plot /nowhere/x.gp --size 64", "cannot be written"},
    {"--trace /nowhere/x.json --size 64", "cannot be written"},
    {"--driver gcm-aes-ce --trace x.json --size 64", "only of an engine's driver"},
    {"--figures /nowhere.json", "cannot be read"},
};

TEST(Speed, SaysWhatIsWrong) {
  for (const Refused& r : kRefused) {
    const Said said = speed(r.options);
    EXPECT_EQ(said.code, 2) << r.options;
    EXPECT_NE(said.err.find(r.says), std::string::npos) << r.options << ": " << said.err;
  }
}

TEST(Tcrypt, Text) {
  const Said said = speed("mode=215 sec=1 num_mb=32");
  ASSERT_EQ(said.code, 0) << said.err;
  // Two algorithms, both directions, 8 sizes; one key size and three.
  EXPECT_EQ(said.out.find("\ntesting speed of multibuffer rfc4106(gcm(aes)) (rfc4106-gcm-aes-caam-qi2) encryption\n"),
            0u);
  EXPECT_NE(said.out.find("test 0 (160 bit key, 16 byte blocks): "), std::string::npos);
  EXPECT_NE(said.out.find("testing speed of multibuffer gcm(aes) (gcm-aes-caam-qi2) decryption"), std::string::npos);
  EXPECT_NE(said.out.find("test 23 (256 bit key, 8192 byte blocks): "), std::string::npos);
  EXPECT_NE(said.out.find("test 6 (128 bit key, 4096 byte blocks): 101"), std::string::npos) << said.out;
  EXPECT_EQ(std::ranges::count(said.out, '\n'), 4 * 2 + 2 * 8 + 2 * 24);
}

TEST(Tcrypt, CyclesAndOneInFlight) {
  const Said said = speed("--mode 211 --size 4096");
  // 31.95 us at 2.2 GHz.
  EXPECT_NE(said.out.find("test 0 (128 bit key, 4096 byte blocks): 1 operation in 70284 cycles (4096 bytes)"),
            std::string::npos)
      << said.out;
}

TEST(Tcrypt, ByAlgorithmAndDriver) {
  const Said said = speed("--mode gcm(aes) --driver gcm-aes-ce --sec 1 --size 4096 --key-bits 128");
  EXPECT_EQ(said.out,
            "\ntesting speed of gcm(aes) (gcm-aes-ce) encryption\n"
            "test 0 (128 bit key, 4096 byte blocks): 270229 operations in 1 seconds (1106857984 bytes)\n"
            "\ntesting speed of gcm(aes) (gcm-aes-ce) decryption\n"
            "test 0 (128 bit key, 4096 byte blocks): 270229 operations in 1 seconds (1106857984 bytes)\n");
}

TEST(Tcrypt, HashesAndWhatIsNotThere) {
  const Said hash = speed("mode=404 sec=1");
  EXPECT_NE(hash.out.find("testing speed of async sha256 (sha256-caam-qi2)\n"
                          "test  0 (   16 byte blocks,   16 bytes per update,   1 updates): "),
            std::string::npos)
      << hash.out;
  EXPECT_NE(hash.out.find(" opers/sec, "), std::string::npos);
  EXPECT_EQ(speed("mode=400 alg=sha256 sec=1").out, hash.out);
  // Synchronous modes never see an accelerator.
  EXPECT_NE(speed("mode=200 sec=1").out.find("failed to load transform for ecb(aes): -2"), std::string::npos);
}

TEST(Tcrypt, ModesAreThoseOfTheKernel) {
  std::ifstream in("tests/golden/algorithms.json");
  const json golden = json::parse(in).at("tcrypt_modes").at("speed");
  std::map<unsigned, unsigned> seen;
  for (const json& row : golden) {
    if (row["alg"].get<std::string>().find(' ') != std::string::npos) continue;  // "from the alg= parameter"
    const unsigned mode = row["mode"];
    const auto tests = tcrypt_tests(mode);
    const unsigned i = seen[mode]++;
    ASSERT_LT(i, tests.size()) << mode;
    EXPECT_EQ(tests[i].algorithm, row["alg"].get<std::string>());
    if (row.contains("key_bytes") && row["key_bytes"].is_array()) {
      EXPECT_EQ(tests[i].key_bytes, row["key_bytes"].get<std::vector<unsigned>>());
    }
    EXPECT_EQ(tests[i].multi_buffer, row["api"].get<std::string>().find("multi-buffer") != std::string::npos);
  }
  EXPECT_EQ(seen.size(), 94u);
}

}  // namespace
}  // namespace caamlab::tools
