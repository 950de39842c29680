#include "gate/render/notice.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "sample_reports.h"

namespace gate::render::notice_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string job = "https://ci.example.com/jobs/7?a=b&c=d";

Report red_report() {
  return sample::report({sample::regressed_case(), sample::passed_case(), sample::hung_case()}, 1);
}
Notice red_notice() { return notice_of(red_report(), job); }

Json body(NoticeKind kind, const Notice& notice, const MessageProof& proof = {}) {
  return Json::parse(notice_body(kind, notice, proof));
}

TEST(Notice, TellsWhatIsRedAndWhereItBegan) {
  const Notice notice = red_notice();
  EXPECT_EQ(notice.title, "RED: 1 hung, 1 regressed, 1 passed (exit 1)");
  EXPECT_EQ(notice.about, "gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4");
  ASSERT_EQ(notice.cases.size(), 2u);
  EXPECT_EQ(notice.cases[0].name, "tinygpt/dp2");
  EXPECT_EQ(notice.cases[0].verdict, "regressed");
  EXPECT_EQ(notice.cases[0].owner, "zhangwei");
  EXPECT_EQ(notice.cases[0].what, "lm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)");
  EXPECT_EQ(notice.cases[0].first, "first step 2: 4.1612 -> 4.1803, delta +0.01911 (+0.46 %) train.log:34");
  EXPECT_EQ(notice.cases[1].what, "hung during training: silent 15m, limit 15m");
  EXPECT_EQ(notice.cases[1].first, "");
  EXPECT_THAT(notice.next,
              ElementsAre("gate explain tinygpt/dp2 --run 1121-0203", "gate run --again 1121-0203"));
  EXPECT_EQ(notice.link, job);
}

TEST(Notice, OfAGreenRunHasNoCases) {
  const Notice notice = notice_of(sample::report({sample::passed_case()}, 0), "");
  EXPECT_EQ(notice.title, "GREEN: 1 passed (exit 0)");
  EXPECT_THAT(notice.cases, IsEmpty());
  EXPECT_THAT(notice.next, IsEmpty());
  for (const NoticeKindRow& row : notice_kinds())
    EXPECT_THAT(notice_body(row.kind, notice, {}), HasSubstr("GREEN: 1 passed")) << row.name;
}

TEST(Notice, TakesOnlyPlainLinks) {
  for (const char* bad : {"javascript:alert(1)", "https://a/<!channel>", "https://a/b c", "https://a/)[x](b",
                          "https://a/|x", "ftp://a/b", "https://a/\n", "https://a/\xe2\x80\xae"})
    EXPECT_EQ(notice_of(red_report(), bad).link, "") << bad;
  EXPECT_EQ(notice_of(red_report(), "https://a/" + std::string(600, 'x')).link, "");
}

TEST(NoticeBody, Generic) {
  EXPECT_EQ(body(NoticeKind::generic, red_notice()), Json::parse(R"json({
    "schema": "gate.notice/1",
    "text": "RED: 1 hung, 1 regressed, 1 passed (exit 1)",
    "about": "gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4",
    "suite": "llm-st", "run": "1121-0203", "host": "npu-07", "platform": "ascend-910b3", "commit": "9c1e2f4",
    "started": "2026-11-21T02:03:04Z", "finished": "2026-11-21T02:04:04Z", "duration_s": 6720.0, "exit_code": 1,
    "totals": {"passed": 1, "skipped": 0, "red": 2},
    "red": [
      {"case": "tinygpt/dp2", "verdict": "regressed", "owner": "zhangwei",
       "what": "lm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)",
       "first": "first step 2: 4.1612 -> 4.1803, delta +0.01911 (+0.46 %) train.log:34"},
      {"case": "mixtral_tp4_ep2", "verdict": "hung", "owner": "",
       "what": "hung during training: silent 15m, limit 15m", "first": ""}
    ],
    "next": ["gate explain tinygpt/dp2 --run 1121-0203", "gate run --again 1121-0203"],
    "link": "https://ci.example.com/jobs/7?a=b&c=d"
  })json"));
}

TEST(NoticeBody, Slack) {
  EXPECT_EQ(body(NoticeKind::slack, red_notice()), Json::parse(R"json({
    "text": "RED: 1 hung, 1 regressed, 1 passed (exit 1)",
    "blocks": [
      {"type": "header",
       "text": {"type": "plain_text", "text": "RED: 1 hung, 1 regressed, 1 passed (exit 1)", "emoji": false}},
      {"type": "section", "text": {"type": "mrkdwn", "verbatim": true, "text":
        "```gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4```"}},
      {"type": "section", "text": {"type": "mrkdwn", "verbatim": true, "text":
        "```REGRESSED tinygpt/dp2  owner zhangwei\nlm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)\nfirst step 2: 4.1612 -&gt; 4.1803, delta +0.01911 (+0.46 %) train.log:34```"}},
      {"type": "section", "text": {"type": "mrkdwn", "verbatim": true, "text":
        "```HUNG mixtral_tp4_ep2\nhung during training: silent 15m, limit 15m```"}},
      {"type": "section", "text": {"type": "mrkdwn", "verbatim": true, "text":
        "```gate explain tinygpt/dp2 --run 1121-0203\ngate run --again 1121-0203```"}},
      {"type": "section", "text": {"type": "mrkdwn", "verbatim": true, "text":
        "<https://ci.example.com/jobs/7?a=b&amp;c=d|the job>"}}
    ]
  })json"));
}

