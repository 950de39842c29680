#include "publish/webhook_request.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate::publish::notice_answer_test {
namespace {

std::string complaint(NoticeKind kind, int status, const std::string& body) {
  const Status taken = check_taken(kind, "h", {status, body}, Masker(std::vector<std::string>{"T0kenT0ken"}));
  return taken ? "" : taken.error().message;
}

TEST(NoticeAnswer, Taken) {
  EXPECT_EQ(complaint(NoticeKind::generic, 204, ""), "");
  EXPECT_EQ(complaint(NoticeKind::generic, 200, R"json({"errcode": 1})json"), "");
  EXPECT_EQ(complaint(NoticeKind::slack, 200, "ok\n"), "");
  EXPECT_EQ(complaint(NoticeKind::dingtalk, 200, R"json({"errcode": 0, "errmsg": "ok"})json"), "");
  EXPECT_EQ(complaint(NoticeKind::wecom, 200, R"json({"errmsg": "ok", "errcode": 0})json"), "");
  EXPECT_EQ(complaint(NoticeKind::feishu, 200, R"json({"code": 0, "data": {}, "msg": "success"})json"), "");
  EXPECT_EQ(complaint(NoticeKind::feishu, 200, R"json({"StatusCode": 0, "StatusMessage": "success"})json"),
            "");
}

TEST(NoticeAnswer, RefusedInTheServicesOwnWords) {
  EXPECT_EQ(complaint(NoticeKind::slack, 404, "no_service"), "h answered 404: no_service");
  EXPECT_EQ(complaint(NoticeKind::slack, 200, "<html>"), "h answered 200: <html>");
  EXPECT_EQ(
      complaint(NoticeKind::wecom, 200, R"json({"errcode": 93000, "errmsg": "invalid webhook url"})json"),
      "h answered 200: 93000 invalid webhook url");
  EXPECT_EQ(complaint(NoticeKind::feishu, 200, R"json({"code": 19021, "msg": "sign match fail"})json"),
            "h answered 200: 19021 sign match fail");
  EXPECT_EQ(complaint(NoticeKind::feishu, 400, R"json({"code": 9499, "msg": "Bad Request"})json"),
            "h answered 400: 9499 Bad Request");
  EXPECT_EQ(complaint(NoticeKind::generic, 503, ""), "h answered 503");
}

TEST(NoticeAnswer, WhatDoesNotSaySoIsNotTaken) {
  for (const char* body :
       {"", "ok", "[]", "{}", "null", R"json({"errcode": "0"})json", R"json({"errcode": 0)json",
        R"json({"errcode": 0.5})json", R"json({"code": 0})json"})
    EXPECT_NE(complaint(NoticeKind::dingtalk, 200, body), "") << body;
  EXPECT_NE(complaint(NoticeKind::feishu, 200, R"json({"code": 1, "StatusCode": 0})json"), "");
}

TEST(NoticeAnswer, WordsAreMaskedCutAndNotObeyed) {
  EXPECT_EQ(complaint(NoticeKind::slack, 400, "a\x1b[2J\n\nT0kenT0ken\xff"),
            "h answered 400: a\\x1b[2J; ; ***\\xff");
  EXPECT_EQ(complaint(NoticeKind::generic, 500, std::string(100'000, 'x')),
            "h answered 500: " + std::string(200, 'x') + "...");
  EXPECT_EQ(complaint(NoticeKind::wecom, 200, R"json({"errcode": 1, "errmsg": {"a": "T0kenT0ken"}})json"),
            "h answered 200: 1");
  EXPECT_NE(complaint(NoticeKind::wecom, 200, std::string(60'000, '[')), "");
}

TEST(NoticeAnswer, RedirectSaysWhatToDo) {
  EXPECT_EQ(complaint(NoticeKind::slack, 302, "T0kenT0ken"),
            "h answered 302: redirects are not followed; write the address that it leads to");
}

}  // namespace
}  // namespace gate::publish::notice_answer_test
