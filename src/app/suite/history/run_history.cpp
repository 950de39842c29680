#include "gate/suite/run_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "gate/base/text.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"
#include "gate/suite/history.h"
#include "suite/history/suite_trend.h"

namespace gate::app {

namespace {

// Asks git once for each commit, and about hashes alone: imported runs may name anything.
class CommitCounter {
 public:
  CommitCounter(const fs::Path& checkout, std::string to, const AskTool& ask)
      : checkout_(checkout), to_(std::move(to)), ask_(ask) {}

  // Say how many commits ago that one was, and what it was for.
  void add_commit(GreenUntil& green) {
    if (!is_commit(green.commit) || !is_commit(to_)) return;
    const auto [at, is_new] = known_.try_emplace(green.commit);
    if (is_new) at->second = {count_commits(green.commit), subject_of(green.commit)};
    std::tie(green.commits, green.subject) = at->second;
  }

 private:
  std::string subject_of(const std::string& commit) const {
    const ToolAnswer answer = ask_(git_words(checkout_, {"log", "-1", "--format=%s", commit, "--"}));
    return answer.exit_code == 0 ? std::string(trim(answer.output)) : "";
  }
  std::optional<std::int64_t> count_commits(const std::string& from) const {
    const ToolAnswer answer = ask_(git_words(checkout_, {"rev-list", "--count", from + ".." + to_, "--"}));
    return answer.exit_code == 0 ? parse_integer(trim(answer.output)) : std::nullopt;
  }

