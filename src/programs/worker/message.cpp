#include "worker/message.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "gate/base/base64.h"
#include "gate/base/text.h"

namespace gate::worker {

namespace {

using nlohmann::json;

constexpr std::size_t longest_message = std::size_t{1} << 20, longest_id = 200;
constexpr int deepest = 16;  // what is nested deeper is passed over

// A field of a message, by its names without case and `_`, and the variable that its value becomes.
struct VariableRow {
  std::string_view names;  // separated by blanks
  std::string_view variable;
};

constexpr std::array variable_rows{
    VariableRow{"owner modelowner", "MODEL_OWNER"},
    VariableRow{"modelname", "MODEL_NAME"},
    VariableRow{"commitid commit", "COMMIT_ID"},
    VariableRow{"modeltemplate", "MODEL_TEMPLATE"},
    VariableRow{"runasbaseline", "RUN_AS_BASELINE"},
    VariableRow{"baselinename", "BASELINE_NAME"},
    VariableRow{"baselineid", "BASELINE_ID"},
    VariableRow{"metric", "METRIC"},
    VariableRow{"threshold", "THRESHOLD"},
    VariableRow{"operator", "OPERATOR"},
    VariableRow{"id testid accuracytestid usabilitytestid", "ACCURACY_TEST_ID"},
    VariableRow{"inputfilename", "INPUT_FILE_NAME"},
    VariableRow{"inputfilepath", "INPUT_FILE_PATH"},
    VariableRow{"outputfilename", "OUTPUT_FILE_NAME"},
    VariableRow{"outputfilepath baselineoutputfile baselinelossfile", "OUTPUT_FILE_PATH"},
    VariableRow{"datasetid datasetname datasetinfo", "DATASET_INFO"},
    VariableRow{"numcomputecards", "NUM_COMPUTE_CARDS"},
    VariableRow{"imagename", "IMAGE_NAME"},
    VariableRow{"giturl", "GIT_URL"},
    VariableRow{"framework", "FRAMEWORK"},
    VariableRow{"frameworkversion", "FRAMEWORK_VERSION"},
    VariableRow{"cannversion", "CANN_VERSION"},
};
constexpr std::string_view id_names = "id testid accuracytestid usabilitytestid";

// What else hubs write into their messages; no test depends on it.
constexpr std::string_view further_names =
    "body header headers modelid testtype modeltesttype hardwareversion hardware teststatus statusconfirmed "
    "lastupdated isrepodeleted repodeleted ispubtopri ispublictoprivate isfilechanged filechanged "
    "ismodelchanged "
    "citask status stage jobid reporturl resulturl logurl outputurl testresulturl newbaselineurl metricvalue "
    "passed baselinedirpath resultdirpath updateddate createdat updatedat timestamp";

std::string normal(std::string_view key) {
  std::string name = to_lower(key);
  std::erase(name, '_');
  return name;
}

struct ParsedObject {
  json value;
  std::vector<std::string> repeated = {};  // keys that one object has twice, at whatever depth
};

Result<ParsedObject> parsed_object(std::string_view bytes) {
  if (bytes.size() > longest_message) return fail("has more than a megabyte");
  ParsedObject object;
  std::map<int, std::set<std::string>> keys;  // of the object that is open at that depth
  const auto look = [&](int depth, json::parse_event_t event, const json& parsed) {
    if (depth > deepest) return false;
    if (event == json::parse_event_t::object_start) keys[depth + 1].clear();
    if (event == json::parse_event_t::key && !keys[depth].insert(parsed.get<std::string>()).second)
      object.repeated.push_back(parsed);
    return true;
  };
  object.value = json::parse(bytes, look, false);
  if (object.value.is_discarded()) return fail("is no JSON");
  if (!object.value.is_object()) return fail("is no JSON object");
  return object;
}

// Tell whether the name is one of what says which test is meant.
bool names_test(const std::string& normal_name) {
  return normal_name == "body" ||
         std::ranges::any_of(split_words(id_names), [&](std::string_view id) { return id == normal_name; });
}

// Four letters are three bytes; what is no base64 is none.
Result<std::string> bytes_of_base64(const std::string& text) {
  std::optional<std::string> bytes = from_base64(text);
  if (!bytes) return fail("its Body is neither JSON nor base64");
  return *std::move(bytes);
}

// The fields of a message by their normal names.
class MessageFields {
 public:
  static Result<MessageFields> of(const ParsedObject& object) {
    MessageFields fields;
    for (const std::string& key : object.repeated)
      GATE_TRY_STATUS(fields.keep_mistake(key, "says " + printable(key, 80) + " twice"));
    for (const auto& [key, value] : object.value.items()) {
      const auto [field, is_new] = fields.values_.try_emplace(normal(key), value);
      fields.written_.try_emplace(normal(key), key);
      if (!is_new && field->second != value)
        GATE_TRY_STATUS(fields.keep_mistake(key, "says " + printable(key, 80) + " twice, and differently"));
    }
    return fields;
  }

