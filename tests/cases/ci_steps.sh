# The action for GitHub and the template for GitLab, called by the six lines of docs/how-to/ci.md, as these systems run them
# (_ci_runner.py), with a server of releases on the loopback; and the hooks of pre-commit.
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_ci"

ci=$SOURCE/scripts/ci
mkdir six
"$python" "$SOURCE/tests/cases/ci_docs.py" "$SOURCE/docs/how-to/ci.md" six
declare -A six=([github]=$WORK/six/0.yaml [gitlab]=$WORK/six/1.yaml)
grep -q 'uses: OWNER/gate/scripts/ci/github@' "${six[github]}"
grep -q 'extends: .gate' "${six[gitlab]}"

# --- what is written: one version, one way to install and to run, no mistake that a linter knows ---
mkdir scripts
"$python" - "$ci" "$version" scripts <<'END_OF_PYTHON' || broken "action.yml and gitlab.yml differ"
import pathlib
import sys

import yaml

ci, version, folder = sys.argv[1:]
action = yaml.safe_load(open(f"{ci}/github/action.yml"))
job = yaml.safe_load(open(f"{ci}/gitlab.yml"))[".gate"]
steps = [step for step in action["runs"]["steps"] if "run" in step]
for number, script in enumerate([step["run"] for step in steps] + job["before_script"] + job["script"] + job["after_script"]):
    pathlib.Path(folder, f"{number}.bash").write_text(script)
