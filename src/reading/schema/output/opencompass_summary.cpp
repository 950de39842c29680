#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/base/text.h"
#include "schema/json/json_fields.h"
#include "schema/output/csv_table.h"
#include "schema/output/eval_readers.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

constexpr std::string_view not_told = "-";
constexpr std::string_view sample_column = "total_count";  // of AISBench, before the model's

// The cells of a row that are always there.
enum SummaryColumn : std::uint8_t {
  dataset_column,
  version_column,
  metric_column,
  mode_column,
  fixed_columns
};

class SummaryReader {
 public:
  SummaryReader(std::string_view text, const std::string& file)
      : text_(text), file_(file), complaints_(text, file) {}

  Result<EvalResults> read() {
    results_.tool = "opencompass";
    CsvReader reader(text_, file_);
    std::vector<CsvCell> row;
    GATE_TRY(bool more, reader.next(row));
    GATE_TRY_STATUS(check_header(row));
    GATE_TRY(more, reader.next(row));
    while (more) {
      if (!is_heading(row)) add(row);
      GATE_TRY(more, reader.next(row));
    }
    if (!complaints_.empty()) return tl::unexpected(complaints_.error());
    if (results_.tasks.empty()) return fail(file_ + ": a summary without a dataset");
    return std::move(results_);
  }

 private:
  Status check_header(const std::vector<CsvCell>& header) {
    if (header.size() < fixed_columns || header[mode_column].text != "mode")
      return tl::unexpected(error_at(text_, 0, file_, std::string(no_results)));
    samples_at_ = header.size() > fixed_columns && header[fixed_columns].text == sample_column;
    const std::size_t first_model = fixed_columns + (samples_at_ ? 1 : 0);
    if (header.size() == first_model + 1) return {};
    if (header.size() <= first_model)
      return tl::unexpected(error_at(text_, header.back().at, file_, "no column of a model"));
    std::vector<std::string> models;
    for (std::size_t at = first_model; at < header.size(); ++at) models.push_back(header[at].text);
    return tl::unexpected(error_at(
        text_, header[first_model].at, file_,
        "scores of " + count_of(static_cast<std::int64_t>(models.size()), "model") +
            ", and a case has one: " + some_names(models, models.size()) + "; write a summary for each"));
  }

  // Some lists of datasets put headings between them, `--------- Exam ---------,-,-,-,-`.
  static bool is_heading(const std::vector<CsvCell>& row) {
    return row[dataset_column].text.starts_with("---") &&
           std::all_of(row.begin() + 1, row.end(), [](const CsvCell& cell) { return cell.text == not_told; });
  }

  void add(const std::vector<CsvCell>& row) {
    const std::string& dataset = row[dataset_column].text;
    if (dataset.empty()) return complaints_.add(row[dataset_column].at, "a row without a dataset");
    add_task(row);
    const std::string& metric = row[metric_column].text;
    const CsvCell& score = row.back();
    if (score.text == not_told) return;
    if (metric.empty() || metric == not_told)
      return complaints_.add(score.at, "a score of " + printable(dataset, 80) + " without its metric");
    const auto value = number_of_word(score.text);
    if (!value || !std::isfinite(*value))
      return complaints_.add(score.at, "the score " + printable(metric, 80) + " of " +
                                           printable(dataset, 80) + " is no finite number: \"" +
                                           printable(score.text, 40) + "\"");
    if (!seen_.emplace(dataset, metric).second)
      return complaints_.add(score.at, "the score " + printable(metric, 80) + " of " +
                                           printable(dataset, 80) + " a second time");
    results_.scores.push_back({dataset, metric, *value, std::nullopt, better_of_metric(metric)});
  }

  // All rows of a dataset say the same of it, or nothing.
  void add_task(const std::vector<CsvCell>& row) {
    const auto [place, is_new] = places_.emplace(row[dataset_column].text, results_.tasks.size());
    if (is_new) results_.tasks.push_back({row[dataset_column].text, "", std::nullopt, std::nullopt});
    EvalTask& task = results_.tasks[place->second];
    const std::string version = version_of(row);
    if (!version.empty() && !task.version.empty() && version != task.version)
      complaints_.add(row[version_column].at, "version " + printable(version, 80) + " of " +
                                                  printable(task.task, 80) + ", which is " +
                                                  printable(task.version, 80) + " above");
    if (!version.empty()) task.version = version;
    if (!samples_at_) return;
    if (const auto samples = parse_integer(row[fixed_columns].text); samples && *samples >= 0)
      task.samples = samples;
  }

  static std::string version_of(const std::vector<CsvCell>& row) {
    std::string version;
    for (const SummaryColumn column : {version_column, mode_column})
      if (const std::string& told = row[column].text; !told.empty() && told != not_told)
        version += (version.empty() ? "" : " ") + told;
    return version;
  }

  std::string_view text_;
  const std::string& file_;
  Complaints complaints_;
  EvalResults results_;
  bool samples_at_ = false;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

Result<EvalResults> read_summary(std::string_view text, const std::string& file) {
  return SummaryReader(text, file).read();
}

}  // namespace gate::schema
