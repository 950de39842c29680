// What `gate status` sees of a run, and what `gate stop` does to it: on a host that is made up.
#include <gmock/gmock.h>

#include "gate/store/run_folder.h"
#include "gate/stored/status.h"
#include "made_up_host.h"
#include "runner/session/kept_status.h"

namespace gate::app::status_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StatusOfRun : public MadeUpHost {
 protected:
  RunStatus status() const {
    const auto read = store::read_run_status(root / ".gate/latest");
    EXPECT_TRUE(read) << read.error().message;
    return read.value_or(RunStatus{});
  }
  RunPlaces places(std::vector<RunStatus> running) const { return {std::move(running), root, root}; }

  // What `gate stop WORD` does while the run goes on.
  void stop(const std::string& word, bool now = false) {
    const auto target = find_stop_target(places({status()}), word);
    ASSERT_TRUE(target) << target.error().message;
    const auto asked = ask_to_stop(*target, {"ada on h", "wrong image", "", "", now});
    ASSERT_TRUE(asked) << asked.error().message;
    time.pass(Duration(1000));  // it is looked at a few times a second
  }
  std::string why_not(const std::string& word, std::vector<RunStatus> running) const {
    const auto target = find_stop_target(places(std::move(running)), word);
    return target ? "found" : std::to_string(target.error().exit_code) + ": " + target.error().message;
  }
};

Play then(std::function<void()> meanwhile) { return {.meanwhile = std::move(meanwhile)}; }

TEST_F(StatusOfRun, SaysWhereEachCaseIs) {
  for (const char* name : {"a", "b", "c"}) recorded(name);
  RunStatus seen;
  runner.plays("b", {then([&] { seen = status(); })});
  EXPECT_EQ(ran().exit_code, 0);
  EXPECT_EQ(seen.state, JobState::running);
  EXPECT_EQ(seen.user, "somebody");
  EXPECT_EQ(seen.root, root.string());
  ASSERT_EQ(seen.cases.size(), 3);
  EXPECT_EQ(seen.cases[0].verdict, Verdict::passed);
  EXPECT_EQ(seen.cases[1].state, JobState::running);
  EXPECT_EQ(seen.cases[1].launches, 1);
  EXPECT_EQ(seen.cases[1].total, 3);
  EXPECT_EQ(seen.cases[2].state, JobState::pending);
  EXPECT_EQ(status().state, JobState::success);
  EXPECT_FALSE(std::filesystem::exists(root / ".gate/latest/status.json"));
}

TEST_F(StatusOfRun, StepsAreWrittenOnceASecond) {
  recorded("a");
  std::int64_t seen = -1;
  runner.plays("a", {{.lasts = Duration(8000), .meanwhile = [&] { seen = status().cases[0].step; }}});
  ran();
  EXPECT_EQ(seen, 3);
}

TEST_F(StatusOfRun, OfManyCasesAllIsWrittenOnceASecond) {
  for (const std::size_t cases : {100, 101}) {
    Report report;
    report.run = "r";
    for (std::size_t i = 0; i < cases; ++i) report.cases.emplace_back().name = "c" + std::to_string(i);
    const Environment made_up = environment();
    const auto folder = store::RunFolder::create(root, made_up.now());
    ASSERT_TRUE(folder);
    StatusFile file(run_status_of(report), *folder, made_up);
    const auto first = [&] { return store::read_run_status(folder->path())->cases[0].state; };
    file.on_event(RunPlanned{report, ""});
    file.on_event(CaseStarted{"c0", {}, ""});
    EXPECT_EQ(first(), cases > 100 ? JobState::pending : JobState::running);
    time.pass(Duration(1000));
    file.refresh();
    EXPECT_EQ(first(), JobState::running);
  }
}

TEST_F(StatusOfRun, SaysForWhatACaseWaits) {
  with_devices(2);
  script("a", "devices=2");
  recorded("a");
  devices().hold(0, 60000, 12);
  std::string seen;
  auto sink = environment();
  RunOptions options;
  const Answer<Suite> suite = open_suite({root, {}, {}});
  ASSERT_TRUE(suite);
  sink.sink = [&](const Event& event) {
    if (const auto* message = std::get_if<Message>(&event); message != nullptr && message->is_waiting)
      seen = status().cases[0].waits_for.english();
  };
  ASSERT_TRUE(app::run(*suite, options, sink));
  EXPECT_THAT(seen, HasSubstr("waiting until its devices are idle: device 0"));
}

