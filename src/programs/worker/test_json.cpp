#include "worker/test_json.h"

#include <nlohmann/json.hpp>

#include "gate/base/text.h"

namespace gate::worker {

namespace {

using nlohmann::json;

json id_json(const WireId& id) { return {{"text", id.text}, {"is_number", id.is_number}}; }

WireId id_of(const json& value) { return {value.at("text"), value.at("is_number")}; }

template <typename Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}

template <typename Value>
std::optional<Value> optional_of(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Value>());
}

template <typename Read>
auto read_stored(std::string_view text, Read read) -> Result<decltype(read(json()))> {
  try {
    return read(json::parse(text));
  } catch (const json::exception&) {
    return fail("the journal holds a test that no worker wrote: " + printable(text, 120));
  }
}

}  // namespace

std::string write_order(const TestOrder& order) {
  std::vector<std::string> further;
  for (const TestType type : order.further) further.emplace_back(to_string(type));
  json value{{"id", id_json(order.id)},
             {"model", id_json(order.model)},
             {"baseline", id_json(order.baseline)},
             {"type", to_string(order.type)},
             {"model_test", to_string(order.model_test)},
             {"commit", order.commit},
             {"image", order.image},
             {"device", order.device},
             {"variables", order.variables},
             {"further", further},
             {"passed", order.passed}};
  if (!order.remarks.empty()) value["remarks"] = order.remarks;
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<TestOrder> read_order(std::string_view text) {
  return read_stored(text, [](const json& value) {
    TestOrder order;
    order.id = id_of(value.at("id"));
    order.model = id_of(value.at("model"));
    order.baseline = id_of(value.at("baseline"));
    order.type = parse_test_type(value.at("type").get<std::string>()).value_or(TestType::accuracy);
    order.model_test =
        parse_model_test_type(value.at("model_test").get<std::string>()).value_or(ModelTestType::inference);
    order.commit = value.at("commit");
    order.image = value.at("image");
    order.device = value.at("device");
    order.variables = value.at("variables").get<std::map<std::string, std::string>>();
    order.passed = value.value("passed", 0);  // an older worker wrote neither
    order.remarks = value.value("remarks", order.remarks);
    for (const std::string& word : value.value("further", std::vector<std::string>()))
      if (const auto type = parse_test_type(word)) order.further.push_back(*type);
    return order;
  });
}

std::string write_test_result(const HubResult& result) {
  return json{{"passed", or_null(result.passed)}, {"value", or_null(result.value)},
              {"metric", result.metric},          {"threshold", result.threshold},
              {"output", result.output},          {"log", result.log},
              {"baseline", result.baseline},      {"job", result.job},
              {"reason", result.reason},          {"is_uploaded", result.is_uploaded}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<HubResult> read_test_result(std::string_view text) {
  return read_stored(text, [](const json& value) {
    HubResult result;
    result.passed = optional_of<bool>(value.at("passed"));
    result.value = optional_of<double>(value.at("value"));
    result.metric = value.at("metric");
    result.threshold = value.at("threshold");
    result.output = value.at("output");
    result.log = value.at("log");
    result.baseline = value.value("baseline", "");  // an older worker wrote none
    result.job = value.value("job", "");
    result.reason = value.at("reason");
    result.is_uploaded = value.at("is_uploaded");
    return result;
  });
}

}  // namespace gate::worker
