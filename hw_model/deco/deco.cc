// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See deco.h.
#include "hw_model/deco/deco.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

using desc::DecoError;
using desc::SharedHeader;

Deco::Deco(unsigned number, BusMemory& memory, const Platform& platform, const desc::Target& target,
           PadRandom& random_source, DecoOptions options)
    : ccb(platform, random_source),
      dma(memory, platform.sg_format, target, options.sg_burst),
      random(random_source),
      number_(number),
      options_(options) {
  options_.era = platform.era;
  decoded_.fill(predecode(0));
}

void Deco::reset_state(ShareState share) {
  r = {};
  in_seq = out_seq = {};
  units.reset_job();
  auto_nfifo = true;
  gosub_return = 0;
  checksum_runs.clear();
  change_share_ = 0;
  jumped_ = false;
  shrd_ = share != ShareState::kFresh;
  self_ = share == ShareState::kSelf;
  ccb.reset_job(/*keep_keys=*/shrd_, /*keep_context=*/self_ && shared_header_.savectx);
  ccb.stats().keys_shared = shrd_;
}

void Deco::begin(const JobFetch& job, ShareState share, const Deco* from) {
  status_ = job.status;
  source_ = job.source;
  jd_addr_ = job.addr;
  jd_memory_ = job.addr;
  job_header_ = job.header;
  reset_state(share);
  dma.begin_job();
  shared_header_ = {};
  pc_ = 0;
  if (!status_.ok()) return;
  sd_len_ = job.has_shared() ? job.header.start : 0;
  jd_len_ = job.len;
  ccb.stats().words_fetched += job.len;
  if (job.has_shared()) {
    sd_addr_ = job.shared_addr;
    if (!load_shared(share, from)) return;
  } else {
    sd_addr_ = 0;
  }
  std::copy_n(job.words.begin(), jd_len_, buffer_.begin() + sd_len_);
  job_start_ = sd_len_ + job.start;
  shared_still_to_run_ = sd_len_ != 0 && job_header_.reo;
  goto_index(sd_len_ == 0 || job_header_.reo ? job_start_ : shared_start());
}

bool Deco::load_shared(ShareState share, const Deco* from) {
  const auto refuse = [&](DecoError error) {
    status_ = JrStatus::deco(error, 0);
    return false;
  };
  switch (share) {
    case ShareState::kFresh:
      if (dma.read_words(sd_addr_, std::span(buffer_).first(sd_len_)) != DecoError::kNone)
        return refuse(DecoError::kDma);
      ccb.stats().words_fetched += sd_len_;
      break;
    case ShareState::kCross:
      std::copy_n(from->buffer_.begin(), sd_len_, buffer_.begin());
      ccb.copy_keys_from(from->ccb);
      break;
    case ShareState::kSelf:
      break;  // the words are here, self-modifications included
  }
  if (!desc::matches<SharedHeader>(buffer_[0])) return refuse(DecoError::kSharedHeader);
  shared_header_ = desc::decode_as<SharedHeader>(buffer_[0]);
  const SharedHeader& h = shared_header_;
  if (!h.one || h.zro || h.len != sd_len_ || h.start >= h.len) return refuse(DecoError::kSharedHeader);
  if (h.dnr) return refuse(DecoError::kDoNotRun);
  return true;
}

// Falls off the end of a part, or was sent past it by a jump.
bool Deco::leave_part() {
  const unsigned total = total_words();
  // A job that jumps to its own header is not at the end of the shared descriptor.
  if (sd_len_ != 0 && next_ == sd_len_ && pc_ < sd_len_) {
    if (job_header_.reo) return false;
    next_ = job_start_;
  }
  if (next_ == total && shared_still_to_run_) {
    shared_still_to_run_ = false;
    next_ = shared_start();
    part_end_ = sd_len_;
    return next_ < sd_len_;
  }
  part_end_ = next_ < sd_len_ ? sd_len_ : total;
  return next_ < total;
}

JrStatus Deco::run() {
  if (__builtin_expect(trace_ != nullptr, 0)) return run_traced();
  Flow flow = status_.ok() ? Flow::kNext : Flow::kStop;
  uint64_t left = options_.max_commands;
  while (flow == Flow::kNext && advance()) {
    pc_ = next_++;
    if (left-- == 0) {
      left = 0;
      hang();
      break;
    }
    const Decoded& command = decoded(pc_);
    flow = command.run(*this, command);
  }
  ccb.stats().commands = static_cast<uint32_t>(options_.max_commands - left);
  return finish();
}

JrStatus Deco::run_traced() {
  trace_->job_begins(*this);
  Flow flow = status_.ok() ? Flow::kNext : Flow::kStop;
  while (flow == Flow::kNext && advance()) {
    pc_ = next_++;
    if (ccb.stats().commands == options_.max_commands) {
      hang();
      break;
    }
    ++ccb.stats().commands;
    const Decoded copy = decoded(pc_);
    const unsigned index = pc_;
    trace_->before_command(*this, index, copy.command);
    flow = copy.run(*this, copy);
    trace_->after_command(*this, index, copy.command);
  }
  const JrStatus result = finish();
  trace_->job_ends(*this, result);
  return result;
}

