#include "judge/rules/finite.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "gate/model/numbers/guessed_metric.h"
#include "judge/rules/run_coverage.h"

namespace gate::judge {

namespace {

constexpr std::string_view skipped_iterations = "skipped_iterations";
constexpr std::string_view nan_iterations = "nan_iterations";

bool is_norm(const std::string& metric) { return metric.ends_with("norm"); }

bool is_zero(const Sample& sample) { return sample.value.is_finite() && sample.value.number.is_zero(); }

// Return the baseline's series, numbered alike, beside which one of the run is laid; nullptr where it has
// none.
const ReferenceSeries* reference_beside(const Series& series, const Reference& reference) {
  const ReferenceSeries* beside = nullptr;
  for (const ReferenceSeries& one : reference.series) {
    if (one.runs.empty() || one.runs.front().metric() != series.metric() ||
        one.runs.front().numbered() != series.numbered())
      continue;
    if (one.runs.front().rank() == series.rank()) return &one;
    if (beside == nullptr) beside = &one;
  }
  return beside;
}

// Tell whether one of the baseline's runs holds no number there although it names it, or a 0 that some
// versions of a framework leave out.
bool may_be_none(const ReferenceSeries& reference, const Sample& value) {
  return std::ranges::any_of(reference.runs, [&](const Series& run) {
    const std::optional<Sample> sample = run.find(value.number);
    const bool may_be_left_out = value.value.kind == ValueKind::left_out && sample && is_zero(*sample);
    return (sample && !sample->value.is_finite()) || may_be_left_out ||
           std::ranges::count(run.unrecorded(), value.number) > 0;
  });
}

bool is_finite_at(const ReferenceSeries& reference, std::int64_t number) {
  return std::ranges::all_of(reference.runs, [&](const Series& run) {
    const std::optional<Sample> sample = run.find(number);
    return sample && sample->value.is_finite();
  });
}

// --- counters --------------------------------------------------------------------------------------

// What a counter says up to a number. Some frameworks count since the start, some anew for each record: what
// never falls is taken for the former.
struct Counter {
  std::vector<std::int64_t> numbers;
  std::vector<Decimal> values;

  static Counter of(const Series* series, std::int64_t last) {
    Counter counter;
    if (series == nullptr) return counter;
    for (const Sample& sample : series->samples()) {
      if (sample.number > last || !sample.value.is_finite()) continue;
      counter.numbers.push_back(sample.number);
      counter.values.push_back(sample.value.number);
    }
    return counter;
  }

  bool never_falls() const { return std::ranges::is_sorted(values); }

  double total(bool since_start) const {
    if (values.empty()) return 0;
    if (since_start) return values.back().to_double();
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double sum, const Decimal& value) { return sum + value.to_double(); });
  }
};

// The same counter of run and baseline, as far as both go.
struct Counters {
  Counter run, baseline;

  bool rose() const {
    const bool since_start = run.never_falls() && baseline.never_falls();
    return run.total(since_start) > baseline.total(since_start);
  }
};

Counters counters_of(const JudgeInput& input, std::string_view metric) {
  const auto series = std::ranges::find(input.run.series, metric, &Series::metric);
  if (series == input.run.series.end() || series->empty()) return {};
  const ReferenceSeries* reference = reference_beside(*series, input.reference);
  const Series* before = reference == nullptr ? nullptr : &reference->runs.front();
  const std::int64_t last =
      before == nullptr
          ? series->samples().last_number()
          : std::min(series->samples().last_number(), before->empty() ? 0 : before->samples().last_number());
  return {Counter::of(&*series, last), Counter::of(before, last)};
}

// Return the numbers whose record says that the step was skipped: the counter is above 0 and moved there.
std::set<std::int64_t> skipped_steps(const Counter& counter) {
  std::set<std::int64_t> steps;
  const bool since_start = counter.never_falls();
  for (std::size_t i = 0; i < counter.values.size(); ++i) {
    const bool moved = !since_start || i == 0 || counter.values[i - 1] < counter.values[i];
    if (counter.values[i] > Decimal{} && moved) steps.insert(counter.numbers[i]);
  }
  return steps;
}

// --- series ----------------------------------------------------------------------------------------

class FiniteRule {
 public:
  FiniteRule(const Rule& rule, const JudgeInput& input) : rule_(rule), input_(input) {
    for (const Series& series : input.run.series) take_longer(records_, series);
    for (const ReferenceSeries& one : input.reference.series)
      if (!one.runs.empty()) take_longer(base_records_, one.runs.front());
    const Counters skips = counters_of(input, skipped_iterations);
    skipped_ = skipped_steps(skips.run);
    counts_skips_ = !skips.run.numbers.empty();
    skips_more_ = skips.rose();
  }

