#include "gate/judge/difference.h"

#include <map>

#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"
#include "gate/words/values.h"
#include "judge/series/limits.h"
#include "judge/series/number.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

namespace {

std::string non_finite_words(const Series& series) {
  std::map<std::string, std::vector<std::int64_t>> numbers;
  for (auto it = series.samples().begin(); it != series.samples().end(); ++it)
    if (const SampleView sample = it.view(); !sample.value.is_finite())
      numbers[words::value_text(sample.value)].push_back(sample.number);
  if (!series.unrecorded().empty())
    numbers["not recorded"].assign(series.unrecorded().begin(), series.unrecorded().end());
  std::vector<std::string> words;
  for (const auto& [word, at] : numbers) words.push_back(word + " at " + to_string(StepSet(at)));
  return join(words, "; ");
}

// The values at which both are finite, summed up.
struct Sums {
  std::optional<Number> a, b;
  std::int64_t of_a = 0, of_b = 0;

  void add_a(const Decimal& value) { a = a ? plus(*a, number(value)) : number(value), ++of_a; }
  void add_b(const Decimal& value) { b = b ? plus(*b, number(value)) : number(value), ++of_b; }

  void tell(Difference& difference) const {
    if (!a || !b) return;
    const Number mean_a = divide(*a, of_a), mean_b = divide(*b, of_b), delta = minus(mean_b, mean_a);
    difference.mean_a = value_of(mean_a);
    difference.mean_b = value_of(mean_b);
    difference.delta = value_of(delta);
    difference.delta_percent = percent_of(delta, mean_a);
  }
};

DifferentAt different_at(const SampleView& a, const SampleView& b) {
  DifferentAt at{a.number, a.value, b.value, {}};
  if (a.value.is_finite() && b.value.is_finite())
    at.delta = value_of(minus(number(b.value.number), number(a.value.number)));
  return at;
}

// Two series while they are walked along.
struct Walk {
  Equality equality = Equality::as_printed;
  Difference difference;
  Sums sums;
  std::vector<std::int64_t> finite_at;  // of both
  std::optional<Number> largest;

  void add(const SampleView& a, const SampleView& b) {
    const bool by_value = equality == Equality::as_values;
    if (by_value && a.value.kind == ValueKind::left_out && b.value.kind == ValueKind::left_out) return;
    ++difference.common;
    const bool finite = a.value.is_finite() && b.value.is_finite();
    if (finite) sums.add_a(a.value.number), sums.add_b(b.value.number), finite_at.push_back(a.number);
    if (a.value == b.value && (finite || !by_value)) {
      ++difference.equal;
      return;
    }
    if (!difference.first) difference.first = different_at(a, b);
    if (finite) return add_delta(a, b);
    const Value& other = b.value.is_finite() ? a.value : b.value;
    if (!difference.no_number && other.kind != ValueKind::left_out) difference.no_number = other;
  }

  void add_delta(const SampleView& a, const SampleView& b) {
    const Number delta = magnitude(minus(number(b.value.number), number(a.value.number)));
    if (largest && !(compare(delta, *largest) > 0)) return;
    largest = delta;
    difference.largest = different_at(a, b);
  }
};

void walk_along(Walk& walk, const SampleTape& a, const SampleTape& b) {
  auto at_a = a.begin(), at_b = b.begin();
  while (at_a != a.end() || at_b != b.end()) {
    const bool first = at_b == b.end() || (at_a != a.end() && at_a.number() < at_b.number());
    const bool second = at_a == a.end() || (at_b != b.end() && at_b.number() < at_a.number());
    if (first) walk.difference.only_a.push_back(at_a.number());
    if (second) walk.difference.only_b.push_back(at_b.number());
    if (!first && !second) walk.add(at_a.view(), at_b.view());
    if (!second) ++at_a;
    if (!first) ++at_b;
  }
}

void add_means(Walk& walk, const SampleTape& a, const SampleTape& b) {
  for (auto it = a.begin(); it != a.end(); ++it)
    if (it.view().value.is_finite()) walk.sums.add_a(it.view().value.number);
  for (auto it = b.begin(); it != b.end(); ++it)
    if (it.view().value.is_finite()) walk.sums.add_b(it.view().value.number);
}

std::optional<DifferentAt> first_miss(const Rule& rule, const Series& a, const Series& b) {
  for (const std::int64_t at : resolve(rule.window, a.samples().numbers())) {
    const auto was = a.find(at), is = b.find(at);
    if (!is || !was || !was->value.is_finite()) continue;
    const Intervals limits = limits_of(rule.tolerance, number(was->value.number));
    if (!is->value.is_finite() || !within(limits, number(is->value.number))) return different_at(*was, *is);
  }
  return std::nullopt;
}

}  // namespace

Difference difference_of(const Series& a, const Series& b, Equality equality) {
  Walk walk;
  walk.equality = equality;
  const bool comparable = a.numbered() == b.numbered();
  if (comparable && a.numbered() == Numbering::time) add_means(walk, a.samples(), b.samples());
  if (comparable && a.numbered() != Numbering::time) walk_along(walk, a.samples(), b.samples());
  walk.sums.tell(walk.difference);
  walk.difference.finite_at = StepSet(walk.finite_at);
  walk.difference.non_finite_a = non_finite_words(a);
  walk.difference.non_finite_b = non_finite_words(b);
  return std::move(walk.difference);
}

std::optional<Beyond> first_beyond(std::span<const Rule> rules, const Series& a, const Series& b) {
  std::optional<Beyond> first;
  if (b.numbered() != a.numbered() || a.numbered() == Numbering::time) return std::nullopt;
  for (const Rule& rule : rules) {
    if (rule.metric != a.metric() || rule.reduce != Reduce::each || rule.rank != RankMode::each) continue;
    const auto miss = first_miss(rule, a, b);
    if (miss && (!first || miss->number < first->at.number))
      first = Beyond{rule.name, to_string(rule.tolerance), *miss};
  }
  return first;
}

}  // namespace gate::judge
