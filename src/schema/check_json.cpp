#include <fmt/format.h>

#include "schema/json_report.h"

namespace gate::schema {

namespace {

// JSON numbers have no plus sign; a difference for people has one.
std::string_view without_plus(std::string_view delta) {
  return delta.starts_with('+') ? delta.substr(1) : delta;
}

std::string with_plus(const std::string& delta) {
  const auto number = Decimal::parse(delta);
  return number && !number->is_zero() && !number->is_negative() ? "+" + delta : delta;
}

void write_miss(JsonOut& out, std::string_view name, const std::optional<Miss>& miss) {
  if (!miss) return;
  out.object(name, [&] {
    out.number("step", miss->number);
    out.word("baseline", miss->baseline);
    out.word("actual", miss->actual);
    out.word("delta", without_plus(miss->delta));
    out.known_text("delta_percent", miss->delta_percent);
    out.text("file", miss->file);
    out.number("line", miss->line);
  });
}

std::optional<Miss> read_miss(const Json* json, Complaints& complaints) {
  if (json == nullptr) return std::nullopt;
  const Fields fields(*json, complaints);
  Miss miss;
  miss.number = fields.integer("step").value_or(0);
  miss.baseline = fields.word("baseline");
  miss.actual = fields.word("actual");
  miss.delta = with_plus(fields.word("delta"));
  miss.delta_percent = fields.text("delta_percent");
  miss.file = fields.text("file");
  miss.line = static_cast<std::uint32_t>(fields.integer("line").value_or(0));
  return miss;
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
  out.known_text("formula", check.formula);
  out.known_number("rank", check.rank);
  out.text("status", to_string(check.status));
  out.text("numbered", check.numbered);
  out.text("unit", check.unit);
  out.text("window", check.window);
  out.text("steps", check.steps);
  out.text("reduce", check.reduce);
  out.text("tolerance", check.tolerance);
  out.number("compared", check.compared);
  out.word("baseline", check.baseline);
  out.word("actual", check.actual);
  out.word("delta", without_plus(check.delta));
  out.word("delta_percent", check.delta_percent);
  out.word("limit", check.limit);
  out.word("margin", check.margin);
  out.known_word("mean", check.mean);
  out.known_word("baseline_mean", check.baseline_mean);
  out.number("misses", check.misses);
  write_trace(out, check.trace);
  write_miss(out, "first_miss", check.first_miss);
  write_miss(out, "largest", check.largest);
  out.text("baseline_file", check.baseline_file);
  out.text("note", check.note);
}

Check read_check(const Fields& fields) {
  Check check;
  check.rule = fields.text("rule");
  check.metric = fields.required_text("metric");
  check.formula = fields.text("formula");
  check.rank = fields.small_integer("rank");
  check.status = fields.named("status", parse_check_status, CheckStatus::incomparable);
  check.numbered = fields.text("numbered");
  check.unit = fields.text("unit");
  check.window = fields.text("window");
  check.steps = fields.text("steps");
  check.reduce = fields.text("reduce");
  check.tolerance = fields.text("tolerance");
  check.compared = fields.integer("compared").value_or(0);
  check.baseline = fields.word("baseline");
  check.actual = fields.word("actual");
  check.delta = with_plus(fields.word("delta"));
  check.delta_percent = fields.word("delta_percent");
  check.limit = fields.word("limit");
  check.margin = fields.word("margin");
  check.mean = fields.word("mean");
  check.baseline_mean = fields.word("baseline_mean");
  check.misses = fields.integer("misses").value_or(0);
  check.trace = read_trace(fields);
  check.first_miss = read_miss(fields.object("first_miss"), fields.complaints());
  check.largest = read_miss(fields.object("largest"), fields.complaints());
  check.baseline_file = fields.text("baseline_file");
  check.note = fields.text("note");
  return check;
}

}  // namespace gate::schema
