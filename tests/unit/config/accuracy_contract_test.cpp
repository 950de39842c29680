#include "gate/config/accuracy_contract.h"

#include <gmock/gmock.h>

#include <set>

#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"
#include "gate/score/score_metric.h"

namespace gate::config::accuracy_contract_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A comparison of an inference, as the fullest list of variables asks for it.
const ContractVariables full{
    {"MODEL_OWNER", "someone"},
    {"MODEL_NAME", "qwen2-0.5b"},
    {"COMMIT_ID", "239f776"},
    {"MODEL_TEMPLATE", "qwen"},
    {"TEST_TYPE", "accuracy_test"},
    {"MODEL_TEST_TYPE", "inference"},
    {"RUN_AS_BASELINE", "False"},
    {"BASELINE_NAME", "qwen2-0.5b-baseline2"},
    {"BASELINE_ID", "baseline_123"},
    {"METRIC", "BLEU"},
    {"THRESHOLD", "0.80"},
    {"OPERATOR", ">="},
    {"BUCKET_NAME", "model-ci"},
    {"ENDPOINT", "https://obs.example.com"},
    {"ACCURACY_TEST_ID", "42"},
    {"INPUT_FILE_NAME", "input.txt"},
    {"INPUT_FILE_PATH", "baselines/7/inference/3/input.txt"},
    {"OUTPUT_FILE_NAME", "output.txt"},
    {"OUTPUT_FILE_PATH", "baselines/7/inference/3/output.txt"},
    {"NUM_COMPUTE_CARDS", "2"},
};

// The least that a comparison needs.
const ContractVariables least{{"MODEL_OWNER", "o"}, {"MODEL_NAME", "m"}, {"OUTPUT_FILE_PATH", "g.txt"}};

ContractVariables with(ContractVariables variables, const ContractVariables& changes) {
  for (const auto& [name, value] : changes) variables[name] = value;
  return variables;
}

AccuracyContract contract_of(const ContractVariables& variables) {
  const Parsed<AccuracyContract> contract = read_accuracy_contract(variables);
  EXPECT_TRUE(contract) << to_string(contract ? Diagnostics{} : contract.error());
  return contract.value_or(AccuracyContract{});
}

std::vector<std::string> mistakes_of(const ContractVariables& variables) {
  const Parsed<AccuracyContract> contract = read_accuracy_contract(variables);
  std::vector<std::string> messages;
  if (!contract)
    for (const Diagnostic& diagnostic : contract.error()) messages.push_back(to_string(diagnostic));
  return messages;
}

std::string mistake_of(const ContractVariables& changes) {
  const std::vector<std::string> all = mistakes_of(with(least, changes));
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " mistakes: " + join(all, "; ");
}

// What the metric must keep: `>= 0.75`.
std::string tolerance_text(const AccuracyContract& contract) {
  return to_string(Bound{contract.comparison, Bound::Side::both, contract.threshold});
}

// The metric and what it must keep: `bleu >= 0.75`.
std::string bound_of(const ContractVariables& changes) {
  const AccuracyContract contract = contract_of(with(least, changes));
  return contract.metric + " " + tolerance_text(contract);
}

TEST(AccuracyContract, OfAllVariables) {
  const AccuracyContract contract = contract_of(full);
  EXPECT_EQ(contract.owner, "someone");
  EXPECT_EQ(contract.model, "qwen2-0.5b");
  EXPECT_EQ(contract.commit, "239f776");
  EXPECT_EQ(contract.model_template, "qwen");
  EXPECT_EQ(contract.test_type, TestType::accuracy);
  EXPECT_EQ(contract.model_test_type, ModelTestType::inference);
  EXPECT_FALSE(contract.run_as_baseline);
  EXPECT_TRUE(contract.is_comparison());
  EXPECT_EQ(contract.baseline_name, "qwen2-0.5b-baseline2");
  EXPECT_EQ(contract.baseline_id, "baseline_123");
  EXPECT_EQ(contract.metric, "bleu");
  EXPECT_EQ(contract.threshold.to_string(), "0.80");
  EXPECT_EQ(contract.comparison, Bound::Kind::at_least);
  EXPECT_EQ(contract.input_file, "baselines/7/inference/3/input.txt");
  EXPECT_EQ(contract.golden_file, "baselines/7/inference/3/output.txt");
  EXPECT_EQ(contract.cards, 2);
  EXPECT_EQ(contract.test_id, "42");
  EXPECT_EQ(contract.bucket, "model-ci");
  EXPECT_EQ(contract.endpoint, "https://obs.example.com");
  EXPECT_EQ(contract.dataset, "");
  EXPECT_EQ(tolerance_text(contract), ">= 0.80");
}

