#include <fmt/format.h>

#include <map>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/stores_reached.h"
#include "cli/world/world.h"
#include "gate/base/columns.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/judging/derived.h"
#include "gate/judging/read_logs.h"
#include "gate/model/numbers/step_set.h"
#include "gate/render/events.h"
#include "gate/render/score.h"
#include "gate/schema/result_file.h"
#include "gate/stored/check.h"
#include "gate/stored/follow.h"
#include "gate/stored/score.h"
#include "gate/words/values.h"

namespace gate::cli {

namespace {

// `last`, `first`, a number, or `all`.
Result<extract::AttemptChoice> attempt_choice(const std::string& word) {
  if (word.empty() || word == "all") return extract::AttemptChoice{};
  if (word == "last") return extract::AttemptChoice{std::nullopt, true};
  if (word == "first") return extract::AttemptChoice{1};
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number || *number < 1 || *number > 1'000'000)
    return fail("--attempt " + printable(word) + ": it is last, first, a number from 1, or all");
  return extract::AttemptChoice{static_cast<int>(*number)};
}

std::string numbers_of(const SampleTape& samples) {
  if (samples.size() > 2 && samples.rises()) {
    const std::int64_t first = samples.begin().number(), last = samples.last_number();
    // With no number left out between the first and the last one their range says all.
    if (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) == samples.size() - 1)
      return fmt::format("{}-{}", first, last);
  }
  return printable(to_string(StepSet(samples.numbers())), 40);
}

// The word as printed where it is the value in the metric's unit, else that value.
std::string shown_sample(const std::optional<Sample>& sample) {
  if (!sample) return "";
  if (sample->text.empty()) return "left out";
  const bool plain = !sample->value.is_finite() || parse_value(sample->text) == sample->value;
  return plain ? sample->text : sample->value.number.to_string();
}

render::TextRow series_row(const Series& series) {
  const std::string rank = series.rank() ? std::to_string(*series.rank()) : "";
  const SampleTape& samples = series.samples();
  return {series.metric(),
          rank,
          words::noun_text(series.numbered()) + as_is(" " + numbers_of(samples)),
          shown_sample(samples.front()),
          shown_sample(samples.back()),
          shown_sample(samples.least()),
          shown_sample(samples.greatest()),
          series.unit()};
}

std::string extracted_table(const std::vector<Series>& all, const render::Style& style) {
  TableRows rows{{say({"metric", "指标"}), as_is("rank"), say({"numbers", "编号"}), say({"first", "首个"}),
                  say({"last", "末个"}), say({"min", "最小"}), say({"max", "最大"}), say({"unit", "单位"})}};
  for (const Series& series : all)
    if (!series.empty()) rows.push_back(series_row(series));
  return rows.size() > 1 ? render::table(rows, style) : "";
}

Sentence located(const Problem& problem) {
  if (problem.file.empty()) return problem.text;
  return as_is(problem.file + (problem.line > 0 ? ":" + std::to_string(problem.line) : "")) + colon +
         problem.text;
}

std::string located(const KnownMessage& message) {
  return fmt::format("{}  {}:{}: {}", message.name, message.file, message.line, message.text);
}

// There may be as many of a kind as there are steps.
std::string problems_text(const std::vector<Problem>& problems, const render::Style& style) {
  constexpr std::size_t shown = 8;  // of a kind
  const Language language = style.language;
  std::string out = problems.empty() ? "" : say({"problems\n", "问题\n"}).in(language);
  std::map<ProblemKind, std::size_t> of_kind;
  for (const Problem& problem : problems)
    if (++of_kind[problem.kind] <= shown || style.verbose)
      out += "  " + std::string(to_string(problem.kind)) + "  " + safe(located(problem).in(language)) + "\n";
  for (const auto& [kind, count] : of_kind)
    if (count > shown && !style.verbose)
      out += say({"  {}  and {} more; -v shows them\n", "  {}  以及另外 {} 个；-v 可查看\n"}, to_string(kind),
                 count - shown)
                 .in(language);
  return out;
}

