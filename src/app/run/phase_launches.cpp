#include "app/run/phase_launches.h"

#include <iterator>
#include <vector>

#include "app/judging/phases.h"
#include "app/run/run_candidate.h"
#include "gate/base/text.h"
#include "gate/config/phases.h"

namespace gate::app {

namespace {

// Tell whether a further phase can go on from what there is: a run that is out of tolerance can, too.
bool can_go_on(const LaunchResult& launched, Verdict verdict) {
  return launched.has_ended_well() &&
         (verdict == Verdict::passed || verdict == Verdict::regressed || verdict == Verdict::unjudged);
}

class PhaseLaunches {
 public:
  PhaseLaunches(CaseRunner& runner, const PlannedCase& planned, Purpose purpose, int number,
                const std::string& today, LaunchResult& first, CaseReport& report)
      : runner_(runner),
        session_(runner.session()),
        planned_(planned),
        purpose_(purpose),
        number_(number),
        today_(today),
        first_(first),
        report_(report) {}

  void launch_all() {
    done_.push_back(first_);
    Verdict verdict = report_.verdict;
    const config::Settings& settings = planned_.spec->settings;
    for (std::size_t phase = 1; phase < config::count_starts(settings); ++phase) {
      const std::string name = config::phase_name(settings, phase);
      const std::string before = "phase " + config::phase_name(settings, phase - 1);
      if (!can_go_on(done_.back(), verdict))
        return leave_out_phase(report_, "phase " + name + " was not started: " + before + " is " +
                                            std::string(to_string(verdict)));
      // Nobody can say what a phase behind it would go on from.
      if (const std::string& torn = done_.back().torn_checkpoint; !torn.empty())
        return leave_out_phase(report_, before + " left a torn checkpoint: " + torn);
      verdict = launch(phase, name);
    }
  }

 private:
  // The step of that which the phase goes on after, where it lies in the case's folder for them.
  std::optional<std::int64_t> checkpoint_for(std::size_t phase) const {
    if (const std::optional<int> from = config::phase_at(planned_.spec->settings, phase).from) return *from;
    return planned_.spec->file.goes_on_from_data ? std::nullopt : done_.back().checkpoint;
  }

  // Returns the verdict of the phase alone.
  Verdict launch(std::size_t phase, const std::string& name) {
    const config::Settings& settings = planned_.spec->settings;
    const std::optional<std::size_t> against = config::phase_against(settings, phase);
    const JudgedAgainst other =
        against ? judged_against_phase(config::phase_name(settings, *against), done_[*against].extraction)
                : planned_.against;
    const config::Case spec = case_of_phase(*planned_.spec, phase, other.reference);
    const std::optional<std::int64_t> checkpoint = checkpoint_for(phase);
    PlannedCase start = planned_;
    start.spec = &spec;
    start.phase = phase;
    start.against = other;
    // Where it is not known at which step the phase begins, nothing that it lacks is certain while it runs.
    if (checkpoint)
      start.against.reference = reference_behind(other.reference, first_.extraction, *checkpoint);
    session_.tell(planned_.spec->name, "phase " + name);
    LaunchResult launched = runner_.launch(planned_, checkpoint ? purpose_ : Purpose::repeating, number_,
                                           Launchable{session_.suite(), start});
    CaseReport judged = judge_phase(
        {spec, phase, other, first_.extraction, checkpoint, launched.extraction, launched.outcome},
        planned_.placement.platform, today_, runner_.partners(planned_));
    judged.last_words = launched.last_words;
    session_.remember(keep_series(candidate_of(start, launched), launched));
    first_.add(launched, name);
    first_.further_phases.push_back(launched.extraction);
    const Verdict verdict = judged.verdict;
    add_phase(report_, std::move(judged), name);
    done_.push_back(std::move(launched));
    return verdict;
  }

  CaseRunner& runner_;
  RunSession& session_;
  const PlannedCase& planned_;
  Purpose purpose_;
  int number_;
  const std::string& today_;
  LaunchResult& first_;
  CaseReport& report_;
  std::vector<LaunchResult> done_;  // of each phase so far, in their order
};

}  // namespace

void launch_further_phases(CaseRunner& runner, const PlannedCase& planned, Purpose purpose, int number,
                           const std::string& today, LaunchResult& first, CaseReport& report) {
  PhaseLaunches(runner, planned, purpose, number, today, first, report).launch_all();
  runner.drop_checkpoints(planned, number, first);
}

}  // namespace gate::app
