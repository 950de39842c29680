#include <gmock/gmock.h>

#include "../schema/validate.h"
#include "gate/base/text.h"
#include "gate/render/history.h"
#include "gate/suite/history.h"
#include "suite/history/suite_trend.h"

namespace gate::render::history_json_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* hostile = "</script><script>evil()\x1b[31m\n";

// Forty runs whose time moves in the middle, and whose verdict flips once.
CaseTrend trend() {
  CaseHistory history{hostile, "cpu", {}, {{{"t", "t", 3, "ms", "last 10", "mean"}, "+5%", {}}}};
  for (std::size_t i = 0; i < 40; ++i) {
    const Verdict verdict = i == 7 ? Verdict::regressed : Verdict::passed;
    history.runs.push_back({"run" + std::to_string(i), hostile, "c", "2026-11-21T02:03:04Z", "run", false,
                            verdict, "s", Duration(5)});
    const double value = (i < 20 ? 100.0 : 104.0) + static_cast<double>(i % 3);
    history.series[0].points.push_back({i, CheckStatus::pass, value, i < 30 ? 100.0 : 103.0});
  }
  return app::trend_of(std::move(history));
}

SuiteTrend suite_of(const CaseTrend& trend) { return app::suite_trend({trend}); }

// The lines of the text that tell of tests.
std::vector<std::string> test_words_of(const CaseTrend& trend) {
  std::vector<std::string> lines;
  const std::string text = history_text(trend, {.width = 0});
  for (const std::string_view line : split(text, '\n'))
    if (line.find("red in") != std::string_view::npos) lines.emplace_back(trim(line));
  return lines;
}

TEST(HistoryJson, FitsItsSchema) {
  const std::string json = history_json(suite_of(trend()));
  EXPECT_EQ(schema::invalid(json, "gate.trend.1.json"), "");
  const auto one = nlohmann::json::parse(json)["cases"][0];
  EXPECT_EQ(one["flips"], 2);
  EXPECT_EQ(one["flip_pairs"], 39);
  EXPECT_EQ(one["series"][0]["changes"][0]["run"], "run20");
  EXPECT_EQ(one["series"][0]["baselines"], 2);
}

TEST(HistoryText, TellsBetweenWhichRunsAStepLies) {
  CaseTrend told = trend();
  Change& change = told.trends[0].changes[0];
  change.earliest = 18, change.latest = 22;
  EXPECT_THAT(history_text(told, {.width = 0}), HasSubstr("since run run20 (2026-11-21, commit c): 100.95"));
  change.latest = 23;
  EXPECT_THAT(
      history_text(told, {.width = 0}),
      HasSubstr(
          "since run run20 (2026-11-21, commit c), or from another run between run18 and run23 on: 100.95"));
  EXPECT_THAT(history_text(told, {.width = 0, .language = Language::chinese}),
              HasSubstr("，或自 run18 到 run23 之间的另一次运行起："));
}

TEST(HistoryText, TellsChangesBaselinesAndFlips) {
  const std::string text = history_text(trend(), {.width = 0});
  EXPECT_THAT(text, HasSubstr("  flaky   the verdict flipped in 2 of 39 reruns"));
  EXPECT_THAT(text, HasSubstr("  t  rank 3  mean of last 10  104 ms\n"));
  EXPECT_THAT(text, HasSubstr("    +4 % since run run20 (2026-11-21, commit c): 100.95 -> 105 ms, "));
  EXPECT_THAT(text,
              HasSubstr(" x the noise\n    now 105 ms: +5 % against the first of 2 baselines (100), +1.9 % "
                        "against the present one (103)\n"));
}

// A case with one metric: 100 with a little noise, and what is added to it from a run on.
CaseTrend moving(const std::string& metric, const std::vector<double>& added) {
  CaseHistory history{"c", "cpu", {}, {{{metric, metric, {}, "ms", "last 10", "mean"}, "+5%", {}}}};
  history.series[0].kind = MetricTable().get(metric).kind;
  history.series[0].better = MetricTable().get(metric).better;
  for (std::size_t i = 0; i < added.size(); ++i) {
    history.runs.push_back({"run" + std::to_string(i), "h", "c", "2026-11-21T02:03:04Z", "run", false,
                            Verdict::passed, "", Duration(5)});
    history.series[0].points.push_back({i, CheckStatus::pass, 100 + added[i] + (i % 2 ? 0.05 : 0), 100});
  }
  return app::trend_of(std::move(history));
}

