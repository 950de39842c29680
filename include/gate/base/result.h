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
