# A chain of cases through the real binary: weights are converted, trained from, and evaluated; what is held back, told,
# stopped, taken up again, and said of it by plan, list, JUnit and status.
. "$(dirname "$0")/_lib"

suite
cat >gate.toml <<'TOML'
[suite]
name = "chain"
[case."*"]
sample = 0
[case."eval/gsm8k"]
after = ["train"]
TOML
script convert <<'SH'
#GATE judge=exit devices=0 artifacts={scratch}/*.bin
echo weights >"$GATE_SCRATCH/model.bin"
echo here >"$GATE_LAUNCH_DIR/left.txt"
[[ ! -e $WORK/break ]]
SH
script train <<'SH'
#GATE judge=exit devices=0 after=convert tags=slow
set -e
cat "$GATE_AFTER_CONVERT/artifacts/model.bin" "$GATE_AFTER_CONVERT/left.txt"
[[ -z ${GATE_AFTER_TRAIN+set} ]]
SH
script eval/gsm8k <<'SH'
#GATE judge=exit devices=0
grep -q weights "$GATE_AFTER_TRAIN/log.txt" && grep -q here "$GATE_AFTER_TRAIN/log.txt"
SH
printf '#GATE judge=exit devices=0\n' | script other
export WORK

# --- a chosen case takes along what it comes after; the plan says so ---
expect_exit 0 gate list
expect_out_match '^case .* after$'
expect_out_match '^train .* convert$'
expect_exit 0 gate run --dry-run eval/gsm8k
expect_out 'takes convert along: train comes after it'
expect_out 'takes train along: eval/gsm8k comes after it'
refute_out other
expect_exit 0 gate run eval/gsm8k
expect_last_line '3 passed.*exit 0'
expect_out 'takes convert along'
expect_exit 0 gate run --tag slow
expect_last_line '2 passed.*exit 0'
expect_exit 0 gate run --jobs 4
expect_last_line '4 passed.*exit 0'

# --- all of a chain is in one shard ---
for n in 1 2 3; do
  run gate run --shard $n/3 eval/gsm8k other --dry-run
  [[ $(<"$WORK/.last/out") != *train* ]] || { expect_out eval/gsm8k && expect_out 'takes convert along'; }
done

# --- what is said with names is for those that they name, also when it is run again ---
printf '#GATE judge=exit devices=0 after=other\necho "said <$*> <$SAID>"; exit "${SAID:-0}"\n' | script said
printf '#GATE judge=exit devices=0\necho "said <$*> <$SAID>"\n' | script other
expect_exit 4 gate run said --env SAID=3 --set timeout=7m -- --lr 2
expect_file .gate/latest/said/log.txt 'said <--lr 2> <3>'
expect_file .gate/latest/other/log.txt 'said <> <>'
expect_json .gate/latest/result.json '[.cases[] | [.case, .args]] == [["other", []], ["said", ["--lr", "2"]]]'
expect_exit 0 gate run --again --env SAID=0
expect_out 'takes other along: said comes after it'
expect_file .gate/latest/said/log.txt 'said <--lr 2> <0>'
expect_file .gate/latest/other/log.txt 'said <> <>'
rm scripts/said.sh

# --- without what it comes after: the script's own business ---
expect_exit 4 gate run train --set after=
expect_last_line '1 crashed'

# --- what did not pass holds back all that comes after it ---
touch "$WORK/break"
expect_exit 4 gate run --report junit=held.xml --report json=held.json --jobs 3
expect_json held.json '[.cases[] | {(.case): .verdict}] | add ==
  {convert: "crashed", "eval/gsm8k": "not_run", other: "passed", train: "not_run"}'
expect_json held.json '.cases[] | select(.case == "train") | .reason == "convert, which it comes after, is crashed"'
expect_json held.json '.cases[] | select(.case == "eval/gsm8k") | .reason == "train, which it comes after, is not_run"'
expect_file held.xml 'convert, which it comes after, is crashed'
refute_out 'gate run --resume'
refute_out 'not started'
expect_exit 0 gate status "$(latest)"
refute_out pending
expect_exit 3 gate run --resume
expect_err 'has finished every case'
rm "$WORK/break"
expect_exit 0 gate run --again
expect_last_line '3 passed.*exit 0'

# --- a run that was cut off within the chain goes on with the folder of the case that passed ---
script train <<'SH'
#GATE judge=exit devices=0 after=convert
[[ -e $WORK/second ]] || { touch "$WORK/second"; kill -INT $(cut -d' ' -f1 "$WORK/gate.pid"); sleep 60; }
grep -q weights "$GATE_AFTER_CONVERT/artifacts/model.bin"
SH
run bash -c 'echo $$ >"$WORK/gate.pid"; exec gate run eval/gsm8k'
[[ $code == 130 ]] || broken "ended with $code"
expect_json .gate/latest/result.json '[.cases[].verdict] == ["passed", "not_run", "interrupted"]'
sed -i 's/grep -q weights "$GATE_AFTER_TRAIN/true "$GATE_AFTER_TRAIN/; s/ && .*//' scripts/eval/gsm8k.sh
expect_exit 0 gate run --resume
expect_last_line '3 passed.*exit 0'

# --- --changed-since takes along what comes after a change, and what that comes after ---
git init -q . && echo .gate >.gitignore && git add . && git commit -qm first
expect_exit 3 gate run --changed-since HEAD
echo '# more' >>scripts/train.sh
expect_exit 0 gate run --changed-since HEAD --dry-run
expect_out 'would run convert'
expect_out 'would run eval/gsm8k'
refute_out other
expect_exit 3 gate ab HEAD HEAD --case train
expect_err 'train comes after convert, and gate ab launches one case alone'

# --- mistakes, each at its place, before anything is launched ---
sed -i 's/after = \["train"\]/after = ["trainn"]/' gate.toml
expect_exit 2 gate run other
expect_err 'gate.toml:6:9: no case "trainn"; did you mean "train"?'
sed -i 's/after = \["trainn"\]/after = ["train"]/; $a [case.convert]\nafter = ["eval/gsm8k"]' gate.toml
expect_exit 2 gate list
expect_err 'convert comes after eval/gsm8k, eval/gsm8k after train, train after convert: none of them could ever start'
