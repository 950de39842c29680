# gate run --policy-from and --changed-since: judged by a git ref, and what a change touches.
. "$(dirname "$0")/_lib"

export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"
commit() { git add -A && git commit -qm "$1"; }

# The suite lies in a folder of the repository.
git init -q -b main "$WORK/repo"
cd "$WORK/repo"
mkdir -p src/model tests/st/scripts tests/st/baselines
cd tests/st
losses=(2.50 2.40 2.30 2.20 2.10)
megatron_log "${losses[@]}" >good.log
megatron_log 2.50 2.40 2.30 2.20 2.16 >worse.log
for name in a b c; do
  printf '#!/bin/bash\n#GATE devices=0 timeout=1m\n# case %s of three\ncat tests/st/%s.log\n' "$name" "$name" | script "$name"
  cp good.log "$name.log"
done
cat >gate.toml <<'TOML'
[rules.lm_loss]
tolerance = '±0.01'
[rules.throughput]
tolerance = '-5%'
[case."c"]
restarts = false
rules.throughput.tolerance = '-1%'
depends = ["src/model/**.py"]
TOML
echo 'x = 1' >../../src/model/net.py
printf '/.gate/\n' >.gitignore
for name in a b c; do run gate baseline import "$name.log" --case "$name" --accept --reason first; done
commit first

# Nothing changed: green, and no finding.
expect_exit 0 gate run --policy-from main
expect_out "judged by the policy of main ($(git rev-parse --short=7 main)): no finding"
expect_last_line '^GREEN: 3 passed \(exit 0\)$'

# A merge request that does all of it, and whose case a is worse by more than main allows.
git checkout -qb change
cp worse.log a.log
cat >gate.toml <<'TOML'
[rules.lm_loss]
tolerance = '±0.5'
[rules]
throughput = false
[case."c"]
restarts = true
depends = ["src/model/**.py"]
TOML
sed -i 's/2\.10/2.16/' baselines/a.json
printf '#!/bin/bash\n#GATE devices=0 timeout=1m judge=exit\n# case b of three\ncat tests/st/b.log\n' | script b
git mv scripts/c.sh scripts/renamed.sh
git mv baselines/c.json baselines/renamed.json
cp c.log renamed.log
sed -i 's/\[case."c"\]/[case."renamed"]/' gate.toml
commit change
expect_exit 1 gate run --policy-from main --set grace=1s --env X=1 --report junit=j.xml --report markdown=m.md --report html=h.html
expect_out_match '^REGRESSED a '
expect_out_match '^  loosened  rules.lm_loss.tolerance  ±0.01 -> ±0.5  in a, b, renamed  gate.toml:2:'
expect_out_match '^  removed  rules.throughput  -5% -> nothing  in a, b, renamed'
expect_out_match '^  loosened  restarts  false -> true  in renamed '
expect_out_match '^  changed  gate.toml$'
expect_out_match '^  changed  baseline baselines/a.json  lm_loss step 5 \+2.86 %$'
expect_out_match '^  removed  baseline baselines/c.json$'
expect_out_match '^  added  baseline baselines/renamed.json$'
expect_out_match '^  loosened  #GATE judge  series -> exit  in b  scripts/b.sh:2:'
expect_out_match '^  renamed  case c  -> renamed$'
expect_out_match '^  added  case renamed  scripts/renamed.sh$'
expect_out_match '^  added  #GATE timeout  1m  in renamed '
expect_out_match '^  added  --set grace  1s$'
expect_out_match '^  added  --env env.X  1$'
expect_out_match '^UNJUDGED c'
expect_out 'main has this case, and the tree has no script of it; case renamed has most of its script'
expect_last_line '^RED: 1 regressed, 2 unjudged, 1 passed, [0-9]+ policy findings \(exit 1\)$'
expect_json .gate/latest/result.json '.policy.reference == "main" and (.policy.commit | length == 40)'
expect_json .gate/latest/result.json 'any(.policy.findings[]; .area == "rule" and .shift == "loosened" and .before == "±0.01")'
expect_json .gate/latest/result.json '.cases[] | select(.case == "b") | any(.checks[]; .metric == "lm_loss" and .tolerance == "±0.01")'
expect_file j.xml 'name="policy_finding" value="loosened  rules.lm_loss.tolerance'
grep -q '^- loosened .*judge' m.md || broken "no finding in Markdown"
expect_file h.html 'judged by the policy of main'
expect_exit 0 gate report --format text
expect_out 'renamed  case c'

