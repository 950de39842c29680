// Rules, and the words of their windows, reduces, rank modes and directions.
#include "gate/model/rules/rule.h"

#include <algorithm>
#include <limits>

#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"

namespace gate {

namespace {

// 0.05 as `5%`, in exact decimals.
std::string percent(const Decimal& fraction) {
  return Decimal{fraction.coefficient, fraction.exponent + 2}.without_zeros().to_string() + "%";
}

std::string_view side_sign(Bound::Side side) {
  return side == Bound::Side::both ? "±" : side == Bound::Side::upper ? "+" : "-";
}

constexpr std::string_view window_forms =
    "write \"all\", \"first 15\", \"last 10\", \"6..15\", \"after 5\" or \"step 1\"";

struct CountedWindow {
  std::string_view word;
  Window::Kind kind;
  std::int64_t least;
};

constexpr std::array<CountedWindow, 4> counted{{
    {"first", Window::Kind::first, 1},
    {"last", Window::Kind::last, 1},
    {"after", Window::Kind::after, 0},
    {"step", Window::Kind::step, 0},
}};

// Words that other tools use for what gate calls otherwise.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> synonyms{{
    {"avg", "mean"},
    {"average", "mean"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"p50", "median"},
    {"final", "last"},
    {"every", "each"},
    {"all", "each"},
    {"hmean", "harmonic_mean"},
    {"any", "each"},
}};

tl::unexpected<Error> bad_window(std::string_view text, const std::string& what) {
  return fail("window \"" + printable(text, 80) + "\": " + what);
}

Result<Window> counted_window(std::string_view text, const CountedWindow& row, std::string_view word) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number) return bad_window(text, '"' + printable(word, 40) + "\" is not a whole number");
  if (*number < row.least)
    return bad_window(text,
                      '"' + std::string(row.word) + "\" needs a number from " + std::to_string(row.least));
  return Window{row.kind, *number, 0};
}

Result<Window> range_window(std::string_view text, std::size_t dots) {
  const std::optional<std::int64_t> a = parse_integer(trim(text.substr(0, dots)));
  const std::optional<std::int64_t> b = parse_integer(trim(text.substr(dots + 2)));
  if (!a || !b || *a < 0) return bad_window(text, "a range is two whole numbers, \"6..15\"");
  if (*a > *b)
    return bad_window(
        text, "it ends before it begins; \"" + std::to_string(*b) + ".." + std::to_string(*a) + "\"?");
  return Window{Window::Kind::between, *a, *b};
}

// `last10` is `last 10` without its blank.
std::string suggest_window(std::string_view word) {
  const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
  const std::string_view name = word.substr(0, digits), number = word.substr(digits);
  if (parse_integer(number) && std::ranges::find(counted, name, &CountedWindow::word) != counted.end())
    return "did you mean \"" + std::string(name) + " " + std::string(number) + "\"?";
  std::vector<std::string> words{"all"};
  for (const CountedWindow& row : counted) words.emplace_back(row.word);
  const std::string meant = did_you_mean(word, words);
  return meant.empty() ? std::string(window_forms) : meant.substr(2);
}

template <typename Value>
Result<Value> by_name(std::string_view noun, std::string_view text, const std::vector<Value>& values) {
  const std::string word = to_lower(trim(text));
  std::vector<std::string> names;
  for (const Value value : values) {
    if (to_string(value) == word) return value;
    names.emplace_back(to_string(value));
  }
  const auto synonym =
      std::find_if(synonyms.begin(), synonyms.end(), [&](const auto& s) { return s.first == word; });
  const bool known =
      synonym != synonyms.end() && std::find(names.begin(), names.end(), synonym->second) != names.end();
  std::string hint =
      known ? "; did you mean \"" + std::string(synonym->second) + "\"?" : did_you_mean(word, names);
  if (hint.empty()) hint = "; one of " + join(names, ", ");
  return fail("unknown " + std::string(noun) + " \"" + printable(trim(text), 40) + '"' + hint);
}

struct ComparisonRow {
  Bound::Kind kind;
  std::string_view sign;
  bool less, same, more;  // whether a value below, at and above the constant holds
};

constexpr std::array comparisons{
    ComparisonRow{Bound::Kind::at_least, ">=", false, true, true},
    ComparisonRow{Bound::Kind::above, ">", false, false, true},
    ComparisonRow{Bound::Kind::at_most, "<=", true, true, false},
    ComparisonRow{Bound::Kind::below, "<", true, false, false},
    ComparisonRow{Bound::Kind::equals, "==", false, true, false},
    ComparisonRow{Bound::Kind::differs, "!=", true, false, true},
};

const ComparisonRow* comparison_row(Bound::Kind kind) {
  return row_in(comparisons, kind, &ComparisonRow::kind);
}

