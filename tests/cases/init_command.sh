# gate init NAME -- COMMAND: from the command of a training to the first green and red; where it fails, nothing half-written.
. "$(dirname "$0")/_lib"

# fresh NAME: an empty folder with a trainer, train SHIFT: 20 lines that no format knows
fresh() {
  mkdir -p "$WORK/$1" && cd "$WORK/$1"
  printf 'for i in {1..20}; do echo "it $i | ce=4.$((300 - i + ${1:-0})) | acc 0.$((400 + i))"; done\n' >train
}

# no_case CODE ERROR COMMAND...: fails so, and leaves no script, rules or candidate; the log is named if there was a run
no_case() {
  local code=$1 said=$2
  shift 2
  expect_exit "$code" gate init gpt -- "$@"
  expect_err "$said"
  refute_file gate.toml
  refute_file scripts
  refute_file .gate/candidates/cpu/gpt.json
}

# --- from nothing to green and red ---
fresh first
expect_exit 0 gate init gpt -- bash train
expect_err 'it 20 | ce=4.280 | acc 0.420'
expect_out 'wrote scripts/gpt.sh'
expect_out 'candidate of gpt: acc steps 1-20, ce steps 1-20'
expect_out 'gate baseline accept gpt --reason "first numbers"'
expect_same <(cut -d' ' -f1-2 .gate/latest/gpt/log.txt | tail -n 1) <(echo it 20)
expect_exit 0 gate baseline accept gpt --reason "first numbers"
expect_exit 0 gate run gpt
expect_last_line '^GREEN: 1 passed'
expect_exit 1 gate run gpt -- 500
expect_out_match '^  ce  20 of 20 steps '
expect_out "differs  from the baseline's run: ARGS none -> 500"

# --- the name is taken; a suite that is there gets a further case, from whatever folder ---
expect_exit 3 gate init gpt -- bash train
expect_err 'scripts/gpt.sh: is there and is not overwritten'
mkdir -p below && cp train below/own && cp gate.toml "$WORK/before"
cd below && expect_exit 0 gate init deep/two -- bash own && cd ..
expect_same gate.toml "$WORK/before"
expect_file .gate/candidates/cpu/deep/two.json '"ce"'
expect_exit 3 gate init three -- bash -c 'for i in {1..9}; do echo "zz=$i"; done'
expect_err 'scripts/three.sh is written, but no rule of gate.toml is on what it printed'
expect_file scripts/three.sh

# --- words come to the command as they are ---
fresh words
printf '%s\n' 'for word; do echo "step $((++i)) loss=2.5 of <$word>"; done' >show
words=(a\ b 'c$d `e`' "q'q" $'two\nlines' '训练' '*' '!x' '~' '' '#GATE devices=3')
expect_exit 0 gate init 词/gpt -- env A=1 bash show "${words[@]}"
cp .gate/latest/词/gpt/log.txt log
bash show "${words[@]}" >direct
expect_same log direct
(cd / && bash "$WORK/words/scripts/词/gpt.sh") >by_hand
expect_same log by_hand
expect_exit 0 gate init gpt --dry-run -- echo 'a b'
expect_last_line "^echo 'a b' \"\\\$@\"\$"
refute_file scripts/gpt.sh

# --- a known format, and a bar that is drawn over itself ---
fresh known
megatron_log 9.1 8.2 8.1 8.0 >lines
expect_exit 0 gate init gpt -- cat lines
expect_out 'lm_loss steps 1-4, throughput steps 1-4'
! grep -q pattern gate.toml || broken 'a pattern for a known format'
fresh bar
expect_exit 0 gate init gpt -- bash -c 'for i in {1..9}; do printf "\r%d%%|##| %d/9 [00:01<00:02, 9.5it/s, loss=2.%d]" $i $i $i; done'
expect_out 'lm_loss steps 1-9'

# --- what fails leaves its log alone ---
fresh bad
no_case 4 'no case is made of the command: scripts/gpt.sh is gone again, the log stays: .gate/runs/' bash -c 'echo step 1 loss=2; exit 3'
expect_out 'exited 3'
expect_file .gate/latest/gpt/log.txt 'step 1 loss=2'
no_case 4 'is gone again' no-such-program --x
expect_out 'exited 127: the shell did not find a command: no-such-program'
no_case 3 'no line has a number with a name before it' echo hello
no_case 3 'non_finite: lm_loss is nan at step 7' bash -c 'for i in {1..9}; do echo "step $i loss=$( ((i == 7)) && echo nan || echo 2.$i)"; done'
megatron_log 9.1 nan 8.1 >lines
no_case 3 'is gone again' cat lines
no_case 2 'is one word, and no program is called so' 'bash train --x'
no_case 2 'first word is empty' ''

# --- Ctrl-C ends all that it started ---
gate init gpt -- bash -c 'trap "" INT; echo "step 1 loss=2"; sleep 1234 & echo $! >pid; wait' >"$WORK/.last/out" 2>"$WORK/.last/err" &
wait_for test -s pid
kill -INT $!
wait $! && code=0 || code=$?
((code == 130)) || broken "exit code $code after Ctrl-C"
expect_err 'is gone again'
refute_file scripts
! kill -0 "$(<pid)" 2>/dev/null || broken 'a process is left'

# --- names, and words that are missing ---
for name in ../x 'a b' '*' /abs _x a//b $'a\nb' a@b; do
  expect_exit 2 gate init "$name" -- bash train
  refute_file scripts
done
expect_exit 2 gate init -- bash train
expect_err 'name it: gate init NAME -- COMMAND...'
expect_exit 2 gate init train.log
expect_err 'init train.log: no such log; a command becomes a case by gate init train.log -- COMMAND...'
expect_exit 2 gate run
expect_err 'gate init NAME -- COMMAND makes one'
expect_exit 2 gate
expect_out 'Usage: gate'
if ((EUID != 0)); then
  chmod 555 . && no_case 125 'Permission denied' bash train
  chmod 755 .
fi
