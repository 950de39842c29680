# A suite of 60 cases after an upgrade of its image: throughput +0.3 % everywhere, one case 9 % slower, one loss off by 0.3
# at step 7, one hang. What is left on a terminal of 80 columns and 24 lines tells all of it, and what to type.
# timeout: 240
. "$(dirname "$0")/_lib"

suite llm-st
python3 - <<'END'
import os, random
LINE = (" [2026-11-26 10:{:02d}:{:02d}] iteration {:8d}/      20 | consumed samples: {:12d} | elapsed time per iteration (ms): "
        "{:.1f} | throughput per GPU (TFLOP/s/GPU): {:.1f} | global batch size:    16 | lm loss: {:.6E} | loss scale: 1.0 | "
        "grad norm: {:.3f} | number of skipped iterations:   0 | number of nan iterations:   0 |\n")
for number in range(1, 61):
    name = "tune/model23_lora" if number == 23 else f"{'tune' if number % 3 == 2 else 'pretrain'}/model{number}"
    for image in "old", "new":
        noise, base = random.Random(name + image), random.Random(name)
        speed, loss = base.uniform(150, 420), base.uniform(9, 11)
        lines = ""
        for step in range(1, 21):
            value = loss * 0.97 ** step + 2
            now = speed * (1 + noise.gauss(0, 0.002))
            if image == "new":
                now *= 1.003 * (0.91 if number == 23 else 1)
                value += 0.3 if number == 17 and step == 7 else 0
                if number == 31 and step == 12:
                    break
            lines += LINE.format(0, step, step, step * 16, 1e6 / now, now, value, value / 3)
        for path, text in ((f"logs/{image}/{name}.log", lines),
                           (f"scripts/{name}.sh", f'#GATE devices=0\ncat "$LOGS/{name}.log"\n'
                            + ('[[ $LOGS != *new ]] || exec sleep 1000\n' if number == 31 else ""))):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
END
printf '[suite]\nname = "llm-st"\n[defaults]\nhang = "2s"\n' >gate.toml
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
