// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MATH and MATHI (hardware.md 2.10) against an evaluator that works bit by bit and shares no code with the DECO's:
// every function, source, destination and length over random registers; immediates; FIFO sources; errors.
#include <map>
#include <optional>
#include <random>

#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::DecoError;
using desc::Math;
using desc::MathDst;
using desc::MathFn;
using desc::MathI;
using desc::MathSrc0;
using desc::MathSrc1;

// -- the evaluator
// ------------------------------------------------------------------------------------------------------

using Bits = std::vector<bool>;  // least significant first

Bits to_bits(uint64_t v, unsigned n) {
  Bits out(n);
  for (unsigned i = 0; i < n; ++i) out[i] = v >> i & 1;
  return out;
}
uint64_t from_bits(const Bits& b) {
  uint64_t v = 0;
  for (size_t i = b.size(); i-- > 0;) v = v << 1 | b[i];
  return v;
}

struct Outcome {
  uint64_t value = 0;
  bool n = false, z = false, c = false, nv = false;
};

// a + b + carry, digit by digit; `c` the carry out, `v` the carry into the sign bit that differs from the one out.
Bits add(const Bits& a, const Bits& b, bool carry, bool& c, bool& v) {
  Bits sum(a.size());
  bool into_sign = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (i + 1 == a.size()) into_sign = carry;
    const int digit = a[i] + b[i] + carry;
    sum[i] = digit & 1;
    carry = digit > 1;
  }
  c = carry;
  v = into_sign != carry;
  return sum;
}

std::optional<Outcome> evaluate(unsigned fn, uint64_t left, uint64_t right, unsigned len, bool carry, bool find_byte) {
  const unsigned n = len * 8;
  const Bits a = to_bits(left, n), b = to_bits(right, n);
  Bits r(n);
  bool c = false, v = false;
  const uint64_t amount = from_bits(b);
  switch (fn) {
    case 0x0:
    case 0x1:
      r = add(a, b, fn == 0x1 && carry, c, v);
      break;
    case 0x2:
    case 0x3: {  // a + ~b + 1, and the carry is the borrow's opposite
      Bits inverted(n);
      for (unsigned i = 0; i < n; ++i) inverted[i] = !b[i];
      r = add(a, inverted, !(fn == 0x3 && carry), c, v);
      c = !c;
      break;
    }
    case 0x4:
      for (unsigned i = 0; i < n; ++i) r[i] = a[i] || b[i];
      break;
    case 0x5:
      for (unsigned i = 0; i < n; ++i) r[i] = a[i] && b[i];
      break;
    case 0x6:
      for (unsigned i = 0; i < n; ++i) r[i] = a[i] != b[i];
      break;
    case 0x7:
      for (unsigned i = 0; i < n; ++i) r[i] = i >= amount ? bool(a[i - amount]) : false;
      break;
    case 0x8:
      for (unsigned i = 0; i < n; ++i) r[i] = amount < n && i + amount < n ? bool(a[i + amount]) : false;
      break;
    case 0x9:  // {a[31:0], b[63:32]} cut to the length
      for (unsigned i = 0; i < n; ++i) r[i] = i < 32 ? (i + 32 < n && b[i + 32]) : bool(a[i - 32]);
      break;
    case 0xA:
      for (unsigned byte = 0; byte < len; ++byte) {
        const bool match = (left >> byte * 8 & 0xFF) == (find_byte ? right & 0xFF : 0);
        for (unsigned i = 0; i < 8; ++i) r[byte * 8 + i] = match;
      }
      break;
    case 0xB:
      for (unsigned i = 0; i < n; ++i) r[i] = a[n - 8 - i / 8 * 8 + i % 8];
      break;
    default:
      return std::nullopt;
  }
  Outcome out{from_bits(r), r[n - 1], from_bits(r) == 0, c, false};
  out.nv = out.n != v;
  return out;
}

uint64_t cut(uint64_t v, unsigned len) { return len == 8 ? v : v & ((uint64_t{1} << len * 8) - 1); }

// -- registers
// ------------------------------------------------------------------------------------------------------------

