#include "gate/app/explain.h"

#include <algorithm>
#include <set>

#include "app/results/explain_values.h"
#include "gate/base/decompress.h"
#include "gate/base/text.h"
#include "gate/store/run_folder.h"

namespace gate::app {

namespace {

// Return line `number` (from 1) of the file, printable, or "" where it is not there.
std::string log_line(const std::string& path, std::uint32_t number) {
  std::uint32_t at = 1;
  std::string line;
  const Result<std::string> read = read_unpacked(path, [&](std::string_view block) {
    while (!block.empty() && at <= number) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      if (at == number) line += block.substr(0, end);
      if (end == block.size()) return;
      ++at;
      block.remove_prefix(end + 1);
    }
  });
  return read ? printable(line) : "";
}

std::vector<std::string> quoted_lines(const Check& check) {
  std::vector<std::string> quoted;
  std::set<std::uint32_t> seen;
  for (const std::optional<Miss>& miss : {check.first_miss, check.largest}) {
    if (!miss || miss->line == 0 || miss->file.empty() || !seen.insert(miss->line).second) continue;
    quoted.push_back(miss->file + ":" + std::to_string(miss->line) + ": " + log_line(miss->file, miss->line));
  }
  return quoted;
}

Answer<CaseReport> find_case(const Report& report, const std::string& case_name) {
  for (const CaseReport& c : report.cases)
    if (c.name == case_name) return c;
  return usage(case_name + ": not a case of run " + report.run +
               did_you_mean(case_name, report.case_names()));
}

// The case as the second profile judged it.
Answer<CaseReport> as_shadow(CaseReport report) {
  if (!report.shadow) return usage("--shadow: no second profile judged " + report.name + " in that run");
  report.profile = report.shadow->profile;
  report.verdict = report.shadow->verdict;
  report.reason = report.shadow->reason;
  report.checks = std::move(report.shadow->checks);
  report.ungated.clear();
  report.shadow.reset();
  return report;
}

}  // namespace

Answer<Explanation> explain(const Suite& suite, const std::string& case_name, const std::string& check,
                            const std::string& run, Whose whose) {
  const Result<Report> report = store::read_run(suite.root, run);
  if (!report) return usage(report.error());
  Answer<CaseReport> spec = find_case(*report, case_name);
  if (spec && whose == Whose::shadow) spec = as_shadow(std::move(*spec));
  if (!spec) return tl::unexpected(spec.error());
  Explanation explanation{*spec, {}, {}, ""};
  const Compared compared = what_was_compared(suite, *spec);
  const auto asked = [&](const std::string& rule, const std::string& metric) {
    return check.empty() || rule == check || metric == check;
  };
  std::vector<std::string> known;
  for (const Check& candidate : spec->checks) {
    known.push_back(candidate.rule);
    if (asked(candidate.rule, candidate.metric))
      explanation.checks.push_back(
          {candidate, compared_values(compared, candidate), quoted_lines(candidate)});
  }
  for (const Ungated& entry : spec->ungated)
    if (!entry.rule.empty() && asked(entry.rule, entry.metric)) explanation.ungated.push_back(entry);
  if (compared.reference.series.empty() && !spec->baselines.empty())
    explanation.note =
        "the baseline is no longer the file that the run was judged against: its values are not shown";
  if (explanation.checks.empty() && explanation.ungated.empty() && !check.empty())
    return usage(check + ": no check of " + case_name + " in that run" + did_you_mean(check, known));
  return explanation;
}

}  // namespace gate::app
