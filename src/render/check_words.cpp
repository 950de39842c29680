#include "render/check_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/render/sparkline.h"
#include "render/numbers.h"

namespace gate::render {

namespace {

constexpr std::size_t most_notes = 3;  // of one row; ranks may each have their own

// Tell whether the tolerance is an amount around the baseline, in which a value lies; else it is a demand
// that holds.
bool is_amount(const std::string& tolerance) {
  return tolerance.starts_with("±") || tolerance.starts_with('-') || tolerance.starts_with('+');
}

std::string out_of(const std::string& tolerance) {
  if (tolerance.empty()) return "failed";
  return (is_amount(tolerance) ? "out of " : "not ") + tolerance;
}

std::string within(const std::string& tolerance) {
  if (tolerance.empty()) return "ok";
  return (is_amount(tolerance) ? "within " : "") + tolerance;
}

bool is_number(const std::string& text) { return Decimal::parse(text).has_value(); }

std::string name_of(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string ranks = ranks_of(fold);
  const std::string rule =
      check.rule.empty() || check.rule == check.metric ? "" : " (rule " + check.rule + ")";
  return check.metric + rule + (ranks.empty() ? "" : "  " + ranks);
}

std::string from_to(const std::string& baseline, const std::string& actual, const std::string& unit) {
  return (baseline.empty() ? plain(actual) : plain(baseline) + " -> " + plain(actual)) +
         (unit.empty() ? "" : " " + unit);
}

std::string delta_words(const std::string& delta, const std::string& percent) {
  if (delta.empty()) return "";
  return ", delta " + delta + (percent.empty() ? "" : " (" + percent + ")");
}

std::string limit_words(const Check& check) {
  const std::string number = check.limit.empty() ? "" : " (" + check.limit + ")";
  return check.tolerance.empty() ? "" : ", limit " + check.tolerance + number;
}

// Where nothing but what is no number failed, no deviation is worth a line.
bool is_zero(const std::string& delta) {
  const auto value = Decimal::parse(delta);
  return value && *value == Decimal{};
}

// The numbers that were compared, where the series names no rank.
std::string compared_numbers(const Fold& fold) {
  const std::string& steps = fold.first->steps;
  return !fold.ranks.empty() || fold.compared < 2 || steps.empty() ? "" : " (" + steps + ")";
}

std::string misses_words(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string out = out_of(check.tolerance);
  if (fold.misses == 0) return out;
  if (check.first_miss && !is_number(check.first_miss->actual))
    return count_of(fold.misses, noun(check)) + " not finite or " + out;
  if (fold.misses > fold.compared) return count_of(fold.misses, noun(check)) + " " + out;
  return std::to_string(fold.misses) + " of " + count_of(fold.compared, noun(check)) +
         compared_numbers(fold) + " " + out;
}

std::string reduced_words(const Check& check) {
  const std::string delta = signed_delta(check.baseline, check.actual, check.delta);
  return window_words(check) + "  " + from_to(check.baseline, check.actual, check.unit) +
         delta_words(delta, check.delta_percent) + limit_words(check);
}

std::string within_words(const Fold& fold) {
  const Check& check = *fold.first;
  const std::string of = fold.misses > 0 ? std::to_string(fold.compared - fold.misses) + " of " : "";
  return of + count_of(fold.compared, noun(check)) + " " + within(check.tolerance);
}

std::string moved_words(const Miss& miss) {
  const std::string delta = signed_delta(miss.baseline, miss.actual, miss.delta);
  return delta.empty() || miss.delta_percent.empty() ? delta : delta + " (" + miss.delta_percent + ")";
}

// How far the run is from its baseline at most.
std::string size_words(const Check& worst) {
  if (!worst.largest || worst.largest->delta.empty() || is_zero(worst.largest->delta)) return "";
  return ", largest " + moved_words(*worst.largest);
}

std::string judged_words(const Fold& fold) {
  const Check& worst = *fold.largest;
  if (!each(worst) && !worst.actual.empty()) return reduced_words(worst);
  return worst.status == CheckStatus::pass ? within_words(fold) : misses_words(fold) + size_words(worst);
}

std::string delta_words(const Miss& miss) {
  const std::string moved = moved_words(miss);
  return moved.empty() ? "" : ", delta " + moved;
}

std::string place_words(const Miss& miss, const Check& check, const Fold& fold) {
  const std::string rank =
      fold.ranks.size() > 1 && check.rank ? " of rank " + std::to_string(*check.rank) : "";
  return noun(check) + " " + std::to_string(miss.number) + rank + ": " +
         from_to(miss.baseline, miss.actual, check.unit);
}

std::string source_words(const Miss& miss) {
  if (miss.file.empty()) return "";
  return "  " + miss.file + (miss.line == 0 ? "" : ":" + std::to_string(miss.line));
}

std::string first_line(const Fold& fold) {
  const Check& check = *fold.first;
  const Miss& miss = *check.first_miss;
  return place_words(miss, check, fold) + delta_words(miss) + source_words(miss);
}

std::string largest_line(const Fold& fold) {
  const Check& check = *fold.largest;
  const Miss& miss = *check.largest;
  const std::string limit = check.limit.empty() ? "" : ", limit " + check.limit;
  return place_words(miss, check, fold) + delta_words(miss) + limit + source_words(miss);
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

void add_notes(std::vector<std::string>& lines, const std::vector<std::string>& notes, std::size_t from) {
  const std::size_t end = std::min(notes.size(), from + most_notes);
  for (std::size_t i = from; i < end; ++i) lines.push_back("note     " + notes[i]);
  if (end < notes.size()) lines.push_back("note     and " + std::to_string(notes.size() - end) + " more");
}

}  // namespace

std::string headline(const Fold& fold) {
  const CheckStatus status = fold.first->status;
  if (status == CheckStatus::pass) return name_of(fold) + "  ok  " + judged_words(fold);
  if (status == CheckStatus::fail) return name_of(fold) + "  " + judged_words(fold);
  if (status == CheckStatus::waived) return name_of(fold) + "  WAIVED  " + judged_words(fold);
  const std::string word(to_string(status)), why = fold.notes.empty() ? "" : fold.notes.front();
  if (why.starts_with(word)) return name_of(fold) + "  " + why;
  return name_of(fold) + "  " + word + (why.empty() ? "" : ": ") + why;
}

std::vector<std::string> details(const Fold& fold) {
  std::vector<std::string> lines;
  const bool judged = fold.first->status == CheckStatus::fail || fold.first->status == CheckStatus::waived;
  if (judged && one_miss(fold)) {
    lines.push_back("first and largest  " + largest_line(fold));
  } else if (judged) {
    if (fold.first->first_miss) lines.push_back("first    " + first_line(fold));
    if (fold.largest->largest && !is_zero(fold.largest->largest->delta))
      lines.push_back("largest  " + largest_line(fold));
  }
  if (const std::string trace = trace_line(*fold.largest); judged && !trace.empty()) lines.push_back(trace);
  const bool in_headline = !judged && fold.first->status != CheckStatus::pass;
  add_notes(lines, fold.notes, in_headline ? 1 : 0);
  return lines;
}

std::string noun(const Check& check) { return check.numbered.empty() ? "value" : check.numbered; }

bool each(const Check& check) { return check.reduce.empty() || check.reduce == "each"; }

std::string window_words(const Check& check) {
  if (each(check)) return check.numbered.empty() ? "ok" : count_of(check.compared, noun(check));
  const std::string where = check.steps.empty() ? check.window : noun(check) + "s " + check.steps;
  return check.reduce + (where.empty() ? "" : " of " + where);
}

}  // namespace gate::render
