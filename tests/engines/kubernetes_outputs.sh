# Outputs of pods: gate sets aside what lies there before it makes the pod, and only what the pod wrote counts.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_kubernetes"
mounting "$WORK" >pods.yaml
printf '[suite]\ncwd = "{suite}"\nplatform = "nvidia-a100"\n[defaults]\nbackend = "%s"\ndevices = 1\nkubernetes.patch = "%s/pods.yaml"\n%s\n' "$backend" "$WORK" "$backend_defaults" >pods.toml
expect_exit 0 python3 "$SOURCE/tests/cases/output_owners.py" "$GATE" "$WORK/far" "${GATE_OUTPUT_OWNERS:-few}" pods.toml kubernetes
expect_out_match '^[0-9]+ combinations, 0 wrong$'
cat "$WORK/.last/out"
