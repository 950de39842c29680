// Any bytes as a custom log: no crash. What the survey proposes can be read: no two metrics have one name,
// each pattern is accepted and reads a line of the log, and the value that is shown stands there.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extract/survey/log_lines.h"
#include "extract/survey/tried_pattern.h"
#include "gate/base/text.h"
#include "gate/extract/survey.h"
#include "targets.h"

namespace {

using namespace gate::extract;

void fail_survey(const SurveyedMetric& metric, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n  %s\n", metric.guess.metric.name.c_str(), what.c_str(),
               metric.pattern.c_str());
  std::abort();
}

// The word may have its unit, which the pattern leaves out: `1.5it/s`.
bool reads_word(const SurveyedMetric& metric, const LogLines& log) {
  TriedPattern tried(metric.pattern);
  return std::ranges::any_of(log.lines(), [&](const SurveyedLine& line) {
    const auto found = tried.find(line.text);
    return found && line.text.find(metric.word) != std::string_view::npos &&
           metric.word.find(found->word) != std::string::npos;
  });
}

void check_pattern_of(const SurveyedMetric& metric, const LogLines& log) {
  UserPattern pattern;
  pattern.metric = metric.guess.metric.name;
  pattern.regex = metric.pattern;
  if (const auto status = check_pattern(pattern); !status) fail_survey(metric, status.error().message);
  if (!reads_word(metric, log)) fail_survey(metric, "it reads `" + metric.word + "` in no line");
}

}  // namespace

int survey_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const LogLines log(text);
  std::set<std::string> names;
  for (const SurveyedLines& lines : survey_log(text).lines)
    for (const SurveyedMetric& metric : lines.metrics) {
      if (!names.insert(metric.guess.metric.name).second) fail_survey(metric, "two metrics have this name");
      if (metric.pattern.empty() == metric.key.empty()) fail_survey(metric, "has both a pattern and a key");
      if (metric.key.empty()) check_pattern_of(metric, log);
    }
  return 0;
}
