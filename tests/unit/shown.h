// Values of a report from words, and a report's values in words.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/model/rules/grammar.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"

namespace gate {

inline void PrintTo(const Sentence& sentence, std::ostream* out) { *out << sentence.english(); }

}  // namespace gate

namespace gate::shown {

// Return the value of `10.5`, `nan`, `left out`; none of "".
inline std::optional<Value> value(std::string_view word) {
  if (word == "left out") return Value{ValueKind::left_out, {}};
  return word.empty() ? std::nullopt : parse_value(word);
}

// Return the limit of `5`, which is an end on either side, or of `1..2`.
inline LimitRanges limit(std::string_view word) {
  const std::size_t dots = word.find("..");
  if (word.empty()) return {};
  return {
      {value(word.substr(0, dots)), value(dots == std::string_view::npos ? word : word.substr(dots + 2))}};
}

inline StepSet steps(std::string_view word) { return StepSet::parse(word).value(); }

inline Remark text(std::string sentence) { return remark::Text{std::move(sentence)}; }

inline Ungated ungated(std::string metric, std::string rule, std::string reason, bool absent = false) {
  return {std::move(metric), std::move(rule), text(std::move(reason)), absent};
}

inline Miss miss(std::int64_t number, std::string_view baseline, std::string_view actual,
                 std::string_view delta, std::string file, std::uint32_t line,
                 std::optional<double> percent = {}) {
  return {number, value(baseline), value(actual), value(delta), percent, std::move(file), line};
}

// A check in words.
struct Words {
  explicit Words(const Check& check)
      : numbered(check.numbered ? to_string(*check.numbered) : ""),
        window(check.window ? to_string(*check.window) : ""),
        steps(to_string(check.steps)),
        reduce(check.reduce ? to_string(*check.reduce) : ""),
        tolerance(to_string(check.tolerance)),
        baseline(words::value_text(check.baseline)),
        actual(words::value_text(check.actual)),
        delta(words::signed_text(check.delta)),
        delta_percent(words::percent_text(check.delta_percent)),
        limit(words::limit_text(check.limit).english()),
        margin(words::value_text(check.margin)),
        note(words::note_text(check).english()) {}

  std::string numbered, window, steps, reduce, tolerance, baseline, actual, delta, delta_percent, limit,
      margin, note;
};

// A miss in words.
struct MissWords {
  explicit MissWords(const Miss& miss)
      : baseline(words::baseline_text(miss.baseline).english()),
        actual(words::actual_text(miss.actual).english()),
        delta(words::signed_text(miss.delta)) {}

  std::string baseline, actual, delta;
};

inline std::vector<std::string> notes(const std::vector<Note>& all) {
  std::vector<std::string> texts;
  for (const Note& note : all) texts.push_back(words::text(note).english());
  return texts;
}

}  // namespace gate::shown
