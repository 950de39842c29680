// What a case launches next: each way to launch it again, by how its launches end.
#include "runner/course/course.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "course_rows.h"
#include "gate/extract/extractor.h"
#include "gate/judging/read_logs.h"
#include "made_up_host.h"
#include "runner/course/rows.h"

namespace gate::app::course_test {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// What a launch plays, by one word. The baseline has three steps of 100 ms each; 105 is the limit.
Play play_of(const std::string& word, std::optional<int>& signal) {
  const auto log = [](std::vector<std::string> losses, std::string time, int total = 0, int first = 1) {
    return Play{TrainingLog{std::move(losses), std::move(time), total, first}.text()};
  };
  const auto timed = [](std::string time) { return Play{TrainingLog{.time = std::move(time)}.text()}; };
  if (word == "ok") return {};
  if (word == "slow") return timed("109.0");
  if (word == "near") return timed("104.0");
  if (word == "fast") return timed("90.0");
  if (word == "nan") return timed("nan");
  if (word == "wrong") return log({"2.500000E+00", "2.400000E+00", "2.400000E+00"}, "100.0");
  if (word == "odd") return log({"2.500000E+00", "2.400001E+00", "2.300000E+00"}, "100.0");
  if (word == "short") return log({"2.500000E+00"}, "100.0", 3);
  if (word == "from2") return log({"2.400000E+00", "2.300000E+00"}, "100.0", 0, 2);
  if (word == "bad2") return log({"2.400000E+00", "2.300001E+00"}, "100.0", 0, 2);
  if (word == "mute")
    return {replaced(TrainingLog().text(), " elapsed time per iteration (ms): 100.0 |", "")};
  if (word == "empty") return {""};
  if (word == "crash") return {"", Exited{3}};
  if (word == "late") return {TrainingLog().text(), Exited{3}};
  if (word == "infra") return {.outcome = NotStarted{"no more processes"}};
  if (word == "changed") return {.outcome = ScriptChanged{"c.sh: run again"}};
  if (word == "stop") return {.outcome = Interrupted{15}, .meanwhile = [&signal] { signal = 15; }};
  ADD_FAILURE() << word;
  return {};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// What is asked of a case: `repeat 2 retry 1`.
struct Asked {
  RunOptions options = {};
  std::string settings = {};
  bool records = false;
};

Asked asked_by(const std::string& text) {
  Asked asked;
  const std::vector<std::string> words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int count = i + 1 < words.size() ? std::atoi(words[i + 1].c_str()) : 0;
    if (words[i] == "repeat") asked.settings += "repeat = " + std::to_string(count) + "\n";
    if (words[i] == "confirm") asked.options.confirm = count;
    if (words[i] == "determinism") asked.options.determinism = count;
    if (words[i] == "retry") asked.options.retry_infra = count;
    if (words[i] == "phases") asked.settings += "phases = ['full', 'resume']\n";
    if (words[i] == "further") asked.settings += "further.args = ['--red']\n";
    if (words[i] == "slow_further") asked.settings += "further = { on = 'slow', args = ['--slow'] }\n";
    if (words[i] == "record") asked.options.record = count;
    asked.records |= words[i] == "record";
  }
  return asked;
}

// `passed | 2 checks passed | log log-2`
std::string told_of(const CaseReport& report) {
  std::vector<std::string> logs;
  for (const auto& [name, path] : report.artifacts)
    if (name.starts_with("log")) logs.push_back(name);
  return std::string(to_string(report.verdict)) + " | " + report.reason.english() + " | " + join(logs, " ");
}

Extraction extraction_of(const std::string& log) {
  extract::Extractor extractor = *extract::Extractor::make({});
  extractor.feed(log);
  return extractor.finish();
}

// Goes through the course of a case whose launches come to `plays`; the last one plays on. Behind a word
// stands what keeps further ones from starting: `ok/stop` the run, `ok/held` the case, `infra/lost` the host
// is lost, `infra/gone` and all others are. Returns the launches, and what they come to: `j1 | passed | 2
// checks passed | log`.
std::string course_of(const std::string& text, const std::string& plays, const PastLaunches& past = {}) {
  const Asked asked = asked_by(text);
  const config::Policy policy = config::Policy::parse("[case.c]\n" + asked.settings, "gate.toml").value();
  const config::Case spec = policy.resolve({"c", "c.sh", "", {}}).value();
  PlannedCase planned;
  planned.spec = &spec;
  planned.placement.platform = "cpu";
  planned.against.reference =
      make_reference(make_candidate(spec, "cpu", extraction_of(TrainingLog().text()), {}), "c.json");
  const auto row = judging_row(planned, asked.options, "2026-03-01");
  Course course(*row, asked.options.retry_infra, past);
  const std::vector<std::string> words = words_of(plays);
  std::string launches;
  CourseStep step = course.begin();
  for (std::size_t i = 0; std::holds_alternative<NextLaunch>(step) && i < 20; ++i) {
    Measured measured;
    measured.launch = std::get<NextLaunch>(step);
    const std::string number = std::to_string(measured.launch.number);
    launches += "jcrbx"[static_cast<int>(measured.launch.purpose)] + number;
    if (measured.launch.phase) launches += ".resume";
    const std::string& word = words[std::min(i, words.size() - 1)];
    const std::size_t slash = std::min(word.find('/'), word.size());
    const std::string end = word.substr(slash);
    std::optional<int> signal;
    const Play play = play_of(word.substr(0, slash), signal);
    measured.launched.outcome = play.outcome;
    if (was_launched(play.outcome)) measured.launched.extraction = extraction_of(play.log);
    measured.launched.artifacts["log"] = number;
    measured.report = course.judged(measured.launch, measured.launched, {});
    Standstill now{.of_run = end == "/stop", .is_interrupted = end == "/held", .why = end};
    if (std::holds_alternative<Interrupted>(play.outcome)) now = {.of_run = true, .is_interrupted = true};
    now.has_lost_its_host = end == "/lost" || end == "/gone";
    now.can_run_elsewhere = end != "/gone";
    step = course.next(std::move(measured), now);
    launches += " ";
  }
  if (const auto* elsewhere = std::get_if<Elsewhere>(&step))
    return launches + "elsewhere " + std::to_string(elsewhere->past.count) + " (" +
           join(texts_of(elsewhere->past.notes, &Sentence::english), "; ") + ") | " +
           told_of(elsewhere->report);
  return launches + "| " + told_of(std::get<Done>(step).report);
}

// A row's text with what the judge says written out.
std::string spelled(std::string text) {
  const std::pair<const char*, const char*> words[] = {
      {"ALL", "2 checks passed"},
      {"SLOW", "iteration_time mean of steps 2 and 3 100.0 -> 109.0 (+9 %), limit 105.0"},
      {"WRONG", "lm_loss out of ±0.01 first at step 3 (2.300000 -> 2.400000, |Δ| 0.100000, 1 of 3)"},
      {"BAD2", "lm_loss out of exact first at step 3 (2.300000 -> 2.300001, |Δ| 0.000001, 1 of 2)"},
      {"INFRA", "not started: no more processes"}};
  for (const auto& [word, meaning] : words) text = replaced(std::move(text), word, meaning);
  return text;
}

// A row: what is asked, what the launches play, and what comes of it.
struct CourseTestRow {
  std::string asked, plays, told;
};

std::vector<CourseTestRow> rows_of(const std::string& table) {
  std::vector<CourseTestRow> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::size_t plays = line.find(" | "), told = line.find(" | ", plays + 1);
    rows.push_back(
        {line.substr(0, plays), line.substr(plays + 3, told - plays - 3), spelled(line.substr(told + 3))});
  }
  return rows;
}

