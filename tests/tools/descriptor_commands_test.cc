// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam dump, build and verify, as a user calls them: arguments in, output and exit code out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

struct Outcome {
  int code;
  std::string out, err;
};
Outcome caam(std::vector<std::string> arguments, const std::string& input = {}) {
  static constexpr AddSubcommand kSubcommands[] = {add_dump, add_build, add_verify};
  std::istringstream in(input);
  std::ostringstream out, err;
  Session session{in, out, err};
  const int code = run_cli(kSubcommands, std::move(arguments), session);
  return {code, out.str(), err.str()};
}

std::string write_temp(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}
json golden(const char* file) {
  return json::parse(std::ifstream(std::string("tests/golden/") + file + ".json"))["entries"];
}

constexpr const char* kKey16 = "000102030405060708090a0b0c0d0e0f";

// -- build ----------------------------------------------------------------------------------------------------------

// Options that have to give the words of an entry of a golden file.
struct BuildCase {
  const char* file;
  const char* entry;
  std::vector<std::string> arguments;
};
const BuildCase kBuildCases[] = {
    {"gcm", "gcm_encap/k16/inl/icv16/iv12/qi0/p8", {"cnstr_shdsc_gcm_encap", "--key", kKey16}},
    {"gcm",
     "gcm_decap/k16/inl/icv8/iv12/qi1/p4",
     {"cnstr_shdsc_gcm_decap", "--key", kKey16, "--icvsize", "8", "--qi", "--ptr", "4"}},
    {"gcm",
     "gcm_encap/k16/ptr/icv16/iv12/qi0/p8",
     {"cnstr_shdsc_gcm_encap", "--key-dma", "0x1122334455667788", "--keylen", "16"}},
    {"gcm",
     "rfc4106_encap/k16/inl/icv16/iv8/qi1/p8",
     {"cnstr_shdsc_rfc4106_encap", "--key", kKey16, "--salt", "10111213", "--qi"}},
    {"gcm", "rfc4543_decap/k16/inl/icv16/iv8/qi0/p8", {"cnstr_shdsc_rfc4543_decap", "--key", kKey16}},
    {"skcipher", "skcipher_encap/cbc-aes/k16/iv16/off0/p8", {"cnstr_shdsc_skcipher_encap", "--key", kKey16}},
};

// Names of algtype words.
std::string cipher_name(uint32_t algtype, bool rfc3686) {
  static const std::map<uint32_t, std::string> kNames{
      {0x02100100, "cbc(aes)"},      {0x02100000, "ctr(aes)"}, {0x02100200, "ecb(aes)"}, {0x02210100, "cbc(des3_ede)"},
      {0x02210200, "ecb(des3_ede)"}, {0x02200100, "cbc(des)"}, {0x02200200, "ecb(des)"}, {0x02d00000, "chacha20"}};
  return rfc3686 ? "rfc3686(ctr(aes))" : kNames.at(algtype);
}
std::string hash_name(uint32_t algtype) {
  static constexpr const char* kNames[] = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"};
  return kNames[algtype >> 16 & 0xF];
}
std::string mac_name(uint32_t algtype) { return (algtype >> 8 & 0xF) == 6 ? "cmac(aes)" : "xcbc(aes)"; }