  void judge(const Series& series) {
    const ReferenceSeries* reference = reference_beside(series, input_.reference);
    if (reference == nullptr) return;
    std::vector<NonFiniteValue> failed, excused;
    for (const Sample& sample : series.samples()) {
      if (sample.value.is_finite() || may_be_none(*reference, sample)) continue;
      const bool is_excused = is_norm(series.metric()) && !skips_more_ && skipped_.contains(sample.number);
      (is_excused ? excused : failed).push_back({&series, sample});
    }
    add_left_out(series, *reference, failed);
    std::ranges::stable_sort(failed, {}, [](const NonFiniteValue& one) { return one.sample.number; });
    if (!failed.empty()) findings_.checks.push_back(check_of(series, *reference, failed));
    if (!excused.empty())
      note(series, remark::OfSkipped{excused.front().sample.value.kind, steps_of(excused)});
  }

  // Judge what the baseline does not know. A value that is left out may be; and in a log that counts no
  // skipped steps a norm that is a number later on is of one: all behind it would be NaN otherwise.
  void judge_alone(const Series& series) {
    if (reference_beside(series, input_.reference) != nullptr) return;
    ReferenceSeries none;
    none.runs.emplace_back(series.metric(), series.rank(), series.unit(), series.numbered());
    std::vector<NonFiniteValue> failed;
    for (const Sample& sample : series.samples()) {
      if (sample.value.is_finite() && is_norm(series.metric()) && !counts_skips_) failed.clear();
      if (sample.value.is_finite() || sample.value.kind == ValueKind::left_out) continue;
      if (!is_norm(series.metric()) || !skipped_.contains(sample.number)) failed.push_back({&series, sample});
    }
    if (!failed.empty()) findings_.checks.push_back(check_of(series, none, failed));
  }

  // Tell of norms and losses that are 0 where the baseline's are not; whatever rule judges them.
  void note_zeros(const Series& series) {
    const ReferenceSeries* reference = reference_beside(series, input_.reference);
    if (reference == nullptr) return;
    std::vector<std::int64_t> zeros;
    for (const Sample& sample : series.samples())
      if (is_zero(sample))
        if (const auto before = reference->runs.front().find(sample.number);
            before && before->value.is_finite() && !is_zero(*before))
          zeros.push_back(sample.number);
    if (!zeros.empty()) note(series, remark::NewZeros{StepSet(zeros)});
  }

  void judge_nan_iterations() {
    const Counters counters = counters_of(input_, nan_iterations);
    if (!counters.rose()) return;
    const Series& series = *std::ranges::find(input_.run.series, nan_iterations, &Series::metric);
    findings_.checks.push_back(risen(series, reference_beside(series, input_.reference)));
  }

  FiniteFindings take() { return std::move(findings_); }

 private:
  static StepSet steps_of(const std::vector<NonFiniteValue>& values) {
    std::vector<std::int64_t> numbers;
    for (const NonFiniteValue& value : values) numbers.push_back(value.sample.number);
    return StepSet(numbers);
  }

  void note(const Series& series, Remark remark) {
    const auto same = std::ranges::find_if(findings_.notes, [&](const Note& one) {
      return one.remark == remark && one.subjects.front().name == series.metric();
    });
    if (same != findings_.notes.end()) return same->subjects.front().ranks.push_back(series.rank());
    findings_.notes.push_back({{{series.metric(), {series.rank()}}}, series.numbered(), std::move(remark)});
  }

  // Add the numbers whose record stands there without the metric.
  void add_left_out(const Series& series, const ReferenceSeries& reference,
                    std::vector<NonFiniteValue>& failed) const {
    constexpr double nearly_all = 0.9;
    if (records_ == nullptr || base_records_ == nullptr || series.numbered() != Numbering::step) return;
    if (static_cast<double>(reference.runs.front().size()) <
        nearly_all * static_cast<double>(base_records_->size()))
      return;
    for (const Sample& record : records_->samples())
      if (!series.find(record.number) && base_records_->find(record.number) &&
          is_finite_at(reference, record.number) && !is_cut_off(record))
        failed.push_back({&series, {record.number, {}, "", record.file, record.line}});
  }

  // Tell whether the record was cut off: what it lacks may have stood in what was lost.
  bool is_cut_off(const Sample& record) const {
    return std::ranges::any_of(input_.run.problems, [&](const Problem& problem) {
      return problem.kind == ProblemKind::cut_off && problem.line == record.line &&
             problem.file == file_of(record);
    });
  }

