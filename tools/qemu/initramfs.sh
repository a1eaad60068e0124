# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# The guest's root: busybox, the kernel's crypto modules, the CAAM driver, guest/init.sh and the AF_ALG program. Sourced
# by boot.sh.

module_folders=(kernel/crypto kernel/lib/crypto kernel/arch/arm64/crypto kernel/drivers/crypto/caam kernel/drivers/char/hw_random)

# make_initramfs OUT: for $kernel_version, from $cache/root.
make_initramfs() {
  local out=$1 folder
  local root=$work/initramfs from=$cache/root/lib/modules/$kernel_version to=lib/modules/$kernel_version
  mkdir -p "$root"/{bin,sbin,proc,sys,dev,tmp,"$to"}
  cp "$cache/root/bin/busybox" "$root/bin/"
  for folder in "${module_folders[@]}"; do
    [[ -d $from/$folder ]] || continue
    mkdir -p "$root/$to/$folder"
    cp -r "$from/$folder/." "$root/$to/$folder/"
  done
  cp "$from"/modules.{builtin,builtin.modinfo,order} "$root/$to/"
  depmod -b "$root" "$kernel_version" 2>/dev/null
  install -m 755 "$here/guest/init.sh" "$root/init"
  aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -o "$root/bin/afalg" "$here/guest/afalg.c" ||
    fail "guest/afalg.c does not compile"
  (cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$out"
}