// All parameters of the golden entries, turned into options, have to give the same words again. What cannot be said
// with options (odd placements of the IV, black keys of made-up lengths) is left to --params.
std::optional<std::vector<std::string>> options_for(const json& entry) {
  const json& p = entry["params"];
  std::vector<std::string> a{"build", entry["constructor"], "--ptr", std::to_string(p["caam_ptr_sz"].get<int>())};
  const auto add = [&](const std::string& name, const std::string& value) {
    a.push_back(name);
    a.push_back(value);
  };
  const auto number = [&](const char* key) { return std::to_string(p[key].get<int>()); };
  add("--endian", !p["caam_little_end"].get<bool>() ? "big" : p["caam_imx"].get<bool>() ? "imx" : "little");
  const std::string name = entry["constructor"];
  const auto key_of = [&](const json& info) { return info["key"].get<std::string>(); };
  const auto add_cipher_key = [&](const json& info, size_t keylen) {
    if (info.value("key_inline", true) || name.find("skcipher") != std::string::npos)
      add("--key", key_of(info).substr(0, 2 * keylen));
    else
      add("--key-dma", info["key_dma"]), add("--keylen", std::to_string(keylen));
  };
  if (name.find("gcm") != std::string::npos || name.find("rfc4") != std::string::npos) {
    if (!name.starts_with("cnstr")) return std::nullopt;
    const size_t keylen = p["cdata"]["keylen"];
    add_cipher_key(p["cdata"], keylen);
    if (key_of(p["cdata"]).size() == 2 * keylen + 8) add("--salt", key_of(p["cdata"]).substr(2 * keylen));
    add("--ivsize", number("ivsize"));
    add("--icvsize", number("icvsize"));
    if (p["is_qi"]) a.push_back("--qi");
    return a;
  }
  if (name == "cnstr_shdsc_xts_skcipher_encap" || name == "cnstr_shdsc_xts_skcipher_decap") {
    add("--key", key_of(p["cdata"]));
    return a;
  }
  const auto algtype = [](const json& info) {
    return static_cast<uint32_t>(std::stoul(info["algtype"].get<std::string>(), nullptr, 16));
  };
  if (name == "cnstr_shdsc_skcipher_encap" || name == "cnstr_shdsc_skcipher_decap") {
    const bool rfc3686 = p["is_rfc3686"];
    const size_t keylen = p["cdata"]["keylen"];
    add("--cipher", cipher_name(algtype(p["cdata"]), rfc3686));
    add_cipher_key(p["cdata"], keylen);
    if (rfc3686) add("--salt", key_of(p["cdata"]).substr(2 * keylen));
    return a;
  }
  // False where the options have no words for it: a key longer than its split key, which goes by pointer into the
  // descriptor.
  const auto add_auth_key = [&](const json& info, int era) {
    if (era >= 6 && info["key_inline"] && info["keylen"] > info["keylen_pad"]) return false;
    if (info["key_inline"])
      add("--auth-key", key_of(info).substr(0, 2 * info[era >= 6 ? "keylen" : "keylen_pad"].get<size_t>()));
    else
      add("--auth-key-dma", info["key_dma"]);
    if (!info["key_inline"] && era >= 6) add("--auth-keylen", std::to_string(info["keylen"].get<int>()));
    return true;
  };
  if (name.starts_with("cnstr_shdsc_aead")) {
    add("--auth", "hmac(" + hash_name(algtype(p["adata"])) + ")");
    add("--icvsize", number("icvsize"));
    add("--era", number("era"));
    if (!add_auth_key(p["adata"], p["era"])) return std::nullopt;
    if (!p.contains("cdata")) return a;
    const bool rfc3686 = p["is_rfc3686"];
    const size_t keylen = p["cdata"]["keylen"];
    add("--cipher", cipher_name(algtype(p["cdata"]), rfc3686));
    add_cipher_key(p["cdata"], rfc3686 ? keylen - 4 : keylen);
    if (rfc3686) add("--salt", p["nonce"]);
    if (p.value("geniv", false)) a.push_back("--geniv");
    if (p["is_qi"]) a.push_back("--qi");
    return a;
  }
  if (name == "cnstr_shdsc_chachapoly") {
    const size_t keylen = p["cdata"]["keylen"];
    add("--key", key_of(p["cdata"]).substr(0, 2 * keylen));
    if (p["ivsize"] != 12) add("--salt", key_of(p["cdata"]).substr(2 * keylen));
    if (!p["encap"]) a.push_back("--decrypt");
    if (p["is_qi"]) a.push_back("--qi");
    return a;
  }
  if (name == "cnstr_shdsc_ahash" || name == "cnstr_shdsc_sk_hash") {
    const std::string state = p["state_name"];
    add("--state", state == "UPDATE"           ? "update"
                   : state == "INITFINAL"      ? "initfinal"
                   : state.starts_with("INIT") ? "init"
                                               : "final");
    if (name == "cnstr_shdsc_sk_hash") {
      // XCBC takes its key in two ways; the options either by address or inline.
      if (key_of(p["adata"]).size() != 2 * p["adata"]["keylen"].get<size_t>()) return std::nullopt;
      add("--auth", mac_name(algtype(p["adata"])));
      add("--key", key_of(p["adata"]));
      add("--key-dma", p["adata"]["key_dma"]);
      return a;
    }
    add("--auth", hash_name(algtype(p["adata"])));
    add("--era", number("era"));
    if (p["adata"]["keylen"] != 0) {
      json info = p["adata"];
      if (p["era"] < 6) info["key_inline"] = true;
      if (!add_auth_key(info, p["era"])) return std::nullopt;
    }
    return a;
  }
  if (name.starts_with("init_rsa") && !p.contains("source")) {
    const json& pdb = p["pdb"];
    if (std::stoul(pdb["sgf"].get<std::string>(), nullptr, 16) >> 28 != 0) return std::nullopt;
    for (const auto& [key, value] : pdb.items())
      if (key.ends_with("_dma")) add("--" + key.substr(0, key.size() - 4), value);
    add("--n-len", number("n_sz"));
    if (name == "init_rsa_pub_desc")
      add("--e-len", number("e_sz")), add("--f-len", std::to_string(pdb["f_len"].get<int>()));
    if (name.find("f1") != std::string::npos || name.find("f2") != std::string::npos) add("--d-len", number("d_sz"));
    if (name.find("f2") != std::string::npos || name.find("f3") != std::string::npos)
      add("--p-len", number("p_sz")), add("--q-len", number("q_sz"));
    return a;
  }
  if (name == "caam_process_blob") {
    add("--key-mod", p["key_mod"]), add("--in", p["dma_in"]), add("--len", number("input_len")),
        add("--out", p["dma_out"]);
    if (!p["encap"]) a.push_back("--decrypt");
    return a;
  }
  if (name == "build_instantiation_desc" || name == "build_deinstantiation_desc") {
    add("--handle", number("handle"));
    if (p.value("do_sk", false)) a.push_back("--secure-keys");
    return a;
  }
  if (name == "caam_init_desc" || name == "caam_init_prng_desc") {
    add("--out", p["dst_dma"]), add("--len", number("len"));
    return a;
  }
  return std::nullopt;
}

