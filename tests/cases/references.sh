#!/usr/bin/env bash
# Published performance tables come into references.json, are imported again, and are listed.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_references"

# The last output, CSV, without the name in front and where it is from.
listed() {
  python3 -c '
import csv, sys
for row in list(csv.reader(sys.stdin))[1:]:
    name, *cells = row
    ratio = cells.pop(8)
    print(" ".join(c or "--" for c in cells[:10]), cells[-2] or "-", cells[-4], cells[-3], sep=";")
' <"$WORK/.last/out"
}

expected() {
  while read -r model parameters rest; do
    echo "$model $parameters ${rest% *};$(link=$(link_of "$model" "$parameters" "${rest##* }") && echo "${link:--}");tokens/p/s;Atlas 900 A2 PODc"
  done < <(performance_rows)
}

suite
: >gate.toml
expected >"$WORK/expected"
(($(wc -l <"$WORK/expected") == 47)) || broken "the table has not 47 rows"

# --- each kind of file has the same rows, in their order ---
for kind in html markdown csv; do
  mkdir "$WORK/$kind"
  case $kind in html | markdown) file=$WORK/$kind/README.md ;; *) file=$WORK/$kind/perf.csv ;; esac
  performance_rows | "performance_$kind" >"$file"
  rm -f references.json
  expect_exit 0 gate reference "$file"
  expect_out '47 new, 0 changed, 0 removed, 0 same'
  expect_out "wrote $PWD/references.json: 47 rows"
  expect_exit 0 gate reference --format csv
  listed >"$WORK/listed"
  expect_same "$WORK/expected" "$WORK/listed"
  # what is listed as CSV can be imported, too
  cp "$WORK/.last/out" "$WORK/again.csv"
  rm references.json
  expect_exit 0 gate reference "$WORK/again.csv"
  expect_exit 0 gate reference --format csv
  listed >"$WORK/listed"
  expect_same "$WORK/expected" "$WORK/listed"
done
html=$WORK/html/README.md

# --- by what it holds, whatever it is called ---
rm references.json
cp "$html" "$WORK/readme.txt"
expect_exit 0 gate reference "$WORK/readme.txt" --json
expect_json "$WORK/.last/out" '(.new | length) == 47 and .written and .rows == 47 and .same == 0'
expect_json references.json '.schema == "gate.references/1" and .rows[0].source == "readme.txt:22"'

# --- again: nothing changes, and the file stays as it is ---
rm references.json
expect_exit 0 gate reference "$html"
cp references.json "$WORK/first.json"
expect_exit 0 gate reference "$html"
expect_out '0 new, 0 changed, 0 removed, 47 same'
expect_out 'says so already: 47 rows'
expect_same references.json "$WORK/first.json"

# --- a newer version of the file: what changed, what is new, what is gone; a dry run writes nothing ---
mkdir "$WORK/newer"
performance_rows | sed -e '/^Yi /d' -e 's/ 4672 3850 NAIE Pass/ 4700 3850 NAIE Test/' \
  -e '/^LLaMA2 7B/i LLaMA2 1B 4K Mcore 1x8 BF16 9999.50 -- NAIE Test -' | performance_html >"$WORK/newer/README.md"
expect_exit 0 gate reference "$WORK/newer/README.md" --dry-run -v
expect_out 'changed LLaMA2 7B 4K Mcore 1x8  measured 4672 -> 4700, label Pass -> Test'
expect_out_match '^removed Yi 34B 4K Legacy 2x8  was README.md:[0-9]+$'
expect_out_match '^new LLaMA2 1B 4K Mcore 1x8  README.md:[0-9]+$'
expect_out '1 new, 1 changed, 1 removed, 45 same'
expect_out "dry run: $PWD/references.json would have 47 rows"
expect_same references.json "$WORK/first.json"
expect_exit 0 gate reference "$WORK/newer/README.md"
expect_out '1 new, 1 changed, 1 removed, 45 same'
expect_json references.json '.rows[19].name == "LLaMA2 1B 4K Mcore 1x8" and .rows[19].measured == 9999.50'
expect_file references.json '"measured": 9999.50'

# --- a row of another file is kept, unless it is to be replaced; other rows go behind those that are there ---
cat >"$WORK/own.md" <<'EOF'
hardware: A100 (80 GB)

| model | size | seq | impl | cluster | throughput (tokens/s/p) |
|---|---|---|---|---|---|
| LLaMA2 | 7B | 4K | Mcore | 1x8 | 5,000.25 |
| Own | 1B | 4096 | | 1x8 | 12 |
EOF
expect_exit 0 gate reference "$WORK/own.md"
expect_out '1 new, 1 changed, 0 removed, 46 same'
expect_json references.json '.rows | length == 48 and .[-2].source == "own.md:5" and .[-2].measured == 5000.25 and .[-1].name == "Own 1B 4096 1x8"'
expect_json references.json '.rows[-1] | .unit == "tokens/s/p" and .hardware == "A100 (80 GB)" and (has("reference") | not)'
cp references.json "$WORK/third.json"
expect_exit 0 gate reference "$WORK/newer/README.md" --dry-run
expect_out_match '^changed LLaMA2 7B 4K Mcore 1x8  measured 5000.25 -> '
expect_same references.json "$WORK/third.json"