TEST_F(StatusOfRun, AStoppedRunEndsAsByTermWithWhoAndWhy) {
  for (const char* name : {"a", "b"}) recorded(name);
  runner.plays("a", {then([&] { stop(status().run); })});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a interrupted, b not_run");
  EXPECT_EQ(report.exit_code, 143);
  EXPECT_EQ(case_of(report, "a").reason, "stopped by ada on h: wrong image");
  EXPECT_EQ(case_of(report, "b").reason, "not run: stopped by ada on h: wrong image");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("the run was stopped by ada on h: wrong image")));
  EXPECT_FALSE(std::filesystem::exists(root / ".gate/latest/stop.jsonl"));
}

TEST_F(StatusOfRun, AStoppedCaseLeavesTheOthersAlone) {
  for (const char* name : {"a", "b", "c"}) recorded(name);
  runner.plays("a", {then([&] {
                 stop("a");
                 stop("c");  // which has not begun
               })});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a interrupted, b passed, c interrupted");
  EXPECT_EQ(case_of(report, "c").reason, "stopped by ada on h: wrong image");
  EXPECT_EQ(report.exit_code, 143);
  EXPECT_THAT(runner.launched(), ElementsAre("a", "b"));
}

TEST_F(StatusOfRun, ACaseIsStoppedWhileItWaitsForItsDevices) {
  with_devices(2);
  script("a", "devices=2");
  recorded("a");
  devices().hold(0, 60000);
  Environment waiting = environment();
  const Answer<Suite> suite = open_suite({root, {}, {}});
  ASSERT_TRUE(suite);
  waiting.sink = [&](const Event& event) {
    if (const auto* message = std::get_if<Message>(&event); message != nullptr && message->is_waiting)
      stop("a");
  };
  const Duration before = time.passed();
  const Answer<Report> report = app::run(*suite, {}, waiting);
  ASSERT_TRUE(report);
  EXPECT_EQ(verdicts(*report), "a interrupted");
  EXPECT_THAT(runner.launched(), IsEmpty());
  EXPECT_LT(time.passed() - before, Duration(30000)) << "not until idle_wait is over";
}

TEST_F(StatusOfRun, ARunThatConfirmsKeepsWhatTheFirstRunFound) {
  recorded("a");
  const std::string slow = TrainingLog{.time = "150.0"}.text();
  runner.plays("a", {{.log = slow, .meanwhile = [&] { stop(status().run); }}, {slow}});
  RunOptions options;
  options.confirm = 3;
  const Report report = ran(options);
  EXPECT_THAT(runner.launched(), ElementsAre("a"));
  EXPECT_EQ(report.exit_code, 143);
}

TEST_F(StatusOfRun, WordsThatMeanNothingToStopAreRefused) {
  for (const char* name : {"a", "b"}) recorded(name);
  std::string ended, unknown, twice;
  runner.plays("b", {then([&] {
                 ended = why_not("a", {status()});
                 unknown = why_not("z", {status()});
                 RunStatus other = status();
                 other.run = "other";
                 twice = why_not("b", {status(), other});
               })});
  const Report report = ran();
  EXPECT_THAT(ended, HasSubstr("3: case a of run " + report.run));
  EXPECT_THAT(ended, HasSubstr("has ended: passed"));
  EXPECT_THAT(unknown, HasSubstr("2: no run and no case \"z\" on this host or in this suite; these go on: " +
                                 report.run));
  EXPECT_THAT(twice, HasSubstr("2: case b is in several runs"));
  EXPECT_THAT(why_not(report.run, {}), HasSubstr("3: run " + report.run + " has ended, with exit code 0"));
  EXPECT_THAT(why_not("z", {}), HasSubstr("none goes on"));
}

}  // namespace
}  // namespace gate::app::status_test
