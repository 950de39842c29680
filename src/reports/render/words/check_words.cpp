#include "render/words/check_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/step_set.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/words/downsample.h"

namespace gate::render {

namespace {

// Tell whether the checks say the same of two ranks. What is neither failed nor waived nor passed does if its
// remarks are equal.
bool are_one(const Check& a, const Check& b) {
  const bool judged = has_failed(a) || a.status == CheckStatus::pass;
  return a.rule == b.rule && a.metric == b.metric && a.status == b.status && a.rank && b.rank &&
         (judged || a.remarks == b.remarks);
}

auto place(const Check& check) {
  constexpr std::int64_t behind_all = std::numeric_limits<std::int64_t>::max();
  return std::tuple(check.first_miss ? check.first_miss->number : behind_all, check.rank.value_or(-1));
}

Decimal deviation(const Check& check) {
  if (is_all_not_finite(check)) return {};
  const std::optional<Value>& delta = check.largest ? check.largest->delta : check.delta;
  return is_finite(delta) ? delta->number.abs() : Decimal{};
}

std::int64_t ranks_with(const std::vector<Check>& checks, const Check& like) {
  std::set<int> ranks;
  for (const Check& check : checks)
    if (check.rule == like.rule && check.metric == like.metric && check.rank) ranks.insert(*check.rank);
  return std::ssize(ranks);
}

void fold_in(Fold& into, const Check& check) {
  if (into.first == nullptr || place(check) < place(*into.first)) into.first = &check;
  if (into.largest == nullptr || deviation(*into.largest) < deviation(check)) into.largest = &check;
  if (check.rank)
    if (const auto it = std::ranges::lower_bound(into.ranks, *check.rank);
        it == into.ranks.end() || *it != *check.rank)
      into.ranks.insert(it, *check.rank);
  into.misses += check.misses;
  into.compared += check.compared;
  const Sentence note = words::note_text(check);
  if (!note.empty() && std::ranges::find(into.notes, note) == into.notes.end()) into.notes.push_back(note);
}

constexpr std::size_t most_notes = 3;  // of one row; ranks may each have their own

// Tell whether the tolerance is an amount around the baseline, in which a value lies; else it is a demand
// that holds.
bool is_amount(const Tolerance& tolerance) {
  const Bound& first = tolerance.any_of.front().front();
  return first.kind == Bound::Kind::absolute || first.kind == Bound::Kind::relative;
}

Sentence check_name(const Fold& fold) {
  const Check& check = *fold.first;
  Sentence name = as_is(check.metric);
  if (!check.rule.empty() && check.rule != check.metric)
    name += say({" (rule {})", "（规则 {}）"}, check.rule);
  const Sentence ranks = ranks_of(fold);
  return ranks.empty() ? name : name + column + ranks;
}

// How numbers are shown: values to five digits, differences to four; all digits where that would hide the
// miss. `gate explain` and the JSON have them all.
class Digits {
 public:
  static Digits of(const Check& check) { return {check, check.baseline, check.actual, check.delta}; }
  static Digits of(const Check& check, const Miss& miss) {
    return {check, miss.baseline, miss.actual, miss.delta};
  }

  std::optional<Value> value(const std::optional<Value>& value) const { return rounded(value, 5); }
  std::optional<Value> delta(const std::optional<Value>& value) const { return rounded(value, 4); }
  LimitRanges limit(LimitRanges ranges) const {
    for (LimitRange& range : ranges) {
      range.low = value(range.low);
      range.high = value(range.high);
    }
    return ranges;
  }

