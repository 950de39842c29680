// Outputs that are not there, in the report of their case.
#include "gate/judging/case_outputs.h"

#include <gmock/gmock.h>

#include "gate/judging/case_judge.h"
#include "suite_of_files.h"

namespace gate::app::outputs_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Outputs : public SuiteOfFiles {
 protected:
  Outputs() {
    script("x");
    std::string toml;
    for (const char* name : {"a", "b", "c"})
      toml += std::string("[case.x.outputs.") + name + "]\nfile = \"" + name +
              ".json\"\ngolden = \"golden.json\"\nmetric = \"results\"\ntolerance = \">= 0.5\"\n";
    put("gate.toml", toml);
  }

  // The report of a run with the score in its first output, and without the others.
  CaseReport report(double score, const std::optional<Outcome>& outcome = {}) const {
    const Suite opened = suite();
    Extraction run;
    add_outputs(run, opened.cases.front(), {{"b", {}, "not written"}, {"c", {}, "empty"}}, {});
    Series series("a.task.acc", std::nullopt, "", Numbering::report);
    const std::string text = std::to_string(score);
    series.append({1, *parse_value(text), text, 0, 0});
    run.series.push_back(series);
    OutputResult first{"a", "a.json", "golden.json", "", "", {}};
    OutputScore& of_task = first.scores.emplace_back();
    of_task.metric = "a.task.acc";
    of_task.value = score;
    of_task.golden = 0.6;
    run.outputs.insert(run.outputs.begin(), first);
    return judge_case(opened.cases.front(), {}, run, outcome, "", "2026-03-01");
  }

  static std::vector<std::string> problems(const CaseReport& report) {
    std::vector<std::string> texts;
    for (const Problem& problem : report.problems) texts.push_back(problem.text.english());
    return texts;
  }
};

TEST_F(Outputs, ThatAreMissingAreToldBesideARedOne) {
  const CaseReport red = report(0.1);
  EXPECT_EQ(red.verdict, Verdict::regressed);
  EXPECT_THAT(problems(red), ElementsAre("output b: not written", "output c: empty"));
}

TEST_F(Outputs, ThatAreMissingAreToldOnce) {
  const CaseReport green = report(0.7);
  EXPECT_EQ(green.verdict, Verdict::incomplete);
  EXPECT_EQ(green.reason, "output b: not written");
  EXPECT_THAT(problems(green), ElementsAre("output c: empty"));
}

// The tolerance in standard errors of a golden score of 0.9 with an error of 0.03.
std::string limit_of(double value, double own_error, std::optional<std::int64_t> samples) {
  config::Case spec;
  config::CaseOutput& output = spec.settings.outputs["a"];
  output.metric = "results";
  output.tolerance = config::parse_output_tolerance("within 1 standard errors").value();
  OutputResult result{"a", "a", "g", "", "", {}};
  OutputScore& score = result.scores.emplace_back();
  score.metric = "a.task.acc";
  score.value = value;
  score.standard_error = own_error;
  score.golden = 0.9;
  score.golden_standard_error = 0.03;
  score.samples = samples;
  Extraction run;
  run.outputs.push_back(result);
  return to_string(rules_of_outputs(spec, run).rules.at(0).tolerance);
}

TEST_F(Outputs, TheOwnErrorOfARunWidensItsLimitNoFurtherThanChanceDoes) {
  EXPECT_EQ(limit_of(0.9, 0.04, 100), "±0.05");
  EXPECT_EQ(limit_of(0.9, 0.06, {}), "±0.067082");
  EXPECT_EQ(limit_of(0.9, 9, {}), limit_of(0.9, 0.06, {})) << "twice the golden one";
  EXPECT_EQ(limit_of(0.5, 9, 20), limit_of(0.5, 0.109109, 20)) << "a share of 20 samples";
  EXPECT_EQ(limit_of(50, 9, 20), limit_of(50, 0.06, 20)) << "no share";
}

TEST_F(Outputs, OfAScriptThatCrashedAreNotExpected) {
  EXPECT_THAT(problems(report(0.7, Exited{3})), IsEmpty());
}

}  // namespace
}  // namespace gate::app::outputs_test
