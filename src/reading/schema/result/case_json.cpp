#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "gate/base/text.h"
#include "gate/schema/result_file.h"
#include "gate/words/remarks.h"
#include "schema/json/series_text.h"
#include "schema/performance/performance_members.h"
#include "schema/result/json_report.h"

namespace gate::schema {

namespace {

// The most specific file stands alone, as nearly every case has but one.
void write_baselines(JsonOut& out, const std::vector<BaselineUsed>& used) {
  if (used.empty()) return out.raw("baseline", "null");
  MemberWriter(out).object("baseline", used.front());
  MemberWriter(out).known_list("more_baselines", std::vector(used.begin() + 1, used.end()));
}

std::vector<BaselineUsed> read_baselines(const Fields& fields) {
  std::vector<BaselineUsed> used;
  if (const Json* json = fields.object("baseline"))
    used.push_back(MemberReader::read<BaselineUsed>(Fields(*json, fields.complaints())));
  for (const Json& json : fields.list("more_baselines"))
    used.push_back(MemberReader::read<BaselineUsed>(Fields(json, fields.complaints())));
  return used;
}

// `0-3, 7`; "" of a series of no rank.
std::string numbers_of(const Ranks& ranks) {
  std::vector<std::int64_t> numbers;
  for (const std::optional<int>& rank : ranks)
    if (rank) numbers.push_back(*rank);
  return to_string(StepSet(numbers));
}

Ranks ranks_in(const Fields& fields) {
  constexpr std::int64_t most_ranks = 1'000'000;
  const std::string text = fields.text("ranks");
  const auto numbers = StepSet::parse(text);
  const bool fits = numbers && (numbers->empty() || (numbers->front() >= 0 && numbers->back() < most_ranks));
  if (!fits)
    fields.complaints().add(fields.json().find("ranks")->at, "no ranks: \"" + printable(text, 40) + '"');
  Ranks ranks;
  if (fits)
    for (const std::int64_t rank : numbers->numbers()) ranks.emplace_back(static_cast<int>(rank));
  return ranks;
}

// An older result has but texts.
void read_notes(const std::vector<std::string>& texts, CaseReport& report) {
  if (!report.notes.empty()) return;
  for (const std::string& text : texts) report.notes.push_back(plain_note(text));
}

// Return an outcome of the kind, with nothing in it yet.
template <std::size_t... kinds>
std::optional<Outcome> outcome_of_kind(std::string_view kind, std::index_sequence<kinds...>) {
  std::optional<Outcome> found;
  const auto try_one = [&](Outcome outcome) {
    if (kind_of(outcome) == kind) found = std::move(outcome);
  };
  (try_one(Outcome(std::in_place_index<kinds>)), ...);
  return found;
}

void read_kind(const Fields& fields, Outcome& outcome) {
  const std::string kind = fields.required_text("kind");
  const auto found = outcome_of_kind(kind, std::make_index_sequence<std::variant_size_v<Outcome>>());
  if (found) outcome = *found;
  if (!found && !kind.empty())
    fields.complaints().add(fields.json().find("kind")->at,
                            "unknown outcome \"" + printable(kind, 40) + "\"");
}

void write_double(JsonOut& out, std::string_view name, const std::optional<double>& value) {
  if (value) out.word(name, fmt::format("{}", *value));
}

std::optional<double> double_in(const Fields& fields, std::string_view name) {
  const auto number = Decimal::parse(fields.word(name));
  return number ? std::optional(number->to_double()) : std::nullopt;
}

// A number of an output: absent where there is none.
void known_double(auto& io, std::string_view name, auto& value) {
  io.custom(
      name, [&](JsonOut& out) { write_double(out, name, value); },
      [&](const auto& fields) { value = double_in(fields, name); });
}

}  // namespace

void members(auto& io, Is<Note::Subject> auto& subject) {
  io.required_text("metric", subject.name);
  io.custom(
      "ranks", [&](JsonOut& out) { out.known_text("ranks", numbers_of(subject.ranks)); },
      [&](const auto& fields) { subject.ranks = ranks_in(fields); });
}

void members(auto& io, Is<Note> auto& note) {
  Sentence text = words::text(note.remark, note.numbered);
  io.known_list("on", note.subjects);
  io.text("text", text);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(note)>>) note.remark = remark::Text{text};
}

