# gate compare diffs two runs, logs or baselines: what differs first, by how much, and what only one has.
. "$(dirname "$0")/_lib"

json() { expect_json "$WORK/.last/out" "$1"; }

# --- logs, outside any suite -----------------------------------------------------------------------

megatron_log 10.5 10.4 10.3 10.2 >a.log
megatron_log 10.5 10.4 10.31 - 10.0 >b.log
expect_exit 0 gate compare a.log b.log
expect_out 'A  log a.log'
expect_out_match '^lm_loss  *4  *mean of 1-3  *10\.4  *10\.4033  *\+0\.0321 %  *step 3$'
expect_out_match '^grad_norm  *4  *mean of 1-4  *1\.5  *1\.5  *0 %  *equal at all 4 steps$'
expect_out 'lm_loss: differs at 2 of 4 steps; first step 3: 10.3 -> 10.31 (+0.01); beyond ±0.01 of rule lm_loss from step 4: 10.2 -> left out'
expect_out '1 step only in B: 5'
expect_out 'lm_loss: in B left out at 4'
[[ $(sed -n '/^metric/{n;s/ .*//p}' "$WORK/.last/out") == lm_loss ]] || broken "what is farthest apart is not first: $(<"$WORK/.last/out")"
expect_last_line '^DIFFERENT: 10 of 10 metrics, first at lm_loss step 3$'
sed 's/loss: 10.3 /loss: nan /' a.log >nan.log
expect_exit 0 gate compare a.log nan.log
expect_out_match '^lm_loss  *4  .* 10.3667  *10.3667  *nan  *step 3$'
expect_exit 0 gate compare a.log a.log
expect_last_line '^SAME: 10 metrics$'
expect_exit 0 gate compare -q a.log b.log
refute_out grad_norm
gzip -k a.log && mkdir logs && cp b.log logs/
expect_exit 0 gate compare a.log.gz logs --json
json '.schema == "gate.comparison/1" and .comparable and (.same | not) and .b == {word: "logs", kind: "log", path: "logs"}'
json '.cases[0].series[] | select(.metric == "lm_loss") | .first == {number: 3, a: "10.3", b: "10.31", delta: "+0.01"} and
  .common == 4 and .equal == 2 and .only_b == "5" and .beyond.number == 4 and .not_finite_b == "left out at 4"'
expect_exit 0 bash -c '"$GATE" compare - b.log <a.log'
expect_last_line '^DIFFERENT: 10 of 10'
sed 's/10.3/10.30/' a.log >zeros.log
expect_exit 0 gate compare a.log zeros.log
expect_last_line '^SAME'

# Several sides, each beside the first: tables of their own, and on the page one chart of all.
sed 's/loss: 10.2/loss: 10.5/' a.log >c.log
expect_exit 0 gate compare a.log b.log c.log --report html=page.html
expect_out_match '^B beside A$'
expect_out_match '^metric  *both  *value  *A  *C  *delta  *first difference$'
expect_out_match '^lm_loss  *4  .* step 4$'
expect_out_match '^B  DIFFERENT: 10 of 10 metrics, first at lm_loss step 3$'
expect_last_line '^C  DIFFERENT: 1 of 10 metrics, first at lm_loss step 4$'
expect_file page.html '"name":"C","run":true,"side":3'
expect_exit 0 gate compare a.log a.log c.log --json
json '.same and (.further | length == 1) and (.further[0] | .same == false and .b.word == "c.log")'
expect_exit 0 gate compare a.log a.log a.log --determinism
expect_exit 1 gate compare a.log a.log c.log --determinism
megatron_log --from 50 1.5 >late.log
expect_exit 3 gate compare a.log b.log late.log
expect_last_line '^C  NOT COMPARABLE'

# What a rule with a constant reduces, too, is shown as it reduces it; each side has its curves in the overview.
suite reduced
megatron_log --throughput "$(seq -s, 101 120)" 2.{1..9}0 3.{1..9}0 4.10 4.20 >a.log
megatron_log --throughput "150,150,150,$(seq -s, 104 120)" 2.{1..9}0 3.{1..9}0 4.10 4.20 >b.log
cat >gate.toml <<'TOML'
[metrics.twice]
formula = "throughput * 2"
[rules.twice]
tolerance = ">= 10"
reduce = "mean"
window = "last 5"
TOML
script c </dev/null
script d </dev/null
expect_exit 0 gate compare a.log b.log --case c
expect_out_match '^twice  *20  *mean of 16-20  *236  *236  *0 %  *step 1$'
cd ..

# Ranks in one row; one that only one side has is listed.
megatron_log --memory 0:100.0:110.0 --memory 1:100.0:110.0 1.5 1.4 >two.log
megatron_log --memory 0:100.0:110.0 --memory 1:101.0:111.0 --memory 2:100.0:110.0 1.5 1.4 >three.log
expect_exit 0 gate compare two.log two.log
expect_out_match '^memory_allocated ranks 0, 1  *1  *mean of 1  *100 .* equal$'
expect_exit 0 gate compare two.log three.log
expect_out_match '^memory_allocated rank 1  *1  *mean of 1  *100  *101  *\+1 %  *report 1$'
expect_out 'only in B: memory_allocated rank 2, memory_max_allocated rank 2, '
expect_last_line 'first at memory_allocated rank 1 report 1; 4 series only in B$'

# Another tool's golden file.
printf '{"lm loss": {"start_step": 1, "end_step": 4, "step_interval": 1, "values": {"1": 10.5, "2": 10.4, "3": 10.3, "4": 10.2}}}\n' >golden.json
expect_exit 0 gate compare golden.json b.log
expect_out 'A  baseline golden.json'
expect_out_match '^lm_loss  *4  .* step 3$'
expect_exit 0 gate compare golden.json a.log --json
json '.cases[0].series | length == 1 and .[0].equal == 4'

