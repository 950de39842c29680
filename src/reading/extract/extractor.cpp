#include "gate/extract/extractor.h"

#include <algorithm>
#include <utility>

#include "extract/engine.h"
#include "extract/events/tracker_kinds.h"
#include "extract/patterns/jsonl.h"
#include "extract/records/format_spec.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

bool is_auto(const std::vector<std::string>& formats) {
  return formats.empty() || std::ranges::find(formats, "auto") != formats.end();
}

std::string unknown_format(const std::string& name) {
  std::vector<std::string> names = format_names();
  names.insert(names.begin(), {"auto", std::string(no_format)});
  return "unknown format \"" + printable(name, 60) + "\"" + did_you_mean(name, names) +
         " (formats: " + join(names, ", ") + ")";
}

Result<std::vector<const FormatSpec*>> named_formats(const std::vector<std::string>& names) {
  std::vector<const FormatSpec*> chosen;
  if (names == std::vector{std::string(no_format)}) return chosen;
  for (const std::string& name : names) {
    if (name == "auto" || is_tracker_format(name)) continue;
    if (name == no_format) return fail("formats: " + std::string(none_stands_alone));
    const FormatSpec* format = find_format(name);
    if (format == nullptr) return fail(unknown_format(name));
    if (std::ranges::find(chosen, format) == chosen.end()) chosen.push_back(format);
  }
  return chosen;
}

// `json` is the format `jsonl` with a person's names for JSON lines, if there are any: it stands for that
// one, or beside it if the format is to be found out.
Result<std::vector<const FormatSpec*>> choose_formats(const std::vector<std::string>& names,
                                                      const FormatSpec* json) {
  Result<std::vector<const FormatSpec*>> chosen = named_formats(names);
  if (!chosen) return chosen;
  if (json != nullptr) std::ranges::replace(*chosen, find_format("jsonl"), json);
  if (!is_auto(names)) return chosen;
  std::vector<const FormatSpec*> all;
  for (const FormatSpec& format : format_specs()) all.push_back(&format);
  if (json != nullptr) all.push_back(json);
  return all;
}

Result<std::vector<PatternReader>> make_patterns(const std::vector<UserPattern>& patterns) {
  std::vector<PatternReader> readers;
  for (const UserPattern& pattern : patterns) {
    GATE_TRY(PatternReader reader, PatternReader::make(pattern));
    readers.push_back(std::move(reader));
  }
  return readers;
}

}  // namespace

struct Extractor::State {
  std::unique_ptr<const FormatSpec> json;  // with a person's names, if any are given
  Engine engine;
};

Extractor::Extractor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;
Extractor::~Extractor() = default;

Result<Extractor> Extractor::make(Options options) {
  std::unique_ptr<const FormatSpec> json;
  if (!options.json.empty()) json = std::make_unique<const FormatSpec>(jsonl_format(options.json));
  GATE_TRY(const std::vector<const FormatSpec*> formats, choose_formats(options.formats, json.get()));
  GATE_TRY(std::vector<PatternReader> patterns, make_patterns(options.patterns));
  const FormatMode mode = is_auto(options.formats) ? FormatMode::one : FormatMode::all;
  return Extractor(std::unique_ptr<State>(
      new State{std::move(json), {std::move(options), formats, mode, std::move(patterns)}}));
}

void Extractor::on_sample(std::function<void(const LiveSample&)> on_sample) {
  state_->engine.on_sample(std::move(on_sample));
}

void Extractor::begin_file(std::string name, std::optional<int> rank) {
  state_->engine.begin_file(std::move(name), rank);
}
void Extractor::resume_file(std::size_t index) { state_->engine.resume_file(index); }
void Extractor::begin_start() { state_->engine.begin_start(); }
void Extractor::feed(std::string_view bytes) { state_->engine.feed(bytes); }
void Extractor::learn(std::string_view sample) { state_->engine.learn(sample); }
ScanResult Extractor::scan(std::string_view bytes) const { return state_->engine.scan(bytes); }
void Extractor::feed(std::string_view bytes, const ScanResult& scanned) {
  state_->engine.feed(bytes, scanned);
}
Extraction Extractor::finish() { return state_->engine.finish(); }
bool Extractor::is_profiled() const { return state_->engine.is_profiled(); }
std::int64_t Extractor::last_step() const { return state_->engine.live().last_step(); }
std::optional<std::int64_t> Extractor::total() const { return state_->engine.live().total(); }

}  // namespace gate::extract
