#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gate/base/text.h"
#include "gate/judge/triage.h"
#include "gate/judging/case_judge.h"
#include "gate/model/numbers/step_set.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"
#include "gate/stored/baseline.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/git_commit.h"
#include "gate/words/values.h"
#include "stored/baselines/candidate_weighing.h"

namespace gate::app {

namespace {

// One case, before and after.
struct BaselinePair {
  JudgedAgainst before;
  Baseline after;
  std::optional<store::BaselineFile> file = {};  // whose place a candidate would take
};

// What the baselines were at a git ref against what they are: before and after of a review.
Answer<std::vector<BaselinePair>> pairs_since_ref(const Suite& suite, const std::string& ref) {
  std::vector<store::BaselinePlace> present;
  std::vector<std::string> paths;
  for (const auto& [name, places] : store::places_by_case(suite.layout))
    for (const store::BaselinePlace& place : places) {
      if (suite.find(name) == nullptr) continue;
      paths.push_back(store::baseline_path(suite.layout, place));
      present.push_back(place);
    }
  GATE_TRY(const GitCommit commit, GitCommit::find(suite.root, ref));
  GATE_TRY(const auto texts, commit.read(paths));
  std::vector<BaselinePair> pairs;
  for (const store::BaselinePlace& place : present) {
    const std::string path = store::baseline_path(suite.layout, place);
    const auto text = texts.find(path);
    if (text == texts.end()) continue;
    const std::string name = ref + ":" + path;
    GATE_TRY(const Baseline before, or_usage(schema::read_baseline(text->second, name)));
    GATE_TRY(const auto files, or_usage(store::read_baselines(suite.layout, place)));
    pairs.push_back(
        {{make_reference(before, name), {{name, ""}}, before.provenance}, files.front().baseline});
  }
  return pairs;
}

Answer<std::vector<BaselinePair>> candidates_against_present(const Suite& suite,
                                                             const std::vector<std::string>& words,
                                                             const std::string& run) {
  GATE_TRY(const std::vector<Baseline> candidates, read_candidates(suite, words, run));
  std::vector<BaselinePair> pairs;
  for (const Baseline& candidate : candidates) {
    GATE_TRY(const auto files, or_usage(store::read_baselines(suite.layout, store::place_of(candidate))));
    pairs.push_back({judged_against(files), candidate});
    pairs.back().before.environment = candidate.environment;
    if (!files.empty()) pairs.back().file = files.front();
  }
  return pairs;
}

// Return the candidates that the words select with their present baselines (with `run`: the series of that
// run); or, of a single word that is a run or a git ref, that run's series, or the baselines before and now.
// Of several that a word may be (a case, a run, a git ref) it is the first.
Answer<std::vector<BaselinePair>> find_pairs(const Suite& suite, const std::vector<std::string>& words,
                                             const std::string& run) {
  if (words.empty() || !run.empty()) return candidates_against_present(suite, words, run);
  const auto selected = config::select(words, known_cases(suite));
  if (selected) return candidates_against_present(suite, words, run);
  const std::string& word = words.front();
  if (words.size() == 1 && store::find_run(suite.root, word))
    return candidates_against_present(suite, {}, word);
  if (words.size() == 1 && !is_glob(word) && !word.starts_with("-")) {
    if (GitCommit::find(suite.root, word)) return pairs_since_ref(suite, word);
  }
  if (const std::string gone = store::told_of_removed(suite.root, word); !gone.empty()) return usage(gone);
  return usage(selected.error().message + " (nor is it a run or a git ref)");
}

// Values that are all equal are their own mean, to the last digit.
double mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nan("");
  if (std::ranges::adjacent_find(values, std::ranges::not_equal_to()) == values.end()) return values.front();
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Return the mean of the runs at each number.
std::vector<double> values_at(const std::vector<Series>& runs, const std::vector<std::int64_t>& numbers) {
  std::vector<double> values;
  for (const std::int64_t number : numbers) {
    std::vector<double> of_runs;
    for (const Series& series : runs) of_runs.push_back(series.find(number)->value.number.to_double());
    values.push_back(mean_of(of_runs));
  }
  return values;
}

bool all_finite_at(const std::vector<Series>& runs, std::int64_t number) {
  return std::ranges::all_of(runs, [&](const Series& series) {
    const std::optional<Sample> sample = series.find(number);
    return sample && sample->value.is_finite();
  });
}

std::vector<std::int64_t> common_numbers(const std::vector<Series>& a, const std::vector<Series>& b) {
  std::vector<std::int64_t> numbers;
  for (const Sample& sample : a.front().samples())
    if (all_finite_at(a, sample.number) && all_finite_at(b, sample.number)) numbers.push_back(sample.number);
  return numbers;
}

// Return of the numbers those that are compared of a speed: its first ones are warm-up.
std::vector<std::int64_t> judged_numbers(std::vector<std::int64_t> numbers, const CaseReport& report,
                                         const Series& series) {
  for (const Check& check : report.checks) {
    const bool is_of_it = check.metric == series.metric() && check.rank == series.rank();
    if (is_of_it && check.kind == MetricKind::speed && !check.steps.empty())
      std::erase_if(numbers, [&](std::int64_t number) { return !check.steps.contains(number); });
  }
  return numbers;
}

Sentence largest_deviation(const std::vector<std::int64_t>& numbers, const std::vector<double>& before,
                           const std::vector<double>& after) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::abs(after[i] - before[i]) > std::abs(after[worst] - before[worst])) worst = i;
  if (numbers.empty()) return {};
  return say({"{:+.6g} at {}", "{:+.6g}（{}）"}, after[worst] - before[worst], numbers[worst]);
}

