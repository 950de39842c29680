#include "worker/suite_check.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/policy.h"
#include "gate/model/rules/verdict.h"

namespace gate::worker {

namespace {

// What a command prints, and how it ended; what it says of errors stands beside what this program says.
struct CommandOutput {
  std::string text;
  int exit_code = exit_code::infra;
};

CommandOutput printed_by(const std::string& command) {
  CommandOutput printed;
  std::FILE* pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) return printed;
  std::array<char, 65536> block;
  for (std::size_t count = 0; (count = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    printed.text.append(block.data(), count);
  const int status = ::pclose(pipe);
  if (status != -1 && WIFEXITED(status)) printed.exit_code = WEXITSTATUS(status);
  return printed;
}

// Throws where the text is no such list.
std::map<std::string, bool> cases_in(const std::string& text) {
  std::map<std::string, bool> cases;
  for (const auto& row : nlohmann::json::parse(text))
    if (row.at("setting") == "accuracy_test") cases[row.at("case")] = row.at("value") == "true";
  return cases;
}

}  // namespace

fs::Path find_suite(const fs::Path& folder) {
  for (fs::Path at = fs::whole_path(folder);; at = at.parent_path()) {
    if (fs::exists(at / "gate.toml")) return at;
    if (at == at.parent_path() || fs::exists(at / ".git")) return {};
  }
}

fs::Path suite_file(const fs::Path& suite, const std::string& config) {
  return config.empty() ? suite / "gate.toml" : fs::Path(config);
}

Result<config::WorkerSettings> read_settings(const fs::Path& file) {
  GATE_TRY(const std::string text, fs::read_file(file));
  const auto policy = config::Policy::parse(text, file.string());
  if (!policy) return fail(to_string(policy.error()));
  config::WorkerSettings settings = policy->worker();
  if (settings.callback.empty()) settings.callback = own_variable("BACKEND_BASE_URL");
  return settings;
}

fs::Path find_gate() {
  std::error_code error;
  const fs::Path beside = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "gate";
  return fs::exists(beside) ? beside : fs::find_program("gate");
}

tl::expected<std::map<std::string, bool>, int> ask_cases(const fs::Path& gate, const fs::Path& suite,
                                                         const std::string& config) {
  const std::string where =
      config.empty() ? "-C " + shell_quote(suite.string()) : "--config " + shell_quote(config);
  const CommandOutput printed =
      printed_by(shell_quote(gate.string()) + " " + where + " list --explain '**' --json");
  if (printed.exit_code != exit_code::ok) return tl::unexpected(printed.exit_code);
  try {
    return cases_in(printed.text);
  } catch (const nlohmann::json::exception&) {
    log::error(gate.string() + ": tells nothing of cases, as gate does; put this worker's gate beside it");
    return tl::unexpected(exit_code::infra);
  }
}

Status check_tests(const std::map<std::string, std::string>& tests,
                   const std::map<std::string, bool>& cases) {
  if (tests.empty())
    return fail(
        "[worker] tests of gate.toml names no case; write e.g. tests = { \"accuracy_test/inference\" = "
        "\"CASE\" }");
  for (const auto& [test, name] : tests) {
    const auto one = cases.find(name);
    if (one == cases.end())
      return fail("[worker] tests: there is no case \"" + printable(name, 80) + "\" for " + test);
    if (!one->second)
      return fail("[worker] tests: case " + name + " of " + test +
                  " does not say accuracy_test = true, and would not see what the hub asks for");
  }
  return {};
}

}  // namespace gate::worker
