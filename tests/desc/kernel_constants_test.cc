// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The kernel's names for bits and values (desc.h, Linux 6.12) against what our commands encode. Left out where the
// kernel's header is wrong: OP_ALG_PKMODE_CPYMEM_* do not fit their field, NFIFOENTRY_AST is the value of _OC.
#include <gtest/gtest.h>

#include "desc/command.h"
#include "desc/nfifo.h"
#include "desc/reg_bits.h"
#include "desc/sec4_sg.h"

namespace caamlab::desc {
namespace {

struct Constant {
  const char* name;
  uint32_t kernel;
  uint32_t ours;
};

// What a member adds to the word of a command with nothing set.
template <class C>
constexpr uint32_t bits(const C& c) {
  return encode(c) & ~C::kMatch;
}
constexpr uint32_t key(const Key& c) { return bits(c); }
constexpr uint32_t load(const Load& c) { return bits(c); }
constexpr uint32_t store(const Store& c) { return bits(c); }
constexpr uint32_t fifold(const FifoLoad& c) { return bits(c); }
constexpr uint32_t fifold(FifoLoadType t, uint8_t actions = 0) {
  return bits(FifoLoad{.type = fifo_load_type(t, actions)});
}
constexpr uint32_t fifost(FifoStoreType t) { return bits(FifoStore{.type = t}); }
constexpr uint32_t src(MoveSrc s) { return bits(Move{.src = s}); }
constexpr uint32_t dst(MoveDst d) { return bits(Move{.dst = d}); }
constexpr uint32_t fn(MathFn f) { return bits(Math{.fn = f, .len = 0}); }
constexpr uint32_t src0(MathSrc0 s) { return bits(Math{.src0 = s, .len = 0}); }
constexpr uint32_t src1(MathSrc1 s) { return bits(Math{.src1 = s, .len = 0}); }
constexpr uint32_t math_dst_bits(MathDst d) { return bits(Math{.dst = d, .len = 0}); }
constexpr uint32_t math(Math m) {
  m.len = 0;
  return bits(m);
}
constexpr uint32_t jump(const Jump& j) { return bits(j); }
constexpr uint32_t cond(uint8_t c) { return bits(Jump{.cond = c}); }
constexpr uint32_t jsl(uint8_t c) { return bits(Jump{.jsl = true, .cond = c}); }
constexpr uint32_t job(JobHeader h) {
  h.one = false;
  return bits(h);
}
constexpr uint32_t shared(SharedHeader h) {
  h.one = false;
  return bits(h);
}
constexpr uint32_t alg(Alg a) { return bits(AlgOperation{.cls = ClassSel::kNone, .alg = a}); }
constexpr uint32_t mode(uint16_t aai) { return bits(AlgOperation{.cls = ClassSel::kNone, .alg = Alg{0}, .aai = aai}); }
constexpr uint32_t op(AlgOperation o) {
  o.cls = ClassSel::kNone;
  o.alg = Alg{0};
  return bits(o);
}
constexpr uint32_t op_class(ClassSel c) { return bits(AlgOperation{.cls = c, .alg = Alg{0}}); }
constexpr uint32_t pk(PkFunction f) { return bits(PkOperation{.fn = f}); }
constexpr uint32_t protocol(ProtocolType t) { return bits(ProtocolOperation{.type = t}); }
constexpr uint32_t protid_bits(uint8_t id) { return bits(ProtocolOperation{.id = id}); }
constexpr uint32_t in(const SeqInPtr& c) { return bits(c); }
constexpr uint32_t out(const SeqOutPtr& c) { return bits(c); }
constexpr uint32_t sign(uint8_t t) { return bits(Signature{.type = t}); }
constexpr uint32_t nfifo(const NfifoEntry& e) { return encode(e); }
constexpr uint32_t nfifo_data(NfifoPkData d) { return encode(NfifoEntry{.data = static_cast<NfifoData>(d)}); }
constexpr uint32_t ldoff(const DecoCtrl& c) { return encode(c) >> 8; }  // OFFSET of the LOAD
constexpr uint32_t ldlen(const DecoCtrl& c) { return encode(c) & 0xFF; }

constexpr Constant kCommands[] = {
    {"CMD_KEY", 0x00000000, Key::kMatch},
    {"CMD_SEQ_KEY", 0x08000000, encode(Key{.seq = true})},
    {"CMD_LOAD", 0x10000000, Load::kMatch},
    {"CMD_SEQ_LOAD", 0x18000000, encode(Load{.seq = true})},
    {"CMD_FIFO_LOAD", 0x20000000, FifoLoad::kMatch},
    {"CMD_SEQ_FIFO_LOAD", 0x28000000, encode(FifoLoad{.seq = true})},
    {"CMD_STORE", 0x50000000, Store::kMatch},
    {"CMD_SEQ_STORE", 0x58000000, encode(Store{.seq = true})},
    {"CMD_FIFO_STORE", 0x60000000, FifoStore::kMatch},
    {"CMD_SEQ_FIFO_STORE", 0x68000000, encode(FifoStore{.seq = true})},
    {"CMD_MOVE_LEN", 0x70000000, MoveLen::kMatch},
    {"CMD_MOVE", 0x78000000, Move::kMatch},
    {"CMD_OPERATION", 0x80000000, AlgOperation::kMatch},
    {"CMD_SIGNATURE", 0x90000000, Signature::kMatch},
    {"CMD_JUMP", 0xa0000000, Jump::kMatch},
    {"CMD_MATH", 0xa8000000, Math::kMatch},
    {"CMD_DESC_HDR", 0xb0000000, JobHeader::kMatch},
    {"CMD_SHARED_DESC_HDR", 0xb8000000, SharedHeader::kMatch},
    {"CMD_SEQ_IN_PTR", 0xf0000000, SeqInPtr::kMatch},
    {"CMD_SEQ_OUT_PTR", 0xf8000000, SeqOutPtr::kMatch},
    {"CLASS_1", 0x02000000, key({.cls = ClassSel::kClass1})},
    {"CLASS_2", 0x04000000, key({.cls = ClassSel::kClass2})},
    {"CLASS_BOTH", 0x06000000, key({.cls = ClassSel::kBoth})},
};

constexpr Constant kHeadersAndKeys[] = {
    {"HDR_DNR", 0x01000000, job({.dnr_ext = true})},
    {"HDR_ONE", 0x00800000, bits(JobHeader{})},
    {"HDR_ZRO", 0x00008000, job({.zro = true})},
    {"HDR_TRUSTED", 0x00004000, job({.td = true})},
    {"HDR_MAKE_TRUSTED", 0x00002000, job({.mtd = true})},
    {"HDR_SHARED", 0x00001000, job({.shr = true})},
    {"HDR_SAVECTX", 0x00001000, shared({.savectx = true})},
    {"HDR_REVERSE", 0x00000800, job({.reo = true})},
    {"HDR_PROP_DNR", 0x00000800, shared({.pd = true})},
    {"HDR_SHARE_NEVER", 0x00000000, shared({.share = ShareMode::kNever})},
    {"HDR_SHARE_WAIT", 0x00000100, shared({.share = ShareMode::kWait})},
    {"HDR_SHARE_SERIAL", 0x00000200, shared({.share = ShareMode::kSerial})},
    {"HDR_SHARE_ALWAYS", 0x00000300, shared({.share = ShareMode::kAlways})},
    {"HDR_SHARE_DEFER", 0x00000400, job({.share = ShareMode::kDefer})},
    {"KEY_SGF", 0x01000000, key({.sgf_vlf = true})},
    {"KEY_IMM", 0x00800000, key({.imm_aidf = true})},
    {"KEY_ENC", 0x00400000, key({.enc = true})},
    {"KEY_NWB", 0x00200000, key({.nwb = true})},
    {"KEY_EKT", 0x00100000, key({.ekt = true})},
    {"KEY_TK", 0x00008000, key({.tk = true})},
    {"KEY_DEST_PKHA_E", 0x00010000, key({.dest = KeyDest::kPkhaE})},
    {"KEY_DEST_AFHA_SBOX", 0x00020000, key({.dest = KeyDest::kAfhaSbox})},
    {"KEY_DEST_MDHA_SPLIT", 0x00030000, key({.dest = KeyDest::kMdhaSplit})},
    {"SIGN_TYPE_FINAL", 0x00000000, sign(0)},
    {"SIGN_TYPE_FINAL_RESTORE", 0x00010000, sign(1)},
    {"SIGN_TYPE_FINAL_NONZERO", 0x00020000, sign(2)},
    {"SIGN_TYPE_IMM_2", 0x000a0000, sign(0xA)},
    {"SIGN_TYPE_IMM_4", 0x000c0000, sign(0xC)},
};

constexpr Constant kRegisters[] = {
    {"LDST_CLASS_1_CCB", 0x02000000, load({.cls = ClassSel::kClass1})},
    {"LDST_CLASS_2_CCB", 0x04000000, store({.cls = ClassSel::kClass2})},
    {"LDST_CLASS_DECO", 0x06000000, load({.cls = ClassSel::kDeco})},
    {"LDST_SGF", 0x01000000, load({.sgf_vlf = true})},
    {"LDST_IMM", 0x00800000, load({.imm = true})},
    {"LDST_SRCDST_BYTE_CONTEXT", 0x00200000, load({.dst = kRegContext})},
    {"LDST_SRCDST_BYTE_KEY", 0x00400000, load({.dst = kRegKey})},
    {"LDST_SRCDST_BYTE_INFIFO", 0x007c0000, load({.dst = kRegIfifo})},
    {"LDST_SRCDST_BYTE_OUTFIFO", 0x007e0000, load({.dst = kRegOfifo})},
    {"LDST_SRCDST_WORD_MODE_REG", 0x00000000, load({.dst = kRegMode})},
    {"LDST_SRCDST_WORD_KEYSZ_REG", 0x00010000, load({.dst = kRegKeySize})},
    {"LDST_SRCDST_WORD_DATASZ_REG", 0x00020000, load({.dst = kRegDataSize})},
    {"LDST_SRCDST_WORD_ICVSZ_REG", 0x00030000, load({.dst = kRegIcvSize})},
    {"LDST_SRCDST_WORD_DECOCTRL", 0x00060000, load({.dst = kRegControl})},
    {"LDST_SRCDST_WORD_IRQCTRL", 0x00070000, load({.dst = kRegIrqCtrlOrDpovrd})},
    {"LDST_SRCDST_WORD_DECO_PCLOVRD", 0x00070000, load({.dst = kRegDpovrd})},
    {"LDST_SRCDST_WORD_CLRW", 0x00080000, load({.dst = kRegClrw})},
    {"LDST_SRCDST_WORD_DECO_MATH0", 0x00080000, load({.dst = kRegMath0})},
    {"LDST_SRCDST_WORD_STAT", 0x00090000, store({.src = kRegCcbStatus})},
    {"LDST_SRCDST_WORD_DECO_MATH1", 0x00090000, load({.dst = kRegMath1})},
    {"LDST_SRCDST_WORD_DECO_MATH2", 0x000a0000, load({.dst = kRegMath2})},
    {"LDST_SRCDST_WORD_DECO_AAD_SZ", 0x000b0000, load({.dst = kRegAadSize})},
    {"LDST_SRCDST_WORD_DECO_MATH3", 0x000b0000, load({.dst = kRegMath3})},
    {"LDST_SRCDST_WORD_CLASS1_IV_SZ", 0x000c0000, load({.dst = kRegIvSize})},
    {"LDST_SRCDST_WORD_ALTDS_CLASS1", 0x000f0000, load({.dst = kRegAltDataSize})},
    {"LDST_SRCDST_WORD_PKHA_A_SZ", 0x00100000, load({.dst = kRegPkhaASize})},
    {"LDST_SRCDST_WORD_PKHA_B_SZ", 0x00110000, load({.dst = kRegPkhaBSize})},
    {"LDST_SRCDST_WORD_PKHA_N_SZ", 0x00120000, load({.dst = kRegPkhaNSize})},
    {"LDST_SRCDST_WORD_PKHA_E_SZ", 0x00130000, load({.dst = kRegPkhaESize})},
    {"LDST_SRCDST_WORD_DESCBUF", 0x00400000, load({.dst = kRegDescBuf})},
    {"LDST_SRCDST_WORD_DESCBUF_JOB", 0x00410000, store({.src = kRegJobDesc})},
    {"LDST_SRCDST_WORD_DESCBUF_SHARED", 0x00420000, store({.src = kRegSharedDesc})},
    {"LDST_SRCDST_WORD_DESCBUF_JOB_WE", 0x00450000, store({.src = kRegJobDescWe})},
    {"LDST_SRCDST_WORD_DESCBUF_SHARED_WE", 0x00460000, store({.src = kRegSharedDescWe})},
    {"LDST_SRCDST_WORD_INFO_FIFO_SM", 0x00710000, load({.dst = kRegNfifoSzm})},
    {"LDST_SRCDST_WORD_INFO_FIFO", 0x007a0000, load({.dst = kRegNfifo})},
    {"LDOFF_CHG_SHARE_NEVER", 0x1, ldoff({.share = ChangeShare::kNever})},
    {"LDOFF_CHG_SHARE_OK_PROP", 0x2, ldoff({.share = ChangeShare::kOkPropagate})},
    {"LDOFF_CHG_SHARE_OK_NO_PROP", 0x3, ldoff({.share = ChangeShare::kOkNoPropagate})},
    {"LDOFF_ENABLE_AUTO_NFIFO", 0x4, ldoff({.nfifo_on = true})},
    {"LDOFF_DISABLE_AUTO_NFIFO", 0x8, ldoff({.nfifo_off = true})},
    {"LDOFF_CHG_NONSEQLIODN_TRUSTED", 0x30, ldoff({.nonseq_liodn = ChangeLiodn::kTrusted})},
    {"LDOFF_CHG_SEQLIODN_NON_SEQ", 0x80, ldoff({.seq_liodn = ChangeLiodn::kNonSeq})},
    {"LDLEN_ENABLE_OSL_COUNT", 0x80, ldlen({.count_output = true})},
    {"LDLEN_RST_CHA_OFIFO_PTR", 0x40, ldlen({.reset_cha_ofifo = true})},
    {"LDLEN_RST_OFIFO", 0x20, ldlen({.reset_ofifo = true})},
    {"LDLEN_SET_OFIFO_OFF_VALID", 0x10, ldlen({.ofifo_offset_valid = true})},
};

constexpr Constant kFifos[] = {
    {"FIFOLD_CLASS_SKIP", 0x00000000, fifold(FifoLoad{})},
    {"FIFOLD_CLASS_CLASS1", 0x02000000, fifold({.cls = ClassSel::kClass1})},
    {"FIFOLD_CLASS_BOTH", 0x06000000, fifold({.cls = ClassSel::kBoth})},
    {"FIFOLDST_SGF", 0x01000000, fifold({.sgf_vlf = true})},
    {"FIFOLD_IMM", 0x00800000, fifold({.imm_aidf = true})},
    {"FIFOLDST_EXT", 0x00400000, fifold({.ext = true})},
    {"FIFOLD_TYPE_PK_A0", 0x00000000, fifold(FifoLoadType::kPkhaA0)},
    {"FIFOLD_TYPE_PK_B3", 0x00070000, fifold(FifoLoadType::kPkhaB3)},
    {"FIFOLD_TYPE_PK_N", 0x00080000, fifold(FifoLoadType::kPkhaN)},
    {"FIFOLD_TYPE_PK_A", 0x000c0000, fifold(FifoLoadType::kPkhaA)},
    {"FIFOLD_TYPE_PK_B", 0x000d0000, fifold(FifoLoadType::kPkhaB)},
    {"FIFOLD_TYPE_NOINFOFIFO", 0x000f0000, fifold(FifoLoadType::kNoInfoFifo)},
    {"FIFOLD_TYPE_MSG", 0x00100000, fifold(FifoLoadType::kMsg)},
    {"FIFOLD_TYPE_MSG1OUT2", 0x00180000, fifold(FifoLoadType::kMsg1Out2)},
    {"FIFOLD_TYPE_IV", 0x00200000, fifold(FifoLoadType::kIv)},
    {"FIFOLD_TYPE_BITDATA", 0x00280000, fifold(FifoLoadType::kBitData)},
    {"FIFOLD_TYPE_AAD", 0x00300000, fifold(FifoLoadType::kAad)},
    {"FIFOLD_TYPE_ICV", 0x00380000, fifold(FifoLoadType::kIcv)},
    {"FIFOLD_TYPE_MSG | FLUSH1", 0x00110000, fifold(FifoLoadType::kMsg, kFifoLoadFlush1)},
    {"FIFOLD_TYPE_MSG | LAST1", 0x00120000, fifold(FifoLoadType::kMsg, kFifoLoadLast1)},
    {"FIFOLD_TYPE_MSG | LAST2", 0x00140000, fifold(FifoLoadType::kMsg, kFifoLoadLast2)},
    {"FIFOLD_TYPE_AAD | LAST2FLUSH1", 0x00350000, fifold(FifoLoadType::kAad, kFifoLoadLast2 | kFifoLoadFlush1)},
    {"FIFOLD_TYPE_MSG | LASTBOTH", 0x00160000, fifold(FifoLoadType::kMsg, kFifoLoadLastBoth)},
    {"FIFOST_CLASS_CLASS2KEY", 0x04000000, bits(FifoStore{.cls = ClassSel::kClass2})},
    {"FIFOST_TYPE_PKHA_A3", 0x00030000, fifost(FifoStoreType::kPkhaA3)},
    {"FIFOST_TYPE_PKHA_B0", 0x00040000, fifost(FifoStoreType::kPkhaB0)},
    {"FIFOST_TYPE_PKHA_N", 0x00080000, fifost(FifoStoreType::kPkhaN)},
    {"FIFOST_TYPE_PKHA_A", 0x000c0000, fifost(FifoStoreType::kPkhaA)},
    {"FIFOST_TYPE_PKHA_B", 0x000d0000, fifost(FifoStoreType::kPkhaB)},
    {"FIFOST_TYPE_AF_SBOX_JKEK", 0x00200000, fifost(FifoStoreType::kSboxEcbJdkek)},
    {"FIFOST_TYPE_AF_SBOX_TKEK", 0x00210000, fifost(FifoStoreType::kSboxEcbTdkek)},
    {"FIFOST_TYPE_PKHA_E_JKEK", 0x00220000, fifost(FifoStoreType::kPkhaEEcbJdkek)},
    {"FIFOST_TYPE_PKHA_E_TKEK", 0x00230000, fifost(FifoStoreType::kPkhaEEcbTdkek)},
    {"FIFOST_TYPE_KEY_KEK", 0x00240000, fifost(FifoStoreType::kKeyEcbJdkek)},
    {"FIFOST_TYPE_KEY_TKEK", 0x00250000, fifost(FifoStoreType::kKeyEcbTdkek)},
    {"FIFOST_TYPE_SPLIT_KEK", 0x00260000, fifost(FifoStoreType::kSplitEcbJdkek)},
    {"FIFOST_TYPE_SPLIT_TKEK", 0x00270000, fifost(FifoStoreType::kSplitEcbTdkek)},
    {"FIFOST_TYPE_OUTFIFO_KEK", 0x00280000, fifost(FifoStoreType::kMsgJdkek)},
    {"FIFOST_TYPE_OUTFIFO_TKEK", 0x00290000, fifost(FifoStoreType::kMsgTdkek)},
    {"FIFOST_TYPE_MESSAGE_DATA", 0x00300000, fifost(FifoStoreType::kMsg)},
    {"FIFOST_TYPE_RNGSTORE", 0x00340000, fifost(FifoStoreType::kRng)},
    {"FIFOST_TYPE_RNGFIFO", 0x00350000, fifost(FifoStoreType::kRngOfifo)},
    {"FIFOST_TYPE_METADATA", 0x003e0000, fifost(FifoStoreType::kMetadata)},
    {"FIFOST_TYPE_SKIP", 0x003f0000, fifost(FifoStoreType::kSkip)},
    {"SQIN_RBS", 0x04000000, in({.rbs = true})},
    {"SQIN_INL", 0x02000000, in({.inl = true})},
    {"SQIN_SGF", 0x01000000, in({.sgf = true})},
    {"SQIN_PRE", 0x00800000, in({.pre = true})},
    {"SQIN_EXT", 0x00400000, in({.ext = true})},
    {"SQIN_RTO", 0x00200000, in({.rto = true})},
    {"SQIN_RJD", 0x00100000, in({.rjd = true})},
    {"SQOUT_SGF", 0x01000000, out({.sgf = true})},
    {"SQOUT_PRE", 0x00800000, out({.pre = true})},
    {"SQOUT_EXT", 0x00400000, out({.ext = true})},
    {"SQOUT_RTO", 0x00200000, out({.rto = true})},
};

constexpr Constant kOperations[] = {
    {"OP_TYPE_UNI_PROTOCOL", 0x00000000, protocol(ProtocolType::kUnidirectional)},
    {"OP_TYPE_PK | OP_ALG_PK", 0x01800000, PkOperation::kMatch & ~0x80000000},
    {"OP_TYPE_CLASS1_ALG", 0x02000000, op_class(ClassSel::kClass1)},
    {"OP_TYPE_CLASS2_ALG", 0x04000000, op_class(ClassSel::kClass2)},
    {"OP_TYPE_DECAP_PROTOCOL", 0x06000000, protocol(ProtocolType::kDecap)},
    {"OP_TYPE_ENCAP_PROTOCOL", 0x07000000, protocol(ProtocolType::kEncap)},
    {"OP_ALG_ALGSEL_AES", 0x00100000, alg(Alg::kAes)},
    {"OP_ALG_ALGSEL_DES", 0x00200000, alg(Alg::kDes)},
    {"OP_ALG_ALGSEL_3DES", 0x00210000, alg(Alg::k3Des)},
    {"OP_ALG_ALGSEL_ARC4", 0x00300000, alg(Alg::kArc4)},
    {"OP_ALG_ALGSEL_MD5", 0x00400000, alg(Alg::kMd5)},
    {"OP_ALG_ALGSEL_SHA1", 0x00410000, alg(Alg::kSha1)},
    {"OP_ALG_ALGSEL_SHA224", 0x00420000, alg(Alg::kSha224)},
    {"OP_ALG_ALGSEL_SHA256", 0x00430000, alg(Alg::kSha256)},
    {"OP_ALG_ALGSEL_SHA384", 0x00440000, alg(Alg::kSha384)},
    {"OP_ALG_ALGSEL_SHA512", 0x00450000, alg(Alg::kSha512)},
    {"OP_ALG_ALGSEL_RNG", 0x00500000, alg(Alg::kRng)},
    {"OP_ALG_ALGSEL_SNOW_F8", 0x00600000, alg(Alg::kSnowF8)},
    {"OP_ALG_ALGSEL_KASUMI", 0x00700000, alg(Alg::kKasumi)},
    {"OP_ALG_ALGSEL_CRC", 0x00900000, alg(Alg::kCrc)},
    {"OP_ALG_ALGSEL_SNOW_F9", 0x00a00000, alg(Alg::kSnowF9)},
    {"OP_ALG_ALGSEL_CHACHA20", 0x00d00000, alg(Alg::kChaCha20)},
    {"OP_ALG_ALGSEL_POLY1305", 0x00e00000, alg(Alg::kPoly1305)},
    {"OP_ALG_AAI_CTR_MOD128", 0x000, mode(aai::kCtrMod128)},
    {"OP_ALG_AAI_CBC", 0x100, mode(aai::kCbc)},
    {"OP_ALG_AAI_ECB", 0x200, mode(aai::kEcb)},
    {"OP_ALG_AAI_CFB", 0x300, mode(aai::kCfb)},
    {"OP_ALG_AAI_OFB", 0x400, mode(aai::kOfb)},
    {"OP_ALG_AAI_XTS", 0x500, mode(aai::kXts)},
    {"OP_ALG_AAI_CMAC", 0x600, mode(aai::kCmac)},
    {"OP_ALG_AAI_XCBC_MAC", 0x700, mode(aai::kXcbcMac)},
    {"OP_ALG_AAI_CCM", 0x800, mode(aai::kCcm)},
    {"OP_ALG_AAI_GCM", 0x900, mode(aai::kGcm)},
    {"OP_ALG_AAI_CBC_XCBCMAC", 0xa00, mode(aai::kCbcXcbcMac)},
    {"OP_ALG_AAI_CTR_XCBCMAC", 0xb00, mode(aai::kCtrXcbcMac)},
    {"OP_ALG_AAI_CHECKODD", 0x800, mode(aai::kDesCheckOdd)},
    {"OP_ALG_AAI_DK", 0x1000, mode(aai::kDk)},
    {"OP_ALG_AAI_RNG_NZB", 0x100, mode(aai::kRngNzb)},
    {"OP_ALG_AAI_RNG_OBP", 0x200, mode(aai::kRngObp)},
    {"OP_ALG_AAI_RNG4_SH_1", 0x010, mode(1)},
    {"OP_ALG_AAI_RNG4_PS", 0x400, mode(aai::kRngPs)},
    {"OP_ALG_AAI_RNG4_AI", 0x800, mode(aai::kRngAi)},
    {"OP_ALG_AAI_RNG4_SK", 0x1000, mode(aai::kRngSk)},
    {"OP_ALG_AAI_AEAD", 0x020, mode(aai::kAead)},
    {"OP_ALG_AAI_KEYSTREAM", 0x010, mode(aai::kChaChaKeystream)},
    {"OP_ALG_AAI_BC8", 0x080, mode(aai::kChaChaBc8)},
    {"OP_ALG_AAI_HASH", 0x000, mode(aai::kHash)},
    {"OP_ALG_AAI_HMAC", 0x010, mode(aai::kHmac)},
    {"OP_ALG_AAI_SMAC", 0x020, mode(aai::kSmac)},
    {"OP_ALG_AAI_HMAC_PRECOMP", 0x040, mode(aai::kHmacPrecomp)},
    {"OP_ALG_AAI_802", 0x010, mode(aai::kCrc802)},
    {"OP_ALG_AAI_3385", 0x020, mode(aai::kCrc3385)},
    {"OP_ALG_AAI_CUST_POLY", 0x040, mode(aai::kCrcCust)},
    {"OP_ALG_AAI_DIS", 0x100, mode(aai::kCrcDis)},
    {"OP_ALG_AAI_DOS", 0x200, mode(aai::kCrcDos)},
    {"OP_ALG_AAI_DOC", 0x400, mode(aai::kCrcDoc)},
    {"OP_ALG_AAI_F8", 0xc00, mode(aai::kF8)},
    {"OP_ALG_AAI_F9", 0xc80, mode(aai::kF9)},
    {"OP_ALG_AS_UPDATE", 0x0, op({.as = AlgState::kUpdate})},
    {"OP_ALG_AS_INIT", 0x4, op({.as = AlgState::kInit})},
    {"OP_ALG_AS_FINALIZE", 0x8, op({.as = AlgState::kFinal})},
    {"OP_ALG_AS_INITFINAL", 0xc, op({.as = AlgState::kInitFinal})},
    {"OP_ALG_ICV_ON", 0x2, op({.icv = true})},
    {"OP_ALG_ENCRYPT", 0x1, op({.enc = true})},
    {"OP_ALG_PKMODE_CLEARMEM", 0x01, pk(PkFunction::kClear)},
    {"OP_ALG_PKMODE_MOD_ADD", 0x02, pk(PkFunction::kModAdd)},
    {"OP_ALG_PKMODE_MOD_SUB_AB", 0x03, pk(PkFunction::kModSubAB)},
    {"OP_ALG_PKMODE_MOD_SUB_BA", 0x04, pk(PkFunction::kModSubBA)},
    {"OP_ALG_PKMODE_MOD_MULT", 0x05, pk(PkFunction::kModMult)},
    {"OP_ALG_PKMODE_MOD_EXPO", 0x06, pk(PkFunction::kModExp)},
    {"OP_ALG_PKMODE_MOD_REDUCT", 0x07, pk(PkFunction::kModReduce)},
    {"OP_ALG_PKMODE_MOD_INV", 0x08, pk(PkFunction::kModInv)},
    {"OP_ALG_PKMODE_MOD_ECC_ADD", 0x09, pk(PkFunction::kEccAdd)},
    {"OP_ALG_PKMODE_MOD_ECC_DBL", 0x0a, pk(PkFunction::kEccDouble)},
    {"OP_ALG_PKMODE_MOD_ECC_MULT", 0x0b, pk(PkFunction::kEccMult)},
    {"OP_ALG_PKMODE_MOD_MONT_CNST", 0x0c, pk(PkFunction::kModR2)},
    {"OP_ALG_PKMODE_MOD_CRT_CNST", 0x0d, pk(PkFunction::kCrtConst)},
    {"OP_ALG_PKMODE_MOD_GCD", 0x0e, pk(PkFunction::kGcd)},
    {"OP_ALG_PKMODE_MOD_PRIMALITY", 0x0f, pk(PkFunction::kPrimeTest)},
    {"OP_PCLID_RSAENC_PUBKEY", 0x00180000, protid_bits(protid::kRsaEncrypt)},
    {"OP_PCLID_RSADEC_PRVKEY", 0x00190000, protid_bits(protid::kRsaDecrypt)},
    {"OP_PCLID_BLOB", 0x000d0000, protid_bits(protid::kBlob)},
    {"OP_PCLID_DKP_MD5", 0x00200000, bits(ProtocolOperation::dkp(Alg::kMd5, DkpEnd::kImm, DkpEnd::kImm, 0))},
    {"OP_PCLID_DKP_SHA512", 0x00250000, bits(ProtocolOperation::dkp(Alg::kSha512, DkpEnd::kImm, DkpEnd::kImm, 0))},
    {"OP_PCL_DKP_SRC_PTR", 0x8000, ProtocolOperation::dkp(Alg::kMd5, DkpEnd::kPtr, DkpEnd::kImm, 0).info},
    {"OP_PCL_DKP_DST_PTR", 0x2000, ProtocolOperation::dkp(Alg::kMd5, DkpEnd::kImm, DkpEnd::kPtr, 0).info},
};

constexpr Constant kMoveMathJump[] = {
    {"MOVE_AUX_MS", 0x04000000, bits(Move{.aux = 2})},
    {"MOVE_AUX_LS", 0x02000000, bits(Move{.aux = 1})},
    {"MOVE_WAITCOMP", 0x01000000, bits(Move{.wait = true})},
    {"MOVE_SRC_CLASS2CTX", 0x00100000, src(MoveSrc::kClass2Ctx)},
    {"MOVE_SRC_OUTFIFO", 0x00200000, src(MoveSrc::kOutFifo)},
    {"MOVE_SRC_DESCBUF", 0x00300000, src(MoveSrc::kDescBuf)},
    {"MOVE_SRC_MATH0", 0x00400000, src(MoveSrc::kMath0)},
    {"MOVE_SRC_MATH3", 0x00700000, src(MoveSrc::kMath3)},
    {"MOVE_SRC_INFIFO", 0x00800000, src(MoveSrc::kInFifoDeco)},
    {"MOVE_SRC_INFIFO_CL", 0x00900000, src(MoveSrc::kInFifoClass)},
    {"MOVE_SRC_AUX_ABLK", 0x00a00000, src(MoveSrc::kAlignBlock)},
    {"MOVE_DEST_CLASS2CTX", 0x00010000, dst(MoveDst::kClass2Ctx)},
    {"MOVE_DEST_OUTFIFO", 0x00020000, dst(MoveDst::kOutFifo)},
    {"MOVE_DEST_DESCBUF", 0x00030000, dst(MoveDst::kDescBuf)},
    {"MOVE_DEST_MATH0", 0x00040000, dst(MoveDst::kMath0)},
    {"MOVE_DEST_MATH3", 0x00070000, dst(MoveDst::kMath3)},
    {"MOVE_DEST_CLASS1INFIFO", 0x00080000, dst(MoveDst::kClass1InFifo)},
    {"MOVE_DEST_CLASS2INFIFO", 0x00090000, dst(MoveDst::kClass2InFifo)},
    {"MOVE_DEST_INFIFO_NOINFO", 0x000a0000, dst(MoveDst::kInFifo)},
    {"MOVE_DEST_PK_A", 0x000c0000, dst(MoveDst::kPkhaA)},
    {"MOVE_DEST_CLASS1KEY", 0x000d0000, dst(MoveDst::kClass1Key)},
    {"MOVE_DEST_CLASS2KEY", 0x000e0000, dst(MoveDst::kClass2Key)},
    {"MOVELEN_MRSEL_MATH3", 0x3, bits(MoveLen{.math = 3})},
    {"MATH_IFB", 0x04000000, math({.ifb = true})},
    {"MATH_NFU", 0x02000000, math({.nfu = true})},
    {"MATH_STL", 0x01000000, math({.stl = true})},
    {"MATH_FUN_ADD", 0x00000000, fn(MathFn::kAdd)},
    {"MATH_FUN_ADDC", 0x00100000, fn(MathFn::kAddC)},
    {"MATH_FUN_SUB", 0x00200000, fn(MathFn::kSub)},
    {"MATH_FUN_SUBB", 0x00300000, fn(MathFn::kSubB)},
    {"MATH_FUN_OR", 0x00400000, fn(MathFn::kOr)},
    {"MATH_FUN_AND", 0x00500000, fn(MathFn::kAnd)},
    {"MATH_FUN_XOR", 0x00600000, fn(MathFn::kXor)},
    {"MATH_FUN_LSHIFT", 0x00700000, fn(MathFn::kLshift)},
    {"MATH_FUN_RSHIFT", 0x00800000, fn(MathFn::kRshift)},
    {"MATH_FUN_SHLD", 0x00900000, fn(MathFn::kShld)},
    {"MATH_FUN_ZBYT", 0x00a00000, fn(MathFn::kZbyt)},
    {"MATH_SRC0_REG3", 0x00030000, src0(MathSrc0::kMath3)},
    {"MATH_SRC0_IMM", 0x00040000, src0(MathSrc0::kImm)},
    {"MATH_SRC0_DPOVRD", 0x00070000, src0(MathSrc0::kDpovrd)},
    {"MATH_SRC0_SEQINLEN", 0x00080000, src0(MathSrc0::kSil)},
    {"MATH_SRC0_SEQOUTLEN", 0x00090000, src0(MathSrc0::kSol)},
    {"MATH_SRC0_VARSEQINLEN", 0x000a0000, src0(MathSrc0::kVsil)},
    {"MATH_SRC0_VARSEQOUTLEN", 0x000b0000, src0(MathSrc0::kVsol)},
    {"MATH_SRC0_ZERO", 0x000c0000, src0(MathSrc0::kZero)},
    {"MATH_SRC1_REG3", 0x00003000, src1(MathSrc1::kMath3)},
    {"MATH_SRC1_IMM", 0x00004000, src1(MathSrc1::kImm)},
    {"MATH_SRC1_DPOVRD", 0x00007000, src1(MathSrc1::kDpovrd)},
    {"MATH_SRC1_INFIFO", 0x0000a000, src1(MathSrc1::kInFifo)},
    {"MATH_SRC1_OUTFIFO", 0x0000b000, src1(MathSrc1::kOutFifo)},
    {"MATH_SRC1_ONE", 0x0000c000, src1(MathSrc1::kOne)},
    {"MATH_DEST_REG3", 0x00000300, math_dst_bits(MathDst::kMath3)},
    {"MATH_DEST_DPOVRD", 0x00000700, math_dst_bits(MathDst::kDpovrd)},
    {"MATH_DEST_SEQINLEN", 0x00000800, math_dst_bits(MathDst::kSil)},
    {"MATH_DEST_SEQOUTLEN", 0x00000900, math_dst_bits(MathDst::kSol)},
    {"MATH_DEST_VARSEQINLEN", 0x00000a00, math_dst_bits(MathDst::kVsil)},
    {"MATH_DEST_VARSEQOUTLEN", 0x00000b00, math_dst_bits(MathDst::kVsol)},
    {"MATH_DEST_NONE", 0x00000f00, math_dst_bits(MathDst::kNone)},
    {"JUMP_CLASS_CLASS1", 0x02000000, jump({.cls = ClassSel::kClass1})},
    {"JUMP_CLASS_BOTH", 0x06000000, jump({.cls = ClassSel::kBoth})},
    {"JUMP_JSL", 0x01000000, jump({.jsl = true})},
    {"JUMP_TYPE_LOCAL", 0x00000000, jump({.type = JumpType::kLocal})},
    {"JUMP_TYPE_NONLOCAL", 0x00400000, jump({.type = JumpType::kNonLocal})},
    {"JUMP_TYPE_HALT", 0x00800000, jump({.type = JumpType::kHalt})},
    {"JUMP_TYPE_HALT_USER", 0x00c00000, jump({.type = JumpType::kHaltUser})},
    {"JUMP_TEST_ALL", 0x00000000, jump({.test = JumpTest::kAll})},
    {"JUMP_TEST_INVALL", 0x00010000, jump({.test = JumpTest::kNotAll})},
    {"JUMP_TEST_ANY", 0x00020000, jump({.test = JumpTest::kAny})},
    {"JUMP_TEST_INVANY", 0x00030000, jump({.test = JumpTest::kNotAny})},
    {"JUMP_COND_PK_0", 0x8000, cond(kCondPkZero)},
    {"JUMP_COND_PK_GCD_1", 0x4000, cond(kCondPkGcd1)},
    {"JUMP_COND_PK_PRIME", 0x2000, cond(kCondPkPrime)},
    {"JUMP_COND_MATH_N", 0x0800, cond(kCondMathN)},
    {"JUMP_COND_MATH_Z", 0x0400, cond(kCondMathZ)},
    {"JUMP_COND_MATH_C", 0x0200, cond(kCondMathC)},
    {"JUMP_COND_MATH_NV", 0x0100, cond(kCondMathNv)},
    {"JUMP_COND_JRP", 0x01008000, jsl(kCondJqp)},
    {"JUMP_COND_SHRD", 0x01004000, jsl(kCondShrd)},
    {"JUMP_COND_SELF", 0x01002000, jsl(kCondSelf)},
    {"JUMP_COND_CALM", 0x01001000, jsl(kCondCalm)},
    {"JUMP_COND_NIP", 0x01000800, jsl(kCondNip)},
    {"JUMP_COND_NIFP", 0x01000400, jsl(kCondNifp)},
    {"JUMP_COND_NOP", 0x01000200, jsl(kCondNop)},
    {"JUMP_COND_NCP", 0x01000100, jsl(kCondNcp)},
};

constexpr Constant kNfifo[] = {
    {"NFIFOENTRY_DEST_CLASS1", 0x40000000, nfifo({.dest = NfifoDest::kClass1})},
    {"NFIFOENTRY_DEST_CLASS2", 0x80000000, nfifo({.dest = NfifoDest::kClass2})},
    {"NFIFOENTRY_DEST_BOTH", 0xc0000000, nfifo({.dest = NfifoDest::kBoth})},
    {"NFIFOENTRY_LC2", 0x20000000, nfifo({.lc2 = true})},
    {"NFIFOENTRY_LC1", 0x10000000, nfifo({.lc1 = true})},
    {"NFIFOENTRY_FC2", 0x08000000, nfifo({.fc2 = true})},
    {"NFIFOENTRY_FC1", 0x04000000, nfifo({.fc1 = true})},
    {"NFIFOENTRY_STYPE_OFIFO", 0x01000000, nfifo({.src = NfifoSource::kOutFifo})},
    {"NFIFOENTRY_STYPE_PAD", 0x02000000, nfifo({.src = NfifoSource::kPad})},
    {"NFIFOENTRY_STYPE_SNOOP", 0x03000000, nfifo({.src = NfifoSource::kSnoop})},
    {"NFIFOENTRY_DTYPE_AAD", 0x00100000, nfifo({.data = NfifoData::kAad})},
    {"NFIFOENTRY_DTYPE_IV", 0x00200000, nfifo({.data = NfifoData::kIv})},
    {"NFIFOENTRY_DTYPE_SAD", 0x00300000, nfifo({.data = NfifoData::kSad})},
    {"NFIFOENTRY_DTYPE_ICV", 0x00a00000, nfifo({.data = NfifoData::kIcv})},
    {"NFIFOENTRY_DTYPE_POLY", 0x00b00000, nfifo({.data = NfifoData::kPoly})},
    {"NFIFOENTRY_DTYPE_SKIP", 0x00e00000, nfifo({.data = NfifoData::kSkip})},
    {"NFIFOENTRY_DTYPE_MSG", 0x00f00000, nfifo({.data = NfifoData::kMsg})},
    {"NFIFOENTRY_DTYPE_PK_A3", 0x00300000, nfifo_data(NfifoPkData::kA3)},
    {"NFIFOENTRY_DTYPE_PK_B0", 0x00400000, nfifo_data(NfifoPkData::kB0)},
    {"NFIFOENTRY_DTYPE_PK_N", 0x00800000, nfifo_data(NfifoPkData::kN)},
    {"NFIFOENTRY_DTYPE_PK_E", 0x00900000, nfifo_data(NfifoPkData::kE)},
    {"NFIFOENTRY_DTYPE_PK_A", 0x00c00000, nfifo_data(NfifoPkData::kA)},
    {"NFIFOENTRY_DTYPE_PK_B", 0x00d00000, nfifo_data(NfifoPkData::kB)},
    {"NFIFOENTRY_BND", 0x00080000, nfifo({.bnd = true})},
    {"NFIFOENTRY_PTYPE_RND_NOZEROS", 0x00010000, nfifo({.pad = NfifoPad::kRandomNoZeros})},
    {"NFIFOENTRY_PTYPE_INCREMENT", 0x00020000, nfifo({.pad = NfifoPad::kIncrement})},
    {"NFIFOENTRY_PTYPE_RND", 0x00030000, nfifo({.pad = NfifoPad::kRandom})},
    {"NFIFOENTRY_PTYPE_ZEROS_NZ", 0x00040000, nfifo({.pad = NfifoPad::kZerosLast})},
    {"NFIFOENTRY_PTYPE_RND_NZ_LZ", 0x00050000, nfifo({.pad = NfifoPad::kRandomLastZero})},
    {"NFIFOENTRY_PTYPE_N", 0x00060000, nfifo({.pad = NfifoPad::kAllN})},
    {"NFIFOENTRY_PTYPE_RND_NZ_N", 0x00070000, nfifo({.pad = NfifoPad::kRandomLastN})},
    {"NFIFOENTRY_OC", 0x00008000, nfifo({.oc_pr = true})},
    {"SEC4_SG_LEN_EXT", 0x80000000, sg_length_word({.ext = true})},
    {"SEC4_SG_LEN_FIN", 0x40000000, sg_length_word({.final = true})},
    {"SEC4_SG_BPID_SHIFT", 1u << 16, sg_offset_word({.bpid = 1})},
};

TEST(KernelConstants, AreOurs) {
  const std::span<const Constant> kAll[] = {kCommands,   kHeadersAndKeys, kRegisters, kFifos,
                                            kOperations, kMoveMathJump,   kNfifo};
  for (const auto& table : kAll)
    for (const Constant& c : table) EXPECT_EQ(c.ours, c.kernel) << c.name << std::hex << " " << c.ours;
}

}  // namespace
}  // namespace caamlab::desc
