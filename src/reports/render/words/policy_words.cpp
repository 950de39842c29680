#include "render/words/part_words.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/words/chinese.h"

namespace gate::render {

namespace {

constexpr std::size_t most_cases_in_line = 5;

std::string subject_words(const PolicyFinding& finding) {
  if (finding.area == PolicyArea::header) return "#GATE " + finding.subject;
  if (finding.area == PolicyArea::baseline) return "baseline " + finding.subject;
  if (finding.area == PolicyArea::script) return "case " + finding.subject;
  return finding.subject;
}

std::string finding_values(const PolicyFinding& finding) {
  if (finding.shift == PolicyShift::renamed) return "-> " + finding.after;
  if (!finding.before.empty() && !finding.after.empty()) return finding.before + " -> " + finding.after;
  return finding.before.empty() ? finding.after : finding.before + " -> nothing";
}

}  // namespace

std::string policy_words(const Report& report) {
  if (!report.policy) return "";
  const TrustedPolicy& policy = *report.policy;
  return "judged by the policy of " + policy.reference + " (" + short_commit(policy.commit) +
         "): " + (policy.findings.empty() ? "no finding" : count_of(std::ssize(policy.findings), "finding"));
}

std::vector<std::string> finding_lines_of(const Report& report) {
  std::vector<std::string> lines;
  if (!report.policy) return lines;
  for (const PolicyFinding& finding : report.policy->findings) {
    std::string line = std::string(to_string(finding.shift)) + "  " + subject_words(finding);
    const bool names_path = finding.area == PolicyArea::baseline;
    const std::string cases =
        finding.cases.empty() || names_path ? "" : "in " + some_of(finding.cases, most_cases_in_line);
    for (const std::string& part : {finding_values(finding), cases, finding.where})
      if (!part.empty()) line += "  " + part;
    lines.push_back(printable(line, 1000));
  }
  return lines;
}

namespace {

// What others wrote is verbatim; the words that gate puts before or behind it are not.
std::string told_part(const std::string& part) {
  constexpr std::string_view nothing = " -> nothing";
  for (const std::string_view word : {"in ", "case ", "baseline "})
    if (part.starts_with(word)) return std::string(word) + words::verbatim(part.substr(word.size()));
  if (!part.ends_with(nothing)) return words::verbatim(part);
  return words::verbatim(part.substr(0, part.size() - nothing.size())) + std::string(nothing);
}

}  // namespace

std::string finding_words(const std::string& line) {
  std::string told;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    const std::string part = line.substr(at, end - at);
    told += (at == 0 ? "" : "  ") + (at == 0 ? part : told_part(part));
    at = end + 2;
  }
  return told;
}

std::string quarantine_words(const CaseReport& one) {
  if (!one.quarantine) return "";
  return "quarantined until " + one.quarantine->until + " by " + one.quarantine->owner + ": " +
         one.quarantine->reason;
}

std::string quarantined_words(const Report& report) {
  const std::int64_t all = report.count_quarantined(), red = report.count_quarantined_red();
  if (all == 0) return "";
  return std::to_string(all) + " quarantined" + (red > 0 ? " (" + std::to_string(red) + " red)" : "");
}

}  // namespace gate::render
