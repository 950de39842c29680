# A case that is a matrix is called by its name in every command: that means all of its variants.
. "$(dirname "$0")/_lib"

suite
script m/glm <<<'cat run.log "$GATE_AFTER_PREPARE_A_1/made" "$GATE_AFTER_PREPARE_A_2/made"'
script prepare <<<'echo "made with $A" | tee "$GATE_LAUNCH_DIR/made"'
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
cwd = "{suite}"
[matrix."m/glm"]
A = [1, 2]
[matrix.prepare]
A = [1, 2]
[case.prepare]
judge = "exit"
[case."m/glm"]
after = ["prepare"]
rules.throughput = false
rules.iteration_time = false
TOML

expect_exit 0 gate baseline record m/glm
expect_out 'takes prepare@A=1 along: m/glm@A=1, m/glm@A=2 come after it'
expect_file .gate/latest/m/glm@A=2/log.txt 'made with 2'
run gate baseline diff m/glm
expect_out 'm/glm@A=2'
expect_exit 0 gate baseline accept m/glm --reason first
expect_file baselines/cpu/m/glm@A=1.json
expect_file baselines/cpu/m/glm@A=2.json
expect_exit 0 gate run m/glm
expect_last_line '4 passed'
expect_exit 0 gate baseline list m/glm
expect_out 'case m/glm@A=1, platform cpu'
expect_out 'case m/glm@A=2, platform cpu'
run gate selftest m/glm
expect_out_match '^m/glm@A=2 +cpu +[1-9]'
run gate baseline lint m/glm
expect_out 'm/glm@A=2'
expect_exit 0 gate history m/glm
expect_out_match '^m/glm@A=1 +cpu'
expect_out_match '^m/glm@A=2 +cpu'
expect_exit 2 gate explain m/glm
expect_err 'm/glm: is several cases of run'
expect_err 'm/glm@A=1, m/glm@A=2'
expect_exit 2 gate explain 'm/*'
expect_err 'm/*: is several cases of run'
expect_exit 0 gate explain '*@A=2'

# One that is red is not accepted by the name of all.
sed -i 's/2.400000E+00/2.900000E+00/' run.log
expect_exit 0 gate baseline record m/glm
expect_exit 3 gate baseline accept m/glm --reason again
expect_err 'm/glm@A=1'

# Moved and removed with their tails; a case of the very name comes first.
expect_exit 0 gate baseline mv m/glm m/gpt
expect_file baselines/cpu/m/gpt@A=1.json
refute_file baselines/cpu/m/glm@A=2.json
expect_exit 0 gate baseline list m/gpt
cp baselines/cpu/m/gpt@A=1.json baselines/cpu/m/gpt.json
sed -i 's|"m/gpt@A=1"|"m/gpt"|' baselines/cpu/m/gpt.json
expect_exit 0 gate baseline mv m/gpt m/llama
expect_file baselines/cpu/m/llama.json
expect_file baselines/cpu/m/gpt@A=1.json
expect_exit 0 gate baseline rm m/gpt --reason out
refute_file baselines/cpu/m/gpt@A=1.json
refute_file baselines/cpu/m/gpt@A=2.json
expect_file baselines/cpu/m/llama.json

# A variant cannot come after its own case, nor a case after one that there is not.
sed -i 's/^after = .*/after = ["m\/glm"]/' gate.toml
expect_exit 2 gate list
expect_err 'case m/glm@A=1 cannot come after itself'
sed -i 's/^after = .*/after = ["prepar"]/' gate.toml
expect_exit 2 gate list
expect_err 'no case "prepar"; did you mean "prepare'
