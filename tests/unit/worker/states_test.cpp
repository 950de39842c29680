#include "worker/states.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

namespace gate::worker::states_test {
namespace {

using enum TestState;

// Every way that there is; all others are refused.
const std::map<std::pair<TestState, TestEvent>, TestState> ways{
    {{pending, TestEvent::dispatched}, downloading},
    {{pending, TestEvent::refused}, create_failed},
    {{pending, TestEvent::stopped}, stopped},
    {{downloading, TestEvent::refused}, create_failed},
    {{downloading, TestEvent::downloaded}, download_success},
    {{downloading, TestEvent::download_failed}, download_failed},
    {{downloading, TestEvent::stopped}, stopped},
    {{download_success, TestEvent::begun}, running},
    {{download_success, TestEvent::stopped}, stopped},
    {{running, TestEvent::passed}, running_success},
    {{running, TestEvent::failed}, running_failed},
    {{running, TestEvent::stopped}, stopped},
};

TEST(TestStates, AreFollowedByWhatTheHubKnows) {
  for (const TestState from : all_states)
    for (const TestEvent event : all_events) {
      const Result<TestState> to = next(from, event);
      const auto way = ways.find({from, event});
      ASSERT_EQ(to.has_value(), way != ways.end()) << to_string(from) << " " << to_string(event);
      if (to) {
        EXPECT_EQ(*to, way->second);
        EXPECT_FALSE(is_final(from));
      } else {
        EXPECT_EQ(to.error().message, "a test that is " + std::string(to_string(from)) + " cannot be " +
                                          std::string(to_string(event)));
      }
    }
}

// What the front end may see: pending, running, an end; a test that could not be begun never runs.
TEST(TestStates, AreNeverTakenBackAtTheFrontEnd) {
  const auto rank = [](TestState state) {
    const JobState status = status_of(state);
    return status == JobState::pending ? 0 : status == JobState::running ? 1 : 2;
  };
  for (const auto& [from, to] : ways) {
    EXPECT_LE(rank(from.first), rank(to)) << to_string(from.first) << " " << to_string(to);
    EXPECT_EQ(is_final(to), rank(to) == 2);
    EXPECT_FALSE(rank(from.first) == 0 && rank(to) == 2 && to != stopped && to != create_failed);
  }
}

TEST(TestStates, HaveTheHubsNames) {
  for (const TestState state : all_states) EXPECT_EQ(parse_test_state(to_string(state)), state);
  EXPECT_EQ(to_string(download_success), "downloadSuccess");
  EXPECT_EQ(to_string(running_failed), "runningFailed");
  EXPECT_EQ(parse_test_state("DownloadSuccess"), std::nullopt);
}

TEST(TestStates, TellTheStage) {
  EXPECT_EQ(stage_of(pending, "training"), "pending");
  EXPECT_EQ(stage_of(create_failed, "training"), "pending");
  EXPECT_EQ(stage_of(downloading, "training"), "download");
  EXPECT_EQ(stage_of(download_failed, "training"), "download");
  EXPECT_EQ(stage_of(running, "training"), "training");
  EXPECT_EQ(stage_of(running_failed, "inference"), "inference");
}

}  // namespace
}  // namespace gate::worker::states_test
