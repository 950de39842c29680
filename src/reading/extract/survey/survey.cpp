// A log is surveyed in the order in which a person would read it: what is a table or JSON is read by its
// names; of the rest, shape by shape, those of the training before those of evaluations, the commonest first.
// Lines without a step of their own come last: their values belong to the step that was printed before them,
// if that is another one each time, or they are counted.
#include "gate/extract/survey.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

#include "extract/scan/line_shapes.h"
#include "extract/survey/json_lines.h"
#include "extract/survey/shape_survey.h"
#include "extract/survey/tables.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_shapes_read = 192;
constexpr std::size_t most_nameless = 5;  // shapes that are said
constexpr std::size_t fewest_lines = 5;
constexpr std::size_t fewest_of_accuracy = 2;  // and one evaluation
constexpr int last_of_accuracy = 3;

int best_place(const SurveyedShape& shape) {
  int place = 99;
  for (const PrintedNumber& number : shape.numbers)
    if (!number.guess.is_progress) place = std::min(place, number.guess.place);
  return place;
}

bool is_evaluation(const SurveyedShape& shape) {
  constexpr int place_of_evaluations = 2;
  return shape.is_of_evaluation || std::ranges::any_of(shape.numbers, [](const PrintedNumber& number) {
           return number.guess.place == place_of_evaluations;
         });
}

// Tell whether the shape is printed often enough; in a log of few lines each is.
bool is_common(const SurveyedShape& shape, std::size_t most) {
  const bool is_accuracy = best_place(shape) <= last_of_accuracy;
  const std::size_t fewest = !is_accuracy ? fewest_lines : is_evaluation(shape) ? 1 : fewest_of_accuracy;
  return shape.lines.size() >= std::min(fewest, most);
}

class LogSurveyor {
 public:
  explicit LogSurveyor(std::string_view text) : log_(text) {}

  LogSurvey survey() {
    if (auto json = survey_json(log_)) {
      survey_.json_step = json->step;
      survey_.lines.push_back(std::move(json->lines));
      taken_.insert(json->places.begin(), json->places.end());
    }
    if (auto table = find_table(log_)) {
      survey_.lines.push_back(survey_table(*table, log_));
      taken_.insert(table->lines.begin(), table->lines.end());
    }
    find_shapes();
    PatternChooser chooser(log_, shapes_);
    for (const SurveyedLines& lines : survey_.lines)
      for (const SurveyedMetric& metric : lines.metrics) chooser.take_name(metric.guess.metric.name);
    for (const SurveyedShape& shape : shapes_)
      if (!shape.is_rare && shape.places.has_step() && !shape.numbers.empty())
        add(of_few(shape, chooser.choose(shape)));
    for (SurveyedShape& shape : shapes_)
      if (!shape.is_rare && !shape.places.has_step()) survey_follower(shape, chooser);
    std::ranges::stable_sort(nameless_, std::greater{}, &SurveyedLines::lines);
    if (nameless_.size() > most_nameless) nameless_.resize(most_nameless);
    std::ranges::move(nameless_, std::back_inserter(survey_.lines));
    return std::move(survey_);
  }

 private:
  // What is printed seldom, and not read, is not worth a word.
  void add(SurveyedLines lines) {
    const bool is_read = !lines.metrics.empty() || !lines.left_out.empty();
    if (is_read || lines.lines >= static_cast<std::int64_t>(fewest_lines))
      survey_.lines.push_back(std::move(lines));
  }

  // Of lines that are printed seldom only what tells how good a model is counts.
  static SurveyedLines of_few(const SurveyedShape& shape, SurveyedLines lines) {
    if (!shape.is_of_few) return lines;
    std::erase_if(lines.metrics,
                  [](const SurveyedMetric& metric) { return metric.guess.place > last_of_accuracy; });
    lines.left_out.clear();
    return lines;
  }

  void find_shapes() {
    std::size_t most = 0;
    for (std::size_t i = 0; i < log_.shapes().size(); ++i) {
      if (taken_.contains(log_.shapes()[i].lines.front())) continue;
      SurveyedShape shape = survey_shape(log_, i);
      if (!shape.numbers.empty() || shape.places.has_step())
        shapes_.push_back(std::move(shape));
      else if (shape.lines.size() >= fewest_lines)
        nameless_.push_back({"",
                             std::string(shape.example()),
                             static_cast<std::int64_t>(log_.shapes()[i].lines.size()),
                             {},
                             {}});
    }
    for (const SurveyedShape& shape : shapes_)
      if (!shape.numbers.empty()) most = std::max(most, shape.lines.size());
    for (SurveyedShape& shape : shapes_) {
      shape.is_rare = !is_common(shape, most);
      shape.is_of_few = shape.lines.size() < std::min(fewest_lines, most);
    }
    std::ranges::stable_sort(shapes_, {}, [](const SurveyedShape& shape) {
      return std::tuple(shape.is_rare, shape.is_of_evaluation, best_place(shape),
                        -static_cast<std::int64_t>(shape.lines.size()));
    });
    if (shapes_.size() > most_shapes_read) shapes_.resize(most_shapes_read);
  }

