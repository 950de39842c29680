// The nodes of a training and what goes between them, over TCP: each is linked to node 0, and only to it.
//
// The launcher of a node makes it before the ranks are forked; from then on the ranks use what is for ranks,
// one of a node at a time, and the launcher the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trainer/options.h"
#include "trainer/parameters.h"
#include "trainer/rendezvous.h"

namespace tinygpt {

class Nodes {
 public:
  // Come together with the others. Throws std::runtime_error or std::system_error, with a line that says why.
  Nodes(const Options& options, const ModelShape& shape);
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;

  int count() const { return count_; }
  int own() const { return own_; }

  // For ranks: give another node these bytes, or fill them with what it gives, which must be as many; nothing
  // that it sends takes memory. Between node 0 and another. A link that breaks, or that carries something
  // else, is closed for the launcher to notice, and the rank sleeps until it is killed.
  void send(int node, std::span<const std::byte> bytes) const;
  void receive(int node, std::span<std::byte> bytes) const;

  // For ranks: wait until all nodes are here.
  void meet() const;

  // For the launcher: what becomes readable when lost() may have news.
  const std::vector<int>& watched() const { return watched_; }

  // For the launcher: hear what has come. Return the node that is lost, if one is; node 0 has told the others
  // then.
  std::optional<int> lost();

  // For the launcher, when its ranks have all ended well: wait until those of all nodes have. Return the node
  // that is lost, if one is.
  std::optional<int> part();

 private:
  bool is_first() const { return own_ == 0; }
  bool all_done() const;
  std::optional<int> hear(std::size_t node);
  int tell(int lost) const;
  const Link& link(int node) const { return links_[static_cast<std::size_t>(node)]; }

  int count_;
  int own_;
  std::vector<Link> links_;  // of node 0 to each other, [node], [0] empty; of another to node 0 alone
  std::vector<int> watched_;
  std::vector<bool> is_done_;  // [node], as far as linked
};

}  // namespace tinygpt
