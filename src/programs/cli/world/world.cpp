#include "cli/world/world.h"

#include <unistd.h>

#include "cli/world/signals.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/stored/lint.h"
#include "gate/suite/chosen_cases.h"

namespace gate::cli {

app::Answer<app::SuiteOptions> suite_options(const CommandOptions& options) {
  auto overrides = options.overrides();
  if (!overrides) return app::usage(overrides.error());
  app::SuiteOptions suite{options.folder,          options.config,      std::move(*overrides),
                          options.policy.patterns, options.environment, options.policy.policy_from};
  if (launches(options.command)) suite.args = options.script_args;
  suite.metrics_from = options.policy.metrics_from;
  if (launches(options.command)) suite.launched_on = options.platform;
  if (options.command == "run" || options.command == "baseline record") suite.words = options.words;
  if (!options.list.explain.empty()) suite.words = {options.list.explain};
  suite.earlier = options.run.again ? options.run.again : options.run.resume;
  return suite;
}

app::Answer<app::Suite> suite_of(const CommandOptions& options) {
  GATE_TRY(const app::SuiteOptions suite, suite_options(options));
  return app::open_suite(suite);
}

app::Answer<app::Suite> suite_if_any(const CommandOptions& options) {
  GATE_TRY(const app::SuiteOptions suite, suite_options(options));
  return app::open_suite_if_any(suite);
}

app::Answer<CommandOptions> with_case_names(CommandOptions options, const app::Suite& suite) {
  GATE_TRY(options.words, app::with_names_of_keys(suite, options.words));
  GATE_TRY(const auto names, app::with_names_of_keys(suite, {options.case_name}));
  if (names.size() == 1) options.case_name = names.front();
  return options;
}

void warn_of_sources(app::Suite& suite, const CommandOptions& options, Language language) {
  const bool is_of_all = options.words.empty() && options.tags.empty();
  if (const Sentence words = app::take_source_changes(suite, is_of_all); !words.empty())
    log::warn(words.in(language));
}

Duration tool_limit() {
  constexpr Duration usual = std::chrono::seconds(15);
  return parse_duration(own_variable("GATE_TOOL_LIMIT")).value_or(usual);
}

app::LocalHost this_host() { return app::LocalHost(tool_limit()); }

// Not from the user database: a static binary cannot read it.
std::string name_of_user() {
  for (const char* variable : {"USER", "LOGNAME"})
    if (std::string name = own_variable(variable); !name.empty()) return name;
  return "uid " + std::to_string(geteuid());
}

app::Environment environment_of(app::Host& host, Sink sink) {
  return {host, name_of_user(), caught_signal, must_hurry, now, std::move(sink)};
}

std::vector<std::string> split_commas(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words)
    for (const std::string_view part : split(word, ','))
      if (!trim(part).empty()) parts.emplace_back(trim(part));
  return parts;
}

}  // namespace gate::cli
