// The numbers of one shape of lines, and patterns that read them and no others.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/survey/log_lines.h"
#include "extract/survey/places.h"
#include "gate/extract/survey.h"

namespace gate::extract {

// A shape of lines with what is known of it.
struct SurveyedShape {
  std::size_t place = 0;                // among the shapes of the log
  std::vector<std::size_t> lines;       // those that are looked at, from the first
  std::vector<std::string_view> texts;  // of these lines
  LinePlaces places;
  std::vector<PrintedNumber> numbers;  // of the example, the first line
  std::string head;                    // words before the first number, in small letters
  bool is_row = false;                 // of a table without a mark between its columns
  bool is_of_evaluation = false;       // its head says so
  bool is_rare = false;                // it is looked at so that no pattern of others reads it
  bool is_of_few = false;              // of few lines

  std::string_view example() const { return texts.front(); }
};

// Return what is known of the shape; no numbers where no name, and no unit, tells one.
SurveyedShape survey_shape(const LogLines& log, std::size_t shape);

// Chooses patterns for the numbers of shapes, one shape after the other.
class PatternChooser {
 public:
  PatternChooser(const LogLines& log, std::span<const SurveyedShape> shapes) : log_(log), shapes_(shapes) {}

  // Let no metric have that name.
  void take_name(const std::string& name) { names_.insert(name); }

  // Return the metrics of the shape that no earlier shape's patterns read: names that are taken get the words
  // of the line before them.
  SurveyedLines choose(const SurveyedShape& shape);

  // Return a pattern that reads the step of the shape's lines as its value, and nothing of others; nothing
  // where there is none.
  std::optional<std::string> choose_carrier(const SurveyedShape& shape) const;

  // Return the steps that the patterns so far read, by line.
  const std::map<std::size_t, std::int64_t>& steps() const { return steps_; }

 private:
  struct Choice {
    std::string pattern;
    std::set<std::size_t> shapes;  // that it reads besides its own
  };

  std::optional<Choice> choose_pattern(const SurveyedShape& shape, const PrintedNumber& number) const;
  std::optional<std::set<std::size_t>> others_read(const SurveyedShape& shape,
                                                   const std::string& pattern) const;
  bool goes_on(const SurveyedShape& shape, const SurveyedShape& other, const std::string& pattern) const;
  void name(const SurveyedShape& shape, const PrintedNumber& number, GuessedMetric& guess);
  bool is_read(const SurveyedShape& shape, const PrintedNumber& number, const GuessedMetric& guess) const;

  const LogLines& log_;
  std::span<const SurveyedShape> shapes_;
  std::set<std::string> names_;
  std::map<std::string, Sentence> left_out_;           // printed names, and why
  std::map<std::string, std::set<std::size_t>> read_;  // by metric: the shapes that it reads
  std::map<std::size_t, std::int64_t> steps_;
};

}  // namespace gate::extract
