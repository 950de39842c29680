// What is told of runs that are stored: reports, explanations, the history, what would run again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gate/model/rules/verdict.h"
#include "gate/schema/result_file.h"
#include "gate/store/run_folder.h"
#include "gate_in_process.h"

namespace gate::cli::stored_runs_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class StoredRuns : public Commands {
 protected:
  StoredRuns() { accept_good(); }

  // A run in which the case printed that log. Returns its id.
  std::string store(const std::string& log, const std::string& started) {
    gate({"check", at(log), "--case", "a", "--report", at("report.json")});
    Report report = schema::read_result(get("report.json"), "report.json").value();
    const auto folder = store::RunFolder::create(root, *parse_iso(started));
    EXPECT_TRUE(folder) << folder.error().message;
    report.command = "run";
    report.run = folder->id();
    report.uid = "0123456789abcdef0123456789abcde" + std::to_string(stored_++);
    report.suite = "s";
    report.host = "made-up";
    report.platform = "cpu";
    report.started = report.finished = started;
    for (CaseReport& c : report.cases) {
      c.outcome = Exited{0};
      c.platform = "cpu";
    }
    EXPECT_TRUE(folder->begin(report));
    return report.run;
  }

  std::string store_good() { return store("good.log", "2026-11-21T02:03:04Z"); }
  std::string store_bad() { return store("bad.log", "2026-11-22T02:03:04Z"); }

  // The path of the run's result.json.
  std::string result_of(const std::string& run) const { return at(".gate/runs/" + run + "/result.json"); }

 private:
  int stored_ = 0;
};

TEST_F(StoredRuns, TheLatestIsReportedWhereNoneIsNamed) {
  const std::string good = store_good(), bad = store_bad();
  const Said latest = gate({"report"});
  EXPECT_EQ(latest.code, exit_code::ok) << "it is told, not judged";
  EXPECT_THAT(latest.out, AllOf(HasSubstr("run " + bad), EndsWith("RED: 1 regressed (exit 1)\n")));
  EXPECT_THAT(gate({"report", good}).out, EndsWith("GREEN: 1 passed (exit 0)\n"));
  EXPECT_EQ(gate({"report", "9999-9999"}).code, exit_code::usage);
}

TEST_F(StoredRuns, EveryReporterRendersIt) {
  store_bad();
  for (const render::ReporterRow& row : render::reporters()) {
    const Said said = gate({"report", "--format", std::string(row.name)});
    EXPECT_EQ(said.code, exit_code::ok) << row.name << said.err;
    EXPECT_FALSE(said.out.empty()) << row.name;
  }
  const Said unknown = gate({"report", "--format", "junt"});
  EXPECT_EQ(unknown.code, exit_code::usage);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"junit\"?"));
}

TEST_F(StoredRuns, ACheckIsExplainedWithItsFormula) {
  store_bad();
  const Said all = gate({"explain", "a"});
  EXPECT_EQ(all.code, exit_code::ok);
  EXPECT_THAT(all.out, AllOf(StartsWith("a: regressed"), HasSubstr("|2.350 - 2.300| = 0.050 > 0.01")));
  const Said one = gate({"explain", "a", "lm_loss"});
  EXPECT_THAT(one.out, HasSubstr("step 3 (the largest)"));
  EXPECT_EQ(nlohmann::json::parse(gate({"explain", "a", "--json"}).out)["case"], "a");
  EXPECT_EQ(gate({"explain", "b"}).code, exit_code::usage);
  const Said unknown = gate({"explain", "a", "lm_los"});
  EXPECT_EQ(unknown.code, exit_code::usage);
  EXPECT_THAT(unknown.err, HasSubstr("lm_loss"));
}

TEST_F(StoredRuns, TheHistoryIsOfWhatWasImported) {
  const std::string good = store_good(), bad = store_bad();
  const Said imported = gate({"history", "--import", result_of(good), result_of(bad)});
  EXPECT_EQ(imported.code, exit_code::ok) << imported.err;
  EXPECT_THAT(imported.out, StartsWith("2 runs imported into "));
  EXPECT_THAT(gate({"history"}).out, HasSubstr("a"));
  const Said one = gate({"history", "a", "--report", at("h.html")});
  EXPECT_THAT(one.out, HasSubstr("green in 1 of 2 judged"));
  EXPECT_THAT(get("h.html"), HasSubstr("lm_loss"));
  EXPECT_EQ(nlohmann::json::parse(gate({"history", "--json"}).out)["schema"], "gate.trend/1");
  const Said exported = gate({"history", "--export"});
  EXPECT_EQ(std::ranges::count(exported.out, '\n'), 2);
  EXPECT_EQ(gate({"history", "--prune", "1"}).out, "1 run forgotten\n");
  EXPECT_THAT(gate({"history", "a"}).out, HasSubstr("green in 0 of 1 judged"));
  EXPECT_EQ(gate({"history", "--import"}).code, exit_code::usage);
  EXPECT_EQ(gate({"history", "b"}).code, exit_code::usage);
}

TEST_F(StoredRuns, WhatWasExportedIsImportedElsewhere) {
  gate({"history", "--import", result_of(store_good())});
  put("lines.jsonl", gate({"history", "--export"}).out);
  std::filesystem::remove_all(root / ".gate");
  EXPECT_THAT(gate({"history", "--import", at("lines.jsonl")}).out, StartsWith("1 run imported"));
  EXPECT_THAT(gate({"history", "a"}).out, HasSubstr("green in 1 of 1 judged"));
  put("broken.jsonl", "{");
  const Said broken = gate({"history", "--import", at("broken.jsonl")});
  EXPECT_EQ(broken.code, exit_code::usage);
  EXPECT_THAT(broken.err, HasSubstr("broken.jsonl:1"));
}

TEST_F(StoredRuns, APlanSaysWhatWouldRun) {
  put("scripts/a.sh", "#GATE devices=0\nexit 1\n");
  const Said plan = gate({"run", "--dry-run"});
  EXPECT_EQ(plan.code, exit_code::ok) << plan.err;
  EXPECT_THAT(plan.out, AllOf(HasSubstr("would run a  cpu"), EndsWith("PLAN: 1 to run (exit 0)\n")));
  store_good();
  const Said again = gate({"run", "--again", "--dry-run"});
  EXPECT_THAT(again.out, Not(HasSubstr("would run a"))) << "it was green";
  store_bad();
  EXPECT_THAT(gate({"run", "--again", "--dry-run"}).out, HasSubstr("would run a"));
  EXPECT_EQ(gate({"run", "b", "--dry-run"}).code, exit_code::usage);
  EXPECT_EQ(gate({"run", "--again", "--resume", "--dry-run"}).code, exit_code::usage);
}

TEST_F(StoredRuns, TwoRunsAreComparedByTheirVerdicts) {
  const std::string good = store_good(), bad = store_bad();
  const Said said = gate({"compare", good, bad});
  EXPECT_THAT(said.out, AllOf(HasSubstr("A  run " + good), HasSubstr("passed -> regressed")));
  EXPECT_EQ(said.code, exit_code::refused) << "no series were kept: nothing stands beside anything";
}

}  // namespace
}  // namespace gate::cli::stored_runs_test
