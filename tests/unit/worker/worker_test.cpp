#include "worker/hub_worker.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <deque>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "../temporary.h"
#include "gate/base/text.h"
#include "gate/schema/result_file.h"
#include "worker/gate_process.h"

namespace gate::worker::worker_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FakeSource : public Source {
 public:
  Result<std::vector<Incoming>> take(Duration limit) override {
    if (waiting.empty()) std::this_thread::sleep_for(limit);
    std::vector<Incoming> messages(waiting.begin(), waiting.end());
    waiting.clear();
    return messages;
  }
  Status acknowledge() override {
    ++acknowledged;
    return {};
  }
  Status put_aside(const Incoming&, const std::string& reason) override {
    aside.push_back(reason);
    return aside_fails ? fail("the topic is gone") : Status{};
  }
  bool is_over() const override { return waiting.empty(); }
  std::string trouble() const override { return away; }

  void put(const std::string& topic, const std::string& payload) {
    waiting.push_back({{topic, 0, static_cast<std::int64_t>(++count), 0}, payload, ""});
  }

  std::deque<Incoming> waiting;
  std::vector<std::string> aside;
  std::string away;
  int acknowledged = 0, count = 0;
  bool aside_fails = false;
};

// A hub that remembers what it took, and takes nothing as often as it is told to.
class FakeHub {
 public:
  NoticePoster::Post post() {
    return [this](const std::string& body, const std::function<bool()>&) -> Posted {
      const std::lock_guard lock(mutex_);
      if (times_away_ > 0) {
        --times_away_;
        return {HubAnswer::away, "answered 500"};
      }
      const auto notice = nlohmann::json::parse(body);
      if (refused_.contains(notice["id"].dump())) return {HubAnswer::refused, "answered 404"};
      told_[notice["id"].dump()].push_back(notice["ci_status"]);
      const auto details = nlohmann::json::parse(notice["external_args_info"].get<std::string>());
      reasons_[notice["id"].dump()] = details["reason"];
      kinds_[notice["id"].dump()] = details["test_type"];
      jobs_[notice["id"].dump()] = details["job_id"];
      stages_[notice["id"].dump()] = details["stage"];
      passed_[notice["id"].dump()] = details["passed"].dump();
      values_[notice["id"].dump()] = details["metric_value"].dump();
      return {};
    };
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    told_.clear();
  }
  void be_away(int times) { times_away_ = times; }
  void refuse(const std::string& id) { refused_.insert(id); }
  std::vector<std::string> told(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return told_[id];
  }
  std::string end(const std::string& id) {
    const std::vector<std::string> all = told(id);
    return all.empty() ? "" : all.back();
  }
  std::string passed(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return passed_[id];
  }
  std::string value(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return values_[id];
  }
  std::string kind(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return kinds_[id];
  }
  std::string job(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return jobs_[id];
  }
  std::string stage(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return stages_[id];
  }
  std::string reason(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return reasons_[id];
  }

 private:
  std::mutex mutex_;
  int times_away_ = 0;
  std::set<std::string> refused_;
  std::map<std::string, std::vector<std::string>> told_;
  std::map<std::string, std::string> reasons_, passed_, values_, kinds_, jobs_, stages_;
};

