// What happens during a run, as it happens: app sends, the sink that cli hands it draws, streams and stores.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "gate/base/sentence.h"
#include "gate/model/reports/report.h"

namespace gate {

struct RunPlanned {
  Report report;       // every case `not_run`: what is true if nothing more happens
  std::string folder;  // of the run
};
struct WatchedMetric {  // by a rule of the case, while it runs
  std::string metric;
  std::string unit;
  MetricKind kind = MetricKind::accuracy;
  Tolerance tolerance;
  bool is_each = false;  // each step is compared, else a mean
};
struct CaseStarted {
  std::string name;
  std::optional<std::int64_t> total;
  std::string devices;  // the numbers of its devices, `0-3`; "" on cpu
  Duration expected{};  // how long it took before; zero: unknown
  Sentence hosts = "";  // behind ssh; "": the one that gate runs on
  std::vector<WatchedMetric> watched = {};
};
struct LaunchBegun {  // its devices are idle
  std::string case_name;
  int number = 1;  // of all launches of the case
};
struct SampleSeen {
  std::string case_name;
  std::string metric;
  std::optional<int> rank;
  Sample sample;
  std::optional<Sample> baseline;  // what the baseline has there; none where it has none, or is not shown
  std::optional<std::int64_t> step = std::nullopt;   // that the run is at; none where its line does not say
  std::optional<std::int64_t> total = std::nullopt;  // of its steps, where the log has told it
};
struct CaseFinished {  // what it points to is good while the sink is called
  const CaseReport& report;
  const Report* so_far = nullptr;  // of all cases, where it is written now: as often as costs next to nothing
};
struct RunFinished {
  Report report;
};
struct Message {
  std::string case_name;  // "" for the run
  Sentence text;
  bool is_waiting = false;  // it says for what the case, or the run, waits from now on
};

using Event =
    std::variant<RunPlanned, CaseStarted, LaunchBegun, SampleSeen, CaseFinished, RunFinished, Message>;
using Sink = std::function<void(const Event&)>;

}  // namespace gate