  Check frame_of(const Series& series) const {
    Check check;
    check.rule = rule_.name;
    check.metric = series.metric();
    check.kind = MetricKind::accuracy;
    check.better = input_.metrics.get(series.metric()).better;
    check.rank = series.rank();
    check.numbered = series.numbered();
    check.unit = series.unit();
    check.reduce = Reduce::each;
    check.status = CheckStatus::fail;
    return check;
  }

  std::string file_of(const Sample& sample) const {
    return sample.file < input_.run.files.size() ? input_.run.files[sample.file] : "";
  }

  static Sample none_seen(const Sample& sample) {
    Sample none = sample;
    none.value = {ValueKind::finite, {}};
    return none;
  }

  Miss miss_of(const Sample& sample, const ReferenceSeries& reference) const {
    const auto before = reference.runs.front().find(sample.number);
    return miss_of(sample, before ? std::optional(before->value) : std::nullopt);
  }

  Miss miss_of(const Sample& sample, const std::optional<Value>& before) const {
    Miss miss;
    miss.number = sample.number;
    miss.actual = sample.value;
    miss.baseline = before;
    miss.file = file_of(sample);
    miss.line = sample.line;
    return miss;
  }

  Check check_of(const Series& series, const ReferenceSeries& reference,
                 const std::vector<NonFiniteValue>& failed) const {
    Check check = frame_of(series);
    check.steps = steps_of(failed);
    check.misses = std::ssize(failed);
    check.actual = failed.front().sample.value;
    check.first_miss = miss_of(failed.front().sample, reference);
    check.largest = check.first_miss;
    check.remarks = causes_of(failed, input_.run);
    return check;
  }

  // More steps that the framework saw as NaN than in the baseline: where the counter is above the baseline's;
  // above 0 where that has none.
  Check risen(const Series& series, const ReferenceSeries* reference) const {
    Check check = frame_of(series);
    check.tolerance = {{{Bound{Bound::Kind::absolute, Bound::Side::upper, {}}}}};
    std::vector<std::int64_t> numbers;
    for (const Sample& sample : series.samples()) {
      const std::optional<Sample> before =
          reference == nullptr ? none_seen(sample) : reference->runs.front().find(sample.number);
      if (!before || !before->value.is_finite() || !sample.value.is_finite()) continue;
      ++check.compared;
      if (!(sample.value.number > before->value.number)) continue;
      numbers.push_back(sample.number);
      if (!check.first_miss) check.first_miss = miss_of(sample, before->value);
    }
    check.steps = StepSet(numbers);
    check.misses = std::ssize(numbers);
    check.largest = check.first_miss;
    return check;
  }

  const Rule& rule_;
  const JudgeInput& input_;
  const Series* records_ = nullptr;
  const Series* base_records_ = nullptr;
  std::set<std::int64_t> skipped_;  // steps whose norm need not be finite
  bool counts_skips_ = false;       // the run's log says of each step whether it was skipped
  bool skips_more_ = false;         // than the baseline
  FiniteFindings findings_;
};

}  // namespace

std::set<std::int64_t> newly_skipped_steps(const JudgeInput& input) {
  std::set<std::pair<std::string, std::uint32_t>> told;
  for (const Problem& problem : input.run.problems)
    if (problem.kind == ProblemKind::skipped) told.emplace(problem.file, problem.line);
  std::set<std::int64_t> steps;
  for (const Series& series : input.run.series) {
    if (series.metric() != skipped_iterations || told.empty()) continue;
    const ReferenceSeries* const reference = reference_beside(series, input.reference);
    for (const Sample& sample : series.samples()) {
      const auto before = reference == nullptr ? std::nullopt : reference->runs.front().find(sample.number);
      const std::string file = sample.file < input.run.files.size() ? input.run.files[sample.file] : "";
      const bool is_known =
          before && before->value.is_finite() && sample.value.number <= before->value.number;
      if (!is_known && told.contains({file, sample.line})) steps.insert(sample.number);
    }
  }
  return steps;
}

FiniteFindings find_non_finite(const Rule& rule, const JudgeInput& input, const std::set<std::string>& ruled,
                               bool compares) {
  FiniteRule finite(rule, input);
  for (const Series& series : input.run.series) {
    if (!ruled.contains(series.metric()) && input.metrics.get(series.metric()).kind == MetricKind::accuracy) {
      finite.judge(series);
      if (compares) finite.judge_alone(series);
    }
    if (is_norm(series.metric()) || is_called_loss(series.metric())) finite.note_zeros(series);
  }
  if (!ruled.contains(std::string(nan_iterations))) finite.judge_nan_iterations();
  return finite.take();
}

}  // namespace gate::judge
