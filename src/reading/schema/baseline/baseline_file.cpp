#include <set>

#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"
#include "gate/schema/baseline_file.h"
#include "schema/golden/reader.h"
#include "schema/json/json_members.h"
#include "schema/json/series_text.h"

namespace gate::schema {

namespace {

constexpr std::size_t values_a_line = 10;
constexpr std::size_t ranges_in_a_text = 10;
constexpr std::string_view own_schema = "gate.baseline/1";

std::vector<std::string> words_of(std::span<const std::int64_t> numbers) {
  return texts_of(numbers, [&](const std::int64_t number) { return std::to_string(number); });
}

void write_known_list(JsonOut& out, std::string_view name, std::span<const std::int64_t> numbers) {
  if (!numbers.empty()) out.values(name, words_of(numbers), values_a_line);
}

void write_values(JsonOut& out, const Series& series) {
  const auto json_of = [](const Sample& sample) {
    return sample.value.kind == ValueKind::left_out ? "null" : quote(word_in_unit(sample));
  };
  auto next = series.samples().begin();
  out.values("values", series.size(), values_a_line, [&] {
    const auto it = next++;
    const auto word = it.telling_word();
    return word ? quote(*word) : json_of(*it);
  });
}

std::vector<std::int64_t> read_number_list(const Json& list, std::size_t count, Complaints& complaints) {
  std::vector<std::int64_t> numbers;
  for (const Json& item : list.items) {
    const auto number = integer_of(item, 0, complaints);
    if (!number) continue;
    if (!numbers.empty() && *number <= numbers.back())
      complaints.add(item.at, item.text + " does not rise above " + std::to_string(numbers.back()));
    numbers.push_back(*number);
  }
  if (list.items.size() != count)
    complaints.add(list.at, "holds " + std::to_string(list.items.size()) + " numbers for " +
                                count_of(static_cast<std::int64_t>(count), "value"));
  return numbers;
}

// Return the numbers, written as `1-15` or as a list; fewer than `count` after a complaint.
std::vector<std::int64_t> read_step_numbers(const Fields& fields, std::size_t count) {
  const Json* json = fields.json().find("numbers");
  Complaints& complaints = fields.complaints();
  if (json == nullptr)
    return fields.missing("numbers", "; write \"1-15\" or a list"), std::vector<std::int64_t>();
  if (json->kind == Json::Kind::list) return read_number_list(*json, count, complaints);
  if (json->kind != Json::Kind::text) {
    complaints.add(json->at, "\"numbers\" must be a text like \"1-15\" or a list, not " +
                                 std::string(to_string(json->kind)));
    return {};
  }
  const auto numbers = parse_ranges(json->text, count);
  if (!numbers) complaints.add(json->at, numbers.error().message);
  return numbers.value_or(std::vector<std::int64_t>{});
}

void append_word(Series& series, std::int64_t number, std::string_view word, std::size_t at,
                 Complaints& complaints) {
  SampleView sample(number, {}, word);
  sample.is_said = parse_value(word, sample.value);
  if (!sample.is_said) {
    complaints.add(at, "\"" + printable(word, 40) + "\" is no number word");
    sample.value = {};
  }
  series.append(sample);
}

void append_value(Series& series, std::int64_t number, const Json& json, Complaints& complaints) {
  if (json.kind == Json::Kind::text) return append_word(series, number, json.text, json.at, complaints);
  if (json.kind != Json::Kind::null)
    complaints.add(json.at,
                   "a value must be a text as printed, like \"1.25\", or null where it was left out; not " +
                       std::string(to_string(json.kind)));
  series.append(SampleView(number, {}, ""));
}

void read_conflicts(const Fields& fields, Series& series) {
  for (const Json& item : fields.list("conflicts")) {
    const auto number = integer_of(item, 0, fields.complaints());
    if (number && !series.find(*number))
      fields.complaints().add(item.at, item.text + " is not among the numbers of the series");
    if (number) series.mark_conflict(*number);
  }
}

void read_unrecorded(const Fields& fields, Series& series) {
  for (const Json& item : fields.list("unrecorded")) {
    const auto number = integer_of(item, 0, fields.complaints());
    if (!number) continue;
    if (series.find(*number)) fields.complaints().add(item.at, item.text + " has a value in the series");
    if (!series.unrecorded().empty() && *number <= series.unrecorded().back())
      fields.complaints().add(item.at, item.text + " does not rise");
    series.mark_unrecorded(*number);
  }
}

Numbering read_numbering(const Fields& fields) {
  const std::string word = fields.text("numbered");
  const auto numbered = parse_numbering(word);
  if (!numbered && fields.json().find("numbered") != nullptr)
    fields.complaints().add(fields.json().find("numbered")->at,
                            "unknown numbering \"" + printable(word, 40) + "\"; use step, report or time");
  return numbered.value_or(Numbering::step);
}

// What a series is besides its values.
struct SeriesHead {
  std::string metric;
  std::optional<int> rank;
  std::string unit;
  Numbering numbered = Numbering::step;
  bool assumed = false;
  bool of_last_steps = false;
  bool unrounded = false;
};

Series read_series(const Fields& fields, const SeriesHead& head) {
  Series series(head.metric, head.rank, head.unit, head.numbered);
  series.set_assumed(head.assumed);
  series.set_of_last_steps(head.of_last_steps);
  series.set_unrounded(head.unrounded);
  static const Json none;
  const Json* values = fields.member("values", Json::Kind::list);
  if (fields.json().find("values") == nullptr) fields.missing("values");
  if (values == nullptr) values = &none;
  const auto numbers = read_step_numbers(fields, values->items.size() + values->folded);
  std::size_t i = 0;
  const auto next = [&] { return i < numbers.size() ? numbers[i++] : 0; };
  for (const Json& item : values->items) append_value(series, next(), item, fields.complaints());
  each_folded(*values, [&](std::string_view word, std::size_t at) {
    append_word(series, next(), word, at, fields.complaints());
  });
  return series;
}

// None are not the same as none that are set.
Switches read_switches(const Fields& fields) {
  if (fields.object("switches") == nullptr) return std::nullopt;
  std::map<std::string, std::string> switches;
  MemberReader(fields, Others::passed_over).text_map("switches", switches);
  return switches;
}

// A series a second time is complained of at its place.
std::vector<Series> read_all_series(const Fields& fields) {
  std::vector<Series> all;
  std::set<std::pair<std::string, std::optional<int>>> seen;
  for (const Json& item : fields.list("series")) {
    all.push_back(MemberReader::read<Series>(Fields(item, fields.complaints()), Others::refused));
    const std::string name = "series " + printable(label(all.back()), 80);
    const bool has_nothing = all.back().empty() && all.back().unrecorded().empty();
    if (!seen.emplace(all.back().metric(), all.back().rank()).second)
      fields.complaints().add(item.at, name + " a second time in this run; remove one of them");
    else if (has_nothing && item.find("values") != nullptr)
      fields.complaints().add(item.at, name + " has no value, and would let every run pass; remove it");
  }
  return all;
}

}  // namespace

void members(auto& io, Is<SeriesHead> auto& head) {
  io.required_text("metric", head.metric);
  io.known_number("rank", head.rank);
  io.text("unit", head.unit);
  io.custom(
      "numbered", [&](JsonOut& out) { out.text("numbered", to_string(head.numbered)); },
      [&](const auto& fields) { head.numbered = read_numbering(fields); });
  io.known_flag("assumed", head.assumed);
  io.known_flag("of_last_steps", head.of_last_steps);
  io.known_flag("unrounded", head.unrounded);
}

// Numbers are read together with their values.
void members(auto& io, Is<Series> auto& series) {
  SeriesHead head{.metric = series.metric(),
                  .rank = series.rank(),
                  .unit = series.unit(),
                  .numbered = series.numbered(),
                  .assumed = series.assumed(),
                  .of_last_steps = series.of_last_steps(),
                  .unrounded = series.unrounded()};
  members(io, head);
  io.custom(
      "numbers",
      [&](JsonOut& out) {
        const auto numbers = series.samples().numbers();
        const std::string folded = to_string(StepSet(numbers));
        if (split(folded, ',').size() <= ranges_in_a_text) return out.text("numbers", folded);
        out.values("numbers", words_of(numbers), values_a_line);
      },
      [&](const auto& fields) { series = read_series(fields, head); });
  io.custom(
      "conflicts", [&](JsonOut& out) { write_known_list(out, "conflicts", series.conflicts()); },
      [&](const auto& fields) { read_conflicts(fields, series); });
  io.custom(
      "unrecorded", [&](JsonOut& out) { write_known_list(out, "unrecorded", series.unrecorded()); },
      [&](const auto& fields) { read_unrecorded(fields, series); });
  io.custom(
      "values", [&](JsonOut& out) { write_values(out, series); }, [](const Fields&) {});
}

void members(auto& io, Is<BaselineRun> auto& run) {
  io.known_number("total", run.total);
  io.known_number("attempts", run.attempts);
  io.known_texts("other_jobs", run.other_jobs);
  io.known_text("unfit", run.unfit);
  io.custom(
      "series", [&](JsonOut& out) { MemberWriter(out).list("series", run.series); },
      [&](const auto& fields) { run.series = read_all_series(fields); });
}

void members(auto& io, Is<Provenance> auto& from) {
  io.known_text("gate_version", from.gate_version);
  io.known_text("date", from.date);
  io.known_text("host", from.host);
  io.known_text("device", from.device);
  io.nonzero("device_count", from.device_count);
  io.known_text("driver", from.driver);
  io.known_text("toolkit", from.toolkit);
  io.known_text("firmware", from.firmware);
  io.known_text("kernel", from.kernel);
  io.known_text("image", from.image);
  io.known_text("python", from.python);
  io.known_text_map("packages", from.packages);
  io.custom(
      "switches",
      [&](JsonOut& out) {
        if (from.switches) MemberWriter(out).text_map("switches", *from.switches);
      },
      [&](const auto& fields) { from.switches = read_switches(fields); });
  io.known_text("commit", from.commit);
  io.known_text("script_sha256", from.script_sha256);
  io.known_text("run", from.run);
  io.known_text("source", from.source);
  io.known_text("source_sha256", from.source_sha256);
  io.texts("args", from.args);
  io.texts("set", from.set);
  io.known_text_map("setup", from.setup);
  io.flag("ended_well", from.ended_well);
  io.known_text_map("script_switches", from.script_switches);
}

void members(auto& io, Is<Acceptance> auto& acceptance) {
  io.text("who", acceptance.who);
  io.text("when", acceptance.when);
  io.text("reason", acceptance.reason);
  io.known_text("from", acceptance.from);
  io.known_text("previous_sha256", acceptance.previous_sha256);
  io.known_texts("despite", acceptance.despite);
  io.known_texts("metrics", acceptance.metrics);
}

void members(auto& io, Is<FirstAccepted> auto& first) {
  io.known_text("when", first.when);
  io.known_text("sha256", first.sha256);
  io.list("runs", first.runs);
}

void members(auto& io, Is<Baseline> auto& baseline) {
  schema_member(io, "gate.baseline/1");
  io.required_text("case", baseline.case_name);
  io.known_text("platform", baseline.platform);
  io.known_text("environment", baseline.environment);
  io.texts("formats", baseline.formats);
  io.object("provenance", baseline.provenance);
  io.list("runs", baseline.runs);
  io.list("accepted", baseline.accepted);
  io.known_object("first", baseline.first);
}

namespace {

// Return the baseline of gate.baseline/1; what does not fit is complained of, and the baseline then is worth
// nothing.
Baseline read_gate_baseline(const Json& document, Complaints& complaints) {
  Baseline baseline = MemberReader::read<Baseline>(Fields(document, complaints), Others::refused);
  baseline.origin = "gate";
  if (baseline.first && baseline.first->runs.empty())
    complaints.add(document.at,
                   "\"first\" needs at least one run; without it later drift is measured from none");
  if (baseline.runs.empty()) complaints.add(document.at, "a baseline needs at least one run under \"runs\"");
  return baseline;
}

// Return what the `schema` of a document that is no baseline means for its user.
std::string advice_on_schema(const std::string& schema) {
  if (schema == "gate.result/1") return "this is the result of a run, not a baseline";
  if (schema.starts_with("gate.baseline/"))
    return "unknown schema \"" + printable(schema, 80) +
           "\"; this gate reads gate.baseline/1, a newer one wrote the file";
  return "unknown schema \"" + printable(schema, 80) + "\"; write \"gate.baseline/1\"";
}

// Return what a document without `schema` that no reader recognises might be.
std::string advice_on_members(const Json& document) {
  if (document.items.empty())
    return "the object is empty: nothing to compare with; record or import this baseline again, or remove it";
  std::string keys;
  for (const Json& member : document.items) {
    keys += (keys.empty() ? "\"" : ", \"") + member.key + "\"";
    if (keys.size() > 200) break;
  }
  return "no baseline: neither \"schema\" nor what golden files hold is a key here; it has " +
         printable(keys, 120) + "; `gate help golden files` lists the golden files that are read";
}

Baseline read_golden(const Json& document, Complaints& complaints) {
  const GoldenReader* reader = find_golden_reader(document);
  if (reader == nullptr) return complaints.add(document.at, advice_on_members(document)), Baseline{};
  Baseline baseline = reader->read(document, complaints);
  baseline.origin = reader->kind.origin;
  return baseline;
}

Baseline read_object(const Json& document, Complaints& complaints) {
  const Fields fields(document, complaints);
  const Json* schema = document.find("schema");
  if (!complaints.empty()) return {};
  if (schema == nullptr) return read_golden(document, complaints);
  if (schema->text == own_schema) return read_gate_baseline(document, complaints);
  return complaints.add(schema->at, advice_on_schema(schema->text)), Baseline{};
}

// Return where the object that the text begins with ends; the text's end if it is cut off.
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

// Tell it of an object that is no JSON, or is cut off: files of series are laid out over several lines, or
// begin with a list or an object.
bool begins_baseline(std::string_view text) {
  const std::size_t colon = text.find("\":");
  if (text.find('\n') != std::string_view::npos || trim(text) == "{") return true;
  if (colon == std::string_view::npos) return false;
  const std::string_view value = trim(text.substr(colon + 2));
  return value.starts_with('[') || value.starts_with('{') || text.find("\"schema\"") < colon;
}

// Return the tree, with the values of gate's own files folded.
Result<Json> parse_baseline(std::string_view text, const std::string& name) {
  constexpr std::size_t head = 256;
  if (text.substr(0, head).find(own_schema) != std::string_view::npos) {
    GATE_TRY(Json document, parse_folded(text, name, "values"));
    if (const Json* schema = document.find("schema"); schema != nullptr && schema->text == own_schema)
      return document;
  }
  return parse_json(text, name);
}

}  // namespace

std::string write_baseline(const Baseline& baseline) { return write_document(baseline); }

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  const bool lines = is_step_lines(text);
  GATE_TRY(const Json document, lines ? parse_step_lines(text, name) : parse_baseline(text, name));
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
  if (!object) return begins_baseline(text);
  // A record of a log is an object, too, but none of these.
  return object->items.empty() || object->find("schema") != nullptr || find_golden_reader(*object) != nullptr;
}

}  // namespace gate::schema
