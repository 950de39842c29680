# Every golden file of other tools that we have is read, or refused with the reason expected. They are not part of the
# project.
# timeout: 300
. "$(dirname "$0")/_lib"

# What the tools write, in short: golden files stand where a baseline does, whatever their names end in.
megatron_log --time 500.0,400.0,400.0 10.5 9.25 8.5 >train.log
printf '1 10.5\n2 9.25\n3 8.5\n' >loss.txt
expect_exit 0 gate check train.log --baseline loss.txt
printf '1 10.5\n2 9.25\n3 8.4\n' >loss.txt
expect_exit 1 gate check train.log --baseline loss.txt
expect_out 'step 3'
golden_values() {
  echo '{"lm loss": {"start_step": 1, "values": {"3": '"$1"', "1": 10.5, "2": "nan"}},
    "iteration-time": {"start_step": 1, "values": {"1": 0.5, "2": 0.4, "3": '"$2"'}}}'
}
golden_values 8.5 0.40 >golden.json
expect_exit 0 gate check train.log --baseline golden.json
golden_values 8.4 0.40 >golden.json
expect_exit 1 gate check train.log --baseline golden.json
expect_out 'step 3'
golden_values 8.5 0.30 >golden.json
expect_exit 1 gate check train.log --baseline golden.json
expect_out iteration_time
echo '{"0": {"lm loss": 10.5}, "2": {"lm loss": 8.4}, "1": {"lm loss": 9.25}}' >golden.json
expect_exit 1 gate check train.log --baseline golden.json
expect_out 'step 3'
: >golden.json
expect_exit 2 gate check train.log --baseline golden.json
expect_err 'golden.json: is empty (0 bytes)'

# What is neither a log nor a golden file says as well why it is no golden file, and where.
for text in '[]' 3 '"x"' null '1 10.5\n2 9,25\n3 8.5' '\xff\xfe{\x00}\x00' 'no log at all'; do
  printf '%b\n' "$text" >wrong.txt
  expect_exit 2 gate check train.log --baseline wrong.txt
  expect_err_match 'wrong.txt: neither a log of a known format \(gate extract .*\) nor a golden file \(gate help golden files .*\): wrong.txt:1:[0-9]+: (this must be an object, not |not JSON: |a NUL byte: )'
done

# --- a rank that the golden file lacks, and a list without a loss, are not green; what is left empty beside losses is told ---
memory() { printf '{"rank": %d, "allocated memory": 100.01, "max allocated memory": 200.01}' "$1"; }
echo "{\"lm loss\": [2.50011, 2.40011], \"memo info\": [$(memory 0)]}" >seven.json
echo "{\"lm loss\": [2.50011, 2.40011], \"memo info\": [$(memory 0), $(memory 1)]}" >eight.json
echo '{"lm loss": [], "throughput": [7.0, 7.0]}' >empty.json
echo '{"lm loss": [2.50011, 2.40011], "throughput": []}' >left.json
megatron_log --memory 0:100.01:200.01 --memory 1:100.01:200.01 2.500110E+00 2.400110E+00 >ranks.log
expect_exit 0 gate check ranks.log --baseline eight.json
expect_exit 3 gate check ranks.log --baseline seven.json
expect_out_match 'memory_allocated +1 of 2 ranks \(1\) +incomparable: not in the baseline, which has it of other ranks'
expect_exit 2 gate check ranks.log --baseline empty.json
expect_err 'empty.json:1:13: "lm loss" holds no value'
expect_exit 0 gate check ranks.log --baseline left.json
expect_out_match 'note +throughput: an empty list, nothing to compare with'

# A golden file of another platform than that of gate.toml judges nothing here.
suite
printf '[suite]\nplatform = "nvidia-h100"\n' >gate.toml
echo ' iteration 1/ 1 | elapsed time per iteration (ms): 100.0 | lm loss: 1.100000E+00 |' >one.log
for platform in a100 h100; do
  echo '{"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1.1}}}' >golden_values_lts_dgx_$platform.json
done
expect_exit 2 gate check one.log --baseline golden_values_lts_dgx_a100.json
expect_err 'golden_values_lts_dgx_a100.json is of nvidia-a100; name a baseline of that platform, or say --platform nvidia-a100'
run gate check one.log --baseline golden_values_lts_dgx_h100.json
expect_out 'lm_loss'

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/megatron ]] || skip "no golden files here (GATE_REAL_DATA names their folder)"

suite
script a <<<'true'
read_files=0 empty=0 texts=0
while IFS= read -r -d '' file; do
  run gate baseline import "$file" --case a
  case $code in
    0) read_files=$((read_files + 1)) ;;
    2)
      grep -q 'the object is empty: nothing to compare with' "$WORK/.last/err" && empty=$((empty + 1))
      grep -q 'holds generated texts only' "$WORK/.last/err" && texts=$((texts + 1))
      ;;
    *) broken "$file: exit $code" ;;
  esac
done < <(find "$data"/{megatron,modellink,mindspeed-llm} -name '*.json' -print0)
[[ "$read_files $empty $texts" == '92 1 1' ]] || broken "$read_files read, $empty empty, $texts of texts only"
