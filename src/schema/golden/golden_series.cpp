#include "schema/golden/golden_series.h"
#include "gate/model/step_set.h"

#include <algorithm>

namespace gate::schema {

namespace {

constexpr std::int64_t max_step = 1'000'000'000'000'000;

struct Step {
  std::int64_t number;
  const Json* value;
};

std::vector<Step> steps_of(const Json& object, std::int64_t zero, Complaints& complaints) {
  std::vector<Step> steps;
  for (const Json& member : object.items) {
    const auto number = parse_integer(member.key);
    if (number && *number >= 0 && *number <= max_step)
      steps.push_back({*number + zero, &member});
    else
      complaints.add(member.key_at,
                     "\"" + printable(member.key, 40) + "\" is no step: a whole number is expected");
  }
  std::ranges::stable_sort(steps, {}, &Step::number);
  return steps;
}

std::string taken_as(std::size_t count, Positions positions) {
  if (count == 0) return "an empty list, nothing to compare with";
  const std::int64_t last =
      positions.start + static_cast<std::int64_t>(count - 1) * std::int64_t{positions.interval};
  std::string steps(no_steps);
  steps += count == 1 ? "step " : "steps ";
  steps += std::to_string(positions.start);
  if (count == 1) return steps;
  const bool by_one = positions.interval == 1;
  steps += count == 2 && !by_one ? ", " : "-";
  steps += std::to_string(last);
  if (count > 2 && !by_one) steps += " by " + std::to_string(positions.interval);
  return steps;
}

// Return the texts in the place of numbers that say more than nan; "" where there are none.
std::string odd_texts(const Json& values) {
  for (const Json& value : values.items)
    if (value.kind == Json::Kind::text && to_lower(value.text) != "nan")
      return ", text \"" + printable(value.text, 40) + "\" among them";
  return "";
}

std::string left_out(const Json& json, const Json& values, const Series& series) {
  const auto numbers = series.unrecorded();
  const auto count = static_cast<std::int64_t>(numbers.size());
  return printable(json.key, 80) + ": " + count_of(count, "value") + " not recorded (nan or null" +
         odd_texts(values) + "), left out: " + std::string(to_string(series.numbered())) +
         (count > 1 ? "s " : " ") + printable(to_string(StepSet(numbers)), 60);
}

std::string no_value(const Json& json, Texts unrecorded) {
  const std::string what = json.kind == Json::Kind::text ? "\"" + printable(json.text, 40) + "\""
                                                         : std::string(to_string(json.kind));
  return "a value must be a number or " + std::string(unrecorded == Texts::any ? "a text like " : "") +
         "\"nan\", not " + what;
}

}  // namespace

Series GoldenSeries::start(const Json& json, const GoldenMetric& metric, Numbering numbered) {
  const std::string key = "\"" + printable(json.key, 80) + "\"";
  if (metric.name.empty()) complaints_->add(json.key_at, key + " names no metric");
  if (!names_.insert(metric.name).second)
    complaints_->add(json.key_at,
                     key + " is a second series of " + printable(metric.name, 80) + "; remove one of them");
  return {metric.name, std::nullopt, metric.unit, numbered};
}

void GoldenSeries::append(Series& series, std::int64_t number, const Json& json, const GoldenMetric& metric) {
  const auto value = parse_value(json.text);
  const bool is_text = json.kind == Json::Kind::text;
  if (json.kind == Json::Kind::null && null_.empty())
    null_ = metric.name + ": " + std::string(to_string(series.numbered())) + " " + std::to_string(number);
  if (json.kind == Json::Kind::null ||
      (is_text && (unrecorded_ == Texts::any || (value && !value->is_finite()))))
    return series.mark_unrecorded(number);
  if (json.kind != Json::Kind::number) return complaints_->add(json.at, no_value(json, unrecorded_));
  const auto in_unit = value ? in_gate_unit(value->number, metric) : std::nullopt;
  if (!in_unit)
    return complaints_->add(json.at, printable(json.text, 40) + " has more digits than gate can count");
  series.append({number, {ValueKind::finite, *in_unit}, json.text});
}

void GoldenSeries::finish(const Json& key, const Json& values, Series series) {
  if (!series.unrecorded().empty()) left_out_.push_back(left_out(key, values, series));
  if (!series.empty() || !series.unrecorded().empty()) series_.push_back(std::move(series));
}

void GoldenSeries::add_list(const Json& key, const Json& list, const GoldenMetric& metric,
                            Positions positions) {
  Series series = start(key, metric, Numbering::step);
  series.set_assumed(true);
  std::int64_t step = positions.start;
  for (const Json& item : list.items) {
    append(series, step, item, metric);
    step += positions.interval;
  }
  taken_[taken_as(list.items.size(), positions)].push_back(printable(key.key, 80));
  finish(key, list, std::move(series));
}

void GoldenSeries::add_steps(const Json& key, const Json& steps, const GoldenMetric& metric,
                             std::int64_t zero) {
  Series series = start(key, metric, Numbering::step);
  std::int64_t before = -1;
  for (const Step& step : steps_of(steps, zero, *complaints_)) {
    if (step.number == before)
      complaints_->add(step.value->key_at,
                       "step " + std::to_string(step.number) + " a second time; remove one of them");
    else
      append(series, step.number, *step.value, metric);
    before = step.number;
  }
  if (steps.items.empty()) taken_["no values, nothing to compare with"].push_back(printable(key.key, 80));
  finish(key, steps, std::move(series));
}

void GoldenSeries::add_report(const Json& number, const GoldenMetric& metric) {
  Series series = start(number, metric, Numbering::report);
  append(series, 1, number, metric);
  finish(number, number, std::move(series));
}

void GoldenSeries::move_into(Baseline& baseline) {
  std::ranges::move(series_, std::back_inserter(baseline.runs.front().series));
  std::ranges::move(left_out_, std::back_inserter(baseline.notes));
  if (baseline.null_value.empty()) baseline.null_value = null_;
  if (!skipped_.empty())
    baseline.notes.push_back((skipped_.size() == 1 ? "key " : "keys ") +
                             printable(join(skipped_, ", "), 120) + (skipped_.size() == 1 ? " is" : " are") +
                             " unknown and not used");
  for (const auto& [as, keys] : taken_) baseline.notes.push_back(join(keys, ", ") + ": " + as);
}

}  // namespace gate::schema
