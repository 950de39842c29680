// What went on around the cases of a run: who ran beside whom, and whose devices were clocked down. Named
// where a speed check failed.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gate/model/metric.h"
#include "gate/model/report.h"

namespace gate::app {

// Used by several threads at once.
class RunConditions {
 public:
  void enter(const std::string& case_name);
  void leave(const std::string& case_name);

  // Of the case's latest launch.
  void set_clocked_down(const std::string& case_name, std::vector<std::string> words);

  // Add notes to the report of a case whose speed failed.
  void explain(CaseReport& report, const MetricTable& metrics) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> running_;
  std::map<std::string, std::set<std::string>> neighbours_;
  std::map<std::string, std::vector<std::string>> clocked_down_;
};

}  // namespace gate::app