std::vector<double> added(std::size_t before, std::size_t length, double each, std::size_t after,
                          double then) {
  std::vector<double> all(before, 0);
  for (std::size_t i = 1; i <= length; ++i) all.push_back(each * static_cast<double>(i));
  all.insert(all.end(), after, then);
  return all;
}

TEST(HistoryText, TellsARampOfItsFirstRun) {
  const std::string ended = history_text(moving("iteration_time", added(20, 20, 0.1, 10, 2)), {.width = 0});
  EXPECT_THAT(
      ended,
      HasSubstr("    rises evenly, +0.1 % a run over 20 runs, +2 % in all, from run run20 (2026-11-21, "
                "commit c) to run run39 (2026-11-21, commit c): 100.0"));
  const CaseTrend trend = moving("iteration_time", added(20, 20, 0.1, 0, 0));
  const std::string text = history_text(trend, {.width = 0});
  EXPECT_THAT(text, HasSubstr("% in all, since run run20 (2026-11-21, commit c): 100.0"));
  EXPECT_THAT(text, HasSubstr("    now 102.05 ms: +2 % against the baseline (100 ms)\n"));
  EXPECT_THAT(history_table(suite_of(trend), {.width = 0}),
              HasSubstr("iteration_time +2 % evenly since 2026-11-21"));
  const std::string json = history_json(suite_of(trend));
  EXPECT_EQ(schema::invalid(json, "gate.trend.1.json"), "");
  const auto change = nlohmann::json::parse(json)["cases"][0]["series"][0]["changes"][0];
  EXPECT_EQ(change["shape"], "ramp");
  EXPECT_EQ(change["run"], "run20");
  EXPECT_EQ(change["until_run"], "run39");
}

TEST(HistoryText, TellsADipAndThatItIsOver) {
  std::vector<double> dip(40, 0);
  std::fill(dip.begin() + 15, dip.begin() + 20, 9.0);
  const CaseTrend slow = moving("iteration_time", dip), memory = moving("memory_allocated", dip);
  const std::string text = history_text(slow, {.width = 0});
  EXPECT_THAT(text,
              HasSubstr("    slow from run run15 (2026-11-21, commit c) to run run19 (2026-11-21, commit c), "
                        "recovered: +9 %, 100.0"));
  EXPECT_THAT(text, Not(HasSubstr("since run run20"))) << "the recovery is told with the dip";
  EXPECT_THAT(history_text(memory, {.width = 0}), HasSubstr("    higher from run run15"));
  EXPECT_THAT(history_text(moving("lm_loss_x", dip), {.width = 0}), HasSubstr("commit c), then back: +9 %"));
  EXPECT_THAT(history_table(suite_of(slow), {.width = 0}),
              HasSubstr("iteration_time +9 %, recovered 2026-11-21"));
}

// Return the history of tests, a letter for each run: passed, failed, erred, skipped, or not in it.
CaseTrend trend_of_tests(const std::vector<std::pair<std::string, std::string>>& tests) {
  const std::map<char, CheckStatus> statuses{{'p', CheckStatus::pass},
                                             {'f', CheckStatus::fail},
                                             {'e', CheckStatus::error},
                                             {'s', CheckStatus::skipped}};
  CaseHistory history{"c", "cpu", {}, {}};
  for (std::size_t i = 0; i < tests.front().second.size(); ++i)
    history.runs.push_back({"run" + std::to_string(i), "h", "c0ffee", "2026-11-21T02:03:04Z",
                            i == 0 ? "record" : "run", false, Verdict::regressed, "", Duration(5)});
  for (const auto& [name, ends] : tests) {
    history.series.push_back({{std::string(test_rule), name, {}, "", "", ""}, "", {}});
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (ends[i] != '-') history.series.back().points.push_back({i, statuses.at(ends[i]), {}, {}});
  }
  return app::trend_of(std::move(history));
}

TEST(HistoryText, TellsSinceWhenATestFails) {
  const CaseTrend trend = trend_of_tests(
      {{"a[b]", "fppfef"}, {"green", "pppppp"}, {"gone", "pffff-"}, {"back", "pfsspp"}, {hostile, "p----e"}});
  const std::vector<std::string> lines = test_words_of(trend);
  EXPECT_THAT(lines, testing::ElementsAre(
                         "a[b]  fails since run run3 (2026-11-21, commit c0ffee), red in 3 of 5",
                         HasSubstr("cannot be run since run run5 (2026-11-21, commit c0ffee), red in 1 of 1"),
                         "back  passes since run run2 (2026-11-21, commit c0ffee), red in 1 of 3"));
  const std::string json = history_json(suite_of(trend));
  EXPECT_EQ(schema::invalid(json, "gate.trend.1.json"), "");
  EXPECT_EQ(nlohmann::json::parse(json)["cases"][0]["tests"].size(), 4U)
      << "the one that is gone is left out";
  EXPECT_THAT(history_html(suite_of(trend), "s"), HasSubstr("a[b]  fails since run run3"));
}

