// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a shared descriptor skips when SHRD is true, and what it then finds only if the hardware kept it (hardware.md
// 5.4, 5.6): read off its words, without running them. Every way through the descriptor is followed, for SHRD false and
// true; of conditions on data both sides. Left out: values (whether a skipped write would have written the same).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "desc/commands/header.h"
#include "desc/result.h"

namespace caamlab::tools {

// What a follower that skips a command relies on.
enum class Reliance : uint8_t {
  kNothing,   // the command had an effect on skipped commands only, or only waits
  kKey,       // a key register: kept whenever SHRD is true
  kContext,   // a context register: kept on the same DECO, with SAVECTX
  kCleared,   // a register that every job finds cleared
  kJobData,   // the job's own input or output: nobody else can do that for it
  kProtocol,  // what a built-in protocol did to its PDB or to memory
};
std::string_view reliance_name(Reliance r);

struct SkippedCommand {
  unsigned index = 0;
  std::string text;  // as a listing has it
  Reliance on = Reliance::kNothing;
  std::string why;
};

// Something else that makes followers, or jobs at the same time, go wrong.
struct ShareHazard {
  unsigned index = 0;
  std::string text;
  bool followers = false;  // jobs that find SHRD true
  bool parallel = false;   // jobs of the flow that run at the same time
  std::string why;
};

// How jobs of a flow meet; the last two are the two readings of a follower under wait and serial.
enum class ShareWay : uint8_t { kNever, kWait, kSerial, kAlways, kSameDeco, kCrossDeco };
inline constexpr std::array<std::string_view, 6> kShareWayNames{"never",  "wait",      "serial",
                                                                "always", "same-deco", "cross-deco"};

struct WayVerdict {
  ShareWay way{};
  bool safe = true;
  std::vector<std::string> because{};  // of an unsafe one; "at N: ..."
};

struct StaticShare {
  desc::SharedHeader header{};
  bool asks = false;  // some condition is SHRD or SELF
  bool says_ok_to_share = false;
  std::vector<SkippedCommand> skipped;  // in the order of the descriptor
  std::vector<std::pair<unsigned, std::string>> only_followers;
  std::vector<ShareHazard> hazards;
  std::vector<WayVerdict> verdicts;  // one for each ShareWay

  const WayVerdict& verdict(ShareWay way) const { return verdicts[static_cast<size_t>(way)]; }
};

// `words`: a shared descriptor, from its header. Fails if they do not begin with the header of one.
desc::Result<StaticShare> analyze_sharing(std::span<const uint32_t> words, const desc::Target& target);

}  // namespace caamlab::tools