TEST(AccuracyContract, OfTheLeastIsAComparisonOfAnInference) {
  const AccuracyContract contract = contract_of(least);
  EXPECT_TRUE(contract.is_comparison());
  EXPECT_EQ(contract.model_test_type, ModelTestType::inference);
  EXPECT_EQ(contract.metric, "bleu");
  EXPECT_EQ(tolerance_text(contract), ">= 0.75");
  EXPECT_EQ(contract.cards, 1);
  EXPECT_EQ(contract.input_file, "") << "no test must have one";
}

TEST(AccuracyContract, OfTheOldestNames) {
  const AccuracyContract inference = contract_of({{"MODEL_OWNER", "o"},
                                                  {"MODEL_NAME", "m"},
                                                  {"MODEL_TEMPLATE", "internal"},
                                                  {"INPUT_FILE_PATH", "/path/to/input.txt"},
                                                  {"BASELINE_OUTPUT_FILE", "/path/to/output.txt"}});
  EXPECT_EQ(inference.golden_file, "/path/to/output.txt");
  EXPECT_EQ(inference.metric, "bleu");
  const AccuracyContract training = contract_of({{"DATASET_INFO", "alpaca"},
                                                 {"MODEL_OWNER", "o"},
                                                 {"MODEL_NAME", "m"},
                                                 {"BASELINE_LOSS_FILE", "/path/to/loss.jsonl"}});
  EXPECT_EQ(training.golden_file, "/path/to/loss.jsonl");
  EXPECT_EQ(training.model_test_type, ModelTestType::training);
  EXPECT_EQ(training.dataset, "alpaca");
  EXPECT_EQ(training.metric, "mean_relative_error");
  EXPECT_EQ(tolerance_text(training), "<= 0.02");
}

TEST(AccuracyContract, OfTheNamesOfScripts) {
  const AccuracyContract contract = contract_of({{"owner", "o"},
                                                 {"model_name", "m"},
                                                 {"commit_version_id", "c0ffee"},
                                                 {"testType", "usability_test"},
                                                 {"OBS_BUCKET", "b"},
                                                 {"OBS_ENDPOINT", "e"},
                                                 {"TEST_ID", "t"},
                                                 {"NEW_BASELINE_NAME", "n"},
                                                 {"job_id", "of the container: no test"}});
  EXPECT_EQ(contract.owner + contract.model + contract.commit, "omc0ffee");
  EXPECT_EQ(contract.test_type, TestType::usability);
  EXPECT_FALSE(contract.is_comparison());
  EXPECT_EQ(contract.golden_file, "");
  EXPECT_EQ(contract.bucket + contract.endpoint + contract.test_id + contract.baseline_name, "betn");
}

TEST(ContractRows, NameEachVariableOnce) {
  std::set<std::string> names;
  for (const ContractRow& row : contract_rows()) {
    EXPECT_NE(row.doc, "") << row.name;
    EXPECT_TRUE(names.emplace(row.name).second) << row.name;
    for (const std::string_view alias : split_words(row.aliases))
      EXPECT_TRUE(names.emplace(alias).second) << alias;
  }
  EXPECT_EQ(contract_rows().size(), 26U);
  EXPECT_EQ(names.size(), 37U);
}

