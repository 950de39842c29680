#include "render/text/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"
#include "gate/model/runs/baseline.h"
#include "gate/render/history.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/words/downsample.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"
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

// Return `3 of 10`, of a table.
Sentence share_words(std::size_t part, std::size_t whole) { return say({"{} of {}", "{}/{}"}, part, whole); }

// Return `commit 9c1e2f4 of 2026-11-20 "kernel: fuse"`; "" of none.
Sentence commit_words(const std::string& commit, const ToldCommit& told = {}) {
  constexpr std::size_t longest_subject = 100;
  if (commit.empty()) return {};
  Sentence words = say({"commit {}", "提交 {}"}, printable(short_commit(commit), 60));
  if (!told.date.empty()) words += say({" of {}", "，{}"}, printable(told.date, 20));
  if (!told.subject.empty()) words += as_is(" \"" + printable(told.subject, longest_subject) + "\"");
  return words;
}

// Return `run 1121-0203 (2026-11-21, commit 9c1e2f4)`.
Sentence told_run(const std::string& run, const std::string& started, const Sentence& commit) {
  return say({"run {} ({})", "运行 {}（{}）"}, printable(run, 60),
             join(std::array{as_is(day_of(started)), commit}, comma));
}

// Return `run 1121-0203 (2026-11-21, commit 9c1e2f4 of 2026-11-20 "kernel: fuse")`.
Sentence point_words(const CasePoint& run, const ToldCommit& commit) {
  return told_run(run.run, run.started, commit_words(run.commit, commit));
}

Sentence words_of_run(const CasePoint& run) { return run_words(run.run, run.started, run.commit); }

// What stands before a line of a case.
Sentence label_of(const Sentence& word) {
  return word.with([](const std::string& text) { return pad(std::string_view("  " + text), 10); });
}

std::string from_and_to(double from, double to, const std::string& unit) {
  return trend_number(from) + " -> " + value_words(to, unit);
}

constexpr std::size_t sparkline_width = 24;
constexpr std::size_t shown_runs = 10;
constexpr std::size_t shown_hosts = 5;
constexpr std::size_t shown_tests = 40;
constexpr std::size_t shown_changes = 5;
constexpr std::size_t fewest_for_level = 10;  // runs

// The trend that moved most at its latest change; what is over counts least.
const Trend* most_moved(const CaseTrend& trend) {
  const Trend* most = nullptr;
  const auto size = [](const Trend& one) {
    if (one.changes.empty() || one.changes.back().shape == ChangeShape::recovery) return 0.0;
    return std::abs(one.changes.back().share().value_or(1));
  };
  for (const Trend& one : trend.trends)
    if (!one.changes.empty() && (most == nullptr || size(one) > size(*most))) most = &one;
  return most;
}

Sentence change_in_short(const CaseTrend& trend) {
  const Trend* most = most_moved(trend);
  if (most == nullptr) return "-";
  const Change& change = most->changes.back();
  const std::string day = day_of(trend.history.runs[most->runs[change.at]].started);
  if (change.shape == ChangeShape::recovery)
    return say({"{0} {1}, recovered {2}", "{0} {1}，{2} 恢复"}, most->key.metric,
               moved_words(*(most->changes.end() - 2)), day);
  return say({"{0} {1} {3}since {2}", "{0} 自 {2} 起{3} {1}"}, most->key.metric, moved_words(change), day,
             change.shape == ChangeShape::ramp ? say({"evenly ", "均匀"}) : Sentence());
}

// The hosts tell where to look if verdicts flip.
void put_flips(TextPage& page, const CaseTrend& trend) {
  const bool by_environment = std::ranges::any_of(trend.environment, &EnvironmentChange::is_flip);
  if (trend.flips.flips > 0) page.wrapped(label_of(say({"flaky", "不稳定"})) + flips_words(trend), 10);
  if (trend.flips.flips == 0 && !by_environment) return;
  std::vector<HostCount> hosts = trend.hosts;
  std::ranges::stable_sort(hosts, std::ranges::greater{}, &HostCount::red);
  for (std::size_t i = 0; i < hosts.size() && i < shown_hosts; ++i)
    page.wrapped(label_of(i == 0 ? say({"hosts", "主机"}) : Sentence()) +
                     say({"{}  red in {} of {}", "{0}  {2} 次中 {1} 次为红"}, printable(hosts[i].host, 60),
                         hosts[i].red, hosts[i].runs),
                 12);
}

