// Each sentence of a remark, as a page in Chinese shows it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/words/chinese.h"

namespace gate::words::remarks_in_chinese_test {
namespace {

struct Told {
  std::string english, chinese;
};

const std::vector<Told>& told() {
  static const std::vector<Told> all{
      {"bit-equal", "逐位相等"},
      {"no baseline", "没有基线"},
      {"no rule", "没有规则"},
      {"no longer printed", "不再打印"},
      {"not in the baseline", "基线中没有"},
      {"0 throughout the baseline, which is no speed", "在基线中始终为 0，不是速度"},
      {"the baseline has fewer than 25 values, or not all of the window are above 0",
       "基线不足 25 个值，或窗口内的值不全大于 0"},
      {"only the exit is judged", "只判定退出情况"},
      {"only pytest's tests are judged", "只判定 pytest 的测试"},
      {"the last test that began: tests/test_a.py::test_x[a b]",
       "最后开始的测试：tests/test_a.py::test_x[a b]"},
      {"a saved log does not say how the script ended", "已保存的日志不说明脚本怎样结束"},
      {"the run ended before its window was settled", "运行在窗口确定之前就结束了"},
      {"the run does not fill its window", "运行没有填满窗口"},
      {"a profiler ran throughout what would be judged", "要判定的部分全程开着剖析器 (profiler)"},
      {"a further run is not whole, and there is no mean of it", "有一次追加运行不完整，没有均值"},
      {"the baseline holds no value", "基线里没有值"},
      {"the baseline's series do not all hold the same numbers", "基线的各序列编号不一致"},
      {"the baseline names it, and holds no value of it", "基线列出了它，但没有它的值"},
      {"samples numbered by time cannot be put side by side; use a reduce, e.g. mean",
       "按时间编号的采样点无法逐个对照；请使用归约，例如 mean"},
      {"the baseline's step numbers are assumed: its file holds positions",
       "基线的步号是推定的：文件里只有位置"},
      {"not in the golden file by step", "基准文件中没有按步的值"},
      {"no finite value in the golden file behind its warm-up", "基准文件在预热之后没有有限值"},
      {"selects no metric of the golden file", "没有选中基准文件的任何指标"},
      {"not in the run by step", "运行中没有按步的值"},
      {"not in the run", "运行中没有"},
      {"ranks 4-6 not in the run", "运行中没有 rank 4-6"},
      {"rank 1 not in the run", "运行中没有 rank 1"},
      {"missing steps 10-30 of 30", "共 30 步，缺少第 10-30 步"},
      {"missing steps 3 and 7", "缺少第 3 和 7 步"},
      {"rank 2 not in the baseline", "基线中没有 rank 2"},
      {"no rank not in the baseline", "基线中没有不带 rank 的序列"},
      {"ranks 1 and 2 not in the baseline: the rank sets must be equal",
       "基线中没有 rank 1 和 2：两边的 rank 必须一致"},
      {"steps 16-20 not judged", "第 16-20 步不参与判定"},
      {"steps 1 and 2: no lm loss printed", "第 1 和 2 步：没有打印 lm loss"},
      {"step 3: nan", "第 3 步：nan"},
      {"step 3: -inf", "第 3 步：-inf"},
      {"steps 3 and 5: nan, skipped by the framework", "第 3 和 5 步：nan，被框架跳过"},
      {"0 at steps 5 and 6, and not in the baseline", "第 5 和 6 步为 0，而基线中不是"},
      {"grad norm nan at step 1", "第 1 步的 grad norm 为 nan"},
      {"step 3 skipped by the framework", "第 3 步被框架跳过"},
      {"the window \"step 9\" selects nothing of the baseline's steps 1-3",
       "窗口 \"step 9\" 在基线的第 1-3 步中没有选中任何值"},
      {"the window \"step 9\" selects nothing of the run", "窗口 \"step 9\" 在运行中没有选中任何值"},
      {"the baseline has different values for step 2", "基线在第 2 步有不同的值"},
      {"different values for step 2: say which is meant with pick = \"first\", \"last\", \"min\" or \"max\" "
       "in [metrics.lm_loss]",
       "第 2 步有不同的值：请在 [metrics.lm_loss] 里用 pick = \"first\"、\"last\"、\"min\" 或 \"max\" "
       "说明取哪一个"},
      {"the baseline has nan at step 2", "基线在第 2 步的值是 nan"},
      {"the run has no harmonic_mean: a value is not above 0", "运行没有 harmonic_mean：有一个值不大于 0"},
      {"the baseline has no harmonic_mean: a value is not above 0",
       "基线没有 harmonic_mean：有一个值不大于 0"},
      {"prints 1 decimal; ±0.01 cannot be tested", "只打印 1 位小数；无法检验 ±0.01"},
      {"prints 2 decimals; ±0.001 cannot be tested", "只打印 2 位小数；无法检验 ±0.001"},
      {"prints whole numbers; ±0.01 cannot be tested", "只打印整数；无法检验 ±0.01"},
      {"prints nothing finer than 10; ±1 cannot be tested", "打印精度只到 10；无法检验 ±1"},
      {"the unit is GiB, of the baseline MiB", "单位是 GiB，基线的单位是 MiB"},
      {"numbered by report, the baseline by step", "按 report 编号，基线按 step 编号"},
      {"the baseline has it by step, the run by report; rules.memory = false leaves it ungated",
       "基线按 step 编号，运行按 report 编号；rules.memory = false 可不对它设门禁"},
      {"the baseline is of nvidia-h100, this run of ascend-910b3",
       "基线属于 nvidia-h100，这次运行属于 ascend-910b3"},
      {"HCCL_DETERMINISTIC was unset in the baseline's run and is true in this one: the speeds cannot be "
       "compared",
       "HCCL_DETERMINISTIC 在基线的运行中是 unset，这次是 true：速度无法比较"},
      {"3 values in the run, 5 in the baseline", "运行中有 3 个值，基线中有 5 个"},
      {"its mean cannot come back into 105.0", "它的均值已不可能回到 105.0"},
      {"with ±0.01 it may change by 100 % at each step (rules.lm_loss.tolerance = \"±1%\" or a rule for "
       "another accuracy judges it)",
       "用 ±0.01 时，每一步变化 100 % 也会通过（rules.lm_loss.tolerance = "
       "\"±1%\"，或另一个精度指标的规则，才能判定）"},
      {"x 2.000 at all steps", "每一步都是基线的 2.000 倍"},
      {"waived until 2026-06-15: issue 71", "豁免到 2026-06-15：issue 71"},
      {"its waiver expired on 2026-06-15: issue 71", "豁免已于 2026-06-15 到期：issue 71"},
      {"within ±0.01, no longer bit-equal from step 2", "在 ±0.01 以内，从第 2 步起不再逐位相等"},
      {"no longer bit-equal from step 2", "从第 2 步起不再逐位相等"},
      {"all 12 differences are above the baseline (steps 1-12, mean +0.0031)",
       "全部 12 处差异都高于基线（第 1-12 步，平均 +0.0031）"},
      {"all 12 differences are below the baseline (steps 1-12, mean -0.0031)",
       "全部 12 处差异都低于基线（第 1-12 步，平均 -0.0031）"},
      {"step 7: 80.0 against 100.0, 20 % below the baseline: re-record?",
       "第 7 步：80.0，基线是 100.0，低于基线 20 %：要重新录制吗？"},
      {"mean of steps 6-15: 349.41 against 134.17, 2.6 times the baseline: re-record?",
       "第 6-15 步的均值：349.41，基线是 134.17，是基线的 2.6 倍：要重新录制吗？"},
      {"mean of steps 6-15: 4000 against 100, 40 times the baseline: re-record?",
       "第 6-15 步的均值：4000，基线是 100，是基线的 40 倍：要重新录制吗？"},
      {"step 3: 110 against 100, 10 % above the baseline: re-record?",
       "第 3 步：110，基线是 100，高于基线 10 %：要重新录制吗？"},
      {"median +8.5 %, no stall", "中位数 +8.5 %，不是停顿"},
      {"the median +0.2 % passes", "中位数 +0.2 % 通过"},
      {"a stall: the median +0.2 % passes, slow at steps 7 and 12",
       "停顿：中位数 +0.2 % 通过，第 7 和 12 步慢"},
      {"a stall: the median +0.2 % passes, off at step 7", "停顿：中位数 +0.2 % 通过，第 7 步异常"},
      {"the baseline is 0, and so is a percentage of it", "基线是 0，它的百分比也是 0"},
      {"the baseline is 0 at report 1, and so is a percentage of it",
       "基线在第 1 次打印是 0，它的百分比也是 0"},
      {"2 of 3 out of bounds, 2 allowed, first at step 1", "3 个中有 2 个越界，允许 2 个，首处在第 1 步"},
      {"exited 3", "退出码 3"},
      {"at step 2 a 170, b 100", "在第 2 步，a 170, b 100"},
      {"failed at first (mean 109.0 ms, limit 105)", "首次失败（均值 109.0 ms，限值 105）"},
      {"passed at first (step 4 1, limit 1..2)", "首次通过（第 4 步 1，限值 1..2）"},
      {"failed at first (mean 109.0 ms, limit 105); pooled over 2 runs (109.0, 104.0): 106.5 ms: confirmed",
       "首次失败（均值 109.0 ms，限值 105）；2 次运行合并（109.0, 104.0）：106.5 ms：确认"},
      {"failed at first (mean 109.0 ms, limit 105); pooled over 2 runs (109.0, 99.0): 104.0 ms: not "
       "confirmed",
       "首次失败（均值 109.0 ms，限值 105）；2 次运行合并（109.0, 99.0）：104.0 ms：未确认"},
      {"mean of 2 runs: 109.0, 99.0 ms", "2 次运行的均值：109.0, 99.0 ms"},
      {"mean of 2 runs: 109.0, 99.0; two of them are further apart than the tolerance",
       "2 次运行的均值：109.0, 99.0；其中两次之差超过容差"},
      {"run 2 of 3, the worst: each run is judged by itself", "3 次运行中最差的第 2 次：每次运行单独判定"},
      {"the tolerance of a run that is deterministic: HCCL_DETERMINISTIC=true",
       "用的是确定性运行的容差：HCCL_DETERMINISTIC=true"},
      {"the tolerance of a run that is not deterministic: no switch says so",
       "用的是非确定性运行的容差：没有开关说明"},
      {"the looser tolerance: no process of the run was read, and so nobody can tell whether it is "
       "deterministic",
       "用的是较宽的容差：没有读到运行的任何进程，无法判断它是否为确定性运行"},
      {"equal as printed in 3 runs (7 digits)", "3 次运行打印值相同（7 位数字）"},
      {"run 2 of 3 is not equal to run 1", "第 2 次运行（共 3 次）与第 1 次不同"},
      {"1 of 30 may miss: 1", "30 个中允许 1 个不满足：1"},
      {"steps 1-3: not finite", "第 1-3 步：不是有限值"},
      {"step 4: not recorded in the baseline", "第 4 步：基线未记录"},
      {"step 4: no value on either side, taken as equal", "第 4 步：两边都没有值，视为相等"},
      {"no finite value in the run at step 3", "运行在第 3 步没有有限值"},
      {"no finite value in the run at steps 3-5", "运行在第 3-5 步没有有限值"},
      {"no value behind the first 5", "前 5 个之后没有值"},
      {"fewer values than the 5 that are left out", "值的个数少于要略去的 5 个"},
      {"compared with rank 3 of the run, which has its place", "与运行中占同一位置的 rank 3 比较"},
      {"profile megatron does not compare it", "判定方案 megatron 不比较它"},
      {"profile modellink compares all 2 attempts of the log, one behind the other",
       "判定方案 modellink 把日志的全部 2 次尝试首尾相接比较"},
      {"throughput is gated instead", "改由 throughput 把关"},
      {"ended after step 20 of the 50 that its log announces", "在第 20 步之后结束，而日志预告了 50 步"},
  };
  return all;
}

TEST(SentencesInChinese, AreThese) {
  for (const Told& one : told()) EXPECT_EQ(in_chinese(one.english), one.chinese);
}

// What others said, or a name, may read as a sentence: between marks it stays.
TEST(SentencesInChinese, BetweenMarksStayAsTheyAre) {
  for (const Told& one : told()) EXPECT_EQ(shown_in(Language::chinese, verbatim(one.english)), one.english);
}

TEST(SentencesInChinese, AreEnglishWhereThatIsAskedFor) {
  for (const Told& one : told()) EXPECT_EQ(shown_in(Language::english, one.english), one.english);
}

}  // namespace
}  // namespace gate::words::remarks_in_chinese_test
