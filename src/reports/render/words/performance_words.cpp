#include "render/words/part_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "gate/base/natural.h"
#include "gate/base/text.h"

namespace gate::render {

namespace {

constexpr std::size_t most_told = 20;

struct PublishedCase {
  const CaseReport* report = nullptr;
  const CasePerformance* performance = nullptr;

  const TrainingShape& shape() const { return performance->shape; }
  const PrintedFigure& speed() const { return performance->figures.front(); }
};

bool is_published(const CaseReport& one) {
  const bool is_waived =
      std::ranges::any_of(one.checks, [](const Check& check) { return check.status == CheckStatus::waived; });
  return one.verdict == Verdict::passed && !one.quarantine && !is_waived && one.performance &&
         !one.performance->figures.empty();
}

std::string shown_speed(const Decimal& value) {
  const double number = value.to_double();
  return number >= 1000 ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

// `121 %`, of the reference.
std::string ratio_of(const CasePerformance& performance, const PrintedFigure& figure) {
  const Decimal* reference = performance.comparable_reference(figure);
  if (reference == nullptr) return "";
  const double ratio = 100 * figure.value.to_double() / reference->to_double();
  return ratio >= 1000 ? fmt::format("{:.0f} %", ratio) : fmt::format("{:.3g} %", ratio);
}

// The line of the reference's table: `README.md:111` is README.md, 111.
std::pair<std::string, std::int64_t> place_in_table(const PerformanceRow& row) {
  const std::size_t colon = row.source.rfind(':');
  if (colon == std::string::npos) return {row.source, 0};
  return {row.source.substr(0, colon), parse_integer(row.source.substr(colon + 1)).value_or(0)};
}

bool comes_before(const PublishedCase& a, const PublishedCase& b) {
  const auto &row = a.performance->reference, &other = b.performance->reference;
  if (row.has_value() != other.has_value()) return row.has_value();
  if (row && place_in_table(*row) != place_in_table(*other))
    return place_in_table(*row) < place_in_table(*other);
  return natural_less(a.report->name, b.report->name);
}

std::vector<PublishedCase> published_cases(const Report& report) {
  std::vector<PublishedCase> cases;
  for (const CaseReport& one : report.cases)
    if (is_published(one)) cases.push_back({&one, &*one.performance});
  std::ranges::sort(cases, comes_before);
  return cases;
}

std::string model_of(const PublishedCase& one) {
  const std::string& name = one.report->name;
  return one.shape().model.empty() ? name.substr(0, name.find('@')) : one.shape().model;
}

// 16 of `2x8`; 0 where it is none, or of more than a million each.
std::int64_t devices_of_cluster(const std::string& cluster) {
  const std::size_t cross = std::min(cluster.find('x'), cluster.size());
  const auto nodes = parse_integer(cluster.substr(0, cross));
  const auto devices = parse_integer(cluster.substr(std::min(cross + 1, cluster.size())));
  const auto is_count = [](const auto& number) { return number && *number >= 1 && *number <= 1'000'000; };
  return is_count(nodes) && is_count(devices) ? *nodes * *devices : 0;
}

double speed_of_device(const PublishedCase& one) {
  const double value = one.speed().value.to_double();
  return one.speed().unit.ends_with("/device")
             ? value
             : value / static_cast<double>(devices_of_cluster(one.shape().cluster));
}

// Cases with the same key differ in their cluster alone.
using ClusterKey =
    std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string>;

ClusterKey cluster_key(const PublishedCase& one) {
  const TrainingShape& shape = one.shape();
  return {model_of(one),   shape.parameters,   shape.sequence,      shape.implementation,
          shape.precision, one.speed().metric, one.report->platform};
}

// By case, the speed of a device beside that on the smallest cluster of the same training.
std::map<const CaseReport*, Sentence> linearities(const std::vector<PublishedCase>& cases) {
  std::map<ClusterKey, const PublishedCase*> smallest;
  for (const PublishedCase& one : cases) {
    const std::int64_t devices = devices_of_cluster(one.shape().cluster);
    const PublishedCase*& least = smallest[cluster_key(one)];
    if (devices > 0 && (least == nullptr || devices < devices_of_cluster(least->shape().cluster)))
      least = &one;
  }
  std::map<const CaseReport*, Sentence> shown;
  for (const PublishedCase& one : cases) {
    const PublishedCase* least = smallest.at(cluster_key(one));
    const std::int64_t devices = devices_of_cluster(one.shape().cluster);
    if (least == nullptr || devices == 0 || devices == devices_of_cluster(least->shape().cluster)) continue;
    shown[one.report] = say({"{0:.3g} % of {1}", "{1} 的 {0:.3g} %"},
                            100 * speed_of_device(one) / speed_of_device(*least), least->shape().cluster);
  }
  return shown;
}

const PrintedFigure* figure_of(const CasePerformance& performance, std::string_view metric) {
  return row_in(performance.figures, metric, &PrintedFigure::metric);
}

std::string mfu_of(const CasePerformance& performance) {
  const PrintedFigure* mfu = figure_of(performance, "mfu");
  return mfu == nullptr ? "" : fmt::format("{:.1f} %", mfu->value.to_double());
}

// The metrics beside speed and MFU that some case has, `e2e_time (s)`: each is a column of its own, for
// numbers of two metrics below one head would be compared.
std::vector<const PrintedFigure*> further_columns(const std::vector<PublishedCase>& cases) {
  std::vector<const PrintedFigure*> columns;
  for (const PrintedMetric& printed : metrics_of_tables()) {
    if (printed.kind == PrintedMetric::Kind::speed || printed.kind == PrintedMetric::Kind::utilization)
      continue;
    const PrintedFigure* found = nullptr;
    for (const PublishedCase& one : cases)
      if (found == nullptr) found = figure_of(*one.performance, printed.metric);
    if (found != nullptr) columns.push_back(found);
  }
  return columns;
}

// As the reference's table writes it, where it is the same.
std::string speed_unit(const CasePerformance& performance) {
  const std::string& own = performance.figures.front().unit;
  const bool is_same = performance.reference && canonical_speed_unit(performance.reference->unit) == own;
  return is_same ? performance.reference->unit : own;
}

// Leave out the columns that are empty in every row.
TextRows without_empty_columns(const TextRows& rows) {
  TextRows kept(rows.size());
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    const bool is_empty =
        std::all_of(rows.begin() + 1, rows.end(), [&](const TextRow& row) { return row[column].empty(); });
    if (is_empty && rows.size() > 1) continue;
    for (std::size_t i = 0; i < rows.size(); ++i) kept[i].push_back(rows[i][column]);
  }
  return kept;
}

TextRow performance_row(const PublishedCase& one, const Sentence& linearity,
                        const std::vector<const PrintedFigure*>& further) {
  const TrainingShape& shape = one.shape();
  const CasePerformance& performance = *one.performance;
  const Decimal* reference = performance.comparable_reference();
  const auto& row = performance.reference;
  TextRow cells{model_of(one),
                shape.parameters,
                shape.sequence,
                shape.implementation,
                shape.cluster,
                shape.precision,
                shown_speed(one.speed().value),
                reference == nullptr ? "" : reference->to_string(),
                ratio_of(performance, one.speed()),
                speed_unit(performance),
                mfu_of(performance),
                linearity};
  for (const PrintedFigure* column : further) {
    const PrintedFigure* figure = figure_of(performance, column->metric);
    cells.emplace_back(figure == nullptr ? "" : shown_speed(figure->value));
  }
  for (const std::string& text :
       {row ? row->contributor : "", row ? row->label : "", one.report->platform, one.report->name})
    cells.emplace_back(text);
  return cells;
}

// What all green cases ran with, and by which formulas their figures are derived; each once.
void add_versions(std::vector<Sentence>& notes, const std::vector<PublishedCase>& cases) {
  std::map<std::string, std::set<std::string>> versions;
  std::set<std::string> formulas;
  for (const PublishedCase& one : cases) {
    for (const auto& [name, value] : one.report->ran_on) versions[name].insert(value);
    for (const PrintedFigure& figure : one.performance->figures)
      if (!figure.formula.empty()) formulas.insert(figure.metric + " = " + figure.formula);
  }
  for (const auto& [name, values] : versions)
    if (values.size() == 1) notes.push_back(name + " " + *values.begin());
  notes.insert(notes.end(), formulas.begin(), formulas.end());
}

// `reference 3850: 121 %`
Sentence beside_row(const CasePerformance& performance, const PrintedFigure& figure) {
  const PerformanceRow& row = *performance.reference;
  const Decimal* const number = row.find(figure.metric);
  if (number == nullptr) return say({"no reference", "没有参考值"});
  const std::string ratio = ratio_of(performance, figure);
  return say({"reference {}{}", "参考 {}{}"}, number->to_string(),
             ratio.empty() ? as_is(" " + row.unit_of(figure.metric)) : colon + ratio);
}

}  // namespace

Sentence performance_words(const CaseReport& one) {
  if (!one.performance || !one.performance->reference || one.performance->figures.empty()) return {};
  const CasePerformance& performance = *one.performance;
  const PrintedFigure& speed = performance.figures.front();
  std::vector<Sentence> beside;
  for (const Check& check : one.checks)
    if (check.metric == speed.metric && check.baseline && check.delta_percent && beside.empty())
      beside.emplace_back(fmt::format("{:+.3g} %", *check.delta_percent));
  const PerformanceRow& row = *performance.reference;
  beside.push_back(beside_row(performance, speed));
  std::vector<Sentence> told{say({"{} {} ({})", "{} {}（{}）"}, shown_speed(speed.value),
                                 speed_unit(performance), join(beside, " | "))};
  for (const PrintedFigure& figure : performance.figures)
    if (&figure != &speed && !row.figures.empty() && row.find(figure.metric) != nullptr)
      told.push_back(say({"{} {}{} ({})", "{} {}{}（{}）"}, figure.metric, shown_speed(figure.value),
                         figure.unit.empty() ? "" : " " + figure.unit, beside_row(performance, figure)));
  return join(told, comma);
}

TextRows performance_rows(const Report& report) {
  const std::vector<PublishedCase> cases = published_cases(report);
  const auto linearity = linearities(cases);
  TextRows rows{{say({"model", "模型"}), say({"parameters", "参数量"}), say({"sequence", "序列长度"}),
                 say({"implementation", "实现"}), say({"cluster", "集群"}), say({"precision", "精度"}),
                 say({"measured", "实测"}), say({"reference", "参考"}), say({"ratio", "比值"}),
                 say({"unit", "单位"}), "MFU", say({"linearity", "线性度"})}};
  const std::vector<const PrintedFigure*> further = further_columns(cases);
  for (const PrintedFigure* column : further)
    rows.front().emplace_back(column->unit.empty() ? column->metric
                                                   : column->metric + " (" + column->unit + ")");
  for (const Sentence& head : {say({"contributor", "贡献者"}), say({"label", "标签"}),
                               say({"platform", "平台"}), say({"case", "用例"})})
    rows.front().push_back(head);
  for (const PublishedCase& one : cases) {
    const auto linear = linearity.find(one.report);
    rows.push_back(performance_row(one, linear == linearity.end() ? Sentence() : linear->second, further));
  }
  return without_empty_columns(rows);
}

std::vector<Sentence> performance_notes(const Report& report) {
  const std::vector<Sentence> runs(report.merged.begin(), report.merged.end());
  std::vector<Sentence> about{report.suite, report.run.empty()
                                                ? say({"runs {}", "运行 {}"}, first_of(runs, most_told))
                                                : say({"run {}", "运行 {}"}, report.run)};
  if (!report.started.empty()) about.emplace_back(report.started.substr(0, 10));
  if (!report.commit.empty()) about.push_back(say({"commit {}", "提交 {}"}, report.commit));
  if (!report.gate_version.empty()) about.emplace_back("gate " + report.gate_version);
  std::vector<Sentence> notes{join(about, comma)};
  add_versions(notes, published_cases(report));
  std::vector<Sentence> left_out;
  for (const CaseReport& one : report.cases)
    if (!is_published(one)) left_out.emplace_back(one.name);
  if (!left_out.empty())
    notes.push_back(say({"left out: {} not green, waived, or without a model and a speed that is told: {}",
                         "未列出：{}不绿、被豁免，或没有写明模型和速度：{}"},
                        count_of(std::ssize(left_out), "case", "个用例"), first_of(left_out, most_told)));
  return notes;
}

}  // namespace gate::render
