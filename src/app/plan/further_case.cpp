#include "app/plan/further_case.h"

#include "app/plan/command_line.h"

namespace gate::app {

FurtherCase::FurtherCase(const PlannedCase& planned, const config::FurtherRun& further)
    : spec_(*planned.spec), planned_(planned) {
  planned_.spec = &spec_;
  planned_.further_words = further.words;
  for (const auto& [name, value] : further.env) spec_.settings.env[name] = value;
  std::vector<std::string>& artifacts = spec_.settings.artifacts;
  artifacts.insert(artifacts.end(), further.artifacts.begin(), further.artifacts.end());
  std::erase_if(spec_.on_platforms,
                [&](const config::PlatformVariable& one) { return further.env.contains(one.name); });
}

Status check_further_runs(const PlannedCase& planned) {
  const config::Settings& settings = planned.spec->settings;
  for (const auto& [key, further] :
       {std::pair("on_slow", &settings.on_slow), std::pair("on_red", &settings.on_red)}) {
    if (!further->is_wanted()) continue;
    const FurtherCase more(planned, *further);
    if (const Status fits = check_command(more.planned()); !fits)
      return fail(std::string(key) + ": " + fits.error().message);
  }
  return {};
}

}  // namespace gate::app
