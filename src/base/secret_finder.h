// Finds every occurrence of many words in one pass over a text that may come in pieces.
//
// The words form a tree of their beginnings. A node stands for the longest end of the text read so far that
// begins a word; where the next byte does not continue it, its `shorter` node, the longest proper end of it
// that begins a word, is tried, down to the root (Aho and Corasick, 1975). Each byte goes down at most one
// level and each step to `shorter` goes up, so the time is linear in the text for any words. Children are
// lists, not tables of 256: a word of 100 KB costs 3 MB and not 100.
//
// In ordinary text the root is where nearly all time goes, so there the text is skipped as Wu and Manber do
// (1994): with every word at least `window` bytes long, the last two bytes of a window tell how far no word
// can begin. Only where they say 0 is the tree entered, so a text made to defeat skipping costs one more look
// a byte.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

class SecretFinder {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;

  // At least one word; none is empty.
  explicit SecretFinder(std::span<const std::string> words);

  // Return the first place from `at` on at which a word may begin as far as the bytes tell; `at` is inside.
  std::size_t skip(std::string_view bytes, std::size_t at) const;

  // Return the node of the text that is longer by one byte.
  Node step(Node node, char byte) const;

  // Return the length of the longest word that the text ends in, or 0.
  std::size_t match(Node node) const { return nodes_[node].match; }

  // Return the length of the longest end of the text that a further byte could make more of a word.
  std::size_t open(Node node) const { return nodes_[node].open; }

 private:
  struct Item {
    char byte = 0;
    Node child = root, sibling = root;  // root: none
    Node shorter = root;
    std::uint32_t depth = 0, match = 0, open = 0;
  };

  void plant(std::string_view word);
  Node child_of(Node node, char byte) const;
  Node add_child(Node parent, char byte);
  void link();
  void link_child(Node parent, Node child);
  void fill_skips(std::span<const std::string> words);

  std::vector<Item> nodes_{1};
  std::array<Node, 256> first_{};  // children of the root
  std::vector<std::uint8_t> skips_;
  std::size_t window_ = 0;
};

}  // namespace gate
