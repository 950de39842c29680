// Lines of text as tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/score/text_score.h"

namespace gate::score {

using LineTokens = std::vector<std::string_view>;

// Splits one line after the other; keeps its buffers.
class LineTokenizer {
 public:
  LineTokenizer(Tokenizer tokenizer, bool lowercase) : tokenizer_(tokenizer), lowercase_(lowercase) {}

  // Return the tokens of the line without blanks at its end, as sacreBLEU splits what its tokenizer returns.
  // They are good until the next call, and as long as the line is.
  const LineTokens& split(std::string_view line);

  const LineTokens& tokens() const { return tokens_; }  // of the last line

  // Return where the last of these tokens ends.
  const char* end() const { return end_; }

 private:
  Tokenizer tokenizer_;
  bool lowercase_;
  std::string valid_, lower_, unescaped_;
  LineTokens tokens_;
  const char* end_ = nullptr;
};

// Append the words of the text, which is UTF-8, between blanks.
void append_words(LineTokens& tokens, std::string_view text);

}  // namespace gate::score
