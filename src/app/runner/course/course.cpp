#include "runner/course/course.h"

#include "gate/judging/judged_phases.h"
#include "gate/places/further_case.h"
#include "gate/places/post_launch.h"
#include "gate/words/values.h"
#include "runner/course/phase_launches.h"

namespace gate::app {

CaseReport CourseRow::judged(const NextLaunch& launch, const LaunchResult& launched,
                             const Partners& partners) const {
  if (is_judging()) return by_rules(*planned_.spec, launched, partners);
  CaseReport report = measured_case(*launch.of(planned_).spec, launched.extraction, launched.outcome,
                                    planned_.placement.platform, today_);
  report.environment = planned_.against.environment;
  return report;
}

CaseReport CourseRow::by_rules(const config::Case& spec, const LaunchResult& launched,
                               const Partners& partners, std::span<const Extraction* const> further) const {
  return judge_case(spec, planned_.against, launched.extraction, launched.outcome,
                    planned_.placement.platform, today_, partners, further);
}

NextLaunch Course::numbered(NextLaunch launch) {
  launch.number = ++past_.count;
  launch.leaves_checkpoints = is_judged(launch) && planned().spec->settings.phases.size() > 1;
  return launch;
}

CaseReport Course::judged(const NextLaunch& launch, const LaunchResult& launched,
                          const Partners& partners) const {
  if (launch.purpose == Purpose::explaining) return {};
  if (!launch.phase) return row_.judged(launch, launched, partners);
  CaseReport report =
      judge_phase({*launch.what->spec, launch.what->phase, launch.phase->against, run_.launched.extraction,
                   launch.phase->checkpoint, launched.extraction, launched.outcome},
                  planned().placement.platform, row_.today(), partners);
  report.last_words = launched.last_words;
  return report;
}

CourseStep Course::next(Measured last, const Standstill& now) {
  if (done_) {
    join_missing_artifacts(planned().spec->settings.artifacts, done_->report, last.launched);
    add_further_run(done_->report, wanted_, last.launch.number, last.launched);
    return *std::move(done_);
  }
  if (std::optional<NextLaunch> phase = next_phase(planned(), run_, std::move(last)))
    return *std::move(phase);
  run_.report.add(run_.launched);
  for (const Sentence& note : past_.notes) run_.report.notes.push_back(plain_note(note));
  CourseStep step = after(std::exchange(run_, {}), now);
  if (auto* launch = std::get_if<NextLaunch>(&step)) return numbered(std::move(*launch));
  auto* done = std::get_if<Done>(&step);
  if (done == nullptr || !row_.is_judging() || now.of_case() || now.has_lost_its_host) return step;
  wanted_ = wanted_after(*planned().spec, done->report, row_.today());
  if (!wanted_.further.is_wanted()) {
    leave_artifacts_to_further(done->report, *planned().spec);
    return step;
  }
  done_ = std::move(*done);
  NextLaunch further = numbered({.purpose = Purpose::explaining, .keeps_series = false});
  further.what = further_case(planned(), wanted_.further);
  further.announced =
      say({"{}; {} follows, which is not judged", "{}；接着是{}，它不参与判定"},
          words::verdict_text(done_->report.verdict), further_run_words(wanted_, further.number));
  return further;
}

// A run that is infra is launched again, as often as --retry-infra allows: what the host did may go better
// the next time. The first run may go on elsewhere where its host is lost.
CourseStep Course::after(Measured run, const Standstill& now) {
  const auto tries = std::ssize(past_.notes) + 1;
  const bool elsewhere = now.has_lost_its_host;
  const Sentence reason = run.report.reason;
  if (run.report.verdict != Verdict::infra || tries > retries_ || now.of_run ||
      (elsewhere && !(is_first_ && now.can_run_elsewhere))) {
    past_.notes.clear();
    is_first_ = false;
    return row_.next(std::move(run), now);
  }
  past_.notes.push_back(say({"try {} was infra: {}", "第 {} 次启动是环境故障：{}"}, tries, reason));
  const Sentence announced =
      say({"infra: {}; trying again{} ({} of {})", "环境故障：{}；{}再次启动（第 {} 次，共 {} 次）"}, reason,
          elsewhere ? say({" on another host", "在另一台主机上"}) : Sentence(), tries, retries_);
  if (elsewhere) return Elsewhere{std::get<Done>(row_.next(std::move(run), now)).report, past_, announced};
  NextLaunch again = row_.begin();
  again.announced = announced;
  return again;
}

}  // namespace gate::app
