#include "schema/performance/performance_rows.h"

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"

namespace gate::schema {

namespace {

constexpr std::string_view usual_unit = "tokens/p/s";

std::string name_of_file(std::string_view path) {
  return printable(path.substr(path.rfind('/') + 1), most_cell_bytes);
}

bool says_column(const TableCell& cell, PerformanceColumn column) {
  const auto head = table_head(cell.text);
  return head && head->column == column;
}

// Return where the first cell stands that begins at the offset or behind it; the offset where none does.
std::size_t first_own(const CellRow& row, std::size_t at) {
  const auto found = std::ranges::find_if(row, [&](const auto& cell) { return cell && cell->at >= at; });
  return found == row.end() ? at : (*found)->at;
}

// Return how many cells a row has; one over several columns is one.
std::size_t cells_of(const CellRow& row) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < row.size(); ++i) count += row[i] && (i == 0 || row[i] != row[i - 1]) ? 1 : 0;
  return count;
}

// Return where the NODESxDEVICES of a configuration stands, the last one in it: `1x8` of `A100单机8卡（1x8）`
// and of `config_A100x1x8`; "" where it has none.
std::string_view size_in(std::string_view text) {
  for (std::size_t cross = text.rfind('x'); cross != std::string_view::npos && cross > 0;
       cross = text.rfind('x', cross - 1)) {
    std::size_t begin = cross, end = cross + 1;
    while (begin > 0 && is_digit(text[begin - 1])) --begin;
    while (end < text.size() && is_digit(text[end])) ++end;
    const bool is_whole = end == text.size() || !is_letter_or_digit(text[end]);
    if (begin < cross && end > cross + 1 && is_whole) return text.substr(begin, end - begin);
  }
  return "";
}

// Return the hardware that a configuration begins with: A100 of both.
std::string hardware_of(std::string_view configuration, std::string_view size) {
  constexpr std::string_view file = "config_";
  std::string_view text = configuration.substr(0, size.data() - configuration.data());
  if (text.starts_with(file)) text.remove_prefix(file.size());
  if (text.ends_with('x')) text.remove_suffix(1);
  const auto is_end = [](char c) { return static_cast<unsigned char>(c) >= 0x80 || c == '('; };
  return std::string(trim(text.substr(0, std::ranges::find_if(text, is_end) - text.begin())));
}

// Return what stands behind the last `=` of a cell that shows how its number came about.
std::string_view result_of(std::string_view cell) { return trim(cell.substr(cell.rfind('=') + 1)); }

// Tell whether all other cells say that there is nothing.
bool has_dashes_alone(const CellRow& row, const TableCell& but) {
  return row.size() > 1 && std::ranges::all_of(row, [&](const auto& cell) {
           return cell && (cell.get() == &but || (!cell->text.empty() && says_nothing(cell->text)));
         });
}

// Return how many devices `2x8` are.
std::int64_t devices_of(std::string_view size) {
  const auto count = [](std::string_view text) { return parse_integer(text).value_or(0); };
  return count(size.substr(0, size.find('x'))) * count(size.substr(size.find('x') + 1));
}

// The figure of one device in a cell that multiplies it by their number.
struct OfEachDevice {
  std::string_view number;  // "": the cell is no such product
  std::string unit;         // as figure_factor() knows it
};

// Return that of `66.27 * 8 GB` where the configuration has eight devices, with what it comes to behind it or
// not.
OfEachDevice of_each_device(std::string_view cell, std::string_view size) {
  const std::size_t star = cell.find('*');
  if (star == std::string_view::npos) return {};
  const std::string_view count = trim(cell.substr(star + 1, cell.find('=') - star - 1));
  const std::size_t end = std::min(count.find_first_not_of("0123456789"), count.size());
  if (parse_integer(count.substr(0, end)) != devices_of(size)) return {};
  return {trim(cell.substr(0, star)), to_lower(trim(count.substr(end)))};
}

}  // namespace

PerformanceRows::PerformanceRows(std::string_view text, const std::string& file)
    : text_(text), file_(file), complaints_(text, file) {}

void PerformanceRows::begin_table(std::string hardware, std::string_view framework) {
  const auto is_letter = [](char c) { return (c | ' ') >= 'a' && (c | ' ') <= 'z'; };
  hardware_ = std::move(hardware);
  framework_ = framework.substr(0, std::ranges::find_if_not(framework, is_letter) - framework.begin());
  model_.clear();
  has_head_ = false;
  rows_of_table_ = 0;
}

