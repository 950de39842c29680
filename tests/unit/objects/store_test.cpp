// What a store does with answers that it should not get.
#include "gate/objects/store.h"

#include <gmock/gmock.h>

#include "../net/loopback_server.h"
#include "../temporary.h"

namespace gate::objects::store_test {
namespace {

using net::LoopbackServer;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string answer_of(const std::string& status, const std::string& head, const std::string& body = "") {
  return "HTTP/1.1 " + status + "\r\n" + head + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string error_of(const std::string& status, const std::string& code) {
  return answer_of(status, "", "<Error><Code>" + code + "</Code><Message>as the test says</Message></Error>");
}

class Stores : public Temporary {
 protected:
  Stores() { ::setenv("NO_PROXY", "*", 1); }

  ObjectStore store(const LoopbackServer& server, ObjectService service = ObjectService::s3) {
    return ObjectStore(
        {.service = service,
         .endpoint = server.url(""),
         .region = "r",
         .by_path = true,
         .bucket = "b",
         .credentials = {"access", "the-secret-key", "", "the test"},
         .retries = 0},
        [] { return false; }, [this] { return clock; });
  }

  // What the error of a call of all answers alike says.
  std::string problem(const std::string& bytes, const auto& call) {
    LoopbackServer server([&](const std::string&) { return bytes; });
    ObjectStore asked = store(server);
    const auto done = call(asked);
    return done ? "none" : done.error().message;
  }

  Moment clock = std::chrono::system_clock::from_time_t(1700000000);
};

const auto heads = [](ObjectStore& store) { return store.head("k"); };
const auto lists = [](ObjectStore& store) { return store.list("p", 3); };
const auto puts = [](ObjectStore& store) { return store.put_text("hello", "k"); };

TEST_F(Stores, SayWhatIsWrong) {
  EXPECT_EQ(problem(answer_of("404 X", ""), heads), "s3://b/k: there is no such object");
  EXPECT_EQ(problem(error_of("404 X", "NoSuchBucket"), lists), "s3://b/: there is no such bucket");
  EXPECT_THAT(problem(error_of("403 X", "SignatureDoesNotMatch"), puts),
              AllOf(HasSubstr("refuses the credentials of the test: SignatureDoesNotMatch"),
                    Not(HasSubstr("the-secret-key")), Not(HasSubstr("access"))));
  EXPECT_THAT(problem(error_of("301 X", "PermanentRedirect"), puts),
              HasSubstr("answers 301 PermanentRedirect: as the test says"));
  EXPECT_THAT(problem(error_of("500 X", "InternalError"), puts), HasSubstr("answers 500 InternalError"));
  EXPECT_THAT(problem("nonsense", puts), StartsWith("s3://b/k: 127.0.0.1: "));
}

TEST_F(Stores, BelieveNoETagOfOtherBytes) {
  const std::string md5_of_hello = "5d41402abc4b2a76b9719d911017c592", other(32, 'a');
  EXPECT_EQ(problem(answer_of("200 X", "ETag: \"" + md5_of_hello + "\"\r\n"), puts), "none");
  EXPECT_THAT(problem(answer_of("200 X", "ETag: \"" + other + "\"\r\n"), puts),
              HasSubstr("other bytes than were sent"));
  EXPECT_EQ(problem(answer_of("200 X", "ETag: \"of-no-kind\"\r\n"), puts), "none");
  EXPECT_EQ(
      problem(answer_of("200 X", "ETag: \"" + other + "\"\r\nx-amz-server-side-encryption: aws:kms\r\n"),
              puts),
      "none");
}

TEST_F(Stores, ListsEnd) {
  const std::string object = "<Contents><Key>p1</Key><Size>1</Size></Contents>";
  const auto list = [](const std::string& inside) {
    return answer_of("200 X", "", "<ListBucketResult>" + inside + "</ListBucketResult>");
  };
  const std::string more = "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>";
  EXPECT_EQ(problem(list(object), lists), "none");
  EXPECT_THAT(problem(list(more + object), lists), HasSubstr("the list does not end"));
  EXPECT_THAT(problem(list(object + object + object + object), lists), HasSubstr("more than 3 objects"));
  EXPECT_THAT(problem(list("<Contents><Key>q</Key><Size>1</Size></Contents>"), lists),
              HasSubstr("another prefix"));
  EXPECT_THAT(problem(answer_of("200 X", "", "<html/>"), lists), HasSubstr("is no ListBucketResult"));
}

TEST_F(Stores, ClocksAreCorrectedOnce) {
  for (const std::string code : {"RequestTimeTooSkewed", "AccessDenied"}) {
    LoopbackServer server([&](const std::string& request) {
      const bool is_right =
          request.find("x-amz-date: 20231114T231320Z") != std::string::npos;  // an hour later
      const std::string date = "Date: Tue, 14 Nov 2023 23:13:20 GMT\r\n";
      return is_right ? answer_of("200 X", date)
                      : answer_of("403 X", date, "<Error><Code>" + code + "</Code></Error>");
    });
    ObjectStore asked = store(server);
    EXPECT_TRUE(asked.put_text("hello", "k"));
    EXPECT_EQ(server.requests().size(), 2u);
    EXPECT_TRUE(asked.put_text("hello", "k"));
    EXPECT_EQ(server.requests().size(), 3u);
  }
  LoopbackServer never([](const std::string&) {
    return answer_of("403 X", "Date: Tue, 14 Nov 2023 23:13:20 GMT\r\n",
                     "<Error><Code>RequestTimeTooSkewed</Code></Error>");
  });
  EXPECT_EQ(store(never).put_text("hello", "k").error().kind, Failing::refused);
  EXPECT_EQ(never.requests().size(), 2u);
}

TEST_F(Stores, RemoveWhatIsThereOrNot) {
  EXPECT_EQ(problem(answer_of("204 X", ""), [](ObjectStore& store) { return store.remove("k"); }), "none");
  EXPECT_EQ(problem(answer_of("404 X", ""), [](ObjectStore& store) { return store.remove("k"); }), "none");
}

TEST_F(Stores, NothingStaysOfAnObjectThatDoesNotCome) {
  const auto get = [&](ObjectStore& store) { return store.get("k", root / "deep" / "file"); };
  EXPECT_THAT(problem(answer_of("200 X", "ETag: \"" + std::string(32, 'a') + "\"\r\n", ""), get),
              HasSubstr("what came is damaged"));
  EXPECT_THAT(problem("HTTP/1.1 200 X\r\n\r\n", get), HasSubstr("does not tell how long it is"));
  EXPECT_TRUE(std::filesystem::is_empty(root / "deep"));
}

TEST(Endpoints, AreServers) {
  for (const char* good : {"https://h", "http://h:80", "http://[::1]:80", "http://127.0.0.1"})
    EXPECT_TRUE(check_endpoint(good)) << good;
  for (const char* bad :
       {"", "h", "ftp://h", "http://", "http://h/x", "http://u@h", "http://h x", "http://:80"})
    EXPECT_FALSE(check_endpoint(bad)) << bad;
  for (const char* path :
       {"http://localhost", "http://localhost:1", "http://10.0.0.1:9000", "http://[::1]:80"})
    EXPECT_TRUE(needs_path_style(path)) << path;
  for (const char* name : {"https://obs.cn-north-4.myhuaweicloud.com", "http://my-localhost"})
    EXPECT_FALSE(needs_path_style(name)) << name;
}

}  // namespace
}  // namespace gate::objects::store_test
