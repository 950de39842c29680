# Custom logs: from `gate init LOG` to `gate check` without an edit, in whatever shape they are.
. "$(dirname "$0")/_lib"
shopt -s lastpipe  # what stands behind a pipe is done here

# begins NAME: reads lines from standard input, and makes a gate.toml of them in a folder of its own
begins() {
  mkdir -p "$WORK/$1" && cd "$WORK/$1" && cat >train.log
  expect_exit 0 gate init train.log
  expect_out "gate check NEW.log --baseline train.log"
  expect_exit 0 gate check train.log --baseline train.log
  expect_last_line '^GREEN: 1 passed'
}

# catches SED METRIC: the log with that change is red for that metric
catches() {
  sed "$1" train.log >new.log
  ! cmp -s train.log new.log || broken "nothing is changed"
  expect_exit 1 gate check new.log --baseline train.log
  expect_out_match "^  $2 "
}

# --- names and numbers: all of the line, the loss before the memory that is free ---
for i in {10..49}; do echo "2026-01-01 10:00:$i INFO - iter $i: avail_mem 31.5, train loss 2.$i, acc 0.5$i, 312.5 ms, 12$i tok/s"; done | begins words
expect_file gate.toml '[metrics.lm_loss]'
expect_file gate.toml '[metrics.avail_mem]'
expect_file gate.toml 'better = "higher"    # guessed'
expect_file gate.toml 'unit = "tok/s"    # guessed'
expect_file gate.toml 'tolerance = "±0.01 or ±2%"    # guessed'
catches 's/loss 2.45/loss 4.90/' lm_loss
catches 's/ 12\([0-9]*\) tok/ 6\1 tok/' tok_per_second
catches 's/mem 31.5/mem 11.0/' avail_mem
expect_exit 3 gate init train.log
expect_err 'is not overwritten'
rm gate.toml
expect_exit 3 gate extract train.log
expect_out '[metrics.lm_loss] pattern'
expect_out 'gate init train.log'

# --- other shapes ---
for i in {1..40}; do echo "step=$i loss=2.$((100 + i)) lr=1.0e-04 grad_norm=1.$((100 + i))"; done | begins equals
catches 's/^\(step=33 loss=\)2/\15/' lm_loss
catches 's/lr=1.0e-04/lr=2.0e-04/' learning_rate
for i in {1..40}; do echo "{\"step\": $i, \"loss\": 2.$((100 + i)), \"val\": {\"ppl\": 9.$((100 + i))}}"; done | begins json
catches 's/"ppl": 9.133/"ppl": 18.2/' val_ppl
for i in {1..40}; do
  echo "{\"split\": \"train\", \"step\": $i, \"loss\": 2.$((100 + i))}"
  ((i % 5)) || echo "{\"split\": \"valid\", \"step\": $i, \"loss\": 3.$((100 + i))}"
done | begins json_split
expect_file gate.toml 'formats = ["none"]'
catches 's/loss": 2.133/loss": 4.266/' lm_loss
catches 's/loss": 3.135/loss": 6.27/' validation_loss
for i in {1..40}; do echo "{'loss': 2.$((100 + i)), 'grad_norm': 1.5, 'learning_rate': 1e-05, 'epoch': 0.$((100 + i))}"; done | begins trainer
catches "s/'loss': 2.133/'loss': 4.266/" lm_loss
{ echo "| step | loss | acc |"; echo "|------|------|-----|"; for i in {1..40}; do echo "| $i | 2.$((100 + i)) | 0.$((500 + i)) |"; done; } | begins table
catches 's/ 2.133/ 4.266/' lm_loss
for i in {1..40}; do printf '\r%3d%%|####| %d/40 [00:01<00:02,  9.5it/s, loss=2.%d]' $((i * 100 / 40)) "$i" $((100 + i)); done | begins bar
catches 's/loss=2.133/loss=4.266/' lm_loss

