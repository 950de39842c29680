// What devices can do at most, as their makers publish it.
#pragma once

#include <span>
#include <string_view>

namespace gate::config {

// FLOP/s of one device without sparsity, by the platform as gate calls it and the type of number. Of what is
// not published there is none.
struct PublishedPeak {
  std::string_view platform;  // glob: `nvidia-h100*`
  std::string_view type;      // `bf16`
  double tera;                // 10^12 a second
  std::string_view source;
};

std::span<const PublishedPeak> published_peaks();

}  // namespace gate::config
