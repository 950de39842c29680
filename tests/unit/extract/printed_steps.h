// What every log and every mutation of it must hold: no step appears that was not printed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include "extract/events/event_reader.h"
#include "extract/records/format_spec.h"
#include "extract/scan/prefix.h"
#include "reading.h"

namespace gate::extract {

// Formats that number through the epochs, so that a step is made of several printed numbers; and those in
// which a value printed before all steps is of step 0.
inline constexpr std::array<std::string_view, 2> numbered_through{"mindformers", "lightning"};
inline constexpr std::array<std::string_view, 2> begin_at_nothing{"paddlenlp", "llm.c"};

// Return the log's lines and the parts that carriage returns make of them, without escape sequences; the
// k-th item belongs to line k.
inline std::vector<std::vector<std::string>> plain_lines(std::string_view log) {
  std::vector<std::vector<std::string>> lines(1);
  std::string part;
  const auto end_part = [&] {
    std::string scratch;
    lines.back().emplace_back(strip_escapes(part, scratch));
    part.clear();
  };
  for (const char c : log) {
    if (c != '\n' && c != '\r')
      part += c;
    else
      end_part();
    if (c == '\n') lines.emplace_back();
  }
  end_part();
  return lines;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The whole numbers that a text prints: runs of digits without a fraction or an exponent, and those that
// commas part in threes.
class PrintedNumbers {
 public:
  explicit PrintedNumbers(std::string_view log) : lines_(plain_lines(log)) {
    for (const auto& line : lines_)
      for (const std::string& part : line) add_all(part);
  }

  // Take a number that a launcher broke over two lines (from 1) for one.
  void join(std::size_t first, std::size_t second) {
    if (first == 0 || first > lines_.size() || second == 0 || second > lines_.size()) return;
    for (const std::string& left : lines_[first - 1])
      for (const std::string& right : lines_[second - 1]) add_joined(left, right);
  }

  bool holds(std::int64_t number) const { return runs_.contains(std::to_string(number)); }

  // Return the most records that the lines can hold where none of them holds two.
  std::size_t parts() const {
    std::size_t count = 0;
    for (const auto& line : lines_) count += line.size();
    return count;
  }

  bool stands(std::string_view text) const {
    for (const auto& line : lines_)
      for (const std::string& part : line)
        if (part.find(text) != std::string::npos) return true;
    return false;
  }

 private:
  void add(std::string digits) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    runs_.insert(std::move(digits));
  }

  void add_all(std::string_view text) {
    static const RE2 number(R"((\d+)((?:\.\d+)?(?:[eE][+-]?\d+)?))");
    static const RE2 thousands(R"((\d{1,3}(?:,\d{3})+)())");
    for (const RE2* pattern : {&number, &thousands}) {
      re2::StringPiece rest(text.data(), text.size());
      for (std::string word, more; RE2::FindAndConsume(&rest, *pattern, &word, &more);) {
        std::erase(word, ',');
        if (more.find_first_not_of(".0") == std::string::npos) add(word);
      }
    }
  }

  void add_joined(std::string_view left, std::string_view right) {
    const std::size_t payload = parse_prefix(right).payload;
    const std::string_view tail = left.substr(left.size() - std::min<std::size_t>(left.size(), 64));
    for (const std::string_view half : {right, right.substr(payload)})
      add_all(std::string(tail) + std::string(half.substr(0, 64)));
  }

  std::vector<std::vector<std::string>> lines_;
  std::set<std::string> runs_;
};

inline void join_torn(const Extraction& x, PrintedNumbers& printed) {
  static const RE2 pair(R"(over lines (\d+) and (\d+), put together)");
  for (const std::string& text : problems(x, ProblemKind::torn)) {
    std::size_t first = 0, second = 0;
    if (RE2::PartialMatch(text, pair, &first, &second)) printed.join(first, second);
  }
}

inline std::size_t merged_records(const Extraction& x) {
  static const RE2 counted(R"((\d+) records on one line)");
  std::size_t sum = 0;
  for (const std::string& text : problems(x, ProblemKind::merged)) {
    std::size_t count = 0;
    if (RE2::PartialMatch(text, counted, &count)) sum += count - 1;
  }
  return sum;
}

template <std::size_t N>
bool is_one_of(const std::vector<std::string>& formats, const std::array<std::string_view, N>& names) {
  return std::any_of(formats.begin(), formats.end(), [&](const std::string& format) {
    return std::find(names.begin(), names.end(), format) != names.end();
  });
}

// Whose records may print no step: it is that of a bar, or they are counted.
constexpr std::array<std::string_view, 4> may_be_counted{"hf-trainer", "llama-factory", "mllog", "ms-swift"};

// Tell whether a step may stand there by what its format says of steps, besides being printed.
inline bool is_allowed(std::int64_t step, const Extraction& x, const PrintedNumbers& printed) {
  if (printed.holds(step)) return true;
  if (is_one_of(x.formats, may_be_counted) && step <= static_cast<std::int64_t>(printed.parts())) return true;
  if (step == 0 && is_one_of(x.formats, begin_at_nothing)) return true;
  return is_one_of(x.formats, numbered_through) && printed.stands("Epoch");
}

// Return the samples that are numbered by a step that nobody printed, one line each, and a line where there
// are more steps than records can be. Event files print no digits: nothing is said of them.
inline std::vector<std::string> unprinted_steps(const Extraction& x, PrintedNumbers printed) {
  std::vector<std::string> wrong;
  if (std::ranges::any_of(x.formats, is_tracker_format)) return wrong;
  join_torn(x, printed);
  std::set<std::int64_t> steps;
  const auto look = [&](const Series& series) {
    if (series.numbered() != Numbering::step || series.assumed()) return;
    for (const Sample& sample : series.samples()) {
      steps.insert(sample.number);
      if (!is_allowed(sample.number, x, printed))
        wrong.push_back(label(series) + ": step " + std::to_string(sample.number) + " of line " +
                        std::to_string(sample.line) + " is not printed");
    }
  };
  for (const Attempt& attempt : x.attempts) std::for_each(attempt.series.begin(), attempt.series.end(), look);
  std::for_each(x.series.begin(), x.series.end(), look);
  const std::size_t most = printed.parts() + merged_records(x);
  if (steps.size() > most)
    wrong.push_back(std::to_string(steps.size()) + " steps out of at most " + std::to_string(most) +
                    " records");
  return wrong;
}

inline std::vector<std::string> unprinted_steps(const Extraction& x, std::string_view log) {
  return unprinted_steps(x, PrintedNumbers(log));
}

}  // namespace gate::extract
