# timeout: 120
# Hosts that do not see the suite: the git tree goes there as it is, logs and artifacts come back, and nothing stays there
# but the agent and what it keeps of the tree.
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
mkdir -p "$WORK/suite" "$WORK/said"
hidden=("$WORK/suite")
start_hosts 3 1
far_suite <<'TOML'
sync = true
[defaults]
hosts = "npu1"
TOML
export SAID=$WORK/said # which all hosts see: for the test alone
there=$HOSTS/npu1/agent

! hosts_hide || ! on npu1 test -e "$PWD/gate.toml" || broken 'npu1 sees the suite'

blobs() { find "$HOSTS/$1/agent/blobs" -type f | wc -l; }
# nothing_left HOST...: but the agent and what it keeps of the tree
nothing_left() {
  clean "$@"
  local host
  for host in "$@"; do
    expect_exit 0 find "$HOSTS/$host/agent" ! -type d ! -path "*/blobs/*" ! -name 'gate-agent-*'
    [[ ! -s $WORK/.last/out ]] || broken "left on $host"
  done
}

# --- what is sent ---

mkdir tools logs out
echo 'losses() { steps; }' >tools/helper.sh
megatron_log 9.500000E+00 9.400000E+00 9.300000E+00 >logs/rank1.log
echo old >out/old.txt
echo gone >tools/gone
printf '#!/bin/sh\necho "tool runs"\n' >tools/tool && chmod +x tools/tool
ln -s helper.sh tools/link
far whole log='logs/rank{rank}.log,{scratch}/own/*.log' artifacts='out/*.txt,{scratch}/*.ckpt' needs="tools/helper.sh,$PWD/tools/tool" <<'SCRIPT'
. tools/link
tools/tool
ls tools
echo "helper has $(wc -l <tools/helper.sh) line"
echo "at $PWD run $GATE_RUN_DIR"
[[ $0 == "$PWD/scripts/whole.sh" && $GATE_SCRATCH == "$GATE_RUN_DIR"/* ]] || exit 9
losses >logs/rank0.log
echo new >out/new.txt
echo "weights of $GATE_HOST" >"$GATE_SCRATCH/last.ckpt"
mkdir "$GATE_SCRATCH/own" && echo "own log of $GATE_HOST" >"$GATE_SCRATCH/own/a.log"
echo scribble >>tools/helper.sh
until_there go
SCRIPT
git init -q . && git add . && git commit -qm first
rm tools/gone
far untracked <<<'steps'

begin whole
reads_log() { grep -qs 'iteration        3' .gate/latest/whole/logs/1/logs/rank0.log; }
wait_for reads_log # while the script runs
touch "$SAID/go"
ends 0
the whole '.verdict == "passed" and .hosts == ["npu1"]'
expect_out 'npu1 is sent'
expect_file .gate/latest/whole/log.txt 'tool runs'
expect_file .gate/latest/whole/log.txt "at $there/sessions/"
! grep -q gone .gate/latest/whole/log.txt || broken 'a file that is not there was sent'
refute_file .gate/latest/whole/logs/1/logs/rank1.log
expect_file .gate/latest/whole/logs/2/own/a.log 'own log of npu1'
expect_exit 0 ls .gate/latest/whole/artifacts .gate/latest/whole/artifacts/out
expect_same <(printf '%s:\nlast.ckpt\nout\n\n%s:\nnew.txt\n' .gate/latest/whole/artifacts{,/out}) "$WORK/.last/out"
expect_file .gate/latest/whole/artifacts/last.ckpt 'weights of npu1'
refute_file .gate/latest/whole/scratch
refute_file out/new.txt
expect_file tools/helper.sh losses
nothing_left npu1

# --- again: nothing is sent, and nothing of the run before is seen ---

count=$(blobs npu1)
expect_exit 0 gate run whole
refute_err 'is sent'
((count == $(blobs npu1))) || broken 'there are more contents than before'
expect_file .gate/latest/whole/log.txt 'helper has 1 line'

# --- what is changed is sent as it is; a script that git does not know goes, too ---

sed -i 's/steps;/steps | sed s,2.300000E+00,9.900000E+00,;/' tools/helper.sh
expect_exit 1 gate run whole untracked
the whole '.verdict == "regressed"' # by its log alone
the untracked '.verdict == "passed"'
expect_err 'npu1 is sent 2 files of the git tree' # the helper and the script
git checkout -q tools/helper.sh

# --- needs are looked up there; local is as ever; the run's folder may be elsewhere ---

far needy needs=tools/none <<<'steps'
far at_home hosts=local devices=0 artifacts='here.txt' <<<'pwd; echo home >here.txt; steps'
sed -i 's/devices=1 //' scripts/at_home.sh
far data data_dir="$HOSTS/npu1/data" needs=weights,tokens,tools/helper.sh <<<'echo "data $(cat "$GATE_DATA_DIR/weights")"; steps'
far data_of_tree data_dir=tools needs=helper.sh <<<'. "$GATE_DATA_DIR/helper.sh"; echo "in $GATE_DATA_DIR"; steps'
mkdir -p "$HOSTS/npu1/data/tools" && echo of-npu1 >"$HOSTS/npu1/data/weights"
expect_exit 125 gate run data data_of_tree
the data '.verdict == "infra" and (.reason | contains("data/tokens") and contains("data/tools/helper.sh, which are not there on npu1") and (contains("weights") | not))'
the data_of_tree '.verdict == "passed"'
expect_file .gate/latest/data_of_tree/log.txt "in $there/sessions/"
touch "$HOSTS/npu1/data/tokens" "$HOSTS/npu1/data/tools/helper.sh"
expect_exit 0 gate run data
expect_file .gate/latest/data/log.txt 'data of-npu1'

# --- a case that comes after another one on the same host finds what it left there, in the tree ---

far before artifacts='{scratch}/w.bin' <<<'echo weights >"$GATE_LAUNCH_DIR/left"; echo kept >"$GATE_SCRATCH/w.bin"; steps'
far behind after=before <<<'echo "found $(cat "$GATE_AFTER_BEFORE/left") at $GATE_AFTER_BEFORE"; steps'
far behind_here hosts=local after=before <<<'echo "found $(cat "$GATE_AFTER_BEFORE/artifacts/w.bin")"; steps'
sed -i 's/devices=1 //' scripts/behind_here.sh
expect_exit 0 gate run behind behind_here
expect_file .gate/latest/behind/log.txt "found weights at $there/sessions/"
expect_file .gate/latest/behind_here/log.txt 'found kept'

expect_exit 125 gate run needy at_home
the needy '.verdict == "infra" and (.reason | contains("it needs tools/none, which is not there on npu1"))'
the at_home '.verdict == "passed"'
expect_file .gate/latest/at_home/log.txt "$PWD"
expect_file .gate/latest/at_home/artifacts/here.txt home
expect_exit 0 gate run whole --out "$WORK/elsewhere"
expect_file "$WORK/elsewhere/whole/log.txt" "run $there/sessions/"
expect_file "$WORK/elsewhere/whole/artifacts/last.ckpt" npu1
nothing_left npu1

# --- two nodes: what both have under one name comes from both ---

far pair nodes=2 hosts=npu1,npu2 'log=logs/train.log' 'artifacts=out/*.txt,{scratch}/only.1' <<'SCRIPT'
steps >logs/train.log
echo "$GATE_HOST" >"out/who.txt"
[[ $NODE_RANK == 0 ]] || echo "$GATE_HOST" >"$GATE_SCRATCH/only.1"
SCRIPT
expect_exit 0 gate run pair
the pair '.hosts == ["npu1", "npu2"] and (.problems | all(.text | startswith("artifacts") | not))'
expect_file .gate/latest/pair/artifacts/out/who.txt npu1
expect_file .gate/latest/pair/artifacts.node1/out/who.txt npu2
expect_file .gate/latest/pair/artifacts.node1/only.1 npu2
expect_file .gate/latest/pair/logs/1/logs/train.log 'iteration        3'
expect_file .gate/latest/pair/logs.node1/1/logs/train.log 'iteration        3'
the pair '.artifacts.artifacts_node1 and .artifacts.logs_node1'
nothing_left npu1 npu2

# --- pytest's file comes back, from the first node ---

printf 'def test_a(): pass\ndef test_b(): assert 0\n' >test_units.py
git add test_units.py
far units judge=pytest nodes=2 hosts=npu1,npu2 <<'SCRIPT'
((NODE_RANK == 0)) || exit 0
/usr/bin/python3 -m pytest -q -p no:cacheprovider test_units.py
SCRIPT
expect_exit 1 gate run units
the units '.verdict == "regressed" and ([.checks[] | [.metric, .status]] ==
  [["test_units.py::test_b", "fail"], ["test_units.py::test_a", "pass"]])'
nothing_left npu1 npu2

# --- however it ends ---

far stays hosts=npu3 'artifacts=out/*.txt' <<'SCRIPT'
echo partly >out/partly.txt
begin
exec sleep 1000
SCRIPT
begin stays
wait_for has_begun stays
expect_exit 0 gate stop .gate/latest
ends 143
expect_file .gate/latest/stays/artifacts/out/partly.txt partly
nothing_left npu3
begin stays
wait_for has_begun stays
mapfile -t victims < <(gates_of "$gate")
kill -KILL "${victims[@]}"
wait "$gate" 2>/dev/null || true
nothing_left npu3

# --- what cannot be sent ---

rm -r .git
expect_exit 2 gate run whole
expect_err 'lies in no git tree'
expect_exit 0 gate run at_home
