#include <algorithm>

#include "cli/commands/try_out.h"
#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/render/guard_list.h"
#include "gate/render/lint.h"
#include "gate/render/selftest.h"
#include "gate/render/table_json.h"
#include "gate/stored/init.h"
#include "gate/stored/lint.h"
#include "gate/stored/list.h"
#include "gate/stored/selftest.h"
#include "gate/suite/suite_masker.h"
#include "gate/suite/taken_strategy.h"

namespace gate::cli {

namespace {

// Add what the cases have, if any has it.
void add_column(TableRows& rows, const std::string& title, const std::vector<app::CaseListRow>& cases,
                std::string app::CaseListRow::*member) {
  if (std::ranges::all_of(cases, [&](const auto& row) { return (row.*member).empty(); })) return;
  rows.front().push_back(title);
  for (std::size_t i = 0; i < cases.size(); ++i) rows[i + 1].push_back(cases[i].*member);
}

TableRows list_table(const std::vector<app::CaseListRow>& cases) {
  TableRows rows{{"case", "needs", "timeout", "tags", "baseline"}};
  for (const app::CaseListRow& row : cases)
    rows.push_back({row.name, row.needs, row.timeout, row.tags, row.baselines});
  add_column(rows, "after", cases, &app::CaseListRow::after);
  add_column(rows, "quarantine", cases, &app::CaseListRow::quarantine);
  add_column(rows, "skipped", cases, &app::CaseListRow::skipped);
  add_column(rows, "unreadable", cases, &app::CaseListRow::unreadable);
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
      rows.back().push_back(cell == grid.baselines.end() ? "-" : cell->second);
    }
  }
  return "\n" + render::table(rows, style) + count_of(count, "variant") +
         (all > count ? ", " + std::to_string(all - count) + " excluded" : "") +
         (grid.repeat > 1 ? ", each run " + std::to_string(grid.repeat) + " times" : "") + "\n";
}

std::string globs_of(const config::Policy& policy) {
  std::vector<std::string> globs;
  for (const config::CaseGroup& group : policy.groups())
    globs.insert(globs.end(), group.cases.begin(), group.cases.end());
  return join(globs, ", ");
}

std::string guard_output(const GuardList& list, const CommandOptions& options, const render::Style& style) {
  if (options.json) return render::guard_list_json(list);
  if (options.format == "markdown") return render::guard_list_markdown(list);
  return render::guard_list_text(list, style);
}

// Print the settings of the cases that --explain means. As JSON all are one table, with the case in each row.
app::Answer<int> explain_settings(const app::Suite& suite, const CommandOptions& options,
                                  Terminal& terminal) {
  GATE_TRY(const auto chosen, app::choose(suite, {options.list.explain}, {}, options.folder));
  const Masker masker = app::masker_for(suite);
  TableRows all{{"case", "setting", "value", "origin"}};
  for (const config::Case* spec : chosen) {
    GATE_TRY(const auto origins, app::origins(suite, *spec));
    TableRows own{{"setting", "value", "origin"}};
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

std::string init_output(const app::Init& init, const std::vector<InitTrial>& trials) {
  const config::Proposal& proposal = init.proposal;
  std::string out =
      "wrote " + init.path + " for " + proposal.kind +
      (proposal.all.empty() ? "" : ": " + count_of(static_cast<std::int64_t>(proposal.all.size()), "case")) +
      (proposal.profile.empty() ? "" : ", profile " + proposal.profile) + "\n";
  for (const std::string& line : proposal.untold)
    out += "could not be told: " + printable(in_one_line(line), 1000) + "\n";
  for (const InitTrial& one : trials) {
    out += "tried: " + one.command + ": " + printable(one.said, 1000) + "\n";
    for (const std::string& line : one.left) out += "  left: " + printable(in_one_line(line), 1000) + "\n";
  }
  out += "next:\n";
  for (const std::string& line : proposal.next) out += "  " + line + "\n";
  return out;
}

std::string init_json(const app::Init& init, const std::vector<InitTrial>& trials) {
  render::OutputJson tried = render::OutputJson::array();
  for (const InitTrial& one : trials)
    tried.push_back({{"command", one.command}, {"said", one.said}, {"left", one.left}});
  return render::json_text({{"file", init.path},
                            {"kind", init.proposal.kind},
                            {"cases", init.proposal.all.size()},
                            {"profile", init.proposal.profile},
                            {"untold", init.proposal.untold},
                            {"tried", tried},
                            {"toml", init.toml}});
}

}  // namespace

app::Answer<int> list_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(app::Suite suite, suite_of(options));
  GATE_TRY_STATUS(app::take_strategy(suite, options.policy.strategy));
  if (!options.list.explain.empty()) return explain_settings(suite, options, terminal);
  GATE_TRY(auto chosen, app::choose(suite, options.words, options.tags, options.folder));
  std::ranges::stable_sort(chosen, natural_less,
                           [](const auto* one) -> const std::string& { return one->name; });
  if (chosen.empty()) return app::refused("no case: nothing matches " + globs_of(suite.policy));
  if (!options.reports.files.empty() && !options.list.coverage)
    return app::usage("list --report: it is of --coverage; add --coverage, or leave it out");
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
  GATE_TRY_STATUS(write_reports(options, {{"text", [&] { return render::guard_list_text(guarded, {}); }},
                                          {"json", [&] { return render::guard_list_json(guarded); }},
                                          {"markdown", [&] { return render::guard_list_markdown(guarded); }},
                                          {"html", [&] { return render::guard_list_html(guarded); }}}));
  return exit_code::ok;
}

app::Answer<int> lint_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  GATE_TRY(
      const judge::Lint lint,
      app::lint(suite, {options.words, options.tags, options.platform, options.environment, options.folder},
                now()));
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

app::Answer<int> init_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Init init,
           app::init(options.folder, options.dry_run ? app::DryRun::yes : app::DryRun::no, options.from));
  app::LocalHost host = this_host();
  app::Environment environment = environment_of(host, [](const Event&) {});
  const auto trials = options.dry_run ? std::vector<InitTrial>() : try_out(init, environment);
  terminal.print(options.json      ? init_json(init, trials)
                 : options.dry_run ? init.toml
                                   : init_output(init, trials));
  return exit_code::ok;
}

}  // namespace gate::cli
