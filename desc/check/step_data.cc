// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Classes, sequences and FIFOs: who waits for whom, and how much there is; see step.h.
#include <fmt/format.h>

#include "desc/check/algorithms.h"
#include "desc/check/step.h"
#include "desc/nfifo.h"

namespace caamlab::desc {
namespace {

AlgOperation operation(const ClassFact& f) { return decode_as<AlgOperation>(f.op); }
bool in_class(ClassSel cls, unsigned c) { return (static_cast<unsigned>(cls) >> c & 1) != 0; }

}  // namespace

void Step::check_context(unsigned c) {
  ClassFact& f = s.cls[c];
  if (f.op == 0 || f.checked_context) return;
  f.checked_context = true;
  if (f.context || !reads_context(operation(f))) return;
  const bool other = s.cls[1 - c].context && s.cls[1 - c].op == 0;
  // The job descriptor may load it.
  if (program.incomplete() && !other) return;
  paths.report_.add(Rule::kContextUnset, f.op_index,
                    fmt::format("nothing wrote the context of class {}{}", c + 1,
                                other ? fmt::format(", but that of class {}, which runs nothing", 2 - c) : ""));
}

void Step::feed(unsigned c, bool last, std::optional<FifoLoadType> type) {
  ClassFact& f = s.cls[c];
  if (!f.in_flight) {
    f.queued = true;
    f.queued_last = f.queued_last || last;
    f.queued_index = static_cast<uint8_t>(node.index);
    return;
  }
  if (f.last && type != FifoLoadType::kIcv)
    add(Rule::kDataAfterLast, fmt::format("class {} has had its data marked LAST already", c + 1));
  check_context(c);
  f.fed = true;
  f.last = f.last || last;
}

void Step::produce(unsigned c, const Value& len, std::optional<FifoLoadType> type) {
  if (c != 0 || (type != FifoLoadType::kMsg && type != FifoLoadType::kMsg1Out2)) return;
  const ClassFact& f = s.cls[0];
  if (!len.known || !f.in_flight) {
    s.output_known = false;
    return;
  }
  if (output_like_input(operation(f))) s.produced += len.v;
}

// Somebody needs class c to be done.
void Step::wait_class(unsigned c, std::string_view who) {
  ClassFact& f = s.cls[c];
  if (!f.in_flight) return;
  if (!f.last && !(f.from_job && !f.fed)) {
    add(Rule::kDeadlock,
        fmt::format("{} waits until class {} is done, but the operation at {} has had no data marked LAST", who, c + 1,
                    program.index_in_part(f.op_index)));
    stop = true;
    return;
  }
  f.in_flight = f.last = f.fed = false;
  f.context = true;
}

bool Step::take_input(const Value& len, bool from_vsil) {
  if (!s.in_defined && !(len.known && len.v == 0)) {
    add(Rule::kSequenceUndefined, "there is no SEQ IN PTR before it");
    stop = true;
    return false;
  }
  if (from_vsil && !s.r[kVsil].written) add(Rule::kLengthUnset, "nothing has set VSIL");
  Value& left = s.r[kSil];
  if (left.known && len.known && len.v > left.v) {
    add(Rule::kSequenceUnderflow, fmt::format("{} bytes are wanted, the input sequence has {} left", len.v, left.v));
    stop = true;
    return false;
  }
  left = math_result(MathFn::kSub, left, len, 4);
  return true;
}

void Step::give_output(const Value& len, bool from_vsol) {
  if (!s.out_defined && !(len.known && len.v == 0)) {
    add(Rule::kSequenceUndefined, "there is no SEQ OUT PTR before it");
    stop = true;
    return;
  }
  if (from_vsol && !s.r[kVsol].written) add(Rule::kLengthUnset, "nothing has set VSOL");
  Value& left = s.r[kSol];
  if (left.known && len.known && len.v > left.v) {
    add(Rule::kSequenceUnderflow,
        fmt::format("{} bytes are stored, the output sequence has room for {}", len.v, left.v));
    stop = true;
    return;
  }
  left = math_result(MathFn::kSub, left, len, 4);
}

void Step::exec(const FifoLoad& load) {
  Value len = from_length(load.len);
  const FifoLoadType type = load.data_type();
  if (load.ext && !node.operands.empty()) len = Value::number(node.operands.back());
  if (type == FifoLoadType::kBitData) len = fresh(1);
  const bool vsil = load.seq && load.sgf_vlf;
  if (vsil) len = math_result(MathFn::kAdd, s.r[kVsil], Value::number(load.len), 4);
  if (load.seq && !load.imm_aidf && !take_input(len, vsil)) return;
  if (load.cls == ClassSel::kNone || load.is_pkha()) return;
  if (!s.auto_nfifo || type == FifoLoadType::kNoInfoFifo) {
    s.output_known = false;
    return;
  }
  const uint8_t actions = load.actions();
  if (load.seq && (actions & kFifoLoadFlush1) != 0 && type == FifoLoadType::kIv && s.cls[0].op == 0 && !s.job_ran &&
      !program.incomplete())
    add(Rule::kEarlyFlush, "IV with FLUSH1 out of the input sequence, before any OPERATION");
  const bool snoop = type == FifoLoadType::kMsg1Out2;
  for (const unsigned c : {0u, 1u}) {
    if (!in_class(load.cls, c) && !(snoop && c == 1)) continue;
    const bool last = (actions & (c == 0 ? kFifoLoadLast1 : kFifoLoadLast2)) != 0;
    produce(c, len, type);
    feed(c, last, type);
  }
}

void Step::exec(const FifoStore& store) {
  Value len = from_length(store.len);
  if (store.ext && !node.operands.empty()) len = Value::number(node.operands.back());
  const bool vsol = store.seq && store.sgf_vlf;
  if (vsol) len = math_result(MathFn::kAdd, s.r[kVsol], Value::number(store.len), 4);
  const auto type = store.type;
  const bool export_key = type < FifoStoreType::kMsgJdkek;
  if (export_key && type >= FifoStoreType::kSboxCcmJdkek) len = fresh(2);  // a black key is longer than its length
  if (store.seq && type != FifoStoreType::kRngOfifo) give_output(len, vsol);
  if (stop) return;
  if (type == FifoStoreType::kMetadata) take_input(len, false);
  if (type == FifoStoreType::kMsg || type == FifoStoreType::kMsgChecksum) {
    if (len.known)
      s.wanted += len.v;
    else
      s.output_known = false;
  }
  if (type == FifoStoreType::kRngOfifo) s.output_known = false;
  if (!export_key) return;
  for (const unsigned c : {0u, 1u})
    if (in_class(store.cls == ClassSel::kNone ? ClassSel::kClass1 : store.cls, c))
      wait_class(c, "the FIFO STORE of a key");
}

// An NFIFO entry written by the descriptor itself.
void Step::load_entry(const Load& load, uint32_t imm) {
  if (load.dst == kRegSizeSzl || load.dst == kRegSizeSzm) return;
  s.output_known = false;
  const auto entry = decode_as<NfifoEntry>(imm);
  for (const unsigned c : {0u, 1u}) {
    if ((static_cast<unsigned>(entry.dest) >> c & 1) == 0) continue;
    if (entry.data == NfifoData::kPoly && c == 0) continue;  // passes through the alignment block only
    feed(c, c == 0 ? entry.lc1 : entry.lc2,
         entry.data == NfifoData::kIcv ? std::optional(FifoLoadType::kIcv) : std::nullopt);
  }
}

void Step::exec(const SeqInPtr& seq) {
  Value len = from_length(seq.len);
  if (seq.ext && !node.operands.empty()) len = Value::number(node.operands.back());
  s.in_defined = true;
  if (seq.pre || seq.rto) {
    s.r[kSil] = math_result(MathFn::kAdd, s.r[kSil], len, 4);
    return;
  }
  s.r[kSil] = seq.sop ? fresh(3) : len;
  if (seq.sop || !seq.sgf || node.operands.size() < program.target().ptr_words()) return;
  const uint64_t addr = pointer_from_words(node.operands.data(), program.target());
  for (const KnownTable& table : paths.options_.tables)
    if (table.addr == addr && len.known && table.bytes < len.v)
      add(Rule::kSgTooShort, fmt::format("the table at {:#x} has {} bytes, the sequence {}", addr, table.bytes, len.v));
}

void Step::exec(const SeqOutPtr& seq) {
  Value len = from_length(seq.len);
  if (seq.ext && !node.operands.empty()) len = Value::number(node.operands.back());
  s.out_defined = true;
  if (seq.pre) {
    s.r[kSol] = math_result(MathFn::kAdd, s.r[kSol], len, 4);
  } else if (seq.rto) {
    s.r[kSol] = seq.rst ? fresh(4) : math_result(MathFn::kAdd, s.r[kSol], len, 4);
  } else {
    s.r[kSol] = len;
    if (!seq.sgf || node.operands.size() < program.target().ptr_words()) return;
    const uint64_t addr = pointer_from_words(node.operands.data(), program.target());
    for (const KnownTable& table : paths.options_.tables)
      if (table.addr == addr && len.known && table.bytes < len.v)
        add(Rule::kSgTooShort,
            fmt::format("the table at {:#x} has {} bytes, the sequence {}", addr, table.bytes, len.v));
  }
}

}  // namespace caamlab::desc
