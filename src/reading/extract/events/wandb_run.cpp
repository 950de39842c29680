#include "extract/events/wandb_run.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "extract/events/event_tags.h"
#include "extract/events/wire.h"
#include "extract/scan/literal.h"
#include "gate/base/text.h"
#include "gate/model/numbers/guessed_metric.h"
#include "gate/model/numbers/sample.h"

namespace gate::extract {

namespace {

// Fields of Record, RunRecord, HistoryRecord, HistoryStep, HistoryItem, MetricRecord.
constexpr std::uint32_t history_field = 2, metric_field = 12, run_field = 17;
constexpr std::uint32_t run_id_field = 1;
constexpr std::uint32_t item_field = 1, history_step_field = 2, step_number_field = 1;
constexpr std::uint32_t key_field = 1, nested_key_field = 2, json_field = 16;
constexpr std::uint32_t metric_name_field = 1, glob_field = 2, step_metric_field = 4;

constexpr std::size_t most_items = 10'000;  // of a record
constexpr std::size_t most_definitions = 10'000;
constexpr std::size_t most_globs = 100;
constexpr std::size_t longest_id = 200;
constexpr std::size_t longest_name_of_value = 1000;
constexpr std::size_t largest_object = std::size_t{16} << 10;  // that is looked into

constexpr std::array<std::string_view, 3> not_finite{"\"NaN\"", "\"Infinity\"", "\"-Infinity\""};
constexpr std::array<std::string_view, 6> step_words{"step",  "steps",     "iter",
                                                     "iters", "iteration", "iterations"};

// Return the number that the JSON is, as a word; "" where it is something else.
std::string_view number_in(std::string_view json) {
  if (std::ranges::find(not_finite, json) != not_finite.end()) return json.substr(1, json.size() - 2);
  return parse_value(json) ? json : "";
}

// Return the number if it is whole: `10`, and `10.0` as a float holds it.
std::optional<std::int64_t> whole_number(std::string_view json) {
  if (const std::size_t point = json.find('.');
      point != std::string_view::npos && json.find_first_not_of('0', point + 1) == std::string_view::npos)
    json = json.substr(0, point);
  return parse_integer(json);
}

bool tells_step(std::string_view metric) {
  const std::vector<std::string> words = name_words(metric.substr(metric.rfind('/') + 1));
  return std::ranges::any_of(
      words, [](const std::string& word) { return std::ranges::find(step_words, word) != step_words.end(); });
}

// Return the row of the tag that the name is with `/` for each point, which the name becomes then; what is
// behind all rows where there is none.
const FieldRow* known_row(std::string& name) {
  std::string tag = name;
  std::ranges::replace(tag, '.', '/');
  const FieldRow* const row = find_event_tag(tag);
  if (row == nullptr) return event_tags().data() + event_tags().size();
  name = std::move(tag);
  return row;
}

}  // namespace

void WandbRun::History::add_item(std::string_view message) {
  WireReader reader(message);
  std::string_view key, json;
  std::string nested;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(key_field, WireType::bytes)) key = field->bytes;
    if (field->is(nested_key_field, WireType::bytes))
      nested.append(nested.empty() ? "" : ".") += field->bytes;
    if (field->is(json_field, WireType::bytes)) json = trim(field->bytes);
  }
  malformed = malformed || reader.malformed();
  std::string tag(nested.empty() ? key : nested, 0, longest_name_of_value);
  if (!json.starts_with('{')) return add(std::move(tag), json);
  const auto add_part = [&](std::string_view name, std::string_view word) {
    if (items.size() <= most_items) add(tag + "." + std::string(name), word);
  };
  if (json.size() > largest_object || read_literal(json, add_part) != json.size()) add(std::move(tag), "{");
}

void WandbRun::History::add(std::string tag, std::string_view json) {
  constexpr std::string_view type = "._type";
  if (tag == "_step") step = whole_number(json);
  if (tag.ends_with(type)) media.insert(tag.substr(0, tag.size() - type.size() + 1));
  const FieldRow* const row = known_row(tag);
  items.push_back({row, std::move(tag), json});
}

bool WandbRun::History::is_in_media(std::string_view tag) const {
  const auto behind = media.upper_bound(std::string(tag));
  return behind != media.begin() && tag.starts_with(*std::prev(behind));
}

