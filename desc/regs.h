// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Register map of the block: byte offsets within a page, and the bits software and model both need. No code.
// Source: hardware.md 6.5 and 8. The version and performance monitor block (0xE80 up) appears in every page.
#pragma once

#include <cstdint>

namespace caamlab::desc::reg {

// Pages. A page is 4 KiB or 64 KiB (ctpr_ms::kPage64K), its registers are in the first 4 KiB.
inline constexpr uint32_t kBankBytes = 0x1000;
inline constexpr uint32_t kCommonFirst = 0xE80;  // from here on every page shows the same registers
inline constexpr unsigned kPageController = 0;
inline constexpr unsigned kPageJobRing = 1;  // + ring
inline constexpr unsigned kPageRtic = 6;
inline constexpr unsigned kPageQi = 7;
inline constexpr unsigned kPageDeco = 8;  // + DECO
inline constexpr unsigned kMaxJobRings = 4;
inline constexpr unsigned kMaxDecos = 16;

// --- page 0 ---
inline constexpr uint32_t kMcfgr = 0x004;
inline constexpr uint32_t kPage0Sdid = 0x008;
inline constexpr uint32_t kScfgr = 0x00C;
inline constexpr uint32_t kJrDidMs = 0x010;  // + 8 * ring; LS at + 4
inline constexpr uint32_t kDebugCtl = 0x058;
inline constexpr uint32_t kJrStart = 0x05C;
inline constexpr uint32_t kRticOwner = 0x060;
inline constexpr uint32_t kRticDid = 0x064;  // + 8 * block
inline constexpr uint32_t kDecorsr = 0x094;
inline constexpr uint32_t kDecorr = 0x09C;
inline constexpr uint32_t kDecoDidMs = 0x0A0;  // + 8 * DECO
inline constexpr uint32_t kDar = 0x120;
inline constexpr uint32_t kDrr = 0x124;
inline constexpr uint32_t kJdkekr = 0x400;  // 8 words
inline constexpr uint32_t kTdkekr = 0x420;  // 8 words
inline constexpr uint32_t kTdskr = 0x440;   // 8 words
inline constexpr uint32_t kSknr = 0x4E0;    // 64 bit
inline constexpr uint32_t kRtmctl = 0x600;
inline constexpr uint32_t kRtscmisc = 0x604;
inline constexpr uint32_t kRtpkrrng = 0x608;
inline constexpr uint32_t kRtpkrmax = 0x60C;  // PRGM = 0: RTPKRSQ
inline constexpr uint32_t kRtsdctl = 0x610;
inline constexpr uint32_t kRtsblim = 0x614;  // PRGM = 0: RTTOTSAM
inline constexpr uint32_t kRtfrqmin = 0x618;
inline constexpr uint32_t kRtfrqmax = 0x61C;  // PRGM = 0: RTFRQCNT
inline constexpr uint32_t kRtscml = 0x620;    // PRGM = 0: RTSCMC; then RTSCR1L..RTSCR6PL
inline constexpr uint32_t kRtstatus = 0x63C;
inline constexpr uint32_t kRtent = 0x640;  // 16 words
inline constexpr uint32_t kRdsta = 0x6C0;
inline constexpr uint32_t kRdint0 = 0x6D0;
inline constexpr uint32_t kRdint1 = 0x6D4;

namespace mcfgr {
inline constexpr uint32_t kSwrst = 1u << 31;
inline constexpr uint32_t kWde = 1u << 30;
inline constexpr uint32_t kWdf = 1u << 29;
inline constexpr uint32_t kDmaRst = 1u << 28;
inline constexpr uint32_t kWrhd = 1u << 27;
inline constexpr uint32_t kDwt = 1u << 19;
inline constexpr uint32_t kPs = 1u << 16;  // the kernel's LONG_PTR
inline constexpr uint32_t kArcache = 0xFu << 12;
inline constexpr uint32_t kAwcache = 0xFu << 8;
inline constexpr uint32_t kAwcacheCach = 2u << 8;
inline constexpr uint32_t kAwcacheBuff = 1u << 8;
inline constexpr uint32_t kAxipipe = 0xFu << 4;
inline constexpr unsigned kAxipipeShift = 4;
inline constexpr uint32_t kAxipri = 1u << 3;
inline constexpr uint32_t kLargeBurst = 1u << 2;
inline constexpr uint32_t kBurst64 = 1u << 0;
}  // namespace mcfgr

namespace scfgr {
inline constexpr uint32_t kPriblob = 3u << 0;
inline constexpr uint32_t kRngsh0 = 1u << 9;
inline constexpr uint32_t kRdb = 1u << 10;
inline constexpr uint32_t kLockTrng = 1u << 11;
inline constexpr uint32_t kVirtEn = 1u << 15;
inline constexpr uint32_t kMpmrl = 1u << 26;
inline constexpr uint32_t kMppkrc = 1u << 27;
inline constexpr uint32_t kMpcurve = 0xFu << 28;
}  // namespace scfgr

namespace jrdid {
inline constexpr uint32_t kLock = 1u << 31;   // MS half
inline constexpr uint32_t kTzOwn = 1u << 15;  // MS half: the ring belongs to the secure world (TrustZone)
inline constexpr uint32_t kAmtd = 1u << 16;   // MS half: the ring may make trusted descriptors
}  // namespace jrdid

namespace debugctl {
inline constexpr uint32_t kStop = 1u << 16;
inline constexpr uint32_t kStopAck = 1u << 17;
}  // namespace debugctl

namespace decorsr {
inline constexpr uint32_t kJr = 3u << 0;  // the ring that lends its bus identity
inline constexpr uint32_t kJr0 = 1u << 0;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace decorsr

namespace decorr {
inline constexpr uint32_t kRqd0 = 1u << 0;   // << DECO
inline constexpr uint32_t kDen0 = 1u << 16;  // << DECO
}  // namespace decorr

namespace rtmctl {
inline constexpr uint32_t kSampMode = 3u << 0;  // 0 von Neumann, 1 raw, 2 mixed
inline constexpr uint32_t kSampModeRaw = 1u << 0;
inline constexpr uint32_t kOscDiv = 3u << 2;
inline constexpr uint32_t kTrngAcc = 1u << 5;
inline constexpr uint32_t kRstDef = 1u << 6;
inline constexpr uint32_t kForceSysclk = 1u << 7;
inline constexpr uint32_t kFctFail = 1u << 8;
inline constexpr uint32_t kFctVal = 1u << 9;
inline constexpr uint32_t kEntVal = 1u << 10;
inline constexpr uint32_t kErr = 1u << 12;
inline constexpr uint32_t kTstopOk = 1u << 13;
inline constexpr uint32_t kPrgm = 1u << 16;
}  // namespace rtmctl

namespace rtsdctl {
inline constexpr uint32_t kSampSize = 0xFFFFu;
inline constexpr unsigned kEntDlyShift = 16;
inline constexpr uint32_t kEntDly = 0xFFFFu << kEntDlyShift;
}  // namespace rtsdctl

namespace rdsta {
inline constexpr uint32_t kIf0 = 1u << 0;
inline constexpr uint32_t kIf1 = 1u << 1;
inline constexpr uint32_t kPr0 = 1u << 4;
inline constexpr uint32_t kPr1 = 1u << 5;
inline constexpr uint32_t kTf0 = 1u << 8;
inline constexpr uint32_t kTf1 = 1u << 9;
inline constexpr uint32_t kErrcode = 0xFu << 16;
inline constexpr uint32_t kCe = 1u << 20;
inline constexpr uint32_t kSkvn = 1u << 30;
inline constexpr uint32_t kSkvt = 1u << 31;
}  // namespace rdsta

// --- version registers, era 10 form; every page ---
inline constexpr uint32_t kVregCrca = 0xE80;
inline constexpr uint32_t kVregAfha = 0xE84;
inline constexpr uint32_t kVregKfha = 0xE88;
inline constexpr uint32_t kVregPkha = 0xE8C;
inline constexpr uint32_t kVregAesa = 0xE90;
inline constexpr uint32_t kVregMdha = 0xE94;
inline constexpr uint32_t kVregDesa = 0xE98;
inline constexpr uint32_t kVregSnw8a = 0xE9C;
inline constexpr uint32_t kVregSnw9a = 0xEA0;
inline constexpr uint32_t kVregZuce = 0xEA4;
inline constexpr uint32_t kVregZuca = 0xEA8;
inline constexpr uint32_t kVregCcha = 0xEAC;
inline constexpr uint32_t kVregPtha = 0xEB0;
inline constexpr uint32_t kVregRng = 0xEB4;
inline constexpr uint32_t kVregTrng = 0xEB8;
inline constexpr uint32_t kVregAaha = 0xEBC;
inline constexpr uint32_t kVregSr = 0xEE8;
inline constexpr uint32_t kVregDma = 0xEEC;
inline constexpr uint32_t kVregAi = 0xEF0;
inline constexpr uint32_t kVregQi = 0xEF4;
inline constexpr uint32_t kVregJr = 0xEF8;
inline constexpr uint32_t kVregDeco = 0xEFC;

namespace vreg {
inline constexpr uint32_t kNumMask = 0xFF;
inline constexpr unsigned kMiscShift = 8;
inline constexpr unsigned kRevShift = 16;
inline constexpr unsigned kVidShift = 24;
inline constexpr uint32_t kAesaGcm = 1u << 9;
inline constexpr uint32_t kPkhaNoCrypt = 1u << 15;
}  // namespace vreg

// --- performance monitor and status; every page ---
inline constexpr uint32_t kPcReqDeq = 0xF00;  // 64-bit counters
inline constexpr uint32_t kPcObEncReq = 0xF08;
inline constexpr uint32_t kPcIbDecReq = 0xF10;
inline constexpr uint32_t kPcObEncrypt = 0xF18;
inline constexpr uint32_t kPcObProtect = 0xF20;
inline constexpr uint32_t kPcIbDecrypt = 0xF28;
inline constexpr uint32_t kPcIbValidated = 0xF30;
inline constexpr uint32_t kCrnrMs = 0xFA0;
inline constexpr uint32_t kCrnrLs = 0xFA4;
inline constexpr uint32_t kCtprMs = 0xFA8;
inline constexpr uint32_t kCtprLs = 0xFAC;
inline constexpr uint32_t kFar = 0xFC0;  // 64 bit
inline constexpr uint32_t kFadid = 0xFC8;
inline constexpr uint32_t kFadr = 0xFCC;
inline constexpr uint32_t kCsta = 0xFD4;
inline constexpr uint32_t kSmvidMs = 0xFD8;
inline constexpr uint32_t kSmvidLs = 0xFDC;
inline constexpr uint32_t kRvid = 0xFE0;
inline constexpr uint32_t kCcbvid = 0xFE4;
inline constexpr uint32_t kChavidMs = 0xFE8;
inline constexpr uint32_t kChavidLs = 0xFEC;
inline constexpr uint32_t kChanumMs = 0xFF0;
inline constexpr uint32_t kChanumLs = 0xFF4;
inline constexpr uint32_t kSecvidMs = 0xFF8;
inline constexpr uint32_t kSecvidLs = 0xFFC;

namespace csta {
inline constexpr uint32_t kBsy = 1u << 0;
inline constexpr uint32_t kIdle = 1u << 1;
inline constexpr uint32_t kTrngIdle = 1u << 2;
inline constexpr uint32_t kMoo = 3u << 8;  // 0 non-secure, 1 secure, 2 trusted, 3 fail
inline constexpr uint32_t kPlend = 1u << 10;
inline constexpr uint32_t kAltPlend = 1u << 18;  // kPlend read with the wrong byte order
}  // namespace csta

namespace ctpr_ms {
inline constexpr uint32_t kVirtEnIncl = 1u << 0;
inline constexpr uint32_t kVirtEnPor = 1u << 1;
inline constexpr uint32_t kPage64K = 1u << 4;
inline constexpr unsigned kRngIShift = 8;
inline constexpr uint32_t kAi = 1u << 11;
inline constexpr uint32_t kDpaa2 = 1u << 13;
inline constexpr uint32_t kIpClk = 1u << 14;
inline constexpr uint32_t kMcfgBurst = 1u << 16;
inline constexpr uint32_t kPs = 1u << 17;
inline constexpr uint32_t kSg8 = 1u << 18;
inline constexpr uint32_t kPmEvtBus = 1u << 19;
inline constexpr uint32_t kDecoWd = 1u << 20;
inline constexpr uint32_t kPc = 1u << 21;
inline constexpr uint32_t kC1c2 = 1u << 23;
inline constexpr uint32_t kAccCtl = 1u << 24;
inline constexpr uint32_t kQi = 1u << 25;
inline constexpr uint32_t kAxiPri = 1u << 26;
inline constexpr uint32_t kAxiLiodn = 1u << 27;
inline constexpr unsigned kPipeDepthShift = 28;
}  // namespace ctpr_ms

namespace ctpr_ls {
inline constexpr uint32_t kKgDs = 1u << 0;
inline constexpr uint32_t kBlob = 1u << 1;
inline constexpr uint32_t kWifi = 1u << 2;
inline constexpr uint32_t kWimax = 1u << 3;
inline constexpr uint32_t kSrtp = 1u << 4;
inline constexpr uint32_t kIpsec = 1u << 5;
inline constexpr uint32_t kIke = 1u << 6;
inline constexpr uint32_t kSslTls = 1u << 7;
inline constexpr uint32_t kTlsPrf = 1u << 8;
inline constexpr uint32_t kMacsec = 1u << 9;
inline constexpr uint32_t kRsa = 1u << 10;
inline constexpr uint32_t kP3gLte = 1u << 11;
inline constexpr uint32_t kDblCrc = 1u << 12;
inline constexpr uint32_t kManProt = 1u << 13;
inline constexpr uint32_t kDkp = 1u << 14;
}  // namespace ctpr_ls

namespace fadr {
inline constexpr uint32_t kSizeMask = 0x7F;
inline constexpr uint32_t kWrite = 1u << 7;
inline constexpr unsigned kBlockShift = 8;  // 4 bits: 4 JQC, 5 job ring, 8 DECO0
inline constexpr uint32_t kBlockJqc = 4;
inline constexpr uint32_t kBlockJobRing = 5;
inline constexpr uint32_t kBlockDeco0 = 8;
inline constexpr unsigned kSourceShift = 12;  // 3 bits: as JobSource ids
inline constexpr uint32_t kControlData = 1u << 15;
inline constexpr uint32_t kKey = 1u << 25;
inline constexpr uint32_t kTrusted = 1u << 26;
inline constexpr unsigned kResponseShift = 30;  // 2 bits
}  // namespace fadr

namespace ccbvid {
inline constexpr unsigned kEraShift = 24;
}

// --- job ring page ---
inline constexpr uint32_t kIrba = 0x00;  // 64 bit
inline constexpr uint32_t kIrs = 0x0C;
inline constexpr uint32_t kIrsa = 0x14;
inline constexpr uint32_t kIrja = 0x1C;
inline constexpr uint32_t kOrba = 0x20;  // 64 bit
inline constexpr uint32_t kOrs = 0x2C;
inline constexpr uint32_t kOrjr = 0x34;
inline constexpr uint32_t kOrsf = 0x3C;
inline constexpr uint32_t kJrsta = 0x44;
inline constexpr uint32_t kJrint = 0x4C;
inline constexpr uint32_t kJrcfgMs = 0x50;
inline constexpr uint32_t kJrcfgLs = 0x54;
inline constexpr uint32_t kIrri = 0x5C;
inline constexpr uint32_t kOrwi = 0x64;
inline constexpr uint32_t kJrcr = 0x6C;

inline constexpr uint32_t kRingSizeMask = 0x3FF;

namespace jrint {
inline constexpr uint32_t kJri = 1u << 0;
inline constexpr uint32_t kJre = 1u << 1;
inline constexpr uint32_t kHaltMask = 3u << 2;
inline constexpr uint32_t kHaltInProgress = 1u << 2;
inline constexpr uint32_t kHaltComplete = 2u << 2;
inline constexpr uint32_t kEnterFail = 1u << 4;
inline constexpr uint32_t kExitFail = 1u << 5;
inline constexpr unsigned kErrTypeShift = 8;
inline constexpr uint32_t kErrTypeMask = 0x1Fu << kErrTypeShift;
inline constexpr unsigned kErrOrwiShift = 16;
inline constexpr uint32_t kErrOrwiMask = 0x3FFFu << kErrOrwiShift;
}  // namespace jrint

namespace jrcfg {
// LS half
inline constexpr uint32_t kImsk = 1u << 0;
inline constexpr uint32_t kIcen = 1u << 1;
inline constexpr uint32_t kSoe = 1u << 2;
inline constexpr unsigned kIcdctShift = 8;
inline constexpr uint32_t kIcdctMask = 0xFFu << kIcdctShift;
inline constexpr unsigned kIcttShift = 16;
inline constexpr uint32_t kIcttMask = 0xFFFFu << kIcttShift;
// MS half
inline constexpr uint32_t kSwapMask = 0x00077777;  // MBSI .. DWSO
inline constexpr uint32_t kFailMode = 1u << 29;
inline constexpr uint32_t kInclSeqOut = 1u << 30;
}  // namespace jrcfg

namespace jrcr {
inline constexpr uint32_t kReset = 1u << 0;
inline constexpr uint32_t kPark = 1u << 1;
}  // namespace jrcr

// --- queue interface page ---
inline constexpr uint32_t kQictlMs = 0x000;
inline constexpr uint32_t kQictlLs = 0x004;
inline constexpr uint32_t kQista = 0x00C;

namespace qictl {
inline constexpr uint32_t kDqen = 1u << 0;
inline constexpr uint32_t kStop = 1u << 1;
inline constexpr uint32_t kSoe = 1u << 2;
}  // namespace qictl

// --- DECO / CCB page ---
inline constexpr uint32_t kC1mr = 0x004;
inline constexpr uint32_t kC1ksr = 0x00C;
inline constexpr uint32_t kC1dsr = 0x010;  // 64 bit
inline constexpr uint32_t kC1icvsr = 0x01C;
inline constexpr uint32_t kCctrl = 0x034;
inline constexpr uint32_t kIctl = 0x03C;
inline constexpr uint32_t kCwr = 0x044;
inline constexpr uint32_t kCcstaMs = 0x048;
inline constexpr uint32_t kCcstaLs = 0x04C;
inline constexpr uint32_t kAadszr = 0x05C;
inline constexpr uint32_t kC1ivszr = 0x064;
inline constexpr uint32_t kPkaszr = 0x084;
inline constexpr uint32_t kPkbszr = 0x08C;
inline constexpr uint32_t kPknszr = 0x094;
inline constexpr uint32_t kPkeszr = 0x09C;
inline constexpr uint32_t kC1ctxr = 0x100;  // 16 words
inline constexpr uint32_t kC1keyr = 0x200;  // 8 words
inline constexpr uint32_t kC2mr = 0x404;
inline constexpr uint32_t kC2ksr = 0x40C;
inline constexpr uint32_t kC2dsr = 0x410;  // 64 bit
inline constexpr uint32_t kC2icvszr = 0x41C;
inline constexpr uint32_t kC2ctxr = 0x500;  // 18 words
inline constexpr uint32_t kC2keyr = 0x600;  // 32 words
inline constexpr uint32_t kFifosta = 0x7C0;
inline constexpr uint32_t kNfifo = 0x7D0;
inline constexpr uint32_t kIfifo = 0x7E0;
inline constexpr uint32_t kOfifo = 0x7F0;  // 64 bit
inline constexpr uint32_t kJqcrMs = 0x800;
inline constexpr uint32_t kJqcrLs = 0x804;
inline constexpr uint32_t kDadr = 0x808;  // 64 bit: descriptor address
inline constexpr uint32_t kOpstaMs = 0x810;
inline constexpr uint32_t kOpstaLs = 0x814;
inline constexpr uint32_t kDecoIdMs = 0x820;
inline constexpr uint32_t kDecoIdLs = 0x824;
inline constexpr uint32_t kMath0 = 0x840;    // 4 x 64 bit
inline constexpr uint32_t kGtr0 = 0x880;     // 4 x 16 bytes
inline constexpr uint32_t kStr0 = 0x900;     // 4 x 16 bytes
inline constexpr uint32_t kDescbuf = 0xA00;  // 64 words
inline constexpr uint32_t kDjr = 0xE00;
inline constexpr uint32_t kDdr = 0xE04;
inline constexpr uint32_t kJdp = 0xE08;  // 64 bit
inline constexpr uint32_t kSdp = 0xE10;  // 64 bit
inline constexpr uint32_t kSol = 0xE20;
inline constexpr uint32_t kVsol = 0xE24;
inline constexpr uint32_t kSil = 0xE28;
inline constexpr uint32_t kVsil = 0xE2C;
inline constexpr uint32_t kDpovrd = 0xE30;
inline constexpr uint32_t kUvsol = 0xE34;
inline constexpr uint32_t kUvsil = 0xE38;
inline constexpr uint32_t kDer = 0xE3C;  // era 10

namespace jqcr {
inline constexpr uint32_t kIdMask = 7u << 0;
inline constexpr unsigned kSrcShift = 8;
inline constexpr uint32_t kSrcMask = 7u << kSrcShift;
inline constexpr uint32_t kAmtd = 1u << 15;
inline constexpr uint32_t kSob = 1u << 16;
inline constexpr uint32_t kDws = 1u << 19;
inline constexpr uint32_t kIle = 1u << 27;
inline constexpr uint32_t kFour = 1u << 28;
inline constexpr uint32_t kWhl = 1u << 29;
inline constexpr uint32_t kSing = 1u << 30;
inline constexpr uint32_t kStep = 1u << 31;
}  // namespace jqcr

namespace ddr {
inline constexpr unsigned kIndexShift = 8;  // 6 bits
inline constexpr unsigned kStateShift = 20;
inline constexpr uint32_t kStateMask = 0xFu << kStateShift;
inline constexpr uint32_t kStateHostError = 0xD;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace ddr

namespace der {
inline constexpr unsigned kStateShift = 16;
inline constexpr uint32_t kStateMask = 0xFu << kStateShift;
}  // namespace der

namespace opsta {
inline constexpr uint32_t kErrorMask = 0xF00000FF;
}

}  // namespace caamlab::desc::reg
