#include "render/text/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/runs/baseline.h"
#include "gate/render/history.h"
#include "render/words/downsample.h"
#include "render/words/text_page.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

std::string trend_number(double value) { return fmt::format("{:.6g}", value); }

std::string percent(double share) { return fmt::format("{:+.2g} %", share * 100); }

// Return the value with six significant digits and its unit.
std::string value_words(double value, const std::string& unit) {
  return trend_number(value) + (unit.empty() ? "" : " " + printable(unit, 40));
}

// Return the day of a moment in ISO 8601.
std::string day_of(const std::string& started) { return printable(started.substr(0, 10), 20); }

// Return `3 of 10`.
std::string share_words(std::size_t part, std::size_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

// Return `run 1121-0203 (2026-11-21, commit 9c1e2f4 of 2026-11-20 "kernel: fuse")`.
std::string point_words(const CasePoint& run, const ToldCommit& commit) {
  constexpr std::size_t longest_subject = 100;
  std::string words = "run " + printable(run.run, 60) + " (" + day_of(run.started);
  if (!run.commit.empty()) words += ", commit " + printable(short_commit(run.commit), 60);
  if (!commit.date.empty()) words += " of " + printable(commit.date, 20);
  if (!commit.subject.empty()) words += " \"" + printable(commit.subject, longest_subject) + "\"";
  return words + ")";
}

std::string from_and_to(double from, double to, const std::string& unit) {
  return trend_number(from) + " -> " + value_words(to, unit);
}

constexpr std::size_t sparkline_width = 24;
constexpr std::size_t shown_runs = 10;
constexpr std::size_t shown_hosts = 5;
constexpr std::size_t shown_tests = 40;
constexpr std::size_t shown_changes = 5;

// The trend that moved most at its latest change.
const Trend* most_moved(const CaseTrend& trend) {
  const Trend* most = nullptr;
  const auto size = [](const Trend& one) {
    return one.changes.empty() ? 0.0 : std::abs(one.changes.back().share().value_or(1));
  };
  for (const Trend& one : trend.trends)
    if (!one.changes.empty() && (most == nullptr || size(one) > size(*most))) most = &one;
  return most;
}

std::string change_in_short(const CaseTrend& trend) {
  const Trend* most = most_moved(trend);
  if (most == nullptr) return "-";
  const Change& change = most->changes.back();
  return most->key.metric + " " + moved_words(change) + " since " +
         day_of(trend.history.runs[most->runs[change.at]].started);
}

// The hosts tell where to look if verdicts flip.
void put_flips(TextPage& page, const CaseTrend& trend) {
  const bool by_environment = std::ranges::any_of(trend.environment, &EnvironmentChange::is_flip);
  if (trend.flips.flips > 0) page.wrapped("  flaky   " + flips_words(trend), 10);
  if (trend.flips.flips == 0 && !by_environment) return;
  std::vector<HostCount> hosts = trend.hosts;
  std::ranges::stable_sort(hosts, std::ranges::greater{}, &HostCount::red);
  for (std::size_t i = 0; i < hosts.size() && i < shown_hosts; ++i)
    page.wrapped((i == 0 ? "  hosts   " : "          ") + printable(hosts[i].host, 60) + "  red in " +
                     share_words(hosts[i].red, hosts[i].runs),
                 12);
}

void put_red_since(TextPage& page, const CaseTrend& trend) {
  if (!trend.red) return;
  page.wrapped("  red     " + red_words(trend), 10);
  page.wrapped("  green   " + last_green_words(trend), 10);
  if (!trend.red->bisect.empty()) page.kept("  bisect  " + trend.red->bisect);
}

void put_environment(TextPage& page, const CaseTrend& trend) {
  bool first = true;
  for (const std::string& line : environment_words(trend)) {
    page.wrapped((first ? "  ran on  " : "          ") + line, 12);
    first = false;
  }
}

// A value that never changes needs no line of its own for anything else.
void put_series(TextPage& page, const CaseTrend& trend, const Trend& one) {
  if (is_constant(one))
    page.wrapped("  " + constant_words(one), 4);
  else
    page.wrapped("  " + sparkline(one.values, sparkline_width) + "  " + name_of(one.key) + "  " +
                     value_words(one.values.back(), one.key.unit),
                 4);
  for (const Change& change : one.changes)
    page.wrapped("    " + change_words(change, trend.history.runs[one.runs[change.at]], one.key.unit), 6);
  if (const std::string words = baseline_words(one); !words.empty()) page.wrapped("    " + words, 6);
}

std::string test_line(const CaseTrend& trend, const TestTrend& test) {
  const CasePoint& run = trend.history.runs[test.since];
  const std::string_view now = test.status == CheckStatus::fail    ? "fails"
                               : test.status == CheckStatus::error ? "cannot be run"
                               : test.status == CheckStatus::pass  ? "passes"
                                                                   : "is skipped";
  const std::string commit = run.commit.empty() ? "" : ", commit " + short_commit(run.commit);
  return printable(test.name) + "  " + std::string(now) + " since run " + printable(run.run, 60) + " (" +
         day_of(run.started) + printable(commit, 60) + "), red in " + share_words(test.red, test.runs);
}

// Of each kind the metric that is to be looked at: one that has changed, else the first that is no constant.
// Those that have changed come first.
std::vector<const Trend*> main_trends(const CaseTrend& trend) {
  std::vector<const Trend*> found;
  const MetricTable metrics;
  for (const MetricKind kind : {MetricKind::accuracy, MetricKind::speed, MetricKind::memory}) {
    const Trend* best = nullptr;
    for (const Trend& one : trend.trends) {
      if (metrics.get(one.key.metric).kind != kind || is_constant(one)) continue;
      if (best == nullptr || (best->changes.empty() && !one.changes.empty())) best = &one;
    }
    if (best != nullptr) found.push_back(best);
  }
  std::ranges::stable_sort(found, {}, [](const Trend* one) { return one->changes.empty(); });
  return found;
}

// Return `2026-11-21 02:03`.
std::string minute_of(const std::string& started) {
  std::string words = started.substr(0, std::string_view("2026-11-21T02:03").size());
  std::ranges::replace(words, 'T', ' ');
  return words;
}

std::string value_at(const Trend& one, std::size_t run) {
  const auto at = std::ranges::find(one.runs, run);
  return at == one.runs.end()
             ? "-"
             : fmt::format("{:.5g}", one.values[static_cast<std::size_t>(at - one.runs.begin())]);
}

int width_of_rows(const TextRows& rows) {
  int width = -2;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    int widest = 0;
    for (const TextRow& row : rows) widest = std::max(widest, columns(printable(row[column])));
    width += widest + 2;
  }
  return width;
}

