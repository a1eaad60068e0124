// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Keys, registers and operations; see step.h.
#include <fmt/format.h>

#include "desc/check/algorithms.h"
#include "desc/check/step.h"

namespace caamlab::desc {
namespace {

unsigned class_index(ClassSel cls) { return cls == ClassSel::kClass2 ? 1 : 0; }
bool is_class(ClassSel cls) { return cls == ClassSel::kClass1 || cls == ClassSel::kClass2; }

bool is_math_code(uint8_t code) {
  return (code >= kRegMath0 && code <= kRegMath3) || (code >= kRegMath0Dword && code < kRegMath0Dword + 4) ||
         (code >= kRegMath0Byte && code < kRegMath0Byte + 4);
}

}  // namespace

void Step::exec(const Key& key) {
  if (!is_class(key.cls)) {
    stop = true;
    return;
  }
  const unsigned c = class_index(key.cls);
  if (key.seq && !key.imm_aidf && !take_input(key.sgf_vlf ? s.r[kVsil] : Value::number(key.source_len()), key.sgf_vlf))
    return;
  wait_class(c, "the KEY");
  if (stop || (key.dest != KeyDest::kClassReg && key.dest != KeyDest::kMdhaSplit)) return;
  KeyFact& fact = s.cls[c].key;
  if (fact.this_run) add(Rule::kKeyReload, fmt::format("class {} has a key of this job already", c + 1));
  fact = {.there = Known::kYes,
          .split = key.dest == KeyDest::kMdhaSplit,
          .this_run = true,
          .len = key.seq && key.sgf_vlf ? uint16_t{0} : key.len};
}

void Step::exec(const AlgOperation& op) {
  const unsigned c = class_index(op.cls);
  wait_class(c, "the OPERATION");
  if (stop) return;
  ClassFact& f = s.cls[c];
  if (f.mode_set) add(Rule::kModeNotCleared, fmt::format("class {} still has the mode of the operation before", c + 1));
  f.op = encode(op);
  f.op_index = static_cast<uint8_t>(node.index);
  f.mode_set = true;
  f.fed = f.queued;
  f.last = f.queued_last;
  f.queued = f.queued_last = f.checked_context = false;
  f.in_flight = op.alg != Alg::kRng;  // which needs no input
  if (op.alg == Alg::kRng) s.output_known = false;
  if (f.fed) {
    s.output_known = false;
    check_context(c);
  }
  const KeyNeed need = key_need(op);
  if (need == KeyNeed::kNone) return;
  const unsigned k = need == KeyNeed::kClass1 ? 0 : 1;
  const KeyFact& key = s.cls[k].key;
  const auto name = value_name(kAlgNames, static_cast<uint32_t>(op.alg));
  if (key.there == Known::kNo) {
    const bool swapped = s.cls[1 - k].key.there == Known::kYes;
    // An HMAC under an empty key is legal, if hardly meant.
    const bool hmac_of_nothing = cha_of(op.alg) == ChaId::kMdha && op.aai == aai::kHmac;
    add(Rule::kNoKey,
        fmt::format("{} needs a key of class {}, and none was loaded{}", name, k + 1,
                    swapped ? fmt::format("; there is one in class {}", 2 - k) : ""),
        (program.incomplete() && !swapped) || hmac_of_nothing);
  } else if (key.len != 0 && !key_length_suits(op, key.len, key.split)) {
    add(Rule::kKeySize, fmt::format("a key of {} bytes does not suit {}", key.len, name));
  }
}

void Step::exec(const PkOperation&) {
  s.pk_flags_known = false;
  s.cls[0].mode_set = false;
  s.output_known = false;
}

void Step::exec(const ProtocolOperation& op) {
  s.output_known = false;
  if (op.is_dkp()) {
    s.cls[1].key = {.there = Known::kYes, .split = true, .this_run = true, .len = split_key_len(op.dkp_alg())};
    for (const Reg r : {kMathReg0, kMathReg1, kMathReg2, kMathReg3}) set_unknown(r);
    return;
  }
  if (op.id == protid::kBlob && op.type != ProtocolType::kUnidirectional) {
    constexpr uint64_t kOverhead = 48;
    const Value &in = s.r[kSil], &out = s.r[kSol];
    const bool in_memory = (op.info & 0xF0) == 0, black = (op.info & 4) != 0;
    const bool encap = op.type == ProtocolType::kEncap;
    if (s.cls[1].key.there == Known::kNo && !program.incomplete())
      add(Rule::kNoKey, "a blob takes its key modifier from the class 2 key register", true);
    if (in_memory && !black && in.known && out.known) {
      if (!encap && in.v < kOverhead)
        add(Rule::kBlobLength,
            fmt::format("{} bytes are no blob, which has {} bytes besides its data", in.v, kOverhead));
      else if (out.v < (encap ? in.v + kOverhead : in.v - kOverhead))
        add(Rule::kBlobLength, fmt::format("{} bytes of input give {} bytes of output, there is room for {}", in.v,
                                           encap ? in.v + kOverhead : in.v - kOverhead, out.v));
    }
    if (!s.in_defined || !s.out_defined)
      add(Rule::kSequenceUndefined, "a blob goes from the input to the output sequence, and not both are defined",
          !in_memory);
  }
  // It reads its input and writes its output itself.
  set_unknown(kSil);
  set_unknown(kSol);
  for (ClassFact& f : s.cls) {
    f.in_flight = f.fed = f.last = f.queued = f.queued_last = false;
    f.context = true;
  }
}

void Step::load_clear(uint32_t bits) {
  const auto set = [&](unsigned bit) { return (bits >> bit & 1) != 0; };
  const auto idle = [&](unsigned c) {
    const bool context = s.cls[c].context || s.cls[c].in_flight;
    s.cls[c].in_flight = s.cls[c].fed = s.cls[c].last = s.cls[c].mode_set = false;
    s.cls[c].context = context;
  };
  if (set(0) || set(29) || set(27)) idle(0);
  if (set(16) || set(28) || set(26)) idle(1);
  if (set(5)) s.cls[0].context = false;
  if (set(21)) s.cls[1].context = false;
  if (set(6)) s.cls[0].key = {};
  if (set(22)) s.cls[1].key = {};
  if (set(17)) s.cls[1].key.this_run = false;
  if (set(25)) s.shrd = false;
  if (set(31)) s.cls[0].queued = s.cls[1].queued = s.cls[0].queued_last = s.cls[1].queued_last = false;
}

void Step::load_register(const Load& load, uint32_t imm) {
  const bool from_memory = load.seq || !load.imm;
  if (load.cls == ClassSel::kDeco) {
    if (load.is_deco_ctrl()) {
      if ((load.offset & 0x04) != 0) s.auto_nfifo = true;
      if ((load.offset & 0x08) != 0) s.auto_nfifo = false;
      if ((load.len & 0x20) != 0) s.output_known = false;
      return;
    }
    if (is_math_code(load.dst)) {
      const uint16_t mask = math_mask(load.dst & 3u, load.offset, load.len);
      for (unsigned i = 0; i < 4; ++i)
        if ((mask >> i & 1) != 0) set_unknown(static_cast<Reg>(i));
      if (from_memory) s.loading |= mask;
      const bool low_word = load.offset == 4 && load.len == 4, whole = load.offset == 0 && load.len == 8;
      if (!from_memory && load.dst >= kRegMath0 && load.dst <= kRegMath3 && (low_word || whole) &&
          !node.operands.empty())
        if (low_word || node.operands[0] == 0) s.r[load.dst & 3u] = Value::number(node.operands.back());
    }
    if (load.dst == kRegDpovrd) s.r[kDpovrdReg] = from_memory ? fresh(5) : Value::number(imm);
    if (load.dst == kRegDescBuf) patch(load.offset * 4u, Value::number(load.len * 4u));
    return;
  }
  if (load.cls == ClassSel::kNone) {
    if (load.dst == kRegClrw) load_clear(imm);
    if (load.dst == kRegControl && imm != 0) s.cls[0].in_flight = s.cls[1].in_flight = false;
    if (load.dst >= kRegNfifoSzl && load.dst <= kRegNfifo && load.dst != kRegIfifoNibble &&
        load.dst != kRegOfifoNibble && load.dst != kRegAltSource)
      load_entry(load, imm);
    if (load.dst >= kRegIfifoNibble) s.output_known = false;
    return;
  }
  ClassFact& f = s.cls[class_index(load.cls)];
  if (load.dst == kRegContext || load.dst == kRegKey) {
    if (f.in_flight && f.fed && !f.last)
      add(Rule::kWriteWhileBusy, fmt::format("class {} is in the middle of its operation", class_index(load.cls) + 1));
  }
  if (load.dst == kRegContext) f.context = true;
  if (load.dst == kRegKey) f.key = {.there = Known::kYes, .this_run = true};
  if (load.dst == kRegKeySize) {
    f.key.there = Known::kYes;
    f.key.len = static_cast<uint16_t>(imm);
  }
  if (load.dst == kRegMode) {
    f.op = 0;
    f.in_flight = false;
    f.mode_set = true;
  }
}

void Step::exec(const Load& load) {
  const bool vsil = load.seq && load.sgf_vlf;
  if (load.seq && !take_input(vsil ? s.r[kVsil] : from_length(load.len), vsil)) return;
  const uint32_t imm = load.imm && !load.seq && !node.operands.empty() ? node.operands[0] : 0;
  load_register(load, imm);
}

void Step::exec(const Store& store) {
  const bool vsol = store.seq && store.sgf_vlf;
  if (store.seq) give_output(vsol ? s.r[kVsol] : from_length(store.len), vsol);
  if (stop || store.imm) return;
  if (store.cls == ClassSel::kDeco && is_math_code(store.src))
    for (unsigned i = 0; i < 4; ++i)
      if ((math_mask(store.src & 3u, store.offset, store.len) >> i & 1) != 0) use_register(i, "the STORE");
  if (!is_class(store.cls) || store.src != kRegContext) return;
  const unsigned c = class_index(store.cls);
  check_context(c);
  wait_class(c, "the STORE of its context");
  if (!stop && !s.cls[c].context && !program.incomplete() && s.cls[c].op == 0)
    add(Rule::kReadBeforeWrite, fmt::format("nothing wrote the context of class {}", c + 1));
}

}  // namespace caamlab::desc
