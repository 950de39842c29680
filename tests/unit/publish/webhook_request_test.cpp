#include "publish/webhook_request.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace gate::publish::letter_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Moment moment{std::chrono::milliseconds(1'700'000'000'123)};

config::Receiver receiver(NoticeKind kind) {
  config::Receiver to;
  to.kind = kind;
  to.url_env = "LETTER_TEST_HOOK";
  to.timeout = std::chrono::seconds(7);
  to.retries = 5;
  return to;
}

Result<WebhookRequest> request(const config::Receiver& to) {
  return request_to(to, render::Notice{}, moment);
}

class Letters : public testing::Test {
 protected:
  void SetUp() override {
    setenv("LETTER_TEST_HOOK", " https://hooks.example.com/services/T0kenT0ken?key=V4lueV4lue\n", 1);
    setenv("LETTER_TEST_SECRET", "S3CRET\n", 1);
  }
  void TearDown() override {
    unsetenv("LETTER_TEST_HOOK");
    unsetenv("LETTER_TEST_SECRET");
  }
};

TEST_F(Letters, GoWhereTheVariableSays) {
  const Result<WebhookRequest> to = request(receiver(NoticeKind::slack));
  ASSERT_TRUE(to) << to.error().message;
  EXPECT_EQ(to->request.url, "https://hooks.example.com/services/T0kenT0ken?key=V4lueV4lue");
  EXPECT_EQ(to->host, "hooks.example.com");
  EXPECT_EQ(to->request.timeout, std::chrono::seconds(7));
  EXPECT_EQ(to->request.retries, 5);
}

TEST_F(Letters, ToFeishuAreSignedInTheBody) {
  config::Receiver to = receiver(NoticeKind::feishu);
  EXPECT_THAT(request(to)->request.body, Not(HasSubstr("sign")));
  to.secret_env = "LETTER_TEST_SECRET";
  EXPECT_THAT(
      request(to)->request.body,
      HasSubstr(R"json("timestamp":"1700000000","sign":"POkwkNqUd5EiLMdTWx1Pdo/hdBX37Jyu7wlHED1DCkQ=")json"));
}

TEST_F(Letters, ToDingTalkAreSignedInTheQuery) {
  config::Receiver to = receiver(NoticeKind::dingtalk);
  setenv("LETTER_TEST_SECRET", "SEC0", 1);
  to.secret_env = "LETTER_TEST_SECRET";
  EXPECT_EQ(request(to)->request.url,
            "https://hooks.example.com/services/T0kenT0ken?key=V4lueV4lue&timestamp=1700000000123"
            "&sign=cuKlGNdV45NGLDEUK%2FaanxeyDeXY4bMG5J3GfJl1D08%3D");
}

TEST_F(Letters, MaskTheLongPartsOfTheirAddressAndTheSecret) {
  config::Receiver to = receiver(NoticeKind::feishu);
  to.secret_env = "LETTER_TEST_SECRET";
  const Masker masker = request(to)->masker;
  EXPECT_EQ(masker.mask("T0kenT0ken V4lueV4lue S3CRET hooks.example.com key"),
            "*** *** *** hooks.example.com key");
  EXPECT_EQ(masker.mask("https://hooks.example.com/services/T0kenT0ken?key=V4lueV4lue"), "***");
}

TEST_F(Letters, ThatCannotBeSentSayWhy) {
  config::Receiver to = receiver(NoticeKind::feishu);
  to.secret_env = "LETTER_TEST_NOTHING";
  EXPECT_EQ(request(to).error().message, "the variable LETTER_TEST_NOTHING is not set; nothing was sent");
  setenv("LETTER_TEST_HOOK", "\n", 1);
  EXPECT_EQ(request(to).error().message, "the variable LETTER_TEST_HOOK is not set; nothing was sent");
  setenv("LETTER_TEST_HOOK", "T0kenT0ken", 1);
  EXPECT_EQ(request(to).error().message,
            "the variable LETTER_TEST_HOOK holds no address of http or https; nothing was sent");
}

}  // namespace
}  // namespace gate::publish::letter_test
