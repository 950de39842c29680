#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "gate/base/text.h"
#include "schema/golden/golden_series.h"
#include "schema/golden/reader.h"

namespace gate::schema {

namespace {

bool is_megatron_series(const Json& member) { return member.find("start_step") != nullptr; }

// Return the step that a list starts with, or what lies between two of its elements.
int position(const Fields& fields, std::string_view key, int least) {
  if (fields.json().find(key) == nullptr) fields.missing(key, "; a list of values has no steps without it");
  const int number = fields.small_integer(key).value_or(least);
  if (number < least)
    fields.complaints().add(fields.json().find(key)->at, "must be at least " + std::to_string(least));
  return std::max(number, least);
}

// Return how many values there were of a list from the first on, if it says so.
std::optional<std::int64_t> written(const Json& member) {
  const Json *values = member.find("values"), *start = member.find("start_step"),
             *end = member.find("end_step");
  const bool from_first = values != nullptr && values->kind == Json::Kind::list && start != nullptr &&
                          start->text == "0" && end != nullptr;
  return from_first ? parse_integer(end->text) : std::nullopt;
}

// Return the most values that any list says there were; 0 if none does.
std::int64_t most_written(const Json& document) {
  std::int64_t most = 0;
  for (const Json& member : document.items) most = std::max(most, written(member).value_or(0));
  return most;
}

// The tests of 2023 and 2024 took all values that a metric had in the event file, and of these every
// `step_interval`-th from `start_step` on, counted from 0; `end_step` is how many there were. An iteration
// that was skipped wrote no loss, an evaluation is none. So where a metric has as many values as any, they
// are those of iterations 1, 2, ..; where it has fewer, nobody can tell which those are. Lists that begin
// later were written by hand, and count as they say.
Positions list_positions(const Json& member, const Fields& fields, const Json& values, std::int64_t most) {
  const Positions named{position(fields, "start_step", 0), position(fields, "step_interval", 1),
                        Placed::told};
  if (named.start > 0) return named;
  const std::int64_t all = written(member).value_or(most);
  const std::int64_t taken = (all + named.interval - 1) / named.interval;
  const bool whole = all == most && (all == 0 || taken == std::ssize(values.items));
  return {1, named.interval, whole ? Placed::told : Placed::unknown};
}

void read_megatron_series(const Json& member, std::int64_t most, GoldenSeries& series,
                          Complaints& complaints) {
  const Fields fields(member, complaints);
  const Json* values = member.find("values");
  if (values == nullptr) return fields.missing("values");
  const GoldenMetric metric = metric_of_key(member.key);
  if (values->kind == Json::Kind::object) return series.add_steps(member, *values, metric);
  if (values->kind == Json::Kind::list)
    return series.add_list(member, *values, metric, list_positions(member, fields, *values, most));
  complaints.add(values->at, "\"values\" must be an object of steps or a list, not " +
                                 std::string(to_string(values->kind)));
}

// Return the number of a step; nothing of what no training counts to.
std::optional<std::int64_t> step_of(std::string_view text) {
  constexpr std::int64_t most = 1'000'000'000;
  const auto step = parse_integer(text);
  return step && *step >= 0 && *step <= most ? step : std::nullopt;
}

// Return the last step that the values are of, without what the file names behind it; nothing of lists that
// count from 0, whose end_step is no step.
std::optional<std::int64_t> last_step_held(const Json& member, const Json& values) {
  const auto number_of = [&](std::string_view key, std::int64_t otherwise) {
    const Json* found = member.find(key);
    return found == nullptr ? otherwise : step_of(found->text).value_or(otherwise);
  };
  if (values.kind == Json::Kind::object) {
    std::int64_t last = 0;
    for (const Json& step : values.items) last = std::max(last, step_of(step.key).value_or(0));
    return last;
  }
  const std::int64_t start = number_of("start_step", 0);
  if (start == 0) return std::nullopt;
  return start + (std::ssize(values.items) - 1) * number_of("step_interval", 1);
}

// A file that announces other steps than it holds was cut, or written by hand.
void note_end(const Json& member, Baseline& baseline) {
  const Json *values = member.find("values"), *end = member.find("end_step"),
             *interval = member.find("step_interval");
  const auto last = values == nullptr ? std::nullopt : last_step_held(member, *values);
  const auto announced = end == nullptr ? std::nullopt : step_of(end->text);
  if (!last || !announced) return;
  const std::int64_t next =
      *last + std::max<std::int64_t>(interval ? step_of(interval->text).value_or(1) : 1, 1);
  if (*last <= *announced && *announced < next) return;
  baseline.notes.push_back(say({"{}: end_step is {}, and the last step that the file holds is {}",
                                "{}：end_step 是 {}，而文件里的最后一步是 {}"},
                               printable(member.key, 80), *announced, *last));
  std::optional<std::int64_t>& total = baseline.runs.front().total;
  if (*announced > *last) total = std::max(total.value_or(0), *announced);
}

void note_precision(const Json& document, Baseline& baseline) {
  std::map<std::string, std::vector<std::string>> keys;
  for (const Json& member : document.items)
    if (const Json* precision = member.find("value_precision");
        precision != nullptr && precision->text != full_precision)
      keys[precision->text].push_back(printable(member.key, 80));
  for (const auto& [precision, names] : keys)
    baseline.notes.push_back(
        say({"{}: value_precision \"{}\" is unknown; the values are taken as rounded to 5 decimals",
             "{}：不认识 value_precision \"{}\"；视为已四舍五入到 5 位小数"},
            join(names, ", "), printable(precision, 40)));
}

constexpr std::array memory_keys{"mem-max-allocated-bytes", "mem-allocated-bytes"};
constexpr std::array bridge_memory_keys{"alloc", "max_alloc"};

bool is_request(const Json& member) {
  constexpr std::array keys{"generated_text", "generated_tokens", "input_prompt", "logprobs"};
  return member.kind == Json::Kind::object &&
         std::ranges::any_of(keys, [&](std::string_view key) { return member.find(key) != nullptr; });
}

bool is_memory(const Json& member) {
  return member.kind == Json::Kind::number && std::ranges::find(memory_keys, member.key) != memory_keys.end();
}

void read_inference_member(const Json& member, GoldenSeries& series, Complaints& complaints) {
  const bool is_throughput = member.key == "throughput";
  if (is_throughput && member.kind == Json::Kind::list)
    series.add_list(member, member, metric_named("tokens_per_second"));
  else if (is_throughput)
    complaints.add(member.at, "\"throughput\" must be a list, not " + std::string(to_string(member.kind)));
  else if (is_memory(member))
    series.add_report(member, metric_of_key(member.key));
  else if (!is_request(member))
    series.skip(member);
}

bool is_step(const Json& member) {
  return member.kind == Json::Kind::object && parse_integer(member.key).has_value();
}

// Return one object of steps for each key of the steps, in the order in which the keys first appear.
std::vector<Json> columns_of(const Json& document) {
  std::vector<Json> columns;
  std::map<std::string, std::size_t> places;
  for (const Json& step : document.items) {
    if (!is_step(step)) continue;
    for (const Json& value : step.items) {
      const auto [place, is_new] = places.emplace(value.key, columns.size());
      if (is_new) columns.push_back({Json::Kind::object, value.at, value.key_at, value.key, "", {}});
      columns[place->second].items.push_back(value);
      columns[place->second].items.back().key = step.key;
      columns[place->second].items.back().key_at = step.key_at;
    }
  }
  return columns;
}

}  // namespace

bool is_megatron(const Json& document) { return std::ranges::any_of(document.items, is_megatron_series); }

Baseline read_megatron(const Json& document, Complaints& complaints) {
  Baseline baseline;
  GoldenSeries series(Texts::any, complaints);
  const std::int64_t most = most_written(document);
  for (const Json& member : document.items)
    if (is_megatron_series(member) || member.find("values") != nullptr)
      read_megatron_series(member, most, series, complaints);
    else
      series.skip(member);
  series.move_into(baseline);
  for (const Json& member : document.items) note_end(member, baseline);
  note_precision(document, baseline);
  return baseline;
}

bool is_megatron_inference(const Json& document) {
  return std::ranges::any_of(document.items, [](const Json& m) { return is_request(m) || is_memory(m); });
}

Baseline read_megatron_inference(const Json& document, Complaints& complaints) {
  Baseline baseline;
  GoldenSeries series(Texts::any, complaints);
  for (const Json& member : document.items) read_inference_member(member, series, complaints);
  if (series.empty() && complaints.empty())
    complaints.add(
        document.at,
        "holds generated texts only, no series: gate compares numbers; compare the texts elsewhere");
  series.move_into(baseline);
  if (const auto requests = std::ranges::count_if(document.items, is_request); requests > 0)
    baseline.notes.push_back(say({"{}: texts, tokens, logprobs and latencies are no series and not used",
                                  "{}：文本、token、logprob 和延迟不是序列，不使用"},
                                 count_of(requests, "request", "个请求")));
  return baseline;
}

bool is_megatron_bridge(const Json& document) { return std::ranges::any_of(document.items, is_step); }

Baseline read_megatron_bridge(const Json& document, Complaints& complaints) {
  Baseline baseline;
  baseline.notes.push_back(
      say({"the file counts steps from 0; its \"0\" is taken as step 1, as the log counts",
           "文件从 0 数步；其中的 \"0\" 视为第 1 步，与日志一致"}));
  GoldenSeries series(Texts::any, complaints);
  for (const Json& column : columns_of(document))
    series.add_steps(column, column, metric_of_key(column.key), 1);
  for (const Json& member : document.items)
    if (std::ranges::find(bridge_memory_keys, member.key) != bridge_memory_keys.end() &&
        member.kind != Json::Kind::null)
      series.add_report(member, metric_of_key(member.key));
    else if (!is_step(member))
      series.skip(member);
  series.move_into(baseline);
  return baseline;
}

}  // namespace gate::schema
