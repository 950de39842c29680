// Texts of a notice, cut, and with nothing left in them that a receiver obeys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/render/notice.h"

namespace gate::render {

// Return the text with what a terminal or a viewer obeys shown as `\xNN`, cut to about `limit` bytes.
std::string shown_text(std::string_view text, std::size_t limit);

// As shown_text; what Markdown or a chat obeys (`<@all>`, `[x](y)`, `*`) becomes a letter that looks alike.
std::string inert_text(std::string_view text, std::size_t limit);

// Return what is told of a case: `REGRESSED qwen3_8b  owner zhangwei`, then one line for each thing to say.
std::vector<std::string> case_lines(const NoticeCase& of);

// Return `and 3 red cases more` where `told` of the red cases were, else "".
std::string further_words(const Notice& notice, std::size_t told);

inline constexpr std::size_t longest_text = 300;  // of a line

}  // namespace gate::render
