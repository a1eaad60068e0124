// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See harness.h.
#include "tests/hw_model/cha/harness.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace caamlab::tests {

using hw_model::CcbError;
using hw_model::Cha;
using hw_model::ClassRegs;
using hw_model::DataType;

namespace {

// Sizes in turn, without end.
class Sizes {
 public:
  explicit Sizes(const std::vector<size_t>& sizes) : sizes_(sizes) {}
  size_t next(size_t left) { return sizes_.empty() ? left : std::min(left, sizes_[i_++ % sizes_.size()]); }

 private:
  const std::vector<size_t>& sizes_;
  size_t i_ = 0;
};

class TestOutput : public hw_model::Output {
 public:
  TestOutput(const Layout& layout, Bytes& message) : sizes_(layout.out), message_(message) {}
  std::span<uint8_t> window(size_t want) override {
    EXPECT_GT(want, 0u);
    last_ = sizes_.next(want);
    if (!over_message_) {
      apart_.resize(done_ + last_);
      return {apart_.data() + done_, last_};
    }
    EXPECT_LE(done_ + last_, fed_) << "output overtakes input";
    return {message_.data() + done_, std::min(last_, message_.size() - done_)};
  }
  void commit(size_t n) override {
    EXPECT_LE(n, last_);
    done_ += n;
  }
  void take(Bytes& out) {
    Bytes& from = over_message_ ? message_ : apart_;
    out.insert(out.end(), from.begin(), from.begin() + static_cast<ptrdiff_t>(done_));
  }
  void put_over_message() { over_message_ = true; }
  void fed(size_t n) { fed_ += n; }

 private:
  Sizes sizes_;
  Bytes& message_;
  Bytes apart_;
  bool over_message_ = false;
  size_t done_ = 0, fed_ = 0, last_ = 0;
};

}  // namespace

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> kLayouts = {
      {"whole", {}, {}},
      {"in place", {}, {}, true},
      {"bytes", {1}, {1}},
      {"odd pieces", {3, 17, 1, 64, 5}, {7, 16, 2, 33}},
      {"small windows", {}, {5, 1, 13}},
      {"small input", {15, 31}, {}},
      {"odd in place", {16, 5, 3, 40, 9}, {16, 5, 3, 40, 9}, true},
  };
  return kLayouts;
}

CcbError run(Cha& cha, ClassRegs& regs, const std::vector<Step>& steps, const Layout& layout, Bytes& out) {
  Bytes message;
  for (const Step& s : steps)
    if (s.type == DataType::kMsg) message.insert(message.end(), s.bytes.begin(), s.bytes.end());
  TestOutput output(layout, message);
  if (layout.in_place) output.put_over_message();
  if (const CcbError e = cha.start(regs); e != CcbError::kNone) return e;
  if (const CcbError e = cha.begin(regs); e != CcbError::kNone) return e;

  Sizes sizes(layout.in);
  size_t message_at = 0;
  for (const Step& s : steps) {
    const bool is_message = s.type == DataType::kMsg;
    for (size_t at = 0; at < s.bytes.size();) {
      const size_t n = sizes.next(s.bytes.size() - at);
      // Data other than the message is gone after the call, as it is from a FIFO.
      Bytes gone(s.bytes.begin() + static_cast<ptrdiff_t>(at), s.bytes.begin() + static_cast<ptrdiff_t>(at + n));
      const uint8_t* from = is_message ? message.data() + message_at : gone.data();
      if (is_message) {
        message_at += n;
        output.fed(n);
      }
      const CcbError e = cha.feed(regs, s.type, {from, n}, output);
      std::fill(gone.begin(), gone.end(), 0xEE);
      if (e != CcbError::kNone) return e;
      at += n;
    }
    CcbError e = CcbError::kNone;
    if (s.mark == Mark::kFlush) e = cha.flush(regs, s.type, output);
    if (s.mark == Mark::kLast) e = cha.last(regs, s.type, output);
    if (e != CcbError::kNone) {
      output.take(out);
      return e;
    }
  }
  output.take(out);
  return CcbError::kNone;
}

void set_key(hw_model::KeyRegister& reg, const Bytes& key) {
  reg = {};
  reg.size = static_cast<uint32_t>(key.size());
  std::copy(key.begin(), key.end(), reg.bytes.begin());
}

ClassRegs make_regs(const desc::AlgOperation& op, const Bytes& key) {
  ClassRegs regs;
  regs.op = op;
  regs.mode_written = true;
  set_key(regs.key, key);
  return regs;
}

Bytes filler(size_t len, uint32_t seed) {
  Bytes out(len);
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 1;
  for (uint8_t& b : out) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    b = static_cast<uint8_t>(x >> 56);
  }
  return out;
}

}  // namespace caamlab::tests
