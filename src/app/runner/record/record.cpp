#include <algorithm>

#include "gate/base/text.h"
#include "gate/config/tolerance_edit.h"
#include "gate/judge/noise.h"
#include "gate/judging/read_logs.h"
#include "gate/judging/refusals.h"
#include "gate/runner/run.h"
#include "runner/course/candidate.h"
#include "runner/session/case_runner.h"

namespace gate::app {

namespace {

// Takes what `accept` would refuse of the candidate for a bad recording; what is red under the case's rules
// somebody may want, and tells it.
void weigh_recording(CaseReport& report, const Baseline& candidate, const config::Case& spec,
                     const std::string& today) {
  if (report.verdict != Verdict::passed) return;
  if (const std::optional<Refusal> flaw = flaw_of_recording(candidate, spec)) {
    report.verdict = Verdict::unjudged;
    report.reason = as_is(flaw->name) + colon + flaw->text;
    return;
  }
  const Sentence red = red_reason_of(spec, judge_candidate(spec, {}, candidate, today));
  if (!red.empty())
    report.notes.push_back(
        plain_note(say({"its own rules call it red, so accept takes it by its exact name alone: {}",
                        "按用例自己的规则它是红，所以只有写出完整名字，accept 才接受：{}"},
                       red)));
}

// Readings, many as they are, are kept in a baseline only where a rule asks for them; and none of gate's own
// of a launch that is shorter than the time between two: it has some by chance, and the next one may have
// none.
Baseline without_idle_readings(Baseline candidate, const config::Case& spec, Duration lasted) {
  const bool is_short = lasted < std::chrono::seconds(spec.settings.sample);
  const auto is_asked = [&](const std::string& metric) {
    return std::ranges::find(spec.rules, metric, &Rule::metric) != spec.rules.end();
  };
  for (BaselineRun& run : candidate.runs)
    std::erase_if(run.series, [&](const Series& series) {
      const bool is_of_gate = spec.metrics.get(series.metric()).measured_by == MeasuredBy::gate;
      return series.numbered() == Numbering::time && (!is_asked(series.metric()) || (is_of_gate && is_short));
    });
  return candidate;
}

// The row of a case that is recorded `wanted` times. A run that did not end well, or did not print the steps
// that it announced, ends it. Values that are no numbers in any run, and runs that do not hold the same
// series and steps, make it bad as well. Logs and series of each are kept; with several runs the series
// beside the first log are those of all. The report is that of the last run; passed where the recording is
// good.
class Recording : public CourseRow {
 public:
  Recording(const PlannedCase& planned, const std::string& today, int wanted)
      : CourseRow(planned, today), wanted_(wanted) {}

  bool is_judging() const override { return false; }
  NextLaunch begin() const override { return {.purpose = Purpose::recording}; }

  CourseStep next(Measured run, const Standstill& now) override {
    add(without_idle_readings(candidate_of(planned_, run.launched), *planned_.spec, run.launched.duration));
    runs_.push_back(std::move(run.launched));
    CaseReport& report = run.report;
    const bool is_over = std::ssize(runs_) >= wanted_;
    if (report.verdict == Verdict::passed && !is_over && !now.of_run) return begin();
    if (report.verdict == Verdict::passed && !is_over) {
      report.verdict = Verdict::not_run;
      report.reason = say({"no further run could start: {}", "无法再启动运行：{}"}, now.why);
    }
    if (report.verdict != Verdict::passed && wanted_ != 1)
      report.reason =
          say({"run {} of {}: {}", "第 {} 次运行（共 {} 次）：{}"}, runs_.size(), wanted_, report.reason);
    weigh_recording(report, candidate_, *planned_.spec, today());
    for (std::size_t i = 0; i + 1 < runs_.size(); ++i) report.add(runs_[i], std::to_string(i + 1));
    if (runs_.size() == 1 || candidate_.runs.front().series.empty()) return Done{std::move(report)};
    return Done{std::move(report), candidate_, "log-1"};
  }

  // One run for each launch; without series where nothing was measured.
  const Baseline& candidate() const { return candidate_; }

