#include <gmock/gmock.h>

#include "gate/schema/result_file.h"
#include "shown.h"
#include "validate.h"

namespace gate::schema::result_file_test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Check loss_check() {
  Check check;
  check.rule = "lm_loss";
  check.metric = "lm_loss";
  check.formula = "a / 2";
  check.kind = MetricKind::accuracy;
  check.numbered = Numbering::step;
  check.window = Window{Window::Kind::first, 15, 0};
  check.steps = shown::steps("1-15");
  check.reduce = Reduce::each;
  check.tolerance = parse_tolerance("±0.01").value();
  check.status = CheckStatus::fail;
  check.compared = 15;
  check.baseline = shown::value("10.49309");
  check.actual = shown::value("10.50413");
  check.delta = shown::value("0.01104");
  check.delta_percent = 0.11;
  check.limit = shown::limit("10.48309..10.50309");
  check.margin = shown::value("-0.00104");
  check.misses = 2;
  check.mean = 10.4;
  check.baseline_mean = 10.3;
  check.trace = {0, 0.01104, -2.5e-07};
  check.first_miss = shown::miss(6, "10.49309", "10.50413", "0.01104", "train.log", 88);
  check.largest = shown::miss(7, "1.5", "nan", "", "", 0);
  check.baseline_file = "baselines/dp2.json";
  check.remarks = {shown::text("within nothing"), shown::text("waived")};
  return check;
}

KnownMessage out_of_memory() {
  KnownMessage message;
  message.name = "cuda_out_of_memory";
  message.kind = MessageClass::infra;
  message.what = "CUDA out of memory";
  message.text = "RuntimeError: CUDA out of memory";
  message.advice = "Use less.";
  message.file = "train.log";
  message.line = 57;
  message.count = 8;
  return message;
}

OutputScore answer_score() {
  OutputScore score;
  score.metric = "answer.bleu";
  score.value = 0.59460355750136051;
  score.signature = "nrefs:1";
  score.compared = 2;
  score.differing = 1;
  score.first = OutputDifference{2, "a b", "a c", 0.25, 2};
  score.worst = OutputDifference{2, "a b", "a c", std::nullopt, 0};
  return score;
}

OutputScore eval_score() {
  OutputScore score;
  score.metric = "eval.t.acc";
  score.value = 0.5;
  score.golden = 0.75;
  score.standard_error = 0.01;
  score.golden_standard_error = 0.02;
  score.incomparable = "task version 1 instead of 2";
  return score;
}

CaseReport dp2() {
  CaseReport report;
  report.name = "tinygpt/dp2";
  report.verdict = Verdict::regressed;
  report.reason = "lm_loss step 6";
  report.outcome = Exited{0};
  report.platform = "cpu";
  report.devices = "0";
  report.owner = "zhangwei";
  report.last_words = "rank3: entering all_reduce";
  report.device_time = 960s;
  report.green_until = GreenUntil{"1120-0203", "3f2a1c7", "2026-11-20T02:03:04Z", 2, 14};
  report.differs = {{"host", "npu-07", "npu-08"}, {"script", "", ""}, {"ARGS", "none", "--lr 1 -> 2"}};
  report.stages = {
      {Stage::download, Exited{7}, "stage download: exited 7", "2026-11-21T02:03:04Z", 3s, "d.log"}};
  report.outputs = {{"answer", "outputs/answer/a.txt", "golden/a.txt", "", "", {answer_score()}},
                    {"eval", "r.json", "golden/r.json", "", "", {eval_score()}},
                    {"other", "", "golden/o.txt", "the script wrote no o.txt", "", {}}};
  report.baselines = {{"baselines/cpu/tinygpt/dp2.json", "ab"}, {"baselines/tinygpt/dp2.json", "cd"}};
  report.duration = 1234ms;
  report.steps = 30;
  report.total = 30;
  report.checks = {loss_check()};
  report.ungated = {shown::ungated("grad_norm", "", "the baseline does not hold it")};
  report.cause = out_of_memory();
  report.problems = {{ProblemKind::torn, "train.log", 12, "torn record"}};
  report.notes = {plain_note("no longer bit-equal from step 2"),
                  {{{"lm_loss", {1, 2, 5}}}, Numbering::step, remark::Plain::bit_equal}};
  report.artifacts = {{"log", ".gate/runs/1121-0203/tinygpt/dp2/log.txt"}};
  report.args = {"--lr", "0.01"};
  return report;
}