TEST(ContractRows, EachAliasIsRead) {
  for (const ContractRow& row : contract_rows())
    for (const std::string_view alias : split_words(row.aliases)) {
      ContractVariables canonical = full, other = full;
      canonical.erase("OUTPUT_FILE_NAME");
      other.erase("OUTPUT_FILE_NAME");
      other.erase(std::string(row.name));
      other.emplace(alias, canonical.at(std::string(row.name)));
      EXPECT_EQ(contract_variables(other), contract_variables(canonical)) << alias;
      EXPECT_EQ(contract_of(other).golden_file, contract_of(canonical).golden_file) << alias;
      EXPECT_THAT(mistakes_of(with(canonical, {{std::string(alias), "other"}})),
                  ElementsAre(AllOf(HasSubstr(std::string(row.name) + " is \""),
                                    HasSubstr(std::string(alias) + " is \"other\": both name one thing"))));
    }
}

TEST(ContractAliases, MayBothBeSetToTheSame) {
  EXPECT_EQ(contract_of(with(least, {{"owner", " o "}, {"OWNER", "o"}})).owner, "o");
  EXPECT_EQ(mistake_of({{"owner", "O"}}),
            "MODEL_OWNER is \"o\" and owner is \"O\": both name one thing; set one of them, or both to the "
            "same");
  EXPECT_THAT(mistakes_of(with(least, {{"OWNER", "a"}, {"owner", "b"}})), ::testing::SizeIs(2));
  EXPECT_EQ(
      mistakes_of({{"OWNER", "a"}, {"owner", "b"}, {"MODEL_NAME", "m"}, {"OUTPUT_FILE_NAME", "g"}}),
      std::vector<std::string>{"OWNER is \"a\" and owner is \"b\": both name one thing; set one of them, "
                               "or both to the same"});
}

TEST(ContractValues, WithoutTextAreNotSet) {
  const AccuracyContract contract =
      contract_of(with(least, {{"METRIC", ""}, {"THRESHOLD", " "}, {"OWNER", ""}, {"TEST_TYPE", "\t\n"}}));
  EXPECT_EQ(contract.metric, "bleu");
  EXPECT_EQ(contract.owner, "o");
}

TEST(ContractMistakes, AreAllToldInTheOrderOfTheRows) {
  EXPECT_THAT(
      mistakes_of({{"DATASET_INFO", "\x01"},
                   {"NUM_COMPUTE_CARDS", "3"},
                   {"RUN_AS_BASELINE", "maybe"},
                   {"BASELINE_NAME", "a b"},
                   {"BASELINE_ID", "../x"},
                   {"METRIC", "0.85"},
                   {"OPERATOR", "=>"},
                   {"MODEL_NAME", ".."}}),
      ElementsAre("MODEL_OWNER is missing: set it to the model's owner",
                  HasSubstr("MODEL_NAME \"..\" is no single part of a path"),
                  "RUN_AS_BASELINE \"maybe\" is unknown: write true, false, 1 or 0",
                  "BASELINE_NAME \"a b\" is no name of a baseline: 1 to 32 letters, digits, _, - and, not in "
                  "front, points",
                  HasSubstr("BASELINE_ID \"../x\" is no single part of a path"),
                  HasSubstr("METRIC \"0.85\" is unknown: one of bleu, "),
                  HasSubstr("OPERATOR \"=>\" is unknown: write >=, >, <=, <, =="),
                  "NUM_COMPUTE_CARDS \"3\" is no number of cards: 1, 2, 4 or 8",
                  "DATASET_INFO \"\\x01\" holds control characters, or bytes that are no UTF-8: set it "
                  "to plain text"));
}

TEST(ContractNames, BecomeFolders) {
  for (const char* name : {"MODEL_OWNER", "MODEL_NAME", "COMMIT_ID", "BASELINE_ID", "ACCURACY_TEST_ID",
                           "INPUT_FILE_NAME", "OUTPUT_FILE_NAME"}) {
    for (const std::string& value :
         {std::string(".."), std::string("."), std::string("a/b"), std::string("../a"), std::string("a/.."),
          std::string("/a"), std::string("a\\b"), std::string("-rf"), std::string(256, 'a')})
      EXPECT_THAT(mistakes_of(with({{"MODEL_OWNER", "o"}, {"MODEL_NAME", "m"}, {"RUN_AS_BASELINE", "1"}},
                                   {{name, value}})),
                  ElementsAre(HasSubstr(std::string(name) + " \"" + value.substr(0, 70))))
          << name << " " << value;
    for (const char* value : {"...", "..a", "a..b", "模型", "a b", "7"})
      EXPECT_THAT(mistakes_of(with({{"MODEL_OWNER", "o"}, {"MODEL_NAME", "m"}, {"RUN_AS_BASELINE", "1"}},
                                   {{name, value}})),
                  ElementsAre())
          << name << " " << value;
  }
  EXPECT_EQ(contract_of(with(least, {{"BASELINE_ID", std::string(255, 'a')}})).baseline_id.size(), 255U);
}