  // Tell which of its fields no test knows: as remarks where they are nearly known ones, else by name.
  void tell_unknown(TestOrder& order) const {
    std::vector<std::string> known;
    for (const VariableRow& row : variable_rows)
      for (const std::string_view name : split_words(row.names)) known.emplace_back(name);
    for (const std::string_view name : split_words(further_names)) known.emplace_back(name);
    for (const auto& [name, written] : written_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string shown = printable(written, 80);
      if (const auto near = closest(name, known))
        order.remarks.push_back("field " + shown + " is not known: did you mean " + shown_name(*near) + "?");
      else
        order.unknown_fields.push_back(shown);
    }
  }

  // What is wrong with the message as a whole, whatever is asked of it.
  const std::vector<std::string>& mistakes() const { return mistakes_; }

  // The value under one of the names; null where there is none, or it is empty.
  Result<json> find(std::string_view names) const {
    json found;
    for (const std::string_view name : split_words(names)) {
      const auto field = values_.find(std::string(name));
      if (field == values_.end() || field->second.is_null() || field->second == "") continue;
      if (!found.is_null() && found != field->second)
        return fail("says " + std::string(name) + " under two names, and differently");
      found = field->second;
    }
    return found;
  }

  // A scalar as text; "" where there is none.
  Result<std::string> text(std::string_view names) const {
    GATE_TRY(const json value, find(names));
    if (value.is_null()) return "";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_structured()) return fail("has a list or a table as " + first_of(names));
    return value.dump();
  }

  Result<bool> flag(std::string_view names) const {
    GATE_TRY(const std::string value, text(names));
    const std::string word = to_lower(value);
    if (word.empty() || word == "false" || word == "0") return false;
    if (word == "true" || word == "1") return true;
    return fail("has " + first_of(names) + " " + printable(value, 40) + ", and not true or false");
  }

  Result<WireId> id(std::string_view names) const {
    GATE_TRY(const json value, find(names));
    if (value.is_null()) return WireId{};
    if (!value.is_string() && !value.is_number_integer())
      return fail("has an " + first_of(names) + " that is no text and no whole number");
    GATE_TRY(const std::string whole, text(names));
    std::string written(trim(whole));
    if (written.size() > longest_id || !is_plain(written))
      return fail("has an " + first_of(names) + " that is no name: " + printable(written, 80));
    return WireId{std::move(written), value.is_number()};
  }

 private:
  // Fails if the mistake leaves open which test is meant.
  Status keep_mistake(const std::string& key, std::string mistake) {
    if (names_test(normal(key))) return fail(std::move(mistake));
    mistakes_.push_back(std::move(mistake));
    return {};
  }

  // As the variable is called of which it is the first name, `model_owner`; else as it stands.
  static std::string shown_name(const std::string& name) {
    for (const VariableRow& row : variable_rows)
      if (normal(row.variable) == name) return to_lower(row.variable);
    return name;
  }

  static std::string first_of(std::string_view names) { return std::string(split_words(names).front()); }

