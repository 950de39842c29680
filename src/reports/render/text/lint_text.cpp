#include "gate/render/lint.h"

#include <algorithm>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "gate/words/chinese.h"
#include "gate/words/remarks.h"

namespace gate::render {

namespace {

using judge::Finding;
using judge::Weight;
using words::verbatim;

constexpr std::size_t most_cases_named = 3;

std::string finding_line(const judge::LintCase& c, const Finding& finding) {
  const std::string subject = finding.subject.empty() ? "" : finding.subject + ": ";
  const std::string word = finding.row->weight == Weight::weak ? "WEAK" : "note";
  return word + "  " + verbatim(safe(c.name)) + "  " + platform_name(c.platform) + "  " +
         printable(subject, 200) + printable(finding.text, 400) + "\n      " +
         std::string(finding.row->name) + ": " + std::string(finding.row->advice) + "\n";
}

std::string finding_lines(const judge::LintCase& c, const Style& style) {
  std::string out;
  for (const Finding& finding : c.findings)
    if (style.verbose || finding.row->weight == Weight::weak) out += finding_line(c, finding);
  if (c.quarantine && !style.quiet)
    out += "quarantine  " + safe(c.name) + "  until " + c.quarantine->until + "  owner " +
           verbatim(printable(c.quarantine->owner, 120)) + ": " +
           verbatim(printable(c.quarantine->reason, 400)) + "\n";
  if (!c.why_not.empty() && !style.quiet)
    out += "n/a   " + verbatim(safe(c.name)) + "  " + platform_name(c.platform) + "  " + c.why_not + "\n";
  if (style.verbose)
    for (const Note& note : judge::noise_notes(c.noise))
      out += "noise  " + verbatim(safe(c.name)) + "  " + platform_name(c.platform) + "  " +
             words::text(note) + "\n";
  return out;
}

// One entry for each kind of note: most cases share theirs.
std::string lint_notes(const judge::Lint& lint) {
  std::string out;
  for (const judge::LintRow& row : judge::lints()) {
    std::vector<std::string> names;
    for (const judge::LintCase& c : lint.cases)
      for (const Finding& finding : c.findings)
        if (finding.row == &row && row.weight == Weight::note &&
            (names.empty() || names.back() != safe(c.name)))
          names.push_back(safe(c.name));
    if (names.empty()) continue;
    const std::size_t more = names.size() > most_cases_named ? names.size() - most_cases_named : 0;
    names.resize(names.size() - more);
    out += "note  " + verbatim(join(names, ", ")) +
           (more > 0 ? " and " + std::to_string(more) + " more" : "") + ": " + std::string(row.doc) +
           "\n      " + std::string(row.name) + ": " + std::string(row.advice) + "\n";
  }
  return out;
}

std::string noise_of_all(const judge::Lint& lint) {
  const std::optional<double> rate = lint.false_red();
  if (!rate) return "";
  const auto known = std::ranges::count_if(lint.cases, [](const judge::LintCase& c) {
    return std::ranges::any_of(c.noise, [](const judge::Noise& noise) { return noise.rate.has_value(); });
  });
  return "noise  " + count_of(known, "case") + " of known noise: " + judge::nights_text(*rate) + "\n";
}

std::string lint_closing(const judge::Lint& lint) {
  const auto untried =
      std::ranges::count_if(lint.cases, [](const judge::LintCase& c) { return !c.why_not.empty(); });
  const auto looked = static_cast<std::int64_t>(lint.cases.size()) - untried;
  const std::int64_t weak = lint.count(Weight::weak), notes = lint.count(Weight::note);
  std::string line = lint.exit_code() == exit_code::ok ? "GREEN: " : "RED: ";
  line += weak == 0 ? "nothing weak" : std::to_string(weak) + (weak == 1 ? " weakness" : " weaknesses");
  line += " in " + count_of(looked, "case");
  if (notes > 0) line += ", " + count_of(notes, "note");
  if (untried > 0) line += ", " + count_of(untried, "case") + " not looked at";
  return line + " (exit " + std::to_string(lint.exit_code()) + ")\n";
}

OutputJson finding_json(const Finding& finding) {
  return {{"lint", finding.row->name},
          {"weight", finding.row->weight == Weight::weak ? "weak" : "note"},
          {"subject", finding.subject},
          {"text", finding.text},
          {"advice", finding.row->advice}};
}

OutputJson noise_json(const judge::Noise& noise) {
  OutputJson json{{"rule", noise.rule}, {"metric", noise.metric}};
  if (noise.rank) json["rank"] = *noise.rank;
  json["runs"] = noise.runs.baseline;
  if (noise.s) json["s"] = *noise.s;
  if (noise.rate) json["false_failure_rate"] = *noise.rate;
  if (noise.caught) json["smallest_caught"] = *noise.caught;
  json["relative"] = noise.relative;
  return json;
}

}  // namespace

std::string lint_text(const judge::Lint& lint, const Style& style) {
  std::string out;
  for (const judge::LintCase& c : lint.cases) out += finding_lines(c, style);
  if (!style.quiet && !style.verbose) out += lint_notes(lint);
  if (!style.quiet) out += noise_of_all(lint);
  return words::shown_lines(style.language, out + (out.empty() ? "" : "\n") + lint_closing(lint));
}

std::string lint_json(const judge::Lint& lint) {
  OutputJson json{{"exit_code", lint.exit_code()}, {"cases", OutputJson::array()}};
  if (const std::optional<double> rate = lint.false_red()) json["false_red"] = *rate;
  for (const judge::LintCase& c : lint.cases) {
    OutputJson one{{"case", c.name}, {"platform", c.platform}};
    if (!c.why_not.empty()) one["not_looked_at"] = c.why_not;
    if (c.quarantine)
      one["quarantine"] = {
          {"until", c.quarantine->until}, {"reason", c.quarantine->reason}, {"owner", c.quarantine->owner}};
    one["findings"] = OutputJson::array();
    for (const Finding& finding : c.findings) one["findings"].push_back(finding_json(finding));
    one["noise"] = OutputJson::array();
    for (const judge::Noise& noise : c.noise) one["noise"].push_back(noise_json(noise));
    json["cases"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace gate::render
