// A cluster of Kafka in a process of its own, librdkafka's mock, for tests. It prints `brokers
// HOST:PORT,...`, then answers each line of its input with one line:
//
//   put TOPIC PAYLOAD        hands the payload in, to partition 0       put
//   put-file TOPIC FILE      hands each line of the file in             put
//   read TOPIC N             waits for N messages from the beginning    [{"payload": ..., "headers": {...}},
//   ...] committed GROUP TOPIC    what the group has acknowledged            OFFSET, -1001 is nothing
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace {

std::string brokers;

[[noreturn]] void give_up(const std::string& why) {
  std::cerr << "kafka_mock: " << why << std::endl;
  std::exit(1);
}

rd_kafka_t* client(rd_kafka_type_t type, const std::string& group) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, 512> why{};
  const auto set = [&](const char* name, const char* value) {
    if (rd_kafka_conf_set(conf, name, value, why.data(), why.size()) != RD_KAFKA_CONF_OK) give_up(why.data());
  };
  set("bootstrap.servers", brokers.c_str());
  if (type == RD_KAFKA_CONSUMER) set("group.id", group.c_str());
  rd_kafka_t* made = rd_kafka_new(type, conf, why.data(), why.size());
  if (made == nullptr) give_up(why.data());
  return made;
}

void put(rd_kafka_t* producer, const std::string& topic, const std::string& payload) {
  const auto error = rd_kafka_producev(
      producer, RD_KAFKA_VTYPE_TOPIC, topic.c_str(), RD_KAFKA_VTYPE_PARTITION, 0, RD_KAFKA_VTYPE_VALUE,
      payload.data(), payload.size(), RD_KAFKA_VTYPE_MSGFLAGS, RD_KAFKA_MSG_F_COPY, RD_KAFKA_VTYPE_END);
  if (error != 0) give_up(rd_kafka_err2str(error));
}

nlohmann::json headers_of(const rd_kafka_message_t* message) {
  nlohmann::json headers = nlohmann::json::object();
  rd_kafka_headers_t* list = nullptr;
  if (rd_kafka_message_headers(message, &list) != 0) return headers;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  for (std::size_t i = 0; rd_kafka_header_get_all(list, i, &name, &value, &size) == 0; ++i)
    headers[name] = std::string(static_cast<const char*>(value), size);
  return headers;
}

std::string read(const std::string& topic, std::size_t count) {
  rd_kafka_t* consumer = client(RD_KAFKA_CONSUMER, "reader");
  rd_kafka_poll_set_consumer(consumer);
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(list, topic.c_str(), 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
  rd_kafka_assign(consumer, list);
  rd_kafka_topic_partition_list_destroy(list);
  nlohmann::json messages = nlohmann::json::array();
  while (messages.size() < count) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 1000);
    if (message == nullptr) continue;
    if (message->err == 0)
      messages.push_back({{"payload", std::string(static_cast<const char*>(message->payload), message->len)},
                          {"headers", headers_of(message)}});
    rd_kafka_message_destroy(message);
  }
  rd_kafka_destroy(consumer);
  return messages.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string committed(const std::string& group, const std::string& topic) {
  rd_kafka_t* consumer = client(RD_KAFKA_CONSUMER, group);
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(list, topic.c_str(), 0);
  rd_kafka_committed(consumer, list, 10'000);
  const std::string offset = std::to_string(list->elems[0].offset);
  rd_kafka_topic_partition_list_destroy(list);
  rd_kafka_destroy(consumer);
  return offset;
}

}  // namespace

int main(int argc, char** argv) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, 512> why{};
  rd_kafka_conf_set(conf, "log_level", "0", why.data(), why.size());  // it has no brokers, and says so
  rd_kafka_t* host = rd_kafka_new(RD_KAFKA_PRODUCER, conf, why.data(), why.size());
  if (host == nullptr) give_up(why.data());
  rd_kafka_mock_cluster_t* cluster = rd_kafka_mock_cluster_new(host, 1);
  for (int i = 1; i < argc; ++i) rd_kafka_mock_topic_create(cluster, argv[i], 1, 1);
  brokers = rd_kafka_mock_cluster_bootstraps(cluster);
  std::cout << "brokers " << brokers << std::endl;
  rd_kafka_t* producer = client(RD_KAFKA_PRODUCER, "");
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb, topic, rest;
    words >> verb >> topic >> std::ws;
    std::getline(words, rest);
    if (verb == "read") {
      std::cout << read(topic, std::stoul(rest)) << std::endl;
    } else if (verb == "committed") {
      std::cout << committed(topic, rest) << std::endl;
    } else if (verb == "put" || verb == "put-file") {
      std::ifstream file(rest);
      if (verb == "put") put(producer, topic, rest);
      for (std::string payload; verb == "put-file" && std::getline(file, payload);)
        put(producer, topic, payload);
      if (rd_kafka_flush(producer, 30'000) != 0) give_up("not handed in");
      std::cout << "put" << std::endl;
    } else {
      give_up("no verb: " + verb);
    }
  }
  rd_kafka_destroy(producer);
  rd_kafka_mock_cluster_destroy(cluster);
  rd_kafka_destroy(host);
}