struct Regs {
  uint64_t math[4];
  uint32_t dpovrd, sil, sol, vsil, vsol, uvsil, uvsol;
  bool n, z, c, nv;
  friend bool operator==(const Regs&, const Regs&) = default;
};
Regs read(const hw_model::DecoRegs& r) {
  return {{r.math[0], r.math[1], r.math[2], r.math[3]},
          r.dpovrd,
          r.sil,
          r.sol,
          r.vsil,
          r.vsol,
          r.uvsil,
          r.uvsol,
          r.n,
          r.z,
          r.c,
          r.nv};
}
void write(hw_model::DecoRegs& r, const Regs& v) {
  for (unsigned i = 0; i < 4; ++i) r.math[i] = v.math[i];
  r.dpovrd = v.dpovrd;
  r.sil = v.sil;
  r.sol = v.sol;
  r.vsil = v.vsil;
  r.vsol = v.vsol;
  r.uvsil = v.uvsil;
  r.uvsol = v.uvsol;
  r.n = v.n;
  r.z = v.z;
  r.c = v.c;
  r.nv = v.nv;
}

std::optional<uint64_t> src0_value(const Regs& r, unsigned code) {
  switch (code) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3:
      return r.math[code];
    case 0x7:
      return r.dpovrd;
    case 0x8:
      return r.sil;
    case 0x9:
      return r.sol;
    case 0xA:
      return uint64_t{r.uvsil} << 32 | r.vsil;
    case 0xB:
      return uint64_t{r.uvsol} << 32 | r.vsol;
    case 0xC:
      return 0;
    case 0xF:
      return 1;
    default:
      return std::nullopt;
  }
}
std::optional<uint64_t> src1_value(const Regs& r, unsigned code) {
  switch (code) {
    case 0x8:
      return src0_value(r, 0xA);
    case 0x9:
      return src0_value(r, 0xB);
    case 0xC:
      return 1;
    case 0xD:
      return 2;  // JOBSRC: these jobs come from JR2
    case 0xF:
      return 0;
    case 0xA:
    case 0xB:
      return std::nullopt;  // FIFOs have tests of their own
    default:
      return code <= 3 || code == 7 ? src0_value(r, code) : std::nullopt;
  }
}
bool put_result(Regs& r, unsigned code, uint64_t v, unsigned len) {
  const uint32_t low = static_cast<uint32_t>(v), high = static_cast<uint32_t>(v >> 32);
  switch (code) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3:
      r.math[code] = v;
      return true;
    case 0x7:
      r.dpovrd = low;
      return true;
    case 0x8:
      r.sil = low;
      return true;
    case 0x9:
      r.sol = low;
      return true;
    case 0xA:
      r.vsil = low;
      if (len == 8) r.uvsil = high;
      return true;
    case 0xB:
      r.vsol = low;
      if (len == 8) r.uvsol = high;
      return true;
    case 0xF:
      return true;
    default:
      return false;
  }
}

class MathTest : public testing::Test {
 protected:
  MathTest() { rig_.source = hw_model::SourceId::kJr2; }

  uint64_t interesting() {
    switch (random_() % 6) {
      case 0:
        return random_() % 3;
      case 1:
        return ~uint64_t{0} - random_() % 3;
      case 2:
        return uint64_t{1} << random_() % 64;
      case 3:
        return random_() & 0x00FF00FF00FF00FF;
      default:
        return random_();
    }
  }
  Regs random_regs() {
    Regs r{};
    for (uint64_t& m : r.math) m = interesting();
    for (uint32_t* reg : {&r.dpovrd, &r.sil, &r.sol, &r.vsil, &r.vsol, &r.uvsil, &r.uvsol})
      *reg = static_cast<uint32_t>(interesting());
    r.n = random_() & 1;
    r.z = random_() & 1;
    r.c = random_() & 1;
    r.nv = random_() & 1;
    return r;
  }
  // Runs one command on these registers; `operands` follow it.
  JrStatus run_on(const Regs& before, uint32_t word, const Words& operands = {}) {
    Words job = {0xB0800000, word};
    job.insert(job.end(), operands.begin(), operands.end());
    job[0] |= static_cast<uint32_t>(job.size());
    for (size_t i = 0; i < job.size(); ++i) desc::store32(rig_.job_memory.data + i * 4, job[i], rig_.target.endian);
    hw_model::JobFetch fetch;
    fetch_job(rig_.deco.dma, rig_.source, rig_.job_memory.addr, 10, fetch);
    rig_.deco.begin(fetch, ShareState::kFresh);
    write(rig_.deco.r, before);
    return rig_.deco.run();
  }
  void expect(const Regs& before, std::optional<Outcome> result, bool nfu, unsigned dst, unsigned len, uint32_t word,
              const Words& operands) {
    Regs want = before;
    const bool legal = result && put_result(want, dst, result->value, len);
    if (legal && !nfu) {
      want.n = result->n;
      want.z = result->z;
      want.c = result->c;
      want.nv = result->nv;
    }
    const JrStatus status = run_on(before, word, operands);
    ASSERT_EQ(status, legal ? ok() : deco(DecoError::kMath, 1)) << std::hex << word;
    if (legal) {
      const Regs got = read(rig_.deco.r);
      ASSERT_TRUE(got == want) << std::hex << word << " MATH0 " << before.math[0] << " MATH1 " << before.math[1]
                               << " result " << got.math[dst & 3] << " want " << want.math[dst & 3] << " flags "
                               << got.n << got.z << got.c << got.nv << " want " << want.n << want.z << want.c
                               << want.nv;
    }
  }

