# Groups of cases: scripts and baselines in folders of several kinds, folders that are cases, and names with @ , = : in them.
. "$(dirname "$0")/_lib"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
mkdir -p st/results pipeline/st/glm pipeline/st/baseline mc/gpt/{one,two}
for file in st/llama_tp2.sh pipeline/st/glm/train.sh; do echo "cat $PWD/run.log" >"$file"; done
for name in one two; do echo "# TEST_TYPE: $name" >"mc/gpt/$name/model_config.yaml"; done
cat >launch.sh <<END
echo "\$@" >>"$PWD/launched"
cat $PWD/run.log
END
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
[group.st]
cases = ["st/*.sh", "pipeline/st/*/*.sh"]
baselines = ["st/results/{case}.json", "pipeline/st/baseline/{name}.json"]
devices = 0
[group.mc]
cases = "mc/*/*/model_config.yaml"
launch = "bash launch.sh {folder} {case} {name} {group} {devices} {nodes} {node_rank}"
cwd = "{suite}"
devices = 0
tags = ["functional"]
TOML

run gate list --json
expect_json "$WORK/.last/out" '[.[].case] == ["mc/gpt/one", "mc/gpt/two", "st/glm/train", "st/llama_tp2"]'

# Baselines lie where the groups say, by the name in the group, by its last part, else by the whole name.
expect_exit 3 gate run
expect_exit 0 gate baseline accept --run "$(latest)" --to general --reason first
for file in st/results/llama_tp2 pipeline/st/baseline/train baselines/mc/gpt/one; do expect_file "$file.json"; done
expect_file launched "$PWD/mc/gpt/one mc/gpt/one one mc 0 1 0"
expect_exit 0 gate run
expect_last_line '4 passed'
expect_exit 0 gate run --tag functional
expect_last_line '2 passed'
expect_exit 0 gate run 'st/**' mc/gpt/one/model_config.yaml
expect_last_line '3 passed'
run gate baseline list
expect_out_match '^st/glm/train +general +cpu'
rm pipeline/st/baseline/train.json
expect_exit 0 gate baseline accept st/glm/train --run "$(latest)" --reason again --to platform
expect_file pipeline/st/baseline/cpu/train.json
expect_exit 0 gate run st/glm/train

# A baseline without a script is told, whichever folder it lies in.
cp pipeline/st/baseline/cpu/train.json pipeline/st/baseline/gone.json
cp st/results/llama_tp2.json st/results/left.json
expect_exit 3 gate run
expect_out 'st/gone'
expect_out 'st/left'
rm pipeline/st/baseline/gone.json st/results/left.json

# Two scripts have no baseline in common, and no name.
mkdir pipeline/st/baichuan && cp pipeline/st/glm/train.sh pipeline/st/baichuan/
expect_exit 2 gate list
expect_err 'cases st/baichuan/train and st/glm/train have one baseline, pipeline/st/baseline/train.json'
mv pipeline/st/baichuan/train.sh pipeline/st/baichuan/tune.sh
mkdir st/glm && expect_exit 0 gate list
sed -i 's|"st/\*.sh"|"st/**.sh"|' gate.toml
cp pipeline/st/glm/train.sh st/glm/
expect_exit 2 gate list
expect_err 'pipeline/st/glm/train.sh: is case st/glm/train, and so is st/glm/train.sh'
rm -r st/glm

# The policy of a ref has its groups, and so has the tree.
git init -q . && git config user.email a@b && git config user.name c && git add -A && git commit -qm one
sed -i 's/^tags/timeout = "1h"\ntags/' gate.toml
expect_exit 3 gate run --policy-from HEAD
expect_last_line '1 unjudged, 4 passed'
expect_out 'timeout'
sed -i 's|"pipeline/st/\*/\*.sh"|"pipeline/none/*.sh"|' gate.toml
expect_exit 0 gate run --policy-from HEAD st/glm/train
expect_out 'group.st.cases'

# A group is not called as a platform is: its baselines would be those of cases on it.
sed 's/group.mc/group.cpu/' gate.toml >other.toml
expect_exit 2 gate list --config other.toml
expect_err '[group.cpu]: is the name of a platform'

# Variants that the tree drops or adds are findings, and what the ref has is judged.
suite variants
script st/x <<<'cat run.log'
script st/z <<<'cat run.log'
megatron_log 2.500000E+00 2.400000E+00 >run.log
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
cwd = "{suite}"
[defaults]
devices = 0
[matrix."st/x"]
TP = [1, 2]
[case."st/x"]
rules.lm_loss.tolerance = "±0.001"
TOML
sed -i '/^\[defaults\]/,/^devices/d' gate.toml
expect_exit 3 gate run
expect_exit 0 gate baseline accept --run "$(latest)" --to general --reason first
git init -q . && git config user.email a@b && git config user.name c && git add -A && git commit -qm one
sed -i 's/\[1, 2\]/[1, 3]/' gate.toml
expect_exit 0 gate run --policy-from HEAD
expect_last_line '3 passed'
expect_out_match 'removed +case.* st/x@TP=2|removed .*st/x@TP=2'
expect_out_match 'added .*st/x@TP=3'
git checkout -q gate.toml
# The rules of a variant that is gone are still its own.
megatron_log 2.505000E+00 2.405000E+00 >off.log
expect_exit 1 gate check off.log --case st/x@TP=1 --policy-from HEAD
rm scripts/st/x.sh
sed -i '/^\[matrix/,$d' gate.toml
expect_exit 1 gate check off.log --case st/x@TP=1 --policy-from HEAD
expect_exit 3 gate run --policy-from HEAD
expect_out 'HEAD has this case, and the tree has no script of it'

# Names that globs, shells, JUnit and files could read otherwise.
suite names
odd='a,b@c=d:e f'
printf '#GATE devices=0\ncat %q\n' "$WORK/suite/run.log" | script "x/$odd"
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
[matrix."x/*"]
A = ["1:2", "k=v", "中"]
TOML
expect_exit 3 gate run --report junit=out.xml
expect_exit 0 gate baseline accept --run "$(latest)" --to general --reason first
expect_file "baselines/x/$odd@A=k=v.json"
expect_exit 0 gate run --report junit=out.xml -- # nothing behind it
expect_last_line '3 passed'
expect_file out.xml "$odd@A=1:2"
expect_exit 0 gate run "x/$odd@A=中"
expect_last_line '1 passed'
expect_exit 0 gate run '**@A=k*'
expect_last_line '1 passed'
expect_exit 0 gate run "x/$odd"
expect_last_line '3 passed'
expect_file ".gate/latest/x/$odd@A=1:2/log.txt"
expect_exit 0 gate explain "x/$odd@A=k=v"
