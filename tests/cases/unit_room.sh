# What tests/unit/_room says of a room's tests, from the output of a stand-in for their binary: whatever way a test
# fails, it is named.
. "$(dirname "$0")/_lib"

# room EXIT-CODE LINE...: the binary prints the lines and ends so.
room() {
  local code=$1
  shift
  { echo '#!/usr/bin/env bash' && printf 'echo %q\n' "$@" && echo "exit $code"; } >binary
  chmod +x binary
}

said() { bash "$SOURCE/tests/unit/_room" unit/cellar "$PWD/binary" "$PWD/unit-cellar.log"; }

passed=('[ RUN      ] Wine.ages' '[       OK ] Wine.ages (0 ms)')
failed=('[ RUN      ] Wine.pours' 'wine_test.cpp:7: Failure' '[  FAILED  ] Wine.pours (1 ms)')
skipped=('[ RUN      ] Wine.sleeps' 'wine_test.cpp:9: Skipped' '[  SKIPPED ] Wine.sleeps (0 ms)')
ran='[==========] 3 tests from 1 test suite ran. (1 ms total)'

room 0 "${passed[@]}" "${skipped[@]}" "$ran"
expect_exit 0 said
expect_out "3 tests in one process"
expect_out_match '^skipped: unit/cellar/Wine.sleeps$'
refute_out "Wine.ages"
expect_file unit-cellar.log "Wine.ages"
expect_file unit-cellar.txt "3 tests in one process"

room 1 "${passed[@]}" "${failed[@]}" "$ran" '[  FAILED  ] 1 test, listed below:' '[  FAILED  ] Wine.pours'
expect_exit 1 said
expect_out_match '^failed: unit/cellar/Wine.pours$'
expect_out "wine_test.cpp:7: Failure"
refute_out "Wine.ages"

# Its parameter stands behind the name.
room 1 '[ RUN      ] All/Wine.pours/12' '[  FAILED  ] All/Wine.pours/12, where GetParam() = "red" (0 ms)' "$ran"
expect_exit 1 said
expect_out_match '^failed: unit/cellar/All/Wine.pours/12$'

# The process ends in the middle of a test, with or without an exit code that says so.
for code in 139 0; do
  room "$code" "${passed[@]}" '[ RUN      ] Wine.spills' 'AddressSanitizer: heap-buffer-overflow'
  expect_exit 1 said
  expect_out_match '^failed: unit/cellar/Wine.spills$'
  expect_out "heap-buffer-overflow"
done

# All tests are good, the process is not; and nothing ran at all.
room 23 "${passed[@]}" "$ran" 'LeakSanitizer: detected memory leaks'
expect_exit 1 said
expect_out "LeakSanitizer"
expect_out_match '^failed: unit/cellar/.*process'
room 0 '[==========] Running 0 tests from 0 test suites.' '[==========] 0 tests from 0 test suites ran. (0 ms total)'
expect_exit 1 said
expect_out_match '^failed: unit/cellar/.*process'
