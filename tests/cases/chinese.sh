# Reports in Chinese: what is told, what stays as it is, and that nothing else changes with the language.
. "$(dirname "$0")/_lib"

hostile='RuntimeError: no baseline, bit-equal; the log is empty (steps 3 not judged)'
suite
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.450000E+00 2.300000E+00 >bad.log
megatron_log 2.500000E+00 2.400000E+00 >short.log
for name in good bad short; do script $name <<<"cat $PWD/$name.log"; done
script crashed <<<"echo 'Traceback (most recent call last):'; echo '$hostile'; exit 3"
script memory <<<"echo 'RuntimeError: CUDA out of memory. no baseline, bit-equal'; exit 1"
script killed <<<"cat $PWD/short.log; kill -KILL \$\$"
script silent <<<'echo hello'
script hung <<<$'#GATE startup=1s hang=1s\necho x; sleep 30'
script slow <<<$'#GATE timeout=1s\nwhile :; do echo x; sleep 0.1; done'
script unknown <<<"cat $PWD/good.log"
script many <<<$'#GATE devices=64\necho x'
script lost <<<$'#GATE setup=false\necho x'
script later <<<$'#GATE after=bad\necho x'
for name in good bad short crashed memory killed silent hung slow; do
  gate baseline import good.log --case $name --accept --reason 'first numbers' >/dev/null
done

cp baselines/good.json baselines/removed.json

# Fail where a line is wider than $3 columns (80), or holds three English words in a row that are no quote: $2 names
# what is quoted, as a pattern, a line each.
tells_chinese() {
  python3 - "$1" "$2" "${3:-80}" <<'PYTHON'
import re
import sys
import unicodedata

text = open(sys.argv[1], encoding="utf-8").read()
quotes = [line for line in sys.argv[2].splitlines() if line]
bad = []
for line in re.sub("\x1b\\[[0-9;]*m", "", text).replace("\r", "").splitlines():
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in line)
    if width > int(sys.argv[3]):
        bad.append(f"{width} columns: {line}")
    rest = line
    for quote in quotes:
        rest = re.sub(quote, "", rest)
    if re.search(r"(?<![\w/.-])[A-Za-z][a-z']+,? [a-z']+,? [a-z']+(?![\w/])", rest):
        bad.append(f"English: {line}")
print("\n".join(bad))
sys.exit(bool(bad))
PYTHON
}
quotes='gate (explain|run|baseline|-v report).*
(原因|日志末尾|日志|基线) .*
.*(RuntimeError|Traceback|iteration).*
^ {11}.*'

in_terminal() { { command script -qec "stty cols 80 rows 24; $*" /dev/null || true; } | tr -d '\r'; }

expect_exit 1 gate --lang zh run
cp "$WORK/.last/out" "$WORK/told"
run_id=$(latest)
for verdict in 通过 劣化 崩溃 卡死 超时 不完整 未判定 未运行 跳过; do expect_out "$verdict"; done
expect_out '退出码 3：RuntimeError: no baseline, bit-equal; the log is empty (steps 3 not judged) (log.txt:2)'
expect_out '退出码 1：CUDA 显存不足 (log.txt:1)'
expect_out 'CUDA out of memory. no baseline, bit-equal'
expect_out '需要 64 个设备；这台主机：没有加速卡'
expect_out '3 步（1-3）中有 1 步超出 ±0.01'
expect_last_line '^红：.*1 劣化，.*（退出码 1）$'
refute_out '没有基线，逐位相等'

for how in '' -v -q; do
  in_terminal "gate --lang zh $how report --color never $run_id" >"$WORK/told"
  grep -q 劣化 "$WORK/told"
  tells_chinese "$WORK/told" "$quotes"
done
for name in good bad short crashed memory killed silent hung slow unknown; do
  in_terminal "gate --lang zh explain --color never $name" >"$WORK/told"
  grep -qP '\p{Han}' "$WORK/told"
  tells_chinese "$WORK/told" "$quotes"
done
expect_exit 0 gate --lang zh explain crashed
expect_out "$hostile"

# Formulas: the numbers of the English ones, in their places.
expect_exit 0 gate --lang zh explain bad lm_loss
expect_out '规则      lm_loss：前 15 个，逐个比较（第 1-3 步），容差 ±0.01'
expect_out '第 2 步（最大）：|2.450000 - 2.400000| = 0.050000 > 0.01'
refute_out '派生'
expect_exit 0 gate --lang zh explain bad memory_allocated
expect_out '第 1 次打印：100.00 <= 100.00 + 10 % = 110 成立'

