#include "app/tests/pytest_launch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "gate/base/text.h"
#include "gate/schema/pytest_file.h"

namespace gate::app {

namespace {

constexpr const char* options_variable = "PYTEST_ADDOPTS";

std::string why_no_file(const config::Settings& settings) {
  const bool is_inside = settings.container.is_used() || settings.backend == Backend::kubernetes;
  return std::string("pytest wrote no JUnit file, which gate asks for through ") + options_variable +
         ": the launch must run pytest to its end, keep that variable, and neither name a file of its own "
         "with "
         "--junitxml nor leave the plugin out" +
         (is_inside ? ", and the container must see the run's folder under its path" : "");
}

// The name of a test goes up to the blank behind it, or to its last bracket.
std::string_view test_at_start(std::string_view line) {
  constexpr std::array ends{" PASSED", " FAILED", " ERROR", " SKIPPED", " XFAIL", " XPASS"};
  for (const std::string_view end : ends) line = line.substr(0, line.find(end));
  const std::size_t blank = std::min(line.find(' '), line.size()), bracket = line.find('[');
  if (bracket > blank) return line.substr(0, blank);
  const std::size_t close = line.rfind(']');
  return close == std::string_view::npos ? line : line.substr(0, close + 1);
}

std::string end_of_log(const fs::Path& log) {
  constexpr std::uintmax_t most = 256 << 10;
  const std::uintmax_t size = fs::size_of(log);
  return fs::read_from(log, size < most ? 0 : size - most).value_or("");
}

void mask_tests(std::vector<EndedTest>& tests, const Masker& masker) {
  if (!masker.has_secrets()) return;
  for (EndedTest& test : tests)
    for (std::string* text : {&test.name, &test.message, &test.result.class_name, &test.result.file})
      *text = masker.mask(*text);
}

TestRun read_tests(const Result<std::optional<std::string>>& text, const config::Settings& settings) {
  if (!text) return {{}, "pytest's file: " + text.error().message};
  if (!*text) return {{}, why_no_file(settings)};
  Result<std::vector<EndedTest>> tests = schema::read_pytest_file(**text, "pytest.xml");
  if (!tests)
    return {{},
            "pytest's file is not as pytest writes it: " + tests.error().message +
                "; artifacts = [\"{scratch}/pytest-*.xml\"] keeps it"};
  return {std::move(*tests), ""};
}

}  // namespace

std::string pytest_file_name(const std::string& cookie) {
  return "pytest-" + fs::sha256(cookie).substr(0, 12) + ".xml";
}

void ask_for_tests(std::map<std::string, std::string>& env, const config::Settings& settings,
                   const std::string& inherited, const std::string& cookie) {
  if (settings.judge != config::JudgeMode::pytest) return;
  std::string& options = env.try_emplace(options_variable, inherited).first->second;
  options += std::string(options.empty() ? "" : " ") +
             "-o junit_family=xunit1 -o junit_logging=no --junitxml='$GATE_SCRATCH/" +
             pytest_file_name(cookie) + "'";
}

TestRun tests_of_launch(const PytestTraces& traces, const config::Settings& settings, const Masker& masker) {
  TestRun run = read_tests(traces.file, settings);
  mask_tests(run.tests, masker);
  if (const std::int64_t times = times_written(traces.log, traces.name); times > 1 && run.fault.empty())
    run.fault =
        "pytest wrote its file " + std::to_string(times) +
        " times, and the last one replaced the others: a launch is to run pytest once, in one process";
  if (traces.file && !*traces.file) run.last = last_test_begun(end_of_log(traces.log));
  return run;
}

std::string last_test_begun(std::string_view log) {
  const std::vector<std::string_view> lines = split(log, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::size_t at = line->find(".py::");
    if (at == std::string_view::npos || at == 0 || line->find(' ') < at) continue;
    return printable(test_at_start(trim(*line)));
  }
  return "";
}

std::int64_t times_written(const fs::Path& log, std::string_view file) {
  constexpr std::string_view words = "generated xml file: ";
  constexpr std::size_t longest = 64 << 10;  // of a line
  std::int64_t times = 0;
  std::string rest;
  const auto take_line = [&](std::string_view line) {
    const std::size_t at = line.find(words);
    if (at != std::string_view::npos && line.find(file, at) != std::string_view::npos) ++times;
  };
  const Status read = fs::read_blocks(log, [&](std::string_view block) {
    for (std::size_t end; (end = block.find('\n')) != std::string_view::npos; block.remove_prefix(end + 1)) {
      rest += block.substr(0, end);
      take_line(rest);
      rest.clear();
    }
    if (rest.size() < longest) rest += block;
  });
  take_line(rest);
  return read ? times : 0;
}

}  // namespace gate::app
