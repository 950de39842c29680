# What is one run in a log: restarts, sources, two writers, repeated prints. A row for each way that was once green.
. "$(dirname "$0")/_lib"

# steps PREFIX FIRST LAST LOSS [TOTAL]: lines of these steps, their losses LOSS - 0.1 for each step
steps() {
  local step
  for ((step = $2; step <= $3; step++)); do
    printf '%s iteration %8d/%8d | elapsed time per iteration (ms): 500.0 | lm loss: %s | number of nan iterations:   0 |\n' \
      "$1" "$step" "${5:-20}" "$(printf '%d.%04d' $((($4 - step * 1000) / 10000)) $((($4 - step * 1000) % 10000)))"
  done
}
memory() { # memory PREFIX AFTER WORD
  echo "$1[Rank 0] (after $2 iterations) memory (MB) | allocated: $3 | max allocated: $3 | reserved: 9.0 | max reserved: 9.0"
}
good() { steps "0:" 1 20 120000; }
good >good.log
expect_exit 0 gate check good.log --baseline good.log

# --- a restart under another prefix, and memory lines: what is judged held memory alone ---
{ memory "0: " 1 5.0 && good; } >with_memory.log
{ memory "0: " 1 5.0 && good && memory "1: " 1 5.0 && steps "1:" 1 20 920000; } >other_prefix.log
expect_exit 3 gate check other_prefix.log --baseline with_memory.log
expect_out "lines 2-21 (0) and lines 23-42 (1) may be one attempt or two"
expect_out 'set attempt = "last" if the later one is an attempt of its own, or sources = "together" if they are one'
expect_exit 1 gate check other_prefix.log --baseline with_memory.log --set attempt=last
expect_out "lm_loss"
expect_exit 4 gate check other_prefix.log --baseline with_memory.log --set sources=together # and reported twice
expect_out "lm_loss printed as 11.9000 and as 91.9000"
expect_exit 2 gate check good.log --baseline other_prefix.log
expect_err "may be one attempt or two"
expect_exit 3 gate extract other_prefix.log --format csv
refute_err "no step"
expect_exit 3 gate compare good.log other_prefix.log
expect_out "may be one attempt or two"

# --- a second run under another prefix, which was laid over an attempt of the first ---
{ steps "0:" 1 7 120000 && good && steps "1:" 1 5 120000; } >second_run.log
expect_exit 3 gate check second_run.log --baseline good.log
expect_exit 4 gate check second_run.log --baseline good.log --set attempt=last
expect_out "after step 5 of 20"

# --- with times nobody has to guess ---
{ steps "0: [2026-03-01 10:00:00]" 1 20 120000 && steps "1: [2026-03-01 11:00:00]" 1 5 120000; } >timed.log
expect_exit 4 gate check timed.log --baseline good.log
{ steps "0: [2026-03-01 10:00:00]" 1 7 120000 && steps "1: [2026-03-01 11:00:00]" 1 20 120000; } >timed.log
expect_exit 0 gate check timed.log --baseline good.log
expect_exit 0 gate check timed.log --baseline good.log --set restarts=true
refute_out restart

# --- two runs that write into one source ---
paste -d '\n' <(steps "0:" 3 20 120000) <(steps "0:" 1 18 130000) >two_writers.log
{ steps "0:" 1 2 120000 && cat two_writers.log && steps "0:" 19 20 130000; } >writers.log
expect_exit 3 gate check writers.log --baseline good.log
expect_out "two runs write their steps in turns"
# a crash loop is none
for _ in {1..30}; do steps "0:" 1 2 120000; done >loop.log
good >>loop.log
expect_exit 0 gate check loop.log --baseline good.log
expect_out "attempt 31 of 31 is judged"

# --- one record with two values ---
sed '10s/lm loss: [0-9.]*/& | lm loss: 99.0/' good.log >twice.log
sed '10s/lm loss: [0-9.]*/& | loss: 99.0/' good.log >alias.log
for log in twice.log alias.log; do
  expect_exit 3 gate check "$log" --baseline good.log
  expect_out "printed as 11.0000 and as 99.0"
done
sed '10s/lm loss: \([0-9.]*\)/& | loss: \100/' good.log >same.log
expect_exit 0 gate check same.log --baseline good.log

# --- a step printed again by its own source without its loss, or with another ---
awk 'NR == 10 { print; sub(/lm loss: [0-9.]* \| /, "") } { print }' good.log >left_out.log
expect_exit 1 gate check left_out.log --baseline good.log
expect_out "step 10: no lm loss printed"
awk 'NR == 10 { print; sub(/lm loss: /, "lm loss: 9") } { print }' good.log >again.log
expect_exit 3 gate check again.log --baseline good.log
# another source may complete it
{ good && awk 'NR == 10 { sub(/lm loss: [0-9.]* \| /, "") } { sub(/^0:/, "1:"); print }' good.log; } | sort -s -k4,4n >completed.log
expect_exit 0 gate check completed.log --baseline good.log