  Rig rig_;
  std::mt19937_64 random_{7};
};

TEST_F(MathTest, RegistersOfAllKinds) {
  for (unsigned fn = 0; fn < 16; ++fn)
    for (unsigned s0 = 0; s0 < 16; ++s0)
      for (unsigned s1 = 0; s1 < 16; ++s1)
        for (const unsigned len : {1, 2, 4, 8}) {
          if (s0 == 4 || s1 == 4 || s1 == 0xA || s1 == 0xB) continue;
          const unsigned dst = static_cast<unsigned>(random_() % 16);
          const bool nfu = random_() & 1;
          Math cmd{.nfu = nfu, .stl = bool(random_() & 1)};
          cmd.fn = static_cast<MathFn>(fn);
          cmd.src0 = static_cast<MathSrc0>(s0);
          cmd.src1 = static_cast<MathSrc1>(s1);
          cmd.dst = static_cast<MathDst>(dst);
          cmd.len = static_cast<uint8_t>(len);
          const Regs before = random_regs();
          const auto a = src0_value(before, s0), b = src1_value(before, s1);
          std::optional<Outcome> result;
          if (a && b) result = evaluate(fn, cut(*a, len), cut(*b, len), len, before.c, false);
          expect(before, result, nfu, dst, len, encode(cmd), {});
          if (HasFatalFailure()) return;
        }
}

TEST_F(MathTest, ManyRandomOperands) {
  for (int turn = 0; turn < 20000; ++turn) {
    const unsigned fn = static_cast<unsigned>(random_() % 12), len = 1u << random_() % 4;
    const bool nfu = random_() % 4 == 0;
    Math cmd{.nfu = nfu, .fn = static_cast<MathFn>(fn), .src0 = MathSrc0::kMath1, .src1 = MathSrc1::kMath2};
    cmd.dst = MathDst::kMath3;
    cmd.len = static_cast<uint8_t>(len);
    Regs before = random_regs();
    if (fn == 7 || fn == 8) before.math[2] = random_() % 80;
    const auto result = evaluate(fn, cut(before.math[1], len), cut(before.math[2], len), len, before.c, false);
    expect(before, result, nfu, 3, len, encode(cmd), {});
    if (HasFatalFailure()) return;
  }
}

// One immediate word up to four bytes or with IFB; two for eight bytes, the first the more significant, on every part.
TEST_F(MathTest, Immediates) {
  for (int turn = 0; turn < 8000; ++turn) {
    const unsigned fn = static_cast<unsigned>(random_() % 12), len = 1u << random_() % 4;
    const bool left = random_() & 1, both = random_() % 5 == 0, ifb = random_() & 1;
    Math cmd{.ifb = ifb, .fn = static_cast<MathFn>(fn), .src0 = MathSrc0::kMath0, .src1 = MathSrc1::kMath1};
    cmd.dst = MathDst::kMath2;
    cmd.len = static_cast<uint8_t>(len);
    if (left || both) cmd.src0 = MathSrc0::kImm;
    if (!left || both) cmd.src1 = MathSrc1::kImm;
    const Regs before = random_regs();
    const uint64_t imm = interesting(), imm1 = interesting() & 0xFFFFFFFF;
    Words operands;
    uint64_t a = before.math[0], b = before.math[1];
    if (both) {
      a = imm & 0xFFFFFFFF;
      b = imm1;
      operands = {static_cast<uint32_t>(a), static_cast<uint32_t>(b)};
    } else {
      const bool wide = len == 8 && !ifb;
      (left ? a : b) = wide ? imm : imm & 0xFFFFFFFF;
      if (wide) operands.push_back(static_cast<uint32_t>(imm >> 32));
      operands.push_back(static_cast<uint32_t>(imm));
    }
    const auto result = evaluate(fn, cut(a, len), cut(b, len), len, before.c, false);
    expect(before, result, false, 2, len, encode(cmd), operands);
    if (HasFatalFailure()) return;
  }
}

