# The setting `log`: files that the script writes itself.
. "$(dirname "$0")/_lib"

suite
megatron_log 3.100 3.200 3.300 >whole.txt
script a <<<true
expect_exit 0 gate baseline import whole.txt --case a --accept --reason "the first" --metric lm_loss
kept=.gate/latest/a/logs
cat >gate.toml <<'TOML'
[defaults]
log = ["out/*.log"]
env.MY_TOKEN = "hunter2-hunter2"
TOML

# --- what stands in the file is judged, kept beside the script's output, and masked ---
script a <<'EOF'
mkdir -p out
{ echo "$MY_TOKEN"; cat whole.txt; } >out/train.log
echo started
EOF
expect_exit 0 gate run a
expect_json .gate/latest/result.json '.cases[0].steps == 3 and (.cases[0].artifacts.logs | endswith("/a/logs"))'
expect_file $kept/1/out/train.log 'iteration        3/'
expect_file $kept/1/out/train.log '***'
! grep -q hunter2 $kept/1/out/train.log || broken "a secret in the kept log"
expect_file .gate/latest/a/log.txt started
sed -i s/3.300/3.900/ whole.txt
expect_exit 1 gate run a
expect_exit 0 gate explain a
expect_out 'logs/1/out/train.log:4'
sed -i s/3.900/3.300/ whole.txt

# --- a file that was there: only what comes after the launch counts ---
cp whole.txt out/train.log
script a <<<"echo nothing"
expect_exit 4 gate run a
expect_out 'log: the script wrote to no file that matches out/*.log'
script a <<<"cat whole.txt >>out/train.log"
expect_exit 0 gate run a
[[ $(grep -c iteration $kept/1/out/train.log) == 3 ]] || broken "old lines were read"
script a <<<"head -n 2 whole.txt >>out/train.log"
expect_exit 4 gate run a

# --- unless it was truncated or replaced ---
script a <<<"cat whole.txt >out/train.log"
for losses in "7.100 7.200" "7.100 7.200 7.300" "7.100 7.200 7.300 7.400 7.500"; do
  megatron_log $losses >out/train.log
  expect_exit 0 gate run a
done
script a <<<"{ echo again; cat whole.txt; } >fresh; mv fresh out/train.log"
expect_exit 0 gate run a
script a <<<"cp out/train.log fresh; mv fresh out/train.log"
expect_exit 4 gate run a
expect_out 'what out/train.log holds was there before the launch'

# --- several files, packed too; a glob without a file is named; nothing of gate itself is read ---
rm -r out
cat >gate.toml <<'TOML'
[defaults]
log = ["**.log", "none/*.log", "**/rank{rank}.txt"]
TOML
script a <<'EOF'
mkdir -p deep
head -n 2 whole.txt >deep/part_2.log
tail -n 1 whole.txt | gzip >deep/part_10.log
echo x >deep/rankx.txt
echo y >deep/rank12.txt
EOF
expect_exit 0 gate run a
expect_json .gate/latest/result.json \
  '.cases[0].notes | index("log: the script wrote to no file that matches none/*.log") != null'
expect_file $kept/1/deep/part_10.log 'iteration        3/'
expect_file $kept/3/deep/rank12.txt y
[[ $(find $kept -type f | wc -l) == 3 ]] || broken "not three files kept"

# --- a packed log that breaks off is not green ---
rm -r deep
script a <<'EOF'
mkdir -p deep
cp whole.txt deep/part_1.log
gzip <whole.txt | head -c 60 >deep/part_11.log
EOF
expect_exit 4 gate run a
expect_out 'deep/part_11.log: the gzip data ends in its middle'

# --- samples in a further log keep a silent script from being taken for one that hangs ---
rm -r deep
cat >gate.toml <<'TOML'
[defaults]
log = ["deep/*.log"]
TOML
script a <<'EOF'
mkdir -p deep
while IFS= read -r line; do echo "$line" >>deep/train.log; sleep 1.8; done <whole.txt
EOF
expect_exit 0 gate run a --set startup=5s --hang 5s
script a <<'EOF'
mkdir -p deep
head -n 1 whole.txt >deep/train.log
exec sleep 1000
EOF
expect_exit 4 gate run a --set startup=2s
expect_out HUNG

# --- a case beside which another is judged is read again with its further logs ---
rm -r deep
for name in one two; do
  script $name <<<"mkdir -p runs/$name; cat whole.txt >runs/$name/train.log"
  sed "s/\"case\": \"a\"/\"case\": \"$name\"/" baselines/a.json >baselines/$name.json
done
cat >gate.toml <<'TOML'
[case.one]
log = ["runs/one/*.log"]
[case.two]
log = ["runs/two/*.log"]
[metrics.ratio]
formula = 'lm_loss("two") / lm_loss("one")'
[case.two.rules.ratio]
window = "all"
tolerance = "== 1"
TOML
expect_exit 0 gate run one two
expect_json .gate/latest/result.json '.cases[1].checks | map(select(.metric == "ratio" and .status == "pass")) | length == 1'

# --- in the scratch folder, which is gone afterwards: each launch has its own, so cases may run beside each other ---
cat >gate.toml <<'TOML'
[defaults]
log = ["{scratch}/logs/{case}-*.log"]
TOML
script a <<<'mkdir "$GATE_SCRATCH/logs" && cat whole.txt >"$GATE_SCRATCH/logs/a-1.log"'
expect_exit 0 gate run a
expect_file $kept/1/logs/a-1.log 'iteration        3/'
refute_file .gate/latest/a/scratch
sed -i 's/{scratch}/a{scratch}/' gate.toml
expect_exit 2 gate list
expect_err 'gate.toml:2:7: unknown placeholder "{scratch}"'
