#!/usr/bin/env bash
# A store of OBS, whose signatures and virtual-hosted names a server checks that also cuts, damages and stalls: what
# gate fetches and stores there, and what runs, scores and reports have there. With the word there-and-back its first
# part alone, which asks what a static binary may lack.
# timeout: 180
. "$(dirname "$0")/_lib"
command -v store-object >/dev/null || skip "there is no store-object"

export OBS_TEST_AK=AK-of-the-tests OBS_TEST_SK=sk-that-nobody-may-see-1 OBS_TEST_TOKEN=token-that-nobody-may-see
start_server obs python3 "$SOURCE/tests/stores/_obs.py" "$WORK/obs"
export OBS_AK=$OBS_TEST_AK OBS_SK=$OBS_TEST_SK OBS_SECURITY_TOKEN=$OBS_TEST_TOKEN
suite
cat >gate.toml <<TOML
[store.obs]
endpoint = "http://localhost:$port"
addressing = "virtual"
TOML

fault() { printf '%s\n' "$@" >"$WORK/obs/faults"; }
requests() { jq -s "$1" "$WORK/obs/requests"; }
expect_requests() { requests "$1" | grep -qx true || broken "the requests do not satisfy $1: $(tail -n 8 "$WORK/obs/requests")"; }
forget_requests() { : >"$WORK/obs/requests"; }
nothing_leaks() { ! grep -rlF -e "$OBS_TEST_SK" -e "$OBS_TEST_TOKEN" "$WORK/.last" .gate 2>/dev/null || broken "a secret is shown"; }

# --- objects there and back -----------------------------------------------------------------------
printf 'one\n' >one
expect_exit 0 store-object put one obs://models/a/b/one
expect_exit 0 store-object get obs://models/a/b/one back && expect_same one back
expect_exit 0 store-object get obs://models/a/b/one back --json
expect_json "$WORK/.last/out" '.[0].key == "a/b/one" and .[0].size == "4"'
expect_requests 'map(.host) | all(startswith("models.localhost:"))'
for n in 1 2 3 4 5 6 7; do expect_exit 0 store-object put one "obs://models/pages/$n<&>"; done
expect_exit 0 store-object list obs://models/pages/ --json
expect_json "$WORK/.last/out" 'map(.key) == [range(1; 8) | "pages/\(.)<&>"]'
expect_exit 0 env BUCKET_NAME=models store-object get obs:///a/b/one named && expect_same one named
printf 'a line\n' | expect_exit 0 store-object get obs://models/a/b/one piped
expect_exit 3 store-object get obs://others/a && expect_err 'no such'

# Each of two names of variables has both keys, or is passed over.
expect_exit 0 env -u OBS_SK OBS_AK=half HUAWEI_CLOUD_ACCESS_KEY_ID="$OBS_TEST_AK" HUAWEI_CLOUD_SECRET_ACCESS_KEY="$OBS_TEST_SK" \
  HUAWEI_CLOUD_SECURITY_TOKEN="$OBS_TEST_TOKEN" store-object get obs://models/a/b/one x
expect_exit 125 env OBS_SK=wrong-secret-of-nobody store-object get obs://models/a/b/one x
expect_err 'refuses the credentials of OBS_AK' && refute_err wrong-secret
expect_exit 125 env OBS_SECURITY_TOKEN=wrong-token-of-nobody store-object get obs://models/a/b/one x
expect_exit 0 faketime -f -2h store-object get obs://models/a/b/one skewed && expect_same one skewed
# What is addressed by path OBS does not find.
expect_exit 3 store-object get obs://models/a/b/one x --config <(sed 's/virtual/path/' gate.toml)

[[ ${1:-} != there-and-back ]] || exit 0