void PerformanceRows::take(const CellRow& row, std::size_t at) {
  ++rows_of_table_;
  if (is_full() || (!has_head_ && rows_of_table_ > most_rows_before)) return;
  if (take_head(row)) return;
  if (!has_head_) return take_model(row);
  last_at_ = at;
  if (++rows_taken_ <= most_performance_rows) take_row(row, at);
}

// `模型 | GLM` in a table of a training's properties tells what those of its configurations are of.
void PerformanceRows::take_model(const CellRow& row) {
  const bool is_told = rows_of_table_ > 1 && row.size() > 1 && row[0] && row[1] && row[0] != row[1] &&
                       says_column(*row[0], PerformanceColumn::model) && !says_nothing(row[1]->text);
  if (is_told) told_model_ = without_brackets(row[1]->text);
}

// A head may come again, as that of a further part of the table.
bool PerformanceRows::take_head(const CellRow& row) {
  using enum PerformanceColumn;
  const PerformanceColumn key = is_of_configurations_ ? configuration : model;
  if (has_head_ && !says_column(cell(row, key), key)) return false;
  std::array<Column, performance_columns> columns;
  std::vector<const TableCell*> again;
  for (std::size_t index = 0; index < row.size(); ++index) {
    const auto head = row[index] ? table_head(row[index]->text) : std::nullopt;
    if (!head) continue;
    Column& found = columns.at(static_cast<std::size_t>(head->column));
    if (found.index) again.push_back(row[index].get());
    if (!found.index) found = {index, head->unit};
  }
  const auto has = [&](PerformanceColumn wanted) {
    return columns.at(static_cast<std::size_t>(wanted)).index.has_value();
  };
  const bool is_of_trainings = has(model) && has(measured);
  const bool has_figure = std::any_of(columns.begin() + first_figure, columns.end(),
                                      [](const Column& column) { return column.index.has_value(); });
  if (!is_of_trainings && !(has(configuration) && (has_figure || has(measured)))) return false;
  is_of_configurations_ = !is_of_trainings;
  for (const TableCell* cell : again)
    if (const auto column = table_head(cell->text)->column;
        column < configuration || (is_of_configurations_ && column != configuration))
      complaints_.add(cell->at, "a second column of " +
                                    std::string(to_string(table_head(cell->text)->column)) + ", \"" +
                                    printable(cell->text, 80) + "\"; remove or rename one of them");
  columns_ = std::move(columns);
  has_head_ = true;
  ++heads_;
  return true;
}

bool PerformanceRows::has_cell(const CellRow& row, PerformanceColumn wanted) const {
  const auto& index = columns_.at(static_cast<std::size_t>(wanted)).index;
  return index && *index < row.size() && row[*index];
}

const TableCell& PerformanceRows::cell(const CellRow& row, PerformanceColumn wanted) const {
  static const TableCell none;
  return has_cell(row, wanted) ? *row[*columns_.at(static_cast<std::size_t>(wanted)).index] : none;
}

std::string PerformanceRows::text(const CellRow& row, PerformanceColumn wanted) {
  const TableCell& found = cell(row, wanted);
  if (found.is_cut)
    complaints_.add(found.at, std::string(to_string(wanted)) + " of more than " +
                                  std::to_string(most_cell_bytes) +
                                  " bytes; is this a table of performance?");
  const std::string text = without_brackets(found.text);
  return says_nothing(text) ? "" : text;
}

std::optional<Decimal> PerformanceRows::number(const CellRow& row, PerformanceColumn wanted) {
  const std::string word = text(row, wanted);
  if (word.empty()) return std::nullopt;
  const auto number = number_of_cell(result_of(word));
  if (number && is_published_speed(*number)) return number;
  const std::string what = number ? " is not from 1E-9 to 1E15" : " is no number; write -- for none";
  complaints_.add(cell(row, wanted).at,
                  std::string(to_string(wanted)) + " \"" + printable(word, 40) + "\"" + what);
  return std::nullopt;
}

TrainingShape PerformanceRows::shape(const CellRow& row, std::size_t at) {
  using enum PerformanceColumn;
  if (std::string told = text(row, model); !told.empty()) model_ = std::move(told);
  if (model_.empty()) complaints_.add(first_own(row, at), "a row without a model, and none above it has one");
  return {model_,
          text(row, parameters),
          text(row, sequence),
          text(row, implementation),
          text(row, cluster),
          text(row, precision)};
}

