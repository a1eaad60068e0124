#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# Installs the Debian 12 packages that building, testing and checking caamlab takes. Asks no questions, may be run again
# at any time, and does no more than ask dpkg when nothing is missing.
set -euo pipefail

packages=(
  bazel-bootstrap clang-14 clang-format-14 g++ git lcov libbenchmark-dev libboost-dev libclang-rt-14-dev libcli11-dev
  libexpected-dev libfmt-dev libfuzzer-14-dev libgmock-dev libgtest-dev libssl-dev nlohmann-json3-dev
  python3-cryptography-vectors
)

fail() {
  echo "tools/setup.sh: $*" >&2
  exit 1
}

command -v dpkg-query apt-get >/dev/null || fail "needs dpkg and apt-get: caamlab is built on Debian 12 (bookworm)"

# The Intel multi-buffer library is optional (see //third_party/system) and exists for amd64 only.
if [[ $(dpkg --print-architecture) == amd64 ]]; then packages+=(libipsec-mb-dev); fi

# dpkg-query names unknown packages on stderr and fails, but still lists the others.
installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=(env)
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    fail "these packages are missing: ${missing[*]}"$'\n'"Installing them takes root: run this as root, or install sudo."
  as_root=(sudo env)
fi

apt() { "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

echo "Installing: ${missing[*]}"
apt update
apt install --no-install-recommends "${missing[@]}" ||
  fail "apt-get could not install all of: ${missing[*]} (they are those of Debian 12, section main)"
