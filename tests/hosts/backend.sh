# What runs a case's script: by itself where it is to run, on the hosts that there are, or here whatever hosts it names.
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
start_hosts 2 1
far_suite <<<$'[case.named]\nhosts = "npu2"'
sed -i '/^all = /s/all/lab/' gate.toml
for name in any named; do
  far "$name" < <(echo steps) && sed -i 's/devices=1/devices=0/' "scripts/$name.sh"
done

expect_exit 0 gate run
the any '.verdict == "passed" and .hosts == null'
the named '.hosts == ["npu2"]'
expect_exit 0 gate run --backend ssh
the any '.verdict == "passed" and (.hosts[0] | test("npu[12]"))'
the named '.hosts == ["npu2"]'
expect_exit 0 gate run --backend local
the any '.hosts == null'
the named '.verdict == "passed" and .hosts == null'

expect_exit 2 gate run named --set 'stages.download.command=true'
expect_err 'named: its stages share a folder, which a host behind ssh does not see'
expect_exit 0 gate run named --set 'stages.download.command=true' --backend local

suite alone
script one <<<'true'
expect_exit 2 gate run --backend ssh
expect_err 'one: backend = ssh, and there is no host: name some in [hosts] or by --hosts'
expect_exit 2 gate run --backend slrum
expect_err 'slurm'

# The suite that ships with the project: as on this host, but for where it ran.
far_suite sample <<<''
(here=$PWD && cd "$SOURCE" && cp -r --parents scripts baselines/tinygpt "$here")
told='[.cases[] | [.case, .verdict, .reason, [.checks[] | [.metric, .status]]]]'
expect_exit 0 gate run --platform cpu
jq "$told" .gate/latest/result.json >here.json
expect_exit 0 gate run --platform cpu --backend ssh --env TINYGPT="$TINYGPT"
the tinygpt/dp2 '.hosts[0] | test("npu[12]")'
jq "$told" .gate/latest/result.json >there.json
expect_same here.json there.json
