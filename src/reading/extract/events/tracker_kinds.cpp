#include "extract/events/tracker_kinds.h"

#include <algorithm>
#include <array>

#include "extract/events/event_file.h"
#include "extract/events/mlflow_file.h"
#include "extract/events/wandb_file.h"

namespace gate::extract {

namespace {

constexpr std::size_t telling_head = 12;

template <class File>
std::unique_ptr<ScalarFile> open_file(std::string_view /*path*/, ScalarFile::Handlers handlers) {
  return std::make_unique<File>(std::move(handlers));
}

std::unique_ptr<ScalarFile> open_mlflow(std::string_view path, ScalarFile::Handlers handlers) {
  return std::make_unique<MlflowFile>(path, std::move(handlers));
}

constexpr std::array kinds{
    TrackerKind{{"tensorboard", "TensorBoard event files: scalars by their tags"},
                "tensorboard.scalar",
                false,
                "",
                looks_like_events,
                open_file<EventFile>},
    TrackerKind{{"wandb", "W&B's offline files, run-ID.wandb: the history of a run"},
                "wandb.history",
                false,
                "",
                looks_like_wandb,
                open_file<WandbFile>},
    TrackerKind{{"mlflow", "MLflow's metrics in files, mlruns/EXPERIMENT/RUN/metrics"},
                "mlflow.metric",
                true,
                "system/",
                looks_like_mlflow,
                open_mlflow},
};

}  // namespace

std::span<const TrackerKind> tracker_kinds() { return kinds; }

const TrackerKind* tracker_kind_of(std::string_view head, std::string_view path, bool has_patterns) {
  const auto it = std::ranges::find_if(kinds, [&](const TrackerKind& kind) { return kind.begins(head); });
  if (it == kinds.end()) return nullptr;
  const bool may_be_other = it->begins == looks_like_mlflow && has_patterns;
  return may_be_other && !is_in_metrics_folder(path) ? nullptr : &*it;
}

bool tells_kind(std::string_view head) { return head.size() >= telling_head && !may_become_mlflow(head); }

bool is_tracker_format(std::string_view name) {
  return std::ranges::any_of(kinds, [&](const TrackerKind& kind) { return kind.format.name == name; });
}

}  // namespace gate::extract
