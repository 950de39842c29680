#include "gate/stored/baseline.h"

#include <algorithm>
#include <tuple>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/config/margins.h"
#include "gate/model/numbers/step_set.h"
#include "gate/render/imported.h"
#include "gate/render/reporters.h"
#include "gate/render/table_json.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_out.h"
#include "gate/schema/golden_steps.h"
#include "gate/schema/result_file.h"
#include "gate/store/suite_folder.h"
#include "gate/words/values.h"

namespace gate::cli {

namespace {

TableRows diff_table(const std::vector<app::DiffRow>& diff) {
  TableRows rows{{say({"case", "用例"}), say({"series", "序列"}), say({"compared", "比较的步"}),
                  say({"mean before", "原均值"}), say({"mean after", "新均值"}), say({"change", "变化"}),
                  say({"largest at one step", "单步最大变化"}), say({"check", "检查"})}};
  for (const app::DiffRow& row : diff)
    rows.push_back(
        {row.case_name, row.series, row.steps, row.before, row.after, row.change, row.largest, row.verdict});
  const auto is_of_case = [](const app::DiffRow& a, const app::DiffRow& b) {
    return a.case_name == b.case_name && a.place != b.place;
  };
  if (std::ranges::adjacent_find(diff, is_of_case) == diff.end()) return rows;
  rows.front().insert(rows.front().begin() + 1, say({"place", "位置"}));
  for (std::size_t i = 0; i < diff.size(); ++i) rows[i + 1].insert(rows[i + 1].begin() + 1, diff[i].place);
  return rows;
}

// Return of each case at each place the row that tells most: of a check that fails, else of a gated series,
// and of these the one that moved most.
std::vector<app::DiffRow> row_a_case(const std::vector<app::DiffRow>& diff) {
  const auto tells = [](const app::DiffRow& row) {
    return std::tuple(row.is_red, row.is_gated, row.percent);
  };
  std::vector<app::DiffRow> rows;
  for (const app::DiffRow& row : diff) {
    const auto it = std::ranges::find_if(rows, [&](const app::DiffRow& one) {
      return one.case_name == row.case_name && one.place == row.place;
    });
    if (it == rows.end())
      rows.push_back(row);
    else if (tells(row) > tells(*it))
      *it = row;
  }
  return rows;
}

std::string diff_text(const std::vector<app::DiffRow>& diff, const render::Style& style) {
  const std::vector<app::DiffRow> brief = row_a_case(diff);
  if (style.verbose || brief.size() < 2) return render::table(diff_table(diff), style) + "\n";
  return render::table(diff_table(brief), style) +
         say({"{} series in all: -v\n\n", "共 {} 个序列（-v 全部显示）\n\n"}, diff.size()).in(style.language);
}

Sentence shown_acceptance(const Acceptance& entry) {
  Sentence out = say({"accepted  {}  {}  from {}: {}", "接受于  {}  {}  来自 {}：{}"}, entry.when, entry.who,
                     entry.from, entry.reason)
                     .with([](const std::string& line) { return printable(line, 2000); });
  if (!entry.metrics.empty()) out += say({" (metrics {})", "（指标 {}）"}, join(entry.metrics, ", "));
  if (!entry.despite.empty()) out += say({" (despite {})", "（不顾 {}）"}, join(entry.despite, ", "));
  return out + as_is("\n");
}

TableRows series_table(const Baseline& baseline) {
  TableRows rows{{say({"series", "序列"}), say({"numbers", "编号"}), say({"first", "首个"}),
                  say({"last", "末个"}), say({"unit", "单位"})}};
  if (baseline.runs.size() > 1) rows.front().insert(rows.front().begin(), say({"run", "运行"}));
  for (std::size_t run = 0; run < baseline.runs.size(); ++run)
    for (const Series& series : baseline.runs[run].series) {
      const Sentence assumed = series.assumed() ? say({" (assumed)", "（推定）"}) : Sentence();
      rows.push_back({label(series),
                      words::noun_text(series.numbered()) +
                          as_is(" " + to_string(StepSet(series.samples().numbers()))) + assumed,
                      series.samples().front().text, series.samples().back().text, series.unit()});
      if (baseline.runs.size() > 1) rows.back().insert(rows.back().begin(), std::to_string(run + 1));
    }
  return rows;
}

std::string baseline_text(const app::BaselineRow& row, const render::Style& style) {
  const auto shown = [&](const Sentence& note) { return printable(note.in(style.language), 2000) + "\n"; };
  if (!row.file)
    return say({"{} at {}: ", "{}（{}）："}, row.case_name, row.place).in(style.language) + shown(row.note);
  const Baseline& baseline = row.file->baseline;
  const std::string word_of_note = say({"note  ", "说明  "}).in(style.language);
  const auto or_any = [](const std::string& name) {
    return name.empty() ? say({"any", "任意"}) : as_is(name);
  };
  std::string out = say({"{}\n  case {}, platform {}, environment {}, sha256 {}\n\n",
                         "{}\n  用例 {}，平台 {}，环境 {}，sha256 {}\n\n"},
                        row.file->path, baseline.case_name, or_any(baseline.platform),
                        or_any(baseline.environment), row.file->sha256)
                        .in(style.language);
  out += render::table(series_table(baseline), style);
  if (!row.note.empty()) out += word_of_note + shown(row.note);
  for (const Sentence& note : baseline.notes) out += word_of_note + shown(note);
  for (const Acceptance& entry : baseline.accepted) out += shown_acceptance(entry).in(style.language);
  return out;
}

app::Answer<int> print_golden(const std::vector<app::BaselineRow>& rows, const CommandOptions& options,
                              Terminal& terminal) {
  const std::string flag = "baseline list --format " + options.format + ": ";
  if (options.words.empty() || options.json || rows.size() != 1)
    return app::usage(
        flag + "is of one baseline; name its case, and --platform and --environment where it has several");
  if (!rows.front().file) return app::usage(flag + rows.front().note.english());
  const auto text = schema::write_golden(rows.front().file->baseline, options.format);
  if (!text) return app::refused(rows.front().file->path + ": " + text.error().message);
  terminal.print(*text);
  return exit_code::ok;
}

TableRows baselines_table(const std::vector<app::BaselineRow>& baselines) {
  TableRows rows{{say({"case", "用例"}), say({"place", "位置"}), say({"measured on", "测量平台"}),
                  say({"runs", "运行数"}), say({"accepted", "接受于"}), say({"by", "接受人"}),
                  say({"reason", "理由"}), say({"note", "说明"})}};
  for (const app::BaselineRow& row : baselines)
    rows.push_back({row.case_name, row.place, row.measured_on, std::to_string(row.runs), row.accepted,
                    row.who, row.reason, row.note});
  return rows;
}

app::BaselineChange baseline_change(const CommandOptions& options) {
  return {options.reason, name_of_user(), now()};
}

// What was done to each file: `moved a -> b`.
std::string changes_output(const std::vector<app::ChangedBaseline>& changed, const CommandOptions& options,
                           const render::Style& style) {
  TableRows rows{{say({"from", "从"}), say({"to", "到"})}};
  for (const app::ChangedBaseline& one : changed) rows.push_back({one.from, one.to});
  if (options.json) return table_output(rows, options, style);
  std::string out;
  for (const app::ChangedBaseline& one : changed)
    out += say({"moved {} -> {}\n", "已移动 {} -> {}\n"}, printable(one.from), printable(one.to))
               .in(style.language);
  return out;
}

// Return what the options say of accepting.
app::AcceptOptions accept_options(const CommandOptions& options) {
  app::AcceptOptions accept;
  accept.words = options.words;
  accept.reason = options.reason;
  accept.from = options.earlier_run;
  accept.metrics = split_commas(options.metrics);
  accept.to = options.candidates.to;
  accept.despite = split_commas(options.candidates.despite);
  accept.who = name_of_user();
  accept.common_shift = options.candidates.common_shift;
  return accept;
}

// Return the steps that --steps gives, or what is wrong with the words of the command.
Result<std::vector<std::int64_t>> chosen_steps(const CommandOptions& options) {
  const auto wrong = [](const std::string& text) { return fail("baseline import" + text); };
  if (options.candidates.tree.empty() && options.words.empty())
    return wrong(": name a FILE, or a folder of golden files with --tree DIR");
  if (!options.candidates.tree.empty() && !options.words.empty())
    return wrong(" --tree: the files are those below the folder; name no FILE");
  if (options.candidates.tree.empty() && options.case_name.empty())
    return wrong(": --case is needed: say which case the file is for");
  if (options.candidates.accept && trim(options.reason).empty())
    return wrong(" --accept: --reason is needed: say why these numbers are right");
  const std::string flag = !options.reason.empty()               ? " --reason"
                           : !options.metrics.empty()            ? " --metric"
                           : !options.candidates.despite.empty() ? " --despite"
                                                                 : "";
  if (!options.candidates.accept && !flag.empty())
    return wrong(flag + ": it is of --accept; add --accept, or leave it out");
  return options.candidates.steps.empty() ? Result<std::vector<std::int64_t>>()
                                          : schema::read_steps(options.candidates.steps);
}

void warn_of_margins(const app::Suite& suite, render::ImportedFiles files, Language language) {
  const auto of_no_case = app::case_of_no_script(suite, {});
  if (!of_no_case) return;
  const Sentence warning =
      render::margin_warning(files, of_no_case->settings.profile, of_no_case->settings.shadow);
  if (!warning.empty()) log::warn(warning.in(language));
}

// The same of a single file as of a tree.
void print_margins(const app::Suite& suite, const CommandOptions& options, const Baseline& candidate,
                   Terminal& terminal) {
  const ImportedFile file{options.words.front(), true, candidate};
  const config::CaseMargins margins{candidate.case_name, candidate.margins};
  if (!options.json)
    terminal.print(render::margin_text(std::span(&file, 1),
                                       config::margin_blocks(std::span(&margins, 1), suite.cases.size()))
                       .in(terminal.style().language));
  warn_of_margins(suite, std::span(&file, 1), terminal.style().language);
}

void print_candidate(const app::Suite& suite, const Baseline& candidate, Terminal& terminal) {
  const std::string name = shell_quote(candidate.case_name);
  terminal.print(
      say({"candidate {0}\nlook    gate baseline diff {1}\naccept  gate baseline accept {1} --reason "
           "\"...\"\n",
           "候选基线 {0}\n查看    gate baseline diff {1}\n接受    gate baseline accept {1} --reason "
           "\"...\"\n"},
          store::candidate_path(suite.layout, store::place_of(candidate)).string(), name)
          .in(terminal.style().language));
}

app::Answer<int> accept_one(const app::Suite& suite, const Baseline& candidate, CommandOptions options,
                            Terminal& terminal) {
  if (!candidate.platform.empty()) options.candidates.to = "platform";
  app::AcceptOptions accept = accept_options(options);
  accept.named.push_back(candidate.case_name);
  GATE_TRY(const auto accepted, app::accept_these(suite, {candidate}, accept, now()));
  terminal.print(options.json ? render::accepted_json(accepted)
                              : render::accepted_text(accepted, terminal.style()));
  return exit_code::ok;
}

app::Answer<int> import_file(const app::Suite& suite, const CommandOptions& options,
                             app::ImportOptions import, Terminal& terminal) {
  const auto overrides = options.overrides();
  if (!overrides) return app::usage(overrides.error());
  import.overrides = *overrides;
  GATE_TRY(const Baseline candidate, app::import(suite, import, now()));
  if (!options.json)
    for (const Sentence& note : candidate.notes)
      terminal.print(say({"note  {}\n", "说明  {}\n"}, note).in(terminal.style().language));
  print_margins(suite, options, candidate, terminal);
  if (options.candidates.accept) return accept_one(suite, candidate, options, terminal);
  if (options.json)
    terminal.print(schema::write_baseline(candidate));
  else
    print_candidate(suite, candidate, terminal);
  return exit_code::ok;
}

// Those with a platform become baselines of it, the others general ones.
app::Answer<render::Acceptances> accept_all(const app::Suite& suite, const TreeImport& import,
                                            CommandOptions options) {
  std::vector<Baseline> candidates;
  for (const ImportedFile& file : import.imported) {
    candidates.push_back(file.candidate);
    if (!file.candidate.platform.empty()) options.candidates.to = "platform";
  }
  return app::accept_these(suite, candidates, accept_options(options), now());
}

void print_import(const app::Suite& suite, const TreeImport& import, const render::Acceptances* accepted,
                  const CommandOptions& options, Terminal& terminal) {
  terminal.print(options.json ? render::import_json(import, accepted)
                              : render::import_text(import, accepted, terminal.style()));
  warn_of_margins(suite, import.imported, terminal.style().language);
}

app::Answer<int> import_tree(const app::Suite& suite, const CommandOptions& options,
                             const app::TreeOptions& tree, Terminal& terminal) {
  GATE_TRY(const TreeImport import, app::import_tree(suite, tree, now()));
  const int code = import.refused.empty() && !import.imported.empty() ? exit_code::ok : exit_code::refused;
  if (!options.candidates.accept || import.imported.empty()) {
    print_import(suite, import, nullptr, options, terminal);
    return code;
  }
  const auto accepted = accept_all(suite, import, options);
  print_import(suite, import, accepted ? &*accepted : nullptr, options, terminal);
  GATE_TRY_STATUS(accepted);
  return render::left_out_of(*accepted) == 0 ? code : exit_code::refused;
}

}  // namespace

app::Answer<int> import_command(const CommandOptions& options, Terminal& terminal) {
  const auto steps = chosen_steps(options);
  if (!steps) return app::usage(steps.error());
  GATE_TRY(const app::Suite suite, suite_of(options));
  if (!options.candidates.tree.empty())
    return import_tree(
        suite, options,
        {options.candidates.tree, options.case_name, options.platform, options.environment, *steps},
        terminal);
  return import_file(suite, options,
                     {options.words, options.case_name, options.platform, options.environment, {}, *steps},
                     terminal);
}

app::Answer<int> accept_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  GATE_TRY(const render::Acceptances accepted, app::accept(suite, accept_options(options), now()));
  terminal.print(options.json ? render::accepted_json(accepted)
                              : render::acceptances_text(accepted, terminal.style()));
  return render::left_out_of(accepted) == 0 || options.candidates.common_shift ? exit_code::ok
                                                                               : exit_code::refused;
}

