// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Built-in platform files, the registers derived from them, and the errors of a user's file.
#include "hw_model/platform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "desc/regs.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

Platform get(std::string_view name) {
  auto platform = find_platform(name);
  EXPECT_TRUE(platform.has_value()) << (platform ? "" : platform.error().to_string());
  return platform ? *platform : Platform{};
}

TEST(Platforms, EveryBuiltInFileReads) {
  const std::vector<std::string> names = platform_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const char* wanted : {"ls1046a", "ls1043a", "ls1088a", "ls2088a", "lx2160a", "ls1028a", "ls1012a",
                             "ls1021a", "t1040",   "t2080",   "p4080",   "p3041",   "p5040",   "t1024",
                             "imx6",    "imx6ul",  "imx7",    "imx8mq",  "imx8qm",  "imx8ulp", "imxrt1170"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
  }
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const Platform p = get(name);
    EXPECT_EQ(p.name, name) << "the file is named after the platform";
    EXPECT_FALSE(p.title.empty()) << name;
    EXPECT_FALSE(p.sources.empty()) << name;
    EXPECT_FALSE(p.assumed.empty()) << name << ": no part is known completely";
    EXPECT_TRUE(p.has(ChaUnit::kAesa) && p.has(ChaUnit::kMdha) && p.has(ChaUnit::kRng)) << name;
    EXPECT_TRUE(p.target.ptr_bytes == 4 || p.address_bits > 32) << name;
    EXPECT_EQ(p.has(ChaUnit::kCcha) && p.era < 10, false) << name;
    all.push_back(p.name);
    all.insert(all.end(), p.aliases.begin(), p.aliases.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "a name leads to one platform";
}

TEST(Platforms, FoundByNameAndAliasInAnyCase) {
  EXPECT_EQ(get("LX2160A").name, "lx2160a");
  EXPECT_EQ(get("imx8mm").name, "imx8mq");
  EXPECT_EQ(get("iMX8QXP").name, "imx8qm");
}

TEST(Platforms, UnknownNameListsWhatThereIs) {
  const auto platform = find_platform("ls9999");
  ASSERT_FALSE(platform.has_value());
  EXPECT_EQ(platform.error().code, desc::ErrorCode::kNotFound);
  EXPECT_NE(platform.error().message.find("\"ls9999\""), std::string::npos);
  EXPECT_NE(platform.error().message.find("ls1046a, "), std::string::npos);
}

// hardware.md 8.5, first table.
TEST(Platforms, Ls1046aRegisters) {
  const PlatformRegs regs = derive_regs(get("ls1046a"));
  EXPECT_EQ(regs.csta, 0x00000406u);
  EXPECT_EQ(regs.ctpr_ms, 0x02020013u);
  EXPECT_EQ(regs.ctpr_ls, 0x00004C23u);
  EXPECT_EQ(regs.ccbvid, 0x08000000u);
  EXPECT_EQ(regs.chavid_ls, 0x20043014u);
  EXPECT_EQ(regs.chanum_ls, 0x11113033u);
  EXPECT_EQ(regs.chanum_ms, 0x43001113u);
  EXPECT_EQ(regs.mcfgr, mcfgr::kPs);
  EXPECT_EQ(regs.secvid_ms, 0x0A110803u);
  EXPECT_EQ(regs.vreg, (std::array<uint32_t, 32>{}));  // before era 10
}

TEST(Platforms, Lx2160aRegisters) {
  const Platform p = get("lx2160a");
  const PlatformRegs regs = derive_regs(p);
  const auto vreg = [&regs](uint32_t offset) { return regs.vreg[(offset - kVregCrca) / 4]; };
  EXPECT_EQ(regs.csta, 0x00000006u);
  EXPECT_EQ(regs.ctpr_ms, 0x02022013u);
  EXPECT_EQ(regs.ccbvid, 0x0A000000u);
  EXPECT_EQ(vreg(kVregAesa), 0x04000210u);
  EXPECT_TRUE(vreg(kVregAesa) & vreg::kAesaGcm);
  EXPECT_EQ(vreg(kVregMdha), 0x03000010u);
  EXPECT_EQ(vreg(kVregDesa) & vreg::kNumMask, 16u);
  EXPECT_EQ(vreg(kVregPkha) & vreg::kNumMask, 8u);
  EXPECT_FALSE(vreg(kVregPkha) & vreg::kPkhaNoCrypt);
  EXPECT_EQ(vreg(kVregCcha) & vreg::kNumMask, 16u);
  EXPECT_EQ(vreg(kVregPtha) & vreg::kNumMask, 16u);
  EXPECT_EQ(vreg(kVregRng), 0x04000001u);
  EXPECT_EQ(vreg(kVregJr), 4u);
  EXPECT_EQ(vreg(kVregDeco), 16u);
  EXPECT_EQ(regs.chanum_ms >> 24, 0x4Fu);  // 16 DECOs do not fit a nibble
  EXPECT_EQ(p.sg_format, SgFormat::kDpaa2);
  EXPECT_EQ(p.dma_bits(), 49u);
  EXPECT_EQ(get("ls1021a").dma_bits(), 32u);
}

TEST(Platforms, Imx6Registers) {
  const Platform p = get("imx6q");
  const PlatformRegs regs = derive_regs(p);
  EXPECT_EQ(regs.csta & (csta::kPlend | csta::kAltPlend), 0u);
  EXPECT_EQ(regs.ctpr_ms & (ctpr_ms::kPs | ctpr_ms::kPage64K | ctpr_ms::kQi | ctpr_ms::kDpaa2), 0u);
  EXPECT_EQ(regs.ccbvid, 0u);
  EXPECT_EQ(regs.secvid_ms, 0x0A160100u);
  EXPECT_EQ(regs.chanum_ls >> 28, 0u);  // no PKHA
  EXPECT_EQ(regs.chavid_ls & 0xF, kAesaLowPower);
  EXPECT_EQ(p.target, (desc::Target{.ptr_bytes = 4, .endian = desc::Endian::kLittle, .imx = true}));
}

TEST(Platforms, DecoCountsOfTheTable) {
  const std::pair<const char*, unsigned> rows[] = {
      {"p4080", 5},   {"p2041", 2},   {"p5040", 4},   {"t1024", 2},   {"t1040", 2},    {"t2080", 4}, {"ls1028a", 2},
      {"ls1043a", 2}, {"ls1046a", 3}, {"ls1088a", 4}, {"ls2088a", 6}, {"lx2160a", 16}, {"imx6", 1},  {"imxrt1170", 1}};
  for (const auto& [name, decos] : rows) EXPECT_EQ(get(name).decos, decos) << name;
}

TEST(Platforms, EraBeforeSixComesFromSecvid) {
  for (const std::string& name : platform_names()) {
    const Platform p = get(name);
    const PlatformRegs regs = derive_regs(p);
    const int era = regs.ccbvid >> 24 ? static_cast<int>(regs.ccbvid >> 24) : era_from_secvid(p.ip_id, p.major_rev);
    EXPECT_EQ(era, p.era) << name;
  }
  EXPECT_EQ(era_from_secvid(0x0A14, 2), 4);
  EXPECT_EQ(era_from_secvid(0x0A14, 3), 0);
}

TEST(Platforms, VirtualizationRule) {
  Platform p;
  const struct {
    bool included, at_reset;
    uint32_t scfgr;
    bool expected;
  } rows[] = {{true, true, 0, true},
              {true, false, scfgr::kVirtEn, true},
              {true, false, 0, false},
              {false, true, 0, true},
              {false, false, scfgr::kVirtEn, false}};
  for (const auto& row : rows) {
    p.virt_included = row.included;
    p.virt_at_reset = row.at_reset;
    EXPECT_EQ(p.virt_enabled(row.scfgr), row.expected);
  }
}

constexpr const char* kGood = R"({
  "name": "mine", "era": 8, "endian": "big", "pointer_bytes": 8, "page_bytes": 65536, "job_rings": 2, "decos": 1,
  "secvid": {"ip_id": "0x0a11", "major": 8}, "chas": {"aesa": {"count": 1, "version": 4}, "rng": {"count": 1}},
  "timing": {"clock_mhz": 700}
})";

