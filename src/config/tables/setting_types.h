// The types of settings that are more than those of values.h. Each fails with what was written and what to
// write.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml/raw_value.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// `auto`, or what the type says.
Result<std::optional<int>> read_steps(const RawValue& word);
Result<std::optional<bool>> read_bool_or_auto(const RawValue& word);

// `any`, or globs.
Result<std::vector<std::string>> read_platforms(const RawValue& word);

// `auto`, or names of formats that gate knows.
Result<std::vector<std::string>> read_formats(const RawValue& word);

// Globs, in which {rank} may stand.
Result<std::vector<std::string>> read_logs(const RawValue& word);

Result<JudgeMode> read_judge_mode(const RawValue& word);
Result<Wait> read_wait(const RawValue& word);
Result<EarlyStop> read_early_stop(const RawValue& word);
Result<extract::AttemptChoice> read_attempt(const RawValue& word);
Result<extract::Sources> read_sources(const RawValue& word);

// The name of a profile; a shadow may be `none`, which is "".
Result<std::string> read_profile(const RawValue& word);
Result<std::string> read_shadow(const RawValue& word);

// A count, `all`, `auto`, or the numbers of devices, each once.
Status set_devices(Settings& settings, const RawValue& word);

// Tell whether the text can name a variable of the environment.
bool is_variable_name(std::string_view name);

// One variable of `env`: a text, a whole number or a bool.
Status set_variable(Settings& settings, std::string_view name, const RawValue& word);

}  // namespace gate::config
