# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# What came of a boot: reads the console and the library's counts in $run. Sourced by boot.sh. A self-test counts only if
# its name is in self_tests.txt: the kernel says "passed" of algorithms without vectors too.

# console_section NAME: the lines after "--- NAME", up to the next.
console_section() { awk -v name="--- $1" '/^--- / {on = $0 == name; next} on' "$run/console"; }

# offered FEATURE: the variant's part has what a self-test needs.
offered() { [[ $1 == - || ,$features, == *,$1,* ]]; }

names_with_vectors() { sed -n 's/^\([a-z].*-caam\) .*/\1/p' "$here/self_tests.txt"; }

# Prints a line for each name; sets $passed and $wanted, of the 42, and $extra_passed and $extra_wanted of ChaCha20's.
count_self_tests() {
  local name needs verdict state
  passed=0 wanted=0 extra_passed=0 extra_wanted=0 failed_names=()
  declare -A state_of=()
  while read -r name state; do state_of[$name]=$state; done < <(console_section drivers)
  while read -r name needs; do
    verdict=${state_of[$name]:-absent}
    if ! offered "$needs"; then
      if [[ $verdict != absent ]]; then problem "$name is registered on a part that cannot do it"; fi
      if [[ $needs != chacha ]]; then printf '  %-40s not offered by this part\n' "$name"; fi
      continue
    fi
    if [[ $verdict != passed ]]; then failed_names+=("$name"); fi
    printf '  %-40s %s\n' "$name" "$verdict"
    if [[ $needs == chacha ]]; then
      extra_wanted=$((extra_wanted + 1))
      if [[ $verdict == passed ]]; then extra_passed=$((extra_passed + 1)); fi
    else
      wanted=$((wanted + 1))
      if [[ $verdict == passed ]]; then passed=$((passed + 1)); fi
    fi
  done < <(grep -v '^#' "$here/self_tests.txt")
}

problem() { problems+=("$*"); }

count_of() { awk -v key="$1" 'index($0, key " ") == 1 {print $NF}' "$run/report"; }

# Error status words that no self-test asks for: only a failed ICV check is asked for.
unexpected_statuses() { awk '$1 == "status" && $2 != "00000000" && $2 !~ /^2......a$/ {print $2 " (" $3 " jobs)"}' "$run/report"; }

check_afalg() {
  local line compared different
  if ((afalg == 0)); then return; fi
  line=$(console_section afalg | grep '^compared ' || true)
  read -r _ compared _ different <<<"$line"
  if [[ -z $line || $different != 0 ]] || ((compared < afalg)); then
    problem "random requests: ${line:-no result}; $(console_section afalg | grep -m 1 DIFFERENT || true)"
  fi
  printf '  random requests over AF_ALG: %s\n' "${line:-no result}"
  (($(awk '$1 == "jobs" && $2 ~ /^jr/ && $3 > 100' "$run/report" | wc -l) > 1)) || problem "only one job ring was busy"
}

check_hwrng() {
  local source repeated
  { read -r source && read -r repeated; } < <(console_section hwrng) || true
  if [[ ${source:-} != rng-caam || ${repeated:-1} != 0 ]]; then problem "hwrng: ${source:-none}, ${repeated:-?} repeated lines"; fi
}

check_reload() {
  if ((reload == 0)); then return; fi
  if [[ $(console_section unload) != "unloaded, 0 drivers left" ]]; then
    problem "unload: $(console_section unload | head -n 1)"
  elif [[ $(console_section reloaded) != "$(console_section drivers)" ]]; then
    problem "after a reload other drivers are registered"
  else
    printf '  unloaded and loaded again\n'
  fi
}

# Prints the report of $run; fails if anything is not as it has to be.
report_guest() {
  problems=()
  printf '\n== %s: %s%s\n' "$variant" "$title" "$([[ $fault == none ]] || echo ", fault $fault")"
  if [[ ! -s $run/report ]] || ! grep -q '^--- end' "$run/console"; then
    tail -n 15 "$run/console"
    problem "the guest did not come to its end"
  fi
  touch "$run/report"
  count_self_tests
  check_hwrng
  check_afalg
  check_reload
  awk '$1 == "jobs" || $1 == "status" {print "  " $0}' "$run/report"
  printf '  %s seconds\n' "$seconds"
  if ((passed < wanted || extra_passed < extra_wanted)); then problem "failed self-tests: ${failed_names[*]}"; fi
  local statuses message
  statuses=$(unexpected_statuses)
  if [[ -n $statuses ]]; then problem "status words that nothing asked for: $statuses"; fi
  message=$(grep -m 3 -E 'alg: .*(failed|unexpected)|DECO: |CCB: |BUG|Oops' "$run/console" || true)
  if [[ -n $message ]]; then problem "the kernel says: $message"; fi
  if ((${#problems[@]})); then printf '  WRONG: %s\n' "${problems[@]}"; fi
  if ((extra_wanted)); then printf '  %d of %d self-tests of ChaCha20-Poly1305 passed\n' "$extra_passed" "$extra_wanted"; fi
  printf '%s: %d of 42 self-tests with vectors passed' "$variant" "$passed"
  if ((wanted < 42)); then printf ' (this part offers %d)' "$wanted"; fi
  printf '\n'
  # Of several variants the weakest that could have all.
  if ((wanted == 42 && (fewest < 0 || passed < fewest))); then fewest=$passed; fi
  ((${#problems[@]} == 0))
}

# expect_failures FAULT NAME...: on the first variant exactly these fail their self-test.
expect_failures() {
  local fault=$1 want got
  shift
  run_guest be64 "$fault" 0 0
  count_self_tests >/dev/null
  want=$(printf '%s\n' "$@" | sort)
  got=$(printf '%s\n' "${failed_names[@]-}" | sort)
  if [[ $want == "$got" ]] && (($(count_of injected) > 0 || passed == 0)); then
    printf 'control %s: %d self-tests fail, as they must\n' "$fault" "$#"
    return 0
  fi
  printf 'control %s: WRONG: failing self-tests are %s; they must be %s\n' "$fault" "${got//$'\n'/ }" "${want//$'\n'/ }"
  return 1
}

# A job whose data the bus refuses: the driver's own words for it have to reach the log.
expect_dma_message() {
  local message
  run_guest be64 dma:100 0 0
  message=$(grep -m 1 -o 'caam_jr .*DECO: desc idx [0-9]*: DMA Error.*' "$run/console" || true)
  printf 'control dma:100: %s\n' "${message:-WRONG: no message about a DMA error}"
  [[ -n $message ]]
}

check_controls() {
  local good=0 names
  trace=''
  mapfile -t names < <(sed -n 's/^\([a-z].*-caam\) .*/\1/p' "$here/self_tests.txt" | grep -v chacha)
  printf '\n== controls\n'
  expect_failures nothing "${names[@]}" || good=1
  expect_failures gcm-tag gcm-aes-caam rfc4106-gcm-aes-caam rfc4543-gcm-aes-caam || good=1
  expect_failures cbc-iv cbc-aes-caam cbc-des-caam cbc-3des-caam || good=1
  expect_dma_message || good=1
  return "$good"
}

print_closing_line() { printf '%d of 42 self-tests with vectors passed\n' $((fewest < 0 ? passed : fewest)); }
