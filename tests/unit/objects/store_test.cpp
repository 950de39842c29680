// What a store does with answers that it should not get.
#include "gate/objects/store.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

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

  ObjectStore store(const LoopbackServer& server, ObjectService service = ObjectService::s3,
                    int retries = 0) {
    return ObjectStore(
        {.service = service,
         .endpoint = server.url(""),
         .region = "r",
         .by_path = true,
         .bucket = "b",
         .credentials = {"access-key", "the-secret-key", "the-session-token", "the test"},
         .retries = retries},
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
                    Not(HasSubstr("the-secret-key")), Not(HasSubstr("access-key"))));
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

// A server of one object, "0123456789", that answers GET as a test says.
class Downloads : public Stores {
 protected:
  static constexpr const char* of_a_tool = "ETag: \"0123456789abcdef0123456789abcdef-2\"\r\n";

  // Get the object, and return what went wrong, or "none".
  std::string got(const std::string& head, const std::function<std::string(const std::string&)>& get,
                  int retries = 0) {
    LoopbackServer server([&](const std::string& request) {
      if (!request.starts_with("HEAD")) return get(request);
      return "HTTP/1.1 200 X\r\n" + head + "Content-Length: 10\r\n\r\n";
    });
    ObjectStore asked = store(server, ObjectService::s3, retries);
    const auto done = asked.get("k", root / "file");
    requests = server.requests();
    return done ? "none" : done.error().message;
  }

  // An answer that is cut behind the bytes, of ten that it announces.
  static std::string cut(const std::string& head, const std::string& bytes) {
    return "HTTP/1.1 200 X\r\n" + head + "Content-Length: 10\r\n\r\n" + bytes;
  }

  std::vector<std::string> parts() const {
    std::vector<std::string> names;
    for (const std::string& name : fs::files_below(root))
      if (name.ends_with(".part")) names.push_back(name);
    return names;
  }

  std::vector<std::string> requests;
};

TEST_F(Downloads, TakeNoOtherRangeThanTheyAskFor) {
  const auto rest_as = [&](const std::string& head) {
    std::filesystem::remove(root / "file");
    return got(
        of_a_tool,
        [&](const std::string& request) {
          return request.find("Range: bytes=4-") == std::string::npos &&
                         request.find("range: bytes=4-") == std::string::npos
                     ? cut(of_a_tool, "0123")
                     : answer_of("206 X", head, "456789");
        },
        1);
  };
  EXPECT_EQ(rest_as("Content-Range: bytes 4-9/10\r\n"), "none");
  EXPECT_EQ(get("file"), "0123456789");
  for (const char* range : {"", "Content-Range: bytes 0-5/10\r\n", "Content-Range: bytes 4-9/50\r\n"})
    EXPECT_THAT(rest_as(range), HasSubstr("another range than was asked for")) << range;
  EXPECT_THAT(rest_as("Content-Range: bytes 4-9/10\r\nETag: \"f\"\r\n"),
              HasSubstr("it changed while it was read"));
  EXPECT_FALSE(fs::exists(root / "file"));
  EXPECT_THAT(parts(), testing::IsEmpty());
}

// What of another range came before a cut is not kept, either.
TEST_F(Downloads, KeepNothingOfAnAnswerThatDoesNotFit) {
  EXPECT_THAT(
      got(
          of_a_tool,
          [&](const std::string& request) {
            return request.find("ange: bytes=4-") == std::string::npos
                       ? cut(of_a_tool, "0123")
                       : "HTTP/1.1 206 X\r\nContent-Range: bytes 0-5/10\r\nContent-Length: 6\r\n\r\nZZ";
          },
          1),
      HasSubstr("another range"));
  EXPECT_THAT(parts(), testing::IsEmpty());
}

TEST_F(Downloads, WithoutAnETagBeginAnew) {
  EXPECT_NE(got("", [](const std::string&) { return cut("", "0123"); }), "none");
  EXPECT_THAT(parts(), testing::IsEmpty());
  put("file." + fs::sha256("").substr(0, 32) + ".part", "old!");
  EXPECT_EQ(got("", [](const std::string&) { return answer_of("200 X", "", "abcdefghij"); }), "none");
  EXPECT_EQ(get("file"), "abcdefghij");
}

