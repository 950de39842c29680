#include "judge/verdict.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "gate/base/text.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"

namespace gate::judge {

namespace {

struct Facts {
  const JudgeInput& input;
  const Progress& progress;
  const std::vector<Check>& checks;
  const std::string& blocked;
  const KnownMessage* cause;
};

using VerdictReason = std::optional<std::string>;

std::vector<const Check*> with(const Facts& facts, std::initializer_list<CheckStatus> any_of) {
  std::vector<const Check*> found;
  for (const Check& check : facts.checks)
    if (std::ranges::find(any_of, check.status) != any_of.end()) found.push_back(&check);
  return found;
}

std::vector<const Check*> with(const Facts& facts, CheckStatus status) { return with(facts, {status}); }

std::string and_others(std::size_t count) {
  return count > 1 ? ", and " + count_of(static_cast<std::int64_t>(count) - 1, "more check") : "";
}

template <typename... Ends>
VerdictReason ended_by(const Facts& facts) {
  const std::optional<Outcome>& outcome = facts.input.outcome;
  return outcome && (std::holds_alternative<Ends>(*outcome) || ...) ? VerdictReason(to_string(*outcome))
                                                                    : std::nullopt;
}

// The same, with what the log says.
template <typename... Ends>
VerdictReason told_by(const Facts& facts) {
  const VerdictReason reason = ended_by<Ends...>(facts);
  return reason ? beside(*reason, facts.cause) : reason;
}

// No check says anything if nobody can tell what is to be judged.
VerdictReason in_doubt(const Facts& facts) {
  const std::string& doubt = facts.input.run.doubt;
  return doubt.empty() || facts.input.mode != Mode::series ? std::nullopt : VerdictReason(doubt);
}

std::string heaviest_of(const std::vector<const Check*>& red) {
  return words::failure(*red.front()) + and_others(red.size());
}

VerdictReason regressed(const Facts& facts) {
  if (in_doubt(facts)) return std::nullopt;
  if (with(facts, CheckStatus::fail).empty()) return std::nullopt;
  return heaviest_of(with(facts, {CheckStatus::fail, CheckStatus::missing}));
}

// What the deadline cut off was not run, unless it had failed by then; nor was another script.
VerdictReason not_run(const Facts& facts) {
  return with(facts, CheckStatus::fail).empty() ? ended_by<PastDeadline, ScriptChanged>(facts) : std::nullopt;
}

// What an exit code of pytest's means; 0 and 1 its file tells of.
struct PytestExit {
  int code;
  std::string_view means;
};
constexpr std::array pytest_exits{
    PytestExit{2, "pytest was interrupted"},
    PytestExit{3, "pytest itself failed"},
    PytestExit{4, "pytest was called wrongly, or a conftest.py failed"},
    PytestExit{5, "pytest collected no test"},
};

std::string explain_pytest(const Outcome& ending, const Facts& facts) {
  const auto* exited = std::get_if<Exited>(&ending);
  const std::string ended = to_string(ending);
  if (const std::vector<const Check*> errors = with(facts, CheckStatus::error); !errors.empty())
    return ended + ": " + words::failure(*errors.front()) + and_others(errors.size());
  if (exited == nullptr || facts.cause != nullptr) return explain_failure(ending, facts.cause);
  const auto* const row = std::ranges::find(pytest_exits, exited->code, &PytestExit::code);
  if (row != pytest_exits.end()) return ended + ": " + std::string(row->means);
  const std::optional<TestRun>& tests = facts.input.run.tests;
  if (tests)
    for (const std::string* why : {&tests->fault, &tests->left_out})
      if (!why->empty()) return ended + "; " + *why;
  return ended + ": none of its tests failed";
}

// Return why no test was run although none was lost: pytest ends with 0 or 5 then.
VerdictReason tests_left_out(const Facts& facts) {
  const std::optional<TestRun>& tests = facts.input.run.tests;
  const std::optional<Outcome>& outcome = facts.input.outcome;
  const auto* exited = outcome ? std::get_if<Exited>(&*outcome) : nullptr;
  const bool is_known = tests && tests->tests.empty() && !tests->left_out.empty();
  return is_known && exited != nullptr && (exited->code == 0 || exited->code == 5)
             ? VerdictReason(tests->left_out)
             : std::nullopt;
}

// Tests that could not be run, and a run without any, are no failed tests, whatever the script ends with.
VerdictReason tests_crashed(const Facts& facts) {
  if (facts.input.mode != Mode::pytest) return std::nullopt;
  if (const std::vector<const Check*> errors = with(facts, CheckStatus::error); !errors.empty())
    return words::failure(*errors.front()) + and_others(errors.size());
  const std::optional<TestRun>& tests = facts.input.run.tests;
  return tests && tests->tests.empty() && tests->fault.empty() ? VerdictReason("pytest collected no test")
                                                               : std::nullopt;
}

VerdictReason crashed(const Facts& facts) {
  if (tests_left_out(facts)) return std::nullopt;
  const std::optional<Outcome>& outcome = facts.input.outcome;
  if (!ended_by<Exited, Killed>(facts) || ended_well(*outcome)) return tests_crashed(facts);
  return facts.input.mode == Mode::pytest ? explain_pytest(*outcome, facts)
                                          : explain_failure(*outcome, facts.cause);
}

// A script that ended badly is crashed unless its log blames the machine.
VerdictReason infra(const Facts& facts) {
  if (facts.cause != nullptr && facts.cause->kind == MessageClass::infra)
    if (VerdictReason reason = crashed(facts)) return reason;
  return told_by<NotStarted, Vanished, GateFailed>(facts);
}

VerdictReason nothing_read(const Facts& facts) {
  const Extraction& run = facts.input.run;
  const bool asked = !facts.input.reference.series.empty() || !facts.checks.empty();
  const bool is_silent = run.series.empty() && run.outputs.empty();
  if (!is_silent || !asked || facts.input.mode != Mode::series) return std::nullopt;
  const auto it = std::ranges::find(run.problems, ProblemKind::unreadable, &Problem::kind);
  if (it != run.problems.end()) return it->text;
  return run.bytes == 0 ? "the log is empty" : "nothing that is judged was found in the log";
}

const remark::MissingSteps* missing_steps(const Check& check) {
  const bool by_step = check.numbered == Numbering::step && !check.remarks.empty();
  return by_step ? std::get_if<remark::MissingSteps>(&check.remarks.front()) : nullptr;
}

VerdictReason steps_missing(const Facts& facts) {
  const std::vector<const Check*> missing = with(facts, CheckStatus::missing);
  if (missing.empty()) return std::nullopt;
  const Check& first = *missing.front();
  const bool shared = std::ranges::all_of(missing, [&](const Check* check) {
    const remark::MissingSteps* steps = missing_steps(*check);
    return steps != nullptr && *steps == *missing_steps(first);
  });
  if (shared) return words::text(*missing_steps(first));
  return words::label(first.metric, first.rank) + ": " + words::note_text(first) + and_others(missing.size());
}

VerdictReason too_short(const Facts& facts) {
  const auto& [reached, demanded, ended_badly, announced, came] = facts.progress;
  if (!demanded || reached >= *demanded) return std::nullopt;
  return "ended after step " + std::to_string(reached) + " of " + std::to_string(*demanded);
}

// Tell whether the script ended well where it was to end.
bool ended_in_place(const Facts& facts) {
  const auto& [reached, demanded, ended_badly, announced, came] = facts.progress;
  const std::optional<std::int64_t>& steps = facts.input.steps;
  const bool is_there = (demanded && reached >= *demanded) || (steps && reached >= *steps);
  return is_there && facts.input.outcome && ended_well(*facts.input.outcome);
}

// A script may end with 0 and short of what it announced (--exit-interval), but not with a message behind its
// last step that it failed, nor with one anywhere that it was told to end.
VerdictReason died(const Facts& facts) {
  if (!facts.progress.announced || facts.input.mode != Mode::series) return std::nullopt;
  const KnownMessage* last_words = said_last(facts.input.run);
  if (last_words == nullptr && !ended_in_place(facts)) last_words = told_to_end(facts.input.run);
  if (last_words == nullptr) return std::nullopt;
  return beside(words::text(short_of_announced(facts.progress)), last_words);
}

// What a rule gates, and another attempt that was to do the same holds.
VerdictReason lacks_a_metric(const Facts& facts) {
  if (facts.input.mode != Mode::series) return std::nullopt;
  const LackedMetric* const lacked = first_lacked(facts.input.run, facts.input.rules);
  return lacked == nullptr ? std::nullopt : VerdictReason(lacked->text);
}

VerdictReason tests_missing(const Facts& facts) {
  if (facts.input.mode != Mode::pytest) return std::nullopt;
  const std::optional<TestRun>& tests = facts.input.run.tests;
  if (!tests) return "there is no JUnit file of pytest's";
  return tests->fault.empty() ? std::nullopt : VerdictReason(tests->fault);
}

VerdictReason incomplete(const Facts& facts) {
  if (in_doubt(facts)) return std::nullopt;
  const std::string& cut = facts.input.run.cut;
  if (!cut.empty() && facts.input.mode == Mode::series) return beside(cut, facts.cause);
  if (const std::string& why = facts.input.run.not_shown; !why.empty()) return beside(why, facts.cause);
  for (const auto find : {tests_missing, nothing_read, steps_missing, too_short, lacks_a_metric})
    if (const VerdictReason reason = find(facts)) return beside(*reason, facts.cause);
  return died(facts);
}

VerdictReason not_settled(const Facts& facts) {
  for (const CheckStatus status : {CheckStatus::incomparable, CheckStatus::undecided}) {
    const std::vector<const Check*> found = with(facts, status);
    if (!found.empty())
      return words::label(found.front()->metric, found.front()->rank) + ": " +
             words::note_text(*found.front()) + and_others(found.size());
  }
  return std::nullopt;
}

VerdictReason no_test_ran(const Facts& facts) {
  if (facts.input.mode != Mode::pytest || !with(facts, CheckStatus::pass).empty()) return std::nullopt;
  return "no test passed: " + std::to_string(facts.checks.size()) + " skipped";
}

// A failure that is known is no measurement that is well.
VerdictReason only_waived(const Facts& facts) {
  const std::vector<const Check*> waived = with(facts, CheckStatus::waived);
  if (waived.empty() || !with(facts, CheckStatus::pass).empty()) return std::nullopt;
  return "nothing is judged but what is waived: " +
         words::label(waived.front()->metric, waived.front()->rank) + and_others(waived.size());
}

// What must be judged, and cannot be.
VerdictReason must_not_be_withheld(const Facts& facts) {
  for (const Rule& rule : facts.input.rules)
    if (const auto withheld = facts.input.withheld.find(rule.metric);
        rule.required && withheld != facts.input.withheld.end())
      return rule.metric + ": " + words::text(withheld->second);
  return std::nullopt;
}

// What a rule gates, and the run was printed with fillers alone of.
VerdictReason filled_only(const Facts& facts) {
  if (facts.input.mode != Mode::series) return std::nullopt;
  for (const FilledMetric& filled : facts.input.run.filled)
    if (std::ranges::find(facts.input.rules, filled.metric, &Rule::metric) != facts.input.rules.end())
      return filled.text;
  return std::nullopt;
}

// Constants hold for however much was printed: somebody must say how much it is to be.
VerdictReason length_unknown(const Facts& facts) {
  if (facts.input.mode != Mode::series || facts.progress.demanded) return std::nullopt;
  bool has_steps = false;
  for (const Check& check : facts.checks) {
    if (check.compared == 0) continue;
    if (needs_baseline(check.tolerance)) return std::nullopt;
    has_steps |= check.numbered == Numbering::step;
  }
  if (!has_steps) return std::nullopt;
  return "no rule compares with a baseline, and the log announces no last step: steps = N says how long the "
         "run must be";
}

VerdictReason unjudged(const Facts& facts) {
  for (const auto find : {tests_left_out, no_test_ran})
    if (VerdictReason reason = find(facts)) return reason;
  if (VerdictReason reason = in_doubt(facts)) return reason;
  if (VerdictReason reason = not_settled(facts)) return reason;
  const bool compared =
      std::ranges::any_of(facts.checks, [](const Check& check) { return check.compared > 0; });
  if (!compared && facts.input.reference.series.empty()) {
    if (VerdictReason reason = must_not_be_withheld(facts)) return reason;
    return "no baseline";
  }
  if (VerdictReason reason = only_waived(facts)) return reason;
  if (!facts.blocked.empty()) return facts.blocked;
  if (VerdictReason reason = length_unknown(facts)) return reason;
  if (VerdictReason reason = filled_only(facts)) return reason;
  if (compared) return facts.progress.ended_badly ? ended_by<StoppedEarly>(facts) : std::nullopt;
  return "nothing in the baseline is comparable";
}

VerdictReason passed(const Facts& facts) {
  const auto waived = static_cast<std::int64_t>(with(facts, CheckStatus::waived).size());
  const auto skipped = static_cast<std::int64_t>(with(facts, CheckStatus::skipped).size());
  const auto passes = static_cast<std::int64_t>(facts.checks.size()) - waived - skipped;
  return count_of(passes, facts.input.mode == Mode::pytest ? "test" : "check") + " passed" +
         (waived > 0 ? ", " + std::to_string(waived) + " waived" : "") +
         (skipped > 0 ? ", " + std::to_string(skipped) + " skipped" : "");
}

struct DecisionRow {
  Verdict verdict;
  VerdictReason (*applies)(const Facts& facts);
};

// A script that gate itself stopped did not end by itself, whatever it said then.
VerdictReason told_incomplete(const Facts& facts) {
  const bool is_known = facts.cause != nullptr && facts.cause->name != own_error_name;
  const bool says_why = is_known || !facts.input.run.cut.empty();
  return says_why && !ended_by<StoppedEarly, PastDeadline>(facts) ? incomplete(facts) : std::nullopt;
}

// How a case ended goes before what it had measured by then, where its end says why nothing more came: an
// image that moves all losses a little must not hide a hang. What the machine did is no end of the case.
constexpr DecisionRow ending_rows[] = {
    {Verdict::hung, told_by<Hung>},
    {Verdict::timed_out, told_by<TimedOut>},
    {Verdict::crashed, crashed},
    {Verdict::incomplete, told_incomplete},
};

// Return the verdict on a case of which a check failed.
Decision decide_failed(const Facts& facts, const std::string& whole) {
  // What is missing of a run that was cut off is missing for that.
  const std::string failure = heaviest_of(with(facts, CheckStatus::fail));
  if (const VerdictReason machine = infra(facts))
    return {Verdict::regressed, words::and_then(failure, *machine), EndedBy::machine};
  if (facts.input.mode == Mode::series)
    for (const DecisionRow& row : ending_rows)
      if (const VerdictReason reason = row.applies(facts))
        return {row.verdict, words::before_that(*reason, failure), EndedBy::itself};
  return {Verdict::regressed, whole};
}

EndedBy ended_by_whom(const Facts& facts, Verdict verdict) {
  if (verdict == Verdict::infra) return EndedBy::machine;
  const auto is_its = [&](const DecisionRow& row) { return row.verdict == verdict && row.applies(facts); };
  const bool is_series = facts.input.mode == Mode::series;
  return is_series && std::ranges::any_of(ending_rows, is_its) ? EndedBy::itself : EndedBy::none;
}

// `skipped` is said where nothing was launched, and never here.
constexpr DecisionRow decision_rows[] = {
    {Verdict::interrupted, ended_by<Interrupted>},
    {Verdict::not_run, not_run},
    {Verdict::infra, infra},
    {Verdict::hung, told_by<Hung>},
    {Verdict::timed_out, told_by<TimedOut>},
    {Verdict::crashed, crashed},
    {Verdict::incomplete, incomplete},
    {Verdict::unjudged, unjudged},
    {Verdict::passed, passed},
};

}  // namespace

remark::ShortOfAnnounced short_of_announced(const Progress& progress) {
  return {progress.came, *progress.announced};
}

Decision decide(const JudgeInput& input, const Progress& progress, const std::vector<Check>& checks,
                const std::string& blocked, const KnownMessage* cause) {
  const Facts facts{input, progress, checks, blocked, cause};
  if (const VerdictReason failure = regressed(facts); failure && !ended_by<Interrupted>(facts))
    return decide_failed(facts, *failure);
  for (const VerdictRow& row : verdicts())
    for (const DecisionRow& decision : decision_rows)
      if (decision.verdict == row.verdict)
        if (const VerdictReason reason = decision.applies(facts))
          return {row.verdict, *reason, ended_by_whom(facts, row.verdict)};
  return {};
}

}  // namespace gate::judge
