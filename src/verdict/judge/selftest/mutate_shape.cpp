// Values that are no numbers, and values that are not there.
#include <algorithm>
#include <array>

#include "gate/words/values.h"
#include "judge/rules/run_coverage.h"
#include "judge/selftest/mutations.h"

namespace gate::judge {

namespace {

std::int64_t last_number(const MutationContext& context) { return context.series.points().back().number; }

Mutants only(Extraction run, Sentence what) {
  Mutants mutants;
  mutants.list.push_back({std::move(run), std::move(what), std::nullopt});
  return mutants;
}

// --- values that are no numbers ---------------------------------------------------------------------

Sample non_finite_sample(std::int64_t number, ValueKind kind) {
  const char* const word = kind == ValueKind::nan ? "nan" : kind == ValueKind::left_out ? "" : "inf";
  return {number, {kind, {}}, word, 0, 0};
}

Extraction with_sample(const MutationContext& context, const Sample& sample) {
  Extraction run = edited(context, [&](const Series&, const Sample& old) {
    return std::optional(old.number == sample.number ? sample : old);
  });
  for (Series& series : run.series)  // a number that the run does not have comes at its end
    if (belongs(series, context.target) && sample.number > last_number(context)) series.append(sample);
  return run;
}

// Return a number out of the window: the first one behind it; else the last one before it; else a further
// one.
std::int64_t outside(const MutationContext& context) {
  const std::vector<std::int64_t>& window = context.reference.window;
  std::optional<std::int64_t> before;
  for (const Point& point : context.series.points()) {
    if (point.number > window.back()) return point.number;
    if (point.number < window.front()) before = point.number;
  }
  return before.value_or(last_number(context) + 1);
}

// --- what is not there ------------------------------------------------------------------------------

// Return the numbers that every run must have, within the window or out of it.
std::vector<std::int64_t> demanded_steps(const MutationContext& context, bool inside) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : context.reference.required) {
    const auto demands = [&](const ReferenceSeries* r) { return is_demanded(*r, number); };
    const auto& references = context.target.references;
    if (context.reference.in_window(number) == inside && std::ranges::any_of(references, demands))
      numbers.push_back(number);
  }
  return numbers;
}

Sentence why_none(const MutationContext& context, bool inside) {
  if (context.by_time()) return say({"samples by time have no steps", "按时间采样，没有步"});
  if (context.target.open())
    return say({"only constants: nothing says which steps there must be", "只有常数：没有说明必须有哪些步"});
  return inside ? say({"the reference is a list that repeats itself", "基线是自身重复的列表"})
                : say({"the window is the whole series", "窗口就是整个序列"});
}

Extraction without_series(const MutationContext& context, const std::function<bool(const Series&)>& drop) {
  Extraction run = context.run;
  std::erase_if(run.series, drop);
  return run;
}

}  // namespace

Mutants non_finite_inside(const MutationContext& context, ValueKind kind) {
  const std::int64_t number = number_at(context.reference.window, MutatedStep::middle);
  const Sample sample = non_finite_sample(number, kind);
  return only(with_sample(context, sample), words::number_text(number, context.reference.numbered) + colon +
                                                words::value_text(sample.value));
}

Mutants non_finite_outside(const MutationContext& context, ValueKind kind) {
  if (context.by_time())
    return {{}, say({"all samples by time are judged together", "按时间采样的值一起判定"})};
  const Sample sample = non_finite_sample(outside(context), kind);
  return only(with_sample(context, sample), words::number_text(sample.number, context.reference.numbered) +
                                                colon + words::value_text(sample.value));
}

Mutants inf_on_both_sides(const MutationContext& context) {
  if (context.target.open())
    return {{}, say({"only constants: there is no other side", "只有常数：没有另一边"})};
  Mutants mutants = non_finite_inside(context, ValueKind::positive_infinity);
  const std::int64_t number = number_at(context.reference.window, MutatedStep::middle);
  const Edit to_infinity = [&](const Series&, const Sample& old) {
    return std::optional(old.number == number ? non_finite_sample(number, ValueKind::positive_infinity)
                                              : old);
  };
  Reference reference = context.guard.reference;
  for (ReferenceSeries& of_rank : reference.series)
    for (Series& series : of_rank.runs)
      if (belongs(series, context.target)) series = edited(series, to_infinity);
  mutants.list.front().reference = std::move(reference);
  mutants.list.front().what += say({" on both sides", "，两边都是"});
  return mutants;
}

