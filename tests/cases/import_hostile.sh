# What an import cannot take is said, whatever it is: nothing is passed over, and nothing blocks.
. "$(dirname "$0")/_lib"

suite
script llama2 <<<'cat run.log'
golden=$WORK/golden
mkdir -p "$golden"/{locked,sub}

# as_nobody COMMAND...: as a user who may not read everything
as_nobody() { if ((UID == 0)); then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi; }

# --- an empty folder; a glob that selects nothing ---
expect_exit 3 gate baseline import --tree "$golden"
expect_err 'golden: no golden file (*.json) is below it; nothing was imported'
echo '{"loss": [1.5, 1.4], "throughput margin": 0.1, "warm_up": 1}' >"$golden/sub/retired.json"
echo '{"lm loss": [1.5, 1.4], "grad norm": [1, 2], "lm loss margin": 0.02}' >"$golden/llama2.json"
expect_exit 2 gate baseline import --tree "$golden" --case 'zzz*'
expect_err '--case zzz*: no golden file below'
expect_err 'is of such a case; there are llama2, sub/retired'
expect_exit 2 gate baseline import --tree "$golden" --case llama3
expect_err 'did you mean "llama2"?'
refute_file .gate/candidates/llama2.json

# --- margins of cases without a script are comments ---
expect_exit 0 gate baseline import --tree "$golden"
expect_out_match '^\[case\."llama2"\.rules\]$'
expect_out '# no script of this case yet'
expect_out '# [case."sub/retired".rules]'
expect_out '# throughput.tolerance = "-10%"'

# --- no regular file: refused, and never waited for ---
ln -s nowhere "$golden/dangling.json"
mkfifo "$golden/pipe.json"
echo '{"loss": [1.5]}' >"$golden/_under.json"
echo '{"lm loss": "x", "grad norm": 3}' >"$golden/wrong.json"
expect_exit 3 timeout 60 gate baseline import --tree "$golden"
expect_out_match '^refused +2 files: is no regular file, and no link to one$'
expect_out_match '^ +dangling.json$'
expect_out_match '^ +pipe.json$'
expect_out_match '^refused +1 file: _under: names that begin with _ are no cases'
refute_out '\x0a'
expect_out_match '^refused +1 file: [0-9]+:[0-9]+: .*; [0-9]+:[0-9]+: '
expect_last_line '^imported 2 files \(steps assumed in 2\), refused 4$'
run gate baseline import --tree "$golden" --json
expect_json "$WORK/.last/out" '[.refused[].file] == ["_under.json", "dangling.json", "pipe.json", "wrong.json"]'
rm "$golden"/{dangling,pipe,_under,wrong}.json

# --- margins and warm_up are of no baseline: said, and warned of where the suite's profile uses them ---
expect_exit 0 gate baseline import --tree "$golden"
expect_out_match '^margins +2 files with margins or warm_up, and a baseline holds neither:$'
expect_out 'under profile mindspeed-llm, mindspeed-mm an imported baseline is judged by the built-in ones;'
expect_out 'the golden file itself, left as the baseline, keeps its own'
refute_err profile
expect_exit 0 gate baseline import "$golden/llama2.json" --case llama2
expect_out_match '^margins +1 file with margins or warm_up'
expect_out_match '^lm_loss.tolerance = "±2%"$'
printf '[suite]\nprofile = "gate"\nshadow = "mindspeed-llm"\n' >gate.toml
expect_exit 0 gate baseline import --tree "$golden" --json
expect_err 'profile mindspeed-llm uses margins and warm_up of golden files, which 2 imported files had and a baseline has not'
printf '[suite]\nprofile = "mindspeed-mm"\n' >gate.toml
expect_exit 0 gate baseline import --tree "$golden"
expect_err 'profile mindspeed-mm uses warm_up of golden files, which 1 imported file had and a baseline has not'
expect_exit 0 gate baseline import "$golden/llama2.json" --case llama2
refute_err profile
rm gate.toml

# --- words that do not fit ---
expect_exit 2 gate baseline import --tree "$golden" --reason "because"
expect_err '--reason: it is of --accept; add --accept, or leave it out'
for flag in --reason --metric --despite; do
  expect_exit 2 gate baseline import "$golden/llama2.json" --case llama2 "$flag" missing
  expect_err "$flag: it is of --accept"
done

# --- what another user may not read ---
echo '{"loss": [1.5]}' >"$golden/locked/inside.json"
echo '{"loss": [1.5]}' >"$golden/secret.json"
install -m 755 "$GATE" "$WORK/gate"
chmod 755 "$WORK" && chmod 777 "$WORK/suite" && rm -r .gate && chmod 000 "$golden"/{locked,secret.json}
as_nobody test -x "$WORK/gate" 2>/dev/null || skip "root reads everything, and no other user reaches $WORK"
expect_exit 3 as_nobody "$WORK/gate" baseline import --tree "$golden"
expect_out_match '^refused +1 folder: cannot list the folder: Permission denied'
expect_out_match '^ +locked/$'
expect_out_match '^refused +1 file: cannot read: Permission denied'
expect_last_line '^imported 2 files \(steps assumed in 2\), refused 2$'
