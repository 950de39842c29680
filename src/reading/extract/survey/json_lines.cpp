#include "extract/survey/json_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "extract/scan/number_word.h"
#include "extract/survey/places.h"
#include "extract/survey/values.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

using KeyedJson = nlohmann::ordered_json;

// The values of a key, and the step of each.
struct JsonKey {
  std::string first;  // as printed
  std::vector<double> values;
  std::vector<std::size_t> objects;
};

struct JsonKeys {
  std::vector<std::string> names;  // in the order in which they come
  std::map<std::string, JsonKey> keys;
  std::vector<std::string> texts;  // of each object

  void add(const std::string& name, const std::string& word, double value, std::size_t object) {
    const auto [it, is_new] = keys.try_emplace(name, JsonKey{word, {}, {}});
    if (is_new) names.push_back(name);
    it->second.values.push_back(value);
    it->second.objects.push_back(object);
  }

  void take(const KeyedJson& json, const std::string& below, std::size_t object, int depth = 0) {
    constexpr int deepest = 8;
    if (depth > deepest) return;
    for (const auto& [key, value] : json.items()) {
      const std::string name = below.empty() ? key : below + "." + key;
      if (value.is_object()) take(value, name, object, depth + 1);
      if (value.is_number()) add(name, value.dump(), value.get<double>(), object);
      if (value.is_string() && below.empty()) texts.at(object) += value.get<std::string>() + '\n';
    }
  }

  // Tell whether a text says which of two numbers of one step is meant: `"split": "valid"`.
  bool are_told_apart(const std::string& step) const {
    std::map<std::size_t, double> steps;
    const JsonKey& numbers = keys.at(step);
    for (std::size_t i = 0; i < numbers.values.size(); ++i) steps[numbers.objects[i]] = numbers.values[i];
    return std::ranges::any_of(names, [&](const std::string& name) {
      std::map<double, std::size_t> firsts;
      return name != step && std::ranges::any_of(keys.at(name).objects, [&](std::size_t object) {
               if (!steps.contains(object)) return false;
               const std::size_t first = firsts.try_emplace(steps.at(object), object).first->second;
               return texts[first] != texts[object];
             });
    });
  }
};

// What stands for no number in JSON is written so by Python all the same.
KeyedJson object_in(std::string_view line) {
  const std::size_t begin = line.find('{'), end = line.rfind('}');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  std::string text(line.substr(begin, end + 1 - begin));
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
      text.replace(at, word.size(), "null");
  KeyedJson json = KeyedJson::parse(text, nullptr, false);
  return json.is_object() ? json : KeyedJson();
}

// The likeliest step: one that rises, or stays, from object to object; one of a known name first.
std::string step_key(const JsonKeys& all) {
  std::string best;
  std::size_t most = 1;
  bool is_known = false;
  for (const std::string& name : all.names) {
    const JsonKey& key = all.keys.at(name);
    constexpr double most_exact = 9e15;
    const bool is_whole =
        key.first.find_first_of(".eE") == std::string::npos &&
        std::ranges::all_of(key.values, [](double value) { return value >= 0 && value < most_exact; });
    const bool is_step = names_step(name);
    if (!is_whole || !std::ranges::is_sorted(key.values) || key.values.front() == key.values.back()) continue;
    const bool is_better = is_step > is_known || (is_step == is_known && key.values.size() > most);
    if (!is_better || (!is_step && !rises(std::vector<std::int64_t>(key.values.begin(), key.values.end()))))
      continue;
    best = name;
    most = key.values.size();
    is_known = is_step;
  }
  return best;
}

}  // namespace

std::optional<JsonSurvey> survey_json(const LogLines& log) {
  JsonKeys all;
  JsonSurvey survey;
  for (std::size_t line = 0; line < log.lines().size(); ++line) {
    const KeyedJson json = object_in(log.text(line));
    if (!json.is_object() || json.empty()) continue;
    all.texts.emplace_back();
    all.take(json, "", survey.places.size());
    survey.places.push_back(line);
  }
  survey.step = survey.places.size() > 1 ? step_key(all) : "";
  if (survey.step.empty() || all.are_told_apart(survey.step)) return std::nullopt;
  survey.lines.shape = "JSON objects with " + survey.step;
  survey.lines.example = std::string(log.text(survey.places.front()));
  survey.lines.lines = static_cast<std::int64_t>(survey.places.size());
  for (const std::string& name : all.names) {
    const JsonKey& key = all.keys.at(name);
    if (name == survey.step) continue;
    const GuessedMetric guess = guess_metric(name, "");
    Sentence why = why_no_metric(guess, key.values);
    if (!why.empty())
      survey.lines.left_out.push_back({name, std::move(why)});
    else
      survey.lines.metrics.push_back({guess, name, key.first, "", name});
  }
  return survey;
}

}  // namespace gate::extract
