#include "gate/suite/history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"
#include "gate/judge/trend.h"
#include "gate/model/rules/grammar.h"
#include "gate/schema/history_file.h"
#include "gate/schema/result_file.h"
#include "gate/store/history.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"
#include "suite/history/suite_trend.h"

namespace gate::app {

namespace {

std::optional<double> finite_number(const std::optional<Value>& value) {
  const double number = is_finite(value) ? value->number.to_double() : NAN;
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

RememberedCheck check_of(const Check& check) {
  const bool each = check.reduce == Reduce::each;
  return {{check.rule, check.metric, check.rank, check.unit, check.window ? to_string(*check.window) : "",
           check.reduce ? std::string(to_string(*check.reduce)) : ""},
          check.status,
          to_string(check.tolerance),
          each ? check.mean : finite_number(check.actual),
          each ? check.baseline_mean : finite_number(check.baseline),
          check.kind,
          check.better};
}

RememberedCase remembered_case(const CaseReport& report) {
  RememberedCase one{report.name, report.verdict,  report.reason.english(), report.place(),
                     "",          report.duration, join(report.hosts, ", ")};
  if (!report.baselines.empty()) one.baseline_sha256 = report.baselines.front().sha256;
  one.ran_on = report.ran_on;
  one.device_time = report.device_time.value_or(Duration{});
  one.device_time_saved = report.device_time_saved.value_or(Duration{});
  for (const Check& check : report.checks)
    if (check.compared > 0 || check.test) one.checks.push_back(check_of(check));
  return one;
}

// What is like what: a run is held against the latest one before that has the same.
struct RunLikeness {
  std::string commit, baseline, host;
  EnvironmentFacts ran_on;
  auto operator<=>(const RunLikeness&) const = default;
};

// Adds up the judged runs of a case, oldest first.
class RunCounts {
 public:
  void add(const CasePoint& point) {
    const bool is_green = point.verdict == Verdict::passed;
    like_.push_back(take_latest_like(point));
    green_.push_back(is_green);
    HostCount& host = hosts_[point.host];
    ++host.runs;
    host.red += is_green ? 0 : 1;
  }

  void put_into(CaseTrend& trend) const {
    trend.counted = green_.size();
    trend.green = static_cast<std::size_t>(std::ranges::count(green_, true));
    trend.flips = judge::flips_of(green_, like_);
    for (const auto& [name, host] : hosts_) trend.hosts.push_back({name, host.runs, host.red});
  }

 private:
  // Return the latest run before that is like this one, which is the latest from now on. Of a log that was
  // imported nobody knows whether any is.
  std::optional<std::size_t> take_latest_like(const CasePoint& point) {
    if (point.host.empty() && point.commit.empty()) return std::nullopt;
    const auto [latest, is_new] = latest_.try_emplace(
        RunLikeness{point.commit, point.baseline_sha256, point.host, point.ran_on}, green_.size());
    return is_new ? std::nullopt : std::optional(std::exchange(latest->second, green_.size()));
  }

  std::map<std::string, HostCount> hosts_;
  std::map<RunLikeness, std::size_t> latest_;
  std::vector<bool> green_;
  std::vector<std::optional<std::size_t>> like_;
};

EnvironmentChange change_between(const CasePoint& from, const CasePoint& to, std::size_t at) {
  EnvironmentChange change{.at = at, .changes = environment_changes(from.ran_on, to.ran_on)};
  if (from.host != to.host)
    change.host = FactChange{"host", printable(from.host, 60), printable(to.host, 60)};
  change.is_flip = (from.verdict == Verdict::passed) != (to.verdict == Verdict::passed) &&
                   from.commit == to.commit && from.baseline_sha256 == to.baseline_sha256;
  return change;
}

void count_runs(CaseTrend& trend) {
  RunCounts counts;
  const CasePoint* before = nullptr;
  const std::vector<CasePoint>& runs = trend.history.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!was_judged(runs[i])) continue;
    counts.add(runs[i]);
    if (before != nullptr)
      if (EnvironmentChange change = change_between(*before, runs[i], i);
          !change.changes.empty() || change.host)
        trend.environment.push_back(std::move(change));
    before = &runs[i];
  }
  counts.put_into(trend);
}

// Nothing where the latest judged run is green.
std::optional<RedSince> red_since(const std::vector<CasePoint>& runs) {
  RedSince red;
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (!was_judged(runs[i])) continue;
    if (runs[i].verdict == Verdict::passed) {
      red.green = i;
      break;
    }
    red.first = i;
    ++red.runs;
  }
  return red.runs > 0 ? std::optional(red) : std::nullopt;
}

