// What is remembered of runs: enough for a trend, and no more. Values are doubles, for nothing is judged by
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/rules/verdict.h"
#include "gate/model/runs/provenance.h"

namespace gate {

// Which values of different runs belong to one series.
struct TrendKey {
  std::string rule;
  std::string metric;
  std::optional<int> rank;
  std::string unit;
  std::string window;  // as written
  std::string reduce;

  bool operator==(const TrendKey&) const = default;
  auto operator<=>(const TrendKey&) const = default;
};

// One check. The values are those of the window: the reduced one, with `each` the mean.
struct RememberedCheck {
  TrendKey key;
  CheckStatus status = CheckStatus::incomparable;
  std::string tolerance;
  std::optional<double> value;
  std::optional<double> baseline;
  MetricKind kind = MetricKind::other;  // what is not told is as the built-in table has it
  Better better = Better::none;
};

struct RememberedCase {
  std::string name;
  Verdict verdict = Verdict::not_run;
  std::string reason;
  std::string platform;
  std::string baseline_sha256;  // of the most specific file; "" where there was none
  Duration duration{};
  std::string host = {};  // other ones than the run's, by commas: `npu1, npu2`; "": that of the run
  std::vector<RememberedCheck> checks = {};
  EnvironmentFacts ran_on = {};  // empty where nobody looked
  Duration device_time{};        // as in its report; zero where it had no devices, or an older gate ran it
  Duration device_time_saved{};
};

struct RememberedRun {
  std::string uid;  // what no other run has
  std::string run;
  std::string suite;  // as gate.toml names it; "" where it does not
  std::string command;
  std::string host;
  std::string commit;
  std::string started;  // ISO 8601
  Duration duration{};
  int exit_code = exit_code::refused;
  bool altered = false;  // launched with ARGS or --set: listed, and no part of a trend
  std::vector<RememberedCase> cases;
  std::int64_t devices = 0;  // of all hosts, that its cases could have
};

// One run of a case.
struct CasePoint {
  std::string run;
  std::string host;
  std::string commit;
  std::string started;  // ISO 8601
  std::string command;
  bool altered = false;
  Verdict verdict = Verdict::not_run;
  std::string baseline_sha256;
  Duration duration{};
  EnvironmentFacts ran_on = {};
  std::int64_t number = 0;  // of the run: it rises as runs are remembered, and parts those of one second
};

struct TrendPoint {
  std::size_t run = 0;  // index into CaseHistory::runs
  CheckStatus status = CheckStatus::incomparable;
  std::optional<double> value;
  std::optional<double> baseline;
};

struct TrendSeries {
  TrendKey key;
  std::string tolerance;           // of the latest point
  std::vector<TrendPoint> points;  // rising by run
  MetricKind kind = MetricKind::other;
  Better better = Better::none;
};

// The latest runs of a case on one platform.
struct CaseHistory {
  std::string name;
  std::string platform;
  std::vector<CasePoint> runs;      // oldest first
  std::vector<TrendSeries> series;  // by key
};

}  // namespace gate
