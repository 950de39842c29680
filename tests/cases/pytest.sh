# judge = "pytest": each test that a launch of pytest runs is a check of the case, in every report and in the history.
# timeout: 300
. "$(dirname "$0")/_lib"
PATH=/usr/bin:$PATH  # Debian's python3 has Debian's pytest
python3 -c 'import pytest' 2>/dev/null || skip "no pytest"
unset PYTEST_ADDOPTS PYTEST_PLUGINS

# python_test NAME < TEXT: tests/ut/test_NAME.py
python_test() { mkdir -p tests/ut && cat >"tests/ut/test_$1.py"; }

# pytest_suite [LAUNCH]: the cases are the files of tests.
pytest_suite() {
  local launch=${1-'python3 -m pytest -q -p no:cacheprovider {script}'}
  printf '[suite]\ncases = "tests/ut/test_*.py"\nlaunch = "%s"\n\n[defaults]\njudge = "pytest"\n' "$launch" >gate.toml
}
result() { expect_json .gate/latest/result.json "$1"; }
# verdict_of CASE is VERDICT, and its reason holds TEXT.
expect_verdict() {
  jq -e --arg case "$1" --arg verdict "$2" --arg text "${3:-}" \
    '.cases[] | select(.case == $case) | .verdict == $verdict and (.reason | contains($text))' .gate/latest/result.json >/dev/null ||
    broken "$1 is not $2 with $3: $(jq -c --arg case "$1" '.cases[] | select(.case == $case) | [.verdict, .reason]' .gate/latest/result.json)"
}

# --- tests of all kinds ---
suite kinds
pytest_suite
python_test pass <<'PY'
import pytest
class TestRope:
    @pytest.mark.parametrize("x", ["fp16-a b", "[c]"])
    def test_x(self, x): pass
def test_中文(): pass
PY
python_test some <<'PY'
import pytest
@pytest.mark.skip(reason="no NPU")
def test_skip(): pass
@pytest.mark.xfail(reason="bug 7")
def test_expected(): assert 0
def test_ok(): pass
PY
python_test fail <<'PY'
import pytest
@pytest.mark.parametrize("x", ["a b", "<&\">"])
def test_f(x):
    assert x != "a b", "no blanks"
@pytest.mark.xfail(strict=True)
def test_unexpected(): pass
PY
python_test setup <<'PY'
import pytest
@pytest.fixture
def bad(): raise RuntimeError("boom")
def test_s(bad): pass
def test_ok(): pass
PY
python_test teardown <<'PY'
import pytest
@pytest.fixture
def bad():
    yield
    raise RuntimeError("late")
def test_t(bad): pass
PY
python_test both <<'PY'
import pytest
@pytest.fixture
def bad():
    yield
    raise RuntimeError("late")
def test_b(bad): assert 1 == 2
PY
python_test import <<<'import not_there'
python_test nothing <<<'x = 1'
python_test skipped <<'PY'
import pytest
@pytest.mark.skip(reason="no NPU")
def test_a(): pass
PY
expect_exit 1 gate run --report html=page.html --report markdown=page.md --report openmetrics=page.txt
expect_verdict test_pass.py passed "3 tests passed"
expect_out_match '^passed test_pass.py +3 tests '
result '.cases[] | select(.case == "test_pass.py") | [.checks[].metric] | sort == (["tests/ut/test_pass.py::TestRope::test_x[fp16-a b]",
  "tests/ut/test_pass.py::TestRope::test_x[[c]]", "tests/ut/test_pass.py::test_中文"] | sort)'
