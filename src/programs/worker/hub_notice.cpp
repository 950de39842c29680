#include "worker/hub_notice.h"

#include <nlohmann/json.hpp>

#include "gate/base/text.h"

namespace gate::worker {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// A name as snake_case and as PascalCase.
struct WireName {
  std::string_view snake, pascal;
};

json wire_id(const WireId& id) {
  const auto number = id.is_number ? parse_integer(id.text) : std::nullopt;
  if (number) return *number;
  return id.text;
}

template <typename Value>
json null_or(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}

// A file of this host is named as all other places are.
std::string web_place(const std::string& place) { return place.starts_with('/') ? "file://" + place : place; }

class NoticeWriter {
 public:
  NoticeWriter(const HubTest& test, const config::WorkerSettings& settings)
      : test_(test), settings_(settings) {}

  std::string write() const {
    ordered_json notice;
    put(notice, {"id", "Id"}, wire_id(test_.order.id));
    put(notice, {"model_id", "ModelId"}, wire_id(test_.order.model));
    put(notice, {"commit_id", "CommitId"}, test_.order.commit);
    put(notice, {"ci_status", "CiStatus"}, to_string(status_of(test_.state)));
    put(notice, {"result_url", "ResultURL"}, log_url());
    const ordered_json details = this->details();
    const bool is_text = settings_.style == config::NoticeStyle::snake;
    const std::string key(name({"external_args_info", "ExternalArgsInfo"}));
    if (is_text)
      notice[key] = details.dump(-1, ' ', false, json::error_handler_t::replace);
    else
      notice[key] = details;
    return notice.dump(-1, ' ', false, json::error_handler_t::replace);
  }

 private:
  std::string_view name(const WireName& names) const {
    return settings_.style == config::NoticeStyle::snake ? names.snake : names.pascal;
  }

  void put(ordered_json& object, const WireName& names, json value) const {
    object[std::string(name(names))] = std::move(value);
  }

  // null where there is no such file, or nobody knows where.
  json url_of(const std::string& file) const { return test_.result.is_uploaded ? place_of(file) : json(); }

  // Where the log is, or will be: of a test that has ended otherwise there is none.
  json log_url() const {
    if (is_final(test_.state)) return url_of(test_.result.log);
    return place_of(test_.state == TestState::running ? "execution.log" : "download.log");
  }

  json place_of(const std::string& file) const {
    if (settings_.results.empty() || file.empty()) return {};
    std::string url = settings_.results;
    const auto case_name = settings_.tests.find(test_.order.test());
    const auto fill = [&](std::string_view hole, const std::string& value) {
      if (const std::size_t at = url.find(hole); at != std::string::npos) url.replace(at, hole.size(), value);
    };
    fill("{case}", case_name == settings_.tests.end() ? "" : case_name->second);
    fill("{test_id}", test_.order.id.text);
    return url + (url.ends_with('/') ? "" : "/") + file;
  }

  // With what is to be said of its message, however it ended.
  std::string reason() const {
    std::vector<std::string> parts = test_.order.remarks;
    if (!test_.result.reason.empty()) parts.insert(parts.begin(), test_.result.reason);
    return join(parts, "; ");
  }

  json date() const {
    const auto moment = parse_iso(test_.changed);
    if (settings_.style == config::NoticeStyle::snake || !moment) return test_.changed;
    return std::chrono::duration_cast<std::chrono::seconds>(moment->time_since_epoch()).count();
  }

  ordered_json details() const {
    const std::string model_test(to_string(test_.order.model_test));
    ordered_json info;
    put(info, {"image_name", "ImageName"}, test_.order.image);
    put(info, {"job_id", "JobID"},
        test_.result.job.empty() ? "gate-" + std::to_string(test_.number) : test_.result.job);
    put(info, {"status", "Status"}, to_string(status_of(test_.state)));
    put(info, {"stage", "Stage"},
        stage_of(test_.state == TestState::stopped ? test_.before : test_.state, model_test));
    put(info, {"report_url", "ReportURL"}, log_url());
    put(info, {"test_result_url", "TestResultURL"}, url_of("test_result.json"));
    put(info, {"new_base_line_url", "NewBaseLineURL"},
        test_.result.baseline.empty() ? json() : json(web_place(test_.result.baseline)));
    put(info, {"output_url", "OutputURL"}, url_of(test_.result.output));
    put(info, {"log_url", "LogURL"}, log_url());
    put(info, {"passed", "Passed"}, null_or(test_.result.passed));
    put(info, {"metric_value", "MetricValue"}, null_or(test_.result.value));
    put(info, {"metric", "Metric"}, test_.result.metric);
    put(info, {"threshold", "Threshold"}, test_.result.threshold);
    put(info, {"baseline_id", "BaselineId"}, wire_id(test_.order.baseline));
    put(info, {"test_type", "TestType"}, test_.order.told_type());
    put(info, {"reason", "Reason"}, reason());
    put(info, {"status_confirmed", "StatusConfirmed"}, is_final(test_.state));
    put(info, {"updated_date", "UpdatedDate"}, date());
    return info;
  }

  const HubTest& test_;
  const config::WorkerSettings& settings_;
};

}  // namespace

std::string notice_of(const HubTest& test, const config::WorkerSettings& settings) {
  return NoticeWriter(test, settings).write();
}

}  // namespace gate::worker