// In place of gate a script: what it does follows from the model's name.
constexpr const char* fake_gate = R"(#!/bin/bash
ended() { rmdir "$PLACE/alone"; sed -i "s/\"exit_code\": [0-9]*/\"exit_code\": $1/" "$report" 2>/dev/null; exit "$1"; }
red() { cp "$PLACE/failed.json" "$report"; ended "$1"; }
trap 'echo TERM >>"$PLACE/terms"; [[ $MODEL_NAME == stubborn ]] || ended 143' TERM
echo "$* $ACCURACY_TEST_ID" >>"$PLACE/launches"
env >"$PLACE/env"
mkdir "$PLACE/alone" 2>/dev/null || echo two >>"$PLACE/launches"
[[ $3 == --report ]] || shift 2
report=${4#json=} stages=$6
mkdir -p "$stages"
cp "$PLACE/begun.json" "$report"
case $MODEL_NAME in
  waits | stubborn) until [[ -e $PLACE/go || ! -d $PLACE ]]; do sleep 0.02; done ;;
  bad) red 1 ;;
  unusable) [[ $TEST_TYPE == accuracy_test ]] || red 4 ;;
  inexact) [[ $TEST_TYPE == usability_test ]] || red 1 ;;
  as_job) echo gate-7x >"$stages/job_id"; until [[ -e $PLACE/go || ! -d $PLACE ]]; do sleep 0.02; done ;;
  late) [[ -e $PLACE/read ]] || { touch "$PLACE/read"; echo 'gate: gate.toml:9:1: half of it' && ended 2; } ;;
  odd) echo 'gate: gate.toml:1:1: it is odd' && ended 2 ;;
  no_devices) if [[ ! -e $PLACE/go ]]; then cp "$PLACE/infra.json" "$report"; ended 125; fi ;;
  full_disk) if [[ ! -e $PLACE/go ]]; then cp "$PLACE/full.json" "$report"; ended 125; fi ;;
  no_word) if [[ ! -e $PLACE/go ]]; then rm "$report"; rmdir "$PLACE/alone"; kill -SEGV $$; fi ;;
  no_folder) if [[ ! -e $PLACE/go ]]; then rm "$report"; echo 'gate: it cannot be made'; ended 125; fi ;;
  unsent) cp "$PLACE/said.json" "$stages/test_result.json"; cp "$PLACE/unsent.json" "$report"; ended 125 ;;
  not_finite) cp "$PLACE/odd.json" "$report"; ended 1 ;;
  exits) echo 'OSError: no such model' >"$stages/execution.log"; echo bye >>"$stages/execution.log"; cp "$PLACE/exited.json" "$report"; ended 4 ;;
  warned) cp "$PLACE/warned.json" "$report"; ended 0 ;;
  red_unsent) cp "$PLACE/red_unsent.json" "$report"; ended 1 ;;
  unready) cp "$PLACE/unready.json" "$report"; ended 125 ;;
  dies) rmdir "$PLACE/alone"; kill -KILL $$ ;;
  says_nothing) ended 0 ;;
  no_report) rm "$report" && ended 0 ;;
  pipes) mkfifo "$stages/stages.json" "$stages/test_result.json"; sleep 0.2; red 4 ;;
  unlocks) rm "${report%/*}/lock"; sleep 0.2; red 4 ;;
  forges) echo '{"is_comparison_test": true, "test_type": "inference", "passed": true}' >"$stages/test_result.json"; red 4 ;;
esac
cp "$PLACE/passed.json" "$report"
ended 0
)";

std::string report_json(
    Verdict verdict, const std::string& finished, const std::optional<Outcome>& outcome = std::nullopt,
    const std::function<void(CaseReport&)>& add = [](CaseReport&) {}) {
  Report report;
  report.finished = finished;
  report.exit_code = verdict == Verdict::passed ? 0 : 1;
  CaseReport one;
  one.name = "infer";
  one.verdict = verdict;
  one.outcome = outcome;
  if (outcome) one.reason = text(*outcome);
  add(one);
  report.cases.push_back(one);
  return schema::write_result(report);
}

// Of a case whose script ended well, and whose upload failed.
std::string unsent_json(Verdict verdict, const Sentence& reason) {
  Report report;
  report.finished = "2026-11-21T02:03:04Z";
  CaseReport one;
  one.name = "infer";
  one.verdict = verdict;
  one.outcome = Exited{0};
  one.reason = reason;
  const Outcome well = Exited{0}, never = NotStarted{"no such program"};
  one.stages = {{Stage::test, well, "", "", {}, ""},
                {Stage::upload, never, "stage upload: answered 403", "", {}, ""}};
  report.cases.push_back(one);
  return schema::write_result(report);
}

