// Texts as lines, scored.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "gate/score/text_score.h"

namespace gate::score {

using Lines = std::vector<std::string_view>;

// Return the score of the lines; `golden` is a list of files.
inline Score score_of(const TextOptions& options, const Lines& lines, const std::vector<Lines>& golden) {
  auto scorer = make_text_scorer(options, golden.size());
  EXPECT_TRUE(scorer) << scorer.error().message;
  if (!scorer) return {};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Lines of_line;
    for (const Lines& file : golden) of_line.push_back(file[i]);
    (*scorer)->add(lines[i], of_line);
  }
  return (*scorer)->score();
}

inline double value_of(const TextOptions& options, const Lines& lines, const std::vector<Lines>& golden) {
  return score_of(options, lines, golden).value;
}

inline const Lines said{"The model answers 1,024 questions.", "It is 3.5 times faster - or so.",
                        "Nothing matches here"};
inline const Lines wanted{"The model answered 1,024 questions.", "It was 3.5 times faster - or so!",
                          "Quite another line"};
inline const Lines also_wanted{"A model answers 1,024 of the questions.", "It is 3.5 times as fast.",
                               "One more"};
inline const Lines said_zh{"模型在910B上训练了3.5天，损失降到1.25。"};
inline const Lines wanted_zh{"模型在910B上训练了3.5天，损失降到了1.26。"};

}  // namespace gate::score