std::string words_of(const json& entry) {
  std::string text;
  for (const auto& word : entry["words"]) text += word.get<std::string>().substr(2) + "\n";
  return text;
}

TEST(Build, GivesTheWordsOfTheKernel) {
  for (const BuildCase& c : kBuildCases) {
    const json entries = golden(c.file);
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const json& e) { return e["name"] == c.entry; });
    ASSERT_NE(entry, entries.end()) << c.entry;
    std::vector<std::string> arguments{"build"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome o = caam(arguments);
    EXPECT_EQ(o.code, kExitOk) << c.entry << ": " << o.err;
    EXPECT_EQ(o.out, words_of(*entry)) << c.entry;
  }
}

TEST(Build, OptionsSayAllThatGoldenParametersSay) {
  unsigned built = 0, sayable = 0;
  for (const char* file : {"gcm", "misc", "pkc", "skcipher", "endian", "aead", "hash"})
    for (const json& entry : golden(file)) {
      const auto arguments = options_for(entry);
      if (!arguments || ++sayable % 3 != 0) continue;  // a third of them, for the time it takes
      const Outcome o = caam(*arguments);
      ASSERT_EQ(o.code, kExitOk) << entry["name"] << ": " << o.err;
      EXPECT_EQ(o.out, words_of(entry)) << entry["name"];
      ++built;
    }
  EXPECT_GT(built, 1100u);
}

// One of each constructor, from the parameters as they stand in the files.
TEST(Build, TakesParametersAsJson) {
  std::set<std::string> seen;
  for (const char* file : {"gcm", "misc", "pkc", "skcipher", "aead", "hash"})
    for (const json& entry : golden(file)) {
      if (!seen.insert(entry["constructor"]).second) continue;
      const Outcome o = caam({"build", entry["constructor"], "--params", "-"}, entry.dump());
      EXPECT_EQ(o.code, kExitOk) << o.err;
      EXPECT_EQ(o.out.substr(0, o.out.find('#')), words_of(entry)) << entry["name"];
    }
  EXPECT_EQ(seen.size(), 42u);
}

