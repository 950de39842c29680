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

// What is told to a scraper is nobody else's: the address is one of this host alone.
Result<std::string> read_own_address(const RawValue& raw) {
  GATE_TRY(const std::string address, read_text(raw));
  const std::size_t colon = address.rfind(':');
  const std::string host = address.substr(0, colon);
  const std::int64_t port =
      colon == std::string::npos ? -1 : parse_integer(address.substr(colon + 1)).value_or(-1);
  if (address.empty() || (host.starts_with("127.") && port >= 0 && port <= 65535)) return address;
  return fail(shown(raw) + " is no address of this host alone, such as \"127.0.0.1:9469\"; \"\" is none");
}

constexpr std::string_view where_worker = "worker";
using W = WorkerSettings;
constexpr auto worker_keys_table = std::to_array<AssignRow<WorkerSettings>>({
    {{"brokers", "addresses", "", where_worker, "Kafka's brokers, HOST:PORT by commas; else KAFKA_BROKERS"},
     assign_member<&W::brokers, read_filled_text>},
    {{"group", "name", "gate", where_worker, "the group of consumers that it is one of; else KAFKA_GROUP_ID"},
     assign_member<&W::group, read_filled_text>},
    {{"topics", "list of topics",
      "accuracy_test_created,accuracy_test_stopped,usability_test_created,usability_test_stopped",
      where_worker, "what it reads; each ends in _created or _stopped"},
     assign_member<&W::topics, read_topics>},
    {{"dead_letter", "topic", "gate_dead_letter", where_worker, "where messages go that nobody can read"},
     assign_member<&W::dead_letter, read_filled_text>},
    {{"kafka", "table", "", where_worker, "further properties of librdkafka, such as security.protocol"},
     [](W&, const RawValue&) -> Status { return fail("[worker] kafka is a table of properties"); }},
    {{"kafka_file", "path", "", where_worker, "a file of such properties, KEY=VALUE a line: for passwords"},
     assign_member<&W::kafka_file, read_filled_text>},
    {{"callback", "address", "", where_worker,
      "the hub's address, which each change of a test is posted to; else BACKEND_BASE_URL"},
     assign_member<&W::callback, read_hub>},
    {{"token_file", "path", "", where_worker, "what is sent as the header TOKEN; else CI_API_TOKEN"},
     assign_member<&W::token_file, read_filled_text>},
    {{"names", "word", "snake", where_worker, "snake or pascal: ci_status or CiStatus in what is posted"},
     [](W& w, const RawValue& raw) {
       return assign(w.names, read_enum<WireNames>(raw, "spelling", {"snake", "pascal"}));
     }},
    {{"details", "word", "text", where_worker,
      "text or object: ExternalArgsInfo as JSON in a text, or as JSON"},
     [](W& w, const RawValue& raw) {
       return assign(w.details, read_enum<WireDetails>(raw, "shape", {"text", "object"}));
     }},
    {{"dates", "word", "rfc3339", where_worker, "rfc3339 or unix: how moments are written in what is posted"},
     [](W& w, const RawValue& raw) {
       return assign(w.dates, read_enum<WireDates>(raw, "kind of date", {"rfc3339", "unix"}));
     }},
    {{"results", "address", "", where_worker,
      "where stages.upload.to puts a test's results, with {test_id}: the URLs in what is posted"},
     assign_member<&W::results, read_filled_text>},
    {{"tests", "table", "", where_worker,
      "which case runs which test: \"accuracy_test/inference\" = \"qwen2/infer\""},
     [](W&, const RawValue&) -> Status { return fail("[worker] tests is a table of cases"); }},
    {{"run", "words", "", where_worker, "further words of gate run, such as [\"--backend\", \"kubernetes\"]"},
     assign_member<&W::run, read_words>},
    {{"jobs", "count", "1", where_worker, "tests at once of each kind of device that limits does not name"},
     assign_member<&W::jobs, read_count_from<1>>},
    {{"limits", "table", "", where_worker, "tests at once by hardware_version: { NPU = 4 }; 0: none for now"},
     [](W&, const RawValue&) -> Status { return fail("[worker] limits is a table of counts"); }},
    {{"tries", "count", "3", where_worker, "launches of a test, where its gate was killed"},
     assign_member<&W::tries, read_count_from<1>>},
    {{"poll", "duration", "1s", where_worker, "between two looks at the tests that run"},
     assign_member<&W::poll, read_positive_duration>},
    {{"keep", "duration", "30d", where_worker, "how long tests that have ended, and their files, are kept"},
     assign_member<&W::keep, read_positive_duration>},
    {{"metrics", "address", "127.0.0.1:9469", where_worker, "where /metrics and /healthz are; \"\": nowhere"},
     assign_member<&W::metrics, read_own_address>},
});
constexpr auto worker_rows = rows_of(worker_keys_table);

class WorkerReader {
 public:
  explicit WorkerReader(Diagnostics& mistakes) : mistakes_(mistakes) {}

  WorkerSettings read(const TomlTree& table) {
    for (const Branch& key : table.branches) {
      if (key.tree.is_table() && find_row(worker_rows, key.key) != nullptr)
        read_table(key);
      else
        assign_key(worker_keys_table, worker_rows, key, settings_, mistakes_);
    }
    return std::move(settings_);
  }

 private:
  void read_table(const Branch& table) {
    for (const Branch& entry : table.tree.branches) {
      Status done = fail(table.key + " is no table");
      if (table.key == "kafka") done = assign(settings_.kafka[entry.key], read_scalar(entry.tree.raw));
      if (table.key == "tests") done = read_test(entry);
      if (table.key == "limits")
        done = assign(settings_.limits[to_lower(entry.key)], read_count(entry.tree.raw, 0));
      if (!done) mistakes_.push_back({entry.tree.raw.at, done.error().message});
    }
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
