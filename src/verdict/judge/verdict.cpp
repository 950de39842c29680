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
  const Sentence& blocked;
  const KnownMessage* cause;
};

using VerdictReason = std::optional<Sentence>;

std::vector<const Check*> with(const Facts& facts, std::initializer_list<CheckStatus> any_of) {
  std::vector<const Check*> found;
  for (const Check& check : facts.checks)
    if (std::ranges::find(any_of, check.status) != any_of.end()) found.push_back(&check);
  return found;
}

std::vector<const Check*> with(const Facts& facts, CheckStatus status) { return with(facts, {status}); }

Sentence and_others(const Sentence& first, std::size_t count) {
  if (count < 2) return first;
  return say({"{}, and {}", "{}；另有 {}"}, first,
             count_of(static_cast<std::int64_t>(count) - 1, "more check", "个检查项"));
}

template <typename... Ends>
VerdictReason ended_by(const Facts& facts) {
  const std::optional<Outcome>& outcome = facts.input.outcome;
  return outcome && (std::holds_alternative<Ends>(*outcome) || ...) ? VerdictReason(text(*outcome))
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
  const Sentence& doubt = facts.input.run.doubt;
  return doubt.empty() || facts.input.mode != Mode::series ? std::nullopt : VerdictReason(doubt);
}

