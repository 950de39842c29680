#include "runner/course/phase_launches.h"

#include "gate/config/phases.h"
#include "gate/judging/judged_phases.h"
#include "gate/places/further_case.h"
#include "gate/places/post_launch.h"
#include "gate/words/values.h"

namespace gate::app {

namespace {

// Tell whether a further phase can go on from what there is: a run that is out of tolerance can, too.
bool can_go_on(const Measured& last) {
  const Verdict verdict = last.report.verdict;
  return last.launched.has_ended_well() &&
         (verdict == Verdict::passed || verdict == Verdict::regressed || verdict == Verdict::unjudged);
}

void put_into(Measured& run, Measured last) {
  const PlannedCase& what = *last.launch.what;
  const std::string name = config::phase_name(what.spec->settings, what.phase);
  join_missing_artifacts(what.spec->settings.artifacts, run.launched, last.launched);
  run.launched.add(last.launched, name);
  run.launched.further_phases.push_back(std::move(last.launched.extraction));
  add_phase(run.report, std::move(last.report), name);
}

NextLaunch launch_of(const PlannedCase& planned, const Measured& run, std::size_t phase,
                     std::optional<std::int64_t> checkpoint) {
  const config::Settings& settings = planned.spec->settings;
  const Extraction& first = run.launched.extraction;
  const std::optional<std::size_t> other = config::phase_against(settings, phase);
  const JudgedAgainst against =
      other ? judged_against_phase(config::phase_name(settings, *other),
                                   *other == 0 ? first : run.launched.further_phases[*other - 1])
            : planned.against;
  const auto what = with_spec(planned, case_of_phase(*planned.spec, phase, against.reference));
  what->phase = phase;
  what->against = against;
  // Where it is not known at which step the phase begins, nothing that it lacks is certain while it runs.
  if (checkpoint) what->against.reference = reference_behind(against.reference, first, *checkpoint);
  return {.number = run.launch.number,
          .purpose = checkpoint ? run.launch.purpose : Purpose::repeating,
          .leaves_checkpoints = true,
          .announced = say({"phase {}", "阶段 {}"}, config::phase_name(settings, phase)),
          .what = what,
          .suite = nullptr,
          .phase = PhaseStart{against, checkpoint}};
}

}  // namespace

std::optional<NextLaunch> next_phase(const PlannedCase& planned, Measured& run, Measured last) {
  const config::Settings& settings = planned.spec->settings;
  const bool has_further = last.launch.leaves_checkpoints, goes_on = can_go_on(last);
  const Sentence verdict = words::verdict_text(last.report.verdict), torn = last.launched.torn_checkpoint;
  const std::optional<std::int64_t> newest = last.launched.checkpoint;
  if (last.launch.phase)
    put_into(run, std::move(last));
  else
    run = std::move(last);
  const std::size_t phase = run.launched.further_phases.size() + 1;
  if (!has_further || phase >= config::count_starts(settings)) return std::nullopt;
  const std::string before = config::phase_name(settings, phase - 1);
  const auto leave_out = [&](const Sentence& why) {
    leave_out_phase(run.report, why);
    return std::nullopt;
  };
  if (!goes_on)
    return leave_out(say({"phase {} was not started: phase {} is {}", "阶段 {} 没有启动：阶段 {} 的结果是{}"},
                         config::phase_name(settings, phase), before, verdict));
  // Nobody can say what a phase behind it would go on from.
  if (!torn.empty())
    return leave_out(
        say({"phase {} left a torn checkpoint: {}", "阶段 {} 留下了残缺的检查点：{}"}, before, torn));
  std::optional<std::int64_t> from = config::phase_at(settings, phase).from;
  if (!from && !planned.spec->file.goes_on_from_data) from = newest;
  return launch_of(planned, run, phase, from);
}

}  // namespace gate::app