TEST(NoticeBody, Feishu) {
  EXPECT_EQ(body(NoticeKind::feishu, red_notice(), {"1700000000", "c2lnbg=="}), Json::parse(R"json({
    "timestamp": "1700000000", "sign": "c2lnbg==", "msg_type": "interactive",
    "card": {
      "config": {"wide_screen_mode": true},
      "header": {"title": {"tag": "plain_text", "content": "RED: 1 hung, 1 regressed, 1 passed (exit 1)"},
                 "template": "red"},
      "elements": [
        {"tag": "div", "text": {"tag": "plain_text", "content":
          "gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4"}},
        {"tag": "div", "text": {"tag": "plain_text", "content":
          "REGRESSED tinygpt/dp2  owner zhangwei\nlm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)\nfirst step 2: 4.1612 -> 4.1803, delta +0.01911 (+0.46 %) train.log:34"}},
        {"tag": "div", "text": {"tag": "plain_text", "content":
          "HUNG mixtral_tp4_ep2\nhung during training: silent 15m, limit 15m"}},
        {"tag": "div", "text": {"tag": "plain_text", "content":
          "gate explain tinygpt/dp2 --run 1121-0203\ngate run --again 1121-0203"}},
        {"tag": "action", "actions": [{"tag": "button", "text": {"tag": "plain_text", "content": "the job"},
          "type": "default", "url": "https://ci.example.com/jobs/7?a=b&c=d"}]}
      ]
    }
  })json"));
  EXPECT_FALSE(body(NoticeKind::feishu, red_notice()).contains("sign"));
}

TEST(NoticeBody, DingTalk) {
  EXPECT_EQ(body(NoticeKind::dingtalk, red_notice()), Json::parse(R"json({
    "msgtype": "markdown",
    "markdown": {
      "title": "RED: 1 hung, 1 regressed, 1 passed (exit 1)",
      "text": "#### RED: 1 hung, 1 regressed, 1 passed (exit 1)\n\ngate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4\n\n**REGRESSED tinygpt/dp2  owner zhangwei**\n\n> lm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)\n\n> first step 2: 4.1612 -＞ 4.1803, delta +0.01911 (+0.46 %) train.log:34\n\n**HUNG mixtral_tp4_ep2**\n\n> hung during training: silent 15m, limit 15m\n\ngate explain tinygpt/dp2 --run 1121-0203\n\ngate run --again 1121-0203\n\n[the job](https://ci.example.com/jobs/7?a=b&c=d)\n\n"
    },
    "at": {"isAtAll": false}
  })json"));
}

TEST(NoticeBody, WeCom) {
  EXPECT_EQ(body(NoticeKind::wecom, red_notice()), Json::parse(R"json({
    "msgtype": "markdown",
    "markdown": {
      "content": "#### RED: 1 hung, 1 regressed, 1 passed (exit 1)\ngate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4\n**REGRESSED tinygpt/dp2  owner zhangwei**\n> lm_loss  14 of 15 steps (1-15) out of ±0.01, largest +0.6 (+15.4 %)\n> first step 2: 4.1612 -＞ 4.1803, delta +0.01911 (+0.46 %) train.log:34\n**HUNG mixtral_tp4_ep2**\n> hung during training: silent 15m, limit 15m\ngate explain tinygpt/dp2 --run 1121-0203\ngate run --again 1121-0203\n[the job](https://ci.example.com/jobs/7?a=b&c=d)\n"
    }
  })json"));
}

const std::string hostile =
    "<!channel> <@all> <at user_id=\"all\"></at> @all **b** _i_ `c` ``` [x](http://e.com) ![y](z) "
    "&lt;!here&gt; "
    "~s~ # h\n> q\x1b[2J\xff\xfe \xe2\x80\xae";

Report hostile_report() {
  CaseReport one = sample::regressed_case();
  one.reason = hostile;
  one.name = one.owner = hostile;
  one.checks[0].metric = one.checks[0].rule = one.checks[0].unit = hostile;
  one.checks[0].first_miss->file = hostile;
  Report report = sample::report({one}, 1);
  report.suite = report.host = report.run = report.platform = report.commit = hostile;
  return report;
}

// Return every text of the JSON, one a line.
std::string texts(const Json& json) {
  if (json.is_string()) return json.get<std::string>() + "\n";
  std::string all;
  for (const Json& part : json)
    if (part.is_structured() || part.is_string()) all += texts(part);
  return all;
}

