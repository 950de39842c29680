# Data that a case needs: looked up before the launch, told to the script, mounted in containers, shown by list.
. "$(dirname "$0")/_lib"

suite
mkdir -p gpu cpu/sets
cat >gate.toml <<'TOML'
[suite]
cwd = "{suite}"
[defaults]
judge = "exit"
data_dir = { any = "gpu", cpu = "cpu" }
needs = { any = ["sets"], "ascend-*" = ["/nowhere/npu"] }
[case."*"]
devices = 0
[case.plain]
data_dir.any = ""
data_dir.cpu = ""
needs = ["gate.toml"]
TOML
script told <<'SH'
[[ $GATE_DATA_DIR == "$PWD/cpu" && -d $GATE_DATA_DIR/sets ]]
SH
script plain <<'SH'
[[ -z ${GATE_DATA_DIR+set} ]]
SH

expect_exit 0 gate run
expect_last_line '2 passed.*exit 0'
expect_exit 0 gate list --explain told
expect_out_match '^data_dir +gpu +gate.toml:5:20$'
expect_out_match '^data_dir.cpu +cpu +gate.toml:5:33$'
expect_out_match '^needs.ascend-\* +/nowhere/npu '

# --- all that is missing is named, and nothing is launched ---
script lacks <<'SH'
#GATE needs=sets,tokens.bin,/nowhere/x
touch launched
SH
expect_exit 125 gate run lacks
expect_json .gate/latest/result.json '.cases[0] | .verdict == "infra" and
  (.reason | contains("it needs cpu/tokens.bin, /nowhere/x, which are not there"))'
refute_file launched
touch cpu/tokens.bin
expect_exit 125 gate run lacks
expect_json .gate/latest/result.json '.cases[0].reason | contains("it needs /nowhere/x, which is not there")'
expect_exit 0 gate run lacks --set needs=
expect_exit 125 gate run lacks --set data_dir.cpu=/nowhere/data --set needs=
expect_json .gate/latest/result.json '.cases[0].reason | contains("it needs /nowhere/data, which is not there")'

# --- a change of it is one of the case's settings ---
expect_exit 2 gate list --set 'needs.a b=x'
expect_err '--set needs.a b: "a b" is no platform'
