#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "render/html/chart_json.h"
#include "render/html/chart_words.h"
#include "render/html/html_page.h"
#include "render/words/figures.h"
#include "render/words/head_words.h"
#include "sample_reports.h"

namespace gate::render::html_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* hostile = "</script><script>evil()</script>\"'>&<img src=x onerror=evil()>\x1b[31m\n";

Chart small_chart(const std::string& title) {
  Chart chart;
  chart.title = title;
  chart.axis = "step";
  chart.x = {1, 2};
  chart.curves = {{"run", CurveRole::run, {2.5, std::nullopt}}};
  chart.low = {2.49, std::nullopt};
  chart.marks = {{2, "first miss", MarkKind::miss}};
  return chart;
}

TEST(Html, RedCasesComeFirstAndAreOpen) {
  const std::string page = html(sample::report({sample::passed_case(), sample::hung_case()}, 4), Style{});
  EXPECT_THAT(page, HasSubstr("<h1 class=\"bad\">RED: 1 hung, 1 passed (exit 4)</h1>"));
  const std::string red = "id=\"case-" + sample::hung_case().name + "\"",
                    green = "id=\"case-" + sample::passed_case().name + "\"";
  EXPECT_LT(page.find(red + " open"), page.find(green));
  EXPECT_THAT(page,
              HasSubstr("<td data-name=\"case\"><a href=\"#case-mixtral_tp4_ep2\">mixtral_tp4_ep2</a>"));
  EXPECT_THAT(
      page, HasSubstr("<td data-name=\"what was found\">" + sample::hung_case().reason.english() + "</td>"));
  EXPECT_THAT(page, HasSubstr("<code>gate explain mixtral_tp4_ep2 --run 1121-0203</code>"));
  EXPECT_THAT(page, Not(HasSubstr(green + " open")));
}

TEST(Html, NeedsNothingButItself) {
  CaseReport one = sample::passed_case();
  one.charts = {small_chart("lm_loss")};
  const std::string page = html(sample::report({one}, 0), Style{});
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(testing::ContainsRegex("(src|href)=\"?[a-z]*:?//")));
  EXPECT_THAT(page, HasSubstr("var uPlot="));
  EXPECT_THAT(page, HasSubstr("The MIT License (MIT)"));
}

TEST(Html, WithoutChartsTheLibraryIsLeftOut) {
  EXPECT_THAT(html(sample::report({sample::passed_case()}, 0), Style{}), Not(HasSubstr("var uPlot=")));
}

TEST(Html, HostileTextsAreTexts) {
  CaseReport one = sample::hung_case();
  one.reason = hostile;
  one.name = one.owner = hostile;
  one.notes = {plain_note(hostile)};
  one.differs = {{hostile, "", ""}};
  one.charts = {small_chart(hostile)};
  one.charts[0].unit = hostile;
  one.charts[0].note = one.charts[0].curves[0].name = one.charts[0].marks[0].text = hostile;
  one.excerpts = {{hostile, hostile, 3, 4, {hostile, hostile}}};
  Report report = sample::report({one}, 4);
  report.suite = report.host = report.run = hostile;
  const std::string page = html(report, Style{});
  EXPECT_THAT(page, Not(HasSubstr("<script>evil")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x"));
}

// What stands in the page between two texts, once.
std::string between(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from);
  return begin == std::string::npos ? "" : page.substr(begin, page.find(to, begin) - begin);
}

TEST(Html, PassedCasesAreOneLineThatOpens) {
  const std::string page = html(sample::report({sample::passed_case(), sample::hung_case()}, 4), Style{});
  const std::string folded = between(page, "<details class=\"fold\"><summary>1 passed", "</details>");
  EXPECT_THAT(folded, HasSubstr("href=\"#case-" + sample::passed_case().name + "\""));
  EXPECT_THAT(folded, Not(HasSubstr("href=\"#case-" + sample::hung_case().name + "\"")));
}

TEST(Html, FewPassedCasesAloneAreShown) {
  const std::string page = html(sample::report({sample::passed_case(), sample::passed_case()}, 0), Style{});
  EXPECT_THAT(page, HasSubstr("<details class=\"fold\" open=\"open\"><summary>2 passed"));
}

TEST(Html, HeadHasEveryLineOfTheTextsHead) {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 4; ++i) {
    cases.push_back(sample::passed_case());
    cases.back().name = "c" + std::to_string(i);
    cases.back().differs = {{"torch", "2.1.0", "2.2.0"}};
  }
  cases.push_back(sample::hung_case());
  Report report = sample::report(cases, 4);
  report.notes = {"a note about the run"};
  const std::string page = html(report, Style{});
  ASSERT_THAT(head_lines(report), testing::SizeIs(testing::Ge(2u)));
  ASSERT_THAT(suite_lines(report).back().english(), HasSubstr("torch 2.1.0 -"));
  for (const auto& lines : {head_lines(report), suite_lines(report), report.notes})
    for (const Sentence& line : lines)
      EXPECT_THAT(page, HasSubstr(">" + line.english().substr(0, line.english().find("->"))))
          << line.english();
}