const Sentence absent{"absent", "没有"};

void put_status(DiffRow& row, const CaseReport& report, const Series& series) {
  row.verdict = say({"not gated", "未设门禁"});
  for (const Check& check : report.checks)
    if (check.metric == series.metric() && check.rank == series.rank()) {
      row.is_gated = true;
      row.is_red = check.status != CheckStatus::pass;
      row.verdict = words::status_text(check.status);
      if (row.is_red) break;
    }
}

std::string place_words(const CaseReport& report) {
  return platform_name(place_word(report.platform, report.environment));
}

DiffRow diff_row(const CaseReport& report, const std::vector<Series>& before,
                 const std::vector<Series>* after) {
  const Series& series = before.front();
  DiffRow row{.case_name = report.name, .place = place_words(report), .series = label(series)};
  put_status(row, report, series);
  if (after == nullptr) {
    row.after = absent;
    return row;
  }
  const std::vector<std::int64_t> numbers = judged_numbers(common_numbers(before, *after), report, series);
  const std::vector<double> old_values = values_at(before, numbers), new_values = values_at(*after, numbers);
  row.steps = words::noun_text(series.numbered()) + " " + words::ranges_text(StepSet(numbers));
  if (before.size() != 1 || after->size() != 1)
    row.steps += say({", runs {} -> {}", "，运行数 {} -> {}"}, before.size(), after->size());
  const double old_mean = mean_of(old_values), new_mean = mean_of(new_values);
  row.before = fmt::format("{:.6g}", old_mean);
  row.after = fmt::format("{:.6g}", new_mean);
  if (old_mean != 0 && !std::isnan(old_mean) && !std::isnan(new_mean)) {
    const double percent = (new_mean - old_mean) / std::abs(old_mean) * 100;
    row.change = fmt::format("{:+.2f} %", percent);
    row.percent = std::abs(percent);
  }
  row.largest = largest_deviation(numbers, old_values, new_values);
  return row;
}

// Return the runs that have a series of the same metric and rank, or nullptr.
const std::vector<Series>* runs_of(const Reference& reference, const Series& like) {
  for (const ReferenceSeries& series : reference.series)
    if (series.runs.front().metric() == like.metric() && series.runs.front().rank() == like.rank())
      return &series.runs;
  return nullptr;
}

// Add a row for each series of either side. The report says what the rules make of it.
void add_rows(std::vector<DiffRow>& rows, const CaseReport& report, const Reference& before,
              const Reference& after) {
  for (const ReferenceSeries& old : before.series)
    rows.push_back(diff_row(report, old.runs, runs_of(after, old.runs.front())));
  for (const ReferenceSeries& fresh : after.series)
    if (const Series& series = fresh.runs.front(); runs_of(before, series) == nullptr)
      rows.push_back({.case_name = report.name,
                      .place = place_words(report),
                      .series = label(series),
                      .before = absent,
                      .after = say({"new", "新增"})});
}

// Say how far a candidate is from the first accepted baseline, where that is more than its rules allow.
void note_drift(CaseReport& report, const config::Case& spec, const BaselinePair& pair,
                const std::string& today) {
  if (!pair.file || !pair.file->baseline.first) return;
  if (const auto drift = drift_of(spec, *pair.file, pair.after, today, 1))
    report.notes.push_back(plain_note(say({"drift: {}", "漂移：{}"}, drift->text)));
}

// A run that did not end well is not green, whatever it printed before.
void judge_end(CaseReport& report, const Baseline& after) {
  if (after.provenance.ended_well || report.verdict != Verdict::passed) return;
  report.verdict = Verdict::incomplete;
  report.reason = say({"its script did not end well", "脚本没有正常结束"});
}

}  // namespace

Answer<Diff> diff(const Suite& suite, const std::vector<std::string>& words, const std::string& run,
                  Moment now) {
  GATE_TRY(const std::vector<BaselinePair> pairs, find_pairs(suite, words, run));
  Diff diff;
  diff.report.gate_version = GATE_VERSION;
  diff.report.suite = suite.name;
  diff.report.command = "diff";
  diff.report.started = diff.report.finished = to_iso(now);
  for (const BaselinePair& pair : pairs) {
    if (pair.after.runs.empty()) continue;
    GATE_TRY(const config::Case spec, case_of(suite, pair.after.case_name));
    diff.report.cases.push_back(
        judge_candidate(spec, pair.before, pair.after, diff.report.started.substr(0, 10)));
    judge_end(diff.report.cases.back(), pair.after);
    note_drift(diff.report.cases.back(), spec, pair, diff.report.started.substr(0, 10));
    add_rows(diff.rows, diff.report.cases.back(),
             with_derived(spec, pair.before.reference, pair.after.platform, {}),
             with_derived(spec, make_reference(pair.after, ""), pair.after.platform, {}));
  }
  diff.report.triage = judge::triage(diff.report.cases);
  diff.report.exit_code = exit_code_of(diff.report);
  return diff;
}

}  // namespace gate::app
