# Logs that no format knows: patterns of the command line, what is wrong with one, and one to start from.
. "$(dirname "$0")/_lib"

mkdir logs && cd logs
for i in 1 2 3 4; do echo "epoch 1 step ${i}0: loss=2.3$i acc=0.5"; done >own.log
echo "done in 12 s" >>own.log

# --- a pattern of the command line, outside any suite ---
expect_exit 0 gate extract own.log --pattern 'step (?P<step>\d+): loss=(?P<value>\S+)'
expect_out_match '^value +step 10, 20, 30, 40 +2.31 +2.34 '
expect_out 'pattern.value  4 matched'
expect_exit 0 gate extract own.log --format csv --pattern 'step (?P<step>\d+): loss=(?P<lm_loss>\S+) acc=(?P<acc>\S+)'
expect_out 'lm_loss,,10,2.31,,own.log,1'
expect_out 'acc,,40,0.5,,own.log,4'
expect_exit 0 gate extract own.log --pattern 'step (?P<step>\d+): loss=(?P<value>\S+)' --pattern 'step (?P<step>\d+).*acc=(?P<acc>\S+)'
expect_out_match '^acc +step 10, 20, 30, 40 '
megatron_log 2.5 2.4 >known.log
echo "reward 7" >>known.log
expect_exit 0 gate extract known.log --pattern 'reward (?P<reward>\S+)'
expect_out_match '^lm_loss +step 1, 2 '
expect_out_match '^reward +step 2 '
expect_exit 0 gate extract --log-format megatron known.log --pattern 'reward (?P<reward>\S+)'
expect_exit 0 gate extract --log-format none known.log --pattern 'iteration +(?P<step>\d+)/ +(?P<total>\d+)'
expect_out ': 3 lines, no known format'
expect_out_match '^total +step 1, 2 '
refute_out lm_loss
expect_exit 2 gate extract --log-format none,megatron known.log
expect_err '"none" stands alone'

# --- [defaults] formats decides for all commands; a flag decides instead ---
printf '[defaults]\nformats = "none"\n' >gate.toml
expect_exit 3 gate extract known.log
expect_out ': 3 lines, no known format'
expect_exit 0 gate extract known.log --log-format auto
expect_out 'format megatron'
expect_exit 0 gate extract known.log --log-format megatron
expect_exit 2 gate check known.log --baseline known.log
expect_err 'known.log: nothing is read of it: formats = none is set'
expect_exit 3 gate check known.log --baseline known.log --set formats=auto
expect_last_line 'unjudged'
expect_exit 0 gate init known.log --dry-run
expect_out 'formats = ["none"]'
expect_out '[metrics.lm_loss]'
printf '[defaults]\nformats = ["megatron"]\n' >gate.toml
expect_exit 0 gate extract known.log
expect_exit 3 gate extract known.log --log-format none
rm gate.toml
expect_exit 3 gate extract own.log --pattern 'nothing (?P<value>\S+)'

# --- what is wrong with a pattern, and where ---
error_is() {
  printf '%s\n' "$@" >"$WORK/.last/wanted"
  expect_same "$WORK/.last/wanted" "$WORK/.last/err"
}
expect_exit 2 gate extract own.log --pattern 'iteration:\s*(\d+'
error_is 'gate: --pattern: missing ): iteration:\s*(\d+' "  'iteration:\\s*(\\d+'" '                ^'
expect_exit 2 gate extract own.log --pattern 'ä	你(?P<value>\q+)'
error_is 'gate: --pattern: invalid escape sequence: \q' "  'ä 你(?P<value>\\q+)'" '                 ^'
expect_exit 2 gate extract own.log --pattern 'loss (\S+)'
error_is "gate: --pattern: the number needs a group of the name value: (?P<value>\\S+) in 'loss (\\S+)'"
expect_exit 2 gate extract own.log --pattern ''
cat >gate.toml <<'END'
[metrics.reward]
better = "higher"
pattern = 'reward[ (?P<value>\S+)'
[metrics.other]
pattern = '''(?P<value>\d+))'''
END
mkdir scripts baselines
expect_exit 2 gate extract own.log
error_is 'gate: gate.toml:3:11: metrics.reward.pattern: missing ]: [ (?P<value>\S+)' "  'reward[ (?P<value>\\S+)'" '         ^' \
  'gate.toml:5:11: metrics.other.pattern: unexpected ): (?P<value>\d+))' "  '(?P<value>\\d+))'" '                 ^'
expect_exit 2 gate --json extract own.log
expect_err '         ^'
cat >gate.toml <<'END'
[metrics.acc]
pattern = 'nothing (?P<value>\d+)'
END
expect_exit 0 gate extract own.log --pattern 'step (?P<step>\d+).*acc=(?P<acc>\S+)'
expect_out_match '^acc +step 10, 20, 30, 40 '
rm gate.toml

# --- an unknown log shows its shapes, and the line that it offers works as it stands ---
# offers LOG STEPS FIRST [RANK]: the command on the note reads these steps, and this value first, of that rank
offers() {
  expect_exit 3 gate extract "$1"
  sed -n 's/^note  it reads .*with numbers: //p' "$WORK/.last/out" >"$WORK/.last/offer"
  [[ -s $WORK/.last/offer ]] || broken "no command is offered"
  run bash "$WORK/.last/offer"
  ((code == 0)) || broken "the command that is offered ends with $code"
  expect_out_match "^[a-z_]+ +${4:+$4 +}step $2 +$3 "
}
offers own.log '10, 20, 30, 40' 2.31
expect_exit 3 gate extract own.log
expect_out "note  4 lines like: epoch N step N: loss=N acc=N"
expect_out "note  it reads 4 of 5 lines with numbers: gate extract --pattern '"
expect_out "[metrics.lm_loss] pattern = '''"

for i in 1 2 3; do printf '\e[32m[%s0/100]\e[0m train_loss 2.%s (2.4) lr 1e-4\n' $i $i; done >bracket.log
offers bracket.log '10, 20, 30' 2.1
for i in 1 2 3; do printf '<level=info; step=%s; loss_scale=65536.0; val_loss=9.5; loss=2.%s; note=x>\n' $i $i; done >record.log
offers record.log 1-3 2.1
for i in 1 2 3; do printf "0: [default0]: {'epoch': %s, 'lr': 0.1, 'reward': -1.%s}\n" $i $i; done >prefix.log
offers prefix.log 1-3 -1.1 0
{
  echo "Starting to train"
  echo "|  epoch |  step  |  val_loss | loss |"
  echo "|--------|--------|-----------|------|"
  for i in 8 9 10 11; do printf '|  1 | %6s |  7.5 |  2.%s |\n' $i $i; done
} >'a table.log'
offers 'a table.log' 8-11 2.8
expect_exit 3 gate extract 'a table.log'
expect_out "note  4 lines like: | N | N | N | N |"
refute_out Starting
{ echo "step,loss,acc"; for i in 1 2 3; do echo "$i,2.$i,0.5"; done; } >csv.log
offers csv.log 1-3 2.1
printf 'hello\nhello\nworld\n' >words.log
expect_exit 3 gate extract words.log
expect_out "note  2 lines like: hello"
refute_out pattern
