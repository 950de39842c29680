# gate completion in the real shells: commands, flags, values, names of cases that no shell should take for more, files.
# timeout: 300
. "$(dirname "$0")/_lib"

suite
for name in tiny/dp1 tiny/dp2 'two  blanks' "it's" 'a:b' 'k=v' '$(touch pwned)' '训练' $'tab\tin'; do
  script "$name" <<<'#GATE tags=odd'
done
mkdir -p logs .gate/runs/1121-0101 baselines/ascend-910b3
printf '[hosts]\nnpu = ["npu1", "npu2"]\nbuild = "build"\n[strategy.weekly]\n[strategy.nightly]\n' >gate.toml
touch 'new log.txt' train.log
echo '{"lm loss": [2.5]}' >baselines/ascend-910b3/a:b.json
export XDG_CONFIG_HOME=$HOME XDG_DATA_HOME=$HOME

# --- what the program offers, for every shell ---

# offers 'WORDS' LINE...: the words of a command line, the last of them after the last blank, may become these.
offers() {
  local words
  IFS=' ' read -ra words <<<"$1"
  [[ $1 != *' ' ]] || words+=('')
  expect_exit 0 gate completion -- "${words[@]}"
  cut -f 1 "$WORK/.last/out" | grep . >"$WORK/.last/words" || true
  printf '%s\n' "${@:2}" | grep . >"$WORK/.last/expected" || true
  diff "$WORK/.last/expected" "$WORK/.last/words" || broken "gate $1: offers other words"
  expect_same /dev/null "$WORK/.last/err"
}
cases=('$(touch pwned)' 'a:b' "it's" 'k=v' tiny/dp1 tiny/dp2 'two  blanks' '训练')

offers 'baseline ' record import diff accept list mv rm lint
offers 'run ' "${cases[@]}"
offers 'run tiny/dp1 --jobs 2 ' "${cases[@]}"
offers 'run --profile ' gate modellink mindspeed-llm mindspeed-mm megatron
offers 'run --backend=' --backend={auto,local,ssh,slurm,kubernetes}
offers 'run --devices ' all
offers 'run --timeout '
offers 'run --hosts ' build npu local npu1 npu2
offers 'devices --hosts=' --hosts={build,npu,local,npu1,npu2}
offers 'run --tag ' odd
offers 'run --strategy ' weekly nightly
offers 'list --strategy=' --strategy=weekly --strategy=nightly
offers 'run --again ' 1121-0101
offers 'list --format ' text markdown table table-html
offers '--color ' auto always never
offers 'baseline list --platform ' ascend-910b3
offers 'baseline accept --to ' general platform
offers 'completion ' bash zsh fish
offers 'run -- '
expect_out $'\tfiles'
offers 'check '
expect_out $'\tfiles'
offers 'run --out '
expect_out $'\tfolders'
offers 'compare ' "${cases[@]}" 1121-0101
expect_out $'\tfiles'
offers 'nosuch '
offers 'completion -- run '
expect_exit 0 gate completion -- report --format ''
for format in text json junit markdown comment annotations openmetrics html csv; do expect_out_match "^$format	"; done
expect_exit 0 gate completion -- explain tiny/dp1 ''
expect_out_match '^lm_loss	'

# Every flag that --help prints, and its doc.
expect_exit 0 gate run --help
grep -oE '^ +(-[a-z],)?--[a-z-]+' .././.last/out | grep -oE -- '--[a-z-]+' >flags
expect_exit 0 gate completion -- run -
while read -r flag; do expect_out_match "^$flag	"; done <flags
expect_out_match '^--jobs	parallel cases '

# The suite that the line names; none, and one with mistakes, say nothing.
mkdir ../elsewhere && cd ../elsewhere
offers 'run '
offers '-C ../suite run ' "${cases[@]}"
offers 'run -C ../suite ' "${cases[@]}"
offers 'run -C=../suite --tag ' odd
mkdir scripts && touch scripts/a.sh && echo 'nonsense =' >gate.toml
offers 'run '
cd ../suite

# No vendor's tool is asked.
mkdir ../tools
for tool in nvidia-smi npu-smi rocm-smi amd-smi; do
  printf '#!/bin/sh\ntouch %q\n' "$WORK/asked" >"../tools/$tool" && chmod +x "../tools/$tool"
