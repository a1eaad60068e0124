// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Random requests from user space: each goes to a CAAM driver and to a software driver over AF_ALG (both asked for by
// driver name), and the answers are compared, errors included. Several processes at once, so that every job ring has
// work. Usage: afalg COMPARISONS. Prints a line for each driver, the first differences, and a closing line.
#include <errno.h>
#include <linux/if_alg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kWorkers = 6, kMaxData = 6000, kMaxAad = 64, kMaxTag = 64, kPerKey = 8 };

struct Pair {
  const char *type, *caam, *software;
  int key_step, key_min, key_max;  // key bytes; all 0: no key
  int iv, block;                   // bytes
  int tag;                         // of an aead, the largest
  int aad_min;                     // rfc4106: 16 or 20
  int chained;                     // a second part goes on with the IV that the first wrote back
  int auth_key;                    // authenc: bytes before the cipher key
};

static const struct Pair kPairs[] = {
    {.type = "skcipher", .caam = "cbc-aes-caam", .software = "cbc(aes-generic)", .key_step = 8, .key_min = 16,
     .key_max = 32, .iv = 16, .block = 16, .chained = 1},
    {.type = "skcipher", .caam = "ctr-aes-caam", .software = "ctr(aes-generic)", .key_step = 8, .key_min = 16,
     .key_max = 32, .iv = 16, .block = 1},
    {.type = "skcipher", .caam = "ecb-aes-caam", .software = "ecb(aes-generic)", .key_step = 8, .key_min = 16,
     .key_max = 32, .block = 16},
    {.type = "skcipher", .caam = "xts-aes-caam", .software = "xts(ecb(aes-generic))", .key_step = 32, .key_min = 32,
     .key_max = 64, .iv = 16, .block = 16},
    {.type = "skcipher", .caam = "rfc3686-ctr-aes-caam", .software = "rfc3686(ctr(aes-generic))", .key_step = 8,
     .key_min = 20, .key_max = 36, .iv = 8, .block = 1},
    {.type = "skcipher", .caam = "cbc-3des-caam", .software = "cbc(des3_ede-generic)", .key_step = 24, .key_min = 24,
     .key_max = 24, .iv = 8, .block = 8, .chained = 1},
    {.type = "hash", .caam = "md5-caam", .software = "md5-generic"},
    {.type = "hash", .caam = "sha1-caam", .software = "sha1-generic"},
    {.type = "hash", .caam = "sha256-caam", .software = "sha256-generic"},
    {.type = "hash", .caam = "sha512-caam", .software = "sha512-generic"},
    {.type = "hash", .caam = "hmac-sha1-caam", .software = "hmac(sha1-generic)", .key_step = 1, .key_min = 1,
     .key_max = 150},
    {.type = "hash", .caam = "hmac-sha256-caam", .software = "hmac(sha256-generic)", .key_step = 1, .key_min = 1,
     .key_max = 150},
    {.type = "hash", .caam = "hmac-sha512-caam", .software = "hmac(sha512-generic)", .key_step = 1, .key_min = 1,
     .key_max = 150},
    {.type = "hash", .caam = "cmac-aes-caam", .software = "cmac(aes-generic)", .key_step = 8, .key_min = 16,
     .key_max = 32},
    {.type = "hash", .caam = "xcbc-aes-caam", .software = "xcbc(aes-generic)", .key_step = 16, .key_min = 16,
     .key_max = 16},
    {.type = "aead", .caam = "gcm-aes-caam", .software = "gcm_base(ctr(aes-generic),ghash-generic)", .key_step = 8,
     .key_min = 16, .key_max = 32, .iv = 12, .block = 1, .tag = 16},
    {.type = "aead", .caam = "rfc4106-gcm-aes-caam",
     .software = "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))", .key_step = 8, .key_min = 20, .key_max = 36,
     .iv = 8, .block = 1, .tag = 16, .aad_min = 16},
    {.type = "aead", .caam = "authenc-hmac-sha256-cbc-aes-caam",
     .software = "authenc(hmac(sha256-generic),cbc(aes-generic))", .key_step = 8, .key_min = 16, .key_max = 32,
     .iv = 16, .block = 16, .tag = 32, .auth_key = 32},
};
enum { kPairCount = sizeof kPairs / sizeof kPairs[0] };

