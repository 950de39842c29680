// What gate says of its own work, to standard error. Reports go to standard output and not through here.
#pragma once

#include <string_view>

namespace gate::log {

enum class Level { quiet, normal, verbose };

void set_level(Level level);
void error(std::string_view message);   // shown always
void warn(std::string_view message);    // shown always
void info(std::string_view message);    // hidden by -q
void detail(std::string_view message);  // shown by -v

}  // namespace gate::log
