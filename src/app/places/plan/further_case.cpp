#include "gate/places/further_case.h"

#include "places/plan/command_line.h"

namespace gate::app {

std::shared_ptr<PlannedCase> with_spec(const PlannedCase& planned, config::Case spec) {
  struct Owner {
    config::Case spec;
    PlannedCase planned;
  };
  const auto owner = std::make_shared<Owner>(Owner{std::move(spec), planned});
  owner->planned.spec = &owner->spec;
  return {owner, &owner->planned};
}

std::shared_ptr<const PlannedCase> further_case(const PlannedCase& planned,
                                                const config::FurtherRun& further) {
  config::Case spec = *planned.spec;
  for (const auto& [name, value] : further.env) spec.settings.env[name] = value;
  std::vector<std::string>& artifacts = spec.settings.artifacts;
  artifacts.insert(artifacts.end(), further.artifacts.begin(), further.artifacts.end());
  std::erase_if(spec.on_platforms,
                [&](const config::PlatformVariable& one) { return further.env.contains(one.name); });
  const auto more = with_spec(planned, std::move(spec));
  more->further_words = further.words;
  return more;
}

Status check_further_runs(const PlannedCase& planned) {
  const config::Settings& settings = planned.spec->settings;
  for (const auto& [key, further] :
       {std::pair("on_slow", &settings.on_slow), std::pair("on_red", &settings.on_red)}) {
    if (!further->is_wanted()) continue;
    if (const Status fits = check_command(*further_case(planned, *further)); !fits)
      return fail(std::string(key) + ": " + fits.error().message);
  }
  return {};
}

}  // namespace gate::app
