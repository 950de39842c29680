#include "judge/rules/check.h"

#include <algorithm>

#include "judge/rules/level.h"
#include "judge/rules/remarks.h"

namespace gate::judge {

namespace {

std::string file_name(const CheckEvaluation& trial, std::uint32_t file) {
  const std::vector<std::string>& files = trial.question.run.files;
  return file < files.size() ? files[file] : "";
}

Miss miss_of(const CheckEvaluation& trial, const Deviation& deviation) {
  Miss miss{.number = deviation.number,
            .baseline = value_of(deviation.baseline),
            .actual = value_of(deviation.actual),
            .delta = {},
            .line = deviation.line};
  if (deviation.baseline) {
    const Number delta = minus(deviation.actual, *deviation.baseline);
    miss.delta = value_of(delta);
    miss.delta_percent = percent_of(delta, *deviation.baseline);
  }
  if (deviation.line > 0) miss.file = file_name(trial, deviation.file);
  return miss;
}

Miss miss_of(const CheckEvaluation& trial, const OddValue& odd) {
  Miss miss{.number = odd.sample.number,
            .baseline = {},
            .actual = odd.sample.value,
            .delta = {},
            .line = odd.sample.line};
  if (odd.sample.line > 0) miss.file = file_name(trial, odd.sample.file);
  if (trial.yardstick.variants.empty()) return miss;
  if (const Point* point = trial.yardstick.variants.front().line.find(odd.sample.number))
    miss.baseline = value_of(point->value);
  return miss;
}

Check frame_of(const CheckEvaluation& trial) {
  const Rule& rule = trial.rule();
  Check check;
  check.rule = rule.name;
  check.metric = trial.target.metric.name;
  check.kind = trial.target.metric.kind;
  if (trial.target.ranks.size() == 1) check.rank = trial.target.ranks.front();
  check.numbered = trial.yardstick.numbered;
  check.unit = trial.target.metric.unit;
  check.window = rule.window;
  check.steps = StepSet(trial.yardstick.window);
  check.reduce = rule.reduce;
  check.tolerance = rule.tolerance;
  check.status = trial.status;
  if (!trial.target.open()) check.baseline_file = trial.target.references.front()->path;
  return check;
}

void fill_values(Check& check, const Deviation& worst) {
  check.actual = value_of(worst.actual);
  check.limit = ranges_of(worst.limits);
  check.margin = value_of(margin_of(worst.limits, worst.actual));
  if (!worst.baseline) return;
  const Number delta = minus(worst.actual, *worst.baseline);
  check.baseline = value_of(worst.baseline);
  check.delta = value_of(delta);
  check.delta_percent = percent_of(delta, *worst.baseline);
}

// A window that is not full has no value of its own yet; what it would be held against is known.
void fill_limit(Check& check, const CheckEvaluation& trial) {
  if (trial.yardstick.variants.empty() || trial.rule().reduce == Reduce::each) return;
  const std::optional<Number>& reduced = trial.yardstick.variants.front().reduced;
  if (!reduced) return;
  check.baseline = value_of(reduced);
  check.limit = ranges_of(limits_of(trial.rule().tolerance, reduced));
}

void fill_misses(Check& check, const CheckEvaluation& trial) {
  const Comparison& comparison = trial.comparison;
  const std::vector<OddValue>& odd = trial.evidence.odd;
  check.misses = comparison.misses + static_cast<std::int64_t>(odd.size());
  if (comparison.first) check.first_miss = miss_of(trial, *comparison.first);
  if (!odd.empty() && (!check.first_miss || odd.front().sample.number < check.first_miss->number))
    check.first_miss = miss_of(trial, odd.front());
  if (comparison.worst && trial.rule().reduce == Reduce::each)
    check.largest = miss_of(trial, *comparison.worst);
}

Remark lacking_of(const CheckEvaluation& trial) {
  const RunCoverage& evidence = trial.evidence;
  if (!evidence.absent.empty() || evidence.series.empty())
    return remark::NotInRun{trial.target.ranks.size() > 1 ? evidence.absent : Ranks{}};
  if (evidence.missing.empty()) return remark::Plain::window_unsettled;
  return remark::MissingSteps{StepSet(evidence.missing), trial.yardstick.required.back()};
}

// Why the check is not passed.
void add_reasons(std::vector<Remark>& remarks, const CheckEvaluation& trial) {
  switch (trial.status) {
    case CheckStatus::pass:
      return;
    case CheckStatus::missing:
    case CheckStatus::undecided:
      remarks.push_back(lacking_of(trial));
      return;
    case CheckStatus::incomparable:
      if (trial.problem) remarks.push_back(*trial.problem);
      return;
    case CheckStatus::fail:
    case CheckStatus::waived:
      break;
  }
  if (!trial.evidence.odd.empty()) remarks = causes_of(trial.evidence.odd, trial.question.run);
  if (trial.comparison.out_of_reach)
    remarks.emplace_back(remark::OutOfReach{trial.rule().reduce, ranges_of(*trial.comparison.out_of_reach)});
  if (!trial.evidence.complete()) remarks.push_back(lacking_of(trial));
}

void add_waiver(std::vector<Remark>& remarks, const CheckEvaluation& trial) {
  const std::optional<Waiver>& waiver = trial.rule().waive;
  const bool has_expired = trial.status == CheckStatus::fail && !trial.question.today.empty();
  if (waiver && (trial.status == CheckStatus::waived || has_expired))
    remarks.emplace_back(remark::Waived{waiver->until, waiver->reason, has_expired});
}

bool is_by_assumed_steps(const CheckEvaluation& trial) {
  const bool assumed = std::any_of(trial.target.references.begin(), trial.target.references.end(),
                                   [](const ReferenceSeries* r) { return r->runs.front().assumed(); });
  return assumed && trial.status != CheckStatus::pass && trial.status != CheckStatus::undecided;
}

std::vector<Remark> all_remarks(const CheckEvaluation& trial) {
  std::vector<Remark> remarks;
  add_reasons(remarks, trial);
  add_waiver(remarks, trial);
  for (Remark& remark : remarks_on(trial)) remarks.push_back(std::move(remark));
  if (is_by_assumed_steps(trial)) remarks.emplace_back(remark::Plain::steps_assumed);
  return remarks;
}

}  // namespace

Check check_of(const CheckEvaluation& trial) {
  Check check = frame_of(trial);
  check.compared = trial.comparison.compared;
  fill_limit(check, trial);
  if (trial.comparison.worst) fill_values(check, *trial.comparison.worst);
  fill_misses(check, trial);
  const Level level = level_of(trial);
  check.mean = level.run;
  check.baseline_mean = level.baseline;
  if (check.status == CheckStatus::fail || check.status == CheckStatus::waived) check.trace = trace_of(trial);
  check.remarks = all_remarks(trial);
  return check;
}

}  // namespace gate::judge