CaseReport named(const std::string& name) {
  CaseReport report;
  report.name = name;
  return report;
}

CaseReport with_verdict(Verdict verdict) {
  CaseReport report = named("c");
  report.verdict = verdict;
  return report;
}

Report small() {
  Report report;
  report.gate_version = "1.0.0";
  report.suite = "llm-st";
  report.run = "1121-0203";
  report.command = "run";
  report.host = "npu-07";
  report.platform = "cpu";
  report.commit = "9c1e2f4";
  report.started = "2026-11-21T02:03:04Z";
  report.finished = "2026-11-21T02:03:06Z";
  report.duration = 2000ms;
  report.exit_code = 1;
  report.set = {"rules.lm_loss.tolerance=±0.02"};
  report.cases = {dp2(), with_verdict(Verdict::skipped)};
  report.notes = {"2 cases: one false failure in two nights"};
  return report;
}

std::string error_of(const std::string& text) {
  const auto read = read_result(text, "result.json");
  return read ? "no error" : read.error().message;
}

TEST(ResultFile, RoundTrips) {
  const std::string text = write_result(small());
  const auto read = read_result(text, "result.json");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(write_result(*read), text);
  EXPECT_EQ(read->notes, small().notes);
  ASSERT_EQ(read->cases.size(), 2U);
  const CaseReport& c = read->cases[0];
  EXPECT_EQ(c.name, "tinygpt/dp2");
  EXPECT_EQ(c.verdict, Verdict::regressed);
  EXPECT_EQ(c.duration, 1234ms);
  EXPECT_EQ(c.baselines[1].sha256, "cd");
  EXPECT_EQ(c.checks[0].first_miss->baseline, shown::value("10.49309"));
  EXPECT_EQ(c.checks[0].largest->actual, shown::value("nan"));
  EXPECT_EQ(c.checks[0].limit, shown::limit("10.48309..10.50309"));
  EXPECT_EQ(c.checks[0].remarks, loss_check().remarks);
  EXPECT_EQ(c.notes[0], plain_note("no longer bit-equal from step 2"));
  EXPECT_EQ(c.notes[1].subjects, dp2().notes[1].subjects);
  EXPECT_EQ(c.checks[0].formula, "a / 2");
  EXPECT_EQ(c.problems[0].kind, ProblemKind::torn);
  EXPECT_EQ(c.args, (std::vector<std::string>{"--lr", "0.01"}));
  EXPECT_FALSE(read->cases[1].outcome.has_value());
  EXPECT_FALSE(read->cases[1].cause.has_value());
}

TEST(ResultFile, RoundTripsProfileAndShadow) {
  CaseReport judged_twice = dp2();
  judged_twice.profile = "megatron";
  judged_twice.shadow = Shadow{"gate", Verdict::regressed, "lm_loss step 6", {loss_check()}};
  const std::string text = write_case(judged_twice);
  const auto read = read_case(text, "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->profile, "megatron");
  ASSERT_TRUE(read->shadow.has_value());
  EXPECT_EQ(read->shadow->profile, "gate");
  EXPECT_EQ(read->shadow->verdict, Verdict::regressed);
  EXPECT_EQ(read->shadow->reason, "lm_loss step 6");
  ASSERT_EQ(read->shadow->checks.size(), 1U);
  EXPECT_EQ(read->shadow->checks[0].limit, shown::limit("10.48309..10.50309"));
  EXPECT_EQ(write_case(*read), text);
  Report report = small();
  report.cases = {judged_twice};
  std::string whole = write_result(report);
  EXPECT_EQ(invalid(whole, "gate.result.1.json"), "");
  whole.replace(whole.find("\"reason\"", whole.find("\"shadow\"")), 8, "\"season\"");
  EXPECT_NE(invalid(whole, "gate.result.1.json"), "");
}

TEST(ResultFile, RoundTripsAShard) {
  Report report = small();
  EXPECT_THAT(write_result(report), Not(HasSubstr("shard")));
  report.shard = Shard{2, 4};
  report.split = std::string(64, 'a');
  report.settings = std::string(64, 'b');
  report.missing = {"3/4"};
  report.merged = {"shard 2/4 in there (npu-07, started 2026-11-21T02:03:04Z, exit 1)"};
  const std::string text = write_result(report);
  EXPECT_EQ(invalid(text, "gate.result.1.json"), "");
  const auto read = read_result(text, "r");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->shard, report.shard);
  EXPECT_EQ(write_result(*read), text);
  std::string changed = text;
  changed.replace(changed.find("2/4"), 3, "5/4");
  EXPECT_THAT(error_of(changed), HasSubstr("no shard such as 2/4"));
}