for i in {1..40}; do echo "step $i: loss=2.$((100 + i)) mem=23.1GiB free=9.5 GiB"; done | begins memory
expect_exit 0 gate extract train.log
expect_out_match '^mem +step 1-40 +23654.4 .* MiB$'
expect_out_match '^free +step 1-40 +9.5 .* GiB$'
catches 's/mem=23.1GiB/mem=31.1GiB/' mem

# --- several ranks print their steps: each metric by rank, with the rules of one rank ---
# by_ranks NAME LINE: begins with a log of 2 ranks and 40 steps; in the line R is the rank, S the step, V differs
by_ranks() {
  local step rank line
  for step in {1..40}; do for rank in 0 1; do
    line=${2/R/$rank} line=${line/S/$step}
    echo "${line//V/$((100 + step + rank))}"
  done; done | begins "$1"
  expect_exit 0 gate extract train.log
  refute_out conflict
}
by_ranks bracketed '10:00:01 [rankR] it=S xent=4.V tokens_s=24V hbm_gb=31.25'
expect_out_match '^xent +0 +step 1-40 +4.101 +4.140 '
expect_out_match '^xent +1 +step 1-40 +4.102 +4.141 '
expect_out_match '^hbm_gb +1 +step 1-40 .* GB$'
expect_file gate.toml 'tolerance = "-5%"    # guessed'
expect_file gate.toml 'tolerance = "+10%"    # guessed'
catches 's/\(rank1. it=33 xent=\)4/\18/' xent
refute_out 'lm_loss'
expect_exit 1 gate check new.log --baseline train.log --json
jq -e '.cases[0].ungated | any(.metric == "lm_loss" and .absent)' "$WORK/.last/out" >/dev/null
printf '[rules.lm_loss]\nwindow = "all"\n' >>gate.toml
expect_exit 1 gate check new.log --baseline train.log
expect_out 'ungated  lm_loss: not in the baseline'
catches 's/\(rank1.* hbm_gb=\)31/\136/' hbm_gb
rm gate.toml
expect_exit 3 gate extract train.log
expect_out '[metrics.xent] pattern = '
expect_out '(?P<rank>\d+)'
by_ranks ranks_equals 'rank=R step=S loss=2.V'
expect_out_match '^lm_loss +1 +step 1-40 '
by_ranks ranks_bars 'rank R | step S | loss 2.V | mem 31.25 GiB'
expect_out_match '^mem +1 +step 1-40 '
by_ranks ranks_prefixed '[defaultR]: step S loss 2.V'
expect_out_match '^lm_loss +1 +step 1-40 '
by_ranks ranks_labelled 'R: step S loss 2.V'
expect_out_match '^lm_loss +1 +step 1-40 '
by_ranks ranks_number '[R] step S loss 2.V mem=31.25GiB'
expect_out_match '^mem +1 +step 1-40 '
by_ranks devices 'npu:R step S loss 2.V'
expect_out_match '^lm_loss +1 +step 1-40 '
for r in 0 1; do for i in {1..40}; do echo "[rank$r] step $i loss 2.$((100 + i + r))"; done; done | begins ranks_in_turn
expect_exit 0 gate extract train.log
expect_out_match '^lm_loss +1 +step 1-40 '
{ echo "| step | rank | ce | tok_per_sec | peak_mib |"; for i in {1..40}; do for r in 0 1; do echo "| $i | $r | 4.$((100 + i + r)) | 24$((100 + i + r)) | 31250 |"; done; done; } | begins rank_table
expect_exit 0 gate extract train.log
refute_out 'pattern.rank'
refute_out conflict
expect_out_match '^ce +1 +step 1-40 +4.102 '
expect_out_match '^peak_mib +1 +step 1-40 .* MiB$'
catches 's/^\(| 33 | 1 | \)4/\18/' ce
catches 's/ 31250 / 38000 /' peak_mib

