#include "app/case_judge.h"

#include <algorithm>

#include "gate/judge/judge.h"

namespace gate::app {

namespace {

void add_notes(CaseReport& report, const std::vector<std::string>& notes) {
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
}

// What is judged and against what: as it was read, or copies with the derived series where the case has any.
class Sides {
 public:
  Sides(const config::Case& the_case, const Extraction& run, const Reference& reference,
        const Partners& partners, std::span<const Extraction* const> further)
      : reference_(&reference), runs_{&run} {
    runs_.insert(runs_.end(), further.begin(), further.end());
    if (the_case.derivations.empty()) return;
    derived_reference_ = with_derived(the_case, reference, partners);
    reference_ = &derived_reference_;
    derived_runs_.reserve(runs_.size());
    for (const Extraction*& read : runs_) {
      derived_runs_.push_back(with_derived(the_case, *read, partners));
      read = &derived_runs_.back();
    }
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  const Reference& reference() const { return *reference_; }
  const Extraction& run() const { return *runs_.front(); }
  std::span<const Extraction* const> further() const { return std::span(runs_).subspan(1); }

 private:
  Reference derived_reference_;
  std::vector<Extraction> derived_runs_;
  const Reference* reference_;
  std::vector<const Extraction*> runs_;
};

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

std::vector<std::string> platforms_of(const Suite& suite, const std::string& case_name,
                                      const std::string& asked) {
  if (!asked.empty()) return {asked};
  std::vector<std::string> platforms = store::baseline_platforms(suite.layout, case_name);
  if (platforms.empty()) platforms.emplace_back();
  return platforms;
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
                      const std::string& platform, const std::string& today, const Partners& partners,
                      std::span<const Extraction* const> further) {
  const auto mode =
      the_case.settings.judge == config::JudgeMode::exit ? judge::Mode::exit : judge::Mode::series;
  const auto strict = the_case.settings.strict ? judge::Strict::yes : judge::Strict::no;
  std::optional<std::int64_t> steps;
  if (the_case.settings.steps) steps = *the_case.settings.steps;
  const Sides sides(the_case, extraction, against.reference, partners, further);
  const judge::Question question{.rules = the_case.rules,
                                 .metrics = the_case.metrics,
                                 .reference = sides.reference(),
                                 .run = sides.run(),
                                 .outcome = outcome,
                                 .platform = platform,
                                 .mode = mode,
                                 .strict = strict,
                                 .steps = steps,
                                 .today = today,
                                 .further = sides.further(),
                                 .withheld = withheld(the_case, partners)};
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
  add_formulas(report, the_case, sides.run(), partners);
  note_derivations(report, the_case, extraction, sides.run(), sides.reference());
  return report;
}

}  // namespace gate::app