void put_red_since(TextPage& page, const CaseTrend& trend, Language language) {
  if (!trend.red) return;
  page.wrapped(label_of(say({"red", "红"})) + red_words(trend), 10);
  page.wrapped(label_of(say({"green", "绿"})) + last_green_words(trend), 10);
  if (!trend.red->bisect.empty())
    page.kept(label_of(say({"bisect", "二分"})).in(language) + trend.red->bisect);
}

void put_environment(TextPage& page, const CaseTrend& trend) {
  Sentence label = say({"ran on", "环境"});
  for (const Sentence& line : environment_words(trend))
    page.wrapped(label_of(std::exchange(label, Sentence())) + line, 12);
}

// A value that never changes needs no line of its own for anything else.
void put_series(TextPage& page, const CaseTrend& trend, const Trend& one) {
  if (is_constant(one))
    page.wrapped("  " + constant_words(one), 4);
  else
    page.wrapped("  " + as_is(sparkline(one.values, sparkline_width)) + "  " + name_of(one.key) + "  " +
                     as_is(value_words(one.values.back(), one.key.unit)),
                 4);
  for (const Sentence& line : change_lines(trend, one)) page.wrapped("    " + line, 6);
}

Sentence test_line(const CaseTrend& trend, const TestTrend& test) {
  const Sentence now = test.status == CheckStatus::fail    ? say({"fails", "失败"})
                       : test.status == CheckStatus::error ? say({"cannot be run", "无法运行"})
                       : test.status == CheckStatus::pass  ? say({"passes", "通过"})
                                                           : say({"is skipped", "跳过"});
  return say({"{0}  {1} since {2}, red in {3} of {4}", "{0}  自{2}起{1}，{4} 次中 {3} 次为红"},
             printable(test.name), now, words_of_run(trend.history.runs[test.since]), test.red, test.runs);
}

// Return `2026-11-21 02:03`.
std::string minute_of(const std::string& started) {
  std::string words = started.substr(0, std::string_view("2026-11-21T02:03").size());
  std::ranges::replace(words, 'T', ' ');
  return words;
}

std::string value_at(const Trend& one, std::size_t run) {
  const auto at = std::ranges::lower_bound(one.runs, run);
  return at == one.runs.end() || *at != run
             ? "-"
             : fmt::format("{:.5g}", one.values[static_cast<std::size_t>(at - one.runs.begin())]);
}

int width_of_rows(const TextRows& rows, Language language) {
  int width = -2;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    int widest = 0;
    for (const TextRow& row : rows) widest = std::max(widest, columns(printable(row[column].in(language))));
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
  TextRows rows{
      {say({"run", "运行"}), say({"started", "开始于"}), say({"commit", "提交"}), say({"verdict", "判定"})}};
  for (const Trend* one : main)
    rows.front().push_back(one->key.metric + (one->key.unit.empty() ? "" : ", " + one->key.unit));
  rows.front().insert(rows.front().end(), {say({"host", "主机"}), say({"took", "用时"})});
  for (std::size_t i = runs.size() - std::min(runs.size(), shown_runs); i < runs.size(); ++i) {
    const CasePoint& run = runs[i];
    TextRow row{run.run + (run.altered ? "*" : ""), minute_of(run.started), short_commit(run.commit),
                words::verdict_text(run.verdict) +
                    (run.command == "record" ? say({" (record)", "（录制）"}) : Sentence())};
    for (const Trend* one : main) row.push_back(value_at(*one, i));
    row.insert(row.end(), {run.host, run.duration > Duration() ? rough(run.duration) : "-"});
    rows.push_back(std::move(row));
  }
  while (rows.front().size() > fewest_columns && width_of_rows(rows, style.language) > usable_width(style))
    drop_last_column(rows);
  const bool altered = std::ranges::any_of(runs, &CasePoint::altered);
  const Sentence note =
      say({"* with ARGS or --set: no part of the trend\n", "* 带 ARGS 或 --set：不计入趋势\n"});
  return table(rows, style) + (altered ? note.in(style.language) : "");
}

