#include "worker/message.h"

#include <gmock/gmock.h>

#include "gate/base/base64.h"
#include "gate/base/text.h"

namespace gate::worker::message_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

TestOrder order(const std::string& text, const std::string& topic = "accuracy_test_created") {
  const auto message = read_message(text, topic);
  EXPECT_TRUE(message.has_value()) << message.error().message;
  return message ? std::get<TestOrder>(*message) : TestOrder{};
}

StopOrder stop(const std::string& text) {
  const auto message = read_message(text, "accuracy_test_stopped");
  EXPECT_TRUE(message.has_value()) << message.error().message;
  return message ? std::get<StopOrder>(*message) : StopOrder{};
}

std::string mistake(const std::string& text, const std::string& topic = "accuracy_test_created") {
  const auto message = read_message(text, topic);
  return message ? "none" : message.error().message;
}

TEST(Message, IsReadInBothSpellings) {
  const TestOrder snake = order(
      R"({"id": 5, "model_id": 77, "owner": "hub", "model_name": "qwen", "test_type": "accuracy_test",
          "model_test_type": "training", "baseline_id": "b_1", "num_compute_cards": 2, "threshold": 0.02,
          "hardware_version": "NPU", "commit_id": "c1", "image_name": "img", "dataset_id": "d"})");
  const TestOrder pascal = order(
      R"({"ID": 5, "ModelID": 77, "Owner": "hub", "ModelName": "qwen", "TestType": "accuracy_test",
          "ModelTestType": "training", "BaselineID": "b_1", "NumComputeCards": 2, "Threshold": 0.02,
          "HardwareVersion": "NPU", "CommitID": "c1", "ImageName": "img", "DatasetID": "d"})");
  EXPECT_EQ(snake.id, (WireId{"5", true}));
  EXPECT_EQ(snake.baseline, (WireId{"b_1", false}));
  EXPECT_EQ(snake.device, "npu");
  EXPECT_EQ(snake.test(), "accuracy_test/training");
  EXPECT_EQ(snake.variables, pascal.variables);
  EXPECT_THAT(snake.variables,
              UnorderedElementsAre(
                  Pair("ACCURACY_TEST_ID", "5"), Pair("MODEL_OWNER", "hub"), Pair("MODEL_NAME", "qwen"),
                  Pair("TEST_TYPE", "accuracy_test"), Pair("MODEL_TEST_TYPE", "training"),
                  Pair("BASELINE_ID", "b_1"), Pair("NUM_COMPUTE_CARDS", "2"), Pair("THRESHOLD", "0.02"),
                  Pair("COMMIT_ID", "c1"), Pair("DATASET_INFO", "d"), Pair("IMAGE_NAME", "img")));
}

TEST(Message, TellsForWhatSoftwareTheTestIs) {
  const TestOrder read = order(
      R"({"ID": 5, "GitURL": "https://hub/o/m.git", "Framework": "pytorch", "FrameworkVersion": "2.1.0",
          "CannVersion": "8.0.rc1.beta1"})");
  EXPECT_EQ(read.variables.at("GIT_URL"), "https://hub/o/m.git");
  EXPECT_EQ(read.variables.at("FRAMEWORK"), "pytorch");
  EXPECT_EQ(read.variables.at("FRAMEWORK_VERSION"), "2.1.0");
  EXPECT_EQ(read.variables.at("CANN_VERSION"), "8.0.rc1.beta1");
}

// Of the fields that the hubs' documents name none is strange.
TEST(Message, TellsOfFieldsThatAreNearlyKnown) {
  for (const auto& [field, known] :
       std::vector<std::pair<const char*, const char*>>{{"thresholds", "threshold"},
                                                        {"treshold", "threshold"},
                                                        {"Metrics", "metric"},
                                                        {"modelNmae", "model_name"},
                                                        {"num_compute_card", "num_compute_cards"},
                                                        {"operater", "operator"}})
    EXPECT_THAT(
        order(R"({"id": 1, ")" + std::string(field) + R"(": 1})").remarks,
        testing::ElementsAre("field " + std::string(field) + " is not known: did you mean " + known + "?"));
  for (const char* field : {"ID",
                            "Owner",
                            "ModelName",
                            "ModelID",
                            "ImageName",
                            "GitURL",
                            "TestStatus",
                            "StatusConfirmed",
                            "LastUpdated",
                            "HardwareVersion",
                            "Framework",
                            "FrameworkVersion",
                            "CannVersion",
                            "CommitID",
                            "IsRepoDeleted",
                            "CITask",
                            "NumComputeCards",
                            "TestType",
                            "ModelTestType",
                            "RunAsBaseLine",
                            "ModelTemplate",
                            "DatasetName",
                            "Metric",
                            "Threshold",
                            "Operator",
                            "BaseLineName",
                            "baseline_id",
                            "input_file_path",
                            "baseline_output_file",
                            "baseline_dir_path",
                            "result_dir_path",
                            "dataset_id",
                            "is_pub_to_pri",
                            "is_file_changed"}) {
    const TestOrder read = order(R"({"id": 1, ")" + std::string(field) + R"(": 1})");
    EXPECT_THAT(read.remarks, testing::IsEmpty()) << field;
    EXPECT_THAT(read.unknown_fields, testing::IsEmpty()) << field;
  }
  EXPECT_THAT(order(R"({"id": 1, "x_request": 1})").unknown_fields, testing::ElementsAre("x_request"));
}

