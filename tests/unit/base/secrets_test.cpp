#include "gate/base/secrets.h"

#include <gmock/gmock.h>

namespace gate::secrets_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Environment = std::map<std::string, std::string>;

std::vector<std::string> secrets(const Environment& environment, std::vector<std::string> listed = {}) {
  return secret_values(environment, listed,
                       [](const std::string& value) { return value == "/etc/hf_token"; });
}

TEST(Secrets, InPlacesArePasswordsSignaturesAndTokens) {
  struct {
    const char* place;
    std::vector<std::string> secrets;
  } const rows[] = {
      {"s3://user:password@host/key", {"password"}},
      {"https://t0ken-123@host:8080/a?b=c", {"t0ken-123"}},
      {"s3://a:pass@word@host/key", {"pass@word"}},
      {"s3://bucket/key?X-Amz-Date=20260101T000000Z&X-Amz-Signature=0123456789ab#x", {"0123456789ab"}},
      {"obs://b/k?AccessKeyId=AKID0123&x-obs-security-token=abcdefgh", {"AKID0123", "abcdefgh"}},
      {"[\"s3://u:password1@h/a\", \"file:///x?sig=password2\"]", {"password1", "password2"}},
      {"s3://bucket/mail@host/key", {}},
      {"/data/user:password@host", {}},
      {"s3://bucket/key?versionId=0123456789", {}},
      {"s3://u:short@h/a?sig=1&token", {}},
      {"", {}},
      {"://@", {}},
  };
  for (const auto& row : rows) EXPECT_EQ(secrets_in_places(row.place), row.secrets) << row.place;
  EXPECT_EQ(without_place_secrets("s3://u:password@h/a?sig=12345678"), "s3://u:***@h/a?sig=***");
}

struct NameRow {
  const char* name;
  bool is_secret;
};

class SecretName : public testing::TestWithParam<NameRow> {};

TEST_P(SecretName, IsToldByItsLook) {
  EXPECT_EQ(!secrets({{GetParam().name, "hf_abcdefgh"}}).empty(), GetParam().is_secret);
}

INSTANTIATE_TEST_SUITE_P(
    Secrets, SecretName,
    testing::Values(NameRow{"HF_TOKEN", true}, NameRow{"TOKEN", true}, NameRow{"ci_job_token", true},
                    NameRow{"CLIENT_SECRET", true}, NameRow{"AWS_SECRET_ACCESS_KEY", true},
                    NameRow{"DB_PASSWORD_OLD", true}, NameRow{"PgPassword", true},
                    NameRow{"WANDB_API_KEY", true}, NameRow{"TOKENIZER", false},
                    NameRow{"TOKENIZER_MODEL", false}, NameRow{"SECRET_TOKENIZER_KEY", false},
                    NameRow{"TOKENS", true}, NameRow{"GITHUB_PAT", true}, NameRow{"KEY", false},
                    NameRow{"KEYBOARD", false}, NameRow{"MONKEY", false}, NameRow{"PASS_WORD", true},
                    NameRow{"smtp_pass", true}, NameRow{"PASSWD", true}, NameRow{"JWT", true},
                    NameRow{"SESSION_COOKIE", true}, NameRow{"GCP_CREDENTIALS_B64", true},
                    NameRow{"OPENAI_APIKEY", true}, NameRow{"API_TOKENS", true},
                    NameRow{"AWS_ACCESS_KEY_ID", true}, NameRow{"PATH", false}, NameRow{"COMPASS", false},
                    NameRow{"PASSES", false}, NameRow{"KEY_ID", false}, NameRow{"COMPAT_MODE", false},
                    NameRow{"HOME", false}));

TEST(Secrets, AreValuesOfEightBytesAndMore) {
  EXPECT_THAT(secrets({{"A_TOKEN", "1234567"}, {"B_TOKEN", "abcdefgh"}}), ElementsAre("abcdefgh"));
  EXPECT_THAT(secrets({{"A_TOKEN", " abcdefg\n"}}), IsEmpty());
}

TEST(Secrets, AreNeitherNumbersNorPathsThatExist) {
  EXPECT_THAT(secrets({{"A_TOKEN", "100000000"}}), IsEmpty());
  EXPECT_THAT(secrets({{"A_TOKEN", "-1000.25000"}}), IsEmpty());
  EXPECT_THAT(secrets({{"A_TOKEN", "/etc/hf_token"}}), IsEmpty());
  EXPECT_THAT(secrets({{"A_TOKEN", "/etc/gone_token"}}), ElementsAre("/etc/gone_token"));
  EXPECT_THAT(secrets({{"A_TOKEN", "12.34.56.78"}}), ElementsAre("12.34.56.78"));
  EXPECT_THAT(secrets({{"A_TOKEN", "12345678e9"}}), ElementsAre("12345678e9"));
}

TEST(Secrets, AreWhatIsListedWhateverItIs) {
  const Environment environment{{"CORP_ID", "100000000"},
                                {"CORP_FILE", "/etc/hf_token"},
                                {"CORP_PIN", "1234"},
                                {"MY_VAR", "abcdefgh"},
                                {"OTHER", "something else"}};
  EXPECT_THAT(secrets(environment), IsEmpty());
  EXPECT_THAT(secrets(environment, {"MY_VAR"}), ElementsAre("abcdefgh"));
  EXPECT_THAT(secrets(environment, {"CORP_*"}), ElementsAre("/etc/hf_token", "100000000"));
  EXPECT_THAT(secrets(environment, {"my_var", "MY"}), IsEmpty());
}

TEST(Secrets, OfSeveralLinesAreMaskedLineByLineToo) {
  const std::string key = "-----BEGIN KEY-----\r\n  MIIEpAIBAAKCAQEA\r\nzz==\r\n-----END KEY-----";
  EXPECT_THAT(secrets({{"SSH_KEY", key + "\n"}}),
              ElementsAre("-----BEGIN KEY-----", key, "-----END KEY-----", "MIIEpAIBAAKCAQEA"));
}

TEST(Secrets, StandOnceEach) {
  EXPECT_THAT(secrets({{"A_TOKEN", "same same"}, {"B_TOKEN", "same same"}}, {"*"}), ElementsAre("same same"));
}

}  // namespace
}  // namespace gate::secrets_test
