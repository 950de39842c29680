# A case in quarantine runs and keeps its verdict, and does not gate until its last day is over.
. "$(dirname "$0")/_lib"

day() { date -u -d "$1" +%F; }

suite
megatron_log 2.50 2.40 2.30 >good.log
megatron_log 2.50 2.40 2.90 >bad.log
for name in a b c; do
  printf '#GATE devices=0\ncat %s.log\n' "$name" | script "$name"
  cp good.log "$name.log"
  run gate baseline import good.log --case "$name" --accept --reason first
done
cp bad.log b.log

quarantine() { # CASE UNTIL...
  : >gate.toml
  while (($# > 1)); do
    printf '[case."%s"]\nquarantine = { until = "%s", reason = "a <known> spike", owner = "zhang" }\n' "$1" "$2" >>gate.toml
    shift 2
  done
}

# Red, and green with it.
expect_exit 1 gate run
until=$(day '+30 days')
quarantine b "$until" c "$(day today)"
expect_exit 0 gate run --report junit=j.xml --report markdown=m.md --report html=h.html
expect_out_match '^regressed b '
expect_out "quarantined until $until by zhang: a <known> spike"
expect_out '1 passed, 2 quarantined (1 red)'
expect_last_line '^GREEN: 1 passed, 2 quarantined \(1 red\) \(exit 0\)$'
expect_json .gate/latest/result.json '.totals | .passed == 1 and .regressed == 0 and .quarantined == 2 and .quarantined_red == 1'
expect_json .gate/latest/result.json '.cases[] | select(.case == "b") | .verdict == "regressed" and .quarantine.owner == "zhang"'
expect_file j.xml 'failures="0" errors="0"'
expect_file j.xml 'skipped="2"'
expect_file j.xml "<skipped message=\"regressed: "
expect_file j.xml "quarantined until $until by zhang: a &lt;known&gt; spike"
expect_file m.md 'regressed, quarantined'
expect_file h.html "quarantined until $until"
expect_exit 0 gate report
expect_out '2 quarantined (1 red)'
expect_exit 0 gate run --max-failures 1
expect_exit 3 gate run b
expect_last_line '^RED: nothing was judged, 1 quarantined \(1 red\) \(exit 3\)$'
expect_exit 3 gate check good.log --case c
expect_exit 0 gate list
expect_out_match "^b .* until $until, zhang"
expect_exit 0 gate list --explain b
expect_out_match "^quarantine.until +$until +gate.toml:2:"

# lint lists it; one that is over or nearly so is weak.
run gate baseline lint
expect_out "quarantine  b  until $until  owner zhang: a <known> spike"
expect_out_match '^WEAK +c .*its quarantine ends on'
refute_out 'its quarantine ended'
quarantine b "$(day yesterday)"
expect_exit 1 gate baseline lint
expect_out "its quarantine ended on $(day yesterday), owner zhang"
run gate baseline lint --json
jq -e 'any(.cases[]; .quarantine.owner == "zhang" and any(.findings[]; .lint == "quarantine_ended"))' "$WORK/.last/out" >/dev/null ||
  broken "no JSON of the quarantine"

# Past its day it gates again, and says so.
expect_exit 1 gate run
expect_out "its quarantine ended on $(day yesterday), and it gates again"
expect_out_match '^REGRESSED b '

# What is no quarantine, at its place.
quarantine b "$(day '+90 days')"
expect_exit 0 gate run
quarantine b "$(day '+91 days')"
expect_exit 2 gate run
expect_err_match '^.*gate.toml:2:[0-9]+: a quarantine is 90 days long at most, and until .* it is 91'
quarantine b 9999-12-31
expect_exit 2 gate run
printf '[case."b"]\nquarantine = { until = "%s", reason = "x" }\n' "$until" >gate.toml
expect_exit 2 gate run
expect_err 'the quarantine has no owner; it needs until, reason and owner'
printf '[case."b"]\nquarantine = { until = "soon", reason = "x", owner = "y" }\n' >gate.toml
expect_exit 2 gate run
expect_err 'no date such as'
printf '[defaults]\nquarantine = { until = "%s", reason = "x", owner = "y" }\n' "$until" >gate.toml
expect_exit 2 gate run
expect_err 'quarantine.until cannot be set in [defaults]'
script d <<<"#GATE quarantine.until=$until"
: >gate.toml
expect_exit 3 gate run d
expect_out 'cannot be set in #GATE'
rm scripts/d.sh

# By a trusted policy it is the ref's that counts.
git init -q -b main . && printf '/.gate/\n' >.gitignore && git add -A && git commit -qm first
quarantine b "$until"
expect_exit 0 gate run
expect_exit 1 gate run --policy-from main
expect_out_match '^  loosened  quarantine.until  '"$until"'  in b  gate.toml:2:'
git add -A && git commit -qm quarantined && : >gate.toml
expect_exit 1 gate run
expect_exit 0 gate run --policy-from main

# A recording is good or not, whatever gates.
expect_exit 0 gate baseline record b --set hang=1m

# A quarantined case that was green wherever the others were can gate again; one that was red there says nothing.
# The runs are one, under other names.
cp good.log b.log
quarantine b "$until"
expect_exit 0 gate run
gate history --export | tail -n 1 >one.jsonl
# remembered RED...: twenty runs, in which b is red in those of these numbers, and a in the others of them: -N.
remembered() {
  rm -f .gate/history.db*
  jq -c --argjson red "[$(IFS=, && echo "$*")]" 'range(1; 21) as $i | .uid = "u\($i)" | .run = "r\($i)" |
    .started = "2026-11-01T10:\($i + 10):00Z" | .cases |= map(if (.case == "b" and ($red | index($i))) or
    (.case == "a" and ($red | index(-$i))) then .verdict = "regressed" else . end)' one.jsonl >all.jsonl
  run gate history --import all.jsonl
}
can_go='20 of 20 green on commits that were green elsewhere: the quarantine can go'
remembered
run gate baseline lint
expect_out_match "^quarantine  b  until .*; $can_go\$"
expect_out 'quarantine_can_go: remove the quarantine from gate.toml'
expect_json <(gate baseline lint --json || true) '[.cases[].findings[] | select(.lint == "quarantine_can_go")] | length == 1'
expect_exit 0 gate history b --report html=h.html
expect_out "  $can_go"
expect_file h.html "$can_go"
run gate history
expect_out_match "^b  $can_go"
expect_json <(gate history --json) '[.cases[] | select(has("quarantine_can_go"))] | map([.case, .quarantine_can_go]) == [["b", 20]]'
remembered 3
expect_exit 0 gate history b
refute_out 'the quarantine can go'
run gate baseline lint
refute_out 'the quarantine can go'
remembered 20 -20 # the newest one is red, whatever the others are
run gate history b
refute_out 'the quarantine can go'
remembered 3 -3 -4 # a red one on a commit that was red elsewhere, too, counts for nothing
run gate history b
expect_out '18 of 18 green on commits'
quarantine c "$until"
run gate history b
refute_out 'the quarantine can go'
