// Golden files in tests: read, and shown as texts.
#pragma once

#include <gmock/gmock.h>

#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"
#include "gate/schema/baseline_file.h"

namespace gate::schema {

inline Baseline golden(const std::string& text) {
  const auto read = read_baseline(text, "g.json");
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  return read.value_or(Baseline{});
}

inline std::string golden_error(const std::string& text) {
  const auto read = read_baseline(text, "g.json");
  return read ? "no error" : read.error().message;
}

// Return `number=text`, and ` (value)` where that is another number.
inline std::string shown(const Sample& sample) {
  const std::string text = std::to_string(sample.number) + "=" + sample.text;
  return word_in_unit(sample) == sample.text ? text : text + "(" + word_in_unit(sample) + ")";
}

// Return the series as `label unit numbered: number=text ...`, with a `?` where the numbers are assumed.
inline std::string shown(const Series& series) {
  std::string text = label(series) + " [" + series.unit() + "] " + std::string(to_string(series.numbered()));
  text += series.assumed() ? "?:" : ":";
  for (const Sample& sample : series.samples()) text += " " + shown(sample);
  return series.unrecorded().empty() ? text : text + " unrecorded " + to_string(StepSet(series.unrecorded()));
}

inline std::vector<std::string> shown(const Baseline& baseline) {
  std::vector<std::string> lines;
  if (baseline.runs.empty()) return {"no run"};
  for (const Series& series : baseline.runs.front().series) lines.push_back(shown(series));
  return lines;
}

}  // namespace gate::schema