# --- a record torn at the border of a field, or whose second half lost its prefix ---
for half in "0: " ""; do
  awk -v half="$half" 'NR == 10 { at = index($0, "lm loss"); print substr($0, 1, at - 1); print half substr($0, at); next } { print }' \
    good.log >torn.log
  expect_exit 0 gate check torn.log --baseline good.log
  expect_out "put together"
  awk -v half="$half" 'NR == 10 { at = index($0, "loss:"); print substr($0, 1, at - 1); print half substr($0, at); next } { print }' \
    good.log >torn.log
  expect_exit 0 gate check torn.log --baseline good.log
done

# --- several jobs in one log: the judged one must hold what another one of the same steps holds ---
{ good && memory "0: " 1 5.0 && good; } >no_memory.log
expect_exit 4 gate check no_memory.log --baseline good.log
expect_out "its judged attempt, lines 22-41, has no memory_allocated; attempt 1 has 1"
expect_exit 2 gate check good.log --baseline no_memory.log
expect_err "a baseline is made of whole runs"
{ steps "0:" 1 30 220000 30 && good; } >two_jobs.log
expect_exit 0 gate check two_jobs.log --baseline good.log
expect_out "attempt 1 is of another job, lines 1-30: steps 1-30 of 30"

# what it alone holds is said
{ steps "0:" 1 5 220000 5 | sed 's/lm loss/grad norm: 1.0 | &/' && good; } >metrics.log
expect_exit 0 gate check metrics.log --baseline good.log
expect_out "attempt 1 is of another job, lines 1-5: steps 1-5 of 5; it alone has grad_norm"

# --- an older checkpoint than that of the attempt before: the steps before it come from where they were made ---
{ steps "0:" 1 10 120000 && steps "0:" 8 12 120000 && steps "0:" 6 20 120000; } >older.log
expect_exit 0 gate check older.log --baseline good.log
expect_out "steps 1-5 come from attempt 1: attempt 3 resumed at step 6"

# --- where the script itself starts a failed training again, that is no problem, and both values are shown ---
{ steps "0:" 1 10 120000 && steps "0:" 6 20 119990; } >again.log
expect_exit 0 gate check again.log --baseline good.log --set restarts=true
refute_out "attempt 2 begins"
expect_out "lm_loss of step 6 was 11.4000, and 11.3990 when attempt 2 computed it again"

# --- each of several jobs is gated where a rule names its attempt; what is another job is named on both sides ---
suite
cat >gate.toml <<'TOML'
[rules.first_job]
metric    = "lm_loss"
attempt   = 1
tolerance = "±0.01"
TOML
script jobs <<<'cat "$(dirname "$0")"/../first.log "$(dirname "$0")"/../second.log'
steps "0:" 1 5 220000 5 >first.log
good >second.log
expect_exit 0 gate baseline record jobs
expect_exit 0 gate baseline accept jobs --reason first
expect_json baselines/cpu/jobs.json '.runs[0] | .attempts == 2 and .other_jobs == ["attempt 1 is of another job, lines 1-5: steps 1-5 of 5"]'
expect_json baselines/cpu/jobs.json '[.runs[0].series[] | select(.metric == "lm_loss@1")][0].numbers == "1-5"'
expect_exit 0 gate run
expect_out "in the baseline attempt 1 is of another job, lines 1-5: steps 1-5 of 5"
expect_out "first_job 5 steps"
refute_out "the log holds"
steps "0:" 1 5 230000 5 >first.log
expect_exit 1 gate run
expect_out "lm_loss@1 (rule first_job)  5 of 5 steps (1-5) out of ±0.01"
steps "0:" 1 4 220000 5 >first.log
expect_exit 4 gate run
expect_out "missing step 5"
: >first.log
expect_exit 1 gate run # attempt 1 is the second job
expect_out "the log holds 1 attempt, that of the baseline 2"
{ steps "0:" 1 5 220000 5 && steps "0:" 1 3 920000 30; } >first.log
expect_exit 0 gate run
expect_out "the log holds 3 attempts, that of the baseline 2"
expect_out "attempt 2 is of another job, lines 6-8: steps 1-3 of 30"
expect_exit 3 gate run --set rules.first_job.attempt=4 --set rules.first_job.required=true
expect_out "attempt 4 was asked for; the log holds 3 attempts: no lm_loss@4 is judged"
expect_exit 2 gate run --set rules.first_job.attempt=0
expect_err "is no attempt"
expect_exit 2 gate run --set rules.step_wall_time.attempt=1 --set rules.step_wall_time.tolerance=+5%
expect_err "an attempt can be chosen of what the log prints only, and step_wall_time is measured by gate"
