# Golden values of Megatron-LM under their profile: verdicts against their rules written down once more. Those of others
# are not part of the project: GATE_REAL_DATA names their folder.
# timeout: 600
. "$(dirname "$0")/_lib"

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
trees=()
if [[ -d $data/megatron ]]; then trees=("$data/megatron"); else echo "no golden files of others here: those made by the test alone"; fi
python3 "$SOURCE/tests/cases/profile_megatron.py" "$GATE" made "${trees[@]}"
