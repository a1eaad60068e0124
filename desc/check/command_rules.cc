// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rules on one command by itself: fields that do not go together, lengths and offsets out of bounds. They are the
// conditions under which the DECO refuses the command (hardware.md 2.3 to 2.15).
#include <fmt/format.h>

#include "desc/check/algorithms.h"
#include "desc/check/report.h"
#include "desc/era.h"

namespace caamlab::desc {
namespace {

struct At {
  const Program& program;
  const Node& node;
  Report& report;
  uint32_t word;
  void add(Rule rule, std::string message, bool doubt = false) const {
    report.add(rule, node.index, std::move(message), doubt);
  }
};

// -- KEY ------------------------------------------------------------------------------------------------------------

constexpr uint32_t kClass1KeyBytes = 64, kClass2KeyBytes = 128, kPkhaEBytes = 512, kSboxBytes = 258;

void check(const At& at, const Key& key) {
  const bool class1 = key.cls == ClassSel::kClass1;
  if (!class1 && key.cls != ClassSel::kClass2)
    return at.add(Rule::kKeyOperand, "a KEY is for class 1 or class 2, not for none or both");
  if (key.dest == KeyDest::kMdhaSplit && class1)
    at.add(Rule::kKeyOperand, "a split key belongs in class 2 (the MDHA's)");
  else if (!class1 && key.dest != KeyDest::kClassReg && key.dest != KeyDest::kMdhaSplit)
    at.add(Rule::kKeyOperand, "PKHA E and the S-box are destinations of class 1");
  if (key.pts && (key.enc || key.nwb || key.dest == KeyDest::kPkhaE))
    at.add(Rule::kKeyOperand, "PTS excludes ENC, NWB and PKHA E");
  if (key.imm_aidf && key.sgf_vlf && !key.seq) at.add(Rule::kKeyOperand, "an immediate key cannot lie in an S/G table");
  if (key.seq && key.sgf_vlf) return;  // its length is VSIL
  if (key.dest == KeyDest::kAfhaSbox) {
    if (key.len != kSboxBytes)
      at.add(Rule::kKeyLength, fmt::format("an S-box has {} bytes, not {}", kSboxBytes, key.len));
    return;
  }
  const uint32_t most = key.dest == KeyDest::kPkhaE ? kPkhaEBytes : class1 ? kClass1KeyBytes : kClass2KeyBytes;
  if (key.len == 0 || key.len > most)
    at.add(Rule::kKeyLength, fmt::format("{} bytes; this register takes 1 to {}", key.len, most));
  if (key.sgf_vlf && key.len == 0) at.add(Rule::kSgZeroLength, "S/G table for a key of no bytes");
}

// -- LOAD, STORE ----------------------------------------------------------------------------------------------------

bool size_allowed(const RegRow& row, unsigned offset, unsigned len) {
  if (row.limit != 0) return offset + len <= row.limit;
  const bool at0 = offset == 0;
  return ((row.sizes & kSize4At0) != 0 && len == 4 && at0) ||
         ((row.sizes & kSize4At4) != 0 && len == 4 && offset == 4) ||
         ((row.sizes & kSize8At0) != 0 && len == 8 && at0) ||
         ((row.sizes & kSizeUpTo8) != 0 && len >= 1 && len <= 8 && at0) ||
         ((row.sizes & kSizeMathNumber) != 0 && len <= 3 && at0);
}

void check_size(const At& at, const RegRow& row, bool is_context, unsigned offset, unsigned len) {
  if (size_allowed(row, offset, len)) return;
  const auto text = fmt::format("{} bytes at offset {} of {}", len, offset, row.name);
  if (is_context)
    at.add(Rule::kContextLength, fmt::format("{}, which has {} bytes", text, row.limit));
  else if (row.limit != 0)
    at.add(Rule::kRegisterAccess, fmt::format("{}: it ends at {}", text, row.limit));
  else
    at.add(Rule::kRegisterAccess, text + ": this register is only accessed whole");
}

void check(const At& at, const Load& load) {
  const RegRow* row = find_reg(load.cls, load.dst);
  const auto cls = value_name(kRegClassNames, static_cast<uint32_t>(load.cls));
  if (row == nullptr || (row->access & kRegLoad) == 0)
    return at.add(Rule::kRegisterAccess, fmt::format("there is no register {:#04x} of {} to load", load.dst, cls));
  if ((row->access & kRegImmOnly) != 0 && (!load.imm || load.seq))
    return at.add(Rule::kRegisterAccess, fmt::format("{} takes immediate data only", row->name));
  if (load.is_deco_ctrl()) return;
  if (load.imm && load.sgf_vlf && !load.seq) at.add(Rule::kRegisterAccess, "immediate data cannot lie in an S/G table");
  if (load.seq && load.sgf_vlf) return;  // its length is VSIL
  if ((row->access & kRegWords) != 0) {
    if (load.len == 0 || load.offset + load.len > row->limit || (load.imm && !load.seq))
      at.add(Rule::kRegisterAccess, fmt::format("{} words at {} of {}: it has {}, and takes no immediate data",
                                                load.len, load.offset, row->name, row->limit));
    return;
  }
  check_size(at, *row, load.dst == kRegContext && load.cls != ClassSel::kDeco, load.offset, load.len);
  if (load.sgf_vlf && load.len == 0) at.add(Rule::kSgZeroLength, "S/G table for a LOAD of no bytes");
}

void check(const At& at, const Store& store) {
  if (store.imm) {
    if (store.sgf_vlf && !store.seq) at.add(Rule::kRegisterAccess, "STORE of immediate data takes no S/G table");
    return;
  }
  const RegRow* row = find_reg(store.cls, store.src);
  const auto cls = value_name(kRegClassNames, static_cast<uint32_t>(store.cls));
  if (row == nullptr || (row->access & kRegStore) == 0)
    return at.add(Rule::kRegisterAccess, fmt::format("there is no register {:#04x} of {} to store", store.src, cls));
  if ((row->access & kRegNoPtr) != 0 && store.seq)
    return at.add(Rule::kRegisterAccess, fmt::format("{} cannot be stored to a sequence", row->name));
  if (store.seq && store.sgf_vlf) return;
  check_size(at, *row, store.src == kRegContext && store.cls != ClassSel::kDeco, store.offset, store.len);
  if (store.sgf_vlf && store.len == 0) at.add(Rule::kSgZeroLength, "S/G table for a STORE of no bytes");
}

// -- FIFO commands --------------------------------------------------------------------------------------------------

void check(const At& at, const FifoLoad& load) {
  if (load.cls == ClassSel::kNone && !load.seq)
    return at.add(Rule::kFifoOperand, "only SEQ FIFO LOAD has class 0 (skip)");
  if (load.ext && (load.seq ? load.sgf_vlf : load.imm_aidf))
    at.add(Rule::kFifoOperand, "EXT goes neither with VLF nor with immediate data");
  if (!load.seq && load.imm_aidf && load.sgf_vlf)
    at.add(Rule::kFifoOperand, "immediate data cannot lie in an S/G table");
  if (load.cls == ClassSel::kNone) return;
  if (load.is_pkha() && load.cls != ClassSel::kClass1)
    at.add(Rule::kFifoOperand, "PKHA memory is class 1");
  else if (!load.is_pkha() && !load.has_actions() && load.data_type() != FifoLoadType::kNoInfoFifo)
    at.add(Rule::kFifoOperand, fmt::format("{:#04x} is no data type", load.type));
  const bool class1 = (static_cast<unsigned>(load.cls) & 1) != 0, class2 = (static_cast<unsigned>(load.cls) & 2) != 0;
  const uint8_t actions = load.actions();
  if (load.has_actions() && load.data_type() != FifoLoadType::kMsg1Out2) {
    if ((actions & kFifoLoadLast1) != 0 && !class1)
      at.add(Rule::kFifoOperand, "LAST1 on data that class 1 does not get", /*doubt=*/true);
    if ((actions & kFifoLoadLast2) != 0 && !class2)
      at.add(Rule::kFifoOperand, "LAST2 on data that class 2 does not get", /*doubt=*/true);
  }
  if (!load.seq && load.sgf_vlf && !load.ext && load.len == 0)
    at.add(Rule::kSgZeroLength, "S/G table for data of no bytes");
}

void check(const At& at, const FifoStore& store) {
  if (store.ext && store.seq && store.sgf_vlf) at.add(Rule::kFifoOperand, "EXT does not go with VLF");
  if (value_name(kFifoStoreTypeNames, static_cast<uint32_t>(store.type)).empty())
    at.add(Rule::kFifoOperand, fmt::format("{:#04x} is no data type", static_cast<unsigned>(store.type)));
  if (!store.seq && store.sgf_vlf && !store.ext && store.len == 0)
    at.add(Rule::kSgZeroLength, "S/G table for data of no bytes");
}

// -- MATH -----------------------------------------------------------------------------------------------------------

bool named(ValueNames names, unsigned value) { return !value_name(names, value).empty(); }

void check(const At& at, const Math& math) {
  const bool swapped = (math.len & 1) != 0 && math.len != 1 && math.imm0() != math.imm1() && !math.ifb;
  const unsigned len = swapped ? math.len - 1u : math.len;
  if (!named(kMathLenNames, len)) at.add(Rule::kMathOperand, fmt::format("{} is no length", math.len));
  if (!named(kMathFnNames, static_cast<unsigned>(math.fn)) ||
      !named(kMathSrc0Names, static_cast<unsigned>(math.src0)) ||
      !named(kMathSrc1Names, static_cast<unsigned>(math.src1)) ||
      !named(kMathDstNames, static_cast<unsigned>(math.dst)))
    at.add(Rule::kMathOperand, "its function, a source or its destination is not defined");
}

void check(const At& at, const MathI& math) {
  if (!named(kMathILenNames, math.len)) at.add(Rule::kMathOperand, fmt::format("{} is no length", math.len));
  if (math.fn == MathFn::kZbyt && math.ssel) at.add(Rule::kMathOperand, "FBYT does not go with SSEL");
  if (!named(kMathFnNames, static_cast<unsigned>(math.fn)) ||
      !named(math.ssel ? ValueNames(kMathSrc1Names) : ValueNames(kMathSrc0Names), math.src) ||
      !named(kMathDstNames, static_cast<unsigned>(math.dst)))
    at.add(Rule::kMathOperand, "its function, source or destination is not defined");
}

// -- MOVE -----------------------------------------------------------------------------------------------------------

void check_move(const At& at, MoveSrc src, MoveDst dst, unsigned offset, unsigned aux) {
  if (!named(kMoveSrcNames, static_cast<unsigned>(src)) || !named(kMoveDstNames, static_cast<unsigned>(dst)))
    return at.add(Rule::kMoveOperand, "its source or destination is not defined");
  const bool input = src >= MoveSrc::kInFifoDeco && src <= MoveSrc::kAlignBlock;
  const bool to_input = dst == MoveDst::kClass1InFifo || dst == MoveDst::kClass2InFifo || dst == MoveDst::kInFifo ||
                        dst == MoveDst::kPkhaA;
  const auto from = value_name(kMoveSrcNames, static_cast<unsigned>(src));
  const auto to = value_name(kMoveDstNames, static_cast<unsigned>(dst));
  if ((input && (to_input || dst == MoveDst::kAuxFifo)) || (src == MoveSrc::kOutFifo && dst == MoveDst::kOutFifo) ||
      (src == MoveSrc::kDescBuf && dst == MoveDst::kDescBuf))
    return at.add(Rule::kMoveOperand, fmt::format("there is no way from {} to {}", from, to));
  if ((src == MoveSrc::kInFifoClass && aux > 1) || (src == MoveSrc::kAlignBlock && aux > 2))
    return at.add(Rule::kMoveOperand, fmt::format("AUX {} selects no alignment block", aux));
  const bool to_fifo = dst == MoveDst::kOutFifo || dst == MoveDst::kAuxFifo;
  const bool needs_alignment = input ? dst != MoveDst::kOutFifo
                                     : to_fifo && src != MoveSrc::kOutFifo && src <= MoveSrc::kMath3 &&
                                           !(src == MoveSrc::kDescBuf && dst == MoveDst::kAuxFifo);
  if (needs_alignment && offset % 4 != 0)
    at.add(Rule::kMoveOperand, fmt::format("the offset {} from {} to {} is no multiple of 4", offset, from, to));
}

template <MoveKind kKind>
void check(const At& at, const MoveOf<kKind>& move) {
  check_move(at, move.src, move.dst, move.offset, move.aux);
}
void check(const At& at, const MoveLen& move) { check_move(at, move.src, move.dst, move.offset, move.aux); }

// -- the rest -------------------------------------------------------------------------------------------------------

void check(const At& at, const AlgOperation& op) {
  if (const auto wrong = algorithm_fault(op)) at.add(Rule::kOperation, *wrong);
}

void check(const At& at, const SeqInPtr& seq) {
  if ((seq.rto && seq.pre) || (seq.inl && seq.rjd) || (seq.sop && (seq.rbs || seq.pre || seq.rto || seq.ext)))
    at.add(Rule::kSeqPointer, "flags that exclude each other");
  if (seq.sgf && !seq.ext && seq.len == 0 && seq.has_pointer())
    at.add(Rule::kSgZeroLength, "S/G table for an input of no bytes");
}
void check(const At& at, const SeqOutPtr& seq) {
  if ((seq.rto && seq.pre) || (seq.rst && !seq.rto)) at.add(Rule::kSeqPointer, "flags that exclude each other");
  if (seq.sgf && !seq.ext && seq.len == 0 && seq.has_pointer())
    at.add(Rule::kSgZeroLength, "S/G table for an output of no bytes");
}

void check(const At& at, const InvalidCommand& cmd) {
  at.add(Rule::kInvalidCommand, fmt::format("{:08x} is no command", cmd.word));
}
void check(const At& at, const JobHeader&) { at.add(Rule::kInvalidCommand, "a job header in place of a command"); }
void check(const At&, const ExternalKey&) {}
void check(const At&, const SharedHeader&) {}
void check(const At&, const Signature&) {}
void check(const At&, const ProtocolOperation&) {}
void check(const At&, const PkOperation&) {}
void check(const At& at, const Jump& jump) {
  if (value_name(kJumpTypeNames, static_cast<uint32_t>(jump.type)).empty())
    at.add(Rule::kUndefinedValue, fmt::format("{:#x} is no type of JUMP", static_cast<unsigned>(jump.type)));
}

template <class C>
void check_reserved(const At& at) {
  // Commands whose undefined values have rules of their own keep to those.
  if (const uint32_t bits = at.word & reserved_bits<C>(); bits != 0)
    at.add(Rule::kReservedBits, fmt::format("reserved bits {:08x} are set", bits));
}

}  // namespace

void check_command(const Program& program, const Node& node, const CheckOptions& options, Report& report) {
  const At at{program, node, report, program.word(node.index)};
  if (node.missing != 0)
    at.add(
        Rule::kTruncated,
        fmt::format("{} of its {} operand words are behind the end", node.missing, node.missing + node.operands.size()),
        /*doubt=*/program.part(node.index) == Part::kShared && program.has_job());
  std::visit(
      [&](const auto& command) {
        using C = std::decay_t<decltype(command)>;
        if constexpr (!std::is_same_v<C, InvalidCommand>) check_reserved<C>(at);
        check(at, command);
      },
      node.command);
  if (options.era)
    for_each_newer_feature(at.word, *options.era, [&](const EraRow& row) {
      at.add(Rule::kEra, fmt::format("{} exists from era {} on, this is era {}", row.what, row.era, *options.era));
    });
  if (options.missing_on_platform)
    if (const auto why = options.missing_on_platform(node.command)) at.add(Rule::kPlatform, *why);
}

}  // namespace caamlab::desc
