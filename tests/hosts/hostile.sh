# Words, values and names come to a script on another host as they are, whatever they hold, and nothing of them is
# executed.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
start_hosts 1 4

canary=$HOSTS/canary
words=('a b' '  blanks  ' "it's" '"double"' "\$(touch $canary)" "\`touch $canary\`" "; touch $canary" "| touch $canary" "&& touch $canary"
  $'line\nbreak' $'tab\tand\rreturn' '\back\\slash\n' '*' '~' '!!' '#not a comment' '$HOME ${HOME}' '-n' '--' '' '%s%n' '5:hello,' '训练'
  $'\x01\x7f\x1b[31m' "GATE-AGENT 00" $'\xff\xfe')

far_suite <<'TOML'
[defaults]
hosts = "npu1"
TOML

# A script that keeps what it was given, byte by byte.
keeps() {
  far "$1" "${@:2}" <<'SCRIPT'
mkdir -p "$SAID/$GATE_CASE"
printf '%s\0' "$@" >"$SAID/$GATE_CASE/argv"
cp /proc/$$/environ "$SAID/$GATE_CASE/environ"
printf '%s' "$GATE_CASE" >"$SAID/$GATE_CASE/name"
pwd >"$SAID/$GATE_CASE/pwd"
steps
SCRIPT
}

# --- ARGS ---

keeps args
expect_exit 0 gate run args -- "${words[@]}"
printf '%s\0' "${words[@]}" >want
expect_same want "$SAID/args/argv"
refute_file "$canary"

# --- the environment ---

has_variable() {
  local one
  while IFS= read -r -d '' one; do [[ $one != "$1" ]] || return 0; done <"$SAID/env/environ"
  return 1
}
keeps env
settings=()
for i in "${!words[@]}"; do settings+=(--env "HOSTILE_$i=${words[i]}"); done
expect_exit 0 gate run env "${settings[@]}"
for i in "${!words[@]}"; do
  has_variable "HOSTILE_$i=${words[i]}" || broken "the environment lacks word $i: ${words[i]}"
done
refute_file "$canary"

# --- names of cases, and of the suite's folder ---

names=('with blank' "it's" '"double"' '$(touch canary)' '`touch canary`' 'a;touch canary' '训练/稠 密' '*' '~' '-n' '#x' '$HOME' '%s' 'a,b' 'a=b'
  '\back\slash')
far_suite "it's a \$(touch canary) \"suite\"" <<'TOML'
[defaults]
hosts = "npu1"
TOML
for name in "${names[@]}"; do keeps "$name"; done
expect_exit 0 gate run
for name in "${names[@]}"; do
  [[ $(<"$SAID/$name/name") == "$name" ]] || broken "the case is called $(<"$SAID/$name/name") there, and not $name"
  expect_same <(echo "$PWD") "$SAID/$name/pwd"
done
expect_json .gate/latest/result.json ".cases | length == ${#names[@]} and all(.verdict == \"passed\" and .hosts == [\"npu1\"])"
[[ -z $(find "$WORK" -name canary) ]] || broken "a name was executed: $(find "$WORK" -name canary)"
clean npu1