result '.cases[] | select(.case == "test_pass.py") | any(.checks[]; .metric == "tests/ut/test_pass.py::TestRope::test_x[fp16-a b]" and .status == "pass" and .test.class == "tests.ut.test_pass.TestRope")'
expect_verdict test_some.py passed "1 test passed, 2 skipped"
expect_out 'tests/ut/test_some.py::test_skip  skipped: no NPU'
expect_out 'tests/ut/test_some.py::test_expected  skipped: expected to fail: bug 7'
expect_verdict test_fail.py regressed "tests/ut/test_fail.py::test_f[a b]: AssertionError: no blanks (tests/ut/test_fail.py:4), and 1 more check"
expect_out 'tests/ut/test_fail.py::test_f[a b]  failed: AssertionError: no blanks  tests/ut/test_fail.py:4'
expect_out 'tests/ut/test_fail.py::test_unexpected  failed: [XPASS(strict)]'
refute_out 'gate baseline accept test_fail.py'
expect_verdict test_setup.py crashed 'exited 1: tests/ut/test_setup.py::test_s: failed on setup with "RuntimeError: boom"'
expect_verdict test_teardown.py crashed 'exited 1: tests/ut/test_teardown.py::test_t: failed on teardown with "RuntimeError: late"'
expect_verdict test_both.py regressed 'tests/ut/test_both.py::test_b: assert 1 == 2'
expect_verdict test_import.py crashed "tests/ut/test_import.py: collection failure: ModuleNotFoundError: No module named 'not_there'"
expect_verdict test_nothing.py crashed "exited 5: pytest collected no test"
expect_verdict test_skipped.py unjudged "no test passed: 1 skipped"

junit=.gate/latest/junit.xml
xmllint --noout "$junit"
count_in_junit() { xmllint --xpath "string(count($1))" "$junit"; }
[[ $(count_in_junit '//testsuite[@name="test_fail.py"]/testcase[failure]') == 2 ]] || broken "two failures are not in $junit"
[[ $(xmllint --xpath 'string(//testcase[@name="tests/ut/test_fail.py::test_f[a b]"]/failure/@message)' "$junit") == "AssertionError: no blanks" ]] ||
  broken "the failure is not in $junit"
[[ $(xmllint --xpath 'string(//testcase[@name="tests/ut/test_pass.py::TestRope::test_x[fp16-a b]"]/@classname)' "$junit") == tests.ut.test_pass.TestRope ]] ||
  broken "no class in $junit"
[[ $(count_in_junit '//testsuite[@name="test_setup.py"]/testcase[error]') == 1 ]] || broken "the error is not in $junit"
[[ $(count_in_junit '//testsuite[@name="test_some.py"]/testcase[skipped]') == 2 ]] || broken "what is skipped is not in $junit"
[[ $(count_in_junit '//testcase') == $(xmllint --xpath 'string(/testsuites/@tests)' "$junit") ]] || broken "$junit counts wrongly"
[[ $(count_in_junit '//failure') == $(xmllint --xpath 'string(/testsuites/@failures)' "$junit") ]] || broken "$junit counts failures wrongly"
[[ $(count_in_junit '//error') == $(xmllint --xpath 'string(/testsuites/@errors)' "$junit") ]] || broken "$junit counts errors wrongly"
expect_file page.html 'tests/ut/test_fail.py::test_f[a b]'
expect_file page.html 'tests/ut/test_pass.py::test_中文'
expect_file page.html 'tests/ut/test_fail.py::test_f[&lt;&amp;'
expect_file page.md 'no blanks'
expect_file page.txt 'metric="tests/ut/test_fail.py::test_f[a b]"'
expect_exit 0 gate report
expect_out 'tests/ut/test_fail.py::test_f[a b]  failed: AssertionError: no blanks  tests/ut/test_fail.py:4'
expect_exit 0 gate explain test_fail.py 'tests/ut/test_fail.py::test_f[a b]'
expect_out 'tests/ut/test_fail.py:4'
refute_out 'test_unexpected'
expect_exit 0 gate explain test_pass.py 'tests/ut/test_pass.py::test_中文'
expect_exit 0 gate list
run gate baseline lint test_pass.py
expect_out "only pytest's tests are judged"
refute_file .gate/latest/test_pass.py/scratch

