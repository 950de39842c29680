#include "worker/states.h"

#include <algorithm>
#include <string>

namespace gate::worker {

namespace {

struct StateRow {
  TestState state;
  std::string_view name;
  JobState status;
  bool is_final;
};

constexpr std::array state_rows{
    StateRow{TestState::pending, "pending", JobState::pending, false},
    StateRow{TestState::downloading, "downloading", JobState::running, false},
    StateRow{TestState::download_success, "downloadSuccess", JobState::running, false},
    StateRow{TestState::download_failed, "downloadFailed", JobState::failed, true},
    StateRow{TestState::running, "running", JobState::running, false},
    StateRow{TestState::running_success, "runningSuccess", JobState::success, true},
    StateRow{TestState::running_failed, "runningFailed", JobState::failed, true},
    StateRow{TestState::stopped, "stopped", JobState::stopped, true},
    StateRow{TestState::create_failed, "createFailed", JobState::failed, true},
};

constexpr std::array<std::string_view, 8> event_names{
    "dispatched", "refused", "downloaded", "download failed", "begun", "passed", "failed", "stopped"};

struct TransitionRow {
  TestState from;
  TestEvent event;
  TestState to;
};

constexpr std::array transition_rows{
    TransitionRow{TestState::pending, TestEvent::dispatched, TestState::downloading},
    TransitionRow{TestState::pending, TestEvent::refused, TestState::create_failed},
    TransitionRow{TestState::downloading, TestEvent::refused, TestState::create_failed},
    TransitionRow{TestState::downloading, TestEvent::downloaded, TestState::download_success},
    TransitionRow{TestState::downloading, TestEvent::download_failed, TestState::download_failed},
    TransitionRow{TestState::download_success, TestEvent::begun, TestState::running},
    TransitionRow{TestState::running, TestEvent::passed, TestState::running_success},
    TransitionRow{TestState::running, TestEvent::failed, TestState::running_failed},
    TransitionRow{TestState::pending, TestEvent::stopped, TestState::stopped},
    TransitionRow{TestState::downloading, TestEvent::stopped, TestState::stopped},
    TransitionRow{TestState::download_success, TestEvent::stopped, TestState::stopped},
    TransitionRow{TestState::running, TestEvent::stopped, TestState::stopped},
};

const StateRow& row_of(TestState state) { return *std::ranges::find(state_rows, state, &StateRow::state); }

}  // namespace

std::string_view to_string(TestState state) { return row_of(state).name; }

std::optional<TestState> parse_test_state(std::string_view name) {
  const auto row = std::ranges::find(state_rows, name, &StateRow::name);
  return row == state_rows.end() ? std::nullopt : std::optional(row->state);
}

std::string_view to_string(TestEvent event) { return event_names[static_cast<std::size_t>(event)]; }

Result<TestState> next(TestState state, TestEvent event) {
  for (const TransitionRow& row : transition_rows)
    if (row.from == state && row.event == event) return row.to;
  return fail("a test that is " + std::string(to_string(state)) + " cannot be " +
              std::string(to_string(event)));
}

bool is_final(TestState state) { return row_of(state).is_final; }

JobState status_of(TestState state) { return row_of(state).status; }

std::string_view stage_of(TestState state, std::string_view model_test) {
  const bool has_begun = state == TestState::running || state == TestState::running_success ||
                         state == TestState::running_failed;
  if (has_begun) return model_test;
  return state == TestState::pending || state == TestState::create_failed ? "pending" : "download";
}

}  // namespace gate::worker
