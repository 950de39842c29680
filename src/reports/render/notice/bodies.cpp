// The message as each kind of receiver takes it. Texts are cut, and nothing is left in them that a receiver
// obeys.
#include <algorithm>
#include <array>
#include <utility>

#include "gate/base/text.h"
#include "gate/render/notice.h"
#include "gate/render/table_json.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

constexpr std::size_t longest_text = 300;  // of a line

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

// Return the text with what a terminal or a viewer obeys shown as `\xNN`, cut to about `limit` bytes.
std::string shown_text(std::string_view text, std::size_t limit) { return printable(safe(text), limit); }

// As shown_text; what Markdown or a chat obeys (`<@all>`, `[x](y)`, `*`) becomes a letter that looks alike.
std::string inert_text(std::string_view text, std::size_t limit) {
  const std::string line = shown_text(text, limit);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto* found = std::ranges::find(look_alikes, line[i], &std::pair<char, std::string_view>::first);
    if (starts_markup(line, i))
      out += "＿";
    else if (found == look_alikes.end())
      out += line[i];
    else
      out += found->second;
  }
  return printable(out, limit);
}

// Return what is told of a case: `REGRESSED qwen3_8b  owner zhangwei`, then one line for each thing to say.
std::vector<std::string> case_lines(const NoticeCase& one) {
  std::vector<std::string> lines{upper(one.verdict) + " " + one.name};
  if (!one.owner.empty()) lines.back() += "  owner " + one.owner;
  for (const std::string& line : {one.what, one.first})
    if (!line.empty()) lines.push_back(line);
  return lines;
}

// Return `and 3 red cases more` where `told` of the red cases were, else "".
std::string further_words(const Notice& notice, std::size_t told) {
  const std::int64_t further = notice.red - static_cast<std::int64_t>(told);
  return further <= 0 ? "" : "and " + count_of(further, "red case") + " more";
}

// Blocks of Slack. Log words stand in code blocks, in which nothing but <...> and & is obeyed, and these are
// escaped. A text of a block has 3,000 characters, a header 150, a message 50 blocks.
constexpr std::size_t longest_header = 140, longest_escaped = 900;

std::string escaped_slack(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '`' ? "ˋ" : std::string(1, c);
  return out;
}

OutputJson section(const std::string& text) {
  return {{"type", "section"}, {"text", {{"type", "mrkdwn"}, {"verbatim", true}, {"text", text}}}};
}

OutputJson code(const std::vector<std::string>& lines) {
  std::vector<std::string> shown;
  for (const std::string& line : lines)
    shown.push_back(printable(escaped_slack(shown_text(line, longest_text)), longest_escaped));
  return section("```" + join(shown, "\n") + "```");
}

std::string slack_notice(const Notice& notice, const MessageProof&) {
  const std::string title = shown_text(notice.title, longest_header);
  OutputJson blocks = OutputJson::array();
  blocks.push_back(
      {{"type", "header"}, {"text", {{"type", "plain_text"}, {"text", title}, {"emoji", false}}}});
  blocks.push_back(code({notice.about}));
  for (const NoticeCase& one : notice.cases) blocks.push_back(code(case_lines(one)));
  if (const std::string further = further_words(notice, notice.cases.size()); !further.empty())
    blocks.push_back(section(further));
  if (!notice.next.empty()) blocks.push_back(code(notice.next));
  if (!notice.link.empty()) blocks.push_back(section("<" + escaped_slack(notice.link) + "|the job>"));
  return OutputJson{{"text", escaped_slack(title)}, {"blocks", blocks}}.dump();
}

// A card of Feishu, of plain texts alone: they obey nothing. A message has 30 KB.
OutputJson plain_text(const std::string& text) { return {{"tag", "plain_text"}, {"content", text}}; }

OutputJson lines(const std::vector<std::string>& all) {
  std::vector<std::string> shown;
  for (const std::string& line : all) shown.push_back(shown_text(line, longest_text));
  return {{"tag", "div"}, {"text", plain_text(join(shown, "\n"))}};
}

OutputJson elements(const Notice& notice) {
  OutputJson all = OutputJson::array({lines({notice.about})});
  for (const NoticeCase& one : notice.cases) all.push_back(lines(case_lines(one)));
  if (const std::string further = further_words(notice, notice.cases.size()); !further.empty())
    all.push_back(lines({further}));
  if (!notice.next.empty()) all.push_back(lines(notice.next));
  const OutputJson job{
      {"tag", "button"}, {"text", plain_text("the job")}, {"type", "default"}, {"url", notice.link}};
  if (!notice.link.empty()) all.push_back({{"tag", "action"}, {"actions", OutputJson::array({job})}});
  return all;
}