# --- since when a test fails ---
suite since
pytest_suite
python_test a <<<$'def test_1(): pass\ndef test_2(): pass\ndef test_gone(): assert 0'
expect_exit 1 gate run
python_test a <<<$'def test_1(): pass\ndef test_2(): assert 0'
expect_exit 1 gate run
second=$(jq -r .run .gate/latest/result.json)
expect_exit 1 gate run
expect_exit 0 gate history test_a.py
expect_out_match "^  tests/ut/test_a.py::test_2  fails since run $second \(.*\), red in 2 of 3$"
refute_out test_1
refute_out test_gone
expect_exit 0 gate history test_a.py --json
cp "$WORK/.last/out" history.json
expect_json history.json ".cases[0].tests | map(select(.test == \"tests/ut/test_a.py::test_2\" and .since == \"$second\" and .red == 2 and .status == \"fail\")) | length == 1"
python_test a <<<$'def test_1(): pass\ndef test_2(): pass'
expect_exit 0 gate run
expect_exit 0 gate history test_a.py
expect_out_match '^  tests/ut/test_a.py::test_2  passes since run .*, red in 2 of 4$'

# --- PYTEST_ADDOPTS of the user's is kept, of the environment and of `env`, quotes and all ---
suite given
pytest_suite
python_test a <<<$'def test_a_b(): pass\ndef test_c(): assert 0'
expect_exit 0 env PYTEST_ADDOPTS="-k 'a and b'" gate run
expect_verdict test_a.py passed "1 test passed"
printf '[defaults.env]\nPYTEST_ADDOPTS = "-k c"\n' >>gate.toml
expect_exit 1 env PYTEST_ADDOPTS="-k 'a and b'" gate run
result '.cases[0].checks | length == 1'
# A folder whose name a shell would take apart.
suite "it's \$HOME; a \"quote\""
pytest_suite
python_test a <<<'def test_a(): pass'
expect_exit 0 gate run

# --- no file, or not pytest's: never green ---
suite missing
pytest_suite "python3 -m pytest -q -p no:cacheprovider --junitxml=own.xml {script}"
python_test a <<<'def test_a(): pass'
expect_exit 4 gate run
expect_verdict test_a.py incomplete "pytest wrote no JUnit file"
pytest_suite "python3 -m pytest -q -p no:junitxml {script}"
expect_exit 4 gate run
expect_verdict test_a.py crashed "exited 4: the program does not take these arguments: unrecognized arguments: --junitxml="
pytest_suite "true {script}"
expect_exit 4 gate run
expect_verdict test_a.py incomplete "pytest wrote no JUnit file"
cat >twice <<'SH'
python3 -m pytest -q -p no:cacheprovider "$1"
python3 -m pytest -q -p no:cacheprovider "$2"
SH
pytest_suite "bash twice {script} other.py"
echo 'def test_o(): pass' >other.py
expect_exit 4 gate run
expect_verdict test_a.py incomplete "pytest wrote its file 2 times"
sed -i 's/$/ | cat >"$GATE_SCRATCH\/said"/' twice # the log tells nothing of it
expect_exit 4 gate run
expect_verdict test_a.py incomplete "pytest wrote its file 2 times"
cat >ranks <<'SH'
for rank in 0 1; do RANK=$rank python3 -m pytest -q -p no:cacheprovider "$1" || code=1; done
exit ${code:-0}
SH
pytest_suite "bash ranks {script}"
expect_exit 0 gate run
python_test a <<<$'import os\ndef test_a(): assert os.environ["RANK"] == "0"\ndef test_b(): pass'
expect_exit 1 gate run
expect_verdict test_a.py regressed "tests/ut/test_a.py::test_a: rank 1: AssertionError"
python_test a <<<'def test_a(): pass'
printf 'python3 -m pytest -q -p no:cacheprovider "$1"; exit 7\n' >seven
pytest_suite "bash seven {script}"
expect_exit 4 gate run
expect_verdict test_a.py crashed "exited 7: none of its tests failed"
printf 'python3 -m pytest -q -p no:cacheprovider "$1"; exit 0\n' >zero
pytest_suite "bash zero {script}"
python_test a <<<'def test_a(): assert 0'
expect_exit 1 gate run
expect_verdict test_a.py regressed "tests/ut/test_a.py::test_a: assert 0"
python_test a <<<'import not_there'
expect_exit 4 gate run
expect_verdict test_a.py crashed "tests/ut/test_a.py: collection failure"

