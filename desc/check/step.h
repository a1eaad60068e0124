// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One command on one state.
#pragma once

#include <optional>

#include "desc/check/paths.h"

namespace caamlab::desc {

// MATH registers that `bytes` from offset on in register `first` cover, a bit each.
uint16_t math_mask(unsigned first, unsigned offset, unsigned bytes);

struct Step {
  Step(Paths& paths, const State& state);
  void run();

  // -- commands; each changes `s` and reports ---------------------------------------------------------------------
  void exec(const Key& key);
  void exec(const Load& load);
  void exec(const Store& store);
  void exec(const FifoLoad& load);
  void exec(const FifoStore& store);
  void exec(const Move& move) {
    move_bytes(move.src, move.dst, move.offset, move.aux, Value::number(move.length()), move.wait);
  }
  void exec(const MoveB& move) {
    move_bytes(move.src, move.dst, move.offset, move.aux, Value::number(move.length()), move.wait);
  }
  void exec(const MoveDw& move) {
    move_bytes(move.src, move.dst, move.offset, move.aux, Value::number(move.length()), move.wait);
  }
  void exec(const MoveLen& move);
  void exec(const AlgOperation& op);
  void exec(const PkOperation& op);
  void exec(const ProtocolOperation& op);
  void exec(const Math& math);
  void exec(const MathI& math);
  void exec(const SeqInPtr& seq);
  void exec(const SeqOutPtr& seq);
  void exec(const Jump&) {}
  void exec(const SharedHeader&) {}
  void exec(const Signature&) { stop = true; }
  void exec(const ExternalKey&) { stop = true; }
  void exec(const JobHeader&) { stop = true; }
  void exec(const InvalidCommand&) { stop = true; }

  // -- what they share ----------------------------------------------------------------------------------------------
  void move_bytes(MoveSrc src, MoveDst dst, unsigned offset, unsigned aux, Value len, bool wait);
  void move_source(MoveSrc src, unsigned aux);
  void load_register(const Load& load, uint32_t imm);
  void load_clear(uint32_t bits);
  void load_entry(const Load& load, uint32_t imm);
  void feed(unsigned c, bool last, std::optional<FifoLoadType> type);
  void produce(unsigned c, const Value& len, std::optional<FifoLoadType> type);
  void wait_class(unsigned c, std::string_view who);
  void check_context(unsigned c);
  bool take_input(const Value& len, bool from_vsil);
  void give_output(const Value& len, bool from_vsol);
  void use_register(unsigned reg, std::string_view who, bool by_move = false);
  void patch(unsigned first_byte, const Value& len);
  void set_unknown(Reg reg);
  Value fresh(uint64_t salt) const;
  Value from_length(uint32_t len) const { return patched_here ? fresh(77) : Value::number(len); }
  void follow();
  std::optional<bool> condition(const Jump& jump) const;
  void refine(const Jump& jump, bool taken, State& to) const;
  void add(Rule rule, std::string message, bool doubt = false);

  Paths& paths;
  const Program& program;
  State s;
  Node node;
  bool patched_here = false;
  bool stop = false;
};

}  // namespace caamlab::desc