 private:
  Digits(const Check& check, const std::optional<Value>& baseline, const std::optional<Value>& actual,
         const std::optional<Value>& difference) {
    const auto shown = value(actual), moved = delta(difference);
    const bool looks_equal = shown == value(baseline) && actual != baseline;
    const bool looks_held = std::ranges::any_of(check.limit, [&](const LimitRange& range) {
      return shown == value(range.low) || shown == value(range.high);
    });
    const bool looks_allowed = std::ranges::any_of(check.tolerance.any_of, [&](const auto& bounds) {
      return std::ranges::any_of(bounds, [&](const Bound& bound) {
        return bound.kind == Bound::Kind::absolute && is_finite(moved) && moved->number.abs() == bound.amount;
      });
    });
    all_ = looks_equal || looks_held || looks_allowed;
  }

  std::optional<Value> rounded(std::optional<Value> value, int digits) const {
    if (!all_ && is_finite(value)) value->number = value->number.rounded(digits);
    return value;
  }

  bool all_ = false;
};

Sentence from_to(const Sentence& baseline, const Sentence& actual, const std::string& unit) {
  Sentence words = baseline.empty() ? actual : baseline + as_is(" -> ") + actual;
  if (!unit.empty()) words += as_is(" " + unit);
  return words;
}

Sentence delta_words(const std::optional<Value>& delta, const std::optional<double>& percent) {
  return delta ? say({", delta {}", "，差值 {}"}, words::moved_text(delta, percent)) : Sentence();
}

// No deviation is worth a line if nothing failed but what is no number.
bool is_zero(const std::optional<Value>& delta) { return is_finite(delta) && delta->number.is_zero(); }

// `out of ±0.01`, `not < 0.5`, behind what there are so many of.
Sentence failed_words(const Tolerance& tolerance) {
  if (tolerance.any_of.empty()) return say({"failed", "失败"});
  const Sentence bounds = words::tolerance_text(tolerance);
  if (!is_amount(tolerance)) return say({"not {}", "不满足 {}"}, bounds);
  return tolerance.any_of.size() > 1 ? say({"out of {}", "不在 {} 以内"}, bounds)
                                     : say({"out of {}", "超出 {}"}, bounds);
}

// A number of what the check counts, whose noun stands behind it in Chinese alone.
Sentence bare_count(const Check& check, std::int64_t count) {
  if (check.numbered) return words::part_text(count, *check.numbered);
  return say({"{}", "{} 个"}, count);
}

Sentence misses_words(const Fold& fold) {
  const Check& check = *fold.first;
  const Sentence out = failed_words(check.tolerance);
  if (fold.misses == 0) return out;
  const Sentence misses = count_words(check, fold.misses);
  if (check.first_miss && !is_finite(check.first_miss->actual))
    return check.tolerance.any_of.empty() ? say({"{} not finite", "{}不是有限值"}, misses)
                                          : say({"{} not finite or {}", "{}不是有限值或{}"}, misses, out);
  if (fold.misses > fold.compared) return misses + as_is(" ") + out;
  const bool one_series = fold.ranks.empty() && fold.compared >= 2 && !check.steps.empty();
  Sentence all = count_words(check, fold.compared);
  if (one_series) all += say({" ({})", "（{}）"}, words::ranges_text(check.steps));
  return say({"{} of {} {}", "{1}中有 {0}{2}"}, bare_count(check, fold.misses), all, out);
}

Sentence limit_words(const Tolerance& tolerance) {
  return tolerance.any_of.empty() ? Sentence()
                                  : say({", limit {}", "，限值 {}"}, words::tolerance_text(tolerance));
}

Sentence reduced_words(const Check& check) {
  const Digits digits = Digits::of(check);
  Sentence words = window_words(check) + column +
                   from_to(words::value_text(digits.value(check.baseline)),
                           words::value_text(digits.value(check.actual)), check.unit) +
                   delta_words(digits.delta(check.delta), check.delta_percent) + limit_words(check.tolerance);
  if (!check.tolerance.any_of.empty() && !check.limit.empty())
    words += say({" ({})", " ({})"}, words::limit_text(digits.limit(check.limit)));
  return words;
}

// Return `99 of 100 steps` of a check that passes although some may miss, which may be no numbers.
Sentence held_words(const Check& check, std::int64_t misses) {
  const std::int64_t all = std::max(check.steps.size(), check.compared);
  return say({"{} of {}", "{1}中有 {0}"}, bare_count(check, all - misses), count_words(check, all));
}

Sentence within_words(const Fold& fold) {
  const Check& check = *fold.first;
  const Sentence held = fold.misses > 0 ? held_words(check, fold.misses) : count_words(check, fold.compared);
  if (check.tolerance.any_of.empty()) return say({"{} ok", "{}正常"}, held);
  const Sentence bounds = words::tolerance_text(check.tolerance);
  return is_amount(check.tolerance) ? say({"{} within {}", "{}在 {} 以内"}, held, bounds)
                                    : say({"{} {}", "{}满足 {}"}, held, bounds);
}

Sentence judged_words(const Fold& fold) {
  const Check& worst = *fold.largest;
  if (!worst.is_each() && worst.actual) return reduced_words(worst);
  if (worst.status == CheckStatus::pass) return within_words(fold);
  const bool far =
      worst.largest && worst.largest->delta && !is_zero(worst.largest->delta) && !is_all_not_finite(worst);
  if (!far) return misses_words(fold);
  return misses_words(fold) +
         say({", largest {}", "，最大 {}"},
             words::moved_text(Digits::of(worst, *worst.largest).delta(worst.largest->delta),
                               worst.largest->delta_percent));
}

// `step 2: 3.90 -> 3.91, delta +0.01 (+0.3 %)`, then the limit if there is one, and the place in the log.
Sentence miss_line(const Miss& miss, const Check& check, const Fold& fold, const Sentence& limit = {}) {
  Sentence place = number_words(check, miss.number);
  if (fold.ranks.size() > 1 && check.rank)
    place = say({"{} of rank {}", "{}（rank {}）"}, place, *check.rank);
  const Digits digits = Digits::of(check, miss);
  Sentence line = place + colon +
                  from_to(words::baseline_text(digits.value(miss.baseline)),
                          words::actual_text(digits.value(miss.actual)),
                          check.is_error() ? "" : check.unit) +  // which is the error's
                  delta_words(digits.delta(miss.delta), miss.delta_percent) +
                  limit;
  if (!miss.file.empty())
    line += column + as_is(miss.file + (miss.line == 0 ? "" : ":" + std::to_string(miss.line)));
  return line;
}

Sentence largest_line(const Fold& fold) {
  const Check& check = *fold.largest;
  const LimitRanges ranges = Digits::of(check, *check.largest).limit(check.limit);
  return miss_line(*check.largest, check, fold,
                   ranges.empty() ? Sentence() : say({", limit {}", "，限值 {}"}, words::limit_text(ranges)));
}

// How far the run is from its baseline, whichever way, from one end to the other.
Sentence trace_line(const Check& check) {
  constexpr std::size_t fewest = 3, width = 24;
  if (check.trace.size() < fewest) return {};
  std::vector<double> apart;
  for (const double value : check.trace) apart.push_back(std::abs(value));
  return say({"trace    {}  |run - baseline|, at most {:.3g}", "走势     {}  |运行 - 基线|，最大 {:.3g}"},
             sparkline(apart, width, 0.0), *std::ranges::max_element(apart));
}

// A test has no values: what became of it, why, and where.
Sentence test_headline(const Check& check) {
  const Sentence why = words::note_text(check), name = as_is(check.metric);
  const std::string place = words::test_place(*check.test);
  if (check.status == CheckStatus::pass) return say({"{}  ok", "{}  正常"}, name);
  Sentence line =
      name + column +
      (check.status == CheckStatus::fail ? say({"failed", "失败"}) : words::status_text(check.status));
  if (!why.empty()) line += colon + why;
  return place.empty() ? line : line + column + as_is(place);
}

}  // namespace

bool has_failed(const Check& check) {
  return check.status == CheckStatus::fail || check.status == CheckStatus::waived;
}

// Of what is out of bounds the largest deviation is, so the margin has a minus if there is any.
bool is_all_not_finite(const Check& check) {
  const bool is_first = check.first_miss && !is_finite(check.first_miss->actual);
  return has_failed(check) && check.is_each() && is_first && is_finite(check.margin) &&
         !check.margin->number.is_negative();
}

std::vector<Fold> fold(const std::vector<Check>& checks) {
  std::vector<Fold> folds;
  for (const Check& check : checks) {
    auto it = check.rank
                  ? std::ranges::find_if(folds, [&](const Fold& f) { return are_one(*f.first, check); })
                  : folds.end();
    if (it == folds.end()) {
      it = folds.insert(folds.end(), Fold{});
      it->all_ranks = check.test ? 0 : ranks_with(checks, check);
    }
    fold_in(*it, check);
  }
  return folds;
}

const Fold* first_with(const std::vector<Fold>& folds, CheckStatus status) {
  const auto it =
      std::ranges::find_if(folds, [&](const Fold& folded) { return folded.first->status == status; });
  return it == folds.end() ? nullptr : &*it;
}

const Fold* heaviest(const std::vector<Fold>& folds) {
  const Fold* failed = first_with(folds, CheckStatus::fail);
  const Fold* missing = first_with(folds, CheckStatus::missing);
  return failed != nullptr && missing != nullptr ? std::min(failed, missing) : failed;
}

Sentence ranks_of(const Fold& fold) {
  if (fold.ranks.empty()) return {};
  const std::string ranks = to_string(StepSet(fold.ranks));
  if (fold.all_ranks == 1) return as_is("rank " + ranks);
  return say({"{} of {} ({})", "{1} 中的 {0} 个（{2}）"}, fold.ranks.size(),
             count_of(fold.all_ranks, "rank", "个 rank"), ranks);
}

Sentence plain_headline(const Fold& fold) {
  const CheckStatus status = fold.first->status;
  const Sentence name = check_name(fold);
  if (fold.first->test) return name;
  if (has_failed(*fold.first) || status == CheckStatus::pass) return name + column + judged_words(fold);
  return fold.notes.empty() ? name : name + column + fold.notes.front();
}

Sentence headline(const Fold& fold) {
  if (fold.first->test) return test_headline(*fold.first);
  const CheckStatus status = fold.first->status;
  const Sentence name = check_name(fold) + column;
  if (status == CheckStatus::pass) return name + say({"ok  {}", "正常  {}"}, judged_words(fold));
  if (status == CheckStatus::fail) return name + judged_words(fold);
  if (status == CheckStatus::waived) return name + say({"WAIVED  {}", "已豁免  {}"}, judged_words(fold));
  const Sentence why = fold.notes.empty() ? Sentence() : fold.notes.front();
  if (status == CheckStatus::missing && words::tells_missing(*fold.first)) return name + why;
  return name + words::status_text(status) + (why.empty() ? why : colon + why);
}

Sentence short_words(const Fold& fold) {
  const Check& check = *fold.first;
  if (!has_failed(check) || check.test) return headline(fold);
  const auto percent = [](const std::optional<double>& value) {
    return as_is(value ? " (" + words::percent_text(value) + ")" : "");
  };
  const Sentence ranks = fold.ranks.empty() ? Sentence() : as_is(" ") + ranks_of(fold);
  const Sentence name = as_is(check.metric) + ranks + as_is(" ");
  if (check.is_each() && check.first_miss) {
    const Miss& miss = *check.first_miss;
    const Digits digits = Digits::of(check, miss);
    return name + number_words(check, miss.number) + colon +
           from_to(words::baseline_text(digits.value(miss.baseline)),
                   words::actual_text(digits.value(miss.actual)), "") +
           percent(miss.delta_percent) + comma + misses_words(fold);
  }
  if (!check.actual) return headline(fold);
  const Digits digits = Digits::of(check);
  return name +
         from_to(words::value_text(digits.value(check.baseline)),
                 words::value_text(digits.value(check.actual)), "") +
         percent(check.delta_percent) + limit_words(check.tolerance);
}

std::vector<Sentence> miss_lines(const Fold& fold) {
  if (!has_failed(*fold.first)) return {};
  const std::optional<Miss>& first = fold.first->first_miss;
  if (fold.first == fold.largest && first && fold.first->largest &&
      first->number == fold.first->largest->number)
    return {say({"first and largest  {}", "首处且最大  {}"}, largest_line(fold))};
  std::vector<Sentence> lines;
  if (first) lines.push_back(say({"first    {}", "首处     {}"}, miss_line(*first, *fold.first, fold)));
  if (fold.largest->largest && !is_zero(fold.largest->largest->delta) && !is_all_not_finite(*fold.largest))
    lines.push_back(say({"largest  {}", "最大     {}"}, largest_line(fold)));
  return lines;
}

std::vector<Sentence> details(const Fold& fold) {
  if (fold.first->test) return {};
  std::vector<Sentence> lines = miss_lines(fold);
  const bool failed = has_failed(*fold.first);
  if (const Sentence trace = trace_line(*fold.largest); failed && !trace.empty()) lines.push_back(trace);
  const bool in_headline = !failed && fold.first->status != CheckStatus::pass;
  const std::size_t from = in_headline ? 1 : 0, end = std::min(fold.notes.size(), from + most_notes);
  for (std::size_t i = from; i < end; ++i)
    lines.push_back(say({"note     {}", "说明     {}"}, fold.notes[i]));
  if (end < fold.notes.size())
    lines.push_back(say({"note     and {} more", "说明     以及另外 {} 条"}, fold.notes.size() - end));
  return lines;
}

Sentence number_words(const Check& check, std::int64_t number) {
  return check.numbered ? words::number_text(number, *check.numbered)
                        : say({"value {}", "第 {} 个值"}, number);
}

Sentence count_words(const Check& check, std::int64_t count) {
  return check.numbered ? words::count_text(count, *check.numbered) : count_of(count, "value", "个值");
}

Sentence window_words(const Check& check) {
  const bool is_part = !check.demanded.empty() && check.demanded != check.steps;
  if (check.is_each() && is_part && check.numbered)
    return say({"{} of {}", "{1} 中的 {0}"}, words::ranges_text(check.steps),
               words::ranges_text(check.demanded));
  if (check.is_each() && !check.unrecorded.empty())
    return say({"{} of {}", "{1}中的 {0} 个"}, check.compared,
               count_words(check, check.compared + static_cast<std::int64_t>(check.unrecorded.size())));
  if (check.is_each() && check.status == CheckStatus::pass && check.misses > 0)
    return held_words(check, check.misses);
  if (check.is_each()) return check.numbered ? count_words(check, check.compared) : say({"ok", "正常"});
  const Sentence reduce = words::reduce_text(*check.reduce);
  if (check.steps.empty() && !check.window) return reduce;
  return say({"{} of {}", "{1}的{0}"}, reduce,
             check.steps.empty() ? words::window_text(*check.window)
             : check.numbered    ? words::numbers_text(check.steps, *check.numbered)
                                 : say({"values {}", "第 {} 个值"}, words::ranges_text(check.steps)));
}

WordPlace word_saying(const std::optional<Value>& value, std::string_view line) {
  constexpr std::string_view in_numbers = "0123456789+-.eE";
  for (std::size_t at = 0; value && (at = line.find_first_of(in_numbers, at)) != std::string_view::npos;) {
    const std::size_t size = std::min(line.find_first_not_of(in_numbers, at), line.size()) - at;
    if (parse_value(line.substr(at, size)) == value) return {at, size};
    at += size;
  }
  return {};
}

}  // namespace gate::render