# --- a test that writes the file itself, after pytest did ---
suite hostile
pytest_suite
# overwrites NAME < XML: a test that does so.
overwrites() {
  cat >"$1.xml"
  python_test "$1" <<PY
import atexit, glob, os, shutil
def test_a():
    atexit.register(lambda: [shutil.copy("$PWD/$1.xml", f) for f in glob.glob(os.environ["GATE_SCRATCH"] + "/pytest-*.xml")])
PY
}
overwrites bomb <<<'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites>&b;</testsuites>'
overwrites garbage <<<'<testsuites><testsuite'
overwrites nan <<<'<testsuites><testsuite><testcase classname="a" name="b" time="nan"/></testsuite></testsuites>'
overwrites counts <<<'<testsuites><testsuite failures="1"><testcase classname="a" name="b"/></testsuite></testsuites>'
overwrites empty <<<'<testsuites><testsuite/></testsuites>'
overwrites forged <<<'<testsuites><testsuite><testcase classname="a" name="&#27;[31m"/></testsuite></testsuites>'
python_test pipe <<'PY'
import atexit, glob, os
def replace():
    for f in glob.glob(os.environ["GATE_SCRATCH"] + "/pytest-*.xml"):
        os.unlink(f)
        os.mkfifo(f)
def test_a(): atexit.register(replace)
PY
expect_exit 4 gate run
expect_verdict test_bomb.py incomplete "pytest.xml:1:"
expect_verdict test_bomb.py incomplete "a document type"
expect_verdict test_garbage.py incomplete "pytest's file is not as pytest writes it: pytest.xml:"
expect_verdict test_nan.py incomplete 'no time: "nan"'
expect_verdict test_counts.py incomplete "counts 1 failures and holds 0"
expect_verdict test_empty.py crashed "pytest collected no test"
expect_verdict test_forged.py incomplete "pytest.xml:1:"
expect_verdict test_pipe.py incomplete "pytest wrote no JUnit file"
xmllint --noout .gate/latest/junit.xml

# --- a test that hangs, and one that dies ---
suite hangs
pytest_suite "python3 -m pytest -v -p no:cacheprovider {script}"
python_test hang <<'PY'
import pytest, time
def test_first(): pass
@pytest.mark.parametrize("x", ["a b"])
def test_hang(x): time.sleep(1000.75)
PY
python_test dies <<'PY'
import os
def test_dies(): os.kill(os.getpid(), 11)
PY
expect_exit 4 gate run --timeout 3s --set grace=0s
expect_verdict test_hang.py timed_out
expect_out 'the last test that began: tests/ut/test_hang.py::test_hang[a b]'
expect_verdict test_dies.py crashed SIGSEGV
expect_out 'the last test that began: tests/ut/test_dies.py::test_dies'

# --- what the shell leaves out is told, and nothing left to judge is unjudged ---
suite shell
pytest_suite
python_test a <<<$'def test_a(): pass\ndef test_b(): pass'
expect_exit 0 env PYTEST_ADDOPTS="-k test_b" gate run
expect_out 'pytest deselected 1 test'
expect_out 'PYTEST_ADDOPTS of the shell: -k test_b'
expect_exit 3 env PYTEST_ADDOPTS="-k nothing" gate run
expect_verdict test_a.py unjudged 'no test was run: pytest deselected 2 tests'
expect_exit 3 env PYTEST_ADDOPTS=--setup-only gate run
expect_verdict test_a.py unjudged 'PYTEST_ADDOPTS of the shell has --setup-only'
echo 'python3 -m pytest -q -p no:cacheprovider other.py' >wrapper
echo 'def test_o(): pass' >other.py
pytest_suite 'bash wrapper {script}'
expect_exit 4 gate run
expect_verdict test_a.py incomplete "pytest's file holds no test of tests/ut/test_a.py; the first of other files is at pytest.xml:1:"

