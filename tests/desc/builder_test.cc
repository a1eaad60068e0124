// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The builder: words by hand for each way to append, byte and pointer orders, errors with index and command.
#include "desc/builder.h"

#include <gtest/gtest.h>

#include <numeric>

namespace caamlab::desc {
namespace {

using enum MathReg;

constexpr Target kLittle8{.ptr_bytes = 8, .endian = Endian::kLittle};
constexpr Target kLittle4{.ptr_bytes = 4, .endian = Endian::kLittle};
constexpr Target kBig8{.ptr_bytes = 8, .endian = Endian::kBig};
constexpr Target kImx8{.ptr_bytes = 8, .endian = Endian::kLittle, .imx = true};
constexpr uint64_t kAddr = 0x1122334455667788;
const std::vector<uint8_t> kBytes = [] {
  std::vector<uint8_t> bytes(300);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return bytes;
}();
ByteSpan bytes(size_t n) { return ByteSpan(kBytes).first(n); }

// Words behind the header.
struct BuilderCase {
  const char* name;
  Target target;
  void (*append)(Builder&);
  std::vector<uint32_t> words;
};
const BuilderCase kCases[] = {
    {"key by pointer",
     kLittle8,
     [](Builder& d) { d.append_key(kAddr, 16, {.cls = ClassSel::kClass1}); },
     {0x02000010, 0x55667788, 0x11223344}},
    {"key by 4-byte pointer",
     kLittle4,
     [](Builder& d) { d.append_key(0x11223344, 16, {.cls = ClassSel::kClass2}); },
     {0x04000010, 0x11223344}},
    {"big-endian pointer",
     kBig8,
     [](Builder& d) { d.append_key(kAddr, 16, {.cls = ClassSel::kClass1}); },
     {0x02000010, 0x11223344, 0x55667788}},
    {"i.MX pointer",
     kImx8,
     [](Builder& d) { d.append_key(kAddr, 16, {.cls = ClassSel::kClass1}); },
     {0x02000010, 0x11223344, 0x55667788}},
    {"inline key, little",
     kLittle8,
     [](Builder& d) { d.append_key_as_imm(bytes(5), 5, {.cls = ClassSel::kClass1}); },
     {0x02800005, 0x03020100, 0x00000004}},
    {"inline key, big",
     kBig8,
     [](Builder& d) { d.append_key_as_imm(bytes(5), 5, {.cls = ClassSel::kClass1}); },
     {0x02800005, 0x00010203, 0x04000000}},
    {"padded black key",
     kLittle8,
     [](Builder& d) { d.append_key_as_imm(bytes(8), 5, {.cls = ClassSel::kClass2, .enc = true}); },
     {0x04c00005, 0x03020100, 0x07060504}},
    {"load number",
     kBig8,
     [](Builder& d) { d.append_load_imm_u32(0x12345678, {.dst = kRegClrw}); },
     {0x10880004, 0x12345678}},
    {"load number, little",
     kLittle8,
     [](Builder& d) { d.append_load_imm_u32(0x12345678, {.dst = kRegClrw}); },
     {0x10880004, 0x12345678}},
    {"load number, length is a register",
     kLittle8,
     [](Builder& d) { d.append_load_imm_u32(0x12345678, {.dst = kRegNfifoSzm, .len = 3}); },
     {0x10f10003, 0x12345678}},
    {"load be32, little",
     kLittle8,
     [](Builder& d) { d.append_load_imm_be32(1, {.cls = ClassSel::kClass1, .dst = kRegContext, .offset = 28}); },
     {0x12a01c04, 0x01000000}},
    {"load be32, big",
     kBig8,
     [](Builder& d) { d.append_load_imm_be32(1, {.cls = ClassSel::kClass1, .dst = kRegContext, .offset = 28}); },
     {0x12a01c04, 0x00000001}},
    {"load bytes",
     kLittle8,
     [](Builder& d) { d.append_load_as_imm(bytes(4), {.dst = kRegOfifo}); },
     {0x10fe0004, 0x03020100}},
    {"load by pointer",
     kLittle8,
     [](Builder& d) { d.append_load(kAddr, {.cls = ClassSel::kClass1, .dst = kRegContext, .len = 16}); },
     {0x12200010, 0x55667788, 0x11223344}},
    {"load without data",
     kLittle8,
     [](Builder& d) { d.append_load_cmd({.cls = ClassSel::kDeco, .dst = kRegControl, .offset = 8}); },
     {0x16860800}},
    {"seq load",
     kLittle8,
     [](Builder& d) { d.append_seq_load(4, {.cls = ClassSel::kDeco, .dst = kRegMath3, .offset = 4}); },
     {0x1e0b0404}},
    {"store",
     kLittle8,
     [](Builder& d) { d.append_store(kAddr, {.cls = ClassSel::kClass2, .src = kRegContext, .len = 8}); },
     {0x54200008, 0x55667788, 0x11223344}},
    {"store of the job descriptor",
     kLittle8,
     [](Builder& d) { d.append_store(kAddr, {.cls = ClassSel::kDeco, .src = kRegJobDesc, .offset = 4, .len = 8}); },
     {0x56410408}},
    {"seq store",
     kLittle8,
     [](Builder& d) { d.append_seq_store(16, {.cls = ClassSel::kClass1, .src = kRegContext}); },
     {0x5a200010}},
    {"fifo load",
     kLittle8,
     [](Builder& d) {
       d.append_fifo_load(kAddr, {.cls = ClassSel::kClass1, .type = fifo_load_type(FifoLoadType::kMsg), .len = 9});
     },
     {0x22100009, 0x55667788, 0x11223344}},
    {"fifo load of nothing",
     kLittle8,
     [](Builder& d) {
       d.append_fifo_load_as_imm(
           {}, {.cls = ClassSel::kClass2, .type = fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast2)});
     },
     {0x24940000}},
    {"fifo load, 16-bit length",
     kLittle8,
     [](Builder& d) {
       d.append_fifo_load_intlen(kAddr, 0xFFFF, {.cls = ClassSel::kClass1, .type = fifo_load_type(FifoLoadType::kMsg)});
     },
     {0x2210ffff, 0x55667788, 0x11223344}},
    {"fifo load, longer",
     kLittle8,
     [](Builder& d) {
       d.append_fifo_load_intlen(kAddr, 0x10000,
                                 {.cls = ClassSel::kClass1, .type = fifo_load_type(FifoLoadType::kMsg)});
     },
     {0x22500000, 0x55667788, 0x11223344, 0x10000}},
    {"fifo store",
     kLittle4,
     [](Builder& d) { d.append_fifo_store(0x1000, {.type = FifoStoreType::kRng, .len = 16}); },
     {0x60340010, 0x1000}},
    {"fifo store without data",
     kLittle4,
     [](Builder& d) { d.append_fifo_store(0x1000, {.type = FifoStoreType::kRngOfifo, .len = 16}); },
     {0x60350010}},
    {"fifo store, longer",
     kLittle4,
     [](Builder& d) { d.append_fifo_store_intlen(0x1000, 0x20000, {.type = FifoStoreType::kMsg}); },
     {0x60700000, 0x1000, 0x20000}},
    {"fifo store, 16-bit length",
     kLittle4,
     [](Builder& d) { d.append_fifo_store_intlen(0x1000, 0x200, {.type = FifoStoreType::kMsg}); },
     {0x60300200, 0x1000}},
    {"seq pointers",
     kLittle4,
     [](Builder& d) {
       d.append_seq_in_ptr(0x1000, 0xFFFF);
       d.append_seq_in_ptr(0x1000, 0x10000);
       d.append_seq_out_ptr(0x2000, 16, {.sgf = true});
       d.append_seq_out_ptr(0x2000, 0x12345678);
       d.append_seq_in_ptr_extlen(0x1000, 1, {.sgf = true});
       d.append_seq_out_ptr_extlen(0x2000, 2);
     },
     {0xf000ffff, 0x1000, 0xf0400000, 0x1000, 0x10000, 0xf9000010, 0x2000, 0xf8400000, 0x2000, 0x12345678, 0xf1400000,
      0x1000, 1, 0xf8400000, 0x2000, 2}},
    {"seq pointers without pointer",
     kLittle4,
     [](Builder& d) {
       d.append_seq_in_ptr(0, 5, {.rto = true});
       d.append_seq_out_ptr(0, 7, {.pre = true});
     },
     {0xf0200005, 0xf8800007}},
    {"math",
     kLittle8,
     [](Builder& d) {
       d.append_math_sub(kVarSeqOutLen, kSeqInLen, kReg0);
       d.append_math_add(kVarSeqInLen, kZero, kDpovrd);
       d.append_math_sub_imm_u32(kVarSeqInLen, kReg3, kImm, 8);
       d.append_math_imm_u64(MathFn::kAnd, kReg0, kReg0, kImm, 0x1122334455667788);
       d.append_math_lshift(kReg1, kReg1, kReg2, 8);
       d.append_math_xor(kNone, kReg1, kReg2);
     },
     {0xa8280b04, 0xa80c7a04, 0xa8234a04, 8, 0xa8504008, 0x11223344, 0x55667788, 0xa8712108, 0xa8612f04}},
    {"jumps",
     kLittle4,
     [](Builder& d) {
       const auto over = d.append_jump({.cond = kCondMathZ});
       const auto back = d.here();
       d.append_wait({.jsl = true, .cond = kCondCalm});
       d.append_jump_to(back, {});
       d.set_jump_tgt_here(over);
       d.append_jump_halt({.type = JumpType::kHaltUser, .offset = 0x42});
       d.append_jump_nonlocal(0x1000, {});
     },
     {0xa0000403, 0xa1001001, 0xa00000ff, 0xa0c00042, 0xa0400000, 0x1000}},
    {"patched move",
     kLittle4,
     [](Builder& d) {
       const auto patch = d.append_move_patched({.src = MoveSrc::kDescBuf, .dst = MoveDst::kMath3, .len = 6});
       d.append_word(0xa0000001);
       d.set_move_tgt_here(patch);
       d.append_move({.src = MoveSrc::kMath0, .dst = MoveDst::kOutFifo, .len = 4});
     },
     {0x78370c06, 0xa0000001, 0x78420004}},
    {"space", kLittle4, [](Builder& d) { d.append_space(3); }, {0, 0, 0}},
    {"64-bit number", kLittle4, [](Builder& d) { d.append_u64(0x0102030405060708); }, {0x01020304, 0x05060708}},
};

TEST(Builder, Words) {
  for (const BuilderCase& c : kCases) {
    Builder d(c.target);
    d.init_job_desc({});
    c.append(d);
    const auto desc = d.finish();
    ASSERT_TRUE(desc) << c.name << ": " << desc.error().to_string();
    const std::vector<uint32_t> words(desc->words().begin() + 1, desc->words().end());
    EXPECT_EQ(words, c.words) << c.name;
    EXPECT_EQ((*desc)[0], 0xb0800001u + c.words.size()) << c.name;
  }
}

TEST(Builder, Headers) {
  {
    Builder d(kLittle8);
    d.init_sh_desc({.savectx = true, .share = ShareMode::kSerial});
    EXPECT_EQ((*d.finish())[0], 0xb8801201u);
  }
  {
    Builder d(kLittle8);
    const uint32_t pdb[] = {1, 2, 3};
    d.init_sh_desc_pdb({.share = ShareMode::kNever}, pdb);
    const auto desc = *d.finish();
    EXPECT_EQ(desc[0], 0xb8840004u);
    EXPECT_EQ(desc[3], 3u);
  }
  {
    Builder d(kLittle8);
    d.init_job_desc_shared(kAddr, 23, {.reo = true, .share = ShareMode::kDefer});
    const auto desc = *d.finish();
    EXPECT_EQ(desc, Descriptor::from_words(std::vector<uint32_t>{0xb0971c03, 0x55667788, 0x11223344}));
  }
  {
    Builder d(kLittle8);
    d.init_job_desc_pdb({}, 12);
    d.append_word(9);
    EXPECT_EQ((*d.finish())[0], 0xb0840002u);
  }
}

TEST(Builder, StoresInTheByteOrderOfMemory) {
  Builder d(kBig8);
  d.init_job_desc({});
  d.append_word(0x01020304);
  const auto desc = *d.finish();
  uint8_t memory[8];
  desc.store(memory, Endian::kBig);
  EXPECT_EQ(memory[0], 0xb0);
  EXPECT_EQ(memory[4], 1);
  desc.store(memory, Endian::kLittle);
  EXPECT_EQ(memory[3], 0xb0);
  EXPECT_EQ(memory[4], 4);
}

TEST(Builder, SixtyFourWordsFit) {
  Builder d(kLittle8);
  d.init_job_desc({});
  for (int i = 0; i < 63; ++i) d.append_wait({});
  EXPECT_TRUE(d.ok());
  EXPECT_EQ(d.len(), 64u);
  const auto desc = d.finish();
  ASSERT_TRUE(desc);
  EXPECT_EQ((*desc)[0], 0xb0800040u);
}

struct ErrorCase {
  const char* name;
  Target target;
  void (*build)(Builder&);
  ErrorCode code;
  unsigned word;
  const char* command;
  const char* message;
};
void fill(Builder& d, unsigned words) {
  d.init_job_desc({});
  while (d.len() < words) d.append_wait({});
}
const ErrorCase kErrors[] = {
    {"65th command", kLittle8,
     [](Builder& d) { fill(d, 64), d.append_seq_store(16, {.cls = ClassSel::kClass1, .src = kRegContext}); },
     ErrorCode::kNoSpace, 64, "SEQ STORE", "0 of 64"},
    {"pointer does not fit", kLittle8,
     [](Builder& d) { fill(d, 62), d.append_key(kAddr, 16, {.cls = ClassSel::kClass1}); }, ErrorCode::kNoSpace, 63,
     "KEY", "2 more words do not fit: 1 of 64"},
    {"data does not fit", kLittle8,
     [](Builder& d) { fill(d, 60), d.append_key_as_imm(bytes(16), 16, {.cls = ClassSel::kClass1}); },
     ErrorCode::kNoSpace, 61, "KEY", "4 more words"},
    {"space does not fit", kLittle8, [](Builder& d) { fill(d, 60), d.append_space(5); }, ErrorCode::kNoSpace, 60,
     "JUMP", "5 more words"},
    {"address of more than 32 bits", kLittle4,
     [](Builder& d) { fill(d, 3), d.append_key(0x100000000, 16, {.cls = ClassSel::kClass1}); }, ErrorCode::kOutOfRange,
     4, "KEY", "32 bits"},
    {"key length", kLittle8, [](Builder& d) { fill(d, 1), d.append_key(0, 0x400, {.cls = ClassSel::kClass1}); },
     ErrorCode::kOutOfRange, 1, "KEY", "len 10"},
    {"store length", kLittle8,
     [](Builder& d) { fill(d, 2), d.append_seq_store(256, {.cls = ClassSel::kClass1, .src = kRegContext}); },
     ErrorCode::kOutOfRange, 2, "SEQ STORE", "at most 255"},
    {"load data", kLittle8, [](Builder& d) { fill(d, 2), d.append_load_as_imm(bytes(300), {.dst = kRegOfifo}); },
     ErrorCode::kOutOfRange, 2, "LOAD", "300"},
    {"fifo load length", kLittle8,
     [](Builder& d) { fill(d, 2), d.append_seq_fifo_load(0x10000, {.cls = ClassSel::kClass1}); },
     ErrorCode::kOutOfRange, 2, "SEQ FIFO LOAD", "65536"},
    {"fifo store length", kLittle8, [](Builder& d) { fill(d, 2), d.append_seq_fifo_store(0x10000, {}); },
     ErrorCode::kOutOfRange, 2, "SEQ FIFO STORE", "65536"},
    {"length of the shared descriptor", kLittle8, [](Builder& d) { d.init_job_desc_shared(0, 200, {}); },
     ErrorCode::kOutOfRange, 0, "JOB HDR", "start 7"},
    {"AAI", kLittle8, [](Builder& d) { fill(d, 2), d.append_operation(AlgOperation{.aai = 0x400}); },
     ErrorCode::kOutOfRange, 2, "OPERATION", "aai 10"},
    {"MATH register in the wrong place", kLittle8,
     [](Builder& d) { fill(d, 5), d.append_math_add(kReg0, kReg0, kSeqInLen); }, ErrorCode::kInvalidArgument, 5, "MATH",
     "register"},
    {"MATH to a constant", kLittle8, [](Builder& d) { fill(d, 5), d.append_math_add(kOne, kReg0, kReg1); },
     ErrorCode::kInvalidArgument, 5, "MATH", "register"},
    {"jump without target", kLittle8,
     [](Builder& d) {
       fill(d, 3);
       (void)d.append_jump({});
       d.append_wait({});
     },
     ErrorCode::kUnresolved, 3, "JUMP", "set_jump_tgt_here"},
    {"no header", kLittle8, [](Builder&) {}, ErrorCode::kInvalidArgument, 0, "JOB HDR", "no header"},
    {"a command for a header", kLittle8, [](Builder& d) { d.append_wait({}); }, ErrorCode::kInvalidArgument, 0,
     "JOB HDR", "no header"},
};

TEST(Builder, ErrorsSayWhatAndWhere) {
  for (const ErrorCase& c : kErrors) {
    Builder d(c.target);
    c.build(d);
    // Whatever comes later, the first error is the one that is reported.
    d.append_math_add(kOne, kReg0, kReg1);
    d.append_key(uint64_t{1} << 40, 0x3FFF, {});
    const auto desc = d.finish();
    ASSERT_FALSE(desc) << c.name;
    if (c.code == ErrorCode::kUnresolved || std::string_view(c.message) == "no header") continue;
    EXPECT_EQ(desc.error().code, c.code) << c.name;
    EXPECT_EQ(desc.error().word, c.word) << c.name << ": " << desc.error().to_string();
    EXPECT_EQ(desc.error().command, c.command) << c.name;
    EXPECT_NE(desc.error().message.find(c.message), std::string::npos) << c.name << ": " << desc.error().message;
  }
}

// Those that only finish() can see.
TEST(Builder, ErrorsAtTheEnd) {
  for (const ErrorCase& c : kErrors) {
    Builder d(c.target);
    c.build(d);
    const auto desc = d.finish();
    ASSERT_FALSE(desc) << c.name;
    EXPECT_EQ(desc.error().code, c.code) << c.name;
    EXPECT_EQ(desc.error().word, c.word) << c.name << ": " << desc.error().to_string();
    EXPECT_EQ(desc.error().command, c.command) << c.name;
    EXPECT_EQ(d.error()->message, desc.error().message);
    EXPECT_FALSE(d.ok());
  }
}

TEST(Builder, TextOfAnError) {
  Builder d(kLittle8);
  fill(d, 64);
  d.append_seq_store(16, {.cls = ClassSel::kClass1, .src = kRegContext});
  EXPECT_EQ(d.finish().error().to_string(),
            "NO_SPACE at word 64 (SEQ STORE): 1 more words do not fit: 0 of 64 are left");
}

TEST(Builder, IntoTheCallersWords) {
  uint32_t words[4] = {};
  Builder d(kLittle8);
  fill(d, 4);
  EXPECT_EQ(d.finish_into(words), 4u);
  EXPECT_EQ(words[0], 0xb0800004u);
  EXPECT_EQ(words[3], 0xa0000001u);

  Builder long_one(kLittle8);
  fill(long_one, 5);
  EXPECT_EQ(long_one.finish_into(words), 0u);
  ASSERT_TRUE(long_one.error());
  EXPECT_EQ(long_one.error()->code, ErrorCode::kNoSpace);

  Builder broken(kLittle8);
  EXPECT_EQ(broken.finish_into(words), 0u);
}

TEST(Descriptor, CannotOverflow) {
  Descriptor d;
  for (unsigned i = 0; i < kMaxDescWords; ++i) EXPECT_TRUE(d.push_back(i));
  EXPECT_FALSE(d.push_back(0));
  EXPECT_EQ(d.extend(1), nullptr);
  EXPECT_NE(d.extend(0), nullptr);
  EXPECT_EQ(d.size(), kMaxDescWords);
  const std::vector<uint32_t> many(100, 7);
  EXPECT_EQ(Descriptor::from_words(many).size(), kMaxDescWords);
  EXPECT_EQ(d.bytes(), 256u);
}

}  // namespace
}  // namespace caamlab::desc
