#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# Writes the C++ source that holds the profiles given as arguments (see profile_data.h) to standard output.
set -e
echo '#include "timing/profile_data.h"'
echo 'namespace caamlab::timing {'
echo 'const ProfileText kProfileTexts[] = {'
for file in "$@"; do
  printf '{"%s", R"profile-json(' "$(basename "$file")"
  cat "$file"
  echo ')profile-json"},'
done
echo '};'
echo "const size_t kProfileTextCount = $#;"
echo '}  // namespace caamlab::timing'
