// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// For tests of the CAAM driver: a lab on a platform, and transforms from it. At the end nothing may be left mapped and
// no rule of the DMA API broken.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

#include "api/errno.h"
#include "tests/api/runner.h"
#include "tools/lab.h"

namespace caamlab::tests {

class LabFixture {
 public:
  explicit LabFixture(const std::string& platform, tools::LabOptions options = {})
      : lab_(take("platform " + platform, tools::Lab::make(platform, std::move(options)))) {}
  explicit LabFixture(const hw_model::Platform& platform, tools::LabOptions options = {})
      : lab_(take("platform " + platform.name, tools::Lab::make(platform, std::move(options)))) {}
  ~LabFixture() {
    lab_->driver().reset();
    EXPECT_TRUE(lab_->dma().leaks().empty()) << lab_->dma().leaks().size() << " mappings left";
    EXPECT_TRUE(lab_->dma().bugs().empty()) << hw_model::dma_bug_name(lab_->dma().bugs()[0].kind);
  }
  tools::Lab& operator*() { return *lab_; }
  tools::Lab* operator->() { return lab_.get(); }

  api::AeadHandle aead(const std::string& name) { return get(name, crypto_alloc_aead(lab_->registry(), name)); }
  api::SkcipherHandle skcipher(const std::string& name) {
    return get(name, crypto_alloc_skcipher(lab_->registry(), name));
  }
  api::AhashHandle ahash(const std::string& name) { return get(name, crypto_alloc_ahash(lab_->registry(), name)); }
  bool has(const std::string& driver) { return lab_->registry().lookup(driver, 0, 0).has_value(); }

  template <class Handle>
  static Handle get(const std::string& name, tl::expected<Handle, int> tfm) {
    if (tfm) return std::move(*tfm);
    throw std::runtime_error(name + ": " + api::errno_text(tfm.error()));  // ends the test that asked
  }

 private:
  static std::unique_ptr<tools::Lab> take(const std::string& what, desc::Result<std::unique_ptr<tools::Lab>> lab) {
    if (lab) return std::move(*lab);
    throw std::runtime_error(what + ": " + lab.error().to_string());  // ends the test that asked
  }
  std::unique_ptr<tools::Lab> lab_;
};

}  // namespace caamlab::tests
