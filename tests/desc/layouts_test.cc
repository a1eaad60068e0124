// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Words that are no commands: scatter/gather entries as bytes, NFIFO entries, eras of commands.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "desc/command.h"
#include "desc/era.h"
#include "desc/nfifo.h"
#include "desc/sec4_sg.h"

namespace caamlab::desc {
namespace {

constexpr Target kLittle{.ptr_bytes = 8, .endian = Endian::kLittle};
constexpr Target kBig{.ptr_bytes = 8, .endian = Endian::kBig};
constexpr Target kImx{.ptr_bytes = 4, .endian = Endian::kLittle, .imx = true};

using EntryBytes = std::array<uint8_t, kSgEntryBytes>;
struct SgCase {
  const char* name;
  SgFormat format;
  Target target;
  SgEntry entry;
  EntryBytes bytes;
};
constexpr SgEntry kPlain{.addr = 0x1122334455667788, .len = 0x12345};
constexpr SgEntry kFinal{.addr = 0x1122334455667788, .len = 0x12345, .offset = 0x123, .bpid = 0x45, .final = true};
const SgCase kSgCases[] = {
    {"big endian",
     SgFormat::kSec4,
     kBig,
     kPlain,
     {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x00, 0x01, 0x23, 0x45, 0, 0, 0, 0}},
    {"little endian",
     SgFormat::kSec4,
     kLittle,
     kPlain,
     {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x45, 0x23, 0x01, 0x00, 0, 0, 0, 0}},
    {"i.MX: upper word first, with 4-byte pointers as well",
     SgFormat::kSec4,
     kImx,
     {.addr = 0x55667788, .len = 16},
     {0, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 16, 0, 0, 0, 0, 0, 0, 0}},
    {"final, offset, pool",
     SgFormat::kSec4,
     kBig,
     kFinal,
     {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x40, 0x01, 0x23, 0x45, 0x00, 0x45, 0x01, 0x23}},
    {"extension",
     SgFormat::kSec4,
     kBig,
     {.addr = 0x1000, .ext = true},
     {0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0, 0, 0, 0, 0}},
    {"dpaa2",
     SgFormat::kDpaa2,
     kLittle,
     kPlain,
     {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x45, 0x23, 0x01, 0x00, 0, 0, 0, 0}},
    {"dpaa2 final, offset, pool",
     SgFormat::kDpaa2,
     kLittle,
     kFinal,
     {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x45, 0x23, 0x01, 0x00, 0x45, 0x00, 0x23, 0x81}},
    {"dpaa2 extension",
     SgFormat::kDpaa2,
     kLittle,
     {.addr = 0x1000, .len = 64, .ext = true},
     {0, 0x10, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0x20}},
    {"dpaa2 short length",
     SgFormat::kDpaa2,
     kLittle,
     {.addr = 0x1000, .len = 0x1FFFF, .short_len = true},
     {0, 0x10, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0x01, 0, 0, 0, 0, 0x40}},
};

TEST(SgEntry, Bytes) {
  for (const SgCase& c : kSgCases) {
    EntryBytes bytes{};
    store_sg_entry(bytes.data(), c.entry, c.format, c.target);
    EXPECT_EQ(bytes, c.bytes) << c.name;
    EXPECT_EQ(load_sg_entry(c.bytes.data(), c.format, c.target), c.entry) << c.name;
  }
}

TEST(SgEntry, ComesBack) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i)
    for (const Target& t : {kLittle, kBig, kImx})
      for (SgFormat format : {SgFormat::kSec4, SgFormat::kDpaa2}) {
        const SgEntry e{.addr = random(),
                        .len = static_cast<uint32_t>(random()) & 0x3FFFFFFF,
                        .offset = static_cast<uint16_t>(random() & 0xFFF),
                        .bpid = static_cast<uint16_t>(random() & 0xFF),
                        .ext = (random() & 1) != 0,
                        .final = (random() & 1) != 0};
        EntryBytes bytes{};
        store_sg_entry(bytes.data(), e, format, t);
        EXPECT_EQ(load_sg_entry(bytes.data(), format, t), e);
      }
}

TEST(SgEntry, ShortLengthCutsTheRest) {
  const EntryBytes bytes{0, 0x10, 0, 0, 0, 0, 0, 0, 0x40, 0, 0xFE, 0xFF, 0, 0, 0, 0x40};
  EXPECT_EQ(load_sg_entry(bytes.data(), SgFormat::kDpaa2, kLittle).len, 0x40u);
}

TEST(SgEntry, TablesAreFetchedByFour) {
  EXPECT_EQ(pad_sg_entries(0), 0u);
  EXPECT_EQ(pad_sg_entries(1), 4u);
  EXPECT_EQ(pad_sg_entries(4), 4u);
  EXPECT_EQ(pad_sg_entries(5), 8u);
}

