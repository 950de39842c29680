// One report of several runs: what goes together, what is missing, and with which exit code it ends.
#include "gate/stored/merge.h"

#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/schema/result_file.h"
#include "gate/suite/shards.h"
#include "made_up_host.h"

namespace gate::app::merge_test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CaseReport case_with(const std::string& name, Verdict verdict) {
  CaseReport report;
  report.name = name;
  report.verdict = verdict;
  report.platform = "cpu";
  return report;
}

Report run_of(std::vector<CaseReport> cases) {
  Report report;
  report.gate_version = "1.0.0";
  report.suite = "s";
  report.run = "1121-0203";
  report.command = "run";
  report.host = "one";
  report.platform = "cpu";
  report.commit = "9c1e2f4";
  report.started = "2026-11-21T02:03:04Z";
  report.finished = "2026-11-21T02:13:04Z";
  report.duration = 10min;
  report.cases = std::move(cases);
  report.exit_code = exit_code_of(report);
  return report;
}

class Merge : public Temporary {
 protected:
  Merge() {
    shards = {run_of({case_with("a", Verdict::passed), case_with("d", Verdict::skipped)}),
              run_of({case_with("b", Verdict::passed)}), run_of({case_with("c", Verdict::passed)})};
    for (int i = 0; i < 3; ++i) shards[static_cast<std::size_t>(i)].shard = Shard{i + 1, 3};
    shards[1].host = "two";
    for (Report& shard : shards) shard.split = split_sha256({{"a", 1}, {"b", 2}, {"c", 3}, {"d", 1}});
  }

  // Store the run as a folder of that name.
  std::string store(const Report& report, const std::string& name) {
    put(name + "/result.json", schema::write_result(report));
    return (root / name).string();
  }

  Answer<Report> merge(const std::vector<Report>& runs) {
    std::vector<std::string> names;
    for (const Report& run : runs) names.push_back(store(run, "run" + std::to_string(names.size())));
    return merge_runs(suite(), names);
  }

  Report merged(const std::vector<Report>& runs) {
    Answer<Report> report = merge(runs);
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? std::move(*report) : Report{};
  }

  // Return why they are refused.
  std::string refusal(const std::vector<Report>& runs) {
    const Answer<Report> report = merge(runs);
    EXPECT_FALSE(report);
    if (report) return "";
    EXPECT_EQ(report.error().exit_code, exit_code::usage);
    return report.error().message;
  }

  Suite suite() const { return open_suite_if_any({root, {}, {}}).value(); }

  std::vector<Report> shards;
};

TEST_F(Merge, AllShardsAreTheOneRun) {
  shards[2].started = "2026-11-21T02:00:00Z";
  const Report report = merged({shards[2], shards[0], shards[1]});
  EXPECT_EQ(verdicts(report), "a passed, b passed, c passed, d skipped");
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.host, "one, two");
  EXPECT_EQ(report.platform, "cpu");
  EXPECT_EQ(report.started, "2026-11-21T02:00:00Z");
  EXPECT_EQ(report.duration, 10min);
  EXPECT_EQ(report.shard, std::nullopt);
  EXPECT_EQ(report.run, "") << "there is no such run to explain or to take up";
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_THAT(report.merged, ElementsAre(HasSubstr("shard 1/3 in "),
                                         HasSubstr("(two, started 2026-11-21T02:03:04Z, exit 0)"),
                                         HasSubstr("started 2026-11-21T02:00:00Z")));
  EXPECT_THAT(report.missing, IsEmpty());
}

TEST_F(Merge, AShardThatIsMissingIsNamedAndNotGreen) {
  const Report report = merged({shards[0], shards[2]});
  EXPECT_THAT(report.missing, ElementsAre("2/3"));
  EXPECT_EQ(report.exit_code, exit_code::refused);
  shards[0].cases[0].verdict = Verdict::regressed;
  shards[0].exit_code = 1;
  EXPECT_EQ(merged({shards[0], shards[2]}).exit_code, 1);
}

TEST_F(Merge, WhatIsMissingStaysMissing) {
  const Report part = merged({shards[0], shards[2]});
  EXPECT_THAT(merged({part}).missing, ElementsAre("2/3"));
  EXPECT_EQ(merged({part}).exit_code, exit_code::refused);
}

TEST_F(Merge, OfTwoRunsOfAShardTheLaterOneCounts) {
  Report again = shards[1];
  again.started = "2026-11-21T03:00:00Z";
  shards[1].started = "2026-11-21T01:00:00Z";
  shards[1].cases[0].verdict = Verdict::regressed;
  shards[1].exit_code = 1;
  for (const auto& runs : {std::vector{shards[1], shards[0], again, shards[2]},
                           std::vector{again, shards[0], shards[1], shards[2]}}) {
    const Report report = merged(runs);
    EXPECT_EQ(report.exit_code, 0);
    EXPECT_THAT(report.notes, Contains(HasSubstr("is left out, started 2026-11-21T01:00:00Z, exit 1")));
    EXPECT_EQ(report.started, "2026-11-21T02:03:04Z") << "of those that count";
  }
  std::swap(again.started, shards[1].started);
  EXPECT_EQ(merged({shards[0], shards[1], again, shards[2]}).exit_code, 1) << "it is not the green one";
}

TEST_F(Merge, ARunThatIsGivenTwiceIsRefused) {
  EXPECT_THAT(refusal({shards[0], shards[1], shards[1], shards[2]}), HasSubstr("neither started later"));
  shards[1].started = "yesterday";
  EXPECT_THAT(refusal({shards[0], shards[1], shards[1], shards[2]}), HasSubstr("neither started later"));
  EXPECT_THAT(refusal({run_of({case_with("a", Verdict::passed)}), run_of({case_with("a", Verdict::passed)})}),
              HasSubstr("case a is in"));
}

