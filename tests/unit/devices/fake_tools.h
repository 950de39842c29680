// Tools that answer from literals.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gate/model/runs/tool_answer.h"

namespace gate::devices {

inline ToolAnswer printed(std::string output, int exit_code = 0, std::string errors = "") {
  return {std::move(output), std::move(errors), exit_code, "", false};
}

inline ToolAnswer hung() { return {"", "", std::nullopt, "no answer within 15s", false}; }

// Answers by the first words of what is asked; all other programs are not there.
class FakeTools {
 public:
  FakeTools& says(std::string words, ToolAnswer answer) {
    answers_[std::move(words)] = std::move(answer);
    return *this;
  }

  ToolAnswer operator()(const std::vector<std::string>& words) const {
    std::string asked;
    for (const std::string& word : words) asked += (asked.empty() ? "" : " ") + word;
    for (const auto& [beginning, answer] : answers_)
      if (asked.starts_with(beginning)) return answer;
    return {"", "", std::nullopt, "cannot start " + words.front(), true};
  }

 private:
  std::map<std::string, ToolAnswer> answers_;
};

}  // namespace gate::devices
