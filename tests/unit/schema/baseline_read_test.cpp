#include <gmock/gmock.h>

#include "gate/schema/baseline_file.h"
#include "schema/json/json_in.h"

namespace gate::schema::baseline_read_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text) {
  const auto read = read_baseline(text, "b.json");
  return read ? "no error" : read.error().message;
}

// Return a baseline with one series whose members are the text.
std::string with_series(const std::string& members) {
  return R"({"schema": "gate.baseline/1", "case": "c", "runs": [{"series": [)"
         "\n{" +
         members + "}]}]}";
}

TEST(ReadBaseline, ReadsWhatPeopleWouldWrite) {
  const auto read = read_baseline(
      with_series(R"("metric": "lm_loss", "numbers": [1, 2, 5], "values": ["1.5", null, "nan"])"), "b");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  const Series& series = read->runs.at(0).series.at(0);
  EXPECT_EQ(read->origin, "gate");
  EXPECT_EQ(series.numbered(), Numbering::step);
  EXPECT_EQ(series.samples()[0].text, "1.5");
  EXPECT_EQ(series.samples()[1].value.kind, ValueKind::left_out);
  EXPECT_EQ(series.samples()[2].value.kind, ValueKind::nan);
  EXPECT_EQ(series.samples()[2].number, 5);
}

// What a tree says, whether its lists are folded or not.
void tell(const Json& json, std::string& out) {
  if (json.folded == 0) out += json.text;
  out += " " + std::to_string(static_cast<int>(json.kind)) + json.key + "@" + std::to_string(json.at);
  for (const Json& item : json.items) tell(item, out);
  each_folded(json, [&](std::string_view word, std::size_t at) {
    tell({Json::Kind::text, static_cast<std::uint32_t>(at), json.key_at, "", std::string(word), {}}, out);
  });
}

std::string told(const Result<Json>& tree) {
  std::string out = tree ? "" : tree.error().message;
  if (tree) tell(*tree, out);
  return out;
}

// Cut anywhere, with any byte changed, and with whatever may stand there in its place.
TEST(ReadBaseline, FoldedListsAreReadAsOthers) {
  const std::string text =
      "\xEF\xBB\xBF{\"k\": \"\\\"values\", \"values\" : [ \"1.5\" ,\n\"2E-3\",\"nan\"], \"a\": {\"values\": "
      "[\"3\"], \"b\": [\"4\"]}, \"c\\\"values\": [\"5\"]}";
  const Result<Json> tree = parse_folded(text, "b", "values");
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->find("values")->folded, 3U);
  EXPECT_EQ(tree->find("values")->items.size(), 0U);
  EXPECT_EQ(tree->find("a")->find("b")->folded, 0U);
  const auto alike = [](const std::string& other) {
    EXPECT_EQ(told(parse_folded(other, "b", "values")), told(parse_json(other, "b"))) << other;
  };
  for (std::size_t at = 0; at <= text.size(); ++at) {
    alike(text.substr(0, at));
    for (const char* other : {"", "\"", "\\", "[", "]", ",", ":", "1", " ", "}", "null", "\"values\":["})
      for (const std::size_t taken : {0U, 1U})
        if (at + taken <= text.size()) alike(text.substr(0, at) + other + text.substr(at + taken));
  }
}

TEST(ReadBaseline, WhatIsNoNumberIsToldAtItsPlaceInAFoldedListToo) {
  EXPECT_THAT(error_of(with_series(R"("metric": "m", "numbers": "1-3", "values": ["1", "1-2", "x"])")),
              testing::AllOf(HasSubstr("b.json:2:51: \"1-2\" is no number word"),
                             HasSubstr("b.json:2:58: \"x\" is no number word")));
}

TEST(ReadBaseline, ReadsAByteOrderMark) {
  EXPECT_TRUE(
      read_baseline("\xEF\xBB\xBF" + with_series(R"("metric": "m", "numbers": "1", "values": ["1"])"), "b")
          .has_value());
  EXPECT_THAT(error_of("\xEF\xBB\xBF{\"schema\": 1}"), StartsWith("b.json:1:13: "));
}

