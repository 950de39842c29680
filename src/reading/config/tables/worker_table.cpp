#include "config/tables/document_tables.h"

#include <algorithm>

#include "config/tables/key_table.h"
#include "gate/base/text.h"
#include "gate/model/numbers/accuracy.h"

namespace gate::config {

namespace {

Result<std::vector<std::string>> read_topics(const RawValue& raw) {
  GATE_TRY(std::vector<std::string> topics, read_list(raw));
  if (topics.empty()) return fail("without a topic nothing is taken; name one");
  for (const std::string& topic : topics)
    if (kind_of_topic(topic) == TopicKind::unknown)
      return fail("\"" + printable(topic, 80) + "\" ends neither in _created nor in _stopped");
  return topics;
}

Result<std::string> read_hub(const RawValue& raw) {
  GATE_TRY(const std::string address, read_filled_text(raw));
  if (address.starts_with("https://") || address.starts_with("http://")) return address;
  return fail("the address does not begin with https:// or http://");
}

constexpr std::string_view where_worker = "worker";
using W = WorkerSettings;
constexpr auto worker_keys_table = std::to_array<AssignRow<WorkerSettings>>({
    {{"topics", "list of topics",
      "accuracy_test_created,accuracy_test_stopped,usability_test_created,usability_test_stopped",
      where_worker, "topics to read; each ends in _created or _stopped"},
     assign_member<&W::topics, read_topics>},
    {{"dead_letter", "topic", "gate_dead_letter", where_worker, "topic for unreadable messages"},
     assign_member<&W::dead_letter, read_filled_text>},
    {{"kafka", "table", "", where_worker,
      "librdkafka properties, e.g. \"bootstrap.servers\" (else KAFKA_BROKERS) and \"group.id\" (else "
      "KAFKA_GROUP_ID, gate); file: a file of KEY=VALUE lines, for passwords"},
     [](W&, const RawValue&) -> Status { return fail("[worker] kafka is a table of properties"); }},
    {{"callback", "address", "", where_worker,
      "hub address to post changes of a test to (default: BACKEND_BASE_URL)"},
     assign_member<&W::callback, read_hub>},
    {{"token_file", "path", "", where_worker, "file with the TOKEN header (default: CI_API_TOKEN)"},
     assign_member<&W::token_file, read_filled_text>},
    {{"style", "snake or pascal", "snake", where_worker,
      "style of the posts: snake (ci_status, details in a text, dates as RFC 3339) or pascal (CiStatus, "
      "details as JSON, seconds since 1970)"},
     [](W& w, const RawValue& raw) {
       return assign(w.style, read_enum<NoticeStyle>(raw, "style", {"snake", "pascal"}));
     }},
    {{"results", "address", "", where_worker,
      "address of a test's results, with {test_id}, as in stages.upload.to; it is posted"},
     assign_member<&W::results, read_filled_text>},
    {{"tests", "table", "", where_worker, "case of each test: \"accuracy_test/inference\" = \"qwen2/infer\""},
     [](W&, const RawValue&) -> Status { return fail("[worker] tests is a table of cases"); }},
    {{"run", "words", "", where_worker, "more words of gate run, e.g. [\"--backend\", \"kubernetes\"]"},
     assign_member<&W::run, read_words>},
    {{"jobs", "count or table", "1", where_worker,
      "parallel tests, or by hardware_version: { NPU = 4, other = 1 }; without other those are refused; "
      "0: none for now"},
     assign_member<&W::jobs, read_count_from<1>>},
    {{"keep", "duration", "30d", where_worker, "how long to keep finished tests and their files"},
     assign_member<&W::keep, read_positive_duration>},
});
constexpr auto worker_rows = rows_of(worker_keys_table);

class WorkerReader {
 public:
  explicit WorkerReader(Diagnostics& mistakes) : mistakes_(mistakes) {}

  WorkerSettings read(const TomlTree& table) {
    for (const Branch& key : table.branches) {
      if (key.tree.is_table() && (key.key == "kafka" || key.key == "tests" || key.key == "jobs"))
        read_table(key);
      else
        assign_key(worker_keys_table, worker_rows, key, settings_, mistakes_);
    }
    return std::move(settings_);
  }

 private:
  void read_table(const Branch& table) {
    if (table.key == "jobs") settings_.jobs.reset();
    for (const Branch& entry : table.tree.branches) {
      Status done;
      if (table.key == "kafka") done = assign(settings_.kafka[entry.key], read_scalar(entry.tree.raw));
      if (table.key == "tests") done = read_test(entry);
      if (table.key == "jobs") done = read_jobs(entry);
      if (!done) mistakes_.push_back({entry.tree.raw.at, done.error().message});
    }
  }

  Status read_jobs(const Branch& entry) {
    const std::string device = to_lower(entry.key);
    if (device == "other") return assign(settings_.jobs, read_count(entry.tree.raw, 0));
    return assign(settings_.jobs_of[device], read_count(entry.tree.raw, 0));
  }

  Status read_test(const Branch& entry) {
    const std::vector<std::string> known = worker_tests();
    if (std::ranges::find(known, entry.key) == known.end()) return fail(unknown("test", entry.key, known));
    return assign(settings_.tests[entry.key], read_filled_text(entry.tree.raw));
  }

  Diagnostics& mistakes_;
  WorkerSettings settings_ = built_in_worker();
};

}  // namespace

std::span<const SettingRow> worker_keys() { return worker_rows; }

std::vector<std::string> worker_tests() {
  std::vector<std::string> tests;
  for (const TestType type : {TestType::accuracy, TestType::usability})
    for (const ModelTestType model : {ModelTestType::inference, ModelTestType::training})
      tests.push_back(std::string(to_string(type)) + "/" + std::string(to_string(model)));
  return tests;
}

TopicKind kind_of_topic(std::string_view topic) {
  if (topic.ends_with("_created")) return TopicKind::created;
  return topic.ends_with("_stopped") ? TopicKind::stopped : TopicKind::unknown;
}

WorkerSettings built_in_worker() { return built_in_of<WorkerSettings>(worker_keys_table); }

WorkerSettings read_worker(const TomlTree& table, Diagnostics& mistakes) {
  return WorkerReader(mistakes).read(table);
}

}  // namespace gate::config