TEST(Message, MayAskForSeveralKindsInTheirOrder) {
  for (const char* types : {R"("usability_test, accuracy_test")", R"(["usability_test", "accuracy_test"])"}) {
    const TestOrder read = order(std::string(R"({"id": 1, "test_type": )") + types + "}");
    EXPECT_EQ(read.type, TestType::usability) << types;
    EXPECT_THAT(read.further, testing::ElementsAre(TestType::accuracy)) << types;
    EXPECT_TRUE(read.is_strategy());
  }
  EXPECT_FALSE(order(R"({"id": 1, "test_type": "accuracy_test"})").is_strategy());
  EXPECT_EQ(order(R"({"id": 1, "test_type": "accuracy_test,accuracy_test"})").mistakes.front(),
            "has the test_type accuracy_test twice");
  EXPECT_EQ(order(R"({"id": 1, "test_type": ["accuracy_test", "accuracy_test"]})").told_type(),
            "accuracy_test,accuracy_test");
  EXPECT_EQ(order(R"({"id": 1, "test_type": ["usability_test", 3]})").mistakes.front(),
            "has the test_type 3; known: accuracy_test, usability_test");
  EXPECT_THAT(order(R"({"id": 1, "test_type": "usability_test", "model_test_type": "beauty"})").mistakes,
              testing::ElementsAre("has the model_test_type beauty; known: inference, training"));
}

TEST(Message, IsReadInEnvelopes) {
  const std::string inner = R"({"id": "a", "model_name": "qwen"})";
  for (const std::string& body : {R"({"Header": {"x": 1}, "Body": ")" + base64(inner) + "\"}",
                                  R"({"header": null, "body": )" + inner + "}",
                                  std::string(R"({"Body": "{\"id\": \"a\", \"model_name\": \"qwen\"}"})")}) {
    EXPECT_EQ(order(body).id, (WireId{"a", false})) << body;
    EXPECT_EQ(order(body).variables.at("MODEL_NAME"), "qwen");
  }
  EXPECT_EQ(mistake(R"({"Body": "%%%"})"), "its Body is neither JSON nor base64");
  EXPECT_EQ(mistake(R"({"Body": "YWJj"})"), "is no JSON");
  EXPECT_EQ(mistake(R"({"Body": 3})"), "has a Body that is no text");
}

TEST(Message, FollowsTheTopicWhereItDoesNotSayWhatIsTested) {
  EXPECT_EQ(order(R"({"id": 1})", "usability_test_created").type, TestType::usability);
  EXPECT_EQ(order(R"({"id": 1})", "model_ci_created").type, TestType::usability);
  EXPECT_EQ(order(R"({"id": 1})", "accuary_test_created").type, TestType::accuracy);
  EXPECT_EQ(order(R"({"id": 1, "test_type": "usability_test"})").type, TestType::usability);
}

// The combinations of the fields that a message of a test must have.
TEST(Message, SaysWhichFieldsItLacks) {
  const std::vector<std::string> names{"test_type", "model_test_type", "baseline_id"};
  for (const char* type : {"accuracy_test", "usability_test"})
    for (unsigned has = 0; has < 8; ++has) {
      const std::vector<std::string> values{type, "inference", "b1"};
      std::string text = R"({"id": 1)";
      std::vector<std::string> missing;
      for (unsigned i = 0; i < 3; ++i)
        if ((has >> i & 1U) != 0)
          text += ", \"" + names[i] + "\": \"" + values[i] + "\"";
        else if (std::string_view(type) == "accuracy_test")
          missing.push_back(names[i]);
      const std::string lacks = missing.empty() ? "" : "lacks " + join(missing, ", ");
      EXPECT_EQ(join(order(text + "}", std::string(type) + "_created").mistakes, "; "), lacks) << text;
    }
  EXPECT_THAT(
      order(R"({"ID": 1, "TestType": "accuracy_test", "ModelTestType": "", "BaselineID": "b"})").mistakes,
      testing::ElementsAre("lacks model_test_type"));
}

