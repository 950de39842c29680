#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/candidate_source.h"
#include "app/case_judge.h"
#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"

namespace gate::app {

namespace {

// One case, before and after.
struct Pair {
  Reference before;
  std::vector<BaselineUsed> before_files;
  Baseline after;
};

using Runs = std::vector<Series>;  // of one metric and rank

// Values that are all alike are their own mean, to the last digit.
double mean(const std::vector<double>& values) {
  const bool alike = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  if (alike && !values.empty()) return values.front();
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? std::nan("") : sum / static_cast<double>(values.size());
}

// Return the mean of the runs at each number.
std::vector<double> values_at(const Runs& runs, const std::vector<std::int64_t>& numbers) {
  std::vector<double> values;
  for (const std::int64_t number : numbers) {
    std::vector<double> of_runs;
    for (const Series& series : runs) of_runs.push_back(series.find(number)->value.number.to_double());
    values.push_back(mean(of_runs));
  }
  return values;
}

bool all_finite_at(const Runs& runs, std::int64_t number) {
  return std::all_of(runs.begin(), runs.end(), [&](const Series& series) {
    const Sample* sample = series.find(number);
    return sample != nullptr && sample->value.is_finite();
  });
}

std::vector<std::int64_t> common_numbers(const Runs& a, const Runs& b) {
  std::vector<std::int64_t> numbers;
  for (const Sample& sample : a.front().samples())
    if (all_finite_at(a, sample.number) && all_finite_at(b, sample.number)) numbers.push_back(sample.number);
  return numbers;
}

std::string count_of_runs(const Runs& before, const Runs& after) {
  const std::size_t was = before.size(), is = after.size();
  return was == 1 && is == 1 ? "" : ", runs " + std::to_string(was) + " -> " + std::to_string(is);
}

std::string largest_deviation(const std::vector<std::int64_t>& numbers, const std::vector<double>& before,
                              const std::vector<double>& after) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::abs(after[i] - before[i]) > std::abs(after[worst] - before[worst])) worst = i;
  if (numbers.empty()) return "";
  return fmt::format("{:+.6g} at {}", after[worst] - before[worst], numbers[worst]);
}

std::string change_of(double before, double after) {
  if (before == 0 || std::isnan(before) || std::isnan(after)) return "";
  return fmt::format("{:+.2f} %", (after - before) / std::abs(before) * 100);
}

std::string status_of(const CaseReport& report, const Series& series) {
  std::string status = "not gated";
  for (const Check& check : report.checks)
    if (check.metric == series.metric() && check.rank == series.rank()) {
      status = to_string(check.status);
      if (check.status != CheckStatus::pass) break;
    }
  return status;
}

DiffRow compare(const CaseReport& report, const Runs& before, const Runs* after) {
  const Series& series = before.front();
  DiffRow row{report.name, label(series), "", "", "", "", "", status_of(report, series)};
  if (after == nullptr) {
    row.after = "absent";
    return row;
  }
  const std::vector<std::int64_t> numbers = common_numbers(before, *after);
  const std::vector<double> was = values_at(before, numbers), is = values_at(*after, numbers);
  row.steps =
      std::string(to_string(series.numbered())) + " " + ranges(numbers) + count_of_runs(before, *after);
  row.before = fmt::format("{:.6g}", mean(was));
  row.after = fmt::format("{:.6g}", mean(is));
  row.change = change_of(mean(was), mean(is));
  row.largest = largest_deviation(numbers, was, is);
  return row;
}

const Runs* runs_of(const Reference& reference, const Series& like) {
  for (const ReferenceSeries& series : reference.series)
    if (series.runs.front().metric() == like.metric() && series.runs.front().rank() == like.rank())
      return &series.runs;
  return nullptr;
}

void add_rows(Diff& diff, const CaseReport& report, const Reference& was, const Reference& is) {
  for (const ReferenceSeries& before : was.series)
    diff.rows.push_back(compare(report, before.runs, runs_of(is, before.runs.front())));
  for (const ReferenceSeries& fresh : is.series)
    if (const Series& series = fresh.runs.front(); runs_of(was, series) == nullptr)
      diff.rows.push_back({report.name, label(series), "", "absent", "new", "", "", ""});
}

Answer<Pair> against_present(const Suite& suite, const Baseline& candidate) {
  const auto files = store::read_baselines(suite.layout, candidate.case_name, candidate.platform);
  if (!files) return usage(files.error());
  const JudgedAgainst against = judged_against(*files);
  return Pair{against.reference, against.files, candidate};
}