TEST(ReadBaseline, NamesThePlaceOfWhatIsNotJson) {
  EXPECT_EQ(error_of(""), "b.json: is empty (0 bytes); fetch or write it again, or remove it");
  EXPECT_EQ(error_of(" \n "), "b.json: holds nothing but blanks; fetch or write it again, or remove it");
  EXPECT_THAT(error_of("{\n  \"case\": tru }"),
              StartsWith("b.json:2:14: not JSON: syntax error while parsing value"));
  EXPECT_THAT(error_of("{\"a\": 1"), StartsWith("b.json:1:8: not JSON: "));
  for (const char* cut : {"{", "{\"a", "{\"a\":", "{\"a\": 1", "{\"a\": [1,\n ", "{\"a\": {\"b\": 2}"})
    EXPECT_THAT(error_of(cut), EndsWith("; the file is cut off: fetch or write it again")) << cut;
  EXPECT_THAT(error_of("{} x"), StartsWith("b.json:1:4: not JSON: "));
  EXPECT_THAT(error_of("{\"a\": 1e999}"), HasSubstr("number overflow parsing '1e999'"));
  EXPECT_THAT(error_of("{\"a\": \"\xFF\"}"), StartsWith("b.json:1:8: not JSON: "));
  for (const char* word : {"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"})
    EXPECT_THAT(error_of("{\"lm loss\": [" + std::string(word) + "]}"),
                EndsWith("; JSON has no NaN or Infinity, which Python writes: write \"nan\""))
        << word;
}

TEST(ReadBaseline, RefusesWhatIsNoObject) {
  EXPECT_EQ(error_of("[1]"), "b.json:1:1: this must be an object, not a list");
  EXPECT_EQ(error_of("7"), "b.json:1:1: this must be an object, not a number");
  EXPECT_EQ(error_of("\"lm loss\""), "b.json:1:1: this must be an object, not a text");
  EXPECT_EQ(error_of("[]"), "b.json:1:1: this must be an object, not a list");
  EXPECT_EQ(error_of("null"), "b.json:1:1: this must be an object, not null");
}

TEST(ReadBaseline, RefusesAKeyTwice) {
  EXPECT_EQ(error_of("{\"case\": 1,\n \"case\": 2}"),
            "b.json:2:2: key \"case\" a second time; remove one of them");
  EXPECT_EQ(error_of(R"({"a": {"b": 1, "c": 2, "\u0062": 3}})"),
            "b.json:1:24: key \"b\" a second time; remove one of them");
}

TEST(ReadBaseline, SurvivesDeepNesting) {
  EXPECT_EQ(error_of(std::string(1'000'000, '[')), "b.json:1:65: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(error_of(objects), "b.json:1:321: nested deeper than 64 levels");
}

TEST(ReadBaseline, RefusesWhatIsTooLarge) {
  if (SANITIZED) GTEST_SKIP() << "takes long; the release tests it";
  EXPECT_THAT(error_of(std::string((std::size_t{64} << 20) + 1, 'x')), HasSubstr("larger than 64 MiB"));
  std::string list = "[0";
  for (int i = 0; i < 1'000'000; ++i) list += ",0";
  EXPECT_THAT(error_of(list), HasSubstr("more than 1000000 values"));
}

TEST(ReadBaseline, RefusesUnknownSchemas) {
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/2"})"),
            "b.json:1:12: unknown schema \"gate.baseline/2\"; this gate reads gate.baseline/1, a newer one "
            "wrote the file");
  EXPECT_EQ(error_of(R"({"schema": "gate.result/1"})"),
            "b.json:1:12: this is the result of a run, not a baseline");
  EXPECT_EQ(error_of(R"({"schema": "gate"})"),
            "b.json:1:12: unknown schema \"gate\"; write \"gate.baseline/1\"");
  EXPECT_EQ(error_of(R"({"schema": 5})"), "b.json:1:12: unknown schema \"5\"; write \"gate.baseline/1\"");
}

TEST(ReadBaseline, SaysWhatItLookedFor) {
  EXPECT_EQ(
      error_of("{}"),
      "b.json:1:1: the object is empty: nothing to compare with; record or import this baseline again, or "
      "remove it");
  EXPECT_EQ(
      error_of(R"({"foo": 1, "bar": 2})"),
      "b.json:1:1: no baseline: neither \"schema\" nor what golden files hold is a key here; it has \"foo\", "
      "\"bar\"; `gate help golden files` lists the golden files that are read");
}

