// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See codes.h.
#include "desc/status/codes.h"

#include <algorithm>

namespace caamlab::desc {
namespace {

constexpr StatusCode kDeco[] = {
    {0x00, "No error", ""},
    {0x01, "S/G table too short for the data asked for",
     "The lengths in the table add up to less than the command or sequence wants, or FINAL is set too early."},
    {0x02, "S/G table with a null entry",
     "An entry with address 0 was reached: the table is shorter than its data, or not yet visible to the SEC."},
    {0x03, "Bad value in the job queue control register", "Software wrote the register of a DECO directly."},
    {0x04, "Invalid command code",
     "The word is no command: a jump or a wrong operand size led into data, the pointer size (MCFGR[PS]) is not the "
     "one the descriptor was built for, the bytes are swapped, or the memory was not flushed."},
    {0x06, "Invalid KEY command",
     "The key is longer than its register, goes to no class or to both, is a black key whose padded length is not "
     "given, or its class is still at work. Often the descriptor in memory is not the one that was printed."},
    {0x07, "Invalid LOAD command",
     "No such register in this class, a length or offset it does not take, a pointer where it takes immediate data "
     "only, or a register that must be cleared before."},
    {0x08, "Invalid STORE command", "No such register in this class, or a length or offset it does not have."},
    {0x09, "Invalid OPERATION command",
     "Unknown TYPE, or a class whose previous OPERATION was not cleared (CLRW), or one that needs a mode that is not "
     "set."},
    {0x0A, "Invalid FIFO LOAD command",
     "Unknown data type, class 0 outside a sequence, PKHA data where another CHA is selected, or a length of 0 or too "
     "long for the PKHA register."},
    {0x0B, "Invalid FIFO STORE command",
     "Unknown data type, a key stored in the clear or with NWB set, or the class of the data is missing."},
    {0x0C, "Invalid MOVE command",
     "Source and destination are not allowed together, or offset and length go past the end of a register."},
    {0x0D, "Invalid JUMP command: non-local target not a job header, in a trusted descriptor, or with a shared one",
     "A local jump left the descriptor, or the target of a non-local jump is no plain job descriptor."},
    {0x0E, "Invalid MATH command",
     "A function, source or destination that does not exist, or a length other than 1, 2, 4 and 8."},
    {0x0F, "Invalid SIGNATURE command", "SIGNATURE outside a trusted descriptor, or of an unknown type."},
    {0x10, "Invalid sequence command: bad SEQ IN/OUT PTR, a sequence length fell below 0, or a malformed PDU",
     "Commands read more than SEQ IN PTR gave or wrote more than SEQ OUT PTR allowed: compare the lengths of the job "
     "descriptor with what the shared one needs (AAD, IV, ICV, padding). With a built-in protocol: the packet is "
     "shorter than its headers say."},
    {0x11, "Invalid skip type: must be 0xE or 0xF", "An NFIFO entry to the DECO has another data type."},
    {0x12, "Shared descriptor header error",
     "The pointer in the job descriptor leads to something else, its length there (start index) is wrong, or the "
     "shared descriptor was changed or freed while in use."},
    {0x13, "Header error: length, parity, or another problem",
     "The word at this index is no header or its length is 0: stale memory (missing DMA sync or cache flush, a bounce "
     "buffer copied to the wrong offset), swapped bytes, or a descriptor overwritten while in use."},
    {0x14, "Burster in an illegal state", "A fault inside the DECO; often follows an earlier error."},
    {0x15, "Context register length: access past its end, or too long for SEQ LOAD/STORE with VLF",
     "Offset and length go past the register; with VLF the variable length is not what was meant."},
    {0x16, "DMA error",
     "The SEC could not read or write the memory: an address that is not mapped (IOMMU, LIODN), was freed, lies "
     "beyond the address width, or has its words in the wrong order."},
    {0x1A, "Job failed due to JR reset", "The ring was flushed or reset with jobs in it, as when a driver unloads."},
    {0x1B, "Job failed due to fail mode", "The security monitor is in fail state."},
    {0x1C, "DECO watchdog timeout",
     "The descriptor waits for something that never comes: data announced and not supplied, a wait for a CHA without "
     "LAST, or an endless loop. Rarely a CHA that is slow or without clock."},
    {0x1D, "Sharing: the key registers of the other DECO were locked", "The job before holds keys that must not move."},
    {0x1E, "Sharing: the other DECO had an unmasked descriptor error",
     "The job this one shared with failed; look at the status of that one."},
    {0x1F, "Sharing: LIODN mismatch between the two jobs", "Two jobs of one shared descriptor come from two owners."},
    {0x20, "DECO reset through DRR is complete", "Software reset the DECO."},
    {0x21, "Nonce of key encryption (CCM) exhausted", "Too many black keys were made since reset."},
    {0x22, "Metadata longer than 511 bytes", "TLS decapsulation, IPsec next-header update or DCRC with long headers."},
    {0x23, "Error reading the input frame", "RIF is set in the shared header and the frame cannot be read."},
    {0x24, "JDKEK, TDKEK or TDSK not loaded",
     "Black keys were used before the RNG made the key-encryption keys (RNG instantiated without secure keys)."},
    {0x80, "DNR (do not run)", "An earlier job of the flow failed, or DNR is set in a header."},
    {0x81, "Undefined protocol", "This part has no such protocol, or PROTID and TYPE do not go together."},
    {0x82, "Invalid setting in the PDB", "An option or a length of the PDB is not possible with this protocol."},
    {0x83, "Anti-replay: late", "The packet is older than the window."},
    {0x84, "Anti-replay: replayed", "The packet was seen before."},
    {0x85, "Sequence number overflow", "The sequence number of the association is used up; make a new one."},
    {0x86, "Signature invalid", "The signature does not verify: another key, another message, or a wrong curve."},
    {0x87, "DSA sign: illegal test descriptor", "The test form of DSA sign is for trusted descriptors."},
    {0x88, "Protocol format: for RSA, the padding is not 00 02, at least 8 random bytes, 00",
     "Decrypted with another key than it was encrypted with, or the data is not PKCS #1 v1.5."},
    {0x89, "Protocol size: for RSA, the data is too long for n",
     "The input is longer than the modulus (with PKCS #1: than the modulus less 11), often because of a leading zero "
     "byte, or a length in the PDB is wrong."},
    {0xC1, "Blob: undefined mode", "The format bits of the blob protocol have no meaning together."},
    {0xC2, "Blob: secure memory mode error", "The blob is for secure memory, the command is not, or the reverse."},
    {0xC4, "Blob: black key or input size error",
     "The length does not fit the kind of key, or is too short for a blob."},
    {0xC5, "Blob: invalid key destination", "The key register named in PROTINFO does not take such a key."},
    {0xC8, "Blob: trusted or secure mode error", "The blob was made in another security state."},
    {0xF0, "IPsec: TTL or hop limit reached 0", "The packet is to be dropped."},
    {0xF1, "3GPP: HFN reached its threshold", "New keys are due."},
};

constexpr StatusCode kCcb[] = {
    {0x0, "No error", ""},
    {0x1, "Mode error",
     "The CHA has no such mode (AAI), or not with this AS: a mode this version lacks, or FINAL without INIT."},
    {0x2, "Data size error",
     "The amount of data is not what the mode takes: no multiple of the block, or more or less than announced (LAST "
     "missing, a size register loaded twice). PKHA: size of N."},
    {0x3, "Key size error",
     "The key is missing or has a length the algorithm does not take; after sharing, perhaps it was not kept. PKHA: "
     "size of E."},
    {0x4, "PKHA A memory size error", "A is longer than N, or was not loaded."},
    {0x5, "PKHA B memory size error", "B is longer than N, or was not loaded."},
    {0x6, "Data arrived out of sequence",
     "AAD after the message, IV after data, or a type the mode does not take; or data for a CHA that had its LAST."},
    {0x7, "PKHA divide by zero", "The modulus is 0 or was not loaded."},
    {0x8, "PKHA modulus even", "Montgomery arithmetic wants an odd modulus: often bytes in the wrong order."},
    {0x9, "DES key parity error", "The key has wrong parity and the mode asks for the check."},
    {0xA, "ICV check failed",
     "The tag does not match: tampered data, another key, IV or AAD, a wrong tag length, or (blobs) a key modifier or "
     "owner that differs from the one that made the blob. No fault of the hardware."},
    {0xB, "Hardware error", "The CHA reports a fault of its own."},
    {0xC, "Unsupported CCM AAD size", "The AAD is too long for this CHA."},
    {0xD, "Class 1 CHA is not reset",
     "A second OPERATION of class 1 without clearing mode and done before (CLRW), or a shared CHA left in use."},
    {0xE, "Invalid CHA combination", "The two classes do not work together on this part."},
    {0xF, "Invalid CHA selected",
     "This part lacks the unit, or it is fused off: a driver that registers an algorithm without looking at the "
     "version registers. Unit 0 means none was found for ALG."},
};

// RNG gives some of the numbers a meaning of its own.
constexpr StatusCode kRng[] = {
    {0x3, "Instantiate", "The state handle is instantiated already, or instantiating it failed."},
    {0x4, "Not instantiated",
     "Nobody instantiated this state handle: the driver does not own the RNG (boot firmware does, or failed to), or a "
     "reset followed."},
    {0x5, "Test instantiate", "Test and deterministic mode do not go together with this state."},
    {0x6, "Prediction resistance", "Prediction resistance was asked of a handle instantiated without."},
    {0x7, "Prediction resistance and test request", "The two exclude each other."},
    {0x8, "Uninstantiate", "The state handle is not instantiated."},
    {0x9, "Secure key generation", "Secure keys are generated once, and only by state handle 0."},
    {0xB, "Hardware error",
     "The entropy source failed its self-test: entropy delay (RTSDCTL) too short for this part, voltage or "
     "temperature. Reseed with a longer delay; what was read is not random."},
    {0xC, "Continuous check", "Two equal outputs in a row: uninstantiate and start again."},
};

constexpr StatusCode kQi[] = {
    {0x00, "No error", ""},
    {0x1F, "Job ended by a flush of its frame queue or ICID", ""},
    {0x20, "Format of the FD", ""},
    {0x21, "Command format of the FD", ""},
    {0x23, "Format of the frame list", "Not two entries, output first, or the last one is not marked final."},
    {0x25, "FD asks for CRJD that the flow context does not allow", ""},
    {0x30, "Maximum buffer size too small", ""},
    {0x31, "DHR larger than the buffer", ""},
    {0x32, "S/G table larger than its buffer", ""},
    {0x33, "Size overflow or underflow in allocate mode", ""},
    {0x34, "Size overflow or underflow in reuse mode", "The output buffer is shorter than the result."},
    {0x35, "Length above what a short length holds", ""},
    {0x36, "Memory footprint exceeded", ""},
    {0x41, "Frame format not supported", ""},
    {0x42, "Order of the buffer pools", ""},
    {0x43, "Annotation without ASAR", ""},
    {0x44, "Frame format in reuse mode", ""},
    {0x45, "DHR underflow", ""},
    {0x46, "Annotation above the data offset", ""},
    {0x48, "ASA limited", ""},
    {0x49, "Data offset correction too large", ""},
    {0x4B, "ASA cannot grow", ""},
    {0x51, "Unsupported: input frame reuse", ""},
    {0x52, "Unsupported: frame list", ""},
    {0x53, "Unsupported: replacement job descriptor", ""},
    {0x54, "Unsupported: inline mode", ""},
    {0xC0, "Table buffer pool 0 depleted", "Give the pool more buffers."},
    {0xC1, "Table buffer pool 1 depleted", "Give the pool more buffers."},
    {0xC2, "Data buffer pool 0 depleted, no output frame", "Give the pool more buffers."},
    {0xC3, "Data buffer pool 1 depleted, no output frame", "Give the pool more buffers."},
    {0xC4, "Data buffer pool 0 depleted, partial output frame", "Give the pool more buffers."},
    {0xC5, "Data buffer pool 1 depleted, partial output frame", "Give the pool more buffers."},
    {0xD0, "Flow context: read error", "The address in FLC is not mapped for the SEC."},
    {0xD1, "Frame list: read error", "The address in the FD is not mapped for the SEC."},
    {0xD2, "Frame list: write error", ""},
    {0xD3, "Output S/G table: write error", ""},
    {0xD4, "Pass-through annotation: read error", ""},
    {0xD5, "Pass-through annotation: write error", ""},
    {0xD6, "Final bit: write error", ""},
    {0xD7, "Accelerator annotation: write error", ""},
    {0xE1, "ICID error with FLC[ICR] = 0", ""},
    {0xE2, "ICID error with FLC[ICR] = 1", ""},
    {0xE4, "ICID flush from an untrusted source", ""},
};

constexpr StatusCode kRing[] = {
    {0x00, "no error type", ""},
    {0x01, "error writing an output ring entry", "The output ring's address is not mapped for the SEC."},
    {0x03, "bad input ring base address", "Not aligned to 4 bytes, or not readable."},
    {0x04, "bad output ring base address", "Not aligned to 4 bytes."},
    {0x05, "illegal write to input ring base or size", "Jobs were in the ring and it was not halted."},
    {0x06, "illegal write to output ring base or size", "Results were in the ring and it was not halted."},
    {0x07, "reset released before the ring was halted", ""},
    {0x08, "more jobs removed than there were results", "Two contexts handle one ring, or a count was written twice."},
    {0x09, "more jobs added than there were free slots", "Two contexts submit to one ring without a lock."},
    {0x0A, "output ring holds more than its size", ""},
    {0x0B, "more free input slots than the ring's size", ""},
    {0x0C, "output ring index past the ring", ""},
    {0x0D, "input ring index past the ring", ""},
    {0x0E, "input slots available written while active", ""},
    {0x0F, "input ring index written while active", ""},
    {0x10, "output slots full written while active", ""},
    {0x11, "output ring index written while active", ""},
};

constexpr std::string_view kCha[] = {"CCB",  "AES",  "DES",     "ARC4", "MDHA", "RNG",  "SNOW f8", "Kasumi f8/9",
                                     "PKHA", "CRCA", "SNOW f9", "ZUCE", "ZUCA", "CCHA", "PTHA"};

}  // namespace

std::span<const StatusCode> deco_codes() { return kDeco; }
std::span<const StatusCode> ccb_codes() { return kCcb; }
std::span<const StatusCode> rng_codes() { return kRng; }
std::span<const StatusCode> qi_codes() { return kQi; }
std::span<const StatusCode> ring_codes() { return kRing; }
std::span<const std::string_view> cha_texts() { return kCha; }

const StatusCode* find_code(std::span<const StatusCode> table, uint32_t code) {
  const auto row = std::ranges::find(table, code, &StatusCode::code);
  return row == table.end() ? nullptr : &*row;
}

}  // namespace caamlab::desc
