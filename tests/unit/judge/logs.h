// Runs and baselines written as people read them: `lm_loss 1:10.5 2:nan 3:-`, one series a line.
#pragma once

#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

#include "gate/base/text.h"
#include "gate/judge/judge.h"
#include "gate/judge/rules.h"
#include "gate/model/rules/grammar.h"
#include "shown.h"

namespace gate::judge::testing {

using shown::MissWords;
using shown::notes;
using shown::steps;
using shown::Words;

// A check has these remarks, in this order.
template <typename... One>
auto are(One... one) {
  return ::testing::ElementsAre(Remark(std::move(one))...);
}

// A check has this remark among others.
template <typename One>
auto have(One one) {
  return ::testing::Contains(Remark(std::move(one)));
}

// A check has a remark of this kind.
template <typename One>
auto have_any() {
  return ::testing::Contains(::testing::VariantWith<One>(::testing::_));
}

inline Value number(const std::string& word) { return parse_value(word).value(); }

inline Sample sample(std::int64_t number, const std::string& word, std::uint32_t line = 0) {
  if (word == "-") return {number, {}, "", 0, line};
  return {number, parse_value(word).value(), word, 0, line};
}

// Return the series of `METRIC[/RANK] NUMBER:VALUE ...`; `-` is a value left out, `N!V` a conflict at N.
inline Series series(const std::string& text) {
  std::istringstream in(text);
  std::string name, word;
  in >> name;
  const auto slash = name.find('/');
  std::optional<int> rank;
  if (slash != std::string::npos) rank = std::stoi(name.substr(slash + 1));
  const Metric metric = MetricTable().get(name.substr(0, slash));
  Series out(metric.name, rank, metric.unit, metric.numbered);
  while (in >> word) {
    const auto colon = word.find_first_of(":!");
    const std::int64_t number = std::stoll(word.substr(0, colon));
    out.append(sample(number, word.substr(colon + 1), static_cast<std::uint32_t>(100 + number)));
    if (word[colon] == '!') out.mark_conflict(number);
  }
  return out;
}

inline std::vector<Series> all_series(const std::string& text) {
  std::vector<Series> out;
  for (const std::string_view line : split(text, '\n'))
    if (!trim(line).empty()) out.push_back(series(std::string(line)));
  return out;
}

inline Extraction run(const std::string& text) {
  Extraction extraction;
  extraction.files = {"train.log"};
  extraction.series = all_series(text);
  extraction.lines = extraction.series.empty() ? 0 : 1;
  extraction.bytes = extraction.lines;
  return extraction;
}

inline Reference baseline(const std::string& text, const std::string& platform = "") {
  Baseline baseline;
  baseline.platform = platform;
  baseline.runs.push_back({{}, all_series(text)});
  return make_reference(baseline, "baselines/case.json");
}

inline Rule rule(const std::string& metric, const std::string& tolerance, const std::string& window = "all",
                 const std::string& reduce = "each") {
  Rule out;
  out.name = out.metric = metric;
  out.tolerance = parse_tolerance(tolerance).value();
  out.window = parse_window(window).value();
  out.reduce = parse_reduce(reduce).value();
  return out;
}

// A input with everything in it that `JudgeInput` only refers to.
struct Ask {
  std::vector<Rule> rules = built_in_rules();
  MetricTable metrics;
  Reference reference;
  Extraction log;
  std::optional<Outcome> outcome;
  std::string platform;
  Mode mode = Mode::series;
  Strict strict = Strict::no;
  std::optional<std::int64_t> steps;
  std::string today = "2026-06-15";
  Sentence drops_exit = {};

  Judgement judge() const {
    JudgeInput input{rules, metrics, reference, log, outcome, platform, mode, strict, steps, today};
    input.drops_exit = drops_exit;
    return judge::judge(input);
  }
};

inline Judgement judged(std::vector<Rule> rules, const std::string& reference, const std::string& log) {
  Ask ask;
  ask.rules = std::move(rules);
  ask.reference = baseline(reference);
  ask.log = run(log);
  return ask.judge();
}

// Return the only check.
inline Check checked(const Rule& rule, const std::string& reference, const std::string& log) {
  const Judgement judgement = judged({rule}, reference, log);
  return judgement.checks.size() == 1 ? judgement.checks.front() : Check{};
}

// Return the reference that several recorded runs make.
inline Reference several(const std::vector<std::string>& runs) {
  Baseline all;
  for (const std::string& one : runs) all.runs.push_back({{}, all_series(one)});
  return make_reference(all, "b.json");
}

// Return the only check against several recorded runs.
inline Check against(const Rule& rule, const std::vector<std::string>& runs, const std::string& log) {
  Ask ask;
  ask.rules = {rule};
  ask.reference = several(runs);
  ask.log = run(log);
  return ask.judge().checks.at(0);
}

// Return `lm_loss 1:V 2:V ... N:V`.
inline std::string flat(const std::string& metric, std::int64_t first, std::int64_t last,
                        const std::string& value) {
  std::string out = metric;
  for (std::int64_t n = first; n <= last; ++n) out += " " + std::to_string(n) + ":" + value;
  return out;
}

}  // namespace gate::judge::testing
