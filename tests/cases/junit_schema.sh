# JUnit files of all kinds of runs are valid for Jenkins. The schema is its oldest, junit-4; of what later ones allow,
# gate uses the attributes of `skipped` alone, which are taken out before the file is validated.
. "$(dirname "$0")/_lib"

valid() {
  sed -E 's/<skipped [^>]*>/<skipped>/' "$1" >"$WORK/.last/plain.xml"
  xmllint --noout --schema "$SOURCE/tests/schema/junit-4.xsd" "$WORK/.last/plain.xml" 2>"$WORK/.last/why" ||
    broken "$1 is not valid: $(head -n 3 "$WORK/.last/why")"
}

# xpath FILE EXPRESSION prints its value.
xpath() { xmllint --xpath "$2" "$1"; }

# The validator sees what is wrong.
echo '<testsuites><testsuite name="a" tests="1"><testcase file="x"/></testsuite></testsuites>' >bad.xml
! (valid bad.xml) >/dev/null || broken "an invalid file is valid"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
megatron_log 2.500000E+00 2.450000E+00 2.300000E+00 >bad.log
add() {
  script "$1" <<<"$2"
  expect_exit 0 gate baseline import good.log --case "$1" --accept --reason "first numbers"
}

# --- green; nothing at all ---
add passed 'cat good.log'
expect_exit 0 gate run --report junit=green.xml
valid green.xml
jq '.cases = [] | .exit_code = 3' .gate/latest/result.json >"$WORK/.last/empty.json"
mkdir -p stored && cp "$WORK/.last/empty.json" stored/result.json
expect_exit 0 gate report "$PWD/stored" --format junit
cp "$WORK/.last/out" empty.xml
valid empty.xml
[[ $(xpath empty.xml 'string(//testcase/error/@message)') == *'(exit 3)'* ]]

# --- red in every way that is easy to make ---
add regressed 'cat bad.log'
add crashed 'cat good.log; exit 3'
add killed 'kill -SEGV $$'
add short 'head -n 2 good.log'
add hung 'head -n 1 good.log; sleep 1000'
add slow 'while :; do cat good.log; sleep 0.1; done'
add elsewhere true
add unready true
script unjudged <<<'cat good.log'
cat >gate.toml <<'END'
[case.hung]
hang = "1s"
startup = "1s"
grace = "0s"
[case.slow]
timeout = "1s"
grace = "0s"
[case.elsewhere]
platform = "ascend-*"
[case.unready]
setup = "exit 1"
END
expect_exit 1 gate run --report junit=red.xml
valid red.xml
for verdict in regressed crashed incomplete hung timed_out unjudged infra; do
  [[ $(xpath red.xml "count(//*[@type='$verdict'])") -ge 1 ]] || broken "no $verdict in red.xml"
done
[[ $(xpath red.xml 'string(//testcase[@name="elsewhere"]/skipped)') == *'needs the devices'* ]] ||
  broken "skipped without its reason as text"
[[ $(xpath red.xml 'count(//failure | //error)') == $(($(xpath red.xml 'number(/testsuites/@failures + /testsuites/@errors)'))) ]]
expect_exit 1 gate run --max-failures 1 --jobs 1 --report junit=cut.xml regressed 'u*' short
valid cut.xml
[[ $(xpath cut.xml "count(//*[@type='not_run'])") -ge 1 ]] || broken "no not_run in cut.xml"

# --- hostile names and lines ---
suite hostile
megatron_log 2.500000E+00 2.400000E+00 >good.log
long=$(printf '%0100000d' 0)
export long
# shellcheck disable=SC2016 # for the scripts
for name in 'a]]>b' '<script>alert(1)<' '%0A::error::x' 'two  blanks' 'quote"&amp;'; do
  printf '%s\n' 'echo "Traceback (most recent call last):"' \
    'printf "RuntimeError: ]]> <failure/> \x01 \xff %s\n" "$long"' 'exit 1' >"scripts/$name.sh"
done
run gate run --report junit=hostile.xml
((code == 4)) || broken "exit code $code"
valid hostile.xml
jq '.suite = "\u0007]]>" | .cases[0].case = "\u0001\u001b[2J\n\ufffe]]><x>" | .cases[1].reason = .cases[0].case' \
  .gate/latest/result.json >"$WORK/.last/result.json" && mkdir stored && mv "$WORK/.last/result.json" stored
expect_exit 0 gate report "$PWD/stored" --format junit
cp "$WORK/.last/out" control.xml
valid control.xml
[[ $(xpath hostile.xml 'count(//testcase)') == 5 && $(xpath hostile.xml 'count(//error)') == 5 ]]
[[ $(xpath hostile.xml 'count(//testcase[@name="a]]>b"])') == 1 ]]
(($(wc -c <hostile.xml) < 200000)) || broken "100 KB lines are not cut"

# --- 2,000 failing checks in one case: its text is cut and says so ---
cd ../suite
jq '.cases |= map(select(.case == "regressed") | .checks = [.checks[] | select(.status == "fail")] |
    .checks[0] as $check | .checks = [range(2000) as $i | $check | .rule = "]]>\u0001rule \($i)" | .note = "n" * 300])' \
  .gate/latest/result.json >stored/result.json
expect_json stored/result.json '.cases[0].checks | length == 2000'
expect_exit 0 gate report "$PWD/stored" --format junit
cp "$WORK/.last/out" many.xml
valid many.xml
(($(wc -c <many.xml) < 60000)) || broken "2,000 checks are not cut"
xpath many.xml 'string(//failure)' | grep -qE '^and [0-9]+ lines more: gate -v report ' || broken "no word of what was cut"