bool bounds_above(const Bound& bound) {
  if (bound.kind == Bound::Kind::absolute || bound.kind == Bound::Kind::relative)
    return bound.side != Bound::Side::lower;
  const ComparisonRow* row = comparison_row(bound.kind);
  return row == nullptr || !row->more;
}

bool bounds_below(const Bound& bound) {
  if (bound.kind == Bound::Kind::absolute || bound.kind == Bound::Kind::relative)
    return bound.side != Bound::Side::upper;
  const ComparisonRow* row = comparison_row(bound.kind);
  return row == nullptr || !row->less;
}

// Of what is never below 0, neither 100 % down nor `>= 0` is a bound.
bool stops_falling(const Bound& bound) {
  const double amount = bound.amount.to_double();
  return bounds_below(bound) && !(bound.kind == Bound::Kind::relative && amount >= 1) &&
         !(bound.kind == Bound::Kind::at_least && amount <= 0) &&
         !(bound.kind == Bound::Kind::above && amount < 0);
}

// Return the kind that bounds that side as it bounds the other one.
Bound::Kind turned(Bound::Kind kind, Bound::Side side) {
  const bool up = side == Bound::Side::upper, down = side == Bound::Side::lower;
  if (up && kind == Bound::Kind::at_least) return Bound::Kind::at_most;
  if (up && kind == Bound::Kind::above) return Bound::Kind::below;
  if (down && kind == Bound::Kind::at_most) return Bound::Kind::at_least;
  if (down && kind == Bound::Kind::below) return Bound::Kind::above;
  return kind;
}

// Tell whether the tolerance stops every value on that side: each alternative has a bound that does.
bool bounded(const Tolerance& tolerance, bool (*bounds)(const Bound&)) {
  return std::all_of(tolerance.any_of.begin(), tolerance.any_of.end(), [&](const std::vector<Bound>& all_of) {
    return std::any_of(all_of.begin(), all_of.end(), bounds);
  });
}

// Return the tolerance with the bounds of one side laid on the other or on both.
Tolerance turned(Tolerance tolerance, Bound::Side side) {
  for (std::vector<Bound>& all_of : tolerance.any_of)
    for (Bound& bound : all_of) {
      if (bound.kind == Bound::Kind::absolute || bound.kind == Bound::Kind::relative) bound.side = side;
      bound.kind = turned(bound.kind, side);
    }
  return tolerance;
}

// Return the tolerance with `and` in the place of each `or`.
Tolerance joined(const Tolerance& tolerance) {
  Tolerance all{{{}}};
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    all.any_of[0].insert(all.any_of[0].end(), all_of.begin(), all_of.end());
  return all;
}

std::string quoted_tolerance(const Tolerance& tolerance) { return '"' + to_string(tolerance) + '"'; }

// Return what is wrong; "": nothing.
std::string wrong_direction(const Tolerance& tolerance, const Metric& metric) {
  const bool above = bounded(tolerance, bounds_above);
  const bool below = bounded(tolerance, number_range(metric).least >= 0 ? stops_falling : bounds_below);
  if (metric.better == Better::higher)
    return below ? "" : "of " + metric.name + " higher is better, and nothing stops it from falling";
  if (metric.better == Better::lower)
    return above ? "" : "of " + metric.name + " lower is better, and nothing stops it from rising";
  if (!needs_baseline(tolerance) || (above && below)) return "";
  return metric.name + " has no better side, and only one is bounded";
}

// Tell whether the bound lets no number pass, or 0 alone, of what is never below 0.
bool allows_at_most_zero(const Bound& bound) {
  return (bound.kind == Bound::Kind::at_most || bound.kind == Bound::Kind::below) &&
         bound.amount.to_double() <= 0;
}

// Return the words that offer the nearest tolerance that is right; "" where there is none.
std::string offered(const Tolerance& tolerance, const Metric& metric) {
  const Bound::Side side = metric.better == Better::higher  ? Bound::Side::lower
                           : metric.better == Better::lower ? Bound::Side::upper
                                                            : Bound::Side::both;
  const Tolerance all = joined(tolerance);
  for (const Tolerance& near : {all, turned(tolerance, side), turned(all, side)}) {
    if (!wrong_direction(near, metric).empty()) continue;
    if (number_range(metric).least < 0 || !bounded(near, allows_at_most_zero))
      return "; did you mean " + quoted_tolerance(near) + "?";
    return "; write the most that it may be, such as \"<= 3600\": a run without " + metric.name +
           " is not green then";
  }
  return "";
}

}  // namespace