TEST(PlatformFile, MinimalFile) {
  const auto p = parse_platform(kGood, "mine.json");
  ASSERT_TRUE(p.has_value()) << p.error().to_string();
  EXPECT_EQ(p->title, "mine");
  EXPECT_EQ(p->address_bits, 40u);
  EXPECT_TRUE(p->pointer_size_selectable);
  EXPECT_EQ(p->timing_json, R"({"clock_mhz":700})");
  EXPECT_EQ(p->cha(ChaUnit::kAesa).version, 4);
  EXPECT_FALSE(p->has(ChaUnit::kPkha));
}

TEST(PlatformFile, EveryMistakeIsNamed) {
  struct Row {
    const char* from;
    const char* to;
    const char* message;
  };
  const Row rows[] = {
      {"\"era\": 8, ", "", "key \"era\" is missing"},
      {"\"era\": 8", "\"era\": 11", "key \"era\" must be a number from 1 to 10, it is 11"},
      {"\"era\": 8", "\"era\": \"eight\"", "key \"era\" must be a number from 0x1 to 0xa, it is \"eight\""},
      {"\"era\": 8", "\"era\": 8, \"eras\": 1", "key \"eras\" is not a known key; known here: name, title, "},
      {"\"big\"", "\"middle\"", "key \"endian\" must be one of big, little, it is \"middle\""},
      {"\"pointer_bytes\": 8", "\"pointer_bytes\": 6", "key \"pointer_bytes\" must be one of 4, 8, it is 6"},
      {"\"pointer_bytes\": 8", "\"pointer_bytes\": 8, \"address_bits\": 32", "key \"address_bits\" must be above 32"},
      {"65536", "8192", "key \"page_bytes\" must be one of 4096, 65536, it is 8192"},
      {"\"job_rings\": 2", "\"job_rings\": 5", "key \"job_rings\" must be a number from 1 to 4, it is 5"},
      {"\"job_rings\": 2", "\"job_rings\": 2, \"first_job_ring\": 2",
       "key \"first_job_ring\" must be below job_rings, 2"},
      {"\"decos\": 1", "\"decos\": -1", "key \"decos\" must be a number from 1 to 16, it is -1"},
      {"\"decos\": 1", "\"decos\": 1, \"imx_pointer_order\": true",
       "key \"imx_pointer_order\" applies to little-endian"},
      {"\"decos\": 1", "\"decos\": 1, \"imx_pointer_order\": 1",
       "key \"imx_pointer_order\" must be true or false, it is 1"},
      {"\"decos\": 1", "\"decos\": 1, \"aliases\": \"x\"", "key \"aliases\" must be a list of strings, it is \"x\""},
      {"\"decos\": 1", "\"decos\": 1, \"aliases\": [1]", "key \"aliases\" must be a list of strings, it is [1]"},
      {"\"decos\": 1", "\"decos\": 1, \"features\": [\"blobs\"]",
       "key \"features\" has an unknown entry \"blobs\"; known: kg_ds, blob, "},
      {"\"decos\": 1", "\"decos\": 1, \"queue_interface\": \"dpaa3\"",
       "key \"queue_interface\" must be one of none, dpaa1, dpaa2, it is \"dpaa3\""},
      {"\"decos\": 1", "\"decos\": 1, \"virtualization\": {\"on\": true}",
       "key \"virtualization.on\" is not a known key; known here: included, on_at_reset"},
      {"\"decos\": 1", "\"decos\": 1, \"rng\": []", "key \"rng\" must be an object"},
      {"\"decos\": 1", "\"decos\": 1, \"rng\": {\"min_entropy_delay\": 65536}",
       "key \"rng.min_entropy_delay\" must be a number from 0 to 65535, it is 65536"},
      {"\"mine\"", "7", "key \"name\" must be a string, it is 7"},
      {"\"0x0a11\"", "\"0x10a11\"", "key \"secvid.ip_id\" must be a number from 0x0 to 0xffff, it is \"0x10a11\""},
      {"\"0x0a11\"", "\"0a11\"", "key \"secvid.ip_id\" must be a number from 0x0 to 0xffff, it is \"0a11\""},
      {"\"0x0a11\", \"major\": 8", "\"0x0a11\"", "key \"secvid.major\" is missing"},
      {"\"aesa\"", "\"aes\"", "key \"chas.aes\" is no unit; there are: aesa desa "},
      {"\"version\": 4", "\"vid\": 4", "key \"chas.aesa.vid\" is not a known key; known here: count, version"},
      {"{\"count\": 1, \"version\": 4}", "{}", "key \"chas.aesa.count\" is missing"},
      {"{\"count\": 1, \"version\": 4}", "3", "key \"chas.aesa\" must be an object"},
      {"{\"clock_mhz\": 700}", "700", "key \"timing\" must be an object"},
      {"\"era\": 8", "\"era\": 5", "key \"secvid\" 0x0a11 major 8 reads as no known era, the file says era 5"},
      {"\"major\": 8", "\"major\": 1 ,\"minor\": 256",
       "key \"secvid.minor\" must be a number from 0 to 255, it is 256"},
  };
  for (const Row& row : rows) {
    std::string text = kGood;
    const size_t at = text.find(row.from);
    ASSERT_NE(at, std::string::npos) << row.from;
    text.replace(at, std::string(row.from).size(), row.to);
    const auto p = parse_platform(text, "mine.json");
    ASSERT_FALSE(p.has_value()) << row.message;
    EXPECT_EQ(p.error().code, desc::ErrorCode::kMalformed);
    EXPECT_EQ(p.error().message.find(std::string("mine.json: ") + row.message), 0u) << p.error().message;
  }
}

