# Golden values of Megatron-LM under their profile: verdicts against their rules written down once more. Those of others
# are not part of the project: GATE_REAL_DATA names their folder. Without it every fifteenth of those beside the project
# is tried.
# timeout: 600
. "$(dirname "$0")/_lib"

every=$([[ -n ${GATE_REAL_DATA:-} ]] && echo 1 || echo 15)
data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
trees=()
if [[ -d $data/megatron ]]; then trees=("$data/megatron"); else echo "no golden files of others here: those made by the test alone"; fi
python3 "$SOURCE/tests/cases/profile_megatron.py" "$GATE" made "$every" "${trees[@]}"
