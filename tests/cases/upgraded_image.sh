# A suite of 60 cases after an upgrade of its image: throughput +0.3 % everywhere, one case 9 % slower, one loss off by 0.3
# at step 7, one hang. What is left on a terminal of 80 columns and 24 lines tells all of it, and what to type.
# timeout: 240
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_upgraded"

suite llm-st
upgraded_suite
export LOGS=$PWD/logs/old
expect_exit 0 gate -q baseline record '**'
expect_exit 0 gate -q baseline accept --reason "the image before"
LOGS=$PWD/logs/new
expect_exit 1 gate run
expect_out "60 cases" "57 passed, 3 RED"
run=$(gate report --json | jq -r .run)

# in_terminal COLUMNS: the report as it stands in a terminal
in_terminal() { { command script -qec "stty cols $1 rows 24; '$GATE' report --color never" /dev/null || true; } | tr -d '\r'; }
in_terminal 80 | tail -n 24 >screen
joined=$(tr -s '\n ' ' ' <screen)
for words in 'throughput: 58 of 59 cases moved together, median +0.3 % (' 'apart: tune/model23_lora -8.' 'apart: tune/model17 +' ' at step 7' \
  'HUNG pretrain/model31 after step 11 of 20' 'REGRESSED tune/model17 lm_loss step 7:' 'REGRESSED tune/model23_lora throughput ' \
  "look gate explain pretrain/model31 --run $run" "rerun gate run --again $run" 'RED: 2 regressed, 1 hung, 57 passed (exit 1)'; do
  [[ $joined == *"$words"* ]] || broken "the last 24 lines have no: $words: $(<screen)"
done

gate list >list.txt
(($(grep -n "^pretrain/model3 " list.txt | cut -d: -f1) < $(grep -n "^pretrain/model10 " list.txt | cut -d: -f1))) || broken "model10 before model3"

# No line of the report is wider than its terminal.
for columns in 40 80 132; do
  in_terminal "$columns" >report.txt
  python3 - "$columns" <report.txt <<'END' || broken "a report is wider than $columns columns"
import sys, unicodedata
columns = int(sys.argv[1])
wide = [line for line in sys.stdin.read().splitlines() if sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) > columns]
sys.exit("\n".join(wide) if wide else 0)
END
done
