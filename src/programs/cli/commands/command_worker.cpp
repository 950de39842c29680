#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/text.h"

namespace gate::cli {

namespace {

fs::Path own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

// The cases that tests name, as far as gate can tell now what would fail each test later.
app::Answer<void> check_tests(const app::Suite& suite) {
  const auto& tests = suite.policy.worker().tests;
  if (tests.empty())
    return app::usage(
        "[worker] tests of gate.toml names no case; write e.g. tests = { \"accuracy_test/inference\" = "
        "\"CASE\" }");
  for (const auto& [test, name] : tests) {
    const config::Case* one = suite.find(name);
    if (one == nullptr)
      return app::usage("[worker] tests: there is no case \"" + printable(name, 80) + "\" for " + test);
    if (!one->settings.accuracy_test)
      return app::usage("[worker] tests: case " + name + " of " + test +
                        " does not say accuracy_test = true, and would not see what the hub asks for");
  }
  return {};
}

}  // namespace

// gate becomes gate-worker: what signals say to the one they say to the other.
app::Answer<int> worker_command(const CommandOptions& options, Terminal&) {
  GATE_TRY(const app::Suite suite, suite_of(options));
  GATE_TRY_STATUS(check_tests(suite));
  const fs::Path own = own_program(), program = own.parent_path() / "gate-worker";
  if (!fs::exists(program))
    return app::refused("there is no gate-worker beside gate in " + own.parent_path().string() +
                        "; it is built with gate where librdkafka is there, and is in no static archive");
  const fs::Path journal =
      options.worker.journal.empty() ? suite.root / ".gate" / "worker" : fs::Path(options.worker.journal);
  const std::string source = options.worker.source.empty() || options.worker.source == "-"
                                 ? options.worker.source
                                 : fs::whole_path(options.worker.source).string();
  std::vector<std::string> words{program.string(),
                                 own.string(),
                                 suite.root.string(),
                                 suite.config.string(),
                                 fs::whole_path(journal).string(),
                                 source,
                                 std::to_string(options.verbosity)};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv.front(), argv.data());
  return app::refused(program.string() + ": cannot be started: " + std::generic_category().message(errno));
}

}  // namespace gate::cli
