// What a hub's messages ask for. Bytes in, values out; a message is hostile until it is read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gate/base/result.h"
#include "gate/config/worker.h"
#include "gate/model/numbers/accuracy.h"

namespace gate::worker {

// A number or a text that means nothing but itself; it goes out as it came in.
struct WireId {
  std::string text;
  bool is_number = false;
  bool operator==(const WireId&) const = default;
};

// A test that is wanted.
struct TestOrder {
  WireId id, model, baseline;
  TestType type = TestType::accuracy;  // what is tested now
  std::vector<TestType> further = {};  // and behind it, in this order, while all pass
  int passed = 0;                      // kinds that were tested before, and passed
  ModelTestType model_test = ModelTestType::inference;
  std::string commit, image, device;  // device: its kind, in lower case; "": not told
  std::map<std::string, std::string>
      variables;  // for its gate: MODEL_OWNER, BASELINE_ID, ... (gate help accuracy)

  // What of the message makes no test, `lacks test_type`; the hub is told, as its id is known.
  std::vector<std::string> mistakes = {};
  // What the hub is told beside how the test ended: `field thresholds is not known: did you mean threshold?`
  std::vector<std::string> remarks = {};
  std::vector<std::string> unknown_fields = {};  // those that are like none; not kept

  // `accuracy_test/inference`
  std::string test() const { return test_of(type); }
  std::string test_of(TestType one) const {
    return std::string(to_string(one)) + "/" + std::string(to_string(model_test));
  }
  // What the hub is told: its own word where that is no kind of test.
  std::string told_type() const {
    const auto told = variables.find("TEST_TYPE");
    return told == variables.end() ? std::string(to_string(type)) : told->second;
  }
  bool is_strategy() const { return passed > 0 || !further.empty(); }
};

// Tests that are to stop: that of the id, or all of the model; with a commit, of it alone.
struct StopOrder {
  std::string id;             // "": all of the model
  std::string model, commit;  // "": not told, all commits
  std::string why;            // `its repository is deleted`
};

using HubMessage = std::variant<TestOrder, StopOrder>;

// Return what a message of the topic says: JSON, or JSON in base64 or as a text in the `Body` of an envelope.
// Names are read without regard to case and `_`: `model_id`, `ModelID`. One that is unknown changes nothing;
// it is a remark of the order where it is nearly a known one. What is wanted follows from test_type, and
// where that is missing from the topic's name. A test_type of several kinds, `usability_test, accuracy_test`
// or a list, is one test of them in that order, each once. A stop is one of the model where the message tells
// no id, or that the repository was deleted, made private or changed. Fails for more than a megabyte, for
// what is no JSON object, and naming the field for one that is missing, of another type, said twice as one
// key, or under two names and differently. Of a test whose id is told all of that is a mistake of the order
// where it is in another field, as it is that it lacks test_type, model_test_type or, of an accuracy test,
// baseline_id, or has a kind of test that there is not.
Result<HubMessage> read_message(std::string_view bytes, std::string_view topic);

}  // namespace gate::worker
