// The numbers in formulas that a case tells.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "config/layers/flops.h"
#include "config/layers/on_platform.h"
#include "gate/base/text.h"
#include "gate/config/formulas.h"
#include "gate/config/peaks.h"
#include "gate/config/training.h"

namespace gate::config {

namespace {

// Who is asked for a number.
struct TellingCase {
  const Case& spec;
  const std::string& platform;
};

Decimal devices_told(const TellingCase& asked, const judge::Term&) {
  const Size size = size_on(asked.spec.settings, asked.platform);
  return {int128{std::max(size.devices.value_or(0), 0)} * size.nodes, 0};
}

std::string no_devices(const TellingCase&, const judge::Term&) {
  return "the case does not say how many devices it uses: devices";
}

Decimal nodes_told(const TellingCase& asked, const judge::Term&) {
  return {size_on(asked.spec.settings, asked.platform).nodes, 0};
}

std::string no_nodes(const TellingCase&, const judge::Term&) {
  return "the case does not say how many nodes it uses: nodes";
}

Decimal length_told(const TellingCase& asked, const SequenceLength& told) {
  const auto variables = variables_on(asked.spec, asked.platform);
  const auto variable = variables.find(told.variable);
  if (variable == variables.end()) return {told.number.value_or(0), 0};
  const std::int64_t number = sequence_length_of(variable->second).value_or(0);
  return {told.number.value_or(number) == number ? number : 0, 0};  // of two nobody knows which one holds
}

Decimal seq_length_told(const TellingCase& asked, const judge::Term&) {
  return asked.spec.seq_length ? length_told(asked, *asked.spec.seq_length) : Decimal{};
}

std::string no_seq_length(const TellingCase& asked, const judge::Term&) {
  if (asked.spec.script.empty()) return "there is no script that tells its sequence length";
  const std::string text = asked.spec.seq_length ? asked.spec.seq_length->text : "";
  return "the script does not tell its sequence length: " +
         (text.empty() ? "--seq-length" : printable(text, 160));
}

// The type of number of a peak: that of the training where it says so.
std::string type_of_peak(const TellingCase& asked, const judge::Term& term) {
  if (term.type != auto_peak) return term.type;
  return to_lower(precision_of(asked.spec, training_flags(asked.spec, asked.platform)));
}

std::optional<Decimal> published_peak(std::string_view platform, std::string_view type) {
  for (const PublishedPeak& peak : published_peaks())
    if (peak.type == type && glob_match(peak.platform, platform))
      return multiply(*Decimal::parse(fmt::format("{}", peak.tera)), {1, 12});
  return std::nullopt;
}

Decimal peak_told(const TellingCase& asked, const judge::Term& term) {
  const std::string type = type_of_peak(asked, term);
  const auto of_type = asked.spec.peaks.find(type);
  const Peak* peak =
      of_type == asked.spec.peaks.end() ? nullptr : most_specific(of_type->second, asked.platform);
  return peak == nullptr ? published_peak(asked.platform, type).value_or(Decimal{}) : peak->number;
}

std::string no_peak(const TellingCase& asked, const judge::Term& term) {
  const std::string type = type_of_peak(asked, term);
  if (type.empty()) return "the script does not tell its precision: --bf16, --fp16; say model.precision";
  if (asked.platform.empty()) return "no peak " + type + " of a platform that is not known: --platform";
  return "no peak " + type + " of " + asked.platform + " in [peaks]";
}

Result<Decimal> estimate_flops(const TellingCase& asked, const judge::Term& term) {
  const ModelFacts& model = asked.spec.settings.model;
  if (term.type == six_n_estimate) return six_n_flops_per_token(model);
  const Decimal length = seq_length_told(asked, term);
  if (length.is_zero()) return fail(no_seq_length(asked, term));
  return megatron_flops_per_token(model, training_flags(asked.spec, asked.platform),
                                  static_cast<std::int64_t>(length.coefficient));
}

Decimal flops_told(const TellingCase& asked, const judge::Term& term) {
  return estimate_flops(asked, term).value_or(Decimal{});
}

std::string no_flops(const TellingCase& asked, const judge::Term& term) {
  const Result<Decimal> flops = estimate_flops(asked, term);
  return "no flops_per_token(\"" + term.type + "\"): " + (flops ? "it is 0" : flops.error().message);
}

struct NumberRow {
  std::string_view name;
  Decimal (*told)(const TellingCase&, const judge::Term&);  // 0 where it is not known
  std::string (*why_not)(const TellingCase&, const judge::Term&);
};
constexpr std::array told_numbers{
    NumberRow{"devices", devices_told, no_devices},          NumberRow{"nodes", nodes_told, no_nodes},
    NumberRow{"seq_length", seq_length_told, no_seq_length}, NumberRow{"peak", peak_told, no_peak},
    NumberRow{"flops_per_token", flops_told, no_flops},
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

std::optional<std::int64_t> sequence_length_on(const Case& spec, const std::string& platform) {
  if (!spec.training_text) return std::nullopt;
  const SequenceLength told = spec.seq_length ? *spec.seq_length : read_sequence_length(*spec.training_text);
  const auto length = static_cast<std::int64_t>(length_told({spec, platform}, told).coefficient);
  return length > 0 ? std::optional(length) : std::nullopt;
}

bool needs_seq_length(const Case& spec) {
  return std::ranges::any_of(spec.derivations, [](const judge::Derivation& derivation) {
    return std::ranges::any_of(derivation.formula.terms, [](const judge::Term& term) {
      return term.is_told() && (term.metric == "seq_length" || term.metric == "flops_per_token");
    });
  });
}

}  // namespace gate::config
