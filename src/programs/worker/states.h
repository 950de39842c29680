// The states of a test that a hub asked for, and what may follow what.
//
//   pending -> downloading -> downloadSuccess -> running -> runningSuccess | runningFailed
//                          \> downloadFailed
//
// A test that cannot be begun goes from pending to createFailed; one that is to stop, from any state that is
// not final to stopped. A final state never changes: who asks again gets a new test.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/reports/run_status.h"

namespace gate::worker {

enum class TestState : std::uint8_t {
  pending,
  downloading,
  download_success,
  download_failed,
  running,
  running_success,
  running_failed,
  stopped,
  create_failed
};
inline constexpr std::array all_states{
    TestState::pending,         TestState::downloading, TestState::download_success,
    TestState::download_failed, TestState::running,     TestState::running_success,
    TestState::running_failed,  TestState::stopped,     TestState::create_failed};

enum class TestEvent : std::uint8_t {
  dispatched,  // its gate is launched, and downloads
  refused,     // nothing can be launched
  downloaded,
  download_failed,
  begun,  // the script
  passed,
  failed,
  stopped
};
inline constexpr std::array all_events{TestEvent::dispatched,      TestEvent::refused, TestEvent::downloaded,
                                       TestEvent::download_failed, TestEvent::begun,   TestEvent::passed,
                                       TestEvent::failed,          TestEvent::stopped};

// `pending`, `downloadSuccess`, ...
std::string_view to_string(TestState state);
std::optional<TestState> parse_test_state(std::string_view name);
std::string_view to_string(TestEvent event);

// Return the state that follows. Fails where nothing in that state can be followed by the event.
Result<TestState> next(TestState state, TestEvent event);

bool is_final(TestState state);

// Return what the hub's front end is told: pending until the test is dispatched, then running, then success,
// failed or stopped.
JobState status_of(TestState state);

// Return the stage that the hub is told beside it: `pending`, `download`, or what the model does in the test,
// `inference` or `training`. Of a test that was stopped it is that of the state before.
std::string_view stage_of(TestState state, std::string_view model_test);

}  // namespace gate::worker