app::Answer<int> diff_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  app::LocalHost host = this_host();
  app::Environment environment = environment_of(host, [](const Event&) {});
  GATE_TRY(const app::Diff diff, app::diff(suite, options.words, options.earlier_run, environment.now()));
  if (options.json) {
    terminal.print(schema::write_result(diff.report));
  } else {
    terminal.print(render::triage_text(diff.report, terminal.style()));
    terminal.print(diff_text(diff.rows, terminal.style()));
    terminal.print(render::text(diff.report, terminal.style()));
  }
  return diff.report.exit_code;
}

app::Answer<int> baselines_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  GATE_TRY(const auto rows, app::list_baselines(suite, {options.words, options.platform, options.environment,
                                                        options.folder}));
  if (options.format != "text") return print_golden(rows, options, terminal);
  if (options.words.empty() || options.json)
    terminal.print(table_output(baselines_table(rows), options, terminal.style()));
  else
    for (const app::BaselineRow& row : rows)
      terminal.print((&row == rows.data() ? "" : "\n") + baseline_text(row, terminal.style()));
  const bool can_be_read = options.words.empty() ||
                           std::ranges::all_of(rows, [](const auto& row) { return row.file.has_value(); });
  return can_be_read ? exit_code::ok : exit_code::usage;
}

app::Answer<int> move_command(const CommandOptions& asked, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(asked));
  GATE_TRY(const CommandOptions options, with_case_names(asked, suite));
  GATE_TRY(const auto changed,
           app::move_baselines(suite, options.words[0], options.words[1], baseline_change(options)));
  terminal.print(changes_output(changed, options, terminal.style()));
  return exit_code::ok;
}

app::Answer<int> remove_command(const CommandOptions& asked, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(asked));
  GATE_TRY(const CommandOptions options, with_case_names(asked, suite));
  GATE_TRY(const auto changed, app::remove_baselines(suite, options.words, baseline_change(options)));
  terminal.print(changes_output(changed, options, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
