// --deadline: the time of a whole run, by a clock that the scripts move on.
#include <gmock/gmock.h>

#include "made_up_host.h"
#include "shown.h"

namespace gate::app::deadline_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class Deadline : public MadeUpHost {
 protected:
  Deadline() {
    for (const char* name : {"a", "b", "c"}) recorded(name);
  }

  // Each script prints four equal parts, three of them lines, for `lasts`.
  Report run_within(Duration deadline, Duration lasts) {
    for (const char* name : {"a", "b", "c"}) runner.plays(name, {{.lasts = lasts}});
    RunOptions options;
    options.deadline = deadline;
    return ran(options);
  }
};

TEST_F(Deadline, WhatFitsIsRun) {
  EXPECT_EQ(verdicts(run_within(std::chrono::minutes(10), std::chrono::minutes(4))),
            "a passed, b passed, c passed");
}

TEST_F(Deadline, ACaseIsStoppedWhenItIsUpAndNoneStartsBehindIt) {
  const Report report = run_within(std::chrono::minutes(8), std::chrono::minutes(8));
  EXPECT_EQ(verdicts(report), "a passed, b not_run, c not_run");
  EXPECT_THAT(case_of(report, "b").reason, HasSubstr("8m"));
  EXPECT_EQ(case_of(report, "c").reason, "not run: --deadline 8m was up");
  EXPECT_NE(report.exit_code, 0);
  EXPECT_THAT(runner.launched(), ElementsAre("a", "b"));
}

TEST_F(Deadline, WhatIsExpectedToEndBehindItIsSaid) {
  run_within(std::chrono::minutes(8), std::chrono::minutes(12));
  EXPECT_THAT(events, Contains(HasSubstr("a: after step 2 of 3 it is expected to end after 9m")));
}

TEST_F(Deadline, OfConfirmationsTheFirstFailureStands) {
  runner.plays("a", {{TrainingLog{.time = "109.0"}.text(), Exited{0}, std::chrono::minutes(8)}});
  RunOptions options;
  options.words = {"a"};
  options.deadline = std::chrono::minutes(7);
  options.confirm = 3;
  const Report report = ran(options);
  EXPECT_EQ(verdicts(report), "a regressed");
  EXPECT_THAT(shown::notes(case_of(report, "a").notes),
              Contains(HasSubstr("not confirmed and not refuted: ")));
}

}  // namespace
}  // namespace gate::app::deadline_test