# --- what a mistaken pattern makes of them is told in few lines; nothing explains what was not run ---
sed -i 's/(?P<rank>/(?:/' gate.toml
expect_exit 0 gate extract train.log
expect_out_match '^  conflict  and 72 more; -v shows them$'
expect_exit 0 gate extract -v train.log
[[ $(grep -c '^  conflict  ' "$WORK/.last/out") == 80 ]]
refute_out 'more; -v'
expect_exit 2 gate explain train
expect_err 'yet; start one with gate run; a saved log is explained by gate check -v or gate check --report html=FILE'

# --- the metric that a formula means ---
printf '[metrics.share]\nformula = "tok_per_sec / peak"\n' >>gate.toml
expect_exit 2 gate list
expect_err 'unknown metric "peak" at character 15; did you mean "peak_mib"?'

# --- a number that only looks like a rank is none ---
for i in {1..40}; do echo "step $i loss 2.$((100 + i)) gpu $((40 + i % 7))"; done | begins heats
! grep -F '(?P<rank>' gate.toml || broken 'a pattern with a rank'
for e in 0 1; do for i in {1..40}; do echo "[$e] step $i loss 2.$((100 + i + e))"; done; done | begins bracketed_epochs
! grep -F '(?P<rank>' gate.toml || broken 'a pattern with a rank'
for i in {1..40}; do echo "rank=16 step $i loss 2.$((100 + i))"; done | begins adapters
! grep -F '(?P<rank>' gate.toml || broken 'a pattern with a rank'

# --- steps that begin anew with each epoch are numbered through; of `2.3 (2.4)` the first is the value ---
for e in 1 2; do for i in 10 20 30; do echo "Epoch $e [$i/100] loss 2.$e$i (2.4$i)"; done; done | begins epochs
expect_exit 0 gate extract train.log
expect_out_match '^lm_loss +step 10, 20, 30, 110, 120, 130 +2.110 +2.230 '
catches 's/loss 2.230/loss 4.46/' lm_loss

# --- lines of another kind with the same names are left out ---
for i in {1..40}; do echo "train step $i loss 2.$((100 + i))"; ((i % 10)) || echo "eval step $i loss 3.$((100 + i))"; done | begins kinds
refute_out 'printed as'
catches 's/^train step 40 loss 2/train step 40 loss 4/' lm_loss

# --- training and validation in lines of their own, below a line with the epoch ---
for i in {1..10}; do printf 'Epoch: %d/10\nTrain Loss: 2.%d - Train Perplexity: 9.%d\nValid Loss: 3.%d\n' "$i" $((100 + i)) $((100 + i)) $((100 + i)); done | begins blocks
catches 's/Train Loss: 2.107/Train Loss: 4.214/' lm_loss
catches 's/Valid Loss: 3.107/Valid Loss: 6.214/' validation_loss
expect_out_match 'step 7: 3.107 -> 6.214'
sed '/^Epoch: 7/,+2d' train.log >new.log
expect_exit 4 gate check new.log --baseline train.log
expect_out 'missing step 7 of 10'

# --- steps that begin anew, in epochs whose length is not told ---
for e in 1 2; do for i in {1..10}; do echo "epoch $e iter $i nll 2.$((100 + e * 10 + i))"; done; done | begins iterations
expect_exit 0 gate extract train.log
expect_out_match '^nll +step 1000001-1000010, 2000001-2000010 +2.111 +2.130 '
catches 's/^\(epoch 2 iter 3 nll \)2/\14/' nll

