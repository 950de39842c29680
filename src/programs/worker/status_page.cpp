#include "worker/status_page.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "gate/base/text.h"

namespace gate::worker {

namespace {

constexpr std::chrono::seconds silent_for{60};  // a worker that has not gone round for so long hangs
constexpr int look_ms = 200;
constexpr std::size_t longest_request = 8192;

struct CounterRow {
  std::string_view name, help;
  std::int64_t WorkerNumbers::*value;
};

constexpr std::array counters{
    CounterRow{"messages", "Messages that were read.", &WorkerNumbers::messages},
    CounterRow{"repeated_messages", "Messages of tests that were known already.", &WorkerNumbers::repeated},
    CounterRow{"unreadable_messages", "Messages that nobody could read.", &WorkerNumbers::unreadable},
    CounterRow{"notices", "Notices that the hub took.", &WorkerNumbers::posted},
    CounterRow{"refused_notices", "Notices that the hub did not take.", &WorkerNumbers::not_taken},
    CounterRow{"launches", "Gates that were launched.", &WorkerNumbers::launches},
    CounterRow{"vanished_gates", "Gates that ended without a word.", &WorkerNumbers::vanished},
    CounterRow{"troubles", "Tries that came to nothing by trouble of this host.", &WorkerNumbers::troubles},
};

std::string head_of(std::string_view name, std::string_view help, std::string_view type) {
  const std::string full = "gate_worker_" + std::string(name);
  return "# HELP " + full + " " + std::string(help) + "\n# TYPE " + full + " " + std::string(type) + "\n";
}

std::string response(std::string_view status, const std::string& body) {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

// The head of a request; "" where it does not come soon, or is none.
std::string read_request(int client) {
  std::string request;
  for (int waits = 0; waits < 10 && request.find("\r\n\r\n") == std::string::npos; ++waits) {
    pollfd ready{client, POLLIN, 0};
    if (::poll(&ready, 1, look_ms) <= 0) continue;
    std::array<char, 2048> block;
    const ssize_t count = ::recv(client, block.data(), block.size(), 0);
    if (count <= 0 || request.size() > longest_request) return "";
    request.append(block.data(), static_cast<std::size_t>(count));
  }
  return request;
}

}  // namespace

std::string metrics_text(const WorkerNumbers& numbers) {
  std::string text = head_of("tests", "Tests in the journal, by state.", "gauge");
  for (const TestState state : all_states) {
    const auto count = numbers.tests.find(state);
    text += "gate_worker_tests{state=\"" + std::string(to_string(state)) + "\"} " +
            std::to_string(count == numbers.tests.end() ? 0 : count->second) + "\n";
  }
  text += head_of("untold_tests", "Tests of which the hub is still to be told.", "gauge");
  text += "gate_worker_untold_tests " + std::to_string(numbers.untold) + "\n";
  text += head_of("source_up", "Whether messages can come.", "gauge");
  text += "gate_worker_source_up " + std::string(numbers.trouble.empty() ? "1" : "0") + "\n";
  text += head_of("host_up", "Whether gates run here, and what they do is kept.", "gauge");
  text += "gate_worker_host_up " + std::string(numbers.own_trouble.empty() ? "1" : "0") + "\n";
  for (const CounterRow& row : counters) {
    text += head_of(std::string(row.name) + "_total", row.help, "counter");
    text += "gate_worker_" + std::string(row.name) + "_total " + std::to_string(numbers.*row.value) + "\n";
  }
  return text;
}

std::string why_no_own_address(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const std::int64_t port =
      colon == std::string::npos ? -1 : parse_integer(address.substr(colon + 1)).value_or(-1);
  if (address.empty() || (address.starts_with("127.") && port >= 0 && port <= 65535)) return "";
  return "\"" + printable(address, 80) +
         "\" is no address of this host alone, such as 127.0.0.1:9469; \"\" is none";
}

Result<std::unique_ptr<StatusPage>> StatusPage::open(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(parse_integer(address.substr(colon + 1)).value_or(0)));
  if (::inet_pton(AF_INET, address.substr(0, colon).c_str(), &where.sin_addr) != 1)
    return fail("--metrics: " + printable(address, 80) + " is no address");
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0 &&
      ::listen(socket, 16) == 0)
    return std::unique_ptr<StatusPage>(new StatusPage(socket));
  const std::string why = std::generic_category().message(errno);
  ::close(socket);
  return fail("--metrics: " + address + ": " + why);
}

StatusPage::StatusPage(int socket) : socket_(socket), thread_([this] { serve(); }) {}

StatusPage::~StatusPage() {
  is_over_ = true;
  thread_.join();
  ::close(socket_);
}

std::string StatusPage::address() const {
  sockaddr_in where{};
  socklen_t size = sizeof where;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&where), &size);
  std::array<char, INET_ADDRSTRLEN> name{};
  ::inet_ntop(AF_INET, &where.sin_addr, name.data(), name.size());
  return std::string(name.data()) + ":" + std::to_string(ntohs(where.sin_port));
}

void StatusPage::show(const WorkerNumbers& numbers) {
  const std::lock_guard lock(mutex_);
  numbers_ = numbers;
}

void StatusPage::serve() {
  while (!is_over_) {
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, look_ms) <= 0) continue;
    const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    const timeval limit{2, 0};
    ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    const std::string text = answer(read_request(client));
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::send(client, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    ::close(client);
  }
}

std::string StatusPage::answer(const std::string& request) {
  const std::vector<std::string_view> words =
      split_words(std::string_view(request).substr(0, request.find("\r\n")));
  if (words.size() != 3 || words[0] != "GET")
    return response("400 Bad Request", "GET /metrics or /healthz\n");
  const std::lock_guard lock(mutex_);
  if (words[1] == "/metrics") return response("200 OK", metrics_text(numbers_));
  if (words[1] != "/healthz") return response("404 Not Found", "there are /metrics and /healthz\n");
  std::string why = numbers_.own_trouble.empty() ? numbers_.trouble : numbers_.own_trouble;
  if (since(numbers_.seen) > silent_for)
    why = "the worker has not gone round for " + rough(since(numbers_.seen));
  return why.empty() ? response("200 OK", "ok\n") : response("503 Service Unavailable", why + "\n");
}

}  // namespace gate::worker