void drop_last_column(TextRows& rows) {
  for (TextRow& row : rows) row.pop_back();
}

// What matters least stands last, and goes first where the terminal is narrow.
std::string runs_table(const CaseTrend& trend, const Style& style) {
  constexpr std::size_t fewest_columns = 4;
  const std::vector<CasePoint>& runs = trend.history.runs;
  const std::vector<const Trend*> main = main_trends(trend);
  TextRows rows{{"run", "started", "commit", "verdict"}};
  for (const Trend* one : main)
    rows.front().push_back(one->key.metric + (one->key.unit.empty() ? "" : ", " + one->key.unit));
  rows.front().insert(rows.front().end(), {"host", "took"});
  for (std::size_t i = runs.size() - std::min(runs.size(), shown_runs); i < runs.size(); ++i) {
    const CasePoint& run = runs[i];
    TextRow row{run.run + (run.altered ? "*" : ""), minute_of(run.started), short_commit(run.commit),
                std::string(to_string(run.verdict)) + (run.command == "record" ? " (record)" : "")};
    for (const Trend* one : main) row.push_back(value_at(*one, i));
    row.insert(row.end(), {run.host, rough(run.duration)});
    rows.push_back(std::move(row));
  }
  while (rows.front().size() > fewest_columns && width_of_rows(rows) > usable_width(style))
    drop_last_column(rows);
  const bool altered = std::ranges::any_of(runs, &CasePoint::altered);
  return table(rows, style) + (altered ? "* with ARGS or --set: no part of the trend\n" : "");
}

std::string name_in_map(const SuiteTrend& suite, const CaseTrend& trend) {
  const bool several = std::ranges::any_of(suite.cases, [&](const CaseTrend& one) {
    return one.history.platform != suite.cases.front().history.platform;
  });
  return safe(trend.history.name + (several ? "  " + platform_name(trend.history.platform) : ""));
}

// The newest runs that there is room for, a letter each.
void put_letters_map(TextPage& page, const SuiteTrend& suite, int width) {
  int widest = 0;
  for (const CaseTrend& one : suite.cases) widest = std::max(widest, columns(name_in_map(suite, one)));
  const int names = std::min(widest, std::max(width / 2, width - static_cast<int>(suite.runs.size()) - 2));
  const auto room = static_cast<std::size_t>(std::max(1, width - names - 2));
  const std::size_t all = suite.runs.size(), first = all > room ? all - room : 0;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    std::string cells;
    for (std::size_t run = first; run < all; ++run) cells += heat_letter(suite.cells[i][run]);
    page.kept(pad(cut(name_in_map(suite, suite.cases[i]), names), names) + "  " + cells);
  }
  if (all == 0) return;
  const std::string runs = first == 0 ? count_of(static_cast<std::int64_t>(all), "run")
                                      : "the latest " + share_words(all - first, all) + " runs";
  page.wrapped(heat_legend() + "; " + runs + ", " + suite.runs[first].run + " to " + suite.runs.back().run);
}