// Numbers of two units in one row cannot be put beside one another.
std::string PerformanceRows::unit_of(const CellRow& row) {
  const std::string of_row = text(row, PerformanceColumn::unit);
  const std::string& measured = column(PerformanceColumn::measured).unit;
  const std::string& reference = column(PerformanceColumn::reference).unit;
  if (!measured.empty() && !reference.empty() &&
      canonical_speed_unit(measured) != canonical_speed_unit(reference))
    complaints_.add(cell(row, PerformanceColumn::reference).at,
                    "the reference is in " + printable(reference, 40) + ", what was measured in " +
                        printable(measured, 40) + "; bring them into one unit");
  const std::string& of_head = measured.empty() ? reference : measured;
  if (!of_row.empty() && !of_head.empty() && canonical_speed_unit(of_row) != canonical_speed_unit(of_head))
    complaints_.add(cell(row, PerformanceColumn::unit).at, "the row is in " + printable(of_row, 40) +
                                                               ", its column in " + printable(of_head, 40) +
                                                               "; leave one of them out");
  for (const std::string& told : {of_row, measured, reference})
    if (!told.empty()) return told;
  return std::string(usual_unit);
}

// Return the number of a cell in the unit of its metric; nothing where the cell is none. `33.0/40.0` and
// `0.656/0.655` say first what was reached.
std::optional<PrintedFigure> PerformanceRows::figure(const CellRow& row, std::size_t column,
                                                     std::string_view size) {
  static const MetricTable metrics;
  const auto wanted = static_cast<PerformanceColumn>(column);
  const std::string whole = without_brackets(cell(row, wanted).text), metric(to_string(wanted));
  std::string_view word = result_of(whole);
  word = trim(word.substr(0, word.find('/')));
  const bool is_percent = word.ends_with('%');
  if (is_percent) word = trim(word.substr(0, word.size() - 1));
  std::string told = columns_.at(column).unit;
  if (const OfEachDevice of_each = of_each_device(whole, size); !of_each.number.empty() &&
                                                                (told.empty() || told == of_each.unit) &&
                                                                figure_factor(metric, of_each.unit)) {
    word = of_each.number;
    told = of_each.unit;
  }
  auto value = number_of_cell(word);
  if (!value) return std::nullopt;
  const std::string unit = metrics.get(metric).unit;
  value->exponent += (unit == "%" ? 2 : 0) - (is_percent ? 2 : 0);
  if (const auto factor = figure_factor(metric, told).value_or(1); factor > 1)
    if (value = multiply(*value, {factor, 0}); value) value = value->without_zeros();
  if (!value || !is_published_speed(*value)) return std::nullopt;
  return PrintedFigure{metric, unit, *value};
}

// Return the speed of a configuration from a cell that says what it is of: `16.67 * 2048 / 8 = 4267 tokens/s`
// is that of one of eight devices, and of all without the `/ 8`. A number alone does not say what it counts.
std::optional<PrintedFigure> PerformanceRows::computed_speed(const CellRow& row,
                                                             std::string_view size) const {
  const std::string whole = without_brackets(cell(row, PerformanceColumn::measured).text);
  const std::size_t equals = whole.rfind('=');
  if (equals == std::string::npos) return std::nullopt;
  const std::string_view formula = trim(std::string_view(whole).substr(0, equals)), result = result_of(whole);
  const std::size_t blank = std::min(result.find(' '), result.size()), slash = formula.rfind('/');
  const auto value = number_of_cell(result.substr(0, blank));
  const std::string unit = to_lower(trim(result.substr(blank)));
  if (!value || !is_published_speed(*value) || (unit != "tokens/s" && unit != "token/s")) return std::nullopt;
  const bool is_of_one =
      slash != formula.npos && parse_integer(trim(formula.substr(slash + 1))) == devices_of(size);
  const std::string metric = is_of_one ? "tokens_per_second_per_device" : "tokens_per_second";
  return PrintedFigure{metric, MetricTable().get(metric).unit, *value};
}

