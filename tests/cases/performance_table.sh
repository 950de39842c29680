# From a published table to one of gate's own: references are imported, cases are bound to them, a run is judged and
# printed as such a table; the figures, their order and their labels are those of the published one.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_references"

suite
performance_rows | performance_html >README.md
expect_exit 0 gate reference README.md
cat >gate.toml <<'TOML'
[suite]
name = "published"
strict = false
[metrics.tokens_per_second_per_device]
formula = "per_device"
[rules.speed]
metric = "tokens_per_second_per_device"
reduce = "mean"
tolerance = ">= 1"
TOML
number=0
while read -r model parameters sequence implementation cluster precision measured _; do
  number=$((number + 1))
  name=$(printf 'r%02d' $((48 - number)))
  script "$name" <<SH
#GATE devices=0 reference="$model $parameters $sequence $implementation $cluster"
for step in 1 2 3; do
  echo " iteration \$step/ 3 | consumed samples: \$step | elapsed time per iteration (ms): 500.0 | tokens per gpu per second (tgs): $measured | lm loss: 2.500000E+00 |"
done
SH
done < <(performance_rows)
expect_exit 0 gate run --platform cpu
expect_last_line '^GREEN: 47 passed'
expect_exit 0 gate run --platform cpu r28 -v
expect_out 'speed    4672 tokens/p/s (reference 3850: 121 %)'
expect_exit 0 gate run --platform cpu

# The table has the published rows, in the published order.
expect_exit 0 gate report --format table-csv
python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["model"], row["parameters"], row["sequence"], row["implementation"], row["cluster"], row["precision"],
          row["measured"], row["reference"] or "--", row["contributor"], row["label"])
' <"$WORK/.last/out" >"$WORK/printed"
performance_rows | sed 's/ [^ ]*$//' >"$WORK/published"
expect_same "$WORK/published" "$WORK/printed"
expect_exit 0 gate report --format table
expect_out_match '^\| LLaMA2 \| 7B \| 4K \| Mcore \| 1x8 \| BF16 \| 4672 \| 3850 \| 121 % \| tokens/p/s \| NAIE \| Pass \| cpu \| r28 \|$'
expect_out 'published, run '
expect_out 'per'
cp "$WORK/.last/out" first.md
expect_exit 0 gate report --format table
expect_same first.md "$WORK/.last/out"
expect_exit 0 gate report --format table-html
expect_out '<td data-name="reference">3850</td>'

# Two verdicts side by side: against the baseline, and beside the reference, which gates nothing.
expect_exit 0 gate baseline record r28 --platform cpu
expect_exit 0 gate baseline accept r28 --reason new
sed -i 's/4672/4600/' scripts/r28.sh
sed -i 's/^tolerance = .*/tolerance = "-5%"/' gate.toml
expect_exit 0 gate run --platform cpu r28
expect_out 'speed    4600 tokens/p/s (-1.54 % | reference 3850: 119 %)'
sed -i 's/4600/3800/' scripts/r28.sh
expect_exit 1 gate run --platform cpu r28
expect_out 'speed    3800 tokens/p/s (-18.7 % | reference 3850: 98.7 %)'
# Only green cases are in the table.
expect_exit 0 gate report --format table
refute_out 'LLaMA2'
expect_out 'left out: 1 case not green, waived, or without a model and a speed that is told: r28'

# A rule against the reference gates: 5 % below 3850 is 3657.5. Of a speed that was measured on other devices it says
# nothing.
of_any_device() { jq 'del(.rows[].hardware)' references.json >any.json && mv any.json references.json; }
cp references.json told.json && of_any_device
cat >>gate.toml <<'TOML'
[case.r28]
rules.speed.against = "reference"
rules.tokens_per_second = false
TOML
expect_exit 0 gate run --platform cpu r28 -v
expect_out 'against the reference 3850 tokens/p/s (LLaMA2 7B 4K Mcore 1x8)'
expect_out '>= 3657.5'
sed -i 's/3800/3657/' scripts/r28.sh
expect_exit 1 gate run --platform cpu r28
expect_out 'against the reference 3850 tokens/p/s (LLaMA2 7B 4K Mcore 1x8)'
sed -i 's/3657 /3658 /' scripts/r28.sh
expect_exit 0 gate run --platform cpu r28
refute_out 'has other numbers by now'
# a figure that somebody edited is told wherever it judges
sed -i 's/3850/3000/' references.json
expect_exit 0 gate run --platform cpu r28
expect_out 'README.md has other numbers by now: reference 3000 -> 3850'
cp told.json references.json
for platform in nvidia-a100 ascend-910a ascend-310p3 ascend-910c cpu; do
  expect_exit 3 gate check .gate/latest/r28/log.txt --case r28 --platform $platform
  expect_out "tokens_per_second_per_device: LLaMA2 7B 4K Mcore 1x8 was measured on Atlas 900 A2 PODc, and this run is of $platform"
done
for platform in ascend-910b ascend-910b3 npu-pool; do
  expect_exit 0 gate check .gate/latest/r28/log.txt --case r28 --platform $platform
  refute_out 'was measured on'
done
for hardware in 'L40S x8' 'AMD Instinct MI250X'; do
  jq --arg hardware "$hardware" '.rows[].hardware = $hardware' told.json >references.json
  expect_exit 3 gate check .gate/latest/r28/log.txt --case r28 --platform nvidia-h100
  expect_out "was measured on $hardware, and this run is of nvidia-h100"
done
cp told.json references.json && of_any_device

