// How a program ends that the system gives no memory, or no thread, where no thread catches that: with one
// line on standard error, and without an abort.
#pragma once

#include <exception>

namespace gate {

// From now on `program`, a literal, begins that line; "gate" did.
void name_lacking(const char* program);

// The exit code of that end; 125 until then.
void set_lack_code(int code);

// Say what is lacking, and what to do. Nothing is allocated.
void tell_lack(const std::exception& error);

}  // namespace gate
