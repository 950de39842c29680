// The address and what is said of it; exchange_test.cpp sends, and tests/integration/notify.sh what a run
// sends.
#include "gate/net/post.h"

#include <gmock/gmock.h>

namespace gate::net::post_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Address, HasAHost) {
  EXPECT_EQ(host_of("https://hooks.example.com/services/T0ken?key=x"), "hooks.example.com");
  EXPECT_EQ(host_of("http://user:password@localhost:8080/x"), "localhost");
  EXPECT_EQ(host_of("https://[::1]:1/x"), "[::1]");
  EXPECT_EQ(host_of("https://user@[fe80::1%25eth0]?x"), "[fe80::1%25eth0]");
  EXPECT_EQ(host_of("HTTPS://h:?a@b:1/c"), "h");
  EXPECT_EQ(host_of("http://h:65535#@evil"), "h");
  EXPECT_EQ(host_of("http://bücher.example"), "bücher.example");
}

TEST(Address, OfAnotherSchemeOrOfNoneHasNone) {
  for (const char* url : {"ftp://example.com/x",
                          "file:///etc/passwd",
                          "hooks.example.com/x",
                          "",
                          "https://",
                          "http://a b/",
                          "http://a/\nHost: b",
                          "http:/a",
                          "//a/b",
                          "http://:80/",
                          "http://u@/",
                          "http://a:b/",
                          "http://a:65536/",
                          "http://a:1:2/",
                          "http://a@b@c/",
                          "http://a\\b/",
                          "http://a%20b/",
                          "http://[::1/",
                          "http://[]/",
                          "http://[a]/",
                          "http://[::1]x/",
                          "http://a/\x7f",
                          "http://a]/"})
    EXPECT_EQ(host_of(url), "") << url;
}

TEST(Address, GetsAQuery) {
  const std::vector<std::pair<std::string, std::string>> values{{"timestamp", "17"}, {"sign", "a+/b=="}};
  EXPECT_EQ(with_query("https://h/s?access_token=x", values).value(),
            "https://h/s?access_token=x&timestamp=17&sign=a%2B%2Fb%3D%3D");
  EXPECT_EQ(with_query("https://h/s", values).value(), "https://h/s?timestamp=17&sign=a%2B%2Fb%3D%3D");
  EXPECT_EQ(with_query("https://h?", values).value(), "https://h?timestamp=17&sign=a%2B%2Fb%3D%3D");
  EXPECT_EQ(with_query("https://h/?a=b&#part?", {{"n", " é~"}}).value(), "https://h/?a=b&n=%20%C3%A9~#part?");
  EXPECT_FALSE(with_query("x", values));
}

TEST(Post, NamesTheHostAndNothingElse) {
  Request request;
  request.url = "http://user:pa55word@127.0.0.1:1/T0ken?key=V4lue";
  request.timeout = std::chrono::seconds(60);
  const Result<Response> answer = post(request, [] { return false; });
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("127.0.0.1: Couldn't connect to server"));
  for (const char* secret : {"T0ken", "V4lue", "pa55word", "user"})
    EXPECT_THAT(answer.error().message, Not(HasSubstr(secret)));
}

TEST(Post, RefusesWhatIsNoWebAddress) {
  Request request;
  request.url = "file:///etc/passwd";
  request.timeout = std::chrono::seconds(60);
  EXPECT_EQ(post(request, [] { return false; }).error().message, "this is no address of http or https");
}

}  // namespace
}  // namespace gate::net::post_test
