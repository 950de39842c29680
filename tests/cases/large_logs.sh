# Large logs: read in blocks, by any number of threads, with what stands on their edges, and no line lost or counted twice.
. "$(dirname "$0")/_lib"

cat >gate.toml <<'TOML'
[metrics.speed_index]
pattern = 'speed=(?P<value>\S+)'
numbered = "report"
[metrics.gap]
pattern = 'step (?P<step>\d+) .*?gap=(?P<value>[0-9.]+)'
TOML

# 9 MB: noise, iteration lines, records that a launcher tore, tracebacks, carriage returns, escapes, a line of 700 KB.
awk 'BEGIN {
  long = "0123456789abcdef"; while (length(long) < 700000) long = long long
  for (i = 1; i <= 120000; ++i) {
    if (i % 1000 == 0) printf "0: [default0]: iteration %8d/     120 | consumed samples: 1 | lm loss: %.6E | grad norm: 1.0 | number of nan iterations:   0 |\n", i / 1000, 3 - i / 1e6
    else if (i % 1000 == 7) printf "1: [default1]:[Rank 1] (after %d iterations) memory (MB) | allocated: 1.00 | max allocated: 2.00 | reserv\n1: ed: 3.00 | max reserved: 3.00\n", (i + 993) / 1000
    else if (i % 5000 == 11) print "speed=" i / 8
    else if (i % 5000 == 12) printf "step %d of it\rstep %d and \033[1mgap=\033[0m%d.5\r\n", i, i, i % 7
    else if (i == 60000 + 13) print long "speed=7.25 " long
    else if (i == 70003) print "[rank3]: Traceback (most recent call last):\n[rank3]:   File \"a.py\", line 1\n[rank3]: ValueError: no such shape"
    else print "2026-01-01 00:00:00 INFO loader: shard " i " of the corpus was read, and nothing is said"
  }
  printf "speed=1.5"
}' >train.log
(($(wc -c <train.log) > 9000000)) || broken "the log is too small to be read in blocks by threads"

# --- one thread, several, or a packed one: the same ---
expect_exit 0 taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')" gate extract train.log
cp "$WORK/.last/out" one
expect_exit 0 gate extract train.log
expect_same one "$WORK/.last/out"
gzip -k train.log
expect_exit 0 gate extract train.log.gz
sed 's/train\.log\.gz/train.log/g' "$WORK/.last/out" >packed
expect_same one packed

# --- what was read is what stands there ---
cp one "$WORK/.last/out"
expect_out "train.log: $(($(wc -l <train.log) + 1)) lines, format megatron"
expect_out 'megatron.iteration  120 matched'
expect_out 'megatron.memory  120 matched'
expect_out 'pattern.speed_index  26 matched'
expect_out 'pattern.gap  24 matched'
expect_out 'ValueError: no such shape'
line=$(grep -n 'ValueError' train.log | cut -d: -f1)
expect_out "train.log:$line: [rank3]: ValueError: no such shape"
expect_exit 0 gate extract train.log --format csv 
line=$(grep -n 'speed=1.5$' train.log | cut -d: -f1)
refute_out 'speed_index,,26'
expect_err "train.log:$line: record cut off at"

# --- gate check, too ---
expect_exit 0 gate check train.log --baseline train.log 

# --- a pattern that demands nothing is tried on every line, and of a log of 64 MiB gate says so ---
expect_exit 0 gate extract train.log --pattern '(?P<anything>[0-9]{7})' 
refute_out 'a match need not hold'
for i in {1..8}; do cat train.log; done >larger.log
expect_exit 0 gate extract larger.log --pattern '(?P<anything>[0-9]{7})' 
expect_out 'note  --pattern: a match need not hold any two characters'
expect_exit 0 gate extract larger.log --pattern 'speed=(?P<anything>[0-9.]+)'
refute_out 'a match need not hold'