class WorkerTest : public Temporary {
 protected:
  void SetUp() override {
    put("gate", fake_gate);
    ::chmod((root / "gate").c_str(), 0700);
    put("gate.toml", "");
    put("failed.json", report_json(Verdict::regressed, "2026-11-21T02:03:04Z"));
    put("infra.json", report_json(Verdict::infra, "2026-11-21T02:03:04Z"));
    put("unready.json", report_json(Verdict::infra, "2026-11-21T02:03:04Z", NotStarted{"setup exited 3"}));
    put("full.json", report_json(Verdict::infra, "2026-11-21T02:03:04Z", GateFailed{"the disk is full"}));
    put("unsent.json", unsent_json(Verdict::infra, "stage upload: answered 403"));
    put("red_unsent.json", unsent_json(Verdict::regressed, "answer.bleu is lower"));
    put("exited.json", report_json(Verdict::crashed, "2026-11-21T02:03:04Z", Exited{1}));
    put("odd.json",
        report_json(Verdict::regressed, "2026-11-21T02:03:04Z", std::nullopt, [](CaseReport& one) {
          one.reason = "loss.mean_relative_error report 1: inf";
          OutputScore score;
          score.metric = "loss.mean_relative_error";
          score.value = std::numeric_limits<double>::infinity();
          score.first = OutputDifference{3, "nan", "3.5", std::nullopt};
          one.outputs.push_back({"loss", "loss.jsonl", "golden.jsonl", "", "", {score}});
        }));
    put("warned.json", report_json(Verdict::passed, "2026-11-21T02:03:04Z", Exited{0}, [](CaseReport& one) {
          one.add_problems({"the test is for CANN 8.0; what it ran with is not known"});
          one.problems.push_back({ProblemKind::message, "log.txt", 3, "RuntimeError: boom"});
        }));
    put("said.json",
        R"({"is_comparison_test": true, "test_type": "inference", "stage": "test", "passed": true,)"
        R"("comparison_details": {"metric": "BLEU", "metric_value": 0.85, "threshold": 0.8, "operator": ">="}})");
    put("begun.json", report_json(Verdict::not_run, ""));
    put("passed.json", report_json(Verdict::passed, "2026-11-21T02:03:04Z"));
    ::setenv("PLACE", root.c_str(), 1);
    ::setenv("METRIC", "of this process", 1);
    ::setenv("KAFKA_PASSWORD", "of this process", 1);
    settings_.tests["accuracy_test/inference"] = "infer";
    settings_.poll = Duration{5};
    settings_.keep = std::chrono::hours(1);
    open();
  }
  void TearDown() override {
    for (const char* name : {"PLACE", "METRIC", "KAFKA_PASSWORD"}) ::unsetenv(name);
  }

  void open() {
    journal_.reset();
    journal_ = *Journal::open(root / "journal.sqlite");
  }
  void open_anew() {
    journal_.reset();
    for (const char* file : {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"})
      std::filesystem::remove(root / file);
    hub_.forget();
    open();
  }

  Status run(const std::function<bool()>& stop = [] { return false; }) {
    Worker worker(settings_, {root, "", (root / "gate").string(), root}, *journal_, source_, hub_.post(),
                  nullptr);
    return worker.run(stop);
  }

  void ask(int id, const std::string& model, const std::string& device = "") {
    source_.put("accuracy_test_created",
                R"({"id":)" + std::to_string(id) + R"(,"model_id":7,"owner":"hub","model_name":")" + model +
                    R"(","test_type":"accuracy_test","model_test_type":"inference","baseline_id":"b1",)" +
                    R"("output_file_path":"golden.txt","hardware_version":")" + device + R"("})");
  }

  // What is asked for, as another worker has written it down.
  HubTest journaled() {
    const std::string message = source_.waiting.front().payload;
    source_.waiting.clear();
    return **journal_->add(std::get<TestOrder>(*read_message(message, "accuracy_test_created")), {}, now());
  }

  // Run until so many rounds have gone by with what is asked for in its way, which goes then.
  void run_in_trouble(const std::function<void()>& mend) {
    int rounds = 0;
    ASSERT_TRUE(run([&] { return ++rounds > 80; }));
    for (const char* id : {"1", "2"})
      EXPECT_THAT(hub_.told(id), testing::Not(testing::Contains(std::string("failed")))) << id;
    mend();
    ASSERT_TRUE(run());
    for (const char* id : {"1", "2"}) EXPECT_EQ(hub_.end(id), "success") << id;
  }

  std::vector<std::string> launches() const {
    std::vector<std::string> lines;
    const std::string text = get("launches");
    for (const std::string_view line : split(trim(text), '\n'))
      if (!line.empty()) lines.emplace_back(line);
    return lines;
  }

