// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See out_fifo.h.
#include "hw_model/deco/out_fifo.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

std::span<uint8_t> OutFifo::window(size_t want) {
  const bool held = hold_ && produced_ >= *hold_;
  if (buffered() == 0 && !stores_.empty() && !held) {
    size_t n = std::min(want, stores_.front().size());
    if (hold_) n = static_cast<size_t>(std::min<uint64_t>(n, *hold_ - produced_));
    direct_ = true;
    return window_ = stores_.front().first(n);
  }
  direct_ = false;
  if (buffered() + want > kMaxBuffered) {
    overflowed_ = true;
    want = std::min(want, size_t{4096});
  }
  if (head_ == end_) head_ = end_ = 0;
  if (end_ + want > buffer_.size()) {
    if (buffered() != 0) std::memmove(buffer_.data(), buffer_.data() + head_, buffered());
    end_ -= head_;
    head_ = 0;
    if (end_ + want > buffer_.size()) buffer_.resize((end_ + want) * 2);
  }
  return window_ = std::span(buffer_).subspan(end_, want);
}

void OutFifo::commit(size_t n) {
  last_output_ = window_.first(n);
  produced_ += n;
  if (direct_) {
    std::span<uint8_t>& front = stores_.front();
    store_pending_ -= n;
    front = front.subspan(n);
    if (front.empty()) stores_.pop();
    return;
  }
  if (overflowed_) return;  // the job is lost, its output is not kept
  end_ += n;
  drain();
}

void OutFifo::drain() {
  while (buffered() != 0 && !stores_.empty()) {
    std::span<uint8_t>& front = stores_.front();
    size_t n = std::min(buffered(), front.size());
    if (hold_) {
      if (popped() >= *hold_) return;
      n = static_cast<size_t>(std::min<uint64_t>(n, *hold_ - popped()));
    }
    std::memcpy(front.data(), buffer_.data() + head_, n);
    head_ += n;
    store_pending_ -= n;
    front = front.subspan(n);
    if (front.empty()) stores_.pop();
  }
}

void OutFifo::add_store(std::span<uint8_t> run) {
  claimed_ += run.size();
  store_pending_ += run.size();
  stores_.push(run);
  drain();
}

bool OutFifo::pop(std::span<uint8_t> out) {
  if (out.empty()) return true;
  if (!stores_.empty() || buffered() < out.size()) return false;
  if (hold_ && popped() + out.size() > *hold_) return false;
  std::memcpy(out.data(), buffer_.data() + head_, out.size());
  head_ += out.size();
  claimed_ += out.size();
  return true;
}

ByteSpan OutFifo::peek(uint64_t at, size_t len) const {
  if (at < popped() || at >= produced_) return {};
  const size_t offset = static_cast<size_t>(at - popped());
  return ByteSpan(buffer_).subspan(head_ + offset, std::min(len, buffered() - offset));
}

void OutFifo::hold(std::optional<uint64_t> at) {
  hold_ = at;
  drain();
}

void OutFifo::reset_data() {
  head_ = end_ = 0;
  claimed_ = produced_ + store_pending_;
}

void OutFifo::reset_job() {
  stores_.clear();
  store_pending_ = 0;
  head_ = end_ = 0;
  produced_ = claimed_ = 0;
  hold_.reset();
  overflowed_ = false;
}

}  // namespace caamlab::hw_model
