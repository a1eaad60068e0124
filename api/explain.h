// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Why a lookup answered what it did: every candidate with its verdict (crypto-api.md 1.3, 6.3). The report is a copy;
// it stays valid when algorithms go away. Left out: template parsing and what-if, which come with templates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace caamlab::api {

enum class Verdict : uint8_t {
  kChosen,
  kLowerPriority,   // a listed one with a higher priority has the name
  kTieOlder,        // same priority, or same driver name, registered earlier
  kPriorityTooLow,  // -2 or less: reachable by driver name only
  kTypeDiffers,     // another front end's
  kFlagsRefused,    // the mask asks for flags it does not have, or forbids those it has
  kUntested,        // its self-test has not passed
  kDying,           // dead or dying
  kModuleGoing,     // its module is being removed
  kFipsInternal,    // allowed as a part of something else only
};
const char* verdict_text(Verdict verdict);

struct Candidate {
  std::string name;
  std::string driver_name;
  std::string module;
  int priority = 0;
  uint32_t flags = 0;
  int refcnt = 0;
  Verdict verdict = Verdict::kChosen;
  std::string reason;  // a sentence: "priority 100 is below 3000 of gcm-aes-caam"
};

struct LookupReport {
  std::string name;
  uint32_t type = 0;  // as compared, after the front end and the INTERNAL rule
  uint32_t mask = 0;
  int err = 0;                        // 0, or what the lookup returns
  std::string driver_name;            // chosen driver, empty if none
  std::vector<Candidate> candidates;  // whose name or driver name was asked for; best first

  // One line per candidate, for people.
  std::string text() const;
};

}  // namespace caamlab::api