std::string feishu_notice(const Notice& notice, const MessageProof& proof) {
  const OutputJson header{{"title", plain_text(shown_text(notice.title, longest_text))},
                          {"template", notice.exit_code == 0 ? "green" : "red"}};
  OutputJson out = OutputJson::object();
  if (!proof.signature.empty()) out = {{"timestamp", proof.timestamp}, {"sign", proof.signature}};
  out["msg_type"] = "interactive";
  out["card"] = {
      {"config", {{"wide_screen_mode", true}}}, {"header", header}, {"elements", elements(notice)}};
  return out.dump();
}

// gate.notice/1: for programs, and for receivers that need a shape of their own.
constexpr std::size_t longest = 2000;

std::string cut_short(const std::string& text) { return shown_text(text, longest); }

OutputJson case_of(const NoticeCase& one) {
  return {{"case", cut_short(one.name)},
          {"verdict", one.verdict},
          {"owner", cut_short(one.owner)},
          {"what", cut_short(one.what)},
          {"first", cut_short(one.first)}};
}

std::string generic_notice(const Notice& notice, const MessageProof&) {
  OutputJson out{{"schema", "gate.notice/1"},
                 {"text", cut_short(notice.title)},
                 {"about", cut_short(notice.about)},
                 {"suite", cut_short(notice.suite)},
                 {"run", cut_short(notice.run)},
                 {"host", cut_short(notice.host)},
                 {"platform", cut_short(notice.platform)},
                 {"commit", cut_short(notice.commit)},
                 {"started", cut_short(notice.started)},
                 {"finished", cut_short(notice.finished)},
                 {"duration_s", std::chrono::duration<double>(notice.duration).count()},
                 {"exit_code", notice.exit_code},
                 {"totals", {{"passed", notice.passed}, {"skipped", notice.skipped}, {"red", notice.red}}},
                 {"red", OutputJson::array()},
                 {"next", OutputJson::array()},
                 {"link", notice.link}};
  for (const NoticeCase& one : notice.cases) out["red"].push_back(case_of(one));
  for (const std::string& next : notice.next) out["next"].push_back(cut_short(next));
  return out.dump();
}

// The Markdown of DingTalk (20 KB) and of WeCom (4,096 bytes): each knows a part of it, and neither says how
// to escape, so what could be obeyed is replaced. A dialect is what two lines are parted by, and how many
// bytes the whole may have.
struct Dialect {
  std::string_view line_end;
  std::size_t most;
};

constexpr Dialect dingtalk{"\n\n", 18'000}, wecom{"\n", 4'000};
constexpr std::size_t longest_line = 200;

std::string marked_line(const Dialect& dialect, std::string_view mark, const std::string& text) {
  return std::string(mark) + inert_text(text, longest_line) + std::string(dialect.line_end);
}

std::string case_text(const Dialect& dialect, const NoticeCase& one) {
  std::string out;
  for (const std::string& words : case_lines(one))
    out += marked_line(dialect, out.empty() ? "**" : "> ", words);
  return out.insert(out.find(dialect.line_end), "**");
}

// As many of the cases as there is room for.
std::string text_of(const Dialect& dialect, const Notice& notice) {
  std::string out = marked_line(dialect, "#### ", notice.title) + marked_line(dialect, "", notice.about);
  std::string end;
  for (const std::string& next : notice.next) end += marked_line(dialect, "", next);
  if (!notice.link.empty()) end += "[the job](" + notice.link + ")" + std::string(dialect.line_end);
  std::size_t told = 0;
  for (const NoticeCase& one : notice.cases) {
    const std::string text = case_text(dialect, one);
    if (out.size() + text.size() + end.size() + longest_line > dialect.most) break;
    out += text;
    ++told;
  }
  const std::string further = further_words(notice, told);
  return out + (further.empty() ? "" : marked_line(dialect, "", further)) + end;
}

std::string dingtalk_notice(const Notice& notice, const MessageProof&) {
  return OutputJson{
      {"msgtype", "markdown"},
      {"markdown", {{"title", inert_text(notice.title, longest_line)}, {"text", text_of(dingtalk, notice)}}},
      {"at", {{"isAtAll", false}}}}
      .dump();
}

std::string wecom_notice(const Notice& notice, const MessageProof&) {
  return OutputJson{{"msgtype", "markdown"}, {"markdown", {{"content", text_of(wecom, notice)}}}}.dump();
}

struct NoticeBody {
  NoticeKind kind;
  std::string (*render)(const Notice&, const MessageProof&);
};

constexpr std::array<NoticeBody, 5> bodies{{
    {NoticeKind::generic, generic_notice},
    {NoticeKind::slack, slack_notice},
    {NoticeKind::feishu, feishu_notice},
    {NoticeKind::dingtalk, dingtalk_notice},
    {NoticeKind::wecom, wecom_notice},
}};

}  // namespace

std::string notice_body(NoticeKind kind, const Notice& notice, const MessageProof& proof) {
  return std::ranges::find(bodies, kind, &NoticeBody::kind)->render(notice, proof);
}

}  // namespace gate::render
