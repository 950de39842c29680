// OpenMetrics text that Prometheus reads too: gauges only. Reports of GitLab show every sample that came,
// went or changed, so nothing is in it that differs from run to run without a reason: no commit, no run, no
// time; and values are rounded to their noise (render/words/figures.h).
#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "gate/render/reporters.h"
#include "render/words/figures.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

constexpr int label_columns = 400;

std::string escaped_label(std::string_view text) {
  std::string out;
  for (const char c : cut(safe(text), label_columns))
    out += c == '\\' || c == '"' ? std::string("\\") + c : std::string(1, c);
  return out;
}

// Collects the samples of one family; of two with the same labels the first counts. A label without a value
// is no label.
class Samples {
 public:
  Samples(std::string_view name, const Report& report) : name_(name), suite_(report.suite) {}

  void add(Labels labels, const std::string& value) {
    if (value.empty()) return;
    labels.insert(labels.begin(), {"suite", suite_});
    std::string words;
    for (const auto& [label, text] : labels)
      if (!text.empty())
        words += fmt::format("{}{}=\"{}\"", words.empty() ? "" : ",", label, escaped_label(text));
    if (seen_.insert(words).second)
      text_ += name_ + (words.empty() ? "" : "{" + words + "}") + " " + value + "\n";
  }

  const std::string& text() const { return text_; }

 private:
  std::string name_, suite_, text_;
  std::set<std::string> seen_;
};

Labels labels_of(const CaseReport& one, const Check& check) {
  return {{"case", one.name},
          {"rule", check.rule},
          {"metric", check.metric},
          {"rank", check.rank ? std::to_string(*check.rank) : ""},
          {"unit", check.unit}};
}

void cases(Samples& samples, const Report& report) {
  for (const VerdictRow& verdict : verdicts())
    samples.add({{"verdict", std::string(verdict.name)}}, std::to_string(report.count(verdict.verdict)));
  if (const std::int64_t quarantined = report.count_quarantined(); quarantined > 0)
    samples.add({{"verdict", "quarantined"}}, std::to_string(quarantined));
}

void case_verdicts(Samples& samples, const Report& report) {
  for (const CaseReport& one : report.cases)
    samples.add({{"case", one.name}, {"verdict", std::string(to_string(one.verdict))}}, "1");
}

void checks(Samples& samples, const Report& report) {
  using enum CheckStatus;
  for (const CheckStatus status : {pass, fail, missing, incomparable, undecided, waived, error, skipped}) {
    std::size_t count = 0;
    for (const CaseReport& one : report.cases)
      for (const Check& check : one.checks) count += check.status == status ? 1 : 0;
    samples.add({{"status", std::string(to_string(status))}}, std::to_string(count));
  }
}

void checks_passed(Samples& samples, const Report& report) {
  for (const CaseReport& one : report.cases)
    for (const Check& check : one.checks)
      if (check.status != CheckStatus::skipped)
        samples.add(labels_of(one, check), check.status == CheckStatus::pass ? "1" : "0");
}

template <std::string Figures::*figure>
void figures(Samples& samples, const Report& report) {
  for (const CaseReport& one : report.cases)
    for (const Check& check : one.checks) samples.add(labels_of(one, check), figures_of(check).*figure);
}

void case_durations(Samples& samples, const Report& report) {
  for (const CaseReport& one : report.cases) samples.add({{"case", one.name}}, seconds(one.duration));
}

enum class Shown : std::uint8_t { always, verbose };

struct Family {
  std::string_view name;
  std::string_view unit;  // the end of the name, too
  std::string_view help;
  void (*add)(Samples& samples, const Report& report);
  Shown shown = Shown::always;
};

constexpr std::array<Family, 11> families{
    {{"gate_exit_code", "", "Exit code of the run; 0 is green.",
      [](Samples& samples, const Report& report) { samples.add({}, std::to_string(report.exit_code)); }},
     {"gate_cases", "", "Cases by verdict.", cases},
     {"gate_case_verdict", "", "1 for the verdict that the case has.", case_verdicts},
     {"gate_checks", "", "Checks of all cases by status.", checks},
     {"gate_check_passed", "", "1 where the check passed, else 0.", checks_passed},
     {"gate_check_actual", "", "What was measured, rounded to the noise.", figures<&Figures::actual>},
     {"gate_check_baseline", "", "What it is compared with.", figures<&Figures::baseline>},
     {"gate_check_margin", "", "What is left to the limit; negative beyond it.", figures<&Figures::margin>},
     {"gate_check_used_ratio", "ratio", "Share of the tolerance that is used; 1 is the limit.",
      figures<&Figures::used>},
     {"gate_run_duration_seconds", "seconds", "How long the run took.",
      [](Samples& samples, const Report& report) { samples.add({}, seconds(report.duration)); },
      Shown::verbose},
     {"gate_case_duration_seconds", "seconds", "How long the case took.", case_durations, Shown::verbose}}};

}  // namespace

std::string openmetrics(const Report& report, const Style& style) {
  std::string out;
  for (const Family& family : families) {
    if (report.rehearsal) break;  // nobody's trend
    if (family.shown == Shown::verbose && !style.verbose) continue;
    Samples samples(family.name, report);
    family.add(samples, report);
    if (samples.text().empty()) continue;
    out += fmt::format("# TYPE {} gauge\n", family.name);
    if (!family.unit.empty()) out += fmt::format("# UNIT {} {}\n", family.name, family.unit);
    out += fmt::format("# HELP {} {}\n", family.name, family.help) + samples.text();
  }
  return out + "# EOF\n";
}

}  // namespace gate::render
