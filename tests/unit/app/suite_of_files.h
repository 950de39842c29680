// A suite in a folder of the test's: cases, logs and baselines as files; nothing is launched.
#pragma once

#include <string>
#include <vector>

#include "../temporary.h"
#include "gate/base/time.h"
#include "gate/stored/baseline.h"
#include "gate/suite/suite.h"
#include "made_up_host.h"

namespace gate::app {

class SuiteOfFiles : public Temporary {
 protected:
  SuiteOfFiles() { put("gate.toml", ""); }

  void script(const std::string& name, const std::string& settings = "") const {
    put("scripts/" + name + ".sh", (settings.empty() ? "" : "#GATE " + settings + "\n") + "exit 1\n");
  }

  // Three steps with these losses; returns its path.
  std::string log(const std::string& name, std::vector<std::string> losses = {"2.5", "2.4", "2.3"}) const {
    TrainingLog made;
    made.losses = std::move(losses);
    for (std::string& loss : made.losses) loss += "00000E+00";
    put(name, made.text());
    return at(name);
  }

  std::string at(const std::string& name) const { return (root / name).string(); }

  Suite suite(std::vector<config::Override> overrides = {}) const {
    Answer<Suite> opened = open_suite({root, {}, std::move(overrides)});
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return std::move(*opened);
  }

  Moment moment() const { return *parse_iso("2026-03-01T10:00:00Z"); }

  // Make a candidate of the log.
  void candidate(const std::string& case_name, const std::string& log_path) const {
    const auto made = import(suite(), {{log_path}, case_name, "", "", {}, {}}, moment());
    ASSERT_TRUE(made) << made.error().message;
  }

  // Make the log the case's baseline.
  void baseline(const std::string& case_name, const std::string& log_path) const {
    candidate(case_name, log_path);
    AcceptOptions options;
    options.words = {case_name};
    options.reason = "it is good";
    options.who = "somebody";
    const auto accepted = accept(suite(), options, moment());
    ASSERT_TRUE(accepted) << accepted.error().message;
  }
};

}  // namespace gate::app