  config::WorkerSettings settings_;
  FakeSource source_;
  FakeHub hub_;
  std::unique_ptr<Journal> journal_;
};

TEST_F(WorkerTest, RunsWhatIsAskedForAndTellsHowItEnded) {
  ask(1, "good");
  ask(2, "bad");
  ask(3, "odd");
  settings_.run = {"--backend", "local"};
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");
  EXPECT_EQ(hub_.end("2"), "failed");
  EXPECT_EQ(hub_.end("3"), "failed");
  EXPECT_EQ(hub_.reason("3"), "gate: gate.toml:1:1: it is odd; it was tried 3 times");
  EXPECT_EQ(hub_.stage("2"), "inference");
  EXPECT_EQ(hub_.stage("3"), "pending");  // nothing was downloaded
  EXPECT_EQ(source_.acknowledged, 1);
  const std::string folder = (root / "tests/1/try-1").string();
  EXPECT_EQ(launches().front(), "run infer --backend local --report json=" + folder +
                                    "/report.json --stages-folder " + (root / "stages/1/try-1").string() +
                                    " 1");
  EXPECT_THAT(get("env"), testing::Not(HasSubstr("of this process")));
}

TEST_F(WorkerTest, RunsKindsOfTestsInTheirOrderUntilOneFails) {
  settings_.tests["usability_test/inference"] = "use";
  const auto ask_both = [&](int id, const std::string& model) {
    source_.put("accuracy_test_created",
                R"({"id":)" + std::to_string(id) +
                    R"(,"owner":"hub","output_file_path":"golden.txt","model_name":")" + model +
                    R"(","test_type":"usability_test,accuracy_test","model_test_type":"inference",)" +
                    R"("baseline_id":"b1"})");
  };
  ask_both(1, "good");
  ask_both(2, "unusable");
  ask_both(3, "inexact");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");
  EXPECT_EQ(hub_.kind("1"), "accuracy_test");
  EXPECT_EQ(hub_.reason("1"), "");
  EXPECT_EQ(hub_.end("2"), "failed");
  EXPECT_EQ(hub_.kind("2"), "usability_test");
  EXPECT_THAT(hub_.reason("2"), testing::StartsWith("usability_test"));
  EXPECT_EQ(hub_.end("3"), "failed");
  EXPECT_THAT(hub_.reason("3"), testing::StartsWith("accuracy_test"));
  std::map<std::string, std::string> cases;
  for (const std::string& line : launches()) cases[std::string(1, line.back())] += line.substr(4, 5);
  EXPECT_THAT(cases, ElementsAre(testing::Pair("1", "use -infer"), testing::Pair("2", "use -"),
                                 testing::Pair("3", "use -infer")));
  settings_.tests.erase("usability_test/inference");
  ask_both(4, "good");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.reason("4"), "no case runs usability_test/inference here: [worker] tests does not name it");
}

TEST_F(WorkerTest, TellsTheEnginesJobWhileItRuns) {
  ask(1, "as_job");
  ask(2, "good");
  ASSERT_TRUE(run([&] { return hub_.job("1") == "gate-7x"; }));
  put("go", "");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");
  EXPECT_EQ(hub_.job("1"), "gate-7x");
  EXPECT_EQ(hub_.job("2"), "gate-2");
}

TEST_F(WorkerTest, RunsAsManyAtOnceAsItMay) {
  for (int id = 1; id <= 6; ++id) ask(id, "good");
  ASSERT_TRUE(run());
  EXPECT_THAT(launches(), Each(HasSubstr("run infer")));
}

TEST_F(WorkerTest, HasPlacesForEachKindOfDevice) {
  settings_.jobs_of["npu"] = 0;
  ask(1, "good", "NPU");
  ask(2, "good");
  ASSERT_TRUE(run([&] { return hub_.end("2") == "success" && hub_.end("1") == "pending"; }));
  EXPECT_THAT(hub_.told("1"), Each(std::string("pending")));
}

