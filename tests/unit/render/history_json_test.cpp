#include <gmock/gmock.h>

#include "../schema/validate.h"
#include "app/results/suite_trend.h"
#include "gate/app/history.h"
#include "gate/base/text.h"
#include "gate/render/history.h"

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
  const std::string text = history_text(trend, {});
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

TEST(HistoryText, TellsChangesBaselinesAndFlips) {
  const std::string text = history_text(trend(), {});
  EXPECT_THAT(text, HasSubstr("  flaky  the verdict flipped in 2 of 39 runs"));
  EXPECT_THAT(text, HasSubstr("  t  rank 3  mean of last 10  104 ms\n"));
  EXPECT_THAT(text, HasSubstr("    +4 % since run run20 (2026-11-21, commit c): 101 -> 105 ms; Pettitt p "));
  EXPECT_THAT(text, HasSubstr("    baseline +3 % since the first of 2: 100 -> 103 ms\n"));
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

TEST(HistoryText, HostileNamesAreShown) {
  for (const std::string& text : {history_text(trend(), {}), history_table(suite_of(trend()), {})})
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  const std::string page = history_html(suite_of(trend()), hostile);
  EXPECT_THAT(page, Not(HasSubstr("<script>evil")));
  EXPECT_THAT(page, HasSubstr("\"kind\":\"change\""));
}

}  // namespace
}  // namespace gate::render::history_json_test
