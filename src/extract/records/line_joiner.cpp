#include "extract/records/line_joiner.h"

#include <vector>

namespace gate::extract {

namespace {

constexpr std::size_t longest_joined = 65536;
constexpr std::size_t most_joined = 256;

}  // namespace

LineJoiner::LineJoiner(const JoinRules& rules, OnLine on_line)
    : rules_(&rules), on_line_(std::move(on_line)) {}

void LineJoiner::read(const CleanLine& line) {
  if (!rules_->begins && !rules_->bar) return on_line_(line);
  const std::string_view bar = rules_->bar ? rules_->bar(line.text) : "";
  const bool begins = bar.empty() && rules_->begins && rules_->begins(line.text);
  if (held_.empty() && bar.empty() && !begins) return on_line_(line);
  const Key key{line.place.file, std::string(line.source)};
  const auto held = held_.find(key);
  if (!bar.empty()) {
    if (held != held_.end() && held->second.bar != bar) let_go(key);
    return keep(key, line, bar);
  }
  if (held != held_.end() && held->second.bar.empty()) {
    if (rules_->goes_on(line.text) && held->second.text.size() < longest_joined) {
      held->second.text.append(1, '\n').append(line.text);
      held->second.line.ended = line.ended;
      return;
    }
    let_go(key);
  }
  if (begins) return keep(key, line, "");
  on_line_(line);
}

void LineJoiner::keep(const Key& key, const CleanLine& line, std::string_view bar) {
  if (line.text.size() > longest_joined || line.cut_in_pieces) return on_line_(line);
  if (held_.size() >= most_joined && !held_.contains(key)) let_go(held_.begin()->first);
  held_[key] = {std::string(line.text), std::string(line.outer), std::string(line.source), std::string(bar),
                line};
}

void LineJoiner::let_go(const Key& key) {
  const auto it = held_.find(key);
  if (it == held_.end()) return;  // who takes a line may end the file, and with it what is held of it
  const HeldLines held = std::move(it->second);
  held_.erase(it);
  CleanLine line = held.line;
  line.text = held.text;
  line.outer = held.outer;
  line.source = held.source;
  line.own = held.text.size();
  on_line_(line);
}

void LineJoiner::end_file(std::uint32_t file) {
  std::vector<Key> keys;
  for (const auto& [key, held] : held_)
    if (key.first == file) keys.push_back(key);
  for (const Key& key : keys) let_go(key);
}

}  // namespace gate::extract