  // Tell whether each of the lines has another step that was printed last before it, as far as steps are
  // known.
  static bool follows(const SurveyedShape& shape, const std::map<std::size_t, std::int64_t>& steps) {
    std::vector<std::int64_t> before;
    for (const std::size_t line : shape.lines) {
      const auto it = steps.lower_bound(line);
      if (it == steps.begin()) return false;
      if (it == steps.end() && before.size() > 1) break;
      before.push_back(std::prev(it)->second);
    }
    return before.size() > 1 && rises(before);
  }

  // Return a line that tells nothing but a step before each line of the shape: its step is read, too.
  const SurveyedShape* carrier_of(const SurveyedShape& shape,
                                  const std::map<std::size_t, std::int64_t>& steps) const {
    for (const SurveyedShape& other : shapes_) {
      if (!other.places.has_step() || other.places.pick != Pick::none || other.is_row) continue;
      std::map<std::size_t, std::int64_t> all = steps;
      for (std::size_t i = 0; i < other.lines.size(); ++i) all[other.lines[i]] = other.places.steps[i];
      if (follows(shape, all)) return &other;
    }
    return nullptr;
  }

  // The step of the carrier is read as a metric of its own: `(?P<value>(?P<step>\d+))`.
  static SurveyedLines carried(const SurveyedShape& shape, const PatternChooser& chooser) {
    const auto pattern = chooser.choose_carrier(shape);
    if (!pattern) return {};
    const std::string word(group_in(*pattern, shape.example(), "value"));
    const bool is_epoch =
        pattern->find("poch") != std::string::npos || pattern->find("轮") != std::string::npos;
    GuessedMetric guess = guess_metric(is_epoch ? "epoch" : "step", "");
    return {fold_numbers(shape.example()),
            std::string(shape.example()),
            static_cast<std::int64_t>(shape.lines.size()),
            {{guess, guess.metric.name, word, *pattern}},
            {}};
  }

  // Of lines that no step numbers only what is called an accuracy, a speed or memory is worth a rule, and no
  // bar that shows how fast something is loaded.
  static void drop_unknown(SurveyedLines& lines) {
    constexpr int place_of_schedules = 8;
    std::erase_if(lines.metrics, [](const SurveyedMetric& metric) {
      return metric.guess.metric.kind == MetricKind::other && metric.guess.place != place_of_schedules;
    });
    const bool is_bar = lines.metrics.size() == 1 && is_unit(lines.metrics.front().printed);
    if (is_bar) lines.metrics.clear();
    if (lines.metrics.empty()) lines.left_out.clear();
  }

  void survey_follower(SurveyedShape& shape, PatternChooser& chooser) {
    std::map<std::size_t, std::int64_t> steps = chooser.steps();
    steps.insert(carried_.begin(), carried_.end());
    bool is_numbered = follows(shape, steps);
    const SurveyedShape* const carrier = is_numbered ? nullptr : carrier_of(shape, steps);
    SurveyedLines lines = of_few(shape, chooser.choose(shape));
    if (!is_numbered && carrier == nullptr) drop_unknown(lines);
    if (lines.metrics.empty()) return add(std::move(lines));
    if (carrier != nullptr && carried_.empty())
      if (SurveyedLines own = carried(*carrier, chooser); !own.metrics.empty()) {
        survey_.lines.push_back(std::move(own));
        is_numbered = true;
        for (std::size_t i = 0; i < carrier->lines.size(); ++i)
          carried_[carrier->lines[i]] = carrier->places.steps[i];
      }
    if (is_numbered)
      for (SurveyedMetric& metric : lines.metrics) metric.guess.metric.numbered = Numbering::step;
    add(std::move(lines));
  }

  LogLines log_;
  LogSurvey survey_;
  std::set<std::size_t> taken_;  // lines that are read by their names
  std::vector<SurveyedShape> shapes_;
  std::vector<SurveyedLines> nameless_;          // numbers without a name
  std::map<std::size_t, std::int64_t> carried_;  // steps of a carrier, by line
};

}  // namespace

LogSurvey survey_log(std::string_view log) { return LogSurveyor(log).survey(); }

}  // namespace gate::extract
