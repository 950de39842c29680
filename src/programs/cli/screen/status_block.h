// What runs now, as lines for the bottom of a terminal: from events to text.
#pragma once

#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/reports/event.h"

namespace gate::cli {

class StatusBlock {
 public:
  using Clock = SteadyClock;

  explicit StatusBlock(Language language = Language::english) : language_(language) {}

  void on_event(const RunPlanned& event);
  void on_event(const CaseStarted& event, Clock::time_point now);
  void on_event(const LaunchBegun& event);
  void on_event(const SampleSeen& event);
  void on_event(const Message& event);
  void on_event(const CaseFinished& event);

  // Return the lines, each narrower than the width: one for the run, one for each case that runs, as many as
  // there are rows. What does not fit is left out, the least wanted first: devices, speed, loss, time. No
  // lines where nothing runs.
  std::vector<std::string> lines(Clock::time_point now, int width, int rows) const;

 private:
  // A case that runs, and what its log said last.
  struct RunningCase {
    std::string name;
    std::string shown_name;
    std::string devices;
    std::optional<std::int64_t> total;
    Clock::time_point began;
    Duration expected{};
    std::int64_t step = 0;
    std::string waits_for;  // before its script is started; "": it is
    std::optional<Sample> loss, loss_baseline;
    std::string speed_name, speed_unit;
    std::optional<Sample> speed, speed_baseline;
  };

  RunningCase* find(const std::string& name);
  std::string head(int width) const;
  std::string line(const RunningCase& one, Clock::time_point now, int name_width, int width) const;

  Language language_;
  std::vector<RunningCase> running_;  // in the order in which they started
  std::int64_t cases_ = 0, done_ = 0, red_ = 0;
};

}  // namespace gate::cli