TEST(Nfifo, LengthOfDataAndOfPadding) {
  const auto data = decode_as<NfifoEntry>(0x81f00fff);
  EXPECT_EQ(data.dest, NfifoDest::kClass2);
  EXPECT_EQ(data.src, NfifoSource::kOutFifo);
  EXPECT_EQ(data.data, NfifoData::kMsg);
  EXPECT_FALSE(data.is_pad());
  EXPECT_EQ(data.length(), 0xFFFu);
  EXPECT_FALSE(data.pad_minus_one());

  const auto pad = decode_as<NfifoEntry>(0x12f30c10);
  EXPECT_TRUE(pad.is_pad());
  EXPECT_TRUE(pad.lc1);
  EXPECT_EQ(pad.pad, NfifoPad::kRandom);
  EXPECT_EQ(pad.length(), 0x10u);
  EXPECT_TRUE(pad.pad_minus_one());
  EXPECT_TRUE(pad.pad_snoop());
}

std::set<std::string_view> newer_features(uint32_t word, int era) {
  std::set<std::string_view> features;
  for_each_newer_feature(word, era, [&](const EraRow& row) { features.insert(row.what); });
  return features;
}

struct EraCase {
  uint32_t word;
  int era;
  const char* what;
};
const EraCase kEraCases[] = {
    {encode(MathI{}), 6, "MATHI"},
    {encode(MoveB{}), 7, "MOVEB"},
    {encode(MoveDw{}), 7, "MOVEDW"},
    {encode(Key{.pts = true}), 7, "KEY pts"},
    {encode(Key{.seq = true, .imm_aidf = true}), 6, "SEQ KEY aidf"},
    {encode(Math{.src1 = MathSrc1::kDpovrd}), 3, "MATH on DPOVRD"},
    {encode(Math{.dst = MathDst::kDpovrd}), 3, "MATH to DPOVRD"},
    {encode(ProtocolOperation::dkp(Alg::kSha256, DkpEnd::kImm, DkpEnd::kImm, 32)), 6, "derived key protocol"},
    {encode(ProtocolOperation{.type = ProtocolType::kDecap, .id = protid::kIpsecNew}), 8, "IPsec new mode"},
    {encode(ProtocolOperation{.type = ProtocolType::kEncap, .id = protid::kIpsecNew}), 8, "IPsec new mode"},
    {encode(AlgOperation{.alg = Alg::kChaCha20}), 10, "ChaCha20"},
    {encode(AlgOperation{.cls = ClassSel::kClass2, .alg = Alg::kPoly1305}), 10, "Poly1305"},
    {encode(AlgOperation{.alg = Alg::kZucE}), 5, "ZUC encryption"},
    {encode(AlgOperation{.cls = ClassSel::kClass2, .alg = Alg::kZucA}), 5, "ZUC authentication"},
    {encode(FifoStore{.seq = true, .type = FifoStoreType::kMetadata}), 5, "FIFO STORE metadata"},
    {encode(Store{.cls = ClassSel::kDeco, .src = kRegJobDesc}), 2, "STORE jobdesc"},
    {encode(Load{.imm = true, .dst = kRegNfifoSzm, .len = 3}), 4, "LOAD nfifo_szl, nfifo_szm, nfifo_l, nfifo_m"},
    {encode(Load{.imm = true, .dst = kRegAltSource, .len = 8}), 3, "LOAD aux_fifo"},
    {encode(SeqInPtr{.rjd = true}), 2, "SEQ IN PTR rjd"},
    {encode(SeqOutPtr{.rto = true, .rst = true}), 5, "SEQ OUT PTR rst"},
    {encode(SharedHeader{.rif = true}), 4, "SHR HDR rif"},
};

TEST(Era, NewerFeaturesAreFound) {
  for (const EraCase& c : kEraCases) {
    EXPECT_TRUE(newer_features(c.word, c.era - 1).contains(c.what)) << c.what;
    EXPECT_FALSE(newer_features(c.word, c.era).contains(c.what)) << c.what;
  }
}

TEST(Era, EveryRowIsAWordOfItsMask) {
  for (const EraRow& row : kEraTable) {
    EXPECT_EQ(row.match & ~row.mask, 0u) << row.what;
    EXPECT_GE(row.era, 2) << row.what;
    EXPECT_LE(row.era, kMaxEra) << row.what;
    // Not a word that no command has.
    EXPECT_FALSE(std::holds_alternative<InvalidCommand>(decode(row.match))) << row.what;
  }
}

TEST(Era, OldCommandsAreEverywhere) {
  for (uint32_t word : {encode(Key{.cls = ClassSel::kClass1, .len = 16}), encode(Jump{}), encode(Math{}),
                        encode(FifoLoad{.seq = true}), encode(Move{}), encode(AlgOperation{.aai = aai::kGcm}),
                        encode(JobHeader{}), encode(SharedHeader{}), encode(SeqInPtr{.ext = true})})
    EXPECT_TRUE(newer_features(word, kMinEra).empty()) << std::hex << word;
}

}  // namespace
}  // namespace caamlab::desc