# What cannot be held against a reference is said before anything runs.
expect_exit 2 gate run --platform cpu r28 --set 'reference=LLaMA2 7B 4K Mcore 1x9'
expect_err 'unknown reference "LLaMA2 7B 4K Mcore 1x9"; did you mean "LLaMA2 7B 4K Mcore 1x8"?'
expect_exit 3 gate run --platform cpu r28 --set rules.speed.metric=tokens_per_second
expect_out 'the reference is in tokens/p/s, and tokens_per_second in tokens/s'
expect_exit 2 gate run --platform cpu r28 --set 'reference=GPT3 175B 2K Legacy 16x8'
expect_err 'GPT3 175B 2K Legacy 16x8 has no reference, but measured'
expect_exit 2 gate run --platform cpu r28 --set rules.speed.tolerance=-100%
expect_err 'nothing stops it from falling'
expect_exit 3 gate run --platform cpu r28 --set model.precision=FP16
expect_out 'is of another training: the case has precision FP16, and the reference BF16'
# A case that is bound to none has no such rule, and that is said.
expect_exit 0 gate run --platform cpu r28 --set reference=
expect_out 'ungated  tokens_per_second_per_device: the case is bound to no reference'
expect_exit 2 gate run --platform cpu r28 --set reference= --set rules.speed.required=true
expect_err 'rules.speed is against a reference: the case is bound to no reference'

# A broken file of references stops what needs the suite, with its place.
sed -i '0,/"rows"/s/"rows"/"rowz"/' references.json
expect_exit 2 gate list
expect_err_match 'references.json:[0-9]+:[0-9]+: '

# Under the policy of a ref, its references judge.
git init -q . && rm -f references.json && expect_exit 0 gate reference README.md && of_any_device
git add -A && git -c user.name=a -c user.email=a@b commit -qm one
sed -i 's/"reference": 3850/"reference": 38/' references.json
expect_exit 0 gate run --platform cpu --changed-since HEAD --dry-run # a case whose figure is another one is touched
expect_out '1 to run'
expect_out 'r28'
sed -i 's/3658 /40 /' scripts/r28.sh
expect_exit 0 gate run --platform cpu r28
expect_exit 1 gate run --platform cpu r28 --policy-from HEAD
expect_out '3657.5'

# Shards that were judged by other figures are no run together.
gate run --platform cpu r28 r27 --shard 1/2 --out one >/dev/null 2>&1 || true
sed -i 's/"reference": 38$/"reference": 39/; s/"reference": 38,/"reference": 39,/' references.json
gate run --platform cpu r28 r27 --shard 2/2 --out two >/dev/null 2>&1 || true
expect_exit 2 gate report --merge one two

# Nobody knows of how many devices a log's tokens a second are: they are not held against a figure.
mkdir "$WORK/units" && cd "$WORK/units" && mkdir scripts && touch gate.toml
printf 'model,measured,reference,unit\nM,90,100,tokens/s\n' >units.csv
expect_exit 0 gate reference units.csv
printf '[case.a.rules.published]\nmetric = "tokens_per_second"\nreduce = "mean"\nagainst = "reference"\ntolerance = "-5%%"\n' >gate.toml
script a <<'SH'
#GATE devices=0 reference=M
echo " iteration 1/ 1 | consumed samples: 1 | elapsed time per iteration (ms): 5.0 | tokens per gpu per second (tgs): 100.0 | lm loss: 2.500000E+00 |"
SH
expect_exit 3 gate run --platform cpu
expect_out 'tokens_per_second is of one device in some logs and of all in others'
printf '[case.a.rules.published]\nmetric = "lm_loss"\ntolerance = ">= 1"\n' >gate.toml
expect_exit 0 gate run --platform cpu -v
expect_out 'speed    100 tokens/s (reference 100 tokens/s)'

# The sizes of one training stand below one another, with their linearity; rows of a CSV file, and FlagPerf's three sizes.
mkdir "$WORK/sizes" && cd "$WORK/sizes" && mkdir scripts && touch gate.toml
printf 'model,params,seq,cluster,measured,reference,unit\nGLM,10B,2K,1x1,100,,tokens/s/p\nGLM,10B,2K,1x8,98,120,tokens/s/p\nGLM,10B,2K,2x8,90,,tokens/s/p\n' >sizes.csv
expect_exit 0 gate reference sizes.csv
cat >gate.toml <<'TOML'
[suite]
strict = false
[metrics.tokens_per_second_per_device]
formula = "per_device"
[rules.speed]
metric = "tokens_per_second_per_device"
reduce = "mean"
tolerance = ">= 1"
TOML
for size in 1x1:100 1x8:98 2x8:90; do
  script "glm_${size%:*}" <<SH
#GATE devices=0 reference="GLM 10B 2K ${size%:*}"
echo " iteration 1/ 1 | consumed samples: 1 | elapsed time per iteration (ms): 5.0 | tokens per gpu per second (tgs): ${size#*:}.0 | lm loss: 2.500000E+00 |"
SH
done
expect_exit 0 gate run --platform cpu
expect_exit 0 gate report --format table
expect_out_match '^\| GLM \| 10B \| 2K \| 1x1 \| 100 \| +\| +\| tokens/s/p \| +\| cpu \| glm'
expect_out_match '^\| GLM \| 10B \| 2K \| 1x8 \| 98 \| 120 \| 81.7 % \| tokens/s/p \| 98 % of 1x1 \|'
expect_out_match '^\| GLM \| 10B \| 2K \| 2x8 \| 90 \| +\| +\| tokens/s/p \| 90 % of 1x1 \|'
