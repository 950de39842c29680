// Any bytes as gate.toml, and the cases that it finds among some scripts: names once, in order, and that of a
// variant true, what its script sees is what it says; or mistakes with words.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "gate/config/policy.h"
#include "targets.h"

namespace {

using gate::config::CaseScript;

// Each axis but the size is a variable with the value that the name has; the size is nodes and devices.
void demand_true_name(const gate::config::Policy& policy, const CaseScript& found) {
  if (found.name != found.variant->name()) std::abort();
  const auto spec = policy.resolve({found.name, found.script, "", {}, found.group, found.variant});
  if (!spec) return;
  for (const gate::config::AxisValue& one : found.variant->values) {
    const gate::config::Settings& settings = spec->settings;
    const bool is_size = one.axis == gate::config::size_axis;
    const std::string is =
        is_size ? std::to_string(settings.nodes) + "x" + std::to_string(settings.devices.value_or(0))
                : settings.env.at(one.axis);
    if (is != one.value) std::abort();
  }
}

}  // namespace

int matrix_fuzz(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_resolved = 50;
  static const std::array<std::string, 4> files{"scripts/a.sh", "scripts/glm/pretrain.sh",
                                                "scripts/glm@TP=1.sh", "tests/x/config.yaml"};
  const auto policy = gate::config::Policy::parse({reinterpret_cast<const char*>(data), size}, "gate.toml");
  if (!policy) return 0;
  const auto found = policy->find_cases(files, {});
  if (!found && (found.error().empty() || found.error().front().message.empty())) std::abort();
  if (!found) return 0;
  if (std::ranges::adjacent_find(*found, std::greater_equal{}, &CaseScript::name) != found->end())
    std::abort();
  for (std::size_t i = 0; i < std::min(found->size(), most_resolved); ++i)
    if ((*found)[i].variant) demand_true_name(*policy, (*found)[i]);
  return 0;
}
