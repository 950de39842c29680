// The file that kubernetes.patch names: what people want of the job that gate makes. Text in, values out.
#pragma once

#include <string>
#include <string_view>

#include "gate/config/policy.h"

namespace gate::config {

// Return what the YAML or JSON text wants of the job, as JSON. Fails with all that no patch may want, each at
// its place: another kind or API, a name, labels, counts of pods and commands, which gate relies on; and as
// YAML fails.
Parsed<std::string> read_job_patch(std::string_view text, const std::string& file);

}  // namespace gate::config