TEST_F(WorkerTest, HasAsManyPlacesForAllOthersTogether) {
  settings_.jobs = 2;
  for (int id = 1; id <= 6; ++id) ask(id, "waits", "GPU-" + std::to_string(id));
  int rounds = 0;
  ASSERT_TRUE(run([&] { return launches().size() >= 2 && ++rounds > 20; }));
  EXPECT_EQ(std::ranges::count_if(launches(), [](const auto& line) { return line.starts_with("run"); }), 2);
  put("go", "");
  ASSERT_TRUE(run());
  for (int id = 1; id <= 6; ++id) EXPECT_EQ(hub_.end(std::to_string(id)), "success") << id;
}

TEST_F(WorkerTest, RefusesAKindOfDeviceThatHasNoLimit) {
  settings_.jobs.reset();
  settings_.jobs_of["npu"] = 1;
  ask(1, "good", "NPU");
  ask(2, "good", "GPU");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");
  EXPECT_THAT(hub_.told("2"), ElementsAre("failed"));
  EXPECT_EQ(hub_.reason("2"),
            "no test of hardware_version \"gpu\" runs here: [worker] jobs has no limit for it");
}

TEST_F(WorkerTest, LaunchesAGateThatVanishedOnceMore) {
  ask(1, "dies");
  ASSERT_TRUE(run());
  EXPECT_EQ(launches().size(), 3U);
  EXPECT_EQ(hub_.end("1"), "failed");
  EXPECT_EQ(hub_.reason("1"), "its gate was ended from outside, 3 times");
}

// What is the host's own trouble is no test's failure.
TEST_F(WorkerTest, WaitsForAGateThatIsNotThere) {
  settings_.jobs = 4;
  std::filesystem::rename(root / "gate", root / "other");
  ask(1, "good");
  ask(2, "good");
  run_in_trouble([&] { std::filesystem::rename(root / "other", root / "gate"); });
  EXPECT_EQ(launches().size(), 2U);
}

TEST_F(WorkerTest, WaitsForAGateThatCannotBeExecuted) {
  put("gate", "half of it");
  ask(1, "good");
  ask(2, "good");
  run_in_trouble([&] { put("gate", fake_gate); });
}

TEST_F(WorkerTest, TriesAgainWhatGateCouldNotBegin) {
  settings_.jobs = 2;
  for (const auto& [one, other] : {std::pair("no_devices", "no_folder"), {"full_disk", "no_word"}}) {
    open_anew();
    ask(1, one);
    ask(2, other);
    run_in_trouble([&] { put("go", ""); });
    std::filesystem::remove(root / "go");
  }
}

TEST_F(WorkerTest, WaitsForASuiteThatCanBeRead) {
  put("gate.toml", "[[");
  ask(1, "odd");
  int rounds = 0;
  ASSERT_TRUE(run([&] { return ++rounds > 80; }));
  EXPECT_THAT(hub_.told("1"), testing::Not(testing::Contains(std::string("failed"))));
  put("gate.toml", "");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.reason("1"), "gate: gate.toml:1:1: it is odd; it was tried 3 times");
}

TEST_F(WorkerTest, ASuiteThatWasMendedSinceFailsNoTest) {
  ask(1, "late");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");
}

TEST_F(WorkerTest, HasPatienceForSoLong) {
  settings_.patience = Duration{0};
  ask(1, "no_folder");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "failed");
  EXPECT_EQ(hub_.reason("1"), "gate: it cannot be made; it was tried again for 0ms");
}

TEST_F(WorkerTest, TriesACaseThatIsNotReadyThreeTimes) {
  ask(1, "unready");
  ask(2, "good");
  ASSERT_TRUE(run());
  EXPECT_EQ(launches().size(), 4U);
  EXPECT_EQ(hub_.end("2"), "success");
  EXPECT_EQ(hub_.reason("1"), "not started: setup exited 3; it was tried 3 times");
}

TEST_F(WorkerTest, AnUploadThatFailedIsNoReasonToLaunchATestAgain) {
  settings_.patience = Duration{100};
  ask(1, "unsent");
  ask(2, "red_unsent");
  ASSERT_TRUE(run());
  EXPECT_EQ(launches().size(), 2U);
  for (const char* id : {"1", "2"}) EXPECT_EQ(hub_.end(id), "failed") << id;
  EXPECT_EQ(hub_.reason("1"), "stage upload: answered 403");
  EXPECT_EQ(hub_.passed("1") + " " + hub_.value("1"), "true 0.85");
  EXPECT_EQ(hub_.reason("2"), "answer.bleu is lower; stage upload: answered 403");
}

