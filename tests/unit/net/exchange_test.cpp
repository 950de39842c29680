// One try, each way to send against a real server.
#include "net/exchange.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "../temporary.h"
#include "gate/base/fs.h"
#include "loopback_server.h"
#include "net/curl_config.h"

namespace gate::net::exchange_test {
namespace {

using End = Exchange::End;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
constexpr Duration plenty = seconds(60);

// Variables of a test, as they were before once it is over.
class Variables {
 public:
  ~Variables() {
    for (const auto& [name, before] : std::vector(before_.rbegin(), before_.rend()))
      before ? ::setenv(name.c_str(), before->c_str(), 1) : ::unsetenv(name.c_str());
  }
  void set(const char* name, const std::optional<std::string>& value) {
    const char* now = std::getenv(name);
    before_.emplace_back(name, now == nullptr ? std::nullopt : std::optional<std::string>(now));
    value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

class Exchanges : public testing::Test {
 protected:
  Exchanges() {
    for (const char* proxy : {"http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"})
      variables_.set(proxy, std::nullopt);
  }

  Exchange send(
      const Request& request, Duration limit = plenty, const Stop& stop = [] { return false; }) {
    return exchange(request, limit, stop);
  }

  // What a server that answers so is understood to say.
  Exchange answered(std::optional<std::string> bytes, Duration limit = plenty) {
    LoopbackServer server([&](const std::string&) { return bytes; });
    return send({server.url("/x"), {}, "body"}, limit);
  }

  Variables variables_;
};

TEST_F(Exchanges, SendMethodPathHeadersAndBody) {
  LoopbackServer server([](const std::string&) { return ok; });
  std::string body = "{\"a\": \"\\n\"}\n@file\r\n\t'$(x)' \xff" + std::string(1, '\0');
  body += std::string(300000, 'x');
  const Exchange done = send({server.url("/p/T0k%20en?q={a}[1-3]&k=\"v\\\""),
                              {"Content-Type: application/json; charset=\"utf-8\"", "Expect:"},
                              body});
  EXPECT_EQ(done.end, End::answered) << done.why;
  EXPECT_EQ(done.response.status, 200);
  EXPECT_EQ(done.response.body, "ok");
  ASSERT_EQ(server.requests().size(), 1u);
  const std::string request = server.requests().front();
  EXPECT_THAT(request, StartsWith("POST /p/T0k%20en?q={a}[1-3]&k=\"v\\\" HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nUser-Agent: gate/" GATE_VERSION "\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nContent-Type: application/json; charset=\"utf-8\"\r\n"));
  EXPECT_THAT(request, Not(HasSubstr("Expect:")));
  EXPECT_TRUE(request.substr(request.find("\r\n\r\n") + 4) == body);
}

TEST_F(Exchanges, ABodyMayBeEmpty) {
  LoopbackServer server([](const std::string&) { return ok; });
  EXPECT_EQ(send({server.url("/"), {}, ""}).response.status, 200);
  EXPECT_THAT(server.requests().at(0), HasSubstr("Content-Length: 0\r\n"));
}

TEST_F(Exchanges, AnyStatusIsAnAnswer) {
  for (const int status : {201, 404, 500}) {
    const Exchange done =
        answered("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: 4\r\n\r\nwhy\n");
    EXPECT_EQ(done.end, End::answered);
    EXPECT_EQ(done.response.status, status);
    EXPECT_EQ(done.response.body, "why\n");
    EXPECT_EQ(done.retry_after, Duration{});
  }
}

TEST_F(Exchanges, WhatIsBeforeTheAnswerIsNone) {
  EXPECT_EQ(answered("HTTP/1.1 100 Continue\r\nRetry-After: 9\r\n\r\n" + ok).response.status, 200);
  EXPECT_EQ(answered("HTTP/1.1 100 Continue\r\nRetry-After: 9\r\n\r\n" + ok).response.body, "ok");
}

TEST_F(Exchanges, ARedirectIsAnAnswer) {
  LoopbackServer server([&](const std::string&) {
    return "HTTP/1.1 302 Found\r\nLocation: /stolen\r\nContent-Length: 0\r\n\r\n";
  });
  EXPECT_EQ(send({server.url("/x"), {}, "body"}).response.status, 302);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Exchanges, OfALongAnswerTheBeginningIsKept) {
  const std::string flood = "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + std::string(65536, 'a') +
                            std::string(1 << 20, 'b');
  const Exchange done = answered(flood);
  EXPECT_EQ(done.end, End::answered) << done.why;
  EXPECT_EQ(done.response.status, 200);
  EXPECT_TRUE(done.response.body == std::string(65536, 'a'));
}

TEST_F(Exchanges, TellHowLongToWait) {
  const auto asked = [&](const std::string& value) {
    return answered("HTTP/1.1 429 X\r\nretry-after: " + value + "\r\nContent-Length: 0\r\n\r\n").retry_after;
  };
  EXPECT_EQ(asked("7"), seconds(7));
  EXPECT_EQ(asked("soon"), Duration{});
  EXPECT_EQ(asked("Wed, 21 Oct 2015 07:28:00 GMT"), Duration{});
  EXPECT_GT(asked("Fri, 31 Dec 2100 23:59:59 GMT"), seconds(3600));
}

TEST_F(Exchanges, NobodyListens) {
  const Exchange done = send({"http://user:pa55word@127.0.0.1:1/T0ken", {}, "body"});
  EXPECT_EQ(done.end, End::cut);
  EXPECT_THAT(done.why, StartsWith("Couldn't connect to server"));
  EXPECT_THAT(done.why, Not(HasSubstr("127.0.0.1")));
}

TEST_F(Exchanges, AConnectionThatBreaksOff) {
  const Exchange nothing = answered("");
  EXPECT_EQ(nothing.end, End::cut);
  EXPECT_EQ(nothing.why, "Server returned nothing (no headers, no data)");
  const Exchange part = answered("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
  EXPECT_EQ(part.end, End::cut);
  EXPECT_EQ(part.why, "Transferred a partial file");
}

TEST_F(Exchanges, NoAnswerInTime) {
  const Exchange done = answered(std::nullopt, std::chrono::milliseconds(300));
  EXPECT_EQ(done.end, End::too_late);
  EXPECT_EQ(done.why, "no answer");
}

TEST_F(Exchanges, EndWhereTheyAreToldToStop) {
  LoopbackServer server([](const std::string&) { return std::nullopt; });
  const Exchange done =
      send({server.url("/x"), {}, "body"}, plenty, [&] { return !server.requests().empty(); });
  EXPECT_EQ(done.end, End::hopeless);
}

TEST_F(Exchanges, ThroughTheProxyOfTheEnvironment) {
  LoopbackServer proxy([](const std::string&) { return ok; });
  variables_.set("http_proxy", proxy.url(""));
  EXPECT_EQ(send({"http://hooks.example.com/x", {}, "body"}).response.body, "ok");
  EXPECT_THAT(proxy.requests().at(0), StartsWith("POST http://hooks.example.com/x HTTP/1.1\r\n"));
}

TEST_F(Exchanges, ACertificateThatCannotBeReadIsNoCertificate) {
  variables_.set("CURL_CA_BUNDLE", "/dev/null/none");
  const Exchange done = send({"https://127.0.0.1:1/x", {}, "body"});
  EXPECT_NE(done.end, End::answered);
}

// Everybody can list the arguments of a process.
TEST_F(Exchanges, NoArgumentHoldsWhatIsSent) {
  std::string listed;
  auto server = std::make_unique<LoopbackServer>([&](const std::string&) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const auto words = fs::read_file(entry.path() / "cmdline");  // of one that has ended there are none
      if (words) listed += *words;
    }
    return ok;
  });
  const std::string secret = "Z" + std::to_string(::getpid()) + "secret";
  EXPECT_EQ(send({server->url("/" + secret), {"X-Key: " + secret}, secret}).response.body, "ok");
  server.reset();  // its thread wrote the list
  EXPECT_THAT(listed, HasSubstr("curl"));
  EXPECT_THAT(listed, Not(HasSubstr(secret)));
}

std::size_t open_files() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST_F(Exchanges, LeaveNothingBehind) {
  answered(ok);
  const std::size_t before = open_files();
  answered(ok);
  answered("HTTP/1.1 200 OK\r\n\r\n" + std::string(1 << 20, 'a'));
  answered(std::nullopt, std::chrono::milliseconds(100));
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(Exchanges, TellWhatTheySendWith) {
  ASSERT_TRUE(can_send());
  EXPECT_THAT(sender().value_or(""), testing::ContainsRegex("^/.*curl [0-9]+\\.[0-9.]+, "));
}

// --- the program alone -----------------------------------------------------------------------------

class Program : public Temporary {
 protected:
  // Put a program curl of these lines where it is found first.
  void put_curl(const std::string& lines) {
    put("bin/curl", "#!/bin/sh\n" + lines);
    std::filesystem::permissions(root / "bin/curl", std::filesystem::perms::owner_all);
    variables_.set("PATH", (root / "bin").string());
  }
  Exchange send(Duration limit = plenty) {
    return exchange({"http://h/x", {}, "body"}, limit, [] { return false; });
  }

  Variables variables_;
};

TEST_F(Program, IsNotThere) {
  variables_.set("PATH", root.string() + "::bin:.");
  EXPECT_EQ(can_send().error().message, "there is no program curl in PATH on this host; install curl");
  EXPECT_FALSE(sender());
  EXPECT_EQ(send().end, End::hopeless);
}

TEST_F(Program, DoesNotStart) {
  put_curl("");
  put("bin/curl", "#!/no/such/program\n");
  EXPECT_EQ(send().end, End::hopeless);
  EXPECT_EQ(send().why, "curl: No such file or directory");
}

TEST_F(Program, EndsInItsOwnWays) {
  put_curl("exit 127\n");
  EXPECT_EQ(send().why, "curl gave up with code 127");
  EXPECT_EQ(sender().error().message, (root / "bin/curl").string() + " tells no version");
  put_curl("kill -9 $$\n");
  EXPECT_EQ(send().end, End::cut);
  EXPECT_EQ(send().why, "curl was ended by a signal");
  put_curl("exit 0\n");
  EXPECT_EQ(send().why, "Weird server reply");
  put_curl("exit 28\n");
  EXPECT_EQ(send().end, End::too_late);
  put_curl("echo 'curl: (60) SSL certificate problem: self-signed certificate' >&2\nexit 60\n");
  EXPECT_EQ(send().why, "SSL peer certificate or SSH remote key was not OK: self-signed certificate");
}

TEST_F(Program, ReadsNoSettingsOfTheUser) {
  LoopbackServer server([](const std::string&) { return ok; });
  put(".curlrc", "header = \"X-Of: stranger\"\n");
  variables_.set("CURL_HOME", root.string());
  exchange({server.url("/x"), {}, "body"}, plenty, [] { return false; });
  EXPECT_THAT(server.requests().at(0), Not(HasSubstr("stranger")));
}

TEST_F(Program, IsGivenARequestInQuotes) {
  const Request request{"http://h/a\"b\\c", {"A: \"x\""}, "SECRET"};
  const std::string config = curl_config(request, std::chrono::milliseconds(1500)).value();
  EXPECT_THAT(config, HasSubstr("\nurl = \"http://h/a\\\"b\\\\c\"\n"));
  EXPECT_THAT(config, HasSubstr("\nmax-time = \"3\"\n"));
  EXPECT_THAT(config, EndsWith("\nheader = \"A: \\\"x\\\"\"\n"));
  EXPECT_THAT(config, Not(HasSubstr("SECRET")));
  for (const char* header : {"A: b\nurl = \"http://evil/\"", "A: b\r"})
    EXPECT_FALSE(curl_config({"http://h/", {header}, ""}, plenty)) << header;
}

TEST_F(Program, IsGivenTheCertificatesOfTheEnvironment) {
  const auto config = [] { return curl_config({"http://h/", {}, ""}, plenty).value(); };
  variables_.set("CURL_CA_BUNDLE", "");
  variables_.set("SSL_CERT_FILE", std::nullopt);
  EXPECT_THAT(config(), Not(HasSubstr("cacert")));
  variables_.set("SSL_CERT_FILE", "/a b.pem");
  EXPECT_THAT(config(), HasSubstr("\ncacert = \"/a b.pem\"\n"));
  variables_.set("CURL_CA_BUNDLE", "/c.pem");
  EXPECT_THAT(config(), HasSubstr("\ncacert = \"/c.pem\"\n"));
}

TEST(Heads, TheLastOneIsTheAnswers) {
  const Moment now = *parse_iso("2026-10-21T07:27:00Z");
  const auto read = [&](std::string_view text) { return read_heads(text, now); };
  EXPECT_EQ(read("").status, 0);
  EXPECT_EQ(read("nonsense\r\n\r\n").status, 0);
  EXPECT_EQ(read("HTTP/1.1 200 Connected\r\nRetry-After: 5\r\n\r\nHTTP/2 503 \r\n\r\n").status, 503);
  EXPECT_EQ(read("HTTP/1.1 200 Connected\r\nRetry-After: 5\r\n\r\nHTTP/2 503 \r\n\r\n").retry_after,
            Duration{});
  EXPECT_EQ(read("HTTP/1.1 429\r\nRETRY-AFTER:  3 \r\n\r\n").retry_after, seconds(3));
  EXPECT_EQ(read("HTTP/1.1 429\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n\r\n").retry_after,
            seconds(60));
  EXPECT_EQ(read("HTTP/1.1 429\r\nRetry-After: Thu, 21 Oct 2400 07:28:00 GMT\r\n\r\n").retry_after,
            Duration{});
  EXPECT_EQ(read("HTTP/1.1 429\r\nRetry-After: 99999999999999\r\n\r\n").retry_after, std::chrono::hours(24));
}

}  // namespace
}  // namespace gate::net::exchange_test
