#include "app/profile_choice.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gate::app {

namespace {

judge::Profile chosen(const config::Settings& settings, const std::string& name) {
  return {name, settings.compare, settings.allow_nondeterministic};
}

bool is_asked(const config::Settings& settings, std::string_view name) {
  return settings.profile == name || settings.shadow == name;
}

// What one profile alone can use.
constexpr std::string_view choosy = "megatron";

Diagnostics unused_words(const config::Settings& settings, const config::Subject& subject) {
  Diagnostics mistakes;
  if (is_asked(settings, choosy)) return mistakes;
  for (const config::Override& word : subject.overrides)
    if (word.key == "compare" || word.key == "allow_nondeterministic")
      mistakes.push_back({{word.origin == "--set" ? "--set " + word.key : word.origin},
                          "the profile " + settings.profile + " does not use it; add --profile " +
                              std::string(choosy) + ", or leave it out" +
                              (settings.profile == "gate" ? ": gate judges by rules" : "")});
  return mistakes;
}

bool is_of_gate_alone(const std::string& key) {
  constexpr std::array<std::string_view, 3> settings{"early_stop", "strict", "steps"};
  const bool formula = key.starts_with("metrics.") && key.ends_with(".formula");
  return formula || key.starts_with("rules.") ||
         std::find(settings.begin(), settings.end(), key) != settings.end();
}

}  // namespace

judge::Profile profile_of(const config::Settings& settings) { return chosen(settings, settings.profile); }

std::optional<judge::Profile> shadow_of(const config::Settings& settings) {
  if (settings.shadow.empty() || settings.shadow == settings.profile) return std::nullopt;
  return chosen(settings, settings.shadow);
}

Diagnostics profile_mistakes(const config::Settings& settings, const config::Subject& subject) {
  return unused_words(settings, subject);
}

void mark_unused(std::vector<config::Origin>& origins, const config::Settings& settings) {
  if (profile_of(settings).is_gate()) return;
  for (config::Origin& origin : origins)
    if (is_of_gate_alone(origin.key)) origin.origin += ", not used by profile " + settings.profile;
}

}  // namespace gate::app
