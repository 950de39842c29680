// Blocks of Slack. Log words stand in code blocks, in which nothing but <...> and & is obeyed, and these are
// escaped. A text of a block has 3,000 characters, a header 150, a message 50 blocks.
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "render/notice/bodies.h"
#include "render/notice/notice_text.h"

namespace gate::render {

namespace {

constexpr std::size_t longest_header = 140, longest_escaped = 900;

std::string escaped_slack(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&')
      out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
    else
      out += c == '`' ? "ˋ" : std::string(1, c);
  }
  return out;
}

Json section(const std::string& text) {
  return {{"type", "section"}, {"text", {{"type", "mrkdwn"}, {"verbatim", true}, {"text", text}}}};
}

Json code(const std::vector<std::string>& lines) {
  std::vector<std::string> shown;
  for (const std::string& line : lines)
    shown.push_back(printable(escaped_slack(shown_text(line, longest_text)), longest_escaped));
  return section("```" + join(shown, "\n") + "```");
}

}  // namespace

std::string slack_notice(const Notice& notice, const Proof&) {
  const std::string title = shown_text(notice.title, longest_header);
  Json blocks = Json::array();
  blocks.push_back(
      {{"type", "header"}, {"text", {{"type", "plain_text"}, {"text", title}, {"emoji", false}}}});
  blocks.push_back(code({notice.about}));
  for (const NoticeCase& of : notice.cases) blocks.push_back(code(case_lines(of)));
  if (const std::string further = further_words(notice, notice.cases.size()); !further.empty())
    blocks.push_back(section(further));
  if (!notice.next.empty()) blocks.push_back(code(notice.next));
  if (!notice.link.empty()) blocks.push_back(section("<" + escaped_slack(notice.link) + "|the job>"));
  return Json{{"text", escaped_slack(title)}, {"blocks", blocks}}.dump();
}

}  // namespace gate::render