TEST(ResultFile, WithoutAProfileGateJudged) {
  const std::string text = write_case(dp2());
  const std::string line = "  \"profile\": \"gate\",\n";
  ASSERT_THAT(text, HasSubstr(line));
  std::string older = text;
  older.erase(older.find(line), line.size());
  const auto read = read_case(older, "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->profile, "gate");
  EXPECT_FALSE(read->shadow.has_value());
}

TEST(ResultFile, RoundTripsTheCause) {
  const auto read = read_case(write_case(dp2()), "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_TRUE(read->cause.has_value());
  EXPECT_EQ(read->cause->name, "cuda_out_of_memory");
  EXPECT_EQ(read->cause->kind, MessageClass::infra);
  EXPECT_EQ(read->cause->what, "CUDA out of memory");
  EXPECT_EQ(read->cause->text, "RuntimeError: CUDA out of memory");
  EXPECT_EQ(read->cause->advice, "Use less.");
  EXPECT_EQ(read->cause->file, "train.log");
  EXPECT_EQ(read->cause->line, 57U);
  EXPECT_EQ(read->cause->count, 8);
}

TEST(ResultFile, RoundTripsEveryOutcome) {
  const std::vector<Outcome> outcomes{NotStarted{"no host"},
                                      Exited{3},
                                      Killed{9},
                                      TimedOut{1s},
                                      Hung{3s, 4ms, "training"},
                                      StoppedEarly{"step 3"},
                                      StoppedEarly{"step 3", 90500ms},
                                      Interrupted{15},
                                      Vanished{"gone"},
                                      PastDeadline{Duration(3600000)},
                                      GateFailed{"full"},
                                      ScriptChanged{"a.sh: run again"}};
  for (const Outcome& outcome : outcomes) {
    CaseReport report = named("c");
    report.outcome = outcome;
    const std::string text = write_case(report);
    const auto read = read_case(text, "c");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(gate::text(*read->outcome), gate::text(outcome));
    EXPECT_EQ(write_case(*read), text);
  }
}

TEST(ResultFile, CountsTheDeviceTimeThatWasSavedWhereItIsKnown) {
  Report report = small();
  EXPECT_THAT(write_result(report), Not(HasSubstr("device_time_saved_s")));
  report.cases = {named("a"), named("b"), named("c")};
  report.cases[0].device_time_saved = 720s;
  report.cases[2].device_time_saved = 1500ms;
  const std::string text = write_result(report);
  EXPECT_THAT(text, HasSubstr("\"device_time_saved_s\": 721.500"));
  const auto read = read_result(text, "r");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->cases[0].device_time_saved, 720s);
  EXPECT_EQ(read->cases[1].device_time_saved, std::nullopt);
  EXPECT_EQ(read->device_time_saved(), 721500ms);
  EXPECT_EQ(write_result(*read), text);
}

TEST(ResultFile, RoundTripsEveryVerdictAndStatus) {
  for (const VerdictRow& row : verdicts()) {
    const auto read = read_case(write_case(with_verdict(row.verdict)), "c");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->verdict, row.verdict);
  }
}

TEST(ResultFile, WritesNumbersAsNumbersAndTheRestAsStrings) {
  const std::string text = write_result(small());
  EXPECT_THAT(text, HasSubstr("\"delta\": 0.01104,"));
  EXPECT_THAT(text, HasSubstr("\"baseline\": 10.49309,"));
  EXPECT_THAT(text, HasSubstr("\"actual\": \"nan\","));
  EXPECT_THAT(text, HasSubstr("\"limit\": \"10.48309..10.50309\","));
  EXPECT_THAT(text, HasSubstr("\"duration_s\": 1.234,"));
}