TEST(ContractValues, ThatAreHostileAreRefusedUnderEveryName) {
  const std::string hostile[] = {std::string("a\0b", 3),
                                 "a\nb",
                                 "a\tb",
                                 "a\x1b[31mb",
                                 "a\x7f",
                                 "a\xff b",
                                 "a\xc2\x85 b",
                                 "a\u202e b",
                                 "a\u2028 b",
                                 "\xed\xa0\x80",
                                 std::string(5000, 'a')};
  for (const ContractRow& row : contract_rows())
    for (const std::string& value : hostile) {
      const std::vector<std::string> all = mistakes_of(with(full, {{std::string(row.name), value}}));
      ASSERT_EQ(all.size(), 1U) << row.name << " " << printable(value) << join(all, "; ");
      EXPECT_THAT(all.front(), HasSubstr(std::string(row.name) + " \""));
      EXPECT_LT(all.front().size(), 400U);
      EXPECT_EQ(printable(all.front()), all.front());
    }
}

TEST(ContractWords, OfTestTypes) {
  EXPECT_EQ(contract_of(with(least, {{"TEST_TYPE", "Usability"}})).test_type, TestType::usability);
  EXPECT_EQ(contract_of(with(least, {{"MODEL_TEST_TYPE", "TRAINING"}})).model_test_type,
            ModelTestType::training);
  EXPECT_EQ(
      contract_of(with(least, {{"MODEL_TEST_TYPE", "inference"}, {"DATASET_INFO", "d"}})).model_test_type,
      ModelTestType::inference);
  EXPECT_EQ(
      mistake_of({{"TEST_TYPE", "inference"}}),
      "TEST_TYPE \"inference\" is unknown: write accuracy_test or usability_test; inference and training "
      "are words of MODEL_TEST_TYPE");
  EXPECT_EQ(mistake_of({{"MODEL_TEST_TYPE", "both"}}),
            "MODEL_TEST_TYPE \"both\" is unknown: write inference or training");
}

TEST(ContractWords, OfRunsAsBaselines) {
  for (const char* word : {"true", "True", "TRUE", "1"})
    EXPECT_TRUE(
        contract_of({{"MODEL_OWNER", "o"}, {"MODEL_NAME", "m"}, {"RUN_AS_BASELINE", word}}).run_as_baseline)
        << word;
  for (const char* word : {"false", "False", "0"})
    EXPECT_FALSE(contract_of(with(least, {{"RUN_AS_BASELINE", word}})).run_as_baseline) << word;
  for (const char* word : {"yes", "no", "2", "tru", "truee"})
    EXPECT_THAT(mistake_of({{"RUN_AS_BASELINE", word}}), HasSubstr("RUN_AS_BASELINE \"")) << word;
}

TEST(ContractWords, OfBaselineNames) {
  const std::string longest(32, 'a');
  for (const std::string& name : {std::string("a"), std::string("A_b-9"), std::string("qwen2-0.5b"), longest})
    EXPECT_EQ(contract_of(with(least, {{"BASELINE_NAME", name}})).baseline_name, name);
  for (const std::string& name : {std::string(".b"), std::string(".."), std::string("a b"),
                                  std::string("a/b"), std::string("é"), longest + "a"})
    EXPECT_THAT(mistake_of({{"BASELINE_NAME", name}}), HasSubstr("is no name of a baseline")) << name;
}

