// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Texts of status words. Names and the form of a line follow the kernel, sentences are our own (hardware.md 6.1-6.3).
#include "driver/caam/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>

#include "desc/jr_status.h"
#include "driver/caam/intern.h"

namespace caamlab::driver::caam {
namespace {

using desc::JrStatus;
using desc::StatusSource;

struct CodeText {
  uint8_t code;
  std::string_view text;
};

constexpr CodeText kDecoTexts[] = {
    {0x00, "No error"},
    {0x01, "S/G table too short for the data asked for"},
    {0x02, "S/G table with a null entry"},
    {0x03, "Bad value in the job queue control register"},
    {0x04, "Invalid command code"},
    {0x06, "Invalid KEY command"},
    {0x07, "Invalid LOAD command"},
    {0x08, "Invalid STORE command"},
    {0x09, "Invalid OPERATION command"},
    {0x0A, "Invalid FIFO LOAD command"},
    {0x0B, "Invalid FIFO STORE command"},
    {0x0C, "Invalid MOVE command"},
    {0x0D, "Invalid JUMP command: non-local target not a job header, in a trusted descriptor, or with a shared one"},
    {0x0E, "Invalid MATH command"},
    {0x0F, "Invalid SIGNATURE command"},
    {0x10, "Invalid sequence command: bad SEQ IN/OUT PTR, a sequence length fell below 0, or a malformed PDU"},
    {0x11, "Invalid skip type: must be 0xE or 0xF"},
    {0x12, "Shared descriptor header error"},
    {0x13, "Header error: length, parity, or another problem"},
    {0x14, "Burster in an illegal state"},
    {0x15, "Context register length: access past its end, or too long for SEQ LOAD/STORE with VLF"},
    {0x16, "DMA error"},
    {0x1A, "Job failed due to JR reset"},
    {0x1B, "Job failed due to fail mode"},
    {0x1C, "DECO watchdog timeout"},
    {0x1D, "Sharing: the key registers of the other DECO were locked"},
    {0x1E, "Sharing: the other DECO had an unmasked descriptor error"},
    {0x1F, "Sharing: LIODN mismatch between the two jobs"},
    {0x20, "DECO reset through DRR is complete"},
    {0x21, "Nonce of key encryption (CCM) exhausted"},
    {0x22, "Metadata longer than 511 bytes"},
    {0x23, "Error reading the input frame"},
    {0x24, "JDKEK, TDKEK or TDSK not loaded"},
    {0x80, "DNR (do not run)"},
    {0x81, "Undefined protocol"},
    {0x82, "Invalid setting in the PDB"},
    {0x83, "Anti-replay: late"},
    {0x84, "Anti-replay: replayed"},
    {0x85, "Sequence number overflow"},
    {0x86, "Signature invalid"},
    {0x87, "DSA sign: illegal test descriptor"},
    {0x88, "Protocol format: for RSA, the padding is not 00 02, at least 8 random bytes, 00"},
    {0x89, "Protocol size: for RSA, the data is too long for n"},
    {0xC1, "Blob: undefined mode"},
    {0xC2, "Blob: secure memory mode error"},
    {0xC4, "Blob: black key or input size error"},
    {0xC5, "Blob: invalid key destination"},
    {0xC8, "Blob: trusted or secure mode error"},
    {0xF0, "IPsec: TTL or hop limit reached 0"},
    {0xF1, "3GPP: HFN reached its threshold"},
};

constexpr CodeText kQiTexts[] = {
    {0x00, "No error"},
    {0x1F, "Job ended by a flush of its frame queue or ICID"},
    {0x20, "Format of the FD"},
    {0x21, "Command format of the FD"},
    {0x23, "Format of the frame list"},
    {0x25, "FD asks for CRJD that the flow context does not allow"},
    {0x30, "Maximum buffer size too small"},
    {0xC0, "Table buffer pool 0 depleted"},
    {0xC1, "Table buffer pool 1 depleted"},
    {0xC2, "Data buffer pool 0 depleted, no output frame"},
    {0xC3, "Data buffer pool 1 depleted, no output frame"},
    {0xC4, "Data buffer pool 0 depleted, partial output frame"},
    {0xC5, "Data buffer pool 1 depleted, partial output frame"},
    {0xD0, "Flow context: read error"},
    {0xD1, "Frame list: read error"},
    {0xD2, "Frame list: write error"},
    {0xE1, "ICID error with FLC[ICR] = 0"},
    {0xE2, "ICID error with FLC[ICR] = 1"},
    {0xE4, "ICID flush from an untrusted source"},
};

constexpr std::string_view kChaTexts[] = {"CCB",  "AES",  "DES",     "ARC4", "MDHA", "RNG",  "SNOW f8", "Kasumi f8/9",
                                          "PKHA", "CRCA", "SNOW f9", "ZUCE", "ZUCA", "CCHA", "PTHA"};
constexpr std::string_view kCcbTexts[] = {"No error",
                                          "Mode error",
                                          "Data size error",
                                          "Key size error",
                                          "PKHA A memory size error",
                                          "PKHA B memory size error",
                                          "Data arrived out of sequence",
                                          "PKHA divide by zero",
                                          "PKHA modulus even",
                                          "DES key parity error",
                                          "ICV check failed",
                                          "Hardware error",
                                          "Unsupported CCM AAD size",
                                          "Class 1 CHA is not reset",
                                          "Invalid CHA combination",
                                          "Invalid CHA selected"};
// RNG gives some of the numbers a meaning of its own; empty: the general one.
constexpr std::string_view kRngTexts[] = {"",
                                          "",
                                          "",
                                          "Instantiate",
                                          "Not instantiated",
                                          "Test instantiate",
                                          "Prediction resistance",
                                          "Prediction resistance and test request",
                                          "Uninstantiate",
                                          "Secure key generation",
                                          "",
                                          "Hardware error",
                                          "Continuous check"};

std::string code_text(std::span<const CodeText> table, uint8_t code) {
  const auto row = std::ranges::find(table, code, &CodeText::code);
  return row != table.end() ? std::string(row->text) : fmt::format("unidentified error value 0x{:02x}", code);
}

std::string place(JrStatus status) {
  return fmt::format("{} {}", status.jumped() ? "jump tgt desc idx" : "desc idx", status.index());
}

std::string ccb_text(JrStatus status) {
  const auto cha = static_cast<unsigned>(status.cha());
  const auto error = static_cast<unsigned>(status.ccb_error());
  std::string_view text = kCcbTexts[error];
  if (status.cha() == desc::ChaId::kRng && error < std::size(kRngTexts) && !kRngTexts[error].empty())
    text = kRngTexts[error];
  const std::string cha_text =
      cha < std::size(kChaTexts) ? std::string(kChaTexts[cha]) : fmt::format("unidentified cha_id value 0x{:02x}", cha);
  return fmt::format("CCB: {}: {}: {}", place(status), cha_text, text);
}

std::string text_by_source(JrStatus status) {
  switch (status.source()) {
    case StatusSource::kNone:
      return "No error";
    case StatusSource::kCcb:
      return ccb_text(status);
    case StatusSource::kJumpUser:
      return fmt::format("Jump: {}: user status 0x{:02x}", place(status), status.word & 0xFF);
    case StatusSource::kDeco:
      return fmt::format("DECO: {}: {}", place(status), code_text(kDecoTexts, static_cast<uint8_t>(status.word)));
    case StatusSource::kQi:
      return fmt::format("Queue Manager Interface: {}", code_text(kQiTexts, static_cast<uint8_t>(status.word)));
    case StatusSource::kJr:
      return fmt::format("Job Ring: error type 0x{:02x}", status.word & 0xFF);
    case StatusSource::kJumpCond:
      return fmt::format("Condition Code: {}: flags 0x{:02x}", place(status), status.word & 0xFF);
  }
  return fmt::format("unknown error source {}", status.word >> 28);
}

}  // namespace

std::string caam_status_text(uint32_t status) {
  return fmt::format("{:08x}: {}", status, text_by_source(JrStatus{status}));
}

int caam_jr_strstatus(const CtrlPriv& priv, uint32_t status) {
  if (JrStatus{status}.is_icv_failure()) return -EBADMSG;
  if (priv.options.log) priv.log(LogLevel::kError, caam_status_text(status));
  return -EINVAL;
}

}  // namespace caamlab::driver::caam