std::string extraction_text(const Extraction& extraction, bool all_attempts, const render::Style& style) {
  const Language language = style.language;
  std::string out =
      say({"{}: {}, {}\n", "{}：{}，{}\n"}, safe(join(extraction.files, ", ")),
          count_of(extraction.lines, "line", "行"),
          extraction.formats.empty() ? say({"no known format", "没有已知格式"})
                                     : say({"format {}", "格式 {}"}, join(extraction.formats, ", ")))
          .in(language);
  for (const MatchCount& match : extraction.matches)
    out += say({"  {}  {} matched\n", "  {}  匹配 {} 行\n"}, match.extractor, match.matches).in(language);
  if (all_attempts) {
    for (std::size_t i = 0; i < extraction.attempts.size(); ++i)
      out += say({"\nattempt {}\n", "\n第 {} 次尝试\n"}, i + 1).in(language) +
             extracted_table(extraction.attempts[i].series, style);
  } else if (const std::string table = extracted_table(extraction.series, style); !table.empty()) {
    out += "\n" + table;
  }
  for (const Sentence& note : extraction.notes)
    out += say({"note  {}\n", "说明  {}\n"}, safe(note.in(language))).in(language);
  if (!extraction.messages.empty()) out += say({"messages\n", "报错\n"}).in(language);
  for (const KnownMessage& message : extraction.messages) out += "  " + safe(located(message)) + "\n";
  return out + problems_text(extraction.problems, style);
}

// Say on standard error what a program that reads the series alone would not see.
void warn_of_problems(const Extraction& extraction) {
  if (extraction.series.empty() && extraction.doubt.empty())
    log::warn("no step in " + join(extraction.files, ", "));
  std::map<ProblemKind, std::vector<Problem>> of_kind;
  for (const Problem& problem : extraction.problems) of_kind[problem.kind].push_back(problem);
  for (const auto& [kind, problems] : of_kind)
    log::warn(count_of(static_cast<std::int64_t>(problems.size()), "problem") + " of kind " +
              std::string(to_string(kind)) + ", the first: " + located(problems.front()).english());
}

// What the suite's formulas add to a log of no case in particular.
Extraction with_derived(const app::Suite& suite, Extraction extraction) {
  config::Case any;
  any.metrics = suite.policy.metrics();
  any.derivations = suite.policy.derivations();
  any.peaks = suite.policy.peaks();
  return app::with_derived(any, std::move(extraction), suite.policy.platform(), {});
}

// Return how logs are read: as the flags say, else as [defaults] does.
app::Answer<extract::Options> reading_of(const app::Suite& suite, const CommandOptions& options) {
  const Result<extract::AttemptChoice> attempt = attempt_choice(options.logs.attempt);
  if (!attempt) return app::usage(attempt.error());
  GATE_TRY(const config::Case any, app::case_of_no_script(suite, {}));
  extract::Options reading{split_commas(options.logs.formats), suite.patterns(), suite.policy.metrics(),
                           *attempt};
  if (options.logs.formats.empty()) reading.formats = any.settings.formats;
  reading.json = suite.policy.json();
  reading.all_attempts = options.logs.attempt == "all";
  return reading;
}

bool is_csv(const CommandOptions& options) { return options.format == "csv"; }

using LiveText = std::function<std::string(const LiveSample&, const std::string&)>;

LiveText live_text(const CommandOptions& options, const MetricTable& metrics) {
  if (is_csv(options))
    return [&](const auto& live, const auto& file) { return render::live_csv(live, file, metrics); };
  if (options.json)
    return [&](const auto& live, const auto& file) { return render::live_json(live, file, metrics); };
  return [](const auto& live, const auto&) { return render::live_line(live); };
}

void sum_up(const std::vector<app::Followed>& all) {
  for (const app::Followed& one : all) {
    std::int64_t samples = 0;
    for (const Series& series : one.extraction.series) samples += static_cast<std::int64_t>(series.size());
    log::info(one.file + ": " + count_of(one.extraction.lines, "line") + ", " + count_of(samples, "sample") +
              " of " + count_of(static_cast<std::int64_t>(one.extraction.attempts.size()), "attempt") + ", " +
              count_of(static_cast<std::int64_t>(one.extraction.problems.size()), "problem"));
  }
}