# --- parts, cuts, damage ----------------------------------------------------------------------------
bytes 40000000 large
fault busy
forget_requests
expect_exit 0 store-object put large obs://models/large
expect_requests 'map(select(.path | test("partNumber")) | .status) == [200, 200, 200]'
expect_requests 'map(select(.status == 503)) | length == 1'
forget_requests
fault 'cut 10000000' 'cut 5000000' 'cut 0'
expect_exit 0 store-object get obs://models/large large.back && expect_same large large.back
expect_requests '[.[] | select(.method == "GET") | .range] == [null, "bytes=10000000-", "bytes=15000000-", "bytes=15000000-"]'

# What an earlier call left is taken up: the first one tries in vain six times behind what came, and seven times anew.
rm large.back
fault 'cut 20000000' 'cut 0'{,,,,,,,,,,,,}
expect_exit 125 store-object get obs://models/large large.back && refute_file large.back
forget_requests
expect_exit 0 store-object get obs://models/large large.back && expect_same large large.back
expect_requests '[.[] | select(.method == "GET") | .range] == ["bytes=20000000-"]'
[[ -z $(find . -name '*.part') ]] || broken "a part stayed"

# What was begun of an object that is another one since is gone.
printf 'old' >"one.back.$(printf 'a%.0s' {1..32}).part"
expect_exit 0 store-object get obs://models/a/b/one one.back && expect_same one one.back
[[ -z $(find . -name '*.part') ]] || broken "a part of an older object stayed"

# A range that nobody asked for.
fault 'cut 20000000' wrong-range
rm -f x && expect_exit 125 store-object get obs://models/large x && expect_err 'another range than was asked for'
refute_file x

# A server that knows of no ranges; damage, of one object and of parts; an object that changed.
fault 'cut 20000000' no-range
expect_exit 0 store-object get obs://models/large large.back && expect_same large large.back
for key in a/b/one large; do
  rm -f x && fault damage
  expect_exit 125 store-object get "obs://models/$key" x && expect_err 'what came is damaged' && refute_file x
done
[[ -z $(find . -name '*.part') ]] || broken "what is damaged stayed"

# What is no file is not replaced, and - is none. Names that a store lists twice are no files, either.
mkfifo pipe
expect_exit 125 store-object get obs://models/a/b/one pipe && expect_err 'no regular file' && [[ -p pipe ]]
expect_exit 2 store-object get obs://models/a/b/one - && refute_file ./-
fault twice
expect_exit 125 store-object get obs://models/pages/ pages && expect_err 'twice' && refute_file pages
hex=$(printf 'a%.0s' {1..32})
expect_exit 0 store-object put one "obs://models/near/f.$hex.part" && expect_exit 0 store-object put one obs://models/near/f
fault backwards
expect_exit 0 store-object get obs://models/near/ near && expect_same one near/f && expect_same one "near/f.$hex.part"

# Words of the environment that are none, and what a server or an address must not tell.
expect_exit 125 env BUCKET_NAME='models/../others' store-object list obs:///a && expect_err 'no name of one'
expect_exit 125 env BUCKET_NAME='evil.example/' store-object list obs:///a && expect_err 'no name of one'
expect_exit 125 env OBS_SECURITY_TOKEN=$'token\r\nEvil: 1' store-object list obs://models/a && expect_err 'control character'
fault echo
expect_exit 125 store-object list obs://models/a && expect_err 'the token ***' && nothing_leaks
expect_exit 125 env OBS_ENDPOINT="http://user:verySecretPw@localhost:$port" store-object list obs://models/a --config <(grep -v ^endpoint gate.toml)
expect_err 'is no endpoint' && refute_err verySecretPw
mkfifo ../keys.pipe
expect_exit 125 store-object list obs://models/a --config <(printf '%s\n' "$(<gate.toml)" "credentials = \"$WORK/keys.pipe\"")
expect_err 'no regular file'
fault 'wait 3600'
expect_exit 125 store-object get obs://models/a/b/one x && expect_err 'answers 503'

