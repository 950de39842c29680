#!/usr/bin/env bash
# Where something stands that is not gate's: the folders of --out and of stages.upload.to are left alone before anything
# starts, and a baseline that is there is not replaced.
. "$(dirname "$0")/_lib"

suite
script infer <<<'echo ran >>"$OLDPWD/../launched"; mkdir -p test_output; echo "a b c" >test_output/output.txt'
cat >gate.toml <<TOML
[case.infer]
accuracy_test = true
stages.upload.to        = "$WORK/up/{test_id}"
stages.upload.baselines = "file://$WORK/kept"
TOML
sed -i 's|"$OLDPWD/../launched"|'"$WORK"'/launched|' scripts/infer.sh
export MODEL_OWNER=hub MODEL_NAME=m RUN_AS_BASELINE=true ACCURACY_TEST_ID=t1

# What is in the folder is the same before and after, also what it is.
listing() { (cd "$1" && find . -printf '%y %p %l ' -type f -exec cat {} + | sort); }

# There is KIND at PLACE.
there() {
  case $1 in
    nothing) ;;
    empty) mkdir -p "$2" ;;
    file) mkdir -p "$(dirname "$2")" && echo of somebody >"$2" ;;
    equal) mkdir -p "$(dirname "$2")" && echo 'a b c' >"$2" ;;
    folder) mkdir -p "$2/deep" && echo of somebody >"$2/deep/x" ;;
    hidden) mkdir -p "$2" && : >"$2/.keep" ;;
    link) mkdir -p "$WORK/elsewhere" "$(dirname "$2")" && : >"$WORK/elsewhere/x" && ln -s "$WORK/elsewhere" "$2" ;;
    dangling) mkdir -p "$(dirname "$2")" && ln -s "$WORK/nowhere" "$2" ;;
  esac
}
clear() { rm -rf "$WORK/up" "$WORK/out" "$WORK/kept" "$WORK/elsewhere" "$WORK/launched" .gate; }

while read -r place path kind exit; do
  clear
  there "$kind" "$WORK/$path"
  before=$(listing "$WORK/$(dirname "$path")" 2>/dev/null) || true
  run gate run infer --out "$WORK/out"
  [[ $code == "$exit" ]] || broken "$place with $kind: exit code $code, not $exit"
  if [[ $exit == 0 ]]; then
    [[ $(<"$WORK/launched") == ran ]] || broken "$place with $kind: not launched once"
    continue
  fi
  refute_file "$WORK/launched" && refute_file "$WORK/nowhere"
  [[ $path == out ]] || after=$(listing "$WORK/$(dirname "$path")")
  [[ $path == out || $before == "$after" ]] || broken "$place with $kind: $before is $after"
  grep -qF "$WORK/$path" "$WORK"/.last/{out,err} || broken "$place with $kind: it is not named"
done <<'ROWS'
baseline kept/output.txt nothing  0
baseline kept/output.txt empty    3
baseline kept/output.txt file     3
baseline kept/output.txt equal    3
baseline kept/output.txt folder   3
baseline kept/output.txt link     3
baseline kept/output.txt dangling 3
--out    out             nothing  0
--out    out             empty    0
--out    out             file     2
--out    out             folder   2
--out    out             hidden   2
--out    out             link     2
--out    out             dangling 2
upload   up/t1           nothing  0
upload   up/t1           empty    0
upload   up/t1           file     2
upload   up/t1           folder   2
upload   up/t1           hidden   2
upload   up/t1           link     2
upload   up/t1           dangling 2
ROWS

# --- what gate left itself, is its own ----------------------------------------------------------------
clear
expect_exit 0 gate run infer --out "$WORK/out"
expect_file "$WORK/up/t1/test_result.json" && refute_file "$WORK/up/t1/.gate-upload"
before=$(listing "$WORK/kept")
expect_exit 0 gate run infer --out "$WORK/out"
[[ $(listing "$WORK/kept") == "$before" ]] || broken 'the same test made its baseline again'
expect_exit 3 env ACCURACY_TEST_ID=t2 gate run infer
expect_out "the baseline was not made: $WORK/kept/output.txt is there already"
expect_json "$WORK/up/t2/test_result.json" '.passed == null and .is_comparison_test == false'
refute_file "$WORK/up/t2/output.txt"
sed -i 's/a b c/a b d/' scripts/infer.sh
expect_exit 0 gate run infer
[[ $(listing "$WORK/kept") == "$before" ]] || broken 'a second result of the same test replaced its baseline'

# An upload that was cut off, and one whose result is of others.
rm "$WORK/up/t1/test_result.json" "$WORK/up/t1/test_results.json"
expect_exit 2 gate run infer && expect_err "infer: stages.upload.to: $WORK/up/t1: holds what no upload"
: >"$WORK/up/t1/.gate-upload" && expect_exit 0 gate run infer
refute_file "$WORK/up/t1/.gate-upload"
echo '{"passed": true}' >"$WORK/up/t1/test_result.json" && rm "$WORK/up/t1/test_results.json"
expect_exit 2 gate run infer
expect_exit 2 gate run infer --dry-run

# A place that cannot be made is known before the launch.
: >"$WORK/plain" && sed "s|$WORK/up/|$WORK/plain/up/|" gate.toml >plain.toml
expect_exit 2 gate run infer --config plain.toml
expect_err "infer: stages.upload.to: $WORK/plain: is no folder"

# Uploads below one are no other's.
rm -rf "$WORK/up/t1" && mkdir -p "$WORK/up/t1/deep" && cp -r "$WORK/up/t2" "$WORK/up/t1/deep/er"
expect_exit 0 gate run infer
rm -rf "$WORK/up/t1" && mkdir -p "$WORK/up/t1" && ln -s "$WORK/up/t2" "$WORK/up/t1/linked"
expect_exit 2 gate run infer

# --- what is there only when the upload begins ------------------------------------------------------------
unset RUN_AS_BASELINE && export TEST_TYPE=usability_test ACCURACY_TEST_ID=t3
echo "mkdir -p $WORK/up/t3 && echo of somebody >$WORK/up/t3/execution.log" >>scripts/infer.sh
expect_exit 125 gate run infer
expect_out "stage upload: $WORK/up/t3: holds what no upload"
[[ $(ls -A "$WORK/up/t3") == execution.log && $(<"$WORK/up/t3/execution.log") == 'of somebody' ]] || broken 'it was written to'
