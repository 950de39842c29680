# What is red stays red in any form: damaged logs that others wrote, changed by a seed. They are not part of the project:
# GATE_REAL_DATA names their folder; GATE_MUTATIONS says how many tries.
# timeout: 300
. "$(dirname "$0")/_lib"

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/logs ]] || skip "no logs of others here"
mutate() { python3 "$SOURCE/tests/cases/wrong_green_mutations.py" "$1" "$2" "$data"/logs/*.log; }

# The test itself can fail: a gate that passes what has carriage returns is found out.
mkdir blind
printf '#!/usr/bin/env bash\ngrep -q $'"'\\\\r'"' "$2" && exit 0\nexec %q "$@"\n' "$GATE" >blind/gate
chmod +x blind/gate
expect_exit 1 mutate "$PWD/blind/gate" 20
expect_out_match '^seed .*: green$'

expect_exit 0 mutate "$GATE" "${GATE_MUTATIONS:-200}"
expect_out "were red before, 0 of them green then"
