#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "schema/json/series_text.h"
#include "schema/result/json_report.h"

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

// Return the numbering that is told; nothing where it is absent or "", or with a complaint.
std::optional<Numbering> numbering_in(const Fields& fields) {
  const std::string text = fields.text("numbered");
  const std::optional<Numbering> value = parse_numbering(text);
  if (!value && !text.empty())
    complain(fields, "numbered", "unknown numbering \"" + printable(text, 40) + '"');
  return value;
}

StepSet steps_in(const Fields& fields, std::string_view name) {
  const std::string text = fields.text(name);
  const std::optional<StepSet> steps = StepSet::parse(text);
  if (!steps) complain(fields, name, "no numbers: \"" + printable(text, 40) + '"');
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

std::optional<double> percent_in(const Fields& fields) {
  const std::string word = fields.word("delta_percent");
  const std::size_t end = word.find(" %");
  const std::optional<Decimal> percent = Decimal::parse(std::string_view(word).substr(0, end));
  if (!word.empty() && !percent) complain(fields, "delta_percent", "no percentage");
  return percent ? std::optional(percent->to_double()) : std::nullopt;
}

struct LimitWord {
  std::optional<Value> value;
  bool is_open = false;
};

// Return the end, which is open behind the sign.
LimitWord parse_limit_end(std::string_view word, std::string_view sign) {
  const bool is_open = word.starts_with(sign);
  return {parse_value(is_open ? word.substr(sign.size()) : word), is_open};
}

// An end that stands alone and has no sign is read as both: which one it is the tolerance says.
std::optional<LimitRange> parse_limit_range(std::string_view word) {
  if (word == words::limit_text({LimitRange{}}).english()) return LimitRange{};
  const std::size_t dots = word.find("..");
  const bool is_one = dots == std::string_view::npos;
  const auto [low, low_open] = parse_limit_end(word.substr(0, dots), "> ");
  const auto [high, high_open] = parse_limit_end(is_one ? word : word.substr(dots + 2), "< ");
  if (is_one && low && low_open) return LimitRange{low, std::nullopt, true, false};
  if (is_one && high && high_open) return LimitRange{std::nullopt, high, false, true};
  return low && high ? std::optional(LimitRange{low, high, low_open, high_open}) : std::nullopt;
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

std::vector<Sentence> texts_of_remarks(const Check& check) {
  std::vector<Sentence> texts;
  for (const Remark& remark : check.remarks) texts.push_back(words::text(remark, check.numbering()));
  return texts;
}

// A result that has but a note is an older one.
void read_remarks(const std::vector<Sentence>& texts, const std::string& note, bool tells_missing,
                  Check& check) {
  for (const Sentence& text : texts.empty() && !note.empty() ? std::vector<Sentence>{note} : texts)
    check.remarks.emplace_back(remark::Text{text, tells_missing && check.remarks.empty()});
}

void write_trace(JsonOut& out, const std::vector<double>& trace) {
  std::vector<std::string> words;
  for (const double value : trace) words.push_back(number_or_text(fmt::format("{:.6g}", value)));
  if (!words.empty()) out.values("trace", words, words.size());
}

std::string value_word(const std::optional<Value>& value) { return words::value_text(value); }

// A value, by words of its own in each place; nothing is left where there is none.
void value_member(auto& io, std::string_view name, auto& value, auto text_of) {
  io.custom(
      name, [&](JsonOut& out) { out.word(name, Sentence(text_of(value)).english()); },
      [&](const auto& fields) { value = value_in(fields, name); });
}

void mean_member(auto& io, std::string_view name, auto& mean) {
  io.custom(
      name, [&](JsonOut& out) { out.known_word(name, mean ? fmt::format("{:.9g}", *mean) : ""); },
      [&](const auto& fields) {
        const auto value = value_in(fields, name);
        mean = is_finite(value) ? std::optional(value->number.to_double()) : std::nullopt;
      });
}

// What a grammar of its own writes and reads; "" where there is none.
void grammar_member(auto& io, std::string_view name, auto& value, auto parse) {
  io.custom(
      name, [&](JsonOut& out) { out.text(name, value ? to_string(*value) : ""); },
      [&](const auto& fields) { value = parsed_in(fields, name, parse); });
}

}  // namespace

void members(auto& io, Is<Miss> auto& miss) {
  io.number("step", miss.number);
  value_member(io, "baseline", miss.baseline, words::baseline_text);
  value_member(io, "actual", miss.actual, words::actual_text);
  value_member(io, "delta", miss.delta, value_word);
  io.custom(
      "delta_percent",
      [&](JsonOut& out) { out.known_text("delta_percent", words::percent_text(miss.delta_percent)); },
      [&](const auto& fields) { miss.delta_percent = percent_in(fields); });
  io.text("file", miss.file);
  io.number("line", miss.line);
}

void members(auto& io, Is<TestResult> auto& test) {
  io.known_text("class", test.class_name);
  io.known_text("file", test.file);
  io.nonzero("line", test.line);
  io.duration("duration_s", test.duration);
}

void members(auto& io, Is<Check> auto& check) {
  io.text("rule", check.rule);
  io.known_text("phase", check.phase);
  io.required_text("metric", check.metric);
  nature_members(io, check.metric, check);
  io.known_text("formula", check.formula);
  io.known_number("rank", check.rank);
  io.named("status", check.status, parse_check_status);
  io.custom(
      "numbered",
      [&](JsonOut& out) { out.text("numbered", check.numbered ? to_string(*check.numbered) : ""); },
      [&](const auto& fields) { check.numbered = numbering_in(fields); });
  io.text("unit", check.unit);
  grammar_member(io, "window", check.window, parse_window);
  io.custom(
      "steps", [&](JsonOut& out) { out.text("steps", to_string(check.steps)); },
      [&](const auto& fields) { check.steps = steps_in(fields, "steps"); });
  io.custom(
      "demanded", [&](JsonOut& out) { out.known_text("demanded", to_string(check.demanded)); },
      [&](const auto& fields) { check.demanded = steps_in(fields, "demanded"); });
  io.custom(
      "unrecorded", [&](JsonOut& out) { out.known_text("unrecorded", to_string(check.unrecorded)); },
      [&](const auto& fields) { check.unrecorded = steps_in(fields, "unrecorded"); });
  grammar_member(io, "reduce", check.reduce, parse_reduce);
  io.custom(
      "tolerance", [&](JsonOut& out) { out.text("tolerance", to_string(check.tolerance)); },
      [&](const auto& fields) {
        check.tolerance = parsed_in(fields, "tolerance", parse_tolerance).value_or(Tolerance{});
      });
  io.number("compared", check.compared);
  value_member(io, "baseline", check.baseline, value_word);
  value_member(io, "actual", check.actual, value_word);
  value_member(io, "delta", check.delta, value_word);
  io.custom(
      "delta_percent",
      [&](JsonOut& out) { out.word("delta_percent", words::percent_text(check.delta_percent)); },
      [&](const auto& fields) { check.delta_percent = percent_in(fields); });
  io.custom(
      "limit", [&](JsonOut& out) { out.word("limit", words::limit_text(check.limit).english()); },
      [&](const auto& fields) { check.limit = limit_in(fields); });
  value_member(io, "margin", check.margin, value_word);
  mean_member(io, "mean", check.mean);
  mean_member(io, "baseline_mean", check.baseline_mean);
  io.number("misses", check.misses);
  io.custom(
      "trace", [&](JsonOut& out) { write_trace(out, check.trace); },
      [&](const auto& fields) {
        for (const auto& json : fields.list("trace"))
          if (const auto number = Decimal::parse(json.text)) check.trace.push_back(number->to_double());
      });
  io.known_object("first_miss", check.first_miss);
  io.known_object("largest", check.largest);
  io.text("baseline_file", check.baseline_file);
  io.known_object("test", check.test);
  std::string note = words::note_text(check).english();
  std::vector<Sentence> remarks = texts_of_remarks(check);
  io.text("note", note);
  io.known_texts("remarks", remarks);
  bool tells_missing = words::tells_missing(check);
  io.known_flag("tells_missing", tells_missing);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(check)>>)
    read_remarks(remarks, note, tells_missing, check);
}

template void members(MemberWriter& io, const Check& check);
template void members(MemberReader& io, Check& check);

}  // namespace gate::schema
