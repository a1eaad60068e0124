#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# Runs all tests with gcov counters and prints the line coverage of the layers.
#
# Bazel declares the .gcno files (its outputs, kept beside the objects) but throws the .gcda files of a sandboxed test
# away, so GCOV_PREFIX sends those to a folder of ours, where lcov needs both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
layers=(desc hw_model driver api timing)

usage() {
  cat <<'END'
usage: tools/coverage.sh [--min PERCENT] [--html FOLDER]
  --min PERCENT   fail when fewer lines than this are covered in any of desc, hw_model, driver, api, timing
  --html FOLDER   also write the report page by page
The merged data is left in coverage/lcov.info. BAZEL="bazel --output_base=..." uses another Bazel command.
END
}

fail() {
  echo "tools/coverage.sh: $*" >&2
  exit 1
}

min=0 html=
while (($#)); do
  case $1 in
    --min | --html)
      (($# > 1)) || fail "$1 takes a value"
      if [[ $1 == --min ]]; then min=$2; else html=$2; fi
      shift 2
      ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && fail "unknown argument '$1'" ;;
  esac
done
[[ $min =~ ^[0-9]+([.][0-9]+)?$ ]] || fail "--min takes a percentage, got '$min'"

read -ra bazel <<<"${BAZEL:-bazel}"
# Not a new folder each time: Bazel would start over with another --run_under.
work=$PWD/coverage
data=$work/data
rm -rf "$data"
mkdir -p "$data"

# collect_test_data: leaves each object's .gcda and .gcno side by side below $data.
collect_test_data() {
  local packages=() layer
  for layer in "${layers[@]}"; do
    if [[ -n $(find "$layer" -name BUILD -print -quit 2>/dev/null) ]]; then packages+=("//$layer/..."); fi
  done
  # What no test links is built as well, so that it counts as not covered.
  "${bazel[@]}" build --config=coverage "${packages[@]}"
  "${bazel[@]}" test --config=coverage --build_tests_only --nocache_test_results --sandbox_writable_path="$data" \
    --run_under="/usr/bin/env GCOV_PREFIX=$data" //...
  local root bin
  root=$("${bazel[@]}" info execution_root 2>/dev/null)
  bin=$("${bazel[@]}" info --config=coverage bazel-bin 2>/dev/null)
  (cd "$root" && find "${bin#"$root"/}" -name '*.gcno' -exec cp --parents -t "$data" {} +)
  # Tests of no layer count too, but Bazel keeps no .gcno of theirs.
  local file
  while IFS= read -r file; do
    [[ -e ${file%.gcda}.gcno ]] || rm "$file"
  done < <(find "$data" -name '*.gcda')
}

# merge_test_data: coverage/lcov.info, with the files no test has run (from the .gcno alone) as not covered.
merge_test_data() {
  # -r leaves out the hundreds of system headers per object, which take lcov minutes to read.
  printf '#!/bin/sh\nexec gcov -r "$@"\n' >"$work/gcov"
  chmod +x "$work/gcov"
  local lcov=(lcov --quiet --base-directory "$PWD" --gcov-tool "$work/gcov")
  local sources=("${layers[@]/#/$PWD/}")
  sources=("${sources[@]/%//*}")
  # stderr: lcov 1.16 loads its own parser twice and says so line by line; it is shown only when lcov fails.
  {
    "${lcov[@]}" --capture --initial --directory "$data" --output-file "$work/initial.info" &&
      "${lcov[@]}" --capture --directory "$data" --output-file "$work/run.info" &&
      "${lcov[@]}" -a "$work/initial.info" -a "$work/run.info" --output-file "$work/all.info" &&
      "${lcov[@]}" --extract "$work/all.info" "${sources[@]}" --output-file "$work/lcov.info"
  } 2>"$work/lcov.err" || {
    cat "$work/lcov.err" >&2
    fail "lcov failed"
  }
}

# summarize: one line per layer and the total; fails when a layer is below $min, or has sources but no data.
summarize() {
  local sources=() layer
  for layer in "${layers[@]}"; do
    if [[ -n $(find "$layer" -name '*.cc' -print -quit 2>/dev/null) ]]; then sources+=("$layer"); fi
  done
  awk -v root="$PWD/" -v layers="${layers[*]}" -v sources="${sources[*]}" -v min="$min" '
    function line(name, hit, all) {
      if (!all) { printf "  %-9s no lines\n", name; return }
      printf "  %-9s %5.1f %%  (%d of %d lines)\n", name, 100 * hit / all, hit, all
    }
    BEGIN { n = split(layers, layer, " "); split(sources, s, " "); for (i in s) has_source[s[i]] = 1 }
    /^SF:/ { name = substr($0, length("SF:" root) + 1); sub("/.*", "", name) }
    /^LF:/ { all[name] += substr($0, 4) }
    /^LH:/ { hit[name] += substr($0, 4) }
    END {
      print "Line coverage"
      for (i = 1; i <= n; i++) {
        name = layer[i]; line(name, hit[name], all[name]); total_hit += hit[name]; total += all[name]
        if (name in has_source && 100 * hit[name] < min * all[name] || name in has_source && !all[name]) low = low " " name
      }
      line("total", total_hit, total)
      if (low && min > 0) { print "below " min " %:" low; exit 1 }
    }' "$work/lcov.info"
}

collect_test_data
merge_test_data
if [[ -n $html ]]; then genhtml --quiet --prefix "$PWD" --output-directory "$html" "$work/lcov.info"; fi
summarize
