// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Random requests of gcm(aes), rfc4106 and rfc4543 through driver, ring and DECO, against direct calls of libcrypto:
// all short sizes, then any to 64 KiB; every key and tag size; lists cut in every way, in place and not; one job and
// many queued; every share mode and policy; every byte order and pointer size; tampered ones among them.
// CAAMLAB_REQUESTS: how many in all (default 10,000).
#include <algorithm>
#include <cstdlib>
#include <random>

#include "tests/conformance/aead_slot.h"
#include "tests/conformance/gcm_reference.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

using desc::ShareMode;
using hw_model::SerialPolicy;

constexpr size_t kDefaultRequests = 10000;
constexpr size_t kMaxQueued = 48;
constexpr size_t kMaxText = 65536;
constexpr size_t kMaxRfc4543 = 65535;  // AAD and text: its descriptor moves both by one MOVE, of 16 bits of length

struct Part {
  const char* name;
  const char* platform;
  desc::Target target;
};
constexpr Part kParts[] = {
    {"big64", "ls1046a", {.ptr_bytes = 8, .endian = desc::Endian::kBig}},
    {"big32", "ls1021a", {.ptr_bytes = 4, .endian = desc::Endian::kBig}},
    {"little64", "lx2160a", {.ptr_bytes = 8, .endian = desc::Endian::kLittle}},
    {"little32", "lx2160a", {.ptr_bytes = 4, .endian = desc::Endian::kLittle}},
    {"imx32", "imx8mq", {.ptr_bytes = 4, .endian = desc::Endian::kLittle, .imx = true}},
    {"imx64", "imx8mq", {.ptr_bytes = 8, .endian = desc::Endian::kLittle, .imx = true}},
};
struct Mode {
  const char* name;
  ShareMode share;
  SerialPolicy policy;
  bool keys_are_shared;
};
constexpr Mode kModes[] = {
    {"serial", ShareMode::kSerial, SerialPolicy::kSelf, true},
    {"never", ShareMode::kNever, SerialPolicy::kSelf, false},
    {"wait", ShareMode::kWait, SerialPolicy::kSelf, true},
    {"always", ShareMode::kAlways, SerialPolicy::kSelf, true},
    {"cross", ShareMode::kSerial, SerialPolicy::kCross, true},
};

struct Setting {
  Part part;
  Mode mode;
  unsigned index;  // among all settings
};
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const Part& part : kParts)
    for (const Mode& mode : kModes) all.push_back({part, mode, static_cast<unsigned>(all.size())});
  return all;
}

hw_model::Platform platform_of(const Part& part) {
  hw_model::Platform p = *hw_model::find_platform(part.platform);
  p.target = part.target;
  p.pointer_size_selectable = part.target.ptr_bytes == 8;
  return p;
}

size_t requests_in_all() {
  const char* text = std::getenv("CAAMLAB_REQUESTS");
  return text != nullptr ? std::strtoul(text, nullptr, 10) : kDefaultRequests;
}

struct Case {
  Crypt crypt = Crypt::kEncrypt;
  bool tampered = false;
  AeadInput input;
  Layout layout{.name = ""};
  Bytes expected;  // unless tampered
};

class RandomRequests : public testing::TestWithParam<Setting> {
 protected:
  static tools::LabOptions options() {
    tools::LabOptions o;
    o.driver.share = GetParam().mode.share;
    o.hardware.scheduler.serial_policy = GetParam().mode.policy;
    o.generic_drivers = o.cpu_drivers = false;
    return o;
  }

  size_t below(size_t n) { return random_() % n; }
  Bytes bytes(size_t len) {
    Bytes out(len);
    for (uint8_t& b : out) b = static_cast<uint8_t>(random_());
    return out;
  }
  // All short sizes in turn, then as many of each magnitude up to 64 KiB.
  size_t text_len() {
    const size_t turn = made_++;
    if (turn % 2 == 0) return turn / 2 % 65;
    return std::min(below((size_t{1} << below(18))), kMaxText);
  }
  std::vector<size_t> pieces(size_t len) {
    const size_t kind = below(7);
    if (kind == 0) return {};
    if (kind == 1 && len <= 600) return {1};
    if (kind == 2 && len <= 2000) return {3};
    if (kind == 3) return {16};
    if (kind == 4) return {64};
    std::vector<size_t> uneven(1 + below(6));
    const size_t top = 1 + len / (1 + below(5));
    for (size_t& piece : uneven) piece = below(top + 1);
    uneven.push_back(1 + len / 8);  // not too many in all
    return uneven;
  }