assert action["inputs"]["version"]["default"] == job["variables"]["GATE_VERSION"] == version
assert steps[0]["run"].startswith(job["before_script"][0] + 'echo "$GATE_HOME/bin" >>"$GITHUB_PATH"\n')
assert steps[1]["run"] == job["script"][0]
END_OF_PYTHON
lint_yaml "$ci/github/action.yml" "$ci/gitlab.yml" "$SOURCE/.pre-commit-hooks.yaml"
lint_bash scripts/*.bash "$ci/pre-commit"

# --- how a job ends ---
mkdir "$server"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=gate -addext subjectAltName=IP:127.0.0.1 \
  -keyout "$server/tls.key" -out "$server/tls.crt" 2>/dev/null && cat "$server"/tls.{key,crt} >"$server/tls.pem" || echo "openssl: no https here"
serve_releases
mkdir bin
cat >bin/gh <<'END_OF_GH'
#!/bin/sh
case " $* " in
  *" --paginate "*) shift 4 && jq -r "$1" <"$SERVER/notes" ;;
  *) echo gh "$@" >>"$SERVER/calls" ;;
esac
END_OF_GH
chmod +x bin/gh
export PATH=$WORK/bin:$PATH SERVER=$server
suite
megatron_log 2.500000E+00 2.400000E+00 | tee first.log >good.log
megatron_log 2.500000E+00 2.500000E+00 >bad.log
script c <<<'printf "<%s>" "$@" >args; cat good.log'
expect_exit 0 gate baseline import good.log --case c --accept --reason "first numbers"

# job SYSTEM RESULT EXIT-CODE VERDICT [NAME=VALUE]...: how it ends and what it tells; $job has what it left. A name in small
# letters is an input of the action, and a variable of the template as GATE_NAME.
number=0
mkdir evil
for name in gate gh startup; do echo "touch $PWD/stolen" >evil/$name && chmod +x evil/$name; done
cat >hostile.sh <<'END_OF_SCRIPT'
env >seen
outputs=$CI_PROJECT_DIR/gate-run/gate.env files=$RUNNER_TEMP/_files
if [ -e "$files" ]; then
  echo "$PWD/evil" >>"$files/PATH"
  echo "BASH_ENV=$PWD/evil/startup" >>"$files/ENV"
  rm "$files/OUTPUT" && mkdir -p "$files/OUTPUT/x"
else
  ln -s "$PWD/led" "$outputs"
fi
exit 1
END_OF_SCRIPT
job() {
  local system=$1 index given=("releases=$releases/good" "${@:5}")
  job=$WORK/job.$((++number))
  for index in "${!given[@]}"; do
    case $system/${given[index]} in
      github/releases=*) given[index]=vars.GATE_RELEASES=${given[index]#*=} ;;
      gitlab/[a-z]*) given[index]=$(tr '[:lower:]' '[:upper:]' <<<"GATE_${given[index]%%=*}")=${given[index]#*=} ;;
    esac
  done
  expect_exit 0 "$python" "$SOURCE/tests/cases/_ci_runner.py" "$system" "${six[$system]}" "$job" "${given[@]}"
  [[ $(jq -r '"\(.result) \(.exit) \(.outputs.verdict // .outputs.GATE_VERDICT)"' "$job/job.json") == "$2 $3 $4" ]] ||
    broken "$system: not $2 $3 $4: $(cat "$job/job.json" "$job/log")"
}
says() { grep -qF -- "$1" "$job/log" || broken "the job does not say '$1': $(<"$job/log")"; }
counts() { # NAME N: an output of the action, a variable of the template
  [[ $(jq -r ".outputs | .$1 // .GATE_${1^^}" "$job/job.json") == "$2" ]] || broken "$1 is not $2: $(<"$job/job.json")"
}
keeps() { for file; do expect_file "$job/artifacts/gate-run/$file"; done; }

comments() { # SYSTEM: what the job is told where it may comment
  if [[ $1 == github ]]; then
    echo comment=true github.event_name=pull_request
  else
    echo CI_MERGE_REQUEST_IID=7 GATE_NOTE_TOKEN=t "CI_API_V4_URL=$releases/api"
  fi
}
calls() { # SYSTEM TEXT N: as many calls, with the text, have written a comment
  [[ $(grep -c "$2" "$server/calls") == "$3" && $(wc -l <"$server/calls") == "$3" ]] || broken "$1: $(<"$server/calls")"
  : >"$server/calls"
}

for system in github gitlab; do
  # Each line is an argument, and no shell looks at it. A red case in quarantine is told.
  cp first.log good.log
  echo '[{"id": 3, "body": "looks good"}]' >"$server/notes"
  script q <<<'exit 1'
  printf 'case.q.quarantine = {until = "%s", reason = "r", owner = "o"}\n' "$(date -d '+30 days' +%F)" >gate.toml
  # shellcheck disable=SC2046
  job $system success 0 green arguments=$'\n--deadline=5m\n\n--\na  b\n$(touch injected)\n*\n"q' $(comments $system)
  [[ $(<args) == '<a  b><$(touch injected)><*><"q>' ]] || broken "$system: arguments: $(<args)"
  rm gate.toml scripts/q.sh
  keeps run/{result.json,junit.xml,c/log.txt} report.html metrics.txt
  counts passed 1 && counts regressed 0 && counts quarantined 1 && counts quarantined_red 1
  [[ $system == gitlab ]] || expect_file "$job/summary.md" "### GREEN: 1 passed, 1 quarantined (1 red) (exit 0)"
  calls $system . 0
  job $system failure 2 none arguments='--deadline 5m' && says 'did you mean "--deadline"?'

  cp bad.log good.log
  # shellcheck disable=SC2046
  job $system failure 1 red $(comments $system)
  keeps run/{result.json,junit.xml,c/log.txt} report.html metrics.txt
  counts passed 0 && counts regressed 1
  [[ $system == gitlab ]] || expect_file "$job/summary.md" "### RED: 1 regressed (exit 1)"
  calls $system '^gh api --silent repos/a/b/issues/7/comments \|^POST /api/projects/1/merge_requests/7/notes t$' 1

  # What is not measured is red, too, and kept, also of cases that are called as a report; the comment is written anew,
  # however many others there are. GitLab's own words are no comment.
  jq -n --arg system $system '[{id: 9, system: true, body: "<!-- gate -->"} | select($system == "gitlab")] +
    [range(100) | {id: (. + 100), body: "looks good"}] + [{id: 4, body: "<!-- gate -->\n### RED"}]' >"$server/notes"
  for name in gate.env metrics.txt report.html; do script $name <<<'cat good.log'; done
  # shellcheck disable=SC2046
  job $system failure 3 red arguments=$'gate.env\nmetrics.txt\nreport.html' $(comments $system)
  counts unjudged 3 && keeps run/{junit.xml,gate.env/log.txt} report.html metrics.txt
  rm scripts/{gate.env,metrics.txt,report.html}.sh
  calls $system '^gh .*--method PATCH repos/a/b/issues/comments/4 \|^PUT .*/notes/4 t$' 1
  printf '[case.d]\nsetup = "exit 1"\n' >gate.toml
  script d <<<'exit 0'
  job $system failure 125 red arguments=d
  counts infra 1 && keeps run/junit.xml
  rm gate.toml
  # It writes what the steps write, finds them where it is not told, and is after the token of the comment.
  cp hostile.sh scripts/d.sh
  # shellcheck disable=SC2046
  job $system failure 4 red arguments=d $(comments $system)
  counts crashed 1 && keeps run/d/log.txt
  calls $system '^gh .*/comments/4 \|^PUT .*/notes/4 t$' 1
  ! grep -E '^(GITHUB_(ENV|PATH|OUTPUT|STATE)|GATE_NOTE_TOKEN)=' seen || broken "$system: a case has it"
  refute_file stolen && refute_file led
  rm scripts/d.sh seen

  # Nothing of the job before is taken for this one's.
  untold=""
  [[ $system == github ]] || untold=null # it has no file to read from
  job $system failure 125 "$untold" releases="$releases/none" && says "gate is not installed: cannot get gate-$version-linux"
  [[ $(find "$job/artifacts" -type f | wc -l) == 0 ]] || broken "$system: kept of a job before: $(find "$job/artifacts")"