TEST(ResultFile, WritesWhatIsNoNumberAsAString) {
  CaseReport report = named("c");
  for (const std::string word : {"inf", "-inf", "nan", "left out", ""}) {
    report.checks = {loss_check()};
    report.checks[0].actual = shown::value(word);
    EXPECT_THAT(write_case(report), HasSubstr("\"actual\": \"" + word + "\","));
    const auto read = read_case(write_case(report), "c");
    ASSERT_TRUE(read.has_value()) << word << read.error().message;
    EXPECT_EQ(read->checks[0].actual, shown::value(word)) << word;
  }
}

TEST(ResultFile, WhatABaselineOrARunLacksIsReadBack) {
  CaseReport report = named("c");
  report.checks = {loss_check()};
  report.checks[0].first_miss =
      Miss{.number = 3, .baseline = shown::value("left out"), .actual = {}, .delta = {}};
  const std::string text = write_case(report);
  EXPECT_THAT(text, HasSubstr("\"baseline\": \"not recorded\",\n        \"actual\": \"not in the run\","));
  const auto read = read_case(text, "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->checks[0].first_miss->baseline, shown::value("left out"));
  EXPECT_EQ(read->checks[0].first_miss->actual, std::nullopt);
}

TEST(ResultFile, SeveralLimitsAreReadBack) {
  CaseReport report = named("c");
  report.checks = {loss_check()};
  report.checks[0].limit = {shown::limit("1..2")[0], shown::limit("5")[0], LimitRange{}};
  EXPECT_THAT(write_case(report), HasSubstr("\"limit\": \"1..2 or 5 or any\","));
  EXPECT_EQ(read_case(write_case(report), "c").value().checks[0].limit, report.checks[0].limit);
}

TEST(ResultFile, OpenEndsOfLimitsAreReadBack) {
  const Value one = *shown::value("1"), two = *shown::value("2.50");
  CaseReport report = named("c");
  report.checks = {loss_check()};
  report.checks[0].limit = {{one, {}, true, false},
                            {{}, two, false, true},
                            {one, two, true, true},
                            {one, two, false, true},
                            {one, two, true, false}};
  EXPECT_THAT(write_case(report),
              HasSubstr("\"limit\": \"> 1 or < 2.50 or > 1..< 2.50 or 1..< 2.50 or > 1..2.50\","));
  EXPECT_EQ(read_case(write_case(report), "c").value().checks[0].limit, report.checks[0].limit);
}

TEST(ResultFile, WritesTheKindOfAMetricThatIsTheSuitesOwn) {
  CaseReport report = named("c");
  report.checks = {loss_check()};
  EXPECT_THAT(write_case(report), Not(HasSubstr("\"kind\": \"accuracy\"")));
  report.checks[0].metric = "examples_per_second";
  report.checks[0].kind = MetricKind::speed;
  EXPECT_THAT(write_case(report), HasSubstr("\"kind\": \"speed\","));
  EXPECT_EQ(read_case(write_case(report), "c").value().checks[0].kind, MetricKind::speed);
}

TEST(ResultFile, ANoteThatBeginsWithItsStatusSaysSo) {
  CaseReport report = named("c");
  report.checks = {loss_check()};
  report.checks[0].status = CheckStatus::missing;
  report.checks[0].remarks = {remark::MissingSteps{shown::steps("3-5"), 10}};
  const Remark read = read_case(write_case(report), "c").value().checks[0].remarks[0];
  EXPECT_EQ(read, Remark(remark::Text{"missing steps 3-5 of 10", true}));
}

TEST(ResultFile, WritesATestOfPytestsAndReadsItBack) {
  CaseReport report = named("c");
  Check check;
  check.rule = test_rule;
  check.metric = "tests/ut/test_rope.py::TestRope::test_x[fp16-中 文]";
  check.status = CheckStatus::error;
  check.compared = 1;
  check.test = TestResult{"tests.ut.test_rope.TestRope", "tests/ut/test_rope.py", 12, 1500ms};
  check.remarks = {shown::text("assert a")};
  report.checks = {check, check};
  report.checks[1].status = CheckStatus::skipped;
  report.checks[1].test = TestResult{};
  const std::vector<Check> read = read_case(write_case(report), "c").value().checks;
  ASSERT_EQ(read.size(), 2U);
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].metric, check.metric);
    EXPECT_EQ(read[i].status, report.checks[i].status);
    EXPECT_EQ(read[i].test, report.checks[i].test);
    EXPECT_EQ(read[i].remarks, check.remarks);
  }
  report.checks[0].test.reset();
  EXPECT_EQ(read_case(write_case(report), "c").value().checks[0].test, std::nullopt);
}

