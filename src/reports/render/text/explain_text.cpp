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

void put_line(TextPage& page, const Sentence& label, const Sentence& text) {
  if (!text.empty()) page.labelled(label, explain_label_width, text);
}

void put_formula(TextPage& page, Sentence label, const Sentence& place, const Check& check,
                 const FormulaOperands& operands) {
  Sentence start = place.empty() ? place : place + colon;
  for (const Sentence& line : formula(check.tolerance, operands)) {
    put_line(page, label, start + line);
    start = label = {};
  }
}

// The first miss fails; the largest deviation may be within another bound.
void put_miss(TextPage& page, const Sentence& label, const Check& check, const Miss& miss, bool is_largest) {
  const bool is_first = check.first_miss && check.first_miss->number == miss.number;
  Sentence place = number_words(check, miss.number);
  if (is_largest) place = say({"{} (the largest)", "{}（最大）"}, place);
  put_formula(page, label, place, check,
              {miss.actual, miss.baseline, {}, is_first ? std::optional(false) : std::nullopt});
  if (!miss.file.empty())
    put_line(page, {}, as_is(miss.file + (miss.line == 0 ? "" : ":" + std::to_string(miss.line))));
}

// Return the limit that is one number.
std::optional<Value> single_limit(const Check& check) {
  if (check.limit.size() != 1) return std::nullopt;
  const LimitRange& limit = check.limit.front();
  if (limit.low && limit.high && limit.low != limit.high) return std::nullopt;
  return limit.low ? limit.low : limit.high;
}

Sentence first_label() { return say({"first", "首处"}); }

void put_each(TextPage& page, const Check& check) {
  const bool same = check.first_miss && check.largest && check.first_miss->number == check.largest->number;
  if (check.first_miss) put_miss(page, first_label(), check, *check.first_miss, same);
  if (check.largest && !same && !is_all_not_finite(check))
    put_miss(page, say({"largest", "最大"}), check, *check.largest, false);
  if (!check.first_miss && !check.largest && check.actual)
    put_formula(page, say({"value", "值"}), {}, check, {check.actual, check.baseline});
}

Sentence miss_words(const Check& check) {
  const Sentence all = count_words(check, check.compared);
  if (!check.is_each()) return all;
  if (check.misses == 0) return say({"{}, none out of bounds", "{}，没有越界"}, all);
  if (is_all_not_finite(check))
    return say({"{}, none out of bounds, {} more not finite", "{}，没有越界，另有 {} 个不是有限值"}, all,
               check.misses);
  if (check.first_miss && !is_finite(check.first_miss->actual))
    return say({"{}; {} not finite or out of bounds", "{}；{} 个不是有限值或越界"}, all, check.misses);
  if (check.misses > check.compared)
    return say({"{} out of bounds", "{}越界"}, count_words(check, check.misses));
  return say({"{} of {} out of bounds", "{1}中有 {0} 处越界"}, check.misses, all);
}

Sentence rule_words(const Check& check) {
  const std::string rule = check.rule.empty() ? check.metric : check.rule;
  const Sentence tolerance = words::tolerance_text(check.tolerance);
  const Sentence window = words::window_text(check.window.value_or(Window{}));
  Sentence words =
      as_is(rule) + colon +
      (check.is_each() ? say({"each of {}", "{}，逐个比较"}, window)
                       : say({"{} of {}", "{1}的{0}"}, words::reduce_text(*check.reduce), window));
  if (!check.steps.empty())
    words += say({" ({})", "（{}）"}, words::numbers_text(check.steps, check.numbering()));
  if (!tolerance.empty()) words += say({", tolerance {}", "，容差 {}"}, tolerance);
  return words;
}

TextColor color_of(CheckStatus status) {
  if (status == CheckStatus::pass) return TextColor::green;
  return status == CheckStatus::waived || status == CheckStatus::skipped ? TextColor::yellow : TextColor::red;
}

void put_title(TextPage& page, const Check& check) {
  const std::string rank = check.rank ? " rank " + std::to_string(*check.rank) : "";
  const Sentence unit = check.unit.empty() ? Sentence() : say({"  in {}", "  单位 {}"}, check.unit);
  page.titled(color_of(check.status), words::status_text(check.status), as_is(check.metric + rank) + unit);
  if (check.test) return;
  put_line(page, say({"derived", "推导自"}), as_is(check.formula));
  put_line(page, say({"rule", "规则"}), rule_words(check));
}

void put_test_facts(TextPage& page, const TestResult& test) {
  put_line(page, say({"place", "位置"}), as_is(words::test_place(test)));
  put_line(page, say({"class", "类别"}), as_is(test.class_name));
  put_line(page, say({"took", "用时"}), as_is(seconds(test.duration) + " s"));
}

void put_window(TextPage& page, const Check& check) {
  put_formula(page, say({"formula", "公式"}), window_words(check), check,
              {check.actual, check.baseline, single_limit(check), check.status == CheckStatus::pass});
  if (check.first_miss && check.actual)
    put_line(page, first_label(),
             number_words(check, check.first_miss->number) + colon +
                 words::baseline_text(check.first_miss->baseline) + as_is(" -> ") +
                 words::actual_text(check.first_miss->actual));
}

