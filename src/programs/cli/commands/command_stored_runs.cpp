#include <malloc.h>

#include <algorithm>
#include <set>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/columns.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/render/compare.h"
#include "gate/render/explain.h"
#include "gate/render/history.h"
#include "gate/store/run_folder.h"
#include "gate/stored/charts.h"
#include "gate/stored/compare.h"
#include "gate/stored/explain.h"
#include "gate/stored/import_history.h"
#include "gate/stored/merge.h"
#include "gate/stored/reference.h"
#include "gate/suite/history.h"
#include "gate/words/values.h"

namespace gate::cli {

namespace {

app::CompareOptions compare_options(const CommandOptions& options) {
  app::CompareOptions compare;
  compare.sides = options.words;
  compare.case_name = options.case_name;
  compare.platform = options.platform;
  compare.folder = options.folder;
  if (options.determinism > 1) compare.metrics = app::CompareOptions::Metrics::deterministic;
  if (wants_charts(options)) compare.charts = app::CompareOptions::Charts::yes;
  return compare;
}

// Return a line for each log that is not green, and one for all.
std::vector<Sentence> import_words(const std::vector<app::ImportedLog>& logs) {
  constexpr std::size_t most_named = 3;
  std::vector<Sentence> lines;
  std::set<std::string> cases;
  std::int64_t green = 0, red = 0, known = 0;
  for (const app::ImportedLog& log : logs) {
    cases.insert(shell_quote(log.case_name));
    known += log.is_known ? 1 : 0;
    if (log.is_known) continue;
    green += log.verdict == Verdict::passed ? 1 : 0;
    red += log.verdict != Verdict::passed && log.verdict != Verdict::unjudged ? 1 : 0;
    if (log.is_baseline)
      lines.push_back(
          say({"{}: no baseline; the oldest log stands as one: {}", "{}：没有基线，以最早的日志为基线：{}"},
              log.case_name, log.file));
    const Sentence why = log.verdict != Verdict::passed ? log.reason : log.problem;
    if (log.verdict != Verdict::passed || !why.empty())
      lines.push_back(words::verdict_text(log.verdict) +
                      as_is("  " + log.file + "  " + log.started.substr(0, 10) + "  ") + why);
  }
  const std::string named =
      cases.size() > most_named ? "" : " " + join(std::vector(cases.begin(), cases.end()), " ");
  const auto count = std::ssize(logs);
  const std::int64_t unjudged = count - green - red - known;
  Sentence others;
  if (unjudged > 0) others += say({", {} not judged", "，{} 无法判定"}, unjudged);
  if (known > 0) others += say({", {} known already", "，{} 早已记下"}, known);
  lines.push_back(say({"{}: {} green, {} red{}; gate history{}", "{}：{} 绿，{} 红{}；gate history{}"},
                      count_of(count, "log", "个日志"), green, red, others, named));
  return lines;
}

app::Answer<int> import_runs(const app::Suite& suite, const CommandOptions& options, Terminal& terminal) {
  if (options.words.empty())
    return app::usage("--import: name the files: exported ones, result.json or logs");
  GATE_TRY(const app::HistoryImport import,
           app::import_history(suite, {options.words, options.case_name, options.platform}, now()));
  const Language language = terminal.style().language;
  if (import.runs > 0)
    terminal.print(say({"{} imported into {}\n", "已导入 {}：{}\n"}, count_of(import.runs, "run", "次运行"),
                       app::history_path(suite).string())
                       .in(language));
  if (!import.logs.empty())
    for (const Sentence& line : import_words(import.logs))
      terminal.print(printable(line.in(language), 1000) + "\n");
  return exit_code::ok;
}

// Print the one report as `gate run` prints its own, or in the format that was asked for.
app::Answer<int> merge_reports(const app::Suite& suite, const CommandOptions& options,
                               const render::ReporterRow& reporter, Terminal& terminal) {
  GATE_TRY_STATUS(check_outputs(options, suite));
  GATE_TRY(Report report, app::merge_runs(suite, options.words));
  if (reporter.needs == render::Needs::charts || wants_charts(options))
    report.details = app::details_in(suite_of(options).value_or(suite));
  const bool is_text = options.json || options.format == "text";
  const int code = is_text ? terminal.finish(report, options) : terminal.write(report, options);
  if (!is_text) terminal.print(reporter.render(report, terminal.style()));
  terminal.flush();
  notify_receivers(suite, report, options);
  return code;
}

// Let what is freed be used again: the system would zero its pages anew, of 100,000 runs for a twentieth of
// the time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

app::Answer<app::HistoryQuery> history_query(const CommandOptions& options) {
  app::HistoryQuery query{options.words, options.platform, options.history.last, "",
                          parse_runs_by(options.history.by).value_or(RunsBy::nothing)};
  if (options.history.since.empty()) return query;
  auto since = app::moment_of(options.history.since, now());
  if (!since) return app::usage("--since " + since.error().message);
  query.since = std::move(*since);
  return query;
}

// Return where the page of the run lies, as seen from the folder into which that of the history is written.
std::string page_beside(const CommandOptions& options, const fs::Path& root, const std::string& run) {
  const fs::Path page = store::page_of_run(root, run);
  const auto word = std::ranges::find(options.reports.files, "html", &ReportWord::kind);
  if (page.empty() || word == options.reports.files.end()) return "";
  return fs::whole_path(page).lexically_relative(fs::whole_path(word->file).parent_path()).string();
}

std::string history_text(const SuiteTrend& trends, const CommandOptions& options,
                         const render::Style& style) {
  if (trends.by != RunsBy::nothing) return render::history_groups(trends, style);
  if (options.words.empty()) return render::history_table(trends, style);
  std::string out = render::suite_moves_text(trends, style);
  for (const CaseTrend& trend : trends.cases)
    out += (out.empty() ? "" : "\n") + render::history_text(trend, style);
  return out;
}

}  // namespace

app::Answer<int> explain_command(const CommandOptions& asked, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(asked));
  GATE_TRY(const CommandOptions options, with_case_names(asked, suite));
  const std::string check = options.words.size() > 1 ? options.words[1] : "";
  const auto source = options.shadow ? app::CheckSource::shadow : app::CheckSource::verdict;
  GATE_TRY(const Explanation explanation,
           app::explain(suite, options.words.front(), check, options.earlier_run, source));
  const bool in_full = !check.empty() || options.verbosity > 0;
  terminal.print(inert(options.json ? render::explain_json(explanation)
                                    : render::explain_text(explanation, in_full, terminal.style())));
  return exit_code::ok;
}

