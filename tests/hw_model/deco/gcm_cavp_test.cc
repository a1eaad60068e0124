// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// NIST CAVP for GCM on the DECO: every vector of gcmEncryptExtIV and gcmDecrypt, of any IV and tag length, as a job
// descriptor. A vector that must fail fails with the ICV status and in nothing else.
#include <algorithm>

#include "tests/hw_model/cha/vectors.h"
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using desc::ClassSel;
using desc::FifoLoadType;
using hw_model::DmaDirection;

constexpr uint8_t kFlush1 = desc::kFifoLoadFlush1, kLast1 = desc::kFifoLoadLast1;

// How a vector becomes a job.
struct Layout {
  const char* name;
  bool tables = false;    // pieces of 1, 3 and 16 bytes
  bool sequence = false;  // AAD and text from one input sequence, output to a sequence
  bool in_place = false;
  bool store_first = false;
  bool operation_last = false;
  bool last_on_data = true;  // LAST on the last data that is not empty; else on the text, empty or not
  AlgState as = AlgState::kInitFinal;
};
constexpr Layout kLayouts[] = {
    {.name = "pointers"},
    {.name = "tables", .tables = true, .store_first = true},
    {.name = "sequence", .tables = true, .sequence = true, .last_on_data = false},
    {.name = "in place", .in_place = true, .store_first = true, .last_on_data = false},
    {.name = "operation last", .operation_last = true, .as = AlgState::kFinal},  // MCUX
};

struct Result {
  JrStatus status;
  Bytes text, tag;
};

class GcmJob {
 public:
  GcmJob(Rig& rig, const Layout& layout) : rig_(rig), mark_(rig.mem.mark()), layout_(layout), b_(rig_.job()) {}
  ~GcmJob() { rig_.mem.release_since(mark_); }

  // `icv`: check `tag` in the job; else the tag is stored.
  Result run(const Bytes& key, const Bytes& iv, const Bytes& aad, const Bytes& text, const Bytes& tag, bool enc,
             bool icv) {
    const desc::AlgOperation op{.aai = desc::aai::kGcm, .as = layout_.as, .icv = icv, .enc = enc};
    b_.append_key_as_imm(key, static_cast<unsigned>(key.size()), {.cls = ClassSel::kClass1});
    if (!layout_.operation_last) b_.append_operation(op);
    const bool iv_last = !icv && layout_.last_on_data && aad.empty() && text.empty();
    const bool aad_last = !icv && layout_.last_on_data && text.empty() && !iv_last;
    load(iv, FifoLoadType::kIv, iv_last ? kFlush1 | kLast1 : kFlush1);

    Buffer both = rig_.mem.both(text);
    if (layout_.sequence) define_sequence(aad, text);
    if (!aad.empty()) load(aad, FifoLoadType::kAad, aad_last ? kLast1 : kFlush1, layout_.sequence);
    const Buffer out = layout_.in_place ? both : rig_.mem.output(text.size());
    if (layout_.store_first) store(out);
    const bool text_last = !icv && !iv_last && !aad_last;
    if (layout_.in_place)
      load_from(both, FifoLoadType::kMsg, text_last ? kLast1 : kFlush1);
    else if (text_last || !text.empty())
      load(text, FifoLoadType::kMsg, text_last ? kLast1 : kFlush1, layout_.sequence);
    if (!layout_.store_first) store(out);
    if (icv) load(tag, FifoLoadType::kIcv, kLast1);
    if (layout_.operation_last) b_.append_operation(op);
    const Buffer stored_tag = rig_.mem.output(tag.size());
    if (!icv)
      b_.append_store(stored_tag.addr,
                      {.cls = ClassSel::kClass1, .src = desc::kRegContext, .len = static_cast<uint8_t>(tag.size())});
    Result r;
    r.status = rig_.run(b_);
    r.text = out.bytes();
    r.tag = stored_tag.bytes();
    return r;
  }

