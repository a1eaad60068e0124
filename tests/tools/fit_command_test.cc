// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam fit: what was measured on a simulated board gives that board again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "timing/figures.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

struct Said {
  int code;
  std::string out, err;
};
Said fit(const std::string& csv, std::vector<std::string> options) {
  static constexpr AddSubcommand kSubcommands[] = {add_fit};
  std::istringstream in(csv);
  std::ostringstream out, err;
  Session session{in, out, err};
  options.insert(options.begin(), {"fit", "-"});
  const int code = run_cli(kSubcommands, std::move(options), session);
  return {code, out.str(), err.str()};
}

struct Point {
  const char* load;
  const char* share;
  unsigned depth;
  uint64_t size;
};
constexpr Point kPoints[] = {
    {"batch", "serial", 1, 4096},  {"batch", "serial", 32, 4096}, {"pipe", "serial", 64, 1420},
    {"pipe", "serial", 64, 16384}, {"pipe", "never", 64, 1420},
};

std::string measure(const std::string& board) {
  const timing::Profile profile = timing::resolve_profile(board).value();
  std::string csv = "# measured on a simulated board\nsize,depth,load,share,mbps,cores\n";
  for (const Point& p : kPoints) {
    timing::Figure f;
    f.load = p.load;
    f.share = p.share;
    f.depth = p.depth;
    f.size = p.size;
    f.completion = f.load == "batch" ? "other cpu" : "same cpu";
    const timing::Outcome o = timing::outcome_of(f, profile).value();
    csv += fmt::format("{},{},{},{},{:.2f},{:.3f}\n", p.size, p.depth, p.load, p.share, o.mb_per_s, o.cores);
  }
  return csv;
}

TEST(Fit, FindsTheBoardThatWasMeasured) {
  const std::string path = testing::TempDir() + "/board.json";
  // From another platform: cores less than half as fast.
  const Said said = fit(measure("lx2160a"), {"--base", "ls1088a", "--name", "board", "--out", path, "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  const json report = json::parse(said.out);
  EXPECT_LT(report["rms"], 0.03) << said.out;
  for (const json& row : report["residuals"]) EXPECT_NEAR(row["off"], 0, 0.06) << row.dump();
  const json& params = report["profile"]["params"];
  EXPECT_NEAR(params["t_fix_us"], 1.66, 0.25);
  EXPECT_NEAR(params["rate_mbps"], 526, 40);
  EXPECT_NEAR(params["c_sub_us"].get<double>() + params["c_cmp_us"].get<double>(), 2.4, 0.2);
  EXPECT_EQ(report["profile"]["provenance"]["c_sub_us"][0], "fitted");
  // The file is a profile.
  const auto profile = timing::resolve_profile(path);
  ASSERT_TRUE(profile) << profile.error().to_string();
  EXPECT_EQ(profile->name, "board");
  EXPECT_EQ(profile->published.size(), std::size(kPoints));
}

TEST(Fit, SaysWhatNothingDependsOn) {
  const Said said = fit("size,depth,mbps\n4096,32,400\n16384,32,470\n", {});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("no measurement depends on them: c_sub + c_cmp, c_irq + c_wake, l_wake, cap"),
            std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find("nothing of this is a test"), std::string::npos);
}

TEST(Fit, SaysWhatIsWrong) {
  const auto refuses = [](const std::string& csv, const char* says) {
    const Said said = fit(csv, {});
    EXPECT_EQ(said.code, 2) << csv;
    EXPECT_NE(said.err.find(says), std::string::npos) << csv << ": " << said.err;
  };
  refuses("", "no measurements");
  refuses("size,depth\n", "line 1: no column \"mbps\"");
  refuses("size,depth,mbps,colour\n", "line 1: column \"colour\"");
  refuses("size,depth,mbps\n1,2\n", "line 2: 2 cells");
  refuses("size,depth,mbps\n#\n1,2,x\n", "line 3: mbps \"x\"");
  refuses("size,depth,mbps,load\n1,2,3,drip\n", "line 2: figure");
  refuses("size,depth,mbps,cores\n1,2,3,-1\n", "line 2: cores \"-1\"");
}

}  // namespace
}  // namespace caamlab::tools