TEST(ContractWords, OfCards) {
  for (const int cards : {1, 2, 4, 8})
    EXPECT_EQ(contract_of(with(least, {{"NUM_COMPUTE_CARDS", std::to_string(cards)}})).cards, cards);
  for (const char* word : {"0", "3", "16", "-1", "two", "1.0", "99999999999999999999"})
    EXPECT_THAT(mistake_of({{"NUM_COMPUTE_CARDS", word}}), HasSubstr("is no number of cards")) << word;
}

TEST(ContractWords, OfSoftwareAndImage) {
  const AccuracyContract contract = contract_of(with(least, {{"IMAGE_NAME", "hub.cn/a/b:8.0@sha256:0f"},
                                                             {"GIT_URL", "https://hub/o/m.git"},
                                                             {"FRAMEWORK", "pytorch"},
                                                             {"FRAMEWORK_VERSION", "2.1.0+cpu"},
                                                             {"CANN_VERSION", "8.0.rc1.beta1"}}));
  EXPECT_EQ(contract.image, "hub.cn/a/b:8.0@sha256:0f");
  EXPECT_EQ(contract.git_url, "https://hub/o/m.git");
  EXPECT_EQ(contract.framework_version, "2.1.0+cpu");
  EXPECT_FALSE(contract.tells_cards);
  for (const char* name : {"IMAGE_NAME", "FRAMEWORK", "FRAMEWORK_VERSION", "CANN_VERSION"})
    for (const std::string& value : {std::string("--privileged"), std::string("a b"), std::string("$(id)"),
                                     std::string("a;b"), std::string("..a"), std::string(256, 'a')})
      EXPECT_THAT(mistake_of({{name, value}}), HasSubstr("is no such name")) << name << value;
  for (const char* url : {"git@hub:o/m.git", "ssh://git@hub/o/m", "http://h/o"})
    EXPECT_EQ(contract_of(with(least, {{"GIT_URL", url}})).git_url, url);
  for (const char* url :
       {"ext::sh -c id", "-upload-pack=x", "/etc", "file:///etc", "https://h/$(id)", "https://h o"})
    EXPECT_THAT(mistake_of({{"GIT_URL", url}}), HasSubstr("is no address of a repository")) << url;
}

TEST(ContractBound, TakesWhatIsMissingFromTheDefault) {
  EXPECT_EQ(bound_of({}), "bleu >= 0.75");
  EXPECT_EQ(bound_of({{"MODEL_TEST_TYPE", "training"}}), "mean_relative_error <= 0.02");
  EXPECT_EQ(bound_of({{"THRESHOLD", "0.8"}}), "bleu >= 0.8");
  EXPECT_EQ(bound_of({{"OPERATOR", ">"}}), "bleu > 0.75");
  EXPECT_EQ(bound_of({{"METRIC", "相对误差"}}), "mean_relative_error <= 0.02");
  EXPECT_EQ(bound_of({{"METRIC", "绝对误差"}, {"THRESHOLD", "1e-2"}}), "max_abs_error <= 0.01");
  EXPECT_EQ(bound_of({{"METRIC", "exact match"}, {"THRESHOLD", "1"}, {"OPERATOR", "=="}}),
            "exact_match == 1");
  EXPECT_EQ(bound_of({{"MODEL_TEST_TYPE", "training"}, {"OPERATOR", "<"}}), "mean_relative_error < 0.02");
  EXPECT_EQ(mistake_of({{"METRIC", "exact_match"}}),
            "THRESHOLD is missing: exact_match has no default; set what it is held against");
}

TEST(ContractBound, IsReadByTheGrammarOfRules) {
  for (const char* op : {">=", ">", "=="}) {
    const AccuracyContract contract = contract_of(with(least, {{"OPERATOR", op}}));
    const Bound bound{contract.comparison, Bound::Side::both, contract.threshold};
    EXPECT_EQ(parse_tolerance(tolerance_text(contract)).value(), (Tolerance{{{bound}}}));
    EXPECT_EQ(comparison_sign(contract.comparison), op);
  }
}

