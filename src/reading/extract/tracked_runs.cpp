#include "gate/extract/tracked_runs.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace gate::extract {

namespace {

constexpr std::array<std::string_view, 6> beside_metrics{"artifacts/", "inputs/", "outputs/",
                                                         "params/",    "tags/",   "meta.yaml"};

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

std::string_view folder_above(std::string_view folder) {
  return folder.empty() ? folder : folder_of(folder.substr(0, folder.size() - 1));
}

bool is_one_of_beginnings(std::string_view path) {
  return std::ranges::any_of(beside_metrics, [&](std::string_view name) { return path.starts_with(name); });
}

// The folders of runs among the paths, each with its slash.
struct RunFolders {
  std::set<std::string_view> wandb, above_wandb, mlflow;

  explicit RunFolders(const std::vector<std::string>& paths) {
    std::set<std::string_view> with_meta;
    for (const std::string& path : paths) {
      const std::string_view folder = folder_of(path);
      if (path.ends_with(".wandb")) wandb.insert(folder);
      if (path.substr(folder.size()) == "meta.yaml") with_meta.insert(folder);
    }
    for (const std::string_view folder : wandb)
      if (!folder.empty()) above_wandb.insert(folder_above(folder));
    for (const std::string& path : paths)
      for (std::string_view at = folder_of(path); !at.empty(); at = folder_above(at))
        if (at.ends_with("metrics/") && with_meta.contains(folder_above(at))) mlflow.insert(folder_above(at));
  }

  bool leave_out(std::string_view folder, std::string_view name, KeptConsole console) const {
    const bool is_console = console == KeptConsole::read && name == "files/output.log";
    const bool is_kept_by_wandb = (name.starts_with("files/") && !is_console) ||
                                  name.starts_with("logs/debug") || name.starts_with("tmp/");
    return (is_kept_by_wandb && wandb.contains(folder)) ||
           (name.starts_with("debug") && above_wandb.contains(folder)) ||
           (is_one_of_beginnings(name) && mlflow.contains(folder));
  }
};

}  // namespace

void leave_out_beside_runs(std::vector<std::string>& paths, KeptConsole console) {
  const std::vector<std::string> all = paths;
  const RunFolders runs(all);
  std::erase_if(paths, [&](const std::string& path) {
    std::string_view folder = folder_of(path);
    while (!runs.leave_out(folder, std::string_view(path).substr(folder.size()), console)) {
      if (folder.empty()) return false;
      folder = folder_above(folder);
    }
    return true;
  });
}

}  // namespace gate::extract
