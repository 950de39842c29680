#include "gate/base/variables.h"

#include <unistd.h>

#include <cstdlib>

#include "gate/base/text.h"

namespace gate {

std::map<std::string, std::string> own_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (const auto variable = key_and_value(*entry)) variables[std::string(variable->key)] = variable->value;
  return variables;
}

std::optional<std::string> variable_if_set(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string own_variable(const char* name) { return variable_if_set(name).value_or(""); }

}  // namespace gate
