#include "cli/command_functions.h"
#include "gate/app/selftest.h"
#include "gate/render/selftest.h"

namespace gate::cli {

int selftest_command(const Options& options, Terminal& terminal) {
  const app::Answer<app::Suite> suite = suite_of(options);
  if (!suite) return terminal.fail(suite.error());
  const auto selftest =
      app::selftest(*suite, {options.words, options.tags, options.platform, options.folder});
  if (!selftest) return terminal.fail(selftest.error());
  terminal.print(options.json ? render::selftest_json(*selftest)
                              : render::selftest_text(*selftest, terminal.style()));
  return selftest->exit_code();
}

}  // namespace gate::cli
