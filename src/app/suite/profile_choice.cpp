#include "gate/suite/profile_choice.h"

#include <algorithm>
#include <string>

#include "gate/base/text.h"

namespace gate::app {

namespace {

// What the case's own file says of its tests holds where the words say nothing of it.
judge::Profile chosen_profile(const config::Settings& settings, const std::string& words) {
  judge::Profile profile = judge::parse_profile(words).value_or(judge::Profile{});
  if (profile.name != "megatron") return profile;
  if (profile.compare.empty()) profile.compare = settings.recipe_metrics;
  profile.nondeterministic |= settings.recipe_nondeterministic;
  return profile;
}

// `rules.lm_loss` of `rules.lm_loss.tolerance`; `strict` of itself.
std::string table_of(const std::string& key) { return key.substr(0, key.find('.', key.find('.') + 1)); }

// Return what does not use the value; "" if it is used.
Sentence passed_over_by(const std::string& key, const config::Settings& settings) {
  const bool is_formula = key.starts_with("metrics.") && key.ends_with(".formula");
  const bool is_of_gate =
      is_formula || key.starts_with("rules.") || key == "strict" || key == "steps" || key == "early_stop";
  if (is_of_gate && !profile_of(settings).is_gate())
    return say({"not used by profile {}", "判定方案 {} 不使用"}, profile_of(settings).name);
  if (key != "early_stop" || may_stop_early(settings)) return {};
  return say({"not used beside the shadow {}", "有影子判定 {} 时不使用"}, shadow_of(settings)->name);
}

// Tell whether it switches the rule of a speed or a memory off, as a suite does whose golden files hold
// losses.
bool is_off_beside_loss(const config::SettingOrigin& origin) {
  const std::string rule = origin.key.substr(origin.key.find('.') + 1);
  return origin.value == "false" && MetricTable().get(rule).kind != MetricKind::accuracy;
}

}  // namespace

judge::Profile profile_of(const config::Settings& settings) {
  return chosen_profile(settings, settings.profile);
}

std::optional<judge::Profile> shadow_of(const config::Settings& settings) {
  if (settings.shadow.empty() || settings.shadow == settings.profile) return std::nullopt;
  return chosen_profile(settings, settings.shadow);
}

Status check_recipe(const config::Settings& settings) {
  GATE_TRY_STATUS(judge::check_profile(profile_of(settings)));
  const auto shadow = shadow_of(settings);
  return shadow ? judge::check_profile(*shadow) : Status();
}

bool may_stop_early(const config::Settings& settings) {
  return profile_of(settings).is_gate() && !shadow_of(settings);
}

std::vector<config::SettingOrigin> passed_over(const config::Case& spec) {
  std::vector<config::SettingOrigin> unused;
  if (profile_of(spec.settings).is_gate()) return unused;
  const auto shadow = shadow_of(spec.settings);
  const bool is_shadowed = shadow && shadow->is_gate();
  for (const config::SettingOrigin& origin : spec.said) {
    if (is_shadowed && (origin.key.find('.') == std::string::npos || is_off_beside_loss(origin))) continue;
    if (passed_over_by(origin.key, spec.settings).empty()) continue;
    const std::string name = table_of(origin.key);
    if (std::ranges::find(unused, name, &config::SettingOrigin::key) == unused.end())
      unused.push_back({name, origin.value, origin.origin});
  }
  return unused;
}

Sentence passed_over_words(const config::Case& spec) {
  constexpr std::size_t most_told = 5;
  std::vector<Sentence> told;
  for (const config::SettingOrigin& one : passed_over(spec))
    told.push_back(as_is(printable(one.key, 80)) + say({" ({})", "（{}）"}, one.origin));
  if (told.empty()) return {};
  const std::size_t rest = told.size() - std::min(told.size(), most_told);
  told.resize(told.size() - rest);
  if (rest > 0) told.push_back(say({"{} more", "另有 {} 项"}, rest));
  const auto shadow = shadow_of(spec.settings);
  return say({"profile {} does not use {}", "判定方案 {} 不使用 {}"}, profile_of(spec.settings).name,
             join(told, comma)) +
         (shadow && shadow->is_gate()
              ? say({"; the shadow gate does, and decides nothing", "；影子判定 gate 使用，但不影响结论"})
              : Sentence());
}

void mark_unused(std::vector<config::SettingOrigin>& origins, const config::Settings& settings) {
  for (config::SettingOrigin& origin : origins)
    if (const Sentence why = passed_over_by(origin.key, settings); !why.empty()) origin.origin += comma + why;
}

}  // namespace gate::app
