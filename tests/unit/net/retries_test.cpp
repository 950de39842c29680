#include "net/exchange.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate::net::retries_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration plenty = seconds(60);

Exchange answered(int status, Duration retry_after = {}) {
  return {Exchange::End::answered, {status, "body"}, retry_after, ""};
}
Exchange cut() { return {Exchange::End::cut, {}, {}, "cut off"}; }
Exchange hopeless() { return {Exchange::End::hopeless, {}, {}, "no certificate"}; }

struct Tried {
  std::string result;  // status or error
  std::size_t tries = 0;
};

// Tries until the exchanges are used up; the last one is repeated.
Tried post_all(
    const std::vector<Exchange>& exchanges, int retries, Duration timeout = plenty,
    const Stop& stop = [] { return false; }) {
  Tried tried;
  Request request;
  request.timeout = timeout;
  request.retries = retries;
  const Result<Response> result = with_retries(
      request, stop, [&](Duration) { return exchanges[std::min(tried.tries++, exchanges.size() - 1)]; });
  tried.result = result ? std::to_string(result->status) : result.error().message;
  return tried;
}

void expect(const Tried& tried, const std::string& result, std::size_t tries) {
  EXPECT_EQ(tried.result, result);
  EXPECT_EQ(tried.tries, tries);
}

TEST(Retries, NoneWhereTheAnswerIsSettled) {
  for (const int status : {200, 204, 301, 400, 401, 404, 410})
    expect(post_all({answered(status)}, 3), std::to_string(status), 1);
}

TEST(Retries, AfterServerErrorsTooManyRequestsAndCuts) {
  expect(post_all({answered(500), answered(200)}, 2), "200", 2);
  expect(post_all({answered(503), cut(), answered(204)}, 2), "204", 3);
  expect(post_all({answered(429), answered(404)}, 2), "404", 2);
}

TEST(Retries, AreCounted) {
  expect(post_all({answered(500)}, 0), "500", 1);
  expect(post_all({answered(500)}, 1), "500", 2);
  expect(post_all({cut()}, 1), "cut off (2 tries)", 2);
}

TEST(Retries, NoneWhereTheyWouldNotHelp) { expect(post_all({hopeless()}, 9), "no certificate", 1); }

TEST(Retries, NoneThatTheLimitHasNoRoomFor) {
  expect(post_all({answered(429, std::chrono::hours(24)), answered(200)}, 5), "429", 1);
  expect(post_all({answered(500), answered(200)}, 5, milliseconds(1)), "500", 1);
}

TEST(Retries, EachTryHasWhatIsLeft) {
  Request request;
  request.timeout = plenty;
  request.retries = 1;
  std::vector<Duration> limits;
  with_retries(
      request, [] { return false; },
      [&](Duration limit) {
        limits.push_back(limit);
        return cut();
      });
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_LE(limits[0], plenty);
  EXPECT_LT(limits[1], limits[0]);
}

TEST(Retries, EndWhereTheyAreToldToStop) {
  expect(post_all({cut()}, 9, plenty, [] { return true; }), "interrupted", 1);
}

TEST(Retries, ErrorNamesTheLimitThatWasReached) {
  expect(post_all({cut(), {Exchange::End::too_late, {}, {}, "no answer"}}, 3),
         "no answer within 1m (2 tries)", 2);
}

}  // namespace
}  // namespace gate::net::retries_test
