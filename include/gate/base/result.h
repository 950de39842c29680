// Errors as values. An error is when gate itself could not do its work; how a script ended and what its log
// holds are data (see model/outcome.h), never errors.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gate {

// What went wrong, where, why and what to do: ready to print, without a final newline.
struct Error {
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// Return an error to be returned from a function that gives a Result or a Status.
inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

}  // namespace gate

#define GATE_JOINED_(a, b) a##b
#define GATE_JOINED(a, b) GATE_JOINED_(a, b)

// Declare the variable with the value of the expression, a Result or the like; return its error where it has
// none: `GATE_TRY(const std::string text, fs::read_file(path));`. Neither this nor GATE_TRY_STATUS may be the
// body of an `if` without braces.
#define GATE_TRY(variable, ...)                                                                     \
  auto GATE_JOINED(tried_, __LINE__) = __VA_ARGS__;                                                 \
  if (!GATE_JOINED(tried_, __LINE__)) return tl::unexpected(GATE_JOINED(tried_, __LINE__).error()); \
  variable = *std::move(GATE_JOINED(tried_, __LINE__))

// Return the error of the expression, a Status or the like, where it has one.
#define GATE_TRY_STATUS(...) \
  if (auto tried = __VA_ARGS__; !tried) return tl::unexpected(tried.error())
