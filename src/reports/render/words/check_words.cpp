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
  const std::string note = words::note_text(check);
  if (!note.empty() && std::ranges::find(into.notes, note) == into.notes.end()) into.notes.push_back(note);
}

constexpr std::size_t most_notes = 3;  // of one row; ranks may each have their own

// Tell whether the tolerance is an amount around the baseline, in which a value lies; else it is a demand
// that holds.
bool is_amount(const Tolerance& tolerance) {
  const Bound& first = tolerance.any_of.front().front();
  return first.kind == Bound::Kind::absolute || first.kind == Bound::Kind::relative;
}

std::string check_name(const Fold& fold, Quotes quotes) {
  const Check& check = *fold.first;
  const std::string ranks = ranks_of(fold);
  const std::string rule =
      check.rule.empty() || check.rule == check.metric ? "" : " (rule " + quote(check.rule, quotes) + ")";
  return quote(check.metric, quotes) + rule + (ranks.empty() ? "" : "  " + ranks);
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

std::string from_to(const std::string& baseline, const std::string& actual, const std::string& unit) {
  return (baseline.empty() ? actual : baseline + " -> " + actual) + (unit.empty() ? "" : " " + unit);
}

std::string delta_words(const std::optional<Value>& delta, const std::optional<double>& percent) {
  return delta ? ", delta " + words::moved_text(delta, percent) : "";
}

// No deviation is worth a line if nothing failed but what is no number.
bool is_zero(const std::optional<Value>& delta) { return is_finite(delta) && delta->number.is_zero(); }

std::string misses_words(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string out = check.tolerance.any_of.empty() ? "failed"
                                                         : (is_amount(check.tolerance) ? "out of " : "not ") +
                                                               to_string(check.tolerance);
  if (fold.misses == 0) return out;
  if (check.first_miss && !is_finite(check.first_miss->actual))
    return count_of(fold.misses, noun(check)) + " not finite" +
           (check.tolerance.any_of.empty() ? "" : " or " + out);
  if (fold.misses > fold.compared) return count_of(fold.misses, noun(check)) + " " + out;
  const bool one_series = fold.ranks.empty() && fold.compared >= 2 && !check.steps.empty();
  return std::to_string(fold.misses) + " of " + count_of(fold.compared, noun(check)) +
         (one_series ? " (" + words::ranges_text(check.steps) + ") " : " ") + out;
}

std::string reduced_words(const Check& check) {
  const Digits digits = Digits::of(check);
  const std::string number =
      check.limit.empty() ? "" : " (" + words::limit_text(digits.limit(check.limit)) + ")";
  return window_words(check) + "  " +
         from_to(words::value_text(digits.value(check.baseline)),
                 words::value_text(digits.value(check.actual)), check.unit) +
         delta_words(digits.delta(check.delta), check.delta_percent) +
         (check.tolerance.any_of.empty() ? "" : ", limit " + to_string(check.tolerance) + number);
}

std::string within_words(const Fold& fold) {
  const Check& check = *fold.first;
  return (fold.misses > 0 ? std::to_string(fold.compared - fold.misses) + " of " : "") +
         count_of(fold.compared, noun(check)) + " " +
         (check.tolerance.any_of.empty() ? "ok"
          : is_amount(check.tolerance)   ? "within "
                                         : "") +
         to_string(check.tolerance);
}

std::string judged_words(const Fold& fold) {
  const Check& worst = *fold.largest;
  if (!worst.is_each() && worst.actual) return reduced_words(worst);
  if (worst.status == CheckStatus::pass) return within_words(fold);
  const bool far =
      worst.largest && worst.largest->delta && !is_zero(worst.largest->delta) && !is_all_not_finite(worst);
  return misses_words(fold) +
         (far ? ", largest " +
                    words::moved_text(Digits::of(worst, *worst.largest).delta(worst.largest->delta),
                                      worst.largest->delta_percent)
              : "");
}

// `step 2: 3.90 -> 3.91, delta +0.01 (+0.3 %)`, then the limit if there is one, and the place in the log.
std::string miss_line(const Miss& miss, const Check& check, const Fold& fold, Quotes quotes,
                      const std::string& limit = "") {
  const std::string rank =
      fold.ranks.size() > 1 && check.rank ? " of rank " + std::to_string(*check.rank) : "";
  const std::string place = miss.line == 0 ? "" : ":" + std::to_string(miss.line);
  const Digits digits = Digits::of(check, miss);
  return noun(check) + " " + std::to_string(miss.number) + rank + ": " +
         from_to(words::baseline_text(digits.value(miss.baseline)),
                 words::actual_text(digits.value(miss.actual)),
                 check.is_error() ? "" : check.unit) +  // which is the error's
         delta_words(digits.delta(miss.delta), miss.delta_percent) +
         limit + (miss.file.empty() ? "" : "  " + quote(miss.file + place, quotes));
}

std::string largest_line(const Fold& fold, Quotes quotes) {
  const Check& check = *fold.largest;
  const LimitRanges ranges = Digits::of(check, *check.largest).limit(check.limit);
  const std::string limit = ranges.empty() ? "" : ", limit " + words::limit_text(ranges);
  return miss_line(*check.largest, check, fold, quotes, limit);
}

// How far the run is from its baseline, whichever way, from one end to the other.
std::string trace_line(const Check& check) {
  constexpr std::size_t fewest = 3, width = 24;
  if (check.trace.size() < fewest) return "";
  std::vector<double> apart;
  for (const double value : check.trace) apart.push_back(std::abs(value));
  return "trace    " + sparkline(apart, width) +
         fmt::format("  |run - baseline|, at most {:.3g}", *std::ranges::max_element(apart));
}

// Tell whether the first remark begins with the status: `missing steps 3-5 of 10`.
bool tells_status(const Check& check) {
  if (check.remarks.empty()) return false;
  const Remark& first = check.remarks.front();
  const auto* text = std::get_if<remark::Text>(&first);
  return (text != nullptr && text->tells_status) ||
         (check.status == CheckStatus::missing && std::holds_alternative<remark::MissingSteps>(first));
}

// A test has no values: what became of it, why, and where.
std::string test_headline(const Check& check, Quotes quotes) {
  const std::string why = words::note_text(check), place = words::test_place(*check.test);
  const std::string name = quote(check.metric, quotes);
  if (check.status == CheckStatus::pass) return name + "  ok";
  const std::string status(check.status == CheckStatus::fail ? "failed" : to_string(check.status));
  return name + "  " + status + (why.empty() ? "" : ": " + quote(why, quotes)) +
         (place.empty() ? "" : "  " + quote(place, quotes));
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

std::string ranks_of(const Fold& fold) {
  if (fold.ranks.empty()) return "";
  if (fold.all_ranks == 1) return "rank " + to_string(StepSet(fold.ranks));
  return std::to_string(fold.ranks.size()) + " of " + count_of(fold.all_ranks, "rank") + " (" +
         to_string(StepSet(fold.ranks)) + ")";
}

std::string headline(const Fold& fold, Quotes quotes) {
  if (fold.first->test) return test_headline(*fold.first, quotes);
  const CheckStatus status = fold.first->status;
  const std::string name = check_name(fold, quotes);
  if (status == CheckStatus::pass) return name + "  ok  " + judged_words(fold);
  if (status == CheckStatus::fail) return name + "  " + judged_words(fold);
  if (status == CheckStatus::waived) return name + "  WAIVED  " + judged_words(fold);
  const std::string word(to_string(status)), why = fold.notes.empty() ? "" : fold.notes.front();
  if (tells_status(*fold.first)) return name + "  " + why;
  return name + "  " + word + (why.empty() ? "" : ": ") + why;
}

std::string short_words(const Fold& fold, Quotes quotes) {
  const Check& check = *fold.first;
  const auto percent = [](const std::optional<double>& value) {
    return value ? " (" + words::percent_text(value) + ")" : "";
  };
  const std::string ranks = fold.ranks.empty() ? "" : " " + ranks_of(fold);
  if (!has_failed(check) || check.test) return headline(fold, quotes);
  if (check.is_each() && check.first_miss) {
    const Miss& miss = *check.first_miss;
    const Digits digits = Digits::of(check, miss);
    return quote(check.metric, quotes) + ranks + " " + noun(check) + " " + std::to_string(miss.number) +
           ": " +
           from_to(words::baseline_text(digits.value(miss.baseline)),
                   words::actual_text(digits.value(miss.actual)), "") +
           percent(miss.delta_percent) + ", " + misses_words(fold);
  }
  if (!check.actual) return headline(fold, quotes);
  const Digits digits = Digits::of(check);
  return quote(check.metric, quotes) + ranks + " " +
         from_to(words::value_text(digits.value(check.baseline)),
                 words::value_text(digits.value(check.actual)), "") +
         percent(check.delta_percent) +
         (check.tolerance.any_of.empty() ? "" : ", limit " + to_string(check.tolerance));
}

std::vector<std::string> miss_lines(const Fold& fold, Quotes quotes) {
  if (!has_failed(*fold.first)) return {};
  const std::optional<Miss>& first = fold.first->first_miss;
  if (fold.first == fold.largest && first && fold.first->largest &&
      first->number == fold.first->largest->number)
    return {"first and largest  " + largest_line(fold, quotes)};
  std::vector<std::string> lines;
  if (first) lines.push_back("first    " + miss_line(*first, *fold.first, fold, quotes));
  if (fold.largest->largest && !is_zero(fold.largest->largest->delta) && !is_all_not_finite(*fold.largest))
    lines.push_back("largest  " + largest_line(fold, quotes));
  return lines;
}

std::vector<std::string> details(const Fold& fold, Quotes quotes) {
  if (fold.first->test) return {};
  std::vector<std::string> lines = miss_lines(fold, quotes);
  const bool failed = has_failed(*fold.first);
  if (const std::string trace = trace_line(*fold.largest); failed && !trace.empty()) lines.push_back(trace);
  const bool in_headline = !failed && fold.first->status != CheckStatus::pass;
  const std::size_t from = in_headline ? 1 : 0, end = std::min(fold.notes.size(), from + most_notes);
  for (std::size_t i = from; i < end; ++i) lines.push_back("note     " + fold.notes[i]);
  if (end < fold.notes.size())
    lines.push_back("note     and " + std::to_string(fold.notes.size() - end) + " more");
  return lines;
}

std::string noun(const Check& check) {
  return check.numbered ? std::string(to_string(*check.numbered)) : "value";
}

std::string window_words(const Check& check) {
  const bool is_part = !check.demanded.empty() && check.demanded != check.steps;
  if (check.is_each() && is_part && check.numbered)
    return words::ranges_text(check.steps) + " of " + words::ranges_text(check.demanded);
  if (check.is_each()) return !check.numbered ? "ok" : count_of(check.compared, noun(check));
  const std::string window = check.window ? to_string(*check.window) : "";
  const std::string where =
      check.steps.empty() ? window : noun(check) + "s " + words::ranges_text(check.steps);
  return std::string(to_string(*check.reduce)) + (where.empty() ? "" : " of " + where);
}

}  // namespace gate::render
