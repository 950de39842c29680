// Where the series of a run come from. What a script writes - its output, extra logs, event files - is read
// by the extractor, whose formats are a table of their own (extract/formats). Everything else is a row here,
// and adds to what was read.
#pragma once

#include <optional>
#include <vector>

#include "gate/judging/case_outputs.h"
#include "gate/judging/derived.h"
#include "gate/judging/hardware.h"
#include "gate/judging/run_clocks.h"

namespace gate::app {

// What gate knows of a launch beside what its script wrote.
struct LaunchMeasures {
  std::vector<Arrival> arrivals;        // of step lines, by gate's clock
  std::optional<Duration> script_time;  // none: the script did not end by itself
  std::vector<Snapshot> readings;       // of all devices and hosts, meanwhile
  CaseHardware hardware;
  Sampler::Clock::time_point began;
  std::vector<KeptOutput> outputs;
  fs::Path stages;  // the folder that the stages of the case share
};

// When a source has what it needs.
enum class After {
  launch,   // the script has ended
  partners  // the runs of other cases are known, too: right before the run is judged
};

// What the sources are given; `launch` only After::launch, `platform` and `partners` only After::partners.
struct SourceInput {
  const config::Case& spec;
  const std::string& platform;
  const LaunchMeasures& launch;
  const Partners& partners;
};

// Add the series of every source that has what it needs just then, in the order of the table.
void add_series(Extraction& run, After when, const SourceInput& input);

}  // namespace gate::app
