#include "worker/hub_notice.h"

#include <gmock/gmock.h>

#include <future>

namespace gate::worker::notice_poster_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<NoticeResult> wait_for_results(NoticePoster& poster, std::size_t count) {
  std::vector<NoticeResult> all;
  while (all.size() < count) {
    for (NoticeResult& result : poster.results()) all.push_back(std::move(result));
    std::this_thread::yield();
  }
  return all;
}

TEST(NoticePoster, PostsInOrderAndTellsHowItWent) {
  std::vector<std::string> bodies;
  NoticePoster poster([&](const std::string& body, const std::function<bool()>&) -> Posted {
    bodies.push_back(body);
    return body == "b" ? Posted{HubAnswer::away, "answered 500"} : Posted{};
  });
  poster.send({1, 4, "a"});
  poster.send({2, 5, "b"});
  const auto results = wait_for_results(poster, 2);
  EXPECT_THAT(bodies, ElementsAre("a", "b"));
  EXPECT_EQ(results[0].number, 1);
  EXPECT_EQ(results[0].version, 4);
  EXPECT_EQ(results[0].posted.answer, HubAnswer::taken);
  EXPECT_EQ(results[1].posted.answer, HubAnswer::away);
  EXPECT_EQ(results[1].posted.why, "answered 500");
  EXPECT_THAT(poster.results(), IsEmpty());
}

TEST(NoticePoster, DoesNotWaitForAHubThatHangs) {
  std::promise<void> began;
  {
    NoticePoster poster([&](const std::string&, const std::function<bool()>& stop) -> Posted {
      began.set_value();
      while (!stop()) std::this_thread::yield();
      return {HubAnswer::away, "interrupted"};
    });
    poster.send({1, 1, "a"});
    poster.send({2, 1, "b"});
    began.get_future().wait();
  }
}

}  // namespace
}  // namespace gate::worker::notice_poster_test
