// Validation of texts against the JSON Schemas that ship with gate.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace gate::schema {

// Return "" if the text is valid under docs/schema/<schema_file>, else the first reason why not.
inline std::string invalid(const std::string& text, const std::string& schema_file) {
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  std::ifstream file(GATE_SOURCE_DIR "/docs/schema/" + schema_file);
  const auto schema_text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(schema_text), schema);
  const auto document = nlohmann::json::parse(text);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, Adapter(document), &results)) return "";
  valijson::ValidationResults::Error error;
  return results.popError(error) ? error.description : "invalid";
}

}  // namespace gate::schema
