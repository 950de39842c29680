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
std::map<std::string, CaseFacts> cases_in(const std::string& text) {
  std::map<std::string, CaseFacts> cases;
  for (const auto& row : nlohmann::json::parse(text)) {
    const std::string setting = row.at("setting");
    if (setting == "accuracy_test") cases[row.at("case")].is_accuracy_test = row.at("value") == "true";
    if (setting == "stages.upload.to") cases[row.at("case")].upload_to = row.at("value");
  }
  return cases;
}

// Return the same for two ways to write one place: a path of the suite's, a store by either of its services.
std::string one_place(std::string place, const std::string& case_name, const fs::Path& suite) {
  constexpr std::string_view hole = "{case}";
  if (const std::size_t at = place.find(hole); at != std::string::npos)
    place.replace(at, hole.size(), case_name);
  while (place.ends_with('/')) place.pop_back();
  for (const std::string_view scheme : {"s3://", "obs://"})
    if (place.starts_with(scheme)) return "store " + place.substr(scheme.size());
  if (place.starts_with("file://")) place.erase(0, std::string_view("file://").size());
  return (suite / place).lexically_normal().string();
}

Status check_results(const config::WorkerSettings& settings, const std::string& name, const std::string& to,
                     const fs::Path& suite) {
  if (to.empty()) return {};
  const std::string shown = "stages.upload.to of case " + name + " is " + printable(to, 200);
  if (to.find("{test_id}") == std::string::npos && to.find("{run}") == std::string::npos)
    return fail("[worker] tests: " + shown + ", one folder for all tests, and each would replace the one " +
                "before; write " + printable(to, 200) + (to.ends_with('/') ? "" : "/") + "{test_id}");
  const std::string& results = settings.results;
  const bool is_of_web = results.starts_with("https://") || results.starts_with("http://");
  if (results.empty() || is_of_web || one_place(results, name, suite) == one_place(to, name, suite))
    return {};
  return fail("[worker] results is " + printable(results, 200) + ", and " + shown +
              ": the hub would be told addresses at which nothing lies; write results = \"" +
              printable(to, 200) + "\"");
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

tl::expected<std::map<std::string, CaseFacts>, int> ask_cases(const fs::Path& gate, const fs::Path& suite,
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

Status check_tests(const config::WorkerSettings& settings, const std::map<std::string, CaseFacts>& cases,
                   const fs::Path& suite) {
  const auto& tests = settings.tests;
  if (tests.empty())
    return fail(
        "[worker] tests of gate.toml names no case; write e.g. tests = { \"accuracy_test/inference\" = "
        "\"CASE\" }");
  for (const auto& [test, name] : tests) {
    const auto one = cases.find(name);
    if (one == cases.end())
      return fail("[worker] tests: there is no case \"" + printable(name, 80) + "\" for " + test);
    if (!one->second.is_accuracy_test)
      return fail("[worker] tests: case " + name + " of " + test +
                  " does not say accuracy_test = true, and would not see what the hub asks for");
    GATE_TRY_STATUS(check_results(settings, name, one->second.upload_to, suite));
  }
  return {};
}

}  // namespace gate::worker