TEST(ReadBaseline, ReportsAllMistakesTogether) {
  EXPECT_EQ(
      error_of("{\"schema\": \"gate.baseline/1\",\n \"case\": 1,\n \"plaform\": \"cpu\",\n \"runs\": []}"),
      "b.json:1:1: a baseline needs at least one run under \"runs\"\n"
      "b.json:2:10: \"case\" must be a text, not a number\n"
      "b.json:3:2: unknown key \"plaform\"; did you mean \"platform\"?");
}

TEST(ReadBaseline, CountsMistakesBeyondTwenty) {
  std::string values = "0";
  for (int i = 0; i < 29; ++i) values += ", 0";
  EXPECT_THAT(error_of(with_series(R"("metric": "m", "numbers": "1-30", "values": [)" + values + "]")),
              testing::EndsWith("\nb.json: and 10 more"));
}

TEST(ReadBaseline, RefusesWrongTypes) {
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "runs": [{}]})"),
            "b.json:1:1: \"case\" is missing here");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "", "runs": [{}]})"),
            "b.json:1:39: \"case\" must not be empty");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": {}})"),
            "b.json:1:1: a baseline needs at least one run under \"runs\"\nb.json:1:52: \"runs\" must be a "
            "list, not an object");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": [7]})"),
            "b.json:1:53: this must be an object, not a number");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": [{}], "formats": [1]})"),
            "b.json:1:70: this must be a text, not a number");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": [{"total": "9"}]})"),
            "b.json:1:63: \"total\" must be a whole number, not a text");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": [{"total": -1}]})"),
            "b.json:1:63: must be a whole number from 0 on, not -1");
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": [{"total": 1.0}]})"),
            "b.json:1:63: must be a whole number from 0 on, not 1.0");
  EXPECT_EQ(
      error_of(
          R"({"schema": "gate.baseline/1", "case": "c", "runs": [{}], "provenance": {"ended_well": 1}})"),
      "b.json:1:87: \"ended_well\" must be true or false, not a number");
}

TEST(ReadBaseline, RefusesBrokenSeries) {
  EXPECT_EQ(error_of(with_series(R"("numbers": "1", "values": ["1"])")),
            "b.json:2:1: \"metric\" is missing here");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "values": ["1"])")),
            "b.json:2:1: \"numbers\" is missing here; write \"1-15\" or a list");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "numbers": "")")),
            "b.json:2:1: \"values\" is missing here");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "rank": -1, "numbers": "1", "values": ["1"])")),
            "b.json:2:25: must be a whole number from 0 on, not -1");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "rank": 2147483648, "numbers": "1", "values": ["1"])")),
            "b.json:2:25: \"rank\" is too large");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "numbered": "epoch", "numbers": "1", "values": ["1"])")),
            "b.json:2:29: unknown numbering \"epoch\"; use step, report or time");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "numbers": "1", "values": ["1"], "conflicts": [4])")),
            "b.json:2:64: 4 is not among the numbers of the series");
}

TEST(ReadBaseline, RefusesBrokenNumbers) {
  const auto numbers = [](const std::string& json) {
    return error_of(with_series(R"("metric": "m", "values": ["1", "2"], "numbers": )" + json));
  };
  EXPECT_EQ(numbers("7"), "b.json:2:50: \"numbers\" must be a text like \"1-15\" or a list, not a number");
  EXPECT_EQ(numbers(R"("2, 1")"), "b.json:2:50: the numbers do not rise at 1");
  EXPECT_EQ(numbers(R"("1, 1")"), "b.json:2:50: the numbers do not rise at 1");
  EXPECT_EQ(numbers(R"("1-3")"), "b.json:2:50: holds more numbers for 2 values");
  EXPECT_EQ(numbers(R"("0-9223372036854775807")"), "b.json:2:50: holds more numbers for 2 values");
  EXPECT_EQ(numbers(R"("1")"), "b.json:2:50: holds 1 numbers for 2 values");
  EXPECT_EQ(numbers(R"("1-x")"), "b.json:2:50: \"1-x\" is no number and no range like 1-15");
  EXPECT_EQ(numbers(R"("2-1")"), "b.json:2:50: \"2-1\" is no number and no range like 1-15");
  EXPECT_EQ(numbers(R"("-1, 2")"), "b.json:2:50: \"-1\" is no number and no range like 1-15");
  EXPECT_EQ(numbers("[2, 1]"), "b.json:2:54: 1 does not rise above 2");
  EXPECT_EQ(numbers("[1]"), "b.json:2:50: holds 1 numbers for 2 values");
  EXPECT_EQ(numbers("[1, \"2\"]"), "b.json:2:54: this must be a whole number, not a text");
}

