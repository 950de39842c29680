# Ways that once led to a wrong green, or hid a number: a row for each.
. "$(dirname "$0")/_lib"
suite

# --- a speed that is 0 throughout the baseline is no speed: the next one is gated ---
megatron_log --throughput 0.0 --time 500.0 2.5000 2.4000 2.3000 2.2000 >base.log
megatron_log --throughput 0.0 --time 600.0 2.5000 2.4000 2.3000 2.2000 >slow.log
expect_exit 0 gate check base.log --baseline base.log
expect_exit 1 gate check slow.log --baseline base.log
expect_out iteration_time
megatron_log --throughput 0.0 --time - 2.5000 2.4000 2.3000 2.2000 >unmeasured.log
expect_exit 0 gate check unmeasured.log --baseline unmeasured.log
expect_out "0 throughout the baseline, which is no speed"
# zero in the run alone is a loss of speed
megatron_log --throughput 90.0 2.5000 2.4000 2.3000 2.2000 >fast.log
expect_exit 1 gate check base.log --baseline fast.log

# --- a number beyond a double's range is an infinity ---
for word in inf +inf 9e999 1e309; do
  megatron_log --throughput "90.0,90.0,90.0,$word" 2.5000 2.4000 2.3000 2.2000 >odd.log
  expect_exit 1 gate check odd.log --baseline fast.log --set rules.throughput.reduce=median
done
megatron_log --throughput 90.0,90.0,90.0,9e307 2.5000 2.4000 2.3000 2.2000 >large.log
expect_exit 0 gate check large.log --baseline fast.log

# --- a mean since the run began hides a slow second half: it is no speed ---
for log in ms-swift/sft.log llama-factory/console.log hf-trainer/run.log; do
  expect_exit 0 gate extract "$SOURCE/tests/logs/$log" --csv
  ! grep -E '^(iteration_time|tokens_per_second|samples_per_second),' "$WORK/.last/out" || broken "$log has a speed"
done

# --- what the series alone do not tell is said on standard error ---
echo "nothing here" >nothing.log
megatron_log 2.5000 - 2.3000 >left_out.log
{ megatron_log 2.5000 2.4000 && megatron_log --from 2 2.9000; } >conflict.log
for form in --csv --json; do
  expect_exit 3 gate extract nothing.log "$form"
  expect_err "no step in nothing.log"
  expect_exit 0 gate extract left_out.log "$form"
  expect_err "of kind left_out, the first: left_out.log:2: "
  expect_exit 0 gate extract conflict.log "$form"
  expect_err "of kind conflict, the first: conflict.log:3: "
  expect_exit 0 gate extract base.log "$form"
  [[ ! -s $WORK/.last/err ]] || broken "says something of a log without a problem"
done

# --- secrets on the screen ---
script a <<<'echo ok > kept.txt'
baseline a <<<'{"lm loss": [2.5]}'
cat >gate.toml <<'TOML'
[defaults]
env.API_TOKEN = "hunter2hunter2"
setup = ": hunter2hunter2"
artifacts = ["kept.txt"]
TOML
for shown in "list --explain a" "list --explain a --json" "run --dry-run --json" "run --dry-run"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 0 gate $shown
  refute_out hunter2
done
# shellcheck disable=SC2016 # for the script
expect_exit 0 gate run --dry-run --json -- --key hunter2hunter2
refute_out hunter2
gate run >out 2>&1 || true
expect_json .gate/latest/result.json '.cases[0].notes | any(test("artifacts: kept as the script wrote them, not masked"))'

# --- FlagPerf's times of the whole run ---
expect_exit 0 gate extract "$SOURCE/tests/logs/flagperf/rank0.out.log" --csv
expect_out_match '^raw_train_time,.*,1501\.713,s,'
expect_out_match '^init_time,.*,148\.937,s,'

# --- check and compare read with a pattern as extract does ---
printf 'round 1 score 2.50\nround 2 score 2.40\n' >first.txt
printf 'round 1 score 2.50\nround 2 score 2.90\n' >second.txt
pattern='round (?P<step>\d+) score (?P<lm_loss>\S+)'
expect_exit 0 gate check first.txt --baseline first.txt --pattern "$pattern"
expect_exit 1 gate check second.txt --baseline first.txt --pattern "$pattern"
expect_out "lm_loss"
expect_exit 2 gate check second.txt --baseline first.txt --pattern 'round ('
expect_exit 0 gate compare first.txt second.txt --pattern "$pattern"
expect_out "lm_loss"
