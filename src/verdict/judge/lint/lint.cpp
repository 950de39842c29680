#include "gate/judge/lint.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "gate/base/time.h"
#include "gate/words/remarks.h"
#include "judge/lint/lint_rows.h"
#include "judge/rules/plan.h"
#include "judge/series/fold.h"

namespace gate::judge {

namespace {

// --- a baseline as a whole: what it guards, where it comes from, how old it is ---

constexpr std::int64_t old_from = 180;  // days

// Return the day of an ISO date or time as a number of days, or nothing.
std::optional<std::int64_t> day_of(const std::string& iso) {
  int year = 0, month = 0, day = 0;
  if (std::sscanf(iso.c_str(), "%4d-%2d-%2d", &year, &month, &day) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string date_of(const Baseline& baseline) {
  return baseline.accepted.empty() ? baseline.provenance.date : baseline.accepted.back().when;
}

Flaws no_script(const Inspected& inspected) {
  if (inspected.input.no_script.empty()) return {};
  return {{"", std::nullopt, inspected.input.no_script}};
}

Flaws not_guarded(const Inspected& inspected) {
  const GuardedCase& guard = inspected.input.guard;
  Flaws flaws;
  for (const MetricKind kind : {MetricKind::accuracy, MetricKind::speed, MetricKind::memory})
    if (std::ranges::any_of(guard.rules,
                            [&](const Rule& r) { return guard.metrics.get(r.metric).kind == kind; }) &&
        std::ranges::none_of(inspected.checks, [&](const auto& c) { return c.target.metric.kind == kind; }))
      flaws.push_back({"", std::nullopt, "no " + std::string(to_string(kind)) + " is gated"});
  return flaws;
}

Flaws script_changed(const Inspected& inspected) {
  const std::string& now = inspected.input.script_sha256;
  Flaws flaws;
  for (const Baseline* file : inspected.input.files) {
    const std::string& then = file->provenance.script_sha256;
    if (!now.empty() && !then.empty() && now != then)
      flaws.push_back(
          {"", std::nullopt,
           "the script's sha256 is " + now.substr(0, 12) + ", recorded was " + then.substr(0, 12)});
  }
  return flaws;
}

Flaws old(const Inspected& inspected) {
  const std::optional<std::int64_t> today = day_of(inspected.input.today);
  Flaws flaws;
  for (const Baseline* file : inspected.input.files) {
    const std::optional<std::int64_t> day = day_of(date_of(*file));
    if (today && day && *today - *day > old_from)
      flaws.push_back(
          {"", std::nullopt,
           "of " + date_of(*file).substr(0, 10) + ", " + std::to_string(*today - *day) + " days ago"});
  }
  return flaws;
}

Flaws not_accepted(const Inspected& inspected) {
  Flaws flaws;
  for (const Baseline* file : inspected.input.files)
    if (file->accepted.empty() && file->origin.empty())
      flaws.push_back({"", std::nullopt, "it holds no acceptance"});
  return flaws;
}

Flaws ended_early(const Inspected& inspected) {
  Flaws flaws;
  for (const Baseline* file : inspected.input.files)
    for (const BaselineRun& run : file->runs)
      if (const std::int64_t last = last_step_of(run.series); run.total && last < *run.total)
        flaws.push_back({"", std::nullopt,
                         "it ends at step " + std::to_string(last) + " of " + std::to_string(*run.total)});
  return flaws;
}

Flaws steps_assumed(const Inspected& inspected) {
  Flaws flaws;
  std::set<std::string> told;
  for (const Inspected::InspectedCheck& check : inspected.checks)
    for (const ReferenceSeries* reference : check.target.references)
      if (reference->runs.front().assumed() && told.insert(reference->path).second)
        flaws.push_back({"", std::nullopt, reference->path + " prints no step numbers"});
  return flaws;
}

// What is found out of a case's settings, by lint_quarantine(), and out of its script, by lint_name().
Flaws not_of_baseline(const Inspected&) { return {}; }

// --- all checks ---

struct LintTableRow {
  LintRow row;
  Flaws (*find)(const Inspected& inspected);
};

constexpr std::array<LintTableRow, 21> lint_table{{
    {{"quarantine_ended", Weight::weak, "a quarantine that is over: the case gates again",
      "take it out of gate.toml"},
     not_of_baseline},
    {{"quarantine_ends", Weight::weak, "a quarantine that is over within two weeks",
      "mend the case, or say until when it will not gate"},
     not_of_baseline},
    {{"name", Weight::weak, "the name of the case says what its script does not",
      "correct the script, or rename it and its baselines: gate baseline mv"},
     not_of_baseline},
    {{"feature", Weight::weak, "the script turns on what its models do not have",
      "take the flag out, or say model.implementation = \"Mcore\""},
     not_of_baseline},
    {{"no_script", Weight::weak, "a baseline that guards nothing",
      "do what it says, bring its script back, or gate baseline rm"},
     no_script},
    {{"refused", Weight::weak, "the baseline does not pass its own rules",
      "record it again, or change the rule that gate explain shows"},
     does_not_pass},
    {{"not_guarded", Weight::weak, "rules are on for accuracy, speed or memory, and none applies",
      "record a run that prints it, or switch the rules off"},
     not_guarded},
    {{"not_recorded", Weight::weak, "a step without a number: nan, null, infinite or left out",
      "record it again"},
     not_recorded},
    {{"ended_early", Weight::weak, "shorter than its own log announced", "record a run that reaches its end"},
     ended_early},
    {{"few_values", Weight::weak, "the window asks for more values than there are",
      "record a longer run, or write the window that is meant"},
     few_values},
    {{"stall", Weight::weak, "a speed recorded during a stall: it lets slower runs pass",
      "record it again on a quiet host"},
     stalls},
    {{"warm_up", Weight::weak, "the first step, which warms up, is in a speed window",
      "write a window that leaves it out: last 10, after 5"},
     warm_up_in_window},
    {{"ranks", Weight::weak, "ranks do not agree in what they report",
      "look at the log that it was made from"},
     uneven_ranks},
    {{"all_zero", Weight::weak, "every value is 0", "record a run that measures it, or switch the rule off"},
     all_zero},
    {{"noisy", Weight::weak, "red for nothing in more than one of a hundred runs",
      "widen the tolerance, or record more runs: gate baseline record --runs 3"},
     noisy},
    {{"script_changed", Weight::weak, "the script is not the one that it was recorded from",
      "look at the change; record again"},
     script_changed},
    {{"old", Weight::weak, "recorded or accepted long ago", "record again, or accept it anew with a reason"},
     old},
    {{"not_accepted", Weight::note, "nobody accepted it: it was put there by hand",
      "gate baseline import FILE --accept --reason \"...\""},
     not_accepted},
    {{"assumed", Weight::note, "its file holds positions, taken as steps 1 to N",
      "gate baseline import a log that prints steps"},
     steps_assumed},
    {{"name_hint", Weight::note,
      "the name of the case does not tell all that its script does, or nobody can compare it",
      "look at it with -v; rename the script and its baselines: gate baseline mv"},
     not_of_baseline},
    {{"one_run", Weight::note, "the noise between runs is not known", "gate baseline record --runs 3"},
     noise_unknown},
}};

constexpr auto lint_rows = [] {
  std::array<LintRow, lint_table.size()> rows;
  std::ranges::transform(lint_table, rows.begin(), &LintTableRow::row);
  return rows;
}();

Inspected inspect(const LintInput& input, const CheckPlan& plan) {
  Inspected inspected{input, plan, {}};
  for (const RuleTarget& target : plan.targets)
    if (!target.open()) inspected.checks.push_back({target, reference_window_of(target)});
  return inspected;
}

// Findings alike of many series are one.
void add_findings(std::vector<Finding>& findings, const LintRow& row, const Flaws& flaws) {
  std::vector<SeriesRemark> remarks;
  for (const Flaw& flaw : flaws) {
    if (flaw.metric.empty())
      findings.push_back({&row, "", flaw.text});
    else
      remarks.push_back({flaw.metric, flaw.rank, Numbering::step, remark::Text{flaw.text}});
  }
  for (const Note& note : fold(remarks))
    findings.push_back({&row, words::subjects_text(note), words::text(note.remark)});
}

// A finding of that row for each text, of no series.
std::vector<Finding> findings_of(std::string_view name, const std::vector<std::string>& texts) {
  std::vector<Finding> findings;
  for (const std::string& text : texts)
    findings.push_back({&*std::ranges::find(lint_rows, name, &LintRow::name), "", text});
  return findings;
}

}  // namespace

std::span<const LintRow> lints() { return lint_rows; }

std::vector<Finding> lint_quarantine(const Quarantine& quarantine, const std::string& today) {
  constexpr std::int64_t soon = 14;
  const auto days = days_between(today, quarantine.until);
  if (!days || *days > soon) return {};
  const std::string_view name = *days < 0 ? "quarantine_ended" : "quarantine_ends";
  const std::string text = (*days < 0 ? "its quarantine ended on " : "its quarantine ends on ") +
                           quarantine.until + ", owner " + quarantine.owner + ": " + quarantine.reason;
  return {{&*std::ranges::find(lint_rows, name, &LintRow::name), "", text}};
}

std::vector<Finding> lint_name(const std::vector<std::string>& contradictions,
                               const std::vector<std::string>& hints) {
  std::vector<Finding> findings = findings_of("name", contradictions);
  const std::vector<Finding> notes = findings_of("name_hint", hints);
  findings.insert(findings.end(), notes.begin(), notes.end());
  return findings;
}

std::vector<Finding> lint_features(const std::vector<std::string>& lacking) {
  return findings_of("feature", lacking);
}

std::vector<Finding> lint(const LintInput& input) {
  const GuardedCase& guard = input.guard;
  const CheckPlan plan = make_plan(guard.rules, guard.metrics, guard.reference, guard.platform);
  const Inspected inspected = inspect(input, plan);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < lint_table.size(); ++i)
    add_findings(findings, lint_rows[i], lint_table[i].find(inspected));
  return findings;
}

std::int64_t Lint::count(Weight weight) const {
  std::int64_t count = 0;
  for (const LintCase& c : cases)
    count += std::ranges::count(c.findings, weight, [](const Finding& f) { return f.row->weight; });
  return count;
}

std::optional<double> Lint::false_red() const {
  std::vector<double> rates;
  for (const LintCase& c : cases)
    for (const Noise& noise : c.noise)
      if (noise.rate) rates.push_back(*noise.rate);
  return rates.empty() ? std::nullopt : std::optional(any_of(rates));
}

int Lint::exit_code() const {
  if (count(Weight::weak) > 0) return exit_code::regressed;
  const bool none = std::ranges::all_of(cases, [](const LintCase& c) { return !c.why_not.empty(); });
  return none ? exit_code::refused : exit_code::ok;
}

}  // namespace gate::judge
