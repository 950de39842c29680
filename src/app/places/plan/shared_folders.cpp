#include "gate/places/shared_folders.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "gate/base/text.h"
#include "gate/hosts/job_engine.h"

namespace gate::app {

namespace {

fs::Path absolute_folder(const fs::Path& path) {
  return (std::filesystem::absolute(path) / "").lexically_normal();
}

struct SharedFolder {
  fs::Path path;  // with a slash at its end
  bool is_read_only = false;
};

class SharedFolders {
 public:
  SharedFolders(const fs::Path& suite, const RunOptions& options, const config::Case& spec)
      : spec_(spec),
        run_(options.out.empty() ? suite / ".gate" / "runs" / "RUN" : fs::Path(options.out)),
        stages_(stages_folder(options, run_, spec.name)),
        is_far_(!traits_of(spec.settings.backend).shares_files) {
    if (is_far_)
      for (const hosts::PodFolder& folder : hosts::folders_of_pod(spec.settings.kubernetes))
        folders_.push_back({absolute_folder(folder.path), folder.is_read_only});
    else
      for (const fs::Path& folder : {suite, fs::Path(spec.cwd), run_, stages_})
        folders_.push_back({absolute_folder(folder)});
  }

  Status check() const {
    if (has_stages(spec_) && !have(stages_))
      return fail("its stages share " + stages_.string() +
                  ", which is below no volume that its pods can write to: each stage would write for itself; "
                  "mount a claim "
                  "there by kubernetes.patch, or name a folder below one by --stages-folder");
    for (const auto& [name, output] : spec_.settings.outputs)
      if (const fs::Path folder = folder_of(output.file); !have(folder))
        return fail("output " + name + ": its file " + printable(output.file, 120) + " would be written in " +
                    folder.string() + ", which " + who_else());
    return {};
  }

 private:
  // A volume may lie in another one: the innermost holds the path.
  bool have(const fs::Path& path) const {
    const std::string told = absolute_folder(path).native();
    const SharedFolder* innermost = nullptr;
    for (const SharedFolder& folder : folders_)
      if (told.starts_with(folder.path.native()) &&
          (innermost == nullptr || folder.path.native().size() > innermost->path.native().size()))
        innermost = &folder;
    return innermost != nullptr && !innermost->is_read_only;
  }

  // Its part without holes.
  fs::Path folder_of(const std::string& file) const {
    constexpr std::string_view scratch = "{scratch}/", stages = "{stages}/";
    if (file.starts_with(stages)) return below(stages_, file.substr(stages.size()));
    if (file.starts_with(scratch)) return below(run_ / spec_.name / "scratch", file.substr(scratch.size()));
    return below(spec_.cwd, file);
  }
  static fs::Path below(const fs::Path& base, const std::string& glob) {
    const std::size_t hole = std::min(glob.find_first_of("*?[{"), glob.size());
    return absolute_folder(base / fs::Path(glob.substr(0, hole)).parent_path());
  }

  std::string who_else() const {
    if (is_far_)
      return "is below no volume that its pods can write to: gate would not see it; add one by "
             "kubernetes.patch";
    return "may be another folder on the nodes: write it below the suite's folder or in {stages}/";
  }

  const config::Case& spec_;
  const fs::Path run_;  // RUN is told later, and changes nothing
  const fs::Path stages_;
  const bool is_far_;
  std::vector<SharedFolder> folders_;
};

}  // namespace

bool has_stages(const config::Case& spec) {
  return !spec.settings.stages.empty() || spec.settings.accuracy_test;
}

fs::Path stages_folder(const RunOptions& options, const fs::Path& run, const std::string& case_name) {
  return fs::whole_path(options.stages_folder.empty() ? run / case_name / "stages" : options.stages_folder);
}

Status check_shared_folders(const fs::Path& suite, const RunOptions& options, const config::Case& spec) {
  if (!traits_of(spec.settings.backend).queues) return {};
  return SharedFolders(suite, options, spec).check();
}

}  // namespace gate::app
