#include "gate/judging/pytest_launch.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "gate/base/text.h"
#include "gate/schema/pytest_file.h"

namespace gate::app {

namespace {

constexpr const char* options_variable = "PYTEST_ADDOPTS";
constexpr std::string_view own_options = "-o junit_family=xunit1";

// With these pytest ends well and runs no test.
constexpr std::array<std::string_view, 16> idle_options{
    "--setup-only",  "--setuponly",         "--setup-plan", "--setupplan", "--collect-only", "--co",
    "--fixtures",    "--fixtures-per-test", "--funcargs",   "--markers",   "--help",         "-h",
    "--collectonly", "--version",           "-V",           "--cache-show"};

Sentence why_no_file(const config::Settings& settings) {
  const Sentence why =
      say({"pytest wrote no JUnit file, which gate asks for through {}: the launch must run pytest to "
           "its end, keep that variable, and neither name a file of its own with --junitxml nor leave "
           "the plugin out",
           "pytest 没有写出 gate 通过 {} 要求的 JUnit 文件：启动必须把 pytest "
           "运行到底，保留该变量，既不要用 --junitxml 另指定文件，也不要去掉该插件"},
          options_variable);
  if (!settings.container.is_used()) return why;
  return why + say({", and the container must see the run's folder under its path",
                    "，而且容器必须能以同样的路径看到运行目录"});
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

// `6 passed`: what the piece of the last line says, and how many; nothing where it is none.
std::optional<std::pair<std::int64_t, std::string_view>> counted(std::string_view piece) {
  const std::size_t blank = piece.find(' ');
  const auto count = parse_integer(piece.substr(0, blank));
  if (blank == std::string_view::npos || !count) return std::nullopt;
  return std::pair(*count, piece.substr(blank + 1));
}

// The line without colours, and without the rule that it is written into.
std::string plain_line(std::string_view line) {
  std::string plain;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b')
      at = std::min(line.find('m', at), line.size());
    else if (line[at] != '=')
      plain += line[at];
  }
  return std::string(trim(plain));
}

// `1 passed, 3 deselected in 0.01s`, also with `(0:01:02)` behind it; nothing where the line is no such one.
std::optional<PytestEnd> end_in(std::string_view line) {
  const std::string plain = plain_line(line);
  const std::string_view text(plain);
  const std::size_t in = text.rfind(" in ");
  if (in == std::string_view::npos || in + 4 == text.size() || !is_digit(text[in + 4])) return std::nullopt;
  PytestEnd end;
  for (const std::string_view piece : split(text.substr(0, in), ',')) {
    const auto said = counted(trim(piece));
    if (!said) return std::nullopt;
    if (said->second == "deselected") end.deselected = said->first;
    if (said->second == "subtests passed") end.passed_subtests = said->first;
  }
  return end;
}

// Older versions of pytest name what a link leads to.
bool is_launched_alone(const config::Case& spec) {
  std::error_code error;
  if (std::filesystem::is_symlink(fs::Path(spec.cwd) / spec.script, error)) return false;
  const std::string name = fs::Path(spec.script).filename().string();
  bool is_collected = name.starts_with("test_") || name.ends_with("_test.py"), has_script = false;
  for (const std::string_view word : split_words(spec.launch)) {
    const std::string program = fs::Path(word).filename().string();
    is_collected |= program == "pytest" || program == "py.test";
    has_script |= word == "{script}";
    if (word == "{folder}" || word.find(".py::") != std::string_view::npos || word.ends_with(".py") ||
        fs::is_folder(fs::Path(spec.cwd) / word))
      return false;
  }
  return is_collected && has_script;
}

// Only what pytest collects can be told from what belongs to other files.
std::string collected_script(const config::Case& spec) {
  return spec.kind == config::CaseKind::script && spec.script.ends_with(".py") ? spec.script : "";
}

std::string_view idle_option(std::string_view options) {
  for (const std::string_view word : split_words(options))
    if (std::ranges::find(idle_options, word) != idle_options.end()) return word;
  return "";
}

// `3` of `pytest-1f2e-3.xml`.
std::string rank_of(std::string_view name) {
  name.remove_suffix(std::string_view(".xml").size());
  return std::string(name.substr(name.rfind('-') + 1));
}

void merge(TestRun& all, const std::string& rank, TestRun more) {
  if (all.fault.empty() && !more.fault.empty()) all.fault = as_is("rank " + rank) + colon + more.fault;
  for (EndedTest& test : more.tests) {
    const auto known = std::ranges::find(all.tests, test.name, &EndedTest::name);
    if (known != all.tests.end() && known->end >= test.end) continue;
    if (!test.message.empty()) test.message = "rank " + rank + ": " + test.message;
    known == all.tests.end() ? void(all.tests.push_back(std::move(test))) : void(*known = std::move(test));
  }
}

Sentence not_as_written(const std::string& why) {
  return say({"pytest's file is not as pytest writes it: {}", "pytest 的文件不是 pytest 写出的样子：{}"},
             why);
}

TestRun read_tests(const PytestTraces& traces, const config::Case& spec, std::vector<Sentence>& notes) {
  if (const std::string_view idle = idle_option(traces.shell_options); !idle.empty())
    return {.tests = {},
            .fault = "",
            .left_out = say({"no test was run: {} of the shell has {}", "没有运行测试：外壳的 {} 含有 {}"},
                            options_variable, idle)};
  if (!traces.file) return {{}, say({"pytest's file: {}", "pytest 的文件：{}"}, traces.file.error().message)};
  if (!*traces.file) return {{}, why_no_file(spec.settings)};
  const PytestEnd end = last_line_of_pytest(end_of_log(traces.log));
  Result<TestRun> run = tests_of_file(**traces.file, "pytest.xml", spec, end.passed_subtests, notes);
  if (!run) run = TestRun{{}, not_as_written(run.error().message)};
  for (const auto& [name, text] : traces.further) {
    Result<TestRun> more = tests_of_file(text, "pytest.xml", spec, end.passed_subtests, notes);
    if (!more) more = TestRun{{}, not_as_written(more.error().message)};
    merge(*run, rank_of(name), std::move(*more));
  }
  if (!run->fault.empty())
    run->fault += say({"; artifacts = [\"{{scratch}}/pytest-*.xml\"] keeps it",
                       "；artifacts = [\"{{scratch}}/pytest-*.xml\"] 可保留它"});
  if (end.deselected > 0) {
    const Sentence deselected =
        say({"pytest deselected {}", "pytest 未选 {}"}, count_of(end.deselected, "test", "个测试"));
    if (run->tests.empty() && run->fault.empty())
      run->left_out = say({"no test was run: {}", "没有运行测试：{}"}, deselected);
    notes.push_back(deselected);
  }
  return std::move(*run);
}

}  // namespace

std::string pytest_files(const std::string& cookie) { return "pytest-" + fs::sha256(cookie).substr(0, 12); }

void ask_for_tests(std::map<std::string, std::string>& env, const config::Settings& settings,
                   const std::string& inherited, const std::string& cookie) {
  if (settings.judge != config::JudgeMode::pytest) return;
  std::string& options = env.try_emplace(options_variable, inherited).first->second;
  options += std::string(options.empty() ? "" : " ") + std::string(own_options) +
             " -o junit_logging=no -o verbosity_subtests=1 --junitxml='$GATE_SCRATCH/" +
             pytest_files(cookie) + "-$RANK.xml'";
}

std::string options_of_shell(const std::map<std::string, std::string>& env,
                             const std::map<std::string, std::string>& own) {
  const auto all = env.find(options_variable);
  if (all == env.end() || own.contains(options_variable)) return "";
  return std::string(trim(all->second.substr(0, all->second.rfind(own_options))));
}

PytestEnd last_line_of_pytest(std::string_view log) {
  const std::vector<std::string_view> lines = split(log, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (const auto end = end_in(*line)) return *end;
  return {};
}

Result<TestRun> tests_of_file(std::string_view text, const std::string& file, const config::Case& spec,
                              std::int64_t passed_subtests, std::vector<Sentence>& notes) {
  const std::string script = collected_script(spec);
  GATE_TRY(schema::PytestFile read, schema::read_pytest_file(text, file, {passed_subtests, script}));
  TestRun run{std::move(read.tests), ""};
  if (!read.fault.empty()) run.fault = not_as_written(read.fault);
  if (read.foreign == 0) return run;
  if (read.own == 0 && is_launched_alone(spec))
    run.fault = say({"pytest's file holds no test of {}; the first of other files is at {}",
                     "pytest 的文件里没有 {} 的测试；其他文件的第一个测试在 {}"},
                    script, read.first_foreign);
  else
    notes.push_back(say({"{} of other files than {}, the first at {}", "{}属于 {} 之外的文件，第一个在 {}"},
                        count_of(read.foreign, "test", "个测试"), script, read.first_foreign));
  return run;
}

TestRun tests_of_launch(const PytestTraces& traces, const config::Case& spec, const Masker& masker,
                        std::vector<Sentence>& notes) {
  TestRun run = read_tests(traces, spec, notes);
  if (!traces.shell_options.empty())
    notes.push_back(say({"{} of the shell: {}", "外壳的 {}：{}"}, options_variable, traces.shell_options));
  for (Sentence& note : notes) note = masker.mask(note);
  run.fault = masker.mask(run.fault);
  mask_tests(run.tests, masker);
  const std::int64_t times = std::max<std::int64_t>(times_written(traces.log, traces.name),
                                                    traces.twice && !run.tests.empty() ? 2 : 1);
  if (times > 1 && run.fault.empty())
    run.fault = say({"pytest wrote its file {} times, and the last one replaced the others: a launch is to "
                     "run pytest once on "
                     "each rank",
                     "pytest 写了 {} 次文件，最后一次覆盖了其余：一次启动在每个 rank 上应只运行一次 pytest"},
                    times);
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