app::Answer<int> report_command(const CommandOptions& options, Terminal& terminal) {
  const std::string name = options.json ? "json" : options.format;
  const render::ReporterRow* reporter = render::find_reporter(name);
  if (reporter == nullptr) {
    const auto names = texts_of(render::reporters(), &render::ReporterRow::name);
    return app::usage("--format " + printable(name) + ": unknown" + did_you_mean(name, names) +
                      " (it is one of " + join(names, ", ") + ")");
  }
  GATE_TRY(const app::Suite suite, suite_if_any(options));
  if (options.merge) return merge_reports(suite, options, *reporter, terminal);
  if (options.words.size() > 1) return app::usage("report: name one run, or several with --merge");
  const bool is_path = !options.words.empty() && fs::exists(options.words.front());
  if (!is_path && options.config.empty() && app::find_suite_root(options.folder).empty())
    return app::no_suite(options.folder);
  Result<Report> report = options.words.empty() ? store::read_latest(suite.root)
                                                : store::read_run(suite.root, options.words.front());
  if (!report) return app::usage(report.error());
  GATE_TRY_STATUS(check_outputs(options, suite));
  if (reporter->needs == render::Needs::charts || wants_charts(options))
    report->details = app::details_in(suite_of(options).value_or(suite));
  terminal.print(reporter->render(*report, terminal.style()));
  const Status written = publisher_of(options).write(*report);
  return written ? app::Answer<int>(exit_code::ok) : app::infra(written.error());
}

