# gate run --determinism N: runs of a case must print the same, value by value; the first one is judged as ever.
. "$(dirname "$0")/_lib"

suite
export TINYGPT
script tiny <<'END_OF_SCRIPT'
exec "$TINYGPT" --ranks "${RANKS:-1}" --steps 6 --seed "${SEED:-7}"
END_OF_SCRIPT
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
[rules]
throughput = false
iteration_time = false
TOML
expect_exit 0 gate baseline record tiny
expect_exit 0 gate baseline accept tiny --reason first

# --- the same, with one rank and with two ---
for ranks in 1 2; do
  expect_exit 0 gate run --determinism 3 --env RANKS=$ranks --set rules.lm_loss=false --set rules.memory_allocated=false \
    --set rules.memory_max_allocated=false --set 'rules.memory_reserved.tolerance=<= 1000000' --set rules.memory_max_reserved=false
  expect_out_match '3 runs print the same: lm_loss \(7 digits\), .*grad_norm \([34] digits\)'
  expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.rule | endswith(" determinism")) | .status] | length >= 2 and all(. == "pass")'
  expect_file .gate/latest/tiny/try-3/log.txt 'iteration        6'
done
expect_exit 0 gate run --determinism 2
expect_out 'lm_loss determinism 6 steps'

# --- a seed from the clock: from step 1 on ---
expect_exit 1 gate run --determinism 3 --env SEED=clock --set rules.lm_loss=false
expect_out_match 'not deterministic: (lm_loss|grad_norm) differs first at step 1'
expect_out_match '^  lm_loss \(rule lm_loss determinism\)  6 of 6 steps'
expect_out 'run 2 of 3 is not equal to run 1'
expect_json .gate/latest/result.json '.cases[0].verdict == "regressed" and (.cases[0].reason | startswith("not deterministic: "))'

# --- the first run is judged as ever; a run that is not whole is the case's ---
said() { megatron_log "$@" >"$WORK/log"; }
script a <<END_OF_SCRIPT
n=\$(cat "$WORK/count" 2>/dev/null || echo 0); echo \$((n + 1)) >"$WORK/count"
cat "$WORK/log.\$n" 2>/dev/null || cat "$WORK/log"
exit \$(cat "$WORK/exit.\$n" 2>/dev/null || echo 0)
END_OF_SCRIPT
baseline a <<<'{"lm loss": [2.5, 2.4, 2.3]}'
again() { rm -f "$WORK"/count; }
said 2.500000E+00 2.400000E+00 2.300000E+00
expect_exit 0 gate run a --determinism 2
again && megatron_log 2.500000E+00 2.400000E+00 2.300001E+00 >"$WORK/log.1"
expect_exit 1 gate run a --determinism 2
expect_out 'not deterministic: lm_loss differs first at step 3'
expect_out_match 'step 3: 2.3(00000)? -> 2.300001'
again && megatron_log 2.500000E+00 2.400000E+00 >"$WORK/log.1"
expect_exit 4 gate run a --determinism 2
again && megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00 >"$WORK/log.1"
expect_exit 4 gate run a --determinism 2
expect_out 'not deterministic: not every run has all of lm_loss'
again && cp "$WORK/log" "$WORK/log.1" && echo 7 >"$WORK/exit.1"
expect_exit 4 gate run a --determinism 3
expect_out 'run 2 of --determinism 3'
expect_json .gate/latest/result.json '.cases[0].verdict == "crashed"'
rm "$WORK"/exit.1 "$WORK"/log.1
again && said 2.500000E+00 2.900000E+00 2.300000E+00
expect_exit 1 gate run a --determinism 2
expect_out '2 runs print the same'

# --- what a further run says besides: a restart, a value that the first one left out ---
again && said 2.500000E+00 2.400000E+00 2.300000E+00
{ megatron_log --total 3 2.500000E+00 2.450000E+00 && cat "$WORK/log"; } >"$WORK/log.1"
expect_exit 4 gate run a --determinism 2
expect_out 'not deterministic: run 1 has 1 attempt, run 2 has 2'
again && rm "$WORK/log.1"
sed '2s/grad norm: [0-9.]* |//' "$WORK/log" >"$WORK/log.0"
run gate run a --determinism 2
((code != 0)) || broken 'a value that run 1 left out is green'
expect_out 'not deterministic: '
rm "$WORK/log.0"

