# What a CI system is told without being asked, and that nothing it reads can be made to obey a log.
. "$(dirname "$0")/_lib"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
megatron_log 2.500000E+00 2.450000E+00 2.300000E+00 >bad.log
script c <<<'cat "${1:-good}.log"'
expect_exit 0 gate baseline import good.log --case c --accept --reason "first numbers"
summary=$WORK/summary.md

# --- no system, and CI alone: nothing ---
CI=true GITHUB_STEP_SUMMARY=$summary expect_exit 1 gate run -- bad
refute_file "$summary"
refute_err '::'

# --- GitHub ---
github() { env GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$summary" "$@"; }
printf "# another command" >"$summary"
expect_exit 1 github gate run -- bad
expect_err_match '^::error title=regressed c,file=baselines/c.json::lm_loss  1 of 3 steps \(1-3\) out of ±0.01, largest [^ ]+ \([^ ]+ %25\)%0Afirst and largest  step 2: '
expect_err_match '^::notice title=gate .*::RED: 1 regressed \(exit 1\)$'
refute_out '::error'
expect_exit 0 github gate check good.log --case c
[[ $(head -n 2 "$summary" | tr '\n' +) == "# another command+### RED: 1 regressed (exit 1)+" ]] || broken "the summary is not behind what was there"
expect_file "$summary" "### GREEN: 1 passed (exit 0)"

# With --json both outputs belong to a program; --no-ci is nothing at all.
expect_exit 1 github gate run --json -- bad
refute_err '::'
cp "$summary" before
expect_exit 1 github gate run --no-ci -- bad
expect_exit 0 github gate check --no-ci good.log --case c
expect_exit 0 github gate run --dry-run
expect_exit 0 github gate report
refute_err '::'
expect_same before "$summary"

# The cap is that of all steps together: what does not fit is left out, with a word.
head -c 1048000 /dev/zero | tr '\0' x >"$summary"
expect_exit 1 github gate run -- bad
(($(wc -c <"$summary") <= 1048576)) || broken "the summary is refused"
head -c 1048570 /dev/zero | tr '\0' x >"$summary"
expect_exit 1 github gate run -- bad
expect_err "no room for a summary"
(($(wc -c <"$summary") == 1048570)) || broken "a part of a summary"

# A summary that cannot be written is a warning.
for bad in "$WORK" "$WORK/nowhere/at/all"; do
  expect_exit 0 env GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$bad" gate run
  expect_err "GitHub Actions: $bad: cannot "
done
mkfifo "$WORK/pipe"
expect_exit 0 env GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$WORK/pipe" gate run
expect_err "GitHub Actions: $WORK/pipe: cannot "

# --- Azure ---
mkdir "$WORK/agent 1%"
expect_exit 1 env TF_BUILD=True AGENT_TEMPDIRECTORY="$WORK/agent 1%" gate run -- bad
file=$(sed -n 's/^##vso\[task\.uploadsummary\]//p' "$WORK/.last/err")
[[ $file == *'/agent 1%AZP25/'* ]] || broken "a % that is no escape: $file"
expect_file "${file/AZP25/}" "### RED: 1 regressed (exit 1)"
expect_exit 0 env TF_BUILD=True gate run
refute_err '##vso'

# --- GitLab and Jenkins are told nothing: they take files ---
expect_exit 0 env GITLAB_CI=true JENKINS_URL=https://ci.example.com/ gate run
refute_err '::'

# --- names and lines that look like commands ---
suite hostile
# shellcheck disable=SC2016 # for the script
printf '%s\n' 'echo "Traceback (most recent call last):"' \
  'printf "RuntimeError: x\r::stop-commands::t %%0A::add-mask::y ##[add-mask]z ##vso[task.complete result=Succeeded;]\n"' \
  'exit 1' >'scripts/::error file=a,line=1::b%0A.sh'
rm "$summary"
expect_exit 4 github gate run
expect_err_match '^::error title=crashed %3A%3Aerror file=a%2Cline=1%3A%3Ab%250A::exited 1'
[[ $(grep -c '^[[:space:]]*::' "$WORK/.last/err") == 2 ]] || broken "commands beside the two of gate"
obeyed() { grep -E '^[[:space:]]*::|##(vso)?\[' "$1"; }
for arguments in run 'run --json' explain list 'list --explain'; do
  # shellcheck disable=SC2086
  run gate $arguments '::error file=a,line=1::b%0A'
  ! obeyed "$WORK/.last/out" || broken "gate $arguments: a command in the output"
  ! obeyed "$WORK/.last/err" || broken "gate $arguments: a command in the error output"
done
expect_exit 4 gate run
expect_out '#\u0023[add-mask]z #\u0023vso[task.complete'
