#!/usr/bin/env bash
# The wheel for x86_64: pip installs it without a network into an environment of its own, gate works there, its module reads a
# run, its fixture fails a test, and pip removes all of it.
#
#   PYTHONS   the interpreters to try, with a blank between (default: Debian's)
. "$(dirname "$0")/_lib"

wheels=("$FILES/llm_gate-$VERSION-py3-none-"*x86_64.whl)
[[ -f ${wheels[0]} ]] || skip "$FILES has no wheel"

the_sums_are_right() {
  python3 - "${wheels[0]}" <<'END'
import base64, csv, hashlib, io, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as file:
    record = next(name for name in file.namelist() if name.endswith("/RECORD"))
    rows = {name: sum for name, sum, _ in csv.reader(io.StringIO(file.read(record).decode()))}
    assert set(rows) == set(file.namelist()), set(rows) ^ set(file.namelist())
    for name in set(rows) - {record}:
        kind, _, digest = rows[name].partition("=")
        assert base64.urlsafe_b64encode(hashlib.new(kind, file.read(name)).digest()).rstrip(b"=").decode() == digest, name
END
}

things_in() { (cd "$1" && find . -name __pycache__ -prune -o ! -type d -print | sort); }

try_python() {
  local python=$1 environment=$WORK/env before start
  "$python" -m venv --system-site-packages "$environment"
  before=$(things_in "$environment")
  start=${EPOCHREALTIME/[.,]/}
  "$environment/bin/python" -m pip install --quiet --no-index --disable-pip-version-check "${wheels[0]}"
  expect 0 "GREEN: 1 passed" "$environment/bin/gate" check "$root/same.log" --baseline "$root/old.log"
  expect 1 "RED: 1 regressed" "$environment/bin/gate" check "$root/worse.log" --baseline "$root/old.log"
  echo "$("$python" --version): pip install, a green and a red check: $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) ms"
  expect 0 "" test -s "$environment/share/man/man1/gate-check.1"
  expect 0 "" test -x "$environment/bin/gate-agent-x86_64"
  expect 0 "" test "$(readelf -lW "$environment/bin/gate" | grep -c INTERP || true)" = 0
  if "$environment/bin/python" -c 'import pytest' 2>/dev/null; then
    (cd "$root" && "$environment/bin/python" -m pytest -q -p no:cacheprovider "$SOURCE/tests/release/_wheel_tests.py")
  else
    missing "the module and the fixture with $("$python" --version)" "there is no pytest"
  fi
  "$environment/bin/python" -m pip uninstall --quiet --yes --disable-pip-version-check llm-gate
  expect 0 "" diff <(echo "$before") <(things_in "$environment")
  rm -rf "$environment"
}

the_sums_are_right
empty_root root
for python in ${PYTHONS:-/usr/bin/python3}; do try_python "$python"; done
