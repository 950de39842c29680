#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gate/render/html_page.h"
#include "render/html/chart_json.h"
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
  EXPECT_LT(page.find("id=\"case-1\" open"), page.find("id=\"case-0\""));
  EXPECT_THAT(page, HasSubstr("<td data-name=\"case\"><a href=\"#case-1\">mixtral_tp4_ep2</a>"));
  EXPECT_THAT(page, HasSubstr("<td data-name=\"what was found\">" + sample::hung_case().reason + "</td>"));
  EXPECT_THAT(page, HasSubstr("<code>gate explain mixtral_tp4_ep2 --run 1121-0203</code>"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"case-0\" open")));
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
  one.name = one.owner = one.reason = hostile;
  one.notes = {plain_note(hostile)};
  one.differs = {hostile};
  one.charts = {small_chart(hostile)};
  one.charts[0].unit = one.charts[0].note = one.charts[0].curves[0].name = one.charts[0].marks[0].text =
      hostile;
  one.excerpts = {{hostile, hostile, 3, 4, {hostile, hostile}}};
  Report report = sample::report({one}, 4);
  report.suite = report.host = report.run = hostile;
  const std::string page = html(report, Style{});
  EXPECT_THAT(page, Not(HasSubstr("<script>evil")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x"));
}

TEST(ChartJson, IsJsonWithoutMarkup) {
  Chart chart = small_chart(hostile);
  chart.labels = {hostile, "b"};
  const std::string text = chart_json(chart, 7);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  const auto json = nlohmann::ordered_json::parse(text);
  EXPECT_THAT(json["title"].get<std::string>(), HasSubstr("</script><script>evil()"));
  EXPECT_EQ(json["places"], 7);
  EXPECT_EQ(json["curves"][0]["values"].dump(), "[2.5,null]");
  EXPECT_EQ(json["low"].dump(), "[2.49,null]");
  EXPECT_TRUE(json["high"].empty());
  EXPECT_EQ(json["marks"][0]["kind"], "miss");
}

}  // namespace
}  // namespace gate::render::html_test
