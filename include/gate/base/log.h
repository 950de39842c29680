// What gate says of its own work, to standard error. Reports go to standard output and not through here. What
// a CI system would obey is shown to it `inert`.
#pragma once

#include <string_view>

namespace gate::log {

enum class Level { quiet, normal, verbose };

void set_level(Level level);

// From now on messages are written by a thread of their own: a terminal that stands still holds nobody up.
// Where more than 8192 wait for it, the oldest are left out.
void never_wait();

// Write what is left, and write at once again. The block below the messages is gone then.
void settle();

// Keep these lines below all messages, in place of those of the call before; none take the block away. Each
// line fits into the terminal that standard error is.
void block(std::string_view lines);

void error(std::string_view message);   // shown always
void warn(std::string_view message);    // shown always
void info(std::string_view message);    // hidden by -q
void detail(std::string_view message);  // shown by -v

// Show what another program printed, as it came: lines are not ended by gate. Hidden by -q.
void passed_on(std::string_view text);

}  // namespace gate::log
