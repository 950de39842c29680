// A card of Feishu, of plain texts alone: they obey nothing. A message has 30 KB.
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "render/notice/bodies.h"
#include "render/notice/notice_text.h"

namespace gate::render {

namespace {

Json plain_text(const std::string& text) { return {{"tag", "plain_text"}, {"content", text}}; }

Json lines(const std::vector<std::string>& all) {
  std::vector<std::string> shown;
  for (const std::string& line : all) shown.push_back(shown_text(line, longest_text));
  return {{"tag", "div"}, {"text", plain_text(join(shown, "\n"))}};
}

Json button(const std::string& link) {
  const Json job{{"tag", "button"}, {"text", plain_text("the job")}, {"type", "default"}, {"url", link}};
  return {{"tag", "action"}, {"actions", Json::array({job})}};
}

Json elements(const Notice& notice) {
  Json all = Json::array({lines({notice.about})});
  for (const NoticeCase& of : notice.cases) all.push_back(lines(case_lines(of)));
  if (const std::string further = further_words(notice, notice.cases.size()); !further.empty())
    all.push_back(lines({further}));
  if (!notice.next.empty()) all.push_back(lines(notice.next));
  if (!notice.link.empty()) all.push_back(button(notice.link));
  return all;
}

}  // namespace

std::string feishu_notice(const Notice& notice, const Proof& proof) {
  const Json header{{"title", plain_text(shown_text(notice.title, longest_text))},
                    {"template", notice.exit_code == 0 ? "green" : "red"}};
  Json out = Json::object();
  if (!proof.signature.empty()) out = {{"timestamp", proof.timestamp}, {"sign", proof.signature}};
  out["msg_type"] = "interactive";
  out["card"] = {
      {"config", {{"wide_screen_mode", true}}}, {"header", header}, {"elements", elements(notice)}};
  return out.dump();
}

}  // namespace gate::render