# The tree alone would have been green; by name, and by tag, the gone case is not dropped.
expect_exit 0 gate run a b
expect_exit 3 gate run c --policy-from main
expect_exit 3 gate run 'c*' b --policy-from main
expect_exit 3 gate run --again --policy-from main
expect_out_match '^UNJUDGED c'
expect_exit 0 gate check good.log --case a --policy-from main
expect_out 'policy findings'
expect_exit 1 gate check worse.log --case a --policy-from main
megatron_log --throughput 98.0 "${losses[@]}" >slow.log
expect_exit 0 gate check slow.log --case a --policy-from main
expect_exit 1 gate check slow.log --case c --policy-from main # gone, and judged by its own rules
expect_exit 2 gate check worse.log --baseline good.log --policy-from main

# What a ref cannot be.
for ref in nope -x --help --git-dir=/ 'HEAD:tests/st/gate.toml' 'main; touch pwned' 'main..change' $'a\nb' ''; do
  expect_exit 2 gate run --policy-from="$ref"
  expect_exit 2 gate run --changed-since="$ref" --nothing-ok
done
expect_exit 2 gate run --policy-from nope
expect_err 'git fetch --depth=1 origin nope'
refute_file pwned

# A shallow clone does not have the ref: 2, with what to do, and after that it is judged.
cd "$WORK"
git clone -q --depth=1 --branch change "file://$WORK/repo" shallow
cd shallow/tests/st
expect_exit 2 gate run --policy-from origin/main
expect_err 'origin/main is no commit that is here'
expect_err 'git fetch --depth=1 origin main'
expect_exit 2 gate run --changed-since origin/main --nothing-ok
git fetch -q --depth=1 origin main
expect_exit 1 gate run --policy-from FETCH_HEAD

# Links, pointers of Git LFS, submodules; a commit without a suite.
cd "$WORK/repo/tests/st"
git checkout -q main
git checkout -qb odd
ln -sf ../good.log baselines/b.json && commit link
expect_exit 2 gate run --policy-from odd
expect_err 'odd:baselines/b.json is a symbolic link'
rm baselines/b.json && printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n' >baselines/b.json && commit lfs
git show main:tests/st/baselines/b.json >baselines/b.json
expect_exit 2 gate run --policy-from odd
expect_err 'odd:baselines/b.json is a pointer of Git LFS'
git checkout -qf main
git checkout -q --orphan empty && git rm -rqf --cached . && git commit -qm empty --allow-empty && git checkout -qf main
expect_exit 2 gate run --policy-from empty
expect_err 'empty holds no suite here'

# --- what a change touches -----------------------------------------------------------------------

expect_exit 3 gate run --changed-since main
expect_last_line '^NOTHING JUDGED: no case changed since main \(exit 3\)$'
expect_exit 0 gate run --changed-since main --nothing-ok
expect_last_line '^NOTHING JUDGED: no case changed since main \(exit 0\)$'
expect_exit 2 gate run --changed-since nope --nothing-ok
expect_exit 2 gate run --nothing-ok
echo '# more' >>scripts/b.sh
expect_exit 0 gate run --changed-since main
expect_last_line '^GREEN: 1 passed \(exit 0\)$'
expect_json .gate/latest/result.json '.cases | length == 1 and .[0].case == "b"'
expect_exit 3 gate run --changed-since main a
git checkout -q scripts/b.sh
touch ../../src/model/new.py
expect_exit 0 gate run --changed-since main
expect_json .gate/latest/result.json '[.cases[].case] == ["c"]'
rm ../../src/model/new.py
sed -i "s/'-5%'/'-6%'/" gate.toml
expect_exit 0 gate run --changed-since main
expect_json .gate/latest/result.json '[.cases[].case] == ["a", "b"]' # c has a tolerance of its own
git checkout -q gate.toml
printf '[case."a"]\ntimeout = "3m"\n' >>gate.toml
expect_exit 0 gate run --changed-since main --policy-from main
expect_json .gate/latest/result.json '[.cases[].case] == ["a"] and (.policy.findings | length == 2)'
git checkout -q gate.toml
rm baselines/a.json
expect_exit 3 gate run --changed-since main
expect_json .gate/latest/result.json '[.cases[].case] == ["a"]'

