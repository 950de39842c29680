#include "schema/golden/golden_series.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "gate/base/utf8.h"
#include "gate/model/numbers/megatron_metric.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/step_set.h"
#include "gate/schema/golden_steps.h"
#include "gate/words/values.h"

namespace gate::schema {

namespace {

constexpr std::int64_t max_step = 1'000'000'000'000'000;
constexpr std::int64_t longest_range = 1'000'001;

// What they say where the positions may be any steps.
const Sentence unplaced{
    "a list of fewer values than the run had iterations, and which these are cannot be told: not used",
    "列表的值比运行的迭代数少，无法得知是哪些步：不使用"};

// What Decimal::parse reads of any notation.
constexpr int128 most = int128{1'000'000'000'000'000'000} * 1'000'000'000'000'000'000 * 10;  // 10^37
constexpr std::int32_t least_exponent = -9000;

struct LogKey {
  std::string_view key;
  std::string_view metric;
  Decimal to_gate{1, 0};
};

constexpr Decimal ms_of_a_second{1000, 0};
constexpr Decimal mib_of_a_gigabyte{95'367'431'640'625, -11};

// What the tools' logs print under another name than the metric's.
constexpr std::array log_keys{
    LogKey{"loss", "lm_loss"},
    LogKey{"throughput per GPU (TFLOP/s/GPU)", "throughput"},
    LogKey{"GPU utilization", "throughput"},  // Megatron-Bridge: its unit is MODEL_TFLOP/s/GPU
    LogKey{"elapsed time per iteration (ms)", "iteration_time"},
    LogKey{"elapsed time per iteration (s)", "iteration_time", ms_of_a_second},
    LogKey{"alloc", "memory_allocated", mib_of_a_gigabyte},  // Megatron-Bridge: 10^9 bytes
    LogKey{"max_alloc", "memory_max_allocated", mib_of_a_gigabyte},
    LogKey{"number of skipped iterations", "skipped_iterations"},
    LogKey{"number of nan iterations", "nan_iterations"},
};

std::string name_of(std::string_view key) {
  std::string name;
  for (const char c : to_lower(key)) {
    if (is_letter_or_digit(c) || !is_ascii(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  if (name.ends_with('_')) name.pop_back();
  return name;
}

// Return the number in the metric's unit, exactly, without the zeros that the factor brings. Nothing if it
// has more digits than a Decimal can be read from.
std::optional<Decimal> in_gate_unit(const Decimal& number, const GoldenMetric& metric) {
  if (metric.to_gate.coefficient == 1 && metric.to_gate.exponent == 0) return number;
  const std::optional<Decimal> product = multiply(number, metric.to_gate);
  if (!product) return std::nullopt;
  const Decimal plain = product->without_zeros();
  const bool writable = plain.abs().coefficient < most && plain.exponent >= least_exponent;
  return writable ? std::optional(plain) : std::nullopt;
}

struct GoldenStep {
  std::int64_t number;
  const Json* value;
};

std::vector<GoldenStep> steps_of(const Json& object, std::int64_t zero, Complaints& complaints) {
  std::vector<GoldenStep> steps;
  for (const Json& member : object.items) {
    const auto number = parse_integer(member.key);
    if (number && *number >= 0 && *number <= max_step)
      steps.push_back({*number + zero, &member});
    else
      complaints.add(member.key_at,
                     "\"" + printable(member.key, 40) + "\" is no step: a whole number is expected");
  }
  std::ranges::stable_sort(steps, {}, &GoldenStep::number);
  return steps;
}

// As which steps so many positions are taken, one or more, where another list of the file has so many.
Sentence taken_as(std::size_t count, Positions positions, std::size_t longest) {
  const std::int64_t last =
      positions.start + static_cast<std::int64_t>(count - 1) * std::int64_t{positions.interval};
  const bool by_one = positions.interval == 1;
  Sentence steps = count == 1 ? say({"step {}", "第 {} 步"}, positions.start)
                              : say({"steps {}{}{}", "第 {}{}{} 步"}, positions.start,
                                    count == 2 && !by_one ? ", " : "-", last);
  if (count > 2 && !by_one) steps += say({" by {}", "，间隔 {}"}, positions.interval);
  if (count < longest)
    steps += positions.start > 1 ? say({", the last of {}", "（共 {} 步的最后几步）"}, longest)
                                 : say({", the first of {}", "（共 {} 步的最前几步）"}, longest);
  return say({"no step numbers in the file, taken as {}", "文件里没有步号，视为{}"}, steps);
}

Sentence left_out_note(const Json& json, const Json& values, const Series& series) {
  const auto numbers = series.unrecorded();
  const auto count = static_cast<std::int64_t>(numbers.size());
  const auto says_more = std::ranges::find_if(values.items, [](const Json& value) {
    return value.kind == Json::Kind::text && to_lower(value.text) != "nan";
  });
  const Sentence text =
      says_more == values.items.end()
          ? Sentence()
          : say({", text \"{}\" among them", "，包括文本 \"{}\""}, printable(says_more->text, 40));
  const Sentence where(fmt::format("{}{} {}", to_string(series.numbered()), count > 1 ? "s" : "",
                                   printable(to_string(StepSet(numbers)), 60)),
                       words::numbers_text(StepSet(numbers), series.numbered()).in(Language::chinese));
  return say({"{}: {} not recorded (nan or null{}), left out: {}", "{}：{}未记录（nan 或 null{}），略去：{}"},
             printable(json.key, 80), count_of(count, "value", "个值"), text, where);
}

std::string no_value(const Json& json, Texts unrecorded) {
  const std::string what = json.kind == Json::Kind::text ? "\"" + printable(json.text, 40) + "\""
                                                         : std::string(to_string(json.kind));
  return "a value must be a number or " + std::string(unrecorded == Texts::any ? "a text like " : "") +
         "\"nan\", not " + what;
}

bool is_positional(const Series& series) { return series.assumed() && series.numbered() == Numbering::step; }

// Return what stands for the positions, in their order; those without a value count too.
std::vector<std::int64_t> positions_of(const Series& series) {
  std::vector<std::int64_t> positions(series.unrecorded().begin(), series.unrecorded().end());
  for (const Sample& sample : series.samples()) positions.push_back(sample.number);
  std::ranges::sort(positions);
  return positions;
}

Series renumber(const Series& series, std::span<const std::int64_t> steps) {
  const std::vector<std::int64_t> positions = positions_of(series);
  const auto step_of = [&](std::int64_t position) {
    return steps[static_cast<std::size_t>(std::ranges::lower_bound(positions, position) - positions.begin())];
  };
  Series fresh(series.metric(), series.rank(), series.unit(), series.numbered());
  for (Sample sample : series.samples()) {
    sample.number = step_of(sample.number);
    fresh.append(sample);
  }
  for (const std::int64_t position : series.unrecorded()) fresh.mark_unrecorded(step_of(position));
  return fresh;
}

}  // namespace

Sentence unknown_keys(const std::vector<std::string>& keys) {
  const std::string names = printable(join(keys, ", "), 120);
  return keys.size() == 1 ? say({"key {} is unknown and not used", "不认识键 {}，不使用"}, names)
                          : say({"keys {} are unknown and not used", "不认识键 {}，不使用"}, names);
}

GoldenMetric metric_named(std::string_view name) { return {std::string(name), MetricTable().get(name).unit}; }

GoldenMetric metric_of_key(std::string_view key) {
  const auto counted_in = [](std::string_view name, const Decimal& to_gate) {
    return GoldenMetric{std::string(name), MetricTable().get(name).unit, to_gate};
  };
  if (const MegatronMetric* known = find_megatron_metric(key))
    return counted_in(known->metric, known->to_gate);
  const auto* const row = std::ranges::find(log_keys, key, &LogKey::key);
  return row != log_keys.end() ? counted_in(row->metric, row->to_gate) : metric_named(name_of(key));
}

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
  const bool is_many = values.kind == Json::Kind::list || values.kind == Json::Kind::object;
  if (is_many && values.items.empty())
    complaints_->add(values.at, "\"" + printable(key.key, 80) +
                                    "\" holds no value, and would let every run pass; write its values, or "
                                    "remove the key");
  const Json* precision = key.find("value_precision");
  series.set_unrounded(precision != nullptr && precision->text == full_precision);
  if (!series.unrecorded().empty()) left_out_.push_back(left_out_note(key, values, series));
  if (!series.empty() || !series.unrecorded().empty()) series_.push_back(std::move(series));
}

void GoldenSeries::add_list(const Json& key, const Json& list, const GoldenMetric& metric,
                            Positions positions) {
  Series series = start(key, metric, Numbering::step);
  series.set_assumed(true);
  std::int64_t step = positions.start;
  for (const Json& item : list.items) {
    if (positions.placed == Placed::unknown)
      series.mark_unrecorded(step);
    else
      append(series, step, item, metric);
    step += positions.interval;
  }
  if (positions.placed == Placed::unknown && !list.items.empty()) {
    unused_[unplaced].push_back(printable(key.key, 80));
    return series_.push_back(std::move(series));
  }
  const std::size_t place = series_.size();
  finish(key, list, std::move(series));
  if (series_.size() > place)
    lists_.push_back({printable(key.key, 80), list.at, place, list.items.size(), positions});
}

void GoldenSeries::add_steps(const Json& key, const Json& steps, const GoldenMetric& metric,
                             std::int64_t zero) {
  Series series = start(key, metric, Numbering::step);
  std::int64_t before = -1;
  for (const GoldenStep& step : steps_of(steps, zero, *complaints_)) {
    if (step.number == before)
      complaints_->add(step.value->key_at,
                       "step " + std::to_string(step.number) + " a second time; remove one of them");
    else
      append(series, step.number, *step.value, metric);
    before = step.number;
  }
  finish(key, steps, std::move(series));
}

void GoldenSeries::add_report(const Json& number, const GoldenMetric& metric) {
  Series series = start(number, metric, Numbering::report);
  append(series, 1, number, metric);
  finish(number, number, std::move(series));
}

// Of steps whose speed is there, the loss was there too.
void GoldenSeries::refuse_short_losses(std::size_t speeds) {
  for (const ReadList& list : lists_)
    if (list.positions.placed == Placed::untold && list.size < speeds &&
        MetricTable().get(series_[list.series].metric()).kind == MetricKind::accuracy)
      complaints_->add(list.at, "\"" + list.key + "\" holds " +
                                    count_of(static_cast<std::int64_t>(list.size), "value") +
                                    " and a speed " + std::to_string(speeds) +
                                    ": steps would be compared with nothing; write the values of all");
}

void GoldenSeries::place_lists(Baseline& baseline) {
  const auto is_untold = [](const ReadList& list) { return list.positions.placed == Placed::untold; };
  const auto is_speed = [&](const ReadList& list) {
    return MetricTable().get(series_[list.series].metric()).kind == MetricKind::speed;
  };
  std::size_t longest = 0, speeds = 0;
  for (const ReadList& list : lists_) {
    if (is_untold(list)) longest = std::max(longest, list.size);
    if (is_untold(list) && is_speed(list)) speeds = std::max(speeds, list.size);
  }
  refuse_short_losses(speeds);
  NamesBySentence taken;
  for (ReadList& list : lists_) {
    Series& series = series_[list.series];
    const bool is_of_last = is_untold(list) && 1 < list.size && list.size < longest && is_speed(list);
    if (is_of_last) {
      list.positions.start = static_cast<int>(longest - list.size) + 1;
      std::vector<std::int64_t> steps(list.size);
      std::iota(steps.begin(), steps.end(), list.positions.start);
      series = renumber(series, steps);
      series.set_assumed(true);
      series.set_of_last_steps(true);
    }
    taken[taken_as(list.size, list.positions, is_untold(list) ? longest : 0)].push_back(list.key);
  }
  for (const auto& [as, keys] : taken) baseline.assumed.push_back(join(keys, ", ") + colon + as);
}

void GoldenSeries::move_into(Baseline& baseline) {
  place_lists(baseline);
  baseline.runs.emplace_back().series = std::move(series_);
  std::ranges::move(left_out_, std::back_inserter(baseline.notes));
  if (baseline.null_value.empty()) baseline.null_value = null_;
  if (!own_.empty())
    baseline.notes.push_back(say(
        {"{}: a key of this file's own, taken as the metric of that name; rules.METRIC in gate.toml gates it",
         "{}：文件自己的键，视为同名指标；gate.toml 的 rules.METRIC 可为它设门禁"},
        printable(join(own_, ", "), 200)));
  if (!skipped_.empty()) baseline.notes.push_back(unknown_keys(skipped_));
  for (const auto& [why, keys] : unused_) baseline.notes.push_back(join(keys, ", ") + colon + why);
  std::ranges::copy(baseline.assumed, std::back_inserter(baseline.notes));
}

Result<std::vector<std::int64_t>> read_steps(std::string_view words) {
  std::vector<std::int64_t> steps;
  for (const std::string_view part : split(words, ',')) {
    const std::optional<StepSet> range = StepSet::parse(part);
    const std::int64_t before = steps.empty() ? 0 : steps.back();
    if (!range || range->empty() || range->size() > longest_range || range->front() <= before)
      return fail("--steps " + printable(words, 80) + ": write rising steps such as 2-15 or 1-7,9-15");
    std::ranges::copy(range->numbers(), std::back_inserter(steps));
  }
  return steps;
}

bool has_positions(const Baseline& baseline) {
  return std::ranges::any_of(baseline.runs,
                             [](const auto& run) { return std::ranges::any_of(run.series, is_positional); });
}

Status number_positions(Baseline& baseline, std::span<const std::int64_t> steps) {
  std::vector<Series*> all;
  for (BaselineRun& run : baseline.runs)
    for (Series& series : run.series)
      if (is_positional(series)) all.push_back(&series);
  for (const Series* series : all)
    if (const std::size_t length = positions_of(*series).size();
        length > steps.size() || (length < steps.size() && !series->of_last_steps()))
      return fail("steps " + to_string(StepSet(steps)) + " are " +
                  count_of(static_cast<std::int64_t>(steps.size()), "step") + ", and the list of " +
                  series->metric() + " holds " + count_of(static_cast<std::int64_t>(length), "value"));
  for (Series* series : all) *series = renumber(*series, steps.last(positions_of(*series).size()));
  std::erase_if(baseline.notes,
                [&](const Sentence& note) { return std::ranges::count(baseline.assumed, note) > 0; });
  baseline.assumed.clear();
  return {};
}

}  // namespace gate::schema