TEST_F(WorkerTest, ItsReasonQuotesLogAndOutputs) {
  ask(1, "exits");
  ask(2, "not_finite");
  ask(3, "warned");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.reason("1"), "exited 1: OSError: no such model");
  EXPECT_EQ(hub_.reason("2"),
            "loss.mean_relative_error report 1: inf; value 3 is nan, and in the golden file 3.5");
  EXPECT_EQ(hub_.end("3"), "success");
  EXPECT_EQ(hub_.reason("3"),
            "the test is for CANN 8.0; what it ran with is not known; it ended well, and its log says: "
            "RuntimeError: boom");
}

TEST_F(WorkerTest, TellsOfFieldsThatAreNearlyKnown) {
  source_.put("accuracy_test_created",
              R"({"id":1,"owner":"hub","model_name":"good","test_type":"accuracy_test","baseline_id":"b1",)"
              R"("model_test_type":"inference","output_file_path":"golden.txt","Treshold":0.9,"shop":1})");
  testing::internal::CaptureStderr();
  ASSERT_TRUE(run());
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(hub_.end("1"), "success");
  EXPECT_EQ(hub_.reason("1"), "field Treshold is not known: did you mean threshold?");
  EXPECT_THAT(log, HasSubstr("test 1: field Treshold is not known: did you mean threshold?"));
  EXPECT_THAT(log, HasSubstr("test 1: field shop is not known"));
}

TEST_F(WorkerTest, TroubleOfLongAgoIsNoMatterToATryThatBegan) {
  ask(1, "dies");
  HubTest test = journaled();
  test.trouble_since = now() - std::chrono::hours(2);
  test.retry_at = now();
  ASSERT_TRUE(journal_->advance(test, TestEvent::dispatched, now()));
  ASSERT_TRUE(journal_->save(test));
  ASSERT_TRUE(run());
  EXPECT_EQ(launches().size(), 3U);
}

TEST_F(WorkerTest, StopsWhatWaitsForItsNextTry) {
  ask(1, "no_devices");
  ASSERT_TRUE(run([&] { return !launches().empty() && journal_->running()->empty(); }));
  source_.put("accuracy_test_stopped", R"({"id":1})");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "stopped");
}

TEST_F(WorkerTest, WhatCannotBeReadNowIsReadLater) {
  const TryFolder folder{root / "try", root / "stages"};
  put("try/report.json", report_json(Verdict::passed, "2026-11-21T02:03:04Z"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const EndKind starved = end_of(folder, 0).kind;
  const bool is_said_to_live = is_alive(folder.path);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(starved, EndKind::unread);
  EXPECT_TRUE(is_said_to_live) << "nobody can tell";
  EXPECT_EQ(end_of(folder, 0).kind, EndKind::passed);
  EXPECT_FALSE(is_alive(folder.path));
}

TEST_F(WorkerTest, WhatGateLeftOutWasNeverCreated) {
  const TryFolder folder{root / "try", root / "stages"};
  for (const Verdict verdict : {Verdict::unjudged, Verdict::skipped, Verdict::crashed}) {
    put("try/report.json", report_json(verdict, "2026-11-21T02:03:04Z"));
    const auto wanted = verdict == Verdict::crashed ? std::nullopt : std::optional(TestEvent::refused);
    EXPECT_EQ(end_of(folder, exit_code::refused).before_script, wanted) << to_string(verdict);
  }
}

TEST_F(WorkerTest, TellsUntilTheHubKnows) {
  hub_.be_away(3);
  ask(1, "good");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");
  EXPECT_EQ(*journal_->count_untold(), 0);
}

TEST_F(WorkerTest, SaysThatNoMessagesComeAndThatTheyDoAgain) {
  source_.away = "all brokers are down";
  ask(1, "waits");
  int rounds = 0;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const Status done = run([&] {
    if (++rounds == 60) source_.away = "";
    return rounds > 70;
  });
  const std::string said = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  put("go", "");
  ASSERT_TRUE(run());
  ASSERT_TRUE(done);
  EXPECT_THAT(said, HasSubstr("and it is tried again: all brokers are down; see whether [worker.kafka]"));
  EXPECT_THAT(said, HasSubstr("messages come again"));
}

TEST_F(WorkerTest, EndsWhenTheHubTakesNothingForLong) {
  for (const bool is_away : {true, false}) {
    open_anew();
    if (is_away) hub_.be_away(1000);
    if (!is_away) hub_.refuse("1");
    settings_.patience = Duration{60};
    ask(1, "good");
    const Status done = run();
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, HasSubstr("the hub took no notice of 1 test for 60ms: answered"));
    EXPECT_EQ(*journal_->count_untold(), 1);
    hub_.be_away(0);
  }
}

TEST_F(WorkerTest, AnswersAnIdThatComesAgainByAnotherMessage) {
  ask(1, "good");
  ASSERT_TRUE(run());
  hub_.forget();
  const auto come = [&](std::int64_t offset, const std::string& payload) {
    source_.waiting.push_back({{"accuracy_test_created", 0, offset, 0}, payload, ""});
    ASSERT_TRUE(run());
  };
  ask(1, "good");
  const std::string payload = source_.waiting.front().payload;
  source_.waiting.clear();
  come(1, payload);  // the queue handed it out twice
  EXPECT_THAT(hub_.told("1"), IsEmpty());
  for (const std::int64_t offset : {2, 3}) {
    come(offset, payload);
    EXPECT_THAT(hub_.told("1"), Each(std::string("success"))) << offset;
    EXPECT_EQ(hub_.reason("1"),
              "the id of this test came again, and nothing was begun: a new test needs an id of its own");
  }
  EXPECT_EQ(hub_.told("1").size(), 2U);
  EXPECT_EQ(launches().size(), 1U);
  source_.put("accuracy_test_stopped", R"({"id":1})");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.told("1").size(), 3U);  // it has ended already
}

