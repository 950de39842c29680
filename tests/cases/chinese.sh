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
script many <<<$'#GATE devices=64 platform=ascend-910b3\necho x'
script lost <<<$'#GATE setup=false\necho x'
script later <<<$'#GATE after=bad\necho x'
for name in good bad short crashed memory killed silent hung slow; do
  gate baseline import good.log --case $name --accept --reason 初值 >/dev/null
done

cp baselines/good.json baselines/removed.json

# Fail where gate prints English that is no name and that nobody else said.
tells_chinese() {
  gate --lang zh "$@" >"$WORK/told" 2>&1 || true
  grep -qP '\p{Han}' "$WORK/told" || broken "no Chinese: gate $*: $(<"$WORK/told")"
  python3 "$SOURCE/tests/docs/english.py" "$PWD" <"$WORK/told" || broken "English: gate $*"
}
# Fail where a line that it prints into a terminal is wider than that.
fits_80() {
  { command script -qec "stty cols 80 rows 24; gate --lang zh $* --color never" /dev/null || true; } | tr -d '\r' >"$WORK/told"
  (($(LC_ALL=C.UTF-8 wc -L <"$WORK/told") <= 80)) || broken "too wide: $*: $(<"$WORK/told")"
}

expect_exit 1 gate --lang zh run
cp "$WORK/.last/out" "$WORK/told"
run_id=$(latest)
for verdict in 通过 劣化 崩溃 卡死 超时 不完整 未判定 未运行 跳过; do expect_out "$verdict"; done
expect_out '退出码 3：RuntimeError: no baseline, bit-equal; the log is empty (steps 3 not judged) (log.txt:2)'
expect_out '退出码 1：CUDA 显存不足 (log.txt:1)'
expect_out 'CUDA out of memory. no baseline, bit-equal'
expect_out '需要 ascend-910b3 的 64 个设备'
expect_out '3 步（1-3）中有 1 步超出 ±0.01'
expect_last_line '^红：.*1 劣化，.*（退出码 1）$'
refute_out '没有基线，逐位相等'

for words in "report $run_id" "-v report $run_id" "-q report $run_id"; do
  fits_80 "$words"
  # shellcheck disable=SC2086  # several words
  tells_chinese $words
done
for name in good bad short crashed memory killed silent hung slow unknown; do
  fits_80 explain "$name"
  tells_chinese explain "$name"
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
expect_exit 0 gate --lang zh baseline accept good --reason 再次
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
tells_chinese list
expect_json "$WORK/zh.json" '.cases[0].reason | startswith("lm_loss out of")'
cp .gate/runs/"$run_id"/result.json "$WORK/stored"
grep -qvP '\p{Han}' "$WORK/stored"

# What a suite holds, and what gate init finds in it.
tells_chinese list --coverage
script flags <<<'torchrun train.py --use-distributed-optimizer'
expect_exit 0 gate --lang zh list --coverage
expect_out 'good 可能使用其中任何一个：没有参数的脚本'
rm scripts/flags.sh
expect_exit 0 gate --lang zh list --explain good
expect_out_match '^backend +auto +内置$'
mkdir tree && cp -r scripts tree/ && echo 'NPUS_PER_NODE=$(ls)' >tree/scripts/computed.sh
expect_exit 0 gate -C tree --lang zh init
expect_out '（带脚本的目录）：14 个用例'
expect_out '未能识别：设备数（computed）：NPUS_PER_NODE=$(ls) 不是数字；运行时占用整台主机'
expect_out '  gate list                    用例、所需资源、基线'
rm tree/gate.toml
tells_chinese -C tree init

# All that people read of runs, of what is on a host and of what judges.
cp good.log new.log
for words in "history" "history bad" "compare good.log bad.log" "devices" "baseline list" "baseline list good" \
  "baseline lint" "selftest good" "check bad.log --case bad" "extract good.log" "list -v" \
  "report --format markdown $run_id" "report --format comment $run_id" \
  "run --dry-run" "score good.log bad.log --metric bleu"; do
  # shellcheck disable=SC2086
  tells_chinese $words
done

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
