#include "cli/command_functions.h"
#include "gate/app/list.h"
#include "gate/app/secrets.h"
#include "gate/base/text.h"
#include "gate/render/table_json.h"

namespace gate::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string rows_shown(const Rows& rows, const Options& options, const render::Style& style) {
  if (options.json) return render::table_json(rows);
  return options.format == "markdown" ? render::markdown_table(rows) : render::table(rows, style);
}

Rows list_table(const std::vector<app::ListRow>& cases) {
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

// With the name of the case in front where the table may hold several.
void add_origins(Rows& rows, const std::string& case_name, const std::vector<config::Origin>& origins) {
  for (const config::Origin& origin : origins)
    case_name.empty() ? rows.push_back({origin.key, origin.value, origin.origin})
                      : rows.push_back({case_name, origin.key, origin.value, origin.origin});
}

std::string origins_shown(const std::string& case_name, const std::vector<config::Origin>& origins,
                          const Options& options, const render::Style& style) {
  Rows rows{{"setting", "value", "origin"}};
  add_origins(rows, "", origins);
  return (case_name.empty() ? "" : case_name + "\n") + rows_shown(rows, options, style);
}

int explain_settings(const app::Suite& suite, const Options& options, Terminal& terminal) {
  const auto chosen = app::choose(suite, {options.explain}, {}, options.folder);
  if (!chosen) return terminal.fail(chosen.error());
  const Masker masker = app::masker_for(suite);
  Rows all{{"case", "setting", "value", "origin"}};
  for (const config::Case* spec : *chosen) {
    auto origins = app::origins(suite, *spec);
    if (!origins) return terminal.fail(origins.error());
    for (config::Origin& origin : *origins) origin.value = masker.mask(origin.value);
    add_origins(all, spec->name, *origins);
    const std::string title = chosen->size() > 1 ? spec->name : "";
    if (!options.json) terminal.print(origins_shown(title, *origins, options, terminal.style()));
  }
  if (options.json) terminal.print(render::table_json(all));
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
    terminal.print(rows_shown(list_table(app::list(*suite, *chosen)), options, terminal.style()));
    return exit_code::ok;
  }
  const auto rows = app::coverage(*suite, *chosen);
  if (!rows) return terminal.fail(rows.error());
  terminal.print(rows_shown(coverage_table(*rows), options, terminal.style()));
  return exit_code::ok;
}

}  // namespace gate::cli