std::string name_in_map(const SuiteTrend& suite, const CaseTrend& trend) {
  const bool several = std::ranges::any_of(suite.cases, [&](const CaseTrend& one) {
    return one.history.platform != suite.cases.front().history.platform;
  });
  return safe(trend.history.name + (several ? "  " + platform_name(trend.history.platform) : ""));
}

Sentence runs_words(std::size_t count) { return count_of(static_cast<std::int64_t>(count), "run", "次运行"); }

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
  const Sentence runs =
      first == 0 ? runs_words(all)
                 : say({"the latest {} of {} runs", "{1} 次运行中最近的 {0} 次"}, all - first, all);
  page.wrapped(say({"{}; {}, {} to {}", "{}；{}，{} 至 {}"}, heat_legend(), runs, suite.runs[first].run,
                   suite.runs.back().run));
}

// Return `since run 1121-0203 (2026-11-21, commit 9c1e2f4), image train:1 -> train:2`.
Sentence start_words(const SuiteTrend& suite, const SuiteStart& start) {
  const SuiteRun& run = suite.runs[start.at];
  const bool several =
      std::ranges::any_of(suite.starts, [&](const SuiteStart& one) { return one.place != start.place; });
  return say({"{}since {}{}", "{}自{}起{}"}, several ? platform_name(start.place) + " " : "",
             run_words(run.run, run.started, run.commit),
             start.changes.empty() ? Sentence() : comma + join(sentences_of(start.changes), comma));
}

// Return `the latest run, 1121-0203 (2026-11-21, commit 9c1e2f4), against the 10 before`; "" where the suite
// did not move in it, or has a start there.
Sentence latest_words(const SuiteTrend& suite) {
  if (suite.latest.metrics.empty() || suite.runs.empty()) return {};
  const std::size_t last = suite.runs.size() - 1;
  if (std::ranges::any_of(suite.starts, [&](const SuiteStart& one) { return one.at == last; })) return {};
  const SuiteRun& run = suite.runs.back();
  const Sentence before =
      last == 1 ? Sentence("one", "1") : as_is(std::to_string(std::min<std::size_t>(last, 10)));
  return say({"the latest {} against the {} before", "最近的{}对照之前的 {} 次"},
             run_words(run.run, run.started, run.commit), before);
}

Sentence words_at(const CaseTrend& trend, const Trend& one, std::size_t value) {
  return words_of_run(trend.history.runs[one.runs[value]]);
}

// Return `: 931.8 -> 941.2 ms, 4 x the noise`.
Sentence size_words(const Trend& one, const Change& change) {
  const double noises = change.noise > 0 ? std::abs(change.after - change.before) / change.noise : 0;
  const Sentence size = from_and_to(change.before, change.after, one.key.unit);
  if (noises == 0) return size;
  return size + say({", {:.{}f} x the noise", "，噪声的 {:.{}f} 倍"}, noises, noises < 9.95 ? 1 : 0);
}

// Return `, or from another run between 1121-0203 and 1124-0203 on`; "" where the noise hides two runs at
// most.
Sentence place_words(const CaseTrend& trend, const Trend& one, const Change& change) {
  constexpr std::size_t near = 2;
  if (change.earliest + near >= change.at && change.at + near >= change.latest) return {};
  return say({", or from another run between {} and {} on", "，或自 {} 到 {} 之间的另一次运行起"},
             trend.history.runs[one.runs[change.earliest]].run,
             trend.history.runs[one.runs[change.latest]].run);
}

Sentence step_words(const CaseTrend& trend, const Trend& one, const Change& change) {
  return say(
      {"{}since {}{}: {}", "{}自{}起{}：{}"},
      change.share() ? Sentence(percent(*change.share()) + " ", percent(*change.share()) + "，") : Sentence(),
      words_at(trend, one, change.at), place_words(trend, one, change), size_words(one, change));
}

Sentence ramp_words(const CaseTrend& trend, const Trend& one, const Change& change) {
  const std::size_t runs = change.until - change.at + 1;
  const Sentence verb = change.after > change.before ? say({"rises", "上升"}) : say({"falls", "下降"});
  Sentence sizes;
  if (const auto share = change.share())
    sizes = say({", {} a run over {} runs, {} in all", "，{1} 次运行每次 {0}，共 {2}"},
                percent(*share / static_cast<double>(runs)), runs, percent(*share));
  const bool goes_on = change.until + 1 == one.values.size();
  const Sentence span = goes_on ? say({"since {}", "自{}起"}, words_at(trend, one, change.at))
                                : say({"from {} to {}", "从{}到{}"}, words_at(trend, one, change.at),
                                      words_at(trend, one, change.until));
  return say({"{} evenly{}, {}: {}", "均匀{}{}，{}：{}"}, verb, sizes, span, size_words(one, change));
}

