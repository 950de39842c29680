# timeout: 300
# Outputs of cases on other hosts: only what the launch wrote counts, where hosts share gate's files, and where they have their own.
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
mkdir -p "$WORK/own"
hidden=("$WORK/own")
start_hosts 2 0
part=${GATE_OUTPUT_OWNERS:-few}

# tried FOLDER WHERE TOML
tried() {
  { printf '[hosts]\nssh = "ssh -F %s"\nlost_after = "3s"\n' "$HOSTS/ssh_config" && echo "$3"; } >"$WORK/$2.toml"
  expect_exit 0 python3 "$SOURCE/tests/cases/output_owners.py" "$GATE" "$1" "$part" "$WORK/$2.toml" "$2"
  expect_out_match '^[0-9]+ combinations, 0 wrong$'
  cat "$WORK/.last/out"
}

tried "$WORK/shared" shared $'[suite]\ncwd = "{suite}"\n[defaults]\nhosts = "npu1"'
hosts_hide || skip 'no mount namespace can be made: hosts see all files'
tried "$WORK/own" synced $'sync = true\n[suite]\ncwd = "{suite}"\n[defaults]\nhosts = "npu2"'
for host in npu1 npu2; do
  [[ -z $(find "$HOSTS/$host" -name 'aside-*' -o -name '*.gate-aside-*') ]] || broken "left on $host"
done
