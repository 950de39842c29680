# A second profile judges the same run for information: it is told everywhere and decides nothing.
. "$(dirname "$0")/_lib"

# `a` is red under gate (loss off by 0.02) and green under ModelLink (1 %); `b` is green under both.
suite
for name in a b; do
  baseline $name <<'EOF'
{"lm loss": [2.50, 2.49, 2.48, 2.47, 2.46, 2.45, 2.44, 2.43],
 "throughput": [90.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0],
 "memo info": [{"rank": 0, "allocated memory": 1000.0, "max allocated memory": 2000.0}]}
EOF
  printf '#GATE devices=0\ncat %s\n' "$PWD/$name.log" | script $name
done
megatron_log --memory 0:1000.0:2000.0 2.50 2.49 2.50 2.47 2.46 2.45 2.44 2.43 >a.log
megatron_log --memory 0:1000.0:2000.0 2.50 2.49 2.48 2.47 2.46 2.45 2.44 2.43 >b.log

# Green under the profile of today, with a look at what a switch to gate would change.
printf '[suite]\nprofile = "modellink"\nshadow = "gate"\n' >gate.toml
expect_exit 0 gate run --out old --report junit=old.xml --report markdown=old.md
expect_out 'profile modellink'
expect_out_match '^under profile gate 1 of 2 would be red: a$'
expect_out_match '^  shadow   profile gate: regressed, lm_loss out of ±0.01 first at step 3 '
[[ $(grep -c 'shadow  ' "$WORK/.last/out") == 1 ]] || broken "a case that does not differ says so"
expect_last_line '^GREEN: 2 passed \(exit 0\)$'
cp "$WORK/.last/out" old.txt
expect_json old/result.json '.exit_code == 0 and .totals.passed == 2 and .cases[0].profile == "modellink"'
expect_json old/result.json '.cases[0].shadow | .profile == "gate" and .verdict == "regressed" and ([.checks[] | select(.status == "fail") | .rule] == ["lm_loss"])'
expect_json old/result.json '.cases[1].shadow.verdict == "passed"'
expect_file old.xml 'name="shadow" value="under profile gate 1 of 2 would be red: a"'
expect_file old.xml 'failures="0"'
expect_file old.md 'under profile gate 1 of 2 would be red: a'
expect_file old.md '- a: profile gate: regressed, '
expect_exit 0 gate report old
expect_same old.txt "$WORK/.last/out"
expect_exit 0 gate explain a --run old --shadow
expect_out_match '^a: regressed  lm_loss out of ±0.01 first at step 3 '
expect_out_match '^fail lm_loss'
expect_exit 0 gate explain a --run old
expect_out 'judged by profile modellink'
refute_out 'fail lm_loss'

# The other way round: red stays red.
expect_exit 1 gate run --out new --profile gate --shadow modellink
expect_out_match '^under profile modellink 0 of 2 would be red$'
expect_out_match '^  shadow   profile modellink: passed'
expect_last_line '^RED: 1 regressed, 1 passed \(exit 1\)$'

# A saved log likewise; none, and the profile itself, are no shadow.
expect_exit 0 gate check a.log --case a
expect_out_match '^under profile gate 1 of 1 would be red: a$'
expect_exit 1 gate check a.log --case a --profile gate
refute_out 'under profile'
expect_exit 0 gate check a.log --case a --shadow none
refute_out 'under profile'
expect_exit 2 gate explain a --run whatever --shadow
expect_exit 0 gate run b --out alone --shadow none
expect_exit 2 gate explain b --run alone --shadow
expect_err 'no second profile judged b in that run'
expect_exit 0 gate baseline record b --out recorded
refute_out 'under profile'

# A candidate likewise.
megatron_log --memory 0:1000.0:2000.0 2.50 2.49 2.50 2.47 2.46 2.45 2.44 2.43 >candidate.log
expect_exit 0 gate baseline import candidate.log --case a
expect_exit 0 gate baseline diff a
expect_out_match '^under profile gate 1 of 1 would be red: a$'
expect_exit 0 gate baseline diff a --shadow none
refute_out 'under profile'
expect_exit 1 gate baseline diff a --profile gate --shadow modellink
expect_out_match '^under profile modellink 0 of 1 would be red$'

# The second one is to see the whole run: nothing is stopped early.
printf '#GATE devices=0\ncat %s; exec sleep 3600\n' "$PWD/a.log" | script c
cp baselines/a.json baselines/c.json
expect_exit 4 gate run c --set early_stop=on --timeout 2s --set grace=1s --out stays --profile gate --shadow modellink
expect_json stays/result.json '.cases[0].outcome.kind == "timed_out"'
expect_exit 0 gate list --explain c --profile gate --shadow modellink
expect_out_match '^early_stop +auto +built-in, not used beside the shadow modellink$'
expect_out_match '^rules.lm_loss.tolerance +±0.01 +built-in$'

# Later phases likewise: off by 0.02 behind the checkpoint, in both directions, and without a log.
suite phases
printf '%s\n' '[suite]' 'profile = "modellink"' 'shadow = "gate"' '[case.d]' 'phases = ["full", "resume"]' >gate.toml
cp ../suite/baselines/a.json baselines/d.json
printf '#GATE devices=0\ncat %s/$GATE_PHASE.log\n' "$PWD" | script d
megatron_log --memory 0:1000.0:2000.0 2.50 2.49 2.48 2.47 2.46 2.45 2.44 2.43 >full.log
megatron_log --from 5 --memory 0:1000.0:2000.0 2.46 2.47 2.44 2.43 >resume.log
expect_exit 0 gate run --out old
expect_out_match '^under profile gate 1 of 1 would be red: d$'
expect_out_match '^  shadow   profile gate: regressed, phase resume: lm_loss out of .* first at step 6 '
expect_json old/result.json '.cases[0].shadow | .verdict == "regressed" and ([.checks[] | select(.status == "fail") | [.phase, .rule]] == [["resume", "lm_loss resume"]])'
expect_exit 1 gate run --profile gate --shadow modellink
expect_out_match '^under profile modellink 0 of 1 would be red$'
expect_exit 0 gate explain d --run old --shadow
expect_out_match 'rule      lm_loss resume: .* tolerance exact'
expect_exit 0 gate check full.log --case d --phase resume=resume.log
expect_out_match '^under profile gate 1 of 1 would be red: d$'
expect_exit 4 gate check full.log --case d
expect_out_match '^under profile gate 1 of 1 would be red: d$'
