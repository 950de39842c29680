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

Sentence side_line(const std::string& name, const AbSide& side) {
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

// The parts of the last line: what is said in capitals, and what stands behind its colon.
Sentence ab_head(const AbResult& result) {
  return words::summary_of(result).head.with(
      [](const std::string& text) { return upper(std::string_view(text)); });
}

Sentence ab_ending(const AbResult& result) {
  return say({"{} (exit {})", "{}（退出码 {}）"}, words::summary_of(result).rest, result.exit_code);
}

TextColor answer_color(const AbResult& result) {
  if (result.failure || answer_of(result) == AbAnswer::worse) return TextColor::red;
  return answer_of(result) == AbAnswer::undecided ? TextColor::yellow : TextColor::green;
}

}  // namespace

Sentence ab_closing(const AbResult& result) { return ab_head(result) + colon + ab_ending(result); }

std::vector<Sentence> ab_sides(const AbResult& result) {
  return {side_line("A", result.a), side_line("B", result.b)};
}

TextRows ab_rows(const AbResult& result) {
  TextRows rows{{say({"metric", "指标"}), say({"of", "聚合"}), "A", "B", say({"B to A", "B 相对 A"}),
                 say({"{:.3g} % interval", "{:.3g} % 区间"}, 100 * result.confidence),
                 say({"{} detect", "{}可检出"}, count_of(result.most, "pair", "对")), ""}};
  for (const AbMetric& metric : result.metrics) rows.push_back(ab_row(metric));
  return rows;
}

std::string ab_text(const AbResult& result, const Style& style) {
  TextPage page(style);
  page.wrapped(say({"{}: {} of at most {}", "{}：{}，最多 {} 对"}, result.case_name,
                   count_of(result.pairs, "pair", "对"), result.most));
  for (const Sentence& side : ab_sides(result)) page.wrapped("  " + side, 5);
  std::string out = page.text();
  if (!result.metrics.empty()) out += "\n" + table(ab_rows(result), style) + "\n";
  TextPage rest(style);
  for (const Sentence& line : words::ab_details(result)) rest.wrapped(line, 2);
  if (result.failure && !result.failure->log.empty())
    rest.command(say({"log  ", "日志 "}), result.failure->log);
  else if (!result.folder.empty())
    rest.command(say({"logs  ", "日志  "}), result.folder);
  rest.titled(answer_color(result), say({"{}:", "{}："}, ab_head(result)), ab_ending(result));
  return out + rest.text();
}

}  // namespace gate::render
