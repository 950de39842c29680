// What a launch asks of pytest, and what is taken of it afterwards: its JUnit file, in the scratch folder of
// the first node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/secrets.h"
#include "gate/config/policy.h"
#include "gate/model/test_result.h"

namespace gate::app {

// Return the name of pytest's file in the scratch folder: no other launch than that of the cookie has one of
// that name.
std::string pytest_file_name(const std::string& cookie);

// Have pytest write its file into the scratch folder, where pytest judges the case: PYTEST_ADDOPTS is what
// `env` holds of it, else what the script inherits, and the options for that behind it. pytest itself puts in
// the folder, so that no name of it has to be quoted.
void ask_for_tests(std::map<std::string, std::string>& env, const config::Settings& settings,
                   const std::string& inherited, const std::string& cookie);

// What a launch left: pytest's file as it was read (nothing: there is none), and the log of the first node.
struct PytestTraces {
  Result<std::optional<std::string>> file;
  std::string name;  // of the file
  fs::Path log;
};

// Return the tests of the launch, masked. Where there is no file, or one that is not all of it, the fault
// says why, and what to do.
TestRun tests_of_launch(const PytestTraces& traces, const config::Settings& settings, const Masker& masker);

// Return which test began last, as `pytest -v` prints it when it begins; "" where the log does not tell.
std::string last_test_begun(std::string_view log);

// Return how often pytest says in the log that it wrote the file.
std::int64_t times_written(const fs::Path& log, std::string_view file);

}  // namespace gate::app