Answer<std::string> git_show(const Suite& suite, const std::string& ref, const std::string& path,
                             Machine& machine) {
  std::string text;
  launch::Job job;
  job.argv = {"git", "show", ref + ":./" + path};
  job.cwd = suite.root.string();
  job.has_steps = false;
  job.cookie = "git." + std::to_string(machine.now().time_since_epoch().count());
  job.on_output = [&](std::string_view bytes) {
    text += bytes;
    return launch::Pulse{};
  };
  job.interrupted = machine.interrupted;
  const Result<launch::Ending> ending = machine.runner.run(job);
  if (!ending) return infra(ending.error());
  if (!ended_well(ending->outcome)) return usage("git show " + ref + ": " + printable(trim(text)));
  return text;
}

// What the baselines were at a git ref against what they are: before and after of a review.
Answer<std::vector<Pair>> since_ref(const Suite& suite, const std::string& ref, Machine& machine) {
  std::vector<Pair> pairs;
  for (const config::Case& the_case : suite.cases) {
    for (const std::string& platform : store::baseline_platforms(suite.layout, the_case.name)) {
      const std::string path = store::baseline_path(suite.layout, the_case.name, platform);
      const Answer<std::string> text = git_show(suite, ref, path, machine);
      if (!text && text.error().message.find("exists on disk, but not in") != std::string::npos) continue;
      if (!text) return tl::unexpected(text.error());
      const Result<Baseline> before = schema::read_baseline(*text, ref + ":" + path);
      if (!before) return usage(before.error());
      const auto files = store::read_baselines(suite.layout, the_case.name, platform);
      if (!files) return usage(files.error());
      pairs.push_back(
          {make_reference(*before, ref + ":" + path), {{ref + ":" + path, ""}}, files->front().baseline});
    }
  }
  return pairs;
}

Answer<std::vector<Pair>> candidates_against_present(const Suite& suite,
                                                     const std::vector<std::string>& words,
                                                     const std::string& run) {
  const Answer<std::vector<Baseline>> candidates = read_candidates(suite, words, run);
  if (!candidates) return tl::unexpected(candidates.error());
  std::vector<Pair> pairs;
  for (const Baseline& candidate : *candidates) {
    Answer<Pair> pair = against_present(suite, candidate);
    if (!pair) return tl::unexpected(pair.error());
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

// A single word may be a case, a run or a git ref; the first that it is.
Answer<std::vector<Pair>> find_pairs(const Suite& suite, const std::vector<std::string>& words,
                                     const std::string& run, Machine& machine) {
  const bool selects = words.empty() || config::select(words, suite.found).has_value();
  if (selects || !run.empty()) return candidates_against_present(suite, words, run);
  const std::string& word = words.front();
  if (words.size() == 1 && store::find_run(suite.root, word))
    return candidates_against_present(suite, {}, word);
  if (words.size() == 1 && !is_glob(word) && !word.starts_with("-")) {
    Answer<std::vector<Pair>> pairs = since_ref(suite, word, machine);
    if (pairs) return pairs;
  }
  return usage(config::select(words, suite.found).error().message + " (nor is it a run or a git ref)");
}

// The candidate's first run is judged, its speed by the mean of all.
CaseReport judge_pair(const config::Case& the_case, const Pair& pair, const std::string& today) {
  const std::vector<Extraction> runs = as_extractions(pair.after, "candidate");
  std::vector<const Extraction*> further;
  for (std::size_t i = 1; i < runs.size(); ++i) further.push_back(&runs[i]);
  return judge_case(the_case, {pair.before, pair.before_files}, runs.front(), std::nullopt,
                    pair.after.platform, today, {}, further);
}

}  // namespace

Answer<Diff> diff(const Suite& suite, const std::vector<std::string>& words, const std::string& run,
                  Machine& machine) {
  const Answer<std::vector<Pair>> pairs = find_pairs(suite, words, run, machine);
  if (!pairs) return tl::unexpected(pairs.error());
  Diff diff;
  diff.report.gate_version = GATE_VERSION;
  diff.report.suite = suite.name;
  diff.report.command = "diff";
  diff.report.started = diff.report.finished = to_iso(machine.now());
  for (const Pair& pair : *pairs) {
    const config::Case* the_case = suite.find(pair.after.case_name);
    if (the_case == nullptr || pair.after.runs.empty()) continue;
    diff.report.cases.push_back(judge_pair(*the_case, pair, diff.report.started.substr(0, 10)));
    add_rows(diff, diff.report.cases.back(), with_derived(*the_case, pair.before, {}),
             with_derived(*the_case, make_reference(pair.after, ""), {}));
  }
  diff.report.exit_code = exit_code_of(diff.report);
  return diff;
}

}  // namespace gate::app
