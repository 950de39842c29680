# What a script ran on is found in its processes, recorded with the baseline, and compared: packages, switches.
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_python"

suite
python_env venv
waiting_trainer train.py
script train <<'END'
[[ ! -e deterministic ]] || export HCCL_DETERMINISTIC=true
LOG=now.log venv/bin/python train.py --use-flash-attn
END
megatron_log 10.000 9.000 8.000 >now.log
has_torch venv 2.1.0
cat >gate.toml <<'END'
[suite]
cwd = "."
END

# --- recorded: beside the log, and in the candidate ---
expect_exit 0 gate baseline record train
candidate=.gate/candidates/cpu/train.json
expect_json "$candidate" '.provenance.packages == {"torch": "2.1.0"}'
expect_json "$candidate" ".provenance.python | startswith(\"$python_minor.\")"
expect_json "$candidate" '.provenance.switches == {"--use-flash-attn": "set"}'
expect_json "$candidate" ".provenance.kernel == \"$(uname -r)\""
expect_exit 0 gate baseline accept train --reason "first"

# --- the same again: nothing differs, and speed is judged ---
expect_exit 0 gate run --report json=same.json
expect_json same.json '.cases[0] | has("differs") | not'

# --- another torch: told of a passed case and of a failed one ---
has_torch venv 2.2.0
expect_exit 0 gate run --report json=green.json
expect_out "differs from the baselines' runs: torch 2.1.0 -> 2.2.0"
expect_json green.json '.cases[0].differs == ["torch 2.1.0 -> 2.2.0"]'
expect_exit 0 gate run -v
expect_out "torch 2.1.0 -> 2.2.0"
megatron_log 10.000 9.000 8.500 >now.log
expect_exit 1 gate run
expect_out "differs  from the baseline's run: torch 2.1.0 -> 2.2.0"

# --- a saved series knows where it was measured, a log does not ---
run=$(readlink -f .gate/latest)
expect_exit 1 gate check "$run/train/series.json" --case train
expect_out "torch 2.1.0 -> 2.2.0"
expect_exit 1 gate check "$run/train/log.txt" --case train
refute_out "torch"

# --- a determinism switch: speed is judged no more, all else is ---
megatron_log --throughput 50.0 10.000 9.000 8.000 >now.log
expect_exit 1 gate run
expect_out "throughput"
touch deterministic
expect_exit 3 gate run --report json=slow.json
expect_out "HCCL_DETERMINISTIC was unset in the baseline's run and is true in this one"
expect_json slow.json '.cases[0] | .verdict == "unjudged" and (.differs | index("HCCL_DETERMINISTIC unset -> true"))'
expect_json slow.json '[.cases[0].checks[] | select(.metric == "lm_loss") | .status] == ["pass"]'
expect_json slow.json '[.cases[0].checks[] | select(.metric == "throughput") | .status] | unique == ["incomparable"]'
megatron_log 10.000 9.000 8.500 >now.log
expect_exit 1 gate run

# --- a review of a new baseline says what changed beside the numbers ---
expect_exit 1 gate baseline diff --run "$(latest)"
expect_out "torch 2.1.0 -> 2.2.0, HCCL_DETERMINISTIC unset -> true"

# --- a Python that ended before anybody looked: what the script sets is set ---
sed -i '1s/.*/export HCCL_DETERMINISTIC=true/' scripts/train.sh
expect_exit 0 gate baseline record train
expect_exit 0 gate baseline accept train --reason deterministic
script train <<'END'
export HCCL_DETERMINISTIC=true
venv/bin/python -c 'print(open("now.log").read(), end="")' >all.txt
cat all.txt
END
expect_exit 0 gate run --report json=missed.json
expect_json missed.json '[.cases[0].differs[] | select(startswith("HCCL"))] == []'
