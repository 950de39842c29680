#include "gate/render/table_json.h"

#include <nlohmann/json.hpp>

namespace gate::render {

std::string table_json(const std::vector<std::vector<std::string>>& rows) {
  Json all = Json::array();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    Json object = Json::object();
    for (std::size_t k = 0; k < rows[i].size(); ++k) object[rows[0].at(k)] = rows[i][k];
    all.push_back(std::move(object));
  }
  return json_text(all);
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