TEST(ContractBound, IsNotAgainstTheBetterSide) {
  for (const char* op : {"<=", "<"})
    EXPECT_EQ(mistake_of({{"OPERATOR", op}}),
              "OPERATOR \"" + std::string(op) +
                  "\" lets the worse pass, for of bleu higher is better: write >=, >, ==");
  for (const char* op : {">=", ">"})
    EXPECT_EQ(mistake_of({{"OPERATOR", op}, {"MODEL_TEST_TYPE", "training"}}),
              "OPERATOR \"" + std::string(op) +
                  "\" lets the worse pass, for of mean_relative_error lower is better: write <=, <, ==");
  for (const char* op : {"=", "=>", "ge", ">= 1", "≥", "!="})
    EXPECT_THAT(mistake_of({{"OPERATOR", op}}), HasSubstr("is unknown: write >=, >, ==")) << op;
}

TEST(ContractBound, CanBeKeptAndMissed) {
  struct {
    const char *metric, *op, *threshold, *wrong;
  } constexpr rows[] = {
      {"BLEU", ">=", "0", "tests nothing: every value of bleu (0..1) is >= 0; write one in its range"},
      {"BLEU", ">=", "-0.5", "tests nothing: every value of bleu (0..1) is >= -0.5;"},
      {"BLEU", ">", "-1", "tests nothing: every value of bleu (0..1) is > -1;"},
      {"BLEU", ">", "0", ""},
      {"BLEU", ">=", "1", ""},
      {"BLEU", ">", "1", "tests nothing: no value of bleu (0..1) is > 1;"},
      {"BLEU", ">=", "75",
       "tests nothing: no value of bleu (0..1) is >= 75; write a share of 1, such as 0.75"},
      {"BLEU", "==", "1.5", "tests nothing: no value of bleu (0..1) is == 1.5;"},
      {"BLEU", "==", "0.5", ""},
      {"max_abs_error", "<=", "0", ""},
      {"max_abs_error", "<=", "1e30", ""},
      {"max_abs_error", "<", "0", "tests nothing: no value of max_abs_error (0 and up) is < 0;"},
      {"max_abs_error", "<=", "-1", "tests nothing: no value of max_abs_error (0 and up) is <= -1;"},
      {"max_abs_error", "==", "-1", "tests nothing: no value of max_abs_error (0 and up) is == -1;"},
      {"cosine", ">=", "-1", "tests nothing: every value of cosine (-1..1) is >= -1;"},
      {"cosine", ">=", "0", ""},
      {"BLEU", ">=", "1e-99", "is out of range"},
      {"BLEU", ">=", "1e9999", "is out of range"},
  };
  for (const auto& [metric, op, threshold, wrong] : rows) {
    const ContractVariables changes{{"METRIC", metric}, {"OPERATOR", op}, {"THRESHOLD", threshold}};
    const std::string expected =
        *wrong == '\0' ? "" : "THRESHOLD \"" + std::string(threshold) + "\" " + wrong;
    EXPECT_EQ(mistakes_of(with(least, changes)).empty(), expected.empty()) << threshold;
    EXPECT_THAT(mistake_of(changes), HasSubstr(expected));
  }
  for (const char* word : {"nan", "inf", "high", "0,75", "75%", ">= 0.75", "0x1", "1e99999"})
    EXPECT_THAT(mistake_of({{"THRESHOLD", word}}), HasSubstr("is no number: write one such as 0.75")) << word;
}

