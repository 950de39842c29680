#include "extract/survey/log_lines.h"

#include <functional>

#include "extract/scan/line_shapes.h"
#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_surveyed = std::size_t{8} << 20;
constexpr std::size_t most_kinds = 512;
constexpr std::size_t longest_surveyed = 4096;

}  // namespace

LogLines::LogLines(std::string_view log) {
  for (std::string_view line : split(log.substr(0, most_surveyed), '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::vector<std::string_view> drawings = split(line, '\r');
    for (const std::string_view drawing : drawings) add(drawing, drawings.size() > 1);
  }
}

void LogLines::add(std::string_view text, bool is_drawn) {
  std::string plain;
  std::string_view own = strip_escapes(text.substr(0, longest_surveyed), plain);
  if (own.data() == plain.data() && !own.empty()) own = cleaned_.emplace_back(std::move(plain));
  own = trim(own);
  if (own.empty()) return;
  const bool has_numbers = fold_shape(own, shape_);
  std::size_t place = shapes_.size();
  if (is_header(own)) header_ = own;
  if (!has_numbers) {
    place = SIZE_MAX;
  } else if (const auto it = places_.find(shape_); it != places_.end()) {
    place = it->second;
  } else if (shapes_.size() < most_kinds) {
    places_.emplace(shape_, place);
    shapes_.push_back({header_, {}, 0});
  } else {
    place = SIZE_MAX;
  }
  if (place != SIZE_MAX) {
    shapes_[place].lines.push_back(lines_.size());
    shapes_[place].drawn += is_drawn ? 1 : 0;
  }
  lines_.push_back({own, is_drawn});
  shape_of_.push_back(place);
}

}  // namespace gate::extract