struct Wrong {
  std::string right, wrong, complaint;
};

TEST(ResultFile, ComplainsOfAValueAtItsPlace) {
  CaseReport report = named("c");
  report.checks = {loss_check()};
  const std::string text = write_case(report);
  for (const Wrong& one : std::vector<Wrong>{
           {"\"numbered\": \"step\"", "\"numbered\": \"epoch\"", "\"numbered\": unknown numbering \"epoch\""},
           {"\"window\": \"first 15\"", "\"window\": \"frist 15\"", "\"window\": window \"frist 15\""},
           {"\"steps\": \"1-15\"", "\"steps\": \"15-1\"", "\"steps\": no numbers: \"15-1\""},
           {"\"reduce\": \"each\"", "\"reduce\": \"meen\"", "\"reduce\": unknown reduce"},
           {"\"tolerance\": \"±0.01\"", "\"tolerance\": \"0.01\"", "\"tolerance\": tolerance \"0.01\""},
           {"\"actual\": 10.50413", "\"actual\": \"ten\"", "\"actual\": no value: \"ten\""},
           {"\"delta_percent\": \"+0.11 %\"", "\"delta_percent\": \"much\"",
            "\"delta_percent\": no percentage"},
           {"\"limit\": \"10.48309..10.50309\"", "\"limit\": \"1..\"", "\"limit\": no limit: \"1..\""}}) {
    std::string broken = text;
    ASSERT_NE(broken.find(one.right), std::string::npos) << one.right;
    broken.replace(broken.find(one.right), one.right.size(), one.wrong);
    const auto read = read_case(broken, "c");
    ASSERT_FALSE(read.has_value()) << one.wrong;
    EXPECT_THAT(read.error().message, AllOf(HasSubstr(one.complaint), testing::StartsWith("c:")));
  }
}

TEST(ResultFile, WritesTheSignOfADifferenceAsJsonDoes) {
  CaseReport report = named("c");
  for (const std::string word : {"0.01104", "-0.5", "0", "0.00", "0.00000015", "nan", ""}) {
    report.checks = {loss_check()};
    report.checks[0].delta = shown::value(word);
    report.checks[0].first_miss->delta = shown::value(word);
    const std::string text = write_case(report);
    EXPECT_THAT(text, Not(HasSubstr("\"delta\": \"+")));
    const auto read = read_case(text, "c");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->checks[0].delta, shown::value(word));
    EXPECT_EQ(read->checks[0].first_miss->delta, shown::value(word));
  }
}

TEST(ResultFile, CountsVerdicts) {
  EXPECT_THAT(write_result(small()), HasSubstr("\"cases\": 2,\n"));
  EXPECT_THAT(write_result(small()), HasSubstr("\"skipped\": 1,\n"));
  EXPECT_THAT(write_result(small()), HasSubstr("\"regressed\": 1,\n"));
  EXPECT_THAT(write_result(small()), HasSubstr("\"passed\": 0,\n    \"device_time_s\": 960.000,\n"));
}

TEST(ResultFile, SurvivesHostileTexts) {
  CaseReport report = named("c");
  report.reason = "bell \x07 quote \" bad \xC3\x28 nul " + std::string(1, '\0');
  report.artifacts = {{"", "x"}, {"\xFF", "y"}};
  const auto read = read_case(write_case(report), "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->reason, "bell \x07 quote \" bad \xEF\xBF\xBD( nul " + std::string(1, '\0'));
}

TEST(ResultFile, IsOneOfItsSchema) {
  EXPECT_EQ(invalid(write_result(small()), "gate.result.1.json"), "");
  Report stopped = small();
  stopped.cases[0].outcome = StoppedEarly{"step 3", 90s};
  stopped.cases[0].device_time_saved = 720500ms;
  EXPECT_EQ(invalid(write_result(stopped), "gate.result.1.json"), "");
  EXPECT_EQ(invalid(write_result(Report{}), "gate.result.1.json"), "");
}

