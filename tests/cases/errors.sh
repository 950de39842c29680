# What must never be green, and never a crash.
. "$(dirname "$0")/_lib"

losses=(2.500000E+00 2.400000E+00 2.300000E+00)
suite
megatron_log "${losses[@]}" >good.log
script good <<<'cat "${BASH_SOURCE[0]%/*}/../good.log"'
expect_exit 0 gate baseline import good.log --case good --accept --reason "first numbers"
expect_exit 0 gate run

# A variable that is not set is no default: an empty value, of whatever option, is an error.
for option in --profile --shadow --pattern --platform --case --baseline --set --report --config -C; do
  expect_exit 2 gate check good.log "$option" ''
  expect_err "the word after $option is empty (an unset variable?); give it a value, or leave it out"
done
for words in 'run --tag' 'run --out' 'run --again' 'run --timeout' 'run --deadline' 'list --explain' 'list --format' \
  'report --format' 'explain good --run' 'baseline diff --run' 'baseline accept --reason' 'baseline list good --platform' \
  'selftest --platform' 'baseline import --tree' 'extract good.log --attempt' 'extract good.log --format'; do
  # shellcheck disable=SC2086
  expect_exit 2 gate $words ''
  expect_err "the word after ${words##* } is empty"
  # shellcheck disable=SC2086
  expect_exit 2 gate $words=
  expect_err "${words##* }: its value is empty"
done
expect_exit 2 gate check good.log --case good --pattern x --pattern ' '
expect_err 'the word after --pattern is empty'
expect_exit 2 gate baseline accept --reason "all of them?" --metric ,
expect_err 'the word after --metric is empty'
expect_exit 2 gate check good.log --profile= --case good
expect_err '--profile: its value is empty'
expect_exit 2 gate report ''
expect_err 'the word after report is empty'
expect_exit 125 gate check good.log --case good --profile '' --bisect
expect_exit 0 gate run good --env A= --env=B= -- '' --x=

# No baseline.
script new <<<'cat "${BASH_SOURCE[0]%/*}/../good.log"'
expect_exit 3 gate run new
expect_out UNJUDGED
expect_exit 3 gate check good.log --case new
rm scripts/new.sh

# Configuration errors: 2, with position and suggestion, nothing launched.
rm -rf .gate
printf '[defaults]\ntimeot = "3m"\n\n[rules.throughput]\ntolerance = "+5%%"\n' >gate.toml
script bad <<<'#GATE device=8'
expect_exit 2 gate run
expect_err 'scripts/bad.sh:1:7: '
rm scripts/bad.sh
expect_exit 2 gate run
expect_err 'gate.toml:2:1: '
expect_err 'did you mean "timeout"?'
expect_err 'gate.toml:5:13: '
refute_file .gate/runs
rm gate.toml
expect_exit 2 gate run --set rules.throughput.tolerance=+5%
expect_exit 2 gate run --set rules.lm_los.tolerance=±0.1
expect_exit 2 gate run --timeout soon
refute_file .gate/runs
expect_exit 2 gate run nosuch
expect_exit 2 gate run --nosuch
expect_exit 2 gate nosuch
expect_exit 2 gate check good.log --case god
expect_err 'did you mean "good"?'
expect_exit 2 gate check good.log

# A mistake in a script's own words is that case's alone.
script bad <<<'#GATE device=8'
expect_exit 3 gate run bad
expect_out 'scripts/bad.sh:1:7: '
expect_out 'did you mean "devices"?'
rm scripts/bad.sh

# Logs that hold nothing: incomplete. Logs that cannot be read: 2.
: >empty.log
head -c 5000 /dev/urandom >binary.log
printf 'hello\nworld\n' >unknown.log
head -n 1 good.log >short.log
for log in empty binary unknown short; do
  expect_exit 4 gate check $log.log --case good
  expect_out INCOMPLETE
done
expect_out 'steps 2 and 3'
expect_exit 2 gate check absent.log --case good
expect_err 'absent.log'
mkdir empty
expect_exit 2 gate check empty --case good
expect_err 'empty: the folder holds no file; name a log, or a folder of logs'

# A baseline that cannot be understood is no green either.
cp baselines/good.json saved.json
echo '{"schema": "gate.baseline/1", ' >baselines/good.json
expect_exit 3 gate run
expect_out 'baselines/good.json:'
cp saved.json baselines/good.json

# A baseline without a script.
mv scripts/good.sh scripts/other.sh.txt
expect_exit 3 gate run
script other <<<'cat "${BASH_SOURCE[0]%/*}/../good.log"'
expect_exit 3 gate run
expect_out_match 'UNJUDGED.*good'
rm scripts/other.sh scripts/other.sh.txt baselines/good.json

# No case at all.
expect_exit 3 gate run
expect_exit 3 gate list

# For git bisect, what could not be tested is skipped.
expect_exit 125 gate run --bisect
expect_exit 125 gate run --bisect --nosuch
