# gate baseline lint --tolerances: the tolerances that fit the runs of the history, and gate.toml with them.
. "$(dirname "$0")/_lib"

suite
script c </dev/null
script few </dev/null
megatron_log --throughput 100.0 $(seq 3.5 -0.1 2) >train.log
for case in c few; do
  expect_exit 0 gate baseline import train.log --case $case --platform cpu --accept --reason first
done
# Print the history of a case: a run for each share of the speed of 100, of which those below 95 are red.
shares() { # CASE SHARE...
  local case=$1 n=0 share red
  shift
  for share; do
    red=$(awk -v s="$share" 'BEGIN { print s < 95 }')
    printf '{"schema":"gate.history/1","uid":"%s-%d","run":"%s-%d","command":"run","exit_code":%d,"started":"2027-01-01T%02d:%02d:00Z","cases":[{"case":"%s","verdict":"%s","platform":"cpu","duration_s":60,"checks":[{"rule":"throughput","metric":"throughput","unit":"TFLOP/s/device","window":"last 10","reduce":"mean","status":"%s","tolerance":"-5%%","value":%s,"baseline":100.0}]}]}\n' \
      "$case" $n "$case" $n "$red" $((n / 60)) $((n % 60)) "$case" \
      "$( ((red)) && echo regressed || echo passed)" "$( ((red)) && echo fail || echo pass)" "$share"
    ((++n))
  done
}
remember() {
  shares "$@" >history.jsonl
  expect_exit 0 gate history --import history.jsonl
}
restless=(101.9 96.1 100.8 98.9 102.6 99.4 95.3 101.1 97.8 100.2 103.0 98.1 99.7 94.6 101.5 100.9 97.2 102.2 99.0 98.6)

# --- nothing is told of fewer than eight runs, nor of steps and exact values ---
expect_exit 3 gate baseline lint --tolerances
expect_out_match '^c +cpu +throughput +-5% .* 1 run, 8 are needed: gate baseline record c --runs 8$'
expect_out_match '^c +cpu +lm_loss .*each step is judged'
expect_last_line '^UNKNOWN: no rule has 8 runs \(exit 3\)$'
remember few 100 101 99 100.5 100 99.5
expect_exit 3 gate baseline lint --tolerances few
expect_out_match '^few +cpu +throughput +-5% .* 7 runs, 8 are needed: gate baseline record few --runs 8$'

script bare </dev/null
run gate baseline lint --tolerances bare
expect_out_match '^bare .* no baseline: gate baseline record bare --runs 8 makes a candidate$'
run gate baseline import train.log --case bare --platform cpu
run gate baseline lint --tolerances bare
expect_out_match '^bare .* no baseline: gate baseline accept bare --reason "..." takes its candidate$'
rm -r scripts/bare.sh .gate/candidates

# --- a tolerance that is too tight: what it does, what fits, what becomes of the red run ---
remember c "${restless[@]}" "${restless[@]}"
expect_exit 1 gate baseline lint --tolerances c
expect_out_match '^c +cpu +throughput +-5% +[0-9.]+ % +-8.[0-9]% +0\.[0-9]+ % +[0-9.]+ % +fitted on 21 runs, 0 of 20 later ones beyond$'
expect_out_match '^c  throughput: no longer red: c-13, c-33$'
expect_last_line '^RED: 1 of 1 rule above 1 % false failures \(exit 1\)$'
expect_exit 1 gate baseline lint --tolerances c --json
cp "$WORK/.last/out" fit.json
expect_json fit.json '.rules[] | select(.rule == "throughput") | .false_failure_rate > 0.01 and .fitted_rate < 0.01
  and .later == 20 and .no_longer_red == ["c-13", "c-33"] and .still_red == []'

# --- gate.toml: a table at the end, then in place; what else stands there stays ---
expect_exit 2 gate baseline lint --write
expect_exit 2 gate baseline lint --tolerances --write c --set 'rules.throughput.tolerance=-6%'
expect_err 'leave --set out'
printf '# mine\n[suite]\nenvironment = "" # none\n' >gate.toml
cp gate.toml before.toml
expect_exit 0 gate baseline lint --tolerances --write c
expect_out_match '^c  throughput: written to gate.toml: "-8.[0-9]%"$'
head -3 gate.toml >head.toml
expect_same head.toml before.toml
expect_file gate.toml '[case."c"]'
grep -qE '^# gate baseline lint --tolerances, 20[0-9-]+: fitted on 21 runs, 0 of 20 later ones beyond; ' gate.toml || broken 'no comment'
expect_exit 0 gate baseline lint --tolerances c
expect_last_line '^GREEN: 1 rule within 1 % false failures \(exit 0\)$'
cp gate.toml once.toml
expect_exit 0 gate baseline lint --tolerances --write c
expect_same gate.toml once.toml
sed -i 's/"-8.[0-9]%"/"-2%" # too tight/' gate.toml
expect_exit 0 gate baseline lint --tolerances --write c
sed 's/ # too tight//; s/[0-9.e+]* % with.*/-/' gate.toml >twice.toml
sed 's/[0-9.e+]* % with.*/-/' once.toml >wanted.toml
expect_same twice.toml wanted.toml

# --- what a person wrote in another way is theirs; nothing is written ---
printf '[case."c"]\nrules.throughput = { tolerance = "-5%%" }\n' >gate.toml
cp gate.toml before.toml
expect_exit 1 gate baseline lint --tolerances --write c
expect_out_match 'gate.toml:2:[0-9]+: to be changed by hand: case.c.rules.throughput.tolerance = "-8'
expect_same gate.toml before.toml
printf '[case."c"]\n[case."*"]\nrules.throughput.tolerance = "-5%%"\n' >gate.toml
cp gate.toml before.toml
expect_exit 1 gate baseline lint --tolerances --write c
expect_out 'has the last word'
expect_same gate.toml before.toml
rm gate.toml

# --- a rule holds at each place; a file keeps its mode ---
expect_exit 2 gate baseline lint --tolerances --write --platform cpu c
expect_err 'a rule holds at each place of its case; leave --platform and --environment out'
: >gate.toml && chmod 600 gate.toml
expect_exit 0 gate baseline lint --tolerances --write c
[[ $(stat -c %a gate.toml) == 600 ]] || broken "gate.toml has the mode $(stat -c %a gate.toml)"
rm gate.toml

# --- a steady case is offered a tighter one; a regression that was red stays red, and widens nothing ---
rm -r .gate
steady=(100.1 99.9 100.2 99.7 100.0 100.3 99.8 100.1 99.9 100.0)
remember c "${steady[@]}" 92.0 "${steady[@]}" "${steady[@]}" "${steady[@]}"
expect_exit 0 gate baseline lint --tolerances c
expect_out_match '^c +cpu +throughput +-5% +< 0.01 % +-0\.[0-9]+% '
expect_out_match '^c  throughput: red as before: c-10$'
expect_out_match '^c  throughput: 1 run apart from the others, left out of the fit$'

# --- a level that changed is no noise ---
rm -r .gate
remember c "${steady[@]}" "${steady[@]}" 98.1 97.9 98.2 97.7 98.0 98.3 97.8 98.1 97.9 98.0 98.1 97.9 98.2 97.7 98.0 98.3 97.8 98.1
expect_exit 0 gate baseline lint --tolerances c
expect_out_match '^c  throughput: the level is -[12].* % off the baseline'