// A case with a letter a run: g passed, r regressed, i infra; its environment and commit change at the runs.
CaseTrend trend_of_runs(const std::string& name, const std::string& verdicts, std::size_t new_image = 99,
                        std::size_t new_commit = 99) {
  CaseHistory history{name, "cpu", {}, {{{"m", "memory", {}, "GB", "all", "max"}, "", {}}}};
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const Verdict verdict = verdicts[i] == 'g'   ? Verdict::passed
                            : verdicts[i] == 'r' ? Verdict::regressed
                                                 : Verdict::infra;
    history.runs.push_back({"run" + std::to_string(i),
                            "h",
                            i < new_commit ? "aaaa" : "bbbb",
                            "2026-11-0" + std::to_string(i) + "T02:03:04Z",
                            "run",
                            false,
                            verdict,
                            "s",
                            Duration(5),
                            {{"image", i < new_image ? "a" : "b"}}});
    history.series[0].points.push_back({i, CheckStatus::pass, 20, 20});
  }
  return app::trend_of(std::move(history));
}

TEST(HistoryText, TellsSinceWhenACaseIsRed) {
  CaseTrend trend = trend_of_runs("c", "ggrirr", 99, 2);
  const std::string before = history_text(trend, {});
  EXPECT_THAT(before,
              HasSubstr("  red     since run run2 (2026-11-02, commit bbbb), regressed; 3 runs in a row\n"));
  EXPECT_THAT(before, HasSubstr("  green   until run run1 (2026-11-01, commit aaaa)\n"));
  EXPECT_THAT(before, Not(HasSubstr("bisect")));
  trend.red->first_commit = {"bbbb", "2026-10-31", "kernel: fuse"};
  trend.red->bisect = "git bisect start bbbb aaaa";
  const std::string told = history_text(trend, {});
  EXPECT_THAT(told, HasSubstr("commit bbbb of 2026-10-31 \"kernel: fuse\")"));
  EXPECT_THAT(told, HasSubstr("  bisect  git bisect start bbbb aaaa\n"));
  EXPECT_THAT(history_html(suite_of(trend), "s"), HasSubstr("git bisect start bbbb aaaa"));
  EXPECT_EQ(schema::invalid(history_json(suite_of(trend)), "gate.trend.1.json"), "");
  EXPECT_THAT(history_text(trend_of_runs("c", "ggrg"), {}), Not(HasSubstr("  red     ")));
  EXPECT_THAT(history_text(trend_of_runs("c", "rr"), {}), HasSubstr("in none of the runs before"));
}

TEST(HistoryText, AnotherImageIsNoFlakiness) {
  const std::string flaky = history_text(trend_of_runs("c", "grgg"), {});
  EXPECT_THAT(flaky, HasSubstr("flaky   the verdict flipped in 2 of 3 reruns"));
  const std::string upgraded = history_text(trend_of_runs("c", "ggrr", 2), {});
  EXPECT_THAT(upgraded, Not(HasSubstr("flaky")));
  EXPECT_THAT(upgraded, HasSubstr("  ran on  image a -> b in run run2 (2026-11-02, commit aaaa); the verdict "
                                  "changed with it\n"));
}

TEST(HistoryText, IsSaidInChinese) {
  const std::string text = history_text(trend(), {.width = 0, .language = Language::chinese});
  EXPECT_THAT(text, HasSubstr("自 2026-11-21 起 40 次运行，40 次有判定，其中 39 次为绿\n"));
  EXPECT_THAT(text, HasSubstr("  不稳定  提交、基线和环境都相同的 39 次重跑中，有 2 次判定翻转\n"));
  EXPECT_THAT(text, HasSubstr("  t  rank 3  最后 10 个的均值  104 ms\n"));
  EXPECT_THAT(text, HasSubstr("    +4 %，自运行 run20（2026-11-21，提交 c）起：100.95 -> 105 ms，噪声的 "));
  EXPECT_THAT(text,
              HasSubstr("    现在 105 ms：相对 2 个基线中的第一个 +5 %（100），相对现在的 +1.9 %（103）\n"));
  const std::string red = history_text(trend_of_runs("c", "ggrr", 2, 2), {.language = Language::chinese});
  EXPECT_THAT(red, HasSubstr("  红      劣化，始于运行 run2（2026-11-02，提交 bbbb）；连续 2 次运行\n"));
  EXPECT_THAT(red, HasSubstr("  环境    运行 run2（2026-11-02，提交 bbbb）："));
}

