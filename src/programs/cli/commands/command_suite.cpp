#include <algorithm>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/render/guard_list.h"
#include "gate/render/lint.h"
#include "gate/render/selftest.h"
#include "gate/render/table_json.h"
#include "gate/stored/lint.h"
#include "gate/stored/list.h"
#include "gate/stored/selftest.h"
#include "gate/stored/tolerances.h"
#include "gate/suite/suite_masker.h"
#include "gate/suite/taken_strategy.h"

namespace gate::cli {

namespace {

// Add what the cases have, if any has it.
void add_column(TableRows& rows, const Sentence& title, const std::vector<app::CaseListRow>& cases,
                Sentence app::CaseListRow::*member) {
  if (std::ranges::all_of(cases, [&](const auto& row) { return (row.*member).empty(); })) return;
  rows.front().push_back(title);
  for (std::size_t i = 0; i < cases.size(); ++i) rows[i + 1].push_back(cases[i].*member);
}

TableRows list_table(const std::vector<app::CaseListRow>& cases) {
  TableRows rows{{say({"case", "用例"}), say({"needs", "需要"}), say({"timeout", "时限"}),
                  say({"tags", "标签"}), say({"baseline", "基线"})}};
  for (const app::CaseListRow& row : cases)
    rows.push_back({row.name, row.needs, row.timeout, row.tags, row.baselines});
  add_column(rows, say({"after", "先运行"}), cases, &app::CaseListRow::after);
  add_column(rows, say({"quarantine", "隔离"}), cases, &app::CaseListRow::quarantine);
  add_column(rows, say({"skipped", "跳过"}), cases, &app::CaseListRow::skipped);
  add_column(rows, say({"unreadable", "无法读取"}), cases, &app::CaseListRow::unreadable);
  add_column(rows, say({"not used by its profile", "判定方案不使用"}), cases, &app::CaseListRow::unused);
  return rows;
}

// The variants of each case at one glance; `-` is none.
std::string grid_text(const app::VariantGrid& grid, const render::Style& style) {
  const auto count = static_cast<std::int64_t>(grid.baselines.size());
  const auto all = static_cast<std::int64_t>(grid.columns.size() * grid.rows.size());
  TableRows rows{{grid.base}};
  rows.front().insert(rows.front().end(), grid.columns.begin(), grid.columns.end());
  for (const std::string& row : grid.rows) {
    rows.push_back({row});
    for (const std::string& column : grid.columns) {
      const auto cell = grid.baselines.find({row, column});
      rows.back().push_back(cell == grid.baselines.end() ? Sentence("-") : cell->second);
    }
  }
  std::vector<Sentence> words{count_of(count, "variant", "个变体")};
  if (all > count) words.push_back(say({"{} excluded", "排除 {} 个"}, all - count));
  if (grid.repeat > 1) words.push_back(say({"each run {} times", "各运行 {} 次"}, grid.repeat));
  return "\n" + render::table(rows, style) + join(words, comma).in(style.language) + "\n";
}

std::string globs_of(const config::Policy& policy) {
  std::vector<std::string> globs;
  for (const config::CaseGroup& group : policy.groups())
    globs.insert(globs.end(), group.cases.begin(), group.cases.end());
  return join(globs, ", ");
}

std::string guard_output(const GuardList& list, const CommandOptions& options, const render::Style& style) {
  if (options.json) return render::guard_list_json(list);
  if (options.format == "markdown") return render::guard_list_markdown(list, style.language);
  if (options.format == "table") return render::guard_fragment_markdown(list, style.language);
  if (options.format == "table-html") return render::guard_fragment_html(list, style.language);
  return render::guard_list_text(list, style);
}

// Print the settings of the cases that --explain means. As JSON all are one table, with the case in each row.
app::Answer<int> explain_settings(const app::Suite& suite, const CommandOptions& options,
                                  Terminal& terminal) {
  GATE_TRY(const auto chosen, app::choose(suite, {options.list.explain}, {}, options.folder));
  const Masker masker = app::masker_for(suite);
  const TableRows head{{say({"setting", "设置"}), say({"value", "值"}), say({"origin", "来源"})}};
  TableRows all{
      {say({"case", "用例"}), say({"setting", "设置"}), say({"value", "值"}), say({"origin", "来源"})}};
  for (const config::Case* spec : chosen) {
    GATE_TRY(const auto origins, app::origins(suite, *spec));
    TableRows own = head;
    for (const config::SettingOrigin& origin : origins) {
      own.push_back({origin.key, masker.mask(origin.value), origin.origin});
      all.push_back({spec->name, origin.key, own.back()[1], origin.origin});
    }
    if (!options.json)
      terminal.print((chosen.size() > 1 ? spec->name + "\n" : "") +
                     table_output(own, options, terminal.style()));
  }
  if (options.json) terminal.print(render::table_json(all));
  return exit_code::ok;
}

}  // namespace

app::Answer<int> list_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(app::Suite opened, suite_of(options));
  // The process ends with the command: to free thousands of cases first is a tenth of its time.
  static app::Suite& suite = *new app::Suite(std::move(opened));
  GATE_TRY_STATUS(app::choose_strategy(suite, options.policy.strategy));
  GATE_TRY_STATUS(app::take_strategy(suite));
  if (!options.list.explain.empty()) return explain_settings(suite, options, terminal);
  GATE_TRY(auto chosen, app::choose(suite, options.words, options.tags, options.folder));
  warn_of_sources(suite, options, terminal.style().language);
  const auto name = [](const config::Case* one) -> const std::string& { return one->name; };
  if (!std::ranges::is_sorted(chosen, natural_less, name))
    std::ranges::stable_sort(chosen, natural_less, name);
  if (chosen.empty()) return app::refused("no case: nothing matches " + globs_of(suite.policy));
  if (!options.reports.files.empty() && !options.list.coverage)
    return app::usage("list --report: it is of --coverage; add --coverage, or leave it out");
  if (options.format.starts_with("table") && !options.list.coverage)
    return app::usage("list --format " + options.format +
                      ": it is of --coverage; add --coverage, or leave it out");
  GATE_TRY_STATUS(check_outputs(options, suite));
  if (!options.list.coverage) {
    const auto rows = app::list(suite, chosen);
    terminal.print(table_output(list_table(rows), options, terminal.style()));
    if (options.json || options.format == "markdown") return exit_code::ok;
    for (const app::VariantGrid& grid : app::grids(chosen, rows))
      terminal.print(grid_text(grid, terminal.style()));
    return exit_code::ok;
  }
  GATE_TRY(const GuardList guarded, app::guard_list(suite, chosen));
  terminal.print(guard_output(guarded, options, terminal.style()));
  const render::Style plain{.language = terminal.style().language};
  GATE_TRY_STATUS(write_reports(
      options, {{"text", [&] { return render::guard_list_text(guarded, plain); }},
                {"json", [&] { return render::guard_list_json(guarded); }},
                {"markdown", [&] { return render::guard_list_markdown(guarded, plain.language); }},
                {"html", [&] { return render::guard_list_html(guarded, plain.language); }},
                {"table", [&] { return render::guard_fragment_markdown(guarded, plain.language); }},
                {"table-html", [&] { return render::guard_fragment_html(guarded, plain.language); }}}));
  return exit_code::ok;
}

app::Answer<int> lint_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  const app::LintOptions chosen{options.words, options.tags, options.platform, options.environment,
                                options.folder};
  if (options.lint.tolerances) {
    const app::Write write = options.lint.write ? app::Write::yes : app::Write::no;
    GATE_TRY(const judge::FittedRules fitted, app::fit_tolerances(suite, chosen, now(), write));
    terminal.print(options.json ? render::tolerances_json(fitted)
                                : render::tolerances_text(fitted, terminal.style()));
    return fitted.exit_code();
  }
  GATE_TRY(const judge::Lint lint, app::lint(suite, chosen, now()));
  terminal.print(options.json ? render::lint_json(lint) : render::lint_text(lint, terminal.style()));
  return lint.exit_code();
}

app::Answer<int> selftest_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  GATE_TRY(const judge::Selftest selftest,
           app::selftest(
               suite, {options.words, options.tags, options.platform, options.environment, options.folder}));
  terminal.print(options.json ? render::selftest_json(selftest)
                              : render::selftest_text(selftest, terminal.style()));
  return selftest.exit_code();
}

}  // namespace gate::cli
