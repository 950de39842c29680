#include "render/words/check_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/render/sparkline.h"
#include "gate/words/values.h"
#include "render/words/numbers.h"

namespace gate::render {

namespace {

constexpr std::size_t most_notes = 3;  // of one row; ranks may each have their own

// Tell whether the tolerance is an amount around the baseline, in which a value lies; else it is a demand
// that holds.
bool is_amount(const Tolerance& tolerance) {
  const Bound& first = tolerance.any_of.front().front();
  return first.kind == Bound::Kind::absolute || first.kind == Bound::Kind::relative;
}

std::string out_of(const Tolerance& tolerance) {
  if (tolerance.any_of.empty()) return "failed";
  return (is_amount(tolerance) ? "out of " : "not ") + to_string(tolerance);
}

std::string within(const Tolerance& tolerance) {
  if (tolerance.any_of.empty()) return "ok";
  return (is_amount(tolerance) ? "within " : "") + to_string(tolerance);
}

std::string check_name(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string ranks = ranks_of(fold);
  const std::string rule =
      check.rule.empty() || check.rule == check.metric ? "" : " (rule " + check.rule + ")";
  return check.metric + rule + (ranks.empty() ? "" : "  " + ranks);
}

std::string from_to(const std::string& baseline, const std::string& actual, const std::string& unit) {
  return (baseline.empty() ? actual : baseline + " -> " + actual) + (unit.empty() ? "" : " " + unit);
}

std::string delta_words(const std::optional<Value>& delta, const std::optional<double>& percent) {
  return delta ? ", delta " + words::moved_text(delta, percent) : "";
}

std::string limit_words(const Check& check) {
  const std::string number = check.limit.empty() ? "" : " (" + words::limit_text(check.limit) + ")";
  return check.tolerance.any_of.empty() ? "" : ", limit " + to_string(check.tolerance) + number;
}

// Where nothing but what is no number failed, no deviation is worth a line.
bool is_zero(const std::optional<Value>& delta) { return is_finite(delta) && delta->number.is_zero(); }

// The numbers that were compared, where the series names no rank.
std::string compared_numbers(const Fold& fold) {
  const StepSet& steps = fold.first->steps;
  return !fold.ranks.empty() || fold.compared < 2 || steps.empty() ? "" : " (" + to_string(steps) + ")";
}

std::string misses_words(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string out = out_of(check.tolerance);
  if (fold.misses == 0) return out;
  if (check.first_miss && !is_finite(check.first_miss->actual))
    return count_of(fold.misses, noun(check)) + " not finite or " + out;
  if (fold.misses > fold.compared) return count_of(fold.misses, noun(check)) + " " + out;
  return std::to_string(fold.misses) + " of " + count_of(fold.compared, noun(check)) +
         compared_numbers(fold) + " " + out;
}

std::string reduced_words(const Check& check) {
  return window_words(check) + "  " +
         from_to(words::value_text(check.baseline), words::value_text(check.actual), check.unit) +
         delta_words(check.delta, check.delta_percent) + limit_words(check);
}

std::string within_words(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string of = fold.misses > 0 ? std::to_string(fold.compared - fold.misses) + " of " : "";
  return of + count_of(fold.compared, noun(check)) + " " + within(check.tolerance);
}

// How far the run is from its baseline at most.
std::string size_words(const Check& worst) {
  if (!worst.largest || !worst.largest->delta || is_zero(worst.largest->delta)) return "";
  return ", largest " + words::moved_text(worst.largest->delta, worst.largest->delta_percent);
}

std::string judged_words(const Fold& fold) {
  const Check& worst = *fold.largest;
  if (!worst.is_each() && worst.actual) return reduced_words(worst);
  return worst.status == CheckStatus::pass ? within_words(fold) : misses_words(fold) + size_words(worst);
}

std::string place_words(const Miss& miss, const Check& check, const Fold& fold) {
  const std::string rank =
      fold.ranks.size() > 1 && check.rank ? " of rank " + std::to_string(*check.rank) : "";
  return noun(check) + " " + std::to_string(miss.number) + rank + ": " +
         from_to(words::baseline_text(miss.baseline), words::actual_text(miss.actual), check.unit);
}

std::string source_words(const Miss& miss) {
  if (miss.file.empty()) return "";
  return "  " + miss.file + (miss.line == 0 ? "" : ":" + std::to_string(miss.line));
}

std::string first_line(const Fold& fold) {
  const Check& check = *fold.first;
  const Miss& miss = *check.first_miss;
  return place_words(miss, check, fold) + delta_words(miss.delta, miss.delta_percent) + source_words(miss);
}

std::string largest_line(const Fold& fold) {
  const Check& check = *fold.largest;
  const Miss& miss = *check.largest;
  const std::string limit = check.limit.empty() ? "" : ", limit " + words::limit_text(check.limit);
  return place_words(miss, check, fold) + delta_words(miss.delta, miss.delta_percent) + limit +
         source_words(miss);
}

// Tell whether the first miss is the largest as well.
bool one_miss(const Fold& fold) {
  return fold.first == fold.largest && fold.first->first_miss && fold.first->largest &&
         fold.first->first_miss->number == fold.first->largest->number;
}

// How far the run is from its baseline, whichever way, from one end to the other.
std::string trace_line(const Check& check) {
  constexpr std::size_t fewest = 3, width = 24;
  if (check.trace.size() < fewest) return "";
  std::vector<double> apart;
  for (const double value : check.trace) apart.push_back(std::abs(value));
  return "trace    " + sparkline(apart, width) +
         fmt::format("  |run - baseline|, at most {:.3g}", *std::ranges::max_element(apart));
}

bool has_failed(const Fold& fold) {
  return fold.first->status == CheckStatus::fail || fold.first->status == CheckStatus::waived;
}

// Tell whether the first remark begins with the status: `missing steps 3-5 of 10`.
bool tells_status(const Check& check) {
  if (check.remarks.empty()) return false;
  const Remark& first = check.remarks.front();
  const auto* text = std::get_if<remark::Text>(&first);
  return (text != nullptr && text->tells_status) ||
         (check.status == CheckStatus::missing && std::holds_alternative<remark::MissingSteps>(first));
}

void add_notes(std::vector<std::string>& lines, const std::vector<std::string>& notes, std::size_t from) {
  const std::size_t end = std::min(notes.size(), from + most_notes);
  for (std::size_t i = from; i < end; ++i) lines.push_back("note     " + notes[i]);
  if (end < notes.size()) lines.push_back("note     and " + std::to_string(notes.size() - end) + " more");
}

}  // namespace

std::string headline(const Fold& fold) {
  const CheckStatus status = fold.first->status;
  if (status == CheckStatus::pass) return check_name(fold) + "  ok  " + judged_words(fold);
  if (status == CheckStatus::fail) return check_name(fold) + "  " + judged_words(fold);
  if (status == CheckStatus::waived) return check_name(fold) + "  WAIVED  " + judged_words(fold);
  const std::string word(to_string(status)), why = fold.notes.empty() ? "" : fold.notes.front();
  if (tells_status(*fold.first)) return check_name(fold) + "  " + why;
  return check_name(fold) + "  " + word + (why.empty() ? "" : ": ") + why;
}

std::vector<std::string> miss_lines(const Fold& fold) {
  if (!has_failed(fold)) return {};
  if (one_miss(fold)) return {"first and largest  " + largest_line(fold)};
  std::vector<std::string> lines;
  if (fold.first->first_miss) lines.push_back("first    " + first_line(fold));
  if (fold.largest->largest && !is_zero(fold.largest->largest->delta))
    lines.push_back("largest  " + largest_line(fold));
  return lines;
}

std::vector<std::string> details(const Fold& fold) {
  std::vector<std::string> lines = miss_lines(fold);
  const bool judged = has_failed(fold);
  if (const std::string trace = trace_line(*fold.largest); judged && !trace.empty()) lines.push_back(trace);
  const bool in_headline = !judged && fold.first->status != CheckStatus::pass;
  add_notes(lines, fold.notes, in_headline ? 1 : 0);
  return lines;
}

std::string noun(const Check& check) {
  return check.numbered ? std::string(to_string(*check.numbered)) : "value";
}

std::string window_words(const Check& check) {
  if (check.is_each()) return !check.numbered ? "ok" : count_of(check.compared, noun(check));
  const std::string window = check.window ? to_string(*check.window) : "";
  const std::string where = check.steps.empty() ? window : noun(check) + "s " + to_string(check.steps);
  return std::string(to_string(*check.reduce)) + (where.empty() ? "" : " of " + where);
}

}  // namespace gate::render
