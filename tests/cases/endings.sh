# What a case measured, how it ended, who judges it and with which flags: the verdict of every combination is the one of
# a table that is written down once more in endings.py. GATE_ENDINGS=all tries all of them, and not a part.
# timeout: 300
part=${GATE_ENDINGS:-short}
. "$(dirname "$0")/_lib"

combinations() { python3 "$SOURCE/tests/cases/endings.py" "$1" "$PWD/$2" "$3"; }

# The test itself can fail: a gate that tells what was measured first is found out.
mkdir blind
cat >blind/gate <<END
#!/usr/bin/env bash
"$GATE" "\$@"
code=\$?
while [[ \$# -gt 0 && \$1 != --report ]]; do shift; done
report=\${2:-} && report=\${report#json=}
[[ ! -f \$report ]] || sed -i 's/"verdict": "crashed"/"verdict": "regressed"/' "\$report"
exit \$code
END
chmod +x blind/gate
expect_exit 1 combinations "$PWD/blind/gate" blinded tiny
expect_out_match '^gate/far_10_exit1: verdict regressed, not crashed$'

expect_exit 0 combinations "$GATE" tried "$part"
expect_out_match '^[0-9]+ combinations, 0 wrong$'
cat "$WORK/.last/out"