// A job is over when its input is consumed and its output written (hardware.md 3.6). A status set by a HALT stands,
// an error found only now goes before success.
JrStatus Deco::finish() {
  const StopKind kind = stop_kind_;
  stop_kind_ = StopKind::kNone;
  if (kind == StopKind::kError) return status_;
  ccb.pump();
  if (ccb.fault()) {
    status_ = {};
    fail_fault();
  } else if (!ccb.finished() && kind == StopKind::kNone) {
    hang();
  }
  stop_kind_ = StopKind::kNone;
  return status_;
}

Flow Deco::fail(DecoError error) {
  status_ = JrStatus::deco(error, pc_, jumped_);
  stop_kind_ = StopKind::kError;
  return Flow::kStop;
}

Flow Deco::fail(desc::ChaId cha, CcbError error) {
  status_ = JrStatus::ccb(cha, error, pc_, jumped_);
  stop_kind_ = StopKind::kError;
  return Flow::kStop;
}

Flow Deco::fail_fault() {
  const Ccb::Fault& fault = ccb.fault();
  if (fault.error != CcbError::kNone) return fail(fault.cha, fault.error);
  return fail(fault.skip_type ? DecoError::kSkipType : DecoError::kWatchdog);
}

Flow Deco::halt(JrStatus status) {
  constexpr uint32_t kNlj = 1u << 27;
  status_.word = status.word | (jumped_ && !status.ok() ? kNlj : 0);
  stop_kind_ = StopKind::kHalt;
  return Flow::kStop;
}

bool Deco::take_bytes(uint32_t len, ByteSpan& bytes) {
  const unsigned words = desc::words_for_bytes(len);
  if (next_ + words > total_words()) return false;
  uint8_t* copy = ccb.arena().allocate(len);
  desc::words_to_bytes(copy, len, &buffer_[next_], endian());
  next_ += words;
  bytes = {copy, len};
  return true;
}

bool Deco::take_bytes_into(std::span<uint8_t> out) {
  const unsigned words = desc::words_for_bytes(static_cast<uint32_t>(out.size()));
  if (next_ + words > total_words()) return false;
  desc::words_to_bytes(out.data(), out.size(), &buffer_[next_], endian());
  next_ += words;
  return true;
}

void Deco::read_buffer(unsigned offset, std::span<uint8_t> out) const {
  for (uint8_t& byte : out) {
    byte = offset < sizeof(buffer_) ? static_cast<uint8_t>(buffer_[offset / 4] >> (24 - offset % 4 * 8)) : 0;
    ++offset;
  }
}

void Deco::write_buffer(unsigned offset, ByteSpan in) {
  for (const uint8_t byte : in) {
    if (offset < sizeof(buffer_)) {
      const unsigned shift = 24 - offset % 4 * 8;
      buffer_[offset / 4] = (buffer_[offset / 4] & ~(0xFFu << shift)) | uint32_t{byte} << shift;
    }
    ++offset;
  }
}

Flow Deco::replace_job(BusAddr addr, bool jumped) {
  JobFetch job;
  fetch_job(dma, source_, addr, options_.era, job);
  if (!job.status.ok()) {
    const DecoError error = job.status.deco_error();
    const bool no_job = error == DecoError::kJobHeader || error == DecoError::kSharedHeader || error == DecoError::kKey;
    return fail(jumped && no_job ? DecoError::kJump : error);
  }
  ccb.stats().words_fetched += job.len;
  if (jumped) {
    // The target may not have a shared descriptor of its own, and takes the whole buffer.
    if (job.has_shared()) return fail(DecoError::kJump);
    sd_len_ = 0;
    shared_header_ = {};
    shared_still_to_run_ = false;
    jumped_ = true;
  } else if (job.has_shared() || sd_len_ + job.len > desc::kMaxDescWords) {
    return fail(DecoError::kJobHeader);
  }
  jd_len_ = job.len;
  jd_memory_ = addr;
  std::copy_n(job.words.begin(), job.len, buffer_.begin() + sd_len_);
  job_start_ = sd_len_ + job.start;
  goto_index(job_start_);
  return Flow::kNext;
}

bool Deco::wait_busy_class(desc::ClassSel cls) {
  const unsigned bits = static_cast<unsigned>(cls);
  bool done = true;
  if ((bits & 1) != 0) done = ccb.wait_done(Ccb::kClass1) && done;
  if ((bits & 2) != 0) done = ccb.wait_done(Ccb::kClass2) && done;
  if (ccb.fault()) {
    fail_fault();
    return false;
  }
  if (!done) hang();
  return done;
}

bool Deco::settle() {
  ccb.pump();
  if (ccb.fault()) {
    fail_fault();
    return false;
  }
  return true;
}

}  // namespace caamlab::hw_model
