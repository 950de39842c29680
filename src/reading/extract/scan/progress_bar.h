// What the progress bar of a whole training shows, as tqdm draws it for the Trainer of transformers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gate::extract {

// One of these stands in every bar of steps. Of fewer than four bytes a literal would let through much of any
// log.
inline constexpr std::array<std::string_view, 2> bar_rates{"it/s", "s/it"};

struct ShownStep {
  std::int64_t step = 0;
  std::int64_t total = 0;
  std::optional<std::int64_t> seconds = {};  // since it began
};

// Return what the line shows if it begins, behind a launcher's prefix, with a bar that has no name or is
// called `Train`; whatever is glued to it. A bar with another name (`Map:`, `Loading checkpoint shards:`,
// `Epoch 3:`) is of something else than all steps.
std::optional<ShownStep> shown_step(std::string_view line);

// Return what stands behind the bars at the start of the line and behind its prefix, whatever they are called
// (`Map:  50%|#####     | 1/2 [00:01<00:01]`): who draws one does not end its line. Without a bar, the line.
std::string_view behind_bars(std::string_view line);

}  // namespace gate::extract