void note_baseline(Trend& trend, std::optional<double> baseline) {
  if (!baseline) return;
  if (!trend.first_baseline) trend.first_baseline = baseline;
  if (trend.baseline != baseline) ++trend.baselines;
  trend.baseline = baseline;
}

// Of what a run did not reach the end of, the value is of other steps than those of the other runs.
bool lacks_steps(CheckStatus status) {
  return status == CheckStatus::missing || status == CheckStatus::undecided;
}

// `counted` tells of each run whether it counts.
Trend metric_trend(const TrendSeries& series, const std::vector<bool>& counted) {
  Trend trend;
  trend.key = series.key;
  trend.tolerance = series.tolerance;
  trend.kind = series.kind;
  trend.better = series.better;
  trend.runs.reserve(series.points.size());
  trend.values.reserve(series.points.size());
  trend.baselines_beside.reserve(series.points.size());
  for (const TrendPoint& point : series.points) {
    if (!counted[point.run] || !point.value || lacks_steps(point.status)) continue;
    trend.runs.push_back(point.run);
    trend.values.push_back(*point.value);
    trend.baselines_beside.push_back(point.baseline);
    note_baseline(trend, point.baseline);
  }
  judge::LevelFit fit =
      judge::fit_levels(trend.values, parse_tolerance(trend.tolerance).value_or(Tolerance()));
  trend.least = fit.least;
  take_fit(trend, std::move(fit));
  return trend;
}

// Of many runs each series takes a while and much memory, and none hangs on another.
std::vector<Trend> metric_trends(CaseHistory& history) {
  constexpr std::size_t many = 20'000;  // runs
  std::vector<bool> counted;
  for (const CasePoint& run : history.runs) counted.push_back(is_counted(run));
  std::vector<Trend> trends(history.series.size());
  in_parallel(trends.size(), history.runs.size() < many ? 1 : usual_threads(), [&](std::size_t i) {
    trends[i] = metric_trend(std::exchange(history.series[i], {}), counted);
  });
  std::erase_if(trends, [](const Trend& one) { return one.values.empty(); });
  return trends;
}

bool is_red_test(CheckStatus status) { return status == CheckStatus::fail || status == CheckStatus::error; }

// What is known of a test, and the last run that it was in; nothing of what has values, and so is no test.
std::optional<std::pair<TestTrend, std::size_t>> test_trend(const TrendSeries& series,
                                                            const std::vector<CasePoint>& runs) {
  if (series.key.rule != test_rule) return std::nullopt;
  std::optional<std::pair<TestTrend, std::size_t>> found;
  for (const TrendPoint& point : series.points) {
    if (!is_counted(runs[point.run])) continue;
    const bool is_first = !found;
    if (is_first) found = {{series.key.metric, point.status, point.run}, point.run};
    TestTrend& trend = found->first;
    if (is_red_test(trend.status) != is_red_test(point.status)) trend.since = point.run;
    trend.status = point.status;
    trend.runs += point.status == CheckStatus::skipped ? 0 : 1;
    trend.red += is_red_test(point.status) ? 1 : 0;
    found->second = point.run;
  }
  return found;
}

// A test that is gone is left out.
std::vector<TestTrend> test_trends(const CaseHistory& history) {
  std::vector<std::pair<TestTrend, std::size_t>> all;
  std::size_t latest = 0;
  for (const TrendSeries& series : history.series)
    if (auto one = test_trend(series, history.runs)) {
      latest = std::max(latest, one->second);
      all.push_back(std::move(*one));
    }
  std::vector<TestTrend> tests;
  for (auto& [trend, last] : all)
    if (last == latest) tests.push_back(std::move(trend));
  return tests;
}

Answer<store::History> open(const Suite& suite) {
  const fs::Path path = history_path(suite);
  if (!fs::exists(path)) return refused(path.string() + ": no history yet; gate run writes it");
  return or_usage(store::History::open(path));
}

