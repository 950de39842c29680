#include "gate/words/remarks.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/words/values.h"

namespace gate::words {

namespace {

using namespace remark;

constexpr double many_times = 1.5;  // from here on a ratio says more than a percentage
constexpr std::string_view skipped_iterations = "skipped_iterations";

std::string word(Numbering numbered) { return std::string(to_string(numbered)); }
std::string word(Reduce reduce) { return std::string(to_string(reduce)); }

std::string say(Plain plain, Numbering) {
  switch (plain) {
    case Plain::bit_equal:
      return "bit-equal";
    case Plain::no_baseline:
      return "no baseline";
    case Plain::no_rule:
      return "no rule";
    case Plain::not_in_baseline:
      return "not in the baseline";
    case Plain::zero_speed:
      return "0 throughout the baseline, which is no speed";
    case Plain::only_exit:
      return "only the exit is judged";
    case Plain::ending_unknown:
      return "a saved log does not say how the script ended";
    case Plain::window_unsettled:
      return "the run ended before its window was settled";
    case Plain::window_not_filled:
      return "the run does not fill its window";
    case Plain::further_run_not_whole:
      return "a further run is not whole, and there is no mean of it";
    case Plain::baseline_empty:
      return "the baseline holds no value";
    case Plain::baseline_ragged:
      return "the baseline's series do not all hold the same numbers";
    case Plain::named_without_value:
      return "the baseline names it, and holds no value of it";
    case Plain::times_side_by_side:
      return "samples numbered by time cannot be put side by side; use a reduce, e.g. mean";
    case Plain::steps_assumed:
      return "the baseline's step numbers are assumed: its file holds positions";
    case Plain::golden_not_by_step:
      return "not in the golden file by step";
    case Plain::golden_not_finite:
      return "no finite value in the golden file behind its warm-up";
    case Plain::golden_selects_nothing:
      return "selects no metric of the golden file";
    case Plain::run_not_by_step:
      return "not in the run by step";
  }
  return "";
}

std::string say(const Text& of, Numbering) { return of.text; }

std::string say(const NotInRun& of, Numbering) {
  const std::string ranks = ranks_text(of.ranks);
  return ranks.empty() ? "not in the run" : ranks + " not in the run";
}

std::string say(const MissingSteps& of, Numbering numbered) {
  return "missing " + numbers_text(of.steps, numbered) + (of.last ? " of " + std::to_string(*of.last) : "");
}

std::string say(const NotInBaseline& of, Numbering) {
  const std::string ranks = ranks_text(of.ranks);
  return (ranks.empty() ? "no rank" : ranks) + " not in the baseline" +
         (of.are_combined ? ": the rank sets must be equal" : "");
}

std::string say(const NotJudged& of, Numbering numbered) {
  return numbers_text(of.steps, numbered) + " not judged";
}

std::string say(const NotFinite& of, Numbering numbered) {
  return numbers_text(of.steps, numbered) + ": " +
         (of.kind == ValueKind::left_out ? "no " + spoken(of.metric) + " printed"
                                         : value_text({of.kind, {}}));
}

std::string say(const AtSameStep& of, Numbering numbered) {
  const std::string at = number_text(of.step, numbered);
  if (of.metric == skipped_iterations) return at + " skipped by the framework";
  return spoken(of.metric) + " " + value_text(of.value) + " at " + at;
}

std::string say(const EmptyWindow& of, Numbering numbered) {
  return "the window \"" + to_string(of.window) + "\" selects nothing of the " +
         (of.of_baseline ? "baseline's " + numbers_text(*of.of_baseline, numbered) : "run");
}

std::string say(const Conflict& of, Numbering numbered) {
  const std::string values = "different values for " + numbers_text(of.steps, numbered);
  if (of.side == Side::baseline) return "the baseline has " + values;
  return values + ": say which is meant with pick = \"first\", \"last\", \"min\" or \"max\" in [metrics." +
         of.metric + "]";
}

std::string say(const BaselineNotFinite& of, Numbering numbered) {
  return "the baseline has " + value_text(of.value) + " at " + number_text(of.step, numbered);
}

std::string say(const NoReducedValue& of, Numbering) {
  return std::string(of.side == Side::run ? "the run" : "the baseline") + " has no " + word(of.reduce) +
         ": a value is not above 0";
}

std::string say(const TooCoarse& of, Numbering) {
  const std::int32_t decimals = -of.exponent;
  std::string prints = "prints " + std::to_string(decimals) + (decimals == 1 ? " decimal" : " decimals");
  if (decimals == 0) prints = "prints whole numbers";
  if (decimals < 0) prints = "prints nothing finer than " + Decimal{1, of.exponent}.to_string();
  return prints + "; " + to_string(of.tolerance) + " cannot be tested";
}

std::string say(const OtherUnit& of, Numbering) {
  return "the unit is " + of.run + ", of the baseline " + of.baseline;
}

std::string say(const OtherNumbering& of, Numbering) {
  if (of.rule.empty()) return "numbered by " + word(of.run) + ", the baseline by " + word(of.baseline);
  return "the baseline has it by " + word(of.baseline) + ", the run by " + word(of.run) + "; rules." +
         of.rule + " = false leaves it ungated";
}

std::string say(const OtherPlatform& of, Numbering) {
  return "the baseline is of " + of.baseline + ", this run of " + of.run;
}

std::string say(const OtherLength& of, Numbering) {
  return std::to_string(of.run) + " values in the run, " + std::to_string(of.baseline) + " in the baseline";
}

std::string say(const OutOfReach& of, Numbering) {
  return "its " + word(of.reduce) + " cannot come back into " + limit_text(of.limit);
}

std::string say(const Waived& of, Numbering) {
  return (of.has_expired ? "its waiver expired on " : "waived until ") + of.until + ": " + of.reason;
}

std::string say(const NoLongerBitEqual& of, Numbering numbered) {
  return (of.within ? "within " + to_string(*of.within) + ", " : "") + "no longer bit-equal from " +
         number_text(of.from, numbered);
}

std::string say(const Bias& of, Numbering numbered) {
  return fmt::format("all {} differences are {} the baseline ({}, mean {})", of.steps.size(),
                     of.is_above ? "above" : "below", numbers_text(of.steps, numbered), signed_text(of.mean));
}

std::string distance_text(const MoveForTheBetter& of) {
  if (of.ratio >= many_times)
    return fmt::format("{:.{}f} times the baseline", of.ratio, of.ratio < 10 ? 1 : 0);
  const bool is_above = of.percent > 0;
  return percent_text(of.percent).substr(1) + (is_above ? " above the baseline" : " below the baseline");
}

std::string say(const MoveForTheBetter& of, Numbering numbered) {
  const std::string where = of.step ? number_text(*of.step, numbered)
                                    : word(of.reduce) + " of " + numbers_text(of.window, numbered);
  return where + ": " + value_text(of.actual) + " against " + value_text(of.baseline) + ", " +
         distance_text(of) + ": re-record?";
}

std::string say(const Stall& of, Numbering numbered) {
  const std::string median = "median " + percent_text(of.percent);
  if (of.median == Stall::Median::fails) return median + ", no stall";
  if (of.slow.empty()) return "the " + median + " passes";
  return "a stall: the " + median + " passes, " + (of.kind == MetricKind::speed ? "slow at " : "off at ") +
         numbers_text(of.slow, numbered);
}

std::string say(const ZeroBaseline& of, Numbering numbered) {
  const std::string at = of.steps.empty() ? "" : " at " + numbers_text(of.steps, numbered);
  return "the baseline is 0" + at + ", and so is a percentage of it";
}

std::string say(const AllowedMisses& of, Numbering numbered) {
  return fmt::format("{} of {} out of bounds, {} allowed, first at {}", of.misses, of.compared, of.allowed,
                     number_text(of.first, numbered));
}

std::string say(const Ended& of, Numbering) { return to_string(of.outcome); }

std::string say(const Operands& of, Numbering numbered) {
  return "at " + number_text(of.step, numbered) + " " + of.text;
}

std::string with_unit(const std::optional<Value>& value, const std::string& unit) {
  return value_text(value) + (unit.empty() ? "" : " " + unit);
}

std::string say(const FirstRun& of, Numbering numbered) {
  const std::string what = of.step ? number_text(*of.step, numbered) : of.reduce ? word(*of.reduce) : "";
  return fmt::format("{} at first ({} {}, limit {})", of.status == CheckStatus::fail ? "failed" : "passed",
                     what, with_unit(of.actual, of.unit), limit_text(of.limit));
}

std::string say(const Pooled& of, Numbering numbered) {
  std::vector<std::string> values;
  for (const std::optional<Value>& value : of.of_each) values.push_back(value_text(value));
  return say(of.first, numbered) + "; pooled over " + std::to_string(of.runs) + " runs (" +
         join(values, ", ") + "): " + with_unit(of.together, of.first.unit) + ": " +
         (of.is_confirmed ? "confirmed" : "not confirmed");
}

std::string say(const MayMiss& of, Numbering) {
  return std::to_string(of.misses) + " of " + std::to_string(of.compared) +
         " may miss: " + std::to_string(of.allowed);
}

std::string say(const Unpaired& of, Numbering numbered) {
  const std::string steps = numbers_text(of.steps, numbered);
  switch (of.lack) {
    case Unpaired::Lack::not_finite:
      return steps + ": not finite";
    case Unpaired::Lack::not_recorded:
      return steps + ": not recorded in the baseline";
    case Unpaired::Lack::nowhere:
      return steps + ": no value on either side, taken as equal";
  }
  return "";
}

std::string say(const NotFiniteInWindow& of, Numbering) {
  return "no finite value in the run at step" + std::string(of.steps.size() > 1 ? "s " : " ") +
         to_string(of.steps);
}

std::string say(const OnlyWarmUp& of, Numbering) {
  const std::string first = std::to_string(of.first);
  return of.is_shorter ? "fewer values than the " + first + " that are left out"
                       : "no value behind the first " + first;
}

std::string say(const OtherRank& of, Numbering) {
  return "compared with rank " + std::to_string(of.rank) + " of the run, which has its place";
}

std::string say(const NotCompared& of, Numbering) { return "profile " + of.profile + " does not compare it"; }

std::string say(const AttemptsCompared& of, Numbering) {
  return "profile " + of.profile + " compares all " + std::to_string(of.attempts) +
         " attempts of the log, one behind the other";
}

std::string say(const GatedInstead& of, Numbering) { return of.metric + " is gated instead"; }

std::string say(const ShortOfAnnounced& of, Numbering) {
  return "ended after step " + std::to_string(of.reached) + " of the " + std::to_string(of.announced) +
         " that its log announces";
}

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
         to_string(check.steps) + " " + (check.baseline ? value_text(check.baseline) + " -> " : "") +
         value_text(check.actual) + (percent.empty() ? "" : " (" + percent + ")") + ", limit " +
         limit_text(check.limit);
}

}  // namespace

std::string text(const Remark& remark, Numbering numbered) {
  return std::visit([&](const auto& of) { return say(of, numbered); }, remark);
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

std::string failure(const Check& check) {
  const std::string name = label(check.metric, check.rank);
  const bool is_odd = check.first_miss && !is_finite(check.first_miss->actual);
  if (is_odd || (!check.first_miss && !check.actual)) return name + " " + note_text(check);
  return name + (check.first_miss ? failure_of_each(check) : failure_of_reduced(check));
}

}  // namespace gate::words