TEST(ContractFiles, AreAPathAndItsLastPart) {
  struct {
    const char *name, *path, *file;
  } constexpr rows[] = {
      {"", "/a/g.txt", "/a/g.txt"},
      {"", "obs://b/a/g.txt", "obs://b/a/g.txt"},
      {"", "g", "g"},
      {"g.txt", "", "g.txt"},
      {"g.txt", "/a/g.txt", "/a/g.txt"},
      {"g.txt", "g.txt", "g.txt"},
      {"g.txt", "/a/", "/a/g.txt"},
      {"g.txt", "/a/10", "/a/10/g.txt"},
      {"g.txt", "/a/v1.0/", "/a/v1.0/g.txt"},
      {"g.txt", "/a/.b", "/a/.b/g.txt"},
      {"g", "/a/g", "/a/g"},
  };
  for (const auto& [name, path, file] : rows) {
    const AccuracyContract contract = contract_of({{"MODEL_OWNER", "o"},
                                                   {"MODEL_NAME", "m"},
                                                   {"OUTPUT_FILE_NAME", name},
                                                   {"OUTPUT_FILE_PATH", path},
                                                   {"INPUT_FILE_NAME", name},
                                                   {"INPUT_FILE_PATH", path}});
    EXPECT_EQ(contract.golden_file, file) << path;
    EXPECT_EQ(contract.input_file, file) << path;
  }
  EXPECT_EQ(
      mistake_of({{"INPUT_FILE_NAME", "a.txt"}, {"INPUT_FILE_PATH", "/x/b.txt"}}),
      "INPUT_FILE_PATH \"/x/b.txt\" is not where INPUT_FILE_NAME \"a.txt\" is: end it in this name, or in a "
      "slash if it is a folder");
  EXPECT_THAT(mistake_of({{"INPUT_FILE_NAME", "b.txt"}, {"INPUT_FILE_PATH", "/x/bb.txt"}}),
              HasSubstr("is not where INPUT_FILE_NAME \"b.txt\" is"));
  EXPECT_EQ(mistake_of({{"INPUT_FILE_PATH", "/x/"}}),
            "INPUT_FILE_PATH \"/x/\" is a folder: set INPUT_FILE_NAME to the name of the file in it");
}

// What gate.toml says stands where the message says nothing: `metric bound` of each combination.
TEST(ContractBound, IsThatOfTheCaseWhereNothingElseIsTold) {
  const OwnBound exact{"exact_match", Bound{Bound::Kind::at_least, Bound::Side::both, {1, 0}}, true, false};
  const OwnBound strict{"bleu", Bound{Bound::Kind::above, Bound::Side::both, {95, -2}}, true, false};
  const OwnBound relative{"bleu", std::nullopt, true, false}, bare{"rouge1", std::nullopt, false, false};
  struct Row {
    OwnBound own;
    ContractVariables said;
    std::string bound;
  };
  for (const Row& row : std::vector<Row>{
           {exact, {{"OPERATOR", ">="}}, "exact_match >= 1"},
           {exact, {{"THRESHOLD", "0.5"}}, "exact_match >= 0.5"},
           {exact, {{"METRIC", "BLEU"}}, "bleu >= 0.75"},
           {exact,
            {{"METRIC", "rouge1"}},
            "THRESHOLD is missing: rouge1 has no default; set what it is held against"},
           {strict, {{"METRIC", "BLEU"}}, "bleu > 0.95"},
           {strict, {{"METRIC", "BLEU"}, {"OPERATOR", ">="}}, "bleu >= 0.95"},
           {strict, {{"THRESHOLD", "0.9"}}, "bleu > 0.9"},
           {strict,
            {{"OPERATOR", "<="}},
            "OPERATOR \"<=\" lets the worse pass, for of bleu higher is better: write >=, >, =="},
           {relative, {{"METRIC", "BLEU"}}, "bleu, kept"},
           {relative, {{"THRESHOLD", "0.9"}}, "bleu >= 0.9"},
           {relative,
            {{"OPERATOR", ">="}},
            "OPERATOR \">=\" stands without THRESHOLD, and gate.toml's tolerance is no single constant: set "
            "THRESHOLD, too, or neither"},
           {bare, {}, "THRESHOLD is missing: rouge1 has no default; set what it is held against"},
           {bare, {{"RUN_AS_BASELINE", "1"}}, "bleu >= 0.75"},
           {{}, {{"OPERATOR", ">="}}, "bleu >= 0.75"}}) {
    const auto read = read_accuracy_contract(with(least, row.said), row.own);
    EXPECT_EQ(!read                   ? to_string(read.error())
              : read->keeps_tolerance ? read->metric + ", kept"
                                      : read->metric + " " + tolerance_text(*read),
              row.bound);
  }
}