// What a run of one configuration reached. A line of dashes names the model of those below it. A row that is
// not filled in yet says nothing.
void PerformanceRows::take_configuration(const CellRow& row, std::size_t at) {
  using enum PerformanceColumn;
  const std::string told = text(row, configuration);
  const std::string_view size = size_in(told);
  PerformanceRow made;
  for (std::size_t column = first_figure; column < performance_columns; ++column)
    if (auto found = figure(row, column, size)) made.figures.push_back(*std::move(found));
  if (auto found = computed_speed(row, size)) made.figures.push_back(*std::move(found));
  if (size.empty() && !told.empty() && has_dashes_alone(row, cell(row, configuration))) told_model_ = told;
  if (size.empty() || made.figures.empty()) return;
  made.shape = {told_model_, "", "", framework_, std::string(size), text(row, precision)};
  made.hardware = hardware_of(told, size);
  if (made.hardware.empty()) made.hardware = hardware_;
  std::vector<std::string> changes{text(row, parallel), text(row, label)};
  std::erase(changes, "");
  made.label = join(changes, ", ");
  made.source = source(row, at);
  table_.rows.push_back(std::move(made));
  places_.push_back(at);
}

void PerformanceRows::take_row(const CellRow& row, std::size_t at) {
  using enum PerformanceColumn;
  if (is_of_configurations_) return take_configuration(row, at);
  const TableCell &model_cell = cell(row, model), &speed_cell = cell(row, measured);
  if (const auto cells = cells_of(row); !has_cell(row, measured) && cells > 1)
    complaints_.add(first_own(row, at),
                    "a row of " + std::to_string(cells) + " cells: it ends before what was measured");
  if (&model_cell == &speed_cell || (speed_cell.text.empty() && cell(row, reference).text.empty())) {
    model_.clear();  // a line between sections
    return;
  }
  PerformanceRow made;
  made.shape = shape(row, at);
  made.unit = unit_of(row);
  made.measured = number(row, measured);
  made.reference = number(row, reference);
  made.contributor = text(row, contributor);
  made.label = text(row, label);
  made.hardware = text(row, hardware);
  if (made.hardware.empty()) made.hardware = hardware_;
  made.link = text(row, link);
  if (made.link.empty()) made.link = cell(row, parameters).link;
  made.source = source(row, at);
  table_.rows.push_back(std::move(made));
  places_.push_back(at);
}

std::string PerformanceRows::source(const CellRow& row, std::size_t at) {
  const TableCell& parameters = cell(row, PerformanceColumn::parameters);
  const std::size_t place = parameters.at > at ? parameters.at : first_own(row, at);
  return name_of_file(file_) + ":" + std::to_string(line_of(place));
}

// Rows come in the order of the file, and so is counted on.
std::size_t PerformanceRows::line_of(std::size_t offset) {
  offset = std::max(offset, counted_to_);
  line_ +=
      static_cast<std::size_t>(std::ranges::count(text_.substr(counted_to_, offset - counted_to_), '\n'));
  counted_to_ = offset;
  return line_;
}

void PerformanceRows::name_rows() {
  std::map<std::string, std::size_t> count;
  const auto behind = [](const std::string& text) { return text.empty() ? "" : " " + text; };
  for (PerformanceRow& row : table_.rows) {
    row.name = row.shape.name() + (row.figures.empty() ? "" : behind(row.hardware));
    ++count[row.name];
  }
  for (PerformanceRow& row : table_.rows)
    if (count[row.name] > 1)
      row.name += behind(row.shape.precision) + (row.figures.empty() ? "" : behind(row.label));
  std::map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const auto [row, is_new] = first.emplace(table_.rows[i].name, i);
    if (!is_new)
      complaints_.add(places_[i], "\"" + printable(row->first, 80) + "\" of " + table_.rows[i].source +
                                      " is the name of the row at " + table_.rows[row->second].source +
                                      ", too; they differ in nothing that names rows");
  }
}

Result<PerformanceTable> PerformanceRows::finish() {
  if (is_full())
    complaints_.add(last_at_, "more than " + std::to_string(most_performance_rows) + " rows");
  else
    name_rows();
  if (!complaints_.empty()) return tl::unexpected(complaints_.error());
  if (heads_ == 0)
    return fail(file_ + ": holds no table of performance: none has heads for a model (" +
                std::string(heads_of(PerformanceColumn::model)) + ") and for what was measured (" +
                std::string(heads_of(PerformanceColumn::measured)) + "), or for a configuration (" +
                std::string(heads_of(PerformanceColumn::configuration)) + ") and for what its run reached");
  if (table_.rows.empty())
    return fail(file_ + ": its table of performance has no rows with numbers; is the file cut off?");
  return std::move(table_);
}

}  // namespace gate::schema
