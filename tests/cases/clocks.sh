# Gate's own clocks: recorded with every run, gated only where a person says so, and in no saved log.
. "$(dirname "$0")/_lib"

losses=(2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00)
clocks='startup_time step_wall_time wall_time'
has_clocks() {  # of a file with runs
  jq -r '.runs[0].series[].metric' "$1" | grep _time | grep -v iteration | sort | paste -sd ' ' >"$WORK/.last/clocks"
  [[ $(<"$WORK/.last/clocks") == "$2" ]] || broken "$1: clocks are: $(<"$WORK/.last/clocks")"
}

suite
megatron_log "${losses[@]}" >good.log
script c <<<'cat good.log'

# --- recorded by record, run and --confirm; nobody is judged by them ---
expect_exit 0 gate baseline record c
has_clocks .gate/candidates/*/c.json "$clocks"
expect_exit 0 gate baseline accept c --reason "first numbers"
expect_out 'step_wall_time: 3 steps'
expect_out 'wall_time: 1 report'
expect_exit 0 gate -v run c
has_clocks .gate/latest/c/series.json "$clocks"
expect_out_match '^  ungated +.*step_wall_time, startup_time, wall_time, .*: no rule$'
expect_json .gate/latest/c/series.json '.runs[0].series[] | select(.metric == "step_wall_time")
  | .unit == "ms" and .numbered == "step" and .numbers == "2-4" and (.values | length) == 3'
expect_json .gate/latest/c/series.json '.runs[0].series[] | select(.metric == "wall_time") | .numbered == "report" and .numbers == "1"'
expect_exit 0 gate baseline list c
expect_out wall_time

# --- a saved log has none, which no rule turns into a missing value; green says what it leaves out ---
expect_exit 0 gate -v check good.log --case c
expect_out_match '^  ungated +step_wall_time, startup_time, wall_time: measured by gate while a script runs$'
cat >gate.toml <<'END'
[rules.wall_time]
tolerance = "<= 600000"
[rules.step_wall_time]
window = "last 2"
reduce = "mean"
tolerance = "+600000"
[rules.overhead]
tolerance = "<= 600000"
[metrics.overhead]
formula = "wall_time - startup_time"
END
expect_exit 0 gate check good.log --case c
expect_out_match '^  ungated +step_wall_time, wall_time: measured by gate while a script runs$|^  ungated +wall_time, step_wall_time: measured by gate while a script runs$'
expect_out_match '^  ungated +overhead: it is derived from wall_time, measured by gate while a script runs$'
refute_out missing
expect_exit 3 gate check good.log --case c --set rules.wall_time.required=true
expect_out 'wall_time is ungated: measured by gate while a script runs (required)'
expect_exit 0 gate check .gate/latest/c/series.json --case c
refute_out 'measured by gate'

# --- a launched run is judged by the rules ---
expect_exit 0 gate -v run c
expect_out_match '^  wall_time +ok '
expect_out_match '^  step_wall_time +ok '
expect_out_match '^  overhead +ok '
expect_exit 1 gate run c --set 'rules.wall_time.tolerance=<= -1'
expect_out_match 'wall_time .*-1'
expect_exit 1 gate run c --confirm 2 --set 'rules.wall_time.tolerance=<= -1'
expect_json .gate/latest/c/series.json '[.runs[].series[] | select(.metric == "wall_time")] | length == 2'
has_clocks .gate/latest/c/try-2/series.json "$clocks"
expect_exit 0 gate list --coverage
expect_exit 0 gate selftest c
expect_exit 0 gate explain c wall_time
expect_out 'wall_time'
run gate baseline lint
refute_out 'wall_time: report 1 is in the window'

# --- a log takes the place of a recording, and the other way round ---
expect_exit 0 gate baseline import good.log --case c
expect_exit 0 gate baseline accept c --reason "a log has no clocks" --to general
expect_exit 0 gate baseline import good.log --case c --platform cpu
run gate baseline diff c
expect_exit 0 gate baseline accept c --reason "nor has this one"
expect_exit 0 gate run c
expect_out_match '^  ungated +step_wall_time: not in the baseline, so |ungated .*step_wall_time.*: not in the baseline, so '
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --reason "and back"
expect_exit 0 gate run c

# --- what printed nothing that is read is not green for its wall time ---
rm gate.toml
script silent <<<'echo hello'
expect_exit 3 gate baseline record silent
expect_exit 3 gate run silent
refute_file .gate/latest/silent/series.json

# --- another attempt, another clock; a name that the suite reads itself is the suite's ---
script again <<'END'
head -n 2 good.log
cat good.log
END
expect_exit 0 gate baseline record again
expect_json .gate/candidates/*/again.json '.runs[0].series[] | select(.metric == "step_wall_time") | .numbers == "2-4"'
cat >gate.toml <<'END'
[metrics.wall_time]
pattern = 'wall (?P<value>\S+)'
END
script own <<'END'
cat good.log
echo wall 17
END
expect_exit 0 gate baseline record own
expect_json .gate/candidates/*/own.json '.runs[0].series[] | select(.metric == "wall_time") | .values == ["17"]'
expect_json .gate/candidates/*/own.json '[.runs[0].series[] | select(.metric == "startup_time")] | length == 1'

# --- a rule of gate.toml that judges nothing is told, also of several cases and behind no -v ---
cd .. && suite asked
for case in one two; do script $case <<<"cat '$PWD/log'"; done
megatron_log 10.000 9.000 8.000 >log
expect_exit 0 gate baseline record
expect_exit 0 gate baseline accept --reason first
printf '[metrics.aux]\npattern = "never printed: (?P<value>[0-9.]+)"\n[rules.aux]\ntolerance = "exact"\n' >gate.toml
expect_exit 0 gate run
expect_out 'ungated in all cases  aux: not in the baseline, so its rule in gate.toml judges nothing'
sed -i 's/^\[rules.aux\]/[case.one]\nrules.aux.tolerance = "exact"\n#/; /^tolerance/d' gate.toml
for case in three four five six seven eight nine ten eleven; do
  cp scripts/two.sh scripts/$case.sh
  sed "s/\"case\": \"two\"/\"case\": \"$case\"/" baselines/cpu/two.json >baselines/cpu/$case.json
done
expect_exit 0 gate run
expect_out 'ungated  aux: not in the baseline, so its rule in gate.toml judges nothing; gate baseline accept CASE --run RUN --metric METRIC --reason ... takes it of a run that has it (in 1 of 11 cases: one)'
