// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Listings: tests/listings/*.txt word by word, dumps from the field, and that broken input stays harmless.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "desc/descriptor.h"
#include "desc/text/disassemble.h"
#include "desc/text/read_words.h"

namespace caamlab::desc {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
ReadWords read_dump(const std::string& name) {
  const auto words = read_words(read_file("tests/dumps/" + name + ".txt"), Endian::kLittle);
  EXPECT_TRUE(words) << name;
  return words ? *words : ReadWords{};
}

// -- tests/listings -------------------------------------------------------------------------------------------------

struct Block {
  std::string title, expected;
  DisassembleOptions options;
  std::vector<uint32_t> words;
};

DisassembleOptions parse_options(std::istringstream in) {
  DisassembleOptions options;
  for (std::string name, value; in >> name;) {
    if (name == "--single") {
      options.single = true;
      continue;
    }
    in >> value;
    if (name == "--ptr") options.target.ptr_bytes = static_cast<uint8_t>(std::stoul(value));
    if (name == "--endian") options.target.endian = value == "big" ? Endian::kBig : Endian::kLittle;
    if (name == "--endian") options.target.imx = value == "imx";
    if (name == "--era") options.era = std::stoi(value);
    if (name == "--first-index") options.first_index = static_cast<unsigned>(std::stoul(value));
  }
  return options;
}

std::vector<Block> read_blocks(const std::string& path) {
  std::vector<Block> blocks;
  std::istringstream in(read_file(path));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# ")) {
      blocks.push_back({.title = line.substr(2), .expected = {}, .options = {}, .words = {}});
    } else if (line.starts_with("options: ")) {
      blocks.back().options = parse_options(std::istringstream(line.substr(9)));
    } else if (line.starts_with("words: ")) {
      std::istringstream words(line.substr(7));
      for (std::string word; words >> word;)
        blocks.back().words.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
    } else if (!line.empty()) {
      blocks.back().expected += line + '\n';
    }
  }
  return blocks;
}

TEST(Listings, AreAsInTheFiles) {
  unsigned blocks = 0;
  for (const auto& file : std::filesystem::directory_iterator("tests/listings")) {
    if (file.path().extension() != ".txt") continue;
    for (const Block& block : read_blocks(file.path())) {
      ++blocks;
      EXPECT_EQ(to_text(disassemble(block.words, block.options)), block.expected) << file.path() << ": " << block.title;
    }
  }
  EXPECT_GE(blocks, 30u);
}

// -- dumps ----------------------------------------------------------------------------------------------------------

struct DumpCase {
  const char* name;
  uint8_t ptr_bytes;
  size_t words;
  std::vector<const char*> lines;  // starts of lines that have to be there
  const char* note = "";
};
const DumpCase kDumps[] = {
    {"01-boot-loader-words",
     4,
     14,
     {"  0  b080000a  JOB HDR", "  1  04000010  KEY             class2 len=16 ptr=0x4fd7ab20",
      "  3  f0400000  SEQ IN PTR      ext len=0 ptr=0x4fd7a9f8 extlen=64", "  9  870d0000  PROTOCOL        type=encap"},
     "4 of 14 words lie behind the descriptor"},
    {"03-bare-words-black-key",
     4,
     13,
     {"  0  b081000d  JOB HDR         start=1",
      "  1  12820004  LOAD            class1 imm dst=data_size len=4 value=0x20",
      "  3  82500010  OPERATION       class1 alg=rng", "  5  14810004  LOAD            class2 imm dst=key_size",
      " 10  64140020  FIFO STORE      class2 type=key-ccm-jdkek len=32 ptr=0x43b17000",
      " 12  a1001001  JUMP            jsl test=all cond=calm -> 13  ; wait"}},
    {"05-indexed-tail-before",
     4,
     11,
     {" 29  10fa0004  LOAD            imm dst=nfifo len=4 value=0x81f00010  ; dest=class2 stype=ofifo dtype=msg len=16",
      " 31  14820004  LOAD", " 33  8210010d  OPERATION       class1 alg=aes aai=cbc",
      " 39  5c20000c  SEQ STORE       class2 src=context len=12"},
     "no header: a piece of a descriptor"},
    {"05-indexed-tail-after", 4, 5, {" 37  a1000401  JUMP            jsl test=all cond=nifp -> 38  ; wait"}},
    {"06-indexed-shared-descriptor",
     4,
     53,
     {"  0  b8800335  SHR HDR         share=always len=53", "  1  04800004  KEY             class2 imm len=4",
      " 37  82700c0d  OPERATION       class1 alg=kasumi aai=f8",
      " 43  10fa0004  LOAD            imm dst=nfifo len=4 value=0xd3f00000  ; dest=both lc1 stype=snoop",
      " 48  16860016  LOAD            deco imm dst=deco_ctrl ofifo_offset_valid ofifo_offset=6"}},
    {"08-plain-blob-example",
     4,
     8,
     {"  1  04000010  KEY             class2 len=16 ptr=0x92beebe",
      "  3  f000004b  SEQ IN PTR      len=75 ptr=0x37d49f77"}},
    {"08-plain-dtls-encap-iv-ver",
     4,
     53,
     {"  0  b88c0235  SHR HDR         start=12", " 11  00000000  PDB",
      " 21  04c30028  KEY             class2 imm enc kdest=mdha-split len=40",
      " 50  a0c004ff  JUMP            type=halt-user test=all cond=math_z status=0xff",
      " 52  56420408  STORE           deco src=shrdesc offset=4 len=8"}},
    {"08-plain-hmac-1",
     8,
     12,
     {"  4  8443004d  OPERATION       class2 alg=sha256 aai=hmac-precomp as=initfinal encrypt"}},
};

