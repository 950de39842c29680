#include <algorithm>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "schema/gate_baseline.h"
#include "schema/golden_file.h"

namespace gate::schema {

namespace {

constexpr const char* megatron_golden =
    "this looks like a golden_values file of Megatron-LM, which is not read; take a log of that run instead: "
    "gate baseline "
    "import LOG --case CASE";

bool is_megatron_golden(const Json& document) {
  return std::ranges::any_of(document.items,
                             [](const Json& member) { return member.find("start_step") != nullptr; });
}

// Return what the `schema` of a document that is no baseline means for its user.
std::string wrong_schema(const std::string& schema) {
  if (schema == "gate.result/1") return "this is the result of a run, not a baseline";
  if (schema.starts_with("gate.baseline/"))
    return "unknown schema \"" + printable(schema, 80) +
           "\"; this gate reads gate.baseline/1, a newer one wrote the file";
  return "unknown schema \"" + printable(schema, 80) + "\"; write \"gate.baseline/1\"";
}

// Return what a document without `schema` and without a known list might be.
std::string no_known_key(const Json& document) {
  std::string keys;
  for (const Json& member : document.items) keys += (keys.empty() ? "" : ", ") + ("\"" + member.key + "\"");
  return "no baseline: neither \"schema\" nor one of " + golden_keys() + " is a key here; " +
         (keys.empty() ? "the object is empty" : "it has " + printable(keys, 120));
}

Baseline read_any(const Fields& fields) {
  const Json& document = fields.json();
  Complaints& complaints = fields.complaints();
  if (!complaints.empty()) return {};
  const Json* schema = document.find("schema");
  if (schema != nullptr && schema->text == "gate.baseline/1") return read_gate_baseline(document, complaints);
  if (schema != nullptr) return complaints.add(schema->at, wrong_schema(schema->text)), Baseline{};
  if (is_megatron_golden(document)) return complaints.add(document.at, megatron_golden), Baseline{};
  if (is_golden_file(document)) return read_golden_file(document, complaints);
  complaints.add(document.at, no_known_key(document));
  return {};
}

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  return read_document<Baseline>(text, name, read_any);
}

bool looks_like_json(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto brace = text.find_first_not_of(blanks);
  if (brace == std::string_view::npos || text[brace] != '{') return false;
  if (text.find("}\n{") != std::string_view::npos) return false;
  const auto next = text.find_first_not_of(blanks, brace + 1);
  return next == std::string_view::npos || text[next] == '"' || text[next] == '}';
}

}  // namespace gate::schema