  Case make_case(GcmForm form, GcmReference& reference, size_t tag, unsigned tampered_of_8);
  std::string run_batch();
  std::string outcome(const AeadSlot& slot, const Case& c, bool copies_aad);

  std::mt19937_64 random_{0x6763'6d00 + GetParam().index};
  size_t made_ = GetParam().index * 7;
  size_t tampered_ = 0;
  LabFixture lab_{platform_of(GetParam().part), options()};
  std::vector<AeadSlot> slots_{kMaxQueued};
};

Case RandomRequests::make_case(GcmForm form, GcmReference& reference, size_t tag, unsigned tampered_of_8) {
  Case c;
  const size_t aad_len = form == GcmForm::kGcm ? below(65) : below(2) == 0 ? 16 : 20;
  size_t len = text_len();
  if (form == GcmForm::kRfc4543) len = std::min(len, kMaxRfc4543 - aad_len);
  c.input = {.iv = bytes(gcm_iv_len(form)), .aad = bytes(aad_len), .text = bytes(len)};
  // The IV stands at the end of the AAD area; the driver takes it from the request.
  if (form != GcmForm::kGcm) std::ranges::copy(c.input.iv, c.input.aad.end() - 8);
  if (below(8) == 0) c.input.flags = api::CRYPTO_TFM_REQ_MAY_BACKLOG;
  Bytes sealed = reference.seal(c.input.iv, c.input.aad, c.input.text, tag);
  if (below(2) == 0) {
    c.expected = std::move(sealed);
  } else {
    c.crypt = Crypt::kDecrypt;
    c.expected = std::exchange(c.input.text, std::move(sealed));
    c.tampered = below(8) < tampered_of_8;
  }
  if (c.tampered) {
    // One bit of text or tag (most often the tag), or of the AAD that is authenticated.
    const size_t aad_bytes = aad_len - (form == GcmForm::kRfc4106 ? 8 : 0);
    Bytes& where = aad_bytes != 0 && below(4) == 0 ? c.input.aad : c.input.text;
    const size_t at = &where == &c.input.aad ? below(aad_bytes)
                      : below(3) != 0        ? where.size() - 1 - below(tag)
                                             : below(where.size());
    where[at] ^= static_cast<uint8_t>(1u << below(8));
  }
  len = c.input.aad.size() + c.input.text.size() + tag;
  const size_t place = below(4);
  c.layout = {.name = "random",
              .in_place = place == 0,
              .in_place_two = place == 1,
              .src_pieces = pieces(len),
              .dst_pieces = pieces(len),
              .offset = below(2) == 0 ? 0 : below(64)};
  return c;
}

std::string RandomRequests::outcome(const AeadSlot& slot, const Case& c, bool copies_aad) {
  if (slot.completions() != 1) return std::to_string(slot.completions()) + " completions";
  if (slot.err() != (c.tampered ? -EBADMSG : 0)) return "completed with " + api::errno_text(slot.err());
  if (const std::string what = slot.damage(c.input, copies_aad); !what.empty() && !c.tampered) return "wrote " + what;
  if (c.tampered || std::ranges::equal(slot.out(), c.expected)) return "";
  const auto differ = std::ranges::mismatch(slot.out(), c.expected);
  return "byte " + std::to_string(differ.in2 - c.expected.begin()) + " differs";
}

// A transform with a fresh key, and some requests on it at once. Empty, or what went wrong.
std::string RandomRequests::run_batch() {
  const GcmForm form = kGcmForms[below(3)];
  const size_t key_len = 16 + 8 * below(3);
  const auto tags = gcm_tag_sizes(form);
  const unsigned tag = tags[below(tags.size())];
  const Bytes key = bytes(key_len + gcm_salt_len(form));
  auto tfm = lab_.aead(gcm_driver(form));
  if (crypto_aead_setkey(*tfm, key) != 0 || crypto_aead_setauthsize(*tfm, tag) != 0) return "setkey";
  GcmReference reference(form, key);

  const size_t count = below(2) == 0 ? 1 : 2 + below(kMaxQueued - 1);
  // A follower that copies from the DECO of a failed job fails with it: then those run alone.
  const unsigned tampered_of_8 = count == 1 ? 4 : GetParam().mode.policy == SerialPolicy::kSelf ? 2 : 0;
  std::vector<Case> cases;
  for (size_t i = 0; i < count; ++i) {
    cases.push_back(make_case(form, reference, tag, tampered_of_8));
    const Case& c = cases.back();
    tampered_ += c.tampered;
    const int answer = slots_[i].submit(*tfm, c.crypt, c.input, c.layout);
    if (answer != -EINPROGRESS) return "submission answered " + api::errno_text(answer);
  }
  lab_->run();
  for (size_t i = 0; i < count; ++i) {
    const Case& c = cases[i];
    const std::string what = outcome(slots_[i], c, form == GcmForm::kRfc4543);
    if (what.empty()) continue;
    std::ostringstream out;
    out << gcm_driver(form) << ", " << (c.crypt == Crypt::kEncrypt ? "encrypt" : "decrypt") << ", request " << i
        << " of " << count << ", tag " << tag << ", key " << hex(key) << ", iv " << hex(c.input.iv) << ", aad "
        << hex(c.input.aad) << ", " << c.input.text.size() << " bytes" << (c.layout.in_place ? ", in place" : "")
        << (c.layout.in_place_two ? ", in place by two lists" : "") << ", src pieces "
        << testing::PrintToString(c.layout.src_pieces) << ", dst pieces " << testing::PrintToString(c.layout.dst_pieces)
        << ", offset " << c.layout.offset << ": " << what;
    return out.str();
  }
  return "";
}

TEST_P(RandomRequests, EqualLibcrypto) {
  const size_t mine = requests_in_all() / settings().size() + 1;
  const size_t first = made_;
  for (size_t batch = 0; made_ - first < mine; ++batch) ASSERT_EQ(run_batch(), "") << "batch " << batch;
  EXPECT_GT(tampered_, 0u);
  const hw_model::SchedulerStats& stats = lab_->caam().scheduler().stats();
  EXPECT_EQ(stats.jobs_with_shared_keys != 0, GetParam().mode.keys_are_shared);
}

// Longer ones are refused, and nothing is written.
TEST_P(RandomRequests, Rfc4543HasALongest) {
  const Bytes key = bytes(20);
  auto tfm = lab_.aead(gcm_driver(GcmForm::kRfc4543));
  ASSERT_EQ(crypto_aead_setkey(*tfm, key), 0);
  GcmReference reference(GcmForm::kRfc4543, key);
  AeadInput input{.iv = bytes(8), .aad = bytes(16), .text = bytes(kMaxRfc4543 - 16)};
  std::ranges::copy(input.iv, input.aad.end() - 8);
  for (const Layout& layout : {Layout{.name = "one piece"}, Layout{.name = "pieces", .src_pieces = {1000}}}) {
    AeadInput sealed = input;
    const Outcome longest = run_aead(*tfm, Crypt::kEncrypt, input, layout);
    ASSERT_EQ(longest.err, 0);
    sealed.text = reference.seal(input.iv, input.aad, input.text, 16);
    ASSERT_EQ(longest.out, sealed.text);
    ASSERT_EQ(run_aead(*tfm, Crypt::kDecrypt, sealed, layout).out, input.text);
    for (const size_t more : {1, 17, 65536}) {
      AeadInput longer = input;
      longer.text.resize(input.text.size() + more);
      EXPECT_EQ(slots_[0].submit(*tfm, Crypt::kEncrypt, longer, layout), -EINVAL) << more;
      EXPECT_TRUE(std::ranges::all_of(slots_[0].out(), [](uint8_t b) { return b == AeadSlot::kFill; })) << more;
      longer.text.resize(longer.text.size() + 16);
      EXPECT_EQ(slots_[0].submit(*tfm, Crypt::kDecrypt, longer, layout), -EINVAL) << more;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, RandomRequests, testing::ValuesIn(settings()), [](const auto& info) {
  return std::string(info.param.part.name) + "_" + info.param.mode.name;
});

}  // namespace
}  // namespace caamlab::tests