uint64_t reversed(uint64_t v, unsigned len) {
  uint64_t out = 0;
  for (unsigned i = 0; i < len; ++i) out = out << 8 | (v >> i * 8 & 0xFF);
  return out;
}

// SWP (bit 0 of LEN) reverses the bytes of the one immediate.
TEST_F(MathTest, SwappedImmediates) {
  for (const unsigned len : {2, 4, 8})
    for (const bool left : {false, true})
      for (const bool ifb : {false, true}) {
        Math cmd{.ifb = ifb, .fn = MathFn::kXor, .src0 = MathSrc0::kMath0, .src1 = MathSrc1::kMath0};
        cmd.dst = MathDst::kMath1;
        cmd.len = static_cast<uint8_t>(len | 1);
        if (left)
          cmd.src0 = MathSrc0::kImm;
        else
          cmd.src1 = MathSrc1::kImm;
        const Regs before = random_regs();
        const uint64_t imm = random_();
        Words operands = {static_cast<uint32_t>(imm)};
        if (len == 8 && !ifb) operands.insert(operands.begin(), static_cast<uint32_t>(imm >> 32));
        std::optional<Outcome> result;  // not with IFB
        if (!ifb) result = evaluate(6, cut(before.math[0], len), reversed(cut(imm, len), len), len, before.c, false);
        expect(before, result, false, 1, len, encode(cmd), operands);
      }
  // Without an immediate, or with two, there is nothing to swap.
  const Regs before = random_regs();
  expect(before, std::nullopt, false, 1, 4, encode(Math{.src1 = MathSrc1::kMath1, .len = 5}), {});
  expect(before, std::nullopt, false, 1, 4, encode(Math{.src0 = MathSrc0::kImm, .src1 = MathSrc1::kImm, .len = 5}),
         {1, 2});
}

TEST_F(MathTest, ImmediateInTheCommand) {
  for (unsigned fn = 0; fn < 16; ++fn)
    for (unsigned src = 0; src < 16; ++src)
      for (const bool ssel : {false, true})
        for (unsigned len_field = 0; len_field < 16; ++len_field) {
          if (ssel && (src == 0xA || src == 0xB)) continue;
          const bool swap = len_field == 3 || len_field == 5 || len_field == 9;
          const unsigned len = swap ? len_field - 1 : len_field;
          const bool length_legal = len == 1 || len == 2 || len == 4 || len == 8;
          const unsigned dst = static_cast<unsigned>(random_() % 16);
          MathI cmd{.nfu = bool(random_() & 1), .ssel = ssel, .fn = static_cast<MathFn>(fn)};
          cmd.src = static_cast<uint8_t>(src);
          cmd.dst = static_cast<MathDst>(dst);
          cmd.imm = static_cast<uint8_t>(random_());
          cmd.len = static_cast<uint8_t>(len_field);
          const Regs before = random_regs();
          const auto reg = ssel ? src1_value(before, src) : src0_value(before, src);
          std::optional<Outcome> result;
          if (reg && length_legal && !(fn == 0xA && ssel)) {
            const uint64_t imm = swap ? uint64_t{cmd.imm} << (len - 1) * 8 : cmd.imm;
            const uint64_t a = ssel ? imm : cut(*reg, len), b = ssel ? cut(*reg, len) : imm;
            result = evaluate(fn, a, b, len, before.c, true);
          }
          expect(before, result, cmd.nfu, dst, len, encode(cmd), {});
          if (HasFatalFailure()) return;
        }
}

TEST_F(MathTest, IllegalLengths) {
  for (unsigned len = 0; len < 16; ++len) {
    if (len == 1 || len == 2 || len == 4 || len == 8) continue;
    Math cmd{};
    cmd.len = static_cast<uint8_t>(len);
    EXPECT_EQ(run_on({}, encode(cmd)), deco(DecoError::kMath, 1)) << len;
  }
}

TEST_F(MathTest, MissingImmediates) {
  const Math wide{.src0 = MathSrc0::kImm, .len = 8}, both{.src0 = MathSrc0::kImm, .src1 = MathSrc1::kImm, .len = 4};
  EXPECT_EQ(run_on({}, encode(wide), {1}), deco(DecoError::kMath, 1));
  EXPECT_EQ(run_on({}, encode(both), {1}), deco(DecoError::kMath, 1));
}