Sentence dip_words(const CaseTrend& trend, const Trend& one, const Change& change) {
  const bool is_up = change.after > change.before;
  const bool is_worse = one.better != Better::none && is_up == (one.better == Better::lower);
  const Sentence what = is_worse && one.kind == MetricKind::speed ? say({"slow", "变慢"})
                        : is_up                                   ? say({"higher", "偏高"})
                                                                  : say({"lower", "偏低"});
  const Sentence end = is_worse ? say({"recovered", "已恢复"}) : say({"then back", "之后复原"});
  const Sentence share = change.share() ? percent(*change.share()) + ", " : "";
  return say({"{} from {} to {}, {}: {}{}", "从{1}到{2}{0}，{3}：{4}{5}"}, what,
             words_at(trend, one, change.at), words_at(trend, one, change.until - 1), end, share,
             size_words(one, change));
}

// Return `+2.3 %`; "" of a baseline of 0.
std::string percent_against(double level, double baseline) {
  return baseline == 0 ? "" : percent((level - baseline) / std::abs(baseline));
}

// Where a series is that has changed, or whose baseline has, or that lies off it by as much as a change; ""
// of any other, and of one without baselines.
Sentence level_now_words(const Trend& one) {
  if (!one.first_baseline || !one.baseline) return {};
  const bool is_off =
      one.values.size() >= fewest_for_level &&
      std::abs(one.levels.back() - *one.baseline) > std::max(one.least, 1e-9 * std::abs(*one.baseline));
  if (one.changes.empty() && one.baselines < 2 && !is_off) return {};
  const double level = one.levels.back();
  const std::string now = value_words(level, one.key.unit), present = percent_against(level, *one.baseline);
  const std::string first = percent_against(level, *one.first_baseline);
  if (first.empty() || present.empty()) return {};
  if (one.baselines < 2)
    return say({"now {}: {} against the baseline ({})", "现在 {}：相对基线 {}（{}）"}, now, present,
               value_words(*one.baseline, one.key.unit));
  return say({"now {}: {} against the first of {} baselines ({}), {} against the present one ({})",
              "现在 {0}：相对 {2} 个基线中的第一个 {1}（{3}），相对现在的 {4}（{5}）"},
             now, first, one.baselines, trend_number(*one.first_baseline), present,
             trend_number(*one.baseline));
}

bool is_worth_telling(const CaseTrend& trend) {
  const bool ends_green = trend.history.runs.back().verdict == Verdict::passed;
  return !ends_green || trend.red || trend.flips.flips > 0 || most_moved(trend) != nullptr ||
         trend.green < trend.counted || trend.counted == 0;
}

// Return `mean`, also of what is compared one by one.
Sentence trend_reduce(const TrendKey& key) {
  const auto reduce = key.reduce.empty() ? Reduce::mean : parse_reduce(key.reduce);
  if (!reduce) return as_is(printable(key.reduce, 40));
  return words::reduce_text(*reduce == Reduce::each ? Reduce::mean : *reduce);
}

// Return the window as written; in Chinese what it means.
Sentence trend_window(const TrendKey& key) {
  const std::string written = printable(key.window, 40);
  const auto window = parse_window(key.window);
  return window ? Sentence(written, words::window_text(*window).in(Language::chinese)) : as_is(written);
}

}  // namespace

Sentence summary_words(const CaseTrend& trend) {
  const CaseHistory& history = trend.history;
  return say(
      {"{0}  {1} since {2}, green in {3} of {4} judged", "{0}  自 {2} 起 {1}，{4} 次有判定，其中 {3} 次为绿"},
      platform_name(history.platform), runs_words(history.runs.size()), day_of(history.runs.front().started),
      trend.green, trend.counted);
}