// A worker that does not know what the case says leaves to gate what depends on it.
TEST(ContractBound, IsLeftOpenWhereTheCaseIsUnknown) {
  const auto is_read = [](const ContractVariables& said) {
    return read_accuracy_contract(with(least, said), {.is_unknown = true}).has_value();
  };
  EXPECT_TRUE(is_read({{"OPERATOR", "<="}}));
  EXPECT_TRUE(is_read({{"METRIC", "rouge1"}}));
  for (const ContractVariables& said :
       std::vector<ContractVariables>{{{"OPERATOR", "!="}},
                                      {{"OPERATOR", "=>"}},
                                      {{"THRESHOLD", "high"}},
                                      {{"METRIC", "5"}},
                                      {{"METRIC", "BLEU"}, {"OPERATOR", "<="}},
                                      {{"METRIC", "BLEU"}, {"THRESHOLD", "2"}}})
    EXPECT_FALSE(is_read(said)) << said.begin()->second;
}

TEST(ContractFiles, MayBeNamedByTheCaseAlone) {
  const ContractVariables without{{"MODEL_OWNER", "o"}, {"MODEL_NAME", "m"}};
  EXPECT_THAT(mistakes_of(without), ElementsAre());
  EXPECT_THAT(mistakes_of(with(without, {{"OUTPUT_FILE_PATH", "\x01"}})), ::testing::SizeIs(1));
}

TEST(ContractMetrics, OfATrainingAreOfNumbers) {
  for (const score::MetricRow& row : score::metrics()) {
    ContractVariables said{{"MODEL_TEST_TYPE", "training"}, {"METRIC", std::string(row.name)}};
    said["THRESHOLD"] = row.better == Better::higher ? "0.9" : "0.02";
    const bool is_of_text = row.input == score::Input::text;
    EXPECT_EQ(mistakes_of(with(least, said)).size(), is_of_text ? 1U : 0U) << row.name;
    EXPECT_THAT(mistakes_of(with(with(least, said), {{"RUN_AS_BASELINE", "1"}})), ElementsAre()) << row.name;
  }
  EXPECT_EQ(mistake_of({{"MODEL_TEST_TYPE", "training"}, {"METRIC", "BLEU"}}),
            "METRIC \"BLEU\" is a metric of text, and a training has losses: one of " +
                join(number_metrics(), ", "));
}

TEST(ContractVariables, CarryEachThingUnderAllOfItsNames) {
  const ContractVariables given{{"owner", " o "}, {"MODEL_NAME", "m"}, {"BASELINE_LOSS_FILE", "l.jsonl"},
                                {"METRIC", ""},   {"PATH", "/bin"},    {"OBS_AK", "not of the contract"}};
  const ContractVariables expected{{"MODEL_OWNER", "o"},
                                   {"OWNER", "o"},
                                   {"owner", "o"},
                                   {"MODEL_NAME", "m"},
                                   {"model_name", "m"},
                                   {"OUTPUT_FILE_PATH", "l.jsonl"},
                                   {"BASELINE_OUTPUT_FILE", "l.jsonl"},
                                   {"BASELINE_LOSS_FILE", "l.jsonl"}};
  EXPECT_EQ(contract_variables(given), expected);
  EXPECT_EQ(contract_variables(contract_variables(given)), expected);
  EXPECT_EQ(contract_variables({}), ContractVariables{});
  EXPECT_EQ(contract_variables({{"OWNER", "alias"}, {"MODEL_OWNER", "canonical"}}).at("owner"), "canonical");
}

TEST(ContractVariables, AskForTheSameTest) {
  for (const ContractVariables& variables : {full, least}) {
    const AccuracyContract given = contract_of(variables), again = contract_of(contract_variables(variables));
    EXPECT_EQ(again.golden_file, given.golden_file);
    EXPECT_EQ(again.model_test_type, given.model_test_type);
    EXPECT_EQ(tolerance_text(again), tolerance_text(given));
  }
}

TEST(ContractMetrics, AreThoseOfScores) {
  for (const AccuracyMetric& metric : accuracy_metrics())
    if (const score::MetricRow* row = score::find_metric(metric.name)) {
      EXPECT_EQ(row->better, metric.better) << metric.name;
    }
  for (const score::MetricRow& row : score::metrics())
    EXPECT_EQ(contract_of(with(least, {{"METRIC", std::string(row.name)}, {"THRESHOLD", "0.5"}})).metric,
              row.name);
}

}  // namespace
}  // namespace gate::config::accuracy_contract_test
