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

// A proxy answers as well.
TEST_F(Stores, LookAtWhatIsStoredWhereTheAnswerHasNoETag) {
  const std::string md5_of_hello = "5d41402abc4b2a76b9719d911017c592", other(32, 'a');
  const auto told = [&](const std::string& put, const std::string& head) {
    LoopbackServer server(
        [&](const std::string& request) { return request.starts_with("PUT") ? put : head; });
    ObjectStore asked = store(server);
    const auto done = puts(asked);
    return done ? "none" : done.error().message;
  };
  const auto head = [](const std::string& headers, int size) {
    return "HTTP/1.1 200 X\r\n" + headers + "Content-Length: " + std::to_string(size) + "\r\n\r\n";
  };
  for (const std::string& put : {answer_of("200 X", ""), answer_of("200 X", "ETag: \"\"\r\n"),
                                 answer_of("200 X", "Content-Type: text/html\r\n", "<html>log in</html>")}) {
    EXPECT_EQ(told(put, head("", 5)), "none");
    EXPECT_EQ(told(put, head("ETag: \"" + md5_of_hello + "\"\r\n", 5)), "none");
    EXPECT_THAT(told(put, head("", 19)), HasSubstr("other bytes than were sent"));
    EXPECT_THAT(told(put, head("ETag: \"" + other + "\"\r\n", 5)), HasSubstr("other bytes than were sent"));
    EXPECT_THAT(told(put, "HTTP/1.1 200 X\r\n\r\n"), HasSubstr("does not tell how long it is"));
    EXPECT_THAT(told(put, answer_of("404 X", "")), HasSubstr("there is no such object"));
  }
}

enum class Conditions : std::uint8_t { kept, ignored, unknown };
enum class Comes : std::uint8_t { never, first, before_put, after_put };

// A store of one object, which somebody else puts there, too.
struct SharedObject {
  Conditions conditions;
  Comes comes;
  std::string text = {}, maker = {};
  bool is_there = false;

  void put(const std::string& what, const std::string& by) {
    text = what;
    maker = by;
    is_there = true;
  }
  std::string etag() const { return "ETag: \"of " + text + "\"\r\n"; }

  std::string head() const {
    if (!is_there) return answer_of("404 X", "");
    return "HTTP/1.1 200 X\r\n" + etag() + (maker.empty() ? "" : "x-amz-meta-gate-maker: " + maker + "\r\n") +
           "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n";
  }

  std::string stored(const std::string& request) {
    const bool is_conditional = request.find("if-none-match: *") != std::string::npos;
    if (comes == Comes::before_put) put("others", "");
    if (is_conditional && conditions == Conditions::unknown) return error_of("501 X", "NotImplemented");
    if (is_conditional && conditions == Conditions::kept && is_there)
      return error_of("412 X", "PreconditionFailed");
    put("ours", request.find("x-amz-meta-gate-maker: m1") != std::string::npos ? "m1" : "");
    const std::string answer = answer_of("200 X", etag());
    if (comes == Comes::after_put && conditions != Conditions::kept) put("others", "");
    return answer;
  }
};

TEST_F(Stores, PutWhereNothingIsReplaceNothing) {
  put("file", "ours");
  for (const Conditions conditions : {Conditions::kept, Conditions::ignored, Conditions::unknown})
    for (const Comes comes : {Comes::never, Comes::first, Comes::before_put, Comes::after_put})
      for (const std::string maker : {"", "m1"}) {
        SharedObject shared{conditions, comes};
        if (comes == Comes::first) shared.put("others", "");
        LoopbackServer server([&](const std::string& request) {
          return request.starts_with("HEAD") ? shared.head() : shared.stored(request);
        });
        ObjectStore asked = store(server, ObjectService::s3, 2);
        const auto done = asked.put_new(root / "file", "k", maker);
        SCOPED_TRACE(std::to_string(static_cast<int>(conditions)) + " " +
                     std::to_string(static_cast<int>(comes)));
        // Between the look and the PUT nothing but the store keeps what comes.
        const bool is_lost = comes == Comes::before_put && conditions != Conditions::kept;
        const bool is_put =
            comes == Comes::never || is_lost || (comes == Comes::after_put && conditions == Conditions::kept);
        ASSERT_EQ(done.has_value(), is_put) << (done ? "" : done.error().message);
        EXPECT_EQ(shared.text, is_put ? "ours" : "others");
        EXPECT_EQ(shared.maker, is_put ? maker : "");
        if (is_put)
          EXPECT_EQ(done->maker, maker);
        else
          EXPECT_EQ(done.error().kind, Failing::taken);
        if (comes == Comes::first) {
          EXPECT_EQ(server.requests().size(), 1u);
        }
      }
}

// The condition is that of the end, the maker that of the begin.
TEST_F(Stores, PutInPartsWhereNothingIsReplaceNothing) {
  put("file", std::string((std::size_t{16} << 20) + 1, 'x'));
  const auto has = [](const std::string& request, const char* text) {
    return request.find(text) != std::string::npos;
  };
  std::vector<std::string> begins, ends,
      refusals{error_of("412 X", "PreconditionFailed"), error_of("200 X", "PreconditionFailed")};
  LoopbackServer server([&](const std::string& request) {
    if (request.starts_with("HEAD")) return answer_of("404 X", "");
    if (has(request, "?uploads")) {
      begins.push_back(request);
      return answer_of(
          "200 X", "",
          "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
    }
    if (!request.starts_with("POST")) return answer_of("200 X", "");
    ends.push_back(request);
    return refusals.at(ends.size() - 1);
  });
  ObjectStore asked = store(server);
  for (std::size_t i = 0; i < refusals.size(); ++i)
    EXPECT_EQ(asked.put_new(root / "file", "k", "m1").error().kind, Failing::taken);
  ASSERT_EQ(begins.size(), 2u);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_TRUE(has(begins[0], "x-amz-meta-gate-maker: m1") && !has(begins[0], "if-none-match"));
  EXPECT_TRUE(has(ends[0], "if-none-match: *"));
}

TEST_F(Stores, PutNothingNewWhereTheyCannotLook) {
  put("file", "ours");
  const auto put_new = [&](ObjectStore& asked) { return asked.put_new(root / "file", "k", ""); };
  EXPECT_THAT(problem(error_of("403 X", "AccessDenied"), put_new), HasSubstr("refuses the credentials"));
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
      return is_right ? answer_of("200 X", date + "ETag: \"of-no-kind\"\r\n")
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
