# What a script ran on is found in its processes, recorded with the baseline, and compared: packages, switches.
. "$(dirname "$0")/_lib"
python=$(readlink -f "$(python3 -c 'import sys; print(sys.executable)')") || skip "no python3"
minor=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

suite
mkdir -p venv/bin "venv/lib/python$minor/site-packages" baselines/cpu
ln -s "$python" venv/bin/python
printf 'home = %s\ninclude-system-site-packages = false\nversion = %s.99\n' "${python%/*}" "$minor" >venv/pyvenv.cfg
installed() { # installed VERSION: of torch
  rm -rf "venv/lib/python$minor/site-packages"/torch-*
  mkdir "venv/lib/python$minor/site-packages/torch-$1.dist-info"
  printf 'Metadata-Version: 2.1\nName: torch\nVersion: %s\n\n' "$1" >"venv/lib/python$minor/site-packages/torch-$1.dist-info/METADATA"
}

# Prints its log, and ends when its packages have been looked at: METADATA was opened and closed. The alarm ends it where
# nobody looks.
cat >train.py <<'END'
import ctypes, glob, os, signal, sys
libc = ctypes.CDLL(None)
notices = libc.inotify_init()
for file in glob.glob(os.path.dirname(os.path.dirname(sys.executable)) + "/lib/*/site-packages/*/METADATA"):
    libc.inotify_add_watch(notices, file.encode(), 0x10)  # IN_CLOSE_NOWRITE
sys.stdout.write(open(os.environ["LOG"]).read())
sys.stdout.flush()
signal.alarm(20)
os.read(notices, 4096)
END
script train <<'END'
[[ ! -e deterministic ]] || export HCCL_DETERMINISTIC=true
export LOG
for LOG in now.log; do venv/bin/python train.py --use-flash-attn; done
END
megatron_log 10.000 9.000 8.000 >now.log
installed 2.1.0
cat >gate.toml <<'END'
[suite]
cwd = "."
END

# --- recorded: beside the log, and in the candidate ---
expect_exit 0 gate baseline record train
candidate=.gate/candidates/cpu/train.json
expect_json "$candidate" '.provenance.packages == {"torch": "2.1.0"}'
expect_json "$candidate" ".provenance.python | startswith(\"$minor.\")"
expect_json "$candidate" '.provenance.switches == {"--use-flash-attn": "set"}'
expect_json "$candidate" ".provenance.kernel == \"$(uname -r)\""
expect_exit 0 gate baseline accept train --reason "first"

# --- the same again: nothing differs, and speed is judged ---
expect_exit 0 gate run --json-file same.json
expect_json same.json '.cases[0] | has("differs") | not'

# --- another torch: told of a passed case where everything is, of a failed one always ---
installed 2.2.0
expect_exit 0 gate run --json-file green.json
refute_out "torch"
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
expect_exit 3 gate run --json-file slow.json
expect_out "HCCL_DETERMINISTIC was unset in the baseline's run and is true in this one"
expect_json slow.json '.cases[0] | .verdict == "unjudged" and (.differs | index("HCCL_DETERMINISTIC unset -> true"))'
expect_json slow.json '[.cases[0].checks[] | select(.metric == "lm_loss") | .status] == ["pass"]'
expect_json slow.json '[.cases[0].checks[] | select(.metric == "throughput") | .status] | unique == ["incomparable"]'
megatron_log 10.000 9.000 8.500 >now.log
expect_exit 1 gate run

# --- a review of a new baseline says what changed beside the numbers ---
expect_exit 1 gate baseline diff --from "$(basename "$(readlink .gate/latest)")"
expect_out "torch 2.1.0 -> 2.2.0, HCCL_DETERMINISTIC unset -> true"
