# What gate says to a slip: the word that is wrong, what was meant, where to read on; and where what it wrote is.
. "$(dirname "$0")/_lib"

# --- help on a topic, from the tables of the reference ---
expect_exit 0 gate help
expect_out_match '^tolerances '
sed -nE 's/^(.*[^ ]) +the section (.*) of gate help all$/\1|\2/p' "$WORK/.last/out" >topics
expect_file topics 'features|Features'
while IFS='|' read -r topic title; do
  # shellcheck disable=SC2086
  expect_exit 0 gate help $topic
  [[ $(head -n 1 "$WORK/.last/out") == "## $title" ]] || broken "gate help $topic is another section than $title"
  refute_out '&gt;'
  refute_out '<!--'
  refute_out '\_'
  refute_out '\{'
done <topics
expect_exit 0 gate help baseline accept
expect_out 'Usage: gate baseline accept'
expect_exit 0 gate help tolerance
expect_out '| ±2%'
expect_exit 0 gate help exit codes
expect_out '| regressed |'
expect_exit 2 gate help verdcts
expect_err 'did you mean "verdicts"?'

# --- the word that is wrong ---
mkdir sub
expect_exit 2 gate -C sub nosuch
expect_err 'unknown command "nosuch"'
refute_err '"sub"'
expect_exit 2 gate -C sub run --tagg x
expect_err 'gate run has no flag --tagg; did you mean "--tag"?; see gate run --help'
expect_exit 2 gate -C sub run --format json
expect_err_match 'gate run has no flag --format; it is one of .*gate report; see gate run --help'
expect_exit 2 gate baseline diff --runn x
expect_err 'did you mean "--run"?; see gate baseline diff --help'

# --- every command that needs a suite says the same outside one ---
cd sub
expect_exit 2 gate list
cp "$WORK/.last/err" sentence
for command in run 'baseline record' 'baseline list' selftest 'explain x' report history; do
  # shellcheck disable=SC2086
  expect_exit 2 gate $command
  expect_same sentence "$WORK/.last/err"
done

# --- a suite ---
suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
script c <<<'cat run.log'
script d <<<'cat run.log'
expect_exit 0 gate baseline record
expect_last_line '^RECORDED: 2 candidates'
expect_file .gate/candidates/cpu/d.json
expect_exit 0 gate baseline accept --reason first --run latest
expect_exit 2 gate baseline diff --run latset
expect_err 'did you mean "latest"?'
expect_exit 2 gate report
expect_err_match 'gate report [0-9]+-[0-9]+ shows the latest recording'
expect_exit 0 gate run --out made/here --report html=page.html
expect_err 'written: page.html'
expect_err 'made/here: no such folder yet; it is made'
judged=$(latest)
expect_exit 0 gate baseline record c
expect_exit 0 gate report
expect_out "run $judged"
expect_exit 0 gate report latest
refute_out "run $judged"
expect_exit 0 gate compare run.log run.log --report html=compared.html
expect_err 'written: compared.html'
expect_exit 0 gate -q compare run.log run.log --report html=compared.html
refute_err written
expect_exit 2 gate run --report html=nowhere/page.html
refute_file nowhere
expect_exit 2 gate run --set rules.lm_loss.window=last10
expect_err 'did you mean "last 10"?'

# --- git does not see what gate keeps; a folder that is there stays as it is ---
suite seen
script a <<<'#GATE judge=exit'
git init -q . && git add -A && git commit -qm first
expect_exit 0 gate run
expect_file .gate/runs/"$(latest)"/result.json
[[ -z $(git status --porcelain) ]] || broken "git sees: $(git status --porcelain)"
rm .gate/.gitignore
expect_exit 0 gate run
refute_file .gate/.gitignore
rm -r .gate
code=0 # nothing can be written, as on a full disk
(trap '' XFSZ && ulimit -f 0 && gate run >/dev/null 2>&1) || code=$?
[[ $code == 125 ]] || broken "ended with $code"
refute_file .gate
expect_exit 0 gate run
expect_file .gate/.gitignore '*'

# --- by what a log is judged where there is no suite ---
cd "$WORK/sub" && cp ../suite/run.log .
expect_exit 0 gate check run.log --baseline run.log
expect_out "no suite here or above: judged by gate's built-in rules"
expect_exit 0 gate --lang zh check run.log --baseline run.log
expect_out '没有用例集：按 gate 的内置规则判定'
: >gate.toml
expect_exit 0 gate check run.log --baseline run.log
refute_out 'no suite'