TEST(HistoryHtml, IsSaidInChinese) {
  const std::string page = history_html(suite_of(trend()), "s", Language::chinese);
  EXPECT_THAT(page, HasSubstr("s 的历史"));
  EXPECT_THAT(page, HasSubstr("\"title\":\"t  rank 3  最后 10 个的均值\""));
}

TEST(HistoryText, AMetricThatNeverChangesIsOneLine) {
  EXPECT_THAT(history_text(trend_of_runs("c", "ggg"), {}),
              HasSubstr("\n  memory (rule m)  max of all  constant 20 GB\n"));
}

SuiteTrend three_cases() {
  return app::suite_trend({trend_of_runs("model10", "ggirr", 3), trend_of_runs("model2", "ggggg", 3),
                           trend_of_runs("model3", "gggg", 3)});
}

TEST(HistoryText, OfTheSuiteIsAHeatMapInNaturalOrder) {
  const std::string text = history_table(three_cases(), {});
  EXPECT_THAT(text, HasSubstr("model2   GGGGG\nmodel3   GGGG.\nmodel10  GG?RR\n"));
  EXPECT_THAT(text, HasSubstr("5 runs, run0 to run4\n"));
  EXPECT_THAT(text, HasSubstr("2 cases green and steady\n"));
  EXPECT_THAT(text, HasSubstr("since run run3 (2026-11-03, commit aaaa), image a -> b\n"));
}

TEST(HistoryText, ANarrowTerminalShowsTheNewestRuns) {
  CaseHistory history = trend_of_runs("c", "g").history;
  history.name = std::string(30, 'n');
  const CasePoint point = history.runs[0];
  for (int i = 0; i < 49; ++i) {
    history.runs.push_back(point);
    history.runs.back().run = "later" + std::to_string(i);
    history.runs.back().started = "2026-12-01T00:00:" + std::to_string(10 + i) + "Z";
  }
  history.runs.back().verdict = Verdict::regressed;
  const std::string text =
      history_table(app::suite_trend({app::trend_of(std::move(history))}), {.width = 40});
  for (const std::string_view line : split(text.substr(0, text.find("\n\n")), '\n'))
    EXPECT_LE(line.size(), 40u) << line;
  EXPECT_THAT(text, HasSubstr("GGGR\n"));
  EXPECT_THAT(text, HasSubstr("the latest 18 of\n50 runs, later31 to"));
}

TEST(HistoryHtml, ASquareLeadsToItsRun) {
  const std::string page = history_html(three_cases(), "s");
  EXPECT_THAT(page,
              HasSubstr("<td class=\"bad\"><a href=\"#run-4\" title=\"run run4 (2026-11-04, commit aaaa)\">"
                        "R</a></td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"head\" colspan=\"5\">2026-11-00</td></tr>"));
  EXPECT_THAT(page, HasSubstr("id=\"run-4\""));
  EXPECT_THAT(page, HasSubstr("gate report run4 --format html &gt; run4.html"));
  EXPECT_THAT(page, HasSubstr("image a -&gt; b"));
}

TEST(HistoryHtml, ARunHasALinkToItsPageWhereThatIsKept) {
  const std::string page =
      history_html(three_cases(), "s", Language::english, [](const std::string& run) -> std::string {
        return run == "run4" ? "../javascript:a b/\"report.html" : "";
      });
  EXPECT_THAT(page, HasSubstr("<a href=\"../javascript%3Aa%20b/%22report.html\">page of the run</a>"));
  EXPECT_THAT(page.find("page of the run"), page.rfind("page of the run"));
}

// Return how often the words are there.
std::size_t count_in(const std::string& text, std::string_view words) {
  std::size_t count = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++count;
  return count;
}

