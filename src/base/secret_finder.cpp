#include "base/secret_finder.h"

#include <algorithm>

namespace gate {

namespace {

constexpr std::size_t longest_window = 255;

std::size_t index_of(char byte) { return static_cast<unsigned char>(byte); }

std::size_t pair_of(std::string_view bytes, std::size_t at) {
  return index_of(bytes[at]) << 8 | index_of(bytes[at + 1]);
}

}  // namespace

SecretFinder::SecretFinder(std::span<const std::string> words) {
  for (const std::string& word : words) plant(word);
  link();
  fill_skips(words);
}

void SecretFinder::plant(std::string_view word) {
  Node node = root;
  for (const char byte : word) {
    const Node child = child_of(node, byte);
    node = child != root ? child : add_child(node, byte);
  }
  nodes_[node].match = nodes_[node].depth;
}

SecretFinder::Node SecretFinder::child_of(Node node, char byte) const {
  if (node == root) return first_[index_of(byte)];
  Node child = nodes_[node].child;
  while (child != root && nodes_[child].byte != byte) child = nodes_[child].sibling;
  return child;
}

SecretFinder::Node SecretFinder::add_child(Node parent, char byte) {
  const Node child = static_cast<Node>(nodes_.size());
  nodes_.push_back({byte, root, nodes_[parent].child, root, nodes_[parent].depth + 1, 0, 0});
  nodes_[parent].child = child;
  if (parent == root) first_[index_of(byte)] = child;
  return child;
}

// Level by level, because a node's `shorter` lies on a level above it.
void SecretFinder::link() {
  std::vector<Node> level_order{root};
  for (std::size_t i = 0; i < level_order.size(); ++i) {
    const Node parent = level_order[i];
    for (Node child = nodes_[parent].child; child != root; child = nodes_[child].sibling) {
      link_child(parent, child);
      level_order.push_back(child);
    }
  }
}

void SecretFinder::link_child(Node parent, Node child) {
  Item& item = nodes_[child];
  if (parent != root) item.shorter = step(nodes_[parent].shorter, item.byte);
  const Item& shorter = nodes_[item.shorter];
  item.match = std::max(item.match, shorter.match);
  item.open = item.child != root ? item.depth : shorter.open;
}

void SecretFinder::fill_skips(std::span<const std::string> words) {
  window_ = longest_window;
  for (const std::string& word : words) window_ = std::min(window_, word.size());
  skips_.assign(1 << 16, static_cast<std::uint8_t>(window_ - 1));
  for (const std::string& word : words)
    for (std::size_t i = 0; i + 1 < window_; ++i) {
      std::uint8_t& skip = skips_[pair_of(word, i)];
      skip = std::min(skip, static_cast<std::uint8_t>(window_ - 2 - i));
    }
}

std::size_t SecretFinder::skip(std::string_view bytes, std::size_t at) const {
  if (window_ < 2) return at;
  while (at + window_ <= bytes.size()) {
    const std::size_t skip = skips_[pair_of(bytes, at + window_ - 2)];
    if (skip == 0) return at;
    at += skip;
  }
  return at;
}

SecretFinder::Node SecretFinder::step(Node node, char byte) const {
  for (;;) {
    const Node child = child_of(node, byte);
    if (child != root || node == root) return child;
    node = nodes_[node].shorter;
  }
}

}  // namespace gate