struct Totals {
  long compared[kPairCount], different[kPairCount];
  int missing[kPairCount];  // errno of the bind that failed, negative for the software driver
};

// One request, and what came of it.
struct Request {
  int decrypt, first_part, aad_len, len, tag;
  uint8_t iv[16], in[kMaxAad + kMaxData + kMaxTag];
  int in_len;
};
struct Answer {
  int len, err;
  uint8_t out[kMaxAad + kMaxData + kMaxTag];
};

static uint64_t random_state;
static uint32_t random_below(uint32_t n) {  // splitmix64
  uint64_t z = random_state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ z >> 31) >> 16) % n;
}
static void random_bytes(uint8_t *out, int n) {
  for (int i = 0; i < n; ++i) out[i] = (uint8_t)random_below(256);
}

// The transform's socket, or -errno.
static int open_transform(const char *type, const char *driver) {
  struct sockaddr_alg address = {.salg_family = AF_ALG};
  strncpy((char *)address.salg_type, type, sizeof address.salg_type - 1);
  strncpy((char *)address.salg_name, driver, sizeof address.salg_name - 1);
  const int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);
  if (fd < 0) return -errno;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  const int err = errno;
  close(fd);
  return -err;
}

// Data in pieces of random size, so that the kernel makes scatterlists of them.
static int send_pieces(int fd, struct msghdr *message, uint8_t *data, int len, int flags) {
  struct iovec pieces[4];
  int count = 0, at = 0;
  while (at < len && count < 3) {
    const int n = 1 + (int)random_below((uint32_t)(len - at));
    pieces[count++] = (struct iovec){data + at, (size_t)n};
    at += n;
  }
  if (at < len) pieces[count++] = (struct iovec){data + at, (size_t)(len - at)};
  message->msg_iov = pieces;
  message->msg_iovlen = (size_t)count;
  return sendmsg(fd, message, flags) < 0 ? errno : 0;
}

static void add_control(struct msghdr *message, struct cmsghdr **at, int type, const void *data, size_t len) {
  *at = *at == NULL ? CMSG_FIRSTHDR(message) : CMSG_NXTHDR(message, *at);
  (*at)->cmsg_level = SOL_ALG;
  (*at)->cmsg_type = type;
  (*at)->cmsg_len = CMSG_LEN(len);
  memcpy(CMSG_DATA(*at), data, len);
}

