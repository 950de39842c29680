#include "gate/judge/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gate/words/values.h"

namespace gate::judge {

namespace {

constexpr int most_digits = 15;
constexpr int least_digits = 6;

struct Quantity {
  double approximate = 0;
  std::optional<Decimal> exact;
};

Quantity quantity(const Decimal& number) { return {number.to_double(), number}; }

using ExactOperation = std::optional<Decimal> (*)(const Decimal&, const Decimal&);

std::optional<Decimal> exactly(ExactOperation operation, const Quantity& a, const Quantity& b) {
  return a.exact && b.exact ? operation(*a.exact, *b.exact) : std::nullopt;
}

Quantity computed(TermKind kind, const Quantity& a, const Quantity& b) {
  switch (kind) {
    case TermKind::add:
      return {a.approximate + b.approximate, exactly(add, a, b)};
    case TermKind::subtract:
      return {a.approximate - b.approximate, exactly(subtract, a, b)};
    case TermKind::multiply:
      return {a.approximate * b.approximate, exactly(multiply, a, b)};
    case TermKind::divide:
      return {a.approximate / b.approximate, std::nullopt};
    case TermKind::number:
    case TermKind::metric:
    case TermKind::negate:
      break;
  }
  return {};
}

ValueKind value_kind(double value) {
  if (std::isnan(value)) return ValueKind::nan;
  if (std::isfinite(value)) return ValueKind::finite;
  return value > 0 ? ValueKind::positive_infinity : ValueKind::negative_infinity;
}

Decimal rounded_double(double value) {
  Decimal number = Decimal::parse(fmt::format("{:.{}e}", value, most_digits - 1)).value_or(Decimal{});
  for (int digits = most_digits; digits > least_digits && number.coefficient % 10 == 0; --digits) {
    number.coefficient /= 10;
    ++number.exponent;
  }
  return number;
}

void apply(const Term& term, std::vector<Quantity>& stack) {
  const Quantity last = stack.back();
  if (term.kind == TermKind::negate) {
    stack.back() = computed(TermKind::subtract, quantity(Decimal{}), last);
    return;
  }
  stack.pop_back();
  stack.back() = computed(term.kind, stack.back(), last);
}

// Return the formula's value where its metrics, in the order of its terms, have these samples. The first one
// that is not finite is the result; else what is not finite on the way, which nothing that follows mends. How
// finely it is computed: gate/judge/derive.h.
Value formula_value(const Formula& formula, const std::vector<Sample>& operands) {
  for (const Sample& operand : operands)
    if (!operand.value.is_finite()) return {operand.value.kind, {}};
  std::vector<Quantity> stack;
  auto operand = operands.begin();
  for (const Term& term : formula.terms) {
    if (term.kind == TermKind::number)
      stack.push_back(quantity(term.number));
    else if (term.kind == TermKind::metric)
      stack.push_back(quantity((*operand++).value.number));
    else
      apply(term, stack);
    if (const ValueKind kind = value_kind(stack.back().approximate); kind != ValueKind::finite)
      return {kind, {}};
  }
  const Quantity& result = stack.back();  // exact if it can be read again: no more digits than may be printed
  const bool readable = result.exact && Decimal::parse(result.exact->to_string());
  return {ValueKind::finite, readable ? *result.exact : rounded_double(result.approximate)};
}

using RankSet = std::set<std::optional<int>>;

std::vector<const Series*> all_of(const FormulaInputs& inputs, const Term& term) {
  std::vector<const Series*> found;
  if (const auto of_case = inputs.find(term.case_name); of_case != inputs.end())
    for (const Series* series : of_case->second)
      if (series->metric() == term.metric) found.push_back(series);
  return found;
}

RankSet ranks_of(const Formula& formula, const FormulaInputs& inputs) {
  RankSet ranks;
  for (const Term& term : formula.terms)
    for (const Series* series : all_of(inputs, term)) ranks.insert(series->rank());
  if (ranks.size() > 1) ranks.erase(std::nullopt);
  return ranks;
}

const Series* operand_of(const Term& term, const FormulaInputs& inputs, const std::optional<int>& rank) {
  const Series* for_all = nullptr;
  for (const Series* series : all_of(inputs, term)) {
    if (series->rank() == rank) return series;
    if (!series->rank()) for_all = series;
  }
  return for_all;
}

// Return the series that the formula names, in its order; none where one of them is not there.
std::vector<const Series*> operands_of(const Formula& formula, const FormulaInputs& inputs,
                                       const std::optional<int>& rank) {
  std::vector<const Series*> operands;
  for (const Term& term : formula.terms) {
    if (term.kind != TermKind::metric) continue;
    const Series* operand = operand_of(term, inputs, rank);
    if (operand == nullptr) return {};
    if (!operands.empty() && operand->numbered() != operands.front()->numbered()) return {};
    operands.push_back(operand);
  }
  return operands;
}

// Return the operands' samples of that number; none where one of them has none.
std::vector<Sample> samples_at(std::int64_t number, const std::vector<const Series*>& operands) {
  std::vector<Sample> samples;
  for (const Series* operand : operands) {
    std::optional<Sample> sample = operand->find(number);
    if (!sample) return {};
    samples.push_back(std::move(*sample));
  }
  return samples;
}

Series derive_rank(const Metric& metric, const Formula& formula, const std::optional<int>& rank,
                   const std::vector<const Series*>& operands) {
  Series series(metric.name, rank, metric.unit, operands.front()->numbered());
  for (const Sample& first : operands.front()->samples()) {
    const std::vector<Sample> samples = samples_at(first.number, operands);
    if (samples.empty()) continue;
    Sample sample{first.number, formula_value(formula, samples), "", first.file, first.line};
    if (sample.value.kind != ValueKind::left_out) sample.text = words::value_text(sample.value);
    series.append(sample);
  }
  for (const Series* operand : operands) {
    for (const std::int64_t number : operand->conflicts()) series.mark_conflict(number);
    if (operand->assumed()) series.set_assumed(true);
    if (operand->of_last_steps()) series.set_of_last_steps(true);
  }
  return series;
}

// Return the inputs of the references' k-th runs; empty beyond the last one.
FormulaInputs inputs_of_run(const InputReferences& references, std::size_t run) {
  FormulaInputs inputs;
  for (const auto& [name, reference] : references)
    for (const ReferenceSeries& series : reference->series)
      if (run < series.runs.size()) inputs[name].push_back(&series.runs[run]);
  return inputs;
}

// What the formula takes its values from: the file of the first operand, the first platform and switches that
// are told.
ReferenceSeries origin_of(const Formula& formula, const InputReferences& references) {
  ReferenceSeries origin;
  for (const Term& term : formula.terms) {
    const auto of_case = references.find(term.case_name);
    if (term.kind != TermKind::metric || of_case == references.end()) continue;
    for (const ReferenceSeries& series : of_case->second->series) {
      if (series.runs.front().metric() != term.metric) continue;
      if (origin.path.empty()) origin.path = series.path;
      if (origin.platform.empty()) origin.platform = series.platform;
      if (!origin.switches.set) origin.switches = series.switches;
    }
  }
  return origin;
}

void add_run(std::vector<ReferenceSeries>& all, const ReferenceSeries& origin, Series run) {
  const auto known = std::ranges::find_if(
      all, [&](const ReferenceSeries& series) { return series.runs.front().rank() == run.rank(); });
  const auto place = known == all.end() ? all.insert(all.end(), origin) : known;
  place->runs.push_back(std::move(run));
}

}  // namespace

std::vector<Series> derive(const Metric& metric, const Formula& formula, const FormulaInputs& inputs) {
  std::vector<Series> all;
  if (formula.open_term() != nullptr) return all;
  for (const std::optional<int>& rank : ranks_of(formula, inputs))
    if (const auto operands = operands_of(formula, inputs, rank); !operands.empty())
      all.push_back(derive_rank(metric, formula, rank, operands));
  return all;
}

std::vector<ReferenceSeries> derive(const Metric& metric, const Formula& formula,
                                    const InputReferences& inputs) {
  std::vector<ReferenceSeries> all;
  if (formula.open_term() != nullptr) return all;
  const ReferenceSeries origin = origin_of(formula, inputs);
  for (std::size_t run = 0;; ++run) {
    const FormulaInputs of_run = inputs_of_run(inputs, run);
    if (of_run.empty()) return all;
    for (Series& series : derive(metric, formula, of_run))
      if (!series.empty()) add_run(all, origin, std::move(series));
  }
}

std::string operands_text(const Formula& formula, const FormulaInputs& inputs, const std::optional<int>& rank,
                          std::int64_t number) {
  const std::vector<Sample> samples = samples_at(number, operands_of(formula, inputs, rank));
  if (samples.empty()) return "";
  auto sample = samples.begin();
  std::set<std::string> said;
  std::string out;
  for (const Term& term : formula.terms) {
    if (term.kind != TermKind::metric && !term.is_told()) continue;
    const std::string name = written(term);
    const std::string value = term.is_told() ? term.number.to_string() : words::value_text((sample++)->value);
    if (said.insert(name).second) out += (out.empty() ? "" : ", ") + name + " " + value;
  }
  return out;
}

}  // namespace gate::judge
