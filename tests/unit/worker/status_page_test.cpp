#include "worker/status_page.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "gate/base/text.h"

namespace gate::worker::status_page_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string ask(const std::string& address, const std::string& request) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(*parse_integer(address.substr(address.rfind(':') + 1))));
  ::inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
  EXPECT_EQ(::send(socket, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string answer;
  std::array<char, 4096> block;
  for (ssize_t count = 0; (count = ::recv(socket, block.data(), block.size(), 0)) > 0;)
    answer.append(block.data(), static_cast<std::size_t>(count));
  ::close(socket);
  return answer;
}

std::string get(const std::string& address, const std::string& path) {
  return ask(address, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
}

TEST(StatusPage, TellsWhatItWasShown) {
  const auto page = StatusPage::open("127.0.0.1:0");
  ASSERT_TRUE(page.has_value()) << page.error().message;
  WorkerNumbers numbers;
  numbers.tests[TestState::running] = 3;
  numbers.posted = 12;
  numbers.seen = SteadyClock::now();
  (*page)->show(numbers);
  const std::string metrics = get((*page)->address(), "/metrics");
  EXPECT_THAT(metrics, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(metrics, HasSubstr("gate_worker_tests{state=\"running\"} 3\n"));
  EXPECT_THAT(metrics, HasSubstr("gate_worker_tests{state=\"pending\"} 0\n"));
  EXPECT_THAT(metrics, HasSubstr("gate_worker_notices_total 12\n"));
  EXPECT_THAT(get((*page)->address(), "/healthz"), HasSubstr("200 OK"));
}

TEST(StatusPage, TellsWhenNothingGoesOn) {
  const auto page = StatusPage::open("127.0.0.1:0");
  ASSERT_TRUE(page.has_value());
  WorkerNumbers numbers;
  numbers.seen = SteadyClock::now() - std::chrono::minutes(5);
  (*page)->show(numbers);
  EXPECT_THAT(get((*page)->address(), "/healthz"), HasSubstr("503"));
  numbers.seen = SteadyClock::now();
  numbers.trouble = "no broker answers";
  (*page)->show(numbers);
  EXPECT_THAT(get((*page)->address(), "/healthz"), HasSubstr("no broker answers"));
}

TEST(StatusPage, IsForThisHostAlone) {
  for (const char* good : {"", "127.0.0.1:9469", "127.1.2.3:0"})
    EXPECT_EQ(why_no_own_address(good), "") << good;
  for (const char* bad :
       {"0.0.0.0:9469", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "x"})
    EXPECT_THAT(why_no_own_address(bad), HasSubstr("is no address of this host alone")) << bad;
}

TEST(StatusPage, RefusesWhatItDoesNotKnow) {
  const auto page = StatusPage::open("127.0.0.1:0");
  ASSERT_TRUE(page.has_value());
  EXPECT_THAT(get((*page)->address(), "/secrets"), HasSubstr("404"));
  EXPECT_THAT(ask((*page)->address(), "POST /metrics HTTP/1.1\r\n\r\n"), HasSubstr("400"));
  EXPECT_THAT(StatusPage::open((*page)->address()).error().message, HasSubstr("in use"));
}

}  // namespace
}  // namespace gate::worker::status_page_test