TEST(ReadBaseline, RefusesWhatIsNoNumberWord) {
  const auto value = [](const std::string& json) {
    return error_of(with_series(R"("metric": "m", "numbers": "1", "values": [)" + json + "]"));
  };
  EXPECT_EQ(value(R"("1.2.3")"), "b.json:2:44: \"1.2.3\" is no number word");
  EXPECT_EQ(value(R"("")"), "b.json:2:44: \"\" is no number word");
  EXPECT_EQ(value("1.25"),
            "b.json:2:44: a value must be a text as printed, like \"1.25\", or null where it was left out; "
            "not a number");
}

TEST(ReadBaseline, RefusesASeriesTwice) {
  EXPECT_EQ(error_of(R"({"schema": "gate.baseline/1", "case": "c", "runs": [{"series": [
{"metric": "m", "rank": 3, "numbers": "1", "values": ["1"]},
{"metric": "m", "rank": 3, "numbers": "1", "values": ["1"]}]}]})"),
            "b.json:3:1: series m rank 3 a second time in this run; remove one of them");
  EXPECT_EQ(error_of(with_series(R"("metric": "m", "numbers": "", "values": [])")),
            "b.json:2:1: series m has no value, and would let every run pass; remove it");
}

TEST(ReadBaseline, ReadsWhatIsUnrecorded) {
  const auto read = read_baseline(
      with_series(R"("metric": "m", "numbers": "1-2, 7", "unrecorded": [3, 9], "values": ["1", "2", "3"])"),
      "b.json");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_THAT(read->runs.at(0).series.at(0).unrecorded(), ElementsAre(3, 9));
}

TEST(ReadBaseline, RefusesWhatCannotBeUnrecorded) {
  const auto unrecorded = [](const std::string& list) {
    return error_of(with_series(
        "\"metric\": \"m\", \"numbers\": \"1-2\", \"values\": [\"1\", \"2\"],\n\"unrecorded\": " + list));
  };
  EXPECT_EQ(unrecorded("[2]"), "b.json:3:16: 2 has a value in the series");
  EXPECT_EQ(unrecorded("[5, 4]"), "b.json:3:19: 4 does not rise");
  EXPECT_EQ(unrecorded("[5, 5]"), "b.json:3:19: 5 does not rise");
  EXPECT_EQ(unrecorded("[-1]"), "b.json:3:16: must be a whole number from 0 on, not -1");
  EXPECT_EQ(unrecorded("[\"5\"]"), "b.json:3:16: this must be a whole number, not a text");
  EXPECT_EQ(unrecorded("\"5\""), "b.json:3:15: \"unrecorded\" must be a list, not a text");
}

TEST(LooksLikeGolden, TellsGoldenFilesFromLogs) {
  EXPECT_TRUE(looks_like_golden(" \n{ \"lm loss\": [1]}"));
  EXPECT_TRUE(looks_like_golden("\xEF\xBB\xBF{}"));
  EXPECT_TRUE(looks_like_golden("{"));
  EXPECT_TRUE(looks_like_golden(""));
  EXPECT_TRUE(looks_like_golden(" \r\n"));
  EXPECT_TRUE(looks_like_golden("1 8.0483\n2 7.75\n"));
  EXPECT_FALSE(looks_like_golden("1 8.0483\n2 7.75\nstep 3\n"));
  EXPECT_FALSE(looks_like_golden("1 8.0483 2.1\n"));
  EXPECT_FALSE(looks_like_golden("1 2\n3 4\n"));
  EXPECT_FALSE(looks_like_golden("1: 8.0483\n"));
  EXPECT_FALSE(looks_like_golden("1.5 8.0483\n"));
  EXPECT_FALSE(looks_like_golden("{\"step\": 1}\n{\"step\": 2}\n"));
  EXPECT_TRUE(looks_like_golden("{\"memo info\": [{\"rank\": 0},\n{\"rank\": 1}]}\n"));
  EXPECT_FALSE(looks_like_golden("{'loss': 1.92, 'epoch': 0.1}"));
  EXPECT_FALSE(looks_like_golden("[2024-01-01 00:00:00] iteration 1/ 10 |"));
  EXPECT_FALSE(looks_like_golden(" iteration 1/ 10 |"));
}

}  // namespace
}  // namespace gate::schema::baseline_read_test
