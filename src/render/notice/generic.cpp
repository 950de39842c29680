// gate.notice/1: for programs, and for receivers that need a shape of their own.
#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "gate/render/table_json.h"
#include "render/notice/bodies.h"
#include "render/notice/notice_text.h"

namespace gate::render {

namespace {

constexpr std::size_t longest = 2000;

std::string cut_short(const std::string& text) { return shown_text(text, longest); }

Json case_of(const NoticeCase& of) {
  return {{"case", cut_short(of.name)},
          {"verdict", of.verdict},
          {"owner", cut_short(of.owner)},
          {"what", cut_short(of.what)},
          {"first", cut_short(of.first)}};
}

}  // namespace

std::string generic_notice(const Notice& notice, const Proof&) {
  Json out{
      {"schema", "gate.notice/1"}, {"text", cut_short(notice.title)}, {"about", cut_short(notice.about)}};
  out["suite"] = cut_short(notice.suite);
  out["run"] = cut_short(notice.run);
  out["host"] = cut_short(notice.host);
  out["platform"] = cut_short(notice.platform);
  out["commit"] = cut_short(notice.commit);
  out["started"] = cut_short(notice.started);
  out["finished"] = cut_short(notice.finished);
  out["duration_s"] = std::chrono::duration<double>(notice.duration).count();
  out["exit_code"] = notice.exit_code;
  out["totals"] = {{"passed", notice.passed}, {"skipped", notice.skipped}, {"red", notice.red}};
  out["red"] = Json::array();
  for (const NoticeCase& of : notice.cases) out["red"].push_back(case_of(of));
  out["next"] = Json::array();
  for (const std::string& next : notice.next) out["next"].push_back(cut_short(next));
  out["link"] = notice.link;
  return out.dump();
}

}  // namespace gate::render
