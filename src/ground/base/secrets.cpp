#include "gate/base/secrets.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gate/base/text.h"

namespace gate {

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

namespace {

constexpr std::array<std::string_view, 5> secret_names{"*token", "*secret*", "*password*", "*_key",
                                                       "*_key_id"};
// Whole words between `_`: PATH and COMPASS hold some of them.
constexpr std::array<std::string_view, 8> secret_words{"pat",    "pass",        "passwd", "jwt",
                                                       "cookie", "credentials", "apikey", "tokens"};
constexpr std::string_view harmless_names = "*tokenizer*";

bool looks_secret(std::string_view name) {
  const std::string lower = to_lower(name);
  if (glob_match(harmless_names, lower)) return false;
  const auto fits = [&](std::string_view glob) { return glob_match(glob, lower); };
  return std::ranges::any_of(secret_names, fits) ||
         std::ranges::any_of(split(lower, '_'), [](std::string_view word) {
           return std::ranges::find(secret_words, word) != secret_words.end();
         });
}

bool is_listed(std::string_view name, std::span<const std::string> listed) {
  return std::any_of(listed.begin(), listed.end(),
                     [&](const std::string& glob) { return glob_match(glob, name); });
}

// `-1200`, `3.14`: what a setting holds; `1e10` may well be a password.
bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

void add_secret(std::vector<std::string>& secrets, std::string_view text) {
  if (text.size() >= shortest_secret) secrets.emplace_back(text);
}

constexpr std::size_t longest_window = 255;

std::size_t index_of(char byte) { return static_cast<unsigned char>(byte); }

std::size_t pair_of(std::string_view bytes, std::size_t at) {
  return index_of(bytes[at]) << 8 | index_of(bytes[at + 1]);
}

}  // namespace

std::vector<std::string> secret_values(const std::map<std::string, std::string>& environment,
                                       std::span<const std::string> listed,
                                       const std::function<bool(const std::string&)>& is_path) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : environment) {
    const std::string_view text = trim(value);
    const bool guessed = looks_secret(name) && !is_number(text) && !is_path(value);
    if (!guessed && !is_listed(name, listed)) continue;
    add_secret(secrets, text);
    for (const std::string_view line : split(text, '\n')) add_secret(secrets, trim(line));
  }
  std::sort(secrets.begin(), secrets.end());
  secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
  return secrets;
}

namespace {

constexpr std::string_view ends_of_places = " \t\n\"',<>]";

// The part of the text from `at` on that ends before the first of these, or where the place does.
std::string_view part_at(std::string_view text, std::size_t at, std::string_view ends) {
  const std::string_view rest = text.substr(at);
  return rest.substr(0, std::min(rest.find_first_of(ends), rest.find_first_of(ends_of_places)));
}

bool is_secret_parameter(std::string_view name) {
  constexpr std::array<std::string_view, 7> globs{"*sig*",        "*token*", "*secret*", "*pass*",
                                                  "*credential*", "*key*",   "*auth*"};
  const std::string lower = to_lower(name);
  return std::ranges::any_of(globs, [&](std::string_view glob) { return glob_match(glob, lower); });
}

}  // namespace

std::vector<std::string> secrets_in_places(std::string_view text) {
  constexpr std::string_view scheme_end = "://";
  std::vector<std::string> secrets;
  for (std::size_t at = text.find(scheme_end); at != std::string_view::npos;
       at = text.find(scheme_end, at + 1)) {
    const std::string_view host = part_at(text, at + scheme_end.size(), "/?#");
    const std::string_view user = host.substr(0, host.rfind('@') == host.npos ? 0 : host.rfind('@'));
    const std::size_t colon = user.find(':');
    add_secret(secrets, colon == user.npos ? user : user.substr(colon + 1));
  }
  for (std::size_t at = text.find_first_of("?&"); at != std::string_view::npos;
       at = text.find_first_of("?&", at + 1)) {
    const auto parameter = key_and_value(part_at(text, at + 1, "?&#"));
    if (parameter && is_secret_parameter(parameter->key)) add_secret(secrets, parameter->value);
  }
  return secrets;
}

std::string without_place_secrets(std::string_view text) {
  return Masker(secrets_in_places(text)).mask(text);
}

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

Masker::Masker(std::span<const std::string> secrets) {
  std::vector<std::string> words;
  for (const std::string& secret : secrets)
    if (!secret.empty()) words.push_back(secret);
  if (!words.empty()) finder_ = std::make_shared<const SecretFinder>(words);
}

std::string Masker::mask(std::string_view text) const {
  StreamMasker stream(*this);
  std::string masked(stream.feed(text));
  return masked += stream.finish();
}

Sentence Masker::mask(const Sentence& sentence) const {
  return sentence.with([this](const std::string& text) { return mask(text); });
}

StreamMasker::StreamMasker(Masker masker) : masker_(std::move(masker)) {}

std::string_view StreamMasker::feed(std::string_view bytes) {
  if (!masker_.has_secrets()) return bytes;
  const bool nothing_held = released_ == read_;
  find(bytes);
  const Offset closed = read_ - masker_.finder_->open(node_);
  if (nothing_held && secrets_.empty()) {
    const std::size_t clear = bytes.size() - static_cast<std::size_t>(read_ - closed);
    tail_.assign(bytes.substr(clear));
    tail_begin_ = released_ = closed;
    if (clear > 0) in_mask_ = false;
    return bytes.substr(0, clear);
  }
  tail_ += bytes;
  release(closed);
  return out_;
}

std::string_view StreamMasker::finish() {
  release(read_);
  node_ = 0;
  in_mask_ = false;
  return out_;
}

void StreamMasker::find(std::string_view bytes) {
  const SecretFinder& finder = *masker_.finder_;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (node_ == SecretFinder::root) i = finder.skip(bytes, i);
    node_ = finder.step(node_, bytes[i]);
    const Offset end = read_ + i + 1;
    if (const std::size_t length = finder.match(node_); length > 0) cover({end - length, end});
  }
  read_ += bytes.size();
}

// Ends rise, so only the last spans can touch the new one.
void StreamMasker::cover(Span span) {
  while (!secrets_.empty() && secrets_.back().end >= span.begin) {
    span.begin = std::min(span.begin, secrets_.back().begin);
    secrets_.pop_back();
  }
  secrets_.push_back(span);
}

void StreamMasker::release(Offset end) {
  out_.clear();
  while (released_ < end) {
    if (secrets_.empty() || released_ < secrets_.front().begin) {
      write_clear(secrets_.empty() ? end : std::min(end, secrets_.front().begin));
    } else {
      write_masked(std::min(end, secrets_.front().end));
      if (released_ == secrets_.front().end) secrets_.pop_front();
    }
  }
  forget_released();
}

void StreamMasker::write_clear(Offset end) {
  out_ += held(end);
  in_mask_ = false;
  released_ = end;
}

void StreamMasker::write_masked(Offset end) {
  for (const char byte : held(end)) {
    const bool newline = byte == '\n';
    if (newline || !in_mask_) out_ += newline ? "\n" : "***";
    in_mask_ = !newline;
  }
  released_ = end;
}

std::string_view StreamMasker::held(Offset end) const {
  return std::string_view(tail_).substr(static_cast<std::size_t>(released_ - tail_begin_),
                                        static_cast<std::size_t>(end - released_));
}

// Only when at least half is done with: text that comes byte by byte does not move what is held each time.
void StreamMasker::forget_released() {
  const std::size_t done = static_cast<std::size_t>(released_ - tail_begin_);
  if (done < tail_.size() - done) return;
  tail_.erase(0, done);
  tail_begin_ = released_;
}

}  // namespace gate
