# --confirm N: after a failed speed check N runs in all, judged by their mean. What further runs decide is said by
# tests/unit/app/confirm_test.cpp; here is what is said, kept and stopped of real scripts.
. "$(dirname "$0")/_lib"

# A case that prints c.1, c.2, ... with each launch, the last of them again and again; c.n counts the launches.
losses=(2.500000E+00 2.400000E+00 2.300000E+00)
speed() { megatron_log --throughput - --time "$1,$1,$1" --memory 0:100.00:200.00 "${losses[@]}"; }
prints() {
  local n=0 time
  rm -f c.*
  for time; do speed "$time" >"c.$((++n))"; done
}
launched() { [[ $(<c.n) == "$1" ]] || broken "launched $(<c.n) times, not $1"; }

suite
script c <<'END'
n=$(cat c.n 2>/dev/null || echo 0); n=$((n + 1)); echo $n >c.n
cat c.$n || exit 7
[[ ! -e crash.$n ]] || exit 3
[[ ! -e hang.$n ]] || exec sleep 1000
END
prints 100.0
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --reason "first numbers"

# --- confirmed: the mean of three is beyond the limit too ---
prints 109.0 104.0 106.0
expect_exit 1 gate run --confirm 3
launched 3
expect_out "failed at first (mean 109.0 ms, limit 105.0); pooled over 3 runs (109.0, 104.0, 106.0): 106.3333 ms: confirmed"
refute_out "not confirmed"
expect_out "iteration_time: one run: the noise between runs is not known; record --runs 3"
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.rule == "iteration_time") | .status == "fail" and (.note | contains("): 106.3333 ms: confirmed"))'
expect_file .gate/latest/c/log.txt "109.0"
run gate explain c iteration_time
expect_out "pooled over 3 runs (109.0, 104.0, 106.0)"
expect_file .gate/latest/c/try-2/log.txt "104.0"
expect_json .gate/latest/c/try-3/series.json '.runs | length == 1'
expect_json .gate/latest/c/series.json '.runs | length == 3'
expect_json .gate/latest/result.json '.cases[0].artifacts | has("log-2") and has("log-3") and has("series-3")'

# --- an interrupt leaves what was found; the case has its verdict, and --resume leaves it alone ---
prints 109.0 100.0
touch hang.2
rm -r .gate
gate run --confirm 3 >"$WORK/out" 2>"$WORK/err" </dev/null &
gate_pid=$!
wait_for grep -qs "iteration        3" .gate/latest/c/try-2/log.txt
kill -TERM $gate_pid
code=0 && wait $gate_pid || code=$?
[[ $code == 143 ]] || broken "exit code $code, not 143"
expect_json .gate/latest/result.json '.cases[0] | .verdict == "regressed" and (.notes | map(select(startswith("not confirmed and not refuted"))) | length == 1)'
expect_exit 3 gate run --resume --confirm 3
expect_err "has finished every case"
rm hang.2

# --- with several baseline runs it says what confirmation is worth ---
rm -rf baselines/cpu
prints 98.0 100.0 102.0
expect_exit 0 gate baseline record c --runs 3
expect_exit 0 gate baseline accept c --reason "three runs" --despite noisy
prints 109.0 108.0 107.0
expect_exit 1 gate run --confirm 3
# Phi(-0.05 / (0.02 sqrt(2/3))) = 0.11 %
expect_out "iteration_time: s 2 % over 3 runs; false-failure rate at most 0.11 %; detects a regression of 8.1 % with 90 % power"

# --- speed is not watched for early stop under --confirm; losses are ---
# Where nothing stops it, the script goes on after its second step.
early="echo \$((\$(cat c.n 2>/dev/null || echo 0) + 1)) >c.n; head -n 3 c.1; [[ -e go ]] || exec sleep 1000; sleep 0.5; tail -n +4 c.1"
prints 400.0
script c <<<"$early"
expect_exit 1 gate run --set early_stop=on --timeout 60s
expect_out "stopped early"
touch go && rm c.n
expect_exit 1 gate run --set early_stop=on --confirm 2
launched 2
expect_out "400.0 ms: confirmed"
rm go
sed -i 's/2.400000E+00/2.600000E+00/' c.1
expect_exit 1 gate run --set early_stop=on --confirm 2 --timeout 60s
expect_out "stopped early"

# --- words that cannot be meant ---
for n in 1 0 -3; do
  expect_exit 2 gate run --confirm=$n
  expect_err "--confirm: $n: these are the runs in all, and the first of them has failed; write 2 or more"
done
expect_exit 2 gate run --confirm many
