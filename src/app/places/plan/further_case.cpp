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

Status check_further_run(const PlannedCase& planned) {
  const config::FurtherRun& further = planned.spec->settings.further;
  if (!further.is_wanted()) return {};
  const Status fits = check_command(*further_case(planned, further));
  return fits ? fits : fail("further: " + fits.error().message);
}

}  // namespace gate::app