done
PATH=$WORK/tools:$PATH offers 'run ' "${cases[@]}"
refute_file ../asked

expect_exit 2 gate completion
expect_err "bash, zsh or fish"
expect_exit 2 gate completion tcsh

# --- bash and zsh: what a line becomes ---

# becomes SHELL < LINES: of each pair of lines the first becomes the second when TAB is pressed.
becomes() {
  local lines=() expected=() line
  while IFS= read -r line; do
    lines+=("$line") && IFS= read -r line && expected+=("${lines[-1]} => $line")
  done
  printf '%s\n' "${expected[@]}" >"$WORK/.last/expected"
  expect_exit 0 python3 "$SOURCE/tests/cases/completion.py" "$1" "${lines[@]}"
  expect_same "$WORK/.last/expected" "$WORK/.last/out"
}

sed 's/|$//' >lines <<'EOF'
gate basel
gate baseline |
gate baseline acc
gate baseline accept |
gate run --jo
gate run --jobs |
gate run --profile meg
gate run --profile megatron |
gate run --shadow=no
gate run --shadow=none |
gate run tin
gate run tiny/dp
gate run tw
gate run two\ \ blanks |
gate run two\ |
gate run two\ \ blanks |
gate run 'tw
gate run 'two  blanks' |
gate run "it
gate run "it's" |
gate run \$
gate run \$\(touch\ pwned\) |
gate run a:
gate run a:b |
gate run k=
gate run k=v |
gate -C ../suite baseline list 训
gate -C ../suite baseline list 训练 |
gate check new
gate check new\ log.txt |
gate check "new
gate check "new log.txt" |
gate compare tra
gate compare train.log |
gate run --report tr
gate run --report train.log |
gate run --out lo
gate run --out logs/
gate report 11
gate report 1121-0101 |
EOF
becomes bash <lines
becomes zsh <lines

gate completion bash | shellcheck -s bash - || broken "shellcheck has something to say of the script for bash"

# Where several words fit, all are offered.
cat >several.bash <<'EOF'
source <(gate completion bash)
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
_gate gate
printf '%s\n' "${COMPREPLY[@]}" | sort
EOF
expect_exit 0 bash several.bash 'gate run --j'
expect_same <(printf '%s\n' --jobs --json) "$WORK/.last/out"
expect_exit 0 bash several.bash 'gate run t'
expect_same <(printf '%s\n' 'tiny/dp1' 'tiny/dp2' 'two\ \ blanks') "$WORK/.last/out"
expect_exit 0 bash several.bash 'gate compare t'
expect_out "train.log"
expect_out "tiny/dp1"

# --- fish ---

fish_offers() {
  expect_exit 0 fish --no-config -c 'gate completion fish | source; complete -C $argv[1]' -- "$1"
  printf '%s\n' "${@:2}" >"$WORK/.last/expected"
  expect_same "$WORK/.last/expected" "$WORK/.last/out"
}

fish_offers 'gate basel' $'baseline\trecord, compare, accept and check baselines'
fish_offers 'gate baseline acc' $'accept\tpromote candidates to baselines'
fish_offers 'gate run --jo' $'--jobs\tparallel cases (default: 1 on cpu, else what the devices allow)'
fish_offers 'gate list --format ma' 'markdown'
fish_offers 'gate run --shadow=no' '--shadow=none'
fish_offers 'gate run tin' tiny/dp1 tiny/dp2
fish_offers 'gate run tw' 'two  blanks'
fish_offers "gate run 'tw" 'two  blanks'
fish_offers 'gate run two\ ' 'two  blanks'
fish_offers 'gate run "it' "it's"
fish_offers 'gate run \$' '$(touch pwned)'
fish_offers 'gate run a:' 'a:b'
fish_offers 'gate run k=' 'k=v'
fish_offers 'gate -C ../suite baseline list 训' '训练'
fish_offers 'gate check new' 'new log.txt'
fish_offers 'gate compare tra' 'train.log'
fish_offers 'gate run --report tr' 'train.log'
fish_offers 'gate run --out lo' 'logs/'

refute_file pwned
