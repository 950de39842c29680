// gate in this process: words in, and what is printed, said and returned.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../temporary.h"
#include "cli/options/commands.h"
#include "cli/options/options.h"
#include "cli/screen/terminal.h"
#include "gate/base/log.h"

namespace gate::cli {

struct Said {
  int code = 0;
  std::string out, err;
};

// Steps of Megatron, the losses in thousandths.
inline std::string training(const std::vector<int>& losses) {
  std::string log;
  for (std::size_t i = 0; i < losses.size(); ++i)
    log += " iteration " + std::to_string(i + 1) + "/ " + std::to_string(losses.size()) +
           " | elapsed time per iteration (ms): 100.0 | lm loss: " + std::to_string(losses[i] / 1000) + "." +
           std::to_string(1000 + losses[i] % 1000).substr(1) + "E+00 |\n";
  return log;
}

// A suite of one case, `a`, with two logs of it.
class Commands : public Temporary {
 protected:
  Commands() {
    put("gate.toml", "");
    put("scripts/a.sh", "exit 1\n");
    put("good.log", training({2500, 2400, 2300}));
    put("bad.log", training({2500, 2400, 2350}));
  }

  Said gate(std::vector<std::string> words) {
    words.insert(words.begin(), {"gate", "-C", root.string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    const auto options = parse_options(static_cast<int>(argv.size()), argv.data());
    if (!options) return {options.error().exit_code, "", options.error().text};
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Terminal terminal(*options);
    const int code = do_command(*options, terminal);
    log::settle();
    std::string out = testing::internal::GetCapturedStdout();
    return {code, std::move(out), testing::internal::GetCapturedStderr()};
  }

  std::string at(const std::string& name) const { return (root / name).string(); }

  // Make the good log the baseline of case a.
  void accept_good() {
    const Said said =
        gate({"baseline", "import", at("good.log"), "--case", "a", "--accept", "--reason", "it is good"});
    ASSERT_EQ(said.code, 0) << said.out << said.err;
  }
};

}  // namespace gate::cli
