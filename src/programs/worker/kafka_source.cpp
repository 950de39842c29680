#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/worker.h"
#include "worker/kafka_file.h"
#include "worker/source.h"

namespace gate::worker {

namespace {

constexpr std::size_t most_polled = 500, longest_aside = std::size_t{256} << 10;
constexpr Duration recent{60'000};
constexpr int delivery_limit_ms = 30'000, close_limit_ms = 5'000;

using Properties = std::map<std::string, std::string>;

struct ConfDeleter {
  void operator()(rd_kafka_conf_t* conf) const { rd_kafka_conf_destroy(conf); }
};
using Conf = std::unique_ptr<rd_kafka_conf_t, ConfDeleter>;

struct ClientDeleter {
  void operator()(rd_kafka_t* client) const { rd_kafka_destroy(client); }
};
using Client = std::unique_ptr<rd_kafka_t, ClientDeleter>;

struct ListDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t, ListDeleter>;

void log_line(const rd_kafka_t*, int, const char*, const char* text) {
  log::detail(std::string("kafka: ") + printable(text));
}

// What was wrong lately. librdkafka complains again and again of brokers that cannot be reached, and does not
// say when they can be.
struct Trouble {
  std::string why;
  SteadyClock::time_point seen;

  void remember(const std::string& reason) {
    why = printable(reason);
    seen = SteadyClock::now();
  }
};

void remember_trouble(rd_kafka_t*, int, const char* reason, void* trouble) {
  static_cast<Trouble*>(trouble)->remember(reason);
}

// A value may be a password: messages name the property alone.
Result<Conf> conf_of(const Properties& properties) {
  Conf conf(rd_kafka_conf_new());
  rd_kafka_conf_set_log_cb(conf.get(), log_line);
  for (const auto& [name, value] : properties) {
    std::array<char, 256> why{};
    const auto result = rd_kafka_conf_set(conf.get(), name.c_str(), value.c_str(), why.data(), why.size());
    if (result == RD_KAFKA_CONF_UNKNOWN)
      return fail("[worker] kafka: librdkafka has no property " + printable(name, 80));
    if (result != RD_KAFKA_CONF_OK)
      return fail("[worker] kafka: librdkafka does not take the value of " + printable(name, 80));
  }
  return conf;
}

Result<Client> client_of(rd_kafka_type_t type, Conf conf) {
  std::array<char, 256> why{};
  Client client(rd_kafka_new(type, conf.get(), why.data(), why.size()));
  if (!client) return fail(std::string("kafka: ") + printable(why.data()));
  [[maybe_unused]] const auto* taken = conf.release();  // it is the client's now
  return client;
}

class KafkaSource : public Source {
 public:
  explicit KafkaSource(std::string dead_letter) : dead_letter_(std::move(dead_letter)) {}
  KafkaSource(const KafkaSource&) = delete;
  KafkaSource& operator=(const KafkaSource&) = delete;
  ~KafkaSource() override {
    if (consumer_) rd_kafka_consumer_close(consumer_.get());
  }

  Status open(Properties properties, const std::vector<std::string>& topics) {
    const Properties common = properties;
    properties["enable.auto.commit"] = "false";
    properties["enable.auto.offset.store"] = "false";
    properties.try_emplace("auto.offset.reset", "earliest");
    GATE_TRY(Conf consumes, conf_of(properties));
    rd_kafka_conf_set_error_cb(consumes.get(), remember_trouble);
    rd_kafka_conf_set_opaque(consumes.get(), &trouble_);
    GATE_TRY(consumer_, client_of(RD_KAFKA_CONSUMER, std::move(consumes)));
    rd_kafka_poll_set_consumer(consumer_.get());
    GATE_TRY(producer_, producer_of(common));
    const PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(topics.size())));
    for (const std::string& topic : topics)
      rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
    const auto error = rd_kafka_subscribe(consumer_.get(), list.get());
    if (error != 0) return fail(std::string("kafka: ") + rd_kafka_err2str(error));
    return {};
  }

  Result<std::vector<Incoming>> take(Duration limit) override {
    std::vector<Incoming> messages;
    int wait = static_cast<int>(limit.count());
    while (messages.size() < most_polled) {
      rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer_.get(), wait);
      if (message == nullptr) break;
      if (message->err == 0) {
        messages.push_back(incoming(*message));
        trouble_.why.clear();
        wait = 0;
      } else {
        complain(rd_kafka_message_errstr(message));
      }
      rd_kafka_message_destroy(message);
    }
    return messages;
  }

