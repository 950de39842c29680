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

// What gate tells of a case.
struct CaseFacts {
  bool is_accuracy_test = false;
  std::string upload_to = "";  // stages.upload.to
  bool operator==(const CaseFacts&) const = default;
};

// Ask gate for the cases of the suite, and what they say; `config` is what it reads
// instead of gate.toml, "" is nothing. Fails with gate's exit code, when gate has said why.
tl::expected<std::map<std::string, CaseFacts>, int> ask_cases(const fs::Path& gate, const fs::Path& suite,
                                                              const std::string& config);

// Fail unless tests are named, each with such a case: what would fail each test later. So would a folder of
// results that all tests have. The hub is told `results` of [worker]: where that is a place as gate writes
// it, and no address of the web, it is where the cases put theirs.
Status check_tests(const config::WorkerSettings& settings, const std::map<std::string, CaseFacts>& cases,
                   const fs::Path& suite);

}  // namespace gate::worker