// Cipher and aead: operation, IV and length of associated data go before the data.
static int send_first(int fd, const struct Pair *pair, struct Request *r, int len, int flags) {
  char control[256] = {0};
  struct msghdr message = {.msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *at = NULL;
  const uint32_t op = r->decrypt ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
  add_control(&message, &at, ALG_SET_OP, &op, sizeof op);
  size_t used = CMSG_SPACE(sizeof op);
  if (pair->iv != 0) {
    struct {
      uint32_t len;
      uint8_t iv[16];
    } iv = {.len = (uint32_t)pair->iv};
    memcpy(iv.iv, r->iv, (size_t)pair->iv);
    add_control(&message, &at, ALG_SET_IV, &iv, sizeof iv.len + (size_t)pair->iv);
    used += CMSG_SPACE(sizeof iv.len + (size_t)pair->iv);
  }
  if (pair->tag != 0) {
    const uint32_t aad = (uint32_t)r->aad_len;
    add_control(&message, &at, ALG_SET_AEAD_ASSOCLEN, &aad, sizeof aad);
    used += CMSG_SPACE(sizeof aad);
  }
  message.msg_controllen = used;
  return send_pieces(fd, &message, r->in, len, flags);
}

static void receive(int fd, struct Answer *a, int len) {
  const ssize_t n = read(fd, a->out + a->len, (size_t)len);
  if (n < 0)
    a->err = errno;
  else
    a->len += (int)n;
}

static void run_cipher(int fd, const struct Pair *pair, struct Request *r, struct Answer *a) {
  const int first = r->first_part != 0 ? r->first_part : r->in_len;
  if ((a->err = send_first(fd, pair, r, first, first < r->in_len ? MSG_MORE : 0)) != 0) return;
  // An aead's answer has to be asked for to the byte: a longer read waits for another request.
  receive(fd, a, first + (pair->tag == 0 ? 0 : r->decrypt ? -r->tag : r->tag));
  if (a->err != 0 || first == r->in_len) return;
  struct msghdr message = {0};
  if ((a->err = send_pieces(fd, &message, r->in + first, r->in_len - first, 0)) != 0) return;
  receive(fd, a, r->in_len - first);
}

// A hash takes its data in two calls as well: update, then final.
static void run_hash(int fd, struct Request *r, struct Answer *a) {
  struct msghdr message = {0};
  if (r->first_part != 0 && (a->err = send_pieces(fd, &message, r->in, r->first_part, MSG_MORE)) != 0) return;
  if ((a->err = send_pieces(fd, &message, r->in + r->first_part, r->in_len - r->first_part, 0)) != 0) return;
  receive(fd, a, 64);
}

static void run_request(int transform, const struct Pair *pair, struct Request *r, struct Answer *a) {
  memset(a, 0, sizeof *a);
  const int fd = accept(transform, NULL, 0);
  if (fd < 0) {
    a->err = errno;
    return;
  }
  const uint64_t pieces = random_state;  // the same pieces for both drivers
  if (strcmp(pair->type, "hash") == 0)
    run_hash(fd, r, a);
  else
    run_cipher(fd, pair, r, a);
  random_state = pieces;
  close(fd);
}

static void make_request(const struct Pair *pair, struct Request *r, int tag) {
  memset(r, 0, sizeof *r);
  const int block = pair->block != 0 ? pair->block : 1;
  const int largest = random_below(4) == 0 ? kMaxData : 300;
  r->len = (int)random_below((uint32_t)largest) / block * block;
  if (pair->block != 0 && r->len == 0) r->len = block;
  r->tag = tag;
  if (pair->tag != 0) r->aad_len = pair->aad_min != 0 ? 16 + 4 * (int)random_below(2) : (int)random_below(kMaxAad);
  random_bytes(r->iv, sizeof r->iv);
  r->in_len = r->aad_len + r->len;
  random_bytes(r->in, r->in_len);
  r->decrypt = pair->tag == 0 && pair->block != 0 && (int)random_below(2);
  if (pair->block == 0 || pair->chained)
    r->first_part = random_below(3) == 0 ? (int)random_below((uint32_t)r->in_len + 1) / block * block : 0;
  if (r->first_part >= r->in_len) r->first_part = 0;
}

static int same(const struct Answer *a, const struct Answer *b) {
  return a->err == b->err && a->len == b->len && memcmp(a->out, b->out, (size_t)a->len) == 0;
}

static void compare(int index, struct Request *r, int caam, int software, struct Totals *totals) {
  static struct Answer a, b;
  const struct Pair *pair = &kPairs[index];
  run_request(caam, pair, r, &a);
  run_request(software, pair, r, &b);
  ++totals->compared[index];
  // The same error from both would compare nothing.
  if (same(&a, &b) && b.err == 0) return;
  if (++totals->different[index] > 3) return;
  int at = 0;
  while (at < a.len && at < b.len && a.out[at] == b.out[at]) ++at;
  printf("DIFFERENT %s: %s %d bytes (aad %d, first part %d): %d bytes errno %d, software %d bytes errno %d, from byte %d\n",
         pair->caam, r->decrypt ? "decrypt" : "encrypt", r->len, r->aad_len, r->first_part, a.len, a.err, b.len, b.err,
         at);
}

// What the software driver encrypted is decrypted by both; one in four times with a bit of the tag wrong.
static void decrypt_back(int index, struct Request *r, int caam, int software, struct Totals *totals) {
  static struct Answer sealed;
  run_request(software, &kPairs[index], r, &sealed);
  if (sealed.err != 0) return;
  memcpy(r->in, sealed.out, (size_t)sealed.len);
  r->in_len = sealed.len;
  r->decrypt = 1;
  r->first_part = 0;
  const int spoiled = random_below(4) == 0;
  if (spoiled) r->in[r->in_len - 1] ^= 1;
  static struct Answer a, b;
  run_request(caam, &kPairs[index], r, &a);
  run_request(software, &kPairs[index], r, &b);
  ++totals->compared[index];
  if (same(&a, &b) && b.err == (spoiled ? EBADMSG : 0)) return;
  if (++totals->different[index] <= 3)
    printf("DIFFERENT %s: decrypt %d bytes, tag %s: %d bytes errno %d, software %d bytes errno %d\n", kPairs[index].caam,
           r->len, spoiled ? "spoiled" : "right", a.len, a.err, b.len, b.err);
}

// authenc keys begin with an attribute that says how long the cipher key is (include/crypto/authenc.h).
static int make_key(const struct Pair *pair, uint8_t *key) {
  const int steps = (pair->key_max - pair->key_min) / pair->key_step + 1;
  const int len = pair->key_min + pair->key_step * (int)random_below((uint32_t)steps);
  if (pair->auth_key == 0) {
    random_bytes(key, len);
    return len;
  }
  const uint16_t head[2] = {8, 1};
  memcpy(key, head, sizeof head);
  const uint8_t cipher_len[4] = {0, 0, 0, (uint8_t)len};
  memcpy(key + 4, cipher_len, sizeof cipher_len);
  random_bytes(key + 8, pair->auth_key + len);
  return 8 + pair->auth_key + len;
}

static int set_up(const struct Pair *pair, int fd, const uint8_t *key, int key_len, int tag) {
  if (key_len != 0 && setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, (socklen_t)key_len) != 0) return errno;
  if (pair->tag != 0 && setsockopt(fd, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, (socklen_t)tag) != 0) return errno;
  return 0;
}

