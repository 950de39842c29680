#include "extract/tracker_links.h"

#include <algorithm>

namespace gate::extract {

namespace {

constexpr std::size_t longest_link = 500;

bool may_be_in_link(char c) {
  return c > ' ' && c < '\x7f' && std::string_view("\"'<>`\\").find(c) == std::string_view::npos;
}

// Return the link that ends the text, without a key that W&B gives to who has no account; "" where it ends
// with none, or with one that holds a password.
std::string_view link_at_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  std::string_view link = text.substr(text.rfind(' ') + 1);
  link = link.substr(0, link.find("?apiKey="));
  const std::size_t host = link.starts_with("https://") ? 8 : link.starts_with("http://") ? 7 : link.size();
  const bool has_host = host < link.size() && link[host] != '/';
  const bool has_password =
      link.substr(host, link.find('/', host) - host).find('@') != std::string_view::npos;
  const bool is_link = has_host && !has_password && link.size() <= longest_link;
  return is_link && std::ranges::all_of(link, may_be_in_link) ? link : "";
}

std::string_view tracker_of(std::string_view before) {
  if (before.find("wandb") != std::string_view::npos) return "W&B";
  if (before.find("swanlab") != std::string_view::npos) return "SwanLab";
  return before.find("🏃") != std::string_view::npos ? "MLflow" : "";
}

}  // namespace

void TrackerLinks::read(std::string_view line) {
  const std::size_t at = line.find(literal);
  if (at == std::string_view::npos) return;
  const std::string_view tracker = tracker_of(line.substr(0, at));
  const std::string_view link = link_at_end(line.substr(at));
  if (!tracker.empty() && !link.empty()) links_[tracker] = link;
}

void TrackerLinks::tell(Extraction& extraction) const {
  for (const auto& [tracker, link] : links_)
    extraction.notes.push_back(say({"{} run {}", "{} 运行 {}"}, tracker, link));
}

}  // namespace gate::extract
