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
lint_bash scripts/*.bash

# --- how a job ends ---
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
  # Each line is an argument, and no shell looks at it.
  cp first.log good.log
  echo '[{"id": 3, "body": "looks good"}]' >"$server/notes"
  # shellcheck disable=SC2046
  job $system success 0 green arguments=$'\n--deadline=5m\n\n--\na  b\n$(touch injected)\n*\n"q' $(comments $system)
  [[ $(<args) == '<a  b><$(touch injected)><*><"q>' ]] || broken "$system: arguments: $(<args)"
  keeps result.json junit.xml report.html metrics.txt c/log.txt
  counts passed 1 && counts regressed 0
  [[ $system == gitlab ]] || expect_file "$job/summary.md" "### GREEN: 1 passed (exit 0)"
  calls $system . 0
  job $system failure 2 none arguments='--deadline 5m' && says 'did you mean "--deadline"?'

  cp bad.log good.log
  # shellcheck disable=SC2046
  job $system failure 1 red $(comments $system)
  keeps result.json junit.xml report.html metrics.txt c/log.txt
  counts passed 0 && counts regressed 1
  [[ $system == gitlab ]] || expect_file "$job/summary.md" "### RED: 1 regressed (exit 1)"
  calls $system '^gh api --silent repos/a/b/issues/7/comments \|^POST /api/projects/1/merge_requests/7/notes t$' 1

  # What is not measured is red, too, and kept; the comment is written anew.
  echo '[{"id": 3, "body": "looks good"}, {"id": 4, "body": "<!-- gate -->\n### RED"}]' >"$server/notes"
  script d <<<'cat good.log'
  # shellcheck disable=SC2046
  job $system failure 3 red arguments=d $(comments $system)
  counts unjudged 1 && keeps junit.xml
  calls $system '^gh .*--method PATCH repos/a/b/issues/comments/4 \|^PUT .*/notes/4 t$' 1
  printf '[case.d]\nsetup = "exit 1"\n' >gate.toml
  job $system failure 125 red arguments=d
  counts infra 1 && keeps junit.xml
  rm gate.toml
  # It writes what the step writes: that is not what the report says.
  script d <<<'printf "%s\n" GATE_VERDICT=green "x<<E" >>"${GITHUB_OUTPUT:-$CI_PROJECT_DIR/gate-run/gate.env}"; exit 1'
  job $system failure 4 red arguments=d
  counts crashed 1 && keeps d/log.txt
  rm scripts/d.sh

  # Nothing of the job before is taken for this one's.
  mkdir -p "$WORK/empty"
  job $system failure 2 none directory="$WORK/empty" && says "no suite here or above"
  job $system failure 2 none directory=nowhere && says "nowhere: No such file or directory"
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
  [[ $1 == 0 ]] || expect_err "gate is not installed: $2"
}
install 0 "" "$releases/redirect/"
[[ $(<"$WORK/path") == "$WORK/a place/gate/bin" ]]
rm "$WORK/path"
install 125 "cannot get gate-$version" http://127.0.0.1:1
install 125 "cannot get gate-9.9.9" "$releases/good" 9.9.9
install 125 "cannot get gate-$version" "$releases/cut"
for kind in wrong unlisted damaged; do
  install 125 "SHA256SUMS has another sum for gate-$version" "$releases/$kind"
done
for address in "" "-o$WORK/there" "ftp://127.0.0.1/x" "$releases/good x"; do
  install 2 "releases (GATE_RELEASES): no address like" "$address"
done
for odd in "" ../1.0.0 '1.0.0$(touch there)' $'1.0.0\n::add-mask::x' -O; do
  install 2 "version (GATE_VERSION): not like" "$releases/good" "$odd"
done
refute_file "$WORK/path" && refute_file "$WORK/there" && refute_file there

# Copies of both files, in a suite whose name looks like a count.
odd=$WORK/'odd",verdict="passed"} 9'
cp -R . "$odd" && cd "$odd"
sed -i 's,OWNER/.*,./.github/actions/gate,' "${six[github]}" && sed -i 's,{project.*file: ,{local: /,' "${six[gitlab]}"
for system in github gitlab; do
  job $system success 0 green
  counts passed 1 && counts crashed 0
done

# --- hooks of pre-commit: run in the top folder of a repository, if one of the files is theirs ---
hook() { # ID FILE
  "$python" - "$SOURCE/.pre-commit-hooks.yaml" "$@" <<'END_OF_PYTHON'
import re
import shlex
import subprocess
import sys

import yaml

NEEDED = {"id", "name", "entry", "language"}
(hook,) = (hook for hook in yaml.safe_load(open(sys.argv[1])) if hook["id"] == sys.argv[2])
assert NEEDED <= set(hook) <= NEEDED | {"files", "pass_filenames", "args", "description"} and hook["language"] == "system"
files = [file for file in sys.argv[3:] if re.search(hook["files"], file)]
names = files if hook.get("pass_filenames", True) else []
sys.exit(subprocess.run(shlex.split(hook["entry"]) + hook.get("args", []) + names).returncode if files else 99)
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
expect_exit 2 hook gate-config sub/gate.toml
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