void put_numbers(TextPage& page, const Check& check) {
  if (check.is_each())
    put_each(page, check);
  else
    put_window(page, check);
  put_line(page, say({"compared", "已比较"}), miss_words(check));
  if (is_all_not_finite(check)) return;
  put_line(page, say({"delta", "差值"}), as_is(words::moved_text(check.delta, check.delta_percent)));
  put_line(page, say({"limit", "限值"}), words::limit_text(check.limit));
  put_line(page, say({"margin", "余量"}), as_is(words::value_text(check.margin)));
}

Sentence log_label() { return say({"log", "日志"}); }

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
  TextRows rows{{words::noun_text(explained.check.numbering()), say({"baseline", "基线"}),
                 say({"actual", "实际"}), say({"delta", "差值"})}};
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

// The log line with the number in it marked that was judged, as it is printed there: `lm loss: >2.95<`.
std::string with_mark(std::string line, const std::optional<Value>& value) {
  const auto [at, size] = word_saying(value, line);
  return size == 0 ? line : line.insert(at + size, "<").insert(at, ">");
}

// The lines are those of the first and of the largest miss, as far as they are there.
void put_log(TextPage& page, const Check& check, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t place = lines[i].find(": ") + 1;
    const std::optional<Miss>& miss = i == 0 && check.first_miss ? check.first_miss : check.largest;
    const std::string marked =
        lines[i].substr(0, place) + with_mark(lines[i].substr(place), miss ? miss->actual : std::nullopt);
    put_line(page, i == 0 ? log_label() : Sentence(), as_is(marked));
  }
}

// How far the run was equal to its baseline, where it was not judged to the end.
Sentence equal_words(const Explained& explained) {
  if (explained.check.status != CheckStatus::undecided) return {};
  const auto differs = [](const ExplainedValue& value) { return value.baseline != value.actual; };
  const auto first = std::ranges::find_if(explained.values, differs);
  if (first == explained.values.begin()) return {};
  return say({"equal up to {}", "直到{}都相等"}, number_words(explained.check, std::prev(first)->number));
}

void put_failed_briefly(TextPage& page, const Explained& explained, const Fold& folded) {
  const Check& check = explained.check;
  put_title(page, check);
  if (folded.ranks.size() > 1) put_line(page, say({"ranks", "rank"}), ranks_of(folded));
  if (check.test)
    put_line(page, say({"place", "位置"}), as_is(words::test_place(*check.test)));
  else if (check.is_each())
    put_each(page, check);
  else
    put_window(page, check);
  put_line(page, say({"note", "说明"}), words::note_text(check));
  put_log(page, check, explained.lines);
}

// What failed with its formula and its log line, each rule once; of all else a line.
std::string explained_briefly(const Explanation& explanation, const Style& style) {
  std::vector<Check> checks;
  for (const Explained& one : explanation.checks) checks.push_back(one.check);
  TextPage failed(style), others(style);
  for (const Fold& folded : fold(checks)) {
    const Explained& first = explanation.checks[static_cast<std::size_t>(folded.first - checks.data())];
    if (has_failed(first.check)) {
      failed.kept("");
      put_failed_briefly(failed, first, folded);
      continue;
    }
    others.titled(color_of(first.check.status), words::status_text(first.check.status),
                  join(std::array{plain_headline(folded), equal_words(first)}, semicolon));
  }
  return failed.text() + (others.text().empty() ? "" : "\n" + others.text());
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
  put_line(page, say({"baseline", "基线"}), as_is(check.baseline_file));
  put_line(page, say({"note", "说明"}), words::note_text(check));
  put_log(page, check, lines);
  return page.text();
}

std::string explain(const KnownMessage& cause, const Style& style) {
  TextPage page(style);
  page.titled(TextColor::red, say({"cause", "原因"}), cause.what);
  put_line(page, say({"class", "类别"}), as_is(std::string(to_string(cause.kind)) + " (" + cause.name + ")"));
  put_line(page, log_label(), cause_words(cause));
  put_line(page, say({"advice", "建议"}), cause.advice);
  return page.text();
}

std::string explain(const std::vector<Ungated>& ungated, const Style& style) {
  TextPage page(style);
  for (const Sentence& line : ungated_words(ungated, OwnClocks::listed))
    page.titled(TextColor::yellow, say({"ungated", "未设门禁"}), line);
  return page.text();
}

std::string explain_text(const Explanation& explanation, bool in_full, const Style& style) {
  const CaseReport& report = explanation.report;
  const auto line = [&](const Sentence& text) {
    TextPage page(style);
    page.wrapped(text, 2);
    return page.text();
  };
  std::string out =
      line(as_is(report.name) + colon + words::verdict_text(report.verdict) + column + report.reason);
  if (report.profile != "gate")
    out += line(say({"judged by profile {}", "按判定方案 {} 判定"}, report.profile));
  TextPage kept(style);
  if (is_red(report.verdict))
    for (const std::string& evidence : evidence_of(report))
      kept.command(padded(say({"evidence", "现场记录"}), explain_label_width), evidence);
  out += kept.text();
  if (report.cause) out += "\n" + explain(*report.cause, style);
  if (!in_full) out += explained_briefly(explanation, style);
  for (const Explained& explained : explanation.checks)
    if (in_full)
      out += "\n" + explain(explained.check, explained.lines, style) + values_table(explained, style);
  if (!explanation.ungated.empty()) out += "\n" + explain(explanation.ungated, style);
  if (in_full && !explanation.note.empty())
    out += "\n" + line(say({"note  {}", "说明  {}"}, explanation.note));
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