  std::map<std::string, json> values_;
  std::map<std::string, std::string> written_;  // the names as the message has them
  std::vector<std::string> mistakes_;
};

Result<MessageFields> fields_of(std::string_view bytes) {
  GATE_TRY(ParsedObject outer, parsed_object(bytes));
  GATE_TRY(MessageFields fields, MessageFields::of(outer));
  GATE_TRY(const json body, fields.find("body"));
  if (body.is_null()) return fields;
  if (body.is_object()) return MessageFields::of({body, std::move(outer.repeated)});
  if (!body.is_string()) return fail("has a Body that is no text");
  std::string inner = body.get<std::string>();
  if (!trim(inner).starts_with('{')) {
    GATE_TRY(inner, bytes_of_base64(inner));
  }
  GATE_TRY(ParsedObject object, parsed_object(inner));
  object.repeated.insert(object.repeated.end(), outer.repeated.begin(), outer.repeated.end());
  return MessageFields::of(object);
}

// What the topic's messages ask for where they do not say it.
TestType type_of_topic(std::string_view topic) {
  const bool is_of_accuracy = topic.find("accura") != topic.npos || topic.find("accuary") != topic.npos;
  return is_of_accuracy ? TestType::accuracy : TestType::usability;
}

// The kinds of test as they were written: `usability_test,accuracy_test`.
Result<std::string> types_text(const MessageFields& fields) {
  GATE_TRY(const json said, fields.find("testtype"));
  std::vector<std::string> words;
  for (const json& one : said.is_array() ? said : json::array({said}))
    words.push_back(one.is_string() ? one.get<std::string>() : one.is_null() ? "" : one.dump());
  return join(words, ",");
}

// The kinds of test, in their order; one at least.
Result<std::vector<TestType>> types_of(const std::string& words, std::string_view topic) {
  std::vector<TestType> types;
  for (const std::string_view part : split(words, ',')) {
    const std::string_view word = trim(part);
    if (word.empty()) continue;
    const auto type = parse_test_type(word);
    if (!type)
      return fail("has the test_type " + printable(word, 40) + "; known: accuracy_test, usability_test");
    if (std::ranges::find(types, *type) != types.end())
      return fail("has the test_type " + printable(word, 40) + " twice");
    types.push_back(*type);
  }
  if (types.empty()) types = {type_of_topic(topic)};
  return types;
}

Result<ModelTestType> model_test_of(const MessageFields& fields) {
  GATE_TRY(const std::string word, fields.text("modeltesttype"));
  if (word.empty()) return ModelTestType::inference;
  if (const auto type = parse_model_test_type(word)) return *type;
  return fail("has the model_test_type " + printable(word, 40) + "; known: inference, training");
}

// What the message of an accuracy test must have; that of a usability test is an older one.
constexpr std::array<std::string_view, 3> required_fields{"test_type", "model_test_type", "baseline_id"};

// Return `lacks test_type, baseline_id`; "" where nothing is missing.
Result<std::string> missing_of(const MessageFields& fields, const std::vector<TestType>& types) {
  if (std::ranges::find(types, TestType::accuracy) == types.end()) return "";
  std::vector<std::string> missing;
  for (const std::string_view name : required_fields) {
    GATE_TRY(const json said, fields.find(normal(name)));
    if (said.is_null()) missing.emplace_back(name);
  }
  return missing.empty() ? "" : "lacks " + join(missing, ", ");
}

// Return what was read; of a mistake what stands for it, and keep it once.
template <typename T>
T taken(Result<T> read, T otherwise, TestOrder& order) {
  if (read) return std::move(*read);
  if (std::ranges::find(order.mistakes, read.error().message) == order.mistakes.end())
    order.mistakes.push_back(read.error().message);
  return otherwise;
}

Result<HubMessage> test_order(const MessageFields& fields, std::string_view topic) {
  TestOrder order;
  GATE_TRY(order.id, fields.id(id_names));
  if (order.id.text.empty()) return fail("has no id");
  order.mistakes = fields.mistakes();
  fields.tell_unknown(order);
  order.model = taken(fields.id("modelid"), {}, order);
  order.baseline = taken(fields.id("baselineid"), {}, order);
  const std::string words = taken(types_text(fields), {}, order);
  const Result<std::vector<TestType>> types = types_of(words, topic);
  order.further = taken(types, {type_of_topic(topic)}, order);
  const std::string missing = taken(missing_of(fields, order.further), {}, order);
  if (!missing.empty()) order.mistakes.push_back(missing);
  order.type = order.further.front();
  order.further.erase(order.further.begin());
  order.model_test = taken(model_test_of(fields), ModelTestType::inference, order);
  order.device = to_lower(taken(fields.text("hardwareversion hardware"), {}, order));
  for (const VariableRow& row : variable_rows) {
    std::string value = taken(fields.text(row.names), {}, order);
    if (!value.empty()) order.variables.emplace(row.variable, std::move(value));
  }
  order.commit = order.variables["COMMIT_ID"];
  order.image = order.variables["IMAGE_NAME"];
  std::erase_if(order.variables, [](const auto& variable) { return variable.second.empty(); });
  order.variables["TEST_TYPE"] = types ? std::string(to_string(order.type)) : printable(words, 80);
  order.variables["MODEL_TEST_TYPE"] = to_string(order.model_test);
  return order;
}

struct ReasonRow {
  std::string_view names, why;
};

constexpr std::array reasons{ReasonRow{"isrepodeleted repodeleted", "its repository was deleted"},
                             ReasonRow{"ispubtopri ispublictoprivate", "its repository was made private"},
                             ReasonRow{"isfilechanged filechanged ismodelchanged", "its files were changed"}};

Result<HubMessage> stop_order(const MessageFields& fields) {
  StopOrder order;
  if (!fields.mistakes().empty()) return fail(fields.mistakes().front());
  GATE_TRY(const WireId id, fields.id(id_names));
  GATE_TRY(const WireId model, fields.id("modelid"));
  GATE_TRY(order.commit, fields.text("commitid commit"));
  order.id = id.text;
  order.model = model.text;
  for (const ReasonRow& reason : reasons) {
    GATE_TRY(const bool is_so, fields.flag(reason.names));
    if (is_so) order.why = reason.why;
  }
  const bool is_of_model = !order.why.empty() && !order.model.empty();
  if (is_of_model || order.id.empty()) order.id.clear();
  if (order.id.empty() && order.model.empty()) return fail("has neither an id nor a model_id");
  if (!order.id.empty()) order.commit.clear();
  if (order.why.empty()) order.why = "the hub asked for it";
  return order;
}

}  // namespace

Result<HubMessage> read_message(std::string_view bytes, std::string_view topic) {
  GATE_TRY(const MessageFields fields, fields_of(bytes));
  switch (config::kind_of_topic(topic)) {
    case config::TopicKind::created:
      return test_order(fields, topic);
    case config::TopicKind::stopped:
      return stop_order(fields);
    default:
      return fail("is of the topic " + printable(topic, 80) +
                  ", which ends neither in _created nor in _stopped");
  }
}

}  // namespace gate::worker
