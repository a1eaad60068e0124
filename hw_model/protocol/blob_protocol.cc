// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Blob encapsulation and decapsulation as protocols (hardware.md 2.15.3): from the input to the output sequence, with
// the key modifier in the class 2 key register. PROTINFO: 9 TKEK, 8 EKT, 7:4 key register, 3 secure memory, 2 black,
// 1:0 format. Assumed: there is no secure memory (0xC2) and no trusted descriptor (0xC8); of the key registers those of
// class 1 and 2 are served, by red blobs of general memory; a black blob holds the key padded as its black form pads
// it, so in CCM form the black key is 12 bytes longer than what the blob adds its overhead to.
#include "hw_model/protocol/blob.h"
#include "hw_model/protocol/pdb_reader.h"

namespace caamlab::hw_model {

using desc::ProtocolOperation;

namespace {

constexpr size_t kModifierBytes = 16;

struct BlobInfo {
  BlobKind kind;
  bool ekt, trusted;
  unsigned key_register;
  explicit BlobInfo(uint16_t info)
      : kind{static_cast<BlobFormat>(info & 3), (info & 8) != 0, (info & 4) != 0},
        ekt((info >> 8 & 1) != 0),
        trusted((info >> 9 & 1) != 0),
        key_register(info >> 4 & 0xFu) {}
  BlackForm form() const { return ekt ? BlackForm::kCcm : BlackForm::kEcb; }
};

constexpr unsigned kInMemory = 0, kKey1 = 1, kKey2 = 3;

DecoError check(const BlobInfo& info) {
  if (static_cast<unsigned>(info.kind.format) == 1) return DecoError::kBlobMode;
  if (info.kind.secure_memory) return DecoError::kBlobSecMem;
  if (info.trusted) return DecoError::kBlobTrusted;
  const bool known = info.key_register == kInMemory || info.key_register == kKey1 || info.key_register == kKey2;
  if (!known || (info.key_register != kInMemory && info.kind.black)) return DecoError::kBlobKeyDest;
  return DecoError::kNone;
}

KeyRegister& key_register(Deco& d, const BlobInfo& info) {
  return d.ccb.regs(info.key_register == kKey1 ? Ccb::kClass1 : Ccb::kClass2).key;
}

// All of the input sequence; empty (and the job failed) if it cannot be read.
bool read_input(Deco& d, std::span<uint8_t>& data) {
  const uint32_t len = d.r.sil;
  // A length that memory does not bear out must not be allocated for.
  SgCursor probe = d.in_seq.at;
  const DecoError unreadable = d.dma.walk(probe, len, DmaDirection::kToDevice, [](std::span<uint8_t>) {});
  if (unreadable != DecoError::kNone) {
    d.fail(unreadable);
    return false;
  }
  data = {d.ccb.arena().allocate(len), len};
  d.r.sil = 0;
  d.in_seq.moved += len;
  const DecoError e = d.dma.read(d.in_seq.at, data);
  if (e != DecoError::kNone) d.fail(e);
  return e == DecoError::kNone;
}

Flow write_output(Deco& d, ByteSpan data) {
  if (data.size() > d.r.sol) return d.fail(DecoError::kSequence);
  d.r.sol -= static_cast<uint32_t>(data.size());
  d.out_seq.moved += data.size();
  const DecoError e = d.dma.write(d.out_seq.at, data);
  return e == DecoError::kNone ? Flow::kNext : d.fail(e);
}

// Black key to the padded key inside it, in place.
bool unwrap(Deco& d, const BlobInfo& info, std::span<uint8_t>& data) {
  const size_t overhead = info.ekt ? 12 : 0, unit = info.ekt ? 8 : 16;
  if (data.size() <= overhead || (data.size() - overhead) % unit != 0 || data.size() > BlackKeys::kMaxKeyBytes) {
    d.fail(DecoError::kBlobBlackSize);
    return false;
  }
  const uint32_t len = static_cast<uint32_t>(data.size() - overhead);
  if (!d.units.black) {
    d.fail(DecoError::kKekNotLoaded);
    return false;
  }
  const auto failure = d.units.black->unwrap(info.form(), Kek::kJob, data, len, data.data());
  if (failure) failure.deco != DecoError::kNone ? d.fail(failure.deco) : d.fail(desc::ChaId::kAes, failure.aesa);
  data = data.first(len);
  return !failure;
}

Flow encapsulate(Deco& d, const BlobInfo& info, const BlobMaker& maker) {
  std::span<uint8_t> data;
  if (info.key_register == kInMemory) {
    if (!read_input(d, data)) return Flow::kStop;
    if (info.kind.black && !unwrap(d, info, data)) return Flow::kStop;
  } else {
    KeyRegister& key = key_register(d, info);
    data = std::span(key.bytes).first(key.size);
  }
  const std::span<uint8_t> out(d.ccb.arena().allocate(data.size() + kBlobOverhead), data.size() + kBlobOverhead);
  maker.encapsulate(data, random_of(d), out);
  return write_output(d, out);
}

Flow decapsulate(Deco& d, const BlobInfo& info, const BlobMaker& maker) {
  std::span<uint8_t> blob;
  if (!read_input(d, blob)) return Flow::kStop;
  if (blob.size() < kBlobOverhead) return d.fail(DecoError::kSequence);
  const std::span<uint8_t> data(d.ccb.arena().allocate(blob.size()), blob.size() - kBlobOverhead);
  if (const ProtocolStatus s = maker.decapsulate(blob, data); !s.ok()) return end_protocol(d, s);
  if (info.key_register != kInMemory) {
    KeyRegister& key = key_register(d, info);
    if (data.empty() || data.size() > (info.key_register == kKey1 ? kClass1KeyBytes : kClass2KeyBytes))
      return d.fail(DecoError::kBlobKeyDest);
    key = {};
    std::copy(data.begin(), data.end(), key.bytes.begin());
    key.size = static_cast<uint32_t>(data.size());
    return Flow::kNext;
  }
  if (!info.kind.black) return write_output(d, data);
  if (data.size() > BlackKeys::kMaxKeyBytes - 16) return d.fail(DecoError::kBlobBlackSize);
  if (!d.units.black) return d.fail(DecoError::kKekNotLoaded);
  uint8_t black[BlackKeys::kMaxKeyBytes];
  const auto failure = d.units.black->wrap(info.form(), Kek::kJob, data, black);
  if (failure) return d.fail(failure.deco);
  return write_output(d, {black, d.units.black->wrapped_bytes(info.form(), static_cast<uint32_t>(data.size()))});
}

}  // namespace

Flow run_blob(Deco& d, const ProtocolOperation& cmd) {
  BlobInfo info(cmd.info);
  if (const DecoError e = check(info); e != DecoError::kNone) return d.fail(e);
  if (!d.wait_class(desc::ClassSel::kBoth)) return Flow::kStop;
  info.kind.secure_owner = d.source() <= SourceId::kJr3 && d.units.device != nullptr && d.units.device->secure_ring &&
                           d.units.device->secure_ring(static_cast<unsigned>(d.source()));
  const MasterKey& master = d.units.device != nullptr ? d.units.device->master_key : kModelMasterKey;
  const BlobMaker maker(master, {d.ccb.regs(Ccb::kClass2).key.bytes.data(), kModifierBytes}, info.kind);
  if (info.kind.format == BlobFormat::kMasterKeyVerification) return write_output(d, maker.verification());
  return cmd.type == desc::ProtocolType::kEncap ? encapsulate(d, info, maker) : decapsulate(d, info, maker);
}

}  // namespace caamlab::hw_model
