#include "worker/postman.h"

#include <gmock/gmock.h>

#include <future>

namespace gate::worker::postman_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Receipt> wait_for_receipts(Postman& postman, std::size_t count) {
  std::vector<Receipt> all;
  while (all.size() < count) {
    for (Receipt& receipt : postman.receipts()) all.push_back(std::move(receipt));
    std::this_thread::yield();
  }
  return all;
}

TEST(Postman, PostsInOrderAndTellsHowItWent) {
  std::vector<std::string> bodies;
  Postman postman([&](const std::string& body, const std::function<bool()>&) -> Posted {
    bodies.push_back(body);
    return body == "b" ? Posted{HubAnswer::away, "answered 500"} : Posted{};
  });
  postman.send({1, 4, "a"});
  postman.send({2, 5, "b"});
  const auto receipts = wait_for_receipts(postman, 2);
  EXPECT_THAT(bodies, ElementsAre("a", "b"));
  EXPECT_EQ(receipts[0].number, 1);
  EXPECT_EQ(receipts[0].version, 4);
  EXPECT_EQ(receipts[0].posted.answer, HubAnswer::taken);
  EXPECT_EQ(receipts[1].posted.answer, HubAnswer::away);
  EXPECT_EQ(receipts[1].posted.why, "answered 500");
  EXPECT_THAT(postman.receipts(), IsEmpty());
}

TEST(Postman, DoesNotWaitForAHubThatHangs) {
  std::promise<void> began;
  {
    Postman postman([&](const std::string&, const std::function<bool()>& stop) -> Posted {
      began.set_value();
      while (!stop()) std::this_thread::yield();
      return {HubAnswer::away, "interrupted"};
    });
    postman.send({1, 1, "a"});
    postman.send({2, 1, "b"});
    began.get_future().wait();
  }
}

}  // namespace
}  // namespace gate::worker::postman_test