// Tell whether the word means the case: its name, a glob of it, or the case whose variant it is.
bool is_meant_by(const std::string& word, const std::string& name) {
  return word == name || glob_match(word, name) || word == config::base_in(name);
}

bool is_on_platform(const store::CaseKey& key, const HistoryQuery& query) {
  return query.platform.empty() || query.platform == key.platform ||
         key.platform.starts_with(query.platform + "@");
}

bool is_asked(const CaseTrend& trend, const HistoryQuery& query) {
  return query.words.empty() || std::ranges::any_of(query.words, [&](const std::string& word) {
           return is_meant_by(word, trend.history.name);
         });
}

// The suite's starts are those of all its cases; what else is told is of those that were asked for.
void leave_asked(SuiteTrend& trend, const HistoryQuery& query) {
  SuiteTrend asked = std::move(trend);
  trend = {{}, std::move(asked.runs), {}, std::move(asked.starts), std::move(asked.latest)};
  for (std::size_t i = 0; i < asked.cases.size(); ++i) {
    if (!is_asked(asked.cases[i], query)) continue;
    trend.cases.push_back(std::move(asked.cases[i]));
    trend.cells.push_back(std::move(asked.cells[i]));
  }
}

// Asks git once for each commit, and about hashes alone: imported runs may name anything.
class CommitTeller {
 public:
  explicit CommitTeller(const fs::Path& folder) : folder_(folder) {}

  ToldCommit tell(const std::string& id) {
    if (!is_commit(id)) return {id, "", ""};
    const auto [at, is_new] = known_.try_emplace(id, ToldCommit{id, "", ""});
    if (is_new) ask(at->second);
    return at->second;
  }

 private:
  void ask(ToldCommit& commit) const {
    const ToolAnswer answer =
        ask_git(folder_, {"show", "-s", "--no-show-signature", "--format=%as%n%s", commit.id, "--"});
    if (answer.exit_code != 0) return;
    const std::vector<std::string_view> lines = split(answer.output, '\n');
    commit.date = lines[0];
    if (lines.size() > 1) commit.subject = lines[1];
  }

  const fs::Path& folder_;
  std::map<std::string, ToldCommit> known_;
};

// Return the line that finds the commit between good and bad, for the shell; "" where git knows none of
// either. git bisect begins at the top of the repository.
std::string bisect_line(const fs::Path& root, const std::string& name, const RedSince& red) {
  const ToldCommit &bad = red.first_commit, &good = red.green_commit;
  if (bad.date.empty() || good.date.empty() || bad.id == good.id) return "";
  const auto is_ancestor = ask_git(root, {"merge-base", "--is-ancestor", good.id, bad.id});
  if (is_ancestor.exit_code != 0) return "";  // git would refuse
  const fs::Path top = git_root(root), below = root.lexically_relative(top);
  const bool is_top = below.empty() || below == ".";
  const std::string start =
      "git bisect start " + short_commit(bad.id) + " " + short_commit(good.id) + " && git bisect run gate " +
      (is_top ? "" : "-C " + shell_quote(below.string()) + " ") + "run " + shell_quote(name) + " --bisect";
  return is_top ? start : "(cd \"$(git rev-parse --show-toplevel)\" && " + start + ")";
}

void tell_commits(CaseTrend& trend, CommitTeller& commits, const fs::Path& root) {
  if (!trend.red) return;
  RedSince& red = *trend.red;
  red.first_commit = commits.tell(trend.history.runs[red.first].commit);
  if (red.green) red.green_commit = commits.tell(trend.history.runs[*red.green].commit);
  red.bisect = bisect_line(root, trend.history.name, red);
}

Answer<void> check_query(const HistoryQuery& query, const std::vector<store::CaseKey>& keys) {
  const auto names = texts_of(keys, &store::CaseKey::name);
  for (const std::string& word : query.words)
    if (std::ranges::none_of(names, [&](const auto& name) { return is_meant_by(word, name); }))
      return usage(word + ": not in the history" + did_you_mean(word, names));
  return {};
}

std::string none_since(const Suite& suite, const HistoryQuery& query) {
  const std::string cases = query.words.empty() ? "" : " of " + join(query.words, ", ");
  return history_path(suite).string() + ": no run" + cases + " since " + query.since;
}

}  // namespace

fs::Path history_path(const Suite& suite) {
  const std::string& configured = suite.policy.history();
  return configured.empty() ? suite.root / ".gate" / "history.db" : suite.root / configured;
}

