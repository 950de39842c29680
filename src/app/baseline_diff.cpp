#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::vector<double> values_at(const Series& series, const std::vector<std::int64_t>& numbers) {
  std::vector<double> values;
  for (const std::int64_t number : numbers)
    if (const Sample* sample = series.find(number); sample != nullptr)
      values.push_back(sample->value.number.to_double());
  return values;
}

std::vector<std::int64_t> common_numbers(const Series& a, const Series& b) {
  std::vector<std::int64_t> numbers;
  for (const Sample& sample : a.samples()) {
    const Sample* other = b.find(sample.number);
    if (other != nullptr && other->value.is_finite() && sample.value.is_finite())
      numbers.push_back(sample.number);
  }
  return numbers;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? std::nan("") : sum / static_cast<double>(values.size());
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

DiffRow compare(const CaseReport& report, const Series& before, const Series* after) {
  DiffRow row{report.name, label(before), "", "", "", "", "", status_of(report, before)};
  if (after == nullptr) {
    row.after = "absent";
    return row;
  }
  const std::vector<std::int64_t> numbers = common_numbers(before, *after);
  const std::vector<double> was = values_at(before, numbers), is = values_at(*after, numbers);
  row.steps = std::string(to_string(before.numbered())) + " " + ranges(numbers);
  row.before = fmt::format("{:.6g}", mean(was));
  row.after = fmt::format("{:.6g}", mean(is));
  row.change = change_of(mean(was), mean(is));
  row.largest = largest_deviation(numbers, was, is);
  return row;
}

void add_rows(Diff& diff, const CaseReport& report, const Pair& pair) {
  const std::vector<Series>& after = pair.after.runs.back().series;
  for (const ReferenceSeries& before : pair.before.series) {
    const Series& series = before.runs.front();
    diff.rows.push_back(compare(report, series, find_series(after, series.metric(), series.rank())));
  }
  for (const Series& series : after) {
    const auto known =
        std::any_of(pair.before.series.begin(), pair.before.series.end(), [&](const ReferenceSeries& r) {
          return r.runs.front().metric() == series.metric() && r.runs.front().rank() == series.rank();
        });
    if (!known) diff.rows.push_back({report.name, label(series), "", "absent", "new", "", "", ""});
  }
}

// With what the case computes, on both sides.
Pair with_derived(const config::Case& the_case, Pair pair) {
  pair.before = app::with_derived(the_case, std::move(pair.before), {});
  std::vector<Series>& after = pair.after.runs.back().series;
  after = app::with_derived(the_case, as_extraction(pair.after, ""), {}).series;
  return pair;
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
    diff.report.cases.push_back(judge_case(*the_case, {pair.before, pair.before_files},
                                           as_extraction(pair.after, "candidate"), std::nullopt,
                                           pair.after.platform, diff.report.started.substr(0, 10)));
    add_rows(diff, diff.report.cases.back(), with_derived(*the_case, pair));
  }
  diff.report.exit_code = exit_code_of(diff.report);
  return diff;
}

}  // namespace gate::app
