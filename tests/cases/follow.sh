# `gate extract --follow`: samples as they come.
. "$(dirname "$0")/_lib"

: >lines
follow() { gate extract --follow "$@" >lines 2>said & pid=$!; }
has() { grep -qF -- "$2" "$1"; }
ends() {
  kill -s "$1" "$pid"
  code=0
  wait "$pid" || code=$?
  ((code == 0)) || broken "exit code $code: $(cat said)"
}

# --- what is there, then what comes, then the summary ---
megatron_log 1.100 1.200 >a.log
: >b.log
follow a.log b.log
wait_for has lines 'lm_loss - 2 1.200'
megatron_log --from 3 1.300 >>a.log
wait_for has lines 'lm_loss - 3 1.300'
printf ' iteration        4/       4 | lm loss: 1.4' >>a.log
megatron_log --prefix '[rank7] ' 9.500 >>b.log
wait_for has lines ' 1 9.500'
! has lines '1.4' || broken "half a line was read"
printf '00 |\n' >>a.log
wait_for has lines 'lm_loss - 4 1.400'

# --- truncated and replaced files are said, and read on ---
cp a.log old.log
megatron_log 2.100 >a.log
wait_for has lines 'lm_loss - 1 2.100'
has said 'a.log: was truncated; it is read again from its start' || broken "$(cat said)"
mv b.log b.log.1
wait_for has said 'b.log: is gone'
megatron_log 3.100 3.200 >fresh && mv fresh b.log
wait_for has lines 'lm_loss - 2 3.200'
has said 'b.log: was replaced; the new file is read from its start' || broken "$(cat said)"

ends INT
has said 'a.log: 1 line,' || broken "no summary: $(cat said)"

# --- CSV and JSON lines ---
follow a.log --format csv
wait_for has lines 'lm_loss,,1,2.100,,a.log,1'
ends TERM
[[ $(head -n 1 lines) == metric,rank,number,value,unit,file,line ]] || broken "no header"
follow a.log --json
wait_for has lines '"lm_loss"'
ends INT
jq -es 'map(select(.metric == "lm_loss")) == [{metric: "lm_loss", number: 1, value: "2.100", unit: "", file: "a.log", line: 1}]' lines >/dev/null || broken "$(cat lines)"

# --- an output that nobody reads any more ends it ---
{ gate extract --follow a.log 2>/dev/null || echo $? >code; } | head -n 1 >first &
wait_for test -s first
step=1
goes_on() { step=$((step + 1)) && megatron_log --from $step 1.000 >>a.log && [[ -s code ]]; }
wait_for goes_on

# --- what cannot be followed ---
gzip -k old.log
for log in - absent.log old.log.gz; do expect_exit 2 gate extract --follow $log; done
expect_err 'old.log.gz: --follow: a packed log does not grow'
expect_exit 2 gate extract --follow a.log --attempt first