TEST(Build, ShareMode) {
  const json entry = golden("gcm")[0];
  EXPECT_NE(words_of(entry).find("b8800217"), std::string::npos);
  for (const auto& [mode, header] :
       {std::pair{"never", "b8800017"}, {"wait", "b8800117"}, {"serial", "b8800217"}, {"always", "b8800317"}}) {
    const Outcome o = caam({"build", "cnstr_shdsc_gcm_encap", "--key", kKey16, "--share", mode});
    EXPECT_EQ(o.out.substr(0, 8), header);
  }
}

TEST(Build, Formats) {
  const std::vector<std::string> rng{"build", "caam_init_desc", "--out", "0x1000", "--ptr", "4", "--format"};
  const auto as = [&](const char* format) {
    auto arguments = rng;
    arguments.push_back(format);
    return caam(arguments).out;
  };
  EXPECT_EQ(as("hex"), "b0800004\n82500002\n60340010\n00001000\n");
  EXPECT_EQ(
      as("c"),
      "/* caam_init_desc */\nstatic const u32 desc[4] = {\n\t0xb0800004, 0x82500002, 0x60340010, 0x00001000,\n};\n");
  EXPECT_NE(as("listing").find("  2  60340010  FIFO STORE      type=rng len=16 ptr=0x1000\n"), std::string::npos);
  const json j = json::parse(as("json"));
  EXPECT_EQ(j["words"][2], "0x60340010");
  EXPECT_EQ(j["constructor"], "caam_init_desc");
  EXPECT_EQ(j["lines"][2]["fields"]["len"], 16);
  EXPECT_EQ(j["params"]["dst_dma"], "0x1000");
}

TEST(Build, RequestsComeWithTheirTable) {
  const Outcome o = caam({"build", "init_gcm_job", "--sh-desc", "0x940000000", "--sh-len", "23", "--src", "0x1000:16",
                          "--src", "0x2000:48", "--sg", "0x9000", "--cryptlen", "48", "--assoclen", "16", "--iv",
                          "000102030405060708090a0b", "--json"});
  ASSERT_EQ(o.code, kExitOk) << o.err;
  const json j = json::parse(o.out);
  // In place: 64 bytes are there, the tag would need 16 more.
  ASSERT_EQ(j["sec4_sg"].size(), 4u);
  EXPECT_EQ(j["sec4_sg"][1][1], "0x40000030");
  EXPECT_EQ(j["lines"][1]["fields"]["sgf"], true);
}

TEST(Build, KeysFromFiles) {
  const std::string path =
      write_temp("key", std::string("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", 16));
  EXPECT_EQ(caam({"build", "cnstr_shdsc_gcm_encap", "--key", "@" + path}).out,
            caam({"build", "cnstr_shdsc_gcm_encap", "--key", kKey16}).out);
}

TEST(Build, ListsEveryConstructor) {
  const Outcome o = caam({"build", "--list"});
  EXPECT_EQ(o.code, kExitOk);
  for (const char* name : {"cnstr_shdsc_gcm_encap", "cnstr_shdsc_ahash", "init_rsa_priv_f3_desc", "caam_process_blob",
                           "ahash_finup_ctx", "gen_split_key"})
    EXPECT_NE(o.out.find(std::string(name) + "\n"), std::string::npos) << name;
}