done
cp first.log good.log
refute_file injected

# --- what a server may send, and what somebody may write ---
install() { # EXIT-CODE TEXT ADDRESS [VERSION]
  expect_exit "$1" env GATE_RELEASES="$3" GATE_VERSION="${4-$version}" RUNNER_TEMP="$WORK/a place" GITHUB_PATH="$WORK/path" \
    GITHUB_OUTPUT="$WORK/outputs" bash --noprofile --norc -eo pipefail "$WORK/scripts/0.bash"
  [[ $1 != 0 ]] || ((++successes))
  [[ $1 == 0 ]] || expect_err "gate is not installed: $2"
}
successes=0
install 0 "" "$releases/redirect/"
[[ $(<"$WORK/path") == "$WORK/a place/gate/bin" ]]
install 125 "cannot get gate-$version" http://127.0.0.1:1
install 125 "cannot get gate-9.9.9" "$releases/good" 9.9.9
install 125 "cannot get gate-$version" "$releases/cut"
for kind in wrong unlisted damaged elsewhere twice longer; do
  install 125 "SHA256SUMS has another sum for gate-$version" "$releases/$kind"
done
for address in "" "-o$WORK/there" "ftp://127.0.0.1/x" "$releases/good x"; do
  install 2 "releases (GATE_RELEASES): no address like" "$address"
done
for odd in "" ../1.0.0 '1.0.0$(touch there)' $'1.0.0\n::add-mask::x' -O; do
  install 2 "version (GATE_VERSION): not like" "$releases/good" "$odd"
done
if [[ -e $server/tls ]]; then
  secure=https://127.0.0.1:$(<"$server/tls")
  CURL_CA_BUNDLE=$server/tls.crt install 0 "" "$secure/good"
  CURL_CA_BUNDLE=$server/tls.crt install 125 "cannot get gate-$version" "$secure/redirect"
fi
made=$WORK/made
mkdir -p "$made"/9.0.{1,2,3,4}/bin
touch "$made/9.0.1/over"
release 9.0.1 --transform 's,over,../../over,' # a member of another folder
release 9.0.2
printf '\177ELF\0' >"$made/9.0.3/bin/gate" && chmod +x "$made/9.0.3/bin/gate"
release 9.0.3
ln -s "$GATE" "$made/9.0.4/bin/gate"
release 9.0.4
echo 'no archive' >"$server/gate-9.0.5-linux-$(uname -m).tar.gz"
(cd "$server" && sha256sum gate-9.0.5-*) >>"$server/SHA256SUMS"
while read -r other words; do
  install 125 "gate-$other-linux-$(uname -m).tar.gz $words" "$releases/good" "$other"
done <<'END_OF_TABLE'
9.0.1 is damaged
9.0.2 has no gate that runs on this host
9.0.3 has no gate that runs on this host
9.0.4 has another version: gate 1
9.0.5 is damaged
END_OF_TABLE
(($(wc -l <"$WORK/path") == successes)) && refute_file "$WORK/there" && refute_file there && refute_file "$WORK/over"

# --- the second step alone: no report, nowhere to go, another gate on the PATH ---
step() { # EXIT-CODE TEXT [NAME=VALUE]...
  rm -rf "$WORK/a place/gate-run/run"
  expect_exit "$1" timeout 120 env RUNNER_TEMP="$WORK/a place" GITHUB_OUTPUT="$WORK/outputs" PATH="$PWD/evil:$PATH" GATE_DIRECTORY=. \
    GATE_ARGUMENTS="" "${@:3}" bash --noprofile --norc -eo pipefail "$WORK/scripts/1.bash"
  expect_err "$2"
}
install 0 "" "$releases/binary"
for argument in --help --version --dry-run; do
  step 3 "gate: nothing was measured" GATE_ARGUMENTS=$argument
