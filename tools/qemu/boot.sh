#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# Boots Debian's own arm64 kernel, in Debian's own QEMU, with the device model attached, lets the kernel's CAAM driver
# run its self-tests on it, and reports. Exit code 0: everything was as it has to be.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_root=$(cd "$here/../.." && pwd)
source "$here/packages.sh"
source "$here/tree.sh"
source "$here/initramfs.sh"
source "$here/check.sh"

usage() {
  cat <<'TEXT'
tools/qemu/boot.sh [OPTION]... [VARIANT]...
  VARIANT       one of tools/qemu/variants.txt (default: be64)
  --all         all variants, and the controls that have to fail
  --afalg N     N random requests from user space, compared with software drivers (default: none)
  --reload      unload the driver and load it again
  --fault F     a deliberate fault: nothing, gcm-tag, cbc-iv, dma:JOB; the report says what the guest noticed
  --trace FILE  the jobs of the guest, for `caam replay`
  --library F   libcaam_qemu.so, if it is not to be built here
  --keep DIR    keep console, device tree and counts there
TEXT
}

fail() {
  echo "tools/qemu/boot.sh: $*" >&2
  exit 2
}

# The value of a number or string in a platform file.
platform_value() { sed -n "s/^ *\"$2\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},*$/\1/p" "$1"; }

# run_guest VARIANT FAULT AFALG RELOAD: boots; console, report and seconds are left in $run.
run_guest() {
  local variant=$1 fault=$2 afalg=$3 reload=$4 line platform file start machine
  line=$(grep "^$variant " "$here/variants.txt") || fail "no variant \"$variant\"; see tools/qemu/variants.txt"
  read -r _ platform features title <<<"$line"
  if [[ $platform == */* ]]; then platform=$here/$platform file=$platform; else file=$source_root/hw_model/platforms/$platform.json; fi
  run=$work/$variant-${fault%%:*}
  mkdir -p "$run"
  machine=(-cpu cortex-a72 -smp 1 -m 512 -nic none)
  make_tree "$run/caam.dtb" "$(platform_value "$file" page_bytes)" "$(platform_value "$file" job_rings)" \
    "$(platform_value "$file" era)" "$(platform_value "$file" imx_pointer_order)" "${machine[@]}"
  start=$(date +%s%N)
  CAAM_QEMU_PLATFORM=$platform CAAM_QEMU_FAULT=$fault CAAM_QEMU_TRACE=${trace:+$run/trace} CAAM_QEMU_REPORT=$run/report \
    LD_PRELOAD=$library timeout --foreground 240 qemu-system-aarch64 -machine virt "${machine[@]}" -nodefaults \
    -display none -serial stdio -no-reboot -kernel "$cache/root/boot/vmlinuz-$kernel_version" \
    -initrd "$work/initramfs.gz" -dtb "$run/caam.dtb" \
    -append "console=ttyAMA0 panic=-1 loglevel=4 afalg=$afalg reload=$reload" </dev/null >"$run/console.raw" 2>&1 ||
    echo "QEMU ended with status $?" >>"$run/console.raw"
  tr -d '\r' <"$run/console.raw" >"$run/console"
  seconds=$(($(date +%s%N) - start))
  seconds=$((seconds / 1000000000)).$((seconds / 100000000 % 10))
}

variants=() all=false afalg=0 reload=0 fault=none trace='' library='' keep=''
while (($#)); do
  case $1 in
    --all) all=true ;;
    --reload) reload=1 ;;
    --afalg | --fault | --trace | --library | --keep)
      (($# > 1)) || fail "$1 takes a value"
      printf -v "${1#--}" %s "$2"
      shift
      ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && fail "unknown option $1" ;;
    *) variants+=("$1") ;;
  esac
  shift
done
if [[ -n $trace ]]; then : >"$trace" || fail "--trace: cannot write $trace"; fi
if $all; then
  mapfile -t variants < <(sed -n 's/^\([a-z][a-z0-9]*\) .*/\1/p' "$here/variants.txt")
elif ((${#variants[@]} == 0)); then
  variants=(be64)
fi

cache=${CAAM_QEMU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/caamlab-qemu}
mkdir -p "$cache"
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
if [[ -z $keep ]]; then trap 'rm -rf "$work"' EXIT; fi

install_host_packages
fetch_kernel
if [[ -z $library ]]; then
  (cd "$source_root" && bazel build //tools/qemu:libcaam_qemu.so) || fail "the library does not build"
  library=$(cd "$source_root" && bazel info bazel-bin 2>/dev/null)/tools/qemu/libcaam_qemu.so
fi
library=$(realpath "$library")
make_initramfs "$work/initramfs.gz"
echo "Linux $kernel_version, $(qemu-system-aarch64 --version | head -n 1)"

bad=0 fewest=-1
for variant in "${variants[@]}"; do
  run_guest "$variant" "$fault" "$afalg" "$reload"
  report_guest || bad=1
  if [[ -n $trace ]]; then cat "$run/trace" >>"$trace"; fi
done
if $all; then
  check_controls || bad=1
  if ((bad)); then echo "NOT as it has to be"; else echo "all variants and controls as they have to be"; fi
fi
print_closing_line
exit "$bad"