 private:
  void load_from(const Buffer& mem, FifoLoadType type, uint8_t actions) {
    b_.append_fifo_load(
        mem.addr,
        {.cls = ClassSel::kClass1, .type = desc::fifo_load_type(type, actions), .len = static_cast<uint16_t>(mem.len)});
  }
  void load(const Bytes& bytes, FifoLoadType type, uint8_t actions, bool from_sequence = false) {
    const uint8_t code = desc::fifo_load_type(type, actions);
    if (from_sequence) {
      b_.append_seq_fifo_load(static_cast<unsigned>(bytes.size()), {.cls = ClassSel::kClass1, .type = code});
    } else if (layout_.tables && !bytes.empty()) {
      b_.append_fifo_load(
          table(bytes),
          {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = code, .len = static_cast<uint16_t>(bytes.size())});
    } else {
      load_from(rig_.mem.input(bytes), type, actions);
    }
  }
  void store(const Buffer& out) {
    if (layout_.sequence) {
      b_.append_seq_out_ptr(out.addr, static_cast<uint32_t>(out.len));
      b_.append_seq_fifo_store(static_cast<unsigned>(out.len), {.type = desc::FifoStoreType::kMsg});
    } else {
      b_.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = static_cast<uint16_t>(out.len)});
    }
  }
  void define_sequence(const Bytes& aad, const Bytes& text) {
    Bytes all = aad;
    all.insert(all.end(), text.begin(), text.end());
    if (all.empty())
      b_.append_seq_in_ptr(0x40, 0);
    else
      b_.append_seq_in_ptr(table(all), static_cast<uint32_t>(all.size()), {.sgf = true});
  }
  BusAddr table(const Bytes& bytes) {
    return rig_.mem.table_of(rig_.mem.pieces(bytes, {1, 3, 16}, DmaDirection::kToDevice)).addr;
  }

  Rig& rig_;
  const size_t mark_;
  const Layout& layout_;
  Builder b_;
};

class GcmCavp : public testing::TestWithParam<const char*> {
 protected:
  // Runs fn(layout, rig) for one of all combinations, another one for each vector.
  template <class Fn>
  void on_some_part(size_t n, Fn&& fn) {
    fn(kLayouts[n % std::size(kLayouts)], rigs_[n / std::size(kLayouts) % rigs_.size()]);
  }

 private:
  std::array<Rig, 6> rigs_{Rig(kBig64), Rig(kBig32), Rig(kLittle64), Rig(kLittle32), Rig(kImx64), Rig(kImx32)};
};

TEST_P(GcmCavp, Encrypt) {
  size_t n = 0;
  for (const Vector& v : read_vectors(std::string("ciphers/AES/GCM/gcmEncryptExtIV") + GetParam() + ".rsp", "count")) {
    on_some_part(n++, [&](const Layout& layout, Rig& rig) {
      const Result r =
          GcmJob(rig, layout).run(v.hex("key"), v.hex("iv"), v.hex("aad"), v.hex("pt"), v.hex("tag"), true, false);
      ASSERT_EQ(r.status, ok()) << v.where << " " << layout.name;
      ASSERT_EQ(to_hex(r.text), to_hex(v.hex("ct"))) << v.where << " " << layout.name;
      ASSERT_EQ(to_hex(r.tag), to_hex(v.hex("tag"))) << v.where << " " << layout.name;
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(n, 7875u);
}

TEST_P(GcmCavp, Decrypt) {
  size_t n = 0, failing = 0;
  for (const Vector& v : read_vectors(std::string("ciphers/AES/GCM/gcmDecrypt") + GetParam() + ".rsp", "count")) {
    const bool fails = v.has("fail");
    failing += fails;
    on_some_part(n++, [&](const Layout& layout, Rig& rig) {
      const Bytes key = v.hex("key"), iv = v.hex("iv"), aad = v.hex("aad"), ct = v.hex("ct"), tag = v.hex("tag");
      const Result checked = GcmJob(rig, layout).run(key, iv, aad, ct, tag, false, true);
      const Result unchecked = GcmJob(rig, layout).run(key, iv, aad, ct, tag, false, false);
      ASSERT_EQ(checked.status.word & 0xF00000FF, fails ? 0x2000001Au : 0u) << v.where << " " << layout.name;
      ASSERT_EQ(unchecked.status, ok()) << v.where << " " << layout.name;
      ASSERT_EQ(to_hex(checked.text), to_hex(unchecked.text)) << v.where << " " << layout.name;
      ASSERT_EQ(unchecked.tag != tag, fails) << v.where << " " << layout.name;
      if (!fails) {
        ASSERT_EQ(to_hex(checked.text), to_hex(v.hex("pt"))) << v.where << " " << layout.name;
      }
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(n, 7875u);
  EXPECT_GT(failing, 1000u);
}

INSTANTIATE_TEST_SUITE_P(KeyBits, GcmCavp, testing::Values("128", "192", "256"),
                         [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

}  // namespace
}  // namespace caamlab::tests
