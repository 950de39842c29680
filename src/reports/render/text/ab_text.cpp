#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/render/ab.h"
#include "gate/words/ab.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

constexpr std::size_t longest_rev = 100;

double mean_over_pairs(const AbMetric& metric, double PairValues::*side) {
  double sum = 0;
  for (const PairValues& pair : metric.pairs) sum += pair.*side;
  return metric.pairs.empty() ? 0 : sum / static_cast<double>(metric.pairs.size());
}

std::string side_line(const std::string& name, const AbSide& side) {
  return name + "  " + printable(side.rev, longest_rev) + " (" + short_commit(side.commit) + ")";
}

TextRow ab_row(const AbMetric& metric) {
  const std::string unit = metric.unit.empty() ? "" : " " + metric.unit;
  TextRow row{metric.metric, metric.what, fmt::format("{:.6g}", mean_over_pairs(metric, &PairValues::a)),
              fmt::format("{:.6g}{}", mean_over_pairs(metric, &PairValues::b), unit)};
  const auto& change = metric.change;
  row.push_back(change ? words::share_text(change->change) : "");
  row.push_back(change ? words::interval_text(*change) : "");
  row.push_back(change ? fmt::format("{:.2g} %", 100 * change->shown) : "");
  row.push_back(words::answer_text(metric));
  return row;
}

TextColor color_of(const AbResult& result) {
  if (result.failure || answer_of(result) == AbAnswer::worse) return TextColor::red;
  return answer_of(result) == AbAnswer::undecided ? TextColor::yellow : TextColor::green;
}

}  // namespace

std::string ab_closing(const AbResult& result) {
  const words::AbSummary summary = words::summary_of(result);
  return upper(summary.head) + ": " + summary.rest + fmt::format(" (exit {})", result.exit_code);
}

std::vector<std::string> ab_sides(const AbResult& result) {
  return {side_line("A", result.a), side_line("B", result.b)};
}

TextRows ab_rows(const AbResult& result) {
  TextRows rows{{"metric", "of", "A", "B", "B to A",
                 fmt::format("{:.3g} % interval", 100 * result.confidence),
                 count_of(result.most, "pair") + " show", ""}};
  for (const AbMetric& metric : result.metrics) rows.push_back(ab_row(metric));
  return rows;
}

std::string ab_text(const AbResult& result, const Style& style) {
  TextPage page(style);
  page.wrapped(
      fmt::format("{}: {} of at most {}", result.case_name, count_of(result.pairs, "pair"), result.most));
  for (const std::string& side : ab_sides(result)) page.wrapped("  " + side, 5);
  std::string out = page.text();
  if (!result.metrics.empty()) out += "\n" + table(ab_rows(result), style) + "\n";
  TextPage rest(style);
  for (const std::string& line : words::ab_details(result)) rest.wrapped(line, 2);
  if (result.failure && !result.failure->log.empty())
    rest.command("log  ", result.failure->log);
  else if (!result.folder.empty())
    rest.command("logs  ", result.folder);
  const std::string closing = ab_closing(result);
  const std::size_t colon = closing.find(':');
  rest.titled(color_of(result), closing.substr(0, colon + 1), closing.substr(colon + 2));
  return out + rest.text();
}

}  // namespace gate::render
