// Methods, heads and files of one try, each way to send against a real server.
#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/base/fs.h"
#include "loopback_server.h"
#include "net/exchange.h"

namespace gate::net::methods_test {
namespace {

using End = Exchange::End;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr Duration plenty = std::chrono::seconds(60);
const auto go_on = [] { return false; };

class Methods : public Temporary {
 protected:
  static Exchange send(const Request& request, Duration limit = plenty) {
    return exchange(request, limit, go_on);
  }

  // A request of a file from the byte on, answered by the server with these bytes.
  Exchange into(const std::string& answer, std::uintmax_t from, std::uintmax_t most = 1000) {
    LoopbackServer server([&](const std::string&) { return answer; });
    Request request{.url = server.url("/x"), .headers = {}, .body = {}, .method = "GET"};
    request.into = {root / "file", from, most, nullptr};
    return send(request);
  }
};

TEST_F(Methods, AreSent) {
  for (const std::string method : {"GET", "PUT", "DELETE", "POST"}) {
    LoopbackServer server(
        [](const std::string&) { return "HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 2\r\n\r\nok"; });
    const bool has_body = method == "PUT" || method == "POST";
    const Exchange done =
        send({.url = server.url("/x"), .headers = {}, .body = has_body ? "body" : "", .method = method});
    EXPECT_EQ(done.end, End::answered) << done.why;
    EXPECT_EQ(done.response.body, "ok");
    EXPECT_EQ(done.response.header("etag"), "\"e\"");
    EXPECT_EQ(done.response.header("none"), "");
    ASSERT_EQ(server.requests().size(), 1u);
    const std::string request = server.requests().front();
    EXPECT_THAT(request, StartsWith(method + " /x HTTP/1.1\r\n"));
    EXPECT_EQ(request.substr(request.find("\r\n\r\n") + 4), has_body ? "body" : "");
  }
}

TEST_F(Methods, AHeadHasNoBody) {
  LoopbackServer server(
      [](const std::string&) { return "HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n"; });
  const Exchange done = send({.url = server.url("/x"), .headers = {}, .body = {}, .method = "HEAD"});
  EXPECT_EQ(done.end, End::answered) << done.why;
  EXPECT_EQ(done.response.header("content-length"), "12345");
  EXPECT_EQ(done.response.body, "");
  EXPECT_THAT(server.requests().at(0), StartsWith("HEAD /x"));
}

TEST_F(Methods, AFileGetsTheBody) {
  EXPECT_EQ(into("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole", 0).response.body, "");
  EXPECT_EQ(get("file"), "whole");
  EXPECT_EQ(into("HTTP/1.1 206 Partial\r\nContent-Length: 3\r\n\r\nsee", 2).response.status, 206);
  EXPECT_EQ(get("file"), "whsee");
}

TEST_F(Methods, AFileGetsNothingElse) {
  put("file", "what was there");
  const Exchange refused = into("HTTP/1.1 403 No\r\nContent-Length: 7\r\n\r\n<Error>", 4);
  EXPECT_EQ(refused.response.status, 403);
  EXPECT_EQ(refused.response.body, "<Error>");
  EXPECT_EQ(get("file"), "what");
  EXPECT_EQ(into("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole", 4).response.status, 200);
  EXPECT_EQ(get("file"), "what");
}

TEST_F(Methods, WhatIsNoPartMayBeLongerThanThePart) {
  put("file", "what was there");
  const std::string error(5000, 'e');
  const Exchange refused = into("HTTP/1.1 403 No\r\nContent-Length: 5000\r\n\r\n" + error, 4, 5);
  EXPECT_EQ(refused.response.status, 403);
  EXPECT_TRUE(refused.response.body == error);
  const Exchange whole =
      into("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n" + std::string(500000, 'x'), 4, 5);
  EXPECT_EQ(whole.response.status, 200) << whole.why;
  EXPECT_EQ(get("file"), "what");
}

TEST_F(Methods, WhatCameBeforeACutStays) {
  const Exchange done = into("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", 0);
  EXPECT_EQ(done.end, End::cut);
  EXPECT_EQ(get("file"), "half");
}

// Neither before a cut, nor of a whole answer.
TEST_F(Methods, NothingOfAnAnswerThatDoesNotFitStays) {
  for (const int length : {4, 10}) {
    put("file", "what");
    LoopbackServer server([&](const std::string&) {
      return "HTTP/1.1 206 OK\r\nX: other\r\nContent-Length: " + std::to_string(length) + "\r\n\r\nhalf";
    });
    Request request{.url = server.url("/x"), .headers = {}, .body = {}, .method = "GET"};
    request.into = {root / "file", 4, 1000, [](const Response& head) { return head.header("x") != "other"; }};
    const Exchange done = send(request);
    EXPECT_EQ(done.end, length == 4 ? End::answered : End::cut);
    EXPECT_EQ(done.response.body, length == 4 ? "half" : "");
    EXPECT_EQ(get("file"), "what");
  }
}

// Another one's file may be reached by two names.
TEST_F(Methods, AFileWithTwoNamesIsLeftAlone) {
  put("victim", "what");
  std::filesystem::create_hard_link(root / "victim", root / "file");
  EXPECT_THAT(into("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole", 0).why,
              HasSubstr("is no regular file of this user"));
  EXPECT_EQ(get("victim"), "what");
}

TEST_F(Methods, MoreThanWasAskedForIsAnError) {
  const Exchange done =
      into("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n" + std::string(500000, 'x'), 0, 10);
  EXPECT_EQ(done.end, End::hopeless);
  EXPECT_THAT(done.why, HasSubstr("longer than what was asked for"));
  EXPECT_EQ(get("file"), "");
}

TEST_F(Methods, AFileThatCannotBeWritten) {
  Request request{.url = "http://127.0.0.1:1/", .headers = {}, .body = {}, .method = "GET"};
  request.into.file = root / "none" / "file";
  EXPECT_EQ(send(request).end, End::hopeless);
  EXPECT_THAT(send(request).why, HasSubstr("No such file"));
}

TEST_F(Methods, WithoutProgressATryIsCut) {
  LoopbackServer server([](const std::string&) { return std::nullopt; });
  Request request{.url = server.url("/x"), .headers = {}, .body = {}, .method = "GET"};
  request.stall = std::chrono::seconds(1);
  const Exchange done = send(request);
  EXPECT_EQ(done.end, End::cut);
  EXPECT_EQ(done.why, "no progress for 1s");
}

}  // namespace
}  // namespace gate::net::methods_test