WandbRun::History WandbRun::read_history(std::string_view message) {
  WireReader reader(message);
  History history;
  std::optional<std::int64_t> counted;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(item_field, WireType::bytes) && history.items.size() <= most_items)
      history.add_item(field->bytes);
    if (!field->is(history_step_field, WireType::bytes)) continue;
    WireReader step(field->bytes);
    counted = 0;
    while (const std::optional<WireField> number = step.next())
      if (number->is(step_number_field, WireType::varint)) counted = static_cast<std::int64_t>(number->value);
    history.malformed = history.malformed || step.malformed();
  }
  history.malformed = history.malformed || reader.malformed();
  if (!history.step) history.step = counted;
  return history;
}

Sentence WandbRun::read(std::string_view record, const OnValue& on_value, std::int64_t& others) {
  const Sentence no_record =
      say({"its data is no record of W&B: it is left out", "数据不是 W&B 的记录：略去"});
  WireReader reader(record);
  History history;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(history_field, WireType::bytes)) history = read_history(field->bytes);
    if (field->is(metric_field, WireType::bytes) && !define(field->bytes)) return no_record;
    if (!field->is(run_field, WireType::bytes)) continue;
    WireReader run(field->bytes);
    while (const std::optional<WireField> id = run.next())
      if (id->is(run_id_field, WireType::bytes)) id_ = id->bytes.substr(0, longest_id);
  }
  if (reader.malformed() || history.malformed) return no_record;
  return history.items.empty() ? Sentence() : tell(std::move(history), on_value, others);
}

Sentence WandbRun::tell(History history, const OnValue& on_value, std::int64_t& others) {
  if (history.items.size() > most_items)
    return say({"it holds more than {} values: it is left out", "它的值超过 {} 个：略去"}, most_items);
  note_steps(history);
  std::ranges::stable_sort(history.items, {}, [](const Item& item) { return std::tie(item.row, item.tag); });
  others += std::ssize(history.media);
  std::string unnumbered;
  for (const Item& item : history.items) {
    if (item.tag.starts_with('_') || numbering_.contains(item.tag) || history.is_in_media(item.tag)) continue;
    const std::string_view word = number_in(item.word);
    const std::optional<std::int64_t> step = step_of(item.tag, history);
    if (word.empty())
      ++others;
    else if (step)
      on_value(item.tag, word, *step);
    else if (unnumbered.empty())
      unnumbered = item.tag;
  }
  if (unnumbered.empty()) return {};
  return say({"{} and what else has no step is left out", "略去 {} 等没有步号的值"},
             printable(unnumbered, 80));
}

void WandbRun::note_steps(const History& history) {
  if (numbering_.empty()) return;
  for (const Item& item : history.items)
    if (numbering_.contains(item.tag)) last_steps_[item.tag] = whole_number(item.word);
}

// Names of metrics have `\.` for a point that does not part names.
bool WandbRun::define(std::string_view message) {
  WireReader reader(message);
  std::string name, glob, by;
  while (const std::optional<WireField> field = reader.next()) {
    if (field->is(metric_name_field, WireType::bytes)) name = field->bytes;
    if (field->is(glob_field, WireType::bytes)) glob = field->bytes;
    if (field->is(step_metric_field, WireType::bytes)) by = field->bytes;
  }
  for (std::string* text : {&name, &glob, &by}) std::erase(*text, '\\');
  known_row(name);
  if (!tells_step(by) || numbering_.size() == most_definitions) by.clear();
  if (known_row(by); !by.empty()) numbering_.insert(by);
  if (!name.empty() && step_metrics_.size() < most_definitions) step_metrics_.insert_or_assign(name, by);
  if (glob.ends_with('*') && step_of_globs_.size() < most_globs)
    step_of_globs_.emplace_back(glob.substr(0, glob.size() - 1), by);
  return !reader.malformed();
}

// What numbers a value by the run's word and was never logged leaves the value to `_step`.
std::optional<std::int64_t> WandbRun::step_of(const std::string& tag, const History& history) const {
  if (last_steps_.empty()) return history.step;
  const auto begins = [&](const auto& beginning) { return tag.starts_with(beginning.first); };
  const auto own = step_metrics_.find(tag);
  const auto glob = std::ranges::find_if(step_of_globs_, begins);
  const auto last = own != step_metrics_.end()     ? last_steps_.find(own->second)
                    : glob != step_of_globs_.end() ? last_steps_.find(glob->second)
                                                   : last_steps_.end();
  return last == last_steps_.end() ? history.step : last->second;
}

}  // namespace gate::extract
