#include "gate/config/receiver.h"

#include <gmock/gmock.h>

#include "gate/config/settings.h"
#include "policy_text.h"

namespace gate::config::receivers_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Receiver only(std::string_view toml) {
  const std::vector<Receiver> all = policy(toml).receivers();
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Receiver{} : all[0];
}

TEST(Receivers, NoneWhereNobodySaysAnything) { EXPECT_THAT(policy("").receivers(), IsEmpty()); }

TEST(Receivers, HaveTheBuiltInValues) {
  const Receiver team = only("[notify.team]\nkind = 'slack'\nurl_env = 'TEAM_WEBHOOK'\n");
  EXPECT_EQ(team.name, "team");
  EXPECT_EQ(team.kind, NoticeKind::slack);
  EXPECT_EQ(team.url, "");
  EXPECT_EQ(team.url_env, "TEAM_WEBHOOK");
  EXPECT_EQ(team.secret_env, "");
  EXPECT_EQ(team.on, NotifyOn::red);
  EXPECT_EQ(team.timeout, std::chrono::seconds(10));
  EXPECT_EQ(team.retries, 2);
}

TEST(Receivers, HaveWhatIsSaid) {
  const Receiver farm = only(R"(
[notify."the farm"]
kind = "dingtalk"
url = "https://oapi.dingtalk.com/robot/send?access_token=a"
secret_env = "DING_SECRET"
on = "always"
)");
  EXPECT_EQ(farm.name, "the farm");
  EXPECT_EQ(farm.kind, NoticeKind::dingtalk);
  EXPECT_EQ(farm.url, "https://oapi.dingtalk.com/robot/send?access_token=a");
  EXPECT_EQ(farm.secret_env, "DING_SECRET");
  EXPECT_EQ(farm.on, NotifyOn::always);
}

TEST(Receivers, StandInTheOrderOfTheFile) {
  const std::vector<Receiver> all = policy(
                                        "[notify.b]\nkind='wecom'\nurl_env='B'\n"
                                        "[notify.a]\nkind='feishu'\nurl_env='A'\n")
                                        .receivers();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name + all[1].name, "ba");
}

TEST(Receivers, EveryKindCanBeWritten) {
  for (const NoticeKindRow& row : notice_kinds())
    EXPECT_EQ(only("[notify.x]\nkind = '" + std::string(row.name) + "'\nurl_env = 'X'\n").kind, row.kind);
}

TEST(Receivers, TableHoldsTheirKeys) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : notify_keys()) keys.push_back(row.key);
  EXPECT_THAT(keys, ElementsAre("kind", "url", "url_env", "secret_env", "on"));
}

TEST(ReceiverMistakes, OfKeysAndTables) {
  EXPECT_EQ(mistakes("[notify.team]\nkind = 'slack'\nurl_env = 'T'\nsecret_evn = 'S'\n"),
            "gate.toml:4:1: unknown key \"secret_evn\"; did you mean \"secret_env\"?");
  EXPECT_EQ(mistakes("[notify.team]\nkind = 'slack'\nurl_env = 'T'\nretries = 2\n"),
            "gate.toml:4:1: \"retries\" is an old word; write nothing: there are two further tries");
  EXPECT_EQ(mistakes("[notify]\nkind = 'slack'\n"),
            "gate.toml:2:1: [notify] holds tables, one for each receiver, such as [notify.team]");
  EXPECT_EQ(mistakes("notify = 'me'\n"), "gate.toml:1:10: [notify] is a table of keys, not \"me\"");
  EXPECT_EQ(mistakes("[notifi.team]\nkind = 'slack'\n"),
            "gate.toml:1:2: unknown table \"notifi\"; did you mean \"notify\"?");
}

TEST(ReceiverMistakes, OfValues) {
  const std::string good = "[notify.t]\nkind = 'feishu'\nurl_env = 'T'\n";
  EXPECT_EQ(mistakes("[notify.t]\nkind = 'slak'\nurl_env = 'T'\n"),
            "gate.toml:2:8: unknown kind \"slak\"; did you mean \"slack\"?");
  EXPECT_EQ(mistakes(good + "on = 'green'\n"), "gate.toml:4:6: unknown moment \"green\"; known: red, always");
}

TEST(ReceiverMistakes, OfWhatIsMissingOrTooMuch) {
  EXPECT_EQ(mistakes("[notify.t]\nurl_env = 'T'\n"),
            "gate.toml:1:9: notify \"t\" has no kind; write one of: generic, slack, feishu, dingtalk, wecom");
  EXPECT_EQ(mistakes("[notify.t]\nkind = 'slack'\n"),
            "gate.toml:1:9: notify \"t\" has neither a url_env nor a url; write e.g. url_env = "
            "\"TEAM_WEBHOOK\"");
  EXPECT_EQ(mistakes("[notify.t]\nkind = 'slack'\nurl_env = 'T'\nurl = 'https://a.b/c'\n"),
            "gate.toml:4:1: notify \"t\" has both a url and a url_env; leave one of them out");
  EXPECT_EQ(mistakes("[notify.t]\nkind = 'slack'\nurl_env = 'T'\nsecret_env = 'S'\n"),
            "gate.toml:4:1: notify \"t\": a message of the kind slack is not signed; leave secret_env out");
}

TEST(ReceiverMistakes, NeverShowAnAddressOrASecret) {
  const std::string slips =
      mistakes(
          "[notify.t]\nkind = 'feishu'\nurl_env = 'https://x.example.com/TOKEN'\nsecret_env = 'TOKEN-x'\n") +
      mistakes("[notify.t]\nkind = 'feishu'\nurl = 'ftp://x.example.com/TOKEN'\n") +
      mistakes("[notify.t]\nkind = 'feishu'\nurl = 'hooks.example.com/TOKEN'\n");
  EXPECT_THAT(slips,
              HasSubstr("gate.toml:3:11: what stands here is no name of a variable; write the name alone"));
  EXPECT_THAT(slips, HasSubstr("gate.toml:4:14: what stands here is no name"));
  EXPECT_THAT(slips, HasSubstr("gate.toml:3:7: the url does not begin with https://HOST or http://HOST"));
  EXPECT_THAT(slips, Not(HasSubstr("TOKEN")));
}

TEST(ReceiverMistakes, OfAddresses) {
  const auto of = [](const std::string& url) {
    return mistakes("[notify.t]\nkind = 'slack'\nurl = \"" + url + "\"\n");
  };
  for (const char* good : {"https://a.b/c", "http://localhost:8080", "HTTPS://A/b?c=d"})
    EXPECT_EQ(of(good), "");
  for (const char* bad : {"https://", "https:///x", "http://?x", "file:///etc/passwd", "https://a/b c",
                          "https://a/b\\nHost: c", "gopher://a", " https://a", ""})
    EXPECT_NE(of(bad), "") << bad;
}

}  // namespace
}  // namespace gate::config::receivers_test
