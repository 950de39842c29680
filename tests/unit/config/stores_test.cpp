#include "gate/config/stores.h"

#include <gmock/gmock.h>

#include "gate/config/settings.h"
#include "policy_text.h"

namespace gate::config::stores_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto s3 = ObjectService::s3, obs = ObjectService::obs;
using Values = std::map<std::string, std::string>;

const Values aws{{"AWS_ACCESS_KEY_ID", "an-access-key"}, {"AWS_SECRET_ACCESS_KEY", "a-secret-key"}};

std::string problem(ObjectService service, const StoreSettings& settings,
                    const std::optional<std::string>& file, const Values& variables) {
  const auto words = store_words(service, settings, file, variables);
  return words ? "none" : words.error().message;
}

TEST(Stores, HaveTheBuiltInValues) {
  const Stores stores = policy("").stores();
  ASSERT_EQ(stores.size(), 2u);
  for (const auto& [service, store] : stores) {
    EXPECT_EQ(store.endpoint + store.region + store.credentials, "");
    EXPECT_EQ(store.addressing, Addressing::automatic);
  }
}

TEST(Stores, HaveWhatIsSaid) {
  const Stores stores = policy(R"(
[store.obs]
endpoint = "https://obs.cn-north-4.myhuaweicloud.com"
region = "cn-north-4"
addressing = "path"
credentials = "keys"
)")
                            .stores();
  const StoreSettings& store = stores.at(obs);
  EXPECT_EQ(store.endpoint, "https://obs.cn-north-4.myhuaweicloud.com");
  EXPECT_EQ(store.region, "cn-north-4");
  EXPECT_EQ(store.addressing, Addressing::path);
  EXPECT_EQ(store.credentials, "keys");
}

TEST(Stores, TableHoldsTheirKeys) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : store_keys()) keys.push_back(row.key);
  EXPECT_THAT(keys, ElementsAre("endpoint", "region", "addressing", "credentials"));
}

TEST(StoreMistakes, OfKeysAndValues) {
  EXPECT_EQ(mistakes("[store.s3]\nendpiont = 'https://x'\n"),
            "gate.toml:2:1: unknown key \"endpiont\"; did you mean \"endpoint\"?");
  EXPECT_THAT(mistakes("[store.gcs]\nendpoint = 'https://x'\n"), HasSubstr("[store.s3] and [store.obs]"));
  EXPECT_THAT(mistakes("[store]\ns3 = 1\n"), HasSubstr("[store.s3] and [store.obs]"));
  EXPECT_THAT(mistakes("[store.s3]\nendpoint = 'ftp://x'\n"), HasSubstr("does not begin with https://HOST"));
  EXPECT_THAT(mistakes("[store.s3]\naddressing = 'host'\n"), HasSubstr("known: auto, virtual, path"));
  EXPECT_THAT(mistakes("[store.s3]\nretries = 1\n"), HasSubstr("gate.toml:2:1: \"retries\" is an old word"));
  EXPECT_THAT(mistakes("[store.s3]\nsecret_key = 'do-not-show-me'\n"), Not(HasSubstr("do-not-show-me")));
}

TEST(StoreWords, AreOfTheEnvironment) {
  const StoreWords words = *store_words(s3, {}, std::nullopt, aws);
  EXPECT_EQ(words.endpoint, "https://s3.us-east-1.amazonaws.com");
  EXPECT_EQ(words.region, "us-east-1");
  EXPECT_EQ(words.access_key, "an-access-key");
  EXPECT_EQ(words.secret_key, "a-secret-key");
  EXPECT_EQ(words.source, "AWS_ACCESS_KEY_ID");
  Values more = aws;
  more.insert({{"AWS_SESSION_TOKEN", "t"}, {"AWS_REGION", "eu-west-1"}, {"AWS_ENDPOINT_URL", "http://h:1/"}});
  EXPECT_EQ(store_words(s3, {}, std::nullopt, more)->token, "t");
  EXPECT_EQ(store_words(s3, {}, std::nullopt, more)->endpoint, "http://h:1");
  more["AWS_ENDPOINT_URL_S3"] = "http://s3:1";
  EXPECT_EQ(store_words(s3, {}, std::nullopt, more)->endpoint, "http://s3:1");
  StoreSettings said;
  said.endpoint = "https://said";
  EXPECT_EQ(store_words(s3, said, std::nullopt, more)->endpoint, "https://said");
}

