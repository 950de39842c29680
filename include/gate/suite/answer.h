// What a use case answers: a value, or why not, with the exit code that this makes.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "gate/base/result.h"
#include "gate/model/rules/verdict.h"

namespace gate::app {

struct Failure {
  int exit_code = exit_code::usage;
  std::string message;
};

template <typename T>
using Answer = tl::expected<T, Failure>;

// 2: words or input that cannot be used.
inline tl::unexpected<Failure> usage(std::string message) {
  return tl::unexpected<Failure>({exit_code::usage, std::move(message)});
}
inline tl::unexpected<Failure> usage(const Error& error) { return usage(error.message); }

// 3: understood, and not done.
inline tl::unexpected<Failure> refused(std::string message) {
  return tl::unexpected<Failure>({exit_code::refused, std::move(message)});
}

// 125: gate itself could not work.
inline tl::unexpected<Failure> infra(std::string message) {
  return tl::unexpected<Failure>({exit_code::infra, std::move(message)});
}
inline tl::unexpected<Failure> infra(const Error& error) { return infra(error.message); }

// Return what was tried, or its error as usage() has it.
template <typename T>
Answer<T> or_usage(Result<T> tried) {
  return std::move(tried).map_error([](const Error& error) { return usage(error).value(); });
}

// Likewise, as infra() has it.
template <typename T>
Answer<T> or_infra(Result<T> tried) {
  return std::move(tried).map_error([](const Error& error) { return infra(error).value(); });
}

}  // namespace gate::app