static void work(int index, struct Totals *totals) {
  const struct Pair *pair = &kPairs[index];
  const int caam = open_transform(pair->type, pair->caam);
  const int software = open_transform(pair->type, pair->software);
  if (caam < 0 || software < 0) {
    totals->missing[index] = caam < 0 ? -caam : software;
    if (caam >= 0) close(caam);
    if (software >= 0) close(software);
    return;
  }
  uint8_t key[256];
  const int key_len = pair->key_max != 0 ? make_key(pair, key) : 0;
  const int a = set_up(pair, caam, key, key_len, pair->tag), b = set_up(pair, software, key, key_len, pair->tag);
  if (a != b) {
    ++totals->compared[index];
    if (++totals->different[index] <= 3)
      printf("DIFFERENT %s: setkey of %d bytes: errno %d, software %d\n", pair->caam, key_len, a, b);
  }
  for (int i = 0; a == 0 && b == 0 && i < kPerKey; ++i) {
    static struct Request r;
    make_request(pair, &r, pair->tag);
    if (pair->tag != 0 && random_below(2))
      decrypt_back(index, &r, caam, software, totals);
    else
      compare(index, &r, caam, software, totals);
  }
  close(caam);
  close(software);
}

static void worker(int number, long count, struct Totals *all) {
  static struct Totals mine;
  random_state = 0x5eed + (uint64_t)number;
  long done = 0;
  for (int index = number * kPairCount / kWorkers; done < count; index = (index + 1) % kPairCount) {
    if (mine.missing[index] == 0) work(index, &mine);
    done = 0;
    int usable = 0;
    for (int i = 0; i < kPairCount; ++i) {
      done += mine.compared[i];
      usable += mine.missing[i] == 0;
    }
    if (usable == 0) break;
  }
  for (int i = 0; i < kPairCount; ++i) {
    __atomic_fetch_add(&all->compared[i], mine.compared[i], __ATOMIC_RELAXED);
    __atomic_fetch_add(&all->different[i], mine.different[i], __ATOMIC_RELAXED);
    if (mine.missing[i] != 0) all->missing[i] = mine.missing[i];
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  const long count = argc == 2 ? atol(argv[1]) : 0;
  if (count <= 0) {
    fprintf(stderr, "usage: afalg COMPARISONS\n");
    return 2;
  }
  struct Totals *all =
      mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 2;
  int lost = 0, status;
  for (int n = 0; n < kWorkers; ++n) {
    const pid_t child = fork();
    if (child == 0) {
      worker(n, (count + kWorkers - 1) / kWorkers, all);
      _exit(0);
    }
    lost += child < 0;
  }
  while (wait(&status) > 0) lost += status != 0;
  long compared = 0, different = lost;
  for (int i = 0; i < kPairCount; ++i) {
    compared += all->compared[i];
    different += all->different[i];
    if (all->missing[i] < 0)
      ++different, printf("software driver %s: errno %d\n", kPairs[i].software, -all->missing[i]);
    else if (all->missing[i] == 0)
      printf("%s %ld %ld\n", kPairs[i].caam, all->compared[i], all->different[i]);
  }
  printf("compared %ld different %ld\n", compared, different);
  return different != 0;
}
