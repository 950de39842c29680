// What commands hand to use cases: the suite that the options mean, this host, and who runs gate on it.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "gate/places/environment.h"
#include "gate/suite/suite.h"

namespace gate::cli {

// Return how the options say that a suite is opened, and the suite that they mean.
app::Answer<app::SuiteOptions> suite_options(const CommandOptions& options);
app::Answer<app::Suite> suite_of(const CommandOptions& options);
app::Answer<app::Suite> suite_if_any(const CommandOptions& options);

// Return the options with the names of cases in the place of FlagPerf's keys, in its words and its --case.
app::Answer<CommandOptions> with_case_names(CommandOptions options, const app::Suite& suite);

// Warn where the files that gate.toml was made of name more cases than it has, or ask more of them, and have
// the cases say so.
void warn_of_sources(app::Suite& suite, const CommandOptions& options, Language language);

// Return who runs gate: who accepts baselines.
std::string name_of_user();

// Return the environment of the host, reporting through the sink.
app::Environment environment_of(app::Host& host, Sink sink);

// How long a vendor's tool is waited for: GATE_TOOL_LIMIT, else 15 seconds.
Duration tool_limit();

// Return this host; its tools are asked no longer than GATE_TOOL_LIMIT says.
app::LocalHost this_host();

// Return the words of list options that also take commas.
std::vector<std::string> split_commas(const std::vector<std::string>& words);

}  // namespace gate::cli
