// What a launch asks of pytest, and what is taken of it afterwards: its JUnit file, in the scratch folder of
// the first node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/secrets.h"
#include "gate/base/sentence.h"
#include "gate/config/policy.h"
#include "gate/model/runs/test_result.h"

namespace gate::app {

// Return how the names of pytest's files in the scratch folder begin; no other launch than that of the cookie
// has such. Behind it stands RANK, as a launcher tells it, so that each rank has a file of its own; and
// `.twice` is the file that names one of them which was written a second time (launch::Command::watched).
std::string pytest_files(const std::string& cookie);

// Have pytest write its file into the scratch folder, where pytest judges the case: PYTEST_ADDOPTS is what
// `env` holds of it, else what the script inherits, and the options for that behind it. pytest itself puts in
// the folder, so that no name of it has to be quoted.
void ask_for_tests(std::map<std::string, std::string>& env, const config::Settings& settings,
                   const std::string& inherited, const std::string& cookie);

// Return what of the launch's PYTEST_ADDOPTS is the shell's that gate runs in; "" where `own` sets it.
std::string options_of_shell(const std::map<std::string, std::string>& env,
                             const std::map<std::string, std::string>& own);

// What pytest says in its last line.
struct PytestEnd {
  std::int64_t deselected = 0;
  std::int64_t passed_subtests = 0;
  bool operator==(const PytestEnd&) const = default;
};
PytestEnd last_line_of_pytest(std::string_view log);

// What a launch left: pytest's file as it was read (nothing: there is none), and the log of the first node.
struct PytestTraces {
  Result<std::optional<std::string>> file;
  std::string name;  // of the file
  fs::Path log;
  std::string shell_options = {};
  std::map<std::string, std::string> further = {};  // files of other ranks by their names
  bool twice = false;                               // a file is known to have been written more than once
};

// Return the tests of the launch, and put what a person should know of them into the notes; all masked. Where
// there is no file, or one that is not all of it, the fault says why, and what to do. Of several ranks, each
// test ended as it did on the one where it ended worst.
TestRun tests_of_launch(const PytestTraces& traces, const config::Case& spec, const Masker& masker,
                        std::vector<Sentence>& notes);

// Return the tests of a file that the case's script is to have made; a note says which ones are of other
// files. That none is of the script is a fault where the case launches pytest with the script alone. Fails
// as read_pytest_file() does.
Result<TestRun> tests_of_file(std::string_view text, const std::string& file, const config::Case& spec,
                              std::int64_t passed_subtests, std::vector<Sentence>& notes);

// Return which test began last, as `pytest -v` prints it when it begins; "" where the log does not tell.
std::string last_test_begun(std::string_view log);

// Return how often pytest says in the log that it wrote the file.
std::int64_t times_written(const fs::Path& log, std::string_view file);

}  // namespace gate::app
