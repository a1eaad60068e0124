#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# Writes the C++ source that holds the platform files given as arguments (see platform_data.h) to standard output.
set -e
echo '#include "hw_model/platform_data.h"'
echo 'namespace caamlab::hw_model {'
echo 'const PlatformFile kPlatformFiles[] = {'
for file in "$@"; do
  printf '{"%s", R"platform-json(' "$(basename "$file")"
  cat "$file"
  echo ')platform-json"},'
done
echo '};'
echo "const size_t kPlatformFileCount = $#;"
echo '}  // namespace caamlab::hw_model'