TEST(StoreWords, OfObsAreThoseOfAnAccuracyTestToo) {
  const Values contract{{"HUAWEI_CLOUD_ACCESS_KEY_ID", "hw-access"},
                        {"HUAWEI_CLOUD_SECRET_ACCESS_KEY", "hw-secret"},
                        {"HUAWEI_CLOUD_SECURITY_TOKEN", "hw-token"},
                        {"OBS_AK", "half of a pair"},
                        {"BUCKET_NAME", "models"},
                        {"ENDPOINT", "obs.cn-north-4.myhuaweicloud.com"}};
  const StoreWords words = *store_words(obs, {}, std::nullopt, contract);
  EXPECT_EQ(words.access_key + " " + words.secret_key + " " + words.token, "hw-access hw-secret hw-token");
  EXPECT_EQ(words.bucket, "models");
  EXPECT_EQ(words.endpoint, "https://obs.cn-north-4.myhuaweicloud.com");
  EXPECT_EQ(words.source, "HUAWEI_CLOUD_ACCESS_KEY_ID");
}

TEST(StoreWords, AreOfAFile) {
  StoreSettings said;
  said.credentials = "keys";
  const std::string profiles =
      "# keys\n[default]\naws_access_key_id = d-access\naws_secret_access_key=d-secret\n\n"
      "[ci]\naws_access_key_id = c-access\naws_secret_access_key = c-secret\naws_session_token = c-token\n";
  EXPECT_EQ(store_words(s3, said, profiles, aws)->secret_key, "d-secret");
  EXPECT_EQ(store_words(s3, said, profiles, {{"AWS_PROFILE", "ci"}})->token, "c-token");
  EXPECT_EQ(store_words(s3, said, profiles, {})->source, "keys");
  const std::string lines = "export OBS_AK='o-access'\nOBS_SK=\"o-secret\"\nOBS_ENDPOINT=x\n";
  said.region = "cn-north-4";
  EXPECT_EQ(store_words(obs, said, lines, {})->access_key, "o-access");
  EXPECT_EQ(store_words(obs, said, lines, {})->secret_key, "o-secret");
  EXPECT_EQ(store_words(obs, said, "ak = a-key\nsk = s=k==\n", {})->secret_key, "s=k==");
}

TEST(StoreWords, ThatLackSomething) {
  EXPECT_EQ(
      problem(s3, {}, std::nullopt, {}),
      "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write credentials = "
      "\"FILE\" in [store.s3]");
  EXPECT_EQ(problem(obs, {}, std::nullopt, {}),
            "nothing says which server; write endpoint in [store.obs], or set OBS_ENDPOINT");
  StoreSettings said;
  said.credentials = "keys";
  EXPECT_THAT(
      problem(s3, said, "aws_access_key_id = do-not-show-me\n", aws),
      testing::AllOf(HasSubstr("keys: holds no access key and secret key"), Not(HasSubstr("do-not-show"))));
}

TEST(Credentials, AreKnownToBeMasked) {
  EXPECT_THAT(values_of_credentials("[a]\nx = one\n[b]\nx = two\nexport Y='three'\n"),
              testing::UnorderedElementsAre("one", "two", "three"));
  EXPECT_THAT(secret_store_variables(),
              testing::IsSupersetOf({"OBS_SK", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
                                     "HUAWEI_CLOUD_SECRET_ACCESS_KEY"}));
}

TEST(Places, ArePathsAndObjects) {
  for (const char* place : {"a/b", "file:///x", "s3://b/k", "obs://b/k/", "obs://b/{case}/"})
    EXPECT_TRUE(check_place(place)) << place;
  for (const char* place : {"http://h/x", "s3://b/../x", "file://h/x", "gs://b/k"})
    EXPECT_FALSE(check_place(place)) << place;
}

}  // namespace
}  // namespace gate::config::stores_test
