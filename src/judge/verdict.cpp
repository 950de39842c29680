#include "judge/verdict.h"

#include <algorithm>
#include <optional>

#include "gate/base/text.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "judge/explain_failure.h"
#include "judge/rules/check.h"

namespace gate::judge {

namespace {

struct Facts {
  const JudgeInput& question;
  const Progress& course;
  const std::vector<Check>& checks;
  const std::string& blocked;
  const KnownMessage* cause;
};

using Reason = std::optional<std::string>;

std::vector<const Check*> with(const Facts& facts, CheckStatus status) {
  std::vector<const Check*> found;
  for (const Check& check : facts.checks)
    if (check.status == status) found.push_back(&check);
  return found;
}

std::string and_others(std::size_t count) {
  return count > 1 ? ", and " + count_of(static_cast<std::int64_t>(count) - 1, "more check") : "";
}

template <typename... Ends>
Reason ended_by(const Facts& facts) {
  const std::optional<Outcome>& outcome = facts.question.outcome;
  return outcome && (std::holds_alternative<Ends>(*outcome) || ...) ? Reason(to_string(*outcome))
                                                                    : std::nullopt;
}

// The same, with what the log says.
template <typename... Ends>
Reason told_by(const Facts& facts) {
  const Reason reason = ended_by<Ends...>(facts);
  return reason ? beside(*reason, facts.cause) : reason;
}

// Where nobody can tell what is to be judged, no check says anything.
Reason in_doubt(const Facts& facts) {
  const std::string& doubt = facts.question.run.doubt;
  return doubt.empty() || facts.question.mode == Mode::exit ? std::nullopt : Reason(doubt);
}

Reason regressed(const Facts& facts) {
  if (in_doubt(facts)) return std::nullopt;
  const std::vector<const Check*> failed = with(facts, CheckStatus::fail);
  if (failed.empty()) return std::nullopt;
  return words::failure(*failed.front()) + and_others(failed.size());
}

// What the deadline cut off was not run, unless it had failed by then.
Reason cut_off(const Facts& facts) {
  return with(facts, CheckStatus::fail).empty() ? ended_by<PastDeadline>(facts) : std::nullopt;
}

Reason crashed(const Facts& facts) {
  const std::optional<Outcome>& outcome = facts.question.outcome;
  if (!ended_by<Exited, Killed>(facts) || ended_well(*outcome)) return std::nullopt;
  return blame(*outcome, facts.cause);
}

// A script that ended badly is crashed unless its log blames the machine.
Reason infra(const Facts& facts) {
  if (facts.cause != nullptr && facts.cause->kind == MessageClass::infra)
    if (Reason reason = crashed(facts)) return reason;
  return told_by<NotStarted, Vanished, GateFailed>(facts);
}

Reason nothing_read(const Facts& facts) {
  const Extraction& run = facts.question.run;
  const bool asked = !facts.question.reference.series.empty() || !facts.checks.empty();
  if (!run.series.empty() || !asked || facts.question.mode == Mode::exit) return std::nullopt;
  const auto it = std::find_if(run.problems.begin(), run.problems.end(), [](const Problem& problem) {
    return problem.kind == ProblemKind::unreadable;
  });
  if (it != run.problems.end()) return it->text;
  return run.bytes == 0 ? "the log is empty" : "nothing that is judged was found in the log";
}

const remark::MissingSteps* missing_steps(const Check& check) {
  const bool by_step = check.numbered == Numbering::step && !check.remarks.empty();
  return by_step ? std::get_if<remark::MissingSteps>(&check.remarks.front()) : nullptr;
}

Reason steps_missing(const Facts& facts) {
  const std::vector<const Check*> missing = with(facts, CheckStatus::missing);
  if (missing.empty()) return std::nullopt;
  const Check& first = *missing.front();
  const bool shared = std::all_of(missing.begin(), missing.end(), [&](const Check* check) {
    const remark::MissingSteps* steps = missing_steps(*check);
    return steps != nullptr && *steps == *missing_steps(first);
  });
  if (shared) return words::text(*missing_steps(first));
  return words::label(first.metric, first.rank) + ": " + words::note_text(first) + and_others(missing.size());
}

Reason too_short(const Facts& facts) {
  if (!facts.course.demanded || facts.course.reached >= *facts.course.demanded) return std::nullopt;
  return "ended after step " + std::to_string(facts.course.reached) + " of " +
         std::to_string(*facts.course.demanded);
}

Reason log_cut(const Facts& facts) {
  const Extraction& run = facts.question.run;
  if (run.cut.empty() || facts.question.mode == Mode::exit) return std::nullopt;
  return run.cut;
}

// A script may end with 0 and short of what it announced (--exit-interval), but not with a message behind its
// last step that it failed.
Reason died(const Facts& facts) {
  if (!facts.course.announced || facts.question.mode == Mode::exit) return std::nullopt;
  const KnownMessage* last_words = said_last(facts.question.run);
  if (last_words == nullptr) return std::nullopt;
  return beside(words::text(short_of_announced(facts.course)), last_words);
}

// What a rule gates, and another attempt that was to do the same holds.
Reason lacks_a_metric(const Facts& facts) {
  if (facts.question.mode == Mode::exit) return std::nullopt;
  for (const LackedMetric& lacked : facts.question.run.lacked)
    for (const Rule& rule : facts.question.rules)
      if (rule.metric == lacked.metric) return lacked.text;
  return std::nullopt;
}

Reason incomplete(const Facts& facts) {
  if (in_doubt(facts)) return std::nullopt;
  for (const auto look : {log_cut, nothing_read, steps_missing, too_short, lacks_a_metric})
    if (const Reason reason = look(facts)) return beside(*reason, facts.cause);
  return died(facts);
}

Reason not_settled(const Facts& facts) {
  for (const CheckStatus status : {CheckStatus::incomparable, CheckStatus::undecided}) {
    const std::vector<const Check*> found = with(facts, status);
    if (!found.empty())
      return words::label(found.front()->metric, found.front()->rank) + ": " +
             words::note_text(*found.front()) + and_others(found.size());
  }
  return std::nullopt;
}

Reason unjudged(const Facts& facts) {
  if (Reason reason = in_doubt(facts)) return reason;
  if (Reason reason = not_settled(facts)) return reason;
  const bool compared = std::any_of(facts.checks.begin(), facts.checks.end(),
                                    [](const Check& check) { return check.compared > 0; });
  if (!compared && facts.question.reference.series.empty()) return "no baseline";
  if (!facts.blocked.empty()) return facts.blocked;
  if (compared) return facts.course.ended_badly ? ended_by<StoppedEarly>(facts) : std::nullopt;
  return "nothing in the baseline is comparable";
}

Reason passed(const Facts& facts) {
  const auto waived = static_cast<std::int64_t>(with(facts, CheckStatus::waived).size());
  const auto passes = static_cast<std::int64_t>(facts.checks.size()) - waived;
  return count_of(passes, "check") + " passed" +
         (waived > 0 ? ", " + std::to_string(waived) + " waived" : "");
}

struct RulingRow {
  Verdict verdict;
  Reason (*applies)(const Facts& facts);
};

// `skipped` is said where nothing was launched, and never here.
constexpr RulingRow ruling_rows[] = {
    {Verdict::interrupted, ended_by<Interrupted>},
    {Verdict::regressed, regressed},
    {Verdict::not_run, cut_off},
    {Verdict::infra, infra},
    {Verdict::hung, told_by<Hung>},
    {Verdict::timed_out, told_by<TimedOut>},
    {Verdict::crashed, crashed},
    {Verdict::incomplete, incomplete},
    {Verdict::unjudged, unjudged},
    {Verdict::passed, passed},
};

}  // namespace

remark::ShortOfAnnounced short_of_announced(const Progress& course) {
  return {course.reached, *course.announced};
}

Decision rule_on(const JudgeInput& question, const Progress& course, const std::vector<Check>& checks,
                 const std::string& blocked, const KnownMessage* cause) {
  const Facts facts{question, course, checks, blocked, cause};
  for (const VerdictRow& row : verdicts())
    for (const RulingRow& ruling : ruling_rows)
      if (ruling.verdict == row.verdict)
        if (const Reason reason = ruling.applies(facts)) return {row.verdict, *reason};
  return {};
}

}  // namespace gate::judge