void members(auto& io, Is<BaselineTried> auto& tried) {
  io.text("path", tried.path);
  io.known_text("sha256", tried.sha256);
  io.known_texts("metrics", tried.metrics);
}

void members(auto& io, Is<BaselineUsed> auto& used) {
  io.text("path", used.path);
  io.text("sha256", used.sha256);
  io.nonzero("runs", used.runs);
  io.known_text("source", used.source);
}

void members(auto& io, Is<Ungated> auto& ungated) {
  io.text("metric", ungated.metric);
  io.text("rule", ungated.rule);
  Sentence reason = words::text(ungated.reason);
  io.text("reason", reason);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(ungated)>>)
    ungated.reason = remark::Text{reason};
  io.known_flag("absent", ungated.absent);
}

void members(auto& io, Is<GreenUntil> auto& green) {
  io.text("run", green.run);
  io.text("commit", green.commit);
  io.text("started", green.started);
  io.number("runs_ago", green.runs_ago);
  io.known_number("commits", green.commits);
  io.known_text("subject", green.subject);
}

void members(auto& io, Is<Shadow> auto& shadow) {
  io.required_text("profile", shadow.profile);
  io.named("verdict", shadow.verdict, parse_verdict);
  io.text("reason", shadow.reason);
  io.list("checks", shadow.checks);
}

void members(auto& io, Is<Problem> auto& problem) {
  io.named_if_known("kind", problem.kind, parse_problem_kind);
  io.text("file", problem.file);
  io.number("line", problem.line);
  io.text("text", problem.text);
}

void members(auto& io, Is<KnownMessage> auto& message) {
  io.required_text("name", message.name);
  io.named("class", message.kind, parse_message_class);
  io.text("what", message.what);
  io.text("text", message.text);
  io.text("file", message.file);
  io.number("line", message.line);
  io.number("count", message.count);
  io.text("advice", message.advice);
}

// Each kind of outcome, by what it holds.
void members_of_kind(auto& io, auto& outcome) {
  if constexpr (requires { outcome.code; }) io.number("code", outcome.code);
  if constexpr (requires { outcome.signal; }) io.number("signal", outcome.signal);
  if constexpr (requires { outcome.by; }) io.known_text("by", outcome.by);
  if constexpr (requires { outcome.why; }) io.text("why", outcome.why);
  if constexpr (requires { outcome.reason; }) io.text("why", outcome.reason);
  if constexpr (requires { outcome.rest; }) io.known_duration("rest_s", outcome.rest);
  if constexpr (requires { outcome.silent; }) io.duration("silent_s", outcome.silent);
  if constexpr (requires { outcome.limit; }) io.duration("limit_s", outcome.limit);
  if constexpr (requires { outcome.during; }) io.text("during", outcome.during);
}

void members(auto& io, Is<Outcome> auto& outcome) {
  io.custom(
      "kind", [&](JsonOut& out) { out.text("kind", kind_of(outcome)); },
      [&](const auto& fields) { read_kind(fields, outcome); });
  io.custom(
      "text", [&](JsonOut& out) { out.text("text", text(outcome).english()); }, [](const Fields&) {});
  std::visit([&](auto& one) { members_of_kind(io, one); }, outcome);
}

void members(auto& io, Is<Quarantine> auto& quarantine) {
  io.required_text("until", quarantine.until);
  io.text("reason", quarantine.reason);
  io.text("owner", quarantine.owner);
}