std::string to_string(const Window& window) {
  const std::string a = std::to_string(window.a);
  switch (window.kind) {
    case Window::Kind::all:
      return "all";
    case Window::Kind::first:
      return "first " + a;
    case Window::Kind::last:
      return "last " + a;
    case Window::Kind::between:
      return a + ".." + std::to_string(window.b);
    case Window::Kind::after:
      return "after " + a;
    case Window::Kind::step:
      return "step " + a;
  }
  return "";
}

std::string_view to_string(Reduce reduce) {
  constexpr std::array names{"each", "mean", "median",        "min",          "max",
                             "last", "p90",  "harmonic_mean", "trimmed_mean", "mean_relative_error"};
  return names.at(static_cast<std::size_t>(reduce));
}

std::string to_string(const Bound& bound) {
  switch (bound.kind) {
    case Bound::Kind::absolute:
      return std::string(side_sign(bound.side)) + bound.amount.to_string();
    case Bound::Kind::relative:
      return std::string(side_sign(bound.side)) + percent(bound.amount);
    case Bound::Kind::exact:
      return "exact";
    case Bound::Kind::error:
      return "<= " + bound.amount.to_string() + "%";
    case Bound::Kind::at_least:
    case Bound::Kind::above:
    case Bound::Kind::at_most:
    case Bound::Kind::below:
    case Bound::Kind::equals:
    case Bound::Kind::differs:
      return std::string(comparison_sign(bound.kind)) + " " + bound.amount.to_string();
  }
  return "";
}

std::string to_string(const Tolerance& tolerance) {
  std::string out;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    if (!out.empty()) out += " or ";
    for (std::size_t i = 0; i < all_of.size(); ++i) out += (i > 0 ? " and " : "") + to_string(all_of[i]);
  }
  return out;
}

std::string_view to_string(RankMode rank) {
  constexpr std::array names{"each", "max", "min", "mean"};
  return names.at(static_cast<std::size_t>(rank));
}

std::string_view comparison_sign(Bound::Kind kind) {
  const ComparisonRow* row = comparison_row(kind);
  return row == nullptr ? "" : row->sign;
}

std::optional<Bound::Kind> comparison_of(std::string_view sign) {
  const auto* row = std::ranges::find(comparisons, sign, &ComparisonRow::sign);
  return row == comparisons.end() ? std::nullopt : std::optional(row->kind);
}

bool compares(const Decimal& a, Bound::Kind kind, const Decimal& b) {
  const ComparisonRow* row = comparison_row(kind);
  const auto order = compare(a, b);
  return row != nullptr && (order < 0 ? row->less : order > 0 ? row->more : row->same);
}

bool needs_baseline(const Tolerance& tolerance) {
  const auto is_relative = [](const Bound& bound) { return comparison_row(bound.kind) == nullptr; };
  return std::any_of(tolerance.any_of.begin(), tolerance.any_of.end(), [&](const std::vector<Bound>& all_of) {
    return std::any_of(all_of.begin(), all_of.end(), is_relative);
  });
}

bool bounds_every_value(const Rule& rule) {
  return !needs_baseline(rule.tolerance) && rule.window.kind == Window::Kind::all &&
         rule.reduce == Reduce::each;
}

namespace {

// Return b + t, or b + t |b| of a relative amount; a negative `sign` subtracts.
std::optional<Decimal> shifted(const Decimal& value, const Bound& bound, int sign) {
  const bool is_relative = bound.kind == Bound::Kind::relative;
  const std::optional<Decimal> by = is_relative ? multiply(bound.amount, value.abs()) : bound.amount;
  if (!by) return std::nullopt;
  const std::optional<Decimal> sum = sign < 0 ? subtract(value, *by) : add(value, *by);
  return sum ? std::optional(sum->without_zeros()) : std::nullopt;
}

// Add the bound's constants to the list. Returns whether it has any.
bool add_beside(std::vector<Bound>& bounds, const Bound& bound, const Decimal& value) {
  if (!comparison_sign(bound.kind).empty()) return bounds.push_back(bound), true;
  if (bound.kind == Bound::Kind::error) return false;
  if (bound.kind == Bound::Kind::exact)
    return bounds.push_back({Bound::Kind::equals, Bound::Side::both, value}), true;
  const std::optional<Decimal> low = shifted(value, bound, -1), high = shifted(value, bound, 1);
  if (!low || !high) return false;
  if (bound.side != Bound::Side::upper) bounds.push_back({Bound::Kind::at_least, Bound::Side::both, *low});
  if (bound.side != Bound::Side::lower) bounds.push_back({Bound::Kind::at_most, Bound::Side::both, *high});
  return true;
}

}  // namespace

