#include "gate/model/reports/notice.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

constexpr std::array<NoticeKindRow, 5> rows{{
    {NoticeKind::generic, "generic", Signed::nowhere, "gate.notice/1, for programs"},
    {NoticeKind::slack, "slack", Signed::nowhere, "an incoming webhook of Slack"},
    {NoticeKind::feishu, "feishu", Signed::in_body, "a custom bot of Feishu or Lark"},
    {NoticeKind::dingtalk, "dingtalk", Signed::in_query, "a custom robot of DingTalk"},
    {NoticeKind::wecom, "wecom", Signed::nowhere, "a group robot of WeCom"},
}};

}  // namespace

std::span<const NoticeKindRow> notice_kinds() { return rows; }

const NoticeKindRow& row(NoticeKind kind) {
  return *std::find_if(rows.begin(), rows.end(), [&](const NoticeKindRow& r) { return r.kind == kind; });
}

}  // namespace gate
