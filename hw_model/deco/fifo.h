// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Containers of the data path that keep their memory: a queue, and an arena for bytes that live as long as a job. After
// the first few jobs neither allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "desc/bits.h"

namespace caamlab::hw_model {

// Items are plain values. Those taken stay where they are, unread, until the queue runs empty.
template <class T>
class Fifo {
 public:
  bool empty() const { return head_ == tail_; }
  size_t size() const { return tail_ - head_; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  T& back() { return items_[tail_ - 1]; }
  void push(const T& item) {
    if (tail_ == items_.size()) [[unlikely]]
      grow();
    items_[tail_++] = item;
  }
  void pop() {
    if (++head_ == tail_) clear();
  }
  void clear() { head_ = tail_ = 0; }
  T* begin() { return items_.data() + head_; }
  T* end() { return items_.data() + tail_; }
  const T* begin() const { return items_.data() + head_; }
  const T* end() const { return items_.data() + tail_; }

 private:
  // Apart from push(), which is everywhere.
  [[gnu::noinline]] void grow() { items_.resize(items_.empty() ? 8 : items_.size() * 2); }

  std::vector<T> items_;  // the queue is [head_, tail_)
  size_t head_ = 0, tail_ = 0;
};

// Memory that is given out piece by piece and taken back as a whole; pieces do not move.
class Arena {
 public:
  uint8_t* allocate(size_t n) {
    if (left_ < n) [[unlikely]]
      next_chunk(n);
    uint8_t* at = at_;
    at_ += n;
    left_ -= n;
    total_ += n;
    return at;
  }
  desc::ByteSpan copy(desc::ByteSpan data) {
    uint8_t* at = allocate(data.size());
    if (!data.empty()) std::memcpy(at, data.data(), data.size());
    return {at, data.size()};
  }
  void reset() {
    chunk_ = total_ = 0;
    enter_chunk();
  }
  size_t total() const { return total_; }  // bytes given out since reset

 private:
  static constexpr size_t kChunk = 16384;
  struct Chunk {
    std::unique_ptr<uint8_t[]> data;
    size_t size;
  };
  void enter_chunk() {
    at_ = chunk_ < chunks_.size() ? chunks_[chunk_].data.get() : nullptr;
    left_ = at_ != nullptr ? chunks_[chunk_].size : 0;
  }
  // Goes to the next chunk that `n` bytes fit in, made if there is none.
  [[gnu::noinline]] void next_chunk(size_t n) {
    while (chunk_ < chunks_.size() && left_ < n) {
      ++chunk_;
      enter_chunk();
    }
    if (chunk_ != chunks_.size()) return;
    const size_t size = n > kChunk ? n : kChunk;
    chunks_.push_back({std::make_unique<uint8_t[]>(size), size});
    enter_chunk();
  }

  std::vector<Chunk> chunks_;
  size_t chunk_ = 0, total_ = 0;
  uint8_t* at_ = nullptr;  // in chunk_
  size_t left_ = 0;        // bytes from at_ on
};

}  // namespace caamlab::hw_model