TEST(Message, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(mistake(""), "is no JSON");
  EXPECT_EQ(mistake("[1]"), "is no JSON object");
  EXPECT_EQ(mistake("{}"), "has no id");
  EXPECT_EQ(mistake(R"({"id": ""})"), "has no id");
  EXPECT_EQ(mistake(R"({"id": 1.5})"), "has an id that is no text and no whole number");
  EXPECT_EQ(mistake(R"({"id": [1]})"), "has an id that is no text and no whole number");
  EXPECT_EQ(mistake("{\"id\": \"a\\u0000\"}"), "has an id that is no name: a\\x00");
  EXPECT_EQ(mistake(R"({"id": 1, "accuracy_test_id": 2})"),
            "says accuracytestid under two names, and differently");
  EXPECT_EQ(mistake(R"({"id": 1, "id": 1})"), "says id twice");
  EXPECT_EQ(mistake(R"({"Body": {"id": 1, "id": 1}})"), "says id twice");
  EXPECT_EQ(mistake(R"({"Body": "{\"id\": 1, \"id\": 1}"})"), "says id twice");
  EXPECT_EQ(mistake(R"({"Body": {"id": 1}, "Body": {"id": 2}})"), "says Body twice");
  EXPECT_EQ(mistake(R"({"id": 1, "is_repo_deleted": true, "is_repo_deleted": false})", "a_stopped"),
            "says is_repo_deleted twice");
  EXPECT_EQ(mistake("{\"id\": 1}", "elsewhere"),
            "is of the topic elsewhere, which ends neither in _created nor in _stopped");
  EXPECT_EQ(mistake(std::string(1 << 21, ' ')), "has more than a megabyte");
  EXPECT_EQ(mistake("{\"id\": \"\xff\"}"), "is no JSON");
  EXPECT_EQ(mistake(std::string(200000, '[')), "is no JSON");
}

// The id is told, so the hub hears of the mistake.
TEST(Message, OfATestKeepsTheMistakesOfOtherFields) {
  struct Row {
    std::string fields, mistake;
  };
  for (const Row& row : std::vector<Row>{
           {R"("model_name": {"a": 1})", "has a list or a table as modelname"},
           {R"("threshold": [0.8])", "has a list or a table as threshold"},
           {R"("operator": ["<="])", "has a list or a table as operator"},
           {R"("input_file_path": ["a"])", "has a list or a table as inputfilepath"},
           {R"("image_name": {})", "has a list or a table as imagename"},
           {R"("commit_id": [1])", "has a list or a table as commitid"},
           {R"("hardware_version": [1])", "has a list or a table as hardwareversion"},
           {R"("model_id": 1.5)", "has an modelid that is no text and no whole number"},
           {R"("run_as_baseline": true, "RunAsBaseLine": false)",
            "says run_as_baseline twice, and differently"},
           {R"("model_name": "a", "ModelName": "b")", "says model_name twice, and differently"},
           {R"("owner": "a", "model_owner": "b")", "says modelowner under two names, and differently"},
           {R"("threshold": 0.95, "threshold": 0.1)", "says threshold twice"},
           {R"("threshold": 0.95, "threshold": 0.95)", "says threshold twice"},
           {R"("x": [{"a": 1}, {"a": 2, "b": {"a": 1}}])", ""}}) {
    for (const std::string& text :
         {R"({"id": 1, )" + row.fields + "}", R"({"Body": {"id": 1, )" + row.fields + "}}",
          R"({"Body": ")" + base64(R"({"id": 1, )" + row.fields + "}") + "\"}"}) {
      const TestOrder read = order(text, "usability_test_created");
      EXPECT_EQ(read.id.text, "1");
      EXPECT_EQ(join(read.mistakes, "; "), row.mistake) << text;
    }
  }
}

TEST(Message, StopsOneTestOrAllOfAModel) {
  EXPECT_EQ(stop(R"({"id": 5, "model_id": 7, "commit_id": "c1"})").id, "5");
  EXPECT_EQ(stop(R"({"id": 5, "model_id": 7, "commit_id": "c1"})").commit, "");
  const StopOrder deleted = stop(R"({"id": 5, "ModelID": 7, "IsRepoDeleted": true, "CommitID": "c1"})");
  EXPECT_EQ(deleted.id, "");
  EXPECT_EQ(deleted.model, "7");
  EXPECT_EQ(deleted.commit, "c1");
  EXPECT_EQ(deleted.why, "its repository was deleted");
  EXPECT_EQ(stop(R"({"id": 5, "is_pub_to_pri": false})").id, "5");
  EXPECT_EQ(stop(R"({"id": 5, "is_pub_to_pri": "1", "model_id": 7})").why, "its repository was made private");
  EXPECT_EQ(stop(R"({"model_id": 7})").model, "7");
  EXPECT_EQ(mistake("{}", "accuracy_test_stopped"), "has neither an id nor a model_id");
  EXPECT_EQ(mistake(R"({"id": 5, "is_repo_deleted": "perhaps"})", "usability_test_stopped"),
            "has isrepodeleted perhaps, and not true or false");
}

}  // namespace
}  // namespace gate::worker::message_test
