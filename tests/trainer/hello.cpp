#include "trainer/hello.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <optional>
#include <vector>

namespace tinygpt {
namespace {

constexpr std::string_view kVersion = "tinygpt-1";
constexpr std::string_view kStranger = "it does not speak as a node of this version does";
constexpr std::array<std::string_view, 2> kChannels = {"channel=control", "channel=data"};

// The shortest decimals that stand for the number alone.
std::string exact(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr};
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t space = 0; (space = line.find(' ')) != std::string_view::npos;
       line.remove_prefix(space + 1))
    words.push_back(line.substr(0, space));
  words.push_back(line);
  return words;
}

std::string_view name_in(std::string_view word) { return word.substr(0, word.find('=')); }

// Return why the first words are not those wanted, if they are not.
std::optional<std::string> difference(const std::vector<std::string_view>& wanted,
                                      const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (words[i] == wanted[i]) continue;
    if (name_in(words[i]) != name_in(wanted[i])) break;
    return std::string(words[i]).append(", while node 0 has ").append(wanted[i]);
  }
  return std::equal(wanted.begin(), wanted.end(), words.begin()) ? std::nullopt
                                                                 : std::optional(std::string(kStranger));
}

std::optional<int> node_in(std::string_view word, int last) {
  constexpr std::string_view kName = "node=";
  if (!word.starts_with(kName)) return std::nullopt;
  int node = 0;
  const auto [end, error] = std::from_chars(word.data() + kName.size(), word.data() + word.size(), node);
  const bool is_number = error == std::errc{} && end == word.data() + word.size();
  return is_number && node >= 1 && node <= last ? std::optional(node) : std::nullopt;
}

}  // namespace

std::string word_of(const ModelShape& s) {
  std::string word;
  for (const std::size_t size : {s.vocabulary, s.context, s.width, s.heads, s.layers, s.batch})
    word += (word.empty() ? "" : "x") + std::to_string(size);
  return word;
}

std::string byte_order() { return std::endian::native == std::endian::little ? "little" : "big"; }

std::string terms_of(const Options& o, const ModelShape& shape) {
  return "nnodes=" + std::to_string(o.nodes) + " ranks=" + std::to_string(o.ranks) +
         " steps=" + std::to_string(o.steps) +
         " seed=" + (o.seed_from_clock ? "clock" : std::to_string(o.seed)) + " lr=" + exact(o.lr) +
         " grad-scale=" + exact(o.grad_scale) + " nan-at=" + std::to_string(o.nan_at) +
         " stop-at=" + std::to_string(o.stop_at) + " load=" + yes_or_no(!o.load.empty()) +
         " save=" + yes_or_no(!o.save.empty()) + " save-interval=" + std::to_string(o.save_interval) +
         " save-on-term=" + yes_or_no(o.save_on_term) + " shape=" + word_of(shape) +
         " byte-order=" + byte_order();
}

std::string hello_line(const std::string& terms, const Hello& hello) {
  return std::string(kVersion).append(" ").append(terms) + " node=" + std::to_string(hello.node) + " " +
         std::string(kChannels[static_cast<std::size_t>(hello.channel)]) + "\n";
}

std::variant<Hello, std::string> read_hello(const std::string& terms, std::string_view line, int last) {
  const std::string first = std::string(kVersion) + " " + terms;
  const auto wanted = words_of(first), words = words_of(line);
  if (!is_printable(line) || words.size() != wanted.size() + 2) return std::string(kStranger);
  if (auto why = difference(wanted, words)) return *why;
  const auto channel = std::find(kChannels.begin(), kChannels.end(), words.back());
  if (channel == kChannels.end()) return std::string(kStranger);
  const auto node = node_in(words[wanted.size()], last);
  if (!node) return std::string(words[wanted.size()]) + " is none of nodes 1 to " + std::to_string(last);
  return Hello{*node, static_cast<Channel>(channel - kChannels.begin())};
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace tinygpt
