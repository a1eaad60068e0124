// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Controller state and what its registers do: see controller.h. Rows: controller_pages.cc.
#include "hw_model/controller.h"

#include <cassert>

#include "desc/regs.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

constexpr unsigned kKeyWords = 8;

}  // namespace

void Controller::attach_ring(JobRing& ring, unsigned index) {
  assert(index < platform_.job_rings);
  rings_[index] = &ring;
  update_ring_pages();
}

void Controller::attach_deco_access(DirectDecoAccess* access) {
  access_ = access;
  for (auto& page : deco_pages_) page->attach(access);
}

bool Controller::virtualization_on() const { return platform_.virt_enabled(page0_.get(kScfgr)); }

bool Controller::ring_started(unsigned index) const {
  return !virtualization_on() || (page0_.get(kJrStart) >> index & 1);
}

bool Controller::ring_is_secure(unsigned index) const { return page0_.get(kJrDidMs + 8 * index) & jrdid::kTzOwn; }

bool Controller::stopped() const { return page0_.get(kDebugCtl) & debugctl::kStop; }

bool Controller::qi_dequeue_enabled() const {
  if (platform_.queue_interface == QueueInterface::kNone) return false;
  const uint32_t control = qi_page_.get(kQictlLs);
  return (control & qictl::kDqen) && !(control & qictl::kStop);
}

void Controller::update_pointer_size() {
  if (platform_.pointer_size_selectable) target_.ptr_bytes = page0_.get(kMcfgr) & mcfgr::kPs ? 8 : 4;
}

void Controller::update_ring_pages() {
  for (unsigned i = 0; i < rings_.size(); ++i) {
    space_.set_page(kPageJobRing + i, rings_[i] && ring_started(i) ? &rings_[i]->bank() : nullptr);
  }
}

void Controller::reset() {
  page0_.reset();
  update_deco_requests();
  common_.reset();
  qi_page_.reset();
  trng_.reset();
  for (JobRing* ring : rings_) {
    if (ring) ring->hard_reset();
  }
  counters_ = {};
  counter_latch_ = latched_offset_ = 0;
  update_pointer_size();
  update_ring_pages();
}

void Controller::record_fault(const BusFault& fault) {
  const bool low_first = target_.ptr_low_word_first();
  common_.set(kFar + (low_first ? 4 : 0), static_cast<uint32_t>(fault.addr >> 32));
  common_.set(kFar + (low_first ? 0 : 4), static_cast<uint32_t>(fault.addr));
  constexpr uint32_t kSlaveError = 2;  // AXI response
  common_.set(kFadr, (fault.len < fadr::kSizeMask ? fault.len : fadr::kSizeMask) | (fault.write ? fadr::kWrite : 0) |
                         (fault.block & 0xF) << fadr::kBlockShift | (fault.source & 7) << fadr::kSourceShift |
                         (fault.control_data ? fadr::kControlData : 0) | (fault.key ? fadr::kKey : 0) |
                         kSlaveError << fadr::kResponseShift);
}

uint32_t Controller::read_rdsta(uint32_t) const { return hooks_.rdsta ? hooks_.rdsta() : platform_.rdsta_at_reset; }

uint32_t Controller::read_csta(uint32_t) const {
  const bool busy = hooks_.busy && hooks_.busy();
  return (regs_.csta & ~(csta::kIdle | csta::kBsy)) | (busy ? csta::kBsy : csta::kIdle);
}

// Reading the half at the lower address keeps the other half for the next read, so that the two belong together.
uint32_t Controller::read_counter(uint32_t offset) {
  const uint64_t* const values[] = {&counters_.requests_dequeued,        &counters_.outbound_encrypt_requests,
                                    &counters_.inbound_decrypt_requests, &counters_.outbound_bytes_encrypted,
                                    &counters_.outbound_bytes_protected, &counters_.inbound_bytes_decrypted,
                                    &counters_.inbound_bytes_validated};
  const uint64_t value = *values[(offset - kPcReqDeq) / 8];
  const bool lower_address = offset % 8 == 0;
  const bool low_first = target_.ptr_low_word_first();
  if (!lower_address) {
    const bool latched = latched_offset_ == offset;
    latched_offset_ = 0;
    if (latched) return counter_latch_;
    return static_cast<uint32_t>(low_first ? value >> 32 : value);
  }
  latched_offset_ = offset + 4;
  counter_latch_ = static_cast<uint32_t>(low_first ? value >> 32 : value);
  return static_cast<uint32_t>(low_first ? value : value >> 32);
}

uint8_t* Controller::key_byte(uint32_t offset) {
  std::array<uint8_t, 32>* const keys[] = {&keys_->jdkek, &keys_->tdkek, &keys_->tdsk};
  const uint32_t word = (offset - kJdkekr) / 4;
  return keys[word / kKeyWords]->data() + 4 * (word % kKeyWords);
}