# --- taken up, and again: with the same ---
again && megatron_log 2.500000E+00 2.400000E+00 2.300001E+00 >"$WORK/log.1"
expect_exit 1 gate run a --determinism 2
expect_json .gate/latest/result.json '.determinism == 2'
expect_exit 2 gate run --again "$(latest)" --determinism 3
expect_err 'was started with --determinism 2; give the same'
rm "$WORK/log.1"
expect_exit 0 gate run --again "$(latest)"
expect_out '2 runs print the same'

# --- two runs that were made one by one ---
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >one.log
megatron_log --time 900.0 2.500000E+00 2.400000E+00 2.300000E+00 >two.log
expect_exit 0 gate compare one.log two.log --determinism
expect_last_line '^SAME: '
expect_exit 0 gate compare one.log two.log
expect_last_line '^DIFFERENT: '
sed -i 's/2.400000E+00/2.400001E+00/' two.log
expect_exit 1 gate compare one.log two.log --determinism
expect_last_line '^DIFFERENT: 1 of [0-9]+ metrics, first at lm_loss step 2'
sed -i '$d' two.log && sed -i 's/2.400001E+00/2.400000E+00/' two.log
expect_exit 1 gate compare one.log two.log --determinism
echo nothing >two.log
expect_exit 3 gate compare one.log two.log --determinism

for value in nan inf; do
  megatron_log 2.500000E+00 $value 2.300000E+00 | tee one.log >two.log
  expect_exit 1 gate compare one.log two.log --determinism
  expect_last_line '^DIFFERENT: 1 of [0-9]+ metrics, first at lm_loss step 2'
done

# --- what it writes: outputs byte for byte, results of an evaluation tool without what tells the time ---
suite outputs
printf 'the same words in each of the runs' >golden.txt
echo '{"results": {"t": {"acc,none": 0.5, "acc_stderr,none": 0.01}}, "date": 1}' >golden.json
for output in 'answer txt bleu' 'eval json results'; do
  read -r name kind metric <<<"$output"
  printf '[case.%s.outputs.%s]\nfile = "out.%s"\ngolden = "golden.%s"\nmetric = "%s"\ntolerance = ">= 0.1"\n' \
    "$name" "$name" "$kind" "$kind" "$metric" >>gate.toml
done
script answer <<SH
cp golden.txt out.txt
[ ! -e "$WORK/second" ] || printf '%s' "\$SECOND" >>out.txt
touch "$WORK/second"
SH
script eval <<SH
[ -e "$WORK/second" ] || SECOND=
sed "s/0\\.01/\${SECOND:-0.01}/; s/\"date\": 1/\"date\": \$\$/" golden.json >out.json
touch "$WORK/second"
SH
two_runs() { rm -f "$WORK/second" && expect_exit "$1" gate run "$2" --determinism 2 --env "SECOND=$3"; }
two_runs 0 answer ''
expect_out_match '2 runs print the same: answer.bleu \([0-9]+ digits?\), output answer'
two_runs 1 answer ' '
expect_out 'not deterministic: output answer of run 2 is not equal to that of run 1'
two_runs 0 eval ''
expect_out '2 runs print the same: output eval'
two_runs 1 eval 0.02
expect_out 'not deterministic: output eval of run 2 is not equal to that of run 1'
cd "$WORK/suite"

# --- nothing that is compared is nothing measured ---
script e <<<'#GATE judge=exit
echo done'
expect_exit 3 gate run e --determinism 2
expect_out 'the runs print nothing that is compared'
run gate run a e && first=$(latest)
run gate run a e
expect_exit 3 gate compare "$first" "$(latest)" --determinism
expect_last_line '; nothing to compare in e$'
script p <<<"#GATE judge=pytest
cat \"$WORK/log\""
run gate run p --determinism 2
((code != 0)) || broken 'a case that pytest judges is green by its losses'

# --- with what it does not go ---
for words in '--determinism 1' '--determinism 1000000' '--determinism 2 --confirm 3'; do
  # shellcheck disable=SC2086 # words
  expect_exit 2 gate run a $words
done
printf '[case.a]\nrepeat = 2\n' >>gate.toml
expect_exit 2 gate run a --determinism 2
expect_err 'repeat and --determinism exclude one another: --determinism judges the first run alone'