  const fs::Path& checkout_;
  std::string to_;
  const AskTool& ask_;
  std::map<std::string, std::pair<std::optional<std::int64_t>, std::string>> known_;
};

constexpr std::size_t looked_at = 200;  // runs of each case

// Among thousands of series the one false alarm in a hundred that `gate history` allows would be a note in
// every run.
constexpr double clear_gain = 30;

// Return the change with which the metric began to drift since its baseline was accepted, or nullptr where it
// did not, or not clearly.
const Change* drift_begin(const Trend& series) {
  if (series.changes.empty()) return nullptr;
  const std::size_t last = series.values.size() - 1, begin = baseline_begin(series, last);
  if (!has_drifted(series, begin, last)) return nullptr;
  const bool is_up = series.levels[last] > series.levels[begin];
  const auto found = std::ranges::find_if(series.changes, [&](const Change& change) {
    const bool is_kept = change.shape == ChangeShape::step || change.shape == ChangeShape::ramp;
    return is_kept && change.until > begin && (change.after > change.before) == is_up;
  });
  return found == series.changes.end() || found->gain < clear_gain ? nullptr : &*found;
}

Sentence drift_words(const Trend& series, const CaseTrend& trend) {
  const Change* const change = drift_begin(series);
  if (change == nullptr) return {};
  const std::size_t last = series.values.size() - 1, begin = baseline_begin(series, last);
  const std::string rank = series.key.rank ? " rank " + std::to_string(*series.key.rank) : "";
  const double before = series.levels[begin];
  if (before == 0) return {};
  return say({"{}{}: {}moved {:+.2g} % since run {}, within {}: gate history {}",
              "{0}{1}：自运行 {4} 起{2}变化 {3:+.2g} %，在 {5} 以内：gate history {6}"},
             series.key.metric, rank,
             change->shape == ChangeShape::ramp ? say({"evenly ", "均匀"}) : Sentence(),
             (series.levels[last] - before) / std::abs(before) * 100,
             trend.history.runs[series.runs[change->at]].run, series.tolerance, trend.history.name);
}

bool knows_of_start(const CaseTrend& trend, const std::string& metric, const SuiteRun& start) {
  const auto series =
      std::ranges::find(trend.trends, metric, [](const Trend& one) { return one.key.metric; });
  if (series == trend.trends.end()) return false;
  const auto at = std::ranges::find_if(series->runs, [&](std::size_t run) {
    const CasePoint& point = trend.history.runs[run];
    return std::tie(point.started, point.number) >= std::tie(start.started, start.number);
  });
  return at != series->runs.end() && at != series->runs.begin() &&
         has_baseline_since(*series, static_cast<std::size_t>(at - series->runs.begin()));
}

// Return the better side of the metric as the first case that has it says.
Better better_side(const SuiteTrend& suite, const std::string& metric) {
  for (const CaseTrend& one : suite.cases)
    for (const Trend& trend : one.trends)
      if (trend.key.metric == metric) return trend.better;
  return Better::none;
}

// Where the whole suite has drifted for the worse since its baselines were accepted, each case need not say
// it.
std::vector<Sentence> suite_drift_words(const SuiteTrend& suite) {
  std::vector<Sentence> lines;
  for (const SuiteStart& start : suite.starts) {
    if (start.gain.value_or(0) < clear_gain) continue;
    const SuiteRun& run = suite.runs[start.at];
    for (const MetricTriage& metric : start.triage.metrics) {
      if (!is_worse(better_side(suite, metric.metric), 0, metric.median) ||
          std::ranges::any_of(suite.cases,
                              [&](const CaseTrend& one) { return knows_of_start(one, metric.metric, run); }))
        continue;
      lines.push_back(say({"{}: {} of {} cases moved together, {:+.2g} % since run {}: gate history",
                           "{0}：自运行 {4} 起，{2} 个用例中有 {1} 个一起变化 {3:+.2g} %：gate history"},
                          metric.metric, metric.together, metric.cases, metric.median, run.run));
    }
  }
  return lines;
}

}  // namespace

RunHistory RunHistory::open(const Suite& suite, Missing missing) {
  RunHistory opened;
  opened.suite_ = suite.policy.name();
  const fs::Path path = history_path(suite);
  if (missing == Missing::left && !fs::exists(path)) return opened;
  Result<store::History> history = store::History::open(path);
  if (history) opened.history_ = std::move(*history);
  if (!history) opened.status_ = fail("not remembered: " + history.error().message);
  return opened;
}

Duration RunHistory::expected(const std::string& case_name, const std::string& place) const {
  if (!history_) return {};
  auto durations = history_->durations({suite_, case_name, place});
  if (!durations || durations->empty()) return {};
  std::ranges::sort(*durations);
  return (*durations)[durations->size() / 2];
}

std::map<std::string, Duration> RunHistory::longest_expected() const {
  std::map<std::string, Duration> longest;
  const auto keys = history_ ? history_->cases(suite_) : Result<std::vector<store::CaseKey>>();
  if (!keys) return longest;
  for (const store::CaseKey& key : *keys)
    longest[key.name] = std::max(longest[key.name], expected(key.name, key.platform));
  return longest;
}

void RunHistory::add_green_until(Report& report, const fs::Path& checkout, const AskTool& ask) const {
  if (!history_) return;
  CommitCounter counter(checkout, report.commit, ask);
  for (CaseReport& one : report.cases) {
    if (!is_failure(one.verdict) || one.verdict == Verdict::interrupted) continue;
    const auto green = history_->last_green({suite_, one.name, one.place()}, report.uid);
    if (!green) continue;
    if (const auto& point = green->point)
      counter.add_commit(one.green_until.emplace(
          GreenUntil{point->run, point->commit, point->started, green->runs_since + 1, std::nullopt}));
    else if (green->runs_since > 0)
      one.green_until = {"", "", "", green->runs_since, std::nullopt};
  }
}

void RunHistory::add_drift(Report& report, const Suite& suite) const {
  if (!history_) return;
  std::vector<CaseTrend> trends;
  for (const CaseReport& one : report.cases) {
    if (one.verdict != Verdict::passed || suite.find(one.name) == nullptr) continue;
    if (auto history = history_->read({suite_, one.name, one.place()}, looked_at))
      trends.push_back(trend_of(std::move(*history)));
  }
  const SuiteTrend all = suite_trend(std::move(trends));
  for (const Sentence& words : suite_drift_words(all)) report.notes.push_back(words);
  for (const CaseTrend& trend : all.cases) {
    const auto one = std::ranges::find_if(report.cases, [&](const CaseReport& report_of_case) {
      return report_of_case.name == trend.history.name && report_of_case.place() == trend.history.platform;
    });
    for (const Trend& series : trend.trends)
      if (const Sentence words = drift_words(series, trend); !words.empty())
        one->notes.push_back(plain_note(words));
  }
}

void RunHistory::add(const Report& report) {
  if (!history_) return;
  const std::vector<RememberedRun> runs{remembered(report, suite_)};
  if (const Status added = history_->add(runs); !added)
    status_ = fail("not remembered: " + added.error().message);
}

}  // namespace gate::app
