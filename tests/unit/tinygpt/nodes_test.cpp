// Trainings over several nodes: real processes, which find each other on addresses of the loopback.
#include "trainer/nodes.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "processes.h"
#include "timeless.h"
#include "trainer/collective.h"
#include "trainer/hello.h"
#include "trainer/log_lines.h"
#include "trainer/ranks.h"
#include "trainer/trainer.h"

namespace tinygpt::nodes_test {
namespace {

// Somebody who connects and says what a test wants.
class Peer {
 public:
  explicit Peer(const Port& port) {
    const Deadline end = patience();
    while (!(socket_ = connect_to(port.address(), end)) && milliseconds_until(end) > 0) sched_yield();
  }

  Peer& say(const std::string& text) {
    send_all(socket_.fd(), text);
    return *this;
  }

  std::string line() {
    std::string line;
    std::byte byte{};
    while (receive_all(socket_.fd(), {&byte, 1}) && static_cast<char>(byte) != '\n')
      line += static_cast<char>(byte);
    return line;
  }

  int fd() const { return socket_.fd(); }

 private:
  Socket socket_;
};

// Every node prints what is its own, and all together print what one does.
void expect_as_one_node(const char* host, Options options) {
  SCOPED_TRACE(std::to_string(options.nodes) + " nodes with " + std::to_string(options.ranks));
  const Port port(host);
  std::deque<Node> nodes;
  std::string together;
  for (int node = 0; node < options.nodes; ++node) {
    Options own = node_of(port, node, options);
    own.master_addr = host;
    nodes.emplace_back(own);
  }
  for (Node& node : nodes) {
    EXPECT_EQ(node.code(), 0) << node.errors();
    EXPECT_EQ(node.errors(), "");
    EXPECT_EQ(node.log().find("] iteration ") != std::string::npos, &node == &nodes.back());
    together += node.log();
  }
  options.ranks = options.world();
  options.nodes = 1;
  Node one(options);
  EXPECT_EQ(one.code(), 0);
  EXPECT_NE(one.log().find("| lm loss: "), std::string::npos);
  EXPECT_EQ(timeless(together), timeless(one.log()));
}

TEST(Nodes, TrainAsOneNodeWithAsManyRanks) {
  for (const int ranks : {1, 2})
    for (const int nodes : {2, 3})
      expect_as_one_node("127.0.0.1", {.ranks = ranks, .steps = 8, .nodes = nodes});
  expect_as_one_node("127.0.0.2", {.ranks = 1, .steps = 8, .nan_at = 3, .stop_at = 6, .nodes = 2});
}

TEST(Nodes, MeetAtAnAddressOfIPv6) {
  try {
    const Port port("::1");
  } catch (const std::exception&) {
    GTEST_SKIP() << "no IPv6 here";
  }
  expect_as_one_node("::1", {.ranks = 1, .steps = 3, .nodes = 2});
}

TEST(Nodes, ListenAtExactlyTheirAddress) {
  const Port port("127.0.0.1");
  const Options two{.ranks = 1, .steps = 4, .nodes = 2}, other{.ranks = 1, .steps = 4, .seed = 7, .nodes = 2};
  std::deque<Node> nodes;
  for (const int node : {0, 1}) {
    nodes.emplace_back(node_of(port, node, two));
    Options elsewhere = node_of(port, node, other);
    elsewhere.master_addr = "127.0.0.2";
    nodes.emplace_back(elsewhere);
  }
  for (Node& node : nodes) EXPECT_EQ(node.code(), 0) << node.errors();
}

// In another order the 1 would survive.
TEST(Nodes, AverageIsSummedInTheOrderOfAllRanks) {
  constexpr std::array<float, 6> kValues{1e8F, 1.0F, -1e8F, 1e8F, 1.0F, -1e8F};
  const Port port("127.0.0.1");
  std::deque<Node> nodes;
  for (const int node : {0, 1, 2})
    nodes.emplace_back([=, &port](int) {
      Nodes others(node_of(port, node, {.ranks = 2, .nodes = 3}), kTiny);
      Collective collective(2, 5 * sizeof(float), &others);
      const auto work = [&](int rank) {
        for (int round = 0; round < 50; ++round) {
          std::vector<float> mine(5, kValues[static_cast<std::size_t>(rank)] + 8 * round);
          float sum = kValues[0] + 8 * round;
          for (std::size_t i = 1; i < 6; ++i) sum += kValues[i] + 8 * round;
          collective.average<float>(rank, mine);
          if (mine != std::vector<float>(5, sum / 6)) return 1;
          if (collective.average(rank, rank + round) != round + 2.5) return 1;
          int first = rank + round;
          collective.broadcast(rank, std::as_writable_bytes(std::span(&first, 1)));
          if (first != round) return 1;
          collective.wait();
        }
        return 0;
      };
      return run_ranks(2, work, &others);
    });
  for (Node& node : nodes) EXPECT_EQ(node.code(), 0) << node.errors();
}

TEST(LostNode, EndsTheOther) {
  for (const std::size_t victim : {0, 1}) {
    const Port port("127.0.0.1");
    std::deque<Node> nodes;
    for (const int node : {0, 1})
      nodes.emplace_back(node_of(port, node, {.ranks = 2, .steps = kEndless, .nodes = 2}));
    EXPECT_TRUE(nodes[1].has_said("] iteration "));
    nodes[victim].end();
    EXPECT_EQ(nodes[1 - victim].code(), 1);
    EXPECT_EQ(nodes[1 - victim].errors(),
              "tinygpt: node " + std::to_string(victim) + " was lost; stopping this node\n");
  }
}

TEST(LostNode, IsNamedByAllWhoAreLeft) {
  const Port port("127.0.0.1");
  std::deque<Node> nodes;
  for (const int node : {0, 1, 2})
    nodes.emplace_back(node_of(port, node, {.ranks = 1, .steps = kEndless, .nodes = 3}));
  EXPECT_TRUE(nodes[2].has_said("] iteration "));
  nodes[2].end();
  for (const std::size_t node : {0, 1}) {
    EXPECT_EQ(nodes[node].code(), 1);
    EXPECT_EQ(nodes[node].errors(), "tinygpt: node 2 was lost; stopping this node\n");
  }
}

// No rank of node 1 reads what would tell it.
TEST(LostNode, EndsOneWhoseRankHangs) {
  const Port port("127.0.0.1");
  const Options options{.ranks = 2, .hang_at = 2, .nodes = 2};
  Node first(node_of(port, 0, options)), second(node_of(port, 1, options));
  EXPECT_TRUE(second.has_said("[Rank 3] (after 1 "));
  first.end();
  EXPECT_EQ(second.code(), 1);
  EXPECT_EQ(second.errors(), "tinygpt: node 0 was lost; stopping this node\n");
}

TEST(LostNode, IsOneWhoseRankFails) {
  const Port port("127.0.0.1");
  const Options options{.ranks = 2, .crash_at = 3, .nodes = 2};
  Node first(node_of(port, 0, options)), second(node_of(port, 1, options));
  EXPECT_EQ(second.code(), 1);
  EXPECT_NE(second.errors().find("  rank 3, pid "), std::string::npos);
  EXPECT_NE(second.errors().find("tinygpt: rank 3 exited with code 1; stopping the other ranks\n"),
            std::string::npos);
  EXPECT_EQ(first.code(), 1);
  EXPECT_EQ(first.errors(), "tinygpt: node 1 was lost; stopping this node\n");
}

// What it was to hear at the end it never said.
TEST(LostNode, IsOneThatFailsAfterAllElse) {
  const Port port("127.0.0.1");
  std::deque<Node> nodes;
  for (const int node : {0, 1, 2})
    nodes.emplace_back([=, &port](int) {
      Nodes others(node_of(port, node, {.ranks = 1, .nodes = 3}), kTiny);
      const auto work = [&](int rank) {
        others.meet();
        return rank == 1 ? 1 : 0;
      };
      return run_ranks(1, work, &others);
    });
  for (const std::size_t node : {0, 2}) {
    EXPECT_EQ(nodes[node].code(), 1);
    EXPECT_EQ(nodes[node].errors(), "tinygpt: node 1 was lost; stopping this node\n");
  }
}

TEST(Rendezvous, RefusesOtherTerms) {
  const Port port("127.0.0.1");
  const Options two{.ranks = 1, .steps = 4, .nodes = 2};
  Options other_world = node_of(port, 1, two), other_text = other_world;
  other_world.nodes = 3;
  other_text.seed = 8;
  Node first(node_of(port, 0, two)), third(other_world);
  EXPECT_EQ(third.code(), 1);
  EXPECT_EQ(third.errors(), "tinygpt: node 0 refused this node: nnodes=3, while node 0 has nnodes=2\n");
  Node stranger(other_text);
  EXPECT_EQ(stranger.code(), 1);
  EXPECT_EQ(stranger.errors(), "tinygpt: node 0 refused this node: seed=8, while node 0 has seed=1234\n");
  Node second(node_of(port, 1, two));
  EXPECT_EQ(second.code(), 0);
  EXPECT_EQ(first.code(), 0);
  EXPECT_EQ(first.errors(),
            "tinygpt: refused a connection from 127.0.0.1: nnodes=3, while node 0 has nnodes=2\n"
            "tinygpt: refused a connection from 127.0.0.1: seed=8, while node 0 has seed=1234\n");
}

TEST(Rendezvous, IsNotHurtByGarbage) {
  const Port port("127.0.0.1");
  const Options two{.ranks = 1, .steps = 4, .nodes = 2};
  Node first(node_of(port, 0, two));
  EXPECT_EQ(Peer(port).say("GET / HTTP/1.1\r\n\r\n").line(),
            "refused: it does not speak as a node of this version does");
  EXPECT_EQ(Peer(port).say("\x1b[2J\n").line(), "refused: it does not speak as a node of this version does");
  EXPECT_EQ(Peer(port).say(std::string(100'000, 'a')).line(), "");
  EXPECT_EQ(Peer(port).say(std::string(1000, ' ') + "\n").line(), "");
  std::deque<Peer> silent;
  for (int i = 0; i < 100; ++i) silent.emplace_back(port).say("tinygpt-1 nn");
  EXPECT_EQ(silent.front().line(), "");  // pushed out by the others
  Node second(node_of(port, 1, two));
  EXPECT_EQ(second.code(), 0) << second.errors();
  EXPECT_EQ(first.code(), 0) << first.errors();
  EXPECT_NE(first.errors().find("tinygpt: refused a connection from 127.0.0.1: "), std::string::npos);
  EXPECT_EQ(first.errors().find('\x1b'), std::string::npos);
}

// Who says as node 1 of `options` what a test wants.
struct FakeNode {
  FakeNode(const Port& port, const Options& options) : control(port), data(port) {
    const std::string terms = terms_of(options, kTiny);
    EXPECT_EQ(control.say(hello_line(terms, {1, Channel::control})).line(), "welcome");
    EXPECT_EQ(data.say(hello_line(terms, {1, Channel::data})).line(), "welcome");
  }

  Peer control, data;
};

TEST(Rendezvous, TakesANodeOnce) {
  const Port port("127.0.0.1");
  const Options options = node_of(port, 0, {.ranks = 1, .nodes = 3});
  Node first(options);
  {
    FakeNode fake(port, options);
    EXPECT_EQ(Peer(port).say(hello_line(terms_of(options, kTiny), {1, Channel::data})).line(),
              "refused: node 1 has come already");
  }
  EXPECT_EQ(first.code(), 1);
  EXPECT_NE(first.errors().find("tinygpt: node 1 was lost before all nodes had come\n"), std::string::npos);
}

TEST(Rendezvous, EndsWhenNobodyComes) {
  const Port port("127.0.0.1");
  const Options alone{.ranks = 1, .nodes = 2, .connect_limit = 1};
  Node first(node_of(port, 0, alone));
  EXPECT_EQ(first.code(), 1);
  EXPECT_EQ(first.errors(), "tinygpt: node 1 did not come within 1 s\n");
  Node second(node_of(port, 1, alone));
  EXPECT_EQ(second.code(), 1);
  EXPECT_EQ(second.errors(), "tinygpt: node 0 at 127.0.0.1, port " + std::to_string(port.number()) +
                                 ", was not reached within 1 s: Connection refused\n");
}

TEST(Rendezvous, TakesNobodyElseForNodeZero) {
  const Port port("127.0.0.1");
  const Socket listener = listen_at("127.0.0.1", port.number());
  Node second(node_of(port, 1, {.ranks = 1, .nodes = 2}));
  Socket caller;
  while (!caller) caller = accept_from(listener);
  send_all(caller.fd(), std::string("SSH-2.0-\x1b[31m\r\n"));
  EXPECT_EQ(second.code(), 1);
  EXPECT_EQ(second.errors(),
            "tinygpt: what listens at --master-addr and --master-port is not node 0 of a tinygpt\n");
}

// The byte that tells of a loss comes with the welcome.
TEST(Rendezvous, HearsWhatComesBehindTheWelcome) {
  const Port port("127.0.0.1");
  const Socket listener = listen_at("127.0.0.1", port.number());
  Node second(node_of(port, 1, {.ranks = 1, .nodes = 3}));
  std::deque<Socket> channels;
  for (const char* const answer : {"welcome\n\x02", "welcome\n"}) {
    Socket caller;
    while (!caller) caller = accept_from(listener);
    send_all(caller.fd(), std::string(answer));
    channels.push_back(std::move(caller));
  }
  EXPECT_EQ(second.code(), 1);
  EXPECT_EQ(second.errors(), "tinygpt: node 2 was lost; stopping this node\n");
}

TEST(Socket, NoticesSilenceWithinTheLimit) {
  const auto option = [](const Socket& socket, int name) {
    int value = 0;
    socklen_t length = sizeof value;
    getsockopt(socket.fd(), IPPROTO_TCP, name, &value, &length);
    return value;
  };
  for (const int limit : {4, 60, 32767}) {
    const Socket tcp(socket(AF_INET, SOCK_STREAM, 0));
    notice_silence(tcp, limit);
    const int noticed = option(tcp, TCP_KEEPIDLE) + option(tcp, TCP_KEEPINTVL) * option(tcp, TCP_KEEPCNT);
    EXPECT_LE(noticed, limit + 1);
    EXPECT_GE(noticed, limit / 2);
  }
}

// Lengths and marks that node 0 does not wait for.
TEST(Link, ThatCarriesSomethingElseIsLost) {
  for (const char last : {'\0', '\x7f'}) {
    const Port port("127.0.0.1");
    const Options options = node_of(port, 0, {.ranks = 1, .nodes = 2});
    Node first(options);
    FakeNode fake(port, options);
    fake.data.say(std::string(last == 0 ? "1tinygpt" : "1tinygpu") + std::string(7, '\xff') + last);
    EXPECT_EQ(first.code(), 1);
    EXPECT_EQ(first.errors(), "tinygpt: node 1 was lost; stopping this node\n");
  }
}

TEST(Link, WhoseLauncherSaysSomethingElseIsLost) {
  for (const char* const words : {"\x02", "\xff\xff", "hello"}) {
    const Port port("127.0.0.1");
    const Options options = node_of(port, 0, {.ranks = 1, .nodes = 2});
    Node first(options);
    FakeNode fake(port, options);
    fake.data.say(std::string("1tinygpt") + std::string(8, '\0'));  // all have come when it is answered
    std::array<std::byte, 16> answer;
    EXPECT_TRUE(receive_all(fake.data.fd(), answer));
    fake.control.say(words);
    EXPECT_EQ(first.code(), 1);
    EXPECT_EQ(first.errors(), "tinygpt: node 1 was lost; stopping this node\n");
  }
}

TEST(Hello, SaysWhatDiffers) {
  const std::string terms = terms_of({.ranks = 2, .lr = 0.1, .nodes = 4}, kTiny);
  const auto why = [&](std::string line) {
    const auto heard = read_hello(terms, line.substr(0, line.find('\n')), 3);
    const auto* refusal = std::get_if<std::string>(&heard);
    return refusal == nullptr ? "" : *refusal;
  };
  const auto with = [&](const Options& options) {
    return why(hello_line(terms_of(options, kTiny), {3, Channel::data}));
  };
  EXPECT_EQ(with({.ranks = 2, .lr = 0.1, .nodes = 4}), "");
  EXPECT_EQ(with({.ranks = 2, .lr = 0.1, .crash_at = 3, .nodes = 4}), "");
  EXPECT_EQ(with({.ranks = 2, .lr = 0.1, .save = "x", .nodes = 4}), "save=yes, while node 0 has save=no");
  EXPECT_EQ(with({.ranks = 2, .seed_from_clock = true, .lr = 0.1, .nodes = 4}),
            "seed=clock, while node 0 has seed=1234");
  EXPECT_EQ(with({.ranks = 3, .lr = 0.1, .nodes = 4}), "ranks=3, while node 0 has ranks=2");
  EXPECT_EQ(with({.ranks = 2, .lr = 0.1000000001, .nodes = 4}), "lr=0.1000000001, while node 0 has lr=0.1");
  EXPECT_EQ(why(hello_line(terms, {4, Channel::data})), "node=4 is none of nodes 1 to 3");
  EXPECT_EQ(why(hello_line(terms, {0, Channel::data})), "node=0 is none of nodes 1 to 3");
  const std::string stranger = "it does not speak as a node of this version does";
  EXPECT_EQ(why("tinygpt-2 " + terms + " node=1 channel=data"), stranger);
  EXPECT_EQ(why("tinygpt-1 " + terms + " node=1 channel=date"), stranger);
  EXPECT_EQ(why("tinygpt-1 " + terms + " node=1 channel=data "), stranger);
  EXPECT_EQ(why("tinygpt-1 " + terms), stranger);
  EXPECT_EQ(why(""), stranger);
}

}  // namespace
}  // namespace tinygpt::nodes_test
