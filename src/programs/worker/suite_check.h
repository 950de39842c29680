// What a worker knows of its suite before it takes a test.
#pragma once

#include <map>
#include <string>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/config/worker.h"

namespace gate::worker {

// Return the nearest folder with a gate.toml from that one upwards, up to the top of a git tree; "" where
// there is none.
fs::Path find_suite(const fs::Path& folder);

// Return the file of the suite: `config`, else its gate.toml.
fs::Path suite_file(const fs::Path& suite, const std::string& config);

// Return [worker] of that file, with what variables say where it does not. Fails with all of its mistakes.
Result<config::WorkerSettings> read_settings(const fs::Path& file);

// Return the program gate: beside this one, else on PATH; "" where there is none.
fs::Path find_gate();

// Ask gate for the cases of the suite, and whether each says accuracy_test = true; `config` is what it reads
// instead of gate.toml, "" is nothing. Fails with gate's exit code, when gate has said why.
tl::expected<std::map<std::string, bool>, int> ask_cases(const fs::Path& gate, const fs::Path& suite,
                                                         const std::string& config);

// Fail unless tests are named, each with such a case: what would fail each test later.
Status check_tests(const std::map<std::string, std::string>& tests, const std::map<std::string, bool>& cases);

}  // namespace gate::worker