// Without spaces at its end.
std::string trimmed_end(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

TEST(Course, LaunchesWhatEachRowSays) {
  const std::vector<CourseTestRow> rows = rows_of(course_rows);
  EXPECT_GE(rows.size(), 150u);
  for (const auto& [asked, plays, told] : rows)
    EXPECT_EQ(trimmed_end(course_of(asked, plays)), told) << asked << " | " << plays;
}

TEST(Course, CountsWhatItLeftOnLostHosts) {
  EXPECT_EQ(course_of("retry 2", "infra ok", {1, {"try 1 was infra: gone"}}),
            "j2 j3 | passed | 2 checks passed | log");
  EXPECT_EQ(course_of("retry 1", "infra ok", {1, {"try 1 was infra: gone"}}),
            spelled("j2 | infra | INFRA | log"));
  EXPECT_EQ(course_of("repeat 2 retry 1", "ok infra ok", {1, {"try 1 was infra: gone"}}),
            "r2 r3 r4 | passed | 2 checks passed | log log-4");
}

// The same through a whole run: its devices, its folder, its events.
class CourseOnHost : public MadeUpHost {
 protected:
  // Returns it behind how many launches there were.
  std::string told(const CourseTestRow& row) {
    const Asked asked = asked_by(row.asked);
    policy("[case.c]\n" + asked.settings);
    signal.reset();
    runner.forget();
    std::vector<Play> plays;
    for (const std::string& word : words_of(row.plays)) plays.push_back(play_of(word, signal));
    runner.plays("c", std::move(plays));
    const Answer<Report> report = asked.records ? record_cases(asked.options) : run_cases(asked.options);
    if (!report) return report.error().message;
    return std::to_string(runner.launched().size()) + " | " + told_of(report->cases.front());
  }
};

TEST_F(CourseOnHost, IsWhatTheCourseSays) {
  recorded("c");
  std::size_t row = 0;
  for (const CourseTestRow& one : rows_of(course_rows)) {
    if (one.plays.find('/') != std::string::npos || row++ % 19 != 0) continue;
    const std::size_t bar = one.told.find("| ");
    const auto launches = std::ranges::count(one.told.substr(0, bar), ' ');
    EXPECT_EQ(trimmed_end(told(one)), std::to_string(launches) + " " + one.told.substr(bar))
        << one.asked << " | " << one.plays;
  }
}

TEST_F(CourseOnHost, RecordsWhatEachRowSays) {
  script("c");
  for (const CourseTestRow& one : rows_of(recording_rows))
    EXPECT_EQ(trimmed_end(told(one)), one.told) << one.asked << " | " << one.plays;
}

}  // namespace
}  // namespace gate::app::course_test