Sentence flips_words(const CaseTrend& trend) {
  return say({"the verdict flipped in {} of {} reruns of the same commit, baseline and environment",
              "提交、基线和环境都相同的 {1} 次重跑中，有 {0} 次判定翻转"},
             trend.flips.flips, trend.flips.pairs);
}

Sentence name_of(const TrendKey& key) {
  Sentence name = as_is(printable(key.metric, 100));
  if (!key.rule.empty() && key.rule != key.metric)
    name += say({" (rule {})", "（规则 {}）"}, printable(key.rule, 100));
  if (key.rank) name += "  rank " + std::to_string(*key.rank);
  return name + "  " + say({"{} of {}", "{1}的{0}"}, trend_reduce(key), trend_window(key));
}

std::string moved_words(const Change& change) {
  const auto share = change.share();
  return share ? percent(*share) : trend_number(change.before) + " -> " + trend_number(change.after);
}

std::vector<Sentence> change_lines(const CaseTrend& trend, const Trend& one) {
  std::vector<Sentence> lines;
  for (const Change& change : one.changes) {
    if (change.shape == ChangeShape::ramp) lines.push_back(ramp_words(trend, one, change));
    if (change.shape == ChangeShape::dip) lines.push_back(dip_words(trend, one, change));
    if (change.shape == ChangeShape::step) lines.push_back(step_words(trend, one, change));
  }
  if (Sentence words = level_now_words(one); !words.empty()) lines.push_back(std::move(words));
  return lines;
}

std::vector<Sentence> test_words(const CaseTrend& trend) {
  std::vector<Sentence> lines;
  for (const bool fails : {true, false})
    for (const TestTrend& test : trend.tests) {
      const bool is_red = test.status == CheckStatus::fail || test.status == CheckStatus::error;
      if (test.red > 0 && is_red == fails) lines.push_back(test_line(trend, test));
    }
  if (lines.size() <= shown_tests) return lines;
  const std::size_t more = lines.size() - shown_tests;
  lines.resize(shown_tests);
  lines.push_back(say({"and {} more tests that fail or failed", "以及另外 {} 个失败或曾经失败的测试"}, more));
  return lines;
}

Sentence run_words(const std::string& run, const std::string& started, const std::string& commit) {
  return told_run(run, started, commit_words(commit));
}

Sentence red_words(const CaseTrend& trend) {
  const RedSince& red = *trend.red;
  const CasePoint& run = trend.history.runs[red.first];
  return say({"since {}, {}{}", "{1}，始于{0}{2}"}, point_words(run, red.first_commit),
             words::verdict_text(run.verdict),
             red.runs > 1 ? say({"; {} runs in a row", "；连续 {} 次运行"}, red.runs) : Sentence());
}

Sentence last_green_words(const CaseTrend& trend) {
  const RedSince& red = *trend.red;
  if (!red.green) return say({"in none of the runs before", "之前没有一次运行为绿"});
  const CasePoint &good = trend.history.runs[*red.green], &bad = trend.history.runs[red.first];
  Sentence words = say({"until {}", "最后一次为{}"}, point_words(good, red.green_commit));
  if (good.commit == bad.commit && !good.commit.empty()) words += say({": the same commit", "：同一个提交"});
  if (good.baseline_sha256 != bad.baseline_sha256)
    words += say({"; the baseline changed since", "；此后基线有改动"});
  return words;
}

std::vector<Sentence> environment_words(const CaseTrend& trend) {
  std::vector<Sentence> lines;
  for (const EnvironmentChange& change : trend.environment) {
    if (change.changes.empty() && !change.is_flip) continue;
    std::vector<Sentence> changes = sentences_of(change.changes);
    if (change.host) changes.push_back(gate::text(*change.host));
    lines.push_back(say(
        {"{0} in {1}{2}", "{1}：{0}{2}"}, join(changes, comma), words_of_run(trend.history.runs[change.at]),
        change.is_flip ? say({"; the verdict changed with it", "；判定随之改变"}) : Sentence()));
  }
  if (lines.size() <= shown_changes) return lines;
  const std::size_t more = lines.size() - shown_changes;
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(more));
  lines.push_back(say({"and {} changes before", "以及之前的 {} 次变化"}, more));
  return lines;
}

