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
  for content in 'expect_out '(world 8, data-parallel 1) 8 print it; ranks 2, 4, 5, 6, 7 do not print it'
sed -i 's/world size: 8/world size: 3/' ranks.log
expect_exit 0 gate check ranks.log --baseline ranks.log
refute_out 'print it'
expect_exit 0 gate baseline lint -v --set devices=2
expect_out 'the script uses 4, 8, 16 devices a node, and the case has devices = 2'
sed -i 's/^NPUS.*//; s/^torchrun.*convert.*//; s/devices=4 //' scripts/a.sh
expect_exit 0 gate baseline lint -v --set env.N=8
refute_out 'devices a node'
refute_out overruled