TEST_F(WorkerTest, TellsTheHubItsOwnWordForAKindOfTestThatThereIsNot) {
  ask(1, "good");
  std::string& payload = source_.waiting.front().payload;
  payload.replace(payload.find("accuracy_test"), 13, "beauty_test");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "failed");
  EXPECT_EQ(hub_.kind("1"), "beauty_test");
}

TEST_F(WorkerTest, FindsAGateThatOutlivedItsWorker) {
  ask(1, "waits");
  ASSERT_TRUE(run([&] { return !launches().empty(); }));
  open();
  int rounds = 0;
  ASSERT_TRUE(run([&] { return ++rounds > 20; }));
  put("go", "");
  ASSERT_TRUE(run());
  EXPECT_EQ(launches().size(), 1U);
  EXPECT_EQ(hub_.end("1"), "success");
}

TEST_F(WorkerTest, StopsWhatRuns) {
  ask(1, "waits");
  ASSERT_TRUE(run([&] { return !launches().empty(); }));
  source_.put("accuracy_test_stopped", R"({"id":1})");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "stopped");
  EXPECT_EQ(launches().size(), 1U);
}

TEST_F(WorkerTest, AsksAGateOnceToEnd) {
  ask(1, "stubborn");
  ASSERT_TRUE(run([&] { return !launches().empty(); }));
  source_.put("accuracy_test_stopped", R"({"id":1})");
  ASSERT_TRUE(run([&] { return !get("terms").empty(); }));
  int rounds = 0;
  ASSERT_TRUE(run([&] { return ++rounds > 30; }));
  EXPECT_EQ(get("terms"), "TERM\n");
  put("go", "");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "success");  // it had ended by itself
}

// Green means that gate says so.
TEST_F(WorkerTest, DoesNotTakeAnEndWithoutAReportForASuccess) {
  settings_.patience = Duration{0};
  ask(1, "says_nothing");
  ask(2, "no_report");
  ASSERT_TRUE(run());
  for (const char* id : {"1", "2"}) {
    EXPECT_EQ(hub_.end(id), "failed");
    EXPECT_EQ(
        hub_.reason(id),
        "gate ended with 0, and its report says nothing of a test that passed; it was tried again for 0ms");
  }
}