TEST_F(Downloads, GoOnInNoFileOfOthers) {
  const std::string part = "file.0123456789abcdef0123456789abcdef-2.part";
  put("victim", "victims---");
  const auto whole = [&](const std::string&) { return answer_of("200 X", of_a_tool, "0123456789"); };
  std::filesystem::create_symlink(root / "victim", root / part);
  EXPECT_EQ(got(of_a_tool, whole), "none");
  EXPECT_EQ(get("file"), "0123456789");
  EXPECT_FALSE(std::filesystem::is_symlink(root / "file"));
  std::filesystem::create_hard_link(root / "victim", root / part);
  EXPECT_EQ(got(of_a_tool, whole), "none");
  EXPECT_EQ(get("file"), "0123456789");
  EXPECT_EQ(get("victim"), "victims---");
}

TEST_F(Downloads, ReplaceFilesOnly) {
  ASSERT_EQ(::mkfifo((root / "file").c_str(), 0600), 0);
  EXPECT_THAT(got(of_a_tool, [](const std::string&) { return answer_of("200 X", "", "0123456789"); }),
              HasSubstr("file: is no regular file"));
  EXPECT_TRUE(std::filesystem::is_fifo(root / "file"));
  EXPECT_THAT(requests, testing::IsEmpty());
}

TEST_F(Downloads, OfWhatIsShorterThanToldEnd) {
  EXPECT_THAT(got(
                  of_a_tool, [](const std::string&) { return answer_of("200 X", of_a_tool, "01234"); }, 2),
              HasSubstr("came shorter than it is"));
  EXPECT_LT(requests.size(), 12u);
}

TEST_F(Downloads, BelieveInNoPartsThatGateNeverMakes) {
  const std::string head = std::string(of_a_tool) + "x-amz-meta-gate-part: 1\r\n";
  LoopbackServer server([&](const std::string&) { return answer_of("200 X", head); });
  EXPECT_EQ(store(server).head("k")->part, 0u);
  LoopbackServer gates([&](const std::string&) {
    return answer_of("200 X", std::string(of_a_tool) + "x-amz-meta-gate-part: 16777216\r\n");
  });
  EXPECT_EQ(store(gates).head("k")->part, 16777216u);
}

TEST_F(Stores, ListsOfEmptyPagesEnd) {
  int page = 0;
  LoopbackServer server([&](const std::string&) {
    return answer_of("200 X", "",
                     "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t" +
                         std::to_string(++page) + "</NextContinuationToken></ListBucketResult>");
  });
  ObjectStore asked = store(server);
  EXPECT_THAT(asked.list("p").error().message, HasSubstr("the list does not end"));
}

TEST_F(Stores, ShowNoCredentialsThatTheyWereSent) {
  for (const char* secret : {"the-secret-key", "the-session-token"}) {
    const std::string echo = answer_of("400 X", "",
                                       std::string("<Error><Code>") + secret + "</Code><Message>" +
                                           std::string(190, 'x') + secret + "</Message></Error>");
    LoopbackServer server([&](const std::string&) { return echo; });
    ObjectStore asked = store(server);
    const std::string problem = asked.put_text("hello", "k").error().message;
    EXPECT_THAT(problem, AllOf(HasSubstr("answers 400 ***"), Not(HasSubstr("the-se")))) << problem;
  }
}

TEST_F(Stores, FilesThatChangeWhileTheyAreSentAreNotStored) {
  put("large", std::string((16 << 20) + 1, 'a'));
  bool is_taken_back = false;
  LoopbackServer server([&](const std::string& request) {
    if (request.starts_with("DELETE")) is_taken_back = true;
    if (request.find("?uploads") != std::string::npos)
      return answer_of(
          "200 X", "",
          "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
    if (request.find("partNumber=1") != std::string::npos) put("large", std::string((16 << 20) + 1, 'b'));
    return answer_of("200 X", "");
  });
  ObjectStore asked = store(server);
  EXPECT_THAT(asked.put(root / "large", "k").error().message, HasSubstr("changed while it was sent"));
  EXPECT_TRUE(is_taken_back);
}

TEST_F(Stores, WaitNoHourThatAnAnswerAsksFor) {
  LoopbackServer server([](const std::string&) { return answer_of("503 X", "Retry-After: 3600\r\n"); });
  ObjectStore asked = store(server, ObjectService::s3, 3);
  EXPECT_THAT(asked.head("k").error().message, HasSubstr("answers 503"));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(Endpoints, ThatHoldAPasswordDoNotShowIt) {
  EXPECT_THAT(check_endpoint("http://user:verySecretPw@127.0.0.1:1").error().message,
              AllOf(HasSubstr("***@127.0.0.1:1"), Not(HasSubstr("verySecretPw"))));
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