Sentence heaviest_of(const std::vector<const Check*>& red) {
  return and_others(words::failure(*red.front()), red.size());
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
Sentence pytest_exit(int code) {
  switch (code) {
    case 2:
      return say({"pytest was interrupted", "pytest 被中断"});
    case 3:
      return say({"pytest itself failed", "pytest 自身失败"});
    case 4:
      return say({"pytest was called wrongly, or a conftest.py failed",
                  "pytest 的调用有误，或某个 conftest.py 失败"});
    case 5:
      return say({"pytest collected no test", "pytest 没有收集到测试"});
    default:
      return {};
  }
}

Sentence explain_pytest(const Outcome& ending, const Facts& facts) {
  const auto* exited = std::get_if<Exited>(&ending);
  const Sentence ended = text(ending);
  if (const std::vector<const Check*> errors = with(facts, CheckStatus::error); !errors.empty())
    return ended + colon + heaviest_of(errors);
  if (exited == nullptr || facts.cause != nullptr) return explain_failure(ending, facts.cause);
  if (const Sentence means = pytest_exit(exited->code); !means.empty()) return ended + colon + means;
  const std::optional<TestRun>& tests = facts.input.run.tests;
  if (tests)
    for (const Sentence* why : {&tests->fault, &tests->left_out})
      if (!why->empty()) return ended + semicolon + *why;
  return ended + colon + say({"none of its tests failed", "它的测试都没有失败"});
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
    return heaviest_of(errors);
  const std::optional<TestRun>& tests = facts.input.run.tests;
  return tests && tests->tests.empty() && tests->fault.empty() ? VerdictReason(pytest_exit(5)) : std::nullopt;
}

// What the log says of a failure, where the exit code says nothing.
VerdictReason silently_crashed(const Facts& facts) {
  const Sentence& unknown = facts.input.drops_exit;
  const KnownMessage* const fatal =
      unknown.empty() || facts.cause == nullptr ? nullptr : fatal_message(facts.input);
  if (fatal == nullptr) return std::nullopt;
  const std::optional<Outcome>& outcome = facts.input.outcome;
  return beside(outcome ? text(*outcome) + say({", but ", "，但"}) + unknown : unknown, fatal);
}

// A starter may drop the exit code of what it started: `torchrun ... | tee log`.
VerdictReason job_crashed(const Facts& facts) {
  const std::optional<Outcome>& outcome = facts.input.outcome;
  if (facts.input.mode == Mode::pytest || (outcome && !ended_well(*outcome))) return std::nullopt;
  const ProcessEnd* const end = failed_process(facts.input.run);
  if (end == nullptr) return silently_crashed(facts);
  const std::string place = end->file.substr(end->file.rfind('/') + 1) + ":" + std::to_string(end->line);
  const Sentence failed = say({"its launcher says that a process of the job failed: {} ({})",
                               "它的启动器报告作业的一个进程失败：{} ({})"},
                              end->text, place);
  const Sentence reason = outcome ? text(*outcome) + say({", and ", "，但"}) + failed : failed;
  const KnownMessage* const cause = facts.cause;
  const bool says_more = cause != nullptr && cause->weight != MessageWeight::hint &&
                         (cause->file != end->file || cause->line != end->line);
  return says_more ? beside(reason, cause) : reason;
}

VerdictReason crashed(const Facts& facts) {
  if (tests_left_out(facts)) return std::nullopt;
  const std::optional<Outcome>& outcome = facts.input.outcome;
  if (const VerdictReason reason = job_crashed(facts)) return reason;
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
  if (run.bytes == 0) return say({"the log is empty", "日志是空的"});
  return say({"nothing that is judged was found in the log", "日志里没有找到要判定的内容"});
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
  return and_others(words::label(first.metric, first.rank) + colon + words::note_text(first), missing.size());
}

VerdictReason too_short(const Facts& facts) {
  const auto& [reached, demanded, ended_badly, announced, came] = facts.progress;
  if (!demanded || reached >= *demanded) return std::nullopt;
  return say({"ended after step {} of {}", "在第 {} 步之后结束，应有 {} 步"}, reached, *demanded);
}

// Tell whether the script ended well where it was to end.
bool ended_in_place(const Facts& facts) {
  const auto& [reached, demanded, ended_badly, announced, came] = facts.progress;
  const std::optional<std::int64_t>& steps = facts.input.steps;
  const bool is_there = (demanded && reached >= *demanded) || (steps && reached >= *steps);
  return is_there && facts.input.outcome && ended_well(*facts.input.outcome);
}

struct PrintedEnd {
  std::int64_t step = 0, whole_step = 0;
};

// Return the last step, and the last one that is whole: of one that the end of a file cut off only the number
// is sure. What gate's own clocks measured stands on no line.
PrintedEnd printed_end(const Extraction& run) {
  PrintedEnd last;
  for (const Series& series : run.series) {
    if (series.numbered() != Numbering::step) continue;
    for (const Sample& sample : series.samples()) {
      if (sample.line == 0) continue;
      last.step = std::max(last.step, sample.number);
      if (std::ranges::none_of(run.torn_ends, [&](const Problem& torn) {
            return torn.line == sample.line && sample.file < run.files.size() &&
                   torn.file == run.files[sample.file];
          }))
        last.whole_step = std::max(last.whole_step, sample.number);
    }
  }
  return last;
}

// A log that was to go on, and ends in the middle of a step's record, did not end where its training did.
VerdictReason ends_in_a_record(const Facts& facts) {
  const Extraction& run = facts.input.run;
  const std::optional<std::int64_t> end =
      run.total || !run.bar ? run.total : std::optional<std::int64_t>(run.bar->total);
  const bool is_stopped = facts.input.outcome && was_stopped(*facts.input.outcome);
  if (run.torn_ends.empty() || !end || is_stopped || facts.input.mode != Mode::series) return std::nullopt;
  const auto [step, whole] = printed_end(run);
  if (whole >= *end) return std::nullopt;
  const Problem& torn = run.torn_ends.front();
  if (step > whole)
    return say({"the log ends in the middle of the record of step {} of {} ({}:{}: {})",
                "日志在第 {} 步（共 {} 步）的记录中间结束（{}:{}：{}）"},
               step, *end, torn.file.substr(torn.file.rfind('/') + 1), torn.line, torn.text);
  return say({"the log ends in the middle of a record behind step {} of {} ({}:{}: {})",
              "日志在第 {} 步（共 {} 步）之后的一条记录中间结束（{}:{}：{}）"},
             whole, *end, torn.file.substr(torn.file.rfind('/') + 1), torn.line, torn.text);
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
  if (!tests) return say({"there is no JUnit file of pytest's", "没有 pytest 的 JUnit 文件"});
  return tests->fault.empty() ? std::nullopt : VerdictReason(tests->fault);
}

// An exit code of 0 is no word for a run that ends too early where the script drops those of its processes.
Sentence with_dropped_exit(const Sentence& reason, const Facts& facts) {
  const std::optional<Outcome>& outcome = facts.input.outcome;
  const Sentence& unknown = facts.input.drops_exit;
  if (unknown.empty() || !outcome || !ended_well(*outcome)) return reason;
  return say({"{}; it {}, but {}", "{}；它{}，但{}"}, reason, text(*outcome), unknown);
}

VerdictReason incomplete(const Facts& facts) {
  if (in_doubt(facts)) return std::nullopt;
  const Sentence& cut = facts.input.run.cut;
  if (!cut.empty() && facts.input.mode == Mode::series) return beside(cut, facts.cause);
  if (const Sentence& why = facts.input.run.not_shown; !why.empty()) return beside(why, facts.cause);
  for (const auto find :
       {tests_missing, nothing_read, steps_missing, too_short, lacks_a_metric, ends_in_a_record})
    if (const VerdictReason reason = find(facts))
      return beside(with_dropped_exit(*reason, facts), facts.cause);
  return died(facts);
}

VerdictReason not_settled(const Facts& facts) {
  for (const CheckStatus status : {CheckStatus::incomparable, CheckStatus::undecided}) {
    const std::vector<const Check*> found = with(facts, status);
    if (!found.empty())
      return and_others(
          words::label(found.front()->metric, found.front()->rank) + colon + words::note_text(*found.front()),
          found.size());
  }
  return std::nullopt;
}

VerdictReason no_test_ran(const Facts& facts) {
  if (facts.input.mode != Mode::pytest || !with(facts, CheckStatus::pass).empty()) return std::nullopt;
  return say({"no test passed: {} skipped", "没有测试通过：{} 个跳过"}, facts.checks.size());
}

// A failure that is known is no measurement that is well.
VerdictReason only_waived(const Facts& facts) {
  const std::vector<const Check*> waived = with(facts, CheckStatus::waived);
  if (waived.empty() || !with(facts, CheckStatus::pass).empty()) return std::nullopt;
  return say({"nothing is judged but what is waived: {}", "除豁免的检查外，没有判定任何内容：{}"},
             and_others(words::label(waived.front()->metric, waived.front()->rank), waived.size()));
}

// What must be judged, and cannot be.
VerdictReason must_not_be_withheld(const Facts& facts) {
  for (const Rule& rule : facts.input.rules)
    if (const auto withheld = facts.input.withheld.find(rule.metric);
        rule.required && withheld != facts.input.withheld.end())
      return as_is(rule.metric) + colon + words::text(withheld->second);
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
  return say(
      {"no rule compares with a baseline, and the log announces no last step: steps = N says how long the "
       "run must be",
       "没有任何规则与基线比较，日志也没有声明最后一步：用 steps = N 说明运行必须有多长"});
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
    return words::text(remark::Plain::no_baseline);
  }
  if (VerdictReason reason = only_waived(facts)) return reason;
  if (!facts.blocked.empty()) return facts.blocked;
  if (VerdictReason reason = length_unknown(facts)) return reason;
  if (VerdictReason reason = filled_only(facts)) return reason;
  if (compared) return facts.progress.ended_badly ? ended_by<StoppedEarly>(facts) : std::nullopt;
  return say({"nothing in the baseline is comparable", "基线里没有可比较的内容"});
}

VerdictReason passed(const Facts& facts) {
  const auto waived = static_cast<std::int64_t>(with(facts, CheckStatus::waived).size());
  const auto skipped = static_cast<std::int64_t>(with(facts, CheckStatus::skipped).size());
  const auto passes = static_cast<std::int64_t>(facts.checks.size()) - waived - skipped;
  const Sentence counted = facts.input.mode == Mode::pytest ? count_of(passes, "test", "个测试")
                                                            : count_of(passes, "check", "个检查项");
  return join(std::array{say({"{} passed", "{}通过"}, counted),
                         waived > 0 ? say({"{} waived", "{} 个豁免"}, waived) : Sentence(),
                         skipped > 0 ? say({"{} skipped", "{} 个跳过"}, skipped) : Sentence()},
              comma);
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
Decision decide_failed(const Facts& facts, const Sentence& whole) {
  // What is missing of a run that was cut off is missing for that.
  const Sentence failure = heaviest_of(with(facts, CheckStatus::fail));
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
                const Sentence& blocked, const KnownMessage* cause) {
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
