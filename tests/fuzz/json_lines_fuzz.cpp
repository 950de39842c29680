// Any bytes as a dictionary: no crash; where they are a JSON object on one line, the names, words and steps
// that nlohmann::json finds in it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "../unit/extract/printed_steps.h"
#include "extract/scan/literal.h"
#include "extract/scan/number_word.h"
#include "targets.h"

namespace {

using namespace gate::extract;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::pair<std::string, std::string>>;
using Values = std::vector<std::pair<std::string, Json>>;

constexpr std::size_t deepest = 16;

void fail_line(std::string_view text, const std::string& what) {
  std::fprintf(stderr, "%s\n%s\n", std::string(text).c_str(), what.c_str());
  std::abort();
}

// Return the object that the text is, unless read_literal() promises nothing of it: escapes, line ends,
// names printed twice, deep nesting.
std::optional<Json> object_of(std::string_view text) {
  if (text.find_first_of("\\\r\n") != std::string_view::npos) return std::nullopt;
  std::vector<std::set<std::string>> open;
  bool plain = true;
  const auto see = [&](int depth, Json::parse_event_t event, Json& parsed) {
    plain &= depth < static_cast<int>(deepest);
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) plain &= open.back().insert(parsed.get<std::string>()).second;
    return true;
  };
  Json object = Json::parse(text, see, false);
  return plain && object.is_object() ? std::optional(std::move(object)) : std::nullopt;
}

void flatten(const Json& object, const std::string& around, Values& values) {
  for (const auto& [name, value] : object.items()) {
    const std::string full = around.empty() ? name : around + "." + name;
    if (value.is_object())
      flatten(value, full, values);
    else
      values.emplace_back(full, value);
  }
}

Words words_of(std::string_view text, std::size_t& end) {
  Words words;
  end = read_literal(text,
                     [&](std::string_view name, std::string_view word) { words.emplace_back(name, word); });
  return words;
}

bool are_near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

void compare_number(std::string_view text, const std::string& word, const Json& value) {
  constexpr std::size_t enough = 30;
  if (!value.is_number() || word.size() > enough) return;
  const auto number = parse_word(word);
  if (!number || !are_near(number->number.to_double(), value.get<double>()))
    fail_line(text, "`" + word + "` was read as another number");
}

void compare_words(std::string_view text, const Words& words, const Values& values) {
  if (words.size() != values.size()) fail_line(text, "has another number of values");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& [name, word] = words[i];
    if (name != values[i].first) fail_line(text, "`" + name + "` is called " + values[i].first);
    if (Json::parse(word, nullptr, false) != values[i].second)
      fail_line(text, "`" + word + "` is another value");
    compare_number(text, word, values[i].second);
  }
}

gate::Extraction read_as(const std::string& format, std::string_view text) {
  Options options;
  options.formats = {format};
  options.json = {"n", "of", "r", {{"lm_loss", "m.loss", {1, 0}}, {"reward", "v", {1, 3}}}};
  return read_log(std::string(text) + "\n", options);
}

// Return the value that stands under the name once, or nullptr.
const Json* only(const Values& values, std::string_view name) {
  const Json* found = nullptr;
  for (const auto& [full, value] : values) {
    if (full == name && found != nullptr) return nullptr;
    if (full == name) found = &value;
  }
  return found;
}

// What a line must hold so that its loss and its step are beyond doubt.
struct LogShape {
  const char* format;
  const char* step;
  const char* loss;
  std::vector<const char*> needs;
  std::vector<const char*> rivals;  // names that may mean the same
};

void compare_step(std::string_view text, const Values& values, const LogShape& shape) {
  const Json* step = only(values, shape.step);
  const Json* loss = only(values, shape.loss);
  if (!step || !loss || !step->is_number_unsigned() || !loss->is_number()) return;
  if (loss->dump().size() > 20 || step->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return;
  for (const char* name : shape.needs)
    if (!only(values, name)) return;
  for (const char* name : shape.rivals)
    for (const auto& [full, value] : values)
      if (full == name) return;
  const gate::Extraction x = read_as(shape.format, text);
  const gate::Series* series = find_series(x.series, "lm_loss", {});
  const std::optional<gate::Sample> sample = series ? series->find(step->get<std::int64_t>()) : std::nullopt;
  if (!sample) fail_line(text, std::string(shape.format) + " did not read the loss of its step");
  if (Json::parse(sample->text, nullptr, false) != *loss)
    fail_line(text, "`" + sample->text + "` is no loss of it");
}

const std::vector<LogShape>& shapes() {
  static const std::vector<LogShape> all{{"jsonl", "n", "m.loss", {}, {}},
                                         {"hf-trainer", "step", "loss", {"epoch"}, {"current_steps"}}};
  return all;
}

}  // namespace

int json_lines_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool may_be_record = text.find("loss") != std::string_view::npos;  // reading it as a log is slow
  for (const LogShape& shape : shapes()) {
    if (!may_be_record) break;
    const std::vector<std::string> wrong = unprinted_steps(read_as(shape.format, text), text);
    if (!wrong.empty()) fail_line(text, std::string(shape.format) + ": " + wrong.front());
  }
  std::size_t end = 0;
  const Words words = words_of(text, end);
  const std::optional<Json> object = object_of(text);
  if (!object) return 0;
  if (end == std::string_view::npos) fail_line(text, "is an object, and was not read");
  Values values;
  flatten(*object, "", values);
  compare_words(text, words, values);
  for (const LogShape& shape : shapes()) compare_step(text, values, shape);
  return 0;
}
