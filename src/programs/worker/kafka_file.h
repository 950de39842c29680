// The file that `file` below [worker.kafka] names.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "gate/base/result.h"

namespace gate::worker {

// Return the properties of the text: lines KEY=VALUE, empty ones, and comments behind `#`. Fails with
// `name:line`, and without what the line says, which may be a password.
Result<std::map<std::string, std::string>> read_kafka_file(std::string_view text, const std::string& name);

}  // namespace gate::worker
