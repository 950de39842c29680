// Kinds of receivers that are told how a run ended.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gate {

enum class NoticeKind : std::uint8_t { generic, slack, feishu, dingtalk, wecom };

// Where a receiver wants to find that a message was signed with its secret.
enum class Signed : std::uint8_t { nowhere, in_body, in_query };

struct NoticeKindRow {
  NoticeKind kind;
  std::string_view name;
  Signed is_signed;
  std::string_view doc;
};

std::span<const NoticeKindRow> notice_kinds();
const NoticeKindRow& row(NoticeKind kind);

}  // namespace gate