TEST(Dumps, AreListed) {
  for (const DumpCase& c : kDumps) {
    const ReadWords input = read_dump(c.name);
    EXPECT_EQ(input.words.size(), c.words) << c.name;
    const DisassembleOptions options{.target = {.ptr_bytes = c.ptr_bytes}, .first_index = input.first_index};
    const Listing listing = disassemble(input.words, options);
    const std::string text = "\n" + to_text(listing);
    for (const char* line : c.lines)
      EXPECT_NE(text.find("\n" + std::string(line)), std::string::npos) << c.name << ": " << line << text;
    EXPECT_NE(text.find(c.note), std::string::npos) << c.name << text;
  }
}

// Comments of their author disagreed with the bits.
TEST(Dumps, SingleWords) {
  const ReadWords input = read_dump("09-single-words");
  const Listing listing = disassemble(input.words, {.target = {.ptr_bytes = 4}, .single = true});
  ASSERT_EQ(listing.lines.size(), input.words.size());
  const auto line_of = [&](uint32_t word) {
    for (const ListedLine& line : listing.lines)
      if (line.word == word) return line.mnemonic + " " + operands_text(line);
    return std::string("none");
  };
  EXPECT_EQ(line_of(0xa0000405), "JUMP test=all cond=math_z -> 35");
  EXPECT_EQ(line_of(0x79360408), "MOVE wc src=descbuf dst=math2 offset=4 len=8");
  EXPECT_EQ(line_of(0xac024208), "MATH ifb fn=add src0=math2 src1=imm dst=math2 len=8");
  EXPECT_EQ(line_of(0x7961000c), "MOVE wc src=math2 dst=class2ctx len=12");
}

// A black key of 20 bytes takes 32 (ECB) or 36 (CCM) bytes of the descriptor.
TEST(Dumps, BlackKeysInline) {
  for (const auto& [word, bytes] : {std::pair{0x04c00014u, 32u}, std::pair{0x04d00014u, 36u}}) {
    std::vector<uint32_t> words(20, 0);
    words[0] = 0xb0800014;
    words[1] = word;
    const Listing listing = disassemble(words, {});
    EXPECT_EQ(listing.lines[1].data.size(), bytes);
    EXPECT_EQ(listing.lines[2].index, 2 + bytes / 4);
  }
}

TEST(Dumps, PointerSizeIsGuessed) {
  const Target target;
  for (const char* name : {"01-boot-loader-words", "03-bare-words-black-key", "08-plain-blkcipher-seq",
                           "08-plain-blob-example", "08-plain-dual-1"})
    EXPECT_EQ(guess_ptr_bytes(read_dump(name).words, target, 8), 4) << name;
  EXPECT_EQ(guess_ptr_bytes(read_dump("08-plain-hmac-1").words, {.endian = Endian::kBig}, 4), 8);
  // Nothing to tell by.
  EXPECT_EQ(guess_ptr_bytes(read_dump("08-plain-if-commands").words, target, 8), 8);
  EXPECT_EQ(guess_ptr_bytes(read_dump("08-plain-if-commands").words, target, 4), 4);
}

// -- any input ------------------------------------------------------------------------------------------------------

// Every word is listed, once and in order.
void expect_all_words(std::span<const uint32_t> words, const Listing& listing) {
  size_t next = 0;
  for (const ListedLine& line : listing.lines) {
    ASSERT_EQ(line.index, next);
    ASSERT_EQ(line.word, words[next]);
    ++next;
    for (uint32_t word : line.operand_words) ASSERT_EQ(word, words[next++]);
  }
  ASSERT_EQ(next, words.size());
}

TEST(AnyInput, RandomWords) {
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint32_t> words(random() % 80);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    // Half of them with a header.
    if (!words.empty() && i % 2 == 0) words[0] = (i % 4 == 0 ? 0xb0800000 : 0xb8800000) | (words[0] & 0x007F1F7F);
    for (uint8_t ptr_bytes : {4, 8}) {
      const Listing listing = disassemble(words, {.target = {.ptr_bytes = ptr_bytes}, .era = 4});
      expect_all_words(words, listing);
      EXPECT_FALSE(to_text(listing).empty() && !words.empty());
    }
    for (unsigned index = 0; index < words.size(); index += 7) EXPECT_FALSE(describe_word_at(words, index, {}).empty());
  }
}

TEST(AnyInput, Nothing) {
  EXPECT_TRUE(disassemble({}, {}).lines.empty());
  EXPECT_EQ(to_text(disassemble({}, {})), "");
  EXPECT_EQ(describe_word_at({}, 0, {}), "no word of the descriptor");
}

TEST(AnyInput, WordsAreDescribed) {
  const uint32_t words[] = {0xb0800004, 0x02000010, 0x00001000, 0x5a200010};
  const DisassembleOptions options{.target = {.ptr_bytes = 4}};
  EXPECT_EQ(describe_word_at(words, 0, options), "JOB HDR share=never len=4");
  EXPECT_EQ(describe_word_at(words, 2, options), "operand 1 of the KEY at 1");
  EXPECT_EQ(describe_word_at(words, 3, options), "SEQ STORE class1 src=context len=16");
}

}  // namespace
}  // namespace caamlab::desc
