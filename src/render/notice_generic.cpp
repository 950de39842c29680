// gate.notice/1: for programs, and for receivers that need a shape of their own.
#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "render/notice_bodies.h"
#include "render/notice_text.h"

namespace gate::render {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest = 2000;

std::string shown(const std::string& text) { return shown_text(text, longest); }

Json case_of(const NoticeCase& of) {
  return {{"case", shown(of.name)},
          {"verdict", of.verdict},
          {"owner", shown(of.owner)},
          {"what", shown(of.what)},
          {"first", shown(of.first)}};
}

}  // namespace

std::string generic_notice(const Notice& notice, const Proof&) {
  Json out{{"schema", "gate.notice/1"}, {"text", shown(notice.title)}, {"about", shown(notice.about)}};
  out["suite"] = shown(notice.suite);
  out["run"] = shown(notice.run);
  out["host"] = shown(notice.host);
  out["platform"] = shown(notice.platform);
  out["commit"] = shown(notice.commit);
  out["started"] = shown(notice.started);
  out["finished"] = shown(notice.finished);
  out["duration_s"] = std::chrono::duration<double>(notice.duration).count();
  out["exit_code"] = notice.exit_code;
  out["totals"] = {{"passed", notice.passed}, {"skipped", notice.skipped}, {"red", notice.red}};
  out["red"] = Json::array();
  for (const NoticeCase& of : notice.cases) out["red"].push_back(case_of(of));
  out["next"] = Json::array();
  for (const std::string& next : notice.next) out["next"].push_back(shown(next));
  out["link"] = notice.link;
  return out.dump();
}

}  // namespace gate::render