uint32_t Controller::read_key(uint32_t offset) { return keys_ ? desc::load_be32(key_byte(offset)) : 0; }

void Controller::write_key(uint32_t offset, uint32_t value) {
  if (!keys_) return;
  desc::store_be32(key_byte(offset), value);
  keys_->loaded = true;
}

uint32_t Controller::read_nonce(uint32_t offset) const {
  if (!keys_) return 0;
  const bool low = (offset % 8 == 0) == target_.ptr_low_word_first();
  const uint64_t nonce = keys_->nonce;
  return static_cast<uint32_t>(low ? nonce : nonce >> 32);
}

void Controller::write_nonce(uint32_t offset, uint32_t value) {
  if (!keys_) return;
  const bool low = (offset % 8 == 0) == target_.ptr_low_word_first();
  const uint64_t nonce = keys_->nonce;
  const uint64_t keep = low ? nonce & ~uint64_t{0xFFFFFFFF} : nonce & 0xFFFFFFFF;
  keys_->nonce = (keep | uint64_t{value} << (low ? 0 : 32)) & (KekRegisters::kNonceEnd - 1);
}

void Controller::write_mcfgr(uint32_t offset, uint32_t value) {
  if (value & mcfgr::kSwrst) {
    reset();
    if (hooks_.software_reset) hooks_.software_reset();
    return;
  }
  const uint32_t writable = page0_.spec(offset)->writable;
  page0_.set(offset, (page0_.get(offset) & ~writable) | (value & writable));
  update_pointer_size();
  if (value & mcfgr::kDmaRst && hooks_.dma_reset) hooks_.dma_reset();
}

void Controller::write_scfgr(uint32_t offset, uint32_t value) {
  const uint32_t writable = page0_.spec(offset)->writable;
  page0_.set(offset, (page0_.get(offset) & ~writable) | (value & writable));
  update_ring_pages();
}

void Controller::write_jrstart(uint32_t offset, uint32_t value) {
  page0_.set(offset, value & page0_.spec(offset)->writable);
  update_ring_pages();
}

// A ring's identity is fixed by its lock bit, and while the ring runs under virtualization.
void Controller::write_did(uint32_t offset, uint32_t value) {
  const uint32_t ms = offset & ~7u;
  const bool locked = page0_.get(ms) & jrdid::kLock;
  const bool ring = ms < kDebugCtl;
  const unsigned index = (ms - kJrDidMs) / 8;
  if (locked || (ring && virtualization_on() && ring_started(index))) return;
  page0_.set(offset, value);
}

void Controller::write_debugctl(uint32_t offset, uint32_t value) {
  const bool stop = value & debugctl::kStop;
  page0_.set(offset, stop ? debugctl::kStop | debugctl::kStopAck : 0);
  if (hooks_.debug_stop_changed) hooks_.debug_stop_changed();
}

void Controller::write_decorsr(uint32_t offset, uint32_t value) {
  const uint32_t ring = value & decorsr::kJr;
  page0_.set(offset, ring ? ring | decorsr::kValid : 0);
  update_deco_requests();
}

uint32_t Controller::read_decorr(uint32_t offset) const {
  uint32_t value = page0_.get(offset);
  for (unsigned i = 0; access_ && i < platform_.decos; ++i) {
    if (requested_decos_ >> i & 1 && access_->granted(i)) value |= decorr::kDen0 << i;
  }
  return value;
}

void Controller::write_decorr(uint32_t offset, uint32_t value) {
  page0_.set(offset, value & ((1u << platform_.decos) - 1));
  update_deco_requests();
}

// Where identities matter, a DECO is handed out only to somebody who has one.
void Controller::update_deco_requests() {
  const bool needs_source = virtualization_on() || platform_.direct_deco_needs_source;
  const bool allowed = access_ && (!needs_source || page0_.get(kDecorsr) & decorsr::kValid);
  const uint32_t wanted = allowed ? page0_.get(kDecorr) : 0;
  const uint32_t before = requested_decos_;
  requested_decos_ = wanted;
  for (unsigned i = 0; access_ && i < platform_.decos; ++i) {
    const uint32_t bit = 1u << i;
    if (wanted & ~before & bit) access_->request(i);
    if (before & ~wanted & bit) access_->release(i);
  }
}

uint32_t Controller::read_dar(uint32_t offset) const {
  uint32_t waiting = 0;
  for (unsigned i = 0; access_ && i < platform_.decos; ++i) {
    if (page0_.get(offset) >> i & 1 && !access_->idle(i)) waiting |= 1u << i;
  }
  return waiting;
}

void Controller::write_drr(uint32_t, uint32_t value) {
  for (unsigned i = 0; access_ && i < platform_.decos; ++i) {
    if (value >> i & 1) access_->reset(i);
  }
}

}  // namespace caamlab::hw_model
