# What bounds a run: the deadline, retries of infra, deaths that are all alike; and what a launch is given and leaves.
. "$(dirname "$0")/_lib"

step() { printf " iteration %8d/%8d | lm loss: 1.000000E+00 |\n" "$1" "$2"; }
one_step() { for name; do cp "$SOURCE/tests/cases/data/one_step.json" "baselines/$name.json"; done; }

# --- the deadline cuts off what runs, and starts nothing more; the report is complete ---
suite deadline
one_step a b c
script a <<<"echo '$(step 1 1)'"
script b <<<"echo '$(step 1 9)'; exec sleep 1000"
script c <<<"touch never"
expect_exit 3 gate run --deadline 1s
expect_out "1 passed"
expect_json .gate/latest/result.json '(.cases | map(.verdict)) == ["passed", "not_run", "not_run"]'
expect_json .gate/latest/result.json '.cases[1].reason == "stopped: the run'\''s deadline of 1s was up" and (.cases[2].reason | contains("--deadline 1s"))'
[[ $(grep -c '<error' .gate/latest/junit.xml) == 2 ]] || broken "junit.xml is not red"
refute_file never
expect_exit 2 gate run --deadline soon

# --- a run that will not end in time is said to while it still can be helped ---
suite late
script a <<<"echo '$(step 1 1000)'; sleep 0.3; echo '$(step 2 1000)'; sleep 0.1"
expect_exit 4 gate run a --timeout 20s
expect_err_match "^gate: a: after step 2 of 1000 it is expected to end after .*, and timeout 20s is up before that$"

# --- infra is tried again, each try with a log of its own; a crash is not ---
suite retry
one_step a b
script a <<'EOF'
#GATE needs=card
echo ' iteration        1/       1 | lm loss: 1.000000E+00 |'
EOF
cat >gate.toml <<'EOF'
[case.b]
setup = 'echo up; echo x >>tries; [ $(wc -l <tries) -ge 3 ]'
EOF
script b <<<"echo '$(step 1 1)'"
expect_exit 125 gate run a --retry-infra 1
expect_err "trying again (1 of 1)"
expect_exit 125 gate run b --retry-infra 1
expect_json .gate/latest/result.json '.cases[0].reason == "not started: setup exited 1"'
expect_exit 0 gate run b --retry-infra 1
rm tries
expect_exit 0 gate run b --retry-infra 5
expect_json .gate/latest/result.json '.cases[0].notes | map(startswith("try ")) | map(select(.)) | length == 2'
expect_file .gate/latest/b/try-3/log.txt "iteration"
expect_file .gate/latest/b/log.txt "up"

# --- three that die alike before their first step stop the run ---
suite alike
for name in a b c d; do script $name <<<"echo \"pid \$\$: no module named torch_npu\"; exit 1"; done
one_step a b c d
expect_exit 4 gate run
expect_json .gate/latest/result.json '(.cases | map(.verdict)) == ["crashed", "crashed", "crashed", "not_run"]'
expect_json .gate/latest/result.json '.cases[3].reason | contains("the last 3 cases died alike before the first step")'
script b <<<"echo something else; exit 1"
expect_exit 4 gate run
expect_json .gate/latest/result.json '(.cases | map(.verdict)) == ["crashed", "crashed", "crashed", "crashed"]'

# --- setup, env, scratch, artifacts ---
suite given
one_step a
touch old.txt
touch -d '1 hour ago' old.txt
cat >gate.toml <<'EOF'
[defaults]
setup = 'export TOOLKIT=8.0; ulimit -n 333'
env.WORD = "two words; $(id)"
artifacts = ["*.txt", "{scratch}/**.ckpt", "../*.sh", "none/*"]
EOF
script a <<'EOF'
echo "$TOOLKIT/$(ulimit -n)/$WORD"
mkdir "$GATE_SCRATCH/deep"
echo weights >"$GATE_SCRATCH/deep/x.ckpt"
echo "$GATE_SCRATCH" >scratch.txt
echo ' iteration        1/       1 | lm loss: 1.000000E+00 |'
EOF
expect_exit 0 gate run
expect_file .gate/latest/a/log.txt '8.0/333/two words; $(id)'
expect_file .gate/latest/a/artifacts/deep/x.ckpt weights
expect_file .gate/latest/a/artifacts/scratch.txt "/a/scratch"
refute_file .gate/latest/a/artifacts/old.txt
refute_file "$(<scratch.txt)"
expect_json .gate/latest/result.json '.cases[0].problems | map(.text | select(startswith("artifacts: "))) | length == 2'

# --- what hangs leaves evidence: last lines by rank, processes ---
suite hang
one_step a
script a <<'EOF'
echo "[rank0]: waiting for rank 1"
echo "[rank1]: loading"
sleep 1000.25 & wait
EOF
expect_exit 4 gate run --set startup=500ms --set grace=0s
expect_json .gate/latest/result.json '.cases[0].verdict == "hung"'
expect_file .gate/latest/a/evidence.txt "hung during startup"
expect_file .gate/latest/a/evidence.txt "waiting for rank 1"
expect_file .gate/latest/a/evidence.txt "sleep 1000.25: S"
gate report >report.txt && expect_file report.txt "  evidence .gate/runs/$(latest)/a/evidence.txt"
expect_exit 0 gate explain a
expect_out "evidence  .gate/runs/$(latest)/a/evidence.txt"
