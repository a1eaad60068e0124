// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Status words in text: which are found, what they are said to be, what is no status word, and what is left alone.
#include "desc/text/find_status.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "desc/status/codes.h"
#include "desc/status/status_line.h"
#include "desc/text/read_words.h"
#include "desc/text/status_place.h"

namespace caamlab::desc {
namespace {

std::string read_dump(const std::string& name) {
  std::ifstream in("tests/dumps/" + name + ".txt");
  EXPECT_TRUE(in) << name;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// "line kind word", one a find.
std::string summary(const std::vector<FoundStatus>& found) {
  std::string text;
  for (const FoundStatus& f : found) {
    static constexpr const char* kKinds[] = {"status", "ring", "errno", "tee"};
    char line[64];
    std::snprintf(line, sizeof(line), "%u %s %08x\n", f.line, kKinds[static_cast<int>(f.kind)], f.word);
    text += line;
  }
  return text;
}

struct FileCase {
  const char* name;
  const char* found;
};
const FileCase kFiles[] = {
    {"15-status-lines",
     "1 status 20000b0f\n2 status 2000025b\n3 status 2000025b\n4 status 20003c5b\n5 status 20000254\n"
     "6 status 2000081a\n7 status 40000013\n8 status 40001713\n9 status 40000006\n10 status 40000789\n"
     "11 ring 00000103\n"},
    {"10-event-bytes", "3 status 40003606\n"},
    {"01-boot-loader-words", "29 status 40000006\n30 status 40000006\n31 status 40000006\n"},
    {"11-sg-table-decoded", "17 status 40001210\n"},
    // Descriptors have none.
    {"03-bare-words-black-key", ""},
    {"05-indexed-tail-before", ""},
    {"06-indexed-shared-descriptor", ""},
    {"08-plain-dual-1", ""},
    {"08-plain-dtls-encap-iv-ver", ""},
    {"09-single-words", ""},
    {"fmt-kernel-be-engine-on-le-host", ""},
    {"fmt-kernel-bytes-group1", ""},
    {"fmt-desc-bracket-no-zeros", ""},
};

TEST(FindStatus, InFiles) {
  for (const FileCase& c : kFiles) EXPECT_EQ(summary(find_status(read_dump(c.name))), c.found) << c.name;
}

struct LineCase {
  const char* text;
  const char* found;
  bool bare = false;
};
const LineCase kLines[] = {
    {"caam_jr 8020000.jr: 20000B0F: CCB: desc idx 11: : x", "1 status 20000b0f\n"},
    {"> > [    1.000000] caam_jr 30901000.jr: 40001713: DECO: desc idx 23: y", "1 status 40001713\n"},
    {"0x2000 081A\xe2\x80\xac", "1 status 2000081a\n"},
    {"2000 081a", "1 status 2000081a\n", true},
    {"2000 081a", "", false},
    {"status = 0x2000081a, done", "1 status 2000081a\n"},
    {"Error 1073741843", "1 status 40000013\n"},
    {"2000081a", "1 status 2000081a\n"},
    {"2000081a\n2b120000\n", ""},
    {"0 2000081a", "1 status 00000000\n1 status 2000081a\n", true},
    {"deadbeef", "1 status deadbeef\n", true},
    {"deadbeef", ""},
    // Devices and addresses.
    {"caam_jr 30902000.jr: registering rng-caam", ""},
    {"caam 30900000.crypto: device ID = 0x0a16030000000000 (Era 8)", ""},
    {"jobdesc@103: 0000000046c1e580: 20000012 40000013 28000010 00000000", ""},
    {"job ring error: irqstate: 00000103", "1 ring 00000103\n"},
    {"caam_jr: probe failed with error -22", "1 errno ffffffea\n"},
    {"alg: aead: gcm-aes-caam encryption test failed: ret=-74", "1 errno ffffffb6\n"},
    {"E/TC: TEE load failed: res = 0xffff0008", "1 tee ffff0008\n"},
    {"ret 0xffffffea from caam", "1 errno ffffffea\n"},
    {"-110", "1 errno ffffff92\n", true},
    {"", ""},
};

TEST(FindStatus, InLines) {
  for (const LineCase& c : kLines) EXPECT_EQ(summary(find_status(c.text, c.bare)), c.found) << c.text;
}

struct ContradictionCase {
  const char* text;
  const char* says;  // part of what is said; empty: none
};
const ContradictionCase kContradictions[] = {
    {"40001210: DECO: desc idx 13: z", "index 13, the word says 18"},
    {"40001210: DECO: desc idx 18: z", ""},
    {"20000254: CCB: desc idx 2: RNG: Not instantiated", ""},
    {"20000254: CCB: desc idx 2: AES: Not instantiated", "says AES, the word says RNG"},
    {"20000254: DECO: desc idx 2: z", "says DECO, the word is from CCB"},
    {"800000aa: DECO: desc idx 0: z", "no status word"},
};
TEST(FindStatus, LineAgainstWord) {
  for (const ContradictionCase& c : kContradictions) {
    const auto found = find_status(c.text);
    ASSERT_EQ(found.size(), 1u) << c.text;
    std::string all;
    for (const std::string& s : found[0].contradictions) all += s + "\n";
    EXPECT_EQ(all.empty(), *c.says == '\0') << c.text << ": " << all;
    EXPECT_NE(all.find(c.says), std::string::npos) << c.text << ": " << all;
  }
}

TEST(FindStatus, LookAlikes) {
  const auto text = [](const char* line) { return look_alike_text(find_status(line, true).at(0)); };
  EXPECT_NE(text("irqstate: 00000103").find("ring error, error type 0x1"), std::string::npos);
  EXPECT_NE(text("irqstate: 0000000a").find("halted"), std::string::npos);
  EXPECT_NE(text("irqstate: 00000000").find("nothing set"), std::string::npos);
  EXPECT_NE(text("-74").find("EBADMSG"), std::string::npos);
  EXPECT_NE(text("-133").find("-133"), std::string::npos);
  EXPECT_NE(text("0xffff0010").find("TEE_ERROR_SHORT_BUFFER"), std::string::npos);
  EXPECT_NE(text("0xffff7777").find("not one of the standard codes"), std::string::npos);
}

// Every code of every source has a name, and those with a name are known.
TEST(StatusCodes, AreKnown) {
  for (const StatusCode& row : deco_codes()) {
    const JrStatus s{0x40000500u | row.code};
    EXPECT_TRUE(is_known_status(s.word));
    EXPECT_EQ(code_text(s), row.text);
    EXPECT_EQ(code_causes(s), row.causes);
    if (row.code != 0) {
      EXPECT_FALSE(row.causes.empty()) << row.text;
    }
  }
  for (unsigned cha = 0; cha < cha_texts().size(); ++cha)
    for (const StatusCode& row : ccb_codes()) EXPECT_TRUE(is_known_status(0x20000000u | cha << 4 | row.code));
  for (const StatusCode& row : qi_codes()) EXPECT_TRUE(is_known_status(0x50000000u | row.code));
  for (const StatusCode& row : ring_codes()) EXPECT_TRUE(is_known_status(0x60000000u | row.code));
  for (uint32_t word : {0x40000005u, 0x400000FFu, 0x20000FF1u, 0x40010006u, 0x10000000u, 0x00000001u, 0x50000101u})
    EXPECT_FALSE(is_known_status(word)) << std::hex << word;
  // RNG and PKHA give one number different meanings.
  EXPECT_EQ(code_text(JrStatus{0x20000254}), "Not instantiated");
  EXPECT_EQ(code_text(JrStatus{0x20000284}), "PKHA A memory size error");
}

// -- beside a descriptor --------------------------------------------------------------------------------------------

struct PlaceCase {
  const char* dump;
  uint32_t status;
  uint8_t ptr_bytes;
  const char* where;
  const char* contradiction;  // part of one; empty: none
};
const PlaceCase kPlaces[] = {
    {"01-boot-loader-words", 0x40000006, 4, "JOB HDR", "cannot come from a JOB HDR"},
    {"01-boot-loader-words", 0x40000106, 4, "KEY class2", ""},
    {"01-boot-loader-words", 0x40000206, 4, "KEY class2", "operand 1 of the KEY at 1"},
    {"01-boot-loader-words", 0x40000310, 4, "SEQ IN PTR", ""},
    {"01-boot-loader-words", 0x400009C4, 4, "PROTOCOL", ""},
    {"01-boot-loader-words", 0x40000013, 4, "JOB HDR", ""},
    {"01-boot-loader-words", 0x40000A13, 4, "there is no word 10", "not in this descriptor"},
    {"08-plain-blkcipher-seq", 0x2000081A, 4, "KEY class1", ""},
    {"08-plain-blkcipher-seq", 0x20000D42, 4, "SEQ FIFO STORE", "no OPERATION of these words runs on MDHA"},
    {"08-plain-blkcipher-seq", 0x20000E12, 4, "there is no word 14", ""},
    {"08-plain-blkcipher-seq", 0x40000A16, 4, "MATH", ""},
    {"08-plain-blkcipher-seq", 0x30000A42, 4, "MATH", "only JUMP halt-user"},
    {"08-plain-blkcipher-seq", 0x48000106, 4, "target of a non-local jump", ""},
    {"08-plain-blkcipher-seq", 0x60000001, 4, "no index", ""},
    {"05-indexed-tail-before", 0x40002510, 4, "SEQ FIFO LOAD", ""},
    {"05-indexed-tail-before", 0x40000110, 4, "there is no word 1", "not in this descriptor"},
};
TEST(StatusPlace, WordAgainstDescriptor) {
  for (const PlaceCase& c : kPlaces) {
    const auto input = read_words(read_dump(c.dump), Endian::kLittle);
    ASSERT_TRUE(input) << c.dump;
    const StatusPlace place = place_status(JrStatus{c.status}, input->words,
                                           {.target = {.ptr_bytes = c.ptr_bytes}, .first_index = input->first_index});
    const std::string title = fmt::format("{} {:08x}: {}", c.dump, c.status, place.where);
    EXPECT_NE(place.where.find(c.where), std::string::npos) << title;
    std::string all;
    for (const std::string& s : place.contradictions) all += s + "\n";
    EXPECT_EQ(all.empty(), *c.contradiction == '\0') << title << ": " << all;
    EXPECT_NE(all.find(c.contradiction), std::string::npos) << title << ": " << all;
  }
}

// A job descriptor lies behind its shared one.
TEST(StatusPlace, SharedDescriptor) {
  const uint32_t job[] = {0xb0841c05, 0x00002000, 0xf0000010, 0x00003000, 0xa0000001};  // REO
  const uint32_t late[] = {0xb0841405, 0x00002000, 0xf0000010, 0x00003000, 0xa0000001};
  const DisassembleOptions options{.target = {.ptr_bytes = 4}};
  EXPECT_NE(place_status(JrStatus{0x40000210}, job, options).where.find("SEQ IN PTR"), std::string::npos);
  EXPECT_NE(place_status(JrStatus{0x40000210}, late, options).where.find("of the shared descriptor"),
            std::string::npos);
  EXPECT_NE(place_status(JrStatus{0x40000610}, late, options).where.find("SEQ IN PTR"), std::string::npos);
  const uint32_t halt[] = {0xb0800002, 0xa0c00042};
  EXPECT_TRUE(place_status(JrStatus{0x30000142}, halt, options).contradictions.empty());
  EXPECT_FALSE(place_status(JrStatus{0x30000143}, halt, options).contradictions.empty());
}

// -- any input ------------------------------------------------------------------------------------------------------

TEST(AnyText, IsRead) {
  std::mt19937 random(11);
  static constexpr std::string_view kPieces[] = {"2000081a", " ",      ":",        "DECO",       "desc idx ", "0x",
                                                 "\n",       "-22",    "irqstate", "\xff",       "[",         "db",
                                                 "40000006", "status", ",",        "99999999999"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned n = random() % 40; n != 0; --n) text += kPieces[random() % std::size(kPieces)];
    for (const FoundStatus& f : find_status(text, i % 2 == 0)) {
      EXPECT_FALSE(status_line(f.word).empty());
      EXPECT_EQ(f.kind == FoundKind::kStatus, look_alike_text(f).empty());
    }
  }
}

}  // namespace
}  // namespace caamlab::desc