TEST(ResultFile, IsNotOfItsSchemaWhenBroken) {
  auto broken = nlohmann::json::parse(write_result(small()));
  broken["cases"][0]["verdict"] = "fine";
  EXPECT_NE(invalid(broken.dump(), "gate.result.1.json"), "");
  broken = nlohmann::json::parse(write_result(small()));
  broken["cases"][0].erase("checks");
  EXPECT_NE(invalid(broken.dump(), "gate.result.1.json"), "");
  broken = nlohmann::json::parse(write_result(small()));
  broken["schema"] = "gate.result/2";
  EXPECT_NE(invalid(broken.dump(), "gate.result.1.json"), "");
}

TEST(ResultFile, PassesOverWhatNewerGatesAdd) {
  EXPECT_TRUE(read_result(R"({"schema": "gate.result/1", "weather": "fine", "cases": []})", "r").has_value());
}

TEST(ResultFile, NamesThePlaceOfWhatDoesNotFit) {
  EXPECT_EQ(error_of("[]"), "result.json:1:1: this must be an object, not a list");
  EXPECT_EQ(error_of("{}"), "result.json:1:1: \"schema\" is missing here");
  EXPECT_EQ(error_of(R"({"schema": "gate.result/9"})"),
            "result.json:1:12: unknown schema \"gate.result/9\"; this gate reads gate.result/1");
  EXPECT_EQ(
      error_of("{\"schema\": \"gate.result/1\", \"cases\": [\n{\"case\": \"c\", \"verdict\": \"fine\"}]}"),
      "result.json:2:26: unknown verdict \"fine\"");
  EXPECT_EQ(error_of("{\"schema\": \"gate.result/1\", \"cases\": [\n{\"case\": \"c\", \"verdict\": "
                     "\"passed\", \"outcome\": {\"kind\": \"x\"}}]}"),
            "result.json:2:56: unknown outcome \"x\"");
  EXPECT_EQ(error_of("{\"schema\": \"gate.result/1\", \"cases\": [\n{\"case\": \"c\", \"verdict\": "
                     "\"passed\", \"cause\": {\"name\": \"x\", \"class\": \"y\"}}]}"),
            "result.json:2:68: unknown class \"y\"");
  EXPECT_EQ(error_of("{\"schema\": \"gate.result/1\", \"duration_s\": 1e300}"),
            "result.json:1:43: \"duration_s\" is no plausible number of seconds");
  EXPECT_EQ(error_of("{\"schema\": \"gate.result/1\", \"cases\": [\n{\"case\": \"c\", \"verdict\": "
                     "\"passed\", \"checks\": [{\"metric\": \"m\", \"status\": \"?\"}]}]}"),
            "result.json:2:73: unknown status \"?\"");
  EXPECT_EQ(
      error_of("{\"schema\": \"gate.result/1\", \"cases\": [\n{\"case\": \"c\", \"verdict\": \"passed\","
               "\"remarks\": [{\"on\": [{\"metric\": \"m\", \"ranks\": \"4294967296\"}]}]}]}"),
      "result.json:2:80: no ranks: \"4294967296\"");
}

TEST(ResultFile, RoundTripsPolicyAndQuarantine) {
  Report report = small();
  report.policy = TrustedPolicy{
      "main",
      "abc",
      {{PolicyArea::header, PolicyShift::added, "judge", "", "exit", "scripts/a.sh:1:7", {"a"}}}};
  report.changed_since = "origin/main";
  report.strategy = "nightly";
  report.nothing_ok = true;
  report.rehearsal = true;
  report.cases[0].quarantine = Quarantine{"2026-12-31", "it spikes", "zhang"};
  const std::string text = write_result(report);
  EXPECT_EQ(invalid(text, "gate.result.1.json"), "");
  const Result<Report> read = read_result(text, "result.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(write_result(*read), text);
  EXPECT_EQ(read->strategy, "nightly");
  EXPECT_TRUE(read->rehearsal);
  ASSERT_TRUE(read->policy);
  EXPECT_EQ(read->policy->findings[0].shift, PolicyShift::added);
  EXPECT_EQ(read->cases[0].quarantine->owner, "zhang");
  EXPECT_THAT(text, AllOf(HasSubstr("\"quarantined\": 1"), HasSubstr("\"quarantined_red\": 1")));
}

}  // namespace
}  // namespace gate::schema::result_file_test
