# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# What a boot needs from Debian: host tools as packages, the stock arm64 kernel and a static busybox unpacked below
# $cache. Sourced by boot.sh. The kernel is the one that linux-image-arm64 depends on now. apt keeps its state for the
# foreign architecture below $cache too, so the host's own package lists do not change.

host_packages=(cpio device-tree-compiler gcc-aarch64-linux-gnu kmod libc6-dev-arm64-cross qemu-system-arm)

install_host_packages() {
  local package installed missing=() as_root=()
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${host_packages[@]}" 2>/dev/null || true)
  for package in "${host_packages[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  if ((EUID != 0)); then as_root=(sudo); fi
  echo "installing ${missing[*]}"
  {
    "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        install --no-install-recommends "${missing[@]}"
  } >"$cache/apt.log" 2>&1 || fail "apt-get could not install ${missing[*]}; see $cache/apt.log"
}

# apt_arm64 PROGRAM ARGUMENT...: apt-get or apt-cache for arm64, with state of its own.
apt_arm64() {
  local program=$1
  shift
  mkdir -p "$cache"/apt/{state/lists/partial,cache/archives/partial}
  "$program" -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User="$(id -un)" \
    -o Dir::State="$cache/apt/state" -o Dir::Cache="$cache/apt/cache" -o Dir::State::status=/dev/null "$@"
}

# Sets $kernel_version (6.1.0-57-arm64); $cache/root has its files and busybox.
fetch_kernel() {
  local image
  if [[ ! -e $cache/root/complete ]]; then
    echo "fetching Debian's arm64 kernel"
    mkdir -p "$cache/download" "$cache/root"
    apt_arm64 apt-get update >"$cache/apt.log" 2>&1 || fail "apt-get update for arm64 failed; see $cache/apt.log"
    image=$(apt_arm64 apt-cache depends --no-recommends --no-suggests linux-image-arm64 |
      sed -n 's/^ *Depends: *\(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1)
    [[ -n $image ]] || fail "linux-image-arm64 depends on no linux-image-VERSION: what does 'apt-cache depends' say?"
    (cd "$cache/download" && rm -f ./*.deb && apt_arm64 apt-get download "$image" busybox-static) >>"$cache/apt.log" 2>&1 ||
      fail "apt-get could not download $image and busybox-static; see $cache/apt.log"
    for package in "$cache"/download/*.deb; do dpkg-deb -x "$package" "$cache/root"; done
    kernel_version=$(basename "$cache"/root/boot/vmlinuz-*)
    depmod -b "$cache/root" "${kernel_version#vmlinuz-}"
    touch "$cache/root/complete"
  fi
  kernel_version=$(basename "$cache"/root/boot/vmlinuz-*)
  kernel_version=${kernel_version#vmlinuz-}
  [[ -d $cache/root/lib/modules/$kernel_version/kernel/drivers/crypto/caam ]] ||
    fail "kernel $kernel_version has no CAAM modules in $cache/root/lib/modules"
}