# Nothing in common.
expect_exit 3 gate compare a.log late.log
expect_last_line '^NOT COMPARABLE: no metric has a number that both have$'
expect_exit 3 gate compare a.log late.log --json
json '.comparable | not'

# --- runs, cases, baselines ------------------------------------------------------------------------

suite
for case in c d/e; do
  script "$case" <<'END2'
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && while [[ ! -f loss ]]; do cd ..; done && pwd)
for step in 1 2 3 4 5 6; do
  loss=2.500000E+00
  [[ $step -lt 3 || $0 == *e.sh ]] || loss=$(<"$root/loss")
  printf ' iteration %d/ 6 | elapsed time per iteration (ms): 500.0 | lm loss: %s |\n' "$step" "$loss"
done
END2
done
echo 2.500000E+00 >loss
expect_exit 3 gate run
expect_exit 0 gate baseline accept c d/e --run "$(latest)" --reason first
expect_exit 0 gate run
green=$(latest)
expect_exit 0 gate run
again=$(latest)
expect_exit 0 gate compare "$green" "$again"
expect_out "A  run $green (.gate/runs/$green)"
expect_out 'c  passed in both'
expect_last_line '^SAME: [0-9]+ metrics in 2 cases$'
echo 2.550000E+00 >loss
mv scripts/d/e.sh scripts/new.sh && sed -i 's/e\.sh/new.sh/' scripts/new.sh
expect_exit 1 gate run c new
red=$(latest)
expect_exit 0 gate compare "$green" "$red"
expect_out 'c  passed -> regressed'
expect_out_match '^lm_loss  *6  *mean of 1-6  *2\.5  *2\.53333  *\+1\.33 %  *step 3$'
expect_out 'beyond ±0.01 of rule lm_loss from step 3: 2.500000 -> 2.550000 (+0.050000)'
expect_out 'cases only in A: d/e'
expect_out 'cases only in B: new'
expect_last_line '^DIFFERENT: 1 of [0-9]+ metrics, first at lm_loss step 3; 1 verdict changed, 1 case only in A, 1 case only in B$'
expect_exit 0 gate compare "$green" "$red" --case c --json
json '.cases | length == 1 and .[0].verdict_a == "passed" and .[0].verdict_b == "regressed"'
json '.only_a == []'

# Several runs: a case is laid over all that have it.
expect_exit 0 gate compare "$green" "$again" "$red" --report html=page.html
expect_last_line '^C  DIFFERENT: 1 of [0-9]+ metrics, first at lm_loss step 3; '
expect_file page.html 'cases only in A, and not C'

# A case is its baseline; beside it the run's case of that name counts. Folders and result.json are runs, too.
expect_exit 0 gate compare c "$red"
expect_out 'A  baseline c (baselines/cpu/c.json)'
expect_out 'c  regressed in B'
expect_exit 0 gate compare ".gate/runs/$red/" baselines/cpu/c.json
expect_last_line '^DIFFERENT: 1 of [0-9]+ metrics, first at lm_loss step 3$'
expect_exit 0 gate compare --case c ".gate/runs/$red/result.json" ../a.log
expect_out "A  run .gate/runs/$red/result.json (.gate/runs/$red)"
expect_exit 0 gate compare ".gate/runs/$red/c/log.txt" baselines/cpu/c.json
expect_last_line 'first at lm_loss step 3$'
expect_exit 0 gate compare scripts/c.sh d/e # a script is its case
expect_out 'B  baseline d/e (baselines/cpu/d/e.json)'
expect_out 'note: B is of case d/e; settings and rules are those of c'

# A file wins over a run and a case of its name.
cp ../a.log c
expect_exit 0 gate compare c ../a.log
expect_out 'A  log c'
expect_last_line '^SAME'
rm c

# --- the page --------------------------------------------------------------------------------------

expect_exit 0 gate compare "$green" "$red" --report html=page.html
expect_file page.html 'DIFFERENT: 1 of'
expect_file page.html '"first difference"'
expect_file page.html '2.55'
expect_exit 2 gate compare "$green" "$red" --report html=loss/page.html
expect_err "loss/page.html: there is no folder loss"

# --- mistakes --------------------------------------------------------------------------------------

expect_exit 2 gate compare "$green"
expect_err 'name two or more'
expect_exit 2 gate compare "$green" nix
expect_err '"nix": no file or folder, no run in .gate/runs; no case "nix"'
expect_exit 2 gate compare "$green" ../a.log
expect_err 'has 2 cases (c, d/e); say which one is meant with --case'
expect_exit 2 gate compare "$green" "$red" --case d/e
expect_err "d/e: not a case of run $red"
expect_exit 2 gate compare - -
expect_err 'standard input can be one of the sides'
expect_exit 2 gate compare c d/e --platform nvidia-h100
expect_err 'has no baseline for nvidia-h100'
echo '{"schema": "gate.baseline/1", "runs"' >torn.json
expect_exit 2 gate compare torn.json c
expect_err 'torn.json:2:1: not JSON'
rm -r ".gate/runs/$again/c"
expect_exit 0 gate compare "$green" "$again"
expect_out "note: $again: the run kept no series of this case"

# --- what is hostile is shown ----------------------------------------------------------------------

evil=$'\e[31m##[error]<img src=x>.log'
cp ../a.log "$evil"
expect_exit 0 gate compare "$evil" ../b.log --report html=page.html
refute_out $'\e'
refute_out '##['
expect_file page.html '&lt;img src=x&gt;'
expect_exit 0 gate compare "$evil" ../b.log --json
refute_out '##['
json '.a.word | contains("##[error]")'
expect_exit 2 gate compare $'no\e]0;x\a' ../b.log
refute_err $'\e'
