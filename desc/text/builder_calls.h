// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Words of a descriptor as calls of the builder (desc/builder.h) that make the same words: the way from a dump back to
// source. Each call is there as text and as what it does, so what is printed can be run.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "desc/builder.h"

namespace caamlab::desc {

// Labels that calls keep for later ones, by the index of the jump (forward) or of its target (backward).
using CallLabels = std::array<Builder::Label, kMaxDescWords + 1>;

struct BuilderCall {
  std::string text;  // one statement, of the builder `d`
  std::function<void(Builder& d, CallLabels& labels)> run;
};

struct BuilderCalls {
  std::vector<BuilderCall> calls;
  std::vector<std::string> notes;  // what the calls do not give back, and why
  bool has_header = false;         // else a piece: to be appended to a builder that has one
  unsigned words = 0;              // of the input that the calls make: those of its first descriptor
};

// The calls for the descriptor at the front of `words`, or for a piece of one. Bits and operands that no call can make
// are appended as plain words, so the result is word for word the same except for the length in a header, which the
// builder counts; notes say so where the two differ.
BuilderCalls builder_calls(std::span<const uint32_t> words, const Target& target);

// A C++ function `name` with these calls that returns Result<Descriptor>, or takes the builder if there is no header.
std::string to_cpp(const BuilderCalls& calls, const Target& target, std::string_view name);

}  // namespace caamlab::desc
