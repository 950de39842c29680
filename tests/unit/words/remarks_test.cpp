#include "gate/words/remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "shown.h"

namespace gate::words::remarks_test {
namespace {

using namespace remark;
using shown::limit;
using shown::steps;
using shown::value;

struct Sentence {
  Remark remark;
  std::string english, chinese;
  Numbering numbered = Numbering::step;
};

Value v(std::string_view word) { return value(word).value(); }
Tolerance t(std::string_view word) { return parse_tolerance(word).value(); }

FirstRun first_run() { return {CheckStatus::fail, {}, Reduce::mean, value("109.0"), "ms", limit("105")}; }

// Every sentence that a remark can make.
const std::vector<Sentence>& sentences() {
  static const std::vector<Sentence> all{
      {Plain::bit_equal, "bit-equal", "逐位相等"},
      {Plain::no_baseline, "no baseline", "没有基线"},
      {Plain::no_rule, "no rule", "没有规则"},
      {Plain::no_longer_printed, "no longer printed", "不再打印"},
      {Plain::not_in_baseline, "not in the baseline", "基线中没有"},
      {Plain::rank_not_in_baseline,
       "not in the baseline, which has it of other ranks: accept one that has this rank, too",
       "基线中没有，而有其他 rank 的：请接受一份也含此 rank 的基线"},
      {Plain::rule_judges_nothing,
       "not in the baseline, so its rule in gate.toml judges nothing; gate baseline accept CASE --run RUN "
       "--metric METRIC --reason ... takes it of a run that has it",
       "基线中没有，所以 gate.toml 里的规则什么都没有判定；gate baseline accept CASE --run RUN --metric "
       "METRIC --reason ... 可从含有它的运行中取用"},
      {Plain::zero_speed, "nowhere above 0 in the baseline, which is no speed",
       "在基线中从未大于 0，不是速度"},
      {Plain::short_curve, "the baseline has fewer than 25 values, or not all of the window are above 0",
       "基线不足 25 个值，或窗口内的值不全大于 0"},
      {Plain::only_exit, "only the exit is judged", "只判定退出情况"},
      {Plain::only_tests, "only pytest's tests are judged", "只判定 pytest 的测试"},
      {LastTest{"tests/test_a.py::test_x[a b]"}, "the last test that began: tests/test_a.py::test_x[a b]",
       "最后开始的测试：tests/test_a.py::test_x[a b]"},
      {Plain::ending_unknown, "a saved log does not say how the script ended",
       "已保存的日志不说明脚本怎样结束"},
      {Plain::window_unsettled, "the run ended before its window was settled", "运行在窗口确定之前就结束了"},
      {Plain::window_not_filled, "the run does not fill its window", "运行没有填满窗口"},
      {Plain::profiled_throughout, "a profiler ran throughout what would be judged",
       "要判定的部分全程开着剖析器 (profiler)"},
      {Plain::further_run_not_whole, "a further run is not whole, and there is no mean of it",
       "有一次追加运行不完整，没有均值"},
      {Plain::baseline_empty, "the baseline holds no value", "基线里没有值"},
      {Plain::baseline_ragged, "the baseline's series do not all hold the same numbers",
       "基线的各序列编号不一致"},
      {Plain::named_without_value, "the baseline names it, and holds no value of it",
       "基线列出了它，但没有它的值"},
      {Plain::times_side_by_side,
       "samples numbered by time cannot be put side by side; use a reduce, e.g. mean",
       "按时间编号的采样点无法逐个对照；请使用聚合，例如 mean"},
      {Plain::percent_beside_share,
       "one side is above 1, the other a share of at most 1: one of them is in percent; bring them into one "
       "unit",
       "一边大于 1，另一边是不超过 1 的比例：其中一个是百分数；请统一单位"},
      {Plain::steps_assumed, "the baseline's step numbers are assumed: its file holds positions",
       "基线的步号是推定的：文件里只有位置"},
      {Plain::golden_not_by_step, "not in the golden file by step", "基准文件中没有按步的值"},
      {Plain::golden_not_finite, "no finite value in the golden file behind its warm-up",
       "基准文件在预热之后没有有限值"},
      {Plain::golden_selects_nothing, "selects no metric of the golden file", "没有选中基准文件的任何指标"},
      {Plain::run_not_by_step, "not in the run by step", "运行中没有按步的值"},
      {Text{"as it is"}, "as it is", "as it is"},
      {NotInRun{}, "not in the run", "运行中没有"},
      {NotInRun{{{4}, {5}, {6}}}, "ranks 4-6 not in the run", "运行中没有 rank 4-6"},
      {NotInRun{{{1}}}, "rank 1 not in the run", "运行中没有 rank 1"},
      {MissingSteps{steps("10-30"), 30}, "missing steps 10-30 of 30", "缺少第 10-30 步（应有 30 步）"},
      {MissingSteps{steps("2"), 2}, "missing report 2 of 2", "缺少第 2 次打印（应有 2 次打印）",
       Numbering::report},
      {MissingSteps{steps("3, 7")}, "missing steps 3 and 7", "缺少第 3 和 7 步"},
      {NotInBaseline{{{}}}, "no rank not in the baseline: the rank sets must be equal",
       "基线中没有不带 rank 的序列：两边的 rank 必须一致"},
      {NotInBaseline{{{1}, {2}}}, "ranks 1 and 2 not in the baseline: the rank sets must be equal",
       "基线中没有 rank 1 和 2：两边的 rank 必须一致"},
      {NotJudged{steps("16-20")}, "steps 16-20 not judged", "第 16-20 步不参与判定"},
      {NotFinite{"lm_loss", ValueKind::left_out, steps("1, 2")}, "steps 1 and 2: no lm loss printed",
       "第 1 和 2 步：没有打印 lm loss"},
      {NotFinite{"lm_loss", ValueKind::nan, steps("3")}, "step 3: nan", "第 3 步：nan"},
      {NotFinite{"lm_loss", ValueKind::negative_infinity, steps("3")}, "step 3: -inf", "第 3 步：-inf"},
      {OfSkipped{ValueKind::nan, steps("3, 5")}, "steps 3 and 5: nan, skipped by the framework",
       "第 3 和 5 步：nan，被框架跳过"},
      {NewZeros{steps("5-6")}, "0 at steps 5 and 6, and not in the baseline",
       "第 5 和 6 步为 0，而基线中不是"},
      {AtSameStep{"grad_norm", v("nan"), 1}, "grad norm nan at step 1", "第 1 步的 grad norm 为 nan"},
      {AtSameStep{"skipped_iterations", v("1"), 3}, "step 3 skipped by the framework", "第 3 步被框架跳过"},
      {EmptyWindow{{Window::Kind::step, 9, 0}, steps("1-3")},
       "the window \"step 9\" selects nothing of the baseline's steps 1-3",
       "窗口 \"step 9\" 在基线的第 1-3 步中没有选中任何值"},
      {EmptyWindow{{Window::Kind::step, 9, 0}, {}}, "the window \"step 9\" selects nothing of the run",
       "窗口 \"step 9\" 在运行中没有选中任何值"},
      {Conflict{Side::baseline, "lm_loss", steps("2")}, "the baseline has different values for step 2",
       "基线在第 2 步有不同的值"},
      {Conflict{Side::run, "lm_loss", steps("2")},
       "different values for step 2: say which is meant with pick = \"first\", \"last\", \"min\" or \"max\" "
       "in "
       "[metrics.lm_loss]",
       "第 2 步有不同的值：请在 [metrics.lm_loss] 里用 pick = \"first\"、\"last\"、\"min\" 或 \"max\" "
       "说明取哪一个"},
      {BaselineNotFinite{v("nan"), 2}, "the baseline has nan at step 2", "基线在第 2 步的值是 nan"},
      {NoReducedValue{Side::run, Reduce::harmonic_mean},
       "the run has no harmonic_mean: a value is not above 0", "运行没有 harmonic_mean：有一个值不大于 0"},
      {NoReducedValue{Side::baseline, Reduce::harmonic_mean},
       "the baseline has no harmonic_mean: a value is not above 0",
       "基线没有 harmonic_mean：有一个值不大于 0"},
      {TooCoarse{-1, t("±0.01")}, "prints 1 decimal; ±0.01 cannot be tested",
       "只打印 1 位小数；无法检验 ±0.01"},
      {TooCoarse{-2, t("±0.001")}, "prints 2 decimals; ±0.001 cannot be tested",
       "只打印 2 位小数；无法检验 ±0.001"},
      {TooCoarse{0, t("±0.01")}, "prints whole numbers; ±0.01 cannot be tested",
       "只打印整数；无法检验 ±0.01"},
      {TooCoarse{1, t("±1")}, "prints nothing finer than 10; ±1 cannot be tested",
       "打印精度只到 10；无法检验 ±1"},
      {OtherUnit{"GiB", "MiB"}, "the unit is GiB, of the baseline MiB", "单位是 GiB，基线的单位是 MiB"},
      {OtherNumbering{Numbering::report, Numbering::step, ""}, "numbered by report, the baseline by step",
       "按 report 编号，基线按 step 编号"},
      {OtherNumbering{Numbering::report, Numbering::step, "memory"},
       "the baseline has it by step, the run by report; rules.memory = false leaves it ungated",
       "基线按 step 编号，运行按 report 编号；rules.memory = false 可不对它设门禁"},
      {OtherPlatform{"ascend-910b3", "nvidia-h100"},
       "the baseline is of nvidia-h100, this run of ascend-910b3",
       "基线属于 nvidia-h100，这次运行属于 ascend-910b3"},
      {OtherSwitch{{"HCCL_DETERMINISTIC", "unset", "true"}},
       "HCCL_DETERMINISTIC was unset in the baseline's run and is true in this one: the speeds cannot be "
       "compared",
       "HCCL_DETERMINISTIC 在基线的运行中是 unset，这次是 true：速度无法比较"},
      {OtherSwitch{{"HCCL_DETERMINISTIC", "True", "not known"}},
       "HCCL_DETERMINISTIC was True in the baseline's run and is not known in this one (its Python ended "
       "before "
       "gate could read it, and no line of the script gives it a plain value): the speeds cannot be compared",
       "HCCL_DETERMINISTIC 在基线的运行中是 True，这次是 未知（Python 在 gate 读取之前已结束，"
       "脚本中也没有一行给它写明的值）：速度无法比较"},
      {OtherLength{30, 15},
       "30 values in the run, 15 in the baseline; the profile compares lists of one length: let the script "
       "end "
       "after 15 steps, have this run's numbers accepted (gate baseline accept), or judge by profile = "
       "\"gate\"",
       "运行中有 30 个值，基线中有 15 个；该判定方案只比较等长的列表：请让脚本在 15 "
       "步后结束，或接受这次运行的数值"
       "（gate baseline accept），或用 profile = \"gate\" 判定"},
      {OtherLength{15, 10, true},
       "15 values in the run, 10 in the baseline; the profile compares lists of one length: profile = "
       "\"gate\" "
       "compares those of the last 10 steps",
       "运行中有 15 个值，基线中有 10 个；该判定方案只比较等长的列表：profile = \"gate\" 会比较最后 10 "
       "步的值"},
      {OtherLength{3, 5}, "3 values in the run, 5 in the baseline", "运行中有 3 个值，基线中有 5 个"},
      {OutOfReach{Reduce::mean, limit("105.0")}, "its mean cannot come back into 105.0",
       "它的均值已不可能回到 105.0"},
      {TooWide{t("±0.01"), "lm_loss"},
       "with ±0.01 it may change by 100 % at each step (rules.lm_loss.tolerance = \"±1%\" or a rule for "
       "another "
       "accuracy judges it)",
       "用 ±0.01 时，每一步变化 100 % 也会通过（rules.lm_loss.tolerance = "
       "\"±1%\"，或另一个精度指标的规则，才能判定）"},
      {SameRatio{2}, "x 2.000 at all steps", "每一步都是基线的 2.000 倍"},
      {Waived{"2026-06-15", "issue 71", false}, "waived until 2026-06-15: issue 71",
       "豁免到 2026-06-15：issue 71"},
      {Waived{"2026-06-15", "issue 71", true}, "its waiver expired on 2026-06-15: issue 71",
       "豁免已于 2026-06-15 到期：issue 71"},
      {NoLongerBitEqual{2, t("±0.01")}, "within ±0.01, no longer bit-equal from step 2",
       "在 ±0.01 以内，从第 2 步起不再逐位相等"},
      {NoLongerBitEqual{2, {}}, "no longer bit-equal from step 2", "从第 2 步起不再逐位相等"},
      {OffUnjudged{steps("18-20"), v("0.5")},
       "outside the window of its rule, and up to 0.5 off: steps 18-20",
       "不在其规则的窗口内，偏差最大为 0.5：第 18-20 步"},
      {Bias{steps("1-12"), true, v("0.0031")},
       "all 12 differences are above the baseline (steps 1-12, mean +0.0031)",
       "全部 12 处差异都高于基线（第 1-12 步，平均 +0.0031）"},
      {Bias{steps("1-12"), false, v("-0.0031")},
       "all 12 differences are below the baseline (steps 1-12, mean -0.0031)",
       "全部 12 处差异都低于基线（第 1-12 步，平均 -0.0031）"},
      {MoveForTheBetter{7, Reduce::each, {}, v("80.0"), v("100.0"), -20, 0.8},
       "step 7: 80.0 against 100.0, 20 % below the baseline: re-record?",
       "第 7 步：80.0，基线是 100.0，低于基线 20 %：要重新录制吗？"},
      {MoveForTheBetter{{}, Reduce::mean, steps("6-15"), v("349.41"), v("134.17"), 160, 2.604},
       "mean of steps 6-15: 349.41 against 134.17, 2.6 times the baseline: re-record?",
       "第 6-15 步的均值：349.41，基线是 134.17，是基线的 2.6 倍：要重新录制吗？"},
      {MoveForTheBetter{{}, Reduce::mean, steps("6-15"), v("4000"), v("100"), 3900, 40},
       "mean of steps 6-15: 4000 against 100, 40 times the baseline: re-record?",
       "第 6-15 步的均值：4000，基线是 100，是基线的 40 倍：要重新录制吗？"},
      {MoveForTheBetter{3, Reduce::each, {}, v("110"), v("100"), 10, 1.1},
       "step 3: 110 against 100, 10 % above the baseline: re-record?",
       "第 3 步：110，基线是 100，高于基线 10 %：要重新录制吗？"},
      {Stall{Stall::Median::fails, 8.5, {}, MetricKind::speed}, "median +8.5 %, no stall",
       "中位数 +8.5 %，不是个别步停顿"},
      {Stall{Stall::Median::passes, 0.2, {}, MetricKind::speed}, "the median +0.2 % passes",
       "中位数 +0.2 % 通过"},
      {Stall{Stall::Median::passes, 0.2, steps("7, 12"), MetricKind::speed},
       "a stall: the median +0.2 % passes, slow at steps 7 and 12",
       "个别步停顿：中位数 +0.2 % 通过，第 7 和 12 步慢"},
      {Stall{Stall::Median::passes, 0.2, steps("7"), MetricKind::accuracy},
       "a stall: the median +0.2 % passes, off at step 7", "个别步停顿：中位数 +0.2 % 通过，第 7 步异常"},
      {ZeroBaseline{}, "the baseline is 0, and so is a percentage of it", "基线是 0，它的百分比也是 0"},
      {ZeroBaseline{steps("1")}, "the baseline is 0 at report 1, and so is a percentage of it",
       "基线在第 1 次打印是 0，它的百分比也是 0", Numbering::report},
      {AllowedMisses{2, 3, 2, 1}, "2 of 3 out of bounds, 2 allowed, first at step 1",
       "3 个中有 2 个越界，允许 2 个，首处在第 1 步"},
      {Ended{Exited{3}}, "exited 3", "退出码 3"},
      {Operands{2, "a 170, b 100"}, "at step 2 a 170, b 100", "在第 2 步，a 170, b 100"},
      {first_run(), "failed at first (mean 109.0 ms, limit 105)", "首次失败（均值 109.0 ms，限值 105）"},
      {FirstRun{CheckStatus::pass, 4, Reduce::each, value("1"), "", limit("1..2")},
       "passed at first (step 4 1, limit 1..2)", "首次通过（第 4 步 1，限值 1..2）"},
      {Pooled{first_run(), 2, {value("109.0"), value("104.0")}, value("106.5"), true},
       "failed at first (mean 109.0 ms, limit 105); pooled over 2 runs (109.0, 104.0): 106.5 ms: confirmed",
       "首次失败（均值 109.0 ms，限值 105）；2 次运行合并（109.0, 104.0）：106.5 ms，确认劣化"},
      {Pooled{first_run(), 2, {value("109.0"), value("99.0")}, value("104.0"), false},
       "failed at first (mean 109.0 ms, limit 105); pooled over 2 runs (109.0, 99.0): 104.0 ms: not "
       "confirmed",
       "首次失败（均值 109.0 ms，限值 105）；2 次运行合并（109.0, 99.0）：104.0 ms，未确认劣化"},
      {Repeated{{value("109.0"), value("99.0")}, "ms"}, "mean of 2 runs: 109.0, 99.0 ms",
       "2 次运行的均值：109.0, 99.0 ms"},
      {Repeated{{value("109.0"), value("99.0")}, "", true},
       "mean of 2 runs: 109.0, 99.0; two of them are further apart than the tolerance",
       "2 次运行的均值：109.0, 99.0；其中两次之差超过容差"},
      {OfRuns{2, 3}, "run 2 of 3, the worst: each run is judged by itself",
       "3 次运行中最差的第 2 次：每次运行单独判定"},
      {ByMode{true, "HCCL_DETERMINISTIC=true"},
       "the tolerance of a run that is deterministic: HCCL_DETERMINISTIC=true",
       "用的是确定性运行的容差：HCCL_DETERMINISTIC=true"},
      {ByMode{false, ""}, "the tolerance of a run that is not deterministic: no switch says so",
       "用的是非确定性运行的容差：没有开关说明"},
      {ByMode{.is_known = false},
       "the looser tolerance: what trains was not read, and so nobody can tell whether this run is "
       "deterministic",
       "用的是较宽的容差：没有读到训练进程，无法判断这次运行是否为确定性运行"},
      {ByMode{true, "HCCL_DETERMINISTIC=1", false},
       "the tolerance of the baseline's run, which was deterministic (HCCL_DETERMINISTIC=1): what trains was "
       "not read, and so nobody can tell whether this run is deterministic",
       "用的是基线运行的容差，它是确定性的（HCCL_DETERMINISTIC=1）：没有读到训练进程，"
       "无法判断这次运行是否为确定性运行"},
      {PrintedAlike{3, 7}, "equal as printed in 3 runs (7 digits)", "3 次运行打印值相同（7 位数字）"},
      {PrintedOtherwise{2, 3}, "run 2 of 3 is not equal to run 1", "第 2 次运行（共 3 次）与第 1 次不同"},
      {MayMiss{1, 30, 1}, "1 of 30 may miss: 1", "30 个中允许 1 个不满足：1"},
      {Unpaired{Unpaired::Lack::not_finite, steps("1-3")}, "steps 1-3: not finite", "第 1-3 步：不是有限值"},
      {Unpaired{Unpaired::Lack::not_recorded, steps("4")}, "step 4: not recorded in the baseline",
       "第 4 步：基线未记录"},
      {Unpaired{Unpaired::Lack::nowhere, steps("4")}, "step 4: no value on either side, taken as equal",
       "第 4 步：两边都没有值，视为相等"},
      {NotFiniteInWindow{steps("3")}, "no finite value in the run at step 3", "运行在第 3 步没有有限值"},
      {NotFiniteInWindow{steps("3-5")}, "no finite value in the run at steps 3-5",
       "运行在第 3-5 步没有有限值"},
      {OnlyWarmUp{5, false}, "no value behind the first 5", "前 5 个之后没有值"},
      {OnlyWarmUp{5, true}, "fewer values than the 5 that are left out", "值的个数少于要略去的 5 个"},
      {OtherRank{3}, "compared with rank 3 of the run, which has its place",
       "与运行中占同一位置的 rank 3 比较"},
      {NotCompared{"megatron"}, "profile megatron does not compare it", "判定方案 megatron 不比较它"},
      {AttemptsCompared{"modellink", 2},
       "profile modellink compares all 2 attempts of the log, one behind the other",
       "判定方案 modellink 把日志的全部 2 次尝试首尾相接比较"},
      {GatedInstead{"throughput"}, "throughput is gated instead", "改由 throughput 把关"},
      {ShortOfAnnounced{20, 50}, "ended after step 20 of the 50 that its log announces",
       "在第 20 步之后结束，而日志预告了 50 步"},
  };
  return all;
}

TEST(Sentences, AreThese) {
  for (const Sentence& one : sentences()) EXPECT_EQ(text(one.remark, one.numbered).english(), one.english);
}

TEST(Sentences, AreTheseInChinese) {
  for (const Sentence& one : sentences())
    EXPECT_EQ(text(one.remark, one.numbered).in(Language::chinese), one.chinese);
}

TEST(Sentences, EveryRemarkHasOne) {
  std::set<std::size_t> kinds;
  std::set<Plain> plain;
  for (const Sentence& one : sentences()) {
    kinds.insert(one.remark.index());
    if (const Plain* word = std::get_if<Plain>(&one.remark)) plain.insert(*word);
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Remark>);
  EXPECT_EQ(plain.size(), static_cast<std::size_t>(Plain::run_not_by_step) + 1) << "the last one";
}

TEST(Sentences, NoTwoRemarksAreEqual) {
  for (const Sentence& a : sentences())
    for (const Sentence& b : sentences())
      EXPECT_EQ(a.remark == b.remark, &a == &b) << a.english << " / " << b.english;
}

TEST(Notes, NameTheirSubjects) {
  EXPECT_EQ(text(plain_note("a restart was seen")), "a restart was seen");
  EXPECT_EQ(
      text(Note{
          {{"lm_loss", {{}}}, {"memory", {{0}, {1}, {2}, {7}}}}, Numbering::report, NotJudged{steps("3")}}),
      "lm_loss, memory ranks 0-2, 7: report 3 not judged");
}

Check check_of_loss() {
  Check check;
  check.rule = check.metric = "lm_loss";
  check.numbered = Numbering::step;
  check.tolerance = t("±0.01");
  check.reduce = Reduce::each;
  check.compared = 15;
  check.misses = 3;
  check.first_miss = shown::miss(6, "10.46010", "10.47114", "0.01104", "", 0);
  return check;
}

TEST(Failure, OfEachValueNamesTheFirst) {
  Check check = check_of_loss();
  EXPECT_EQ(failure(check),
            "lm_loss out of ±0.01 first at step 6 (10.46010 -> 10.47114, |Δ| 0.01104, 3 of 15)");
  check.misses = 16;
  check.rank = 2;
  check.first_miss = shown::miss(6, "", "-7", "", "", 0);
  EXPECT_EQ(failure(check), "lm_loss rank 2 out of ±0.01 first at step 6 (-7, 16 steps)");
}

TEST(Failure, OfAReducedValueGivesBoth) {
  Check check;
  check.metric = "throughput";
  check.reduce = Reduce::mean;
  check.numbered = Numbering::step;
  check.steps = steps("6-15");
  check.baseline = value("134.17");
  check.actual = value("127.10");
  check.delta_percent = -5.27;
  check.limit = limit("127.4615");
  EXPECT_EQ(failure(check), "throughput mean of steps 6-15 134.17 -> 127.10 (-5.27 %), limit 127.4615");
}

TEST(Failure, OfWhatIsNoNumberIsItsRemarks) {
  Check check = check_of_loss();
  check.first_miss->actual = value("nan");
  check.remarks = {NotFinite{"lm_loss", ValueKind::nan, steps("5")}, NotJudged{steps("9")}};
  EXPECT_EQ(failure(check), "lm_loss step 5: nan; step 9 not judged");
  check.first_miss.reset();
  check.remarks = {OutOfReach{Reduce::mean, limit("5")}};
  EXPECT_EQ(failure(check), "lm_loss its mean cannot come back into 5");
}

Check check_of_test() {
  Check check;
  check.metric = "tests/ut/test_rope.py::test_x[fp16]";
  check.test.emplace();
  check.test->file = "tests/ut/test_rope.py";
  check.test->line = 12;
  check.remarks = {Text{"assert 1 == 2"}};
  return check;
}

TEST(Failure, OfATestTellsItsPlace) {
  Check check = check_of_test();
  EXPECT_EQ(failure(check), "tests/ut/test_rope.py::test_x[fp16]: assert 1 == 2 (tests/ut/test_rope.py:12)");
  check.test->line = 0;
  EXPECT_EQ(failure(check), "tests/ut/test_rope.py::test_x[fp16]: assert 1 == 2 (tests/ut/test_rope.py)");
  check.remarks.clear();
  EXPECT_EQ(failure(check), "tests/ut/test_rope.py::test_x[fp16] (tests/ut/test_rope.py)");
  check.test->file.clear();
  EXPECT_EQ(failure(check), "tests/ut/test_rope.py::test_x[fp16]");
  EXPECT_EQ(test_place(*check.test), "");
}

// Of what has no baseline value, and of an error, which is a percentage itself.
TEST(Failure, OfAReducedValueLeavesOutWhatIsNotThere) {
  Check check;
  check.metric = "answer.error";
  check.reduce = Reduce::max;
  check.numbered = Numbering::report;
  check.steps = steps("1");
  check.actual = value("7");
  check.limit = limit("2");
  EXPECT_EQ(failure(check), "answer.error max of report 1 7, limit 2");
  check.reduce = Reduce::mean_relative_error;
  EXPECT_EQ(failure(check), "answer.error mean_relative_error of report 1 7 %, limit 2");
}

TEST(Failure, OfAnInfiniteDifferenceHasNoSign) {
  Check check = check_of_loss();
  check.first_miss->delta = value("-inf");
  EXPECT_EQ(failure(check), "lm_loss out of ±0.01 first at step 6 (10.46010 -> 10.47114, |Δ| inf, 3 of 15)");
  check.first_miss->baseline = value("left out");
  check.first_miss->delta.reset();
  EXPECT_EQ(failure(check), "lm_loss out of ±0.01 first at step 6 (not recorded -> 10.47114, 3 of 15)");
}

TEST(Failure, IsToldWithWhatCameBeforeAndBehind) {
  EXPECT_EQ(before_that("hung for 15m", "lm_loss out of ±0.01"),
            "hung for 15m; before that: lm_loss out of ±0.01");
  EXPECT_EQ(and_then("lm_loss out of ±0.01", "vanished: host lost"),
            "lm_loss out of ±0.01; then vanished: host lost");
}

TEST(NoteText, JoinsTheRemarksOfACheck) {
  Check check = check_of_loss();
  EXPECT_EQ(note_text(check), "");
  check.remarks = {Plain::bit_equal, Text{""}, NotJudged{steps("3")}};
  EXPECT_EQ(note_text(check), "bit-equal; step 3 not judged");
  check.numbered = Numbering::report;
  EXPECT_EQ(note_text(check), "bit-equal; report 3 not judged");
}

TEST(ReducedText, NamesAWindowThatIsNotAll) {
  Check check;
  check.reduce = Reduce::mean;
  check.window = Window{Window::Kind::last, 10, 0};
  EXPECT_EQ(reduced_text(check), "mean of last 10");
  check.reduce = Reduce::max;
  check.window = Window{};
  EXPECT_EQ(reduced_text(check), "max");
}

TEST(Notes, OfTheCaseNameNobody) {
  EXPECT_EQ(subjects_text(plain_note("a restart was seen")), "");
  const Note note{{{"lm_loss", {{}}}, {"memory", {{3}}}}, Numbering::step, Plain::no_rule};
  EXPECT_EQ(subjects_text(note), "lm_loss, memory rank 3");
  EXPECT_EQ(text(note).in(Language::chinese), "lm_loss, memory rank 3：没有规则");
}

TEST(Numbers, LongListsAreCut) {
  std::vector<std::int64_t> squares;
  for (std::int64_t root = 1; root <= 100; ++root) squares.push_back(root * root);
  const std::string text = numbers_text(squares, Numbering::step).english();
  EXPECT_THAT(text, testing::StartsWith("steps 1, 4, 9"));
  EXPECT_THAT(text, testing::EndsWith(", ... (100 in all)"));
}

TEST(Numbers, EquallyFarApartAreOneRange) {
  const auto text = [](std::vector<std::int64_t> numbers) { return ranges_text(StepSet(numbers)); };
  EXPECT_EQ(text({}), "");
  EXPECT_EQ(text({10, 20, 30, 40, 50}), "10-50 by 10");
  EXPECT_EQ(text({10, 20, 30}), "10, 20, 30");
  EXPECT_EQ(text({1, 2, 3, 10, 20, 30, 40, 41}), "1-3, 10, 20, 30, 40, 41");
  EXPECT_EQ(text({1, 2, 3, 10, 20, 30, 40, 50, 52}), "1-3, 10-50 by 10, 52");
  EXPECT_EQ(text({1, 3, 5, 7, 10, 20, 30, 40}), "1-7 by 2, 10-40 by 10");
}

TEST(Values, AreAsPrinted) {
  EXPECT_EQ(value_text(v("1.50")), "1.50");
  EXPECT_EQ(value_text(v("-inf")), "-inf");
  EXPECT_EQ(signed_text(v("0.00")), "0.00");
  EXPECT_EQ(signed_text(v("inf")), "+inf");
  EXPECT_EQ(signed_text(v("-2")), "-2");
  EXPECT_EQ(percent_text(-5.1), "-5.1 %");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(12345670), "+12345670 %");
  EXPECT_EQ(percent_text({}), "");
  EXPECT_EQ(limit_text({limit("1..2")[0], {value("5"), {}}, {{}, value("7")}, {}}), "1..2 or 5 or 7 or any");
  EXPECT_EQ(limit_text({{value("5"), {}, true, false}, {{}, value("7"), false, true}}), "> 5 or < 7");
  EXPECT_EQ(limit_text({{value("5"), value("7"), true, false}, {value("5"), value("7"), true, true}}),
            "> 5..7 or > 5..< 7");
}

}  // namespace
}  // namespace gate::words::remarks_test
