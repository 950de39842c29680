#include "extract/records/csv_lines.h"

#include <algorithm>
#include <set>

#include "extract/records/fields.h"
#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"

namespace gate::extract {

namespace {

bool is_name(std::string_view word) {
  constexpr std::string_view beside = "_/.-@";
  return !word.empty() && !is_digit(word.front()) && std::ranges::all_of(word, [&](char c) {
    return is_letter_or_digit(c) || beside.find(c) != std::string_view::npos;
  });
}

// A number, nan, inf or nothing.
bool is_cell(std::string_view word) {
  constexpr std::string_view marks = "0123456789+-.eEnaifNAIFtyTY";
  return std::ranges::all_of(word, [&](char c) { return marks.find(c) != std::string_view::npos; });
}

bool is_named(const FieldRow& row, std::string_view column) {
  return row.printed.ends_with('*') ? column.starts_with(row.printed.substr(0, row.printed.size() - 1))
                                    : row.printed == column;
}

std::string metric_of_column(std::string_view column) {
  std::string name;
  for (const char c : column) name += is_letter_or_digit(c) ? c : '_';
  return to_lower(name);
}

bool is_among(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

// Nobody knows the unit of a column, so none is taken for a metric that has one.
const FieldRow* CsvLines::own_row(std::string_view column) {
  const std::string name = metric_of_column(column);
  const auto known = std::ranges::find(built_in_metrics(), name, &Metric::name);
  if (known != built_in_metrics().end() && !known->unit.empty()) return nullptr;
  const auto before = std::ranges::find(own_, name, &OwnColumn::metric);
  if (before != own_.end()) return &before->row;
  OwnColumn& own = own_.emplace_back(OwnColumn{name, {}});
  own.row.printed = own.row.metric = own.metric;
  return &own.row;
}

std::optional<CsvLines::Head> CsvLines::head_of(std::span<const std::string_view> names) {
  const auto stands = [&](std::string_view need) { return is_among(names, need); };
  if (!std::ranges::all_of(names, is_name) || !std::ranges::all_of(columns_->needs, stands))
    return std::nullopt;
  Head head;
  head.cells.assign(names.size(), nullptr);
  head.step = static_cast<std::size_t>(std::ranges::find(names, columns_->step) - names.begin());
  std::set<std::string_view> taken;  // metrics
  for (const FieldRow& row : columns_->fields)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (head.cells[i] == nullptr && is_named(row, names[i]) && taken.insert(row.metric).second)
        head.cells[i] = &row;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (head.cells[i] != nullptr || i == head.step || is_among(columns_->unread, names[i])) continue;
    const FieldRow* own = own_row(names[i]);
    if (own != nullptr && taken.insert(own->metric).second) head.cells[i] = own;
  }
  return head;
}

bool CsvLines::take(const CleanLine& line, std::size_t extractor, std::optional<Record>& record) {
  const std::vector<std::string_view> words = split(line.text, ',');
  if (line.text.find(columns_->literal) != std::string_view::npos) {
    std::optional<Head> head = head_of(words);
    if (head) return heads_.insert_or_assign(line.place.file, std::move(*head)), true;
  }
  const auto it = heads_.find(line.place.file);
  if (it == heads_.end() || words.size() < 2 || !std::ranges::all_of(words, is_cell)) return false;
  const Head& head = it->second;
  Record row{.extractor = extractor, .role = Role::follower, .end = line.text.size()};
  if (words.size() == head.cells.size()) {
    if (const std::string_view step = words[head.step]; !step.empty())
      set_field({columns_->step, the_step}, step, row);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (head.cells[i] == nullptr) continue;
      if (words[i].empty())
        row.not_logged.push_back(head.cells[i]);
      else
        row.fields.push_back({head.cells[i], words[i]});
    }
    if (has_metric(row, columns_->loss)) row.role = Role::leader;
  } else if (line.ended) {
    row.faults.push_back(
        say({"a row of {} cells, where the head names {}", "一行有 {} 格，而表头有 {} 个名称"}, words.size(),
            head.cells.size()));
  }
  if (!row.faults.empty() || (row.number && !row.fields.empty())) record = std::move(row);
  return true;
}

}  // namespace gate::extract