RememberedRun remembered(const Report& report, const std::string& suite) {
  RememberedRun run{report.uid,
                    report.run,
                    suite,
                    report.command,
                    report.host,
                    report.commit,
                    report.started,
                    report.duration,
                    report.exit_code,
                    !std::ranges::all_of(report.set, config::is_limit),
                    {},
                    device_use_of(report).devices};
  for (const CaseReport& one : report.cases) {
    run.altered |= !one.args.empty();
    const bool has_run = one.outcome ? was_launched(*one.outcome) : report.command == "check";
    if (has_run) run.cases.push_back(remembered_case(one));
  }
  return run;
}

CaseTrend trend_of(CaseHistory history) {
  CaseTrend trend;
  trend.history = std::move(history);
  count_runs(trend);
  trend.red = red_since(trend.history.runs);
  trend.tests = test_trends(trend.history);
  trend.trends = metric_trends(trend.history);
  trend.history.series.clear();
  return trend;
}

Answer<SuiteTrend> trends(const Suite& suite, const HistoryQuery& query) {
  GATE_TRY(const store::History history, open(suite));
  GATE_TRY(const auto keys, or_usage(history.cases(suite.policy.name())));
  if (keys.empty()) return refused(history_path(suite).string() + ": no run of this suite yet");
  GATE_TRY_STATUS(check_query(query, keys));
  std::vector<CaseTrend> all;
  bool is_on_any = false;
  for (const store::CaseKey& key : keys) {
    if (!is_on_platform(key, query)) continue;
    GATE_TRY(auto read, or_usage(history.read(key, query.last, query.since)));
    is_on_any = true;
    if (!read.runs.empty()) all.push_back(trend_of(std::move(read)));
  }
  if (!is_on_any) return usage("--platform " + query.platform + ": no case of the history ran on it");
  SuiteTrend trend = suite_trend(std::move(all));
  leave_asked(trend, query);
  if (trend.cases.empty()) return refused(none_since(suite, query));
  trend.by = query.by;
  const std::string since = trend.runs.empty() ? query.since : trend.runs.front().started;
  if (query.words.empty()) {
    GATE_TRY(trend.device_use, or_usage(history.device_use(suite.policy.name(), since)));
  }
  CommitTeller commits(suite.root);
  for (CaseTrend& one : trend.cases) {
    tell_commits(one, commits, suite.root);
    one.can_leave_quarantine = green_in_quarantine(suite, one.history.name, one.history.platform);
    if (query.by != RunsBy::nothing) one.groups = groups_of(one, query.by);
  }
  return trend;
}

Answer<void> export_history(const Suite& suite, const std::function<void(std::string_view)>& on_line) {
  GATE_TRY(const store::History history, open(suite));
  const Status read =
      history.each_run([&](const RememberedRun& run) { on_line(schema::write_history_line(run)); });
  return read ? Answer<void>() : usage(read.error());
}

bool holds_runs(std::string_view text) {
  constexpr std::size_t head = 200;  // in which a document names its schema
  return schema::is_history(text) ||
         (text.starts_with('{') && text.substr(0, head).find("\"gate.result/") != std::string_view::npos);
}

Result<std::vector<RememberedRun>> runs_in(const Suite& suite, const std::string& text,
                                           const std::string& file) {
  if (schema::is_history(text)) return schema::read_history(text, file);
  GATE_TRY(Report report, schema::read_result(text, file));
  if (report.rehearsal) return fail(file + ": a rehearsal, which is kept out of the history");
  if (report.uid.empty()) report.uid = fs::sha256(text).substr(0, 32);  // of a gate that gave none
  return std::vector<RememberedRun>{remembered(report, suite.policy.name())};
}

Answer<void> remember(const Suite& suite, const std::vector<RememberedRun>& runs) {
  if (const Status made = store::make_gate_folder(suite.layout); !made) return infra(made.error());
  GATE_TRY(store::History history, or_usage(store::History::open(history_path(suite))));
  if (const Status added = history.add(runs); !added) return infra(added.error());
  return {};
}

Answer<std::int64_t> prune_history(const Suite& suite, std::int64_t keep) {
  GATE_TRY(store::History history, open(suite));
  return or_infra(history.prune(keep));
}

}  // namespace gate::app
