#include "gate/words/remarks.h"

#include <fmt/format.h>

#include <array>

#include "gate/base/text.h"
#include "gate/words/values.h"

namespace gate::words {

namespace {

using namespace remark;

constexpr double many_times = 1.5;  // from here on a ratio says more than a percentage
constexpr std::string_view skipped_iterations = "skipped_iterations";

std::string word(Numbering numbered) { return std::string(to_string(numbered)); }
std::string word(Reduce reduce) { return std::string(to_string(reduce)); }

Sentence sentence(Plain plain, Numbering) {
  switch (plain) {
    case Plain::bit_equal:
      return say({"bit-equal", "逐位相等"});
    case Plain::no_baseline:
      return say({"no baseline", "没有基线"});
    case Plain::no_rule:
      return say({"no rule", "没有规则"});
    case Plain::no_longer_printed:
      return say({"no longer printed", "不再打印"});
    case Plain::not_in_baseline:
      return say({"not in the baseline", "基线中没有"});
    case Plain::rank_not_in_baseline:
      return say({"not in the baseline, which has it of other ranks: accept one that has this rank, too",
                  "基线中没有，而有其他 rank 的：请接受一份也含此 rank 的基线"});
    case Plain::rule_judges_nothing:
      return say(
          {"not in the baseline, so its rule in gate.toml judges nothing; gate baseline accept CASE --run "
           "RUN --metric METRIC --reason ... takes it of a run that has it",
           "基线中没有，所以 gate.toml 里的规则什么都没有判定；gate baseline accept CASE --run RUN --metric "
           "METRIC --reason ... 可从含有它的运行中取用"});
    case Plain::zero_speed:
      return say({"nowhere above 0 in the baseline, which is no speed", "在基线中从未大于 0，不是速度"});
    case Plain::short_curve:
      return say({"the baseline has fewer than 25 values, or not all of the window are above 0",
                  "基线不足 25 个值，或窗口内的值不全大于 0"});
    case Plain::only_exit:
      return say({"only the exit is judged", "只判定退出情况"});
    case Plain::only_tests:
      return say({"only pytest's tests are judged", "只判定 pytest 的测试"});
    case Plain::ending_unknown:
      return say({"a saved log does not say how the script ended", "已保存的日志不说明脚本怎样结束"});
    case Plain::window_unsettled:
      return say({"the run ended before its window was settled", "运行在窗口确定之前就结束了"});
    case Plain::window_not_filled:
      return say({"the run does not fill its window", "运行没有填满窗口"});
    case Plain::further_run_not_whole:
      return say(
          {"a further run is not whole, and there is no mean of it", "有一次追加运行不完整，没有均值"});
    case Plain::profiled_throughout:
      return say({"a profiler ran throughout what would be judged", "要判定的部分全程开着剖析器 (profiler)"});
    case Plain::percent_beside_share:
      return say(
          {"one side is above 1, the other a share of at most 1: one of them is in percent; bring them into "
           "one unit",
           "一边大于 1，另一边是不超过 1 的比例：其中一个是百分数；请统一单位"});
    case Plain::baseline_empty:
      return say({"the baseline holds no value", "基线里没有值"});
    case Plain::baseline_ragged:
      return say({"the baseline's series do not all hold the same numbers", "基线的各序列编号不一致"});
    case Plain::named_without_value:
      return say({"the baseline names it, and holds no value of it", "基线列出了它，但没有它的值"});
    case Plain::times_side_by_side:
      return say({"samples numbered by time cannot be put side by side; use a reduce, e.g. mean",
                  "按时间编号的采样点无法逐个对照；请使用聚合，例如 mean"});
    case Plain::steps_assumed:
      return say({"the baseline's step numbers are assumed: its file holds positions",
                  "基线的步号是推定的：文件里只有位置"});
    case Plain::golden_not_by_step:
      return say({"not in the golden file by step", "基准文件中没有按步的值"});
    case Plain::golden_not_finite:
      return say({"no finite value in the golden file behind its warm-up", "基准文件在预热之后没有有限值"});
    case Plain::golden_selects_nothing:
      return say({"selects no metric of the golden file", "没有选中基准文件的任何指标"});
    case Plain::run_not_by_step:
      return say({"not in the run by step", "运行中没有按步的值"});
  }
  return {};
}

Sentence sentence(const Text& remark, Numbering) { return remark.text; }

Sentence sentence(const NotInRun& remark, Numbering) {
  if (const Sentence ranks = ranks_text(remark.ranks); !ranks.empty())
    return say({"{} not in the run", "运行中没有 {}"}, ranks);
  return actual_text(std::nullopt);
}

// A number whose noun stands elsewhere in English: `30`, `30 步`.
Sentence bare_count(std::int64_t count, Numbering numbered) {
  return {std::to_string(count), count_text(count, numbered).in(Language::chinese)};
}

Sentence sentence(const MissingSteps& remark, Numbering numbered) {
  const Sentence missing = say({"missing {}", "缺少{}"}, numbers_text(remark.steps, numbered));
  if (!remark.last) return missing;
  return say({"{} of {}", "{}（应有 {}）"}, missing, bare_count(*remark.last, numbered));
}

Sentence sentence(const NotInBaseline& remark, Numbering) {
  const Sentence ranks = ranks_text(remark.ranks);
  return say({"{} not in the baseline: the rank sets must be equal", "基线中没有{}：两边的 rank 必须一致"},
             ranks.empty() ? say({"no rank", "不带 rank 的序列"}) : Sentence("", " ") + ranks);
}

Sentence sentence(const NotJudged& remark, Numbering numbered) {
  return say({"{} not judged", "{}不参与判定"}, numbers_text(remark.steps, numbered));
}

Sentence sentence(const NotFinite& remark, Numbering numbered) {
  return numbers_text(remark.steps, numbered) + colon +
         (remark.kind == ValueKind::left_out ? say({"no {} printed", "没有打印 {}"}, spoken(remark.metric))
                                             : shown_text(Value{remark.kind, {}}));
}

Sentence sentence(const OfSkipped& remark, Numbering numbered) {
  return say({"{}: {}, skipped by the framework", "{}：{}，被框架跳过"}, numbers_text(remark.steps, numbered),
             shown_text(Value{remark.kind, {}}));
}

Sentence sentence(const NewZeros& remark, Numbering numbered) {
  return say({"0 at {}, and not in the baseline", "{}为 0，而基线中不是"},
             numbers_text(remark.steps, numbered));
}

Sentence sentence(const AtSameStep& remark, Numbering numbered) {
  const Sentence at = number_text(remark.step, numbered);
  if (remark.metric == skipped_iterations) return say({"{} skipped by the framework", "{}被框架跳过"}, at);
  return say({"{} {} at {}", "{2}的 {0} 为 {1}"}, spoken(remark.metric), shown_text(remark.value), at);
}

Sentence sentence(const EmptyWindow& remark, Numbering numbered) {
  const std::string window = to_string(remark.window);
  if (!remark.of_baseline)
    return say({"the window \"{}\" selects nothing of the run", "窗口 \"{}\" 在运行中没有选中任何值"},
               window);
  return say(
      {"the window \"{}\" selects nothing of the baseline's {}", "窗口 \"{}\" 在基线的{}中没有选中任何值"},
      window, numbers_text(*remark.of_baseline, numbered));
}

Sentence sentence(const Conflict& remark, Numbering numbered) {
  const Sentence steps = numbers_text(remark.steps, numbered);
  if (remark.side == Side::baseline)
    return say({"the baseline has different values for {}", "基线在{}有不同的值"}, steps);
  return say(
      {"different values for {}: say which is meant with pick = \"first\", \"last\", \"min\" or \"max\" in "
       "[metrics.{}]",
       "{}有不同的值：请在 [metrics.{}] 里用 pick = \"first\"、\"last\"、\"min\" 或 \"max\" 说明取哪一个"},
      steps, remark.metric);
}

Sentence sentence(const BaselineNotFinite& remark, Numbering numbered) {
  return say({"the baseline has {} at {}", "基线在{1}的值是 {0}"}, shown_text(remark.value),
             number_text(remark.step, numbered));
}

Sentence side_words(Side side) {
  return side == Side::run ? say({"the run", "运行"}) : say({"the baseline", "基线"});
}

Sentence sentence(const NoReducedValue& remark, Numbering) {
  return say({"{} has no {}: a value is not above 0", "{}没有 {}：有一个值不大于 0"}, side_words(remark.side),
             word(remark.reduce));
}

Sentence sentence(const TooWide& remark, Numbering) {
  return say(
      {"with {} it may change by 100 % at each step (rules.{}.tolerance = \"±1%\" or a rule for another "
       "accuracy judges it)",
       "用 {} 时，每一步变化 100 % 也会通过（rules.{}.tolerance = "
       "\"±1%\"，或另一个精度指标的规则，才能判定）"},
      tolerance_text(remark.tolerance), remark.rule);
}

Sentence precision_words(std::int32_t exponent) {
  if (exponent == 0) return say({"prints whole numbers", "只打印整数"});
  if (exponent > 0)
    return say({"prints nothing finer than {}", "打印精度只到 {}"}, Decimal{1, exponent}.to_string());
  return say({"prints {}", "只打印 {}"}, count_of(-exponent, "decimal", "位小数"));
}

Sentence sentence(const TooCoarse& remark, Numbering) {
  return say({"{}; {} cannot be tested", "{}；无法检验 {}"}, precision_words(remark.exponent),
             tolerance_text(remark.tolerance));
}

Sentence sentence(const OtherUnit& remark, Numbering) {
  return say({"the unit is {}, of the baseline {}", "单位是 {}，基线的单位是 {}"}, remark.run,
             remark.baseline);
}

Sentence sentence(const OtherNumbering& remark, Numbering) {
  if (remark.rule.empty())
    return say({"numbered by {}, the baseline by {}", "按 {} 编号，基线按 {} 编号"}, word(remark.run),
               word(remark.baseline));
  return say({"the baseline has it by {}, the run by {}; rules.{} = false leaves it ungated",
              "基线按 {} 编号，运行按 {} 编号；rules.{} = false 可不对它设门禁"},
             word(remark.baseline), word(remark.run), remark.rule);
}

Sentence sentence(const OtherPlatform& remark, Numbering) {
  return say({"the baseline is of {}, this run of {}", "基线属于 {}，这次运行属于 {}"}, remark.baseline,
             remark.run);
}

Sentence sentence(const OtherSwitch& remark, Numbering) {
  const auto& [name, from, to] = remark.change;
  const bool is_missed = from == not_read || to == not_read;
  const auto value = [](const std::string& text) {
    return text == not_read ? say({"not known", "未知"}) : as_is(text);
  };
  return say({"{} was {} in the baseline's run and is {} in this one{}: the speeds cannot be compared",
              "{} 在基线的运行中是 {}，这次是 {}{}：速度无法比较"},
             name, value(from), value(to),
             is_missed ? say({" (its Python ended before gate could read it, and no line of the script gives "
                              "it a plain value)",
                              "（Python 在 gate 读取之前已结束，脚本中也没有一行给它写明的值）"})
                       : Sentence());
}

Sentence sentence(const OtherLength& remark, Numbering) {
  const Sentence lengths =
      say({"{} values in the run, {} in the baseline", "运行中有 {} 个值，基线中有 {} 个"}, remark.run,
          remark.baseline);
  if (remark.run <= remark.baseline) return lengths;
  if (remark.is_of_last_steps)
    return lengths +
           say({"; the profile compares lists of one length: profile = \"gate\" compares those of the "
                "last {} steps",
                "；该判定方案只比较等长的列表：profile = \"gate\" 会比较最后 {} 步的值"},
               remark.baseline);
  return lengths + say({"; the profile compares lists of one length: let the script end after {} steps, have "
                        "this run's numbers accepted (gate baseline accept), or judge by profile = \"gate\"",
                        "；该判定方案只比较等长的列表：请让脚本在 {} 步后结束，或接受这次运行的数值"
                        "（gate baseline accept），或用 profile = \"gate\" 判定"},
                       remark.baseline);
}

Sentence sentence(const SameRatio& remark, Numbering numbered) {
  if (numbered == Numbering::report)
    return say({"x {:.3f} at all reports", "每次打印都是基线的 {:.3f} 倍"}, remark.ratio);
  return say({"x {:.3f} at all steps", "每一步都是基线的 {:.3f} 倍"}, remark.ratio);
}

Sentence sentence(const OutOfReach& remark, Numbering) {
  return say({"its {} cannot come back into {}", "它的{}已不可能回到 {}"}, reduce_text(remark.reduce),
             limit_text(remark.limit));
}

Sentence sentence(const Waived& remark, Numbering) {
  if (remark.has_expired)
    return say({"its waiver expired on {}: {}", "豁免已于 {} 到期：{}"}, remark.until, remark.reason);
  return say({"waived until {}: {}", "豁免到 {}：{}"}, remark.until, remark.reason);
}

Sentence sentence(const NoLongerBitEqual& remark, Numbering numbered) {
  const Sentence from =
      say({"no longer bit-equal from {}", "从{}起不再逐位相等"}, number_text(remark.from, numbered));
  return remark.within ? say({"within {}, {}", "在 {} 以内，{}"}, to_string(*remark.within), from) : from;
}

Sentence sentence(const OffUnjudged& remark, Numbering numbered) {
  return say(
      {"outside the window of its rule, and up to {} off: {}", "不在其规则的窗口内，偏差最大为 {}：{}"},
      value_text(remark.most), numbers_text(remark.numbers, numbered));
}

Sentence sentence(const Bias& remark, Numbering numbered) {
  return say(
      {"all {} differences are {} the baseline ({}, mean {})", "全部 {} 处差异都{}基线（{}，平均 {}）"},
      remark.steps.size(), remark.is_above ? say({"above", "高于"}) : say({"below", "低于"}),
      numbers_text(remark.steps, numbered), signed_text(remark.mean));
}

Sentence distance_text(const MoveForTheBetter& remark) {
  if (remark.ratio >= many_times)
    return say({"{} times the baseline", "是基线的 {} 倍"},
               fmt::format("{:.{}f}", remark.ratio, remark.ratio < 10 ? 1 : 0));
  const std::string distance = percent_text(remark.percent).substr(1);
  return remark.percent > 0 ? say({"{} above the baseline", "高于基线 {}"}, distance)
                            : say({"{} below the baseline", "低于基线 {}"}, distance);
}

Sentence sentence(const MoveForTheBetter& remark, Numbering numbered) {
  const Sentence where = remark.step ? number_text(*remark.step, numbered)
                                     : say({"{} of {}", "{1}的{0}"}, reduce_text(remark.reduce),
                                           numbers_text(remark.window, numbered));
  return say({"{}: {} against {}, {}: re-record?", "{}：{}，基线是 {}，{}：要重新录制吗？"}, where,
             value_text(remark.actual), value_text(remark.baseline), distance_text(remark));
}

Sentence sentence(const Stall& remark, Numbering numbered) {
  const std::string percent = percent_text(remark.percent);
  if (remark.median == Stall::Median::fails)
    return say({"median {}, no stall", "中位数 {}，不是个别步停顿"}, percent);
  const Sentence passes = say({"the median {} passes", "中位数 {} 通过"}, percent);
  if (remark.slow.empty()) return passes;
  const Sentence at = numbers_text(remark.slow, numbered);
  return say(
      {"a stall: {}, {}", "个别步停顿：{}，{}"}, passes,
      remark.kind == MetricKind::speed ? say({"slow at {}", "{}慢"}, at) : say({"off at {}", "{}异常"}, at));
}

Sentence sentence(const ZeroBaseline& remark, Numbering numbered) {
  if (remark.steps.empty())
    return say({"the baseline is 0, and so is a percentage of it", "基线是 0，它的百分比也是 0"});
  return say({"the baseline is 0 at {}, and so is a percentage of it", "基线在{}是 0，它的百分比也是 0"},
             numbers_text(remark.steps, numbered));
}

Sentence sentence(const AllowedMisses& remark, Numbering numbered) {
  return say(
      {"{} of {} out of bounds, {} allowed, first at {}", "{1} 个中有 {0} 个越界，允许 {2} 个，首处在{3}"},
      remark.misses, remark.compared, remark.allowed, number_text(remark.first, numbered));
}

Sentence sentence(const Ended& remark, Numbering) { return text(remark.outcome); }

Sentence sentence(const Operands& remark, Numbering numbered) {
  return say({"at {} {}", "在{}，{}"}, number_text(remark.step, numbered), remark.text);
}

std::string with_unit(const std::optional<Value>& value, const std::string& unit) {
  return value_text(value) + (unit.empty() ? "" : " " + unit);
}

Sentence sentence(const FirstRun& remark, Numbering numbered) {
  const Sentence what = remark.step     ? number_text(*remark.step, numbered)
                        : remark.reduce ? reduce_text(*remark.reduce)
                                        : Sentence();
  return say({"{} at first ({} {}, limit {})", "首次{}（{} {}，限值 {}）"},
             remark.status == CheckStatus::fail ? say({"failed", "失败"}) : say({"passed", "通过"}), what,
             with_unit(remark.actual, remark.unit), limit_text(remark.limit));
}

std::string values_listed(const std::vector<std::optional<Value>>& values) {
  return join(texts_of(values, [](const auto& value) { return value_text(value); }), ", ");
}

Sentence sentence(const Pooled& remark, Numbering numbered) {
  return say({"{}; pooled over {} runs ({}): {}: {}", "{}；{} 次运行合并（{}）：{}，{}"},
             sentence(remark.first, numbered), remark.runs, values_listed(remark.of_each),
             with_unit(remark.together, remark.first.unit),
             remark.is_confirmed ? say({"confirmed", "确认劣化"}) : say({"not confirmed", "未确认劣化"}));
}

Sentence sentence(const OfRuns& remark, Numbering) {
  return say({"run {} of {}, the worst: each run is judged by itself",
              "{1} 次运行中最差的第 {0} 次：每次运行单独判定"},
             remark.run, remark.runs);
}

Sentence sentence(const Repeated& remark, Numbering) {
  const Sentence mean = say({"mean of {} runs: {}{}", "{} 次运行的均值：{}{}"}, remark.of_each.size(),
                            values_listed(remark.of_each), remark.unit.empty() ? "" : " " + remark.unit);
  return remark.are_apart
             ? say({"{}; two of them are further apart than the tolerance", "{}；其中两次之差超过容差"}, mean)
             : mean;
}

Sentence sentence(const ByMode& remark, Numbering) {
  if (!remark.is_known)
    return say({"{}: what trains was not read, and so nobody can tell whether this run is deterministic",
                "{}：没有读到训练进程，无法判断这次运行是否为确定性运行"},
               remark.is_deterministic
                   ? say({"the tolerance of the baseline's run, which was deterministic ({})",
                          "用的是基线运行的容差，它是确定性的（{}）"},
                         remark.by)
                   : say({"the looser tolerance", "用的是较宽的容差"}));
  const Sentence by = remark.by.empty() ? say({"no switch says so", "没有开关说明"}) : as_is(remark.by);
  return remark.is_deterministic
             ? say({"the tolerance of a run that is deterministic: {}", "用的是确定性运行的容差：{}"}, by)
             : say({"the tolerance of a run that is not deterministic: {}", "用的是非确定性运行的容差：{}"},
                   by);
}

Sentence sentence(const PrintedAlike& remark, Numbering) {
  return say({"equal as printed in {} runs ({})", "{} 次运行打印值相同（{}）"}, remark.runs,
             count_of(remark.digits, "digit", "位数字"));
}

Sentence sentence(const PrintedOtherwise& remark, Numbering) {
  return say({"run {} of {} is not equal to run 1", "第 {} 次运行（共 {} 次）与第 1 次不同"}, remark.run,
             remark.runs);
}

Sentence sentence(const MayMiss& remark, Numbering) {
  return say({"{} of {} may miss: {}", "{1} 个中允许 {0} 个不满足：{2}"}, remark.misses, remark.compared,
             remark.allowed);
}

Sentence sentence(const Unpaired& remark, Numbering numbered) {
  const Sentence steps = numbers_text(remark.steps, numbered);
  switch (remark.lack) {
    case Unpaired::Lack::not_finite:
      return say({"{}: not finite", "{}：不是有限值"}, steps);
    case Unpaired::Lack::not_recorded:
      return say({"{}: not recorded in the baseline", "{}：基线未记录"}, steps);
    case Unpaired::Lack::nowhere:
      return say({"{}: no value on either side, taken as equal", "{}：两边都没有值，视为相等"}, steps);
  }
  return {};
}

Sentence sentence(const NotFiniteInWindow& remark, Numbering) {
  return say({"no finite value in the run at {}", "运行在{}没有有限值"},
             numbers_text(remark.steps, Numbering::step));
}

Sentence sentence(const OnlyWarmUp& remark, Numbering) {
  return remark.is_shorter
             ? say({"fewer values than the {} that are left out", "值的个数少于要略去的 {} 个"}, remark.first)
             : say({"no value behind the first {}", "前 {} 个之后没有值"}, remark.first);
}

Sentence sentence(const OtherRank& remark, Numbering) {
  return say({"compared with rank {} of the run, which has its place", "与运行中占同一位置的 rank {} 比较"},
             remark.rank);
}

Sentence sentence(const NotCompared& remark, Numbering) {
  return say({"profile {} does not compare it", "判定方案 {} 不比较它"}, remark.profile);
}

Sentence sentence(const AttemptsCompared& remark, Numbering) {
  return say({"profile {} compares all {} attempts of the log, one behind the other",
              "判定方案 {} 把日志的全部 {} 次尝试首尾相接比较"},
             remark.profile, remark.attempts);
}

Sentence sentence(const GatedInstead& remark, Numbering) {
  return say({"{} is gated instead", "改由 {} 把关"}, remark.metric);
}

Sentence sentence(const ShortOfAnnounced& remark, Numbering) {
  return say(
      {"ended after step {} of the {} that its log announces", "在第 {} 步之后结束，而日志预告了 {} 步"},
      remark.reached, remark.announced);
}

Sentence sentence(const LastTest& remark, Numbering) {
  return say({"the last test that began: {}", "最后开始的测试：{}"}, remark.name);
}

Sentence misses_text(const Check& check) {
  if (check.misses > check.compared) return count_text(check.misses, check.numbering());
  return say({"{} of {}", "{1}中有 {0}"}, part_text(check.misses, check.numbering()),
             bare_count(check.compared, check.numbering()));
}

std::string size_text(const std::optional<Value>& delta) {
  if (!delta) return "";
  Value size = *delta;
  size.number = size.number.abs();
  if (size.kind == ValueKind::negative_infinity) size.kind = ValueKind::positive_infinity;
  return "|Δ| " + value_text(size);
}

Sentence from_and_to(const Sentence& from, const Sentence& to) {
  return from.empty() ? to : from + " -> " + to;
}

Sentence failure_of_each(const Check& check, const std::string& name) {
  const Miss& miss = *check.first_miss;
  const std::vector<Sentence> how{
      from_and_to(miss.baseline ? baseline_text(miss.baseline) : Sentence(), actual_text(miss.actual)),
      as_is(size_text(miss.delta)), misses_text(check)};
  return say({"{} out of {} first at {} ({})", "{0} 在{2}首次超出 {1}（{3}）"}, name,
             tolerance_text(check.tolerance), number_text(miss.number, check.numbering()), join(how, comma));
}

Sentence failure_of_reduced(const Check& check, const std::string& name) {
  const std::string percent = percent_text(check.delta_percent);
  const Sentence moved =
      from_and_to(shown_text(check.baseline), shown_text(check.actual)) +
      as_is((check.is_error() ? " %" : "") + (percent.empty() ? "" : " (" + percent + ")"));
  return say({"{} {} of {} {}, limit {}", "{0} {2}的{1} {3}，限值 {4}"}, name,
             reduce_text(check.reduce.value_or(Reduce::each)), numbers_text(check.steps, check.numbering()),
             moved, limit_text(check.limit));
}

Sentence test_failure(const Check& check) {
  Sentence failed = join(std::array{as_is(check.metric), note_text(check)}, colon);
  const std::string place = test_place(*check.test);
  return place.empty() ? failed : failed + as_is(" (" + place + ")");
}

}  // namespace

Sentence reduce_text(Reduce reduce) {
  switch (reduce) {
    case Reduce::each:
      return say({"each", "逐个"});
    case Reduce::mean:
      return say({"mean", "均值"});
    case Reduce::median:
      return say({"median", "中位数"});
    case Reduce::min:
      return say({"min", "最小值"});
    case Reduce::max:
      return say({"max", "最大值"});
    case Reduce::last:
      return say({"last", "末值"});
    case Reduce::p90:
      return say({"p90", "p90"});
    case Reduce::harmonic_mean:
      return say({"harmonic_mean", "调和平均"});
    case Reduce::trimmed_mean:
      return say({"trimmed_mean", "截尾均值"});
    case Reduce::mean_relative_error:
      return say({"mean_relative_error", "平均相对误差"});
  }
  return {};
}

Sentence text(const Remark& remark, Numbering numbered) {
  return std::visit([&](const auto& one) { return sentence(one, numbered); }, remark);
}

Sentence text(const Note& note) {
  const Sentence said = text(note.remark, note.numbered);
  return note.subjects.empty() ? said : subjects_text(note) + colon + said;
}

Sentence subjects_text(const Note& note) {
  std::vector<Sentence> names;
  for (const Note::Subject& subject : note.subjects)
    names.push_back(join(std::array{as_is(subject.name), ranks_text(subject.ranks)}, " "));
  return join(names, as_is(", "));
}

Sentence note_text(const Check& check) {
  std::vector<Sentence> remarks;
  for (const Remark& remark : check.remarks) remarks.push_back(text(remark, check.numbering()));
  return join(remarks, semicolon);
}

bool tells_missing(const Check& check) {
  if (check.remarks.empty()) return false;
  const auto* text = std::get_if<remark::Text>(&check.remarks.front());
  return text != nullptr ? text->tells_missing : std::holds_alternative<MissingSteps>(check.remarks.front());
}

Sentence reduced_text(const Check& check) {
  const Sentence reduce = reduce_text(*check.reduce);
  return check.window == Window{} ? reduce
                                  : say({"{} of {}", "{1}的{0}"}, reduce, window_text(*check.window));
}

Sentence reduced_over(const Sentence& reduce, const StepSet& numbers) {
  return numbers.empty() ? reduce : say({"{} of {}", "{1} 的{0}"}, reduce, ranges_text(numbers));
}

std::string test_place(const TestResult& test) {
  if (test.file.empty()) return "";
  return test.file + (test.line == 0 ? "" : ":" + std::to_string(test.line));
}

Sentence failure(const Check& check) {
  if (check.test) return test_failure(check);
  const std::string name = label(check.metric, check.rank);
  const bool is_non_finite = check.first_miss && !is_finite(check.first_miss->actual);
  if (is_non_finite || (!check.first_miss && !check.actual)) return as_is(name + " ") + note_text(check);
  return check.first_miss ? failure_of_each(check, name) : failure_of_reduced(check, name);
}

Sentence before_that(const Sentence& ending, const Sentence& failure) {
  return say({"{}; before that: {}", "{}；在此之前：{}"}, ending, failure);
}

Sentence and_then(const Sentence& failure, const Sentence& machine) {
  return say({"{}; then {}", "{}；随后：{}"}, failure, machine);
}

}  // namespace gate::words
