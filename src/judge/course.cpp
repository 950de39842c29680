#include "judge/course.h"

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

std::optional<std::int64_t> demanded(const Question& question) {
  if (question.mode == Mode::series && question.reference.last_step) return question.reference.last_step;
  return question.steps ? question.steps : question.run.total;
}

}  // namespace

Course course_of(const Question& question) {
  return {reached(question.run), demanded(question), question.outcome && !ended_well(*question.outcome)};
}

}  // namespace gate::judge
