#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/model/grammar.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "schema/json_report.h"
#include "schema/series_text.h"

namespace gate::schema {

namespace {

// Complain of a member whose text is not what it should be.
void complain(const Fields& fields, std::string_view name, const std::string& message) {
  fields.complaints().add(fields.json().find(name)->at, "\"" + std::string(name) + "\": " + message);
}

// Return what `parse` makes of the text; nothing where it is absent or "", or with a complaint.
template <typename T>
std::optional<T> parsed_in(const Fields& fields, std::string_view name,
                           Result<T> (*parse)(std::string_view)) {
  const std::string text = fields.text(name);
  if (text.empty()) return std::nullopt;
  Result<T> value = parse(text);
  if (value) return *value;
  complain(fields, name, value.error().message);
  return std::nullopt;
}

// Return what the text names; nothing where it is absent or "", or with a complaint.
template <typename T>
std::optional<T> named_in(const Fields& fields, std::string_view name, const std::string& noun,
                          std::optional<T> (*parse)(std::string_view)) {
  const std::string text = fields.text(name);
  const std::optional<T> value = parse(text);
  if (!value && !text.empty()) complain(fields, name, "unknown " + noun + " \"" + printable(text, 40) + '"');
  return value;
}

StepSet steps_in(const Fields& fields) {
  const std::string text = fields.text("steps");
  const std::optional<StepSet> steps = StepSet::parse(text);
  if (!steps) complain(fields, "steps", "no numbers: \"" + printable(text, 40) + '"');
  return steps.value_or(StepSet());
}

// The words for what is no number are those of words::baseline_text() and words::actual_text().
std::optional<Value> value_in(const Fields& fields, std::string_view name) {
  const std::string word = fields.word(name);
  if (word.empty() || word == words::actual_text({})) return std::nullopt;
  const Value left_out{ValueKind::left_out, {}};
  if (word == words::value_text(left_out) || word == words::baseline_text(left_out)) return left_out;
  const std::optional<Value> value = parse_value(word);
  if (!value) complain(fields, name, "no value: \"" + printable(word, 40) + '"');
  return value;
}

std::optional<double> double_in(const Fields& fields, std::string_view name) {
  const std::optional<Value> value = value_in(fields, name);
  return is_finite(value) ? std::optional(value->number.to_double()) : std::nullopt;
}

std::optional<double> percent_in(const Fields& fields) {
  const std::string word = fields.word("delta_percent");
  const std::size_t end = word.find(" %");
  const std::optional<Decimal> percent = Decimal::parse(std::string_view(word).substr(0, end));
  if (!word.empty() && !percent) complain(fields, "delta_percent", "no percentage");
  return percent ? std::optional(percent->to_double()) : std::nullopt;
}

// An end that stands alone is read as both: which one it is the tolerance says.
std::optional<LimitRange> parse_limit_range(std::string_view word) {
  if (word == words::limit_text({LimitRange{}})) return LimitRange{};
  const std::size_t dots = word.find("..");
  const std::optional<Value> low = parse_value(word.substr(0, dots));
  const std::optional<Value> high = dots == std::string_view::npos ? low : parse_value(word.substr(dots + 2));
  return low && high ? std::optional(LimitRange{low, high}) : std::nullopt;
}

LimitRanges limit_in(const Fields& fields) {
  const std::string text = fields.word("limit");
  LimitRanges limit;
  for (const std::string_view part : parts_of(text, " or ")) {
    const std::optional<LimitRange> range = parse_limit_range(part);
    if (!range) complain(fields, "limit", "no limit: \"" + printable(text, 40) + '"');
    if (!range) return {};
    limit.push_back(*range);
  }
  return limit;
}

// A stored note is its remarks, joined by `; `.
std::vector<Remark> remarks_in(const Fields& fields, CheckStatus status) {
  const std::string text = fields.text("note");
  std::vector<Remark> remarks;
  for (const std::string_view part : parts_of(text, "; "))
    remarks.emplace_back(
        remark::Text{std::string(part), remarks.empty() && part.starts_with(to_string(status))});
  return remarks;
}

// The built-in metrics are of a known kind; what a suite declares is written.
MetricKind built_in_kind(const std::string& metric) {
  static const MetricTable metrics;
  return metrics.get(metric).kind;
}

std::string_view written_kind(const Check& check) {
  return check.kind == built_in_kind(check.metric) ? "" : to_string(check.kind);
}

void write_miss(JsonOut& out, std::string_view name, const std::optional<Miss>& miss) {
  if (!miss) return;
  out.object(name, [&] {
    out.number("step", miss->number);
    out.word("baseline", words::baseline_text(miss->baseline));
    out.word("actual", words::actual_text(miss->actual));
    out.word("delta", words::value_text(miss->delta));
    out.known_text("delta_percent", words::percent_text(miss->delta_percent));
    out.text("file", miss->file);
    out.number("line", miss->line);
  });
}

std::optional<Miss> read_miss(const Json* json, Complaints& complaints) {
  if (json == nullptr) return std::nullopt;
  const Fields fields(*json, complaints);
  return Miss{.number = fields.integer("step").value_or(0),
              .baseline = value_in(fields, "baseline"),
              .actual = value_in(fields, "actual"),
              .delta = value_in(fields, "delta"),
              .delta_percent = percent_in(fields),
              .file = fields.text("file"),
              .line = static_cast<std::uint32_t>(fields.integer("line").value_or(0))};
}

std::string nine_digits(const std::optional<double>& mean) {
  return mean ? fmt::format("{:.9g}", *mean) : "";
}

void write_trace(JsonOut& out, const std::vector<double>& trace) {
  std::vector<std::string> words;
  for (const double value : trace) words.push_back(number_or_text(fmt::format("{:.6g}", value)));
  if (!words.empty()) out.values("trace", words, words.size());
}

std::vector<double> read_trace(const Fields& fields) {
  std::vector<double> trace;
  for (const Json& json : fields.list("trace"))
    if (const auto number = Decimal::parse(json.text)) trace.push_back(number->to_double());
  return trace;
}

}  // namespace

void write_check_members(JsonOut& out, const Check& check) {
  out.text("rule", check.rule);
  out.text("metric", check.metric);
  out.known_text("kind", written_kind(check));
  out.known_text("formula", check.formula);
  out.known_number("rank", check.rank);
  out.text("status", to_string(check.status));
  out.text("numbered", check.numbered ? to_string(*check.numbered) : "");
  out.text("unit", check.unit);
  out.text("window", check.window ? to_string(*check.window) : "");
  out.text("steps", to_string(check.steps));
  out.text("reduce", check.reduce ? to_string(*check.reduce) : "");
  out.text("tolerance", to_string(check.tolerance));
  out.number("compared", check.compared);
  out.word("baseline", words::value_text(check.baseline));
  out.word("actual", words::value_text(check.actual));
  out.word("delta", words::value_text(check.delta));
  out.word("delta_percent", words::percent_text(check.delta_percent));
  out.word("limit", words::limit_text(check.limit));
  out.word("margin", words::value_text(check.margin));
  out.known_word("mean", nine_digits(check.mean));
  out.known_word("baseline_mean", nine_digits(check.baseline_mean));
  out.number("misses", check.misses);
  write_trace(out, check.trace);
  write_miss(out, "first_miss", check.first_miss);
  write_miss(out, "largest", check.largest);
  out.text("baseline_file", check.baseline_file);
  out.text("note", words::note_text(check));
}

Check read_check(const Fields& fields) {
  Check check;
  check.rule = fields.text("rule");
  check.metric = fields.required_text("metric");
  check.kind = named_in(fields, "kind", "kind", parse_metric_kind).value_or(built_in_kind(check.metric));
  check.formula = fields.text("formula");
  check.rank = fields.small_integer("rank");
  check.status = fields.named("status", parse_check_status, CheckStatus::incomparable);
  check.numbered = named_in(fields, "numbered", "numbering", parse_numbering);
  check.unit = fields.text("unit");
  check.window = parsed_in(fields, "window", parse_window);
  check.steps = steps_in(fields);
  check.reduce = parsed_in(fields, "reduce", parse_reduce);
  check.tolerance = parsed_in(fields, "tolerance", parse_tolerance).value_or(Tolerance{});
  check.compared = fields.integer("compared").value_or(0);
  check.baseline = value_in(fields, "baseline");
  check.actual = value_in(fields, "actual");
  check.delta = value_in(fields, "delta");
  check.delta_percent = percent_in(fields);
  check.limit = limit_in(fields);
  check.margin = value_in(fields, "margin");
  check.mean = double_in(fields, "mean");
  check.baseline_mean = double_in(fields, "baseline_mean");
  check.misses = fields.integer("misses").value_or(0);
  check.trace = read_trace(fields);
  check.first_miss = read_miss(fields.object("first_miss"), fields.complaints());
  check.largest = read_miss(fields.object("largest"), fields.complaints());
  check.baseline_file = fields.text("baseline_file");
  check.remarks = remarks_in(fields, check.status);
  return check;
}

}  // namespace gate::schema