done
mkdir "$WORK/empty"
step 2 "no suite here or above" GATE_DIRECTORY="$WORK/empty"
expect_file "$WORK/outputs" GATE_VERDICT=none
step 2 "-: No such file or directory" GATE_DIRECTORY=- OLDPWD="$PWD"
step 2 "suite: No such file or directory" GATE_DIRECTORY=suite CDPATH="$WORK"
step 125 "cannot write $WORK/nowhere/outputs" GITHUB_OUTPUT="$WORK/nowhere/outputs"
rm "$WORK/outputs" && mkfifo "$WORK/outputs"
step 0 "c: passed" GATE_ARGUMENTS=$'--devices\n0\n--platform\nnvidia-h100'
[[ $(head -n 2 "$WORK/outputs" | xargs) == "GATE_EXIT_CODE=0 GATE_VERDICT=rehearsed" ]]
expect_file "$WORK/outputs" GATE_PASSED=1
refute_file stolen

# Copies of both files, in a suite whose name looks like a count.
odd=$WORK/'odd",verdict="passed"} 9'
cp -R . "$odd" && cd "$odd"
sed -i 's,OWNER/.*,./.github/actions/gate,' "${six[github]}" && sed -i 's,{project.*file: ,{local: /,' "${six[gitlab]}"
for system in github gitlab; do
  job $system success 0 green
  counts passed 1 && counts crashed 0
done

# --- hooks of pre-commit: run in the top folder of a repository, with those of the files that are theirs ---
hook() { # ID FILE...
  "$python" - "$SOURCE" "$@" <<'END_OF_PYTHON'
import re
import shlex
import subprocess
import sys

import yaml

(hook,) = (hook for hook in yaml.safe_load(open(f"{sys.argv[1]}/.pre-commit-hooks.yaml")) if hook["id"] == sys.argv[2])
assert set(hook) == {"id", "name", "entry", "language", "files", "require_serial"} and hook["language"] == "script"
files = [file for file in sys.argv[3:] if re.search(hook["files"], file)]
sys.exit(subprocess.run(shlex.split(f"'{sys.argv[1]}'/{hook['entry']}") + files).returncode if files else 99)
END_OF_PYTHON
}
suite hooked
script steady <<<'exit 0'
megatron_log --throughput 100.0 --memory 0:1000:1100 10.51 10.42 10.33 10.24 10.15 10.06 9.97 9.88 9.79 9.70 9.61 9.52 9.43 9.34 9.25 >steady.log
expect_exit 0 gate baseline import steady.log --case steady --accept --reason first
echo 'case.steady.timeout = "1h"' >gate.toml
expect_exit 0 hook gate-config gate.toml
expect_exit 0 hook gate-lint baselines/steady.json
for id in gate-config gate-lint; do expect_exit 99 hook $id src/other.toml baselines.md; done
sed 's/h"/q"/' -i gate.toml
expect_exit 2 hook gate-config gate.toml
expect_err 'gate.toml:1:'
rm gate.toml
sed -i '$d' baselines/steady.json
expect_exit 3 hook gate-lint baselines/ascend-910b/steady.json
expect_out 'baselines/steady.json:'
rm baselines/steady.json
megatron_log --memory 0:1000:1100 10.51 10.42 >steady.log
expect_exit 0 gate baseline import steady.log --case steady --accept --reason second
expect_exit 1 hook gate-lint baselines/steady.json
expect_out 'few_values'

# Each suite of a repository, once, and the one that a file belongs to; a file of none is red.
for suite in "a b/one" two; do
  mkdir -p "$suite"/{scripts,baselines/cpu} && cp scripts/steady.sh "$suite/scripts"
  echo 'case.steady.timeout = "1h"' >"$suite/gate.toml"
done
expect_exit 0 hook gate-config "a b/one/gate.toml" two/gate.toml
[[ $(grep -c '^steady ' "$WORK/.last/out") == 2 ]] || broken "not two suites"
sed 's/h"/q"/' -i "a b/one/gate.toml"
expect_exit 2 hook gate-config "a b/one/gate.toml" two/gate.toml
expect_err 'gate -C ./a b/one list'
expect_out 'steady '
cp baselines/steady.json two/baselines/steady.json
expect_exit 1 hook gate-lint two/baselines/steady.json two/baselines/cpu/steady.json
[[ $(grep -c '^RED: ' "$WORK/.last/out") == 1 ]] || broken "not looked at once"
mkdir -p lost/baselines
expect_exit 2 hook gate-lint lost/baselines/x.json
expect_err 'lost/baselines/x.json: no suite reads it'
