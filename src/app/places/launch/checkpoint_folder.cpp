#include "gate/places/checkpoint_folder.h"

#include <array>
#include <filesystem>

#include "gate/base/text.h"
#include "places/launch/cuts.h"

namespace gate::app {

namespace {

struct TrackerRow {
  const char* file;
  std::string_view before_step;
};
constexpr std::array trackers{TrackerRow{"latest_checkpointed_iteration.txt", ""},
                              TrackerRow{"latest", "global_step"}};
constexpr std::uintmax_t most_tracker_bytes = 4096;

CheckpointTracker torn(const TrackerRow& row, const Sentence& what) {
  return {std::nullopt, say({"GATE_CHECKPOINT_DIR/{} {}; it was torn while it was written, and which "
                             "checkpoint is whole is not "
                             "known",
                             "GATE_CHECKPOINT_DIR/{} {}；它在写入时残缺，不知道哪个检查点是完整的"},
                            row.file, what)};
}

// `release`: Megatron's word for a checkpoint without a step.
CheckpointTracker tracker_of(const TrackerRow& row, std::string_view text) {
  const std::string_view word = trim(text);
  const bool has_step = word.starts_with(row.before_step);
  const auto step = parse_integer(has_step ? word.substr(row.before_step.size()) : word);
  if (has_step && step && *step >= 0) return {*step, ""};
  if (word == "release") return {};
  return torn(row, word.empty() ? say({"is empty", "是空的"})
                                : say({"names no step: \"{}\"", "没有步号：\"{}\""}, printable(word, 40)));
}

}  // namespace

CheckpointTracker read_tracker(const NodeFiles& node) {
  for (const TrackerRow& row : trackers) {
    const auto text = node.file_in(&NodeFiles::Folders::checkpoints, row.file, most_tracker_bytes);
    if (!text) return {std::nullopt, "GATE_CHECKPOINT_DIR: " + text.error().message};
    if (*text) return tracker_of(row, **text);
    if (node.holds_other(&NodeFiles::Folders::checkpoints, row.file))
      return torn(row, say({"is no regular file", "不是普通文件"}));
  }
  return {};
}

void remove_checkpoints(const LaunchContext& context, const PlannedCase& planned,
                        const LaunchAttempt& attempt, LaunchRecord& record) {
  constexpr Duration limit{10000};
  const config::Settings& settings = planned.spec->settings;
  if (!config::has_checkpoints(settings) || config::keeps_checkpoints(settings)) return;
  const fs::Path here = checkpoints_of(context, planned, attempt.number);
  std::error_code error;
  std::filesystem::remove_all(here, error);
  if (error)
    record.add_problems(
        {say({"{}: cannot be removed: {}", "{}：无法删除：{}"}, here.string(), error.message())});
  for (const int number : attempt.reservation.hosts) {
    Host& host = context.environment.hosts->at(number);
    if (!host.why_lost().empty()) continue;
    const Status removed =
        host.remove_sent(folder_there(host, context, here), until_hurry(context, planned).bounded(limit));
    if (!removed) record.add_problems({removed.error().message});
  }
}

}  // namespace gate::app
