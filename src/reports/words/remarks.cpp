#include "gate/words/remarks.h"

#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/words/values.h"

namespace gate::words {

namespace {

using namespace remark;

constexpr double many_times = 1.5;  // from here on a ratio says more than a percentage
constexpr std::string_view skipped_iterations = "skipped_iterations";

std::string word(Numbering numbered) { return std::string(to_string(numbered)); }
std::string word(Reduce reduce) { return std::string(to_string(reduce)); }

struct PlainRow {
  Plain remark;
  std::string_view words;
};

constexpr auto plain_rows = std::to_array<PlainRow>({
    {Plain::bit_equal, "bit-equal"},
    {Plain::no_baseline, "no baseline"},
    {Plain::no_rule, "no rule"},
    {Plain::no_longer_printed, "no longer printed"},
    {Plain::not_in_baseline, "not in the baseline"},
    {Plain::zero_speed, "0 throughout the baseline, which is no speed"},
    {Plain::short_curve, "the baseline has fewer than 25 values, or not all of the window are above 0"},
    {Plain::only_exit, "only the exit is judged"},
    {Plain::only_tests, "only pytest's tests are judged"},
    {Plain::ending_unknown, "a saved log does not say how the script ended"},
    {Plain::window_unsettled, "the run ended before its window was settled"},
    {Plain::window_not_filled, "the run does not fill its window"},
    {Plain::further_run_not_whole, "a further run is not whole, and there is no mean of it"},
    {Plain::profiled_throughout, "a profiler ran throughout what would be judged"},
    {Plain::baseline_empty, "the baseline holds no value"},
    {Plain::baseline_ragged, "the baseline's series do not all hold the same numbers"},
    {Plain::named_without_value, "the baseline names it, and holds no value of it"},
    {Plain::times_side_by_side,
     "samples numbered by time cannot be put side by side; use a reduce, e.g. mean"},
    {Plain::steps_assumed, "the baseline's step numbers are assumed: its file holds positions"},
    {Plain::golden_not_by_step, "not in the golden file by step"},
    {Plain::golden_not_finite, "no finite value in the golden file behind its warm-up"},
    {Plain::golden_selects_nothing, "selects no metric of the golden file"},
    {Plain::run_not_by_step, "not in the run by step"},
});
static_assert(plain_rows.size() == static_cast<std::size_t>(Plain::run_not_by_step) + 1);

std::string say(Plain plain, Numbering) {
  return std::string(row_in(plain_rows, plain, &PlainRow::remark)->words);
}

std::string say(const Text& remark, Numbering) { return remark.text; }

std::string say(const NotInRun& remark, Numbering) {
  const std::string ranks = ranks_text(remark.ranks);
  return ranks.empty() ? "not in the run" : ranks + " not in the run";
}

std::string say(const MissingSteps& remark, Numbering numbered) {
  return "missing " + numbers_text(remark.steps, numbered) +
         (remark.last ? " of " + std::to_string(*remark.last) : "");
}

std::string say(const NotInBaseline& remark, Numbering) {
  const std::string ranks = ranks_text(remark.ranks);
  return (ranks.empty() ? "no rank" : ranks) + " not in the baseline" +
         (remark.are_combined ? ": the rank sets must be equal" : "");
}

std::string say(const NotJudged& remark, Numbering numbered) {
  return numbers_text(remark.steps, numbered) + " not judged";
}

std::string say(const NotFinite& remark, Numbering numbered) {
  return numbers_text(remark.steps, numbered) + ": " +
         (remark.kind == ValueKind::left_out ? "no " + spoken(remark.metric) + " printed"
                                             : value_text({remark.kind, {}}));
}

std::string say(const OfSkipped& remark, Numbering numbered) {
  return numbers_text(remark.steps, numbered) + ": " + value_text({remark.kind, {}}) +
         ", skipped by the framework";
}

std::string say(const NewZeros& remark, Numbering numbered) {
  return "0 at " + numbers_text(remark.steps, numbered) + ", and not in the baseline";
}

std::string say(const AtSameStep& remark, Numbering numbered) {
  const std::string at = number_text(remark.step, numbered);
  if (remark.metric == skipped_iterations) return at + " skipped by the framework";
  return spoken(remark.metric) + " " + value_text(remark.value) + " at " + at;
}

std::string say(const EmptyWindow& remark, Numbering numbered) {
  return "the window \"" + to_string(remark.window) + "\" selects nothing of the " +
         (remark.of_baseline ? "baseline's " + numbers_text(*remark.of_baseline, numbered) : "run");
}

std::string say(const Conflict& remark, Numbering numbered) {
  const std::string values = "different values for " + numbers_text(remark.steps, numbered);
  if (remark.side == Side::baseline) return "the baseline has " + values;
  return values + ": say which is meant with pick = \"first\", \"last\", \"min\" or \"max\" in [metrics." +
         remark.metric + "]";
}

std::string say(const BaselineNotFinite& remark, Numbering numbered) {
  return "the baseline has " + value_text(remark.value) + " at " + number_text(remark.step, numbered);
}

std::string say(const NoReducedValue& remark, Numbering) {
  return std::string(remark.side == Side::run ? "the run" : "the baseline") + " has no " +
         word(remark.reduce) + ": a value is not above 0";
}

std::string say(const TooWide& remark, Numbering) {
  return "with " + to_string(remark.tolerance) + " it may change by 100 % at each step (rules." +
         remark.rule + ".tolerance = \"±1%\" or a rule for another accuracy judges it)";
}

std::string say(const TooCoarse& remark, Numbering) {
  const std::int32_t decimals = -remark.exponent;
  std::string prints = "prints " + std::to_string(decimals) + (decimals == 1 ? " decimal" : " decimals");
  if (decimals == 0) prints = "prints whole numbers";
  if (decimals < 0) prints = "prints nothing finer than " + Decimal{1, remark.exponent}.to_string();
  return prints + "; " + to_string(remark.tolerance) + " cannot be tested";
}

std::string say(const OtherUnit& remark, Numbering) {
  return "the unit is " + remark.run + ", of the baseline " + remark.baseline;
}

std::string say(const OtherNumbering& remark, Numbering) {
  if (remark.rule.empty())
    return "numbered by " + word(remark.run) + ", the baseline by " + word(remark.baseline);
  return "the baseline has it by " + word(remark.baseline) + ", the run by " + word(remark.run) + "; rules." +
         remark.rule + " = false leaves it ungated";
}

std::string say(const OtherPlatform& remark, Numbering) {
  return "the baseline is of " + remark.baseline + ", this run of " + remark.run;
}

std::string say(const OtherSwitch& remark, Numbering) {
  const auto& [name, from, to] = remark.change;
  return name + " was " + from + " in the baseline's run and is " + to +
         " in this one: the speeds cannot be compared";
}

std::string say(const OtherLength& remark, Numbering) {
  return std::to_string(remark.run) + " values in the run, " + std::to_string(remark.baseline) +
         " in the baseline";
}

std::string say(const SameRatio& remark, Numbering numbered) {
  return fmt::format("x {:.3f} at all {}s", remark.ratio, word(numbered));
}

std::string say(const OutOfReach& remark, Numbering) {
  return "its " + word(remark.reduce) + " cannot come back into " + limit_text(remark.limit);
}

std::string say(const Waived& remark, Numbering) {
  return (remark.has_expired ? "its waiver expired on " : "waived until ") + remark.until + ": " +
         remark.reason;
}

std::string say(const NoLongerBitEqual& remark, Numbering numbered) {
  return (remark.within ? "within " + to_string(*remark.within) + ", " : "") + "no longer bit-equal from " +
         number_text(remark.from, numbered);
}

std::string say(const Bias& remark, Numbering numbered) {
  return fmt::format("all {} differences are {} the baseline ({}, mean {})", remark.steps.size(),
                     remark.is_above ? "above" : "below", numbers_text(remark.steps, numbered),
                     signed_text(remark.mean));
}

std::string distance_text(const MoveForTheBetter& remark) {
  if (remark.ratio >= many_times)
    return fmt::format("{:.{}f} times the baseline", remark.ratio, remark.ratio < 10 ? 1 : 0);
  const bool is_above = remark.percent > 0;
  return percent_text(remark.percent).substr(1) + (is_above ? " above the baseline" : " below the baseline");
}

std::string say(const MoveForTheBetter& remark, Numbering numbered) {
  const std::string where = remark.step
                                ? number_text(*remark.step, numbered)
                                : word(remark.reduce) + " of " + numbers_text(remark.window, numbered);
  return where + ": " + value_text(remark.actual) + " against " + value_text(remark.baseline) + ", " +
         distance_text(remark) + ": re-record?";
}

std::string say(const Stall& remark, Numbering numbered) {
  const std::string median = "median " + percent_text(remark.percent);
  if (remark.median == Stall::Median::fails) return median + ", no stall";
  if (remark.slow.empty()) return "the " + median + " passes";
  return "a stall: the " + median + " passes, " +
         (remark.kind == MetricKind::speed ? "slow at " : "off at ") + numbers_text(remark.slow, numbered);
}

std::string say(const ZeroBaseline& remark, Numbering numbered) {
  const std::string at = remark.steps.empty() ? "" : " at " + numbers_text(remark.steps, numbered);
  return "the baseline is 0" + at + ", and so is a percentage of it";
}

std::string say(const AllowedMisses& remark, Numbering numbered) {
  return fmt::format("{} of {} out of bounds, {} allowed, first at {}", remark.misses, remark.compared,
                     remark.allowed, number_text(remark.first, numbered));
}

std::string say(const Ended& remark, Numbering) { return to_string(remark.outcome); }

std::string say(const Operands& remark, Numbering numbered) {
  return "at " + number_text(remark.step, numbered) + " " + remark.text;
}

std::string with_unit(const std::optional<Value>& value, const std::string& unit) {
  return value_text(value) + (unit.empty() ? "" : " " + unit);
}

std::string say(const FirstRun& remark, Numbering numbered) {
  const std::string what = remark.step     ? number_text(*remark.step, numbered)
                           : remark.reduce ? word(*remark.reduce)
                                           : "";
  return fmt::format("{} at first ({} {}, limit {})",
                     remark.status == CheckStatus::fail ? "failed" : "passed", what,
                     with_unit(remark.actual, remark.unit), limit_text(remark.limit));
}

std::string say(const Pooled& remark, Numbering numbered) {
  std::vector<std::string> values;
  for (const std::optional<Value>& value : remark.of_each) values.push_back(value_text(value));
  return say(remark.first, numbered) + "; pooled over " + std::to_string(remark.runs) + " runs (" +
         join(values, ", ") + "): " + with_unit(remark.together, remark.first.unit) + ": " +
         (remark.is_confirmed ? "confirmed" : "not confirmed");
}

std::string say(const OfRuns& remark, Numbering) {
  return "run " + std::to_string(remark.run) + " of " + std::to_string(remark.runs) +
         ", the worst: each run is judged by itself";
}

std::string say(const Repeated& remark, Numbering) {
  std::vector<std::string> values;
  for (const std::optional<Value>& value : remark.of_each) values.push_back(value_text(value));
  return "mean of " + std::to_string(values.size()) + " runs: " + join(values, ", ") +
         (remark.unit.empty() ? "" : " " + remark.unit) +
         (remark.are_apart ? "; two of them are further apart than the tolerance" : "");
}

std::string say(const ByMode& remark, Numbering) {
  if (!remark.is_known)
    return "the looser tolerance: no process of the run was read, and so nobody can tell whether it is "
           "deterministic";
  const std::string by = remark.by.empty() ? "no switch says so" : remark.by;
  return std::string("the tolerance of a run that is ") + (remark.is_deterministic ? "" : "not ") +
         "deterministic: " + by;
}

std::string say(const PrintedAlike& remark, Numbering) {
  return "equal as printed in " + std::to_string(remark.runs) + " runs (" + count_of(remark.digits, "digit") +
         ")";
}

std::string say(const PrintedOtherwise& remark, Numbering) {
  return "run " + std::to_string(remark.run) + " of " + std::to_string(remark.runs) +
         " is not equal to run 1";
}

std::string say(const MayMiss& remark, Numbering) {
  return std::to_string(remark.misses) + " of " + std::to_string(remark.compared) +
         " may miss: " + std::to_string(remark.allowed);
}

std::string say(const Unpaired& remark, Numbering numbered) {
  const std::string steps = numbers_text(remark.steps, numbered);
  switch (remark.lack) {
    case Unpaired::Lack::not_finite:
      return steps + ": not finite";
    case Unpaired::Lack::not_recorded:
      return steps + ": not recorded in the baseline";
    case Unpaired::Lack::nowhere:
      return steps + ": no value on either side, taken as equal";
  }
  return "";
}

std::string say(const NotFiniteInWindow& remark, Numbering) {
  return "no finite value in the run at step" + std::string(remark.steps.size() > 1 ? "s " : " ") +
         ranges_text(remark.steps);
}

std::string say(const OnlyWarmUp& remark, Numbering) {
  const std::string first = std::to_string(remark.first);
  return remark.is_shorter ? "fewer values than the " + first + " that are left out"
                           : "no value behind the first " + first;
}

std::string say(const OtherRank& remark, Numbering) {
  return "compared with rank " + std::to_string(remark.rank) + " of the run, which has its place";
}

std::string say(const NotCompared& remark, Numbering) {
  return "profile " + remark.profile + " does not compare it";
}

std::string say(const AttemptsCompared& remark, Numbering) {
  return "profile " + remark.profile + " compares all " + std::to_string(remark.attempts) +
         " attempts of the log, one behind the other";
}

std::string say(const GatedInstead& remark, Numbering) { return remark.metric + " is gated instead"; }

std::string say(const ShortOfAnnounced& remark, Numbering) {
  return "ended after step " + std::to_string(remark.reached) + " of the " +
         std::to_string(remark.announced) + " that its log announces";
}

std::string say(const LastTest& remark, Numbering) { return "the last test that began: " + remark.name; }

std::string count_text(const Check& check) {
  if (check.misses > check.compared) return count_of(check.misses, word(check.numbering()));
  return std::to_string(check.misses) + " of " + std::to_string(check.compared);
}

std::string size_text(const std::optional<Value>& delta) {
  if (!delta) return "";
  Value size = *delta;
  size.number = size.number.abs();
  if (size.kind == ValueKind::negative_infinity) size.kind = ValueKind::positive_infinity;
  return ", |Δ| " + value_text(size);
}

std::string failure_of_each(const Check& check) {
  const Miss& miss = *check.first_miss;
  return " out of " + to_string(check.tolerance) + " first at " +
         number_text(miss.number, check.numbering()) + " (" +
         (miss.baseline ? baseline_text(miss.baseline) + " -> " : "") + actual_text(miss.actual) +
         size_text(miss.delta) + ", " + count_text(check) + ")";
}

std::string failure_of_reduced(const Check& check) {
  const std::string percent = percent_text(check.delta_percent);
  return " " + word(check.reduce.value_or(Reduce::each)) + " of " + word(check.numbering()) + "s " +
         ranges_text(check.steps) + " " + (check.baseline ? value_text(check.baseline) + " -> " : "") +
         value_text(check.actual) + (check.is_error() ? " %" : "") +
         (percent.empty() ? "" : " (" + percent + ")") + ", limit " + limit_text(check.limit);
}

std::string test_failure(const Check& check) {
  const std::string why = note_text(check), place = test_place(*check.test);
  return check.metric + (why.empty() ? "" : ": " + why) + (place.empty() ? "" : " (" + place + ")");
}

}  // namespace

std::string text(const Remark& remark, Numbering numbered) {
  return std::visit([&](const auto& one) { return say(one, numbered); }, remark);
}

std::string text(const Note& note) {
  const std::string sentence = text(note.remark, note.numbered);
  return note.subjects.empty() ? sentence : subjects_text(note) + ": " + sentence;
}

std::string subjects_text(const Note& note) {
  std::vector<std::string> names;
  for (const Note::Subject& subject : note.subjects) {
    const std::string ranks = ranks_text(subject.ranks);
    names.push_back(subject.name + (ranks.empty() ? "" : " " + ranks));
  }
  return join(names, ", ");
}

std::string note_text(const Check& check) {
  std::string note;
  for (const Remark& remark : check.remarks) note = both(note, text(remark, check.numbering()));
  return note;
}

std::string reduced_text(const Check& check) {
  const std::string window = check.window == Window{} ? "" : " of " + to_string(*check.window);
  return std::string(to_string(*check.reduce)) + window;
}

std::string test_place(const TestResult& test) {
  if (test.file.empty()) return "";
  return test.file + (test.line == 0 ? "" : ":" + std::to_string(test.line));
}

std::string failure(const Check& check) {
  if (check.test) return test_failure(check);
  const std::string name = label(check.metric, check.rank);
  const bool is_non_finite = check.first_miss && !is_finite(check.first_miss->actual);
  if (is_non_finite || (!check.first_miss && !check.actual)) return name + " " + note_text(check);
  return name + (check.first_miss ? failure_of_each(check) : failure_of_reduced(check));
}

std::string before_that(const std::string& ending, const std::string& failure) {
  return ending + "; before that: " + failure;
}

std::string and_then(const std::string& failure, const std::string& machine) {
  return failure + "; then " + machine;
}

}  // namespace gate::words
