#include "app/suite/profile_choice.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gate::app {

namespace {

constexpr std::string_view choosy = "megatron";  // the profile that lets one choose
constexpr std::array<std::string_view, 2> choices{"compare", "allow_nondeterministic"};

bool is_choice(const config::Override& word) {
  return std::find(choices.begin(), choices.end(), word.key) != choices.end();
}

judge::Profile with_choices(const config::Settings& settings, const std::string& name) {
  return {name, settings.compare, settings.allow_nondeterministic};
}

judge::Profile chosen_profile(const config::Settings& settings, const std::string& name) {
  return name == choosy ? with_choices(settings, name) : judge::Profile{name, {}, false};
}

bool is_of_gate_alone(const std::string& key) {
  const bool formula = key.starts_with("metrics.") && key.ends_with(".formula");
  return formula || key.starts_with("rules.") || key == "strict" || key == "steps";
}

// Return what does not use the value; "" where it is used.
std::string passed_over_by(const std::string& key, const config::Settings& settings) {
  const bool is_gate = profile_of(settings).is_gate();
  if (!is_gate && (is_of_gate_alone(key) || key == "early_stop")) return "by profile " + settings.profile;
  return key == "early_stop" && !may_stop_early(settings) ? "beside the shadow " + settings.shadow : "";
}

}  // namespace

judge::Profile profile_of(const config::Settings& settings) {
  return chosen_profile(settings, settings.profile);
}

std::optional<judge::Profile> shadow_of(const config::Settings& settings) {
  if (settings.shadow.empty() || settings.shadow == settings.profile) return std::nullopt;
  return chosen_profile(settings, settings.shadow);
}

std::optional<ProfileMistake> profile_mistake(const config::Settings& settings,
                                              const config::ResolveRequest& subject) {
  const bool used = settings.profile == choosy || settings.shadow == choosy;
  const auto word = std::find_if(subject.overrides.begin(), subject.overrides.end(), is_choice);
  if (!used && word == subject.overrides.end()) return std::nullopt;
  const Status checked =
      judge::check_profile(with_choices(settings, used ? std::string(choosy) : settings.profile));
  if (checked) return std::nullopt;
  return ProfileMistake{used ? "compare" : word->key, checked.error().message};
}

bool may_stop_early(const config::Settings& settings) {
  return profile_of(settings).is_gate() && !shadow_of(settings);
}

void mark_unused(std::vector<config::Origin>& origins, const config::Settings& settings) {
  for (config::Origin& origin : origins)
    if (const std::string who = passed_over_by(origin.key, settings); !who.empty())
      origin.origin += ", not used " + who;
}

}  // namespace gate::app
