#include "cli/compare_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/table_json.h"
#include "gate/base/text.h"
#include "gate/render/html_page.h"

namespace gate::cli {

namespace {

using app::ComparedCase;
using app::ComparedSeries;
using Json = nlohmann::ordered_json;
using Cell = render::HtmlPage::Cell;
using Tone = render::HtmlPage::Tone;

constexpr std::size_t most_named = 8;
constexpr std::size_t most_places = 2'000;

std::string name_of(const ComparedSeries& series) {
  return series.metric + (series.rank ? " rank " + std::to_string(*series.rank) : "");
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "-"; }

std::string percent(const judge::Distance& distance) {
  const auto share = distance.share();
  return share ? fmt::format("{:+.2g} %", *share * 100) : "-";
}

std::string apart_words(const std::optional<judge::Apart>& apart, const std::string& noun) {
  if (!apart) return "-";
  const std::string delta = apart->delta.empty() ? "" : " (" + apart->delta + ")";
  return noun + " " + std::to_string(apart->number) + ": " + apart->a + " -> " + apart->b + delta;
}

std::string common_words(const ComparedSeries& series) {
  const judge::Distance& d = series.distance;
  std::string words = std::to_string(d.different) + " of " + count_of(d.common, series.numbered);
  if (d.only_a > 0) words += ", " + std::to_string(d.only_a) + " only in A";
  if (d.only_b > 0) words += ", " + std::to_string(d.only_b) + " only in B";
  return words;
}

std::vector<std::string> row_of(const ComparedSeries& series) {
  const judge::Distance& d = series.distance;
  return {name_of(series),
          common_words(series),
          number(d.mean_a) + " -> " + number(d.mean_b) + (series.unit.empty() ? "" : " " + series.unit),
          percent(d),
          apart_words(d.first, series.numbered),
          d.largest ? d.largest->delta + " at " + std::to_string(d.largest->number) : "-"};
}

const std::vector<std::string> head{"series", "different",       "mean A -> B",
                                    "change", "first different", "largest"};

std::vector<std::string> only_lines(const ComparedCase& one) {
  std::vector<std::string> lines;
  if (!one.only_a.empty()) lines.push_back("only in A: " + some_of(one.only_a, most_named));
  if (!one.only_b.empty()) lines.push_back("only in B: " + some_of(one.only_b, most_named));
  return lines;
}

std::int64_t count_same(const ComparedCase& one) {
  return std::ranges::count_if(one.series,
                               [](const ComparedSeries& series) { return series.distance.same(); });
}

std::string verdict_words(const ComparedCase& one) {
  if (one.verdict_a == one.verdict_b) return one.verdict_a;
  return (one.verdict_a.empty() ? "-" : one.verdict_a) + " -> " +
         (one.verdict_b.empty() ? "-" : one.verdict_b);
}

std::string title(const ComparedCase& one) {
  std::string words = one.name.empty() ? "" : one.name + "  ";
  if (const std::string verdicts = verdict_words(one); !verdicts.empty()) words += verdicts + "  ";
  return words + std::to_string(count_same(one)) + " of " + std::to_string(one.series.size()) +
         " series the same";
}

std::string case_text(const ComparedCase& one, const render::Style& style) {
  std::vector<std::vector<std::string>> rows{head};
  for (const ComparedSeries& series : one.series)
    if (style.verbose || !series.distance.same()) rows.push_back(row_of(series));
  std::string out = printable(title(one)) + "\n";
  if (rows.size() > 1) out += render::table(rows, style);
  for (const std::string& line : only_lines(one)) out += printable(line) + "\n";
  return out;
}

// Steps come before reports, which count something else.
bool is_earlier(const ComparedSeries& a, const ComparedSeries& b) {
  const auto place = [](const ComparedSeries& one) {
    return std::pair(one.numbered != "step", one.distance.first->number);
  };
  return place(a) < place(b);
}

// The earliest difference of all: where to look first.
std::string first_of_all(const app::Comparison& comparison) {
  const ComparedSeries* earliest = nullptr;
  for (const ComparedCase& one : comparison.cases)
    for (const ComparedSeries& series : one.series)
      if (series.distance.first && (earliest == nullptr || is_earlier(series, *earliest))) earliest = &series;
  if (earliest == nullptr) return "";
  return ", first at " + earliest->numbered + " " + std::to_string(earliest->distance.first->number) +
         " of " + name_of(*earliest);
}

bool all_same(const app::Comparison& comparison) {
  return comparison.only_a.empty() && comparison.only_b.empty() &&
         std::ranges::all_of(comparison.cases, &ComparedCase::same);
}

std::string closing_line(const app::Comparison& comparison) {
  std::int64_t series = 0, same = 0;
  for (const ComparedCase& one : comparison.cases) {
    series += static_cast<std::int64_t>(one.series.size());
    same += count_same(one);
  }
  const std::string in = " in " + count_of(static_cast<std::int64_t>(comparison.cases.size()), "case");
  if (all_same(comparison)) return "SAME: " + std::to_string(same) + " series" + in;
  return "DIFFERENT: " + std::to_string(series - same) + " of " + std::to_string(series) + " series" + in +
         first_of_all(comparison);
}

std::vector<std::string> side_lines(const app::Comparison& comparison) {
  std::vector<std::string> lines{"A  " + comparison.a, "B  " + comparison.b};
  if (!comparison.only_a.empty())
    lines.push_back("cases only in A: " + some_of(comparison.only_a, most_named));
  if (!comparison.only_b.empty())
    lines.push_back("cases only in B: " + some_of(comparison.only_b, most_named));
  return lines;
}

Json apart_json(const judge::Apart& apart) {
  return {{"number", apart.number}, {"a", apart.a}, {"b", apart.b}, {"delta", apart.delta}};
}

Json series_json(const ComparedSeries& series) {
  const judge::Distance& d = series.distance;
  Json json{{"metric", series.metric}, {"unit", series.unit}, {"numbered", series.numbered},
            {"common", d.common},      {"only_a", d.only_a},  {"only_b", d.only_b},
            {"different", d.different}};
  if (series.rank) json["rank"] = *series.rank;
  if (d.first) json["first"] = apart_json(*d.first);
  if (d.largest) json["largest"] = apart_json(*d.largest);
  if (d.mean_a) json["mean_a"] = *d.mean_a;
  if (d.mean_b) json["mean_b"] = *d.mean_b;
  return json;
}

Json case_json(const ComparedCase& one) {
  Json json{{"case", one.name},       {"verdict_a", one.verdict_a}, {"verdict_b", one.verdict_b},
            {"same", one.same()},     {"only_a", one.only_a},       {"only_b", one.only_b},
            {"series", Json::array()}};
  for (const ComparedSeries& series : one.series) json["series"].push_back(series_json(series));
  return json;
}

void put_case(render::HtmlPage& page, const ComparedCase& one, std::size_t place) {
  const Tone tone = one.same() ? Tone::good : Tone::warn;
  page.section("case-" + std::to_string(place), tone, one.same() ? "same" : "different", one.name, title(one),
               one.same() ? render::HtmlPage::Shown::closed : render::HtmlPage::Shown::open);
  std::vector<std::vector<Cell>> rows;
  for (const ComparedSeries& series : one.series) {
    std::vector<Cell>& cells = rows.emplace_back();
    for (const std::string& word : row_of(series))
      cells.push_back({word, "", cells.empty() && !series.distance.same() ? Tone::warn : Tone::plain});
  }
  if (!rows.empty()) page.table(head, rows);
  page.list(only_lines(one));
  page.charts(one.charts, most_places);
  page.section_end();
}

}  // namespace

std::string comparison_text(const app::Comparison& comparison, const render::Style& style) {
  std::string out;
  for (const std::string& line : side_lines(comparison)) out += printable(line) + "\n";
  for (const ComparedCase& one : comparison.cases)
    if (style.verbose || !one.same() || comparison.cases.size() == 1) out += case_text(one, style);
  return out + printable(closing_line(comparison)) + "\n";
}

std::string comparison_json(const app::Comparison& comparison) {
  Json json{{"schema", "gate.comparison/1"}, {"a", comparison.a},           {"b", comparison.b},
            {"same", all_same(comparison)},  {"only_a", comparison.only_a}, {"only_b", comparison.only_b},
            {"cases", Json::array()}};
  for (const ComparedCase& one : comparison.cases) json["cases"].push_back(case_json(one));
  return json_text(json);
}

std::string comparison_html(const app::Comparison& comparison) {
  render::HtmlPage page(closing_line(comparison));
  page.banner(all_same(comparison) ? Tone::good : Tone::warn, closing_line(comparison));
  page.list(side_lines(comparison));
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) put_case(page, comparison.cases[i], i);
  return page.finish();
}

}  // namespace gate::cli
