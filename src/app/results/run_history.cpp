#include "app/results/run_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "gate/app/git.h"
#include "gate/app/git_commit.h"
#include "gate/app/history.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

// Asks git once for each commit, and about hashes alone: imported runs may name anything.
class CommitCounter {
 public:
  CommitCounter(const fs::Path& checkout, std::string to, Host& host)
      : checkout_(checkout), to_(std::move(to)), host_(host) {}

  std::optional<std::int64_t> commits_since(const std::string& from) {
    if (!is_commit(from) || !is_commit(to_)) return std::nullopt;
    const auto [at, is_new] = known_.try_emplace(from);
    if (is_new) at->second = count_commits(from);
    return at->second;
  }

 private:
  std::optional<std::int64_t> count_commits(const std::string& from) const {
    const ToolAnswer answer =
        host_.run_tool(git_words(checkout_, {"rev-list", "--count", from + ".." + to_, "--"}));
    return answer.exit_code == 0 ? parse_integer(trim(answer.output)) : std::nullopt;
  }

  const fs::Path& checkout_;
  std::string to_;
  Host& host_;
  std::map<std::string, std::optional<std::int64_t>> known_;
};

constexpr std::size_t looked_at = 200;  // runs of each case

// Among thousands of series the one false alarm in a hundred that `gate history` allows would be a note in
// every run.
constexpr double clear_level = 1e-4;

// A baseline that was accepted since then knows of the change.
bool has_baseline_since(const Trend& trend, std::size_t at) {
  const auto& baselines = trend.baselines_beside;
  return std::ranges::any_of(std::span(baselines).subspan(at),
                             [&](const auto& one) { return one != baselines[at - 1]; });
}

std::string drift_words(const Trend& series, const CaseTrend& trend, const MetricTable& metrics) {
  if (series.changes.empty()) return "";
  const Change& change = series.changes.back();
  const auto share = change.share();
  if (change.chance > clear_level || !share || has_baseline_since(series, change.at)) return "";
  const Better better = metrics.get(series.key.metric).better;
  if (better != Better::none && (change.after > change.before) == (better == Better::higher)) return "";
  const std::string rank = series.key.rank ? " rank " + std::to_string(*series.key.rank) : "";
  return fmt::format("{}{}: moved {:+.2g} % since run {}, within {}: gate history {}", series.key.metric,
                     rank, *share * 100, trend.history.runs[series.runs[change.at]].run, series.tolerance,
                     trend.history.name);
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

void RunHistory::add_green_until(Report& report, const fs::Path& checkout, Host& host) const {
  if (!history_) return;
  CommitCounter counter(checkout, report.commit, host);
  for (CaseReport& one : report.cases) {
    if (!is_failure(one.verdict) || one.verdict == Verdict::interrupted) continue;
    const auto green = history_->last_green({suite_, one.name, one.place()});
    if (!green) continue;
    if (const auto& point = green->point)
      one.green_until = {point->run, point->commit, point->started, green->runs_since + 1,
                         counter.commits_since(point->commit)};
    else if (green->runs_since > 0)
      one.green_until = {"", "", "", green->runs_since, std::nullopt};
  }
}

void RunHistory::add_drift(Report& report, const Suite& suite) const {
  if (!history_) return;
  for (CaseReport& one : report.cases) {
    const config::Case* spec = suite.find(one.name);
    if (one.verdict != Verdict::passed || spec == nullptr) continue;
    auto history = history_->read({suite_, one.name, one.place()}, looked_at);
    if (!history) continue;
    const CaseTrend trend = trend_of(std::move(*history));
    for (const Trend& series : trend.trends)
      if (const std::string words = drift_words(series, trend, spec->metrics); !words.empty())
        one.notes.push_back(plain_note(words));
  }
}

void RunHistory::add(const Report& report) {
  if (!history_) return;
  const std::vector<RememberedRun> runs{remembered(report, suite_)};
  if (const Status added = history_->add(runs); !added)
    status_ = fail("not remembered: " + added.error().message);
}

}  // namespace gate::app
