#include "gate/render/explain.h"

#include <vector>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "gate/render/table_json.h"
#include "gate/schema/result_file.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/words/case_remarks.h"
#include "render/words/check_words.h"
#include "render/words/formula_words.h"
#include "render/words/next_steps.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr int explain_label_width = 10;
constexpr std::string_view first_label = "first";

void put_line(TextPage& page, std::string_view label, const std::string& text) {
  if (!text.empty()) page.labelled(label, explain_label_width, text);
}

void put_formula(TextPage& page, std::string_view label, const std::string& place, const Check& check,
                 const FormulaOperands& operands) {
  std::string start = place.empty() ? "" : place + ": ";
  for (const std::string& line : formula(check.tolerance, operands)) {
    put_line(page, label, start + line);
    start.clear();
    label = "";
  }
}

void put_miss(TextPage& page, std::string_view label, const Check& check, const Miss& miss) {
  const bool largest = label == first_label && check.largest && check.largest->number == miss.number;
  const std::string place =
      noun(check) + " " + std::to_string(miss.number) + (largest ? " (the largest)" : "");
  put_formula(page, label, place, check, {miss.actual, miss.baseline});
  if (miss.file.empty()) return;
  put_line(page, "", verbatim(miss.file + (miss.line == 0 ? "" : ":" + std::to_string(miss.line))));
}

// Return the limit that is one number.
std::optional<Value> single_limit(const Check& check) {
  if (check.limit.size() != 1) return std::nullopt;
  const LimitRange& limit = check.limit.front();
  if (limit.low && limit.high && limit.low != limit.high) return std::nullopt;
  return limit.low ? limit.low : limit.high;
}

void put_each(TextPage& page, const Check& check) {
  const bool same = check.first_miss && check.largest && check.first_miss->number == check.largest->number;
  if (check.first_miss) put_miss(page, first_label, check, *check.first_miss);
  if (check.largest && !same && !is_all_not_finite(check)) put_miss(page, "largest", check, *check.largest);
  if (!check.first_miss && !check.largest && check.actual)
    put_formula(page, "value", "", check, {check.actual, check.baseline});
}

std::string miss_words(const Check& check) {
  const std::string all = count_of(check.compared, noun(check));
  if (!check.is_each()) return all;
  if (check.misses == 0) return all + ", none out of bounds";
  if (is_all_not_finite(check))
    return all + ", none out of bounds, " + std::to_string(check.misses) + " more not finite";
  if (check.first_miss && !is_finite(check.first_miss->actual))
    return all + "; " + std::to_string(check.misses) + " not finite or out of bounds";
  if (check.misses > check.compared) return count_of(check.misses, noun(check)) + " out of bounds";
  return std::to_string(check.misses) + " of " + all + " out of bounds";
}

std::string rule_words(const Check& check) {
  const std::string rule = check.rule.empty() ? check.metric : check.rule;
  const std::string reduce(to_string(check.reduce.value_or(Reduce::each)));
  const std::string steps =
      check.steps.empty() ? "" : " (" + noun(check) + "s " + words::ranges_text(check.steps) + ")";
  const std::string tolerance = to_string(check.tolerance);
  return verbatim(rule) + ": " + reduce + " of " + to_string(check.window.value_or(Window{})) + steps +
         (tolerance.empty() ? "" : ", tolerance " + tolerance);
}

void put_title(TextPage& page, const Check& check) {
  const std::string rank = check.rank ? " rank " + std::to_string(*check.rank) : "";
  const std::string unit = check.unit.empty() ? "" : "  in " + check.unit;
  const TextColor color = check.status == CheckStatus::pass ? TextColor::green
                          : check.status == CheckStatus::waived || check.status == CheckStatus::skipped
                              ? TextColor::yellow
                              : TextColor::red;
  page.titled(color, to_string(check.status), verbatim(check.metric) + rank + unit);
  if (check.test) return;
  put_line(page, "derived", verbatim(check.formula));
  put_line(page, "rule", rule_words(check));
}

void put_test_facts(TextPage& page, const TestResult& test) {
  put_line(page, "place", verbatim(words::test_place(test)));
  put_line(page, "class", verbatim(test.class_name));
  put_line(page, "took", seconds(test.duration) + " s");
}