TEST(HistoryHtml, ChartsHaveDatesBelowAndRunsWhereTheyArePointedAt) {
  CaseTrend two = trend();
  two.trends.push_back(two.trends.front());
  two.trends.back().key.metric = "u";
  const std::string page = history_html(suite_of(two), "s");
  EXPECT_THAT(page, HasSubstr("[[\"2026-11-21\",\"run0, 2026-11-21, commit c\"],"));
  EXPECT_EQ(count_in(page, "<figure"), 2u);
  EXPECT_EQ(count_in(page, "\"run39, 2026-11-21, commit c\"]]"), 1u) << "both charts have the same labels";
}

TEST(HistoryHtml, ACasesRowTellsHowFarItIsFromItsBaselinesAndSinceWhen) {
  const std::string page = history_html(suite_of(trend()), "s");
  EXPECT_THAT(page,
              HasSubstr("<td data-name=\"against baseline\">+1.9 %</td><td data-name=\"against the first\">"
                        "+5 %</td><td data-name=\"last change\" class=\"warn\">+4 % since run run20 ("));
  const std::string red = history_html(suite_of(trend_of_runs("c", "ggrr")), "s");
  EXPECT_THAT(
      red,
      HasSubstr("<td data-name=\"against the first\">+0 %</td><td data-name=\"last change\" class=\"bad\">"
                "red since run run2 (2026-11-02, commit aaaa), regressed"));
  CaseTrend fallen = trend();  // a ramp: what is behind it counts, and no value of it
  fallen.trends[0].changes = {
      {.at = 10, .until = 38, .shape = ChangeShape::ramp, .before = 100, .after = 105}};
  fallen.trends[0].levels.back() = 90;
  EXPECT_THAT(history_html(suite_of(fallen), "s"),
              HasSubstr("<td data-name=\"against the first\">-10 %</td>"));
}

// Return the marks of the page's one chart, when its series has changed so.
nlohmann::json marks_of(std::vector<Change> changes) {
  CaseTrend one = trend();
  one.trends[0].changes = std::move(changes);
  const std::string page = history_html(suite_of(one), "s");
  const auto from = page.find("\"marks\":[") + 8;
  return nlohmann::json::parse(page.substr(from, page.find(']', from) + 1 - from));
}

TEST(HistoryHtml, ChangesAreMarkedWhereTheyAre) {
  const auto step = marks_of({{.at = 20, .until = 20, .before = 100, .after = 104}});
  EXPECT_EQ(step.dump(), R"([{"kind":"change","text":"+4 %","until":null,"x":20}])");
  const auto ramp =
      marks_of({{.at = 5, .until = 14, .shape = ChangeShape::ramp, .before = 100, .after = 102}});
  EXPECT_EQ(ramp.dump(), R"([{"kind":"change","text":"+2 % in 10 runs","until":14,"x":5}])");
  const auto open =
      marks_of({{.at = 30, .until = 39, .shape = ChangeShape::ramp, .before = 100, .after = 102}});
  EXPECT_EQ(open.dump(), R"([{"kind":"change","text":"+2 % and goes on","until":39,"x":30}])");
  const auto dip =
      marks_of({{.at = 8, .until = 12, .shape = ChangeShape::dip, .before = 100, .after = 80},
                {.at = 12, .until = 12, .shape = ChangeShape::recovery, .before = 80, .after = 100}});
  EXPECT_EQ(dip.dump(), R"([{"kind":"change","text":"-20 % for 4 runs","until":11,"x":8}])");
}

TEST(HistoryHtml, ADrawingShadesARampAndItsWordsDoNotOverlap) {
  CaseTrend one = trend();
  one.trends[0].changes = {{.at = 5, .until = 14, .shape = ChangeShape::ramp, .before = 100, .after = 102},
                           {.at = 6, .until = 6, .before = 100, .after = 103}};
  const std::string page = history_html(suite_of(one), "s");
  EXPECT_EQ(count_in(page, "<rect class=\"stretch\""), 1u);
  const auto y_of = [&](const std::string& text) {
    const auto end = page.find(">" + text + "</text>");
    const auto begin = page.rfind(" y=\"", end);
    return page.substr(begin, end - begin);
  };
  EXPECT_NE(y_of("+2 % in 10 runs"), y_of("+3 %"));
}

TEST(HistoryText, HostileNamesAreShown) {
  for (const std::string& text : {history_text(trend(), {}), history_table(suite_of(trend()), {})})
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  const std::string page = history_html(suite_of(trend()), hostile);
  EXPECT_THAT(page, Not(HasSubstr("<script>evil")));
  EXPECT_THAT(page, HasSubstr("\"kind\":\"change\""));
}

}  // namespace
}  // namespace gate::render::history_json_test
