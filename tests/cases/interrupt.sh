# TERM and INT end a run with complete, red reports and nothing left behind.
. "$(dirname "$0")/_lib"

suite
script a_slow <<'EOF'
echo $$ >"$GATE_RUN_DIR/pid"
echo ' iteration        1/      50 | lm loss: 1.000000E+00 |'
exec sleep 1000
EOF
script b_after <<'EOF'
echo never
EOF
baseline a_slow <"$SOURCE/tests/cases/data/one_step.json"
baseline b_after <"$SOURCE/tests/cases/data/one_step.json"

interrupted_by() {
  rm -rf .gate
  gate run >"$WORK/out" 2>"$WORK/err" </dev/null &
  local gate_pid=$! code=0
  wait_for test -s .gate/latest/pid
  expect_file .gate/latest/junit.xml
  kill -"$1" "$gate_pid"
  wait "$gate_pid" || code=$?
  ((code == $2)) || broken "exit code $code after $1, expected $2: $(<"$WORK/err")"
  ! kill -0 "$(<.gate/latest/pid)" 2>/dev/null || broken "the script lives on"
  expect_json .gate/latest/result.json ".exit_code == $2 and (.cases | map(.verdict)) == [\"interrupted\", \"not_run\"]"
  xmllint --noout .gate/latest/junit.xml
  [[ $(grep -c '<error' .gate/latest/junit.xml) == 2 ]] || broken "junit.xml is not red"
}
interrupted_by TERM 143
interrupted_by INT 130