void put_numbers(TextPage& page, const Check& check) {
  const bool holds = check.status == CheckStatus::pass;
  if (check.is_each())
    put_each(page, check);
  else
    put_formula(page, "formula", window_words(check), check,
                {check.actual, check.baseline, single_limit(check), holds});
  if (!check.is_each() && check.first_miss && check.actual)
    put_line(page, "first",
             noun(check) + " " + std::to_string(check.first_miss->number) + ": " +
                 words::baseline_text(check.first_miss->baseline) + " -> " +
                 words::actual_text(check.first_miss->actual));
  put_line(page, "compared", miss_words(check));
  if (is_all_not_finite(check)) return;
  put_line(page, "delta", words::moved_text(check.delta, check.delta_percent));
  put_line(page, "limit", words::limit_text(check.limit));
  put_line(page, "margin", words::value_text(check.margin));
}

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string values_table(const Explained& explained, const Style& style) {
  if (explained.values.empty()) return "";
  TextRow head{std::string(to_string(explained.check.numbering())), "baseline", "actual", "delta"};
  for (std::string& word : head) word = words::shown_in(style.language, word);
  TextRows rows{std::move(head)};
  for (const ExplainedValue& value : explained.values)
    rows.push_back({std::to_string(value.number), value.baseline, value.actual, value.delta});
  return indented(table(rows, style));
}

OutputJson values_json(const Explained& explained) {
  OutputJson values = OutputJson::array();
  for (const ExplainedValue& value : explained.values)
    values.push_back({{"number", value.number},
                      {"baseline", value.baseline},
                      {"actual", value.actual},
                      {"delta", value.delta}});
  return values;
}

}  // namespace

std::string explain(const Check& check, const std::vector<std::string>& lines, const Style& style) {
  TextPage page(style);
  put_title(page, check);
  using enum CheckStatus;
  if (check.test)
    put_test_facts(page, *check.test);
  else if (check.status == pass || check.status == fail || check.status == waived)
    put_numbers(page, check);
  put_line(page, "baseline", verbatim(check.baseline_file));
  const std::string note = words::note_text(check);
  put_line(page, "note", check.test ? verbatim(note) : note);
  for (std::size_t i = 0; i < lines.size(); ++i) put_line(page, i == 0 ? "log" : "", verbatim(lines[i]));
  return page.text();
}

std::string explain(const KnownMessage& cause, const Style& style) {
  TextPage page(style);
  page.titled(TextColor::red, "cause", verbatim(words::cause_in(style.language, cause.what)));
  put_line(page, "class", std::string(to_string(cause.kind)) + " (" + cause.name + ")");
  put_line(page, "log", cause_words(cause, Quotes::marked));
  put_line(page, "advice", cause.advice);
  return page.text();
}

std::string explain(const std::vector<Ungated>& ungated, const Style& style) {
  TextPage page(style);
  for (const std::string& line : ungated_words(ungated, OwnClocks::listed))
    page.titled(TextColor::yellow, "ungated", line);
  return page.text();
}

std::string explain_text(const Explanation& explanation, bool values, const Style& style) {
  const CaseReport& report = explanation.report;
  const auto line = [&](const std::string& text) {
    TextPage page(style);
    page.wrapped(text, 2);
    return page.text();
  };
  std::string out =
      line(verbatim(report.name) + ": " + std::string(to_string(report.verdict)) + "  " + report.reason);
  if (report.profile != "gate") out += line("judged by profile " + report.profile);
  TextPage kept(style);
  if (is_red(report.verdict))
    for (const std::string& evidence : evidence_of(report)) kept.command("evidence  ", evidence);
  out += kept.text();
  if (report.cause) out += "\n" + explain(*report.cause, style);
  for (const Explained& explained : explanation.checks) {
    out += "\n" + explain(explained.check, explained.lines, style);
    if (values) out += values_table(explained, style);
  }
  if (!explanation.ungated.empty()) out += "\n" + explain(explanation.ungated, style);
  if (values && !explanation.note.empty()) out += "\n" + line("note  " + explanation.note);
  return out;
}

std::string explain_json(const Explanation& explanation) {
  CaseReport report = explanation.report;
  report.checks.clear();
  for (const Explained& explained : explanation.checks) report.checks.push_back(explained.check);
  OutputJson json = OutputJson::parse(schema::write_case(report));
  for (std::size_t i = 0; i < explanation.checks.size(); ++i) {
    json["checks"][i]["values"] = values_json(explanation.checks[i]);
    json["checks"][i]["log_lines"] = explanation.checks[i].lines;
  }
  return json_text(json);
}

}  // namespace gate::render
