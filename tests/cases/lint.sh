# gate baseline lint: weak, stale and inconsistent baselines.
. "$(dirname "$0")/_lib"

suite
script steady <<'EOF'
exit 0
EOF
megatron_log --throughput 80,100,100,100,101,99,100,100,100,100,100,100,100,100,100 --memory 0:1000:1100 \
  10.51 10.42 10.33 10.24 10.15 10.06 9.97 9.88 9.79 9.70 9.61 9.52 9.43 9.34 9.25 >steady.log
expect_exit 3 gate baseline lint
expect_out 'n/a   steady  general  no baseline'
expect_exit 0 gate baseline import steady.log --case steady --accept --reason first
expect_exit 0 gate baseline lint
expect_out_match '^note  steady: the noise between runs is not known$'
expect_out_match '^ +one_run: gate baseline record --runs 3$'
expect_last_line '^GREEN: nothing weak in 1 case, 1 note \(exit 0\)$'

# What cannot be read guards nothing, whatever others do: the case's own, a platform's, one without a case.
for junk in baselines/other.json baselines/ascend-910b/steady.json baselines/orphan.json; do
  mkdir -p "$(dirname $junk)"
  for content in '<<<<<<< HEAD' '' "$(head -c 200 baselines/steady.json)"; do
    printf '%s' "$content" >$junk
    expect_exit 3 gate baseline lint -q
    expect_out_match '^UNREADABLE  [a-z]+  [a-z0-9-]+  baselines/.*json'
    expect_last_line '^RED: nothing weak in 1 case, .* not looked at \(exit 3\)$'
    expect_exit 3 gate selftest
  done
  { cat baselines/steady.json && printf '\0 and more'; } >$junk
  expect_exit 3 gate baseline lint -q
  expect_out 'a NUL byte'
  rm $junk
done

# A golden file that was edited after its import, wherever it lies; one that is gone says nothing.
mkdir ../tool
golden='{"lm loss": [10.51, 10.42, 10.33, 10.24, 10.15, 10.06, 9.97, 9.88, 9.79, 9.70, 9.61, 9.52, 9.43, 9.34, 9.25]}'
echo "$golden" >../tool/steady.json
cp baselines/steady.json kept.json
expect_exit 0 gate baseline import ../tool/steady.json --case steady --accept --reason golden --metric lm_loss
expect_json baselines/steady.json '.provenance.source == "../tool/steady.json"'
for edit in 's/10.51/10.52/' 's/$/ /' ''; do
  sed -i "$edit" ../tool/steady.json
  run gate baseline lint -v
  [[ -n $edit ]] || break
  expect_out_match '^WEAK  steady  general  ../tool/steady.json has changed since it was imported; gate baseline import ../tool/steady.json --case steady takes its values \(its sha256 is [0-9a-f]{12}, imported was [0-9a-f]{12}\)$'
  expect_out_match '^ +import_changed: look at the change, and import it again$'
  run gate check steady.log --case steady
  expect_out '../tool/steady.json has changed since it was imported'
  expect_last_line '; 1 golden file changed since its import \(exit '
  echo "$golden" >../tool/steady.json
done
refute_out 'has changed'
rm -r ../tool
mkfifo ../tool
run gate baseline lint -v
refute_out 'has changed'
rm ../tool && mv kept.json baselines/steady.json

# A rule that somebody wrote, and for which no baseline has a value.
printf '[rules.num_zeros]\ntolerance = "±1 %%"\n[rules.throughput]\ntolerance = "-3 %%"\n' >gate.toml
expect_exit 1 gate baseline lint
expect_out_match '^WEAK  steady  general  rule num_zeros \(gate.toml:2:13\): no baseline has a value of num_zeros; gate baseline accept steady --run RUN --metric num_zeros --reason ... takes it of a run that has it'
refute_out 'rule throughput'
rm gate.toml

# What judged a run, and is in the baseline no more; turned off or accepted anew it is nobody's loss.
cp baselines/steady.json kept.json
script steady <<<"cat '$PWD/steady.log'"
expect_exit 0 gate run steady
jq '.runs[].series |= map(select(.metric != "throughput"))' kept.json >baselines/steady.json
expect_exit 1 gate baseline lint steady
expect_out_match '^WEAK  steady  general  throughput: run [0-9-]+ was judged by a value of it, and no baseline has one any more$'
expect_exit 0 gate baseline lint steady --set rules.throughput=false
mv kept.json baselines/steady.json
expect_exit 0 gate baseline lint steady
rm .gate/history.db*

# A stall, a baseline without its script, one that is old.
script stalled </dev/null
megatron_log --throughput 80,100,100,100,101,99,100,100,60,100,100,100,100,100,100 --memory 0:1000:1100 \
  10.51 10.42 10.33 10.24 10.15 10.06 9.97 9.88 9.79 9.70 9.61 9.52 9.43 9.34 9.25 >stalled.log
