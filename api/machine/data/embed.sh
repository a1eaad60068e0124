#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# Writes the C++ source that holds sets.json ($1) and machines.json ($2) to standard output, a string literal a line: a
# single one of that length is beyond what compilers have to take.
set -e
echo '#include "api/machine/data.h"'
echo 'namespace caamlab::api {'
literal() {
  echo "const std::string_view $1 ="
  sed 's/^/R"line(/; s/$/)line"/' "$2"
  echo ';'
}
literal kMachineSets "$1"
literal kMachineProfiles "$2"
echo '}  // namespace caamlab::api'