# --- the list ---
expect_exit 0 gate reference
expect_out_match '^model +parameters +sequence +implementation +cluster +precision +measured +reference +ratio +contributor +label'
expect_out_match '^LLaMA2 +13B +4K +Mcore +1x8 +BF16 +2016 +1920 +105\.0 % +NAIE +Pass$'
expect_out_match '^Own +1B +4096 +1x8 +12 +-- +--$'
expect_exit 0 gate reference --format markdown
expect_out_match '^\| Qwen2 \| 72B \| 4K \|'
expect_exit 0 gate reference --json
expect_json "$WORK/.last/out" 'map(select(.name == "Qwen2 72B 4K Mcore 4x8")) | length == 1 and .[0].ratio_percent == ""'
for word in import list; do
  expect_exit 2 gate reference $word "$html"
  expect_err 'reference: write gate reference'
done

# --- a table that was edited since: lint compares the row that a case is bound to ---
mkdir "$WORK/bound" && cd "$WORK/bound" && mkdir scripts && : | script c
printf '[case.c]\nreference = "Own 1B 4096 1x8"\n' >gate.toml
expect_exit 0 gate reference "$WORK/own.md"
expect_json references.json '.files == {"own.md": "../own.md"}'
lints() { # SED-EDIT TEXT
  sed -i.bak "$1" "$WORK/own.md"
  run gate baseline lint -v
  expect_out "$2"
  expect_out import_changed
  mv "$WORK/own.md.bak" "$WORK/own.md"
}
lints '/Own/s/12/13/' 'reference Own 1B 4096 1x8: ../own.md has other numbers by now: measured 12 -> 13'
lints 's/Own/Owm/' 'reference Own 1B 4096 1x8: ../own.md has no such row any more'
lints 's/|//g' 'reference Own 1B 4096 1x8: its table can be read no more'
sed -i 's/5,000.25/6000/; 1i a line more' "$WORK/own.md"
run gate baseline lint -v
refute_out import_changed # another row

cd "$WORK/suite"

# --- files that are wrong, each mistake at its place; nothing is written ---
cp references.json "$WORK/third.json"
printf '| model | performance |\n|---|---|\n| A | fast |\n| B | 0 |\n| A | 3 |\n' >"$WORK/bad.md"
expect_exit 2 gate reference "$WORK/bad.md"
expect_err 'bad.md:3:7: measured "fast" is no number'
expect_err 'bad.md:4:7: measured "0" is not from 1E-9 to 1E15'
expect_err 'bad.md:5:1: "A" of bad.md:5 is the name of the row at bad.md:3, too'
printf '# nothing here\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' >"$WORK/bad.md"
expect_exit 2 gate reference "$html" "$WORK/bad.md"
expect_err 'bad.md: holds no table of performance'
expect_err '模型, 模型名称, model'
: >"$WORK/empty.html"
expect_exit 2 gate reference "$WORK/empty.html"
expect_err 'empty.html: is empty'
expect_exit 2 gate reference "$WORK/nowhere.md"
expect_err nowhere.md
expect_exit 2 gate reference "$html" "$WORK/newer/README.md"
expect_err 'has the name of'
printf 'model,performance\nA,1,2\n' >"$WORK/bad.csv"
expect_exit 2 gate reference "$WORK/bad.csv"
expect_err 'bad.csv:2:1: 3 cells in a line, and 2 in the first one'
expect_same references.json "$WORK/third.json"

# --- as many rows as may be, with all that a row can say ---
mkdir "$WORK/large" && cd "$WORK/large" && : >gate.toml
awk 'BEGIN {
  print "model,size,seq,impl,cluster,mode,measured,reference,contributor,cert,hardware,unit,link"
  for (i = 1; i <= 100000; i++) print "m" i ",7B,4K,x,1x8,BF16,1.5,2,c,Pass,h,tokens/p/s,l"
}' >large.csv
expect_exit 0 gate reference large.csv
expect_out '100000 new, 0 changed, 0 removed, 0 same'
expect_exit 0 gate reference
[[ $(grep -c ' 75.0 % ' "$WORK/.last/out") == 100000 ]] || broken "not all rows are there"
echo m,7B,4K,x,1x8,BF16,1,1,c,Pass,h,u,l >>large.csv
expect_exit 2 gate reference large.csv
expect_err 'large.csv:100002:1: more than 100000 rows'
printf 'model,performance\nfurther,1\n' >further.csv
expect_exit 3 gate reference further.csv
expect_err 'the table would have more than 100000 rows'
cd ../suite

# --- so is a broken references.json ---
sed -i '0,/"measured": [0-9]*/s//"measured": -1, "mesured": 1/' references.json
for words in "$html" ''; do
  expect_exit 2 gate reference $words
  expect_err_match 'references.json:17:[0-9]+: "measured" must be a number above 0 \(1E-9 to 1E15\), not -1'
  expect_err 'unknown key "mesured"; did you mean "measured"?'
done
rm references.json
expect_exit 3 gate reference
expect_err 'gate reference FILE'

# --- without a suite it is printed, and nothing is written ---
mkdir "$WORK/none" && cd "$WORK/none"
expect_exit 0 gate reference ../own.md
expect_out_match '^Own +1B +4096 +1x8 +12 +-- +--$'
expect_last_line '^no suite here or above: nothing is written$'
expect_exit 0 gate reference ../own.md "$html" --dry-run --json
expect_json "$WORK/.last/out" 'length == 48 and any(.[]; .name == "Own 1B 4096 1x8")'
expect_exit 2 gate reference
expect_exit 2 gate reference "$WORK/empty.html"
[[ -z $(ls -A) ]] || broken 'something was written'
