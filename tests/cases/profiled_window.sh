# Steps in which a profiler ran, as the log's arguments tell, are in no speed: not of the run, not of what it is
# judged against, and not of what becomes a baseline.
. "$(dirname "$0")/_lib"

dots=.........................................
arguments() { # PROFILE START END [PREFIX]
  echo "${4:-}------------------------ arguments ------------------------"
  echo "${4:-}  padded_vocab_size ............................... 50304"
  echo "${4:-}  profile $dots $1"
  echo "${4:-}  profile_ranks ................................... [0]"
  echo "${4:-}  profile_step_end ${dots:9} $3"
  echo "${4:-}  profile_step_start ${dots:11} $2"
  echo "${4:-}  use_pytorch_profiler ${dots:13} False"
}
losses=() plain=''
for ((i = 1; i <= 20; i++)); do losses+=("2.5000$(printf %02d "$i")E+00"); plain+=100.0,; done
times() { # NUMBER=TIME...: 100.0 of all others
  local list=() one i
  for ((i = 1; i <= 20; i++)); do list+=(100.0); done
  for one; do list[${one%=*} - 1]=${one#*=}; done
  (IFS=, && echo "${list[*]}")
}
steps() { megatron_log --throughput - --time "$(times "$@")" "${losses[@]}"; }

suite
script c <<'END'
cat log
END
cat >gate.toml <<'TOML'
[suite]
cwd = "."
platform = "cpu"
[rules.iteration_time]
window = "after 2"
reduce = "mean"
[case.c]
sample = 0
TOML
steps >log
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --reason first
cp -r baselines "$WORK/kept"
slow=(10=900.0 11=900.0 12=900.0 13=500.0)

# --- the steps are left out on both sides, which the report says; what is slow elsewhere is still found ---
steps "${slow[@]}" >log
expect_exit 1 gate run
{ arguments True 10 12 && steps "${slow[@]}"; } >log
expect_exit 0 gate run --report junit="$WORK/junit.xml" --report html="$WORK/report.html"
for file in "$WORK/.last/out" "$WORK/junit.xml" "$WORK/report.html" .gate/latest/result.json; do
  expect_file "$file" 'left out of every speed: steps 9-13, and what is of the whole run; a profiler ran'
  expect_file "$file" 'a profiler ran in steps 9-13: the log tells profile_step_start 10, profile_step_end 12'
done
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "iteration_time") | .steps == "3-8, 14-20" and .compared == 13'
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "lm_loss") | .steps == "1-15"'
expect_exit 0 gate check log --case c
expect_exit 0 gate run --set rules.iteration_time.reduce=each
for step in 8 14; do
  { arguments True 10 12 && steps "${slow[@]}" $step=900.0; } >log
  expect_exit 1 gate run
done
{ arguments True 10 12 '0: [default0]:' && steps "${slow[@]}"; } >log
expect_exit 0 gate run
{ arguments True 10 12 && arguments True 10 12 && steps "${slow[@]}"; } >log # two ranks
expect_exit 0 gate run
expect_exit 0 gate run --set repeat=2

# --- a log that prints no arguments: the flags of the script count, where they stand there for sure ---
steps "${slow[@]}" >log
launched() { # EXIT LINE...
  printf '%s\n' 'train() { cat log; }' "${@:2}" | script c
  expect_exit "$1" gate run
  expect_exit "$1" gate check log --case c
}
flags='--profile --profile-step-start 10 --profile-step-end 12'
launched 0 "train $flags"
expect_out 'a profiler ran in steps 9-13: the script has --profile, profile_step_start 10, profile_step_end 12'
expect_out 'left out of every speed: steps 9-13'
launched 0 FIRST=10 "ARGS=\"--profile --profile-step-start \$FIRST --profile-step-end=12\"" 'train $ARGS'
launched 1 "train # $flags"
launched 1 "echo $flags" train
launched 1 'train --profile-step-start 10 --profile-step-end 12'
launched 1 "[[ ! -e profile ]] || ARGS='$flags'" 'train $ARGS'
launched 3 'train --profile'
expect_out 'a profiler ran in steps 1-20: the script has --profile, and no steps of it'
launched 3 "train --profile --profile-step-start \$FIRST --profile-step-end 12"
launched 1 'train "$@"'
expect_exit 0 gate run -- $flags
{ arguments False 10 12 && steps "${slow[@]}"; } >log
launched 1 "train $flags"
refute_out 'a profiler ran'
steps "${slow[@]}" >log
printf '%s\n' 'train() { cat log; }' "train $flags" | script c
expect_exit 0 gate baseline record c
expect_out 'left out of every speed: steps 9-13'
rm -r .gate/candidates
printf 'cat log\n' | script c
{ arguments True 10 12 && steps "${slow[@]}"; } >log

# --- a loss in them is judged as ever; early stop does not take a profiled run for a slow one ---
expect_exit 0 gate run --set early_stop=on --set rules.iteration_time.reduce=max
{ arguments True 10 12 && steps "${slow[@]}" | sed 's/2.500011E+00/2.900000E+00/'; } >log
expect_exit 1 gate run
expect_out_match '^  lm_loss '