struct FailCase {
  std::vector<std::string> arguments;
  const char* message;
};
const FailCase kBuildFailures[] = {
    {{"build"}, "--list shows all"},
    {{"build", "nothing"}, "no constructor \"nothing\""},
    {{"build", "gcm"}, "there is cnstr_shdsc_gcm_encap"},
    {{"build", "cnstr_shdsc_gcm_encap"}, "--key is needed"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00f"}, "--key: an odd number"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "0g"}, "--key"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "@/no/such/file"}, "/no/such/file cannot be read"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00", "--geniv"}, "--geniv is no option of cnstr_shdsc_gcm_encap"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00", "--ivsize", "300"}, "--ivsize: 300 is more than 255"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00", "--ivsize", "x"}, "--ivsize"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00", "--share", "maybe"}, "--share"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00", "--ptr", "5"}, "--ptr"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key", "00", "--frob"}, "--frob"},
    {{"build", "cnstr_shdsc_gcm_encap", "--key-dma", "0x100000000", "--keylen", "16", "--ptr", "4"},
     "OUT_OF_RANGE at word 3 (KEY)"},
    {{"build", "cnstr_shdsc_rfc4106_encap", "--key", kKey16, "--qi"}, "--salt is needed"},
    {{"build", "cnstr_shdsc_rfc4106_encap", "--key", kKey16, "--salt", "00"}, "--salt: 1 bytes; it has 4"},
    {{"build", "cnstr_shdsc_aead_encap", "--key", kKey16, "--auth-key", "00", "--auth", "sha3"},
     "no algorithm \"sha3\""},
    {{"build", "cnstr_shdsc_aead_encap", "--key", kKey16, "--auth-key", "00", "--era", "4"}, "before era 6"},
    {{"build", "cnstr_shdsc_aead_givencap", "--qi", "--key", std::string(64, '0'), "--auth", "sha512", "--auth-key",
      std::string(256, '0')},
     "NO_SPACE"},
    {{"build", "cnstr_shdsc_ahash", "--state", "begin"}, "--state"},
    {{"build", "init_rsa_pub_desc", "--share", "never"}, "job descriptor"},
    {{"build", "init_rsa_pub_desc", "--n-len", "5000"}, "--n-len: 5000 is more than 4095"},
    {{"build", "init_gcm_job", "--sh-desc", "0", "--sh-len", "23", "--src", "0x1000"}, "not ADDRESS:BYTES"},
    {{"build", "caam_process_blob", "--key-mod", std::string(34, '0'), "--in", "0", "--len", "16", "--out", "0"},
     "at most 16 bytes"},
    {{"build", "caam_process_blob", "--decrypt", "--key-mod", kKey16, "--in", "0", "--len", "16", "--out", "0"},
     "48 bytes"},
    {{"build", "cnstr_shdsc_gcm_encap", "--params", "/no/such/file"}, "cannot be read"},
};

TEST(Build, RefusesWithAReason) {
  for (const FailCase& c : kBuildFailures) {
    const Outcome o = caam(c.arguments);
    EXPECT_EQ(o.code, kExitUsage) << c.message;
    EXPECT_NE(o.err.find(c.message), std::string::npos) << c.message << ": " << o.err;
    EXPECT_TRUE(o.err.starts_with("caam build: ")) << o.err;
    EXPECT_EQ(o.out, "");
  }
  const Outcome both = caam({"build", "cnstr_shdsc_gcm_encap", "--params", "-", "--key", "00"}, "{}");
  EXPECT_EQ(both.code, kExitUsage);
  EXPECT_NE(both.err.find("exclude each other"), std::string::npos);
  EXPECT_NE(caam({"build", "cnstr_shdsc_gcm_encap", "--params", "-"}, "{").err.find("not JSON"), std::string::npos);
  EXPECT_NE(caam({"build", "cnstr_shdsc_gcm_encap", "--params", "-"}, "{}").err.find("params.caam_ptr_sz: missing"),
            std::string::npos);
}

// -- dump -----------------------------------------------------------------------------------------------------------

TEST(Dump, ReadsWhatBuildWrites) {
  const std::vector<std::string> gcm{"build", "cnstr_shdsc_gcm_encap", "--key", kKey16};
  auto listing = gcm;
  listing.insert(listing.end(), {"--format", "listing"});
  for (const char* format : {"hex", "c"}) {
    auto arguments = gcm;
    arguments.insert(arguments.end(), {"--format", format});
    const Outcome o = caam({"dump", "--ptr", "8"}, caam(arguments).out);
    EXPECT_EQ(o.code, kExitOk) << o.err;
    EXPECT_EQ(o.out.substr(o.out.find("  0  ")), caam(listing).out);
  }
}

