#include "hosts/engines/pod_log.h"

#include <algorithm>

namespace gate::hosts {

namespace {

constexpr std::size_t second_length = 19;  // `2026-11-25T16:49:03`

}  // namespace

std::string PodLog::since() const { return second_.empty() ? "" : second_ + zone_; }

void PodLog::begin() {
  rest_.clear();
  skipped_ = 0;
  is_again_ = !second_.empty();
}

void PodLog::feed(std::string_view bytes, std::string& output) {
  rest_ += bytes;
  std::size_t from = 0;
  for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', from)) {
    take(std::string_view(rest_).substr(from, end - from), "\n", output);
    from = end + 1;
  }
  rest_.erase(0, from);
}

void PodLog::finish(std::string& output) {
  if (!rest_.empty()) take(rest_, "", output);
  rest_.clear();
}

// A line without a time is none of the pod's: the node complains in its place.
void PodLog::take(std::string_view line, std::string_view end, std::string& output) {
  const std::size_t blank = line.find(' ');
  const std::string_view time = line.substr(0, blank);
  if (time.size() <= second_length || time[second_length - 9] != 'T') {
    has_gap_ = true;
    return;
  }
  const std::string_view second = time.substr(0, second_length);
  if (is_again_ && second < second_) return;
  if (is_again_ && second == second_ && skipped_ < taken_) {
    ++skipped_;
    return;
  }
  has_gap_ |= is_again_ && skipped_ < taken_;
  is_again_ = false;
  if (second != second_) {
    second_ = second;
    zone_ = time.substr(std::min(time.size(), time.find_first_of("Z+-", second_length)));
    taken_ = 0;
  }
  ++taken_;
  if (blank != std::string_view::npos) output += line.substr(blank + 1);
  output += end;
}

}  // namespace gate::hosts
