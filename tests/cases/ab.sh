# Two commits in pairs: a planted slowdown is found, none is not; failures are no results; nothing is left behind.
. "$(dirname "$0")/_lib"

export STEPS=$SOURCE/tests/bench/data/step_times.txt COUNT=$WORK/count
commit() { git add -A && git commit -qm "$1" && git tag "$1"; }
left() { git worktree list --porcelain | grep -c '^worktree '; }
nothing_left() { [[ $(left) == 1 ]] && ! compgen -G '.gate/ab-*' >/dev/null || broken "work trees are left: $(git worktree list)"; }

# Two suites of one repository; this one lies in a folder of it. Each launch prints a hundred recorded steps, the
# next ones of the recording, as many times as slow as its commit says.
git init -q "$WORK/repository"
suite repository/speed
printf '.gate\n' >../.gitignore
printf '[rules.throughput]\nwindow = "after 10"\n' >gate.toml
script c <<'SCRIPT'
factor=1.00
n=$(cat "$COUNT" 2>/dev/null || echo 0)
echo $((n + 1)) >"$COUNT"
awk -v first=$((n * 137)) -v factor=$factor '
  !/^#/ { for (i = 1; i <= NF; i++) time[total++] = $i }
  END {
    for (i = 1; i <= 100; i++) {
      t = factor * time[(first + i) % total]
      printf " iteration %d/ 100 | elapsed time per iteration (ms): %.2f | throughput per GPU (TFLOP/s/GPU): %.2f | lm loss: %.4f |\n", i, t, 3000 / t, 5 - i / 100
    }
  }' "$STEPS"
SCRIPT
commit even
sed -i 's/^factor=.*/factor=1.10/' scripts/c.sh && commit slower
sed -i 's/^factor=.*/factor=1.00/; s/5 - i/5.5 - i/' scripts/c.sh && commit other_loss
script t <<<'exec "$TINYGPT" --ranks 1 --steps 6' && commit trains
script t <<<'exec "$TINYGPT" --ranks 1 --steps 6 --crash-at 3' && commit crashes
script t <<<'exec "$TINYGPT" --ranks 1 --steps 100000' && commit endless

# --- a planted slowdown of 10 % is found ---
expect_exit 1 gate ab even slower --case c --report html=page.html
expect_out_match '^ +A  even \('
expect_out_match '^throughput +mean of after 10 .* slower$'
expect_out "lm_loss: equal as printed in "
expect_last_line '^SLOWER: throughput -.* after [0-9]+ pairs \(exit 1\)$'
grep -q '<h1 class="bad">SLOWER: ' page.html || broken "no banner"
expect_json .gate/latest/result.json '.command == "ab" and .exit_code == 1 and .cases[0].verdict == "regressed"'
expect_file .gate/latest/c/try-2/log.txt "iteration 100/ 100"
nothing_left

# --- no change is not called slower, and what the losses do is said ---
rm "$COUNT"
run gate ab even other_loss --case c --runs 4 --change 5% --json
((code == 0 || code == 3)) || broken "exit code $code"
expect_json "$WORK/.last/out" '.schema == "gate.ab/1" and .answer != "worse" and .pairs <= 4 and (.metrics[0].pairs | length) == .pairs'
expect_json "$WORK/.last/out" '.losses[0] | .series == "lm_loss" and .first.number == 1 and .first.a == "4.9900" and (.differs_in_a | not)'
expect_json "$WORK/.last/out" '.confidence == 0.95 and .metrics[0].tolerated == 0.05 and .metrics[0].low <= .metrics[0].high'
expect_exit 3 gate history # which knows of none of it
expect_err "no run of this suite yet"

# --- words that cannot be used ---
expect_exit 2 gate ab even nowhere --case c
expect_err "nowhere is no commit that is here"
expect_exit 2 gate ab even --case c
expect_exit 2 gate ab even slower --case c --runs 2
expect_exit 2 gate ab even slower --case c --change 0%
expect_exit 2 gate ab even slower --case c --metric throughputt
expect_err 'did you mean "throughput"?'
expect_exit 2 gate ab even trains --case t
expect_err "even ("
expect_err "has no case t"
git clone -q --depth 1 "file://$WORK/repository" "$WORK/shallow"
cd "$WORK/shallow/speed"
expect_exit 2 gate ab HEAD~1 HEAD --case c
expect_err "is no commit that is here, as in a shallow clone"
cd "$WORK/repository/speed"
nothing_left

# --- a commit without gate.toml has the built-in rules, and not those around its tree ---
git rm -q gate.toml && commit bare
git checkout -q endless
run gate ab bare bare --case c --runs 3 --json
expect_json "$WORK/.last/out" '.metrics[0].value == "mean of last 10"'

# --- a launch that fails is no result: it says whose ---
expect_exit 4 gate ab trains crashes --case t
expect_last_line '^CRASHED: B, pair 1: .* \(exit 4\)$'
expect_out_match '^log +.*try-2/log\.txt$'
nothing_left

# --- a loss that is no number is no answer ---
git checkout -q even && sed -i 's/5 - i \/ 100/i == 3 ? log(-1) : 5/' scripts/c.sh && commit not_finite
expect_exit 1 gate ab even not_finite --case c
expect_last_line '^REGRESSED: B, pair 1: lm_loss is -?nan at step 3 \(exit 1\)$'
expect_exit 3 gate ab not_finite not_finite --case c
expect_last_line '^UNJUDGED: A, pair 1: lm_loss is -?nan at step 3 \(exit 3\)$'

# --- TERM ends it, and leaves nothing ---
rm -r .gate/runs
gate ab trains endless --case t >ab.out 2>&1 &
wait_for grep -qs iteration .gate/latest/t/try-2/log.txt
kill -TERM $!
wait $! && broken "ended with 0" || ended=$?
[[ $ended == 143 ]] || broken "ended with $ended: $(<ab.out)"
grep -q '^INTERRUPTED: B, pair 1: ' ab.out || broken "$(<ab.out)"
nothing_left
