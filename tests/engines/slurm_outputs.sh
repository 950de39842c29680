# Outputs of jobs of Slurm: the agent on the node sets aside what lies there when the job starts, and only what the job wrote counts.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_slurm"
printf '[suite]\ncwd = "{suite}"\nplatform = "nvidia-a100"\n[defaults]\nbackend = "%s"\ndevices = 1\n%s\n' "$backend" "${backend_defaults:-}" >slurm.toml
expect_exit 0 python3 "$SOURCE/tests/cases/output_owners.py" "$GATE" "$WORK/far" "${GATE_OUTPUT_OWNERS:-few}" slurm.toml slurm
expect_out_match '^[0-9]+ combinations, 0 wrong$'
cat "$WORK/.last/out"
[[ -z $(find "$WORK/.leases" "$WORK/far" -name 'aside-*' -o -name 'outputs.aside') ]] || broken 'a journal is left'
