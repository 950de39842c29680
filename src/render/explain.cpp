#include <vector>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/render/reporters.h"
#include "render/check_words.h"
#include "render/columns.h"
#include "render/formula.h"
#include "render/numbers.h"
#include "render/page.h"
#include "render/remarks.h"

namespace gate::render {

namespace {

constexpr int explain_label_width = 10;
constexpr std::string_view first_label = "first";

bool is_judged_check(const Check& check) {
  return check.status == CheckStatus::pass || check.status == CheckStatus::fail ||
         check.status == CheckStatus::waived;
}

Hue hue_of(const Check& check) {
  if (check.status == CheckStatus::pass) return Hue::green;
  return check.status == CheckStatus::waived ? Hue::yellow : Hue::red;
}

void put_line(Page& page, std::string_view label, const std::string& text) {
  if (!text.empty()) page.wrapped("  " + pad(label, explain_label_width) + text, 2 + explain_label_width);
}

void put_formula(Page& page, std::string_view label, const std::string& place, const Check& check,
                 const Operands& operands) {
  std::string start = place.empty() ? "" : place + ": ";
  for (const std::string& line : formula(check.tolerance, operands)) {
    put_line(page, label, start + line);
    start.clear();
    label = "";
  }
}

void put_miss(Page& page, std::string_view label, const Check& check, const Miss& miss) {
  const bool largest = label == first_label && check.largest && check.largest->number == miss.number;
  const std::string place =
      noun(check) + " " + std::to_string(miss.number) + (largest ? " (the largest)" : "");
  put_formula(page, label, place, check, {miss.actual, miss.baseline, "", std::nullopt});
  if (miss.file.empty()) return;
  put_line(page, "", miss.file + (miss.line == 0 ? "" : ":" + std::to_string(miss.line)));
}

void put_reduced(Page& page, const Check& check) {
  const bool holds = check.status == CheckStatus::pass;
  const bool one_limit = Decimal::parse(check.limit).has_value();
  put_formula(page, "formula", window_words(check), check,
              {check.actual, check.baseline, one_limit ? check.limit : "", holds});
}

void put_each(Page& page, const Check& check) {
  const bool same = check.first_miss && check.largest && check.first_miss->number == check.largest->number;
  if (check.first_miss) put_miss(page, first_label, check, *check.first_miss);
  if (check.largest && !same) put_miss(page, "largest", check, *check.largest);
  if (!check.first_miss && !check.largest && !check.actual.empty())
    put_formula(page, "value", "", check, {check.actual, check.baseline, "", std::nullopt});
}

std::string miss_words(const Check& check) {
  const std::string of = count_of(check.compared, noun(check));
  if (!each(check)) return of;
  if (check.misses == 0) return of + ", none out of bounds";
  if (check.misses > check.compared) return count_of(check.misses, noun(check)) + " out of bounds";
  return std::to_string(check.misses) + " of " + of + " out of bounds";
}

std::string rule_words(const Check& check) {
  const std::string rule = check.rule.empty() ? check.metric : check.rule;
  const std::string reduce = each(check) ? "each" : check.reduce;
  const std::string steps = check.steps.empty() ? "" : " (" + noun(check) + "s " + check.steps + ")";
  return rule + ": " + reduce + " of " + (check.window.empty() ? "all" : check.window) + steps +
         (check.tolerance.empty() ? "" : ", tolerance " + check.tolerance);
}

void put_title(Page& page, const Check& check) {
  const std::string rank = check.rank ? " rank " + std::to_string(*check.rank) : "";
  const std::string unit = check.unit.empty() ? "" : "  in " + check.unit;
  page.titled(hue_of(check), to_string(check.status), check.metric + rank + unit);
  put_line(page, "derived", check.formula);
  put_line(page, "rule", rule_words(check));
}

void put_numbers(Page& page, const Check& check) {
  each(check) ? put_each(page, check) : put_reduced(page, check);
  if (!each(check) && check.first_miss && !check.actual.empty())
    put_line(page, "first",
             noun(check) + " " + std::to_string(check.first_miss->number) + ": " +
                 check.first_miss->baseline + " -> " + check.first_miss->actual);
  put_line(page, "compared", miss_words(check));
  const std::string percent = check.delta_percent.empty() ? "" : " (" + check.delta_percent + ")";
  const std::string delta = signed_delta(check.baseline, check.actual, check.delta);
  put_line(page, "delta", delta.empty() ? "" : delta + percent);
  put_line(page, "limit", check.limit);
  put_line(page, "margin", check.margin);
}

}  // namespace

std::string explain(const Check& check, const std::vector<std::string>& lines, const Style& style) {
  Page page(style);
  put_title(page, check);
  if (is_judged_check(check)) put_numbers(page, check);
  put_line(page, "baseline", check.baseline_file);
  put_line(page, "note", check.note);
  for (std::size_t i = 0; i < lines.size(); ++i) put_line(page, i == 0 ? "log" : "", lines[i]);
  return page.text();
}

std::string explain(const KnownMessage& cause, const Style& style) {
  Page page(style);
  page.titled(Hue::red, "cause", cause.what);
  put_line(page, "class", std::string(to_string(cause.kind)) + " (" + cause.name + ")");
  put_line(page, "log", cause_words(cause));
  put_line(page, "advice", cause.advice);
  return page.text();
}

std::string explain(const std::vector<Ungated>& ungated, const Style& style) {
  Page page(style);
  for (const std::string& line : ungated_words(ungated, OwnClocks::listed))
    page.titled(Hue::yellow, "ungated", line);
  return page.text();
}

}  // namespace gate::render
