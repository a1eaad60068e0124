// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The kernel's templates as selection sees them: which parts, which names, which priority, and what makes them refuse
// (crypto-api.md 1.7; crypto/*.c of 6.1).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/machine/machine.h"

namespace caamlab::api {

// "gcm(aes)" -> gcm, {aes}. Nothing for what the kernel's manager would not read as a template.
struct TemplateCall {
  std::string name;
  std::vector<std::string> args;
};
std::optional<TemplateCall> parse_template(std::string_view name);

class Instantiation;
struct Template {
  const char* name;
  uint32_t type;  // of its instances; 0: that of the request
  int (*create)(Instantiation&);
};
const Template* find_template(std::string_view name);

// An instance in the making. The creators of templates.cc grab its parts and fill it in.
class Instantiation {
 public:
  Instantiation(Machine& machine, const TemplateCall& call, uint32_t type, uint32_t mask, unsigned depth,
                Allocation& out)
      : machine_(machine), call_(call), type_(type), mask_(mask), depth_(depth), out_(out) {}

  // Creates and registers. 0, -EINVAL (another type was asked for, or a part does not fit), -ENAMETOOLONG, a part's
  // error.
  int run(const Template& tmpl);

  size_t args() const { return call_.args.size(); }
  const std::string& arg(size_t i) const { return call_.args[i]; }
  const std::string& tmpl() const { return call_.name; }
  uint32_t request_type() const { return type_ & mask_ & CRYPTO_ALG_TYPE_MASK; }
  bool wants_internal() const { return (type_ & mask_ & CRYPTO_ALG_INTERNAL) != 0; }
  // Flags that the caller wants clear, and that parts hand up: asked of each part as well.
  uint32_t inherited_mask() const { return (type_ ^ CRYPTO_ALG_INHERITED_FLAGS) & mask_ & CRYPTO_ALG_INHERITED_FLAGS; }

  // A part by name; null, with the reason in error(). The instance gets its inherited flags.
  ListedAlg* grab(const char* front, const std::string& name, uint32_t type, uint32_t more_mask = 0);
  // The same for something that is looked at and not kept.
  ListedAlg* peek(const char* front, const std::string& name);
  int error() const { return error_; }

  ListedAlg inst;

 private:
  ListedAlg* find(const char* front, const std::string& name, uint32_t type, uint32_t mask);

  Machine& machine_;
  const TemplateCall& call_;
  uint32_t type_, mask_;
  unsigned depth_;
  Allocation& out_;
  int error_ = 0;
};

}  // namespace caamlab::api
