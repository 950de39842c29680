#include "render/words/part_words.h"

#include <algorithm>

#include "gate/base/sentence.h"
#include "gate/base/text.h"

namespace gate::render {

namespace {

constexpr std::size_t most_cases_in_line = 5;

Sentence subject_words(const PolicyFinding& finding) {
  if (finding.area == PolicyArea::header) return as_is("#GATE " + finding.subject);
  if (finding.area == PolicyArea::baseline) return say({"baseline {}", "基线 {}"}, finding.subject);
  if (finding.area == PolicyArea::script) return say({"case {}", "用例 {}"}, finding.subject);
  return as_is(finding.subject);
}

Sentence shift_word(PolicyShift shift) {
  constexpr std::array chinese{"放宽", "收紧", "改动", "新增", "删除", "改名"};
  return {std::string(to_string(shift)), chinese.at(static_cast<std::size_t>(shift))};
}

Sentence finding_values(const PolicyFinding& finding) {
  if (finding.shift == PolicyShift::renamed) return as_is("-> " + finding.after);
  if (finding.before.empty()) return as_is(finding.after);
  return say({"{} -> {}", "{} -> {}"}, finding.before,
             finding.after.empty() ? say({"nothing", "无"}) : as_is(finding.after));
}

Sentence finding_line(const PolicyFinding& finding) {
  std::vector<Sentence> parts{shift_word(finding.shift), subject_words(finding), finding_values(finding)};
  if (!finding.cases.empty() && finding.area != PolicyArea::baseline)
    parts.push_back(say({"in {}", "在 {}"}, some_of(finding.cases, most_cases_in_line)));
  parts.push_back(as_is(finding.where));
  return join(parts, column).with([](const std::string& line) { return printable(line, 1000); });
}

}  // namespace

Sentence policy_words(const Report& report) {
  if (!report.policy) return {};
  const TrustedPolicy& policy = *report.policy;
  return say({"judged by the policy of {} ({}): {}", "按 {}（{}）的策略判定：{}"}, policy.reference,
             short_commit(policy.commit),
             policy.findings.empty() ? say({"no finding", "没有发现"})
                                     : count_of(std::ssize(policy.findings), "finding", "条发现"));
}

std::vector<Sentence> finding_lines_of(const Report& report) {
  std::vector<Sentence> lines;
  if (!report.policy) return lines;
  for (const PolicyFinding& finding : report.policy->findings) lines.push_back(finding_line(finding));
  return lines;
}

Sentence quarantine_words(const CaseReport& one) {
  if (!one.quarantine) return {};
  return say({"quarantined until {} by {}: {}", "隔离到 {}，负责人 {}：{}"}, one.quarantine->until,
             one.quarantine->owner, one.quarantine->reason);
}

Sentence quarantined_words(const Report& report) {
  const std::int64_t all = report.count_quarantined(), red = report.count_quarantined_red();
  if (all == 0) return {};
  return red > 0 ? say({"{} quarantined ({} red)", "{} 隔离（其中 {} 红）"}, all, red)
                 : say({"{} quarantined", "{} 隔离"}, all);
}

}  // namespace gate::render
