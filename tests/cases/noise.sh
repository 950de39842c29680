# Several runs in one recording: what chance does to a gate is printed, and one bad run is enough.
. "$(dirname "$0")/_lib"

# A script that prints what lies in NAME.1, NAME.2, ... with each launch.
launches() { script "$1" <<<"n=\$(cat $1.n 2>/dev/null || echo 0); n=\$((n + 1)); echo \$n >$1.n; cat $1.\$n"; }
losses=(3.475878E+00 2.409721E+00 1.946883E+00)
speed() { megatron_log --throughput "1.0,$1,$1" --memory 0:100.00:200.00 --memory 1:100.00:200.00 "${losses[@]}"; }
again() { rm -f ./*.n; }

suite
launches c
speed 100.0 >c.1 && speed 102.0 >c.2 && speed 98.0 >c.3

# --- one run says nothing of the noise, and that is said ---
expect_exit 0 gate baseline record c
expect_out "recorded c"
expect_out "throughput: one run: the noise between runs is not known; record --runs 3 (-5% keeps the false-failure rate within 1 % only while s <= 1.5 %)"
expect_last_line '^RECORDED: 1 candidate \(exit 0\)$'
refute_out "GREEN"
refute_out "within 1 % with"
expect_exit 0 gate baseline accept c --reason "one run"
expect_out "noise unknown: one run; gate baseline record --runs 3 measures it"
rm baselines/cpu/c.json

# --- three runs are one candidate; each keeps its log and its series ---
again
expect_exit 0 gate baseline record c --runs 3
expect_json .gate/candidates/cpu/c.json '.runs | length == 3'
expect_json .gate/candidates/cpu/c.json '[.runs[].series[] | select(.metric == "throughput").values[1]] == ["100.0", "102.0", "98.0"]'
expect_file .gate/latest/c/try-2/log.txt "TFLOP/s/GPU): 102.0"
expect_json .gate/latest/c/try-3/series.json '.runs | length == 1'
expect_json .gate/latest/c/series.json '.runs | length == 3'
expect_json .gate/latest/result.json '.cases[0].artifacts | has("log") and has("log-1") and has("log-2") and has("series-2")'
# s = 2 of a mean of 100; Phi(-0.05 / (0.02 sqrt(4/3))) = 1.52 %; 0.05 + 1.2816 * 0.02 sqrt(4/3) = 7.96 %
expect_out "throughput: s 2 % over 3 runs; false-failure rate 1.5 %; detects a regression of 8 % with 90 % power"
expect_out "lm_loss: no noise over 3 runs; detects any regression above 0.01"
expect_out "memory_allocated ranks 0 and 1, memory_max_allocated ranks 0 and 1: no noise over 3 runs"

# --- all readers of the candidate see all runs ---
# 2.3263 * 0.02 sqrt(4/3) = 5.37 %
paste='rules.throughput.tolerance = "-5.4%"'
expect_out "within 1 % with, in gate.toml below [case.\"c\"]: $paste"
expect_exit 3 gate baseline accept c --reason "three runs"
expect_err "noisy: throughput: s 2 % over 3 runs; false-failure rate 1.5 %; "
expect_err "$paste"
cp -r .gate/candidates candidates
printf '[case."c"]\n%s\n' "$paste" >gate.toml
expect_exit 0 gate baseline accept c --reason "with the line that was printed"
rm -r gate.toml baselines/cpu && cp -r candidates .gate/
expect_exit 0 gate baseline accept c --reason "three runs" --despite noisy
expect_json baselines/cpu/c.json '.accepted[-1].despite == ["noisy"]'
expect_out "lm_loss: 3 steps in each of 3 runs"
expect_exit 0 gate baseline list c
expect_out_match '^ *3 +lm_loss'
again
speed 97.0 >c.1
expect_exit 0 gate run # against the mean of the runs, 100
speed 94.9 >c.1 && again
expect_exit 1 gate run
expect_out "100.0 -> 94.9"
again
expect_exit 0 gate baseline record c --runs 2
expect_exit 0 gate baseline diff
expect_out_match 'lm_loss.*runs 3 -> 2.*\+0 at 1 '
expect_out_match 'throughput  *step 2, 3, runs 3 -> 2  *100  *98.45 ' # of (94.9 + 102) / 2, twice; the first step is no rule's
again && speed 94.0 >c.2
expect_exit 0 gate baseline record c --runs 2
expect_exit 1 gate baseline diff
expect_out "100.0 -> 94.45"
expect_exit 0 gate baseline accept c --metric throughput --reason "slower" --despite fewer_runs,noisy
expect_json baselines/cpu/c.json '[.runs[].series | map(.metric) | index("throughput") != null] == [true, true, false]'
expect_json baselines/cpu/c.json '[.runs[].series | map(.metric) | index("lm_loss") != null] == [true, true, true]'
expect_exit 0 gate run c --set 'rules.throughput.tolerance=-6%'

# --- one bad run is enough: a crash and too few steps end the recording ---
rm -rf .gate baselines/cpu
bad() {
  again
  expect_exit "$1" gate baseline record c --runs 3
  expect_out "run 2 of 3: $2"
  expect_last_line '^RED: 1 '
  expect_exit 3 gate baseline accept c --reason "all the same"
  expect_err "$3: "
}
speed 100.0 >c.1 && speed 100.0 >c.3
script c <<<"n=\$(cat c.n 2>/dev/null || echo 0); n=\$((n + 1)); echo \$n >c.n; cat c.\$n; [[ ! -e broken ]] || ((n != 2))"
speed 100.0 >c.2 && touch broken
bad 4 "exited 1" bad_end
[[ $(<c.n) == 2 ]] || broken "launched $(<c.n) times"
rm broken
megatron_log --total 3 2.5 2.4 >c.2
bad 4 "" short

# --- a value that is no number, and another set of series, spoil it ---
megatron_log --throughput "1.0,99.0,99.0" --memory 0:100.00:200.00 --memory 1:100.00:200.00 nan 2.4 2.3 >c.2
again
expect_exit 3 gate baseline record c --runs 3
expect_out "non_finite: run 2: lm_loss is nan at step 1"
expect_exit 3 gate baseline accept c --reason "all the same"
expect_err "non_finite: run 2: "
expect_exit 0 gate baseline accept c --reason "the first step overflows" --despite non_finite
expect_json baselines/cpu/c.json '.runs | length == 3'
rm -r baselines/cpu
speed 100.0 | grep -v Rank >c.2
again
expect_exit 3 gate baseline record c --runs 3
expect_out "missing: run 2: run 1 has memory_allocated rank 0, the candidate has not"

# --- several cases: the suite's rate ---
suite three
for name in a b c; do launches $name && speed 100.0 >$name.1 && speed 103.0 >$name.2 && speed 97.0 >$name.3; done
expect_exit 0 gate baseline record '*' --runs 3
expect_out "3 cases: one false failure in five nights" # 1 - (1 - 0.0745)^3 = 0.2074
expect_last_line '^RECORDED: 3 candidates \(exit 0\)$'
expect_json .gate/latest/result.json '.notes == ["3 cases: one false failure in five nights"]'
rm ./*.n
expect_exit 0 gate baseline record a b
expect_out "2 cases: the noise between runs is not known; record --runs 3"
expect_exit 2 gate baseline record a --runs 0