void members(auto& io, Is<OutputDifference> auto& difference) {
  io.number("number", difference.number);
  io.text("actual", difference.actual);
  io.text("golden", difference.golden);
  known_double(io, "value", difference.value);
  io.nonzero("offset", difference.offset);
  io.known_text("place", difference.place);
}

void members(auto& io, Is<OutputScore> auto& score) {
  io.required_text("metric", score.metric);
  known_double(io, "value", score.value);
  io.known_text("signature", score.signature);
  io.nonzero("compared", score.compared);
  io.nonzero("differing", score.differing);
  io.known_object("first", score.first);
  io.known_object("worst", score.worst);
  known_double(io, "golden", score.golden);
  known_double(io, "standard_error", score.standard_error);
  known_double(io, "golden_standard_error", score.golden_standard_error);
  io.known_text("incomparable", score.incomparable);
}

void members(auto& io, Is<OutputResult> auto& output) {
  io.required_text("name", output.name);
  io.known_text("file", output.file);
  io.known_text("golden", output.golden);
  io.known_text("missing", output.missing);
  io.known_text("unjudged", output.unjudged);
  io.known_list("scores", output.scores);
}

void members(auto& io, Is<CaseReport> auto& report) {
  io.required_text("case", report.name);
  io.named("verdict", report.verdict, parse_verdict);
  io.text("reason", report.reason);
  io.text_or_default("profile", report.profile);
  io.known_object("shadow", report.shadow);
  io.known_object("outcome", report.outcome);
  io.known_object("cause", report.cause);
  io.known_text("last_words", report.last_words);
  io.known_object("green_until", report.green_until);
  io.text("platform", report.platform);
  io.known_text("environment", report.environment);
  io.text("devices", report.devices);
  io.known_texts("hosts", report.hosts);
  io.known_text("owner", report.owner);
  io.known_object("quarantine", report.quarantine);
  io.known_text("job", report.job);
  io.custom(
      "baseline", [&](JsonOut& out) { write_baselines(out, report.baselines); },
      [&](const auto& fields) { report.baselines = read_baselines(fields); });
  io.known_list("baseline_chain", report.chain);
  io.duration("duration_s", report.duration);
  io.known_duration("device_time_s", report.device_time);
  io.known_duration("device_time_saved_s", report.device_time_saved);
  io.number("steps", report.steps);
  io.known_number("total", report.total);
  io.known_texts("formats", report.formats);
  io.texts("args", report.args);
  io.known_text_map("inputs", report.inputs);
  io.list("checks", report.checks);
  io.known_list("stages", report.stages);
  io.known_list("outputs", report.outputs);
  io.known_object("performance", report.performance);
  io.list("ungated", report.ungated);
  io.list("problems", report.problems);
  std::vector<std::string> notes =
      texts_of(report.notes, [](const Note& note) { return words::text(note).english(); });
  io.texts("notes", notes);
  io.known_list("remarks", report.notes);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(report)>>) read_notes(notes, report);
  std::vector<std::string> differs = to_strings(report.differs);
  io.known_texts("differs", differs);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(report)>>)
    std::ranges::transform(differs, std::back_inserter(report.differs), parse_fact_change);
  io.known_list("loosened", report.loosened);
  io.known_text_map("ran_on", report.ran_on);
  io.text_map("artifacts", report.artifacts);
}

template void members(MemberWriter& io, const Problem& problem);
template void members(MemberReader& io, Problem& problem);
template void members(MemberWriter& io, const KnownMessage& message);
template void members(MemberReader& io, KnownMessage& message);
template void members(MemberWriter& io, const Outcome& outcome);
template void members(MemberReader& io, Outcome& outcome);
template void members(MemberWriter& io, const CaseReport& report);
template void members(MemberReader& io, CaseReport& report);

std::string write_case(const CaseReport& report) { return write_document(report); }

Result<CaseReport> read_case(std::string_view text, const std::string& name) {
  return read_document<CaseReport>(text, name);
}

}  // namespace gate::schema