TEST(Html, ARowTellsHowMuchOfEachToleranceIsUsed) {
  CaseReport one = sample::passed_case();
  one.verdict = Verdict::regressed;
  one.checks = {sample::failed_loss(), sample::speed(CheckStatus::pass, "130.82", "-3.35", -2.5)};
  one.checks[1].margin = shown::value("3.3585");
  const std::string page = html(sample::report({one, sample::passed_case()}, 1), Style{});
  EXPECT_THAT(page, HasSubstr("<span class=\"bar over\" title=\"lm_loss: 60 times of its tolerance used\">"
                              "<i style=\"width:100%\">"));
  EXPECT_THAT(page, HasSubstr("title=\"throughput: 49 % of its tolerance used\"><i style=\"width:40%\">"));
}

TEST(Html, WhatStoodBeforeACrashUsedNothingOfItsTolerance) {
  CaseReport one = sample::passed_case();
  one.checks = {sample::speed(CheckStatus::pass, "135.35", "0", 0)};
  one.checks[0].margin = shown::value("0");
  EXPECT_THAT(html(sample::report({one}, 0), Style{}), HasSubstr("0 % of its tolerance used"));
  one.verdict = Verdict::crashed;
  EXPECT_THAT(html(sample::report({one}, 6), Style{}), Not(HasSubstr("of its tolerance used")));
}

TEST(Html, DetailsAreReadCaseByCaseTheRedOnesFirst) {
  CaseReport red = sample::hung_case(), green = sample::passed_case();
  Report report = sample::report({green, red}, 4);
  std::vector<std::string> asked;
  report.details = [&](const CaseReport& one) {
    asked.push_back(one.name);
    CaseDetails details;
    details.charts = {small_chart("metric of " + one.name)};
    details.charts[0].checked = true;
    return details;
  };
  const std::string page = html(report, Style{});
  EXPECT_THAT(asked, testing::ElementsAre(red.name, green.name));
  EXPECT_THAT(between(page, "<svg class=\"spark\"", "</svg>"), HasSubstr("metric of " + red.name));
  EXPECT_LT(page.find("<svg class=\"spark\""), page.find("<details class=\"section\""));
  EXPECT_THAT(page, HasSubstr("<figcaption>metric of " + green.name));
}

TEST(Html, ALinkToACaseHoldsWhateverItsName) {
  CaseReport one = sample::hung_case();
  one.name = "a b/é\"%41";
  const std::string page = html(sample::report({one}, 4), Style{});
  EXPECT_THAT(page, HasSubstr("id=\"case-a b/é&quot;%41\""));
  EXPECT_THAT(page, HasSubstr("href=\"#case-a%20b/%C3%A9%22%2541\""));
}

TEST(Html, TheValueThatMissesIsMarkedInItsLine) {
  CaseReport one = sample::regressed_case();
  one.excerpts = {
      {"first miss", "log.txt", 6, 7, {"loss 1.5", "step 11.50 loss 1.50 <"}, shown::value("1.5")}};
  EXPECT_THAT(
      html(sample::report({one}, 1), Style{}),
      HasSubstr("<span>6  loss 1.5</span>\n<span class=\"pointed\">7  step 11.50 loss <mark>1.50</mark> "
                "&lt;</span>"));
}

TEST(Html, ACaseIsGreenUntilACommitWithItsSubject) {
  CaseReport one = sample::regressed_case();
  one.green_until = GreenUntil{"1120-0203", "3f2a1c7" + std::string(33, 'a'), "", 2, 14, "data: shuffle <b>"};
  EXPECT_THAT(html(sample::report({one}, 1), Style{}),
              HasSubstr("green until 3f2a1c7, 14 commits ago: data: shuffle &lt;b&gt;</td>"));
}

