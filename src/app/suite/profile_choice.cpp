#include "gate/suite/profile_choice.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gate::app {

namespace {

constexpr std::string_view choosy = "megatron";  // the profile that lets one choose
constexpr std::array<std::string_view, 2> choices{"compare", "allow_nondeterministic"};

judge::Profile with_choices(const config::Settings& settings, const std::string& name) {
  return {name, settings.compare, settings.allow_nondeterministic};
}

judge::Profile chosen_profile(const config::Settings& settings, const std::string& name) {
  return name == choosy ? with_choices(settings, name) : judge::Profile{name, {}, false};
}

// Return what does not use the value; "" if it is used.
std::string passed_over_by(const std::string& key, const config::Settings& settings) {
  const bool is_formula = key.starts_with("metrics.") && key.ends_with(".formula");
  const bool is_of_gate =
      is_formula || key.starts_with("rules.") || key == "strict" || key == "steps" || key == "early_stop";
  if (is_of_gate && !profile_of(settings).is_gate()) return "by profile " + settings.profile;
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
                                              const config::ResolveRequest& request) {
  const bool used = settings.profile == choosy || settings.shadow == choosy;
  const auto word = std::ranges::find_if(request.overrides, [](const config::Override& one) {
    return std::ranges::find(choices, one.key) != choices.end();
  });
  if (!used && word == request.overrides.end()) return std::nullopt;
  const Status checked =
      judge::check_profile(with_choices(settings, used ? std::string(choosy) : settings.profile));
  if (checked) return std::nullopt;
  return ProfileMistake{used ? "compare" : word->key, checked.error().message};
}

bool may_stop_early(const config::Settings& settings) {
  return profile_of(settings).is_gate() && !shadow_of(settings);
}

void mark_unused(std::vector<config::SettingOrigin>& origins, const config::Settings& settings) {
  for (config::SettingOrigin& origin : origins)
    if (const std::string who = passed_over_by(origin.key, settings); !who.empty())
      origin.origin += ", not used " + who;
}

}  // namespace gate::app