# What becomes of a candidate, and progress; commands stay as they are.
expect_exit 0 gate --lang zh baseline record good
expect_out '说明     候选基线已写入；查看：gate baseline diff good；接受：gate baseline accept good --reason "..."'
expect_out '只有一次运行：运行之间的噪声未知；请用 record --runs 3 录制'
expect_last_line '^已录制：1 个候选基线（退出码 0）$'
expect_err 'good：开始'
expect_err_match '^good：通过，用时 '
expect_exit 0 gate --lang zh baseline diff good
expect_out_match '^用例 '
expect_last_line '^绿：1 通过（退出码 0）$'
expect_exit 0 gate --lang zh baseline accept good --reason again
expect_out '已接受 good -> baselines/'
expect_exit 0 gate --lang zh selftest good
expect_last_line '^绿：1 个用例的 .* 处改动，没有漏过'
run gate --lang zh baseline lint good
expect_last_line '^(红|绿)：1 个用例，'
expect_exit 0 gate --lang zh run --dry-run good
expect_last_line '^计划：1 待运行（退出码 0）$'

# A green run, and a saved log.
expect_exit 0 gate --lang zh run good
expect_out '通过 good  lm_loss 3 步'
expect_last_line '^绿：1 通过（退出码 0）$'
expect_exit 1 gate --lang zh check bad.log --case bad
expect_last_line '^红：1 劣化'

# The locale says the same as the flag, in POSIX' order; other charsets and other languages are English.
report_in() { env -u LC_ALL -u LC_MESSAGES -u LANG "$@" gate report "$run_id" >"$WORK/$told" || true; }
told=zh report_in LANG=zh_CN.UTF-8
told=flag; gate --lang zh report "$run_id" >"$WORK/flag" || true
expect_same "$WORK/zh" "$WORK/flag"
grep -q 劣化 "$WORK/zh"
for variables in LC_MESSAGES=zh_CN.utf8 LANG=zh_TW 'LC_ALL=zh LANG=C' 'LC_ALL= LANG=zh_CN.UTF-8'; do
  # shellcheck disable=SC2086  # several variables
  told=as report_in $variables
  expect_same "$WORK/as" "$WORK/zh"
done
gate --lang en report "$run_id" >"$WORK/en" || true
for variables in LANG=zh_CN.GB18030 LANG=C LANG=de_DE.UTF-8 'LC_ALL=C LANG=zh_CN.UTF-8' 'LC_MESSAGES=C LANG=zh_CN.UTF-8'; do
  # shellcheck disable=SC2086
  told=as report_in $variables
  expect_same "$WORK/as" "$WORK/en"
done
expect_exit 2 gate --lang fr report
grep -q REGRESSED "$WORK/en"

# What programs read is the same in both, and so are exit codes.
for format in json junit openmetrics csv table-csv; do
  for language in en zh; do gate --lang $language report --format $format "$run_id" >"$WORK/$language" || true; done
  expect_same "$WORK/en" "$WORK/zh"
done
for language in en zh; do
  expect_exit 1 gate --lang $language run --report json="$WORK/$language.json" --report junit="$WORK/$language.xml" bad
  expect_exit 0 gate --lang $language --json explain bad
  cp "$WORK/.last/out" "$WORK/$language.explain"
  expect_exit 0 gate --lang $language list
  cp "$WORK/.last/out" "$WORK/$language.list"
  expect_exit 2 gate --lang $language report nosuchrun
  cp "$WORK/.last/err" "$WORK/$language.err"
done
expect_same "$WORK/en.err" "$WORK/zh.err"
tells_chinese "$WORK/zh.list" "$quotes"
expect_json "$WORK/zh.json" '.cases[0].reason | startswith("lm_loss out of")'
cp .gate/runs/"$run_id"/result.json "$WORK/stored"
grep -qvP '\p{Han}' "$WORK/stored"

# What a suite holds, and what gate init finds in it.
for words in 'list --explain good' 'list --coverage'; do
  # shellcheck disable=SC2086
  gate --lang zh $words >"$WORK/told"
  grep -qP '\p{Han}' "$WORK/told"
  tells_chinese "$WORK/told" "$quotes" 1000
done
mkdir tree && cp -r scripts tree/ && echo 'NPUS_PER_NODE=$(ls)' >tree/scripts/computed.sh
expect_exit 0 gate -C tree --lang zh init
cp "$WORK/.last/out" "$WORK/told"
expect_out '（带脚本的目录）：14 个用例'
expect_out '未能识别：设备数（computed）：NPUS_PER_NODE=$(ls) 不是数字；运行时占用整台主机'
expect_out '  gate list                    用例、所需资源、基线'
tells_chinese "$WORK/told" "$quotes
设备数（.*?）" 1000

# Markdown is told in the language; in a comment a sentence is a line.
expect_exit 0 gate --lang zh report --format comment "$run_id"
expect_out '### 红：'
expect_out '<summary>红色用例的全部内容</summary>'

# The page.
expect_exit 0 gate --lang zh report --format html "$run_id"
expect_out '<html lang="zh-CN">'
expect_out '结果'
expect_out '>复制</button>'
expect_out 'RuntimeError: no baseline, bit-equal; the log is empty (steps 3 not judged)'
refute_out '没有基线，逐位相等'
expect_exit 0 gate --lang en report --format html "$run_id"
expect_out '<html lang="en">'
expect_exit 1 gate --lang zh run --report html="$WORK/page.html" bad
expect_file "$WORK/page.html" '<html lang="zh-CN">'
