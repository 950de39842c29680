#include "cli/command_functions.h"
#include "gate/app/lint.h"
#include "gate/render/lint.h"

namespace gate::cli {

int lint_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  const auto lint =
      app::lint(*suite, {options.words, options.tags, options.platform, options.days, options.folder}, now());
  if (!lint) return terminal.fail(lint.error());
  terminal.print(options.json ? render::lint_json(*lint) : render::lint_text(*lint, terminal.style()));
  return lint->exit_code();
}

}  // namespace gate::cli
