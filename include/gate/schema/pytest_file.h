// The JUnit file that pytest writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/runs/test_result.h"

namespace gate::schema {

inline constexpr std::size_t most_pytest_bytes = std::size_t{64} << 20;

// What is known of the launch beside its file.
struct PytestHints {
  std::int64_t passed_subtests = 0;  // as pytest's last line tells; the file counts them and lists none
  std::string script = {};           // whose tests are to be there, relative to any folder; "": any
};

struct PytestFile {
  std::vector<EndedTest> tests;    // in the order of the file, each name once
  std::string fault;               // why nobody can judge by them, at `FILE:LINE:COLUMN`: there are none then
  std::int64_t own = 0;            // tests of the script
  std::int64_t foreign = 0;        // tests of other files; those that tell no file are neither
  std::string first_foreign = {};  // its name, and `FILE:LINE:COLUMN: ` before it
};

// Return the tests of the file: of several results under one name the worst counts, and their times are
// added. Names are pytest's where the file tells the path of each test (`junit_family=xunit1`), else
// `CLASSNAME::NAME`. A file may hold none. Fails for what is no JUnit file: no XML, another root, more than
// most_pytest_bytes. The fault is the first that pytest would not have written: bytes that are no UTF-8, a
// document type, elements and text where they do not belong, a status that its test does not show, a time
// that is none, more than 100,000 tests, and counts that are not those of its tests.
Result<PytestFile> read_pytest_file(std::string_view text, const std::string& file,
                                    const PytestHints& hints = {});

}  // namespace gate::schema
