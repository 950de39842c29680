#include "judge/check.h"

#include <algorithm>

#include "gate/base/text.h"
#include "judge/level.h"
#include "judge/remarks.h"
#include "judge/words.h"

namespace gate::judge {

namespace {

std::string file_name(const Trial& trial, std::uint32_t file) {
  const std::vector<std::string>& files = trial.question.run.files;
  return file < files.size() ? files[file] : "";
}

Miss miss_of(const Trial& trial, const Deviation& deviation) {
  Miss miss{deviation.number, "", text(deviation.actual), "", "", 0};
  if (deviation.baseline) {
    miss.baseline = text(*deviation.baseline);
    const Number delta = minus(deviation.actual, *deviation.baseline);
    miss.delta = signed_text(delta);
    miss.delta_percent = percent_text(delta, *deviation.baseline);
  }
  if (deviation.line > 0) miss.file = file_name(trial, deviation.file);
  miss.line = deviation.line;
  return miss;
}

Miss miss_of(const Trial& trial, const OddValue& odd) {
  Miss miss{odd.sample.number, "", value_text(odd.sample), "", "", odd.sample.line};
  if (odd.sample.line > 0) miss.file = file_name(trial, odd.sample.file);
  if (trial.yardstick.variants.empty()) return miss;
  if (const Point* point = trial.yardstick.variants.front().line.find(odd.sample.number))
    miss.baseline = text(point->value);
  return miss;
}

Check frame_of(const Trial& trial) {
  const Rule& rule = trial.rule();
  Check check;
  check.rule = rule.name;
  check.metric = trial.target.metric.name;
  if (trial.target.ranks.size() == 1) check.rank = trial.target.ranks.front();
  check.numbered = to_string(trial.yardstick.numbered);
  check.unit = trial.target.metric.unit;
  check.window = to_string(rule.window);
  check.steps = ranges(trial.yardstick.window);
  check.reduce = to_string(rule.reduce);
  check.tolerance = to_string(rule.tolerance);
  check.status = trial.status;
  if (!trial.target.open()) check.baseline_file = trial.target.references.front()->path;
  return check;
}

void fill_values(Check& check, const Deviation& worst) {
  check.actual = text(worst.actual);
  check.limit = text(worst.limits);
  check.margin = text(margin_of(worst.limits, worst.actual));
  if (!worst.baseline) return;
  const Number delta = minus(worst.actual, *worst.baseline);
  check.baseline = text(*worst.baseline);
  check.delta = signed_text(delta);
  check.delta_percent = percent_text(delta, *worst.baseline);
}

// A window that is not full has no value of its own yet; what it would be held against is known.
void fill_limit(Check& check, const Trial& trial) {
  if (trial.yardstick.variants.empty() || trial.rule().reduce == Reduce::each) return;
  const std::optional<Number>& reduced = trial.yardstick.variants.front().reduced;
  if (!reduced) return;
  check.baseline = text(*reduced);
  check.limit = text(limits_of(trial.rule().tolerance, reduced));
}

void fill_misses(Check& check, const Trial& trial) {
  const Comparison& comparison = trial.comparison;
  const std::vector<OddValue>& odd = trial.evidence.odd;
  check.misses = comparison.misses + static_cast<std::int64_t>(odd.size());
  if (comparison.first) check.first_miss = miss_of(trial, *comparison.first);
  if (!odd.empty() && (!check.first_miss || odd.front().sample.number < check.first_miss->number))
    check.first_miss = miss_of(trial, odd.front());
  if (comparison.worst && trial.rule().reduce == Reduce::each)
    check.largest = miss_of(trial, *comparison.worst);
}

std::string missing_text(const Trial& trial) {
  const Evidence& evidence = trial.evidence;
  if (!evidence.absent.empty() || evidence.series.empty()) {
    const std::string ranks = trial.target.ranks.size() > 1 ? ranks_text(evidence.absent) : "";
    return ranks.empty() ? "not in the run" : ranks + " not in the run";
  }
  if (evidence.missing.empty()) return "the run ended before its window was settled";
  const std::string noun(to_string(trial.yardstick.numbered));
  return "missing " + numbers_text(evidence.missing, trial.yardstick.numbered) + " of " +
         std::to_string(trial.yardstick.required.back());
}

std::string why(const Trial& trial) {
  switch (trial.status) {
    case CheckStatus::pass:
      return "";
    case CheckStatus::missing:
    case CheckStatus::undecided:
      return missing_text(trial);
    case CheckStatus::incomparable:
      return trial.problem;
    case CheckStatus::fail:
    case CheckStatus::waived:
      break;
  }
  std::string note = trial.evidence.odd.empty() ? "" : cause_of(trial.evidence.odd, trial.question.run);
  if (trial.comparison.out_of_reach)
    note = both(note, "its " + std::string(to_string(trial.rule().reduce)) + " cannot come back into " +
                          text(*trial.comparison.out_of_reach));
  if (!trial.evidence.complete()) note = both(note, missing_text(trial));
  return note;
}

std::string waiver_text(const Trial& trial) {
  const std::optional<Waiver>& waiver = trial.rule().waive;
  if (!waiver) return "";
  if (trial.status == CheckStatus::waived) return "waived until " + waiver->until + ": " + waiver->reason;
  const bool expired = trial.status == CheckStatus::fail && !trial.question.today.empty();
  return expired ? "its waiver expired on " + waiver->until + ": " + waiver->reason : "";
}

std::string assumed_text(const Trial& trial) {
  const bool assumed = std::any_of(trial.target.references.begin(), trial.target.references.end(),
                                   [](const ReferenceSeries* r) { return r->runs.front().assumed(); });
  const bool told = trial.status != CheckStatus::pass && trial.status != CheckStatus::undecided;
  return assumed && told ? "the baseline's step numbers are assumed: its file holds positions" : "";
}

std::string note_of(const Trial& trial) {
  std::string note = both(why(trial), waiver_text(trial));
  for (const std::string& remark : remarks_on(trial)) note = both(note, remark);
  return both(note, assumed_text(trial));
}

std::string count_text(const Check& check) {
  if (check.misses > check.compared) return count_of(check.misses, check.numbered);
  return std::to_string(check.misses) + " of " + std::to_string(check.compared);
}

std::string of_each(const Check& check) {
  const Miss& miss = *check.first_miss;
  const std::string size = miss.delta.substr(std::min(miss.delta.size(), miss.delta.find_first_not_of("+-")));
  return " out of " + check.tolerance + " first at " + check.numbered + " " + std::to_string(miss.number) +
         " (" + (miss.baseline.empty() ? "" : miss.baseline + " -> ") + miss.actual +
         (size.empty() ? "" : ", |Δ| " + size) + ", " + count_text(check) + ")";
}

std::string of_reduced(const Check& check) {
  const std::string percent = check.delta_percent.empty() ? "" : " (" + check.delta_percent + ")";
  return " " + check.reduce + " of " + check.numbered + "s " + check.steps + " " +
         (check.baseline.empty() ? "" : check.baseline + " -> ") + check.actual + percent + ", limit " +
         check.limit;
}

bool is_number(const std::string& word) { return Decimal::parse(word).has_value(); }

}  // namespace

Check check_of(const Trial& trial) {
  Check check = frame_of(trial);
  check.compared = trial.comparison.compared;
  fill_limit(check, trial);
  if (trial.comparison.worst) fill_values(check, *trial.comparison.worst);
  fill_misses(check, trial);
  Level level = level_of(trial);
  check.mean = std::move(level.run);
  check.baseline_mean = std::move(level.baseline);
  if (check.status == CheckStatus::fail || check.status == CheckStatus::waived) check.trace = trace_of(trial);
  check.note = note_of(trial);
  return check;
}

std::string headline(const Check& check) {
  const std::string name = label(check.metric, check.rank);
  const bool odd = check.first_miss && !is_number(check.first_miss->actual);
  if (odd || (!check.first_miss && check.actual.empty())) return name + " " + check.note;
  return name + (check.first_miss ? of_each(check) : of_reduced(check));
}

}  // namespace gate::judge
