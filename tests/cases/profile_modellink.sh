# Baselines of ModelLink, MindSpeed-LLM and MindSpeed-MM under their profiles: verdicts just within and just beyond each
# bound against their rules written down once more. Those of others are not part of the project: GATE_REAL_DATA names
# their folder. Without it every fifteenth of those beside the project is tried, and fewer values next to a bound.
# timeout: 600
. "$(dirname "$0")/_lib"

every=$([[ -n ${GATE_REAL_DATA:-} ]] && echo 1 || echo 15)
data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
trees=()
if [[ -d $data/modellink ]]; then
  trees=("$data/modellink" "$data/mindspeed-llm")
else
  echo "no baselines of others here: those made by the test alone"
fi
python3 "$SOURCE/tests/cases/profile_modellink.py" "$GATE" made "$every" "${trees[@]}"
