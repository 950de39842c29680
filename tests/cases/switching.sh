# The walk of docs/switching.md on a tree made for the purpose: each command of its consoles is typed, each line that it
# shows is printed, `...` standing for anything, and its TOML goes behind gate.toml.
# timeout: 300
. "$(dirname "$0")/_lib"

mkdir -p repo/tests/st/{shell_scripts,baseline_results} && cd repo && git init -q .
train() { printf '#!/bin/bash\n"$TINYGPT" --steps 15 %s\n' "$2" >"tests/st/shell_scripts/$1.sh"; }
train pretrain_gpt_dp1 '--ranks 1'
train pretrain_gpt_dp2 '--ranks 2'
train tune_gpt_dp2 '--ranks 2 --seed 7'

# record CASE FACTOR: the file that the team's own tool made of a log; the losses have moved by the factor since. A shared
# machine is no place to judge a speed: the file's margin makes room.
record() {
  bash "tests/st/shell_scripts/$1.sh" >"$WORK/log"
  python3 - "$WORK/log" "$2" >"tests/st/baseline_results/$1.json" <<'PYTHON'
import json
import re
import sys

log = open(sys.argv[1], encoding="utf-8").read()
steps = re.findall(r"elapsed time per iteration \(ms\):\s+(\d+\.?\d*)\s*\|.*?lm loss:\s+([\d.E+-]+)\s*\|.*?grad norm:\s+(\d+\.?\d*)", log)
memory = re.findall(r"\[Rank (\d+)\] \(after \d+ iterations\) memory \(MB\) \| allocated: ([0-9.]+) \| max allocated: ([0-9.]+)", log)
json.dump({"time info margin": 9.0,
           "lm loss": [round(float(step[1]) * float(sys.argv[2]), 6) for step in steps],
           "grad norm": [float(step[2]) for step in steps],
           "time info": [float(step[0]) for step in steps],
           "memo info": [{"rank": int(rank), "allocated memory": float(now), "max allocated memory": float(most)}
                         for rank, now, most in sorted(memory, key=lambda entry: int(entry[0]))]}, sys.stdout, indent=4)
PYTHON
}
record pretrain_gpt_dp1 1
record pretrain_gpt_dp2 1
record tune_gpt_dp2 1.01

# shown LINE: whether a line of the last output is like it.
shown() {
  local pattern=$1 line
  pattern=${pattern//\\/\\\\} pattern=${pattern//\[/\\[} pattern=${pattern//\*/\\*} pattern=${pattern//\?/\\?}
  pattern=${pattern//.../*}
  while IFS= read -r line; do
    # shellcheck disable=SC2053
    [[ $line != $pattern ]] || return 0
  done <"$WORK/.last/out"
  return 1
}

commands=0
walk() {
  local inside=no line
  while IFS= read -r line; do
    case $inside,$line in
      no,'```console') inside=yes ;;
      no,'```toml') inside=toml ;;
      yes,'```' | toml,'```') inside=no ;;
      toml,*) echo "$line" >>gate.toml ;;
      yes,'$ '*)
        # shellcheck disable=SC2086
        run ${line#\$ }
        cat "$WORK/.last/err" >>"$WORK/.last/out"
        ((code == 0 || code == 1)) || broken "${line#\$ } ended with $code"
        commands=$((commands + 1))
        ;;
      yes,*) shown "$line" || broken "not printed: $line" ;;
    esac
  done <"$SOURCE/docs/switching.md"
}
walk
((commands == 6)) || broken "$commands commands instead of 6"