git checkout -q baselines/a.json
sed -i 's|^depends = .*|depends = ["src/"]|' gate.toml
expect_exit 2 gate run --changed-since main --nothing-ok
expect_err '"src/" is no file of the git tree'
git checkout -q gate.toml

# Golden files of outputs, and what a download brings, are a case's own; a link into the tree leads to what it has.
git checkout -qb golden
mkdir -p golden ../../data ../../out "$WORK/beyond"
echo 'a b c' | tee golden/b.txt golden/both.txt >../../data/x
ln -s ../../data linked
for name in a b c; do echo 'echo a b c >answer.txt' >>"scripts/$name.sh"; done
cat >>gate.toml <<'TOML'
[case.b.outputs]
text = { file = "answer.txt", golden = "golden/b.txt", metric = "exact_match", tolerance = ">= 1" }
more = { file = "answer.txt", golden = "golden/both.txt", metric = "exact_match", tolerance = ">= 1" }
[case.a]
depends = ["tests/st/linked/**"]
[case.a.outputs]
text = { file = "answer.txt", golden = "golden/both.txt", metric = "exact_match", tolerance = ">= 1" }
[case.renamed.stages.download]
from = ["../../data"]
TOML
sed -i 's/case.renamed/case.c/' gate.toml
commit golden
# touches FILE CASES: a change of the file chooses these cases.
touches() {
  echo more >>"$1"
  expect_exit 0 gate run --changed-since golden --nothing-ok --dry-run
  [[ $(awk '/^would run/ { print $3 }' "$WORK/.last/out" | xargs) == "$2" ]] || broken "not chosen: $2"
  git checkout -q -- "$1" 2>/dev/null || rm "$1"
}
touches golden/b.txt b
touches golden/both.txt 'a b'
touches ../../data/x 'a c'
touches ../../data/new 'a c'
touches ../../out/new ''
echo more >>golden/both.txt
expect_exit 0 gate run a --policy-from golden
expect_out_match 'baseline +golden/both.txt'
git checkout -q golden
echo x >"$WORK/beyond/y" && rm linked && ln -s "$WORK/beyond" linked
expect_exit 2 gate run --changed-since golden
expect_err 'depends of case a: "tests/st/linked/**" leads through the link tests/st/linked out of the git tree'
git checkout -qf main && rm -rf golden answer.txt ../../data ../../out

# --- what would have another policy, or other baselines, judge ---

# A tag of the branch's name.
git tag main main~0
expect_exit 2 gate run --policy-from main
expect_err 'main names a branch and a tag'
expect_exit 0 gate run --policy-from refs/heads/main
git tag -d main >/dev/null

# The suite's own gate.toml is gone, and one around it is there.
git checkout -qf change && git checkout -q main -- ../../ && git commit -qam "as main" --allow-empty
mkdir -p ../../scripts && echo true >../../scripts/x.sh && printf '[suite]\nname = "outer"\n' >../../gate.toml
git rm -rq gate.toml baselines
expect_exit 2 gate run --policy-from main
expect_err 'main has a suite of its own in'
expect_exit 2 gate run --changed-since main --nothing-ok
rm -r ../../gate.toml ../../scripts && git checkout -qf main

# What was red by the ref is not to be green by the tree, nor by what the ref becomes.
echo 'exit 1' >>scripts/a.sh
expect_exit 4 gate run --policy-from main
red=$(latest) judge=$(git rev-parse main)
expect_exit 4 gate run --again --policy-from main
git commit -qm moved --allow-empty
expect_exit 4 gate run --again "$red"
expect_out "judged by the policy of $judge"
expect_exit 2 gate run --again "$red" --policy-from main
expect_err "was started with --policy-from main, which was $judge"
git reset -q --soft HEAD^
git checkout -q scripts/a.sh

# A link that leads nowhere is no absent file.
mv gate.toml away.toml && ln -s nowhere.toml gate.toml
expect_exit 2 gate run
expect_err 'gate.toml'
rm gate.toml && mv away.toml gate.toml
mv baselines/a.json away.json && ln -s nowhere.json baselines/a.json
expect_exit 3 gate run a
expect_out 'baselines/a.json'
mv away.json baselines/a.json

# What was read of a ref lies nowhere any more.
[[ -z $(ls -A "$TMPDIR") ]] || broken "left in TMPDIR: $(ls "$TMPDIR")"
