// Any bytes as a formula: an error with words, or a formula that has a unit or a mistake in it, that reads
// the same again, and that gives each step of its operands one value that can be printed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/judge/derive.h"
#include "targets.h"

namespace {

constexpr std::string_view words[] = {"1.5",
                                      "-3",
                                      "0",
                                      "0.00",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "",
                                      "1e9999",
                                      "1e-9999",
                                      "9999999999999999999999999999999999999",
                                      "-1e300",
                                      "1e-300"};

void demand(bool holds) {
  if (!holds) std::abort();
}

void demand_words(const gate::Error& error) { demand(!error.message.empty() && error.message.size() < 2000); }

gate::Series operand(const std::string& metric, std::size_t shift) {
  gate::Series series(metric, std::nullopt, "", gate::Numbering::step);
  for (std::size_t i = 0; i < std::size(words); ++i) {
    const std::string_view word = words[(i * (shift + 1) + shift) % std::size(words)];
    series.append({static_cast<std::int64_t>(i), gate::parse_value(word).value_or(gate::Value{}),
                   std::string(word), 0, 1});
  }
  return series;
}

void demand_values(gate::judge::Formula formula) {
  gate::judge::bind_numbers(formula, [](const auto&) { return gate::Decimal{4096, 0}; });
  std::vector<gate::Series> operands;
  operands.reserve(formula.terms.size());
  gate::judge::FormulaInputs inputs;
  for (const gate::judge::Term& term : formula.terms) {
    if (term.kind != gate::judge::Term::Kind::metric) continue;
    operands.push_back(operand(term.metric, operands.size()));
    inputs[term.case_name].push_back(&operands.back());
  }
  const auto derived = gate::judge::derive({}, formula, inputs);
  demand(derived.size() == 1 && derived.front().size() == std::size(words));
  for (const gate::Sample& sample : derived.front().samples()) {
    const auto value = gate::parse_value(sample.text);
    demand(value ? *value == sample.value : sample.value.kind == gate::ValueKind::left_out);
  }
}

}  // namespace

int formula_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const gate::Result<gate::judge::Formula> formula = gate::judge::parse_formula(bytes);
  if (!formula) {
    demand_words(formula.error());
    return 0;
  }
  const gate::Result<gate::judge::Formula> again = gate::judge::parse_formula(formula->text);
  demand(again && again->terms.size() == formula->terms.size());
  const auto unit = gate::judge::unit_of(*formula, {}, std::nullopt);
  if (!unit) demand_words(unit.error());
  const auto numbered = gate::judge::numbering_of(*formula, {});
  if (!numbered) demand_words(numbered.error());
  demand_values(*formula);
  return 0;
}
