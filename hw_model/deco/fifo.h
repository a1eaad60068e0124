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

template <class T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  size_t size() const { return items_.size() - head_; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  T& back() { return items_.back(); }
  void push(T item) { items_.push_back(std::move(item)); }
  void pop() {
    if (++head_ == items_.size()) clear();
  }
  void clear() {
    items_.clear();
    head_ = 0;
  }
  auto begin() { return items_.begin() + static_cast<ptrdiff_t>(head_); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin() + static_cast<ptrdiff_t>(head_); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
  size_t head_ = 0;
};

// Memory that is given out piece by piece and taken back as a whole; pieces do not move.
class Arena {
 public:
  uint8_t* allocate(size_t n) {
    while (chunk_ < chunks_.size() && chunks_[chunk_].size - used_ < n) {
      ++chunk_;
      used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
      const size_t size = n > kChunk ? n : kChunk;
      chunks_.push_back({std::make_unique<uint8_t[]>(size), size});
      used_ = 0;
    }
    uint8_t* at = chunks_[chunk_].data.get() + used_;
    used_ += n;
    total_ += n;
    return at;
  }
  desc::ByteSpan copy(desc::ByteSpan data) {
    uint8_t* at = allocate(data.size());
    if (!data.empty()) std::memcpy(at, data.data(), data.size());
    return {at, data.size()};
  }
  void reset() { chunk_ = used_ = total_ = 0; }
  size_t total() const { return total_; }  // bytes given out since reset

 private:
  static constexpr size_t kChunk = 16384;
  struct Chunk {
    std::unique_ptr<uint8_t[]> data;
    size_t size;
  };
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0, used_ = 0, total_ = 0;
};

}  // namespace caamlab::hw_model