std::vector<const Trend*> main_trends(const CaseTrend& trend) {
  std::vector<const Trend*> found;
  for (const MetricKind kind : {MetricKind::accuracy, MetricKind::speed, MetricKind::memory}) {
    const Trend* best = nullptr;
    for (const Trend& one : trend.trends) {
      if (one.kind != kind || is_constant(one)) continue;
      if (best == nullptr || (best->changes.empty() && !one.changes.empty())) best = &one;
    }
    if (best != nullptr) found.push_back(best);
  }
  std::ranges::stable_sort(found, {}, [](const Trend* one) { return one->changes.empty(); });
  return found;
}

bool is_constant(const Trend& trend) {
  return std::ranges::adjacent_find(trend.values, std::ranges::not_equal_to{}) == trend.values.end();
}

Sentence constant_words(const Trend& trend) {
  return say({"{}  constant {}", "{}  恒为 {}"}, name_of(trend.key),
             value_words(trend.values.back(), trend.key.unit));
}

char heat_letter(HeatCell cell) {
  constexpr std::array letters{'.', 'G', 'D', 'R', '?'};
  return letters[static_cast<std::size_t>(cell)];
}

Sentence heat_legend() {
  return say({"G green, D green but drifted, R red, ? no verdict, . not run",
              "G 绿，D 绿但有漂移，R 红，? 无判定结果，. 未运行"});
}

std::vector<SuiteMove> suite_moves(const SuiteTrend& suite) {
  std::vector<SuiteMove> moves;
  const auto add = [&](const Sentence& words, const auto& lines) {
    moves.push_back({words, {lines.begin(), lines.end()}});
  };
  for (const SuiteStart& start : suite.starts) add(start_words(suite, start), triage_lines(start.triage));
  if (const Sentence words = latest_words(suite); !words.empty()) add(words, triage_lines(suite.latest));
  return moves;
}

std::string suite_moves_text(const SuiteTrend& suite, const Style& style) {
  TextPage page(style);
  for (const SuiteMove& move : suite_moves(suite)) {
    page.wrapped(move.words, 2);
    for (const Sentence& line : move.lines) page.wrapped("  " + line, 4);
    if (move.lines.empty()) page.wrapped(say({"  no metric moved with it", "  没有指标随之变化"}), 4);
  }
  return page.text();
}

std::string history_table(const SuiteTrend& suite, const Style& style) {
  TextPage page(style);
  put_letters_map(page, suite, style.width == 0 ? 100 : usable_width(style));
  TextRows rows{{say({"case", "用例"}), say({"platform", "平台"}), say({"runs", "运行"}),
                 say({"green", "绿"}), say({"flips", "翻转"}), say({"latest", "最近"}),
                 say({"last change", "最近的变化"})}};
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
                    words::verdict_text(history.runs.back().verdict), change_in_short(trend)});
  }
  const std::string moves = suite_moves_text(suite, style);
  std::string out = moves + (moves.empty() ? "" : "\n") + page.text();
  if (rows.size() > 1) out += "\n" + table(rows, style);
  TextPage can_go(style);
  for (const CaseTrend& trend : suite.cases)
    if (trend.can_leave_quarantine > 0)
      can_go.wrapped(
          printable(trend.history.name, 200) + "  " + words::quarantine_can_go(trend.can_leave_quarantine),
          2);
  if (!can_go.text().empty()) out += "\n" + can_go.text();
  const Sentence count = count_of(static_cast<std::int64_t>(steady), "case", "个用例");
  if (steady > 0)
    out += "\n" + say({"{} green and steady\n", "{}为绿，且保持平稳\n"}, count).in(style.language);
  if (const Sentence use = device_use_words(suite.device_use); !use.empty())
    out += "\n" + use.in(style.language) + "\n";
  return out;
}

std::string history_text(const CaseTrend& trend, const Style& style) {
  TextPage page(style);
  page.wrapped(printable(trend.history.name, 200) + "  " + summary_words(trend), 2);
  put_red_since(page, trend, style.language);
  put_flips(page, trend);
  put_environment(page, trend);
  if (trend.can_leave_quarantine > 0)
    page.wrapped("  " + words::quarantine_can_go(trend.can_leave_quarantine), 4);
  for (const Trend& one : trend.trends) put_series(page, trend, one);
  for (const Sentence& line : test_words(trend)) page.wrapped("  " + line, 4);
  return page.text() + "\n" + runs_table(trend, style);
}

}  // namespace gate::render
