// The history as a run uses it: how long cases take, since when they are red, and this run for the next ones.
// A history that cannot be used costs a message and no verdict.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "gate/model/reports/report.h"
#include "gate/model/runs/tool_answer.h"
#include "gate/store/history.h"
#include "gate/suite/suite.h"

namespace gate::app {

class RunHistory {
 public:
  RunHistory() = default;  // remembers nothing

  // Open the suite's history; one that is not there is made, or with `Missing::left` left alone.
  enum class Missing { made, left };
  static RunHistory open(const Suite& suite, Missing missing);

  // Return whether it can be used, and why not: `not remembered: ...`.
  const Status& status() const { return status_; }

  // Return how long the case takes: the median of its latest passed runs on the platform; zero: unknown.
  Duration expected(const std::string& case_name, const std::string& place) const;

  // Return the same of each case of the suite, on the platform where it takes longest.
  std::map<std::string, Duration> longest_expected() const;

  // Say of each red case in which run it was green last. git counts the commits since.
  void add_green_until(Report& report, const fs::Path& checkout, const AskTool& ask) const;

  // Note of each green case what has drifted under its tolerance since its baseline was accepted.
  void add_drift(Report& report, const Suite& suite) const;

  // Remember the run.
  void add(const Report& report);

 private:
  std::string suite_;  // as gate.toml names it
  Status status_;
  std::optional<store::History> history_;
};

}  // namespace gate::app