# Standard input has a limit, and waits for nobody who wants to stop.
code=0 && store-object put - obs://models/endless < <(yes 2>/dev/null) 2>endless.err || code=$?
[[ $code == 125 && $(<endless.err) == *"more than 256 MiB"* ]] || broken "ended with $code: $(<endless.err)"
mkfifo input
exec {input}<>input
store-object put - obs://models/waiting <&$input >waiting.out 2>&1 &
putting=$!
catches_term() { (((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$putting/status") >> 14) & 1)); }
wait_for catches_term
kill -TERM "$putting"
code=0 && wait "$putting" || code=$?
[[ $code == 143 ]] || broken "ended with $code: $(<waiting.out)"
exec {input}>&-

# Somebody who does not want to wait: the upload is taken back, the exit code is the signal's.
part_is_sent() { requests 'map(select(.path | test("^/slow.*partNumber"))) | length > 0' | grep -qx true; }
fault 'slow 600'
store-object put large obs://models/slow >slow.out 2>&1 &
putting=$!
wait_for part_is_sent
kill -TERM "$putting"
code=0 && wait "$putting" || code=$?
[[ $code == 143 ]] || broken "ended with $code: $(<slow.out)"
expect_requests 'map(select(.method == "DELETE" and (.path | test("^/slow.*uploadId")))) | length == 1'

# --- a run: golden file, what stages bring and take, reports -----------------------------------------
printf 'the cat sat on the mat and looked at the door\n' >golden.txt
expect_exit 0 store-object put golden.txt obs://models/baselines/b7/output.txt
printf 'input\n' >input.txt
expect_exit 0 store-object put input.txt obs://models/inputs/deep/input.txt
cat >>gate.toml <<'TOML'
[case.answers]
artifacts = ["curves/*"]
stages.download.from = ["obs://models/inputs/", "obs://models/a/b/one"]
stages.upload.to = "obs://models/results/{case}"
outputs.answer = { file = "answer.txt", golden = "obs://models/baselines/b7/output.txt", metric = "bleu", tolerance = ">= 0.9" }
TOML
script answers <<'SH'
[[ $(<"$GATE_STAGES_DIR/deep/input.txt") == input && -f $GATE_STAGES_DIR/one ]] || exit 9
echo "the cat sat on the mat and looked at the door" >answer.txt
echo "the secret is $OBS_SK"
mkdir -p curves && echo 3 >curves/loss
SH
expect_exit 0 gate run --report json=obs://models/reports/run.json --report junit=here.xml
expect_out_match '^GREEN'
nothing_leaks
expect_exit 0 store-object get obs://models/reports/run.json run.json
expect_json run.json '.cases[0].verdict == "passed" and .exit_code == 0'
expect_exit 0 store-object list obs://models/results/ --json
expect_json "$WORK/.last/out" 'map(.key) | contains(["results/answers/answer.txt", "results/answers/execution.log", "results/answers/test_result.json"]) and any(endswith("/artifacts/curves/loss"))'
expect_exit 0 store-object get obs://models/results/answers/ results && expect_same results/answer.txt golden.txt

gate history --export | store-object put - obs://models/history.jsonl
expect_exit 0 store-object get obs://models/history.jsonl history.jsonl
[[ $(gate history --export) == "$(<history.jsonl)" ]]
nothing_leaks

# Credentials of a file are no variables of the script's, and are masked all the same.
printf 'OBS_AK=%s\nOBS_SK=%s\ntoken=%s\n' "$OBS_TEST_AK" "$OBS_TEST_SK" "$OBS_TEST_TOKEN" >../keys && chmod 600 ../keys
sed -i 's,^addressing = .*,&\ncredentials = "../keys",' gate.toml
sed -i "s,\\\$OBS_SK,\$(<$WORK/keys)," scripts/answers.sh
expect_exit 0 env -u OBS_AK -u OBS_SK -u OBS_SECURITY_TOKEN gate run
expect_file .gate/latest/answers/log.txt 'OBS_SK=***'
nothing_leaks

# What a run is held against is never written: by another name of its bucket, by a report, or twice.
golden_is_whole() { expect_exit 0 store-object get "obs://models/$1" golden.back && expect_same golden.txt golden.back; }
sed 's,^stages.upload.to.*,stages.upload.to = "obs:///baselines/b7",; s,answer.txt",output.txt",' gate.toml >alias.toml
sed 's/answer.txt/output.txt/' scripts/answers.sh >../answers.sh && cp scripts/answers.sh ../kept.sh && cp ../answers.sh scripts/answers.sh
expect_exit 125 env BUCKET_NAME=models gate run --config alias.toml && expect_out_match 'obs:///baselines/b7/output.txt: is the golden file'
cp ../kept.sh scripts/answers.sh
golden_is_whole baselines/b7/output.txt
expect_exit 2 env BUCKET_NAME=models gate run --report json=obs:///baselines/b7/output.txt && expect_err 'is a golden file'
expect_exit 2 env BUCKET_NAME=models gate run --report json=obs:///x.json --report junit=obs://models/x.json && expect_err 'two reports'
golden_is_whole baselines/b7/output.txt

# A baseline that is there is not replaced: not when the case begins, and not when its script has ended.
sed 's,^\[case.answers\],&\naccuracy_test = true,; /^stages.upload.to/d
  s,^stages.download.from.*,&\nstages.upload.baselines = "obs://models/made/{baseline_id}",' gate.toml >making.toml
making() { # TEST_ID BASELINE_ID
  MODEL_OWNER=o MODEL_NAME=m RUN_AS_BASELINE=1 ACCURACY_TEST_ID=$1 BASELINE_ID=$2 run gate run --config making.toml
  echo "$code"
}
[[ $(making t1 b1) == 0 && $(making t1 b1) == 0 ]] || broken 'the same test did not make its baseline twice'
forget_requests
[[ $(making t2 b1) == 3 ]] && expect_out 'obs://models/made/b1/answer.txt is there already'
expect_requests 'map(select(.method == "PUT")) | length == 0'
fault conditions && [[ $(making t2 b2) == 0 ]] || broken 'a store without conditions'
fault 'meanwhile another' && [[ $(making t2 b3) == 3 ]] || broken 'what came meanwhile was replaced'
expect_exit 0 store-object get obs://models/made/b3/answer.txt made && [[ $(<made) == another ]] || broken "made: $(<made)"
rm -f made && expect_exit 0 store-object get obs://models/made/b1/answer.txt made && expect_same golden.txt made

# gate's own fetches end with the limits of the run.
sed 's,^\[case.answers\],&\ntimeout = "2s",; /^stages.download/d' gate.toml >limited.toml
fault trickle
expect_exit 125 gate run --config limited.toml && expect_out_match 'was not done within timeout 2s'
sed 's,^stages.download.from.*,stages.download = { from = ["obs://models/large"]\, timeout = "2s" },' gate.toml >limited.toml
fault trickle
expect_exit 125 gate run --config limited.toml && expect_out_match 'was not done within timeout 2s'
fault trickle
sed -i 's/timeout = "2s"/timeout = "20m"/' limited.toml
gate run --config limited.toml --deadline 2s >late.out 2>&1 && broken "the deadline does not end it"
grep -q 'deadline of 2s was up' late.out || broken "$(<late.out)"
sed 's,b7/output.txt,b7/,' gate.toml >prefix.toml
expect_exit 2 gate run --config prefix.toml && expect_err 'name the object'

# A golden file that is not there; a report that does not arrive; a place that is none.
sed -i 's,b7/output,b8/output,' gate.toml
expect_exit 125 gate run && expect_out_match 'obs://models/baselines/b8/output.txt: there is no such object'
sed -i 's,b8/output,b7/output,' gate.toml
expect_exit 125 gate run --report junit=obs://others/report.xml
expect_err 'obs://others/report.xml: there is no such'
expect_exit 2 gate run --report junit=obs://models/reports/ && expect_err 'name the object'
expect_exit 0 gate score --metric bleu results/answer.txt obs://models/baselines/b7/output.txt
expect_exit 3 gate score --metric bleu results/answer.txt obs://models/baselines/none.txt
expect_exit 0 gate check --case answers --output answer=results/answer.txt results/execution.log
expect_out_match '^GREEN'
nothing_leaks