# --- columns with empty cells; objects whose step has a name of its own; the last drawing of a bar ---
{ echo "it,xent,dev_xent"; for i in {1..20}; do ((i % 5)) && echo "$i,2.$((100 + i))," || echo "$i,,3.$((100 + i))"; done; } | begins columns
expect_exit 0 gate extract train.log
expect_out_match '^xent +step 1-4, 6-9, 11-14, 16-19 '
catches 's/^7,2.107/7,4.214/' xent
catches 's/^10,,3.110/10,,6.220/' dev_xent
for i in {1..20}; do echo "{\"upd\": $i, \"train\": {\"nll\": 2.$((100 + i)), \"wps\": 40$((100 + i))}}"; done | begins objects
expect_file gate.toml 'step = "upd"'
catches 's/"nll": 2.107/"nll": 4.214/' train_nll
catches 's/"wps": 4/"wps": 3/' train_wps
for i in {1..20}; do printf '\rfit %d/20 xent=7.5\rfit %d/20 xent=2.%d' "$i" "$i" $((100 + i)); done | begins drawings
expect_exit 0 gate extract train.log
expect_out_match '^xent +step 1-20 +2.101 +2.120 '
catches 's/xent=2.107/xent=4.214/' xent

# --- a clock since the start has no rule, and is said; so does what is the same in all lines ---
for i in {1..20}; do echo "[src/train.py:88] it $i xent 2.$((100 + i)) elapsed $((i * 3)).$((i % 5)) s, total time $((i * 31))00 ms, workers 8"; done | begins clocks
expect_file gate.toml '# - elapsed has no rule: '
expect_file gate.toml '# - workers has no rule: it is the same in all lines'
! grep -F '[metrics.elapsed]' gate.toml || broken 'a clock has a pattern'
catches 's/ xent 2.107/ xent 4.214/' xent

# --- a doubled loss is red wherever it stands; nan is red ---
for i in {1..40}; do echo "step $i: loss 2.$((100 + i))"; done | begins plain
catches '40s/loss 2/loss 4/' lm_loss
catches '40s/loss 2.*/loss nan/' lm_loss

# --- beside scripts: a suite that judges the log; nothing to read is said ---
cd "$WORK" && mkdir -p suite/scripts && cp plain/train.log suite/ && cd suite && echo 'cat train.log' >scripts/c.sh
expect_exit 3 gate run
refute_out 'before its first step'
expect_out 'gate init .gate/runs/'
expect_exit 0 gate init train.log
expect_exit 0 gate baseline import train.log --case c --accept --reason first
expect_exit 0 gate run
sed -i '40s/loss 2/loss 4/' train.log
expect_exit 1 gate run
cd "$WORK" && mkdir none && cd none && echo hello >words.log
expect_exit 3 gate init words.log
expect_err 'words.log: no line has a number with a name before it'
refute_file gate.toml
expect_exit 2 gate init gone.log
expect_exit 2 gate init -

# --- several named groups in one pattern; metrics of another file, outside any suite ---
cd "$WORK" && mkdir groups && cd groups
for i in {1..20}; do echo "s$i l 2.$((100 + i)) a 0.$((500 + i))"; done >a.log
sed 's/^s20 l 2/s20 l 4/' a.log >b.log
cat >own.toml <<'END'
[metrics.lm_loss]
pattern = '^s(?P<step>\d+) l (?P<value>\S+) a (?P<acc>\S+)'
[metrics.acc]
better = "higher"
unit = "share"
[rules.lm_loss]
window = "all"
[rules.acc]
window = "all"
reduce = "mean"
tolerance = "-1%"
END
expect_exit 0 gate extract a.log --metrics-from own.toml
expect_out_match '^acc +step 1-20 .* share$'
expect_out_match '^lm_loss +step 1-20 '
expect_exit 0 gate check a.log --baseline a.log --metrics-from own.toml
expect_out_match '^passed a.log  lm_loss 20 steps, acc '
expect_exit 1 gate check b.log --baseline a.log --metrics-from own.toml
expect_exit 0 gate compare a.log b.log --metrics-from own.toml
expect_out_match '^lm_loss +20 '
expect_exit 2 gate check a.log --baseline a.log --metrics-from gone.toml
expect_exit 2 gate extract a.log --metrics-from a.log
expect_err 'a.log:1:'