TEST_F(Merge, WhatDoesNotBelongTogetherIsRefused) {
  struct Other {
    std::string why;
    void (*change)(Report& report);
  };
  for (const Other& other :
       std::vector<Other>{{"suite", [](Report& one) { one.suite = "t"; }},
                          {"commit", [](Report& one) { one.commit = "3f2a1c7"; }},
                          {"version of gate", [](Report& one) { one.gate_version = "0.9"; }},
                          {"number of shards",
                           [](Report& one) {
                             one.shard = Shard{2, 4};
                           }},
                          {"number of shards", [](Report& one) { one.shard.reset(); }},
                          {"choice of cases", [](Report& one) { one.words = {"b"}; }},
                          {"--tag", [](Report& one) { one.tags = {"new"}; }},
                          {"--set", [](Report& one) { one.set = {"timeout=1h"}; }},
                          {"settings", [](Report& one) { one.settings = std::string(64, 'a'); }},
                          {"platform", [](Report& one) { one.platform = "nvidia-h100"; }},
                          {"split", [](Report& one) { one.split = std::string(64, 'b'); }},
                          {"no `gate run`", [](Report& one) { one.command = "record"; }}}) {
    std::vector<Report> changed = shards;
    other.change(changed[1]);
    EXPECT_THAT(refusal(changed), HasSubstr(other.why));
  }
  EXPECT_THAT(merge_runs(suite(), {}).error().message, HasSubstr("name the runs"));
  EXPECT_THAT(merge_runs(suite(), {"nosuch"}).error().message, HasSubstr("nosuch"));
}

TEST_F(Merge, APlatformIsThatOfCasesThatRanHere) {
  shards[1].platform = "nvidia-h100";
  shards[1].cases[0].hosts = {"far"};
  EXPECT_EQ(merged(shards).platform, "cpu, nvidia-h100");
}

TEST_F(Merge, CasesThatWereTakenAwayOrAddedAreNotTheSplit) {
  std::vector<Report> fewer = shards, more = shards, twice = shards;
  fewer[0].cases.erase(fewer[0].cases.begin());
  EXPECT_THAT(refusal(fewer), HasSubstr("was changed"));
  more[2].cases.push_back(case_with("e", Verdict::passed));
  EXPECT_THAT(refusal(more), HasSubstr("was changed"));
  twice[2].cases.push_back(case_with("a", Verdict::passed));
  EXPECT_THAT(refusal(twice), HasSubstr("case a is in"));
}

TEST_F(Merge, WhatElseARunEndedWithCounts) {
  std::vector<Report> interrupted = shards;
  interrupted[1].exit_code = 143;
  EXPECT_EQ(merged(interrupted).exit_code, 143);
  std::vector<Report> skipping = shards;
  skipping[1].cases[0].verdict = Verdict::skipped;
  skipping[1].exit_code = exit_code_of(skipping[1]);
  EXPECT_EQ(skipping[1].exit_code, exit_code::refused) << "alone it judged nothing";
  EXPECT_EQ(merged(skipping).exit_code, 0);
  for (Report& one : skipping) one.words = {"d", "*"};
  EXPECT_EQ(merged(skipping).exit_code, exit_code::refused) << "d was asked for";
  std::vector<Report> changed = shards;
  changed[1].exit_code = 256;
  EXPECT_THAT(refusal(changed), HasSubstr("256")) << "which a program ends with as 0";
}

TEST_F(Merge, NothingJudgedIsNotGreen) {
  EXPECT_EQ(merged({run_of({case_with("a", Verdict::skipped)})}).exit_code, exit_code::refused);
}

TEST_F(Merge, RunsOfDifferentCasesAreOneReport) {
  Report first = run_of({case_with("b", Verdict::passed)}), second = run_of({case_with("a", Verdict::hung)});
  first.words = {"b"};
  second.words = {"a"};
  second.notes = {"runs without far"};
  const Report report = merged({first, second});
  EXPECT_EQ(verdicts(report), "a hung, b passed");
  EXPECT_EQ(report.exit_code, 4);
  EXPECT_THAT(report.words, ElementsAre("b", "a"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("run1: runs without far")));
}

TEST_F(Merge, FilesAreThoseOfTheFolderThatWasNamed) {
  Report run = run_of({case_with("x/a", Verdict::regressed)});
  CaseReport& one = run.cases[0];
  Check check;
  check.rule = check.metric = "lm_loss";
  check.first_miss = Miss{};
  check.first_miss->file = "/ci/x/a/gate-run/x/a/log.txt";
  check.largest = Miss{};
  check.largest->file = "gate-run/x/a/gone.txt";
  one.checks = {check};
  put("elsewhere/log.txt", "");
  put("run0/x/a/log.txt", "");
  one.artifacts = {{"log", "/ci/x/a/gate-run/x/a/log.txt"},
                   {"series", "gate-run/x/a/series.json"},
                   {"evidence", (root / "elsewhere/log.txt").string()},
                   {"logs", "x/a/../../../elsewhere/log.txt"}};
  const CaseReport found = merged({run}).cases[0];
  const std::string log = (root / "run0/x/a/log.txt").string();
  EXPECT_THAT(found.artifacts, ElementsAre(testing::Pair("log", log)));
  EXPECT_EQ(found.checks[0].first_miss->file, log);
  EXPECT_EQ(found.checks[0].largest->file, "x/a/gone.txt");
}

}  // namespace
}  // namespace gate::app::merge_test
