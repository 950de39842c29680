#include "gate/judging/series_sources.h"

#include <array>

namespace gate::app {

namespace {

struct SeriesSource {
  After when;
  void (*add)(Extraction& run, const SourceInput& input);
};

constexpr std::array<SeriesSource, 4> series_sources{{
    {After::launch,  // gate's clocks
     [](Extraction& run, const SourceInput& input) {
       add_clocks(run, input.launch.arrivals, input.launch.script_time, input.spec.metrics);
     }},
    {After::launch,  // readings of devices and hosts
     [](Extraction& run, const SourceInput& input) {
       const LaunchMeasures& launch = input.launch;
       add_readings(run, launch.readings, launch.hardware, launch.began,
                    std::chrono::seconds(input.spec.settings.sample), input.spec.metrics);
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
