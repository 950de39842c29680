#include "render/words/head_words.h"

#include "gate/base/text.h"
#include "render/words/shared_lines.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

namespace gate::render {

std::vector<std::string> head_lines(const Report& report) {
  std::vector<std::string> lines{header_line(report)};
  if (report.cases.empty()) return lines;
  const std::string cases = count_of(static_cast<std::int64_t>(report.cases.size()), "case");
  if (report.command != "check") lines.push_back(cases + ", " + spent_words(report) + ": " + totals(report));
  if (std::string shadow = shadow_words(report); !shadow.empty()) lines.push_back(std::move(shadow));
  return lines;
}

std::vector<std::string> suite_lines(const Report& report, Quotes quotes) {
  std::vector<std::string> lines = shift_lines(judge::triage(report.cases));
  if (std::string line = differences_line(report, common_differences(report), quotes); !line.empty())
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace gate::render
