# A loss that goes wrong behind the steps that lm_loss compares: lm_loss_end.
. "$(dirname "$0")/_lib"
suite

# Every format that prints a loss. The test itself can fail: without the rule all is green.
expect_exit 0 python3 "$SOURCE/tests/cases/rest_of_curve.py" "$GATE"
expect_out_match '^21 formats, 0 wrong$'
mkdir blind
printf '#!/usr/bin/env bash\nexec %q "$@" --set rules.lm_loss_end=false\n' "$GATE" >blind/gate
chmod +x blind/gate
expect_exit 1 python3 "$SOURCE/tests/cases/rest_of_curve.py" "$PWD/blind/gate"
expect_out_match '^21 formats, 63 wrong$'

# log N X: 15 losses of 2.5, and then X up to step N.
log() { megatron_log --throughput - $(printf '2.5000 %.0s' {1..15}) $(for ((i = 16; i <= $1; ++i)); do echo "$2"; done); }
log 30 2.0000 >base.log
log 30 2.0500 >near.log
log 30 2.2000 >worse.log
log 24 2.0000 >short.log
log 24 4.0000 >short_worse.log
log 30 0.0000 >zero.log
expect_exit 0 gate check near.log --baseline base.log
expect_exit 1 gate check worse.log --baseline base.log
expect_out_match '^  lm_loss \(rule lm_loss_end\)  mean of steps 21-30  2\.0+ -> 2\.2'
expect_exit 0 gate check base.log --baseline worse.log
expect_exit 0 gate check short_worse.log --baseline short.log
refute_out lm_loss_end
expect_exit 0 gate check worse.log --baseline zero.log

# What a suite says.
for said in rules.lm_loss=false rules.lm_loss_end=false rules.lm_loss_end.tolerance=+20%; do
  expect_exit 0 gate check worse.log --baseline base.log --set "$said" --set strict=false
done
printf '[rules.late]\nmetric = "lm_loss"\nwindow = "after 15"\nreduce = "mean"\ntolerance = "±1"\n' >gate.toml
expect_exit 0 gate check worse.log --baseline base.log
expect_exit 0 gate check worse.log --baseline base.log --json
expect_json "$WORK/.last/out" '[.cases[0].ungated[] | select(.rule == "lm_loss_end") | [.reason, .absent]] == [["late is gated instead", true]]'
rm gate.toml
expect_exit 1 gate check worse.log --baseline base.log --lang zh
expect_out lm_loss_end

# selftest, lint, coverage and accept know it; a tree that was accepted step by step drifts.
script a <<<'cat "$LOG"'
expect_exit 0 gate baseline import base.log --case a --accept --reason first
expect_exit 0 gate selftest a -v
expect_out_match '^caught  a  general  lm_loss_end  beyond_all '
expect_exit 1 gate baseline lint a
refute_out lm_loss
