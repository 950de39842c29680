// The numbers in formulas that a case tells.
#include <algorithm>
#include <array>

#include "config/layers/on_platform.h"
#include "gate/base/text.h"
#include "gate/config/policy.h"

namespace gate::config {

namespace {

// Who is asked for a number.
struct TellingCase {
  const Case& spec;
  const std::string& platform;
};

Decimal devices_told(const TellingCase& asked, const judge::Term&) {
  const Settings& settings = asked.spec.settings;
  return {int128{std::max(settings.devices.value_or(0), 0)} * settings.nodes, 0};
}

std::string no_devices(const TellingCase&, const judge::Term&) {
  return "the case does not say how many devices it uses: devices";
}

Decimal nodes_told(const TellingCase& asked, const judge::Term&) { return {asked.spec.settings.nodes, 0}; }

std::string no_nodes(const TellingCase&, const judge::Term&) {
  return "the case does not say how many nodes it uses: nodes";
}

Decimal seq_length_told(const TellingCase& asked, const judge::Term&) {
  if (!asked.spec.seq_length) return {};
  const SequenceLength& told = *asked.spec.seq_length;
  const auto variables = variables_on(asked.spec, asked.platform);
  const auto variable = variables.find(told.variable);
  if (variable == variables.end()) return {told.number.value_or(0), 0};
  const std::int64_t number = sequence_length_of(variable->second).value_or(0);
  return {told.number.value_or(number) == number ? number : 0, 0};  // of two nobody knows which one holds
}

std::string no_seq_length(const TellingCase& asked, const judge::Term&) {
  if (asked.spec.script.empty()) return "there is no script that tells its sequence length";
  const std::string text = asked.spec.seq_length ? asked.spec.seq_length->text : "";
  return "the script does not tell its sequence length: " +
         (text.empty() ? "--seq-length" : printable(text, 160));
}

Decimal peak_told(const TellingCase& asked, const judge::Term& term) {
  const auto of_type = asked.spec.peaks.find(term.type);
  const Peak* peak =
      of_type == asked.spec.peaks.end() ? nullptr : most_specific(of_type->second, asked.platform);
  return peak == nullptr ? Decimal{} : peak->number;
}

std::string no_peak(const TellingCase& asked, const judge::Term& term) {
  if (asked.platform.empty()) return "no peak " + term.type + " of a platform that is not known: --platform";
  return "no peak " + term.type + " of " + asked.platform + " in [peaks]";
}

struct NumberRow {
  std::string_view name;
  Decimal (*told)(const TellingCase&, const judge::Term&);  // 0 where it is not known
  std::string (*why_not)(const TellingCase&, const judge::Term&);
};
constexpr std::array told_numbers{
    NumberRow{"devices", devices_told, no_devices},
    NumberRow{"nodes", nodes_told, no_nodes},
    NumberRow{"seq_length", seq_length_told, no_seq_length},
    NumberRow{"peak", peak_told, no_peak},
};

const NumberRow& row_of_number(const judge::Term& term) {
  return *std::ranges::find(told_numbers, term.metric, &NumberRow::name);
}

}  // namespace

judge::Formula formula_on(const Case& spec, judge::Formula formula, const std::string& platform) {
  const TellingCase asked{spec, platform};
  judge::bind_numbers(formula,
                      [&](const judge::Term& term) { return row_of_number(term).told(asked, term); });
  return formula;
}

std::string why_open(const Case& spec, const judge::Formula& formula, const std::string& platform) {
  const judge::Term* open = formula.open_term();
  return open == nullptr ? "" : row_of_number(*open).why_not({spec, platform}, *open);
}

bool needs_seq_length(const Case& spec) {
  return std::ranges::any_of(spec.derivations, [](const judge::Derivation& derivation) {
    return std::ranges::any_of(derivation.formula.terms, [](const judge::Term& term) {
      return term.is_told() && term.metric == "seq_length";
    });
  });
}

}  // namespace gate::config
