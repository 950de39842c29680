#include <algorithm>

#include "gate/render/compare.h"
#include "gate/render/html_page.h"
#include "render/text/compare_fold.h"

namespace gate::render {

namespace {

constexpr std::size_t places_of_page = 400'000;  // of all charts: what makes a file of about ten megabytes
constexpr std::size_t most_chart_places = 2'000;

std::size_t places_of_chart(const Comparison& comparison) {
  std::size_t charts = 1;
  for (const ComparedCase& one : comparison.cases) charts += one.charts.size();
  return std::min(most_chart_places, places_of_page / charts);
}

void put_compared_table(HtmlPage& page, const ComparedCase& one) {
  std::vector<std::vector<std::string>> rows = compare_rows(one);
  const std::vector<std::string> head = rows.front();
  rows.erase(rows.begin());
  std::vector<std::vector<HtmlPage::Cell>> cells;
  for (const auto& row : rows) {
    cells.emplace_back();
    for (const std::string& text : row) cells.back().push_back({text});
  }
  if (!cells.empty()) page.table(head, cells);
}

std::string badge_of(const ComparedCase& one) {
  const ComparedCount count = count_of_metrics(one);
  return std::to_string(count.different) + " of " + std::to_string(count.metrics) + " differ";
}

std::string verdicts_of(const ComparedCase& one) {
  if (!one.a || !one.b) return "";
  return std::string(to_string(*one.a)) + " -> " + std::string(to_string(*one.b));
}

void put_compared_case(HtmlPage& page, const Comparison& comparison, std::size_t place, std::size_t places) {
  const ComparedCase& one = comparison.cases[place];
  const bool different = count_of_metrics(one).different > 0;
  const bool open = different || comparison.cases.size() == 1;
  page.section("case-" + std::to_string(place), different ? HtmlPage::Tone::warn : HtmlPage::Tone::good,
               badge_of(one), one.name.empty() ? "A and B" : one.name, verdicts_of(one),
               open ? HtmlPage::Shown::open : HtmlPage::Shown::closed);
  put_compared_table(page, one);
  page.list(compare_details(one));
  page.charts(one.charts, places);
  page.section_end();
}

void put_only_names(HtmlPage& page, const std::string& heading, const std::vector<std::string>& names) {
  if (names.empty()) return;
  page.heading(heading);
  page.list(names);
}

}  // namespace

std::string compare_html(const Comparison& comparison) {
  const std::string closing = compare_closing(comparison);
  HtmlPage page(closing);
  page.banner(is_same(comparison) ? HtmlPage::Tone::good : HtmlPage::Tone::warn, closing);
  page.list({"A: " + side_words(comparison.a), "B: " + side_words(comparison.b)});
  const std::size_t places = places_of_chart(comparison);
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) put_compared_case(page, comparison, i, places);
  put_only_names(page, "cases only in A", comparison.only_a);
  put_only_names(page, "cases only in B", comparison.only_b);
  return page.finish();
}

}  // namespace gate::render
