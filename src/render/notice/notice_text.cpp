#include "render/notice/notice_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "render/words/columns.h"

namespace gate::render {

namespace {

constexpr std::array<std::pair<char, std::string_view>, 10> look_alikes{{
    {'&', "＆"},
    {'<', "＜"},
    {'>', "＞"},
    {'[', "［"},
    {']', "］"},
    {'`', "ˋ"},
    {'*', "＊"},
    {'~', "～"},
    {'@', "＠"},
    {'\\', "＼"},
}};

// Between letters an underscore is no markup, and `lm_loss` stays what it is.
bool starts_markup(std::string_view text, std::size_t at) {
  return text[at] == '_' && (at == 0 || at + 1 == text.size() || !is_letter_or_digit(text[at - 1]) ||
                             !is_letter_or_digit(text[at + 1]));
}

}  // namespace

std::string shown_text(std::string_view text, std::size_t limit) { return printable(safe(text), limit); }

std::string inert_text(std::string_view text, std::size_t limit) {
  const std::string line = shown_text(text, limit);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto* found = std::find_if(look_alikes.begin(), look_alikes.end(),
                                     [&](const auto& pair) { return pair.first == line[i]; });
    if (starts_markup(line, i))
      out += "＿";
    else
      found == look_alikes.end() ? void(out += line[i]) : void(out += found->second);
  }
  return printable(out, limit);
}

std::vector<std::string> case_lines(const NoticeCase& of) {
  std::vector<std::string> lines{upper(of.verdict) + " " + of.name};
  if (!of.owner.empty()) lines.back() += "  owner " + of.owner;
  for (const std::string& line : {of.what, of.first})
    if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string further_words(const Notice& notice, std::size_t told) {
  const std::int64_t further = notice.red - static_cast<std::int64_t>(told);
  return further <= 0 ? "" : "and " + count_of(further, "red case") + " more";
}

}  // namespace gate::render
