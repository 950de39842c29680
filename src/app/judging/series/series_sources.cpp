#include "gate/judging/series_sources.h"

#include <algorithm>
#include <array>

namespace gate::app {

namespace {

struct SeriesSource {
  After when;
  void (*add)(Extraction& run, const SourceInput& input);
};

// A run that ends before devices are read for the first time has no reading, whatever they would say.
Sentence not_sampled_words(const LaunchMeasures& launch, int sample) {
  const bool is_short = launch.script_time && *launch.script_time < std::chrono::seconds(sample);
  if (!is_short || !launch.readings.empty()) return {};
  return say({"the run was shorter than sample = {}s: no reading", "运行短于 sample = {}s：没有读数"},
             sample);
}

constexpr std::array<SeriesSource, 5> series_sources{{
    {After::launch,  // gate's clocks
     [](Extraction& run, const SourceInput& input) {
       add_clocks(run, input.launch.arrivals, input.launch.script_time, input.spec.metrics);
     }},
    {After::launch,  // what a restart cost
     [](Extraction& run, const SourceInput& input) {
       if (std::ranges::find(input.spec.rules, "recomputed_steps", &Rule::metric) != input.spec.rules.end())
         add_recomputed_steps(run, input.launch.arrivals, input.spec.metrics);
     }},
    {After::launch,  // readings of devices and hosts
     [](Extraction& run, const SourceInput& input) {
       const LaunchMeasures& launch = input.launch;
       add_readings(run, launch.readings, launch.hardware, launch.began,
                    std::chrono::seconds(input.spec.settings.sample), input.spec.metrics);
       run.not_sampled = not_sampled_words(launch, input.spec.settings.sample);
     }},
    {After::launch,  // what the script's outputs are worth
     [](Extraction& run, const SourceInput& input) {
       add_outputs(run, input.spec, input.launch.outputs, input.launch.stages);
     }},
    {After::partners,  // formulas
     [](Extraction& run, const SourceInput& input) {
       derive_series(run, input.spec, input.platform, input.partners);
     }},
}};

}  // namespace

void add_series(Extraction& run, After when, const SourceInput& input) {
  for (const SeriesSource& source : series_sources)
    if (source.when == when) source.add(run, input);
}

}  // namespace gate::app
