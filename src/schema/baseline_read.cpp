#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "schema/gate_baseline.h"
#include "schema/golden_reader.h"
#include "schema/golden_torchtitan.h"

namespace gate::schema {

namespace {

// Return what the `schema` of a document that is no baseline means for its user.
std::string wrong_schema(const std::string& schema) {
  if (schema == "gate.result/1") return "this is the result of a run, not a baseline";
  if (schema.starts_with("gate.baseline/"))
    return "unknown schema \"" + printable(schema, 80) +
           "\"; this gate reads gate.baseline/1, a newer one wrote the file";
  return "unknown schema \"" + printable(schema, 80) + "\"; write \"gate.baseline/1\"";
}

// Return what a document without `schema` that no reader recognises might be.
std::string unrecognised(const Json& document) {
  if (document.items.empty())
    return "the object is empty: nothing to compare with; record or import this baseline again, or remove it";
  std::string keys;
  for (const Json& member : document.items) {
    keys += (keys.empty() ? "\"" : ", \"") + member.key + "\"";
    if (keys.size() > 200) break;
  }
  return "no baseline: neither \"schema\" nor what golden files hold is a key here; it has " +
         printable(keys, 120) + "; `gate manual` lists the golden files that are read";
}

Baseline read_golden(const Json& document, Complaints& complaints) {
  const GoldenReader* reader = find_golden_reader(document);
  if (reader == nullptr) return complaints.add(document.at, unrecognised(document)), Baseline{};
  Baseline baseline = reader->read(document, complaints);
  baseline.origin = reader->kind.origin;
  return baseline;
}

Baseline read_object(const Json& document, Complaints& complaints) {
  const Fields fields(document, complaints);
  const Json* schema = document.find("schema");
  if (!complaints.empty()) return {};
  if (schema == nullptr) return read_golden(document, complaints);
  if (schema->text == "gate.baseline/1") return read_gate_baseline(document, complaints);
  return complaints.add(schema->at, wrong_schema(schema->text)), Baseline{};
}

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  const bool lines = is_step_lines(text);
  const Result<Json> document = lines ? parse_step_lines(text, name) : parse_json(text, name);
  if (!document) return tl::unexpected(document.error());
  Complaints complaints(text, name);
  Baseline baseline = lines ? read_golden(*document, complaints) : read_object(*document, complaints);
  if (!complaints.empty()) return tl::unexpected(complaints.error());
  return baseline;
}

bool looks_like_golden(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto brace = text.find_first_not_of(blanks);
  if (brace == std::string_view::npos) return true;
  if (text[brace] != '{') return is_step_lines(text);
  if (text.find("}\n{") != std::string_view::npos) return false;
  const auto next = text.find_first_not_of(blanks, brace + 1);
  return next == std::string_view::npos || text[next] == '"' || text[next] == '}';
}

}  // namespace gate::schema