std::optional<Tolerance> beside_constant(const Tolerance& tolerance, const Decimal& value) {
  Tolerance beside;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    std::vector<Bound>& bounds = beside.any_of.emplace_back();
    for (const Bound& bound : all_of)
      if (!add_beside(bounds, bound, value)) return std::nullopt;
  }
  return beside;
}

bool bounds_error(const Tolerance& tolerance) {
  return std::any_of(tolerance.any_of.begin(), tolerance.any_of.end(), [](const std::vector<Bound>& all_of) {
    return std::any_of(all_of.begin(), all_of.end(),
                       [](const Bound& bound) { return bound.kind == Bound::Kind::error; });
  });
}

Result<Window> parse_window(std::string_view text) {
  const std::vector<std::string_view> words = split_words(text);
  if (words.empty()) return bad_window(text, "empty; " + std::string(window_forms));
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos)
    return range_window(text, dots);
  const std::string name = to_lower(words.front());
  if (name == "all" && words.size() == 1) return Window{};
  const auto row =
      std::find_if(counted.begin(), counted.end(), [&](const auto& r) { return r.word == name; });
  if (row == counted.end() || words.size() != 2)
    return bad_window(
        text, row == counted.end() && name != "all" ? suggest_window(name) : std::string(window_forms));
  return counted_window(text, *row, words[1]);
}

Result<Reduce> parse_reduce(std::string_view text) {
  return by_name("reduce", text, std::vector<Reduce>(all_reduces.begin(), all_reduces.end()));
}

Result<RankMode> parse_rank_mode(std::string_view text) {
  return by_name<RankMode>("rank mode", text, {RankMode::each, RankMode::max, RankMode::min, RankMode::mean});
}

Status check_direction(const Tolerance& tolerance, const Metric& metric) {
  const std::string wrong = wrong_direction(tolerance, metric);
  if (wrong.empty()) return {};
  return fail("tolerance " + quoted_tolerance(tolerance) + ": " + wrong + offered(tolerance, metric) +
              (metric.better == Better::none
                   ? " (or say better = \"higher\" or \"lower\" in [metrics." + metric.name + "])"
                   : ""));
}

namespace {

// Tell whether the bound lets each number of the range pass, whatever the baseline has of it.
bool allows_all(const Bound& bound, const NumberRange& range) {
  const double amount = bound.amount.to_double();
  switch (bound.kind) {
    case Bound::Kind::absolute:
      return amount >= range.most - range.least;
    case Bound::Kind::relative:
      return bound.side == Bound::Side::lower && amount >= 1 && range.least >= 0;
    case Bound::Kind::at_least:
      return amount <= range.least;
    case Bound::Kind::above:
      return amount < range.least;
    case Bound::Kind::at_most:
      return amount >= range.most;
    case Bound::Kind::below:
      return amount > range.most;
    default:
      return false;
  }
}

// Tell whether one alternative allows what the other one does not: `<= 2.4` and `>= 2.4`.
bool allow_all(const Bound& low, const Bound& high) {
  if (low.kind == Bound::Kind::differs)
    return (high.kind == Bound::Kind::equals && low.amount == high.amount) ||
           (high.kind == Bound::Kind::differs && !(low.amount == high.amount));
  const bool is_low = low.kind == Bound::Kind::at_most || low.kind == Bound::Kind::below;
  const bool is_high = high.kind == Bound::Kind::at_least || high.kind == Bound::Kind::above;
  if (!is_low || !is_high) return false;
  const bool share_end = low.kind == Bound::Kind::at_most || high.kind == Bound::Kind::at_least;
  const auto order = compare(high.amount, low.amount);
  return order < 0 || (order == 0 && share_end);
}

}  // namespace

NumberRange number_range(const Metric& metric) {
  constexpr std::array<std::string_view, 2> shares{"converged", "token_accuracy"};
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  if (std::ranges::find(shares, metric.name) != shares.end()) return {0, 1};
  const bool is_never_negative = metric.kind == MetricKind::speed || metric.kind == MetricKind::memory;
  return {is_never_negative ? 0 : -unbounded, unbounded};
}

Status check_can_fail(const Tolerance& tolerance, std::string_view metric, const NumberRange& range) {
  std::vector<Bound> alone;  // alternatives of one bound
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    if (all_of.size() == 1) alone.push_back(all_of.front());
    if (std::ranges::all_of(all_of, [&](const Bound& bound) { return allows_all(bound, range); }))
      return fail("tolerance " + quoted_tolerance(tolerance) + " cannot fail: each value of " +
                  std::string(metric) + " is within it");
  }
  for (const Bound& low : alone)
    for (const Bound& high : alone)
      if (allow_all(low, high))
        return fail("tolerance " + quoted_tolerance(tolerance) + " cannot fail: each number is " +
                    to_string(low) + " or " + to_string(high));
  return {};
}

}  // namespace gate