TEST(HostileNotice, HoldsNothingThatATerminalObeysAndIsJson) {
  for (const NoticeKindRow& row : notice_kinds()) {
    std::string all = texts(body(row.kind, notice_of(hostile_report(), job)));
    std::erase(all, '\n');
    EXPECT_EQ(all, safe(all)) << row.name;
    EXPECT_THAT(all, HasSubstr("x1b")) << row.name;
  }
}

TEST(HostileNotice, SlackIsToldNoMentionAndItsBlocksStayClosed) {
  const Json slack = body(NoticeKind::slack, notice_of(hostile_report(), ""));
  for (const Json& block : slack["blocks"]) {
    std::string text = block["text"]["text"];
    if (block["type"] == "header") continue;
    ASSERT_TRUE(text.starts_with("```") && text.ends_with("```")) << text;
    text = text.substr(3, text.size() - 6);
    EXPECT_EQ(text.find_first_of("<>`"), std::string::npos) << text;
    EXPECT_THAT(text, Not(HasSubstr("& "))) << text;
  }
  EXPECT_THAT(slack["blocks"][2]["text"]["text"].get<std::string>(), HasSubstr("&lt;!channel&gt;"));
  EXPECT_THAT(slack["blocks"][2]["text"]["text"].get<std::string>(), HasSubstr("&amp;lt;!here&amp;gt;"));
}

TEST(HostileNotice, FeishuIsToldPlainTextsAlone) {
  const std::function<void(const Json&)> look = [&](const Json& json) {
    if (json.is_object()) {
      EXPECT_EQ(json.value("tag", "") == "plain_text", json.contains("content"));
    }
    for (const Json& part : json)
      if (part.is_structured()) look(part);
  };
  const Json feishu = body(NoticeKind::feishu, notice_of(hostile_report(), job));
  EXPECT_THAT(texts(feishu), HasSubstr("<at user_id=\"all\">"));
  look(feishu);
}

TEST(HostileNotice, MarkdownIsToldNoMarkup) {
  for (const NoticeKind kind : {NoticeKind::dingtalk, NoticeKind::wecom}) {
    const std::string text = texts(body(kind, notice_of(hostile_report(), "")));
    for (const char* markup : {"<", "@", "`", "~", "[", "](", "_i_", "**b", "&", "\n# ", "\n> q"})
      EXPECT_THAT(text, Not(HasSubstr(markup)));
    EXPECT_THAT(text, HasSubstr("＜!channel＞ ＜＠all＞"));
  }
}

Report large_report(const std::string& text) {
  CaseReport one = sample::regressed_case();
  one.name = one.owner = one.checks[0].metric = one.checks[0].rule = one.checks[0].first_miss->file = text;
  Report report = sample::report(std::vector<CaseReport>(2000, one), 1);
  report.suite = report.host = report.run = report.commit = text;
  return report;
}

std::size_t longest_text(const Json& json) {
  if (json.is_string()) return json.get<std::string>().size();
  std::size_t longest = 0;
  for (const Json& part : json)
    if (part.is_structured() || part.is_string()) longest = std::max(longest, longest_text(part));
  return longest;
}

TEST(LargeNotice, KeepsToTheLimitsOfItsReceiverAndCountsWhatIsLeftOut) {
  for (const std::string& unit : {std::string("a\""), std::string("<&"), std::string("训练"),
                                  std::string("\xff"), std::string("*_"), std::string("e\xcc\x81")}) {
    std::string text;
    while (text.size() < 3000) text += unit;
    const Notice notice = notice_of(large_report(text), "https://a/" + std::string(480, 'x'));
    const Json slack = body(NoticeKind::slack, notice), wecom = body(NoticeKind::wecom, notice);
    EXPECT_LE(longest_text(slack), 3000u) << unit;
    EXPECT_LE(slack["blocks"].size(), 50u);
    EXPECT_LE(slack["blocks"][0]["text"]["text"].get<std::string>().size(), 150u);
    EXPECT_LE(notice_body(NoticeKind::feishu, notice, {}).size(), 30'000u) << unit;
    EXPECT_LE(notice_body(NoticeKind::dingtalk, notice, {}).size(), 20'000u) << unit;
    EXPECT_LE(wecom["markdown"]["content"].get<std::string>().size(), 4096u) << unit;
    EXPECT_THAT(texts(slack), HasSubstr("and 1990 red cases more"));
    EXPECT_THAT(texts(wecom), HasSubstr("red cases more"));
    EXPECT_EQ(body(NoticeKind::generic, notice)["totals"]["red"], 2000);
  }
}

TEST(LargeNotice, OfShortNamesTellsTen) {
  const Notice notice = notice_of(sample::report(std::vector<CaseReport>(2000, sample::hung_case()), 4), job);
  EXPECT_EQ(notice.cases.size(), 10u);
  for (const NoticeKind kind :
       {NoticeKind::slack, NoticeKind::feishu, NoticeKind::dingtalk, NoticeKind::wecom})
    EXPECT_THAT(texts(body(kind, notice)), HasSubstr("and 1990 red cases more"));
}

}  // namespace
}  // namespace gate::render::notice_test