TEST(Html, WhatWasNotDecidedUsedNothingOfItsTolerance) {
  CaseReport one = sample::hung_case();
  one.checks = {sample::loss(CheckStatus::undecided), sample::not_finite_loss()};
  one.checks[0].baseline = one.checks[0].actual = shown::value("3.9");
  one.checks[0].limit = shown::limit("3.89..3.91");
  one.checks[0].margin = shown::value("0.01");
  EXPECT_THAT(html(sample::report({one}, 4), Style{}), Not(HasSubstr("of its tolerance used")));
}

TEST(Html, OfWhatIsNotFiniteNoDifferenceIsShown) {
  CaseReport one = sample::regressed_case();
  one.checks = {sample::not_finite_loss()};
  const std::string page = html(sample::report({one}, 1), Style{});
  EXPECT_THAT(page, HasSubstr("1 step not finite or out of ±0.01"));
  EXPECT_THAT(page, Not(HasSubstr("0.0052")));
}

TEST(Html, ARowHasASparkLineOfWhatIsJudged) {
  CaseReport one = sample::hung_case();
  one.charts = {small_chart("lm_loss")};
  EXPECT_THAT(html(sample::report({one}, 4), Style{}), Not(HasSubstr("class=\"spark\"")));
  one.charts[0].checked = true;
  EXPECT_THAT(html(sample::report({one}, 4), Style{}), HasSubstr("class=\"spark\""));
}

TEST(Html, ChartsAreDrawnWithoutAScript) {
  CaseReport one = sample::hung_case();
  one.charts = {small_chart("lm_loss")};
  Chart& chart = one.charts[0];
  chart.checked = true;
  chart.x = {1, 2, 3};
  chart.low = {2.49, std::nullopt, std::nullopt};
  chart.curves = {{"run", CurveRole::run, {9, 2, 3}},
                  {"baseline", CurveRole::baseline, {9, std::nullopt, 1}}};
  chart.judged = AxisStretch{2, 3};
  chart.levels = {{"mean", LevelRole::run, 2.5}, {"limit", LevelRole::limit, 2}};
  chart.shown_y = AxisStretch{0, 4};
  const std::string page = html(sample::report({one}, 4), Style{});
  const std::string sketch = between(page, "<svg class=\"sketch\"", "</svg>");
  for (const char* part : {"class=\"window\"", "class=\"run level\"", "class=\"limit\"", "class=\"clip\"",
                           ">first miss</text>", "class=\"run\" d=\"M58 6L"})
    EXPECT_THAT(sketch, HasSubstr(part));
  EXPECT_THAT(sketch, HasSubstr("class=\"baseline\" d=\"M58 6M"));  // broken where a value is missing
  EXPECT_THAT(page, HasSubstr("clipped: step 1; double-click for all"));
}

TEST(Html, WhatIsAlwaysTheSameIsNoChart) {
  CaseReport one = sample::passed_case();
  one.charts = {small_chart("loss_scale")};
  one.charts[0].marks.clear();
  one.charts[0].curves[0].values = {1, 1};
  const std::string page = html(sample::report({one}, 0), Style{});
  EXPECT_THAT(page, HasSubstr("always the same: loss_scale 1<"));
  EXPECT_THAT(page, Not(HasSubstr("<figure")));
}

TEST(ChartWords, TheLegendSaysWhatTheLinesAre) {
  Chart chart = small_chart("throughput");
  chart.x = {51, 60};
  chart.curves = {{"baseline", CurveRole::baseline, {1, 2}}, {"run", CurveRole::run, {1, 2}}};
  chart.levels = {{"mean", LevelRole::baseline, 342.6123},
                  {"mean", LevelRole::run, 311.99},
                  {"limit", LevelRole::limit, 325.4795}};
  chart.judged = AxisStretch{51, 60};
  chart.low.clear();
  std::vector<std::string> words;
  for (const LegendWords& one : legend_of(chart)) words.push_back(one.text.english());
  EXPECT_THAT(words, testing::ElementsAre("run, mean 311.99", "baseline, mean 342.61", "limit 325.48",
                                          "judged: step 51-60"));
  chart.levels.clear();
  chart.curves = {{"run rank 0", CurveRole::run, {1, 2}}, {"run rank 1", CurveRole::run, {1, 2}}};
  EXPECT_EQ(legend_of(chart).front().text, "run, 2 ranks");
}