expect_exit 0 gate baseline import stalled.log --case stalled --accept --reason first
mv scripts/steady.sh scripts/renamed.sh
expect_exit 1 gate baseline lint
expect_out_match '^WEAK  stalled  general  throughput: the mean is 0.959 of the median; step 9 slower than 0.9 of the median$'
expect_out_match '^ +stall: record it again on a quiet host$'
expect_out_match '^WEAK  steady  general  no script has its name$'
expect_out_match '^n/a   renamed  general  no baseline$'
expect_last_line '^RED: 2 weaknesses in 2 cases, 2 notes, 1 case not looked at \(exit 1\)$'
expect_exit 1 gate baseline lint steady
expect_out_match '^WEAK  steady  general  no script has its name$'
expect_exit 1 gate baseline lint -q
refute_out one_run
expect_exit 1 gate baseline lint --json
cp "$WORK/.last/out" lint.json
expect_json lint.json '[.cases[].findings[] | select(.weight == "weak") | .lint] == ["stall", "no_script"]'
mv scripts/renamed.sh scripts/steady.sh
sed -i 's/"when": "20[0-9][0-9]/"when": "2001/' baselines/steady.json
expect_exit 1 gate baseline lint steady
expect_out_match '^WEAK  steady  general  of 2001-[0-9]+-[0-9]+, [0-9]+ days ago$'
expect_exit 0 faketime 2000-01-01 gate baseline lint steady
expect_exit 2 gate baseline lint no_such_case

# What a script says otherwise than its settings is told here and by a run; a script beside the cases is none of them.
suite counts
printf '[suite]\nplatform = "cpu"\ncases = ["scripts/*.sh"]\n[case."**"]\ndevices = 16\n[case.a]\ndevices = 8\ntimeout = "2h"\n' >gate.toml
script a <<'EOF'
#GATE devices=4 timeout=2h owner=zhang
NPUS_PER_NODE=8
N=${N:-16}
torchrun --nproc_per_node 4 convert.py
torchrun --nproc_per_node $N train.py --lr 1 --use-mc2 --tensor-model-parallel-size 2 --sequence-parallel
EOF
echo 'torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2' >train.sh
{ echo 'using world size: 16, data-parallel size: 16, tensor-model-parallel size: 1, pipeline-model-parallel size: 1'
  echo '  use_mc2 ......................... False'
  echo '  sequence_parallel ............... False'
  echo '0: [default0]:  tensor_model_parallel_size ...... 1'
  echo '  sequence_parallel ............... True'
  megatron_log --memory 0:1000:1100 2.5{0..9}0 2.4{0..6}0; } >steps.log
expect_exit 0 gate baseline import steps.log --case a --accept --reason first
differs() {
  expect_out 'and the case has devices = 8: set devices, or let the script take $NPUS_PER_NODE from gate'
  expect_out 'devices = 4 of scripts/a.sh:1:7 #GATE is overruled by 8 of gate.toml:7:11: remove one of them'
  refute_out 'timeout = 2h'
}
expect_exit 0 gate baseline lint -v
differs
expect_out 'script_differs: look with -v, and correct one of them'
expect_out_match '^n/a +train.sh '
expect_last_line '^GREEN: nothing weak in 1 case, .*, 1 script beside the cases \(exit 0\)$'
expect_exit 0 gate check steps.log --case a
differs
expect_out 'its log says world size 16, and the case has devices = 8, nodes = 1: set devices = 16, or let the script'
expect_out "the script asks for MC2 (--use-mc2), and the log's arguments say use_mc2 False"
expect_out "(--tensor-model-parallel-size 2), and the log's arguments say tensor_model_parallel_size 1"
refute_out 'say sequence_parallel'
{ echo 'using world size: 8, data-parallel size: 2, tensor-model-parallel size: 4' && megatron_log --memory 0:1000:1100 --memory 1:1000:1100 --memory 3:1000:1100 2.5{0..9}0; } >ranks.log
expect_exit 0 gate check ranks.log --baseline ranks.log
expect_out "memory_allocated is of 3 ranks, and by its log's sizes (world 8, data-parallel 2) 4 print it"
sed -i 's/data-parallel size: 2/data-parallel size: 1/' ranks.log
expect_exit 0 gate check ranks.log --baseline ranks.log
expect_out '(world 8, data-parallel 1) 8 print it; ranks 2, 4, 5, 6, 7 do not print it'
sed -i 's/world size: 8/world size: 3/' ranks.log
expect_exit 0 gate check ranks.log --baseline ranks.log
refute_out 'print it'
expect_exit 0 gate baseline lint -v --set devices=2
expect_out 'the script uses 4, 8, 16 devices a node, and the case has devices = 2'
sed -i 's/^NPUS.*//; s/^torchrun.*convert.*//; s/devices=4 //' scripts/a.sh
expect_exit 0 gate baseline lint -v --set env.N=8
refute_out 'devices a node'
refute_out overruled
