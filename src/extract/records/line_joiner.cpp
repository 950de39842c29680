#include "extract/records/line_joiner.h"

#include <vector>

namespace gate::extract {

namespace {

constexpr std::size_t longest_gathered = 65536;
constexpr std::size_t most_gathered = 256;

}  // namespace

LineJoiner::LineJoiner(const JoinRules& together, Take take) : together_(&together), take_(std::move(take)) {}

void LineJoiner::read(const CleanLine& line) {
  if (!together_->begins && !together_->bar) return take_(line);
  const std::string_view bar = together_->bar ? together_->bar(line.text) : "";
  const bool begins = bar.empty() && together_->begins && together_->begins(line.text);
  if (held_.empty() && bar.empty() && !begins) return take_(line);
  const Key key{line.place.file, std::string(line.source)};
  const auto held = held_.find(key);
  if (!bar.empty()) {
    if (held != held_.end() && held->second.bar != bar) let_go(key);
    return hold(key, line, bar);
  }
  if (held != held_.end() && held->second.bar.empty()) {
    const bool more = together_->goes_on(line.text) && held->second.text.size() < longest_gathered;
    if (more) return append(held->second, line);
    let_go(key);
  }
  if (begins) return hold(key, line, "");
  take_(line);
}

void LineJoiner::hold(const Key& key, const CleanLine& line, std::string_view bar) {
  if (line.text.size() > longest_gathered || line.cut_in_pieces) return take_(line);
  if (held_.size() >= most_gathered && !held_.contains(key)) let_go(held_.begin()->first);
  held_[key] = {std::string(line.text), std::string(line.outer), std::string(line.source), std::string(bar),
                line};
}

void LineJoiner::append(Held& held, const CleanLine& line) {
  held.text += '\n';
  held.text += line.text;
  held.line.ended = line.ended;
}

void LineJoiner::let_go(const Key& key) {
  const auto it = held_.find(key);
  const Held held = std::move(it->second);
  held_.erase(it);
  CleanLine line = held.line;
  line.text = held.text;
  line.outer = held.outer;
  line.source = held.source;
  line.own = held.text.size();
  take_(line);
}

void LineJoiner::end_file(std::uint32_t file) {
  std::vector<Key> keys;
  for (const auto& [key, held] : held_)
    if (key.first == file) keys.push_back(key);
  for (const Key& key : keys) let_go(key);
}

}  // namespace gate::extract