  // Where the group has been shared out anew since, another one has these messages now, or soon this one
  // again.
  Status acknowledge() override {
    if (taken_.empty()) return {};
    const PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(taken_.size())));
    for (const auto& [place, offset] : std::exchange(taken_, {}))
      rd_kafka_topic_partition_list_add(list.get(), place.first.c_str(), place.second)->offset = offset;
    if (const auto error = rd_kafka_commit(consumer_.get(), list.get(), 0); error != 0)
      complain(std::string("what was read is not acknowledged: ") + rd_kafka_err2str(error));
    return {};
  }

  Status put_aside(const Incoming& message, const std::string& reason) override {
    rd_kafka_headers_t* headers = rd_kafka_headers_new(5);
    // Broker and client have limits, and the headers come on top.
    const std::string_view payload = std::string_view(message.payload).substr(0, longest_aside);
    const std::map<std::string, std::string> said{{"error", reason},
                                                  {"topic", message.place.topic},
                                                  {"partition", std::to_string(message.place.partition)},
                                                  {"offset", std::to_string(message.place.offset)},
                                                  {"size", std::to_string(message.payload.size())}};
    for (const auto& [name, value] : said)
      rd_kafka_header_add(headers, name.c_str(), -1, value.data(), static_cast<ssize_t>(value.size()));
    rd_kafka_resp_err_t delivery = RD_KAFKA_RESP_ERR__IN_PROGRESS;
    const auto error =
        rd_kafka_producev(producer_.get(), RD_KAFKA_VTYPE_TOPIC, dead_letter_.c_str(), RD_KAFKA_VTYPE_VALUE,
                          payload.data(), payload.size(), RD_KAFKA_VTYPE_MSGFLAGS, RD_KAFKA_MSG_F_COPY,
                          RD_KAFKA_VTYPE_HEADERS, headers, RD_KAFKA_VTYPE_END);
    if (error != 0) {
      rd_kafka_headers_destroy(headers);
      return fail("kafka: " + dead_letter_ + ": " + rd_kafka_err2str(error));
    }
    delivery_ = &delivery;
    rd_kafka_flush(producer_.get(), delivery_limit_ms);
    delivery_ = nullptr;
    if (delivery == 0) return {};
    rd_kafka_purge(producer_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    rd_kafka_flush(producer_.get(), close_limit_ms);
    return fail("kafka: " + dead_letter_ + ": " + rd_kafka_err2str(delivery));
  }

  bool is_over() const override { return false; }
  std::string trouble() const override {
    if (!trouble_.why.empty() && since(trouble_.seen) < recent) return trouble_.why;
    rd_kafka_topic_partition_list_t* assigned = nullptr;
    const bool is_known = rd_kafka_assignment(consumer_.get(), &assigned) == 0;
    const PartitionList list(is_known ? assigned : nullptr);
    return list && list->cnt > 0 ? "" : "no partition of the topics is assigned to this worker";
  }

 private:
  Result<Client> producer_of(Properties properties) {
    std::erase_if(properties, [](const auto& property) {
      return property.first == "group.id" || property.first.starts_with("session.") ||
             property.first.starts_with("heartbeat.") || property.first.starts_with("max.poll.") ||
             property.first.starts_with("auto.offset.") || property.first.starts_with("group.");
    });
    properties["message.timeout.ms"] = std::to_string(delivery_limit_ms);
    GATE_TRY(Conf conf, conf_of(properties));
    rd_kafka_conf_set_dr_msg_cb(conf.get(), [](rd_kafka_t*, const rd_kafka_message_t* message, void* source) {
      if (auto* const delivery = static_cast<KafkaSource*>(source)->delivery_) *delivery = message->err;
    });
    rd_kafka_conf_set_opaque(conf.get(), this);
    return client_of(RD_KAFKA_PRODUCER, std::move(conf));
  }

  Incoming incoming(const rd_kafka_message_t& message) {
    Incoming read;
    read.place.topic = rd_kafka_topic_name(message.rkt);
    read.place.partition = message.partition;
    read.place.offset = message.offset;
    read.where = read.place.topic + " partition " + std::to_string(message.partition) + " offset " +
                 std::to_string(message.offset);
    rd_kafka_timestamp_type_t kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    const std::int64_t timestamp = rd_kafka_message_timestamp(&message, &kind);
    read.place.timestamp =
        kind == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE ? 0 : std::max<std::int64_t>(timestamp, 0);
    if (message.payload != nullptr)
      read.payload.assign(static_cast<const char*>(message.payload), message.len);
    taken_[{read.place.topic, message.partition}] = message.offset + 1;
    return read;
  }

  void complain(const std::string& why) {
    if (trouble_.why != printable(why)) log::warn("kafka: " + printable(why));
    trouble_.remember(why);
  }

  const std::string dead_letter_;
  Trouble trouble_;
  Client consumer_, producer_;
  std::map<std::pair<std::string, int>, std::int64_t> taken_;  // what comes next, by topic and partition
  rd_kafka_resp_err_t* delivery_ = nullptr;                    // of the message that is sent now
};

// `file` is none of librdkafka's.
Status add_file(Properties& properties) {
  const auto named = properties.find("file");
  if (named == properties.end()) return {};
  const std::string file = properties.extract(named).mapped();
  GATE_TRY(const std::string text, fs::read_file(file));
  GATE_TRY(Properties told, read_kafka_file(text, file));
  told.merge(properties);
  properties = std::move(told);
  return {};
}

}  // namespace

Result<Properties> read_kafka_file(std::string_view text, const std::string& name) {
  Properties properties;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view said = trim(line);
    if (said.empty() || said.starts_with('#')) continue;
    const auto property = key_and_value(said);
    const bool is_cut = said.find('\0') != std::string_view::npos;  // for librdkafka the line would end there
    if (!property || property->key.empty() || is_cut)
      return fail(name + ":" + std::to_string(number) + ": this line is no KEY=VALUE");
    properties[std::string(trim(property->key))] = trim(property->value);
  }
  return properties;
}

Result<std::unique_ptr<Source>> kafka_source(const config::WorkerSettings& settings) {
  Properties properties = settings.kafka;
  GATE_TRY_STATUS(add_file(properties));
  const std::string group = own_variable("KAFKA_GROUP_ID");
  properties.try_emplace("bootstrap.servers", own_variable("KAFKA_BROKERS"));
  properties.try_emplace("group.id", group.empty() ? "gate" : group);
  properties.try_emplace("client.id", "gate-worker");
  if (properties["bootstrap.servers"].empty())
    return fail(
        "nothing says where Kafka is; write \"bootstrap.servers\" below [worker.kafka] of gate.toml, set "
        "KAFKA_BROKERS, or name a file with --source");
  auto source = std::make_unique<KafkaSource>(settings.dead_letter);
  GATE_TRY_STATUS(source->open(std::move(properties), settings.topics));
  return source;
}

}  // namespace gate::worker
