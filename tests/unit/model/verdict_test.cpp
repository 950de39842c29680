#include "gate/model/rules/verdict.h"

#include <gmock/gmock.h>

#include <csignal>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate::verdict_test {
namespace {

TEST(Verdicts, TableIsInTheOrderOfPrecedence) {
  std::vector<std::string> lines;
  for (const VerdictRow& row : verdicts())
    lines.push_back(std::string(row.name) + " " + std::to_string(row.exit_code) + " " +
                    std::string(row.junit));
  EXPECT_THAT(lines, ::testing::ElementsAre("interrupted 143 error", "skipped 0 skipped", "not_run 3 error",
                                            "regressed 1 failure", "infra 125 error", "hung 4 error",
                                            "timed_out 4 error", "crashed 4 error", "incomplete 4 error",
                                            "unjudged 3 error", "passed 0 "));
  for (std::size_t i = 0; i < verdicts().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(verdicts()[i].verdict), i);
}

TEST(Verdicts, NamesReadBack) {
  for (const VerdictRow& row : verdicts()) EXPECT_EQ(parse_verdict(to_string(row.verdict)), row.verdict);
  EXPECT_FALSE(parse_verdict("green"));
  EXPECT_FALSE(parse_verdict(""));
  for (const auto status : {CheckStatus::pass, CheckStatus::fail, CheckStatus::missing,
                            CheckStatus::incomparable, CheckStatus::undecided, CheckStatus::waived})
    EXPECT_EQ(parse_check_status(to_string(status)), status);
  EXPECT_EQ(to_string(CheckStatus::undecided), "undecided");
  EXPECT_FALSE(parse_check_status("ok"));
}

int worst(std::vector<int> codes) { return worst_exit_code(codes); }

TEST(ExitCode, Precedence) {
  const std::vector<int> falling{2, 143, 1, 4, 125, 3, 0};
  for (std::size_t i = 0; i < falling.size(); ++i)
    for (std::size_t k = i; k < falling.size(); ++k) {
      EXPECT_EQ(worst({falling[i], falling[k]}), falling[i]);
      EXPECT_EQ(worst({falling[k], falling[i]}), falling[i]);
    }
  EXPECT_EQ(worst({}), 0);
  EXPECT_EQ(worst({1, 130}), 130);
}

Report with(std::vector<Verdict> all) {
  Report report;
  for (std::size_t i = 0; i < all.size(); ++i) {
    report.cases.emplace_back().name = "case" + std::to_string(i);
    report.cases.back().verdict = all[i];
  }
  return report;
}

TEST(ExitCode, OfARun) {
  EXPECT_EQ(exit_code_of(with({Verdict::passed})), 0);
  EXPECT_EQ(exit_code_of(with({Verdict::passed, Verdict::skipped})), 0);
  EXPECT_EQ(exit_code_of(with({Verdict::passed, Verdict::regressed, Verdict::crashed})), 1);
  EXPECT_EQ(exit_code_of(with({Verdict::infra, Verdict::hung})), 4);
  EXPECT_EQ(exit_code_of(with({Verdict::infra, Verdict::unjudged})), 125);
  EXPECT_EQ(exit_code_of(with({Verdict::passed, Verdict::not_run})), 3);
  for (const VerdictRow& row : verdicts())
    EXPECT_EQ(exit_code_of(with({row.verdict})) == 0, row.verdict == Verdict::passed) << row.name;
}

TEST(ExitCode, WhereNothingWasJudged) {
  EXPECT_EQ(exit_code_of(with({})), 3);
  EXPECT_EQ(exit_code_of(with({Verdict::skipped, Verdict::skipped})), 3);
}

TEST(ExitCode, ACaseAskedForByNameIsNotSkippedSilently) {
  const Report report = with({Verdict::passed, Verdict::skipped});
  EXPECT_EQ(exit_code_of(report, {"case1"}), 3);
  EXPECT_EQ(exit_code_of(report, {"case0"}), 0);
}

TEST(ExitCode, AnInterruptSaysItsSignal) {
  Report report = with({Verdict::regressed, Verdict::interrupted});
  report.cases[1].outcome = Interrupted{SIGINT};
  EXPECT_EQ(exit_code_of(report), 130);
  report.cases[1].outcome = Interrupted{SIGTERM};
  EXPECT_EQ(exit_code_of(report), 143);
}

TEST(Report, CountsVerdicts) {
  const Report report = with({Verdict::passed, Verdict::skipped, Verdict::passed});
  EXPECT_EQ(report.count(Verdict::passed), 2);
  EXPECT_EQ(report.count(Verdict::hung), 0);
}

TEST(ExitCode, ACaseInQuarantineIsNotInIt) {
  Report report = with({Verdict::passed, Verdict::regressed, Verdict::crashed});
  report.cases[1].quarantine = Quarantine{"2026-12-31", "it spikes", "zhang"};
  EXPECT_EQ(exit_code_of(report), 4);
  report.cases[2].quarantine = report.cases[1].quarantine;
  EXPECT_EQ(exit_code_of(report), 0);
  EXPECT_EQ(report.count(Verdict::regressed), 0);
  EXPECT_EQ(report.count_quarantined(), 2);
  EXPECT_EQ(report.count_quarantined_red(), 2);
  report.cases[0].quarantine = report.cases[1].quarantine;
  EXPECT_EQ(exit_code_of(report), 3);
  EXPECT_EQ(report.count_quarantined_red(), 2);
}

TEST(ExitCode, NoCaseAtAllIsWellWhereThatWasSaid) {
  Report report = with({});
  report.nothing_ok = true;
  EXPECT_EQ(exit_code_of(report), 0);
  report.cases.resize(1);
  EXPECT_EQ(exit_code_of(report), 3);
}

TEST(ExitCode, OfOneStageIsZeroOnlyWhereItWasDone) {
  Report report;
  report.only = Stage::test;
  report.cases.emplace_back();
  CaseReport& one = report.cases.back();
  one.name = "a";
  one.verdict = Verdict::skipped;
  EXPECT_EQ(exit_code_of(report, {"a"}), exit_code::refused) << "it lacks devices";
  one.stages = {{Stage::download, Exited{0}, "", "", {}, ""}};
  EXPECT_EQ(exit_code_of(report, {"a"}), exit_code::refused) << "another stage was done";
  one.stages.push_back({Stage::test, Exited{0}, "", "", {}, ""});
  EXPECT_EQ(exit_code_of(report, {"a"}), exit_code::ok);
  one.stages.back().problem = "it failed";
  EXPECT_EQ(exit_code_of(report, {"a"}), exit_code::refused);
  one.verdict = Verdict::crashed;
  EXPECT_EQ(exit_code_of(report, {"a"}), exit_code::failed);
}

}  // namespace
}  // namespace gate::verdict_test
