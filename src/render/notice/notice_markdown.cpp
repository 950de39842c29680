// The Markdown of DingTalk (20 KB) and of WeCom (4,096 bytes): each knows a part of it, and neither says how
// to escape, so what could be obeyed is replaced.
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "render/notice/bodies.h"
#include "render/notice/notice_text.h"

namespace gate::render {

namespace {

// What two lines are parted by, and how many bytes the whole may have.
struct Dialect {
  std::string_view line_end;
  std::size_t most;
};

constexpr Dialect dingtalk{"\n\n", 18'000}, wecom{"\n", 4'000};
constexpr std::size_t longest_line = 200;

std::string marked_line(const Dialect& dialect, std::string_view mark, const std::string& text) {
  return std::string(mark) + inert_text(text, longest_line) + std::string(dialect.line_end);
}

std::string case_text(const Dialect& dialect, const NoticeCase& of) {
  std::string out;
  for (const std::string& words : case_lines(of))
    out += marked_line(dialect, out.empty() ? "**" : "> ", words);
  return out.insert(out.find(dialect.line_end), "**");
}

std::string tail(const Dialect& dialect, const Notice& notice) {
  std::string out;
  for (const std::string& next : notice.next) out += marked_line(dialect, "", next);
  return notice.link.empty() ? out : out + "[the job](" + notice.link + ")" + std::string(dialect.line_end);
}

// Of the cases as many as there is room for.
std::string text_of(const Dialect& dialect, const Notice& notice) {
  std::string out = marked_line(dialect, "#### ", notice.title) + marked_line(dialect, "", notice.about);
  const std::string end = tail(dialect, notice);
  std::size_t told = 0;
  for (const NoticeCase& of : notice.cases) {
    const std::string text = case_text(dialect, of);
    if (out.size() + text.size() + end.size() + longest_line > dialect.most) break;
    out += text;
    ++told;
  }
  const std::string further = further_words(notice, told);
  return out + (further.empty() ? "" : marked_line(dialect, "", further)) + end;
}

}  // namespace

std::string dingtalk_notice(const Notice& notice, const Proof&) {
  return Json{
      {"msgtype", "markdown"},
      {"markdown", {{"title", inert_text(notice.title, longest_line)}, {"text", text_of(dingtalk, notice)}}},
      {"at", {{"isAtAll", false}}}}
      .dump();
}

std::string wecom_notice(const Notice& notice, const Proof&) {
  return Json{{"msgtype", "markdown"}, {"markdown", {{"content", text_of(wecom, notice)}}}}.dump();
}

}  // namespace gate::render