TEST(PlatformFile, WrongEraForSecvidSaysWhich) {
  std::string text = kGood;
  text.replace(text.find("\"era\": 8"), 8, "\"era\": 5");
  text.replace(text.find("\"major\": 8"), 10, "\"major\": 1");
  const auto p = parse_platform(text, "mine.json");
  ASSERT_FALSE(p.has_value());
  EXPECT_NE(p.error().message.find("0x0a11 major 1 reads as era 4, the file says era 5"), std::string::npos);
}

TEST(PlatformFile, NotJson) {
  for (const char* text : {"", "{", "[1, 2", "{\"name\": }", "\xff\xfe"}) {
    const auto p = parse_platform(text, "broken.json");
    ASSERT_FALSE(p.has_value());
    EXPECT_EQ(p.error().message.find("broken.json: not JSON: "), 0u) << p.error().message;
  }
  for (const char* text : {"[]", "3", "null", "\"x\""}) {
    const auto p = parse_platform(text, "other.json");
    ASSERT_FALSE(p.has_value());
    EXPECT_EQ(p.error().message, "other.json: the file must be an object");
  }
}

TEST(PlatformFile, FromDisk) {
  const std::string path = testing::TempDir() + "/caamlab_platform_test.json";
  std::ofstream(path) << kGood;
  const auto p = resolve_platform(path);
  ASSERT_TRUE(p.has_value()) << p.error().to_string();
  EXPECT_EQ(p->name, "mine");
  std::remove(path.c_str());
  const auto missing = resolve_platform(path);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, path + ": cannot be opened for reading");
  EXPECT_TRUE(resolve_platform("t2080").has_value());
  EXPECT_FALSE(resolve_platform("t2080.json").has_value());  // a path, and there is no such file
}

}  // namespace
}  // namespace caamlab::hw_model