// Return `since run 1121-0203 (2026-11-21, commit 9c1e2f4), image train:1 -> train:2`.
std::string start_words(const SuiteTrend& suite, const SuiteStart& start) {
  const SuiteRun& run = suite.runs[start.at];
  const bool several =
      std::ranges::any_of(suite.starts, [&](const SuiteStart& one) { return one.place != start.place; });
  return (several ? platform_name(start.place) + " " : "") + "since " +
         run_words(run.run, run.started, run.commit) +
         (start.changes.empty() ? "" : ", " + join(start.changes, ", "));
}

// Return `the latest run, 1121-0203 (2026-11-21, commit 9c1e2f4), against the 10 before`; "" where the suite
// did not move in it, or has a start there.
std::string latest_words(const SuiteTrend& suite) {
  if (suite.latest.metrics.empty() || suite.runs.empty()) return "";
  const std::size_t last = suite.runs.size() - 1;
  if (std::ranges::any_of(suite.starts, [&](const SuiteStart& one) { return one.at == last; })) return "";
  const SuiteRun& run = suite.runs.back();
  return "the latest " + run_words(run.run, run.started, run.commit) + " against the " +
         (last == 1 ? "one" : std::to_string(std::min<std::size_t>(last, 10))) + " before";
}

bool is_worth_telling(const CaseTrend& trend) {
  const bool ends_green = trend.history.runs.back().verdict == Verdict::passed;
  return !ends_green || trend.red || trend.flips.flips > 0 || most_moved(trend) != nullptr ||
         trend.green < trend.counted || trend.counted == 0;
}

}  // namespace

std::string summary_words(const CaseTrend& trend) {
  const CaseHistory& history = trend.history;
  return platform_name(history.platform) + "  " +
         count_of(static_cast<std::int64_t>(history.runs.size()), "run") + " since " +
         day_of(history.runs.front().started) + ", green in " + share_words(trend.green, trend.counted) +
         " judged";
}

std::string flips_words(const CaseTrend& trend) {
  return "the verdict flipped in " + share_words(trend.flips.flips, trend.flips.pairs) +
         " runs that had commit, baseline and environment of one before";
}

std::string name_of(const TrendKey& key) {
  std::string name = printable(key.metric, 100);
  if (!key.rule.empty() && key.rule != key.metric) name += " (rule " + printable(key.rule, 100) + ")";
  if (key.rank) name += "  rank " + std::to_string(*key.rank);
  const bool each = key.reduce.empty() || key.reduce == "each";
  return name + "  " + (each ? "mean" : printable(key.reduce, 40)) + " of " + printable(key.window, 40);
}

std::string moved_words(const Change& change) {
  const auto share = change.share();
  return share ? percent(*share) : trend_number(change.before) + " -> " + trend_number(change.after);
}

std::string change_words(const Change& change, const CasePoint& run, const std::string& unit) {
  const std::string share = change.share() ? percent(*change.share()) + " " : "";
  const std::string commit = run.commit.empty() ? "" : ", commit " + short_commit(run.commit);
  return share + "since run " + printable(run.run, 60) + " (" + day_of(run.started) + printable(commit, 60) +
         "): " + from_and_to(change.before, change.after, unit) +
         fmt::format("; Pettitt p {:.1g}", change.chance);
}

std::string baseline_words(const Trend& trend) {
  if (trend.baselines < 2 || !trend.first_baseline || !trend.baseline) return "";
  const double first = *trend.first_baseline, now = *trend.baseline;
  const std::string share = first == 0 ? "" : " " + percent((now - first) / std::abs(first));
  return "baseline" + share + " since the first of " + std::to_string(trend.baselines) + ": " +
         from_and_to(first, now, trend.key.unit);
}

std::vector<std::string> test_words(const CaseTrend& trend) {
  std::vector<std::string> lines;
  for (const bool fails : {true, false})
    for (const TestTrend& test : trend.tests) {
      const bool is_red = test.status == CheckStatus::fail || test.status == CheckStatus::error;
      if (test.red > 0 && is_red == fails) lines.push_back(test_line(trend, test));
    }
  if (lines.size() <= shown_tests) return lines;
  const std::size_t more = lines.size() - shown_tests;
  lines.resize(shown_tests);
  lines.push_back("and " + std::to_string(more) + " more tests that fail or failed");
  return lines;
}

std::string run_words(const std::string& run, const std::string& started, const std::string& commit) {
  return "run " + printable(run, 60) + " (" + day_of(started) +
         (commit.empty() ? "" : ", commit " + printable(short_commit(commit), 60)) + ")";
}

