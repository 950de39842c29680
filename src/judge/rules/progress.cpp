#include "judge/rules/progress.h"

#include <algorithm>

namespace gate::judge {

namespace {

std::int64_t reached(const Extraction& run) {
  std::int64_t last = 0;
  for (const Series& series : run.series)
    if (series.numbered() == Numbering::step && !series.empty())
      last = std::max(last, series.samples().last_number());
  return last;
}

std::optional<std::int64_t> demanded(const JudgeInput& question) {
  if (question.mode == Mode::series && question.reference.last_step) return question.reference.last_step;
  return question.steps ? question.steps : question.run.total;
}

bool was_stopped(const JudgeInput& question) {
  const auto is_one = [](const auto& outcome) {
    return std::holds_alternative<Interrupted>(outcome) || std::holds_alternative<StoppedEarly>(outcome) ||
           std::holds_alternative<PastDeadline>(outcome) || std::holds_alternative<GateFailed>(outcome);
  };
  return question.outcome && is_one(*question.outcome);
}

}  // namespace

Progress course_of(const JudgeInput& question) {
  Progress course{
      reached(question.run), demanded(question), question.outcome && !ended_well(*question.outcome), {}};
  const bool is_short = question.run.total && course.reached > 0 && course.reached < *question.run.total;
  if (is_short && !was_stopped(question)) course.announced = question.run.total;
  return course;
}

}  // namespace gate::judge