Mutants missing(const MutationContext& context, bool inside) {
  const std::vector<std::int64_t> numbers =
      context.by_time() ? std::vector<std::int64_t>{} : demanded_steps(context, inside);
  if (numbers.empty()) return {{}, why_none(context, inside)};
  const std::int64_t number = number_at(numbers, MutatedStep::middle);
  Extraction run = edited(context, [&](const Series&, const Sample& old) {
    return old.number == number ? std::nullopt : std::optional(old);
  });
  return only(std::move(run),
              say({"{} missing", "缺少{}"}, words::number_text(number, context.reference.numbered)));
}

Mutants missing_and_one_more(const MutationContext& context) {
  Mutants mutants = missing(context, true);
  for (Mutant& mutant : mutants.list) {
    for (Series& series : mutant.run.series) {
      if (!belongs(series, context.target) || series.empty()) continue;
      Sample further = series.samples().back();
      further.number = last_number(context) + 1;
      series.append(further);
    }
    mutant.what += say({", one more at the end", "，末尾多一步"});
  }
  return mutants;
}

Mutants missing_rank(const MutationContext& context) {
  const std::optional<int> rank = context.target.ranks.front();
  const std::string& metric = context.target.metric.name;
  const auto of_metric = std::ranges::count(context.run.series, metric, &Series::metric);
  if (!rank || of_metric < 2 || context.target.open())
    return {{}, say({"there is one series only", "只有一个序列"})};
  return only(
      without_series(context, [&](const Series& s) { return s.metric() == metric && s.rank() == rank; }),
      say({"{} not in the run", "运行中没有 {}"}, words::label(metric, rank)));
}

Mutants truncated(const MutationContext& context) {
  if (context.by_time() || context.target.open()) return {{}, why_none(context, true)};
  const std::vector<std::int64_t> inside = demanded_steps(context, true),
                                  outside = demanded_steps(context, false);
  const std::int64_t last =
      std::max(inside.empty() ? 0 : inside.back(), outside.empty() ? 0 : outside.back());
  const std::int64_t half = number_at(context.reference.required, MutatedStep::middle);
  const std::int64_t cut = std::min(half, last);
  if (context.reference.required.front() >= cut) return {{}, say({"there is one value only", "只有一个值"})};
  return only(
      edited(context,
             [&](const Series&, const Sample& old) {
               return old.number < cut ? std::optional(old) : std::nullopt;
             }),
      say({"cut off before {}", "在{}之前截断"}, words::number_text(cut, context.reference.numbered)));
}

Mutants empty_series(const MutationContext& context) {
  return only(edited(context, [](const Series&, const Sample&) { return std::optional<Sample>(); }),
              say({"a series without values", "没有值的序列"}));
}

Mutants absent_metric(const MutationContext& context) {
  return only(
      without_series(context, [&](const Series& s) { return s.metric() == context.target.metric.name; }),
      say({"{} not in the run", "运行中没有 {}"}, context.target.metric.name));
}

Mutants two_attempts(const MutationContext& context, Last last) {
  const Mutants damaged = window_beyond(context);
  if (damaged.list.empty()) return damaged;
  if (!context.tells_attempts)
    return {{}, say({"nothing in a log would tell its attempts apart", "日志无法区分各次尝试"})};
  const Mutant& bad = damaged.list.front();
  std::array<Extraction, 2> attempts{context.run, bad.run};
  if (last == Last::good) std::swap(attempts[0], attempts[1]);
  const Sentence what = last == Last::bad ? say({"last attempt: {}", "最后一次尝试：{}"}, bad.what)
                                          : say({"first attempt: {}", "第一次尝试：{}"}, bad.what);
  return {{{context.guard.replay(attempts), what, std::nullopt}}, ""};
}

}  // namespace gate::judge
