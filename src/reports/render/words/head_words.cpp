#include "render/words/head_words.h"

#include "gate/base/text.h"
#include "render/words/shared_lines.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

namespace gate::render {

std::vector<Sentence> head_lines(const Report& report) {
  std::vector<Sentence> lines{header_line(report)};
  if (report.cases.empty()) return lines;
  if (report.command != "check")
    lines.push_back(say({"{}, {}: {}", "{}，{}：{}"}, count_of(std::ssize(report.cases), "case", "个用例"),
                        spent_words(report), totals(report)));
  if (const Sentence shadow = shadow_words(report); !shadow.empty()) lines.push_back(shadow);
  return lines;
}

std::vector<Sentence> suite_lines(const Report& report) {
  std::vector<Sentence> lines = shift_lines(judge::triage(report.cases));
  if (const Sentence line = differences_line(report, common_differences(report)); !line.empty())
    lines.push_back(line);
  return lines;
}

}  // namespace gate::render