# --- a file that was written elsewhere, each as pytest writes it or with a reason at its place ---
suite judged
pytest_suite
python_test a <<<'def test_a(): pass'
passes='<testcase classname="tests.ut.test_a" name="p"/>'
while IFS='|' read -r expected attributes elements; do
  printf '<testsuites>\n<testsuite name="pytest"%s>%s</testsuite></testsuites>' "$attributes" "$elements" >f.xml
  expect_exit "$expected" gate check f.xml --case test_a.py
  ((expected != 4)) || expect_out 'f.xml:2:'
done <<ROWS
0| tests="1" failures="0" errors="0" skipped="0"|$passes
4| tests="0"|$passes
4| tests="2"|$passes
4| skipped="1"|$passes
4||$passes<testsuite name="inner"><testcase name="f"><failure/></testcase></testsuite>
4||$passes<error/>
4||$passes<system-err>boom</system-err>
4||<testcase classname="tests.ut.test_a" name="p" status="notrun"/>
4||<testcase classname="tests.ut.test_a" name="p"><flakyFailure/></testcase>
4||<testcase classname="tests.ut.test_b" name="p"/>
0||$passes<testcase classname="tests.ut.test_b" name="p"/>
ROWS
printf '<testsuites><testsuite>%s</testsuite></testsuites>' "$passes" | iconv -t utf-16 >f.xml
expect_exit 4 gate check f.xml --case test_a.py
expect_out 'f.xml:1:1: UTF-16'

# --- a file that was written elsewhere ---
suite saved
pytest_suite
python_test a <<<$'def test_a(): pass\ndef test_b(): assert 0'
python3 -m pytest -q -p no:cacheprovider --junitxml=pytest.xml >pytest.log || true
expect_exit 1 gate check pytest.xml --case test_a.py
expect_out 'tests.ut.test_a::test_b  failed: assert 0'
expect_exit 2 gate check pytest.log --case test_a.py
expect_err "test_a.py is judged by its tests; give the JUnit file"
expect_exit 1 gate baseline record test_a.py

# --- secrets are masked, and a case in quarantine makes no JUnit file red ---
suite quiet
pytest_suite
printf '\n[case."test_a.py"]\nquarantine.until = "%s"\nquarantine.reason = "known"\nquarantine.owner = "me"\n' "$(date -d '+10 days' +%F)" >>gate.toml
python_test a <<<$'import os\ndef test_a(): assert 0, os.environ["API_TOKEN"]'
python_test b <<<'def test_b(): pass'
expect_exit 0 env API_TOKEN=hunter2hunter2 gate run
[[ $(xmllint --xpath 'string(count(//failure) + count(//error))' .gate/latest/junit.xml) == 0 ]] || broken "the quarantined case is red in junit.xml"
expect_json .gate/latest/result.json '.cases | map(select(.case == "test_a.py"))[0].checks[0].status == "fail"'
! grep -rq hunter2 .gate || broken "the secret is in .gate: $(grep -rl hunter2 .gate)"

# --- a merge request that judges by less than the target branch does ---
suite policy
pytest_suite
python_test a <<<'def test_a(): pass'
python_test b <<<$'#GATE judge=series\ndef test_b(): pass'
python_test d <<<$'#GATE judge=pytest\ndef test_d(): pass'
printf '.gate\n__pycache__\n' >.gitignore
git init -qb main . && git add . && git commit -qm first && git checkout -qb change
python_test a <<<$'#GATE judge=exit\ndef test_a(): pass'
python_test b <<<$'#GATE judge=pytest\ndef test_b(): pass'
python_test c <<<$'#GATE judge=pytest\ndef test_c(): pass'
python_test d <<<$'#GATE judge=exit\ndef test_d(): pass'
git add . && git commit -qm change
run gate run --policy-from main
expect_out_match '^  loosened  #GATE judge  series -> exit  in test_a.py '
expect_out_match '^  loosened  #GATE judge  pytest -> exit  in test_d.py '
expect_out_match '^  loosened  #GATE judge  series -> pytest  in test_b.py, test_c.py '
