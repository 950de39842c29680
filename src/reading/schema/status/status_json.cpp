#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/schema/status_file.h"
#include "schema/json/json_members.h"

namespace gate::schema {

namespace {

constexpr std::string_view status_schema = "gate.status/1", stop_schema = "gate.stop/1";

// What a document holds.
struct StatusDocument {
  std::vector<RunStatus> runs;
};

// What a hub calls the part of a job that goes on: gate has one, the test.
std::string_view stage_of(JobState state) { return state == JobState::pending ? "pending" : "test"; }

void write_verdict(JsonOut& out, const CaseStatus& status) {
  if (status.verdict) out.text("verdict", to_string(*status.verdict));
}

std::string six_digits(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null"; }

double number_or_nan(const Json& json) {
  const auto number = Decimal::parse(json.text);
  return number ? number->to_double() : std::numeric_limits<double>::quiet_NaN();
}

// A number of six digits; nothing for NaN.
void live_number(auto& io, const char* name, auto& value) {
  io.custom(
      name,
      [&](JsonOut& out) {
        if (std::isfinite(value)) out.raw(name, six_digits(value));
      },
      [&](const Fields& fields) {
        if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value)>>)
          if (const Json* json = fields.member(name, Json::Kind::number)) value = number_or_nan(*json);
      });
}

void live_values(auto& io, const char* name, auto& values) {
  io.custom(
      name,
      [&](JsonOut& out) {
        std::vector<std::string> words;
        for (const double value : values) words.push_back(six_digits(value));
        if (!words.empty()) out.values(name, words, most_live_values);
      },
      [&](const Fields& fields) {
        if constexpr (!std::is_const_v<std::remove_reference_t<decltype(values)>>)
          for (const Json& one : fields.list(name)) values.push_back(number_or_nan(one));
      });
}

}  // namespace

void members(auto& io, Is<LiveCurve> auto& curve) {
  io.required_text("metric", curve.metric);
  io.known_text("unit", curve.unit);
  io.known_text("tolerance", curve.tolerance);
  live_values(io, "values", curve.values);
  live_values(io, "baseline", curve.baseline);
  live_number(io, "now", curve.now);
  live_number(io, "baseline_now", curve.baseline_now);
  io.known_number("beyond_since", curve.beyond_since);
}

void members(auto& io, Is<CaseStatus> auto& status) {
  io.required_text("case", status.name);
  io.named("state", status.state, parse_job_state);
  io.custom(
      "stage", [&](JsonOut& out) { out.text("stage", stage_of(status.state)); }, [](const Fields&) {});
  io.custom(
      "verdict", [&](JsonOut& out) { write_verdict(out, status); },
      [&](const auto& fields) { status.verdict = parse_verdict(fields.text("verdict")); });
  io.text("since", status.since);
  io.text("devices", status.devices);
  io.number("launches", status.launches);
  io.number("step", status.step);
  io.known_number("total", status.total);
  io.known_text("waits_for", status.waits_for);
  io.known_text("hosts", status.hosts);
  io.known_duration("expected_s", status.expected);
  io.known_list("curves", status.curves);
}

void members(auto& io, Is<RunStatus> auto& status) {
  io.required_text("run", status.run);
  io.text("uid", status.uid);
  io.text("suite", status.suite);
  io.text("root", status.root);
  io.text("folder", status.folder);
  io.text("command", status.command);
  io.text("host", status.host);
  io.text("user", status.user);
  io.number("pid", status.pid);
  io.named("state", status.state, parse_job_state);
  io.known_number("exit_code", status.exit_code);
  io.text("started", status.started);
  io.text("updated", status.updated);
  io.known_text("waits_for", status.waits_for);
  io.list("cases", status.cases);
}

void members(auto& io, Is<StatusDocument> auto& document) {
  schema_member(io, status_schema);
  io.list("runs", document.runs);
}

void members(auto& io, Is<StopRequest> auto& request) {
  schema_member(io, stop_schema);
  io.required_text("by", request.by);
  io.text("reason", request.reason);
  io.text("at", request.at);
  io.known_text("case", request.case_name);
  io.known_flag("now", request.now);
}

std::string write_status(const std::vector<RunStatus>& runs) { return write_document(StatusDocument{runs}); }

Result<std::vector<RunStatus>> read_status(std::string_view text, const std::string& name) {
  GATE_TRY(StatusDocument document, read_document<StatusDocument>(text, name));
  return std::move(document.runs);
}

std::string write_stop(const StopRequest& request) { return flattened(write_document(request)); }

std::vector<StopRequest> read_stops(std::string_view lines) {
  std::vector<StopRequest> requests;
  for (std::size_t end = 0; (end = lines.find('\n')) != std::string_view::npos; lines.remove_prefix(end + 1))
    if (auto request = read_document<StopRequest>(lines.substr(0, end), "stop"))
      requests.push_back(std::move(*request));
  return requests;
}

}  // namespace gate::schema
