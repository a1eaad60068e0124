// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Requests for measuring: transforms of one driver, and a number of requests with buffers that are used again and
// again. Ciphers, aeads and hashes.
#pragma once

#include <memory>
#include <string>

#include "api/registry.h"
#include "desc/bits.h"
#include "desc/result.h"

namespace caamlab::tools {

struct RequestPlan {
  std::string driver;     // or an algorithm's name
  unsigned key_bits = 0;  // 0: the shortest the driver takes
  size_t bytes = 0;       // of text; ciphers round up to whole blocks
  unsigned slots = 1;     // requests
  unsigned keys = 1;      // transforms, each with a key of its own; request i uses key i % keys
  bool may_backlog = false;
};

class Requests {
 public:
  // Called with each request's final status (not the notice that it has left a backlog), in its completion callback.
  class Sink {
   public:
    virtual void request_done(unsigned slot, int err) = 0;

   protected:
    ~Sink() = default;
  };

  // Fails with a sentence when there is no such driver or it takes no key of this size.
  [[nodiscard]] static desc::Result<std::unique_ptr<Requests>> make(api::Registry& registry, const RequestPlan& plan,
                                                                    Sink& sink);
  virtual ~Requests() = default;
  // What the API says. 0: done, and the sink is not called. The IV of each submission is another one.
  virtual int submit(unsigned slot) = 0;
  virtual desc::ByteSpan output(unsigned slot) const = 0;
  virtual const api::CryptoTfm& tfm(unsigned key) const = 0;
  virtual unsigned block_size() const = 0;
};

}  // namespace caamlab::tools
