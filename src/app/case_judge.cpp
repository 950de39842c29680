#include "app/case_judge.h"

#include <algorithm>

#include "gate/judge/judge.h"

namespace gate::app {

namespace {

void add_notes(CaseReport& report, const std::vector<std::string>& notes) {
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
}

// Both sides with the series that the case computes.
struct Derived {
  Extraction run;
  Reference reference;
};

Derived with_derived(const config::Case& the_case, const Extraction& run, const JudgedAgainst& against,
                     const Partners& partners) {
  return {app::with_derived(the_case, run, partners),
          app::with_derived(the_case, against.reference, partners)};
}

}  // namespace

std::int64_t last_step(const std::vector<Series>& all) {
  std::int64_t last = 0;
  for (const Series& series : all)
    if (series.numbered() == Numbering::step && !series.empty())
      last = std::max(last, series.samples().back().number);
  return last;
}

JudgedAgainst judged_against(const std::vector<store::BaselineFile>& files) {
  JudgedAgainst against{store::reference_of(files), {}};
  for (const store::BaselineFile& file : files) against.files.push_back({file.path, file.sha256});
  return against;
}

extract::Options extract_options(const config::Case& the_case, const Reference& reference) {
  extract::Options options;
  options.formats = the_case.settings.formats.empty() ? reference.formats : the_case.settings.formats;
  options.patterns = the_case.patterns;
  options.metrics = the_case.metrics;
  options.attempt = the_case.settings.attempt;
  return options;
}

CaseReport judge_case(const config::Case& the_case, const JudgedAgainst& against,
                      const Extraction& extraction, const std::optional<Outcome>& outcome,
                      const std::string& platform, const std::string& today, const Partners& partners) {
  const auto mode =
      the_case.settings.judge == config::JudgeMode::exit ? judge::Mode::exit : judge::Mode::series;
  const auto strict = the_case.settings.strict ? judge::Strict::yes : judge::Strict::no;
  std::optional<std::int64_t> steps;
  if (the_case.settings.steps) steps = *the_case.settings.steps;
  std::optional<Derived> derived;
  if (!the_case.derivations.empty()) derived = with_derived(the_case, extraction, against, partners);
  const Extraction& run = derived ? derived->run : extraction;
  const Reference& reference = derived ? derived->reference : against.reference;
  const judge::Question question{the_case.rules,
                                 the_case.metrics,
                                 reference,
                                 run,
                                 outcome,
                                 platform,
                                 mode,
                                 strict,
                                 steps,
                                 today,
                                 withheld(the_case, partners)};
  Judgement judgement = judge::judge(question);
  CaseReport report;
  report.name = the_case.name;
  report.verdict = judgement.verdict;
  report.reason = std::move(judgement.reason);
  report.outcome = outcome;
  report.platform = platform;
  report.owner = the_case.settings.owner;
  report.baselines = against.files;
  report.steps = last_step(extraction.series);
  report.total = against.reference.last_step ? against.reference.last_step : steps ? steps : extraction.total;
  report.checks = std::move(judgement.checks);
  report.ungated = std::move(judgement.ungated);
  report.cause = std::move(judgement.cause);
  report.problems = extraction.problems;
  report.problems.insert(report.problems.end(), judgement.problems.begin(), judgement.problems.end());
  add_notes(report, extraction.notes);
  add_notes(report, against.reference.notes);
  add_notes(report, judgement.notes);
  add_formulas(report, the_case, run, partners);
  note_derivations(report, the_case, extraction, run, reference);
  return report;
}

}  // namespace gate::app
