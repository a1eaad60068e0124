#!/bin/busybox sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# First process of the guest: loads the CAAM driver as Debian ships it, which makes the kernel run its self-tests, and
# prints what came of it between lines of ---. Kernel command line: afalg=N (random requests), reload=1.
/bin/busybox mkdir -p /bin /sbin
/bin/busybox --install -s
export PATH=/bin:/sbin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
modules=/lib/modules/$(uname -r)/kernel

option() { sed -n "s/.*\b$1=\([0-9a-z-]*\).*/\1/p" /proc/cmdline; }
section() { echo "--- $*"; }
insert() { insmod "$modules/$1.ko" 2>/tmp/error || echo "insmod $1: $(cat /tmp/error)"; }
# driver, self-test and reference count of every CAAM algorithm
list_drivers() { awk '/^driver/ {d = $3} /^selftest/ {print d, $3}' /proc/crypto | grep -- -caam | sort -u; }
# Registration waits for the tests; what is registered from other contexts is waited for here.
wait_for_tests() {
  local before now=-1
  while before=$now; now=$(grep -c -- -caam /proc/crypto); [ "$before" != "$now" ]; do sleep 0.3; done
}

# Shows where the processes wait if they are not done in time.
run_afalg() {
  local seconds=0 process
  afalg "$1" &
  while sleep 1 && kill -0 $! 2>/dev/null; do
    seconds=$((seconds + 1))
    [ $seconds -lt 150 ] && continue
    for process in $(pidof afalg); do
      echo "waits: $process"
      cat /proc/$process/stack
    done
    kill $(pidof afalg)
    return
  done
}

# Templates and fallbacks that the tests and the driver want are loaded before it.
for module in ctr ecb cbc xts cts gcm ccm cmac seqiv echainiv md5 des_generic sha512_generic ghash-generic \
  crypto_user chacha_generic chacha20poly1305 poly1305_generic libdes authenc crypto_engine; do
  modprobe -q $module
done
for module in error caamalg_desc caamhash_desc caam caam_jr; do insert drivers/crypto/caam/$module; done
wait_for_tests
section drivers
list_drivers
section hwrng
cat /sys/class/misc/hw_random/rng_current
dd if=/dev/hwrng bs=64 count=16 2>/dev/null | od -A n -t x1 -v | sort | uniq -d | wc -l

count=$(option afalg)
if [ -n "$count" ] && [ "$count" != 0 ]; then
  for module in aes_generic sha1_generic sha256_generic hmac af_alg algif_hash algif_skcipher algif_aead; do modprobe -q $module; done
  section afalg
  run_afalg "$count"
fi
if [ "$(option reload)" = 1 ]; then
  section unload
  rmmod caam_jr && rmmod caam && echo "unloaded, $(grep -c -- -caam /proc/crypto) drivers left"
  insert drivers/crypto/caam/caam
  insert drivers/crypto/caam/caam_jr
  wait_for_tests
  section reloaded
  list_drivers
fi
section interrupts
grep '\.jr$' /proc/interrupts
section messages
dmesg | grep -iE 'caam|alg: |self-test|BUG|Oops|Call trace'
section end
poweroff -f