app::Answer<int> follow_logs(const CommandOptions& options, const extract::Options& reading,
                             Terminal& terminal) {
  if (!options.logs.attempt.empty())
    return app::usage("--follow --attempt: samples come before attempts are known");
  const LiveText text = live_text(options, reading.metrics);
  catch_signals();
  if (is_csv(options))
    schema::write_csv({}, schema::WhichAttempts::judged,
                      [&](std::string_view piece) { terminal.print(piece); });
  GATE_TRY(
      const auto followed,
      app::follow(options.words, reading,
                  {.sample = [&](const auto& live, const auto& file) { terminal.print(text(live, file)); },
                   .tell = [](const std::string& words) { log::warn(words); },
                   .flush = [&] { return terminal.flush(); },
                   .interrupted = [] { return caught_signal().has_value(); }}));
  sum_up(followed);
  return exit_code::ok;
}

}  // namespace

app::Answer<int> check_command(const CommandOptions& options, Terminal& terminal) {
  if (options.case_name.empty() == options.logs.baseline.empty())
    return app::usage(
        "check: say what to judge against: --case CASE or --baseline FILE; what a model wrote, "
        "which is no log, is compared by gate score FILE GOLDEN");
  if (!options.logs.baseline.empty() && !options.policy.policy_from.empty())
    return app::usage("check: --policy-from says which baseline of a case; --baseline names another one");
  const auto overrides = options.overrides();
  if (!overrides) return app::usage(overrides.error());
  GATE_TRY(app::Suite suite, options.case_name.empty() ? suite_if_any(options) : suite_of(options));
  GATE_TRY_STATUS(check_outputs(options, suite));
  GoldenCopies copies;
  for (config::Case& spec : suite.cases)
    for (auto& [name, output] : spec.settings.outputs)
      if (spec.name == options.case_name)
        GATE_TRY_STATUS(copies.take(output.golden, [&] { return suite_if_any(options); }));
  app::CheckOptions check{options.words,     options.logs.phases,   options.logs.outputs,
                          options.case_name, options.logs.baseline, options.platform,
                          *overrides,        wants_charts(options)};
  GATE_TRY(const Report report, app::check(suite, check, now()));
  return terminal.finish(report, options);
}

app::Answer<int> extract_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_if_any(options));
  GATE_TRY(extract::Options reading, reading_of(suite, options));
  if (options.follow) return follow_logs(options, reading, terminal);
  GATE_TRY(Extraction read, app::read_logs(options.words, std::move(reading)));
  const Extraction extraction = with_derived(suite, std::move(read));
  const auto which =
      options.logs.attempt == "all" ? schema::WhichAttempts::all : schema::WhichAttempts::judged;
  const auto print = [&](std::string_view piece) { terminal.print(piece); };
  if (is_csv(options))
    schema::write_csv(extraction, which, print);
  else if (options.json)
    schema::write_extraction(extraction, which, print);
  else
    terminal.print(extraction_text(extraction, options.logs.attempt == "all", terminal.style()));
  if (is_csv(options) || options.json) warn_of_problems(extraction);
  return extraction.series.empty() ? exit_code::refused : exit_code::ok;
}

app::Answer<int> score_command(const CommandOptions& options, Terminal& terminal) {
  auto output = config::read_output(options.policy.flags);
  if (!output) return app::usage(output.error());
  output->file = options.words.front();
  output->golden.assign(options.words.begin() + 1, options.words.end());
  if (const Status checked = config::check_output("", *output); !checked) return app::usage(checked.error());
  GoldenCopies copies;
  GATE_TRY_STATUS(copies.take(output->golden, [&] { return suite_if_any(options); }));
  const CaseReport report = app::score_report(*output);
  const int code = app::exit_code_of_score(*output, report);
  const bool is_judged = output->tolerance.has_value();
  terminal.print(options.json ? render::score_json(report, is_judged, code)
                              : render::score_text(report, is_judged, terminal.style()));
  return code;
}

}  // namespace gate::cli