TEST(Dump, SaysWhatItAssumes) {
  const Outcome o = caam({"dump"}, "b0800008 04000010 092beebe f000004b 37d49f77 f800007b 419d8fbf 870d0000");
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_TRUE(o.out.starts_with("# 8 words, as written\n")) << o.out;
  EXPECT_NE(o.out.find("# pointers of 4 bytes (--ptr): likely, with 4 bytes 0 oddities"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find(".target ptr=4 endian=little\n"), std::string::npos) << o.out;
  const Outcome swapped = caam({"dump", "--endian", "big", "--ptr", "4"}, "020080b0 010000a0");
  EXPECT_NE(swapped.out.find("# 2 words, the words are byte-swapped"), std::string::npos) << swapped.out;
  EXPECT_NE(swapped.out.find("byte order big"), std::string::npos);
}

TEST(Dump, SeveralDumps) {
  const std::string text = "shared:\nb8800002\na0000001\njob:\nb0821403\n00001000\na0000001\n";
  const Outcome o = caam({"dump", "--ptr", "4"}, text);
  EXPECT_NE(o.out.find("# dump 2 of 2, from line 5"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("# its shared descriptor has the length of dump 1"), std::string::npos) << o.out;
  const json j = json::parse(caam({"dump", "--json", "--ptr", "4"}, text).out);
  EXPECT_EQ(j["words"], 2);
  ASSERT_EQ(j["more"].size(), 1u);
  EXPECT_EQ(j["more"][0]["line"], 5);
  EXPECT_EQ(j["more"][0]["detected"]["ptr"]["sure"], "given");
}

TEST(Dump, ExitCodeOneWhenLinesAreMarked) {
  const Outcome o = caam({"dump", "--ptr", "4"}, "b0800010 48000000");
  EXPECT_EQ(o.code, kExitNo);
  EXPECT_NE(o.out.find("! it says 16 words, there are 2"), std::string::npos);
  EXPECT_NE(o.out.find("! no command has CTYPE 0x09"), std::string::npos);
  EXPECT_EQ(caam({"dump", "--ptr", "4", "--era", "4"}, "b0800002 e8010b04").code, kExitNo);
  EXPECT_EQ(caam({"dump", "--ptr", "4", "--era", "6"}, "b0800002 e8010b04").code, kExitOk);
}

TEST(Dump, Json) {
  const Outcome good =
      caam({"dump", "--json", "--ptr", "4"}, "[3] a1004003\n[4] 02800004\n[5] 03020100\n[6] 22500000\n[7] 00001000\n");
  EXPECT_EQ(good.code, kExitNo);  // the length word is missing
  const json j = json::parse(good.out);
  EXPECT_EQ(j["words"], 5);
  EXPECT_EQ(j["ptr_bytes"], 4);
  EXPECT_EQ(j["ptr_guessed"], false);
  EXPECT_EQ(j["lines"][0]["index"], 3);
  EXPECT_EQ(j["lines"][0]["target"], 6);
  EXPECT_EQ(j["lines"][0]["fields"]["jsl"], true);
  EXPECT_EQ(j["lines"][0]["fields"]["cond"], "shrd");
  EXPECT_EQ(j["lines"][1]["data"], "00010203");
  EXPECT_EQ(j["lines"][1]["operand_words"][0], "03020100");
  EXPECT_EQ(j["lines"][2]["pointer"], "0x1000");
  EXPECT_EQ(j["lines"][2]["notes"].size(), 1u);
}

constexpr const char* kSkipsItsKey = "b8800205 a1004003 02800004 03020100 8210090d";

TEST(Dump, CallsOfTheBuilder) {
  const Outcome o = caam({"dump", "--c"}, kSkipsItsKey);
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_TRUE(o.out.starts_with("#include \"desc/builder.h\"\n")) << o.out;
  EXPECT_NE(o.out.find("desc::Result<desc::Descriptor> make_descriptor() {"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("  const auto jump1 = d.append_jump({.jsl = true, .cond = kCondShrd});"), std::string::npos);
  const Outcome two = caam({"dump", "--c"}, std::string("one:\n") + kSkipsItsKey + "\ntwo:\n" + kSkipsItsKey);
  EXPECT_NE(two.out.find("make_descriptor_2()"), std::string::npos) << two.out;
}

TEST(Dump, Graph) {
  const Outcome o = caam({"dump", "--dot"}, kSkipsItsKey);
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_NE(o.out.find("digraph \"dump 1\""), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("b0 -> b2 [label=\"all shrd\"]"), std::string::npos) << o.out;
  // A job and its shared descriptor are one graph.
  const Outcome both =
      caam({"dump", "--dot", "--ptr", "4"}, "shared:\nb8800002\n8210090d\njob:\nb0821c03\n00001000\na0000001\n");
  EXPECT_EQ(both.out.find("digraph \"dump 1\""), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("digraph \"dumps 1 and 2\""), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("[label=\"  4  JUMP  -> 5\\l  1  OPERATION "), std::string::npos) << both.out;
}

TEST(Dump, Explained) {
  const Outcome o = caam({"dump", "--explain"}, kSkipsItsKey);
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_NE(o.out.find("               # what a shared job finds already is not done again: past KEY\n"
                       "  1  a1004003  JUMP"),
            std::string::npos)
      << o.out;
}

// Graphviz is played by a script, so that the test takes no package.
TEST(Dump, Picture) {
  const std::string folder = testing::TempDir() + "/graphviz";
  std::filesystem::create_directory(folder);
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  const Outcome absent = caam({"dump", "--svg"}, kSkipsItsKey);
  std::ofstream(folder + "/dot") << "#!/bin/sh\n[ $1 = -Tsvg ] && read first < $2 && echo \"<svg>$first</svg>\"\n";
  std::filesystem::permissions(folder + "/dot", std::filesystem::perms::owner_all);
  const Outcome drawn = caam({"dump", "--svg"}, kSkipsItsKey);
  std::ofstream(folder + "/dot") << "#!/bin/sh\nexit 1\n";
  const Outcome refused = caam({"dump", "--svg"}, kSkipsItsKey);
  setenv("PATH", path.c_str(), 1);
  const Outcome two = caam({"dump", "--svg"}, std::string(kSkipsItsKey) + "\nagain:\n" + kSkipsItsKey);
  EXPECT_NE(two.err.find("--svg draws one descriptor, and there are 2"), std::string::npos) << two.err;
  EXPECT_EQ(absent.code, kExitUsage);
  EXPECT_NE(absent.err.find("there is no program `dot`; install Graphviz"), std::string::npos) << absent.err;
  EXPECT_EQ(drawn.code, kExitOk) << drawn.err;
  EXPECT_EQ(drawn.out, "<svg>digraph \"dump 1\" {</svg>\n");
  EXPECT_EQ(refused.code, kExitUsage);
  EXPECT_NE(refused.err.find("could not draw"), std::string::npos) << refused.err;
}

TEST(Dump, ColoursOnlyWhereAsked) {
  const std::string words = "b8800010 a1004003 02800004 03020100 8210090d";
  const std::string plain = caam({"dump"}, words).out;
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_EQ(caam({"dump", "--color", "never"}, words).out, plain);
  std::string coloured = caam({"dump", "--color", "always"}, words).out;
  EXPECT_NE(coloured.find("\x1b[31m"), std::string::npos) << "notes are red";
  // Without its colours it is the plain one.
  for (size_t at; (at = coloured.find('\x1b')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, plain);
}

TEST(Dump, Binary) {
  const std::string bytes("\xb0\x80\x00\x02\xa0\x00\x00\x01", 8);
  const std::string path = write_temp("desc.bin", bytes);
  const Outcome o = caam({"dump", "--binary", "--endian", "big", path});
  EXPECT_EQ(o.code, kExitOk) << o.err;
  EXPECT_NE(o.out.find("  1  a0000001  JUMP"), std::string::npos);
  EXPECT_NE(caam({"dump", "--binary", "-"}, bytes.substr(1)).err.find("7 bytes"), std::string::npos);
}

TEST(Dump, SingleWords) {
  const Outcome o = caam({"dump", "--single"}, "02800010\nf0400000\n");
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_NE(o.out.find("  1  f0400000  SEQ IN PTR"), std::string::npos);
}

TEST(Dump, RefusesWithAReason) {
  for (const FailCase& c :
       {FailCase{{"dump", "/no/such/file"}, "/no/such/file cannot be read"}, FailCase{{"dump", "--era", "0"}, "--era"},
        FailCase{{"dump", "--endian", "odd"}, "--endian"}, FailCase{{"dump", "a", "b"}, "b"},
        FailCase{{"dump"}, "standard input: MALFORMED: no words"}}) {
    const Outcome o = caam(c.arguments, "nothing");
    EXPECT_EQ(o.code, kExitUsage) << c.message;
    EXPECT_NE(o.err.find(c.message), std::string::npos) << o.err;
  }
}

// -- verify ---------------------------------------------------------------------------------------------------------

// All files: tests/golden/golden_test.cc.
TEST(Verify, CountsPerFile) {
  const Outcome o = caam({"verify", "--golden", "tests/golden/pkc.json", "tests/golden/skcipher.json"});
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_EQ(o.out, "tests/golden/pkc.json: 250 of 250 identical\ntests/golden/skcipher.json: 192 of 192 identical\n");
}

TEST(Verify, NamesWhatDiffers) {
  json entries = json::array({golden("gcm")[0], golden("gcm")[1], golden("gcm")[2]});
  entries[1]["words"][18] = "0x2b120001";
  entries[2]["constructor"] = "cnstr_shdsc_tomorrow";
  const std::string path = write_temp("some.json", json{{"entries", entries}}.dump());
  const Outcome o = caam({"verify", "--golden", path});
  EXPECT_EQ(o.code, kExitNo);
  EXPECT_NE(o.out.find("1 of 3 identical"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find(entries[1]["name"].get<std::string>() + " (cnstr_shdsc_gcm_encap) words: word 18 is "),
            std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("should be 2b120001 (SEQ FIFO LOAD class1 vlf type=msg+last1 len=1)"), std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("there is no constructor `cnstr_shdsc_tomorrow`"), std::string::npos) << o.out;

  const json j = json::parse(caam({"verify", "--json", "--golden", path}).out);
  EXPECT_EQ(j[0]["identical"], 1);
  EXPECT_EQ(j[0]["mismatches"][0]["word"], 18);
  EXPECT_EQ(j[0]["mismatches"][0]["what"], "words");

  const Outcome shortened = caam({"verify", "--show", "1", "--golden", path});
  EXPECT_NE(shortened.out.find("... and 1 more"), std::string::npos) << shortened.out;
}

TEST(Verify, FilesOfSomethingElse) {
  const std::string other = write_temp("other.json", "{\"meta\": 1}"), broken = write_temp("broken.json", "{");
  const std::string good = write_temp("good.json", json{{"entries", json::array({golden("gcm")[0]})}}.dump());
  EXPECT_EQ(caam({"verify", "--golden", other}).code, kExitUsage);
  EXPECT_EQ(caam({"verify", "--golden", broken}).code, kExitUsage);
  EXPECT_EQ(caam({"verify", "--golden", "/no/such/file"}).code, kExitUsage);
  EXPECT_EQ(caam({"verify"}).code, kExitUsage);
  // Among others it is passed over; what cannot be read is not.
  const Outcome o = caam({"verify", "--golden", other, good});
  EXPECT_EQ(o.code, kExitOk) << o.err;
  EXPECT_NE(o.err.find("other.json: no list `entries`"), std::string::npos) << o.err;
  EXPECT_EQ(caam({"verify", "--golden", broken, good}).code, kExitUsage);
}

// -- the program ----------------------------------------------------------------------------------------------------

TEST(Program, Help) {
  const Outcome o = caam({"--help"});
  EXPECT_EQ(o.code, kExitOk);
  for (const char* text : {"dump", "build", "verify", "exit codes"})
    EXPECT_NE(o.out.find(text), std::string::npos) << text;
  for (const char* sub : {"dump", "build", "verify"}) {
    const Outcome help = caam({sub, "--help"});
    EXPECT_EQ(help.code, kExitOk);
    EXPECT_NE(help.out.find("Usage: caam " + std::string(sub)), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("exit codes"), std::string::npos);
    EXPECT_EQ(help.err, "");
  }
}

TEST(Program, WrongUsage) {
  EXPECT_EQ(caam({}).code, kExitUsage);
  const Outcome o = caam({"frob"});
  EXPECT_EQ(o.code, kExitUsage);
  EXPECT_EQ(o.err, "caam: there is no subcommand \"frob\"; there are dump, build, verify\n");
  EXPECT_EQ(caam({"--frob"}).code, kExitUsage);
}

}  // namespace
}  // namespace caamlab::tools
