#include "cli/command_functions.h"
#include "gate/app/list.h"
#include "gate/base/text.h"

namespace gate::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string shown(const Rows& rows, const Options& options, const render::Style& style) {
  return options.format == "markdown" ? render::markdown_table(rows) : render::table(rows, style);
}

Rows cases_table(const std::vector<app::ListRow>& cases) {
  Rows rows{{"case", "needs", "timeout", "tags", "baseline"}};
  for (const app::ListRow& row : cases)
    rows.push_back({row.name, row.needs, row.timeout, row.tags, row.baselines});
  return rows;
}

Rows coverage_table(const std::vector<app::CoverageRow>& cases) {
  const auto mark = [](bool gated) { return std::string(gated ? "Y" : "-"); };
  Rows rows{{"case", "script", "accuracy", "speed", "memory"}};
  for (const app::CoverageRow& row : cases)
    rows.push_back({row.name, row.script, mark(row.accuracy), mark(row.speed), mark(row.memory)});
  return rows;
}

Rows origins_table(const std::vector<config::Origin>& origins) {
  Rows rows{{"setting", "value", "origin"}};
  for (const config::Origin& origin : origins) rows.push_back({origin.key, origin.value, origin.origin});
  return rows;
}

int explain_settings(const app::Suite& suite, const Options& options, Terminal& terminal) {
  const auto chosen = app::choose(suite, {options.explain}, {}, options.folder);
  if (!chosen) return terminal.fail(chosen.error());
  for (const config::Case* the_case : *chosen) {
    const auto origins = app::origins(suite, *the_case);
    if (!origins) return terminal.fail(origins.error());
    if (chosen->size() > 1) terminal.print(the_case->name + "\n");
    terminal.print(shown(origins_table(*origins), options, terminal.style()));
  }
  return exit_code::ok;
}

}  // namespace

int list_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  if (!options.explain.empty()) return explain_settings(*suite, options, terminal);
  const auto chosen = app::choose(*suite, options.words, options.tags, options.folder);
  if (!chosen) return terminal.fail(chosen.error());
  if (chosen->empty())
    return terminal.fail({exit_code::refused, "no case: nothing matches " + suite->policy.cases()});
  if (!options.coverage) {
    terminal.print(shown(cases_table(app::list(*suite, *chosen)), options, terminal.style()));
    return exit_code::ok;
  }
  const auto rows = app::coverage(*suite, *chosen);
  if (!rows) return terminal.fail(rows.error());
  terminal.print(shown(coverage_table(*rows), options, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