TEST_F(WorkerTest, DoesNotTakeAStaleReportForASuccess) {
  put("tests/1/try-1/report.json", report_json(Verdict::passed, "2026-11-21T02:03:04Z"));
  put("tests/1/try-1/lock", "1");
  ask(1, "bad");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "failed");
  // Written down as dispatched by a worker that was killed before it launched anything.
  ask(2, "bad");
  HubTest test = journaled();
  test.tries = 1;
  ASSERT_TRUE(journal_->save(test));
  ASSERT_TRUE(journal_->advance(test, TestEvent::dispatched, now()));
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("2"), "failed");
}

TEST_F(WorkerTest, IsNotHeldUpByWhatAScriptPutsInTheWay) {
  ask(1, "pipes");
  ask(2, "unlocks");
  ask(3, "forges");
  ASSERT_TRUE(run());
  for (const char* id : {"1", "2", "3"}) EXPECT_EQ(hub_.end(id), "failed") << id;
  EXPECT_EQ(launches().size(), 3U);
  EXPECT_EQ(hub_.passed("3"), "null");
}

TEST_F(WorkerTest, TellsOthersWhileTheHubRefusesSome) {
  for (int id = 1; id <= 70; ++id) {
    source_.put("accuracy_test_created", R"({"id":)" + std::to_string(id) + "}");
    hub_.refuse(std::to_string(id));
  }
  ask(1000, "good");
  ASSERT_TRUE(run([&] { return hub_.end("1000") == "success"; }));
}

TEST_F(WorkerTest, RefusesWhatItsSettingsNoLongerName) {
  settings_.jobs_of[""] = 0;
  ask(1, "good");
  ASSERT_TRUE(run([&] { return hub_.end("1") == "pending"; }));
  settings_ = {};
  settings_.poll = Duration{5};
  settings_.keep = std::chrono::hours(1);
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.end("1"), "failed");
  EXPECT_THAT(launches(), IsEmpty());
}

TEST_F(WorkerTest, SaysWhyATestCannotBegin) {
  const std::string whole = R"("test_type":"accuracy_test","baseline_id":"b1","model_test_type":)";
  source_.put("accuracy_test_created", R"({"id":1,)" + whole + R"("training"})");
  source_.put("accuracy_test_created", R"({"id":2,"owner":"hub",)" + whole + R"("inference"})");
  source_.put("accuracy_test_created", R"({"id":3,"owner":"hub","model_test_type":"inference"})");
  ASSERT_TRUE(run());
  EXPECT_EQ(hub_.reason("3"), "the message lacks test_type, baseline_id");
  EXPECT_THAT(hub_.told("3"), ElementsAre("failed"));
  EXPECT_THAT(hub_.told("1"), ElementsAre("failed"));
  EXPECT_EQ(hub_.reason("1"), "no case runs accuracy_test/training here: [worker] tests does not name it");
  EXPECT_THAT(hub_.reason("2"), HasSubstr("MODEL_NAME is missing"));
  EXPECT_THAT(launches(), IsEmpty());
}

TEST_F(WorkerTest, KeepsMessagesUntilTheyCanBeWritten) {
  source_.aside_fails = true;
  ask(1, "good");
  source_.put("accuracy_test_created", "no JSON");
  int rounds = 0;
  ASSERT_TRUE(run([&] {
    source_.aside_fails = ++rounds < 10;
    return hub_.end("1") == "success";
  }));
  EXPECT_EQ(source_.acknowledged, 1);
}

TEST_F(WorkerTest, DoesNotAcknowledgeWhatIsNotKept) {
  settings_.patience = Duration{0};
  source_.aside_fails = true;
  ask(1, "good");
  source_.put("accuracy_test_created", "no JSON");
  EXPECT_EQ(run().error().message, "the topic is gone");
  EXPECT_EQ(source_.acknowledged, 0);
  EXPECT_THAT(*journal_->counts(), IsEmpty());
}

TEST_F(WorkerTest, PutsAMessageAsideOnce) {
  source_.put("accuracy_test_created", "no JSON");
  source_.count = 0;
  source_.put("accuracy_test_created", "no JSON");
  source_.count = 0;
  source_.put("accuracy_test_created", "no JSON either");
  ASSERT_TRUE(run());
  EXPECT_THAT(source_.aside, ElementsAre("is no JSON", "is no JSON"));
}

}  // namespace
}  // namespace gate::worker::worker_test
