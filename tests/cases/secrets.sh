# Values of secret variables appear nowhere that gate writes or shows; what the log measures is read all the same.
. "$(dirname "$0")/_lib"

suite
cp "$SOURCE/tests/cases/data/one_step.json" baselines/a.json
cat >gate.toml <<'EOF'
[suite]
secrets = ["CORP_*"]
[defaults]
env.DB_PASSWORD = "tr0ub4dor&3x"
EOF
script a <<'EOF'
echo "login with $HF_TOKEN and $DB_PASSWORD, $CORP_LOGIN"
printf 'cut %s' "${HF_TOKEN:0:6}"; sleep 0.2; echo "${HF_TOKEN:6} in two"
echo "tokenizer $TOKENIZER_PATH $BUILD_KEY"
echo "Traceback: RuntimeError: bad token $HF_TOKEN"
echo ' iteration        1/       1 | lm loss: 1.000000E+00 |'
exec -a "trainer $HF_TOKEN" sleep 1000
EOF
export HF_TOKEN=hf_abcdefghij CORP_LOGIN=corporal01 TOKENIZER_PATH=/models/llama3 BUILD_KEY=12345678
expect_exit 4 gate run --set startup=1s --set grace=0s --env API_KEY=sk-live-0011223344 --report json=r.json --report junit=j.xml --report markdown=m.md -- --key sk-live-0011223344
for secret in hf_abcdefghij 'tr0ub4dor' corporal01 sk-live-0011; do
  ! grep -r --exclude-dir=scripts --exclude=gate.toml -e "$secret" . "$WORK/.last/out" "$WORK/.last/err" ||
    broken "$secret is stored or shown"
done
expect_file .gate/latest/a/log.txt "login with *** and ***, ***"
expect_file .gate/latest/a/log.txt "cut *** in two"
expect_file .gate/latest/a/log.txt "tokenizer /models/llama3 12345678"
expect_json r.json '.cases[0].args == ["--key", "***"] and (.set | index("env.API_KEY=***"))'
expect_json .gate/latest/a/series.json '.runs[0].series[0].values == ["1.000000E+00"]'

# --- what is quoted of a log is masked before it is cut or its numbers are folded ---
script b <<'EOF'
echo "key 1 ${SESSION_TOKEN}"
echo "Traceback (most recent call last):"
printf 'RuntimeError: %0150d %s\n' 0 "$SESSION_TOKEN"
exit 1
EOF
export SESSION_TOKEN=a1b2c3d4e5f6a1b2c3d4
expect_exit 4 gate run b --report json=r.json
expect_json r.json '.cases[0].cause.name == "traceback"'
for part in a1b2c3 aNbNcN; do
  ! grep -e "$part" r.json .gate/latest/result.json .gate/latest/b/log.txt "$WORK/.last/out" || broken "$part is shown"
done
expect_out "key 1 ***"

# --- so are passwords, signatures and tokens in the places of stages, in every file ---
rm -rf .gate ./*.json ./*.xml ./*.md
script c <<<'echo "step 1 loss 2.0, from $PLACE"'
places() { # FROM TO: a stage that brings nothing, and one that reaches nobody
  printf '[case."c"]\nstages.download.from = ["%s"]\nstages.upload.to = "%s"\nstages.upload.baselines = "%s.new"\n' "$1" "$2" "$2" >gate.toml
}
unseen() { # WORD: in no file but what the user wrote, nor in a name that a file has
  ! grep -r --exclude-dir=.git --exclude-dir=scripts --exclude=gate.toml --exclude=.brought -e "$1" . "$WORK/.last/out" "$WORK/.last/err" ||
    broken "$1 is stored or shown"
}
git init -q -b main . && printf '/.gate/\n' >.gitignore
for secret in 'absent?X-Amz-Signature=@' 'absent?versionId=1&token=@&x=1'; do
  secret=${secret/@/5ecretw0rd}
  places "file://$PWD/$secret" "s3://bucket/{case}/$secret"
  git add -A && git commit -qm places
  PLACE=$secret expect_exit 125 gate run c --report json=r.json --report junit=j.xml --report markdown=m.md --report html=h.html
  expect_json r.json '[.cases[0].stages[].problem | select(. != null and . != "")] | length == 1 and all(test("=[*]{3}"))'
  unseen 5ecretw0rd
  PLACE=$secret run gate run c --set "stages.upload.to=$WORK/brought/{run}" --report json=r.json
  expect_json r.json '[.cases[0].stages[].problem | select(. != null and . != "")] | length >= 1 and all(test("=[*]{3}"))'
  unseen 5ecretw0rd
  run gate run c --set "stages.upload.to=obs://b/$secret" --report json=r.json
  unseen 5ecretw0rd
  places "file://$PWD/$secret.0ther" "s3://bucket/${secret/5ecretw0rd/an0therw0rd}"
  run gate run c --policy-from main --report json=r.json --report markdown=m.md
  expect_json r.json '[.policy.findings[].after // ""] | any(test("[*]{3}"))'
  unseen an0therw0rd
  run gate list --explain c
  unseen an0therw0rd
done
for place in 's3://user:5ecretw0rd@host/key' 'https://5ecretw0rd@host/x' 'file://user:5ecretw0rd@host/x'; do
  places "$place" /tmp
  expect_exit 2 gate list
  expect_err '***@host'
  unseen 5ecretw0rd
done
