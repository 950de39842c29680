#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "schema/baseline/gate_baseline.h"
#include "schema/golden/reader.h"
#include "schema/golden/torchtitan.h"

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

// Return where the object that the text begins with ends; the text's end where it is cut off.
std::size_t end_of_object(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text && c == '\\')
      ++i;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '{' || c == '['))
      ++depth;
    else if (!in_text && (c == '}' || c == ']') && --depth == 0)
      return i + 1;
  }
  return text.size();
}

// A record of a log is an object, too, but none of these.
bool may_be_baseline(const Json& object) {
  return object.items.empty() || object.find("schema") != nullptr || find_golden_reader(object) != nullptr;
}

// Tell it of an object that is no JSON, or is cut off: files of series are laid out over several lines, or
// begin with a list or an object.
bool begins_baseline(std::string_view text) {
  const std::size_t colon = text.find("\":");
  if (text.find('\n') != std::string_view::npos || trim(text) == "{") return true;
  if (colon == std::string_view::npos) return false;
  const std::string_view value = trim(text.substr(colon + 2));
  return value.starts_with('[') || value.starts_with('{') || text.find("\"schema\"") < colon;
}

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  const bool lines = is_step_lines(text);
  GATE_TRY(const Json document, lines ? parse_step_lines(text, name) : parse_json(text, name));
  Complaints complaints(text, name);
  Baseline baseline = lines ? read_golden(document, complaints) : read_object(document, complaints);
  if (!complaints.empty()) return tl::unexpected(complaints.error());
  return baseline;
}

bool looks_like_golden(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = trim(text);
  if (text.empty()) return true;
  if (text.front() != '{') return is_step_lines(text);
  const std::string_view inside = trim(text.substr(1));
  if (!inside.empty() && inside.front() != '"' && inside.front() != '}') return false;
  const std::size_t end = end_of_object(text);
  if (trim(text.substr(end)).starts_with('{')) return false;
  const Result<Json> object = parse_json(text.substr(0, end), "");
  return object ? may_be_baseline(*object) : begins_baseline(text);
}

}  // namespace gate::schema
