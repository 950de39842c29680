#include "render/notice/bodies.h"

#include <algorithm>
#include <array>

namespace gate::render {

namespace {

struct NoticeBody {
  NoticeKind kind;
  std::string (*render)(const Notice&, const Proof&);
};

constexpr std::array<NoticeBody, 5> bodies{{
    {NoticeKind::generic, generic_notice},
    {NoticeKind::slack, slack_notice},
    {NoticeKind::feishu, feishu_notice},
    {NoticeKind::dingtalk, dingtalk_notice},
    {NoticeKind::wecom, wecom_notice},
}};

}  // namespace

std::string notice_body(NoticeKind kind, const Notice& notice, const Proof& proof) {
  return std::find_if(bodies.begin(), bodies.end(), [&](const NoticeBody& b) { return b.kind == kind; })
      ->render(notice, proof);
}

}  // namespace gate::render
