// The JUnit file that pytest writes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/test_result.h"

namespace gate::schema {

inline constexpr std::size_t most_pytest_bytes = std::size_t{64} << 20;

// Return the tests of the file in its order, each name once: of several results under one name the worst
// counts, and their times are added. Names are pytest's where the file tells the path of each test
// (`junit_family=xunit1`), else `CLASSNAME::NAME`. A file may hold none. Fails, at `FILE:LINE:COLUMN`, for
// what is no such file: no XML, a document type, other elements, a time that is none, more than
// most_pytest_bytes or 100,000 tests, and counts of failures or errors that are not those of its tests.
Result<std::vector<EndedTest>> read_pytest_file(std::string_view text, const std::string& file);

}  // namespace gate::schema