std::string red_words(const CaseTrend& trend) {
  const RedSince& red = *trend.red;
  const CasePoint& run = trend.history.runs[red.first];
  return "since " + point_words(run, red.first_commit) + ", " + std::string(to_string(run.verdict)) +
         (red.runs > 1 ? "; " + std::to_string(red.runs) + " runs in a row" : "");
}

std::string last_green_words(const CaseTrend& trend) {
  const RedSince& red = *trend.red;
  if (!red.green) return "in none of the runs before";
  const CasePoint &good = trend.history.runs[*red.green], &bad = trend.history.runs[red.first];
  std::string words = "until " + point_words(good, red.green_commit);
  if (good.commit == bad.commit && !good.commit.empty()) words += ": the same commit";
  if (good.baseline_sha256 != bad.baseline_sha256) words += "; the baseline changed since";
  return words;
}

std::vector<std::string> environment_words(const CaseTrend& trend) {
  std::vector<std::string> lines;
  for (const EnvironmentChange& change : trend.environment) {
    if (change.changes.empty() && !change.is_flip) continue;
    std::vector<std::string> changes = change.changes;
    if (!change.host.empty()) changes.push_back(change.host);
    const CasePoint& run = trend.history.runs[change.at];
    lines.push_back(join(changes, ", ") + " in " + run_words(run.run, run.started, run.commit) +
                    (change.is_flip ? "; the verdict changed with it" : ""));
  }
  if (lines.size() <= shown_changes) return lines;
  const std::size_t more = lines.size() - shown_changes;
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(more));
  lines.push_back("and " + std::to_string(more) + " changes before");
  return lines;
}

bool is_constant(const Trend& trend) {
  return std::ranges::adjacent_find(trend.values, std::ranges::not_equal_to{}) == trend.values.end();
}

std::string constant_words(const Trend& trend) {
  return name_of(trend.key) + "  constant " + value_words(trend.values.back(), trend.key.unit);
}

char heat_letter(HeatCell cell) {
  constexpr std::array letters{'.', 'G', 'D', 'R', '?'};
  return letters[static_cast<std::size_t>(cell)];
}

std::string heat_legend() { return "G green, D green but drifted, R red, ? no verdict, . not run"; }

std::vector<SuiteMove> suite_moves(const SuiteTrend& suite) {
  std::vector<SuiteMove> moves;
  for (const SuiteStart& start : suite.starts)
    moves.push_back({start_words(suite, start), triage_lines(start.triage)});
  if (std::string words = latest_words(suite); !words.empty())
    moves.push_back({std::move(words), triage_lines(suite.latest)});
  return moves;
}

std::string suite_moves_text(const SuiteTrend& suite, const Style& style) {
  TextPage page(style);
  for (const SuiteMove& move : suite_moves(suite)) {
    page.wrapped(move.words, 2);
    for (const std::string& line : move.lines) page.wrapped("  " + line, 4);
    if (move.lines.empty()) page.wrapped("  no metric moved with it", 4);
  }
  return page.text();
}

std::string history_table(const SuiteTrend& suite, const Style& style) {
  TextPage page(style);
  put_letters_map(page, suite, style.width == 0 ? 100 : usable_width(style));
  TextRows rows{{"case", "platform", "runs", "green", "flips", "latest", "last change"}};
  std::size_t steady = 0;
  for (const CaseTrend& trend : suite.cases) {
    const CaseHistory& history = trend.history;
    if (history.runs.empty()) continue;
    if (!is_worth_telling(trend)) {
      ++steady;
      continue;
    }
    rows.push_back({history.name, platform_name(history.platform), std::to_string(history.runs.size()),
                    share_words(trend.green, trend.counted),
                    share_words(trend.flips.flips, trend.flips.pairs),
                    std::string(to_string(history.runs.back().verdict)), change_in_short(trend)});
  }
  const std::string moves = suite_moves_text(suite, style);
  std::string out = moves + (moves.empty() ? "" : "\n") + page.text();
  if (rows.size() > 1) out += "\n" + table(rows, style);
  if (steady > 0) out += "\n" + count_of(static_cast<std::int64_t>(steady), "case") + " green and steady\n";
  return out;
}

std::string history_text(const CaseTrend& trend, const Style& style) {
  TextPage page(style);
  page.wrapped(printable(trend.history.name, 200) + "  " + summary_words(trend), 2);
  put_red_since(page, trend);
  put_flips(page, trend);
  put_environment(page, trend);
  for (const Trend& one : trend.trends) put_series(page, trend, one);
  for (const std::string& line : test_words(trend)) page.wrapped("  " + line, 4);
  return page.text() + "\n" + runs_table(trend, style);
}

}  // namespace gate::render