app::Answer<int> compare_command(const CommandOptions& asked, Terminal& terminal) {
  if (asked.words.size() < 2)
    return app::usage(
        "compare: name two or more: gate compare A B ..., each a log, a baseline, a run or a case");
  // Outside any suite logs and baseline files can be compared.
  const bool is_outside = asked.config.empty() && app::find_suite_root(asked.folder).empty();
  GATE_TRY(const app::Suite suite, is_outside ? suite_if_any(asked) : suite_of(asked));
  GATE_TRY(const CommandOptions options, with_case_names(asked, suite));
  GATE_TRY_STATUS(check_outputs(options, suite));
  GATE_TRY(const std::vector<Comparison> comparisons, app::compare(suite, compare_options(options)));
  terminal.print(options.json ? render::compare_json(comparisons)
                              : render::compare_text(comparisons, terminal.style()));
  const render::Style plain{.language = terminal.style().language};
  GATE_TRY_STATUS(
      write_reports(options, {{"text", [&] { return render::compare_text(comparisons, plain); }},
                              {"json", [&] { return render::compare_json(comparisons); }},
                              {"html", [&] { return render::compare_html(comparisons, plain.language); }}}));
  const auto common = [](const auto& one) { return has_common(one); };
  if (!std::ranges::all_of(comparisons, common)) return exit_code::refused;
  if (options.determinism <= 1) return exit_code::ok;
  if (!std::ranges::all_of(comparisons, [](const auto& one) { return is_same(one); }))
    return exit_code::regressed;
  const bool is_all = std::ranges::all_of(
      comparisons, [&](const Comparison& one) { return std::ranges::all_of(one.cases, common); });
  return is_all ? exit_code::ok : exit_code::refused;
}

app::Answer<int> history_command(const CommandOptions& asked, Terminal& terminal) {
  const bool is_suite = !asked.config.empty() || !app::find_suite_root(asked.folder).empty();
  const bool imports = asked.history.import_history;
  const auto whole = is_suite ? suite_of(asked) : suite_if_any(asked);
  GATE_TRY(const app::Suite suite,
           whole || imports ? whole : suite_if_any(asked));  // its mistakes are `list`'s
  if (!is_suite && !imports && !fs::exists(app::history_path(suite))) return app::no_suite(asked.folder);
  GATE_TRY(const CommandOptions options, with_case_names(asked, suite));
  GATE_TRY_STATUS(check_outputs(options, suite));
  if (options.history.export_history) {
    GATE_TRY_STATUS(app::export_history(suite, [&](std::string_view line) { terminal.print(line); }));
    return exit_code::ok;
  }
  if (imports) return import_runs(suite, options, terminal);
  if (options.history.prune > 0) {
    GATE_TRY(const std::int64_t count, app::prune_history(suite, options.history.prune));
    const Sentence said = say({"{} forgotten\n", "已删除 {}的记录\n"}, count_of(count, "run", "次运行"));
    terminal.print(said.in(terminal.style().language));
    return exit_code::ok;
  }
  GATE_TRY(const app::HistoryQuery query, history_query(options));
  keep_freed_memory();
  GATE_TRY(const auto trends, app::trends(suite, query));
  const auto page_of = [&](const std::string& run) { return page_beside(options, suite.root, run); };
  const auto table_of = [&] { return app::published_history(suite, trends); };
  const render::Style plain{.language = terminal.style().language};
  GATE_TRY_STATUS(write_reports(
      options, {{"text", [&] { return history_text(trends, options, plain); }},
                {"json", [&] { return render::history_json(trends); }},
                {"html", [&] { return render::history_html(trends, suite.name, plain.language, page_of); }},
                {"table", [&] { return render::performance_table(table_of(), plain); }},
                {"table-html", [&] { return render::performance_table_html(table_of(), plain); }},
                {"table-csv", [&] { return render::performance_table_csv(table_of(), plain); }}}));
  terminal.print(options.json ? render::history_json(trends)
                              : history_text(trends, options, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