# --- no profiler, or none that is told of: as ever ---
for what in 'False 10 12' 'None 10 12' 'Tr 10 12'; do
  { arguments $what && steps "${slow[@]}"; } >log
  expect_exit 1 gate run
  refute_out 'a profiler ran'
done
{ arguments True 10 12 | grep -v profile_step && steps "${slow[@]}"; } >log
expect_exit 1 gate run
{ arguments True 10 12 | sed 's/profile/rl_profile/' && steps "${slow[@]}"; } >log
expect_exit 1 gate run
{ arguments True 100 110 && steps "${slow[@]}"; } >log # behind the last step
expect_exit 1 gate run
refute_out 'a profiler ran'

# --- nothing is left of the window: never green ---
nothing() { # ARGUMENTS...
  { arguments "$@" && steps; } >log
  expect_exit 3 gate run
  expect_out 'a profiler ran throughout what would be judged'
  expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "iteration_time") | .status | IN("missing", "incomparable")'
}
nothing True 1 1000000
nothing True 0 99999999999999999999999
nothing True -5 9223372036854775807
nothing True 3 3 # CUDA's profiler is never stopped
nothing True 2 1
nothing True None 12
nothing True '' ''
{ arguments True 2 4 && arguments True 3 5 && steps; } >log # they do not say the same
expect_exit 3 gate run
expect_out 'and other words of them, too'
{ steps && arguments True 1 30; } >log # too late
expect_exit 3 gate run
{ arguments True 1 30 && steps; } >log
expect_exit 3 gate run --set 'rules.iteration_time.tolerance=<= 1000'
expect_out 'a profiler ran throughout what would be judged'
{ arguments True 5 6 && steps 7=900.0; } >log
expect_exit 0 gate run --set 'rules.iteration_time.tolerance=<= 200'
expect_exit 3 gate run --set 'rules.iteration_time.window=5..6'
# a window from the first step on leaves the speed out of reach, and the loss green
{ arguments True 18 18 && steps 18=900.0 20=900.0; } >log
expect_exit 0 gate run
expect_out 'left out of every speed: steps 17-20'

# --- of the last values most were profiled: what is left says nothing ---
last_ten() { # EXIT ARGUMENTS...
  { arguments "${@:2}" && steps; } >log
  expect_exit "$1" gate run -v --set 'rules.iteration_time.window=last 10'
}
last_ten 3 True 5 -1
expect_out 'profile_step_start 5, profile_step_end -1'
expect_out '2 of the last 10, a profiler ran in the others'
last_ten 3 True 3 15
expect_out '4 of the last 10, '
last_ten 0 True 3 14
expect_out '5 of the last 10, a profiler ran in the others'
last_ten 0 True 3 5
refute_out 'a profiler ran in the others'

# --- a speed of the whole run has the profiler's time in it ---
{ arguments True 10 12 && steps "${slow[@]}"; } >log
expect_exit 3 gate run --set rules.wall_time.tolerance='<= 1000000'
expect_out_match 'wall_time'
expect_out 'a profiler ran throughout what would be judged'

# --- a report every five steps stands for all of them ---
rm -r baselines && mkdir baselines
fives() { steps "$@" | grep -E 'iteration +(5|10|15|20)/'; }
fives >log
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --reason fives
{ arguments True 7 8 && fives 10=900.0; } >log
expect_exit 0 gate run
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "iteration_time") | .steps == "5, 15, 20"'
{ arguments True 7 8 && fives 10=900.0 15=900.0; } >log
expect_exit 1 gate run

# --- what becomes a baseline does not have them: a run that is as slow as a profiler is still red ---
rm -r baselines && mkdir baselines
{ arguments True 10 12 && steps "${slow[@]}"; } >log
expect_exit 0 gate baseline record c
expect_out 'left out of every speed: steps 9-13'
expect_exit 0 gate baseline accept c --reason profiled
expect_json baselines/cpu/c.json '[.. | objects | select(.wall_time)] == []'
steps >log
expect_exit 0 gate run
times=$(printf '%s=120.0 ' {1..20})
steps $times >log
expect_exit 1 gate run
{ arguments True 10 12 && steps "${slow[@]}"; } >log
expect_exit 0 gate run
rm -r baselines && mkdir baselines
expect_exit 0 gate baseline import log --case c --platform cpu
expect_exit 0 gate baseline accept c --reason imported
steps $times >log
expect_exit 1 gate run
{ arguments True 10 12 && steps "${slow[@]}"; } >profiled.log
steps >plain.log
expect_exit 0 gate compare profiled.log plain.log --case c
refute_out 900

# --- of two commits one may profile itself: both are compared without those steps ---
git init -q .
printf '.gate\n*.log\nbaselines\n' >.gitignore
commit() { git add -A && git commit -qm "$1" && git tag "$1"; }
{ arguments True 10 12 && steps "${slow[@]}"; } >log
commit profiled
steps 10=300.0 11=300.0 >log
commit plain
run gate ab profiled plain --case c --runs 3 --json
expect_json "$WORK/.last/out" '.metrics[] | select(.metric == "iteration_time") | .pairs | length > 0 and all(.a == 100 and .b == 100)'
