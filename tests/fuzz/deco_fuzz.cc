// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Any words on a DECO: no crash, no hang, no byte touched that is not mapped, always a status word, and the next job
// runs. Input: part, flags, words of the shared descriptor, filling of memory (4 bytes), then words, least significant
// byte first; tests/hw_model/deco/random_lab.h is what runs them.
#include <cstdio>
#include <cstdlib>

#include "tests/hw_model/deco/random_lab.h"

namespace caamlab::tests {
namespace {

enum Flag : uint8_t { kKeepHeader = 1, kForward = 2, kFollower = 4 };

RandomLab& lab_of(unsigned part) {
  static std::unique_ptr<RandomLab> labs[RandomLab::kParts];
  auto& lab = labs[part % RandomLab::kParts];
  if (!lab) lab = std::make_unique<RandomLab>(part % RandomLab::kParts);
  return *lab;
}

void run(RandomLab& lab, const RandomLab::Input& input) {
  if (const auto wrong = lab.run(input)) {
    std::fprintf(stderr, "%s\n", wrong->c_str());
    std::abort();
  }
}

void fuzz(desc::ByteSpan data) {
  constexpr size_t kFront = 7;
  if (data.size() < kFront) return;
  RandomLab& lab = lab_of(data[0]);
  const uint8_t flags = data[1];
  const size_t shared_words = data[2] % 61;
  RandomLab::Input input;
  input.keep_header = (flags & kKeepHeader) != 0;
  input.reverse = (flags & kForward) == 0;
  input.fill = desc::load32(&data[3], desc::Endian::kLittle);
  for (size_t at = kFront; at + 4 <= data.size() && input.job.size() < 64; at += 4) {
    const uint32_t word = desc::load32(&data[at], desc::Endian::kLittle);
    (input.shared.size() < shared_words ? input.shared : input.job).push_back(word);
  }
  lab.restart();
  if ((flags & kFollower) == 0) return run(lab, input);
  input.followed = true;
  run(lab, input);
  input.followed = false;
  input.share = ShareState::kSelf;
  run(lab, input);
}

}  // namespace
}  // namespace caamlab::tests

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  caamlab::tests::fuzz({data, size});
  return 0;
}