 private:
  void add(Baseline own) {
    if (candidate_.runs.empty())
      candidate_ = std::move(own);
    else
      add_runs(candidate_, std::move(own));
  }

  const int wanted_;
  Baseline candidate_;
  std::vector<LaunchRecord> runs_;
};

// The noise of all cases that were recorded well.
class SuiteNoise {
 public:
  // Count the case, and put what its noise means into the report.
  void add(const PlannedCase& planned, const Baseline& candidate, CaseReport& report) {
    const config::Case& spec = *planned.spec;
    const std::vector<judge::Noise> all =
        judge::assess(spec.rules, spec.metrics,
                      with_derived(spec, make_reference(candidate, ""), planned.placement.platform, {}),
                      planned.placement.platform);
    for (Note& note : judge::noise_notes(all)) report.notes.push_back(std::move(note));
    constexpr int least_runs = 3;  // of two, s says next to nothing
    for (Sentence& line : config::lines_to_paste(spec.name, all, least_runs))
      report.notes.push_back(plain_note(std::move(line)));
    ++cases_;
    if (candidate.runs.size() > 1) ++known_;
    for (const judge::Noise& noise : all) rates_.push_back(noise.rate.value_or(0));
  }

  // Return `70 cases: one false failure in two nights`; "" for one case, whose own lines say it.
  Sentence text() const {
    if (cases_ < 2) return {};
    return count_of(cases_, "case", "个用例") + colon +
           (known_ == 0 ? say({"the noise between runs is not known; record --runs 3",
                               "运行之间的噪声未知；请用 record --runs 3 录制"})
                        : judge::nights_text(judge::any_of(rates_)));
  }

 private:
  std::vector<double> rates_;
  std::int64_t cases_ = 0, known_ = 0;
};

void write_and_tell(const Suite& suite, const Baseline& candidate, CaseReport& report) {
  const Status written = store::write_candidate(suite.layout, candidate);
  if (!written) {
    report.verdict = Verdict::infra;
    report.reason = written.error().message;
    return;
  }
  report.artifacts["candidate"] = store::candidate_path(suite.layout, store::place_of(candidate)).string();
  if (report.verdict == Verdict::passed)
    report.notes.push_back(plain_note(say(
        {"candidate written; look: gate baseline diff {0}; accept: gate baseline accept {0} --reason \"...\"",
         "候选基线已写入；查看：gate baseline diff {0}；接受：gate baseline accept {0} --reason \"...\""},
        shell_quote(report.name))));
}

}  // namespace

Answer<Report> record(const Suite& suite, const RunOptions& options, Environment& environment) {
  GATE_TRY(RunPlan plan, make_plan(suite, options, environment, Sending::yes, Bonds::after));
  if (plan.is_rehearsal())
    return refused("a rehearsal makes no baseline: leave " + suite.rehearsal->origin +
                   " out, or name --platform cpu");
  plan.orphans.clear();
  JudgedAgainst nothing;
  nothing.environment = suite.environment;
  for (PlannedCase& planned : plan.cases) planned.against = nothing;
  GATE_TRY(RunSession session, RunSession::create(suite, options, plan, "record", environment));
  GATE_TRY(CaseRunner runner, CaseRunner::open(session));
  const std::string today = to_iso(environment.now()).substr(0, 10);
  SuiteNoise noise;
  const auto record_one = [&](const PlannedCase& planned, const PastLaunches&) {
    Recording recording(planned, today, planned.is_taken_along ? 1 : options.record);
    Course course(recording);
    CaseReport report = runner.follow(course);
    const Baseline& candidate = recording.candidate();
    const bool is_cut_short = report.verdict == Verdict::not_run;
    if (planned.is_taken_along || is_cut_short || candidate.runs.front().series.empty()) return report;
    write_and_tell(suite, candidate, report);
    if (report.verdict == Verdict::passed) noise.add(planned, candidate, report);
    return report;
  };
  return runner.run_all(record_one, [&] { return noise.text(); });
}

}  // namespace gate::app