TEST_F(MathTest, EverythingIsZeroAtJobStart) {
  Builder dirty = rig_.job();
  for (const desc::MathReg reg :
       {desc::MathReg::kReg0, desc::MathReg::kReg3, desc::MathReg::kDpovrd, desc::MathReg::kSeqInLen,
        desc::MathReg::kSeqOutLen, desc::MathReg::kVarSeqInLen, desc::MathReg::kVarSeqOutLen})
    dirty.append_math_sub(reg, desc::MathReg::kZero, desc::MathReg::kOne, 8);
  EXPECT_EQ(rig_.run(dirty), ok());
  EXPECT_TRUE(rig_.deco.r.n && rig_.deco.r.c);
  Builder next = rig_.job();
  EXPECT_EQ(rig_.run(next), ok());
  EXPECT_TRUE(read(rig_.deco.r) == Regs{});
}

// OP-TEE: a pad entry of 16 random bytes to the DECO, two ORs fetch eight each.
TEST_F(MathTest, InputFifoSource) {
  const Bytes bytes = filler(20, 1);
  Builder b = rig_.job();
  b.append_fifo_load_as_imm(bytes, {.cls = desc::ClassSel::kClass1, .type = 0x0F});
  b.append_load_imm_u32(encode(desc::NfifoEntry{.data = desc::NfifoData::kMsg, .len = 20}), {.dst = desc::kRegNfifo});
  b.append_math(MathFn::kOr, desc::MathReg::kReg0, desc::MathReg::kZero, desc::MathReg::kInFifo, 8);
  b.append_math(MathFn::kOr, desc::MathReg::kReg1, desc::MathReg::kZero, desc::MathReg::kInFifo, 8);
  const unsigned third = b.len();
  b.append_math(MathFn::kOr, desc::MathReg::kReg2, desc::MathReg::kZero, desc::MathReg::kInFifo, 8);
  EXPECT_EQ(rig_.run(b), deco(DecoError::kWatchdog, third)) << "four bytes are left";
  EXPECT_EQ(rig_.math(0), desc::load_be64(&bytes[0]));
  EXPECT_EQ(rig_.math(1), desc::load_be64(&bytes[8]));
}

TEST_F(MathTest, OutputFifoSource) {
  const Bytes bytes = filler(16, 2);
  Builder b = rig_.job();
  b.append_load_as_imm(desc::ByteSpan(bytes).first(8), {.dst = desc::kRegOfifo});
  b.append_load_as_imm(desc::ByteSpan(bytes).last(8), {.dst = desc::kRegOfifo});
  b.append_math(MathFn::kOr, desc::MathReg::kReg0, desc::MathReg::kZero, desc::MathReg::kOutFifo, 8);
  b.append_math(MathFn::kOr, desc::MathReg::kReg1, desc::MathReg::kZero, desc::MathReg::kOutFifo, 8);
  const unsigned third = b.len();
  b.append_math(MathFn::kOr, desc::MathReg::kReg2, desc::MathReg::kZero, desc::MathReg::kOutFifo, 8);
  EXPECT_EQ(rig_.run(b), deco(DecoError::kWatchdog, third));
  EXPECT_EQ(rig_.math(0), desc::load_be64(&bytes[0]));
  EXPECT_EQ(rig_.math(1), desc::load_be64(&bytes[8]));
}

TEST_F(MathTest, JobSource) {
  for (unsigned id = 0; id <= 5; ++id) {
    rig_.source = static_cast<hw_model::SourceId>(id);
    Builder b = rig_.job();
    b.append_math(MathFn::kAdd, desc::MathReg::kReg0, desc::MathReg::kZero, desc::MathReg::kJobSrc, 4);
    EXPECT_EQ(rig_.run(b), ok());
    EXPECT_EQ(rig_.math(0), id);
  }
}

// 0.3 rule 7: the words that OP-TEE writes to mask the upper 36 bits.
TEST(Math, EightByteImmediateIsHighWordFirstOnEveryPart) {
  for (const desc::Target& target : kTargets) {
    Rig rig(target);
    Builder b = rig.job();
    b.append_math_imm_u64(MathFn::kOr, desc::MathReg::kReg0, desc::MathReg::kZero, desc::MathReg::kImm,
                          0xFFFFFFFFF0000000);
    const Words words = Rig::finish(b);
    EXPECT_EQ(words[2], 0xFFFFFFFFu);
    EXPECT_EQ(rig.run(words), ok());
    EXPECT_EQ(rig.math(0), 0xFFFFFFFFF0000000u);
  }
}

}  // namespace
}  // namespace caamlab::tests
