// Any bytes as gate.toml, and as the header of a script under that policy (or under the built-in one): a
// value or mistakes with words and sane places, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/config/policy.h"
#include "targets.h"

namespace {

void demand_config_words(const gate::Diagnostics& mistakes) {
  if (mistakes.empty()) std::abort();
  for (const gate::Diagnostic& mistake : mistakes)
    if (mistake.message.empty() || mistake.at.line < 0 || mistake.at.column < 0) std::abort();
}

// Each number of a formula is known, or it is said why not.
void demand_told_numbers(gate::config::Parsed<gate::config::Case> resolved,
                         const gate::config::SequenceLength& length) {
  if (length.text.empty() && (length.number || !length.variable.empty())) std::abort();
  if (!resolved) return;
  resolved->seq_length = length;
  for (const gate::judge::Derivation& derivation : resolved->derivations)
    for (const char* platform : {"", "nvidia-a100"}) {
      const auto formula = gate::config::formula_on(*resolved, derivation.formula, platform);
      const bool is_open = formula.open_term() != nullptr;
      if (is_open == gate::config::why_open(*resolved, formula, platform).empty()) std::abort();
    }
}

}  // namespace

int config_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gate::config::Parsed<gate::config::Policy> policy = gate::config::Policy::parse(bytes, "gate.toml");
  if (!policy) {
    demand_config_words(policy.error());
    policy = gate::config::Policy::parse("", "gate.toml");
  }
  const auto resolved = policy->resolve({"pretrain/a", "scripts/pretrain/a.sh", bytes, {}});
  if (!resolved) demand_config_words(resolved.error());
  demand_told_numbers(resolved, gate::config::read_sequence_length(bytes));
  return 0;
}