TEST(ChartWords, SharesAreNeverRoundedAcrossTheLimit) {
  EXPECT_EQ(used_words(0), "0 %");
  EXPECT_EQ(used_words(0.0049), "0.4 %");
  EXPECT_EQ(used_words(0.9999), "99 %");
  EXPECT_EQ(used_words(1), "100 %");
  EXPECT_EQ(used_words(1.0001), "101 %");
  EXPECT_EQ(used_words(1.78), "1.8 times");
  EXPECT_EQ(used_words(312.2), "312 times");
}

Chart chart_of(std::size_t places, bool checked) {
  Chart chart = small_chart("m");
  chart.checked = checked;
  chart.x.assign(places, 1);
  return chart;
}

std::vector<Chart> charts_of(std::size_t gated, std::size_t others, std::size_t places) {
  std::vector<Chart> charts(gated, chart_of(places, true));
  charts.resize(gated + others, chart_of(places, false));
  return charts;
}

TEST(ChartBudget, GatedChartsComeFirstOnALargePage) {
  const Chart gated = chart_of(9000, true), other = chart_of(9000, false);
  ChartBudget one(1);
  one.next(charts_of(400, 0, 9000));
  EXPECT_EQ(one.places_of(gated), 1000u);
  one = ChartBudget(charts_of(400, 5000, 9000));
  EXPECT_EQ(one.places_of(gated), 1000u);
  EXPECT_LT(one.places_of(other), 300u);
  EXPECT_TRUE(one.is_sketched(gated));
  EXPECT_FALSE(one.is_sketched(other));
  EXPECT_TRUE(ChartBudget(charts_of(0, 200, 9)).is_sketched(other));
  EXPECT_LT(ChartBudget(charts_of(5400, 5000, 9000)).places_of(gated), 200u);
}

TEST(ChartBudget, WhatACaseLeavesIsForThoseBehindIt) {
  const Chart gated = chart_of(9000, true);
  ChartBudget budget(200);
  budget.next(charts_of(10, 0, 9000));
  const std::size_t share = budget.places_of(gated);  // of 200 such cases
  EXPECT_EQ(share, 1'900'000u / 200 / 20);
  for (int i = 0; i < 198; ++i) budget.next(charts_of(10, 0, 2));
  budget.next(charts_of(10, 0, 9000));
  EXPECT_EQ(budget.places_of(gated), 1000u);
}

TEST(ChartJson, ManyNumbersArePacked) {
  Chart chart = small_chart("m");
  chart.x.clear();
  for (int i = 1; i <= 66; ++i) chart.x.push_back(i == 66 ? 1000 : i);
  chart.curves[0].values.assign(66, 1.0);
  chart.curves[0].values[0] = std::nullopt;
  chart.curves.push_back(chart.curves[0]);
  chart.curves[1].values[2] = 2.5;
  const auto json = nlohmann::ordered_json::parse(chart_json(chart, 66, Language::english));
  EXPECT_THAT(json["x"]["rises"].get<std::string>(), testing::EndsWith("AQGnBw=="));  // 1, 1, 935
  EXPECT_EQ(json["curves"][0]["values"].dump(), R"({"size":66,"from":1,"count":65,"all":1})");
  EXPECT_EQ(json["curves"][1]["values"]["from"], 1);
  EXPECT_THAT(json["curves"][1]["values"]["floats"].get<std::string>(),
              testing::StartsWith("AACAPwAAIEAAAIA/"));  // 1, 2.5, 1
}

TEST(ChartJson, IsJsonWithoutMarkup) {
  Chart chart = small_chart(hostile);
  const std::string labels = labels_json({{hostile, "b"}, {"c", hostile}});
  EXPECT_EQ(labels.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::ordered_json::parse(labels)[1][0], "c");
  const std::string text = chart_json(chart, 7, Language::english);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  const auto json = nlohmann::ordered_json::parse(text);
  EXPECT_THAT(json["title"].get<std::string>(), HasSubstr("</script><script>evil()"));
  EXPECT_EQ(json["places"], 7);
  EXPECT_EQ(json["curves"][0]["values"].dump(), "[2.5,null]");
  EXPECT_EQ(json["low"].dump(), "[2.49,null]");
  EXPECT_TRUE(json["high"].empty());
  EXPECT_EQ(json["marks"][0]["kind"], "miss");
  EXPECT_TRUE(json["marks"][0]["until"].is_null());
}

}  // namespace
}  // namespace gate::render::html_test
