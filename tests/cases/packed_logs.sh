# Logs that are packed: told by their content, read as far as they are whole, never green where they are not.
. "$(dirname "$0")/_lib"
command -v zstd >/dev/null || skip "no zstd"

suite
script good <<<true
megatron_log 3.100 3.200 3.300 3.400 >good.log
expect_exit 0 gate baseline import good.log --case good --accept --reason "the first"

# --- every command that reads a log reads a packed one, whatever its name ---
gzip -k good.log && zstd -q good.log
mv good.log.gz packed.txt
for log in packed.txt good.log.zst; do
  expect_exit 0 gate extract $log --format csv
  cp "$WORK/.last/out" packed.csv
  expect_exit 0 gate extract good.log --format csv
  sed -i "s|$log|good.log|" packed.csv
  expect_same packed.csv "$WORK/.last/out"
  expect_exit 0 gate check $log --case good
  expect_exit 0 gate check good.log --baseline $log
  expect_exit 0 gate baseline import $log --case good
done
cp good.log plain.gz
expect_exit 0 gate check plain.gz --case good

# --- members and frames in a row are one log ---
{ head -n 2 good.log | gzip; tail -n +3 good.log | gzip; } >members
{ head -c 300 good.log | zstd -q; tail -c +301 good.log | zstd -q; } >frames
expect_exit 0 gate check members --case good
expect_exit 0 gate check frames --case good

# --- standard input, packed too; a result that is not green stays so ---
run bash -c 'gate check - --case good <packed.txt'
((code == 0)) || broken "exit code $code"
run bash -c 'gate baseline import - --case good <good.log.zst'
((code == 0)) || broken "exit code $code"
run bash -c 'gate check - - --case good <packed.txt'
((code == 2)) || broken "exit code $code"
expect_err 'standard input): named twice; name each log once'
expect_exit 2 gate check good.log --baseline -
expect_err 'only LOG can be standard input'
megatron_log 3.100 3.200 3.900 3.400 | gzip >worse.gz
expect_exit 1 gate check worse.gz --case good

# --- what is cut off is read up to its last whole line, and is not green although all steps may be there ---
{ gzip <good.log; head -n 1 good.log | gzip | head -c 100; } >tail.gz
expect_exit 4 gate check tail.gz --case good
expect_out 'tail.gz: the gzip data ends in its middle'
expect_out INCOMPLETE
expect_exit 4 gate check tail.gz --case good --json
expect_json "$WORK/.last/out" '.cases[0].problems | map(select(.kind == "torn" and .file == "tail.gz")) | length == 1'
expect_exit 0 gate extract tail.gz
expect_out '  torn  tail.gz: the gzip data ends in its middle'
zcat worse.gz | gzip | head -c -8 >cut.gz
expect_exit 4 gate check cut.gz --case good
expect_out 'cut.gz: the gzip data ends in its middle'
expect_out 'before that: lm_loss out of ±0.01'
{ cat good.log.zst; echo text; } >followed.zst
expect_exit 4 gate check followed.zst --case good
expect_out 'the zstd data is followed by other bytes'
{ head -c -3 packed.txt; printf 'xyz'; } >damaged.gz
expect_exit 4 gate check damaged.gz --case good
expect_out 'the gzip data is damaged (incorrect length check)'

# --- no baseline is made of it ---
expect_exit 3 gate baseline import tail.gz --case good
expect_err 'tail.gz: the gzip data ends in its middle'
expect_exit 2 gate check good.log --baseline tail.gz

# --- what is packed twice is said to be ---
gzip <packed.txt >twice.gz
expect_exit 4 gate check twice.gz --case good
expect_out 'gzip data; unpack it first'
